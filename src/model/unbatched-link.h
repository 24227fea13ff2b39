/* unbatched-link.h: measures, forces and events of a link in no batch
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/compiled-model.h"

/* Inputs of a link at its ports, then of its states: of this cycle and of the one before. */
typedef struct
{
  double position[IFBAM_MAX_ENDS], rate[IFBAM_MAX_ENDS];
  double earlier_position[IFBAM_MAX_ENDS], earlier_rate[IFBAM_MAX_ENDS];
  int pressing; /* mode of the link that presses it */
} IfbamLinkInputs;

/* Computes the compression *delta from the coordinates at a link's ports (n_ports). Returns the
 * rate. row: Jacobian row, or the force direction if the geometry has another one
 * (IfbamGeometry.pull). */
static inline double
ifbam_link_measure_at (const IfbamLink *link, const double *position, const double *rate,
                       double *delta, double *row)
{
  double sum = 0;

  if (link->geometry->straight && link->n_ports == 2)
    {
      row[0] = 1;
      row[1] = -1;
      *delta = position[0] - position[1];
      return rate[0] - rate[1];
    }
  link->geometry->measure (link->shape, position, rate, delta, row);
  /* No vector loads: they would stall on doubles that have just been stored one by one. */
  for (guint e = 0; e < link->n_ports; e++)
    {
      IFBAM_SCALAR_LOOP;
      sum += row[e] * rate[e];
    }
  if (G_UNLIKELY (link->geometry->pull != NULL))
    link->geometry->pull (link->shape, row);
  return sum;
}

/* As ifbam_link_measure_at (), from columns of all nodes. */
static inline double
ifbam_link_measure (const IfbamLink *link, const double *position, const double *rate,
                    double *delta, double *row)
{
  double x[IFBAM_MAX_PORTS], v[IFBAM_MAX_PORTS];

  for (guint e = 0; e < link->n_ports; e++)
    {
      IFBAM_SCALAR_LOOP;
      x[e] = position[link->node[e]];
      v[e] = rate[link->node[e]];
    }
  return ifbam_link_measure_at (link, x, v, delta, row);
}

/* Computes a Jacobian row from columns of all nodes. Returns (d row / dt) v [m/s^2]. */
static inline double
ifbam_link_measure_acceleration (const IfbamLink *link, const double *position, const double *rate,
                                 double *row)
{
  const IfbamGeometry *geometry = link->geometry;
  double x[IFBAM_MAX_PORTS], v[IFBAM_MAX_PORTS], delta;

  for (guint e = 0; e < link->n_ports; e++)
    {
      IFBAM_SCALAR_LOOP;
      x[e] = position[link->node[e]];
      v[e] = rate[link->node[e]];
    }
  if (geometry->measure_and_bend != NULL)
    return geometry->measure_and_bend (link->shape, x, v, &delta, row);
  geometry->measure (link->shape, x, v, &delta, row);
  return geometry->bend == NULL ? 0 : geometry->bend (link->shape, x, v);
}

/* Returns the force of a link's law [N]. x, v: coordinates at its ports, then its states; pressing:
 * mode of the link that presses it; flow: rates of its states (n_states), set if it has any. */
static inline double
ifbam_link_force (const IfbamLink *link, int mode, int pressing, double delta, double rate,
                  const double *x, const double *v, double *flow)
{
  const IfbamLaw *law = link->law;
  double room[IFBAM_MAX_LAW];
  const void *numbers = ifbam_link_parameters (link, x, v, pressing, room);

  if (law->n_states > 0)
    law->state_rates (numbers, mode, delta, rate, flow);
  return law->force (numbers, mode, delta, rate);
}

/* Returns the mean force of a link over the path of the coming step, as in batches (link-class.h).
 * mean FALSE: the present force. row: receives the Jacobian row; if it varies along the path, the
 * mean of row times force divided by the mean force. flow (n_states): mean rates of states. */
double ifbam_link_mean (const IfbamLink *link, int mode, const IfbamLinkInputs *heard,
                        gboolean mean, double *row, double *flow);

/* Returns the mean force over a straight path to the step's end, to which `heard` extrapolates
 * (scheme-implicit.c). Its work is the change of stored energy to rounding, also between points of
 * the plane. Bodies, and other rows that rotate, are integrated by quadrature points. */
double ifbam_link_mean_to_end (const IfbamLink *link, int mode, const IfbamLinkInputs *heard,
                               double *row, double *flow);

/* Returns the event word of a mode change (not owned); NULL: such a change is not recorded. */
const char *ifbam_link_event (const IfbamLink *link, int from, int to);

/* Returns whether a constraint is active in a mode. */
gboolean ifbam_constraint_is_active (const IfbamConstraint *relation, int mode);
