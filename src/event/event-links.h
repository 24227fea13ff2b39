/* event-links.h: unbatched links: activity, islands and state at any time
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-engine-internal.h"

/* Allocates the states of a model's links, and copies links with variable slip directions. */
void ifbam_event_links_init (IfbamEventLinks *self, const IfbamModel *model);
void ifbam_event_links_clear (IfbamEventLinks *self);

/* Returns whether a link's mode couples the nodes at its ends: one island contains them then. */
gboolean ifbam_link_couples (const IfbamEventEngine *self, guint32 index);
/* Returns whether a link has an active constraint row. A friction that is prevented has none. */
gboolean ifbam_link_is_active (const IfbamEventEngine *self, guint32 index);

/* Returns whether a constraint acts in both directions between two nodes on a line. Redundant ones
 * share loads evenly, as equal small resistances would. */
gboolean ifbam_link_is_rigid_on_line (const IfbamEventEngine *self, guint32 index);
/* Returns whether only given nodes determine a link's rate: no reaction of it changes that. */
gboolean ifbam_link_is_driven (const IfbamEventEngine *self, guint32 index);

/* Returns whether a link has a massless node (junction). */
gboolean ifbam_link_has_massless_node (const IfbamEventEngine *self, guint32 index);

/* As ifbam_island_node (), for all nodes. A given node has its prescribed motion. */
void ifbam_event_node_at (const IfbamEventEngine *self, guint32 node, double time, double *x,
                          double *v);

/* Returns a link's rate from nodes interpolated at a time after the step's start; *delta [m]. */
double ifbam_link_estimate (const IfbamEventEngine *self, guint32 link, double time, double *delta);
/* Returns a law's parameters at such a time. room: scratch (IFBAM_MAX_LAW). */
const void *ifbam_link_parameters_estimate (const IfbamEventEngine *self, guint32 index,
                                            double time, double *room);

/* Stores indices of the islands at a link's ports (IFBAM_MAX_PORTS). Returns their count. */
guint ifbam_event_link_islands (const IfbamEventEngine *self, guint32 link, guint32 *islands);
