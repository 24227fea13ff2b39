/* estimate.c: how fast a network's fastest mode is, from its laws' slopes at the start
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "estimate.h"

#include <math.h>

#define MOST_ITERATIONS 200

/* dF/ddelta and dF/drate of a link by central differences of its law about the start. */
static void
link_slopes (const IfbamBatch *batch, gsize index, const double position[2], const double rate[2],
             double *stiffness, double *damping)
{
  static const guint32 left = 0, right = 1;
  const double *parameters[IFBAM_MAX_LAW];
  const double delta = position[0] - position[1], approach = rate[0] - rate[1];
  const double reach = 1e-4 * fmax (fabs (delta), 1e-3),
               haste = 1e-4 * fmax (fabs (approach), 1e-3);
  double force[4];

  for (guint k = 0; k < batch->n_numbers; k++)
    parameters[k] = batch->parameters[k] + index;
  for (int trial = 0; trial < 4; trial++)
    {
      double x[2] = { delta + (trial == 0 ? reach : trial == 1 ? -reach : 0.0), 0.0 };
      double v[2] = { approach + (trial == 2 ? haste : trial == 3 ? -haste : 0.0), 0.0 };
      IfbamLinkBatch arguments = { .parameters = parameters,
                                   .left = &left,
                                   .right = &right,
                                   .position = x,
                                   .rate = v,
                                   .answer = &force[trial] };

      batch->kernels->force (&arguments, 0, 1);
    }
  *stiffness = (force[0] - force[1]) / (2.0 * reach);
  *damping = (force[2] - force[3]) / (2.0 * haste);
}

/* Row sums: |row| of M^-1 K and M^-1 C, whose largest bounds the eigenvalues. */
static void
add_row (const IfbamPlan *plan, gsize node, gboolean other_is_free, double slope, double *row)
{
  if (node < plan->n_free)
    row[node] += fabs (slope) * plan->inverse_inertia[node] * (other_is_free ? 2.0 : 1.0);
}

/* Largest eigenvalue of M^-1 K by the power method (von Mises & Pollaczek-Geiringer 1929). */
static double
largest_eigenvalue (const IfbamPlan *plan, const double *stiffness)
{
  g_autofree double *x = g_new0 (double, plan->n_nodes + 1);
  g_autofree double *y = g_new0 (double, plan->n_nodes + 1);
  double value = 0;

  /* A start in which every mode has a part, the same everywhere. */
  for (gsize i = 0; i < plan->n_free; i++)
    x[i] = (i & 1 ? -1.0 : 1.0) * (1.0 + 0.3 * (double) ((i * 2654435761u) % 1024) / 1024.0);
  for (int iteration = 0; iteration < MOST_ITERATIONS; iteration++)
    {
      double norm = 0, last = value;

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
          norm = fmax (norm, fabs (y[i]));
        }
      value = norm;
      if (norm == 0 || !isfinite (norm))
        break;
      for (gsize i = 0; i < plan->n_free; i++)
        x[i] = y[i] / norm;
      if (fabs (value - last) < 1e-9 * value)
        break;
    }
  return value;
}

IfbamEstimate
ifbam_estimate (const IfbamPlan *plan)
{
  g_autofree double *stiffness = g_new (double, plan->n_links + 1);
  g_autofree double *row = g_new0 (double, plan->n_free + 1);
  g_autofree double *damping_row = g_new0 (double, plan->n_free + 1);
  double largest = 0, largest_damping = 0;

  for (guint b = 0; b < plan->batches->len; b++)
    {
      const IfbamBatch *batch = &g_array_index (plan->batches, IfbamBatch, b);

      for (gsize i = 0; i < batch->count; i++)
        {
          gsize l = batch->left[i], r = batch->right[i];
          IfbamMotion left = ifbam_plan_initial (plan, l), right = ifbam_plan_initial (plan, r);
          double slope;

          link_slopes (batch, i, (double[]){ left.position, right.position },
                       (double[]){ left.rate, right.rate }, &stiffness[batch->first_slot + i],
                       &slope);
          add_row (plan, l, r < plan->n_free, stiffness[batch->first_slot + i], row);
          add_row (plan, r, l < plan->n_free, stiffness[batch->first_slot + i], row);
          add_row (plan, l, r < plan->n_free, slope, damping_row);
          add_row (plan, r, l < plan->n_free, slope, damping_row);
        }
    }
  for (gsize i = 0; i < plan->n_free; i++)
    {
      largest = fmax (largest, row[i]);
      largest_damping = fmax (largest_damping, damping_row[i]);
    }
  return (IfbamEstimate){ .frequency = sqrt (fmin (largest_eigenvalue (plan, stiffness), largest)),
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
