/* compiled-engine.c: executes a model by kernels over ranges of its links and nodes
 *
 * Small networks are computed in whole cycles, large ones in tiles, shared among threads. All ways
 * do the same operations in the same order, so that results have equal bits.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>
#include <unistd.h>

#include "engine/energy-check.h"
#include "engine/threads.h"
#include "engine/tiles.h"

#define TILE_WIDTH 512 /* nodes; minimum */
/* Width for links that reach far: fewer runs are cut at a tile's ends. It does some cycles even
 * beyond the second cache (measured, membranes of 1000 x 1000 and 1000 x 260: 1.7 times as
 * fast). */
#define WIDEST_TILE (8 * TILE_WIDTH)
#define FAR_CYCLES  16
/* Nodes; smaller networks are faster on one thread. */
#define MIN_FOR_THREADS 30000
/* Nodes; smaller networks, in the nearest caches, gain nothing from midpoints per node. */
#define MIN_FOR_MIDDLES 16384
/* Moving given nodes; with more, a block has only one step. */
#define MAX_TABLED 4096

/* Whole cycles */

static inline void
store_all_probes (const IfbamCompiledEngine *self, const IfbamProbes *probes, gsize row,
                  double *const *column)
{
  double *position = probes->position + row * probes->n, *rate = probes->rate + row * probes->n;

  for (gsize i = 0; i < self->work.n_free_probes; i++)
    self->observe_one (probes->node[i], column, position + i, rate + i);
}

/* TRUE for the smallest networks: one batch, few nodes, one stage; calls dominate their time. */
static gboolean
is_simple (const IfbamCompiledEngine *self)
{
  const IfbamCalls *calls = &self->calls[0];

  return self->base.numbers->n_moving == 0 && self->base.model->n_varying == 0
         && self->base.spec->scheme->n_stages == 1 && calls->links_end - calls->links == 1
         && calls->nodes_end - calls->nodes == 1 && !calls->nodes->sums;
}

static void
run_simple_cycles (const IfbamCompiledEngine *self)
{
  const IfbamBlockOfSteps *work = &self->work;
  const IfbamCalls *const even = ifbam_calls_at (self, 0), *const odd = ifbam_calls_at (self, 1);
  const IfbamProbes *probes = work->probes;
  /* One probe at each step: its samples are consecutive. */
  const gboolean steady =
      probes != NULL && probes->n == 1 && probes->stride == 1 && self->work.n_free_probes == 1;
  guint cycle = 0;

  for (; cycle < work->cycles && !(steady && work->row[cycle] != IFBAM_NO_ROW); cycle++)
    {
      const IfbamCalls *calls = cycle & 1 ? odd : even;

      ifbam_call_link (calls->links);
      calls->nodes->kernel (&calls->nodes->batch, 0, calls->nodes->n);
      if (probes != NULL && work->row[cycle] != IFBAM_NO_ROW)
        store_all_probes (self, probes, work->row[cycle], calls->seen);
    }
  if (cycle < work->cycles)
    {
      double *position = probes->position + work->row[cycle];
      double *rate = probes->rate + work->row[cycle];
      const gsize probe = probes->node[0];

      for (; cycle < work->cycles; cycle++)
        {
          const IfbamCalls *calls = cycle & 1 ? odd : even;

          ifbam_call_link (calls->links);
          calls->nodes->kernel (&calls->nodes->batch, 0, calls->nodes->n);
          self->observe_one (probe, calls->seen, position++, rate++);
        }
    }
}

/* Computes whole cycles in turn: for networks in the nearest cache, or in no order for tiles. */
static void
plain_cycles (IfbamCompiledEngine *self)
{
  const IfbamModel *model = self->base.model;
  const IfbamBlockOfSteps *work = &self->work;
  const gboolean timed = self->base.numbers->n_moving > 0 || model->n_varying > 0;
  const guint length = ifbam_calls_length (self->base.spec->scheme);

  if (self->simple)
    {
      run_simple_cycles (self);
      return;
    }
  for (guint cycle = 0, place = self->columns.exchanged ? 1 : 0; cycle < work->cycles; cycle++)
    {
      const IfbamCalls *calls = &self->calls[place];

      place = place + 1 == length ? 0 : place + 1;
      ifbam_call_links (calls);
      if (timed)
        ifbam_timed_forces_compute (self, cycle, 0, model->n_free);
      ifbam_call_nodes (calls, model, 1, self->force);
      ifbam_form_middles (self, calls->seen, 0, model->n_free);
      if (work->probes != NULL && work->row[cycle] != IFBAM_NO_ROW)
        store_all_probes (self, work->probes, work->row[cycle], calls->seen);
    }
}

/* Blocks of cycles */

/* Tabulates messages of moving given nodes in each cycle of a block, and in the cycle before. */
static void
table_motions (IfbamCompiledEngine *self)
{
  IfbamParameterValues *numbers = self->base.numbers;
  const IfbamRunSpec *spec = numbers->spec;
  const guint n_stages = spec->scheme->n_stages;
  IfbamTabled *said = self->said;

  for (guint row = 0; row <= self->work.cycles; row++)
    {
      const gint64 first = (gint64) self->work.first_step;
      const gint64 step = row == 0 ? first - 1 : first + (row - 1) / n_stages;
      const guint stage = row == 0 ? n_stages - 1 : (row - 1) % n_stages;
      const double time = ((double) step + spec->scheme->stage_time[stage]) * spec->step;

      for (gsize m = 0; m < numbers->n_moving; m++, said++)
        {
          ifbam_given_message (numbers, numbers->moving[m], stage, step, &said->position,
                               &said->rate);
          said->rate_now = ifbam_parameter_values_motion (numbers, numbers->moving[m], time)[1];
        }
    }
}

static void
table_source_times (IfbamCompiledEngine *self)
{
  const IfbamRunSpec *spec = self->base.spec;
  double last = NAN, *tabled = self->work.source_time;
  gint64 step = (gint64) self->work.first_step;

  for (guint cycle = 0; cycle < self->work.cycles; step++)
    for (guint stage = 0; stage < spec->scheme->n_stages; stage++, cycle++)
      {
        const double time = ifbam_engine_source_time (spec, stage, step);

        /* With latency the last cycle wrote to the other column of answers. */
        tabled[cycle] = time == last && !spec->scheme->latency ? NAN : time;
        last = time;
      }
}

/* Finds the cycles of a block that complete a sample: one division for the first, then counting. */
static void
table_rows (IfbamCompiledEngine *self, guint64 probes_from)
{
  const IfbamModel *model = self->base.model;
  const IfbamScheme *scheme = self->base.spec->scheme;
  IfbamBlockOfSteps *work = &self->work;
  const guint64 stride = work->probes->stride;
  const guint64 steps = work->cycles / scheme->n_stages;
  guint64 first = work->first_step + 1;
  gsize row = 0;

  for (guint cycle = 0; cycle < work->cycles; cycle++)
    work->row[cycle] = IFBAM_NO_ROW;
  self->observe_one = scheme->observe_one;
  for (self->work.n_free_probes = work->probes->n;
       self->work.n_free_probes > 0
       && work->probes->node[self->work.n_free_probes - 1] >= model->n_free;)
    self->work.n_free_probes--;
  while (first <= work->first_step + MIN (steps, stride)
         && !ifbam_probes_row (self->base.spec, work->probes, probes_from, first, &row))
    first++;
  for (guint64 i = first - work->first_step; i <= steps; i += stride)
    work->row[i * scheme->n_stages - 1] = row++;
}

/* Stores probes on given nodes after a block, from the table if possible. */
static void
store_given_probes (IfbamCompiledEngine *self)
{
  const IfbamModel *model = self->base.model;
  const IfbamBlockOfSteps *work = &self->work;
  const IfbamRunSpec *spec = self->base.spec;
  const guint n_stages = spec->scheme->n_stages;
  const gsize n_moving = self->base.numbers->n_moving;

  for (guint cycle = n_stages - 1; cycle < work->cycles; cycle += n_stages)
    for (gsize i = self->work.n_free_probes;
         i < work->probes->n && work->row[cycle] != IFBAM_NO_ROW; i++)
      {
        const gsize node = work->probes->node[i];
        const gsize place = work->row[cycle] * work->probes->n + i;
        const IfbamTabled *said =
            self->said + (cycle + 1) * n_moving + self->moving_number[node - model->n_free];
        const guint64 row =
            work->first_step + cycle / n_stages + 1 - ifbam_engine_lookahead (self->base.spec);

        if (spec->scheme->latency && self->moving_number[node - model->n_free] < n_moving)
          {
            work->probes->position[place] = said->position;
            work->probes->rate[place] = said->rate_now;
          }
        else
          {
            const double *motion =
                ifbam_parameter_values_motion (self->base.numbers, node, (double) row * spec->step);

            work->probes->position[place] = motion[0];
            work->probes->rate[place] = motion[1];
          }
      }
}

/* Cycles with a listener, which gets all nodes, moving given ones included, at each stage. */
static void
listened_cycles (IfbamCompiledEngine *self)
{
  const IfbamParameterValues *numbers = self->base.numbers;
  const IfbamScheme *scheme = numbers->spec->scheme;
  const gsize n_free = self->base.model->n_free;

  for (guint cycle = 0; cycle < self->work.cycles; cycle++)
    {
      const IfbamTabled *said = self->said + (cycle + 1) * numbers->n_moving;
      double *position = ifbam_columns_at (&self->columns, cycle, scheme->message_position);
      double *rate = ifbam_columns_at (&self->columns, cycle, scheme->message_rate);

      for (gsize m = 0; m < numbers->n_moving; m++)
        {
          position[numbers->moving[m]] = said[m].position;
          rate[numbers->moving[m]] = said[m].rate;
        }
      /* The listener reads the time. */
      self->base.steps = self->work.first_step + cycle / scheme->n_stages;
      self->base.listener (self->base.listener_data, cycle % scheme->n_stages, position, rate);
      ifbam_links_compute (self, cycle, 0, n_free);
      ifbam_nodes_update (self, cycle, 0, n_free);
    }
  self->base.steps = self->work.first_step;
}

static void
do_block (IfbamCompiledEngine *self, guint steps, const IfbamProbes *probes, guint64 probes_from)
{
  const IfbamModel *model = self->base.model;
  const IfbamScheme *scheme = self->base.spec->scheme;

  self->work.first_step = self->base.steps;
  self->work.cycles = steps * scheme->n_stages;
  self->work.probes = probes;
  if (probes != NULL)
    table_rows (self, probes_from);
  if (self->base.numbers->n_moving > 0)
    table_motions (self);
  if (model->n_varying > 0)
    table_source_times (self);
  ifbam_form_middles (self, self->columns.column, 0, model->n_nodes);
  if (self->base.listener != NULL)
    listened_cycles (self);
  else if (ifbam_threads_run (self))
    ifbam_threads_work (self, FALSE);
  else if (self->tile_cycles > 1)
    ifbam_piece_cycles (self, 0, model->n_free, &self->partial[0]);
  else
    plain_cycles (self);
  if (probes != NULL && self->work.n_free_probes < probes->n)
    store_given_probes (self);
  if (scheme->latency && self->work.cycles % 2 == 1)
    ifbam_columns_exchange (&self->columns);
  self->base.steps += steps;
}

static guint
max_steps (const IfbamCompiledEngine *self)
{
  const guint n_stages = self->base.spec->scheme->n_stages;

  if (self->base.numbers->n_moving > MAX_TABLED)
    return 1;
  return self->tile_cycles > 1 ? MAX (1, self->tile_cycles / n_stages) : IFBAM_BLOCK_STEPS;
}

static gboolean
advance (IfbamEngine *base, guint64 steps, const IfbamProbes *probes)
{
  IfbamCompiledEngine *self = (IfbamCompiledEngine *) base;
  const guint64 began = base->steps, end = began + steps;
  const guint most = max_steps (self);
  /* With a listener there are no tiles that could compute the check in passing. */
  const gboolean wanted = base->passing.is_wanted && base->passing.is_offered;
  const gboolean look = wanted && base->listener == NULL && steps > 0;

  if (probes != NULL && probes->n == 0)
    probes = NULL;
  if (self->generated.advance != NULL && base->listener == NULL)
    {
      if (wanted)
        base->passing.energy = ifbam_engine_check_energy (base);
      if (self->generated.advance (base, self->columns.column, self->columns.output, steps, probes))
        {
          base->steps = end;
          base->passing.is_wanted = FALSE;
          return TRUE;
        }
    }
  if (look)
    ifbam_energy_check_begin (self);
  else if (wanted)
    base->passing.energy = ifbam_engine_check_energy (base);
  self->work.look = look;
  for (; base->steps < end; self->work.look = FALSE)
    do_block (self, (guint) MIN (most, end - base->steps), probes, began);
  if (look)
    base->passing.energy = ifbam_energy_check_end (self);
  base->passing.is_wanted = FALSE;
  return TRUE;
}

static void
start (IfbamEngine *base)
{
  base->steps = 0;
  ifbam_columns_start (&((IfbamCompiledEngine *) base)->columns);
}

static void
get_nodes (IfbamEngine *base, gsize first, gsize last, double *position, double *rate)
{
  IfbamCompiledEngine *self = (IfbamCompiledEngine *) base;
  const IfbamModel *model = base->model;
  const IfbamRunSpec *spec = base->spec;
  gsize last_free = MIN (last, model->n_free);

  if (first < last_free)
    spec->scheme->observe (first, last_free, self->columns.column, position, rate);
  for (gsize i = MAX (first, model->n_free); i < last; i++)
    {
      const double *motion = ifbam_parameter_values_motion (
          base->numbers, i,
          (double) (base->steps - ifbam_engine_lookahead (self->base.spec)) * spec->step);

      position[i - first] = motion[0];
      rate[i - first] = motion[1];
    }
}

static double
check_energy (IfbamEngine *base)
{
  IfbamCompiledEngine *self = (IfbamCompiledEngine *) base;

  ifbam_energy_check_begin (self);
  if (ifbam_threads_run (self))
    ifbam_threads_work (self, TRUE);
  else
    for (gsize chunk = 0; chunk < self->n_chunks; chunk++)
      ifbam_energy_check_add_chunk (self, chunk, &self->partial[0]);
  return ifbam_energy_check_end (self);
}

/* State */

/* Moving given nodes are set anew in each cycle, the others at the start. */
static GArray *
list_state (IfbamEngine *base, gboolean write)
{
  const IfbamColumns *own = &((IfbamCompiledEngine *) base)->columns;
  GArray *columns = g_array_new (FALSE, FALSE, sizeof (IfbamStateColumn));

  (void) write;
  ifbam_state_add_scheme (columns, base->model, base->spec->scheme, own->column, own->output[0]);
  return columns;
}

/* Forces of constant sources are set at the start, in place of those restored. */
static void
rebuild (IfbamEngine *base, guint64 steps)
{
  const IfbamColumns *own = &((IfbamCompiledEngine *) base)->columns;
  const IfbamModel *model = base->model;

  base->steps = steps;
  ifbam_scheme_rebuild (base->spec->scheme, model->n_free, own->column, base->spec->step);
  for (gsize i = 0; i < model->n_sources && base->spec->scheme->latency; i++)
    if (ifbam_model_source_of (model, i)->info->fixed)
      own->output[0][model->n_slots + i] = own->output[1][model->n_slots + i];
}

/* Making it */

static void
engine_free (IfbamEngine *base)
{
  IfbamCompiledEngine *self = (IfbamCompiledEngine *) base;

  if (self->generated.free != NULL)
    self->generated.free (self->generated.data);
  ifbam_threads_end (self);
  g_free (self->threads);
  for (guint i = 0; i < IFBAM_MAX_STAGES; i++)
    ifbam_calls_clear (&self->calls[i]);
  ifbam_columns_clear (&self->columns);
  ifbam_parameter_values_free (base->numbers);
  ifbam_event_log_free (base->log);
  g_free (self->middles.position);
  g_free (self->middles.rate);
  g_free (self->partial);
  g_free (self->moving_number);
  g_free (self->said);
  g_free (self);
}

/* Fixed given nodes have an index beyond n_moving. */
static void
index_moving (IfbamCompiledEngine *self)
{
  const IfbamModel *model = self->base.model;
  const IfbamParameterValues *numbers = self->base.numbers;
  const guint n_stages = numbers->spec->scheme->n_stages;

  self->moving_number = g_new (guint32, model->n_nodes - model->n_free + 1);
  for (gsize i = 0; i < model->n_nodes - model->n_free; i++)
    self->moving_number[i] = G_MAXUINT32;
  for (gsize m = 0; m < numbers->n_moving; m++)
    self->moving_number[numbers->moving[m] - model->n_free] = (guint32) m;
  self->said = g_new (IfbamTabled, (max_steps (self) * n_stages + 1) * numbers->n_moving + 1);
}

static gsize
cache_size (int level, gsize usual)
{
  const long size = sysconf (level);

  return size > 0 ? (gsize) size : usual;
}

/* Chooses cycles and width of a tile. IFBAM_TILE=WIDTH,CYCLES forces them. */
static void
choose_tiles (IfbamCompiledEngine *self)
{
  const IfbamModel *model = self->base.model;
  const char *wanted = g_getenv ("IFBAM_TILE");
  const gsize bandwidth = MAX (model->bandwidth, 1);
  const gsize links_per_node = model->n_free == 0 ? 1 : 1 + model->n_links / model->n_free;
  const gsize bytes = 8 * (self->base.spec->scheme->n_columns + 1 + 3 * links_per_node);
  gsize cycles = IFBAM_BLOCK_STEPS;

  self->skew = (bandwidth + IFBAM_LINE - 1) / IFBAM_LINE * IFBAM_LINE;
  self->tile_width = TILE_WIDTH;
  if (bandwidth > 8)
    {
      const gsize near = cache_size (_SC_LEVEL2_CACHE_SIZE, 1 << 20) * 7 / 10 / bytes;
      /* Other processes use the third cache, too. */
      const gsize far = cache_size (_SC_LEVEL3_CACHE_SIZE, 0) / 8 * 7 / 10 / bytes;

      while (self->tile_width < WIDEST_TILE && self->tile_width < 4 * bandwidth
             && model->n_free >= 8 * self->tile_width)
        self->tile_width *= 2;
      cycles = near > TILE_WIDTH ? (near - TILE_WIDTH) / bandwidth : 1;
      if (far > self->tile_width)
        cycles = MAX (cycles, MIN (FAR_CYCLES, (far - self->tile_width) / bandwidth));
      cycles = MIN (IFBAM_BLOCK_STEPS, cycles);
    }
  for (self->tile_cycles = IFBAM_BLOCK_STEPS; self->tile_cycles > cycles;)
    self->tile_cycles /= 2;
  if (self->tile_cycles < 4 || model->n_free < 4 * TILE_WIDTH)
    self->tile_cycles = 1;
  if (wanted != NULL)
    {
      char *end;
      guint64 width = g_ascii_strtoull (wanted, &end, 10);
      guint64 forced = *end == ',' ? g_ascii_strtoull (end + 1, NULL, 10) : 0;

      if (width > 0 && forced > 0 && forced <= IFBAM_BLOCK_STEPS)
        {
          self->tile_width = (gsize) width;
          self->tile_cycles = (guint) forced;
        }
    }
  if (self->tile_cycles > 1)
    self->tile_cycles = MAX (self->tile_cycles, self->base.spec->scheme->n_stages);
}

static void
choose_middles (IfbamCompiledEngine *self)
{
  const IfbamModel *model = self->base.model;
  gsize looked_up = 0;
  gboolean rates = FALSE;

  for (guint b = 0; b < model->batches->len; b++)
    {
      const IfbamBatch *batch = &g_array_index (model->batches, IfbamBatch, b);

      if (batch->points != 1)
        continue;
      looked_up += batch->n_residue;
      rates = rates || (batch->n_residue > 0 && batch->law->lossy);
    }
  if (!self->base.spec->scheme->mean || self->tile_cycles > 1 || model->n_free < MIN_FOR_MIDDLES
      || looked_up < model->n_free / 2)
    return;
  self->middles.position = g_new0 (double, model->n_nodes);
  self->middles.rate = rates ? g_new0 (double, model->n_nodes) : NULL;
}

static void
choose_threads (IfbamCompiledEngine *self, guint threads)
{
  const IfbamModel *model = self->base.model;
  gsize max_pieces;

  if (threads == 0)
    threads = model->n_free >= MIN_FOR_THREADS ? MIN (64, g_get_num_processors ()) : 1;
  /* The edges of a piece must not meet; its borders are between tiles. */
  max_pieces = model->n_free / (2 * self->skew * (self->tile_cycles + 1) + self->tile_width);
  if (self->tile_cycles == 1)
    max_pieces = model->n_free;
  self->n_pieces = (guint) MIN (4 * threads, MAX (max_pieces, 1));
  self->n_threads = MIN (threads, self->n_pieces);
}

static const IfbamEngineClass compiled_class = { .start = start,
                                                 .advance = advance,
                                                 .get_nodes = get_nodes,
                                                 .check_energy = check_energy,
                                                 .list_state = list_state,
                                                 .rebuild = rebuild,
                                                 .free = engine_free };

IfbamEngine *
ifbam_compiled_engine_new (const IfbamModel *model, const IfbamRunSpec *spec, guint threads)
{
  IfbamCompiledEngine *self = g_new0 (IfbamCompiledEngine, 1);

  self->base = (IfbamEngine){ .class = &compiled_class,
                              .model = model,
                              .spec = spec,
                              .numbers = ifbam_parameter_values_new (model, spec, 1),
                              .records_probes = TRUE,
                              .log = ifbam_event_log_new () };
  ifbam_columns_make (&self->columns, self->base.numbers);
  choose_tiles (self);
  choose_middles (self);
  choose_threads (self, threads);
  index_moving (self);
  self->n_chunks = ifbam_energy_check_chunks (model);
  self->partial = g_new (IfbamExactSum, self->n_pieces);
  self->base.passing.is_offered = self->tile_cycles > 1;
  for (guint i = 0; i < ifbam_calls_length (self->base.spec->scheme); i++)
    ifbam_calls_make (&self->calls[i], &self->columns, i, &self->middles, self->force);
  self->simple = is_simple (self);
  return &self->base;
}
