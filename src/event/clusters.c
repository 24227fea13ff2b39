/* clusters.c: groups of components that may ever become coupled, by union-find
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/clusters.h"

#include "event/event-engine-internal.h"

#include "base/union-find.h"

/* ---- components of links, impulses and scheduled events */

guint32
ifbam_event_link_component (const IfbamEventEngine *self, guint32 index)
{
  const IfbamLink *link = ifbam_link (self, index);

  for (guint e = 0; e < link->n_ports; e++)
    if (self->components.of_node[link->node[e]] != IFBAM_NONE)
      return self->components.of_node[link->node[e]];
  return self->components.of_link[index];
}

static guint32
impulse_component (const IfbamEventEngine *self, const IfbamImpulse *impulse)
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
ifbam_time_event_component (const IfbamEventEngine *self, const IfbamTimeEvent *time_event)
{
  switch (time_event->kind)
    {
    case IFBAM_TIME_EVENT_TOGGLE:
    case IFBAM_TIME_EVENT_SAMPLE:
    case IFBAM_TIME_EVENT_PULSE_END:
      return ifbam_event_link_component (self, time_event->index);
    case IFBAM_TIME_EVENT_IMPULSE:
      return impulse_component (self, impulse_at (self, time_event->index));
    case IFBAM_TIME_EVENT_MOTION:
      return self->clusters.given_component[time_event->index];
    case IFBAM_TIME_EVENT_EDGE:
    default:
      return self->components.of_node[self->base.model->source_node[time_event->index]];
    }
}

guint32
ifbam_time_event_cluster (const IfbamEventEngine *self, const IfbamTimeEvent *time_event)
{
  const guint32 component = ifbam_time_event_component (self, time_event);

  /* Only a source or a given node can lack a component. */
  return time_event->kind == IFBAM_TIME_EVENT_IMPULSE ? self->clusters.of_impulse[time_event->index]
         : component != IFBAM_NONE                    ? self->clusters.of[component]
                                                      : self->clusters.n - 1;
}

/* ---- union-find: components, then links, then impulses */

static void
unite (IfbamEventEngine *self, guint32 a, guint32 b)
{
  if (a != IFBAM_NONE && b != IFBAM_NONE)
    ifbam_union_find_unite (self->clusters.root, a, b);
}

/* Finds a component at each given node; joins all of them if its motion may change at events. */
static void
join_given_node_readers (IfbamEventEngine *self)
{
  const IfbamModel *model = self->base.model;
  const gsize n_given = model->n_nodes - model->n_free;
  const gboolean steered = ifbam_model_is_scaled (model);

  self->clusters.given_component = g_new (guint32, n_given + 1);
  for (gsize i = 0; i < n_given; i++)
    self->clusters.given_component[i] = IFBAM_NONE;
  for (guint32 c = 0; c + 1 < self->components.list->len; c++)
    IFBAM_FOR_LIST (node, ifbam_component (self, c), givens)
    {
      const guint32 given = *node - (guint32) model->n_free;

      if (self->clusters.given_component[given] == IFBAM_NONE)
        self->clusters.given_component[given] = c;
      else if (steered
               || isfinite (
                   ifbam_schedule_next_edge (&self->schedule, IFBAM_TIME_EVENT_MOTION, given, 0)))
        unite (self, self->clusters.given_component[given], c);
    }
}

static void
join_links (IfbamEventEngine *self, guint32 first)
{
  for (guint32 j = 0; j < self->base.model->unbatched_links->len; j++)
    {
      const IfbamLink *link = ifbam_link (self, j);

      for (guint e = 0; e < link->n_ports; e++)
        unite (self, first + j, self->components.of_node[link->node[e]]);
      unite (self, first + j, self->components.of_link[j]);
      for (guint k = 0; k < link->n_carriers && ifbam_link_is_carried (link); k++)
        unite (self, first + j, first + link->carrier + k);
      if (link->normal_force != NULL && link->normal_force->single != IFBAM_NO_NODE)
        unite (self, first + j, first + link->normal_force->single);
    }
}

static void
join_switched_elements (IfbamEventEngine *self, guint32 first)
{
  const IfbamModel *model = self->base.model;

  for (guint i = 0; i < model->switched_elements->len; i++)
    {
      const IfbamSwitchedElement *switched_element =
          &g_array_index (model->switched_elements, IfbamSwitchedElement, i);

      unite (self, first + switched_element->monitor,
             switched_element->kind == IFBAM_TIME_EVENT_EDGE
                 ? self->components.of_node[model->source_node[switched_element->number]]
             : switched_element->kind == IFBAM_TIME_EVENT_MOTION
                 ? self->clusters.given_component[switched_element->number - model->n_free]
                 : first + switched_element->number);
    }
  for (guint i = 0; i < model->scaled_sources->len; i++)
    {
      const IfbamScaledSource *control =
          &g_array_index (model->scaled_sources, IfbamScaledSource, i);

      unite (self, first + control->controller,
             self->components.of_node[model->source_node[control->source]]);
    }
  for (guint i = 0; i < model->scaled_motions->len; i++)
    {
      const IfbamScaledMotion *scaled_motion =
          &g_array_index (model->scaled_motions, IfbamScaledMotion, i);

      unite (self, first + scaled_motion->controller,
             self->clusters.given_component[scaled_motion->node - model->n_free]);
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
      guint32 *index = &self->clusters.of[ifbam_union_find_root (root, i)];

      if (*index == IFBAM_NONE)
        *index = self->clusters.n++;
    }
  for (guint32 i = 0; i < n; i++)
    {
      root[i] = ifbam_union_find_root (root, i);
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
list_small_cluster (IfbamEventEngine *self, IfbamCluster *cluster)
{
  cluster->is_small = cluster->has_events && cluster->n_nodes <= IFBAM_SMALL_CLUSTER_NODES;
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
  for (guint32 j = 0; j < model->unbatched_links->len; j++)
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
    list_small_cluster (self, &self->clusters.list[k]);
}

/* Finds the domains of nodes and links, and the lever arms of angles. */
static void
find_domains (IfbamEventEngine *self)
{
  const IfbamModel *model = self->base.model;
  IfbamClusters *clusters = &self->clusters;

  clusters->node_domain = g_new0 (guint8, model->n_nodes + 1);
  clusters->lever = g_new0 (double, model->n_nodes + 1);
  clusters->link_domain = g_new0 (guint8, model->unbatched_links->len + 1);
  for (gsize i = 0; i < model->n_nodes; i++)
    {
      const IfbamDomain domain = ifbam_model_node_domain (model, i);

      clusters->node_domain[i] = domain < IFBAM_N_DOMAINS ? (guint8) domain : 0;
    }
  for (guint j = 0; j < model->unbatched_links->len; j++)
    {
      const IfbamLink *link = ifbam_link (self, j);
      const IfbamDomain domain = link->info->domain;
      const guint8 own = link->geometry->is_angle     ? IFBAM_DOMAIN_ROTATION
                         : domain == IFBAM_DOMAIN_ANY ? clusters->node_domain[link->node[0]]
                                                      : (guint8) domain;

      clusters->link_domain[j] = own;
      if (link->geometry->only_rate || own != IFBAM_DOMAIN_TRANSLATION)
        continue;
      for (guint e = 0; e < link->n_ports; e++)
        if (clusters->node_domain[link->node[e]] == IFBAM_DOMAIN_ROTATION)
          clusters->lever[link->node[e]] = MAX (
              clusters->lever[link->node[e]],
              link->geometry->lever == NULL ? 1 : link->geometry->lever (link->shape, (int) e));
    }
}

void
ifbam_clusters_init (IfbamEventEngine *self)
{
  const guint32 links = self->components.list->len - 1;
  const guint32 impulses = links + self->base.model->unbatched_links->len;
  const guint32 n = impulses + self->base.model->impulses->len;

  find_domains (self);
  self->clusters.of = g_new (guint32, n + 1);
  self->clusters.root = g_new (guint32, n + 1);
  self->clusters.of_link = self->clusters.of + links;
  self->clusters.of_impulse = self->clusters.of + impulses;
  ifbam_union_find_init (self->clusters.root, n);
  join_given_node_readers (self);
  join_links (self, links);
  join_switched_elements (self, links);
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
}

void
ifbam_clusters_clear (IfbamClusters *self)
{
  gpointer arrays[] = {
    self->given_component, self->list,        self->magnitudes, self->of, self->root,
    self->lever,           self->node_domain, self->link_domain
  };

  for (guint k = 0; k < self->n; k++)
    {
      g_array_unref (self->list[k].components);
      g_array_unref (self->list[k].nodes);
      g_array_unref (self->list[k].heap);
    }
  for (guint i = 0; i < G_N_ELEMENTS (arrays); i++)
    g_free (arrays[i]);
}

/* ---- magnitude scales */

static void
set_thresholds (const IfbamEventEngine *self, IfbamMagnitudes *scale)
{
  const double largest = MAX (scale->position, scale->arc);

  /* Within a step a coordinate may grow to the distance that the highest rate covers. */
  scale->position_threshold = 12 * DBL_EPSILON * MAX (largest, scale->rate * self->base.spec->step);
  scale->rate_threshold = 16 * DBL_EPSILON * (scale->rate + largest / self->base.spec->step);
}

void
ifbam_magnitudes_include (const IfbamEventEngine *self, IfbamMagnitudes *scale, double position,
                          double rate)
{
  if (position <= scale->position && rate <= scale->rate)
    return;
  scale->position = MAX (scale->position, position);
  scale->rate = MAX (scale->rate, rate);
  set_thresholds (self, scale);
}

/* Raises the scale of lever arcs to a length [m], and updates the thresholds. */
static void
include_angle (const IfbamEventEngine *self, IfbamMagnitudes *scale, double arc_length)
{
  if (arc_length <= scale->arc)
    return;
  scale->arc = arc_length;
  set_thresholds (self, scale);
}

static inline void
include_node (const IfbamEventEngine *self, guint32 cluster, gsize node)
{
  IfbamMagnitudes *scales = &self->clusters.magnitudes[cluster * IFBAM_N_DOMAINS];
  IfbamMagnitudes *scale = &scales[self->clusters.node_domain[node]];
  const double position = fabs (self->nodes.x[node]), rate = fabs (self->nodes.v[node]);

  if (self->clusters.lever[node] > 0)
    include_angle (self, &scales[IFBAM_DOMAIN_TRANSLATION], self->clusters.lever[node] * position);
  if (!(position <= scale->position && rate <= scale->rate)) /* true for few nodes */
    ifbam_magnitudes_include (self, scale, position, rate);
}

void
ifbam_magnitudes_include_node (IfbamEventEngine *self, guint32 node)
{
  include_node (self, self->clusters.of[self->components.of_node[node]], node);
}

void
ifbam_magnitudes_include_given (IfbamEventEngine *self, guint32 component, guint32 node)
{
  include_node (self, self->clusters.of[component], node);
}

void
ifbam_event_update_thresholds (IfbamEventEngine *self)
{
  const gboolean all = self->base.model->n_nodes <= IFBAM_SMALL_CLUSTER_NODES
                       || self->step % IFBAM_MAGNITUDE_SAMPLES == 0;

  for (guint32 k = 0; k < self->clusters.n; k++)
    {
      const IfbamCluster *cluster = &self->clusters.list[k];

      for (guint i = 0; i < cluster->nodes->len; i++)
        include_node (self, k, g_array_index (cluster->nodes, guint32, i));
      for (guint i = 0; i < cluster->components->len && all && !cluster->is_small; i++)
        {
          const IfbamComponent *component =
              ifbam_component (self, g_array_index (cluster->components, guint32, i));

          IFBAM_FOR_NODES (range, component)
          for (gsize node = range->first; node < range->last; node++)
            include_node (self, k, node);
          IFBAM_FOR_LIST (node, component, givens)
          include_node (self, k, *node);
        }
    }
}

void
ifbam_magnitudes_restart (IfbamEventEngine *self, gboolean keep)
{
  for (guint d = 0; d < self->clusters.n * IFBAM_N_DOMAINS; d++)
    {
      const IfbamMagnitudes known = self->clusters.magnitudes[d];

      self->clusters.magnitudes[d] = (IfbamMagnitudes){ 0 };
      if (!keep)
        continue;
      ifbam_magnitudes_include (self, &self->clusters.magnitudes[d], known.position, known.rate);
      include_angle (self, &self->clusters.magnitudes[d], known.arc);
    }
}
