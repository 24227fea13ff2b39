/* clusters.h: components that may ever have to do with each other, through modes
 *
 * Links with modes, impulses, monitors and controllers with those that follow them, given nodes that go on differently at
 * instants: all that these join, or may join, is a cluster. What is rounding, what is one instant and who goes by another scheme
 * is found in each for itself: so it goes its way to the last bit, whatever else is in the network.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-engine-internal.h"

/* Once components, links and given instants are there. Clusters are numbered by their first link (or else impulse); what has
 * neither is the last. */
void ifbam_clusters_make (IfbamEventEngine *self);
void ifbam_clusters_free (IfbamEventEngine *self);

/* A component of a link's; IFBAM_NONE: it has none. */
guint32 ifbam_event_link_component (const IfbamEventEngine *self, guint32 number);
/* That of what an impulse strikes, or of one of these that can move; likewise. */
guint32 ifbam_event_impulse_component (const IfbamEventEngine *self, const IfbamImpulse *impulse);
/* That to which an instant happens; likewise. */
guint32 ifbam_event_instant_component (const IfbamEventEngine *self, const IfbamInstant *instant);
/* The cluster to which an instant happens. */
guint32 ifbam_event_instant_cluster (const IfbamEventEngine *self, const IfbamInstant *instant);

/* Events of a step are told by their times, at once by their clusters: whose they are is noted as they come. */
void ifbam_event_note_cluster (IfbamEventEngine *self, guint32 cluster);
void ifbam_event_sort_told (IfbamEventEngine *self);
