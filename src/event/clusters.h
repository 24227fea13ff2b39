/* clusters.h: groups of components that may ever become coupled
 *
 *   component  nodes joined by links without modes; fixed
 *   island     components joined by links that are active now; changes at events
 *   cluster    components that modes, impulses, monitors, controllers, given nodes may join; fixed
 *
 * Rounding thresholds, simultaneity and, under one-step schemes, restart are decided per cluster.
 * Without a tolerance a cluster's result does not depend on other clusters; README.md names
 * exceptions. With a tolerance a scheduled event ends all islands' steps (step-size-control.c).
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-engine-internal.h"

/* Finds the clusters (after the islands); order: first link, else impulse; the last has neither. */
void ifbam_clusters_init (IfbamEventEngine *self);
void ifbam_clusters_clear (IfbamClusters *self);

/* Return the component of a link or of a scheduled event; IFBAM_NONE: none. */
guint32 ifbam_event_link_component (const IfbamEventEngine *self, guint32 index);
guint32 ifbam_time_event_component (const IfbamEventEngine *self, const IfbamTimeEvent *time_event);
/* Returns the cluster that a scheduled event changes. */
guint32 ifbam_time_event_cluster (const IfbamEventEngine *self, const IfbamTimeEvent *time_event);

/* If a network has more than IFBAM_SMALL_CLUSTER_NODES nodes, magnitude scales include all nodes only at
 * every IFBAM_MAGNITUDE_SAMPLES-th step. They include the nodes at unbatched links at each step. */
#define IFBAM_MAGNITUDE_SAMPLES   64
#define IFBAM_SMALL_CLUSTER_NODES 64

/* Sets all scales to 0 or, with `keep`, computes the thresholds of the present ones. */
void ifbam_magnitudes_restart (IfbamEventEngine *self, gboolean keep);
/* Raises magnitude scales to a coordinate and a rate (>= 0), and updates the thresholds. */
void ifbam_magnitudes_include (const IfbamEventEngine *self, IfbamMagnitudes *scale,
                               double position, double rate);
/* Raises all scales to x, v at the start of a step. */
void ifbam_event_update_thresholds (IfbamEventEngine *self);
/* Raises the scales of a free node's cluster to its x, v. */
void ifbam_magnitudes_include_node (IfbamEventEngine *self, guint32 node);
/* The same for a given node, in the cluster of one of the components at it. */
void ifbam_magnitudes_include_given (IfbamEventEngine *self, guint32 component, guint32 node);
