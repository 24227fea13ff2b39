/* lanes.c: variants of one network side by side: a cycle carries all of them on
 *
 * Number i of the model (a node, a slot) has its lanes at i * width to (i + 1) * width - 1. Links and
 * nodes that are consecutive in the model stay so: their calls are one.
 *
 * A lane is judged as ifbam_run judges a run: every IFBAM_CHECK_INTERVAL steps, by the same energy; but
 * where a bound of it is good enough, which is most often so, the energy itself is not asked for. When
 * lanes have diverged, all are run again from the start and the cycles since the last good check are
 * looked at one by one.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "run/lanes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run/run.h"

/* Larger networks are carried in tiles by the model's own engine, and fill the caches by themselves. */
#define MOST_NODES 1024
/* Lanes beyond these gain nothing more. */
#define MOST_LANES 512

typedef struct
{
  IfbamRunKernel run;
  IfbamLinkBatch batch;
  gsize first, left, right, n;
} LinkCall;

typedef struct
{
  IfbamNodeKernel kernel;
  IfbamNodeBatch batch;
  gsize n;
  gsize node; /* whose ports are summed first; NO_NODE: the kernel sums them */
} NodeCall;

#define NO_NODE G_MAXSIZE

typedef struct
{
  GArray *links; /* LinkCall */
  GArray *nodes; /* NodeCall */
  double *heard, *answered;
} Cycle;

/* What answers or moves by the clock: its law in each lane. */
typedef struct
{
  IfbamElement *element;
  double *number[IFBAM_MAX_LAW]; /* (width) each */
  guint n_numbers;
  double *inertia; /* of a source's node (width); NULL: of a given node */
  gboolean alike;  /* in all lanes */
} LaneLaw;

struct _IfbamLanes
{
  const IfbamModel *model;
  const IfbamRunSpec *spec;
  gsize width;
  gsize n_given;
  double **memory; /* all of it (n_memory) */
  guint n_memory;

  /* what a lane's numbers are */
  double *inverse_inertia;              /* (n_free)(width) */
  double *start_position, *start_rate;  /* of free nodes (n_free)(width) */
  double *(*parameters)[IFBAM_MAX_LAW]; /* of batches (batches)[number](count)(width) */
  LaneLaw *given, *sources;             /* (n_given), (n_sources) */
  gsize *moving;                        /* given nodes that move, less n_free (n_moving) */
  gsize n_moving;
  gboolean *owned; /* slots that are a link's (n_slots) */

  /* state */
  guint64 steps;
  double *column[IFBAM_MAX_COLUMNS]; /* (n_nodes)(width) */
  double *answer[2];                 /* (n_slots + n_sources)(width) */
  Cycle cycle[IFBAM_MAX_STAGES];     /* with latency by parity, else by stage */
  double *first_column;              /* column[0] when they were made */

  /* of the row */
  double *given_position, *given_rate, *given_acceleration; /* (n_given)(width) */
  guint64 given_row;                                        /* steps at which they were asked for */
  double *unwanted[2];                                      /* (width) */
  double *position, *rate;                                  /* (n_nodes)(width) */
  double *kinetic, *potential, *momentum;                   /* (width) */
  guint64 sums_row;
  double *energy;                  /* of links (n_slots)(width) */
  double *force;                   /* (width) */
  double *ends[4];                 /* positions of left and right; rates (2)(width) */
  double *part;                    /* (width) */
  double *bound;                   /* of the energy's amount (width) */
  IfbamExactSum *sum;              /* (width) */
  double *first_energy, *turnover; /* (width) */
  double *first_field, *fallen;    /* (width) */
  double *power;                   /* (width) */
};

/* Kernels over lanes */

#define LANE_VARIANT(name, level, target, parameters, arguments)                                   \
  target static void name##_##level parameters { name##_body arguments; }

/* Makes a table NAME [IFBAM_N_ISA] of NAME_body. */
#define LANE_KERNEL(name, parameters, arguments)                                                   \
  LANE_VARIANT (name, baseline, , parameters, arguments)                                           \
  LANE_VARIANT (name, avx2, IFBAM_TARGET_AVX2, parameters, arguments)                              \
  LANE_VARIANT (name, avx512, IFBAM_TARGET_AVX512, parameters, arguments)                          \
  static void (*const name[IFBAM_N_ISA])                                                           \
      parameters = { name##_baseline, name##_avx2, name##_avx512 };

IFBAM_INLINE void
add_body (double *restrict sum, const double *restrict term, double sign, gsize n)
{
  IFBAM_VECTOR_LOOP
  for (gsize i = 0; i < n; i++)
    sum[i] += sign * term[i];
}

LANE_KERNEL (add, (double *sum, const double *term, double sign, gsize n), (sum, term, sign, n))

IFBAM_INLINE void
add_amount_body (double *restrict sum, const double *restrict term, gsize n)
{
  IFBAM_VECTOR_LOOP
  for (gsize i = 0; i < n; i++)
    sum[i] += fabs (term[i]);
}

LANE_KERNEL (add_amount, (double *sum, const double *term, gsize n), (sum, term, n))

/* What moves has that energy; where it is not a number, neither is the sum. */
IFBAM_INLINE void
add_motion_body (double *restrict sum, const double *restrict position, const double *restrict rate,
                 const double *restrict inverse_inertia, gsize n)
{
  IFBAM_VECTOR_LOOP
  for (gsize i = 0; i < n; i++)
    sum[i] += 0.5 * (rate[i] / inverse_inertia[i]) * rate[i] + 0.0 * position[i];
}

LANE_KERNEL (add_motion,
             (double *sum, const double *position, const double *rate,
              const double *inverse_inertia, gsize n),
             (sum, position, rate, inverse_inertia, n))

/* The amount of power that sources feed in: sign says whose force it is. */
IFBAM_INLINE void
add_power_body (double *restrict sum, const double *restrict force, const double *restrict rate,
                gsize n)
{
  IFBAM_VECTOR_LOOP
  for (gsize i = 0; i < n; i++)
    sum[i] += fabs (force[i] * rate[i]);
}

LANE_KERNEL (add_power, (double *sum, const double *force, const double *rate, gsize n),
             (sum, force, rate, n))

static void
fill (double *values, gsize n, double value)
{
  for (gsize i = 0; i < n; i++)
    values[i] = value;
}

/* What a network must be */

gboolean
ifbam_lanes_suit (const IfbamModel *model, const IfbamRunSpec *spec)
{
  if (model->refused || ifbam_model_has_events (model) || model->n_free > MOST_NODES
      || model->n_slots > 4 * MOST_NODES)
    return FALSE;
  for (guint b = 0; b < model->batches->len; b++)
    {
      const IfbamLinkKernels *kernels = g_array_index (model->batches, IfbamBatch, b).kernels;

      if (kernels->run_force[spec->isa] == NULL || kernels->run_mean[spec->isa] == NULL
          || kernels->run_energy[spec->isa] == NULL)
        return FALSE;
    }
  for (gsize i = model->n_free; i < model->n_nodes; i++)
    {
      gsize member;
      const IfbamElementInfo *info = ifbam_model_node_span (model, i, &member)->info;

      if (info->law_size > 0 && info->motions[spec->isa] == NULL)
        return FALSE;
    }
  for (gsize s = 0; s < model->n_sources; s++)
    if (((const IfbamElement *) model->sources->pdata[s])->info->values[spec->isa] == NULL)
      return FALSE;
  return TRUE;
}

gboolean
ifbam_lanes_tell (const IfbamSignal *signal)
{
  switch ((guint) signal->kind)
    {
    case IFBAM_SIGNAL_POSITION:
    case IFBAM_SIGNAL_RATE:
    case IFBAM_SIGNAL_ACCELERATION:
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
  /* What a cycle touches of each lane: columns, answers, 1/m, about one number of a law. */
  const gsize touched = model->n_nodes * (spec->scheme->n_columns + 1)
                        + (model->n_slots + model->n_sources) * (spec->scheme->latency ? 3 : 2);
  gsize width = room / (MAX (touched, 1) * sizeof (double)) / IFBAM_LANE_UNIT * IFBAM_LANE_UNIT;
  const char *wanted = g_getenv ("IFBAM_LANES");

  if (wanted != NULL && g_ascii_strtoull (wanted, NULL, 10) > 0)
    width = (gsize) g_ascii_strtoull (wanted, NULL, 10) / IFBAM_LANE_UNIT * IFBAM_LANE_UNIT;
  return CLAMP (width, IFBAM_LANE_UNIT, MOST_LANES);
}

/* Memory */

static double *
take (IfbamLanes *self, gsize n)
{
  double *place;

  /* Columns start on cache lines, but not all at the same place of a page. */
  n = (n + IFBAM_LINE - 1) / IFBAM_LINE * IFBAM_LINE + IFBAM_LINE;
  if (posix_memalign ((void **) &place, 64, n * sizeof (double)) != 0)
    g_error ("%" G_GSIZE_FORMAT " bytes can't be had", n * sizeof (double));
  memset (place, 0, n * sizeof (double));
  self->memory = g_renew (double *, self->memory, self->n_memory + 1);
  self->memory[self->n_memory++] = place;
  return place;
}

static void
make_law (IfbamLanes *self, LaneLaw *law, IfbamElement *element)
{
  law->element = element;
  law->n_numbers = (guint) (element->info->law_size / sizeof (double));
  for (guint k = 0; k < law->n_numbers; k++)
    law->number[k] = take (self, self->width);
}

static void
make_numbers (IfbamLanes *self)
{
  const IfbamModel *model = self->model;
  const gsize width = self->width;

  self->inverse_inertia = take (self, model->n_free * width);
  self->start_position = take (self, model->n_free * width);
  self->start_rate = take (self, model->n_free * width);
  self->parameters = g_malloc0_n (model->batches->len + 1, sizeof *self->parameters);
  for (guint b = 0; b < model->batches->len; b++)
    {
      const IfbamBatch *batch = &g_array_index (model->batches, IfbamBatch, b);

      for (guint k = 0; k < batch->n_numbers; k++)
        self->parameters[b][k] = take (self, batch->count * width);
    }
  self->given = g_new0 (LaneLaw, self->n_given + 1);
  self->sources = g_new0 (LaneLaw, model->n_sources + 1);
  self->moving = g_new (gsize, self->n_given + 1);
  for (gsize g = 0; g < self->n_given; g++)
    {
      gsize member;
      const IfbamSpan *span = ifbam_model_node_span (model, model->n_free + g, &member);

      make_law (self, &self->given[g], span->element);
      if (!span->info->fixed)
        self->moving[self->n_moving++] = g;
    }
  for (gsize s = 0; s < model->n_sources; s++)
    {
      make_law (self, &self->sources[s], model->sources->pdata[s]);
      self->sources[s].inertia = take (self, width);
    }
  self->owned = g_new0 (gboolean, model->n_slots + 1);
  for (gsize i = 0; i < model->n_links; i++)
    self->owned[model->link_slot[i]] = TRUE;
}

static void
make_state (IfbamLanes *self)
{
  const IfbamModel *model = self->model;
  const IfbamRunSpec *spec = self->spec;
  const gsize width = self->width;

  for (guint c = 0; c < spec->scheme->n_columns; c++)
    self->column[c] = take (self, model->n_nodes * width);
  for (guint b = 0; b < (spec->scheme->latency ? 2 : 1); b++)
    self->answer[b] = take (self, (model->n_slots + model->n_sources) * width);
  self->first_column = self->column[0];
  self->given_position = take (self, self->n_given * width);
  self->given_rate = take (self, self->n_given * width);
  self->given_acceleration = take (self, self->n_given * width);
  self->unwanted[0] = take (self, width);
  self->unwanted[1] = take (self, width);
  self->position = take (self, model->n_nodes * width);
  self->rate = take (self, model->n_nodes * width);
  self->energy = take (self, model->n_slots * width);
  self->force = take (self, width);
  for (guint e = 0; e < G_N_ELEMENTS (self->ends); e++)
    self->ends[e] = take (self, 2 * width);
  self->kinetic = take (self, width);
  self->potential = take (self, width);
  self->momentum = take (self, width);
  self->part = take (self, width);
  self->bound = take (self, width);
  self->sum = g_new (IfbamExactSum, width);
  self->first_energy = take (self, width);
  self->turnover = take (self, width);
  self->first_field = take (self, width);
  self->fallen = take (self, width);
  self->power = take (self, width);
}

/* Calls */

static double *
column_at (const IfbamLanes *self, guint parity, guint c)
{
  return self->column[self->spec->scheme->latency && parity == 1 && c < 4 ? (c + 2) % 4 : c];
}

static IfbamLinkBatch
link_arguments (const IfbamLanes *self, guint parity, guint b, double *answer)
{
  const IfbamScheme *scheme = self->spec->scheme;
  const IfbamBatch *batch = &g_array_index (self->model->batches, IfbamBatch, b);

  return (IfbamLinkBatch){
    .parameters = (const double *const *) self->parameters[b],
    .position = column_at (self, parity, scheme->said_position),
    .rate = column_at (self, parity, scheme->said_rate),
    .earlier_position = column_at (self, parity, scheme->mean ? 2 : scheme->said_position),
    .earlier_rate = column_at (self, parity, scheme->mean ? 3 : scheme->said_rate),
    .answer = answer + batch->first_slot * self->width,
    .far = answer + batch->far_slot * self->width,
  };
}

/* Links of a batch that all stand one after the other, with their ends: from slot i on, how many. */
static gsize
consecutive_links (const IfbamLanes *self, const IfbamBatch *batch, gsize i, gsize last)
{
  gsize n = 1;

  while (i + n < last && self->owned[batch->first_slot + i + n]
         && batch->left[i + n] == batch->left[i] + n && batch->right[i + n] == batch->right[i] + n)
    n++;
  return n;
}

static void
make_link_calls (IfbamLanes *self, guint parity, Cycle *cycle)
{
  const IfbamModel *model = self->model;
  const IfbamRunSpec *spec = self->spec;

  for (guint b = 0; b < model->batches->len; b++)
    {
      const IfbamBatch *batch = &g_array_index (model->batches, IfbamBatch, b);
      LinkCall call = { .run = (spec->scheme->mean ? batch->kernels->run_mean
                                                   : batch->kernels->run_force)[spec->isa],
                        .batch = link_arguments (self, parity, b, cycle->answered) };

      for (gsize i = 0, n; i < batch->first_idle; i += n)
        {
          n = 1;
          if (!self->owned[batch->first_slot + i])
            continue;
          n = consecutive_links (self, batch, i, batch->first_idle);
          call.first = i * self->width;
          call.left = batch->left[i] * self->width;
          call.right = batch->right[i] * self->width;
          call.n = n * self->width;
          g_array_append_val (cycle->links, call);
        }
    }
}

static guint
degree_of (const IfbamModel *model, gsize node)
{
  return model->port_start[node + 1] - model->port_start[node];
}

/* Nodes that hear the same as the first one, each one slot further. */
static gsize
consecutive_nodes (const IfbamModel *model, gsize first)
{
  const guint degree = degree_of (model, first);
  gsize n = 1;

  for (; first + n < model->n_free && degree_of (model, first + n) == degree; n++)
    for (guint p = 0; p < degree; p++)
      if (model->port[model->port_start[first + n] + p]
          != model->port[model->port_start[first] + p] + 2 * n)
        return n;
  return n;
}

static void
make_node_calls (IfbamLanes *self, guint parity, guint stage, Cycle *cycle)
{
  const IfbamModel *model = self->model;
  const IfbamRunSpec *spec = self->spec;
  const gsize width = self->width;

  for (gsize first = 0, n; first < model->n_free; first += n)
    {
      const guint32 *port = model->port + model->port_start[first];
      guint degree = degree_of (model, first);
      NodeCall call = { .batch = { .inverse_inertia = self->inverse_inertia + first * width,
                                   .step = spec->step },
                        .node = NO_NODE };

      if (degree == 0 || degree > IFBAM_MAX_RUN_PORTS)
        {
          n = 1;
          degree = 0;
          call.node = first;
          call.batch.port[0] = self->force;
        }
      else
        n = consecutive_nodes (model, first);
      for (guint p = 0; p < degree; p++)
        {
          call.batch.port[p] = cycle->heard + (port[p] >> 1) * width;
          call.batch.sign[p] = port[p] & 1 ? -1.0 : 1.0;
        }
      for (guint c = 0; c < spec->scheme->n_columns; c++)
        call.batch.column[c] = column_at (self, parity, c) + first * width;
      call.kernel = spec->scheme->update[stage][spec->isa][degree];
      call.n = n * width;
      g_array_append_val (cycle->nodes, call);
    }
}

static void
make_calls (IfbamLanes *self)
{
  const IfbamScheme *scheme = self->spec->scheme;

  for (guint i = 0; i < (scheme->latency ? 2 : scheme->n_stages); i++)
    {
      const guint parity = scheme->latency ? i : 0;
      Cycle *cycle = &self->cycle[i];

      cycle->links = g_array_new (FALSE, FALSE, sizeof (LinkCall));
      cycle->nodes = g_array_new (FALSE, FALSE, sizeof (NodeCall));
      cycle->heard = self->answer[scheme->latency ? parity : 0];
      cycle->answered = self->answer[scheme->latency ? 1 - parity : 0];
      make_link_calls (self, parity, cycle);
      make_node_calls (self, parity, scheme->latency ? 0 : i, cycle);
    }
}

/* Numbers of lanes */

static void
set_law (LaneLaw *law, gsize first, gsize last, const IfbamElement *element)
{
  for (guint k = 0; k < law->n_numbers; k++)
    fill (law->number[k] + first, last - first, ifbam_element_law (element)[k]);
}

static void
set_node (IfbamLanes *self, gsize node, gsize first, gsize last, double inverse_inertia,
          IfbamMotion start)
{
  const gsize place = node * self->width + first;

  fill (self->inverse_inertia + place, last - first, inverse_inertia);
  fill (self->start_position + place, last - first, start.position);
  fill (self->start_rate + place, last - first, start.rate);
}

void
ifbam_lanes_load (IfbamLanes *self, gsize first, gsize last, const IfbamModel *model,
                  const IfbamRunSpec *spec)
{
  for (gsize i = 0; i < model->n_free; i++)
    set_node (self, i, first, last, model->inverse_inertia[i], ifbam_start (model, spec, i));
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
               ifbam_model_node_span (model, model->n_free + g, &member)->element);
    }
  for (gsize s = 0; s < model->n_sources; s++)
    set_law (&self->sources[s], first, last, model->sources->pdata[s]);
}

/* Whether something happens at instants, or where a law changes: lanes know no events. */
static gboolean
makes_events (const IfbamElement *element)
{
  const IfbamElementInfo *info = element->info;
  g_autoptr (GArray) instants = NULL;

  if (info->link != NULL && info->link->has_modes != NULL
      && info->link->has_modes (ifbam_element_law (element)))
    return TRUE;
  if (info->instants == NULL)
    return FALSE;
  instants = g_array_new (FALSE, FALSE, sizeof (IfbamInstant));
  info->instants (element, instants);
  return instants->len > 0;
}

gboolean
ifbam_lanes_bear (const IfbamModel *model, const IfbamRunSpec *spec, const IfbamElement *element)
{
  gsize index;

  /* Rest has to be found anew. What laws that are prepared point to is the element's, and so the same
   * in all lanes. */
  if (spec->start_position != NULL || element->info->prepare != NULL || makes_events (element))
    return FALSE;
  switch ((guint) element->info->kind)
    {
    case IFBAM_KIND_FREE_NODE:
    case IFBAM_KIND_GIVEN_NODE:
    case IFBAM_KIND_SOURCE:
      return TRUE;
    case IFBAM_KIND_LINK:
      return !element->single
             && element->info->link->points (ifbam_element_law (element))
                    == ifbam_model_batch (model, model->link_slot[element->index], &index)->points;
    default:
      return FALSE;
    }
}

static void
set_link (IfbamLanes *self, gsize lane, const IfbamElement *element)
{
  gsize index;
  const IfbamBatch *batch =
      ifbam_model_batch (self->model, self->model->link_slot[element->index], &index);
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
      set_node (self, ifbam_model_number_of (self->model, element->index), lane, lane + 1,
                info->inverse_inertia (law), info->initial (law));
      break;
    case IFBAM_KIND_GIVEN_NODE:
      set_law (&self->given[element->index - self->model->n_free], lane, lane + 1, element);
      break;
    case IFBAM_KIND_SOURCE: /* one for each node that it acts on */
      for (gsize s = element->index;
           s < self->model->n_sources && self->sources[s].element == element; s++)
        set_law (&self->sources[s], lane, lane + 1, element);
      break;
    case IFBAM_KIND_LINK:
      set_link (self, lane, element);
      break;
    default:
      g_return_if_reached ();
    }
}

static gboolean
same_numbers (const guint32 *one, const guint32 *other, gsize n)
{
  return (one == NULL) == (other == NULL)
         && (one == NULL || memcmp (one, other, n * sizeof *one) == 0);
}

static gboolean
same_batch (const IfbamBatch *one, const IfbamBatch *other)
{
  return one->info == other->info && one->points == other->points
         && one->first_slot == other->first_slot && one->count == other->count
         && one->far_slot == other->far_slot && one->first_driven == other->first_driven
         && one->first_idle == other->first_idle
         && same_numbers (one->left, other->left, one->count)
         && same_numbers (one->right, other->right, one->count);
}

gboolean
ifbam_lanes_fit (const IfbamModel *model, const IfbamModel *other)
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
    if (model->sources->pdata[s] != other->sources->pdata[s])
      return FALSE;
  return same_numbers (model->source_node, other->source_node, model->n_sources)
         && same_numbers (model->link_slot, other->link_slot, model->n_links)
         && same_numbers (model->port_start, other->port_start, model->n_nodes + 1)
         && same_numbers (model->port, other->port, 2 * model->n_links + model->n_sources)
         && same_numbers (model->number, other->number, model->n_free);
}

IfbamLanes *
ifbam_lanes_new (const IfbamModel *model, const IfbamRunSpec *spec, gsize width)
{
  IfbamLanes *self = g_new0 (IfbamLanes, 1);

  self->model = model;
  self->spec = spec;
  self->width = width;
  self->n_given = model->n_nodes - model->n_free;
  make_numbers (self);
  make_state (self);
  make_calls (self);
  ifbam_lanes_load (self, 0, width, model, spec);
  return self;
}

void
ifbam_lanes_free (IfbamLanes *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < IFBAM_MAX_STAGES; i++)
    {
      g_clear_pointer (&self->cycle[i].links, g_array_unref);
      g_clear_pointer (&self->cycle[i].nodes, g_array_unref);
    }
  for (guint i = 0; i < self->n_memory; i++)
    free (self->memory[i]);
  g_free (self->memory);
  g_free (self->sum);
  g_free (self->parameters);
  g_free (self->given);
  g_free (self->sources);
  g_free (self->moving);
  g_free (self->owned);
  g_free (self);
}

/* What goes by the clock */

static gboolean
is_alike (const LaneLaw *law, gsize width)
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

/* Fields act on nodes by their inertia; nobody else asks for it (see ifbam_model_source). */
static void
set_inertia (IfbamLanes *self, gsize source)
{
  const double *inverse = self->inverse_inertia + self->model->source_node[source] * self->width;

  for (gsize l = 0; l < self->width; l++)
    self->sources[source].inertia[l] =
        ifbam_model_is_field (self->model, source) ? 1.0 / inverse[l] : 0.0;
}

/* The first lane's law, as one. */
static void
first_law (const LaneLaw *law, double *numbers)
{
  for (guint k = 0; k < law->n_numbers; k++)
    numbers[k] = law->number[k][0];
}

static void
motions_at (const IfbamLanes *self, gsize g, double time, double *position, double *rate,
            double *acceleration)
{
  const LaneLaw *law = &self->given[g];
  const IfbamElementInfo *info = law->element->info;
  double numbers[IFBAM_MAX_LAW];
  IfbamMotion motion;

  if (!law->alike)
    {
      info->motions[self->spec->isa]((const double *const *) law->number, law->element->course,
                                     time, position, rate, acceleration, self->width);
      return;
    }
  first_law (law, numbers);
  motion = info->motion (numbers, law->element->course, time);
  fill (position, self->width, motion.position);
  fill (rate, self->width, motion.rate);
  fill (acceleration, self->width, motion.acceleration);
}

static void
source_at (const IfbamLanes *self, gsize s, double time, double *value)
{
  const LaneLaw *law = &self->sources[s];
  const IfbamElementInfo *info = law->element->info;
  double numbers[IFBAM_MAX_LAW];

  if (!law->alike)
    {
      info->values[self->spec->isa]((const double *const *) law->number, law->element->course, time,
                                    law->inertia, value, self->width);
      return;
    }
  first_law (law, numbers);
  fill (value, self->width, info->value (numbers, law->element->course, time, law->inertia[0]));
}

/* Position and rate that a given node says (see ifbam_given_said). */
static void
given_says (IfbamLanes *self, gsize g, guint stage, gint64 step, double *position, double *rate)
{
  const IfbamRunSpec *spec = self->spec;
  const double time = (double) step + spec->scheme->stage_time[stage];
  const double lag = spec->scheme->velocity_lag;

  if (spec->cold && step <= 0)
    {
      motions_at (self, g, 0.0, position, rate, self->unwanted[0]);
      return;
    }
  if (lag > 0)
    motions_at (self, g, (time - lag) * spec->step, position, rate, self->unwanted[0]);
  motions_at (self, g, time * spec->step, position, lag > 0 ? self->unwanted[1] : rate,
              self->unwanted[0]);
}

/* See ifbam_given_begin. */
static void
given_begin (IfbamLanes *self, gsize g, gboolean before)
{
  const IfbamModel *model = self->model;
  const IfbamRunSpec *spec = self->spec;
  const IfbamScheme *scheme = spec->scheme;
  const gsize place = (model->n_free + g) * self->width;
  double *column[IFBAM_MAX_COLUMNS] = { NULL };
  double *position = self->given_position + g * self->width;
  double *rate = self->given_rate + g * self->width;
  double *acceleration = self->given_acceleration + g * self->width;

  for (guint c = 0; c < scheme->n_columns; c++)
    column[c] = self->column[c] + place;
  motions_at (self, g, 0.0, position, rate, acceleration);
  if (spec->cold)
    scheme->begin_cold (before, self->width, column, position, rate, acceleration, spec->step);
  else if (scheme->latency)
    for (int c = 0; c < 2; c++)
      given_says (self, g, 0, -(before ? 1 : 0) - c, column[2 * c], column[2 * c + 1]);
  else
    {
      memcpy (column[0], position, self->width * sizeof *position);
      memcpy (column[1], rate, self->width * sizeof *rate);
      given_says (self, g, 0, 0, column[scheme->said_position], column[scheme->said_rate]);
    }
}

/* After a stage: what moving given nodes say next, before the columns change places (see
 * ifbam_given_update). Where they are is asked of their laws. */
static void
given_update (IfbamLanes *self, guint parity, guint stage)
{
  const IfbamScheme *scheme = self->spec->scheme;
  const gboolean last = stage + 1 == scheme->n_stages;
  const guint c = scheme->latency ? 2 : scheme->said_position;
  const guint d = scheme->latency ? 3 : scheme->said_rate;

  for (gsize m = 0; m < self->n_moving; m++)
    {
      const gsize place = (self->model->n_free + self->moving[m]) * self->width;

      given_says (self, self->moving[m], last ? 0 : stage + 1,
                  (gint64) self->steps + (last ? 1 : 0), column_at (self, parity, c) + place,
                  column_at (self, parity, d) + place);
    }
}

/* Cycles */

/* The ports of a node that has none or many, in the order of the file (see gather in model-engine.c). */
static void
sum_ports (const IfbamLanes *self, gsize node, const double *heard, double *force)
{
  const IfbamModel *model = self->model;
  const IfbamRunSpec *spec = self->spec;

  fill (force, self->width, -0.0);
  for (guint32 p = model->port_start[node]; p < model->port_start[node + 1]; p++)
    add[spec->isa](force, heard + (model->port[p] >> 1) * self->width,
                   model->port[p] & 1 ? -1.0 : 1.0, self->width);
}

/* Those that do not depend on the time have answered at the start, for good. */
static void
sources_answer (const IfbamLanes *self, double time, double *answer)
{
  const IfbamModel *model = self->model;

  for (gsize i = 0; i < model->n_varying; i++)
    source_at (self, model->varying[i], time,
               answer + (model->n_slots + model->varying[i]) * self->width);
}

static void
do_cycle (IfbamLanes *self, const Cycle *cycle, guint parity, guint stage)
{
  const IfbamModel *model = self->model;
  const IfbamRunSpec *spec = self->spec;

  for (guint i = 0; i < cycle->links->len; i++)
    {
      const LinkCall *call = &g_array_index (cycle->links, LinkCall, i);

      call->run (&call->batch, call->first, call->left, call->right, call->n);
    }
  if (model->n_varying > 0)
    sources_answer (self, ifbam_engine_source_time (spec, stage, (gint64) self->steps),
                    cycle->answered);
  for (guint i = 0; i < cycle->nodes->len; i++)
    {
      const NodeCall *call = &g_array_index (cycle->nodes, NodeCall, i);

      if (call->node != NO_NODE)
        sum_ports (self, call->node, cycle->heard, self->force);
      call->kernel (&call->batch, 0, call->n);
    }
  if (self->n_moving > 0)
    given_update (self, parity, stage);
}

static void
do_step (IfbamLanes *self)
{
  const IfbamScheme *scheme = self->spec->scheme;

  if (scheme->latency)
    {
      const guint parity = self->steps & 1;

      do_cycle (self, &self->cycle[parity], parity, 0);
    }
  else
    for (guint stage = 0; stage < scheme->n_stages; stage++)
      do_cycle (self, &self->cycle[stage], 0, stage);
  self->steps++;
}

/* Start (see start in model-engine.c) */

static void
first_answers (IfbamLanes *self, gboolean mean, double time, double *answer)
{
  const IfbamModel *model = self->model;
  const IfbamRunSpec *spec = self->spec;
  const gsize width = self->width;

  for (guint b = 0; b < model->batches->len; b++)
    {
      const IfbamBatch *batch = &g_array_index (model->batches, IfbamBatch, b);
      IfbamRunKernel run = (mean ? batch->kernels->run_mean : batch->kernels->run_force)[spec->isa];
      const IfbamLinkBatch arguments = { .parameters = (const double *const *) self->parameters[b],
                                         .position = self->column[0],
                                         .rate = self->column[1],
                                         .earlier_position = self->column[mean ? 2 : 0],
                                         .earlier_rate = self->column[mean ? 3 : 1],
                                         .answer = answer + batch->first_slot * width,
                                         .far = answer + batch->far_slot * width };

      for (gsize i = 0; i < batch->count; i++)
        if (self->owned[batch->first_slot + i])
          run (&arguments, i * width, batch->left[i] * width, batch->right[i] * width, width);
    }
  for (gsize s = 0; s < model->n_sources; s++)
    source_at (self, s, time, answer + (model->n_slots + s) * width);
}

static void
begin (IfbamLanes *self, gboolean before)
{
  const IfbamModel *model = self->model;
  const IfbamRunSpec *spec = self->spec;
  const gsize width = self->width;
  double *column[IFBAM_MAX_COLUMNS] = { NULL };
  double *acceleration = self->force;

  for (gsize i = 0; i < model->n_free; i++)
    {
      sum_ports (self, i, self->answer[0], acceleration);
      for (gsize l = 0; l < width; l++)
        acceleration[l] *= self->inverse_inertia[i * width + l];
      for (guint c = 0; c < spec->scheme->n_columns; c++)
        column[c] = self->column[c] + i * width;
      ifbam_spec_begin (spec) (before, width, column, self->start_position + i * width,
                               self->start_rate + i * width, acceleration, spec->step);
    }
  for (gsize g = 0; g < self->n_given; g++)
    given_begin (self, g, before);
}

static void
start (IfbamLanes *self)
{
  const IfbamModel *model = self->model;
  const IfbamRunSpec *spec = self->spec;
  const gsize n = model->n_free * self->width;

  self->steps = 0;
  self->given_row = self->sums_row = G_MAXUINT64;
  fill (self->turnover, self->width, 0);
  fill (self->fallen, self->width, 0);
  for (gsize g = 0; g < self->n_given; g++)
    self->given[g].alike = is_alike (&self->given[g], self->width);
  for (gsize s = 0; s < model->n_sources; s++)
    {
      set_inertia (self, s);
      self->sources[s].alike = is_alike (&self->sources[s], self->width);
    }
  memcpy (self->column[0], self->start_position, n * sizeof (double));
  memcpy (self->column[1], self->start_rate, n * sizeof (double));
  for (gsize g = 0; g < self->n_given; g++)
    motions_at (self, g, 0.0, self->column[0] + n + g * self->width,
                self->column[1] + n + g * self->width, self->given_acceleration + g * self->width);
  /* One round of messages for the accelerations. */
  first_answers (self, FALSE, 0.0, self->answer[0]);
  if (!spec->scheme->latency)
    {
      begin (self, FALSE);
      return;
    }
  begin (self, TRUE);
  first_answers (self, spec->scheme->mean, ifbam_engine_source_time (spec, 0, -1), self->answer[1]);
  begin (self, FALSE);
  memcpy (self->answer[0], self->answer[1],
          (model->n_slots + model->n_sources) * self->width * sizeof (double));
}

/* The row: what the lanes have told by now. With latency it is that of the cycle before. */

/* Columns as they stand now. */
static void
columns_now (const IfbamLanes *self, double **column)
{
  const guint parity = self->spec->scheme->latency ? self->steps & 1 : 0;

  for (guint c = 0; c < self->spec->scheme->n_columns; c++)
    column[c] = column_at (self, parity, c);
}

static double
row_time (const IfbamLanes *self)
{
  return (double) (self->steps - ifbam_engine_lookahead (self->spec)) * self->spec->step;
}

static void
observe_given (IfbamLanes *self)
{
  if (self->given_row == self->steps)
    return;
  for (gsize m = 0; m < self->n_moving; m++)
    {
      const gsize g = self->moving[m], place = g * self->width;

      motions_at (self, g, row_time (self), self->given_position + place, self->given_rate + place,
                  self->given_acceleration + place);
    }
  self->given_row = self->steps;
}

/* Positions and rates of a node [width]. Those that are fixed were asked at the start. */
static void
observe (IfbamLanes *self, gsize node, double *position, double *rate)
{
  const gsize width = self->width;
  double *column[IFBAM_MAX_COLUMNS];

  if (node >= self->model->n_free)
    {
      const gsize place = (node - self->model->n_free) * width;

      observe_given (self);
      memcpy (position, self->given_position + place, width * sizeof *position);
      memcpy (rate, self->given_rate + place, width * sizeof *rate);
      return;
    }
  columns_now (self, column);
  self->spec->scheme->observe (node * width, (node + 1) * width, column, position, rate);
}

static void
observe_all (IfbamLanes *self)
{
  const IfbamModel *model = self->model;
  const IfbamRunSpec *spec = self->spec;
  const gsize n = model->n_free * self->width;
  double *column[IFBAM_MAX_COLUMNS];

  columns_now (self, column);
  if (n > 0)
    spec->scheme->observe (0, n, column, self->position, self->rate);
  observe_given (self);
  memcpy (self->position + n, self->given_position, self->n_given * self->width * sizeof (double));
  memcpy (self->rate + n, self->given_rate, self->n_given * self->width * sizeof (double));
}

/* What one link answers to the row, by one of its kernels; in a slot of its right end what that hears. */
static void
ask_link (IfbamLanes *self, gsize slot, gboolean energy, double *answer)
{
  gsize index;
  const IfbamBatch *batch = ifbam_model_batch (self->model, slot, &index);
  const gsize b = (gsize) (batch - &g_array_index (self->model->batches, IfbamBatch, 0));
  const gsize width = self->width;
  /* The kernel's first link is `index`: it answers there. */
  const IfbamLinkBatch arguments = { .parameters = (const double *const *) self->parameters[b],
                                     .position = self->ends[0],
                                     .rate = self->ends[2],
                                     .earlier_position = self->ends[0],
                                     .earlier_rate = self->ends[2],
                                     .answer = self->energy + batch->first_slot * width,
                                     .far = self->energy + batch->far_slot * width };

  observe (self, batch->left[index], self->ends[0], self->ends[2]);
  observe (self, batch->right[index], self->ends[0] + width, self->ends[2] + width);
  (energy ? batch->kernels->run_energy
          : batch->kernels->run_force)[self->spec->isa](&arguments, index * width, 0, width, width);
  memcpy (answer, self->energy + slot * width, width * sizeof *answer);
}

/* The forces on a node at the row. */
static void
ask_force (IfbamLanes *self, gsize node, double *force)
{
  const IfbamModel *model = self->model;
  const IfbamRunSpec *spec = self->spec;

  fill (force, self->width, -0.0);
  for (guint32 p = model->port_start[node]; p < model->port_start[node + 1]; p++)
    {
      const gsize slot = model->port[p] >> 1;

      if (slot < model->n_slots)
        ask_link (self, slot, FALSE, self->part);
      else
        source_at (self, slot - model->n_slots, row_time (self), self->part);
      add[spec->isa](force, self->part, model->port[p] & 1 ? -1.0 : 1.0, self->width);
    }
}

static void
clear_sums (IfbamLanes *self)
{
  for (gsize l = 0; l < self->width; l++)
    ifbam_exact_sum_clear (&self->sum[l]);
}

static void
add_terms (IfbamLanes *self, const double *term)
{
  for (gsize l = 0; l < self->width; l++)
    ifbam_exact_sum_add (&self->sum[l], term[l]);
}

static void
round_sums (const IfbamLanes *self, double *value)
{
  for (gsize l = 0; l < self->width; l++)
    value[l] = ifbam_exact_sum_round (&self->sum[l]);
}

/* A field's energy with its node at these positions. */
static void
add_field (IfbamLanes *self, gsize source, const double *position)
{
  const LaneLaw *law = &self->sources[source];
  double numbers[IFBAM_MAX_LAW];

  for (gsize l = 0; l < self->width; l++)
    {
      for (guint k = 0; k < law->n_numbers; k++)
        numbers[k] = law->number[k][l];
      ifbam_exact_sum_add (&self->sum[l],
                           law->element->info->potential (numbers, law->inertia[l], position[l]));
    }
}

/* What links store at the row, link by link, to self->energy. */
static void
ask_energies (IfbamLanes *self)
{
  const IfbamModel *model = self->model;
  const IfbamRunSpec *spec = self->spec;
  const gsize width = self->width;

  observe_all (self);
  for (guint b = 0; b < model->batches->len; b++)
    {
      const IfbamBatch *batch = &g_array_index (model->batches, IfbamBatch, b);
      const IfbamLinkBatch arguments = { .parameters = (const double *const *) self->parameters[b],
                                         .position = self->position,
                                         .rate = self->rate,
                                         .earlier_position = self->position,
                                         .earlier_rate = self->rate,
                                         .answer = self->energy + batch->first_slot * width };

      for (gsize i = 0, n; i < batch->count; i += n)
        {
          n = 1;
          if (!self->owned[batch->first_slot + i])
            continue;
          n = consecutive_links (self, batch, i, batch->count);
          batch->kernels->run_energy[spec->isa](&arguments, i * width, batch->left[i] * width,
                                                batch->right[i] * width, n * width);
        }
    }
}

static void
add_energies (IfbamLanes *self)
{
  for (gsize i = 0; i < self->model->n_links; i++)
    add_terms (self, self->energy + self->model->link_slot[i] * self->width);
}

static void
add_motions (IfbamLanes *self, gboolean momentum)
{
  for (gsize i = 0; i < self->model->n_free; i++)
    for (gsize l = 0; l < self->width; l++)
      {
        const gsize place = i * self->width + l;
        const double impetus = self->rate[place] / self->inverse_inertia[place];

        ifbam_exact_sum_add (&self->sum[l], momentum ? impetus : 0.5 * impetus * self->rate[place]);
      }
}

/* As ifbam_ledger_sums does it. */
static void
sum_row (IfbamLanes *self)
{
  const IfbamModel *model = self->model;

  if (self->sums_row == self->steps)
    return;
  self->sums_row = self->steps;
  ask_energies (self);
  clear_sums (self);
  add_energies (self);
  for (gsize i = 0; i < model->n_fields; i++)
    add_field (self, model->fields[i],
               self->position + model->source_node[model->fields[i]] * self->width);
  round_sums (self, self->potential);
  clear_sums (self);
  add_motions (self, FALSE);
  round_sums (self, self->kinetic);
  clear_sums (self);
  add_motions (self, TRUE);
  round_sums (self, self->momentum);
}

/* A link's compression from its ends' positions, or its rate from their rates (see
 * ifbam_batch_delta). */
static void
differ (const IfbamLanes *self, const IfbamBatch *batch, gsize index, const double *left,
        const double *right, double *delta)
{
  const IfbamGeometry *geometry = batch->law->geometry;
  const gsize b = (gsize) (batch - &g_array_index (self->model->batches, IfbamBatch, 0));
  const double *ratio = self->parameters[b][0] + index * self->width;

  for (gsize l = 0; l < self->width; l++)
    delta[l] = geometry->scaled ? left[l] - ratio[l] * right[l] : left[l] - right[l];
}

const double *
ifbam_lanes_signal (IfbamLanes *self, const IfbamSignal *signal, double *scratch)
{
  const IfbamModel *model = self->model;
  const IfbamRunSpec *spec = self->spec;
  const gsize width = self->width, number = signal->number;
  double *column[IFBAM_MAX_COLUMNS];
  const IfbamBatch *batch;
  gsize index;

  switch ((guint) signal->kind)
    {
    case IFBAM_SIGNAL_POSITION:
      if (number < model->n_free)
        {
          columns_now (self, column);
          return column[spec->scheme->row_position] + number * width;
        }
      observe_given (self);
      return self->given_position + (number - model->n_free) * width;
    case IFBAM_SIGNAL_RATE:
      observe (self, number, self->ends[0], scratch);
      return scratch;
    case IFBAM_SIGNAL_ACCELERATION:
      if (number >= model->n_free)
        {
          observe_given (self);
          return self->given_acceleration + (number - model->n_free) * width;
        }
      ask_force (self, number, scratch);
      for (gsize l = 0; l < width; l++)
        scratch[l] *= self->inverse_inertia[number * width + l];
      return scratch;
    case IFBAM_SIGNAL_FORCE:
      ask_link (self, model->link_slot[number], FALSE, scratch);
      return scratch;
    case IFBAM_SIGNAL_COMPRESSION:
    case IFBAM_SIGNAL_LINK_RATE:
      batch = ifbam_model_batch (model, model->link_slot[number], &index);
      observe (self, batch->left[index], self->ends[0], self->ends[2]);
      observe (self, batch->right[index], self->ends[1], self->ends[3]);
      differ (self, batch, index, self->ends[signal->kind == IFBAM_SIGNAL_COMPRESSION ? 0 : 2],
              self->ends[signal->kind == IFBAM_SIGNAL_COMPRESSION ? 1 : 3], scratch);
      return scratch;
    case IFBAM_SIGNAL_SOURCE_FORCE: /* on all nodes that it acts on */
      source_at (self, number, row_time (self), scratch);
      for (gsize s = number + 1;
           s < model->n_sources && self->sources[s].element == self->sources[number].element; s++)
        {
          source_at (self, s, row_time (self), self->part);
          add[spec->isa](scratch, self->part, 1.0, width);
        }
      return scratch;
    case IFBAM_SIGNAL_KINETIC:
      sum_row (self);
      return self->kinetic;
    case IFBAM_SIGNAL_POTENTIAL:
      sum_row (self);
      return self->potential;
    case IFBAM_SIGNAL_MOMENTUM:
      sum_row (self);
      return self->momentum;
    case IFBAM_SIGNAL_ENERGY:
      sum_row (self);
      for (gsize l = 0; l < width; l++)
        scratch[l] = self->kinetic[l] + self->potential[l];
      return scratch;
    case IFBAM_SIGNAL_MODE: /* smooth links have one mode */
    default:
      fill (scratch, width, 0.0);
      return scratch;
    }
}

/* Divergence */

static void
add_amount_of_power (IfbamLanes *self, gboolean few, const double *force, const double *rate)
{
  if (few)
    add_power[self->spec->isa](self->power, force, rate, self->width);
  else
    for (gsize l = 0; l < self->width; l++)
      ifbam_exact_sum_add (&self->sum[l], fabs (force[l] * rate[l]));
}

/* What sources and moving given nodes have fed in and out by the row (see supply in ledger.c). */
static void
add_turnover (IfbamLanes *self)
{
  const IfbamModel *model = self->model;
  const IfbamRunSpec *spec = self->spec;
  const gsize width = self->width;
  const gboolean few = model->n_sources - model->n_fields + self->n_moving <= 2;

  observe_given (self);
  fill (self->power, width, 0);
  if (!few)
    clear_sums (self);
  for (gsize s = 0; s < model->n_sources; s++)
    {
      if (ifbam_model_is_field (model, s))
        continue;
      source_at (self, s, row_time (self), self->force);
      observe (self, model->source_node[s], self->ends[0], self->ends[1]);
      add_amount_of_power (self, few, self->force, self->ends[1]);
    }
  for (gsize m = 0; m < self->n_moving; m++)
    {
      ask_force (self, model->n_free + self->moving[m], self->force);
      add_amount_of_power (self, few, self->force, self->given_rate + self->moving[m] * width);
    }
  if (!few)
    round_sums (self, self->power);
  add[spec->isa](self->turnover, self->power, spec->step, width);
}

/* The energy of the row as a run's look has it, of each lane to `energy`. */
static void
look (IfbamLanes *self, double *energy)
{
  ask_energies (self);
  clear_sums (self);
  add_energies (self);
  add_motions (self, FALSE);
  for (gsize i = 0; i < self->model->n_free; i++)
    for (gsize l = 0; l < self->width; l++)
      ifbam_exact_sum_add (&self->sum[l], 0.0 * self->position[i * self->width + l]);
  round_sums (self, energy);
}

/* The sum of the amounts of what a look adds up, but for rounding, to self->bound. */
static void
bound_energy (IfbamLanes *self)
{
  const IfbamModel *model = self->model;
  const IfbamRunSpec *spec = self->spec;
  const gsize width = self->width;

  ask_energies (self);
  fill (self->bound, width, 0);
  for (gsize i = 0; i < model->n_links; i++)
    add_amount[spec->isa](self->bound, self->energy + model->link_slot[i] * width, width);
  for (gsize i = 0; i < model->n_free; i++)
    add_motion[spec->isa](self->bound, self->position + i * width, self->rate + i * width,
                          self->inverse_inertia + i * width, width);
}

/* Energies of the fields at the row (see ifbam_ledger_field_energy): what lanes gave or took at most. */
static void
look_at_fields (IfbamLanes *self, guint64 step, double *energy)
{
  const IfbamModel *model = self->model;

  if (model->n_fields == 0)
    return;
  clear_sums (self);
  for (gsize i = 0; i < model->n_fields; i++)
    {
      observe (self, model->source_node[model->fields[i]], self->ends[0], self->ends[1]);
      add_field (self, model->fields[i], self->ends[0]);
    }
  round_sums (self, energy);
  if (step == 0)
    memcpy (self->first_field, energy, self->width * sizeof *energy);
}

static void
let_fall (IfbamLanes *self, gsize lane, const double *energy)
{
  if (self->model->n_fields > 0)
    self->fallen[lane] = fmax (self->fallen[lane], fabs (energy[lane] - self->first_field[lane]));
}

static gboolean
is_fine (const IfbamLanes *self, gsize lane, double energy, const IfbamLanesRun *run)
{
  return ifbam_run_makes_sense (energy, self->first_energy[lane], self->turnover[lane],
                                self->fallen[lane], run->allow_divergence);
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
  gboolean feeds;    /* something has a turnover that counts */
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
    add_turnover (self);
}

/* Whether lanes are left that have not diverged. */
static gboolean
check (IfbamLanes *self, const Runner *runner, guint64 step)
{
  double *const energy = self->part, *const field = self->force;
  gboolean known = step == 0;
  gsize left = 0;

  look_at_fields (self, step, field);
  if (step == 0)
    look (self, self->first_energy);
  else
    bound_energy (self);
  for (gsize l = 0; l < runner->n; l++)
    {
      let_fall (self, l, field);
      if (runner->diverged[l] != IFBAM_LANES_FINE)
        continue;
      /* Twice the bound: more than rounding can have taken off. */
      if (step > 0 && is_fine (self, l, 2 * self->bound[l], runner->run))
        {
          left++;
          continue;
        }
      if (!known)
        look (self, energy);
      known = TRUE;
      if (is_fine (self, l, step == 0 ? self->first_energy[l] : energy[l], runner->run))
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

/* Looks at every step since the last check that was fine of each lane that has diverged. */
static gboolean
find_instants (IfbamLanes *self, const Runner *runner)
{
  guint64 *diverged = runner->diverged;
  double *const energy = self->part, *const field = self->force;
  g_autofree guint64 *noticed = g_memdup2 (diverged, runner->n * sizeof *diverged);
  g_autofree gboolean *found = g_new0 (gboolean, runner->n);
  guint64 last = 0;

  for (gsize l = 0; l < runner->n; l++)
    if (noticed[l] != IFBAM_LANES_FINE)
      last = MAX (last, noticed[l]);
  if (last == 0)
    return TRUE;
  begin_run (self);
  for (guint64 step = 1; step <= last; step++)
    {
      const gboolean checked = step % IFBAM_CHECK_INTERVAL == 0;
      gboolean looked = FALSE;

      next_step (self, runner);
      if (checked && !progress (runner, 0))
        return FALSE;
      if (checked)
        look_at_fields (self, step, field);
      for (gsize l = 0; l < runner->n; l++)
        {
          const gboolean suspect = noticed[l] != IFBAM_LANES_FINE && !found[l]
                                   && step > check_before (noticed[l]) && step <= noticed[l];

          if (!looked && suspect && !checked)
            look_at_fields (self, step, field);
          if (!looked && suspect)
            look (self, energy);
          looked |= suspect;
          if (suspect || checked)
            let_fall (self, l, field);
          if (!suspect)
            continue;
          found[l] = !is_fine (self, l, energy[l], runner->run);
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
                                       || self->n_moving > 0),
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
  return find_instants (self, &runner);
}
