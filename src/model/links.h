/* links.h: links of a model, in batches or not: iteration, measures, forces, events
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/compiled-model.h"

/* Bits: links that an iterator visits, in this order. */
enum
{
  IFBAM_LINKS_STORED = 1 << 0,    /* batched, in the order of storage */
  IFBAM_LINKS_BATCHED = 1 << 1,   /* batched, in the order of the file */
  IFBAM_LINKS_UNBATCHED = 1 << 2, /* in the order of the file, each constraint by itself */
};

/* An iterator over links. The first four fields are of the present link. */
typedef struct
{
  /* Owned by the model; a batched one is valid until the iterator moves. It has law, class,
   * parameters, geometry, nodes; in the order of the file also its element, but no name. */
  const IfbamLink *link;
  gsize number; /* in file order, among batched or unbatched links (not with STORED) */
  gsize slot;   /* of its force; G_MAXSIZE: unbatched */
  /* Batched: slots of the values that its nodes get: forces, then rates of states. */
  gsize end_slot[2 + IFBAM_MAX_STATES];

  const IfbamModel *model;
  guint which;
  guint batch; /* order of storage: the next link's batch, and its index there */
  gsize index;
  const IfbamBatch *loaded; /* batch of `batched` */
  IfbamLink batched;
  double parameters[IFBAM_MAX_LAW];
} IfbamLinkIter;

/* Returns an iterator before its first link. which: bits, of which STORED excludes BATCHED. */
static inline IfbamLinkIter
ifbam_links (const IfbamModel *model, guint which)
{
  return (IfbamLinkIter){ .model = model, .which = which, .number = G_MAXSIZE };
}

/* Moves to the next link. Returns FALSE after the last one. */
gboolean ifbam_link_iter_next (IfbamLinkIter *iter);

/* Moves to a link: its index among batched links, or n_links plus that among unbatched ones. */
void ifbam_link_iter_seek (IfbamLinkIter *iter, gsize index);

/* Moves to the batched link of a slot: of its force, right end or a state; its index is not set.
 * Returns FALSE if the slot is of a source or an unbatched link. */
gboolean ifbam_link_iter_seek_slot (IfbamLinkIter *iter, gsize slot);

/* Returns the present link's name (transfer full); not in the order of storage. */
char *ifbam_link_iter_name (const IfbamLinkIter *iter);

/* Returns the ratio of a link between two nodes: its row is 1, -ratio. */
static inline double
ifbam_link_ratio (const IfbamLink *link)
{
  return ifbam_geometry_ratio (link->geometry, link->numbers);
}

/* Returns TRUE if a link acts on a free node or has a state. */
static inline gboolean
ifbam_link_has_free_node (const IfbamModel *model, const IfbamLink *link)
{
  for (guint e = 0; e < link->n_ports + link->n_states; e++)
    if (link->node[e] < model->n_free)
      return TRUE;
  return FALSE;
}

/* Appends a link's nodes (gsize) at ports and of states, except `except` (G_MAXSIZE: none). */
void ifbam_link_add_nodes (const IfbamLink *link, gsize except, GArray *nodes);

/* Stores a node column's values at a link's ports (n_ports). */
static inline void
ifbam_link_read_ports (const IfbamLink *link, const double *column, double *values)
{
  for (guint e = 0; e < link->n_ports; e++)
    {
      IFBAM_SCALAR_LOOP;
      values[e] = column[link->node[e]];
    }
}

/* Inputs of a link at its ports, then of its states: of this cycle and of the one before. */
typedef struct
{
  double position[IFBAM_MAX_ENDS], rate[IFBAM_MAX_ENDS];
  double earlier_position[IFBAM_MAX_ENDS], earlier_rate[IFBAM_MAX_ENDS];
  int pressing; /* mode of the link that presses it */
} IfbamLinkInputs;

/* Computes the compression *delta from the coordinates at a link's ports (n_ports). Returns the
 * rate. row: Jacobian row, or the force direction if the geometry has another one
 * (IfbamGeometry.force_direction). */
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
  if (G_UNLIKELY (link->geometry->force_direction != NULL))
    link->geometry->force_direction (link->shape, row);
  return sum;
}

/* As ifbam_link_measure_at (), from columns of all nodes. */
static inline double
ifbam_link_measure (const IfbamLink *link, const double *position, const double *rate,
                    double *delta, double *row)
{
  double x[IFBAM_MAX_PORTS], v[IFBAM_MAX_PORTS];

  ifbam_link_read_ports (link, position, x);
  ifbam_link_read_ports (link, rate, v);
  return ifbam_link_measure_at (link, x, v, delta, row);
}

/* Computes a Jacobian row from columns of all nodes. Returns (d row / dt) v [m/s^2]. */
static inline double
ifbam_link_measure_acceleration (const IfbamLink *link, const double *position, const double *rate,
                                 double *row)
{
  const IfbamGeometry *geometry = link->geometry;
  double x[IFBAM_MAX_PORTS], v[IFBAM_MAX_PORTS], delta;

  ifbam_link_read_ports (link, position, x);
  ifbam_link_read_ports (link, rate, v);
  if (geometry->measure_all != NULL)
    return geometry->measure_all (link->shape, x, v, &delta, row);
  geometry->measure (link->shape, x, v, &delta, row);
  return geometry->velocity_term == NULL ? 0 : geometry->velocity_term (link->shape, x, v);
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
double ifbam_link_mean (const IfbamLink *link, int mode, const IfbamLinkInputs *inputs,
                        gboolean mean, double *row, double *flow);

/* Returns the mean force over a straight path to the step's end, to which `heard` extrapolates
 * (scheme-implicit.c). Its work is the change of stored energy to rounding, also between points of
 * the plane. Bodies, and other rows that rotate, are integrated by quadrature points. */
double ifbam_link_mean_to_end (const IfbamLink *link, int mode, const IfbamLinkInputs *inputs,
                               double *row, double *flow);

/* Returns the event word of a mode change (not owned); NULL: not recorded. */
const char *ifbam_link_event (const IfbamLink *link, int from, int to);

/* Returns TRUE if a constraint is active in a mode. */
gboolean ifbam_constraint_is_active (const IfbamConstraint *relation, int mode);
