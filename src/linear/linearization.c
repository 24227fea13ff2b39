/* linearization.c: a network's laws replaced by their tangents at a state
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "linear/linearization.h"

#include <math.h>

static void
linearize_link (IfbamLinearization *linearization, const IfbamLinkIter *at, const double *position,
                const double *rate)
{
  const IfbamLink *link = at->link;
  double delta, row[IFBAM_MAX_PORTS], room[IFBAM_MAX_LAW];
  const double speed = ifbam_link_measure (link, position, rate, &delta, row);
  const IfbamForceDerivatives law = ifbam_link_differentiate (
      link, ifbam_link_parameters_at (link, position, rate, IFBAM_ANY_MODE, room), 0, delta, speed);

  linearization->force[at->slot] = law.force;
  linearization->stiffness[at->slot] = law.stiffness;
  linearization->damping[at->slot] = law.damping;
  linearization->nonlinear[at->slot] = law.nonlinear;
  if (!ifbam_link_has_free_node (linearization->model, link))
    return;
  linearization->n_nonlinear += law.nonlinear != 0;
  linearization->has_damping |= law.damping != 0;
}

static gsize
find_not_finite (const IfbamLinearization *linearization)
{
  const IfbamModel *model = linearization->model;

  for (gsize i = 0; i < model->n_links; i++)
    {
      const guint32 slot = model->link_slot[i];

      if (!isfinite (linearization->stiffness[slot]) || !isfinite (linearization->damping[slot])
          || !isfinite (linearization->force[slot]))
        return i;
    }
  return model->n_links;
}

IfbamLinearization *
ifbam_linearization_new (const IfbamModel *model, const IfbamRunSpec *spec, const double *position,
                         const double *rate)
{
  IfbamLinearization *linearization = g_new0 (IfbamLinearization, 1);
  g_autofree double *start_position = NULL, *start_rate = NULL;

  if (position == NULL || rate == NULL)
    {
      start_position = g_new (double, model->n_nodes + 1);
      start_rate = g_new (double, model->n_nodes + 1);
      ifbam_start_range (model, spec, 0, model->n_nodes, start_position, start_rate);
    }
  linearization->model = model;
  linearization->spec = spec;
  linearization->force = g_new0 (double, model->n_slots + 1);
  linearization->stiffness = g_new0 (double, model->n_slots + 1);
  linearization->damping = g_new0 (double, model->n_slots + 1);
  linearization->nonlinear = g_new0 (guint8, model->n_slots + 1);
  for (IfbamLinkIter at = ifbam_links (model, IFBAM_LINKS_STORED); ifbam_link_iter_next (&at);)
    linearize_link (linearization, &at, position != NULL ? position : start_position,
                    rate != NULL ? rate : start_rate);
  linearization->first_not_finite = find_not_finite (linearization);
  return linearization;
}

void
ifbam_linearization_free (IfbamLinearization *linearization)
{
  if (linearization == NULL)
    return;
  g_free (linearization->force);
  g_free (linearization->stiffness);
  g_free (linearization->damping);
  g_free (linearization->nonlinear);
  g_free (linearization);
}

/* Products without a matrix */

void
ifbam_linearization_multiply (const IfbamLinearization *linearization, const double *slope,
                              const double *x, double *y)
{
  for (IfbamLinkIter at = ifbam_links (linearization->model, IFBAM_LINKS_STORED);
       ifbam_link_iter_next (&at);)
    {
      double delta, row[IFBAM_MAX_PORTS], force;

      ifbam_link_measure (at.link, x, x, &delta, row);
      force = slope[at.slot] * delta;
      for (guint e = 0; e < 2; e++)
        y[at.link->node[e]] += row[e] * force;
    }
}

double
ifbam_linearization_form (const IfbamLinearization *linearization, const double *slope,
                          const double *x, const double *y)
{
  double sum = 0;

  for (IfbamLinkIter at = ifbam_links (linearization->model, IFBAM_LINKS_STORED);
       ifbam_link_iter_next (&at);)
    {
      double row[IFBAM_MAX_PORTS], of_x, of_y;

      ifbam_link_measure (at.link, x, x, &of_x, row);
      ifbam_link_measure (at.link, y, y, &of_y, row);
      sum += slope[at.slot] * of_x * of_y;
    }
  return sum;
}
