/* constraint-projection.h: projection of coordinates onto active constraints
 *
 * Straight constraints merge nodes; curved ones are met by Newton's method.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-engine-internal.h"

/* Rebuilds an island's groups of merged nodes, its flags and, without curved rows, its factors. */
void ifbam_event_merge_nodes (IfbamEventEngine *self, IfbamIsland *island);

/* Returns the residual delta - gap + remaining gap of a contact or fixed constraint [m]; else 0. */
double ifbam_event_constraint_residual (const IfbamEventEngine *self, guint32 index,
                                        const double *position, const double *rate);

/* Projects x, v (n_nodes) of an island onto its active constraints, at a time after the step's
 * start [s]. arrived: a mechanism's positions are met already; only rates are projected. */
void ifbam_event_project (IfbamEventEngine *self, IfbamIsland *island, double *x, double *v,
                          double time, gboolean arrived);

/* Whether an island is a mechanism: it has fixed constraints, and rows that vary with positions. */
static inline gboolean
ifbam_island_is_mechanism (const IfbamIsland *island)
{
  return island->has_variable_rows && island->has_fixed && island->rows != NULL
         && island->rows->len > 0;
}
