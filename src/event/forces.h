/* forces.h: what links, sources and given nodes say in a component or island
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-engine-internal.h"

/* The mean of a link's law over the coming step's path, as batches take it (see link-class.h). Where the
 * row turns on the way, it becomes that of the mean of row and force. flow: at what rates its states change, in the
 * mean, if it has such. */
double ifbam_link_mean (const IfbamLink *link, int mode, const IfbamHeard *heard, gboolean mean,
                        double *row, double *flow);

/* The same over the straight path to the true end, which `heard` tells by a cycle before (see scheme-implicit.c): its work is
 * what the link stores, between points of the plane as well, to rounding. Bodies, and rows that turn otherwise, go
 * by points. */
double ifbam_link_mean_to_end (const IfbamLink *link, int mode, const IfbamHeard *heard,
                               double *row, double *flow);

/* Forces of links and sources, summed by node, at time [s]. */
void ifbam_event_forces (IfbamEventEngine *self, guint32 island, const double *position,
                         const double *rate, double time);

/* The same in the mean over a path that is told as two cycles of a flip-flop are (see extrapolation.h), by four columns. */
void ifbam_event_mean_forces (IfbamEventEngine *self, guint32 island, double *const *column,
                              double time);

/* Whether something has to be said of given nodes: objects say where they are even where they never move. */
static inline gboolean
ifbam_event_has_moving (const IfbamEventEngine *self)
{
  return self->objects != NULL || self->base.numbers->n_moving > 0;
}

/* Given nodes of an island, or all, at time. Those that never move stand in all columns from the start on. */
void ifbam_event_place (IfbamEventEngine *self, guint32 island, double time, double *position,
                        double *rate);
void ifbam_event_place_fixed (IfbamEventEngine *self);

/* Asks given nodes for n times that are to come: several together take little longer than one. */
void ifbam_event_foresee (const IfbamEventEngine *self, guint32 island, const double *time,
                          guint n);

/* The time at which a source acts: within the piece between two given instants, at whose end the value is
 * that from before. */
double ifbam_event_source_time (const IfbamEventEngine *self, guint32 source, double time);

/* What an island's nodes said as of one time holds for another. */
void ifbam_event_keep (IfbamEventEngine *self, guint32 island, const double *from, double *to);

/* An island's next step begins with what the forces at its start give. */
void ifbam_event_forget (IfbamEventEngine *self, guint32 island);

/* Forces of the coming cycle from a cycle's columns, under a flip-flop scheme; into answer[] and the
 * links' `answer`. */
void ifbam_event_cycle_forces (IfbamEventEngine *self, guint32 island, double *const *column,
                               double source_time, double *answer);

/* What single links said in the cycle before arrives. */
void ifbam_event_land (IfbamEventEngine *self);

/* Sums the forces in flight by node. */
void ifbam_event_cycle_gather (IfbamEventEngine *self, const double *answer);
