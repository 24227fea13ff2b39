/* step-map.c: derivative of one step of a scheme by the network's state
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "linear/step-map.h"

#include <math.h>
#include <string.h>

#include "linear/eigenvalues.h"

/* Largest deviation for differences of a nonlinear network's step, relative to its compressions.
 * With four points the error is of its fourth power. */
#define REACH     1e-3
#define MIN_SCALE 1e-3 /* of compressions [m] */
/* Near a bend of a law, such as a diode's thermal voltage, the deviation is quartered until the
 * results at it and a quarter of it agree, or improve by less than MAX_IMPROVEMENT_RATIO. */
#define AGREEMENT             1e-9
#define MAX_IMPROVEMENT_RATIO 0.1
#define MAX_QUARTERINGS       12

struct _IfbamStepMap
{
  IfbamModel model; /* batches of the network only, without events (arrays are not owned) */
  GArray *none;
  IfbamRunSpec
      spec; /* spec of the linearization, with another scheme and step; its start is not owned */
  const IfbamLinearization *linearization;
  const IfbamRigidBodies *bodies;
  IfbamEngine *engine;
  gsize size;
  double *unit;     /* unit of each entry of a deviation (size) */
  IfbamState *kept; /* state that is written to and read from the engine */
  double *state;    /* its values (state_size) */
  gsize state_size;
  double *base; /* nonlinear: the start; linear: only forces of sources from the last step */
  gboolean nonlinear;
  gboolean failed; /* a step of the engine had no solution */
  double reach;    /* nonlinear */
  /* linear: the base after base_steps steps */
  double *base_after;
  guint base_steps;
};

/* Rigid bodies */

static gboolean
holds (const IfbamLinearization *linearization, gsize slot, gboolean with_damping)
{
  return linearization->stiffness[slot] != 0 || (with_damping && linearization->damping[slot] != 0);
}

/* Finds the nodes that move with a node. FALSE: a given node or a loop supports them. */
static gboolean
trace_body (const IfbamLinearization *linearization, gboolean with_damping, guint32 first,
            guint32 index, IfbamRigidBodies *bodies, GArray *found)
{
  const IfbamModel *model = linearization->model;
  IfbamLinkIter at = ifbam_links (model, IFBAM_LINKS_BATCHED);
  gboolean unsupported = TRUE;

  g_array_set_size (found, 0);
  g_array_append_val (found, first);
  bodies->body[first] = index;
  bodies->shape[first] = 1;
  for (guint i = 0; i < found->len; i++)
    {
      const guint32 node = g_array_index (found, guint32, i);

      for (guint32 p = model->port_start[node]; p < model->port_start[node + 1]; p++)
        {
          gboolean at_left;
          guint32 other;
          double shape;

          if (!ifbam_link_iter_seek_slot (&at, model->port[p] >> 1)
              || !holds (linearization, at.slot, with_damping))
            continue;
          at_left = at.link->node[0] == node;
          other = at.link->node[at_left ? 1 : 0];
          if (other >= model->n_free)
            {
              unsupported = FALSE;
              continue;
            }
          /* J shape = 0 */
          shape = at_left ? 1 / ifbam_link_ratio (at.link) : ifbam_link_ratio (at.link);
          shape *= bodies->shape[node];
          if (bodies->body[other] == index)
            unsupported =
                unsupported && fabs (bodies->shape[other] - shape) <= 1e-12 * fabs (shape);
          else
            {
              bodies->body[other] = index;
              bodies->shape[other] = shape;
              g_array_append_val (found, other);
            }
        }
    }
  return unsupported;
}

IfbamRigidBodies *
ifbam_rigid_bodies_new (const IfbamLinearization *linearization, gboolean with_damping)
{
  const IfbamModel *model = linearization->model;
  IfbamRigidBodies *bodies = g_new0 (IfbamRigidBodies, 1);
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) weights = g_array_new (FALSE, FALSE, sizeof (double));
  const guint32 none = G_MAXUINT32, held = G_MAXUINT32 - 1;

  bodies->body = g_new (guint32, model->n_free + 1);
  bodies->shape = g_new0 (double, model->n_free + 1);
  for (gsize i = 0; i < model->n_free; i++)
    bodies->body[i] = none;
  for (guint32 first = 0; first < model->n_free; first++)
    {
      double weight = 0;

      if (ifbam_model_is_state_node (model, first))
        bodies->body[first] = held;
      if (bodies->body[first] != none)
        continue;
      if (trace_body (linearization, with_damping, first, weights->len, bodies, found))
        {
          for (guint i = 0; i < found->len; i++)
            {
              const guint32 node = g_array_index (found, guint32, i);

              weight +=
                  bodies->shape[node] * bodies->shape[node] * ifbam_model_inertia (model, node);
            }
          g_array_append_val (weights, weight);
        }
      else
        for (guint i = 0; i < found->len; i++)
          bodies->body[g_array_index (found, guint32, i)] = held;
    }
  bodies->n = weights->len;
  for (gsize i = 0; i < model->n_free; i++)
    if (bodies->body[i] == held)
      bodies->body[i] = (guint32) bodies->n;
  bodies->weight = (double *) (gpointer) g_array_free (g_steal_pointer (&weights), FALSE);
  return bodies;
}

void
ifbam_rigid_bodies_free (IfbamRigidBodies *bodies)
{
  if (bodies == NULL)
    return;
  g_free (bodies->body);
  g_free (bodies->shape);
  g_free (bodies->weight);
  g_free (bodies);
}

/* Projects the bodies' motion out of a column of the free nodes. */
static void
project_column (const IfbamModel *model, const IfbamRigidBodies *bodies, double *column)
{
  g_autofree double *part = g_new0 (double, bodies->n + 1);

  for (gsize i = 0; i < model->n_free; i++)
    if (bodies->body[i] < bodies->n)
      part[bodies->body[i]] += bodies->shape[i] * column[i] * ifbam_model_inertia (model, i);
  for (gsize i = 0; i < model->n_free; i++)
    if (bodies->body[i] < bodies->n)
      column[i] -= bodies->shape[i] * (part[bodies->body[i]] / bodies->weight[bodies->body[i]]);
}

static void
project (const IfbamStepMap *map, double *x)
{
  if (map->bodies == NULL || map->bodies->n == 0)
    return;
  for (guint c = 0; c < ifbam_scheme_n_state_columns (map->spec.scheme); c++)
    project_column (&map->model, map->bodies, x + c * map->model.n_free);
}

/* The map */

/* Returns the largest compression at the start. */
static double
scale_of (const IfbamModel *model, const IfbamRunSpec *spec)
{
  g_autofree double *position = g_new (double, model->n_nodes + 1);
  g_autofree double *rate = g_new (double, model->n_nodes + 1);
  double scale = MIN_SCALE;

  ifbam_start_range (model, spec, 0, model->n_nodes, position, rate);
  for (IfbamLinkIter at = ifbam_links (model, IFBAM_LINKS_STORED); ifbam_link_iter_next (&at);)
    scale = fmax (scale, fabs (position[at.link->node[0]]
                               - ifbam_link_ratio (at.link) * position[at.link->node[1]]));
  return scale;
}

static void
set_units (IfbamStepMap *map)
{
  const IfbamModel *model = &map->model;
  const IfbamRunSpec *spec = &map->spec;

  for (guint c = 0; c < ifbam_scheme_n_state_columns (spec->scheme); c++)
    for (gsize i = 0; i < model->n_free; i++)
      {
        const int derivative = spec->scheme->derivative[c];

        /* The state of a state node is its rate; its integral has no meaning. */
        map->unit[c * model->n_free + i] =
            !ifbam_model_is_state_node (model, i) ? pow (spec->step, -(double) derivative)
            : derivative == 0                     ? 0
                                                  : pow (spec->step, 1 - (double) derivative);
      }
  for (IfbamLinkIter at = ifbam_links (model, IFBAM_LINKS_STORED);
       spec->scheme->latency && ifbam_link_iter_next (&at);)
    {
      double *unit = map->unit + spec->scheme->n_columns * model->n_free, most = 0;

      for (guint e = 0; e < 2; e++)
        if (at.link->node[e] < model->n_free)
          most = fmax (most, model->inverse_inertia[at.link->node[e]]);
      for (guint e = 0; e < 2 + at.link->n_states && most > 0; e++)
        unit[at.end_slot[e]] = e < 2 ? 1 / (most * spec->step * spec->step) : 1 / spec->step;
    }
}

static void find_reach (IfbamStepMap *map);

/* Copies the model without unbatched links, their inputs, and scheduled events. */
static void
copy_batches (IfbamStepMap *map, const IfbamModel *model)
{
  map->model = *model;
  map->none = g_array_new (FALSE, FALSE, 1);
  map->model.unbatched_links = map->model.impulses = map->model.switched_elements =
      map->model.scaled_sources = map->model.scaled_motions = map->model.time_events =
          map->model.recurrent = map->none;
}

IfbamStepMap *
ifbam_step_map_new (const IfbamLinearization *linearization, const IfbamRigidBodies *bodies,
                    const IfbamScheme *scheme, double step)
{
  IfbamStepMap *map = g_new0 (IfbamStepMap, 1);

  map->linearization = linearization;
  copy_batches (map, linearization->model);
  map->spec = *linearization->spec;
  map->spec.scheme = scheme;
  map->spec.step = step;
  map->spec.tolerance = 0;
  map->spec.cold = FALSE;
  map->bodies = bodies;
  /* With an event engine, a linear deviation of any size would reach contacts. */
  map->nonlinear =
      linearization->n_nonlinear > 0
      || (ifbam_scheme_tableau (scheme) != NULL && linearization->model->unbatched_links->len > 0);
  map->reach = map->nonlinear ? REACH * scale_of (&map->model, &map->spec) : 1;
  map->engine = ifbam_scheme_tableau (scheme) != NULL
                    ? ifbam_event_engine_new (&map->model, &map->spec, FALSE)
                    : ifbam_compiled_engine_new (&map->model, &map->spec, 0);
  ifbam_engine_start (map->engine);
  map->failed = map->engine->log->failure != NULL;
  if (map->failed)
    return map;
  map->kept = ifbam_engine_save_state (map->engine, NULL);
  map->state = ifbam_state_numbers (map->kept, &map->state_size);
  map->size = map->state_size - (scheme->latency ? map->model.n_sources : 0);
  /* The other entries of that engine's state are for events. */
  if (ifbam_scheme_tableau (scheme) != NULL)
    map->size = ifbam_scheme_n_state_columns (scheme) * map->model.n_free;
  map->unit = g_new0 (double, map->size + 1); /* 0: an entry without effect */
  set_units (map);
  map->base = g_new (double, map->state_size + 1);
  memcpy (map->base, map->state, map->state_size * sizeof *map->base);
  map->base_after = g_new0 (double, map->state_size + 1);
  if (!map->nonlinear)
    memset (map->base, 0, map->size * sizeof *map->base);
  else if (!(step > linearization->spec->step))
    find_reach (map);
  else
    {
      /* The range in which a law is linear does not depend on the step. A longer step than the
       * network's own shows less, and may be expensive. */
      IfbamStepMap *own =
          ifbam_step_map_new (linearization, bodies, scheme, linearization->spec->step);

      map->reach = own->reach;
      ifbam_step_map_free (own);
    }
  map->failed = FALSE; /* a large deviation may have led to states without a solution */
  return map;
}

void
ifbam_step_map_free (IfbamStepMap *map)
{
  if (map == NULL)
    return;
  ifbam_engine_free (map->engine);
  g_array_unref (map->none);
  g_free (map->unit);
  ifbam_state_free (map->kept);
  g_free (map->base);
  g_free (map->base_after);
  g_free (map);
}

gboolean
ifbam_step_map_has_failed (const IfbamStepMap *map)
{
  return map->failed;
}

gsize
ifbam_step_map_size (const IfbamStepMap *map)
{
  return map->size;
}

/* Runs from the base plus factor x; stores the end in `state` (NaN if a step has no solution). */
static void
run_from (IfbamStepMap *map, double factor, const double *x, guint steps)
{
  memcpy (map->state, map->base, map->state_size * sizeof *map->state);
  for (gsize i = 0; i < map->size && x != NULL; i++)
    map->state[i] += factor * map->unit[i] * x[i];
  ifbam_engine_restore_state (map->engine, map->kept, 0);
  ifbam_engine_advance (map->engine, steps, NULL);
  if (map->engine->log->failure == NULL)
    {
      ifbam_engine_save_state (map->engine, map->kept);
      return;
    }
  map->failed = TRUE;
  for (gsize i = 0; i < map->state_size; i++)
    map->state[i] = NAN;
}

static double
largest_of (gsize n, const double *x)
{
  double largest = 0;

  for (gsize i = 0; i < n; i++)
    largest = fmax (largest, fabs (x[i]));
  return largest;
}

/* The deviation is scaled up so that the base's own motion does not swamp it. */
static void
apply_linear (IfbamStepMap *map, guint steps, const double *x, double *y)
{
  const double size = largest_of (map->size, x);
  double own = 0, factor;

  if (map->base_steps != steps)
    {
      run_from (map, 0, NULL, steps);
      memcpy (map->base_after, map->state, map->size * sizeof *map->state);
      map->base_steps = steps;
    }
  for (gsize i = 0; i < map->size; i++)
    if (map->unit[i] > 0)
      own = fmax (own, fabs (map->base_after[i]) / map->unit[i]);
  factor = size > 0 ? exp2 (ceil (log2 (fmax (own, 1)))) / size : 0;
  if (!isfinite (factor))
    factor = 1;
  run_from (map, factor, x, steps);
  for (gsize i = 0; i < map->size; i++)
    y[i] = factor == 0 || map->unit[i] == 0
               ? 0
               : (map->state[i] - map->base_after[i]) / (factor * map->unit[i]);
}

/* f'(0) from f at -2, -1, 1 and 2 times the reach (Abramowitz & Stegun 1964, table 25.2). */
static void
apply_difference (IfbamStepMap *map, const double *x, double *y)
{
  static const double place[4] = { -2, -1, 1, 2 }, weight[4] = { 1, -8, 8, -1 };
  const double size = largest_of (map->size, x);
  const double factor = size > 0 ? map->reach / size : 0;
  g_autofree double *sum = g_new0 (double, map->size + 1);

  for (guint k = 0; k < 4 && factor > 0; k++)
    {
      run_from (map, place[k] * factor, x, 1);
      for (gsize i = 0; i < map->size; i++)
        if (map->unit[i] > 0)
          sum[i] += weight[k] * (map->state[i] / map->unit[i]);
    }
  for (gsize i = 0; i < map->size; i++)
    y[i] = factor > 0 ? sum[i] / (12 * factor) : 0;
}

/* Returns the relative change of a deviation's image with a quarter of the reach. */
static double
nonlinearity_of (IfbamStepMap *map, const double *x, double *one, double *other)
{
  const double reach = map->reach;
  double off = 0, size = 0;

  apply_difference (map, x, one);
  map->reach = reach / 4;
  apply_difference (map, x, other);
  map->reach = reach;
  for (gsize i = 0; i < map->size; i++)
    {
      if (!isfinite (one[i]) || !isfinite (other[i]))
        return INFINITY;
      off = fmax (off, fabs (one[i] - other[i]));
      size = fmax (size, fabs (other[i]));
    }
  return size > 0 ? off / size : 0;
}

static void
find_reach (IfbamStepMap *map)
{
  g_autofree double *x = g_new (double, map->size + 1);
  g_autofree double *one = g_new (double, map->size + 1), *other = g_new (double, map->size + 1);
  double best = map->reach, least;

  for (gsize i = 0; i < map->size; i++) /* a component of every direction, always the same */
    x[i] = remainder (0.6180339887498949 * (double) (i + 1), 1);
  least = nonlinearity_of (map, x, one, other);
  for (guint k = 0; k < MAX_QUARTERINGS && !(least <= AGREEMENT); k++)
    {
      double doubt;

      map->reach /= 4;
      doubt = nonlinearity_of (map, x, one, other);
      if (doubt < MAX_IMPROVEMENT_RATIO * least)
        {
          least = doubt;
          best = map->reach;
        }
    }
  map->reach = best;
}

void
ifbam_step_map_apply (IfbamStepMap *map, guint steps, const double *x, double *y)
{
  g_autofree double *from = g_memdup2 (x, map->size * sizeof *x);

  project (map, from);
  if (!map->nonlinear)
    apply_linear (map, steps, from, y);
  for (guint i = 0; i < steps && map->nonlinear; i++)
    {
      if (i > 0)
        memcpy (from, y, map->size * sizeof *y);
      apply_difference (map, from, y);
    }
  project (map, y);
}

double
ifbam_step_map_energy (const IfbamStepMap *map, const double *x)
{
  const IfbamModel *model = &map->model;
  const IfbamRunSpec *spec = &map->spec;
  g_autofree double *position = g_new0 (double, model->n_nodes + 1);
  double twice = 0;

  memcpy (position, x, model->n_free * sizeof *x);
  for (gsize i = 0; i < model->n_free; i++)
    {
      const double rate = x[model->n_free + i] / spec->step;

      if (ifbam_model_is_state_node (model, i))
        continue;
      twice += rate * rate * ifbam_model_inertia (model, i);
    }
  return 0.5
         * (twice
            + ifbam_linearization_form (map->linearization, map->linearization->stiffness, position,
                                        position));
}

/* Removes entries on which nothing depends, or that depend on nothing: their eigenvalue is zero.
 * Repeats, as others may appear. Returns the number left, their indices first. */
static gsize
deflate (gsize n, const double *matrix, gsize *place)
{
  gsize left = n, before;

  for (gsize i = 0; i < n; i++)
    place[i] = i;
  do
    {
      before = left;
      for (gsize i = 0; i < left;)
        {
          gboolean row = FALSE, column = FALSE;

          for (gsize j = 0; j < left; j++)
            {
              row = row || matrix[place[j] * n + place[i]] != 0;
              column = column || matrix[place[i] * n + place[j]] != 0;
            }
          if (row && column)
            i++;
          else
            place[i] = place[--left];
        }
    }
  while (left < before);
  return left;
}

double complex *
ifbam_step_map_multipliers (IfbamStepMap *map, gsize *n)
{
  const gsize size = map->size;
  g_autofree double *matrix = g_new (double, size *size + 1), *x = g_new0 (double, size + 1);
  g_autofree double *small = NULL;
  g_autofree gsize *place = g_new (gsize, size + 1);
  g_autofree double complex *value = NULL;

  *n = 0;
  for (gsize j = 0; j < size && !map->failed; j++)
    {
      x[j] = 1;
      ifbam_step_map_apply (map, 1, x, matrix + j * size);
      x[j] = 0;
    }
  if (map->failed)
    return NULL;
  *n = deflate (size, matrix, place);
  small = g_new (double, *n **n + 1);
  value = g_new (double complex, *n + 1);
  for (gsize j = 0; j < *n; j++)
    for (gsize i = 0; i < *n; i++)
      small[j * *n + i] = matrix[place[j] * size + place[i]];
  return ifbam_eigenvalues_general (*n, small, value) ? g_steal_pointer (&value) : NULL;
}
