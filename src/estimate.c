/* estimate.c: how fast a network's fastest mode is, from its laws' slopes at the start
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "estimate.h"

#include <math.h>

#define MOST_ITERATIONS  200
#define LEAST_ITERATIONS 20  /* with fewer nothing is known */
#define MOST_VISITS      5e7 /* of links, by all iterations: half a second */
#define BLOCK            256 /* links whose laws are asked at once */

/* What the laws say about the start. */
typedef struct
{
  double *stiffness;         /* dF/ddelta of a link by its slot [N/m] (n_slots) */
  double *row, *damping_row; /* sums of |row| of M^-1 K and M^-1 C (n_free) */
} Slopes;

/* The least where the number is none. (fmax would be a call.) */
static inline double
larger (double number, double least)
{
  return number > least ? number : least;
}

/* dF/ddelta and dF/drate of up to BLOCK links of a batch by central differences about the start. */
static void
link_slopes (const IfbamBatch *batch, gsize first, gsize n, const double *position,
             const double *rate, double *stiffness, double *damping)
{
  const double *parameters[IFBAM_MAX_LAW];
  double x[BLOCK + 1], v[BLOCK + 1], reach[BLOCK], haste[BLOCK], force[4][BLOCK];
  guint32 left[BLOCK], right[BLOCK];

  for (guint k = 0; k < batch->n_numbers; k++)
    parameters[k] = batch->parameters[k] + first;
  for (gsize i = 0; i < n; i++)
    {
      const guint32 l = batch->left[first + i], r = batch->right[first + i];

      reach[i] = 1e-4 * larger (fabs (position[l] - position[r]), 1e-3);
      haste[i] = 1e-4 * larger (fabs (rate[l] - rate[r]), 1e-3);
      left[i] = (guint32) i;
      right[i] = (guint32) n;
    }
  /* All on their right stand on one node that rests at 0. */
  x[n] = v[n] = 0.0;
  for (int trial = 0; trial < 4; trial++)
    {
      const IfbamLinkBatch arguments = { .parameters = parameters,
                                         .left = left,
                                         .right = right,
                                         .position = x,
                                         .rate = v,
                                         .answer = force[trial] };

      for (gsize i = 0; i < n; i++)
        {
          const guint32 l = batch->left[first + i], r = batch->right[first + i];

          x[i] = (position[l] - position[r])
                 + (trial == 0   ? reach[i]
                    : trial == 1 ? -reach[i]
                                 : 0.0);
          v[i] = (rate[l] - rate[r]) + (trial == 2 ? haste[i] : trial == 3 ? -haste[i] : 0.0);
        }
      batch->kernels->force (&arguments, 0, n);
    }
  for (gsize i = 0; i < n; i++)
    {
      stiffness[i] = (force[0][i] - force[1][i]) / (2.0 * reach[i]);
      damping[i] = (force[2][i] - force[3][i]) / (2.0 * haste[i]);
    }
}

static void
add_row (const IfbamPlan *plan, gsize node, gboolean other_is_free, double slope, double *row)
{
  if (node < plan->n_free)
    row[node] += fabs (slope) * plan->inverse_inertia[node] * (other_is_free ? 2.0 : 1.0);
}

static void
find_slopes (const IfbamPlan *plan, Slopes *slopes)
{
  g_autofree double *position = g_new (double, plan->n_nodes + 1);
  g_autofree double *rate = g_new (double, plan->n_nodes + 1);

  ifbam_plan_initial_range (plan, 0, plan->n_nodes, position, rate);
  for (guint b = 0; b < plan->batches->len; b++)
    {
      const IfbamBatch *batch = &g_array_index (plan->batches, IfbamBatch, b);

      for (gsize first = 0; first < batch->count; first += BLOCK)
        {
          const gsize n = MIN (BLOCK, batch->count - first);
          double *stiffness = slopes->stiffness + batch->first_slot + first, damping[BLOCK];

          link_slopes (batch, first, n, position, rate, stiffness, damping);
          for (gsize i = 0; i < n; i++)
            {
              const gsize l = batch->left[first + i], r = batch->right[first + i];

              if (ifbam_batch_is_gap (batch, first + i))
                continue;
              add_row (plan, l, r < plan->n_free, stiffness[i], slopes->row);
              add_row (plan, r, l < plan->n_free, stiffness[i], slopes->row);
              add_row (plan, l, r < plan->n_free, damping[i], slopes->damping_row);
              add_row (plan, r, l < plan->n_free, damping[i], slopes->damping_row);
            }
        }
    }
}

/* Largest eigenvalue of M^-1 K by the power method (von Mises & Pollaczek-Geiringer 1929). FALSE
 * where the work ends before it is known. */
static gboolean
largest_eigenvalue (const IfbamPlan *plan, const double *stiffness, double *value)
{
  const double affordable = MOST_VISITS / (double) (plan->n_links + 1);
  const int iterations = affordable < MOST_ITERATIONS ? (int) affordable : MOST_ITERATIONS;
  g_autofree double *x = NULL, *y = NULL;

  *value = 0;
  if (iterations < LEAST_ITERATIONS)
    return FALSE;
  x = g_new0 (double, plan->n_nodes + 1);
  y = g_new0 (double, plan->n_nodes + 1);
  /* A start in which every mode has a part, the same everywhere. */
  for (gsize i = 0; i < plan->n_free; i++)
    x[i] = (i & 1 ? -1.0 : 1.0) * (1.0 + 0.3 * (double) ((i * 2654435761u) % 1024) / 1024.0);
  for (int iteration = 0; iteration < iterations; iteration++)
    {
      double norm = 0, last = *value;

      for (gsize i = 0; i < plan->n_nodes; i++)
        y[i] = 0;
      for (guint b = 0; b < plan->batches->len; b++)
        {
          const IfbamBatch *batch = &g_array_index (plan->batches, IfbamBatch, b);

          for (gsize i = 0; i < batch->count; i++)
            {
              double force =
                  stiffness[batch->first_slot + i] * (x[batch->left[i]] - x[batch->right[i]]);

              y[batch->left[i]] += force;
              y[batch->right[i]] -= force;
            }
        }
      for (gsize i = 0; i < plan->n_free; i++)
        {
          y[i] *= plan->inverse_inertia[i];
          norm = larger (fabs (y[i]), norm);
        }
      *value = norm;
      if (norm == 0 || !isfinite (norm) || fabs (norm - last) < 1e-9 * norm)
        return TRUE;
      for (gsize i = 0; i < plan->n_free; i++)
        x[i] = y[i] / norm;
    }
  return iterations == MOST_ITERATIONS;
}

IfbamEstimate
ifbam_estimate (const IfbamPlan *plan)
{
  g_autofree double *stiffness = g_new (double, plan->n_slots + 1);
  g_autofree double *row = g_new0 (double, plan->n_free + 1);
  g_autofree double *damping_row = g_new0 (double, plan->n_free + 1);
  double largest = 0, largest_damping = 0, value;
  gboolean known;

  find_slopes (plan, &(Slopes){ stiffness, row, damping_row });
  for (gsize i = 0; i < plan->n_free; i++)
    {
      largest = larger (row[i], largest);
      largest_damping = larger (damping_row[i], largest_damping);
    }
  known = largest_eigenvalue (plan, stiffness, &value);
  return (IfbamEstimate){ .frequency = sqrt (known ? fmin (value, largest) : largest),
                          .at_most = !known,
                          .bound = sqrt (largest),
                          .damping = largest_damping };
}

double
ifbam_estimate_step (const IfbamEstimate *estimate, const IfbamScheme *scheme, double duration,
                     double tolerance)
{
  double step = ifbam_scheme_longest_step (scheme, estimate->bound, duration, tolerance);

  /* Explicit schemes bear dampers up to step * damping of 0.3 (averaged) to 2.8 (rk4). */
  return estimate->damping > 0 ? fmin (step, 0.25 / estimate->damping) : step;
}
