/* period-map.c: state of a network after a period, as a function of the state before
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "orbit/period-map.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/number-text.h"

static gboolean
refuse (GError **error, const char *option, const char *text, const char *reason)
{
  return ifbam_fail (error, IFBAM_ERROR_USAGE, "%s %s: %s", option, text, reason);
}

/* Reads the number that varies, and its two ends. */
static gboolean
read_range (IfbamPeriodMap *map, GError **error)
{
  const char *over = map->request->over;
  g_autofree char *grid = g_strdup_printf ("%s:2", over);
  g_autofree char *reason = NULL;
  const char *equals = strchr (over, '=');
  const char *colon = equals == NULL ? NULL : strchr (equals, ':');

  if (colon == NULL || strchr (colon + 1, ':') != NULL)
    return refuse (error, "--over", over,
                   "want PARAMETER=FROM:TO or ELEMENT.KEY=FROM:TO, such as push.frequency=1Hz:2Hz");
  map->variation = ifbam_variation_new (map->network, map->model, grid, &reason);
  return map->variation != NULL || refuse (error, "--over", over, reason);
}

/* Replaces the network by another one. */
static gboolean
read_network (IfbamPeriodMap *map, const char *const *settings, GError **error)
{
  const IfbamOrbitRequest *request = map->request;
  g_autofree char *reason = NULL;

  g_clear_pointer (&map->signals, ifbam_signals_free);
  g_clear_pointer (&map->model, ifbam_model_free);
  g_clear_object (&map->network);
  ifbam_run_spec_clear (&map->spec);
  map->spec = (IfbamRunSpec){ 0 };
  map->network = ifbam_network_new_from_bytes (request->bytes, settings, error);
  map->model = map->network == NULL ? NULL
                                    : ifbam_network_compile_or_error (map->network, request->free,
                                                                      &map->spec, NULL, error);
  if (map->model == NULL)
    return FALSE;
  map->spec = ifbam_run_spec_at_first (&map->spec);
  map->signals =
      ifbam_signals_new (map->model, map->network->by_name,
                         request->signals != NULL ? request->signals : map->spec.record, &reason);
  return map->signals != NULL
         || refuse (error, "--signal", request->signals != NULL ? request->signals : "", reason);
}

static gboolean
load (IfbamPeriodMap *map, double number, GError **error)
{
  const char *const *settings = map->request->settings;
  const guint n = g_strv_length ((char **) settings);
  g_autofree const char **all = g_new0 (const char *, n + 2);
  g_autofree char *own = g_strdup_printf ("%s=%s %s", map->variation->name, IFBAM_NUMBER (number),
                                          map->variation->unit);

  memcpy (all, settings, n * sizeof *all);
  all[n] = g_strchomp (own);
  map->number = NAN; /* if it fails */
  if (!read_network (map, all, error))
    {
      g_prefix_error (error, "at %.6g %s: ", number, map->variation->unit);
      return FALSE;
    }
  map->number = number;
  return TRUE;
}

gboolean
ifbam_period_map_load (IfbamPeriodMap *map, double number, GError **error)
{
  return map->variation == NULL || map->number == number || load (map, number, error);
}

/* Source */

/* Returns the frequency of an element that repeats [Hz]; 0: it has none. */
static double
frequency_of (const IfbamElement *element)
{
  return ifbam_element_value_of (element, "wave") == IFBAM_WAVE_SINE
             ? ifbam_element_value_of (element, "frequency")
             : 0;
}

/* Finds the named source, or the only one: several with one frequency count as one. */
static gboolean
find_source (IfbamPeriodMap *map, GError **error)
{
  const char *wanted = map->request->source;
  const IfbamElement *found = NULL;

  if (wanted != NULL && !g_hash_table_contains (map->network->by_name, wanted))
    return refuse (error, "--source", wanted, "there is no such element");
  for (guint i = 0; i < map->network->elements->len; i++)
    {
      const IfbamElement *element = map->network->elements->pdata[i];
      const double frequency = frequency_of (element);

      if (!(frequency > 0) || (wanted != NULL && !g_str_equal (wanted, element->name)))
        continue;
      if (found != NULL && frequency_of (found) != frequency)
        return ifbam_fail (error, IFBAM_ERROR_USAGE,
                           "\"%s\" and \"%s\" have different frequencies (choose one by --source)",
                           found->name, element->name);
      if (found == NULL)
        found = element;
    }
  if (found == NULL && wanted != NULL)
    return refuse (error, "--source", wanted, "has no sine with a frequency above 0");
  if (found == NULL)
    return ifbam_fail (error, IFBAM_ERROR_USAGE,
                       "no element has a sine with a frequency above 0 (ifbam orbit --free needs "
                       "none)");
  map->source = g_strdup (found->name);
  return TRUE;
}

double
ifbam_period_map_period (const IfbamPeriodMap *map)
{
  return map->request->periods
         / frequency_of (g_hash_table_lookup (map->network->by_name, map->source));
}

void
ifbam_period_map_choose_steps (IfbamPeriodMap *map)
{
  map->steps = (guint64) ceil (ifbam_period_map_period (map) / map->spec.step * (1 - 1e-9));
}

/* Map */

/* Refuses networks with states that are not positions and rates of free nodes. */
static gboolean
check (const IfbamPeriodMap *map, GError **error)
{
  if (map->spec.scheme->latency)
    return ifbam_fail (error, IFBAM_ERROR_USAGE,
                       "scheme %s: its state includes the step before (want a one-step scheme, "
                       "such as --scheme rk4)",
                       map->spec.scheme->name);
  if (map->model->time_events->len > 0 || map->model->recurrent->len > 0)
    return ifbam_fail (error, IFBAM_ERROR_NETWORK,
                       "events at given times (impulses, corners of sources, samples of "
                       "controllers) are not followed: a motion with them is no function of "
                       "positions and rates");
  if (map->model->n_junctions > 0)
    return ifbam_fail (error, IFBAM_ERROR_NETWORK,
                       "nodes without inertia have no start of their own: a motion with them is no "
                       "function of positions and rates (give them a mass)");
  return map->model->n_free > 0
         || ifbam_fail (error, IFBAM_ERROR_NETWORK, "there is no free node that can move");
}

IfbamPeriodMap *
ifbam_period_map_new (const IfbamOrbitRequest *request, GError **error)
{
  g_autoptr (IfbamPeriodMap) map = g_new0 (IfbamPeriodMap, 1);

  map->request = request;
  map->number = NAN;
  if (!read_network (map, request->settings, error)
      || (request->over != NULL && !read_range (map, error))
      || (map->variation != NULL && !load (map, map->variation->values[0], error))
      || !check (map, error) || (!request->free && !find_source (map, error)))
    return NULL;
  map->n = 2 * map->model->n_free;
  if (!request->free)
    ifbam_period_map_choose_steps (map);
  return g_steal_pointer (&map);
}

void
ifbam_period_map_free (IfbamPeriodMap *map)
{
  if (map == NULL)
    return;
  g_clear_pointer (&map->variation, ifbam_variation_free);
  g_clear_pointer (&map->signals, ifbam_signals_free);
  g_clear_pointer (&map->model, ifbam_model_free);
  g_clear_object (&map->network);
  ifbam_run_spec_clear (&map->spec);
  g_free (map->source);
  g_free (map);
}

void
ifbam_period_map_get_start (const IfbamPeriodMap *map, double *state)
{
  ifbam_start_range (map->model, &map->spec, 0, map->model->n_free, state,
                     state + map->model->n_free);
}

/* Returns the spec of a run from a state (not copied). */
static IfbamRunSpec
spec_from (const IfbamPeriodMap *map, const double *state, double time, guint64 steps)
{
  IfbamRunSpec spec = map->spec;

  spec.start_position = (double *) state;
  spec.start_rate = (double *) state + map->model->n_free;
  spec.equilibrium = spec.still = spec.cut = FALSE;
  spec.step = time / (double) steps;
  spec.stride = 1;
  spec.last_step = steps;
  return spec;
}

IfbamRunSpec
ifbam_period_map_spec (const IfbamPeriodMap *map, const double *state, guint64 periods)
{
  return spec_from (map, state, (double) periods * ifbam_period_map_period (map),
                    periods * map->steps);
}

static gboolean
is_finite (const double *state, gsize n)
{
  for (gsize i = 0; i < n; i++)
    if (!isfinite (state[i]))
      return FALSE;
  return TRUE;
}

/* Returns a copy of the events. Their names are interned: they outlive the network. */
static GArray *
copy_events (const GArray *events)
{
  GArray *copy = g_array_new (FALSE, FALSE, sizeof (IfbamEvent));

  for (guint i = 0; events != NULL && i < events->len; i++)
    {
      IfbamEvent event = g_array_index (events, IfbamEvent, i);

      event.element = g_intern_string (event.element);
      event.word = g_intern_string (event.word);
      g_array_append_val (copy, event);
    }
  return copy;
}

gboolean
ifbam_period_map_run (const IfbamPeriodMap *map, const IfbamPeriodRun *run, GError **error)
{
  const gsize n_free = map->model->n_free;
  const guint64 steps = run->listener == NULL ? run->steps : 1; /* at once */
  const IfbamRunSpec spec = spec_from (map, run->state, run->time, run->steps);
  g_autofree double *own = g_new (double, map->n);
  g_autoptr (IfbamEngine) engine = NULL;
  gboolean advances = TRUE;

  if (!(run->time > 0) || !is_finite (run->state, map->n))
    return ifbam_fail (error, IFBAM_ERROR_NETWORK, "the motion is not finite");
  engine = ifbam_engine_new_as_needed (map->model, &spec, 1);
  if (run->events != NULL)
    ifbam_engine_record_events (engine);
  ifbam_engine_start (engine);
  for (guint64 k = 0; k < run->steps && advances; k += steps)
    {
      advances = engine->log->failure == NULL && ifbam_engine_advance (engine, steps, NULL);
      ifbam_engine_get_nodes (engine, 0, n_free, own, own + n_free);
      if (advances && run->listener != NULL)
        run->listener (run->data, own);
    }
  if (!advances)
    return ifbam_fail (error, IFBAM_ERROR_NETWORK, "%s",
                       engine->log->failure != NULL ? engine->log->failure
                                                    : "a step has no solution");
  if (!is_finite (own, map->n))
    return ifbam_fail (error, IFBAM_ERROR_NETWORK, "the motion is not finite");
  memcpy (run->end, own, map->n * sizeof *own);
  if (run->events != NULL)
    *run->events = copy_events (engine->log->events);
  return TRUE;
}

/* Signals */

typedef struct
{
  guint n;
  double *low, *high; /* (n) */
} Extent;

static gboolean
extend (gpointer data, double time, const double *values, GError **error)
{
  Extent *extent = data;

  (void) time;
  (void) error;
  for (guint i = 0; i < extent->n; i++)
    {
      extent->low[i] = fmin (extent->low[i], values[i]);
      extent->high[i] = fmax (extent->high[i], values[i]);
    }
  return TRUE;
}

gboolean
ifbam_period_map_measure (const IfbamPeriodMap *map, const double *state, double time,
                          double *amplitude, GError **error)
{
  const IfbamRunSpec spec = spec_from (map, state, time, map->steps);
  const guint n = map->signals->signals->len;
  g_autofree double *low = g_new (double, n + 1), *high = g_new (double, n + 1);
  Extent extent = { n, low, high };
  IfbamRunTask task = {
    .threads = 1, .allow_divergence = TRUE, .event_rows = TRUE, .row = extend, .data = &extent
  };

  for (guint i = 0; i < n; i++)
    {
      low[i] = INFINITY;
      high[i] = -INFINITY;
    }
  if (!ifbam_run (&task, map->model, map->signals, &spec, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    amplitude[i] = 0.5 * (high[i] - low[i]);
  return TRUE;
}

/* Events */

static guint
count (const GArray *events, const IfbamEvent *like)
{
  guint n = 0;

  for (guint i = 0; i < events->len; i++)
    {
      const IfbamEvent *event = &g_array_index (events, IfbamEvent, i);

      n += event->element == like->element && event->word == like->word;
    }
  return n;
}

char *
ifbam_events_compare (const GArray *before, const GArray *after)
{
  const GArray *const lists[] = { before, after };

  for (guint l = 0; l < G_N_ELEMENTS (lists); l++)
    for (guint i = 0; i < lists[l]->len; i++)
      {
        const IfbamEvent *event = &g_array_index (lists[l], IfbamEvent, i);
        const guint n = count (before, event), m = count (after, event);

        if (n != m)
          return g_strdup_printf ("%s: %u %s, then %u", event->element, n, event->word, m);
      }
  return NULL;
}
