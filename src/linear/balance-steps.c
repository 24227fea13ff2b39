/* balance-steps.c: steps of Newton's method towards the equilibrium of a network
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "linear/balance-steps.h"

#include <math.h>
#include <string.h>

#include "base/dot.h"
#include "base/fail.h"
#include "linear/single-thread-blas.h"
#include "linear/sparse-matrix.h"

#define fail(error, ...) ifbam_fail (error, IFBAM_ERROR_NETWORK, __VA_ARGS__)

/* Residual forces on an unsupported part, relative to the sum of absolute forces. */
#define UNSUPPORTED_TOLERANCE 1e-12
#define MAX_HALVINGS          40
/* Least fraction of the decrease of energy that the slope predicts. */
#define MIN_DECREASE 1e-4
/* First step of an unsupported part [m, rad]; relative distance at which it is lost. */
#define FIRST_STEP    1e-3
#define LOST_DISTANCE 1e6
/* Added inertia, relative to the highest squared frequency: first, largest, omitted. */
#define FIRST_INERTIA 1e-6
#define MAX_INERTIA   1e6
#define SLIGHT        1e-9
/* A residual that stops falling is rounding up to this multiple of the tolerance. */
#define STALLED_RATIO 1e3
/* An energy that falls by this fraction of itself is decisive, in spite of rounding. */
#define DECISIVE_DECREASE 1e-9
/* Relative difference up to which forces are equal but for rounding. */
#define EQUAL 1e-9
/* Largest rotation in a step with fixed constraints [rad]. */
#define MAX_ROTATION 0.5

/* TRUE if abs (a) exceeds abs (b) beyond rounding: messages name the first of equal forces. */
static gboolean
exceeds (double a, double b)
{
  return fabs (a) > (1 + EQUAL) * fabs (b);
}

/* Parts without stiffness: those in balance are pinned, the others have to move. */
typedef struct
{
  IfbamDofGroups groups;
  guint8 *pinned, *pushed; /* (n_free) */
  gsize n_pushed;
  guint32 lead; /* node of the part with the largest sum of forces, and that sum [N] */
  double hardest;
} Unsupported;

static void
unsupported_clear (Unsupported *unsupported)
{
  ifbam_dof_groups_clear (&unsupported->groups);
  g_free (unsupported->pinned);
  g_free (unsupported->pushed);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Unsupported, unsupported_clear)

static void
find_unsupported (const IfbamBalance *balance, Unsupported *unsupported)
{
  const gsize n = balance->model->n_free;
  g_autofree double *net = g_new0 (double, n), *gross = g_new0 (double, n);

  ifbam_dof_groups_init (&unsupported->groups, n);
  unsupported->pinned = g_new0 (guint8, n + 1);
  unsupported->pushed = g_new0 (guint8, n + 1);
  unsupported->n_pushed = 0;
  unsupported->hardest = 0;
  for (guint i = 0; i < balance->rows->len; i++)
    {
      const IfbamMotionRow *row = &g_array_index (balance->rows, IfbamMotionRow, i);

      if (!ifbam_dof_groups_merge (&unsupported->groups, row))
        ifbam_dof_groups_fix (&unsupported->groups, row);
    }
  for (gsize i = 0; i < n; i++)
    {
      double lever;
      const guint32 first = ifbam_dof_groups_find (&unsupported->groups, i, &lever);

      net[first] += lever * balance->force[i];
      gross[first] += fabs (lever) * balance->gross[i];
    }
  for (gsize i = 0; i < n; i++)
    {
      double lever;
      const guint32 first = ifbam_dof_groups_find (&unsupported->groups, i, &lever);

      if (unsupported->groups.still[first])
        continue;
      if (fabs (net[first]) <= UNSUPPORTED_TOLERANCE * gross[first])
        unsupported->pinned[i] = first == i;
      else
        {
          unsupported->pushed[i] = TRUE;
          unsupported->n_pushed++;
          if (exceeds (net[first], unsupported->hardest))
            {
              unsupported->hardest = net[first];
              unsupported->lead = first;
            }
        }
    }
}

/* Solves (K + inertia M) dx = f. FALSE with SINGULAR: the matrix is not positive definite. */
static gboolean
solve (IfbamBalance *balance, const Unsupported *unsupported, double inertia, double inertia_of_all,
       IfbamFactorStatus *status, GError **error)
{
  const gsize n = balance->model->n_free;
  g_auto (IfbamTriplets) triplets = { 0 };
  g_autoptr (IfbamSparse) matrix = NULL;
  g_autoptr (IfbamFactor) factor = NULL;
  g_autofree double *right = g_memdup2 (balance->force, n * sizeof (double));

  for (guint r = 0; r < balance->rows->len; r++)
    {
      const IfbamMotionRow *row = &g_array_index (balance->rows, IfbamMotionRow, r);
      const double slope = g_array_index (balance->slopes, double, r);

      for (guint i = 0; i < row->n; i++)
        for (guint j = 0; j < row->n; j++)
          ifbam_triplets_add (&triplets, row->at[j], row->at[i],
                              row->entry[j] * (row->entry[i] * slope));
    }
  for (gsize i = 0; i < n; i++)
    {
      const double mass = ifbam_model_inertia (balance->model, i);
      const double own = inertia_of_all + (unsupported->pushed[i] ? inertia : 0.0);

      if (own > 0)
        ifbam_triplets_add (&triplets, i, i, own * mass);
    }
  *status = IFBAM_FACTOR_NO_MEMORY;
  matrix = ifbam_sparse_new (n, &triplets, error);
  if (matrix == NULL)
    return FALSE;
  for (gsize i = 0; i < n; i++)
    if (unsupported->pinned[i] && inertia_of_all == 0)
      {
        ifbam_sparse_pin (matrix, i);
        right[i] = 0.0;
      }
  factor = ifbam_factor_new (matrix, IFBAM_FACTOR_CHOLESKY, status);
  if (factor != NULL && !ifbam_factor_solve (factor, right, balance->step))
    *status = IFBAM_FACTOR_NO_MEMORY;
  if (*status == IFBAM_FACTOR_NO_MEMORY)
    return fail (error, "memory is too short to find where the network is at rest");
  return factor != NULL;
}

/* Searches along the step until energy or residual falls enough. FALSE: neither does. */
static gboolean
search_along_step (IfbamBalance *balance)
{
  const gsize n = balance->model->n_free;
  const double energy = balance->energy, size = balance->energy_size;
  const double before = ifbam_balance_residual (balance),
               slope = ifbam_dot (balance->force, balance->step, n);
  g_autofree double *from = g_memdup2 (balance->x, n * sizeof (double));
  const gboolean falls =
      slope > (balance->fixed->len > 0 ? DECISIVE_DECREASE : 64 * DBL_EPSILON) * size;
  double part = 1.0;

  /* Fixed constraints limit rotations: their tangents hold near x only. */
  for (gsize i = 0; i < n && balance->fixed->len > 0; i++)
    if (ifbam_balance_turns (balance, i))
      part = fmin (part, MAX_ROTATION / fmax (fabs (balance->step[i]), MAX_ROTATION));

  for (int halving = 0; halving < MAX_HALVINGS; halving++, part *= 0.5)
    {
      double after;

      for (gsize i = 0; i < n; i++)
        balance->x[i] = from[i] + part * balance->step[i];
      if (!ifbam_balance_project (balance))
        continue;
      ifbam_balance_evaluate (balance);
      after = ifbam_balance_residual (balance);
      if (isfinite (after) && isfinite (balance->energy)
          && ((after < before && (balance->fixed->len == 0 || !falls))
              || (falls && balance->energy <= energy - MIN_DECREASE * part * slope)))
        return TRUE;
    }
  memcpy (balance->x, from, n * sizeof (double));
  ifbam_balance_evaluate (balance);
  return FALSE;
}

/* "a force of 3 N" (transfer full) */
static char *
effort_text (const IfbamBalance *balance, gsize node, double force)
{
  const IfbamDomainInfo *words = ifbam_domain_info (ifbam_model_node_domain (balance->model, node));

  return g_strdup_printf ("a %s of %.4g %s", words->effort, force, words->effort_unit);
}

static gboolean
report_unsupported (IfbamBalance *balance, const Unsupported *unsupported, GError **error)
{
  g_autofree char *name = ifbam_model_node_name (balance->model, unsupported->lead);
  g_autofree char *effort = effort_text (balance, unsupported->lead, unsupported->hardest);

  balance->unsupported = TRUE;
  return fail (
      error, "there is no state of rest: nothing holds %s%s against %s (a free rigid-body motion)",
      name, unsupported->n_pushed > 1 ? " and the nodes joined to it" : "", effort);
}

/* Returns the node with the largest abs (force) among the first n free nodes of the file with abs
 * (x) >= least; of equal forces the first. */
static gsize
find_largest_force (const IfbamBalance *balance, gsize n, double least)
{
  gsize hardest = G_MAXSIZE;

  for (gsize i = 0; i < n; i++)
    {
      const gsize node = ifbam_model_free_node (balance->model, i);

      if (!(fabs (balance->x[node]) < least)
          && (hardest == G_MAXSIZE || exceeds (balance->force[node], balance->force[hardest])))
        hardest = node;
    }
  return hardest;
}

gboolean
ifbam_balance_report_failure (const IfbamBalance *balance, GError **error)
{
  const gsize worst = find_largest_force (balance, balance->model->n_free, 0);
  g_autofree char *name = ifbam_model_node_name (balance->model, worst);
  g_autofree char *effort = effort_text (balance, worst, balance->force[worst]);

  return fail (error,
               "no state of rest was found: %s is left over on %s (is there one? A start near it "
               "would help)",
               effort, name);
}

/* Reports a part without equilibrium. Constraints move other nodes along; of those displaced at
 * least half as far as the farthest one, the message names that with the largest force. */
static gboolean
report_lost_part (const IfbamBalance *balance, GError **error)
{
  const gsize n = ifbam_model_n_named_free (balance->model);
  double furthest = 0;
  g_autofree char *name = NULL;

  for (gsize i = 0; i < n; i++)
    furthest = fmax (furthest, fabs (balance->x[ifbam_model_free_node (balance->model, i)]));
  name = ifbam_model_node_name (balance->model, find_largest_force (balance, n, furthest / 2));
  return fail (
      error,
      "there is no state of rest: %s moves without end, with the nodes joined to it by rods, "
      "hinges and the like (hold it by a spring or a stop, or leave out the force on it)",
      name);
}

/* Returns an estimate of the highest squared frequency [1/s2]. */
static double
fastest (const IfbamBalance *balance)
{
  double most = 0;

  for (gsize i = 0; i < balance->model->n_free; i++)
    most = fmax (most, balance->stiff[i] * balance->model->inverse_inertia[i]);
  return most;
}

/* Inertia added to the stiffness [1/s2]. */
typedef struct
{
  double pushed; /* of unsupported parts */
  double all;    /* of all nodes, if K is not positive definite */
} Inertia;

/* Computes a step; adds inertia until the matrix is positive definite. */
static gboolean
find_step (IfbamBalance *balance, const Unsupported *unsupported, Inertia *inertia, GError **error)
{
  const double most = fastest (balance);
  IfbamFactorStatus status;

  if (unsupported->n_pushed == 0)
    inertia->pushed = 0;
  else if (inertia->pushed == 0)
    inertia->pushed = fabs (unsupported->hardest)
                      * balance->model->inverse_inertia[unsupported->lead] / FIRST_STEP;
  if (inertia->all < SLIGHT * most)
    inertia->all = 0;
  while (!solve (balance, unsupported, inertia->pushed, inertia->all, &status, error))
    {
      if (status == IFBAM_FACTOR_NO_MEMORY)
        return FALSE;
      inertia->all = inertia->all == 0 ? FIRST_INERTIA * most : 10 * inertia->all;
      if (!(inertia->all > 0 && inertia->all < MAX_INERTIA * most))
        return ifbam_balance_report_failure (balance, error);
    }
  return TRUE;
}

gboolean
ifbam_balance_settle (IfbamBalance *balance, guint *iterations, GError **error)
{
  const gsize n = balance->model->n_free;
  const double lost =
      LOST_DISTANCE * fmax (1.0, ifbam_largest_magnitude (balance->x, balance->model->n_nodes));
  Inertia inertia = { 0, 0 };
  double best = INFINITY;
  guint idle = 0;

  ifbam_balance_evaluate (balance);
  for (;; ++*iterations)
    {
      g_auto (Unsupported) unsupported = { 0 };
      double rest;

      ifbam_balance_list_rows (balance);
      ifbam_balance_find_rounding (balance);
      rest = ifbam_balance_residual (balance);
      if (!isfinite (rest))
        return fail (error, "no state of rest was found: the forces at the start are not finite");
      find_unsupported (balance, &unsupported);
      idle = rest < 0.5 * best ? 0 : idle + 1;
      best = fmin (best, rest);
      /* along the motions that constraints leave free */
      if (balance->fixed->len > 0 && ifbam_largest_magnitude (balance->x, n) > lost)
        return unsupported.n_pushed > 0 ? report_unsupported (balance, &unsupported, error)
                                        : report_lost_part (balance, error);
      if (unsupported.n_pushed == 0 && (rest <= 1 || (idle > 3 && rest < STALLED_RATIO)))
        return TRUE;
      if (unsupported.n_pushed > 0 && ifbam_largest_magnitude (balance->x, n) > lost)
        return report_unsupported (balance, &unsupported, error);
      if (*iterations >= balance->most)
        return ifbam_balance_report_failure (balance, error);
      if (!find_step (balance, &unsupported, &inertia, error))
        return FALSE;
      if (search_along_step (balance))
        {
          inertia.pushed *= 0.1;
          inertia.all *= 0.1;
        }
      else if (unsupported.n_pushed == 0 && rest < STALLED_RATIO)
        return TRUE;
      else
        {
          inertia.pushed *= 10;
          inertia.all = inertia.all == 0 ? FIRST_INERTIA * fastest (balance) : 10 * inertia.all;
          if (inertia.all > MAX_INERTIA * fastest (balance))
            return ifbam_balance_report_failure (balance, error);
        }
    }
}
