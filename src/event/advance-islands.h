/* advance-islands.h: advance of islands to an event time, and links that take part in the event
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-engine-internal.h"

#define IFBAM_SLOW_IMPACT_RATIO  1e-9 /* of the largest rate: slower impacts have no restitution */
#define IFBAM_REST_RISE          1e-9 /* of the largest coordinate: bounces that may be rest */
#define IFBAM_REST_TIME          1    /* steps: total duration of the remaining bounces */
#define IFBAM_NEAR_RATIO         1e-6 /* of the magnitude scale: nearer links are checked exactly */
#define IFBAM_EQUALITY_TOLERANCE 1e-12 /* relative tolerance of equal values */

/* Advances an island to an event time [s after the step's start], once per event. Side effects:
 * books its work, sets x, v, forgets carried accelerations, appends it to islands.affected. */
void ifbam_event_advance_island (IfbamEventEngine *self, guint32 island, double time);
/* As ifbam_event_advance_island (), for the islands of a link's ends. */
void ifbam_event_advance_ends (IfbamEventEngine *self, guint32 link, double time);

/* Adds a link that is no friction to the event if it could transmit an impulse: it is closed, it
 * touches, or it has `fired`. Advances its islands if it is near. */
void ifbam_event_add_link (IfbamEventEngine *self, guint32 link, double time, gboolean fired);
/* As ifbam_event_add_link (), for all links of a node. */
void ifbam_event_add_node_links (IfbamEventEngine *self, guint32 node, double time);

/* Returns a link's rate [m/s], and *delta [m]. Side effect: stores its row in
 * links.state[number].row. */
static inline double
ifbam_link_rate (IfbamEventEngine *self, guint32 index, double *delta)
{
  return ifbam_link_measure (ifbam_link (self, index), self->nodes.x, self->nodes.v, delta,
                             self->links.state[index].row);
}

/* Returns a link's acceleration from self->nodes.acceleration[]. Its row must have been
 * measured. */
double ifbam_link_acceleration (const IfbamEventEngine *self, guint32 link);
/* Returns the inverse effective mass J M^-1 J^T of a link's measured row. */
double ifbam_link_inverse_mass (const IfbamEventEngine *self, guint32 link);

/* Returns FALSE only for an open contact with a gap above the rounding threshold. */
gboolean ifbam_link_is_touching (IfbamEventEngine *self, guint32 link);
