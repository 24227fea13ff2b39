/* clusters.h: groups of components that may ever become coupled
 *
 *   component  nodes joined by links without modes; fixed
 *   island     components joined by links that are active now; changes at events
 *   cluster    components that modes, impulses, monitors, controllers, given nodes may join; fixed
 *
 * Rounding thresholds, the test for simultaneous events and the choice of the restart scheme are
 * made per cluster. A cluster's result therefore does not depend on the rest of the network.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-engine-internal.h"

/* Finds the clusters (after the islands); order: first link, else impulse; the last has neither. */
void ifbam_clusters_make (IfbamEventEngine *self);
void ifbam_clusters_free (IfbamEventEngine *self);

/* Return the component of a link, an external impulse or a scheduled event; IFBAM_NONE: none. */
guint32 ifbam_event_link_component (const IfbamEventEngine *self, guint32 number);
guint32 ifbam_event_impulse_component (const IfbamEventEngine *self, const IfbamImpulse *impulse);
guint32 ifbam_time_event_component (const IfbamEventEngine *self, const IfbamTimeEvent *instant);
/* Returns the cluster that a scheduled event changes. */
guint32 ifbam_time_event_cluster (const IfbamEventEngine *self, const IfbamTimeEvent *instant);

/* Stores the cluster of the last event; sorts all since the last sort by time, then by cluster. */
void ifbam_event_log_add_cluster (IfbamEventEngine *self, guint32 cluster);
void ifbam_event_log_sort (IfbamEventEngine *self);
