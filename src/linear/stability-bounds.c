/* stability-bounds.c: upper bounds of frequencies and decay rates, without eigenvalues
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "linear/stability-bounds.h"

#include <math.h>

#include "linear/mechanism.h"

/* Finite difference for a row's rotation, relative to the coordinates. */
#define ROTATION_DIFFERENCE 1e-6

void
ifbam_stability_bounds_of_batches (const IfbamLinearization *linearization, double *bound,
                                   double *damping)
{
  const IfbamModel *model = linearization->model;
  g_autofree double *row = g_new0 (double, model->n_free + 1);
  g_autofree double *damping_row = g_new0 (double, model->n_free + 1);
  double largest = 0, largest_damping = 0;

  for (IfbamLinkIter at = ifbam_links (model, IFBAM_LINKS_STORED); ifbam_link_iter_next (&at);)
    {
      const guint32 *end = at.link->node;
      const double across[2] = { 1, fabs (ifbam_link_ratio (at.link)) };
      const double k = fabs (linearization->stiffness[at.slot]);
      const double c = fabs (linearization->damping[at.slot]);

      for (guint e = 0; e < 2; e++)
        if (end[e] < model->n_free)
          {
            const double sum =
                across[e] * (across[e] + (end[1 - e] < model->n_free ? across[1 - e] : 0));

            row[end[e]] += k * sum * model->inverse_inertia[end[e]];
            damping_row[end[e]] += c * sum * model->inverse_inertia[end[e]];
          }
    }
  for (gsize i = 0; i < model->n_free; i++)
    {
      largest = fmax (largest, row[i]);
      largest_damping = fmax (largest_damping, damping_row[i]);
    }
  *bound = sqrt (largest);
  *damping = largest_damping;
}

/* Returns the angular rate of a link between points [1/s], which needs as short a step. */
static double
turning_rate (const IfbamModel *model, const IfbamLink *link, const double *position,
              const double *rate)
{
  double x[IFBAM_MAX_PORTS], v[IFBAM_MAX_PORTS], row[2][IFBAM_MAX_PORTS], delta;
  double size = 1e-3, speed = 0, reach, turned = 0, whole = 0;

  if (link->geometry->straight || !ifbam_link_is_of_mechanism (link))
    return 0;
  for (guint e = 0; e < link->n_ports; e++)
    {
      size = fmax (size, fabs (position[link->node[e]]));
      speed = fmax (speed, fabs (rate[link->node[e]]));
    }
  if (speed == 0)
    return 0;
  reach = ROTATION_DIFFERENCE * size / speed;
  for (guint side = 0; side < 2; side++)
    {
      for (guint e = 0; e < link->n_ports; e++)
        {
          v[e] = rate[link->node[e]];
          x[e] = position[link->node[e]] + (side == 0 ? -reach : reach) * v[e];
        }
      link->geometry->measure (link->shape, x, v, &delta, row[side]);
    }
  for (guint e = 0; e < link->n_ports; e++)
    if (link->node[e] < model->n_free)
      {
        const double by = row[1][e] - row[0][e], own = row[1][e] + row[0][e];

        turned += by * by * model->inverse_inertia[link->node[e]];
        whole += own * own * model->inverse_inertia[link->node[e]];
      }
  return whole > 0 ? sqrt (turned / whole) / reach : 0;
}

static double
inverse_mass_along (const IfbamModel *model, const IfbamLink *link, const double *row)
{
  double sum = 0;

  for (guint e = 0; e < link->n_ports; e++)
    if (link->node[e] < model->n_free)
      sum += row[e] * row[e] * model->inverse_inertia[link->node[e]];
  return sum;
}

/* Adds a link to the bounds' squares: in its mode, and in all modes with a linear law. */
static void
add_single (const IfbamModel *model, const IfbamLink *link, const double *position,
            const double *rate, double *stiffness, double *damping)
{
  const double turning = turning_rate (model, link, position, rate);
  double delta, speed, row[IFBAM_MAX_PORTS], inertia, room[IFBAM_MAX_LAW];
  const void *numbers = ifbam_link_parameters_at (link, position, rate, IFBAM_ANY_MODE, room);
  int now;

  *stiffness = fmax (*stiffness, turning * turning);
  if (link->law->force == NULL)
    return;
  speed = ifbam_link_measure (link, position, rate, &delta, row);
  now = link->law->mode (numbers, delta, speed);
  inertia = inverse_mass_along (model, link, row);
  if (link->geometry->force_direction != NULL)
    {
      double x[IFBAM_MAX_PORTS], v[IFBAM_MAX_PORTS], measured_row[IFBAM_MAX_PORTS];

      ifbam_link_read_ports (link, position, x);
      ifbam_link_read_ports (link, rate, v);
      link->geometry->measure (link->shape, x, v, &delta, measured_row);
      inertia = sqrt (inertia * inverse_mass_along (model, link, measured_row));
    }
  /* the number of unnamed modes is not known: only the present one counts */
  for (int mode = link->law->modes != NULL ? 0 : now;
       link->law->modes != NULL ? link->law->modes[mode] != NULL : mode == now; mode++)
    {
      const IfbamForceDerivatives own =
          ifbam_link_differentiate (link, numbers, mode, delta, speed);

      if (own.nonlinear != 0 && mode != now)
        continue;
      *stiffness = fmax (*stiffness, 2 * fabs (own.stiffness) * inertia);
      *damping = fmax (*damping, 2 * fabs (own.damping) * inertia);
    }
}

gboolean
ifbam_stability_bounds_at (const IfbamModel *model, const double *position, const double *rate,
                           double *bound, double *damping)
{
  g_autoptr (IfbamLinearization) linearization = NULL;
  double stiffest = 0, strongest = 0;

  for (gsize i = 0; i < model->n_free; i++)
    if (!isfinite (position[i]) || !isfinite (rate[i]))
      return FALSE;
  linearization = ifbam_linearization_new (model, NULL, position, rate);
  if (linearization->first_not_finite < model->n_links)
    return FALSE;
  ifbam_stability_bounds_of_batches (linearization, bound, damping);
  for (const IfbamLink *link = NULL; ifbam_unbatched_next (model, &link);)
    add_single (model, link, position, rate, &stiffest, &strongest);
  *bound = sqrt (*bound * *bound + stiffest);
  *damping += strongest;
  return isfinite (*bound) && isfinite (*damping);
}
