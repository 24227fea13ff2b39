/* clusters.c: groups of components that may ever become coupled, by union-find
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/clusters.h"

#include "base/union-find.h"

/* ---- components of links, impulses and scheduled events */

guint32
ifbam_event_link_component (const IfbamEventEngine *self, guint32 number)
{
  const IfbamLink *link = ifbam_link (self, number);

  for (guint e = 0; e < link->n_ports; e++)
    if (self->components.of_node[link->node[e]] != IFBAM_NONE)
      return self->components.of_node[link->node[e]];
  return IFBAM_NONE;
}

guint32
ifbam_event_impulse_component (const IfbamEventEngine *self, const IfbamImpulse *impulse)
{
  for (guint e = 0; e < impulse->n_nodes; e++)
    if (self->components.of_node[impulse->node[e]] != IFBAM_NONE)
      return self->components.of_node[impulse->node[e]];
  return IFBAM_NONE;
}

static const IfbamImpulse *
impulse_at (const IfbamEventEngine *self, guint i)
{
  return &g_array_index (self->base.model->impulses, IfbamImpulse, i);
}

guint32
ifbam_time_event_component (const IfbamEventEngine *self, const IfbamTimeEvent *instant)
{
  switch (instant->kind)
    {
    case IFBAM_TIME_EVENT_TOGGLE:
    case IFBAM_TIME_EVENT_SAMPLE:
    case IFBAM_TIME_EVENT_LAPSE:
      return ifbam_event_link_component (self, instant->number);
    case IFBAM_TIME_EVENT_IMPULSE:
      return ifbam_event_impulse_component (self, impulse_at (self, instant->number));
    case IFBAM_TIME_EVENT_MOTION:
      return self->components.of_given[instant->number];
    case IFBAM_TIME_EVENT_EDGE:
    default:
      return self->components.of_node[self->base.model->source_node[instant->number]];
    }
}

guint32
ifbam_time_event_cluster (const IfbamEventEngine *self, const IfbamTimeEvent *instant)
{
  const guint32 component = ifbam_time_event_component (self, instant);

  /* Only a source or a given node can lack a component: links have a free node. */
  return instant->kind == IFBAM_TIME_EVENT_IMPULSE ? self->clusters.of_impulse[instant->number]
         : component != IFBAM_NONE                 ? self->clusters.of[component]
                                                   : self->clusters.n - 1;
}

/* ---- union-find: components, then links, then impulses */

static void
unite (IfbamEventEngine *self, guint32 a, guint32 b)
{
  if (a != IFBAM_NONE && b != IFBAM_NONE)
    ifbam_forest_unite (self->clusters.root, a, b);
}

/* Finds a component at each given node; joins all of them if its motion may change at events. */
static void
join_hearers (IfbamEventEngine *self)
{
  const IfbamModel *model = self->base.model;
  const gsize n_given = model->n_nodes - model->n_free;
  const gboolean steered = ifbam_model_is_steered (model);

  self->components.of_given = g_new (guint32, n_given + 1);
  for (gsize i = 0; i < n_given; i++)
    self->components.of_given[i] = IFBAM_NONE;
  for (guint32 c = 0; c + 1 < self->components.list->len; c++)
    IFBAM_FOR_LIST (node, ifbam_component (self, c), givens)
    {
      const guint32 given = *node - (guint32) model->n_free;

      if (self->components.of_given[given] == IFBAM_NONE)
        self->components.of_given[given] = c;
      else if (steered
               || isfinite (ifbam_calendar_next_edge (self->schedule.calendar,
                                                      IFBAM_TIME_EVENT_MOTION, given, 0)))
        unite (self, self->components.of_given[given], c);
    }
}

static void
join_links (IfbamEventEngine *self, guint32 first)
{
  for (guint32 j = 0; j < self->base.model->singles->len; j++)
    {
      const IfbamLink *link = ifbam_link (self, j);

      for (guint e = 0; e < link->n_ports; e++)
        unite (self, first + j, self->components.of_node[link->node[e]]);
      for (guint k = 0; k < link->n_carriers && ifbam_link_is_carried (link); k++)
        unite (self, first + j, first + link->carrier + k);
      if (link->press != NULL && link->press->single != IFBAM_NO_NODE)
        unite (self, first + j, first + link->press->single);
    }
}

static void
join_followers (IfbamEventEngine *self, guint32 first)
{
  const IfbamModel *model = self->base.model;

  for (guint i = 0; i < model->followers->len; i++)
    {
      const IfbamFollower *follower = &g_array_index (model->followers, IfbamFollower, i);

      unite (self, first + follower->monitor,
             follower->kind == IFBAM_TIME_EVENT_EDGE
                 ? self->components.of_node[model->source_node[follower->number]]
             : follower->kind == IFBAM_TIME_EVENT_MOTION
                 ? self->components.of_given[follower->number - model->n_free]
                 : first + follower->number);
    }
  for (guint i = 0; i < model->controls->len; i++)
    {
      const IfbamControl *control = &g_array_index (model->controls, IfbamControl, i);

      unite (self, first + control->controller,
             self->components.of_node[model->source_node[control->source]]);
    }
  for (guint i = 0; i < model->guides->len; i++)
    {
      const IfbamGuide *guide = &g_array_index (model->guides, IfbamGuide, i);

      unite (self, first + guide->controller,
             self->components.of_given[guide->node - model->n_free]);
    }
}

static void
join_impulses (IfbamEventEngine *self, guint32 links, guint32 first)
{
  for (guint i = 0; i < self->base.model->impulses->len; i++)
    {
      const IfbamImpulse *impulse = impulse_at (self, i);

      if (impulse->trigger != IFBAM_NO_NODE)
        unite (self, first + i, links + impulse->trigger);
      for (guint e = 0; e < impulse->n_nodes; e++)
        unite (self, first + i, self->components.of_node[impulse->node[e]]);
    }
}

/* ---- clusters */

/* Numbers the clusters of links and impulses (from `first` on) in this order, then all the rest. */
static void
number_clusters (IfbamEventEngine *self, guint32 first, guint32 n)
{
  guint32 *root = self->clusters.root;
  gboolean rest = n == 0;

  for (guint32 i = 0; i < n; i++)
    self->clusters.of[i] = IFBAM_NONE;
  for (guint32 i = first; i < n; i++)
    {
      guint32 *number = &self->clusters.of[ifbam_forest_root (root, i)];

      if (*number == IFBAM_NONE)
        *number = self->clusters.n++;
    }
  for (guint32 i = 0; i < n; i++)
    {
      root[i] = ifbam_forest_root (root, i);
      self->clusters.of[i] = MIN (self->clusters.of[root[i]], self->clusters.n);
      rest |= self->clusters.of[i] == self->clusters.n;
    }
  self->clusters.n += rest;
}

/* Adds a node unless the list has it. */
static void
list_node (IfbamCluster *cluster, guint32 node)
{
  for (guint i = 0; i < cluster->nodes->len; i++)
    if (g_array_index (cluster->nodes, guint32, i) == node)
      return;
  g_array_append_val (cluster->nodes, node);
}

static void
list_few (IfbamEventEngine *self, IfbamCluster *cluster)
{
  cluster->is_small = cluster->has_events && cluster->n_nodes <= IFBAM_FEW_NODES;
  for (guint i = 0; i < cluster->components->len && cluster->is_small; i++)
    {
      const IfbamComponent *component =
          ifbam_component (self, g_array_index (cluster->components, guint32, i));

      IFBAM_FOR_NODES (range, component)
      for (gsize node = range->first; node < range->last; node++)
        list_node (cluster, (guint32) node);
      IFBAM_FOR_LIST (node, component, givens)
      list_node (cluster, *node);
    }
}

static void
list_parts (IfbamEventEngine *self)
{
  const IfbamModel *model = self->base.model;
  g_autofree guint32 *mark = g_new0 (guint32, model->n_nodes + 1); /* 1 + last cluster of a node */

  for (guint32 c = 0; c + 1 < self->components.list->len; c++)
    {
      IfbamCluster *cluster = &self->clusters.list[self->clusters.of[c]];

      g_array_append_val (cluster->components, c);
      IFBAM_FOR_NODES (range, ifbam_component (self, c))
      cluster->n_nodes += range->last - range->first;
    }
  for (guint32 j = 0; j < model->singles->len; j++)
    {
      const guint32 k = self->clusters.of_link[j];

      self->clusters.list[k].has_events |= !self->monitors.is_passive[j];
      for (guint e = 0; e < ifbam_link (self, j)->n_ports; e++)
        {
          const guint32 node = ifbam_link (self, j)->node[e];

          if (mark[node] != k + 1)
            g_array_append_val (self->clusters.list[k].nodes, node);
          mark[node] = k + 1;
        }
    }
  for (guint32 k = 0; k < self->clusters.n; k++)
    list_few (self, &self->clusters.list[k]);
}

void
ifbam_clusters_make (IfbamEventEngine *self)
{
  const guint32 links = self->components.list->len - 1;
  const guint32 impulses = links + self->base.model->singles->len;
  const guint32 n = impulses + self->base.model->impulses->len;

  self->clusters.of = g_new (guint32, n + 1);
  self->clusters.root = g_new (guint32, n + 1);
  self->clusters.of_link = self->clusters.of + links;
  self->clusters.of_impulse = self->clusters.of + impulses;
  ifbam_forest_plant (self->clusters.root, n);
  join_hearers (self);
  join_links (self, links);
  join_followers (self, links);
  join_impulses (self, links, impulses);
  number_clusters (self, links, n);
  self->clusters.list = g_new0 (IfbamCluster, self->clusters.n);
  self->clusters.magnitudes = g_new0 (IfbamMagnitudes, self->clusters.n * IFBAM_N_DOMAINS);
  for (guint k = 0; k < self->clusters.n; k++)
    {
      self->clusters.list[k].components = g_array_new (FALSE, FALSE, sizeof (guint32));
      self->clusters.list[k].nodes = g_array_new (FALSE, FALSE, sizeof (guint32));
      self->clusters.list[k].heap = g_array_new (FALSE, FALSE, sizeof (IfbamCandidate));
    }
  list_parts (self);
  self->log.clusters = g_array_new (FALSE, FALSE, sizeof (guint32));
}

void
ifbam_clusters_free (IfbamEventEngine *self)
{
  for (guint k = 0; k < self->clusters.n; k++)
    {
      g_array_unref (self->clusters.list[k].components);
      g_array_unref (self->clusters.list[k].nodes);
      g_array_unref (self->clusters.list[k].heap);
    }
  g_free (self->clusters.list);
  g_free (self->clusters.magnitudes);
  g_free (self->clusters.of);
  g_free (self->clusters.root);
  g_free (self->components.of_given);
  g_array_unref (self->log.clusters);
}

/* ---- order of logged events */

void
ifbam_event_log_add_cluster (IfbamEventEngine *self, guint32 cluster)
{
  g_array_append_val (self->log.clusters, cluster);
}

void
ifbam_event_log_sort (IfbamEventEngine *self)
{
  guint32 *told = (guint32 *) (gpointer) self->log.clusters->data;
  const guint n = self->log.clusters->len;
  IfbamEvent *event = NULL;

  if (n > 0 && self->base.events != NULL && self->base.events->len >= n)
    event = (IfbamEvent *) (gpointer) self->base.events->data + (self->base.events->len - n);
  for (guint i = 1; i < n && event != NULL; i++)
    for (guint k = i; k > 0
                      && (event[k - 1].time > event[k].time
                          || (event[k - 1].time == event[k].time && told[k - 1] > told[k]));
         k--)
      {
        const IfbamEvent later = event[k - 1];
        const guint32 cluster = told[k - 1];

        event[k - 1] = event[k];
        event[k] = later;
        told[k - 1] = told[k];
        told[k] = cluster;
      }
  ifbam_array_clear (self->log.clusters);
}
