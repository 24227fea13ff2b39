/* variant-lanes.c: variants of one network side by side, advanced by the same cycles
 *
 * Index i of the model (a node, a slot) has its lanes at i * width to (i + 1) * width - 1.
 * Consecutive links and nodes of the model remain consecutive: one call computes them.
 *
 * A lane is checked as ifbam_run checks a run: every IFBAM_CHECK_INTERVAL steps, by the same
 * energy; if an upper bound is good enough, as in most cases, the energy is not computed. If lanes
 * have diverged, all run again from the start, with checks at each cycle since the last good one.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "run/variant-lanes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/engine.h"
#include "run/run-loop.h"

/* Larger networks use tiles of the compiled engine, and fill the caches alone. */
#define MAX_NODES 1024
/* More lanes have no advantage. */
#define MAX_LANES 512

struct _IfbamLanes
{
  const IfbamModel *model;
  const IfbamRunSpec *spec;
  gsize width;
  gsize n_given;
  double **memory; /* all memory (n_memory) */
  guint n_memory;

  /* parameters of lanes: */
  double *inverse_inertia;              /* (n_free)(width) */
  double *inertia;                      /* (n_free)(width) */
  double *start_position, *start_rate;  /* of free nodes (n_free)(width) */
  double *(*parameters)[IFBAM_MAX_LAW]; /* of batches (batches)[number](count)(width) */
  IfbamLaneLaw *given, *sources;        /* (n_given), (n_sources) */
  IfbamParameterValues *numbers;        /* all parameters */

  /* state: */
  guint64 steps;
  IfbamColumns columns;
  IfbamCalls calls[IFBAM_MAX_STAGES];

  IfbamEngine base;        /* engine for state views, which read samples only */
  double *position, *rate; /* at the sample (n_nodes)(width) */
  guint64 row;             /* steps at which they were observed */
  IfbamSums *sums;         /* (width) */
  guint64 sums_row;        /* steps at which sums were computed */

  double *force;                   /* (width) */
  double *energy, *power, *amount; /* (width) */
  double *gross_work;              /* external work so far, sum of amounts [J] (width) */
  IfbamEnergyScale *scale;         /* (width) */
};

static void
fill (double *values, gsize n, double value)
{
  for (gsize i = 0; i < n; i++)
    values[i] = value;
}

/* Requirements */

gboolean
ifbam_lanes_can_run (const IfbamModel *model, const IfbamRunSpec *spec)
{
  return !model->refused && !ifbam_engine_by_events (model, spec) && model->n_free <= MAX_NODES
         && model->n_slots <= 4 * MAX_NODES;
}

gboolean
ifbam_lanes_has_signal (const IfbamSignal *signal)
{
  switch ((guint) signal->kind)
    {
    case IFBAM_SIGNAL_POSITION:
    case IFBAM_SIGNAL_RATE:
    case IFBAM_SIGNAL_ACCELERATION:
    case IFBAM_SIGNAL_NODE_FORCE:
    case IFBAM_SIGNAL_FORCE:
    case IFBAM_SIGNAL_COMPRESSION:
    case IFBAM_SIGNAL_LINK_RATE:
    case IFBAM_SIGNAL_MODE:
    case IFBAM_SIGNAL_SOURCE_FORCE:
    case IFBAM_SIGNAL_KINETIC:
    case IFBAM_SIGNAL_POTENTIAL:
    case IFBAM_SIGNAL_ENERGY:
    case IFBAM_SIGNAL_MOMENTUM:
      return TRUE;
    default:
      return FALSE;
    }
}

gsize
ifbam_lanes_width (const IfbamModel *model, const IfbamRunSpec *spec)
{
  const long cache = sysconf (_SC_LEVEL1_DCACHE_SIZE);
  const gsize room = (cache > 0 ? (gsize) cache : 32768) / 2;
  /* Doubles that a cycle accesses per lane: columns, answers, 1/m, about one parameter of a law. */
  const gsize touched = model->n_nodes * (spec->scheme->n_columns + 1)
                        + (model->n_slots + model->n_sources) * (spec->scheme->latency ? 3 : 2);
  const gsize width =
      room / (MAX (touched, 1) * sizeof (double)) / IFBAM_LANE_UNIT * IFBAM_LANE_UNIT;

  return CLAMP (width, IFBAM_LANE_UNIT, MAX_LANES);
}

/* Memory */

static double *
allocate_columns (IfbamLanes *self, gsize n)
{
  double *place;

  /* Columns start on cache lines, but at different offsets in a page. */
  n = (n + IFBAM_LINE - 1) / IFBAM_LINE * IFBAM_LINE + IFBAM_LINE;
  if (posix_memalign ((void **) &place, 64, n * sizeof (double)) != 0)
    g_error ("%" G_GSIZE_FORMAT " bytes can't be had", n * sizeof (double));
  memset (place, 0, n * sizeof (double));
  self->memory = g_renew (double *, self->memory, self->n_memory + 1);
  self->memory[self->n_memory++] = place;
  return place;
}

static void
make_law (IfbamLanes *self, IfbamLaneLaw *law, IfbamElement *element,
          const IfbamInterpolant *course)
{
  law->element = element;
  law->course = course;
  law->n_numbers = (guint) (element->info->law_size / sizeof (double));
  for (guint k = 0; k < law->n_numbers; k++)
    law->number[k] = allocate_columns (self, self->width);
}

static void
make_numbers (IfbamLanes *self)
{
  const IfbamModel *model = self->model;
  const gsize width = self->width;

  self->inverse_inertia = allocate_columns (self, model->n_free * width);
  self->inertia = allocate_columns (self, model->n_free * width);
  self->start_position = allocate_columns (self, model->n_free * width);
  self->start_rate = allocate_columns (self, model->n_free * width);
  self->parameters = g_malloc0_n (model->batches->len + 1, sizeof *self->parameters);
  for (guint b = 0; b < model->batches->len; b++)
    {
      const IfbamBatch *batch = &g_array_index (model->batches, IfbamBatch, b);

      for (guint k = 0; k < batch->n_numbers; k++)
        self->parameters[b][k] = allocate_columns (self, batch->count * width);
    }
  self->given = g_new0 (IfbamLaneLaw, self->n_given + 1);
  self->sources = g_new0 (IfbamLaneLaw, model->n_sources + 1);
  for (gsize g = 0; g < self->n_given; g++)
    {
      gsize member;
      const IfbamSpan *span = ifbam_model_node_span (model, model->n_free + g, &member);

      make_law (self, &self->given[g], span->element, span->course);
    }
  for (gsize s = 0; s < model->n_sources; s++)
    {
      const IfbamSource *source = ifbam_model_source_of (model, s);

      make_law (self, &self->sources[s], source->element, source->course);
      self->sources[s].inertia = allocate_columns (self, width);
    }
  self->numbers = ifbam_parameter_values_new (model, self->spec, width);
  self->numbers->inverse_inertia = self->inverse_inertia;
  self->numbers->inertia = self->inertia;
  self->numbers->start_position = self->start_position;
  self->numbers->start_rate = self->start_rate;
  for (guint b = 0; b < model->batches->len; b++)
    self->numbers->parameters[b] = (const double *const *) self->parameters[b];
  self->numbers->given = self->given;
  self->numbers->sources = self->sources;
}

static void
make_state (IfbamLanes *self)
{
  const IfbamModel *model = self->model;
  const gsize width = self->width;

  self->position = allocate_columns (self, model->n_nodes * width);
  self->rate = allocate_columns (self, model->n_nodes * width);
  self->sums = g_new (IfbamSums, width);
  self->force = allocate_columns (self, width);
  self->energy = allocate_columns (self, width);
  self->power = allocate_columns (self, width);
  self->amount = allocate_columns (self, width);
  self->gross_work = allocate_columns (self, width);
  self->scale = g_new0 (IfbamEnergyScale, width);
}

/* Parameters of lanes */

static void
set_law (IfbamLaneLaw *law, gsize first, gsize last, const double *numbers)
{
  for (guint k = 0; k < law->n_numbers; k++)
    fill (law->number[k] + first, last - first, numbers[k]);
}

static void
set_node (IfbamLanes *self, gsize node, gsize first, gsize last, double inertia, IfbamMotion start)
{
  const gsize place = node * self->width + first;

  fill (self->inertia + place, last - first, inertia);
  fill (self->inverse_inertia + place, last - first, 1.0 / inertia);
  fill (self->start_position + place, last - first, start.position);
  fill (self->start_rate + place, last - first, start.rate);
}

void
ifbam_lanes_load (IfbamLanes *self, gsize first, gsize last, const IfbamModel *model,
                  const IfbamRunSpec *spec)
{
  for (gsize i = 0; i < model->n_free; i++)
    set_node (self, i, first, last, ifbam_model_inertia (model, i), ifbam_start (model, spec, i));
  for (guint b = 0; b < model->batches->len; b++)
    {
      const IfbamBatch *batch = &g_array_index (model->batches, IfbamBatch, b);

      for (guint k = 0; k < batch->n_numbers; k++)
        for (gsize i = 0; i < batch->count; i++)
          fill (self->parameters[b][k] + i * self->width + first, last - first,
                batch->parameters[k][i]);
    }
  for (gsize g = 0; g < self->n_given; g++)
    {
      gsize member;

      set_law (&self->given[g], first, last,
               ifbam_model_node_span (model, model->n_free + g, &member)->law);
    }
  for (gsize s = 0; s < model->n_sources; s++)
    set_law (&self->sources[s], first, last, ifbam_model_source_of (model, s)->law);
}

/* Returns TRUE for an element with scheduled events or modes: lanes have no events. */
static gboolean
makes_events (const IfbamElement *element)
{
  const IfbamElementInfo *info = element->info;
  g_autoptr (GArray) time_events = NULL;

  if (info->link != NULL && info->link->has_modes != NULL
      && info->link->has_modes (ifbam_element_law (element)))
    return TRUE;
  if (info->time_events == NULL)
    return FALSE;
  time_events = g_array_new (FALSE, FALSE, sizeof (IfbamTimeEvent));
  info->time_events (element, time_events);
  return time_events->len > 0;
}

/* Returns TRUE if parameters define the start of internal states. */
static gboolean
starts_states (const IfbamElementInfo *info)
{
  const gsize states = info->link->first_state * sizeof (double);
  gboolean starts = FALSE;

  for (guint k = 0; k < info->n_params; k++)
    starts |= info->link->n_states > 0 && ifbam_param_in_law (&info->params[k])
              && info->params[k].offset >= states;
  return starts;
}

gboolean
ifbam_lanes_remain_compatible (const IfbamModel *model, const IfbamRunSpec *spec,
                               const IfbamElement *element)
{
  gsize index;

  /* Dampers of a damping element depend on other elements' parameters. */
  if (model->damping != NULL)
    return FALSE;
  /* The equilibrium would differ. Data of prepared laws are the element's, equal in all lanes. */
  if (spec->start_position != NULL || ifbam_element_prepares_law (element->info)
      || makes_events (element))
    return FALSE;
  switch ((guint) element->info->kind)
    {
    case IFBAM_KIND_FREE_NODE:
      return TRUE;
    case IFBAM_KIND_GIVEN_NODE:
      return ifbam_course_is_unchanged (
          element,
          ifbam_model_node_span (model, ifbam_model_element_index (model, element).index, &index)
              ->law);
    case IFBAM_KIND_SOURCE:
      return ifbam_course_is_unchanged (
          element,
          ifbam_model_source_of (model, ifbam_model_element_index (model, element).index)->law);
    case IFBAM_KIND_LINK:
      return !ifbam_model_element_index (model, element).single && !starts_states (element->info)
             && element->info->link->points (ifbam_element_law (element))
                    == ifbam_model_batch (
                           model,
                           model->link_slot[ifbam_model_element_index (model, element).index],
                           &index)
                           ->points;
    default:
      return FALSE;
    }
}

static void
set_link (IfbamLanes *self, gsize lane, const IfbamElement *element)
{
  gsize index;
  const IfbamBatch *batch = ifbam_model_batch (
      self->model, self->model->link_slot[ifbam_model_element_index (self->model, element).index],
      &index);
  const gsize b = (gsize) (batch - &g_array_index (self->model->batches, IfbamBatch, 0));

  for (guint k = 0; k < batch->n_numbers; k++)
    self->parameters[b][k][index * self->width + lane] = ifbam_element_law (element)[k];
}

void
ifbam_lanes_set (IfbamLanes *self, gsize lane, const IfbamElement *element)
{
  const IfbamElementInfo *info = element->info;
  const void *law = ifbam_element_law (element);

  switch ((guint) info->kind)
    {
    case IFBAM_KIND_FREE_NODE:
      set_node (self,
                ifbam_model_named_node (self->model,
                                        ifbam_model_element_index (self->model, element).index),
                lane, lane + 1, info->inertia (law), info->initial (law));
      break;
    case IFBAM_KIND_GIVEN_NODE:
      set_law (&self->given[ifbam_model_element_index (self->model, element).index
                            - self->model->n_free],
               lane, lane + 1, law);
      break;
    case IFBAM_KIND_SOURCE: /* once per node that it acts on */
      for (gsize s = ifbam_model_element_index (self->model, element).index;
           s < self->model->n_sources && self->sources[s].element == element; s++)
        set_law (&self->sources[s], lane, lane + 1, law);
      break;
    default: /* a link: the only other kind */
      set_link (self, lane, element);
    }
}

static gboolean
same_numbers (const guint32 *one, const guint32 *other, gsize n)
{
  return (one == NULL) == (other == NULL)
         && (one == NULL || memcmp (one, other, n * sizeof *one) == 0);
}

static gboolean
same_states (const IfbamBatch *one, const IfbamBatch *other)
{
  for (guint k = 0; k < one->law->n_states; k++)
    if (!same_numbers (one->state[k], other->state[k], one->count))
      return FALSE;
  return TRUE;
}

static gboolean
same_batch (const IfbamBatch *one, const IfbamBatch *other)
{
  return one->info == other->info && one->points == other->points
         && one->first_slot == other->first_slot && one->count == other->count
         && one->far_slot == other->far_slot && one->first_driven == other->first_driven
         && one->first_idle == other->first_idle
         && same_numbers (one->left, other->left, one->count)
         && same_numbers (one->right, other->right, one->count) && same_states (one, other);
}

gboolean
ifbam_lanes_have_equal_structure (const IfbamModel *model, const IfbamModel *other)
{
  if (model->refused || other->refused || ifbam_model_has_events (other)
      || model->n_nodes != other->n_nodes || model->n_free != other->n_free
      || model->n_links != other->n_links || model->n_sources != other->n_sources
      || model->n_slots != other->n_slots || (model->rest == NULL) != (other->rest == NULL)
      || model->batches->len != other->batches->len)
    return FALSE;
  for (guint b = 0; b < model->batches->len; b++)
    if (!same_batch (&g_array_index (model->batches, IfbamBatch, b),
                     &g_array_index (other->batches, IfbamBatch, b)))
      return FALSE;
  for (gsize i = model->n_free; i < model->n_nodes; i++)
    {
      gsize member;

      if (ifbam_model_node_span (model, i, &member)->element
              != ifbam_model_node_span (other, i, &member)->element
          && ifbam_model_node_span (model, i, &member)->element != model->rest)
        return FALSE;
    }
  for (gsize s = 0; s < model->n_sources; s++)
    if (ifbam_model_source_of (model, s)->element != ifbam_model_source_of (other, s)->element)
      return FALSE;
  return same_numbers (model->source_node, other->source_node, model->n_sources)
         && same_numbers (model->link_slot, other->link_slot, model->n_links)
         && same_numbers (model->port_start, other->port_start, model->n_nodes + 1)
         && same_numbers (model->port, other->port, 2 * model->n_links + model->n_sources)
         && same_numbers (model->number, other->number, model->n_free);
}

/* The present sample. With latency it is that of the cycle before. */

static double
row_time (const IfbamLanes *self)
{
  return (double) (self->steps - ifbam_engine_lookahead (self->spec)) * self->spec->step;
}

/* Stores positions and rates of nodes first <= i < last (width). */
static void
get_nodes (IfbamEngine *base, gsize first, gsize last, double *position, double *rate)
{
  const IfbamLanes *self = (IfbamLanes *) ((char *) base - G_STRUCT_OFFSET (IfbamLanes, base));
  const gsize width = self->width, last_free = MIN (last, self->model->n_free);

  if (first < last_free)
    self->spec->scheme->observe (first * width, last_free * width, (double **) self->columns.column,
                                 position, rate);
  for (gsize i = MAX (first, self->model->n_free); i < last; i++)
    {
      const double *motion = ifbam_parameter_values_motion (self->numbers, i, row_time (self));

      memcpy (position + (i - first) * width, motion, width * sizeof *position);
      memcpy (rate + (i - first) * width, motion + width, width * sizeof *rate);
    }
}

/* For state views, which read nodes only. */
static const IfbamEngineClass lanes_class = { .get_nodes = get_nodes };

/* Constructor */

IfbamLanes *
ifbam_lanes_new (const IfbamModel *model, const IfbamRunSpec *spec, gsize width)
{
  IfbamLanes *self = g_new0 (IfbamLanes, 1);

  self->model = model;
  self->spec = spec;
  self->width = width;
  self->n_given = model->n_nodes - model->n_free;
  make_numbers (self);
  self->base = (IfbamEngine){
    .class = &lanes_class, .model = model, .spec = spec, .numbers = self->numbers
  };
  make_state (self);
  ifbam_columns_make (&self->columns, self->numbers);
  for (guint i = 0; i < ifbam_calls_length (spec->scheme); i++)
    ifbam_calls_make (&self->calls[i], &self->columns, i, &(IfbamMiddles){ 0 }, self->force);
  ifbam_lanes_load (self, 0, width, model, spec);
  return self;
}

void
ifbam_lanes_free (IfbamLanes *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < IFBAM_MAX_STAGES; i++)
    ifbam_calls_clear (&self->calls[i]);
  ifbam_columns_clear (&self->columns);
  ifbam_parameter_values_free (self->numbers);
  for (guint i = 0; i < self->n_memory; i++)
    free (self->memory[i]);
  g_free (self->memory);
  g_free (self->sums);
  g_free (self->scale);
  g_free (self->parameters);
  g_free (self->given);
  g_free (self->sources);
  g_free (self);
}

/* Time-dependent laws */

static gboolean
is_equal_in_lanes (const IfbamLaneLaw *law, gsize width)
{
  for (gsize i = 1; i < width && law->inertia != NULL; i++)
    if (law->inertia[i] != law->inertia[0])
      return FALSE;
  for (guint k = 0; k < law->n_numbers; k++)
    for (gsize i = 1; i < width; i++)
      if (memcmp (&law->number[k][i], &law->number[k][0], sizeof (double)) != 0)
        return FALSE;
  return TRUE;
}

/* Only fields depend on their node's inertia (see ifbam_model_source). */
static void
set_inertia (IfbamLanes *self, gsize source)
{
  const double *inertia = self->inertia + self->model->source_node[source] * self->width;

  for (gsize l = 0; l < self->width; l++)
    self->sources[source].inertia[l] =
        ifbam_model_is_field (self->model, source) ? inertia[l] : 0.0;
}

/* Cycles */

static void
do_cycle (IfbamLanes *self, guint stage)
{
  const IfbamModel *model = self->model;
  const IfbamScheme *scheme = self->spec->scheme;
  const IfbamCalls *calls =
      &self->calls[scheme->latency ? (self->columns.exchanged ? 1 : 0) : stage];
  const gsize *moving = self->numbers->moving;

  ifbam_call_links (calls);
  if (model->n_varying > 0)
    ifbam_sources_compute (self->numbers,
                           ifbam_engine_source_time (self->spec, stage, (gint64) self->steps), 0,
                           model->n_nodes, calls->outputs);
  ifbam_call_nodes (calls, model, self->width, self->force);
  for (gsize m = 0; m < self->numbers->n_moving; m++)
    {
      double *column[IFBAM_MAX_COLUMNS] = { NULL };

      for (guint c = 0; c < scheme->n_columns; c++)
        column[c] = self->columns.column[c] + moving[m] * self->width;
      ifbam_given_update (self->numbers, moving[m], stage, self->steps, column);
    }
  if (scheme->latency)
    ifbam_columns_exchange (&self->columns);
}

static void
do_step (IfbamLanes *self)
{
  for (guint stage = 0; stage < self->spec->scheme->n_stages; stage++)
    do_cycle (self, stage);
  self->steps++;
}

static void
start (IfbamLanes *self)
{
  self->steps = 0;
  self->row = self->sums_row = G_MAXUINT64;
  fill (self->gross_work, self->width, 0);
  for (gsize g = 0; g < self->n_given; g++)
    self->given[g].alike = is_equal_in_lanes (&self->given[g], self->width);
  for (gsize s = 0; s < self->model->n_sources; s++)
    {
      set_inertia (self, s);
      self->sources[s].alike = is_equal_in_lanes (&self->sources[s], self->width);
    }
  ifbam_parameter_values_discard_motions (self->numbers);
  ifbam_columns_start (&self->columns);
}

/* observed: with the columns of all nodes. */
static IfbamView
view_row (IfbamLanes *self, gboolean observed)
{
  IfbamView view = { .numbers = self->numbers, .engine = &self->base, .time = row_time (self) };

  if (!observed)
    return view;
  if (self->row != self->steps)
    get_nodes (&self->base, 0, self->model->n_nodes, self->position, self->rate);
  self->row = self->steps;
  view.position = self->position;
  view.rate = self->rate;
  return view;
}

const double *
ifbam_lanes_signal (IfbamLanes *self, const IfbamSignal *signal, double *scratch)
{
  IfbamView view;

  /* A position is in a column already. */
  if (signal->kind == IFBAM_SIGNAL_POSITION && signal->number < self->model->n_free)
    return self->columns.column[self->spec->scheme->row_position] + signal->number * self->width;
  view = view_row (self, FALSE);
  if (signal->kind >= IFBAM_SIGNAL_KINETIC && self->sums_row != self->steps)
    {
      view = view_row (self, TRUE);
      ifbam_view_sums (&view, self->sums);
      self->sums_row = self->steps;
    }
  ifbam_signal_value (signal, &view, self->sums, scratch);
  return scratch;
}

/* Divergence */

/* Adds the amounts of external work of sources and moving given nodes up to the sample. */
static void
add_gross_work (IfbamLanes *self)
{
  const IfbamView view = view_row (self, FALSE);

  ifbam_view_supply (&view, self->power, self->amount);
  for (gsize l = 0; l < self->width; l++)
    self->gross_work[l] += self->spec->step * self->amount[l];
}

/* Computes the energy of a run's check at the sample; or its bound. */
static void
check_energy (IfbamLanes *self, double *energy, gboolean bound)
{
  const IfbamView view = view_row (self, TRUE);

  (bound ? ifbam_view_bound : ifbam_view_energy) (&view, energy);
}

/* Stores the energies of the lanes' fields [J], and adds them to lanes first <= l < last. */
static void
add_fields (IfbamLanes *self, guint64 step, double *energy, gsize first, gsize last)
{
  const IfbamView view = view_row (self, FALSE);

  if (self->model->n_fields == 0)
    return;
  ifbam_view_field_energy (&view, energy);
  for (gsize l = first; l < last; l++)
    ifbam_energy_scale_add_field (&self->scale[l], step == 0, energy[l]);
}

static gboolean
is_plausible (const IfbamLanes *self, gsize lane, double energy, const IfbamLanesRun *run)
{
  return ifbam_energy_is_plausible (&self->scale[lane], energy, self->gross_work[lane],
                                    run->allow_divergence);
}

static guint64
check_before (guint64 step)
{
  return step == 0 ? 0 : (step - 1) / IFBAM_CHECK_INTERVAL * IFBAM_CHECK_INTERVAL;
}

/* Running */

typedef struct
{
  const IfbamLanesRun *run;
  gsize n;
  gboolean feeds;    /* external work has to be summed */
  guint64 *diverged; /* (n) */
} Runner;

static void
begin_run (IfbamLanes *self)
{
  start (self);
  for (guint64 i = ifbam_engine_lookahead (self->spec); i > 0; i--)
    do_step (self);
}

static void
next_step (IfbamLanes *self, const Runner *runner)
{
  do_step (self);
  if (runner->feeds)
    add_gross_work (self);
}

/* Checks all lanes; returns TRUE if any has not diverged. */
static gboolean
check (IfbamLanes *self, const Runner *runner, guint64 step)
{
  double *const energy = self->energy;
  gboolean known = step == 0;
  gsize left = 0;

  add_fields (self, step, self->power, 0, runner->n);
  check_energy (self, step == 0 ? energy : self->amount, step > 0);
  for (gsize l = 0; l < runner->n; l++)
    {
      if (step == 0)
        self->scale[l].first = energy[l];
      if (runner->diverged[l] != IFBAM_LANES_FINE)
        continue;
      /* Twice the bound allows for rounding. */
      if (step > 0 && is_plausible (self, l, 2 * self->amount[l], runner->run))
        {
          left++;
          continue;
        }
      if (!known)
        check_energy (self, energy, FALSE);
      known = TRUE;
      if (is_plausible (self, l, energy[l], runner->run))
        left++;
      else
        runner->diverged[l] = step;
    }
  return left > 0;
}

static gboolean
progress (const Runner *runner, guint64 steps)
{
  const IfbamLanesRun *run = runner->run;

  return run->progress == NULL || run->progress (run->data, steps);
}

/* Finds the first failed step of each diverged lane, since its last good check. */
static gboolean
find_time_events (IfbamLanes *self, const Runner *runner)
{
  guint64 *diverged = runner->diverged;
  double *const energy = self->energy, *const field = self->power;
  g_autofree guint64 *noticed = g_memdup2 (diverged, runner->n * sizeof *diverged);
  g_autofree gboolean *found = g_new0 (gboolean, runner->n);
  guint64 last = 0;

  for (gsize l = 0; l < runner->n; l++)
    if (noticed[l] != IFBAM_LANES_FINE)
      last = MAX (last, noticed[l]);
  if (last == 0)
    return TRUE;
  begin_run (self);
  add_fields (self, 0, field, 0, runner->n);
  for (guint64 step = 1; step <= last; step++)
    {
      const gboolean checked = step % IFBAM_CHECK_INTERVAL == 0;
      gboolean looked = FALSE;

      next_step (self, runner);
      if (checked && !progress (runner, 0))
        return FALSE;
      if (checked)
        add_fields (self, step, field, 0, runner->n);
      for (gsize l = 0; l < runner->n; l++)
        {
          const gboolean suspect = noticed[l] != IFBAM_LANES_FINE && !found[l]
                                   && step > check_before (noticed[l]) && step <= noticed[l];

          if (suspect && !checked)
            add_fields (self, step, field, l, l + 1);
          if (!looked && suspect)
            check_energy (self, energy, FALSE);
          looked |= suspect;
          if (!suspect)
            continue;
          found[l] = !is_plausible (self, l, energy[l], runner->run);
          if (found[l])
            diverged[l] = step;
        }
    }
  return TRUE;
}

gboolean
ifbam_lanes_run (IfbamLanes *self, gsize n, const IfbamLanesRun *run, guint64 *diverged)
{
  const Runner runner = { .run = run,
                          .n = n,
                          .feeds = !run->allow_divergence
                                   && (self->model->n_sources > self->model->n_fields
                                       || self->numbers->n_moving > 0),
                          .diverged = diverged };
  guint64 told = 0, row = run->every_row ? 0 : run->last_step;

  for (gsize l = 0; l < n; l++)
    diverged[l] = IFBAM_LANES_FINE;
  begin_run (self);
  for (guint64 step = 0;; step++)
    {
      if (step == row)
        {
          run->row (run->data, self);
          row += run->stride;
        }
      if (step % IFBAM_CHECK_INTERVAL == 0 || step == run->last_step)
        {
          const gboolean left = check (self, &runner, step);

          if (!progress (&runner, step - told))
            return FALSE;
          told = step;
          if (!left || step == run->last_step)
            break;
        }
      next_step (self, &runner);
    }
  return find_time_events (self, &runner);
}
