/* dual-parts.h: clusters of a network that two engines advance
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/clusters.h"
#include "event/event-engine-internal.h"

/* Longest interval of the compiled engine [cycles]. */
#define IFBAM_DUAL_MAX_INTERVAL IFBAM_MAGNITUDE_SAMPLES

/* Ranges of adjoining nodes of a component. */
#define IFBAM_DUAL_FOR_RANGES(self, range, component)                                              \
  for (const IfbamIndexRange *range = ifbam_index_range ((self)->event, (component)->nodes),       \
                             *range##_end = range + (component)->n_nodes;                          \
       range < range##_end; range++)

typedef struct
{
  GArray *components;    /* guint32 */
  GArray *links;         /* guint32: links with modes */
  GArray *monitors;      /* guint32: monitors that change nothing else */
  GArray *time_events;   /* guint32: indices of scheduled events, as far as listed */
  guint next_time_event; /* index in instants */
  gsize n_nodes, n_links;
  gboolean always_active;
  gboolean is_active;
  gboolean may_cross;
  guint required_free_cycles,
      wait;               /* event-free cycles that are required, and left, before deactivation */
  guint64 inactive_since; /* steps done at the deactivation */
} IfbamDualCluster;

typedef struct
{
  IfbamEngine base;
  IfbamEventEngine *event;
  IfbamEngine *tiles;
  GArray *clusters;    /* IfbamDualCluster */
  guint32 *cluster_of; /* by component; IFBAM_NONE: in no cluster */
  guint n_active;      /* active clusters */
  gboolean all_active; /* no component is inactive */
  gboolean starting;   /* components in no cluster are active, too */
  guint interval;      /* cycles of the next interval */

  /* Saved states of the compiled engine: the one to restore; scratch; under a flip-flop scheme one
   * before `kept`, valid for inactive components. */
  IfbamState *kept, *scratch, *older;
  guint64 left;  /* steps done when components in no cluster became inactive */
  guint listed;  /* scheduled events added to clusters' lists */
  double *x, *v; /* scratch (n_nodes) */

  gsize *read_nodes;          /* free nodes that links with modes read, increasing (n_read_nodes) */
  guint32 *read_node_cluster; /* (n_read_nodes) */
  gsize n_read_nodes;
  double *now[2], *before[2]; /* positions and velocities now, and a step before (n_read_nodes) */
  IfbamProbes probes;         /* of an interval: nodes that are read, and the caller's nodes */
  gsize *read_at,
      *requested_at; /* indices in probes: of nodes that are read (n_read_nodes), of the caller's */
  gsize requested_capacity;
} IfbamDualEngine;

static inline guint64
ifbam_dual_row (const IfbamDualEngine *self)
{
  return self->base.steps - ifbam_engine_lookahead (self->base.spec);
}

static inline IfbamDualCluster *
ifbam_dual_cluster (const IfbamDualEngine *self, guint i)
{
  return &g_array_index (self->clusters, IfbamDualCluster, i);
}

static inline gboolean
ifbam_dual_node_is_active (const IfbamDualEngine *self, gsize node)
{
  const guint32 component = self->event->components.of_node[node];

  return component != IFBAM_NONE && self->cluster_of[component] != IFBAM_NONE
         && ifbam_dual_cluster (self, self->cluster_of[component])->is_active;
}

static inline const guint32 *
ifbam_dual_indices (const GArray *list)
{
  return (const guint32 *) (gpointer) list->data;
}

/* Finds all clusters, with their components, links and monitors. */
void ifbam_dual_find_clusters (IfbamDualEngine *self);

/* Returns whether the compiled engine gets enough nodes to be faster. */
gboolean ifbam_dual_is_faster (const IfbamDualEngine *self);

/* Finds the nodes that links with modes read; allocates their values and probes. */
void ifbam_dual_find_read_nodes (IfbamDualEngine *self);
