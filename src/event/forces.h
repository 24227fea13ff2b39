/* forces.h: forces of links and sources, and motions of given nodes, by component or island
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-engine-internal.h"

/* Computes the forces of links and sources, and their sums by node, at time [s]. */
void ifbam_event_forces (IfbamEventEngine *self, guint32 island, const double *position,
                         const double *rate, double time);

/* Computes their means over a path instead. column: coordinates and rates in two cycles (4). */
void ifbam_event_mean_forces (IfbamEventEngine *self, guint32 island, double *const *column,
                              double time);

/* Returns whether given nodes have to be set: one moves, or all are set. */
static inline gboolean
ifbam_event_has_moving (const IfbamEventEngine *self)
{
  return self->evaluator->sets_fixed || self->base.numbers->n_moving > 0;
}

/* Sets the moving given nodes of an island (IFBAM_NONE: of all) at time [s].
 * ifbam_event_set_fixed_nodes () sets all given nodes in all columns, at the run's start. */
void ifbam_event_set_given (IfbamEventEngine *self, guint32 island, double time, double *position,
                            double *rate);
void ifbam_event_set_fixed_nodes (IfbamEventEngine *self);

/* Evaluates and caches given nodes' motions at n coming times [s]: n cost little more than one. */
void ifbam_event_cache_motions (const IfbamEventEngine *self, guint32 island, const double *time,
                                guint n);

/* Returns time [s] within a source's present piece, which ends just before a scheduled event. */
double ifbam_event_source_time (const IfbamEventEngine *self, guint32 source, double time);

/* Copies the values of an island's nodes from one column to another. */
void ifbam_event_copy_nodes (IfbamEventEngine *self, guint32 island, const double *from,
                             double *to);

/* Discards carried accelerations: an island's next step begins with the forces at its start. */
void ifbam_event_discard_accelerations (IfbamEventEngine *self, guint32 island);

/* Flip-flop schemes: computes the forces of the coming cycle from the columns of a cycle, into
 * answer[] and the unbatched links' `next_force`. source_time: [s]. */
void ifbam_event_cycle_forces (IfbamEventEngine *self, guint32 island, double *const *column,
                               double source_time, double *output);

/* Flip-flop schemes: makes the unbatched links' forces in flight their present forces. */
void ifbam_event_take_forces_in_flight (IfbamEventEngine *self);

/* Calls ifbam_event_take_forces_in_flight (), then sums the forces in flight by node. */
void ifbam_event_cycle_gather (IfbamEventEngine *self, const double *output);
