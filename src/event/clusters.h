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

#include "event/event-types.h"

/* Magnitude scales of a cluster in a domain, and the rounding thresholds that follow. */
typedef struct
{
  double position, rate; /* largest coordinate or gap, and rate, so far */
  double arc; /* largest arc of a lever's end so far [m], which rounds the end's position */
  double position_threshold, rate_threshold;
} IfbamMagnitudes;

/* Components that may ever become coupled: clusters.h. */
typedef struct
{
  GArray *components;  /* guint32 */
  GArray *nodes;       /* guint32: nodes at its unbatched links; if `is_small`: all nodes */
  gsize n_nodes;       /* free nodes */
  gboolean has_events; /* some link of it does more than record crossings */
  gboolean is_small;   /* has_events, and at most IFBAM_FEW_NODES free nodes */
  GArray *heap;        /* IfbamCandidate: candidate events of this step */
  double max_lead;     /* largest lead of an event over its prediction in this step [s] */
  guint n_fallbacks;   /* time-stepping fallbacks in this step, failed lengths included */
} IfbamCluster;

typedef struct
{
  guint n;
  IfbamCluster *list;            /* (n) */
  IfbamMagnitudes *magnitudes;   /* by cluster and domain (n * IFBAM_N_DOMAINS) */
  guint32 *of;                   /* cluster of components, then links, then impulses */
  guint32 *root;                 /* union-find roots of these */
  guint32 *of_link, *of_impulse; /* parts of `of` */
  guint32 *given_component;      /* a component at a given node, or IFBAM_NONE (n_given) */
  double *lever;                 /* largest lever arm of an angle in a link [m] (n_nodes) */
  guint8 *node_domain;           /* (n_nodes) */
  guint8 *link_domain;           /* of a link's compression (n_links) */
} IfbamClusters;

/* Finds the clusters (after the islands); order: first link, else impulse; the last has neither. */
void ifbam_clusters_init (IfbamEventEngine *self);
void ifbam_clusters_clear (IfbamClusters *self);

/* Return the component of a link or of a scheduled event; IFBAM_NONE: none. */
guint32 ifbam_event_link_component (const IfbamEventEngine *self, guint32 number);
guint32 ifbam_time_event_component (const IfbamEventEngine *self, const IfbamTimeEvent *instant);
/* Returns the cluster that a scheduled event changes. */
guint32 ifbam_time_event_cluster (const IfbamEventEngine *self, const IfbamTimeEvent *instant);

/* If a network has more than IFBAM_FEW_NODES nodes, magnitude scales include all nodes only at
 * every IFBAM_MAGNITUDE_SAMPLES-th step. They include the nodes at unbatched links at each step. */
#define IFBAM_MAGNITUDE_SAMPLES 64
#define IFBAM_FEW_NODES         64

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
