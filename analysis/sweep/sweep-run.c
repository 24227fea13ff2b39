/* sweep-run.c: runs variants of a sweep, in lanes and threads
 *
 * Threads take slices of a list of variants. Each has its own network, sets a variant's parameters
 * in it, and copies them into a lane; variants that can't use lanes run alone. Results are equal
 * either way, and don't depend on neighbouring lanes.
 *
 * The list is sorted by step, duration and structure of the network.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "sweep/sweep-run.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/fail.h"
#include "linear/linear.h"
#include "run/run.h"
#include "engine/engine.h"

/* Rows for spectra in a thread [bytes]. */
#define MAX_ROWS_MEMORY 64e6
/* If lanes need more memory for rows, variants run one by one. */
#define MAX_LANES_MEMORY 1e9
/* Variants that are tried beside a first one that none fits. */
#define TRIED 4
/* Cached shapes per thread; */
#define REMEMBERED 4
/* variants back in which a mode is searched for if its shape is uncertain in the previous one:
 * where two modes meet, a variant may have any mixture of them; */
#define STEPS_BACK 3
/* modal assurance criterion of a certain match. */
#define CLEAR 0.8
/* Interval between calls of progress [us]. */
#define INTERVAL (G_USEC_PER_SEC / 50)

typedef struct
{
  IfbamSweep *sweep;
  const IfbamSweepRun *run;
  const guint64 *list; /* (n) */
  guint64 n, slice;
  gboolean only_modes; /* of finished variants */
  guint model_threads;
  double total; /* steps of all variants */
  atomic_bool stop;
  _Atomic guint64 done; /* steps */

  GMutex mutex; /* protects the following, and the results */
  GCond finished;
  guint64 next;
  guint working;
  GError *error; /* first error */
} Pool;

typedef struct
{
  Pool *pool;
  IfbamNetwork *network;
  GPtrArray *elements; /* IfbamElement: varied ones, each once */
  gsize *index;        /* of the present variant (variations) */
  IfbamRunSpec spec;
  gboolean compiled; /* each variant must be compiled by itself */

  struct
  {
    guint64 variant;
    IfbamModeShapes *shapes;
  } remembered[REMEMBERED];
  guint forgotten; /* next one to be replaced */

  /* Model of the lanes; NULL: none yet */
  IfbamModel *model;
  IfbamRunSpec model_spec;
  IfbamSignals *signals;
  gboolean in_lanes;
  IfbamLanes *lanes;
  gsize width, n_lanes; /* n_lanes are in use */
  IfbamMeasurement *measurement;
  double *scratch; /* (width) */

  guint64 weight, counted; /* steps of the slice, and those reported as done */
} Worker;

/* Setting of a variant */

static gboolean
variant_fault (const Worker *w, guint64 variant, const char *reason, GError **error)
{
  g_autofree char *which = ifbam_grid_describe (w->pool->sweep->grid, variant);

  return ifbam_fail (error, IFBAM_ERROR_NETWORK, "%s%s%s%s",
                     *which == '\0' ? "" : "the variant with ", which, *which == '\0' ? "" : ": ",
                     reason);
}

static void
setting_fault (gpointer data, const char *key, char *text)
{
  char **reason = data;

  if (*reason == NULL)
    *reason = g_strdup_printf ("[network] %s: %s", key, text);
  g_free (text);
}

/* Sets the network's parameters to those of a variant. */
static gboolean
set_variant (Worker *w, guint64 variant, GError **error)
{
  const IfbamSweep *sweep = w->pool->sweep;
  g_autofree char *reason = NULL;
  gboolean settings = FALSE;

  ifbam_grid_indices (sweep->grid, variant, w->index);
  for (guint k = 0; k < sweep->variations->len; k++)
    settings |= ((IfbamVariation *) sweep->variations->pdata[k])->settings;
  if (!ifbam_sweep_set (sweep, w->network, w->index, &reason))
    return variant_fault (w, variant, reason, error);
  for (guint i = 0; i < w->elements->len; i++)
    {
      IfbamElement *element = w->elements->pdata[i];
      IfbamIssue issue = { .element = element };

      if (element->info->fault != NULL)
        issue.text = element->info->fault (element, &issue.key);
      if (issue.text == NULL)
        continue;
      reason = ifbam_issue_to_string (&issue);
      g_free (issue.text);
      return variant_fault (w, variant, reason, error);
    }
  if (settings)
    ifbam_settings_read (w->network->settings, sweep->measures->record != NULL, &w->spec,
                         setting_fault, &reason);
  return reason == NULL || variant_fault (w, variant, reason, error);
}

/* Compiles the network as it is set. */
static IfbamModel *
compile (Worker *w, guint64 variant, GError **error)
{
  g_autoptr (GError) fault = NULL;
  IfbamModel *model = ifbam_network_compile_or_error (
      w->network, w->pool->sweep->measures->record != NULL, &w->spec, NULL, &fault);

  if (model == NULL)
    variant_fault (w, variant, fault->message, error);
  return model;
}

static gboolean
same_settings (const IfbamRunSpec *one, const IfbamRunSpec *other)
{
  return one->scheme == other->scheme && one->cold == other->cold && one->step == other->step
         && one->stride == other->stride && one->last_step == other->last_step;
}

/* TRUE if the present variant can be a lane of the present model. */
static gboolean
fits (const Worker *w)
{
  if (w->model == NULL || w->compiled || !same_settings (&w->spec, &w->model_spec))
    return FALSE;
  for (guint i = 0; i < w->elements->len; i++)
    if (!ifbam_lanes_remain_compatible (w->model, &w->spec, w->elements->pdata[i]))
      return FALSE;
  return TRUE;
}

static void
drop_lanes (Worker *w)
{
  g_clear_pointer (&w->lanes, ifbam_lanes_free);
  g_clear_pointer (&w->measurement, ifbam_measurement_free);
  g_clear_pointer (&w->scratch, g_aligned_free);
}

/* Makes the present variant the one that others must fit. */
static gboolean
take_model (Worker *w, guint64 variant, GError **error)
{
  const IfbamMeasures *measures = w->pool->sweep->measures;
  g_autofree char *reason = NULL;

  drop_lanes (w);
  g_clear_pointer (&w->signals, ifbam_signals_free);
  g_clear_pointer (&w->model, ifbam_model_free);
  w->model = compile (w, variant, error);
  if (w->model == NULL)
    return FALSE;
  /* A chosen step and an equilibrium depend on the variant. */
  w->compiled |= w->spec.chosen != NULL || w->spec.start_position != NULL;
  ifbam_run_spec_clear (&w->model_spec);
  w->model_spec = w->spec;
  w->model_spec.start_position =
      g_memdup2 (w->spec.start_position, w->model->n_free * sizeof (double));
  w->signals = ifbam_signals_new (w->model, w->network->by_name, measures->record, &reason);
  if (w->signals == NULL)
    return variant_fault (w, variant, reason, error);
  w->in_lanes =
      !w->pool->run->objects && !w->pool->run->one_by_one && measures->n_events == 0
      && ifbam_lanes_can_run (w->model, &w->spec)
      && IFBAM_LANE_UNIT * ifbam_measurement_memory (measures, &w->spec) <= MAX_LANES_MEMORY;
  for (guint i = 0; i < w->signals->signals->len; i++)
    w->in_lanes = w->in_lanes
                  && ifbam_lanes_has_signal (&g_array_index (w->signals->signals, IfbamSignal, i));
  return TRUE;
}

/* Results */

static void
keep_diverged (const Worker *w, guint64 variant, double instant)
{
  IfbamSweep *sweep = w->pool->sweep;

  g_mutex_lock (&w->pool->mutex);
  sweep->grid->state[variant] = IFBAM_VARIANT_DIVERGED;
  sweep->grid->instant[variant] = instant;
  g_mutex_unlock (&w->pool->mutex);
}

static gboolean
keep_measured (const Worker *w, guint64 variant, gsize lane, GError **error)
{
  IfbamSweep *sweep = w->pool->sweep;
  /* Keeps values of modes. */
  g_autofree double *values = g_memdup2 (sweep->grid->values + variant * sweep->grid->n_values,
                                         sweep->grid->n_values * sizeof (double));
  g_autoptr (GError) fault = NULL;

  if (!ifbam_measurement_read (w->measurement, lane, values, &fault))
    return variant_fault (w, variant, fault->message, error);
  g_mutex_lock (&w->pool->mutex);
  memcpy (sweep->grid->values + variant * sweep->grid->n_values, values,
          sweep->grid->n_values * sizeof *values);
  sweep->grid->state[variant] = IFBAM_VARIANT_DONE;
  g_mutex_unlock (&w->pool->mutex);
  return TRUE;
}

static void
count_steps (Worker *w, guint64 steps)
{
  const guint64 counted = MIN (steps, w->weight - w->counted);

  atomic_fetch_add (&w->pool->done, counted);
  w->counted += counted;
}

static gboolean
is_stopped (const Worker *w)
{
  return atomic_load (&w->pool->stop);
}

/* One by one */

typedef struct
{
  Worker *worker;
  guint64 told; /* steps reported so far */
} Alone;

static gboolean
measure_row (gpointer data, double time, const double *values, GError **error)
{
  Worker *w = ((Alone *) data)->worker;

  (void) error;
  if (time == 0 && !w->pool->sweep->measures->every_row && w->spec.last_step > 0)
    return TRUE;
  for (guint i = 0; i < w->signals->signals->len; i++)
    ifbam_measurement_add (w->measurement, i, values + i);
  ifbam_measurement_next (w->measurement);
  return TRUE;
}

static gboolean
measure_event (gpointer data, const IfbamEvent *event, GError **error)
{
  (void) error;
  ifbam_measurement_event (((Alone *) data)->worker->measurement, event);
  return TRUE;
}

static gboolean
watch_alone (gpointer data, double part)
{
  Alone *alone = data;
  const guint64 steps = (guint64) (part * (double) alone->worker->spec.last_step);

  if (steps > alone->told)
    {
      count_steps (alone->worker, steps - alone->told);
      alone->told = steps;
    }
  return !is_stopped (alone->worker);
}

/* Runs the present variant by itself. */
static gboolean
run_alone (Worker *w, guint64 variant, GError **error)
{
  const IfbamSweepRun *options = w->pool->run;
  Alone alone = { .worker = w };
  IfbamRunTask run = { .threads = w->pool->model_threads,
                       .expects_growth = ifbam_growth_is_expected,
                       .objects = options->objects,
                       .allow_divergence = options->allow_divergence,
                       .row = measure_row,
                       .event = w->pool->sweep->measures->n_events > 0 ? measure_event : NULL,
                       .progress = watch_alone,
                       .data = &alone };
  IfbamRunSpec spec = w->spec;
  g_autoptr (GError) fault = NULL;

  if (!w->pool->sweep->measures->every_row)
    spec.stride = MAX (spec.last_step, 1);
  g_clear_pointer (&w->measurement, ifbam_measurement_free);
  w->measurement = ifbam_measurement_new (w->pool->sweep->measures, 1, &w->spec);
  if (ifbam_run (&run, w->model, w->signals, &spec, &fault))
    return keep_measured (w, variant, 0, error);
  if (!g_error_matches (fault, IFBAM_ERROR, IFBAM_ERROR_INTERRUPTED))
    keep_diverged (w, variant, (double) run.stopped * w->spec.step);
  return TRUE;
}

/* In lanes */

static void
measure_lanes (gpointer data, IfbamLanes *lanes)
{
  Worker *w = data;

  for (guint i = 0; i < w->signals->signals->len; i++)
    ifbam_measurement_add (w->measurement, i,
                           ifbam_lanes_signal (lanes,
                                               &g_array_index (w->signals->signals, IfbamSignal, i),
                                               w->scratch));
  ifbam_measurement_next (w->measurement);
}

static gboolean
watch_lanes (gpointer data, guint64 steps)
{
  Worker *w = data;

  count_steps (w, steps * w->n_lanes);
  return !is_stopped (w);
}

static gsize
round_up (gsize n)
{
  return (n + IFBAM_LANE_UNIT - 1) / IFBAM_LANE_UNIT * IFBAM_LANE_UNIT;
}

static void
make_lanes (Worker *w, gsize width)
{
  if (w->lanes != NULL && w->width == width)
    {
      ifbam_measurement_begin (w->measurement);
      return;
    }
  drop_lanes (w);
  w->width = width;
  w->lanes = ifbam_lanes_new (w->model, &w->model_spec, width);
  w->measurement = ifbam_measurement_new (w->pool->sweep->measures, width, &w->model_spec);
  w->scratch = g_aligned_alloc (width, sizeof (double), 64);
}

/* Copies a variant into the next lane, if it fits. */
static gboolean
fill_lane (Worker *w, guint64 variant, gboolean *taken, GError **error)
{
  g_autoptr (IfbamModel) model = NULL;

  if (!set_variant (w, variant, error))
    return FALSE;
  if (w->compiled)
    {
      model = compile (w, variant, error);
      if (model == NULL)
        return FALSE;
      *taken = same_settings (&w->spec, &w->model_spec)
               && ifbam_lanes_have_equal_structure (w->model, model);
      if (*taken)
        ifbam_lanes_load (w->lanes, w->n_lanes, w->n_lanes + 1, model, &w->spec);
    }
  else
    {
      *taken = fits (w);
      for (guint i = 0; i < w->elements->len && *taken; i++)
        ifbam_lanes_set (w->lanes, w->n_lanes, w->elements->pdata[i]);
    }
  w->n_lanes += *taken;
  return TRUE;
}

/* Fills lanes with the variants that fit, and moves these to the front: n_lanes. */
static gboolean
fill_lanes (Worker *w, guint64 *variants, gsize n, GError **error)
{
  make_lanes (w, round_up (n));
  w->n_lanes = 0;
  /* If none of a few variants fits the first, no more are tried. */
  for (gsize i = 0; i < n && (i < TRIED || w->n_lanes > 1); i++)
    {
      gboolean taken;

      if (!fill_lane (w, variants[i], &taken, error))
        return FALSE;
      if (taken)
        {
          const guint64 other = variants[w->n_lanes - 1];

          variants[w->n_lanes - 1] = variants[i];
          variants[i] = other;
        }
    }
  /* Unused lanes cost as much as others. */
  return round_up (w->n_lanes) == w->width || fill_lanes (w, variants, w->n_lanes, error);
}

/* Lanes don't compute all work. In runs that do, a variant that seems to diverge in its lane is
 * repeated alone, and assessed there. */
static gboolean
check_alone (Worker *w, const guint64 *variants, gsize n, const guint64 *diverged, GError **error)
{
  for (gsize l = 0; l < n && !is_stopped (w); l++)
    if (diverged[l] != IFBAM_LANES_FINE
        && (!set_variant (w, variants[l], error) || !take_model (w, variants[l], error)
            || !run_alone (w, variants[l], error)))
      return FALSE;
  return TRUE;
}

static gboolean
run_lanes (Worker *w, const guint64 *variants, GError **error)
{
  const IfbamLanesRun run = { .stride = w->model_spec.stride,
                              .last_step = w->model_spec.last_step,
                              .every_row = w->pool->sweep->measures->every_row,
                              .allow_divergence = w->pool->run->allow_divergence,
                              .row = measure_lanes,
                              .progress = watch_lanes,
                              .data = w };
  const gboolean alone = ifbam_divergence_needs_all_work (w->model, &w->model_spec);
  g_autofree guint64 *diverged = g_new (guint64, w->n_lanes);

  if (!ifbam_lanes_run (w->lanes, w->n_lanes, &run, diverged))
    return TRUE; /* stopped */
  for (gsize l = 0; l < w->n_lanes && !is_stopped (w); l++)
    if (diverged[l] == IFBAM_LANES_FINE && !keep_measured (w, variants[l], l, error))
      return FALSE;
    else if (diverged[l] != IFBAM_LANES_FINE && !alone)
      keep_diverged (w, variants[l], (double) diverged[l] * w->model_spec.step);
  return !alone || check_alone (w, variants, w->n_lanes, diverged, error);
}

/* Modes */

static gboolean
is_not_stopped (gpointer data)
{
  return !is_stopped (data);
}

/* Sets a variant; computes shapes, and responses if values is not NULL. NULL: interrupted. */
static IfbamModeShapes *
compute_modes (Worker *w, guint64 variant, double *values, GError **error)
{
  const IfbamMeasures *measures = w->pool->sweep->measures;
  const IfbamMeasureWatch watch = { is_not_stopped, w };
  g_autoptr (GError) fault = NULL;
  g_autoptr (IfbamModel) model = NULL;
  g_autoptr (IfbamModes) modes = NULL;

  if (!set_variant (w, variant, error))
    return NULL;
  model = compile (w, variant, error);
  if (model == NULL)
    return NULL;
  if ((values == NULL
       || ifbam_measures_take_responses (measures, model, &w->spec, w->network->by_name, &watch,
                                         values, &fault))
      && measures->n_modes > 0)
    modes = ifbam_measures_find_modes (measures, model, &w->spec, &watch, &fault);
  if (g_error_matches (fault, IFBAM_ERROR, IFBAM_ERROR_INTERRUPTED))
    return NULL;
  if (fault != NULL)
    variant_fault (w, variant, fault->message, error);
  else if (modes == NULL)
    return g_new0 (IfbamModeShapes, 1); /* not requested */
  return modes == NULL ? NULL : ifbam_mode_shapes_new (modes, model);
}

static const IfbamModeShapes *
find_remembered (const Worker *w, guint64 variant)
{
  for (guint i = 0; i < REMEMBERED; i++)
    if (w->remembered[i].shapes != NULL && w->remembered[i].variant == variant)
      return w->remembered[i].shapes;
  return NULL;
}

static const IfbamModeShapes *
remember (Worker *w, guint64 variant, IfbamModeShapes *shapes)
{
  const guint i = w->forgotten++ % REMEMBERED;

  ifbam_mode_shapes_free (w->remembered[i].shapes);
  w->remembered[i].variant = variant;
  w->remembered[i].shapes = shapes;
  return shapes;
}

/* Lists variants before one in the grid, the nearest first: on the fastest axis, then on others. */
static guint
list_neighbours (const Worker *w, guint64 variant, guint64 *list)
{
  const IfbamSweep *sweep = w->pool->sweep;
  const guint n_axes = sweep->variations->len;
  guint64 stride = 1;
  guint n = 0;

  ifbam_grid_indices (sweep->grid, variant, w->index);
  for (guint p = 0; p < n_axes; p++)
    {
      const guint k = n_axes - 1 - p;
      const gsize farthest = MIN (w->index[k], n == 0 ? STEPS_BACK : 1);

      for (gsize back = 1; back <= farthest; back++)
        list[n++] = variant - back * stride;
      stride *= ((IfbamVariation *) sweep->variations->pdata[k])->n;
    }
  return n;
}

/* Compares a variant's shapes with those of a neighbour with a certain match, or the best match. */
static IfbamModeTrack *
follow (Worker *w, guint64 variant, const IfbamModeShapes *shapes, GError **error)
{
  const gsize n_wanted = w->pool->sweep->measures->n_modes;
  g_autoptr (IfbamModeTrack) track = ifbam_mode_track_new (shapes);
  g_autofree guint *match = g_new (guint, shapes->n + 1);
  g_autofree guint64 *list = g_new (guint64, w->pool->sweep->variations->len + STEPS_BACK);
  const guint n = list_neighbours (w, variant, list);
  double best = -1;

  for (guint i = 0; i < n && best < CLEAR; i++)
    {
      const IfbamModeShapes *other = find_remembered (w, list[i]);
      g_autoptr (IfbamModeShapes) made =
          other == NULL ? compute_modes (w, list[i], NULL, error) : NULL;
      double criterion;

      if (other == NULL && made == NULL)
        return NULL;
      criterion = ifbam_mode_shapes_match (shapes, other == NULL ? made : other, n_wanted, match);
      if (criterion <= best)
        continue;
      best = criterion;
      track->reference = list[i] + w->pool->sweep->grid->first;
      memcpy (track->match, match, shapes->n * sizeof *match);
    }
  return g_steal_pointer (&track);
}

/* Computes the track of a variant before the part. FALSE as for take_modes(). */
static gboolean
take_ancestor (Worker *w, guint64 variant, GError **error)
{
  IfbamSweep *sweep = w->pool->sweep;
  IfbamModeShapes *made = compute_modes (w, variant, NULL, error);
  IfbamModeTrack *track =
      made == NULL ? NULL : follow (w, variant, remember (w, variant, made), error);
  const guint64 number = variant + sweep->grid->first;

  if (track == NULL)
    return FALSE;
  g_mutex_lock (&w->pool->mutex);
  g_hash_table_insert (sweep->ancestors, g_memdup2 (&number, sizeof number), track);
  g_mutex_unlock (&w->pool->mutex);
  return TRUE;
}

/* Computes modes at each variant, without a run. FALSE without an error: interrupted. */
static gboolean
take_modes (Worker *w, const guint64 *variants, gsize n, GError **error)
{
  IfbamSweep *sweep = w->pool->sweep;
  const gboolean alone = sweep->measures->record == NULL;

  for (gsize i = 0; i < n && !is_stopped (w); i++)
    {
      if (variants[i] >= sweep->grid->n)
        {
          if (!take_ancestor (w, variants[i], error))
            return FALSE;
          continue;
        }

      double *place = sweep->grid->values + variants[i] * sweep->grid->n_values;
      g_autofree double *values = g_memdup2 (place, sweep->grid->n_values * sizeof (double));
      IfbamModeShapes *made =
          compute_modes (w, variants[i], w->pool->only_modes ? NULL : values, error);
      const IfbamModeShapes *shapes = made == NULL ? NULL : remember (w, variants[i], made);
      g_autoptr (IfbamModeTrack) track = NULL;

      if (shapes == NULL)
        return FALSE;
      if (sweep->tracks != NULL)
        {
          track = follow (w, variants[i], shapes, error);
          if (track == NULL)
            return FALSE;
          for (guint m = 0; m < track->n && w->pool->only_modes; m++)
            ifbam_measures_restore_mode (sweep->measures, values, &track->modes[m]);
        }
      for (guint m = 0; m < sweep->measures->n_modes; m++)
        ifbam_measures_put_mode (sweep->measures, m, m < shapes->n ? &shapes->modes[m] : NULL,
                                 values);
      g_mutex_lock (&w->pool->mutex);
      memcpy (place, values, sweep->grid->n_values * sizeof (double));
      if (alone)
        sweep->grid->state[variants[i]] = IFBAM_VARIANT_DONE;
      if (track != NULL)
        {
          ifbam_mode_track_free (sweep->tracks[variants[i]]);
          sweep->tracks[variants[i]] = g_steal_pointer (&track);
        }
      g_mutex_unlock (&w->pool->mutex);
      if (alone)
        count_steps (w, 1);
    }
  return TRUE;
}

/* Slices */

static gboolean
do_slice (Worker *w, const guint64 *variants, gsize n, GError **error)
{
  g_autofree guint64 *open = g_memdup2 (variants, n * sizeof *variants);
  gboolean apart = FALSE; /* each has its own step */
  gsize first = 0;

  if (ifbam_measures_has_modes (w->pool->sweep->measures) && !take_modes (w, variants, n, error))
    return FALSE;
  if (w->pool->only_modes || w->pool->sweep->measures->record == NULL)
    return TRUE;
  while (first < n && !is_stopped (w))
    {
      if (!set_variant (w, open[first], error))
        return FALSE;
      if ((!w->in_lanes || apart || !fits (w)) && !take_model (w, open[first], error))
        return FALSE;
      if (!w->in_lanes || apart)
        {
          if (!run_alone (w, open[first++], error))
            return FALSE;
          continue;
        }
      if (!fill_lanes (w, open + first, n - first, error) || !run_lanes (w, open + first, error))
        return FALSE;
      apart = w->n_lanes == 1;
      first += w->n_lanes;
    }
  return TRUE;
}

static guint64
steps_of (const Pool *pool, const guint64 *variants, guint64 n, gsize *index)
{
  guint64 steps = 0;

  for (guint64 i = 0; i < n; i++)
    {
      ifbam_grid_indices (pool->sweep->grid, variants[i], index);
      steps += pool->sweep->steps[ifbam_sweep_combination (pool->sweep, index)];
    }
  return steps;
}

static gboolean
worker_init (Worker *w, Pool *pool, GError **error)
{
  const IfbamSweep *sweep = pool->sweep;

  *w = (Worker){ .pool = pool };
  w->network =
      ifbam_network_new_from_bytes (sweep->bytes, (const char *const *) sweep->settings, error);
  w->elements = g_ptr_array_new ();
  w->index = g_new (gsize, sweep->variations->len);
  for (guint k = 0; k < sweep->variations->len && w->network != NULL; k++)
    {
      const IfbamVariation *variation = sweep->variations->pdata[k];

      w->compiled |= variation->composites;
      for (guint t = 0; t < variation->n_targets; t++)
        {
          IfbamElement *element = ifbam_target_element (&variation->targets[t], w->network);

          if (element != w->network->settings && !g_ptr_array_find (w->elements, element, NULL))
            g_ptr_array_add (w->elements, element);
        }
    }
  if (w->network != NULL)
    ifbam_dependent_values_add_elements (sweep->followers, w->network, w->elements);
  if (w->network != NULL)
    {
      IfbamSettingsLaw *law = (IfbamSettingsLaw *) ifbam_element_law (w->network->settings);

      /* Modes don't need a chosen step. */
      if (isinf (law->step) && sweep->measures->record == NULL)
        law->step = 1;
    }
  return w->network != NULL;
}

static void
worker_clear (Worker *w)
{
  drop_lanes (w);
  g_clear_pointer (&w->signals, ifbam_signals_free);
  g_clear_pointer (&w->model, ifbam_model_free);
  ifbam_run_spec_clear (&w->spec);
  ifbam_run_spec_clear (&w->model_spec);
  for (guint i = 0; i < REMEMBERED; i++)
    ifbam_mode_shapes_free (w->remembered[i].shapes);
  g_ptr_array_unref (w->elements);
  g_free (w->index);
  g_clear_object (&w->network);
}

/* Runs slices until there are none. */
static gpointer
work (gpointer data)
{
  Pool *pool = data;
  Worker w;
  GError *error = NULL;
  gboolean fine = worker_init (&w, pool, &error);

  while (fine && !is_stopped (&w))
    {
      guint64 first, n;

      g_mutex_lock (&pool->mutex);
      first = pool->next;
      n = MIN (pool->slice, pool->n - first);
      pool->next += n;
      g_mutex_unlock (&pool->mutex);
      if (n == 0)
        break;
      w.counted = 0;
      w.weight = steps_of (pool, pool->list + first, n, w.index);
      fine = do_slice (&w, pool->list + first, (gsize) n, &error);
      /* Steps after a divergence were not reported. */
      if (fine && !is_stopped (&w))
        count_steps (&w, w.weight - w.counted);
    }
  worker_clear (&w);
  g_mutex_lock (&pool->mutex);
  if (error != NULL)
    {
      atomic_store (&pool->stop, TRUE);
      if (pool->error == NULL)
        pool->error = g_steal_pointer (&error);
      g_clear_error (&error);
    }
  pool->working--;
  g_cond_signal (&pool->finished);
  g_mutex_unlock (&pool->mutex);
  return NULL;
}

/* The list */

/* Returns the order of variations: those that prevent common lanes change least often. */
static guint
rank_of (const IfbamVariation *variation)
{
  gboolean counts = FALSE;

  for (guint t = 0; t < variation->n_targets; t++)
    counts |= variation->targets[t].element != NULL && variation->targets[t].member == NULL;
  return variation->settings ? 0 : variation->composites && counts ? 1 : 2;
}

typedef struct
{
  guint64 place, variant;
} Listed;

static int
compare_listed (gconstpointer a, gconstpointer b)
{
  const Listed *one = a, *other = b;

  return one->place < other->place ? -1 : one->place > other->place;
}

static guint64 *
list_open (const IfbamSweep *sweep, guint64 *n)
{
  const guint n_variations = sweep->variations->len;
  g_autofree guint *order = g_new (guint, n_variations);
  g_autofree gsize *index = g_new (gsize, n_variations);
  g_autofree Listed *listed = g_new (Listed, sweep->grid->n + 1);
  guint64 *list = g_new (guint64, sweep->grid->n + 1);
  gboolean sorted = TRUE;
  guint placed = 0;

  for (guint rank = 0; rank < 3; rank++)
    for (guint k = 0; k < n_variations; k++)
      if (rank_of (sweep->variations->pdata[k]) == rank)
        order[placed++] = k;
  *n = 0;
  for (guint64 v = 0; v < sweep->grid->n; v++)
    {
      guint64 place = 0;

      if (sweep->grid->state[v] != IFBAM_VARIANT_OPEN)
        continue;
      ifbam_grid_indices (sweep->grid, v, index);
      for (guint p = 0; p < n_variations; p++)
        place =
            place * ((IfbamVariation *) sweep->variations->pdata[order[p]])->n + index[order[p]];
      sorted &= *n == 0 || listed[*n - 1].place < place;
      listed[(*n)++] = (Listed){ place, v };
    }
  if (!sorted)
    qsort (listed, *n, sizeof *listed, compare_listed);
  for (guint64 i = 0; i < *n; i++)
    list[i] = listed[i].variant;
  return list;
}

/* Threads */

/* Waits for the threads and reports progress; results don't change during a report. */
static void
wait_for_all (Pool *pool)
{
  const IfbamSweepRun *run = pool->run;

  g_mutex_lock (&pool->mutex);
  while (pool->working > 0)
    {
      const double part = (double) atomic_load (&pool->done) / MAX (pool->total, 1);

      if (run->progress != NULL && !atomic_load (&pool->stop)
          && !run->progress (run->data, MIN (part, 1)))
        atomic_store (&pool->stop, TRUE);
      g_cond_wait_until (&pool->finished, &pool->mutex, g_get_monotonic_time () + INTERVAL);
    }
  g_mutex_unlock (&pool->mutex);
}

static gboolean
run_threads (Pool *pool, guint n_threads, GError **error)
{
  g_autoptr (GPtrArray) threads = g_ptr_array_new ();

  pool->working = n_threads;
  for (guint t = 0; t < n_threads; t++)
    {
      GThread *thread = g_thread_try_new ("sweep", work, pool, t == 0 ? error : NULL);

      if (thread != NULL)
        g_ptr_array_add (threads, thread);
    }
  g_mutex_lock (&pool->mutex);
  pool->working -= n_threads - threads->len;
  g_mutex_unlock (&pool->mutex);
  wait_for_all (pool);
  for (guint t = 0; t < threads->len; t++)
    g_thread_join (threads->pdata[t]);
  if (threads->len > 0)
    g_clear_error (error);
  return threads->len > 0;
}

static gboolean
run_list (IfbamSweep *sweep, const IfbamSweepRun *run, const guint64 *list, guint64 n,
          gboolean only_modes, GError **error)
{
  const guint threads = run->threads > 0 ? run->threads : MIN (64, g_get_num_processors ());
  const guint workers = sweep->large ? 1 : threads;
  const gsize by_rows =
      round_up ((gsize) MAX (1, MIN (1e6, MAX_ROWS_MEMORY / MAX (sweep->row_memory, 1))));
  Pool pool = { .sweep = sweep,
                .run = run,
                .list = list,
                .n = n,
                .only_modes = only_modes,
                .slice = MIN (MIN (sweep->width, by_rows), round_up ((n + workers - 1) / workers)),
                .model_threads = sweep->large ? threads : 1 };
  g_autofree gsize *index = g_new (gsize, sweep->variations->len);
  gboolean fine;

  if (n == 0)
    return TRUE;
  for (guint64 i = 0; i < n; i++)
    pool.total += (double) steps_of (&pool, list + i, 1, index);
  g_mutex_init (&pool.mutex);
  g_cond_init (&pool.finished);
  fine = run_threads (&pool, (guint) MIN (workers, (n + pool.slice - 1) / pool.slice), error);
  g_mutex_clear (&pool.mutex);
  g_cond_clear (&pool.finished);
  ifbam_sweep_place_modes (sweep);
  if (pool.error != NULL)
    {
      g_propagate_error (error, pool.error);
      return FALSE;
    }
  if (fine && atomic_load (&pool.stop))
    g_set_error (error, IFBAM_ERROR, IFBAM_ERROR_INTERRUPTED,
                 "interrupted after %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " variants",
                 ifbam_grid_count (sweep->grid, FALSE), sweep->grid->n);
  return fine && !atomic_load (&pool.stop);
}

gboolean
ifbam_sweep_run_list (IfbamSweep *sweep, const IfbamSweepRun *run, const guint64 *list, guint64 n,
                      GError **error)
{
  if (sweep->measures->n_modes > 0 && !sweep->measures->by_rank && sweep->tracks == NULL)
    sweep->tracks = g_new0 (IfbamModeTrack *, sweep->grid->n + 1);
  return run_list (sweep, run, list, n, FALSE, error);
}

/* Adds a variant before the part, and those before it on the fastest axis, to which it probably
 * refers, unless they are known. */
static void
add_ancestors (const IfbamSweep *sweep, guint64 number, GHashTable *wanted)
{
  const guint64 n = ((IfbamVariation *) sweep->variations->pdata[sweep->variations->len - 1])->n;

  for (guint64 other = number - number % n; other <= number; other++)
    if (!g_hash_table_contains (sweep->ancestors, &other)
        && !g_hash_table_contains (wanted, &other))
      g_hash_table_add (wanted, g_memdup2 (&other, sizeof other));
}

/* Tracks a part's modes back to the first variant of all, for the columns of the whole. */
static gboolean
find_ancestors (IfbamSweep *sweep, const IfbamSweepRun *run, GError **error)
{
  guint n;

  if (sweep->tracks == NULL || sweep->grid->first == 0)
    return TRUE;
  if (sweep->ancestors == NULL)
    sweep->ancestors = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free,
                                              (GDestroyNotify) ifbam_mode_track_free);
  do
    {
      g_autoptr (GHashTable) wanted =
          g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
      g_autofree guint64 *list = NULL;
      GHashTableIter iter;
      gpointer key, value;

      for (guint64 v = 0; v < sweep->grid->n; v++)
        if (sweep->tracks[v] != NULL && sweep->tracks[v]->reference < sweep->grid->first)
          add_ancestors (sweep, sweep->tracks[v]->reference, wanted);
      g_hash_table_iter_init (&iter, sweep->ancestors);
      while (g_hash_table_iter_next (&iter, &key, &value))
        if (((IfbamModeTrack *) value)->reference != G_MAXUINT64)
          add_ancestors (sweep, ((IfbamModeTrack *) value)->reference, wanted);
      n = 0;
      list = g_new (guint64, g_hash_table_size (wanted) + 1);
      g_hash_table_iter_init (&iter, wanted);
      while (g_hash_table_iter_next (&iter, &key, &value))
        list[n++] = *(guint64 *) key;
      qsort (list, n, sizeof *list, ifbam_compare_uint64);
      for (guint i = 0; i < n; i++)
        list[i] -= sweep->grid->first;
      if (!run_list (sweep, run, list, n, TRUE, error))
        return FALSE;
    }
  while (n > 0);
  return TRUE;
}

gboolean
ifbam_sweep_run (IfbamSweep *sweep, const IfbamSweepRun *run, GError **error)
{
  guint64 n, unseen = 0;
  g_autofree guint64 *list = list_open (sweep, &n), *finished = g_new (guint64, sweep->grid->n + 1);

  if (!ifbam_sweep_run_list (sweep, run, list, n, error))
    return FALSE;
  /* Finished variants: their columns depend on the variants between. */
  for (guint64 v = 0; sweep->tracks != NULL && v < sweep->grid->n; v++)
    if (sweep->tracks[v] == NULL)
      finished[unseen++] = v;
  return run_list (sweep, run, finished, unseen, TRUE, error) && find_ancestors (sweep, run, error);
}
