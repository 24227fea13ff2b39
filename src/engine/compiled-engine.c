/* compiled-engine.c: executes a model: ranges of links and nodes, in tiles and pieces of the network
 *
 * A cycle on a range of nodes: the links that these nodes own answer, then the nodes hear. A link
 * reaches from its owner to nodes at most a bandwidth higher. So a tile of nodes can be carried
 * through many cycles while it stays in the nearest caches, if it moves down by the bandwidth (rounded
 * up: the skew) in each cycle:
 *
 *   cycle c of the tile at a: nodes a - skew c <= i < a - skew c + width
 *
 * What it reads from above was left there by the cycle before, what it needs from below by tiles
 * before it. (Wolfe 1989, "More iteration space tiling"; Frigo & Strumpen 2005 for trapezoids.)
 *
 * Threads take contiguous pieces of the network. In a first phase a piece [L, R) goes through its
 * cycles with edges that draw in: nodes from L + skew (c + 1) to R - skew c, and the links from
 * L + skew c on, as their ends' messages will be gone later. In a second phase the wedges that are
 * left around the borders are filled.
 *
 * Every number is computed by the same operations in the same order, whichever way is taken.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/view.h"
#include "element/path.h"

/* Nodes whose forces are summed before they are used: the sums stay in the nearest cache. */
#define RANGE 512
/* Steps of a block: between blocks all nodes stand at the same step. */
#define BLOCK_STEPS 64
#define TILE_WIDTH  512
/* Smaller networks than this are faster on one thread. */
#define LEAST_FOR_THREADS 30000
/* Networks that stay in the nearest caches look numbers up as fast as they form them. */
#define LEAST_FOR_MIDDLES 16384
/* Given nodes that move: with more, their motion is not tabled for many cycles. */
#define MOST_TABLED 4096

typedef struct
{
  guint64 first_step;
  guint cycles; /* stages of all its steps */
  const IfbamProbes *probes;
  gboolean look; /* at the row before the first cycle */
  /* Which row of the probes can be told after a cycle; NO_ROW: none. */
  gsize row[BLOCK_STEPS * IFBAM_MAX_STAGES];
} Block;

#define NO_ROW G_MAXSIZE

/* Kernels with their arguments for a whole cycle, made once: what a small network needs of each cycle is
 * little more than these calls. */
typedef struct
{
  IfbamLinkKernel kernel; /* of looked up links first to last, or NULL */
  IfbamRunKernel run;     /* of a run */
  IfbamLinkBatch batch;
  gsize first, last, left, right;
} LinkCall;

typedef struct
{
  IfbamNodeKernel kernel;
  IfbamNodeBatch batch;
  gboolean sums; /* the ports are summed first */
  gsize first, n;
} NodeCall;

typedef struct
{
  LinkCall *links, *links_end;
  NodeCall *nodes, *nodes_end; /* by number: together all free nodes */
  IfbamLinkBatch *batches;     /* the arguments of each batch's runs */
  IfbamLinkBatch *residues;    /* and of its looked up links */
  const double *heard;
  double *seen[IFBAM_MAX_COLUMNS]; /* the columns after the cycle */
} Cycle;

typedef struct
{
  IfbamEngine base;
  /* All that changes in a run is this one block: columns (stride each), then answers. */
  double *block;
  gsize stride;
  double *column[IFBAM_MAX_COLUMNS]; /* as they stand before the coming step */
  double *answer[2];                 /* what links and sources say; [1]: next, with latency */

  gsize *moving; /* given nodes that move (n_moving) */
  gsize n_moving;
  guint32 *moving_number; /* of given nodes (n_nodes - n_free) */
  double *said;           /* position and rate of the moving nodes (cycles + 1)(n_moving)(2) */

  Cycle cycle[IFBAM_MAX_STAGES]; /* with latency by parity, else by stage */
  double *first_column;          /* column[0] when they were made */
  gboolean simple;               /* see is_simple */
  void (*observe_one) (gsize node, double *const *column, double *position, double *rate);
  gsize n_free_probes;
  double force[RANGE]; /* of the nodes whose ports are summed first */

  /* Where many links are looked up, nodes form the middles of their coming paths themselves, so that
   * a link has to look for half as many numbers; NULL elsewhere (n_nodes). */
  double *middle_position, *middle_rate;

  guint tile_cycles; /* 1: no tiles */
  gsize tile_width, skew;

  guint n_threads;
  pthread_t *threads; /* n_threads - 1 of them */
  pthread_mutex_t gate;
  pthread_barrier_t barrier;
  gboolean running;
  gboolean quit;
  gboolean looking;       /* the threads' work is a look, not a block */
  IfbamExactSum *partial; /* of a look, by pieces (n_pieces) */
  gsize n_chunks;
  atomic_uint next_piece;
  guint n_pieces;
  Block work;
} CompiledEngine;

static gsize
n_answers (const IfbamModel *model)
{
  return model->n_slots + model->n_sources;
}

/* Columns and answers as they stand before a cycle of a block. */
static inline double *
column_at (const CompiledEngine *self, guint cycle, guint c)
{
  return self
      ->column[self->base.spec->scheme->latency && cycle % 2 == 1 && c < 4 ? (c + 2) % 4 : c];
}

static inline double *
heard_at (const CompiledEngine *self, guint cycle)
{
  return self->answer[self->base.spec->scheme->latency ? cycle % 2 : 0];
}

static inline double *
answered_at (const CompiledEngine *self, guint cycle)
{
  return self->answer[self->base.spec->scheme->latency ? 1 - cycle % 2 : 0];
}

/* The calls of a cycle of a block. */
static inline const Cycle *
calls_at (const CompiledEngine *self, guint cycle)
{
  const IfbamScheme *scheme = self->base.spec->scheme;
  const guint flipped = self->column[0] != self->first_column ? 1 : 0;

  return &self->cycle[scheme->latency ? (cycle + flipped) % 2 : cycle % scheme->n_stages];
}

/* Links */

/* First of the links first <= i < last, sorted by owner, whose owner is not below node. */
static gsize
owner_bound (const IfbamBatch *batch, gsize first, gsize last, gsize node)
{
  while (first < last)
    {
      gsize middle = (first + last) / 2;

      if (ifbam_batch_owner (batch, middle) < node)
        first = middle + 1;
      else
        last = middle;
    }
  return first;
}

/* The first run of a group that reaches an owner. */
static gsize
first_run (const IfbamRunGroup *group, gsize owner)
{
  gsize low = 0, high = group->n_runs;

  while (low < high)
    {
      gsize middle = (low + high) / 2;

      if (group->runs[middle].owner + group->runs[middle].n <= owner)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

static void
runs_answer (const CompiledEngine *self, const IfbamBatch *batch, const IfbamLinkBatch *arguments,
             const IfbamRunGroup *group, gsize lo, gsize hi)
{
  const IfbamRunSpec *spec = self->base.spec;
  IfbamRunKernel kernel =
      (spec->scheme->mean ? batch->kernels->run_mean : batch->kernels->run_force)[spec->isa];

  for (gsize r = first_run (group, lo); r < group->n_runs && group->runs[r].owner < hi; r++)
    {
      const IfbamLinkRun *run = &group->runs[r];
      gsize skip = lo > run->owner ? lo - run->owner : 0;
      gsize end = MIN (run->n, hi - run->owner);

      kernel (arguments, run->first + skip, run->left + skip, run->right + skip, end - skip);
    }
}

/* A link to a given node that moves: what that says at this cycle is in a table, since ranges of
 * nodes stand at different cycles. */
static void
driven_answer (const CompiledEngine *self, const IfbamBatch *batch, gsize index,
               const IfbamLinkBatch *all, guint cycle, gboolean mean)
{
  static const guint32 left = 0, right = 1;
  const IfbamModel *model = self->base.model;
  const guint32 end[2] = { batch->left[index], batch->right[index] };
  const double *parameters[IFBAM_MAX_LAW];
  double position[2], rate[2], earlier_position[2], earlier_rate[2];
  IfbamLinkBatch arguments = { .parameters = parameters,
                               .left = &left,
                               .right = &right,
                               .position = position,
                               .rate = rate,
                               .earlier_position = earlier_position,
                               .earlier_rate = earlier_rate,
                               .answer = all->answer + index,
                               .far = all->far + index };

  for (guint k = 0; k < batch->n_numbers; k++)
    parameters[k] = batch->parameters[k] + index;
  for (guint e = 0; e < 2; e++)
    if (end[e] < model->n_free)
      {
        position[e] = all->position[end[e]];
        rate[e] = all->rate[end[e]];
        earlier_position[e] = all->earlier_position[end[e]];
        earlier_rate[e] = all->earlier_rate[end[e]];
      }
    else
      {
        gsize number = self->moving_number[end[e] - model->n_free];
        const double *now = self->said + 2 * ((cycle + 1) * self->n_moving + number);
        const double *before = now - 2 * self->n_moving;

        position[e] = now[0];
        rate[e] = now[1];
        earlier_position[e] = before[0];
        earlier_rate[e] = before[1];
      }
  (mean ? batch->kernels->mean : batch->kernels->force) (&arguments, 0, 1);
}

/* A mean of one point is the force at the middle of the path. */
static gboolean
takes_middles (const CompiledEngine *self, const IfbamBatch *batch)
{
  return self->middle_position != NULL && batch->points == 1;
}

static IfbamLinkKernel
residue_kernel (const CompiledEngine *self, const IfbamBatch *batch)
{
  return self->base.spec->scheme->mean && !takes_middles (self, batch) ? batch->kernels->mean
                                                                       : batch->kernels->force;
}

static void
batch_answers (const CompiledEngine *self, const IfbamBatch *batch, const IfbamLinkBatch *arguments,
               const IfbamLinkBatch *residue, gsize lo, gsize hi)
{
  gsize first = 0, last = batch->n_residue;

  if (lo > 0)
    first = owner_bound (batch, 0, last, lo);
  if (hi < self->base.model->n_free)
    last = owner_bound (batch, first, last, hi);
  if (first < last)
    residue_kernel (self, batch) (residue, first, last);
  for (guint g = 0; g < batch->n_groups; g++)
    runs_answer (self, batch, arguments, &batch->groups[g], lo, hi);
}

/* Messages and answers of a cycle. */
static IfbamLinkBatch
link_arguments (const CompiledEngine *self, guint cycle)
{
  const IfbamScheme *scheme = self->base.spec->scheme;

  return (IfbamLinkBatch){
    .position = column_at (self, cycle, scheme->said_position),
    .rate = column_at (self, cycle, scheme->said_rate),
    .earlier_position = column_at (self, cycle, scheme->mean ? 2 : scheme->said_position),
    .earlier_rate = column_at (self, cycle, scheme->mean ? 3 : scheme->said_rate),
    .answer = answered_at (self, cycle),
  };
}

static void
all_driven_answer (const CompiledEngine *self, guint cycle, gsize lo, gsize hi)
{
  const IfbamModel *model = self->base.model;
  const IfbamRunSpec *spec = self->base.spec;
  IfbamLinkBatch arguments = link_arguments (self, cycle);
  double *answer = arguments.answer;

  for (guint b = 0; b < model->batches->len; b++)
    {
      const IfbamBatch *batch = &g_array_index (model->batches, IfbamBatch, b);
      gsize first = owner_bound (batch, batch->first_driven, batch->first_idle, lo);
      gsize last = owner_bound (batch, first, batch->first_idle, hi);

      ifbam_batch_answers (batch, answer, &arguments);
      for (gsize i = first; i < last; i++)
        driven_answer (self, batch, i, &arguments, cycle, spec->scheme->mean);
    }
}

static void
sources_answer (const CompiledEngine *self, const Block *work, guint cycle, gsize lo, gsize hi,
                double *answer)
{
  const IfbamModel *model = self->base.model;
  const IfbamRunSpec *spec = self->base.spec;
  const guint n_stages = spec->scheme->n_stages;
  const double time = ifbam_engine_source_time (spec, cycle % n_stages,
                                                (gint64) (work->first_step + cycle / n_stages));
  gsize low = 0, high = model->n_varying;

  while (low < high)
    {
      gsize middle = (low + high) / 2;

      if (model->source_node[model->varying[middle]] < lo)
        low = middle + 1;
      else
        high = middle;
    }
  for (; low < model->n_varying && model->source_node[model->varying[low]] < hi; low++)
    answer[model->n_slots + model->varying[low]] =
        ifbam_model_source (model, model->varying[low], time);
}

/* What answers by the clock: links to given nodes that move, and sources. (Those that do not depend on it
 * have answered at the start, for good.) */
static void
timed_answers (const CompiledEngine *self, const Block *work, guint cycle, gsize lo, gsize hi)
{
  if (self->n_moving > 0)
    all_driven_answer (self, cycle, lo, hi);
  if (self->base.model->n_varying > 0)
    sources_answer (self, work, cycle, lo, hi, answered_at (self, cycle));
}

/* The links owned by nodes lo <= i < hi answer in a cycle. */
static void
links_answer (const CompiledEngine *self, const Block *work, guint cycle, gsize lo, gsize hi)
{
  const IfbamModel *model = self->base.model;
  const Cycle *calls = calls_at (self, cycle);

  if (lo >= hi)
    return;
  for (guint b = 0; b < model->batches->len; b++)
    batch_answers (self, &g_array_index (model->batches, IfbamBatch, b), &calls->batches[b],
                   &calls->residues[b], lo, hi);
  timed_answers (self, work, cycle, lo, hi);
}

/* Nodes */

/* What was said, with the sign of a port: no branch, since signs follow no pattern. */
static inline double
with_sign (double said, guint32 port)
{
  union
  {
    double number;
    guint64 bits;
  } value = { said };

  value.bits ^= (guint64) port << 63;
  return value.number;
}

/* Sums of the forces on nodes first <= i < last, in the order of the file. -0.0 is the sum of none:
 * it changes nothing that it is added to. */
static void
gather (const IfbamModel *model, const double *answer, gsize first, gsize last, double *force)
{
  for (gsize i = first; i < last; i++)
    {
      double sum = -0.0;

      for (guint32 p = model->port_start[i]; p < model->port_start[i + 1]; p++)
        sum += with_sign (answer[model->port[p] >> 1], model->port[p]);
      force[i - first] = sum;
    }
}

/* Columns, and ports where the run sums them itself, from node `first` of a run on. */
static IfbamNodeBatch
node_arguments (const CompiledEngine *self, const IfbamNodeRun *run, guint cycle, gsize first)
{
  const IfbamModel *model = self->base.model;
  const IfbamRunSpec *spec = self->base.spec;
  const double *heard = heard_at (self, cycle);
  IfbamNodeBatch batch = { .inverse_inertia = model->inverse_inertia + first, .step = spec->step };

  for (guint c = 0; c < spec->scheme->n_columns; c++)
    batch.column[c] = column_at (self, cycle, c) + first;
  for (guint p = 0; p < run->degree; p++)
    {
      batch.port[p] = heard + run->slot[p] + (first - run->first);
      batch.sign[p] = run->sign[p];
    }
  return batch;
}

/* Nodes lo <= i < hi of a call. */
static void
call_nodes (const CompiledEngine *self, const Cycle *calls, const NodeCall *call, gsize lo,
            gsize hi)
{
  IfbamNodeBatch batch;
  double force[RANGE];

  if (!call->sums)
    {
      call->kernel (&call->batch, lo - call->first, hi - lo);
      return;
    }
  gather (self->base.model, calls->heard, lo, hi, force + (lo - call->first));
  batch = call->batch;
  batch.port[0] = force;
  call->kernel (&batch, lo - call->first, hi - lo);
}

/* After the last stage of a step: what the probes among the nodes lo <= i < hi see. */
static void
tell_probes (const CompiledEngine *self, const Block *work, guint cycle, gsize lo, gsize hi)
{
  const IfbamProbes *probes = work->probes;
  const IfbamScheme *scheme = self->base.spec->scheme;
  const gsize row = work->row[cycle];
  gsize low = 0, high = probes->n;

  if (row == NO_ROW)
    return;
  while (low < high)
    {
      gsize middle = (low + high) / 2;

      if (probes->node[middle] < lo)
        low = middle + 1;
      else
        high = middle;
    }
  for (; low < probes->n && probes->node[low] < hi; low++)
    scheme->observe_one (probes->node[low], calls_at (self, cycle)->seen,
                         &probes->position[row * probes->n + low],
                         &probes->rate[row * probes->n + low]);
}

/* The middles of the paths of nodes lo <= i < hi (see link-class.h), from columns as they are said. */
static void
form_middles (const CompiledEngine *self, double *const *column, gsize lo, gsize hi)
{
  if (self->middle_position == NULL)
    return;
  for (gsize i = lo; i < hi; i++)
    self->middle_position[i] = ifbam_path_position (column[0][i], column[2][i], 0.5);
  if (self->middle_rate != NULL)
    for (gsize i = lo; i < hi; i++)
      self->middle_rate[i] = ifbam_path_rate (column[1][i], column[3][i], 0.5);
}

/* The free nodes lo <= i < hi hear in a cycle. */
static void
nodes_hear (const CompiledEngine *self, const Block *work, guint cycle, gsize lo, gsize hi)
{
  const Cycle *calls = calls_at (self, cycle);
  const NodeCall *call = calls->nodes, *last = calls->nodes_end;

  if (lo >= hi)
    return;
  while (call < last)
    {
      const NodeCall *middle = call + (last - call) / 2;

      if (middle->first + middle->n <= lo)
        call = middle + 1;
      else
        last = middle;
    }
  for (; call < calls->nodes_end && call->first < hi; call++)
    call_nodes (self, calls, call, MAX (lo, call->first), MIN (hi, call->first + call->n));
  form_middles (self, calls->seen, lo, hi);
  if (work->probes != NULL)
    tell_probes (self, work, cycle, lo, hi);
}

/* Blocks of cycles */

/* Ports of looked up nodes side by side, the same number for each: filled up with a slot that holds
 * -0.0, which changes no sum. NULL where a node has many. */
static IfbamPort *
pack_ports (const IfbamModel *model, gsize first, gsize n, guint *degree)
{
  IfbamPort *ports;

  *degree = 1;
  for (gsize i = first; i < first + n; i++)
    *degree = MAX (*degree, model->port_start[i + 1] - model->port_start[i]);
  if (*degree > IFBAM_MAX_RUN_PORTS)
    return NULL;
  ports = g_new (IfbamPort, n * *degree);
  for (gsize i = 0; i < n; i++)
    for (guint p = 0; p < *degree; p++)
      {
        guint32 at = model->port_start[first + i] + p;
        gboolean is = at < model->port_start[first + i + 1];

        ports[i * *degree + p].slot = is ? model->port[at] >> 1 : n_answers (model);
        ports[i * *degree + p].sign = is && model->port[at] & 1 ? -1.0 : 1.0;
      }
  return ports;
}

static inline void
tell_all_probes (const CompiledEngine *self, const IfbamProbes *probes, gsize row,
                 double *const *column)
{
  double *position = probes->position + row * probes->n, *rate = probes->rate + row * probes->n;

  for (gsize i = 0; i < self->n_free_probes; i++)
    self->observe_one (probes->node[i], column, position + i, rate + i);
}

static inline void
call_links (const LinkCall *link)
{
  if (link->kernel != NULL)
    link->kernel (&link->batch, link->first, link->last);
  else
    link->run (&link->batch, link->first, link->left, link->right, link->last);
}

/* The smallest networks: links of one batch, few nodes, one stage. What is not the kernels' work counts
 * here. */
static gboolean
is_simple (const CompiledEngine *self)
{
  const Cycle *calls = &self->cycle[0];

  return self->n_moving == 0 && self->base.model->n_varying == 0
         && self->base.spec->scheme->n_stages == 1 && calls->links_end - calls->links == 1
         && calls->nodes_end - calls->nodes == 1 && !calls->nodes->sums;
}

static void
simple_cycles (const CompiledEngine *self, const Block *work, guint flipped)
{
  const Cycle *const even = &self->cycle[flipped];
  const Cycle *const odd = &self->cycle[self->base.spec->scheme->latency ? 1 - flipped : 0];
  const IfbamProbes *probes = work->probes;
  /* One probe that sees every step: its rows follow each other. */
  const gboolean steady =
      probes != NULL && probes->n == 1 && probes->stride == 1 && self->n_free_probes == 1;
  guint cycle = 0;

  for (; cycle < work->cycles && !(steady && work->row[cycle] != NO_ROW); cycle++)
    {
      const Cycle *calls = cycle & 1 ? odd : even;

      call_links (calls->links);
      calls->nodes->kernel (&calls->nodes->batch, 0, calls->nodes->n);
      if (probes != NULL && work->row[cycle] != NO_ROW)
        tell_all_probes (self, probes, work->row[cycle], calls->seen);
    }
  if (cycle < work->cycles)
    {
      double *position = probes->position + work->row[cycle];
      double *rate = probes->rate + work->row[cycle];
      const gsize probe = probes->node[0];

      for (; cycle < work->cycles; cycle++)
        {
          const Cycle *calls = cycle & 1 ? odd : even;

          call_links (calls->links);
          calls->nodes->kernel (&calls->nodes->batch, 0, calls->nodes->n);
          self->observe_one (probe, calls->seen, position++, rate++);
        }
    }
}

/* Whole cycles, one after the other: for what fits into the nearest cache, and for what has no order
 * that tiles could use. */
static void
plain_cycles (CompiledEngine *self, const Block *work)
{
  const IfbamModel *model = self->base.model;
  const IfbamRunSpec *spec = self->base.spec;
  const gboolean timed = self->n_moving > 0 || model->n_varying > 0;
  const guint flipped = self->column[0] != self->first_column ? 1 : 0;
  const guint length = spec->scheme->latency ? 2 : spec->scheme->n_stages;

  if (self->simple)
    {
      simple_cycles (self, work, flipped);
      return;
    }
  for (guint cycle = 0, place = flipped; cycle < work->cycles; cycle++)
    {
      const Cycle *calls = &self->cycle[place];

      place = place + 1 == length ? 0 : place + 1;
      for (const LinkCall *link = calls->links; link < calls->links_end; link++)
        call_links (link);
      if (timed)
        timed_answers (self, work, cycle, 0, model->n_free);
      for (const NodeCall *node = calls->nodes; node < calls->nodes_end; node++)
        {
          if (node->sums)
            gather (model, calls->heard, node->first, node->first + node->n, self->force);
          node->kernel (&node->batch, 0, node->n);
        }
      form_middles (self, calls->seen, 0, model->n_free);
      if (work->probes != NULL && work->row[cycle] != NO_ROW)
        tell_all_probes (self, work->probes, work->row[cycle], calls->seen);
    }
}

static void
make_link_calls (CompiledEngine *self, guint parity, Cycle *calls)
{
  const IfbamModel *model = self->base.model;
  const IfbamRunSpec *spec = self->base.spec;
  const IfbamScheme *scheme = spec->scheme;
  guint n;
  GArray *links = g_array_new (FALSE, FALSE, sizeof (LinkCall));

  calls->batches = g_new (IfbamLinkBatch, model->batches->len + 1);
  calls->residues = g_new (IfbamLinkBatch, model->batches->len + 1);
  for (guint b = 0; b < model->batches->len; b++)
    {
      const IfbamBatch *batch = &g_array_index (model->batches, IfbamBatch, b);
      LinkCall call = { .kernel = residue_kernel (self, batch),
                        .batch = link_arguments (self, parity),
                        .last = batch->n_residue };

      call.batch.parameters = (const double *const *) batch->parameters;
      call.batch.left = batch->left;
      call.batch.right = batch->right;
      ifbam_batch_answers (batch, call.batch.answer, &call.batch);
      calls->batches[b] = calls->residues[b] = call.batch;
      if (takes_middles (self, batch))
        {
          calls->residues[b].position = self->middle_position;
          calls->residues[b].rate =
              self->middle_rate != NULL ? self->middle_rate : self->middle_position;
        }
      call.batch = calls->residues[b];
      if (batch->n_residue > 0)
        g_array_append_val (links, call);
      call.batch = calls->batches[b];
      call.kernel = NULL;
      call.run = (scheme->mean ? batch->kernels->run_mean : batch->kernels->run_force)[spec->isa];
      for (guint g = 0; g < batch->n_groups; g++)
        for (gsize r = 0; r < batch->groups[g].n_runs; r++)
          {
            const IfbamLinkRun *run = &batch->groups[g].runs[r];

            call.first = run->first;
            call.last = run->n;
            call.left = run->left;
            call.right = run->right;
            g_array_append_val (links, call);
          }
    }
  n = links->len;
  calls->links = (LinkCall *) (gpointer) g_array_free (links, FALSE);
  calls->links_end = calls->links + n;
}

static void
make_node_calls (CompiledEngine *self, guint parity, guint stage, Cycle *calls)
{
  const IfbamModel *model = self->base.model;
  const IfbamRunSpec *spec = self->base.spec;

  GArray *nodes = g_array_new (FALSE, FALSE, sizeof (NodeCall));
  guint n;

  calls->heard = heard_at (self, parity);
  for (guint c = 0; c < spec->scheme->n_columns; c++)
    calls->seen[c] = column_at (self, parity + 1, c);
  for (guint r = 0; r < model->node_runs->len; r++)
    {
      const IfbamNodeRun *run = &g_array_index (model->node_runs, IfbamNodeRun, r);
      const gsize most = run->degree > 0 ? run->n : RANGE;

      for (gsize first = run->first; first < run->first + run->n; first += most)
        {
          NodeCall call = { .kernel = spec->scheme->update[stage][spec->isa][run->degree],
                            .batch = node_arguments (self, run, parity, first),
                            .sums = run->degree == 0,
                            .first = first,
                            .n = MIN (most, run->first + run->n - first) };
          guint degree = 0;

          if (call.sums)
            call.batch.port[0] = self->force;
          if (call.sums && model->n_free <= RANGE)
            call.batch.ports = pack_ports (model, first, call.n, &degree);
          if (call.batch.ports != NULL)
            {
              call.kernel = spec->scheme->update_few[stage][degree - 1];
              call.batch.heard = calls->heard;
              call.sums = FALSE;
            }
          g_array_append_val (nodes, call);
        }
    }
  n = nodes->len;
  calls->nodes = (NodeCall *) (gpointer) g_array_free (nodes, FALSE);
  calls->nodes_end = calls->nodes + n;
}

static void
make_calls (CompiledEngine *self)
{
  const IfbamScheme *scheme = self->base.spec->scheme;

  self->first_column = self->column[0];
  for (guint i = 0; i < (scheme->latency ? 2 : scheme->n_stages); i++)
    {
      make_link_calls (self, scheme->latency ? i : 0, &self->cycle[i]);
      make_node_calls (self, scheme->latency ? i : 0, scheme->latency ? 0 : i, &self->cycle[i]);
    }
}

static void
free_calls (CompiledEngine *self)
{
  for (guint i = 0; i < IFBAM_MAX_STAGES; i++)
    {
      for (NodeCall *node = self->cycle[i].nodes; node < self->cycle[i].nodes_end; node++)
        g_free ((gpointer) node->batch.ports);
      g_free (self->cycle[i].links);
      g_free (self->cycle[i].nodes);
      g_free (self->cycle[i].batches);
      g_free (self->cycle[i].residues);
      self->cycle[i] = (Cycle){ 0 };
    }
}

/* Looking */

/* Elements that a thread looks at in one go. */
#define CHUNK IFBAM_BLOCK

static gsize
chunks_of (gsize n)
{
  return (n + CHUNK - 1) / CHUNK;
}

static void
add_links (const CompiledEngine *self, const IfbamBatch *batch, gsize first, gsize last,
           IfbamExactSum *energy)
{
  const IfbamRunSpec *spec = self->base.spec;

  ifbam_batch_add_energy (batch, first, last, self->column[spec->scheme->row_position],
                          self->column[1], spec->isa, energy);
}

static void
add_nodes (const CompiledEngine *self, gsize first, gsize last, IfbamExactSum *energy)
{
  const IfbamModel *model = self->base.model;
  const IfbamRunSpec *spec = self->base.spec;
  double position[CHUNK], rate[CHUNK], strayed = 0;

  for (gsize end; first < last; first = end)
    {
      end = MIN (first + CHUNK, last);
      spec->scheme->observe (first, end, self->column, position, rate);
      for (gsize i = 0; i < end - first; i++)
        strayed += 0.0 * position[i]; /* not a number where a position is not finite */
      ifbam_add_motion (rate, model->inverse_inertia + first, end - first, spec->isa, energy, NULL);
    }
  if (strayed != 0)
    ifbam_exact_sum_add (energy, strayed);
}

/* The links owned by nodes lo <= i < hi and these nodes, in the row before a block. */
static void
add_range (const CompiledEngine *self, gsize lo, gsize hi, IfbamExactSum *energy)
{
  const IfbamModel *model = self->base.model;

  for (guint b = 0; b < model->batches->len; b++)
    {
      const IfbamBatch *batch = &g_array_index (model->batches, IfbamBatch, b);
      gsize first = owner_bound (batch, 0, batch->n_residue, lo);
      gsize last = owner_bound (batch, first, batch->n_residue, hi);

      add_links (self, batch, first, last, energy);
      for (guint g = 0; g < batch->n_groups; g++)
        {
          const IfbamRunGroup *group = &batch->groups[g];

          for (gsize r = first_run (group, lo); r < group->n_runs && group->runs[r].owner < hi; r++)
            {
              const IfbamLinkRun *run = &group->runs[r];

              add_links (self, batch, run->first + (lo > run->owner ? lo - run->owner : 0),
                         run->first + MIN (run->n, hi - run->owner), energy);
            }
        }
    }
  add_nodes (self, lo, hi, energy);
}

/* A piece's part of the first phase; energy: of its look. */
static void
piece_cycles (const CompiledEngine *self, const Block *work, gsize left, gsize right,
              IfbamExactSum *energy)
{
  const gssize n = (gssize) self->base.model->n_free;
  const gssize width = (gssize) self->tile_width, skew = (gssize) self->skew;
  const gssize inner_left = left > 0 ? 1 : 0, inner_right = (gssize) right < n ? 1 : 0;
  const gssize end = (gssize) right + (inner_right ? 0 : skew * (gssize) (work->cycles - 1));

  for (gssize a = (gssize) left; a < end; a += width)
    for (gssize c = 0; c < (gssize) work->cycles; c++)
      {
        gssize lo = a - skew * c;
        gssize hi = MIN (lo + width, (gssize) right - inner_right * skew * c);
        gssize first_link = MAX (lo, (gssize) left + inner_left * skew * c);
        gssize first_node = MAX (lo, (gssize) left + inner_left * skew * (c + 1));

        /* Nobody has moved yet in this tile, nor in those that its links reach. */
        if (c == 0 && work->look && a < (gssize) right)
          add_range (self, (gsize) a, (gsize) hi, energy);
        if (hi <= first_link)
          continue;
        links_answer (self, work, (guint) c, (gsize) first_link, (gsize) hi);
        if (hi > first_node)
          nodes_hear (self, work, (guint) c, (gsize) first_node, (gsize) hi);
      }
}

/* The second phase at the border of two pieces. */
static void
wedge_cycles (const CompiledEngine *self, const Block *work, gsize border)
{
  for (guint c = 0; c < work->cycles; c++)
    {
      links_answer (self, work, c, border - self->skew * c, border + self->skew * c);
      nodes_hear (self, work, c, border - self->skew * c, border + self->skew * (c + 1));
    }
}

/* Threads */

static gsize
piece_border (const CompiledEngine *self, guint piece)
{
  const gsize n = self->base.model->n_free;
  const gsize unit = self->tile_cycles > 1 ? self->tile_width : IFBAM_LINE;

  return piece == self->n_pieces ? n : (gsize) ((guint64) n * piece / self->n_pieces) / unit * unit;
}

static gboolean
claim_piece (CompiledEngine *self, guint *piece)
{
  *piece = atomic_fetch_add (&self->next_piece, 1);
  return *piece < self->n_pieces;
}

/* All threads wait for each other; then pieces can be claimed again. */
static void
meet (CompiledEngine *self)
{
  if (pthread_barrier_wait (&self->barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
    atomic_store (&self->next_piece, 0);
  pthread_barrier_wait (&self->barrier);
}

/* What each thread does in a block. */
static void
share_block (CompiledEngine *self)
{
  const Block *work = &self->work;
  const guint cycles = work->cycles; /* after the last meeting the next block is prepared */
  guint piece;

  if (self->tile_cycles > 1)
    {
      while (claim_piece (self, &piece))
        piece_cycles (self, work, piece_border (self, piece), piece_border (self, piece + 1),
                      &self->partial[piece]);
      meet (self);
      while (claim_piece (self, &piece))
        if (piece > 0)
          wedge_cycles (self, work, piece_border (self, piece));
      meet (self);
      return;
    }
  for (guint cycle = 0; cycle < cycles; cycle++)
    {
      while (claim_piece (self, &piece))
        links_answer (self, work, cycle, piece_border (self, piece),
                      piece_border (self, piece + 1));
      meet (self);
      while (claim_piece (self, &piece))
        nodes_hear (self, work, cycle, piece_border (self, piece), piece_border (self, piece + 1));
      meet (self);
    }
}

/* Chunk by number: links of all batches but those to moving nodes first, then free nodes. */
static void
add_chunk (const CompiledEngine *self, gsize chunk, IfbamExactSum *energy)
{
  const IfbamModel *model = self->base.model;

  for (guint b = 0; b < model->batches->len; b++)
    {
      const IfbamBatch *batch = &g_array_index (model->batches, IfbamBatch, b);
      gsize n = chunks_of (batch->first_driven);

      if (chunk < n)
        {
          add_links (self, batch, chunk * CHUNK, MIN ((chunk + 1) * CHUNK, batch->first_driven),
                     energy);
          return;
        }
      chunk -= n;
    }
  add_nodes (self, chunk * CHUNK, MIN ((chunk + 1) * CHUNK, model->n_free), energy);
}

static void
share_look (CompiledEngine *self)
{
  guint piece;

  while (claim_piece (self, &piece))
    for (gsize chunk = self->n_chunks * piece / self->n_pieces;
         chunk < self->n_chunks * (piece + 1) / self->n_pieces; chunk++)
      add_chunk (self, chunk, &self->partial[piece]);
  meet (self);
}

static gpointer
work_forever (gpointer data)
{
  CompiledEngine *self = data;

  pthread_mutex_lock (&self->gate);
  pthread_mutex_unlock (&self->gate);
  for (;;)
    {
      pthread_barrier_wait (&self->barrier);
      if (self->quit)
        return NULL;
      if (self->looking)
        share_look (self);
      else
        share_block (self);
    }
}

/* Threads are made when they are needed first. Where not all can be had, those that there are do the
 * work: nobody passes the gate before it is known how many they are. */
static gboolean
threads_run (CompiledEngine *self)
{
  guint made = 0;

  if (self->n_threads == 1 || self->running)
    return self->n_threads > 1;
  self->threads = g_new (pthread_t, self->n_threads - 1);
  pthread_mutex_init (&self->gate, NULL);
  pthread_mutex_lock (&self->gate);
  while (made + 1 < self->n_threads
         && pthread_create (&self->threads[made], NULL, work_forever, self) == 0)
    made++;
  self->n_threads = made + 1;
  self->running = made > 0;
  if (self->running)
    pthread_barrier_init (&self->barrier, NULL, self->n_threads);
  pthread_mutex_unlock (&self->gate);
  return self->running;
}

/* Advancing */

/* Position and rate that the moving given nodes say in each cycle of a block, after those of the cycle
 * before it. */
static void
table_motions (CompiledEngine *self, guint64 first_step, guint cycles)
{
  const IfbamModel *model = self->base.model;
  const IfbamRunSpec *spec = self->base.spec;
  const guint n_stages = spec->scheme->n_stages;

  for (guint row = 0; row <= cycles; row++)
    for (gsize m = 0; m < self->n_moving; m++)
      {
        gint64 step =
            row == 0 ? (gint64) first_step - 1 : (gint64) (first_step + (row - 1) / n_stages);
        guint stage = row == 0 ? n_stages - 1 : (row - 1) % n_stages;
        IfbamMotion said = ifbam_given_said (model, spec, self->moving[m], stage, step);
        double *entry = self->said + 2 * (row * self->n_moving + m);

        entry[0] = said.position;
        entry[1] = said.rate;
      }
}

/* Which cycles of the block tell a row: one division for the first, then counting. */
static void
table_rows (CompiledEngine *self, guint64 probes_from)
{
  const IfbamModel *model = self->base.model;
  const IfbamRunSpec *spec = self->base.spec;
  const guint n_stages = spec->scheme->n_stages;
  const guint64 stride = self->work.probes->stride;
  const guint64 steps = self->work.cycles / n_stages;
  Block *work = &self->work;
  guint64 first = work->first_step + 1;
  gsize row = 0;

  for (guint cycle = 0; cycle < work->cycles; cycle++)
    work->row[cycle] = NO_ROW;
  self->observe_one = spec->scheme->observe_one;
  for (self->n_free_probes = work->probes->n;
       self->n_free_probes > 0 && work->probes->node[self->n_free_probes - 1] >= model->n_free;)
    self->n_free_probes--;
  while (first <= work->first_step + MIN (steps, stride)
         && !ifbam_probes_row (self->base.spec, work->probes, probes_from, first, &row))
    first++;
  for (guint64 i = first - work->first_step; i <= steps; i += stride)
    work->row[i * n_stages - 1] = row++;
}

/* The listener hears all nodes, the moving given ones included, at each stage. */
static void
listened_cycles (CompiledEngine *self, const Block *work)
{
  const IfbamModel *model = self->base.model;
  const IfbamRunSpec *spec = self->base.spec;
  const IfbamScheme *scheme = spec->scheme;

  for (guint cycle = 0; cycle < work->cycles; cycle++)
    {
      double *position = column_at (self, cycle, scheme->said_position);
      double *rate = column_at (self, cycle, scheme->said_rate);

      for (gsize m = 0; m < self->n_moving; m++)
        {
          const double *said = self->said + 2 * ((cycle + 1) * self->n_moving + m);

          position[self->moving[m]] = said[0];
          rate[self->moving[m]] = said[1];
        }
      /* The listener reads the clock. */
      self->base.steps = work->first_step + cycle / scheme->n_stages;
      self->base.listener (self->base.listener_data, cycle % scheme->n_stages, position, rate);
      links_answer (self, work, cycle, 0, model->n_free);
      nodes_hear (self, work, cycle, 0, model->n_free);
    }
  self->base.steps = work->first_step;
}

static void
do_block (CompiledEngine *self, guint steps, const IfbamProbes *probes, guint64 probes_from)
{
  const IfbamModel *model = self->base.model;
  const IfbamRunSpec *spec = self->base.spec;

  self->work.first_step = self->base.steps;
  self->work.cycles = steps * spec->scheme->n_stages;
  self->work.probes = probes;
  if (probes != NULL)
    table_rows (self, probes_from);
  if (self->n_moving > 0)
    table_motions (self, self->base.steps, self->work.cycles);
  form_middles (self, self->column, 0, model->n_nodes);
  if (self->base.listener != NULL)
    listened_cycles (self, &self->work);
  else if (threads_run (self))
    {
      atomic_store (&self->next_piece, 0);
      pthread_barrier_wait (&self->barrier);
      share_block (self);
    }
  else if (self->tile_cycles > 1)
    piece_cycles (self, &self->work, 0, model->n_free, &self->partial[0]);
  else
    plain_cycles (self, &self->work);
  if (spec->scheme->latency && self->work.cycles % 2 == 1)
    {
      double *answer = self->answer[0];

      self->answer[0] = self->answer[1];
      self->answer[1] = answer;
      ifbam_columns_flip (self->column);
    }
  self->base.steps += steps;
}

/* Probes on given nodes. */
static void
tell_given_probes (const CompiledEngine *self, const IfbamProbes *probes, guint64 began)
{
  const IfbamModel *model = self->base.model;
  const IfbamRunSpec *spec = self->base.spec;
  gsize row;

  if (probes->n == 0 || probes->node[probes->n - 1] < model->n_free)
    return;
  for (guint64 now = began + 1; now <= self->base.steps; now++)
    for (gsize i = 0; i < probes->n && ifbam_probes_row (self->base.spec, probes, began, now, &row);
         i++)
      if (probes->node[i] >= model->n_free)
        {
          IfbamMotion motion = ifbam_model_given (
              model, probes->node[i], (double) (now - ifbam_engine_lookahead (spec)) * spec->step);

          probes->position[row * probes->n + i] = motion.position;
          probes->rate[row * probes->n + i] = motion.rate;
        }
}

static guint
most_steps (const CompiledEngine *self)
{
  const guint n_stages = self->base.spec->scheme->n_stages;

  if (self->n_moving > MOST_TABLED)
    return 1;
  return self->tile_cycles > 1 ? MAX (1, self->tile_cycles / n_stages) : BLOCK_STEPS;
}

/* A look begins with links to given nodes that move, and those between given nodes: one by one. */
static void
begin_look (CompiledEngine *self)
{
  const IfbamModel *model = self->base.model;
  IfbamView view = { .model = model, .engine = &self->base };

  for (guint i = 0; i < self->n_pieces; i++)
    ifbam_exact_sum_clear (&self->partial[i]);
  for (guint b = 0; b < model->batches->len; b++)
    {
      const IfbamBatch *batch = &g_array_index (model->batches, IfbamBatch, b);

      for (gsize i = batch->first_driven; i < batch->count; i++)
        ifbam_exact_sum_add (&self->partial[0], ifbam_view_link (&view, batch->first_slot + i,
                                                                 batch->kernels->energy));
    }
}

static double
end_look (CompiledEngine *self)
{
  for (guint i = 1; i < self->n_pieces; i++)
    ifbam_exact_sum_merge (&self->partial[0], &self->partial[i]);
  return ifbam_exact_sum_round (&self->partial[0]);
}

static void
advance (IfbamEngine *base, guint64 steps, const IfbamProbes *probes)
{
  CompiledEngine *self = (CompiledEngine *) base;
  const guint64 began = base->steps, end = began + steps;
  const guint most = most_steps (self);
  /* With a listener there are no tiles that pass by. */
  const gboolean wanted = base->look_next && base->look_in_passing;
  const gboolean look = wanted && base->listener == NULL && steps > 0;

  if (probes != NULL && probes->n == 0)
    probes = NULL;
  if (look)
    begin_look (self);
  else if (wanted)
    base->looked = base->look (base);
  self->work.look = look;
  for (; base->steps < end; self->work.look = FALSE)
    do_block (self, (guint) MIN (most, end - base->steps), probes, began);
  if (look)
    base->looked = end_look (self);
  base->look_next = FALSE;
  if (probes != NULL)
    tell_given_probes (self, probes, began);
}

/* Start */

/* All links and sources answer to given columns, moving given nodes included. */
static void
first_answers (const IfbamModel *model, gboolean mean, double *const *column, double time,
               double *answer)
{
  for (guint b = 0; b < model->batches->len; b++)
    {
      const IfbamBatch *batch = &g_array_index (model->batches, IfbamBatch, b);
      IfbamLinkBatch arguments = { .parameters = (const double *const *) batch->parameters,
                                   .left = batch->left,
                                   .right = batch->right,
                                   .position = column[0],
                                   .rate = column[1],
                                   .earlier_position = mean ? column[2] : column[0],
                                   .earlier_rate = mean ? column[3] : column[1] };

      ifbam_batch_answers (batch, answer, &arguments);
      (mean ? batch->kernels->mean : batch->kernels->force) (&arguments, 0, batch->count);
    }
  for (gsize i = 0; i < model->n_sources; i++)
    answer[model->n_slots + i] = ifbam_model_source (model, i, time);
}

/* Sets the columns of the free nodes, range by range: their places and rates are looked up again, and
 * their accelerations summed from the first round's answers, so that no column is needed for them. */
static void
begin (CompiledEngine *self, gboolean before)
{
  const IfbamModel *model = self->base.model;
  const IfbamRunSpec *spec = self->base.spec;
  double *column[IFBAM_MAX_COLUMNS] = { NULL };
  double position[RANGE], rate[RANGE], acceleration[RANGE];

  for (gsize first = 0; first < model->n_free; first += RANGE)
    {
      const gsize n = MIN (RANGE, model->n_free - first);

      ifbam_start_range (model, spec, first, n, position, rate);
      gather (model, self->answer[0], first, first + n, acceleration);
      for (gsize i = 0; i < n; i++)
        acceleration[i] *= model->inverse_inertia[first + i];
      for (guint c = 0; c < spec->scheme->n_columns; c++)
        column[c] = self->column[c] + first;
      ifbam_spec_begin (spec) (before, n, column, position, rate, acceleration, spec->step);
    }
  for (gsize node = model->n_free; node < model->n_nodes; node++)
    {
      for (guint c = 0; c < spec->scheme->n_columns; c++)
        column[c] = self->column[c] + node;
      ifbam_given_begin (model, spec, node, before, column);
    }
}

static void
start (IfbamEngine *base)
{
  CompiledEngine *self = (CompiledEngine *) base;
  const IfbamModel *model = base->model;
  const IfbamRunSpec *spec = base->spec;

  base->steps = 0;
  ifbam_start_range (model, spec, 0, model->n_nodes, self->column[0], self->column[1]);
  /* One round of messages for the accelerations. */
  first_answers (model, FALSE, self->column, 0.0, self->answer[0]);
  if (spec->scheme->latency)
    {
      double *answer = self->answer[0];

      begin (self, TRUE);
      first_answers (model, spec->scheme->mean, self->column,
                     ifbam_engine_source_time (spec, 0, -1), self->answer[1]);
      begin (self, FALSE);
      self->answer[0] = self->answer[1];
      self->answer[1] = answer;
    }
  else
    begin (self, FALSE);
  free_calls (self);
  make_calls (self);
  self->simple = is_simple (self);
}

static void
observe (IfbamEngine *base, gsize first, gsize last, double *position, double *rate)
{
  CompiledEngine *self = (CompiledEngine *) base;
  const IfbamModel *model = base->model;
  const IfbamRunSpec *spec = base->spec;
  gsize last_free = MIN (last, model->n_free);

  if (first < last_free)
    spec->scheme->observe (first, last_free, self->column, position, rate);
  for (gsize i = MAX (first, model->n_free); i < last; i++)
    {
      IfbamMotion motion = ifbam_model_given (
          model, i, (double) (base->steps - ifbam_engine_lookahead (spec)) * spec->step);

      position[i - first] = motion.position;
      rate[i - first] = motion.rate;
    }
}

static double
look (IfbamEngine *base)
{
  CompiledEngine *self = (CompiledEngine *) base;

  begin_look (self);
  if (threads_run (self))
    {
      self->looking = TRUE;
      atomic_store (&self->next_piece, 0);
      pthread_barrier_wait (&self->barrier);
      share_look (self);
      self->looking = FALSE;
    }
  else
    for (gsize chunk = 0; chunk < self->n_chunks; chunk++)
      add_chunk (self, chunk, &self->partial[0]);
  return end_look (self);
}

/* Making it */

static void
count_chunks (CompiledEngine *self)
{
  const IfbamModel *model = self->base.model;

  for (guint b = 0; b < model->batches->len; b++)
    self->n_chunks += chunks_of (g_array_index (model->batches, IfbamBatch, b).first_driven);
  self->n_chunks += chunks_of (model->n_free);
  self->partial = g_new (IfbamExactSum, self->n_pieces);
}

static void
engine_free (IfbamEngine *base)
{
  CompiledEngine *self = (CompiledEngine *) base;

  if (self->running)
    {
      self->quit = TRUE;
      pthread_barrier_wait (&self->barrier);
      for (guint t = 0; t + 1 < self->n_threads; t++)
        pthread_join (self->threads[t], NULL);
      pthread_barrier_destroy (&self->barrier);
      pthread_mutex_destroy (&self->gate);
    }
  g_free (self->threads);
  free_calls (self);
  free (self->block);
  g_free (self->middle_position);
  g_free (self->middle_rate);
  g_free (self->partial);
  g_free (self->moving);
  g_free (self->moving_number);
  g_free (self->said);
  g_free (self);
}

static void
make_state (CompiledEngine *self)
{
  const IfbamModel *model = self->base.model;
  const IfbamRunSpec *spec = self->base.spec;
  const guint n_columns = spec->scheme->n_columns;
  const guint buffers = spec->scheme->latency ? 2 : 1;
  /* Columns start on cache lines, but not all at the same place of a page. */
  const gsize answers = (n_answers (model) + IFBAM_LINE) / IFBAM_LINE * IFBAM_LINE + 9 * IFBAM_LINE;
  gsize size;
  double *place;

  self->stride = (model->n_nodes + IFBAM_LINE) / IFBAM_LINE * IFBAM_LINE + 9 * IFBAM_LINE;
  size = (n_columns * self->stride + buffers * answers) * sizeof (double);
  if (posix_memalign ((void **) &self->block, 64, size) != 0)
    g_error ("%" G_GSIZE_FORMAT " bytes can't be had", size);
  memset (self->block, 0, size);
  place = self->block;
  for (guint c = 0; c < n_columns; c++, place += self->stride)
    self->column[c] = place;
  for (guint b = 0; b < buffers; b++, place += answers)
    {
      self->answer[b] = place;
      place[n_answers (model)] = -0.0; /* the port of those who have none */
    }
}

static void
find_moving (CompiledEngine *self)
{
  const IfbamModel *model = self->base.model;

  self->moving = g_new (gsize, model->n_nodes - model->n_free + 1);
  self->moving_number = g_new0 (guint32, model->n_nodes - model->n_free + 1);
  for (gsize i = model->n_free; i < model->n_nodes; i++)
    {
      gsize member;

      if (ifbam_model_node_span (model, i, &member)->info->fixed)
        continue;
      self->moving_number[i - model->n_free] = (guint32) self->n_moving;
      self->moving[self->n_moving++] = i;
    }
}

static gsize
second_level_cache (void)
{
  long size = sysconf (_SC_LEVEL2_CACHE_SIZE);

  return size > 0 ? (gsize) size : 1 << 20;
}

/* How many cycles a tile goes through, and how wide it is. IFBAM_TILE=WIDTH,CYCLES forces it. */
static void
choose_tiles (CompiledEngine *self)
{
  const IfbamModel *model = self->base.model;
  const IfbamRunSpec *spec = self->base.spec;
  const char *wanted = g_getenv ("IFBAM_TILE");
  const gsize bandwidth = MAX (model->bandwidth, 1);
  const gsize links_per_node = model->n_free == 0 ? 1 : 1 + model->n_links / model->n_free;
  const gsize bytes = 8 * (spec->scheme->n_columns + 1 + 3 * links_per_node);
  gsize cycles = BLOCK_STEPS;

  self->skew = (bandwidth + IFBAM_LINE - 1) / IFBAM_LINE * IFBAM_LINE;
  self->tile_width = TILE_WIDTH;
  if (bandwidth > 8)
    {
      gsize room = second_level_cache () * 7 / 10 / bytes;

      cycles = room > TILE_WIDTH ? MIN (BLOCK_STEPS, (room - TILE_WIDTH) / bandwidth) : 1;
    }
  for (self->tile_cycles = BLOCK_STEPS; self->tile_cycles > cycles;)
    self->tile_cycles /= 2;
  if (self->tile_cycles < 4 || model->n_free < 4 * TILE_WIDTH)
    self->tile_cycles = 1;
  if (wanted != NULL)
    {
      char *end;
      guint64 width = g_ascii_strtoull (wanted, &end, 10);
      guint64 forced = *end == ',' ? g_ascii_strtoull (end + 1, NULL, 10) : 0;

      if (width > 0 && forced > 0 && forced <= BLOCK_STEPS)
        {
          self->tile_width = (gsize) width;
          self->tile_cycles = (guint) forced;
        }
    }
  if (self->tile_cycles > 1)
    self->tile_cycles = MAX (self->tile_cycles, spec->scheme->n_stages);
}

static void
choose_middles (CompiledEngine *self)
{
  const IfbamModel *model = self->base.model;
  const IfbamRunSpec *spec = self->base.spec;
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
  if (!spec->scheme->mean || self->tile_cycles > 1 || model->n_free < LEAST_FOR_MIDDLES
      || looked_up < model->n_free / 2)
    return;
  self->middle_position = g_new0 (double, model->n_nodes);
  self->middle_rate = rates ? g_new0 (double, model->n_nodes) : NULL;
}

static void
choose_threads (CompiledEngine *self, guint threads)
{
  const IfbamModel *model = self->base.model;
  gsize most_pieces;

  if (threads == 0)
    threads = model->n_free >= LEAST_FOR_THREADS ? MIN (64, g_get_num_processors ()) : 1;
  /* The edges of a piece must not meet; its borders stand between tiles. */
  most_pieces = model->n_free / (2 * self->skew * (self->tile_cycles + 1) + self->tile_width);
  if (self->tile_cycles == 1)
    most_pieces = model->n_free;
  self->n_pieces = (guint) MIN (4 * threads, MAX (most_pieces, 1));
  self->n_threads = MIN (threads, self->n_pieces);
}

IfbamEngine *
ifbam_compiled_engine_new (const IfbamModel *model, const IfbamRunSpec *spec, guint threads)
{
  CompiledEngine *self = g_new0 (CompiledEngine, 1);

  self->base = (IfbamEngine){ .model = model,
                              .spec = spec,
                              .start = start,
                              .advance = advance,
                              .observe = observe,
                              .look = look,
                              .free = engine_free };
  make_state (self);
  find_moving (self);
  choose_tiles (self);
  choose_middles (self);
  choose_threads (self, threads);
  count_chunks (self);
  self->base.look_in_passing = self->tile_cycles > 1;
  self->said = g_new (double, 2 * (BLOCK_STEPS * spec->scheme->n_stages + 1)
                                      * (self->n_moving > MOST_TABLED ? 1 : self->n_moving)
                                  + 2 * IFBAM_MAX_STAGES * self->n_moving + 2 * self->n_moving + 1);
  return &self->base;
}

/* State */

gsize
ifbam_compiled_engine_state_size (const IfbamModel *model, const IfbamRunSpec *spec)
{
  return spec->scheme->n_columns * model->n_free + (spec->scheme->latency ? n_answers (model) : 0);
}

/* Out of the engine, or into it. */
static void
copy_state (CompiledEngine *self, double *state, gboolean in)
{
  const IfbamModel *model = self->base.model;
  const IfbamRunSpec *spec = self->base.spec;
  const guint n_parts = spec->scheme->n_columns + (spec->scheme->latency ? 1 : 0);

  for (guint part = 0; part < n_parts; part++)
    {
      const gboolean columns = part < spec->scheme->n_columns;
      const gsize n = columns ? model->n_free : n_answers (model);
      double *own = columns ? self->column[part] : self->answer[0];

      memcpy (in ? own : state, in ? state : own, n * sizeof *own);
      state += n;
    }
}

void
ifbam_compiled_engine_get_state (const IfbamEngine *engine, double *state)
{
  copy_state ((CompiledEngine *) engine, state, FALSE);
}

void
ifbam_compiled_engine_set_state (IfbamEngine *engine, guint64 steps, const double *state)
{
  copy_state ((CompiledEngine *) engine, (double *) state, TRUE);
  engine->steps = steps;
}
