/* section.c: Poincaré sections over a number
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "orbit/section.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"

/* Change of a coordinate for a central difference, relative to its largest value. */
#define DIFFERENCE 1e-6
#define POLLING    2000 /* [us] */

/* Work of all threads. */
typedef struct
{
  const IfbamSectionRequest *request;
  IfbamSections *sections;
  gint next, done, stopped; /* atomic */
} Work;

/* Rows of a run. */
typedef struct
{
  guint n;        /* signals */
  GArray *times;  /* of the rows */
  GArray *values; /* (times)(n) */
  GArray *events; /* times of the wanted events */
  const char *at; /* "stop.impact"; NULL: at phase 0 */
} Rows;

/* Rows */

static gboolean
add_row (gpointer data, double time, const double *values, GError **error)
{
  Rows *rows = data;

  (void) error;
  g_array_append_val (rows->times, time);
  g_array_append_vals (rows->values, values, rows->n);
  return TRUE;
}

static gboolean
add_event (gpointer data, const IfbamEvent *event, GError **error)
{
  Rows *rows = data;
  const gsize n = strlen (event->element);

  (void) error;
  if (strncmp (rows->at, event->element, n) == 0 && rows->at[n] == '.'
      && g_str_equal (rows->at + n + 1, event->word))
    g_array_append_val (rows->events, event->time);
  return TRUE;
}

/* Moves the rows of the section to VALUES: those at the events, just after them, or all but the
 * first, which is the end of the periods before. */
static void
take_rows (const Rows *rows, GArray *values)
{
  guint next = 0;

  for (guint i = 0; i < rows->times->len; i++)
    {
      const double time = g_array_index (rows->times, double, i);
      gboolean wanted = rows->at == NULL && i > 0;

      if (rows->at != NULL && next < rows->events->len)
        wanted =
            time == g_array_index (rows->events, double, next)
            && (i + 1 == rows->times->len || g_array_index (rows->times, double, i + 1) > time);
      next += wanted;
      if (wanted)
        g_array_append_vals (values, &g_array_index (rows->values, double, i * rows->n), rows->n);
    }
}

/* Adds the points of the section from a state. */
static gboolean
add_points (const IfbamPeriodMap *map, const IfbamSectionRequest *request, const double *state,
            GArray *values, GError **error)
{
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) events = g_array_new (FALSE, FALSE, sizeof (double));
  Rows rows = { .n = map->signals->signals->len,
                .times = times,
                .values = all,
                .events = events,
                .at = request->at };
  IfbamRunTask task = { .threads = 1,
                        .allow_divergence = TRUE,
                        .event_rows = request->at != NULL,
                        .event = request->at != NULL ? add_event : NULL,
                        .row = add_row,
                        .data = &rows };
  IfbamRunSpec spec = ifbam_period_map_spec (map, state, request->last);

  spec.stride = map->steps;
  if (!ifbam_run (&task, map->model, map->signals, &spec, error))
    return FALSE;
  take_rows (&rows, values);
  return TRUE;
}

/* Exponents */

/* Advances a state by periods. */
static gboolean
advance (const IfbamPeriodMap *map, guint64 periods, double *state, GError **error)
{
  return periods == 0
         || ifbam_period_map_run (
             map,
             &(IfbamPeriodRun){ .state = state,
                                .time = (double) periods * ifbam_period_map_period (map),
                                .steps = periods * map->steps,
                                .end = state },
             error);
}

/* Multiplies a direction (n) by the Jacobian of the period map, by a central difference along it. */
static gboolean
multiply (const IfbamPeriodMap *map, const double *state, const double *scale, double *direction,
          GError **error)
{
  const gsize n = map->n;
  g_autofree double *side = g_new (double, 2 * n);

  for (guint k = 0; k < 2; k++)
    {
      for (gsize i = 0; i < n; i++)
        side[k * n + i] = state[i] + (k == 0 ? -DIFFERENCE : DIFFERENCE) * scale[i] * direction[i];
      if (!advance (map, 1, side + k * n, error))
        return FALSE;
    }
  for (gsize i = 0; i < n; i++)
    direction[i] = (side[n + i] - side[i]) / (2 * DIFFERENCE * scale[i]);
  return TRUE;
}

/* Orthonormalizes the directions (n)(n) by Gram and Schmidt, twice; adds the logarithms of their
 * lengths to the sums. */
static void
orthonormalize (double *directions, gsize n, double *sum)
{
  for (gsize j = 0; j < n; j++)
    {
      double *own = directions + j * n, length = 0;

      for (gsize pass = 0; pass < 2; pass++)
        for (gsize k = 0; k < j; k++)
          {
            double product = 0;

            for (gsize i = 0; i < n; i++)
              product += own[i] * directions[k * n + i];
            for (gsize i = 0; i < n; i++)
              own[i] -= product * directions[k * n + i];
          }
      for (gsize i = 0; i < n; i++)
        length += own[i] * own[i];
      length = sqrt (length);
      sum[j] += log (length);
      for (gsize i = 0; i < n; i++)
        own[i] = length > 0 ? own[i] / length : 0;
    }
}

/* Computes the exponents along the section from a state, which moves to its end. */
static gboolean
find_exponents (const IfbamPeriodMap *map, const IfbamSectionRequest *request, double *state,
                double *exponent, GError **error)
{
  const gsize n = map->n;
  g_autofree double *directions = g_new0 (double, n *n), *scale = g_new0 (double, n);
  const double time = request->last * ifbam_period_map_period (map);
  double largest[2] = { 0 }; /* position, rate */

  for (gsize i = 0; i < n; i++)
    largest[i >= n / 2] = fmax (largest[i >= n / 2], fabs (state[i]));
  for (gsize i = 0; i < n; i++)
    {
      exponent[i] = 0;
      directions[i * n + i] = 1;
      scale[i] = largest[i >= n / 2] > 0 ? largest[i >= n / 2] : 1e-3;
    }
  for (guint p = 0; p < request->last; p++)
    {
      for (gsize j = 0; j < n; j++)
        if (!multiply (map, state, scale, directions + j * n, error))
          return FALSE;
      orthonormalize (directions, n, exponent);
      if (!advance (map, 1, state, error))
        return FALSE;
    }
  for (gsize i = 0; i < n; i++)
    exponent[i] /= time;
  return TRUE;
}

/* Runs */

/* Computes the points of a number from a state, which moves to the end if that is needed. */
static gboolean
compute (IfbamPeriodMap *map, const Work *work, IfbamSectionRun *run, double *state, GError **error)
{
  const IfbamSectionRequest *request = work->request;

  if (!ifbam_period_map_load (map, run->number, error))
    return FALSE;
  ifbam_period_map_choose_steps (map);
  if (run->carry == IFBAM_CARRY_NONE || isnan (state[0]))
    ifbam_period_map_get_start (map, state);
  if (!advance (map, request->orbit.settling, state, error)
      || !add_points (map, request, state, run->values, error))
    return FALSE;
  if (request->exponents)
    {
      run->exponent = g_new (double, map->n);
      return find_exponents (map, request, state, run->exponent, error);
    }
  return run->carry == IFBAM_CARRY_NONE || advance (map, request->last, state, error);
}

/* Computes all runs of a direction, or of a thread: those that no other one has taken. */
static gpointer
compute_all (gpointer data)
{
  Work *work = data;
  g_autoptr (GError) ignored = NULL;
  g_autoptr (IfbamPeriodMap) map = ifbam_period_map_new (&work->request->orbit, &ignored);
  g_autofree double *state = map == NULL ? NULL : g_new (double, map->n);
  const gint n = (gint) work->sections->runs->len;
  IfbamCarry before = IFBAM_CARRY_NONE;

  if (map == NULL)
    g_atomic_int_set (&work->stopped, TRUE);
  for (gint i = g_atomic_int_add (&work->next, 1); i < n && !g_atomic_int_get (&work->stopped);
       i = g_atomic_int_add (&work->next, 1))
    {
      IfbamSectionRun *run = &g_array_index (work->sections->runs, IfbamSectionRun, i);
      g_autoptr (GError) error = NULL;

      if (run->carry != before)
        state[0] = NAN;
      before = run->carry;
      if (!compute (map, work, run, state, &error))
        {
          run->failure = g_strdup (error->message);
          g_clear_pointer (&run->exponent, g_free);
          state[0] = NAN;
        }
      g_atomic_int_inc (&work->done);
    }
  return NULL;
}

static void
run_clear (gpointer data)
{
  IfbamSectionRun *run = data;

  g_array_unref (run->values);
  g_free (run->exponent);
  g_free (run->failure);
}

void
ifbam_sections_free (IfbamSections *sections)
{
  if (sections == NULL)
    return;
  g_free (sections->name);
  g_ptr_array_unref (sections->signals);
  g_ptr_array_unref (sections->units);
  g_array_unref (sections->runs);
  g_free (sections);
}

/* Adds the runs of the part, in one direction. */
static void
add_runs (IfbamSections *sections, const IfbamSectionRequest *request, const IfbamPeriodMap *map,
          IfbamCarry carry)
{
  const guint n = map->variation == NULL ? 1 : request->points;
  const guint64 parts = MAX (request->n_parts, 1);
  const guint first = (guint) (n * request->part / parts),
              end = (guint) (n * (request->part + 1) / parts);

  for (guint k = first; k < end; k++)
    {
      const guint i = carry == IFBAM_CARRY_DOWN ? n - 1 - k : k;
      const double part = n > 1 ? (double) i / (n - 1) : 0;
      const IfbamSectionRun run = {
        .number = map->variation == NULL
                      ? NAN
                      : (1 - part) * map->variation->values[0] + part * map->variation->values[1],
        .carry = carry,
        .values = g_array_new (FALSE, FALSE, sizeof (double)),
      };

      g_array_append_val (sections->runs, run);
    }
}

/* Runs all threads. FALSE: interrupted. */
static gboolean
run_threads (Work *work)
{
  const IfbamSectionRequest *request = work->request;
  const gint n = (gint) work->sections->runs->len;
  const guint wanted = request->carry != IFBAM_CARRY_NONE ? 1
                       : request->threads > 0             ? request->threads
                                                          : g_get_num_processors ();
  g_autoptr (GPtrArray) threads = g_ptr_array_new ();

  for (guint t = 0; t < MIN (wanted, (guint) n); t++)
    g_ptr_array_add (threads, g_thread_new ("section", compute_all, work));
  while (g_atomic_int_get (&work->done) < n && !g_atomic_int_get (&work->stopped))
    {
      if (request->orbit.progress != NULL
          && !request->orbit.progress (request->orbit.data,
                                       (double) g_atomic_int_get (&work->done) / n))
        g_atomic_int_set (&work->stopped, TRUE);
      g_usleep (POLLING);
    }
  for (guint t = 0; t < threads->len; t++)
    g_thread_join (threads->pdata[t]);
  return !work->stopped;
}

static gboolean
check (const IfbamSectionRequest *request, const IfbamPeriodMap *map, GError **error)
{
  const char *at = request->at, *dot = at == NULL ? NULL : strrchr (at, '.');
  g_autofree char *owner = at == NULL ? NULL : g_strndup (at, strcspn (at, "."));

  if (at != NULL && (dot == NULL || dot[1] == '\0'))
    return ifbam_fail (error, IFBAM_ERROR_USAGE, "--at %s: want ELEMENT.EVENT, such as stop.impact",
                       request->at);
  return owner == NULL || g_hash_table_contains (map->network->by_name, owner)
         || ifbam_fail (error, IFBAM_ERROR_USAGE, "--at %s: there is no element \"%s\"",
                        request->at, owner);
}

IfbamSections *
ifbam_sections_new (const IfbamSectionRequest *request, GError **error)
{
  g_autoptr (IfbamPeriodMap) map = ifbam_period_map_new (&request->orbit, error);
  g_autoptr (IfbamSections) sections = NULL;
  Work work = { .request = request };

  if (map == NULL || !check (request, map, error))
    return NULL;
  sections = g_new0 (IfbamSections, 1);
  sections->runs = g_array_new (FALSE, FALSE, sizeof (IfbamSectionRun));
  g_array_set_clear_func (sections->runs, run_clear);
  sections->signals = g_ptr_array_ref (map->signals->names);
  sections->units = g_ptr_array_ref (map->signals->units);
  sections->name = map->variation == NULL ? NULL : g_strdup (map->variation->name);
  sections->unit = map->variation == NULL ? "" : map->variation->unit;
  sections->n_exponents = request->exponents ? (guint) map->n : 0;
  if (request->carry == IFBAM_CARRY_NONE)
    add_runs (sections, request, map, IFBAM_CARRY_NONE);
  for (IfbamCarry carry = IFBAM_CARRY_UP; carry <= IFBAM_CARRY_DOWN; carry++)
    if (request->carry & carry)
      add_runs (sections, request, map, carry);
  work.sections = sections;
  if (!run_threads (&work))
    return ifbam_fail_null (error, IFBAM_ERROR_INTERRUPTED, "interrupted: nothing is written");
  return g_steal_pointer (&sections);
}
