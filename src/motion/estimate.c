/* estimate.c: how fast a network's fastest mode is, from its laws' slopes at the start
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "motion/estimate.h"

#include <math.h>

#include "motion/linearization.h"
#include "scheme/growth.h"
#include "scheme/schemes.h"

#define MOST_ITERATIONS  200
#define LEAST_ITERATIONS 20  /* with fewer nothing is known */
#define MOST_VISITS      5e7 /* of links, by all iterations: half a second */

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

/* own, other: what the coordinates of a node and the other one count in the compression. */
static void
add_row (const IfbamModel *model, gsize node, double own, double other, double slope, double *row)
{
  if (node < model->n_free)
    row[node] += fabs (slope * own) * model->inverse_inertia[node] * (fabs (own) + fabs (other));
}

static void
find_slopes (const IfbamModel *model, const IfbamRunSpec *spec, Slopes *slopes)
{
  g_autofree double *position = g_new (double, model->n_nodes + 1);
  g_autofree double *rate = g_new (double, model->n_nodes + 1);

  ifbam_start_range (model, spec, 0, model->n_nodes, position, rate);
  for (guint b = 0; b < model->batches->len; b++)
    {
      const IfbamBatch *batch = &g_array_index (model->batches, IfbamBatch, b);

      for (gsize first = 0; first < batch->count; first += IFBAM_SLOPES_BLOCK)
        {
          const gsize n = MIN (IFBAM_SLOPES_BLOCK, batch->count - first);
          double *stiffness = slopes->stiffness + batch->first_slot + first;
          IfbamSlopes block;

          ifbam_link_slopes (batch, first, n, position, rate, &block);
          for (gsize i = 0; i < n; i++)
            {
              const gsize l = batch->left[first + i], r = batch->right[first + i];
              const double damping = block.damping[i];
              const double left = l < model->n_free ? 1.0 : 0.0;
              const double right = r < model->n_free ? ifbam_batch_ratio (batch, first + i) : 0.0;

              stiffness[i] = block.stiffness[i];

              if (ifbam_batch_is_gap (batch, first + i))
                continue;
              add_row (model, l, left, right, stiffness[i], slopes->row);
              add_row (model, r, right, left, stiffness[i], slopes->row);
              add_row (model, l, left, right, damping, slopes->damping_row);
              add_row (model, r, right, left, damping, slopes->damping_row);
            }
        }
    }
}

/* Largest eigenvalue of M^-1 K by the power method (von Mises & Pollaczek-Geiringer 1929). FALSE
 * where the work ends before it is known. */
static gboolean
largest_eigenvalue (const IfbamModel *model, const double *stiffness, double *value)
{
  const double affordable = MOST_VISITS / (double) (model->n_links + 1);
  const int iterations = affordable < MOST_ITERATIONS ? (int) affordable : MOST_ITERATIONS;
  g_autofree double *x = NULL, *y = NULL;

  *value = 0;
  if (iterations < LEAST_ITERATIONS)
    return FALSE;
  x = g_new0 (double, model->n_nodes + 1);
  y = g_new0 (double, model->n_nodes + 1);
  /* A start in which every mode has a part, the same everywhere. */
  for (gsize i = 0; i < model->n_free; i++)
    x[i] = (i & 1 ? -1.0 : 1.0) * (1.0 + 0.3 * (double) ((i * 2654435761u) % 1024) / 1024.0);
  for (int iteration = 0; iteration < iterations; iteration++)
    {
      double norm = 0, last = *value;

      for (gsize i = 0; i < model->n_nodes; i++)
        y[i] = 0;
      for (guint b = 0; b < model->batches->len; b++)
        {
          const IfbamBatch *batch = &g_array_index (model->batches, IfbamBatch, b);

          for (gsize i = 0; i < batch->count; i++)
            {
              const double l = x[batch->left[i]], r = x[batch->right[i]];
              const double force =
                  stiffness[batch->first_slot + i] * ifbam_batch_delta (batch, i, l, r);

              y[batch->left[i]] += force;
              y[batch->right[i]] -= ifbam_batch_ratio (batch, i) * force;
            }
        }
      for (gsize i = 0; i < model->n_free; i++)
        {
          y[i] *= model->inverse_inertia[i];
          norm = larger (fabs (y[i]), norm);
        }
      *value = norm;
      if (norm == 0 || !isfinite (norm) || fabs (norm - last) < 1e-9 * norm)
        return TRUE;
      for (gsize i = 0; i < model->n_free; i++)
        x[i] = y[i] / norm;
    }
  return iterations == MOST_ITERATIONS;
}

IfbamEstimate
ifbam_estimate (const IfbamModel *model, const IfbamRunSpec *spec)
{
  g_autofree double *stiffness = g_new (double, model->n_slots + 1);
  g_autofree double *row = g_new0 (double, model->n_free + 1);
  g_autofree double *damping_row = g_new0 (double, model->n_free + 1);
  double largest = 0, largest_damping = 0, value;
  gboolean known;

  find_slopes (model, spec, &(Slopes){ stiffness, row, damping_row });
  for (gsize i = 0; i < model->n_free; i++)
    {
      largest = larger (row[i], largest);
      largest_damping = larger (damping_row[i], largest_damping);
    }
  known = largest_eigenvalue (model, stiffness, &value);
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

double
ifbam_step_rounded (double step)
{
  const double unit = pow (10, floor (log10 (step)) - 1);

  return isfinite (step) && step > 0 ? floor (step / unit) * unit : step;
}

char *
ifbam_step_advice (const IfbamModel *model, const IfbamRunSpec *spec, double duration)
{
  const IfbamEstimate estimate = ifbam_estimate (model, spec);
  const IfbamScheme *verlet = ifbam_scheme_by_name ("verlet");
  const double step =
      ifbam_step_rounded (ifbam_estimate_step (&estimate, spec->scheme, duration, 0.01));
  const double verlet_step =
      ifbam_step_rounded (0.5 * ifbam_estimate_step (&estimate, verlet, duration, 0.01));
  const gboolean by_verlet = isfinite (verlet_step) && verlet_step > step;

  if (!(isfinite (step) && step > 0))
    return by_verlet
               ? g_strdup_printf ("The scheme verlet with a step of %g s would do", verlet_step)
               : NULL;
  if (!by_verlet)
    return g_strdup_printf ("A step of %g s would do", step);
  return g_strdup_printf ("A step of %g s would do, or the scheme verlet with a step of %g s", step,
                          verlet_step);
}
