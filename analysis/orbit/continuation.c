/* continuation.c: periodic motions of a network over one of its numbers
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "orbit/continuation.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "orbit/multipliers.h"

/* Lengths of arc, in scales. */
#define FIRST_LENGTH 0.02
#define MAX_LENGTH   0.2
#define MIN_LENGTH   1e-6
#define NEAR_LENGTH  1e-3 /* at which a branch ends where motions very close by have other events */
#define EXACT_LENGTH 1e-11 /* of special points */
#define GROWTH       1.5
/* Iterations up to which lengths grow, cosine of the largest turn of the tangent in a length. */
#define FEW_ITERATIONS 6
#define MIN_COSINE     0.96
#define MAX_LOCATING   40
/* Last points of a branch from which the number of a grazing impact is extrapolated, and the largest
 * part of the first one's speed that the last one may have. */
#define GRAZING_POINTS 5
#define GRAZING_SPEED  0.5
/* A motion repeats if the second period ends this near to the first one [scales]. */
#define REPEATS 1e-4
/* Products of multipliers minus 1 that are rounding. */
#define ROUNDING 1e-8

typedef struct
{
  const IfbamOrbitRequest *request;
  IfbamShooting shooting;
  IfbamBranch *branch;
  double low, high; /* of the number, in its scale */
} Work;

static void
work_clear (Work *work)
{
  ifbam_shooting_clear (&work->shooting);
  g_clear_pointer (&work->branch, ifbam_branch_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Work, work_clear)

static void
orbit_free (gpointer data)
{
  IfbamOrbit *orbit = data;

  g_free (orbit->state);
  g_free (orbit->amplitude);
  g_free (orbit->multiplier);
  g_clear_pointer (&orbit->events, g_array_unref);
  g_free (orbit->note);
  g_free (orbit);
}

/* Points */

/* Checks that a motion repeats in a second period. */
static gboolean
check_second_period (const Work *work, const double *state, double period, GError **error)
{
  const IfbamShooting *shooting = &work->shooting;
  g_autofree double *end = g_new (double, shooting->n);
  const IfbamPeriodRun run = { state, 2 * period, 2 * shooting->map->steps, end, NULL, NULL, NULL };

  if (!ifbam_period_map_run (shooting->map, &run, error))
    return FALSE;
  for (gsize i = 0; i < shooting->n; i++)
    if (fabs (end[i] - state[i]) > REPEATS * shooting->scale[i])
      return ifbam_fail (error, IFBAM_ERROR_NETWORK,
                         "the motion does not repeat in a second period of %.8g s (another source "
                         "or given node has another period; see --source and --periods)",
                         period);
  return TRUE;
}

/* Adds a solution to the branch. note: may be NULL. */
static gboolean
add_point (Work *work, const IfbamSolution *solution, IfbamOrbitKind kind, const char *note,
           GError **error)
{
  IfbamShooting *shooting = &work->shooting;
  IfbamPeriodMap *map = shooting->map;
  IfbamOrbit *orbit = g_new0 (IfbamOrbit, 1);

  g_ptr_array_add (work->branch->orbits, orbit);
  orbit->kind = kind;
  orbit->note = g_strdup (note);
  orbit->number = ifbam_shooting_number (shooting, solution->unknown);
  orbit->state = g_new (double, shooting->n);
  orbit->amplitude = g_new0 (double, map->signals->names->len + 1);
  orbit->multiplier = g_new (double complex, shooting->n);
  orbit->events = g_array_ref (solution->events);
  orbit->n_multipliers = ifbam_multipliers_find (shooting, solution, orbit->multiplier);
  orbit->stable = orbit->n_multipliers == 0 || cabs (orbit->multiplier[0]) < 1;
  ifbam_shooting_get_state (shooting, solution->unknown, orbit->state);
  if (!ifbam_period_map_load (map, orbit->number, error))
    return FALSE;
  orbit->period = ifbam_shooting_period (shooting, solution->unknown);
  if (work->branch->orbits->len == 1
      && !check_second_period (work, orbit->state, orbit->period, error))
    return FALSE;
  return ifbam_period_map_measure (map, orbit->state, orbit->period, orbit->amplitude, error);
}

/* Solves at a length of arc after a solution. */
static IfbamSolution *
solve_at (Work *work, const IfbamSolution *from, double length, GError **error)
{
  const gsize m = work->shooting.n_unknowns;
  g_autofree double *guess = g_new (double, m);

  for (gsize i = 0; i < m; i++)
    guess[i] = from->unknown[i] + length * from->tangent[i];
  return ifbam_shooting_solve (&work->shooting, guess, from->tangent, from->jacobian, TRUE, error);
}

/* Solves at the number's end that a length of arc passes; *length: up to there. */
static IfbamSolution *
solve_end (Work *work, const IfbamSolution *from, const IfbamSolution *beyond, double *length,
           GError **error)
{
  const gsize m = work->shooting.n_unknowns;
  g_autofree double *guess = g_new (double, m), *normal = g_new0 (double, m);
  const double end = beyond->unknown[m - 1] > work->high ? work->high : work->low;
  const double part =
      (end - from->unknown[m - 1]) / (beyond->unknown[m - 1] - from->unknown[m - 1]);
  IfbamSolution *solution;

  for (gsize i = 0; i < m; i++)
    guess[i] = from->unknown[i] + part * (beyond->unknown[i] - from->unknown[i]);
  guess[m - 1] = end;
  normal[m - 1] = beyond->tangent[m - 1] < 0 ? -1 : 1;
  solution = ifbam_shooting_solve (&work->shooting, guess, normal, from->jacobian, TRUE, error);
  *length = 0;
  for (gsize i = 0; i < m && solution != NULL; i++)
    *length += (solution->unknown[i] - from->unknown[i]) * from->tangent[i];
  return solution;
}

/* Special points */

/* Locates a zero of a test function between two solutions at a length; NULL: there is none. */
static IfbamSolution *
locate (Work *work, const IfbamSolution *from, const IfbamSolution *to, double length,
        IfbamOrbitKind kind)
{
  const IfbamShooting *shooting = &work->shooting;
  double a = 0, b = length, fa = ifbam_multipliers_test (shooting, from, kind),
         fb = ifbam_multipliers_test (shooting, to, kind);
  const double size = fmin (fabs (fa), fabs (fb));
  g_autoptr (IfbamSolution) found = NULL;
  double f = INFINITY;

  for (guint k = 0; k < MAX_LOCATING && fabs (b - a) > EXACT_LENGTH; k++)
    {
      const double at = (a * fb - b * fa) / (fb - fa);
      IfbamSolution *solution = solve_at (work, from, at, NULL);

      if (solution == NULL) /* next to a branching the equations are singular */
        break;
      ifbam_solution_free (found);
      found = solution;
      f = ifbam_multipliers_test (shooting, found, kind);
      if (fabs (at - b) < EXACT_LENGTH || f == 0)
        break;
      if ((f < 0) != (fb < 0))
        {
          a = b;
          fa = fb;
        }
      else
        fa *= 0.5;
      b = at;
      fb = f;
    }
  /* An infinite multiplier changes the sign, too. */
  return found != NULL && fabs (f) < 0.1 * size && ifbam_multipliers_are_of (shooting, found, kind)
             ? g_steal_pointer (&found)
             : NULL;
}

/* Adds the special points between two solutions. */
static gboolean
add_special (Work *work, const IfbamSolution *from, const IfbamSolution *to, double length,
             GError **error)
{
  const IfbamShooting *shooting = &work->shooting;
  gboolean folds = FALSE;

  for (IfbamOrbitKind kind = IFBAM_ORBIT_FOLD; kind <= IFBAM_ORBIT_BRANCHING; kind++)
    {
      const double before = ifbam_multipliers_test (shooting, from, kind),
                   after = ifbam_multipliers_test (shooting, to, kind);
      g_autoptr (IfbamSolution) found = NULL;

      if ((before < 0) == (after < 0)
          || (kind == IFBAM_ORBIT_BRANCHING
              && (folds || fmin (fabs (before), fabs (after)) < ROUNDING)))
        continue;
      folds = folds || kind == IFBAM_ORBIT_FOLD;
      found = locate (work, from, to, length, kind);
      if (found != NULL && !add_point (work, found, kind, found->nearly, error))
        return FALSE;
    }
  return TRUE;
}

/* Locates the last solution with the same events, up to a length at which they are others or there
 * is no solution, and adds it. *note: names the element (transfer full). */
static gboolean
add_last_alike (Work *work, const IfbamSolution *from, double length, char **note, GError **error)
{
  g_autoptr (IfbamSolution) last = NULL;
  double a = 0, b = length;

  while (b - a > MIN_LENGTH * FIRST_LENGTH)
    {
      const double middle = 0.5 * (a + b);
      g_autoptr (IfbamSolution) solution = solve_at (work, from, middle, NULL);
      g_autofree char *other =
          solution == NULL ? NULL : ifbam_events_compare (from->events, solution->events);

      if (solution == NULL || other != NULL)
        {
          b = middle;
          if (other != NULL)
            {
              g_free (*note);
              *note = g_steal_pointer (&other);
            }
          continue;
        }
      a = middle;
      g_clear_pointer (&last, ifbam_solution_free);
      last = g_steal_pointer (&solution);
    }
  if (*note == NULL && last != NULL)
    *note = g_strdup (last->nearly);
  return last == NULL ? TRUE
                      : add_special (work, from, last, a, error)
                            && add_point (work, last, IFBAM_ORBIT_EVENTS, *note, error);
}

/* Branch */

static double
cosine (const IfbamShooting *shooting, const IfbamSolution *one, const IfbamSolution *other)
{
  double sum = 0;

  for (gsize i = 0; i < shooting->n_unknowns; i++)
    sum += one->tangent[i] * other->tangent[i];
  return sum;
}

/* Returns the element with other events a little further along the tangent (transfer full); NULL:
 * none. */
static char *
find_obstacle (Work *work, const IfbamSolution *from)
{
  IfbamShooting *shooting = &work->shooting;
  const gsize m = shooting->n_unknowns;
  g_autofree double *ahead = g_new (double, m);
  char *other = g_strdup (from->nearly);

  for (double length = MIN_LENGTH; length <= MAX_LENGTH && other == NULL; length *= 2)
    {
      g_autoptr (GArray) events = NULL;

      for (gsize i = 0; i < m; i++)
        ahead[i] = from->unknown[i] + length * from->tangent[i];
      events = ifbam_shooting_list_events (shooting, ahead);
      other = events == NULL ? NULL : ifbam_events_compare (from->events, events);
    }
  return other;
}

/* Returns the index of the slowest impact; its speed is stored. */
static guint
find_slowest (const IfbamOrbit *orbit, double *speed)
{
  guint slowest = 0;

  *speed = INFINITY;
  for (guint i = 0; i < orbit->events->len; i++)
    {
      const IfbamEvent *event = &g_array_index (orbit->events, IfbamEvent, i);

      if (g_str_equal (event->word, "impact") && fabs (event->rate_before) < *speed)
        {
          slowest = i;
          *speed = fabs (event->rate_before);
        }
    }
  return slowest;
}

/* Returns the number at which the slowest impact of the last points has the speed 0, by a polynomial
 * in the speed; NaN: its speed does not fall toward 0. */
static double
extrapolate_grazing (const IfbamBranch *branch)
{
  const guint n = branch->orbits->len;
  double speed[GRAZING_POINTS], number[GRAZING_POINTS], sum = 0;
  guint slowest = 0;

  for (guint i = 0; i < GRAZING_POINTS; i++)
    {
      const IfbamOrbit *orbit = n < GRAZING_POINTS ? NULL : branch->orbits->pdata[n - 1 - i];
      const guint own = orbit == NULL ? 0 : find_slowest (orbit, &speed[i]);

      if (orbit == NULL || !isfinite (speed[i]) || (i > 0 && own != slowest)
          || (i > 0 && !(speed[i] > speed[i - 1])))
        return NAN;
      slowest = own;
      number[i] = orbit->number;
    }
  for (guint i = 0; i < GRAZING_POINTS; i++)
    {
      double weight = 1;

      for (guint j = 0; j < GRAZING_POINTS; j++)
        if (j != i)
          weight *= speed[j] / (speed[j] - speed[i]);
      sum += weight * number[i];
    }
  return speed[0] < GRAZING_SPEED * speed[GRAZING_POINTS - 1] ? sum : NAN;
}

/* Ends the branch at its last point. obstacle: element with other events, or NULL; reason: else. */
static void
end_branch (Work *work, const char *obstacle, const char *reason)
{
  IfbamBranch *branch = work->branch;
  IfbamOrbit *orbit = branch->orbits->pdata[branch->orbits->len - 1];

  if (obstacle == NULL)
    {
      branch->end = g_strdup (reason);
      return;
    }
  branch->grazing = extrapolate_grazing (branch);
  branch->end = isnan (branch->grazing)
                    ? g_strdup_printf ("the number of events in a period changes (%s)", obstacle)
                    : g_strdup_printf ("an impact grazes at %s = %.10g%s%s (%s)", branch->name,
                                       branch->grazing, *branch->unit == '\0' ? "" : " ",
                                       branch->unit, obstacle);
  orbit->kind = IFBAM_ORBIT_EVENTS;
  g_free (orbit->note);
  orbit->note = g_strdup (obstacle);
}

/* Adds all points up to a solution at a length after another one. *to: replaced at the number's end;
 * *ends: the branch ends there. */
static gboolean
add_up_to (Work *work, const IfbamSolution *from, IfbamSolution **to, double length, gboolean *ends,
           GError **error)
{
  const gsize last = work->shooting.n_unknowns - 1;
  g_autofree char *other = ifbam_events_compare (from->events, (*to)->events);

  *ends = (*to)->unknown[last] > work->high || (*to)->unknown[last] < work->low;
  if (*ends)
    {
      IfbamSolution *end = solve_end (work, from, *to, &length, error);

      if (end == NULL)
        return FALSE;
      ifbam_solution_free (*to);
      *to = end;
      g_free (other);
      other = ifbam_events_compare (from->events, end->events);
    }
  if (other != NULL ? !add_last_alike (work, from, length, &other, error)
                    : !add_special (work, from, *to, length, error))
    return FALSE;
  return add_point (work, *to, IFBAM_ORBIT_REGULAR, (*to)->nearly, error);
}

/* Solves at the longest length, up to *length, that the solver and the tangent's turn allow; *length
 * is set to it. NULL with an error: there is none. *obstacle: element with other events (transfer
 * full). */
static IfbamSolution *
advance (Work *work, const IfbamSolution *from, double *length, char **obstacle, GError **error)
{
  for (; TRUE; *length *= 0.5)
    {
      g_autoptr (GError) own = NULL;
      g_autoptr (IfbamSolution) to = solve_at (work, from, *length, &own);
      const gboolean near = to != NULL && to->nearly != NULL && from->nearly == NULL;

      if (to != NULL && !near
          && (cosine (&work->shooting, from, to) >= MIN_COSINE || *length < MIN_LENGTH))
        return g_steal_pointer (&to);
      if (near)
        {
          g_free (*obstacle);
          *obstacle = g_strdup (to->nearly);
        }
      if (to != NULL && !(near && *length < NEAR_LENGTH))
        continue;
      if (to == NULL && !g_error_matches (own, IFBAM_ERROR, IFBAM_ERROR_INTERRUPTED)
          && *length >= (*obstacle != NULL ? NEAR_LENGTH : MIN_LENGTH))
        continue;
      if (own != NULL)
        g_propagate_error (error, g_steal_pointer (&own));
      else
        ifbam_fail (error, IFBAM_ERROR_NETWORK, "motions close by have other events");
      return NULL;
    }
}

/* Follows the branch from a solution (taken over). */
static gboolean
follow (Work *work, IfbamSolution *start, GError **error)
{
  IfbamShooting *shooting = &work->shooting;
  g_autoptr (IfbamSolution) from = start;
  double length = FIRST_LENGTH;
  gboolean ends = FALSE;

  while (!ends && work->branch->orbits->len < work->request->max_points)
    {
      g_autoptr (GError) own = NULL;
      g_autofree char *obstacle = NULL;
      g_autoptr (IfbamSolution) to = advance (work, from, &length, &obstacle, &own);

      if (g_error_matches (own, IFBAM_ERROR, IFBAM_ERROR_INTERRUPTED))
        {
          g_propagate_error (error, g_steal_pointer (&own));
          return FALSE;
        }
      if (to == NULL)
        {
          if (obstacle == NULL)
            obstacle = find_obstacle (work, from);
          end_branch (work, obstacle, own->message);
          return TRUE;
        }
      if (!add_up_to (work, from, &to, length, &ends, error)
          || !ifbam_shooting_anchor (shooting, to->unknown, error))
        return FALSE;
      if (to->iterations <= FEW_ITERATIONS)
        length = fmin (length * GROWTH, MAX_LENGTH);
      ifbam_solution_free (from);
      from = g_steal_pointer (&to);
    }
  if (!ends)
    work->branch->end = g_strdup ("it has the largest number of points (--points)");
  return TRUE;
}

static IfbamBranch *
branch_new_empty (const IfbamPeriodMap *map)
{
  IfbamBranch *branch = g_new0 (IfbamBranch, 1);

  branch->grazing = NAN;
  branch->orbits = g_ptr_array_new_with_free_func (orbit_free);
  branch->states = g_ptr_array_new_with_free_func (g_free);
  branch->signals = g_ptr_array_ref (map->signals->names);
  branch->units = g_ptr_array_ref (map->signals->units);
  branch->unit = map->variation == NULL ? "" : map->variation->unit;
  branch->name = map->variation == NULL ? NULL : g_strdup (map->variation->name);
  for (gsize i = 0; i < map->n; i++)
    {
      const gsize node = i % map->model->n_free;
      const IfbamDomainInfo *words = ifbam_domain_info (ifbam_model_node_domain (map->model, node));
      g_autofree char *name = ifbam_model_node_name (map->model, node);

      g_ptr_array_add (branch->states,
                       g_strdup_printf ("%s.%s", name,
                                        i < map->model->n_free ? words->coordinate : words->rate));
    }
  return branch;
}

IfbamBranch *
ifbam_branch_new (const IfbamOrbitRequest *request, GError **error)
{
  G_GNUC_UNUSED g_auto (IfbamBlas) blas = ifbam_blas_begin ();
  g_auto (Work) work = { .request = request };
  IfbamShooting *shooting = &work.shooting;
  g_autofree double *normal = NULL;
  g_autoptr (IfbamSolution) first = NULL;
  g_autoptr (GError) own = NULL;

  if (!ifbam_shooting_init (shooting, request, error))
    return NULL;
  work.branch = branch_new_empty (shooting->map);
  normal = g_new0 (double, shooting->n_unknowns);
  normal[shooting->n_unknowns - 1] = 1;
  if (shooting->map->variation != NULL)
    {
      const double *ends = shooting->map->variation->values;
      const double size = shooting->scale[shooting->n_unknowns - 1];

      normal[shooting->n_unknowns - 1] = ends[1] > ends[0] ? 1 : -1;
      work.low = fmin (ends[0], ends[1]) / size;
      work.high = fmax (ends[0], ends[1]) / size;
    }
  first = ifbam_shooting_solve (shooting, shooting->guess, normal, NULL, TRUE, error);
  if (first == NULL)
    {
      g_prefix_error (error, "no periodic motion was found: ");
      return NULL;
    }
  if (!add_point (&work, first, IFBAM_ORBIT_REGULAR, first->nearly, error)
      || !ifbam_shooting_anchor (shooting, first->unknown, error))
    return NULL;
  if (request->over == NULL || follow (&work, g_steal_pointer (&first), &own))
    return g_steal_pointer (&work.branch);
  work.branch->interrupted = g_error_matches (own, IFBAM_ERROR, IFBAM_ERROR_INTERRUPTED);
  if (work.branch->interrupted)
    {
      g_free (work.branch->end);
      work.branch->end = g_strdup ("interrupted");
      return g_steal_pointer (&work.branch);
    }
  g_propagate_error (error, g_steal_pointer (&own));
  return NULL;
}

void
ifbam_branch_free (IfbamBranch *branch)
{
  if (branch == NULL)
    return;
  g_free (branch->name);
  g_ptr_array_unref (branch->states);
  g_ptr_array_unref (branch->signals);
  g_ptr_array_unref (branch->units);
  g_ptr_array_unref (branch->orbits);
  g_free (branch->end);
  g_free (branch);
}
