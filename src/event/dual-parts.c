/* dual-parts.c: clusters of a network that two engines advance
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/dual-parts.h"

#include "event/clusters.h"
#include "event/event-candidates.h"
#include "model/model.h"

/* Fewest nodes for which the compiled engine is faster. */
#define MIN_NODES (IFBAM_SMALL_CLUSTER_NODES + 1)

/* Returns the cluster of a component; creates it if there is none. */
static IfbamDualCluster *
cluster_with (IfbamDualEngine *self, guint32 component)
{
  const guint32 root = self->event->clusters.root[component];

  if (self->cluster_of[root] == IFBAM_NONE)
    {
      IfbamDualCluster cluster = { .components = g_array_new (FALSE, FALSE, sizeof (guint32)),
                                   .links = g_array_new (FALSE, FALSE, sizeof (guint32)),
                                   .monitors = g_array_new (FALSE, FALSE, sizeof (guint32)),
                                   .time_events = g_array_new (FALSE, FALSE, sizeof (guint32)) };

      self->cluster_of[root] = self->clusters->len;
      g_array_append_val (self->clusters, cluster);
    }
  return ifbam_dual_cluster (self, self->cluster_of[root]);
}

static const IfbamSwitchedElement *
switched_at (const IfbamModel *model, guint i)
{
  return &g_array_index (model->switched_elements, IfbamSwitchedElement, i);
}

static const IfbamScaledSource *
scaled_source_at (const IfbamModel *model, guint i)
{
  return &g_array_index (model->scaled_sources, IfbamScaledSource, i);
}

static guint32
switched_component (const IfbamEventEngine *event, const IfbamSwitchedElement *switched_element)
{
  return switched_element->kind == IFBAM_TIME_EVENT_EDGE
             ? event->components.of_node[event->base.model->source_node[switched_element->number]]
             : ifbam_event_link_component (event, switched_element->number);
}

void
ifbam_dual_find_clusters (IfbamDualEngine *self)
{
  const IfbamEventEngine *event = self->event;
  const IfbamModel *model = self->base.model;
  const guint32 n = event->components.list->len - 1;
  const GArray *given[] = { model->time_events, model->recurrent };

  self->cluster_of = g_new (guint32, n + 1);
  for (guint32 c = 0; c < n; c++)
    self->cluster_of[c] = IFBAM_NONE;
  for (guint i = 0; i < model->switched_elements->len; i++)
    if (switched_at (model, i)->kind == IFBAM_TIME_EVENT_EDGE)
      cluster_with (self, switched_component (event, switched_at (model, i)))->always_active = TRUE;
  for (guint i = 0; i < model->scaled_sources->len; i++)
    cluster_with (self, ifbam_event_link_component (event, scaled_source_at (model, i)->controller))
        ->always_active = TRUE;
  for (guint32 j = 0; j < model->unbatched_links->len; j++)
    if (ifbam_event_link_component (event, j) != IFBAM_NONE)
      {
        IfbamDualCluster *cluster = cluster_with (self, ifbam_event_link_component (event, j));

        g_array_append_vals (event->monitors.is_passive[j] ? cluster->monitors : cluster->links, &j,
                             1);
        cluster->always_active |= ifbam_link (event, j)->law->force != NULL;
      }
  for (guint k = 0; k < G_N_ELEMENTS (given); k++)
    for (guint i = 0; i < given[k]->len; i++)
      {
        const guint32 component =
            ifbam_time_event_component (event, &g_array_index (given[k], IfbamTimeEvent, i));

        if (component != IFBAM_NONE)
          cluster_with (self, component);
      }
  for (guint32 c = 0; c < n; c++)
    {
      const IfbamComponent *component = ifbam_component (event, c);
      IfbamDualCluster *cluster;

      if (self->cluster_of[event->clusters.root[c]] == IFBAM_NONE)
        continue;
      cluster = cluster_with (self, c);
      g_array_append_val (cluster->components, c);
      IFBAM_DUAL_FOR_RANGES (self, range, component)
      cluster->n_nodes += range->last - range->first;
      for (gsize s = component->links; s < component->links + component->n_links; s++)
        cluster->n_links +=
            ifbam_index_range (event, s)->last - ifbam_index_range (event, s)->first;
    }
  for (guint32 c = 0; c < n; c++)
    self->cluster_of[c] = self->cluster_of[event->clusters.root[c]];
  for (guint i = 0; i < self->clusters->len; i++)
    {
      IfbamDualCluster *cluster = ifbam_dual_cluster (self, i);

      cluster->always_active |=
          cluster->links->len > 0
          && (cluster->n_nodes < MIN_NODES || cluster->n_links < cluster->links->len);
    }
}

gboolean
ifbam_dual_is_faster (const IfbamDualEngine *self)
{
  gsize nodes = self->base.model->n_free;

  for (guint i = 0; i < self->clusters->len; i++)
    if (ifbam_dual_cluster (self, i)->always_active)
      nodes -= ifbam_dual_cluster (self, i)->n_nodes;
  return nodes >= MIN_NODES && self->base.model->n_links > 0;
}

void
ifbam_dual_find_read_nodes (IfbamDualEngine *self)
{
  const IfbamEventEngine *event = self->event;
  gsize n = 0;

  self->read_nodes = g_new (gsize, event->links.nodes->len + 1);
  self->read_node_cluster = g_new (guint32, event->links.nodes->len + 1);
  for (guint i = 0; i < event->links.nodes->len; i++)
    {
      const guint32 node = g_array_index (event->links.nodes, guint32, i);
      const guint32 component = event->components.of_node[node];

      if (component == IFBAM_NONE
          || ifbam_dual_cluster (self, self->cluster_of[component])->always_active)
        continue;
      self->read_node_cluster[n] = self->cluster_of[component];
      self->read_nodes[n++] = node;
    }
  self->n_read_nodes = n;
  self->read_at = g_new (gsize, n + 1);
  for (guint k = 0; k < 2; k++)
    {
      self->now[k] = g_new0 (double, n + 1);
      self->before[k] = g_new0 (double, n + 1);
    }
  self->probes.node = g_new (gsize, n + 1);
  self->probes.position = g_new (double, n *IFBAM_DUAL_MAX_INTERVAL + 1);
  self->probes.rate = g_new (double, n *IFBAM_DUAL_MAX_INTERVAL + 1);
}
