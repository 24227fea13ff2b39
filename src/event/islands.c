/* islands.c: partition of the network into components, and of these into islands
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/islands.h"

#include <stdlib.h>

#include "base/compare.h"
#include "base/union-find.h"
#include "event/constraint-projection.h"
#include "event/event-engine-internal.h"
#include "event/event-links.h"
#include "event/event-log.h"
#include "model/model.h"

/* Items sorted by component: those of component c are item[start[c]] to item[start[c + 1] - 1]. */
typedef struct
{
  gsize *start;
  guint32 *item;
} Sorted;

static Sorted
sort_items (const guint32 *component, gsize n_items, gsize n_components)
{
  Sorted sorted = { g_new0 (gsize, n_components + 2), g_new (guint32, n_items + 1) };

  for (gsize i = 0; i < n_items; i++)
    if (component[i] != IFBAM_NONE)
      sorted.start[component[i] + 2]++;
  for (gsize c = 0; c < n_components; c++)
    sorted.start[c + 2] += sorted.start[c + 1];
  for (gsize i = 0; i < n_items; i++)
    if (component[i] != IFBAM_NONE)
      sorted.item[sorted.start[component[i] + 1]++] = (guint32) i;
  return sorted;
}

static void
sorted_clear (Sorted *sorted)
{
  g_free (sorted->start);
  g_free (sorted->item);
}

/* Returns the lowest free node at a link's ports; IFBAM_NONE: there is none. */
static guint32
lowest_end (const IfbamModel *model, const IfbamLink *link)
{
  guint32 lowest = IFBAM_NONE;

  for (guint e = 0; e < link->n_ports; e++)
    if (link->node[e] < model->n_free)
      lowest = MIN (lowest, link->node[e]);
  return lowest;
}

/* Returns the component of all free and state nodes of a link; IFBAM_NONE: several, or none. */
static guint32
component_of (const IfbamEventEngine *self, const IfbamLink *link)
{
  guint32 home = IFBAM_NONE;

  for (guint e = 0; e < link->n_ports + link->n_states; e++)
    {
      const guint32 component = self->components.of_node[link->node[e]];

      if (component != IFBAM_NONE && home != IFBAM_NONE && component != home)
        return IFBAM_NONE;
      if (component != IFBAM_NONE)
        home = component;
    }
  return home;
}

/* Returns the component that computes a link: that of its lowest free node, or without one its
 * own. */
static guint32
link_owner (const IfbamEventEngine *self, guint32 j)
{
  const guint32 lowest = lowest_end (self->base.model, ifbam_link (self, j));

  return lowest == IFBAM_NONE ? self->components.of_link[j] : self->components.of_node[lowest];
}

/* Sets the components of links, after those of n components of nodes; returns the number of all. A
 * link without a free or state node has a component of its own, without nodes. */
static gsize
number_link_components (IfbamEventEngine *self, gsize n)
{
  for (guint j = 0; j < self->base.model->unbatched_links->len; j++)
    {
      const IfbamLink *link = ifbam_link (self, j);
      guint32 *component = &self->components.of_link[j];

      *component = component_of (self, link);
      if (*component == IFBAM_NONE && lowest_end (self->base.model, link) == IFBAM_NONE)
        *component = (guint32) n++;
    }
  return n;
}

/* Finds the components of nodes by union-find, and those of links; returns their number. */
static gsize
number_components (IfbamEventEngine *self)
{
  const IfbamModel *model = self->base.model;
  g_autofree guint32 *parent = g_new (guint32, model->n_nodes + 1);
  gsize n = 0;

  ifbam_union_find_init (parent, model->n_nodes);
  for (guint b = 0; b < model->batches->len; b++)
    {
      const IfbamBatch *batch = &g_array_index (model->batches, IfbamBatch, b);

      for (gsize i = 0; i < batch->count; i++)
        if (batch->left[i] < model->n_free && batch->right[i] < model->n_free
            && batch->left[i] != batch->right[i])
          ifbam_union_find_unite (parent, batch->left[i], batch->right[i]);
      for (gsize i = 0; i < batch->count; i++)
        for (guint k = 0; k < batch->law->n_states && !ifbam_batch_is_gap (batch, i); k++)
          ifbam_union_find_unite (parent, batch->state[k][i],
                                  batch->left[i] < model->n_free    ? batch->left[i]
                                  : batch->right[i] < model->n_free ? batch->right[i]
                                                                    : batch->state[0][i]);
    }
  for (guint j = 0; j < model->unbatched_links->len; j++)
    {
      const IfbamLink *link = ifbam_link (self, j);
      const guint32 lowest = lowest_end (model, link);

      for (guint k = 0; k < link->n_states; k++)
        ifbam_union_find_unite (parent, link->node[link->n_ports + k],
                                lowest == IFBAM_NONE ? link->node[link->n_ports] : lowest);
    }
  /* The coordinates of a body form one component: its links couple them at all times. */
  for (guint f = 0; f < model->node_families->len; f++)
    {
      const IfbamSpan *span = &g_array_index (model->node_families, IfbamSpan, f);

      if (span->element->info->n_coordinates > 1)
        ifbam_union_find_unite (parent, ifbam_model_element_index (model, span->element).index,
                                (guint32) span->first);
    }
  /* Nodes joined by permanent constraints form one component. */
  for (guint j = 0; j < model->unbatched_links->len; j++)
    {
      const IfbamLink *link = ifbam_link (self, j);
      const guint32 lowest = lowest_end (model, link);

      for (guint e = 0; e < link->n_ports && ifbam_link_is_fixed (link); e++)
        if (link->node[e] < model->n_free)
          ifbam_union_find_unite (parent, lowest, link->node[e]);
    }
  /* Nodes that links of other processes join form one component, too. */
  for (guint32 i = 0; model->share != NULL && i < model->n_free; i++)
    ifbam_union_find_unite (parent, i, model->share->representative[i]);
  for (gsize i = 0; i < model->n_free; i++)
    self->components.of_node[i] = IFBAM_NONE;
  /* Components have the order of the file, however nodes are numbered. */
  for (gsize i = 0; i < model->n_free; i++)
    {
      const gsize node = ifbam_model_free_node (model, i);
      guint32 *component =
          &self->components.of_node[ifbam_union_find_root (parent, (guint32) node)];

      if (*component == IFBAM_NONE)
        *component = (guint32) n++;
      self->components.of_node[node] = *component;
    }
  for (gsize i = model->n_free; i < model->n_nodes; i++)
    self->components.of_node[i] = IFBAM_NONE;
  return number_link_components (self, n);
}

/* Appends the index ranges of consecutive items; returns how many. */
static gsize
add_ranges (IfbamEventEngine *self, const guint32 *item, gsize n, guint32 batch)
{
  gsize added = 0;

  for (gsize i = 0; i < n; i++)
    {
      IfbamIndexRange range = { batch, item[i], item[i] + 1 };

      while (i + 1 < n && item[i + 1] == item[i] + 1)
        range.last = item[++i] + 1;
      g_array_append_val (self->components.ranges, range);
      added++;
    }
  return added;
}

/* Returns the component of a batched link: that of its first free endpoint. */
static guint32
link_component (const IfbamEventEngine *self, const IfbamBatch *batch, gsize i)
{
  guint32 component = self->components.of_node[batch->left[i]];

  if (batch->left[i] == batch->right[i]) /* a slot between runs */
    return IFBAM_NONE;
  if (component == IFBAM_NONE)
    component = self->components.of_node[batch->right[i]];
  /* A link between given (prescribed) nodes may have state nodes. */
  return component == IFBAM_NONE && batch->law->n_states > 0
             ? self->components.of_node[batch->state[0][i]]
             : component;
}

static gboolean
is_moving (const IfbamModel *model, gsize node)
{
  gsize member;

  return node >= model->n_free && !ifbam_model_node_span (model, node, &member)->info->fixed;
}

/* Lists the given nodes at a component's links, and the forces on those that move. */
static void
add_givens (IfbamEventEngine *self, IfbamComponent *component)
{
  const IfbamModel *model = self->base.model;
  gsize first = self->components.indices->len, n = 0;

  component->ports = self->components.ports->len;
  for (gsize s = component->links; s < component->links + component->n_links; s++)
    {
      const IfbamIndexRange *range = &g_array_index (self->components.ranges, IfbamIndexRange, s);
      const IfbamBatch *batch = &g_array_index (model->batches, IfbamBatch, range->batch);

      for (gsize i = range->first; i < range->last; i++)
        for (guint e = 0; e < 2; e++)
          {
            guint32 node = e == 0 ? batch->left[i] : batch->right[i];
            IfbamGivenPort port = { (e == 0 ? batch->first_slot : batch->far_slot) + i, node,
                                    e == 0 ? -1.0 : 1.0 };

            if (node < model->n_free || batch->left[i] == batch->right[i])
              continue;
            g_array_append_val (self->components.indices, node);
            if (is_moving (model, node))
              g_array_append_val (self->components.ports, port);
          }
    }
  component->n_ports = self->components.ports->len - component->ports;
  for (gsize i = component->unbatched; i < component->unbatched + component->n_unbatched; i++)
    {
      const IfbamLink *link =
          ifbam_link (self, g_array_index (self->components.indices, guint32, i));

      for (guint e = 0; e < link->n_ports; e++)
        if (link->node[e] >= model->n_free)
          g_array_append_val (self->components.indices, link->node[e]);
    }
  if (self->components.indices->len > first)
    qsort (&g_array_index (self->components.indices, guint32, first),
           self->components.indices->len - first, sizeof (guint32), ifbam_compare_uint32);
  for (gsize i = first; i < self->components.indices->len; i++)
    {
      guint32 node = g_array_index (self->components.indices, guint32, i);

      if (n == 0 || node != g_array_index (self->components.indices, guint32, first + n - 1))
        g_array_index (self->components.indices, guint32, first + n++) = node;
    }
  g_array_set_size (self->components.indices, (guint) (first + n));
  component->givens = first;
  component->n_givens = n;
}

/* Returns whether a link has a force law; others have reactions only. */
static gboolean
has_force (const IfbamEventEngine *self, guint32 link)
{
  return ifbam_link (self, link)->law->force != NULL;
}

/* Lists the members of a component that need work in a step, so that the others are skipped. */
static void
list_active_members (IfbamEventEngine *self, IfbamComponent *component)
{
  const IfbamModel *model = self->base.model;

  component->forces = self->components.indices->len;
  for (gsize i = component->own; i < component->own + component->n_own; i++)
    {
      const guint32 link = g_array_index (self->components.indices, guint32, i);

      if (has_force (self, link))
        g_array_append_val (self->components.indices, link);
    }
  component->n_forces = self->components.indices->len - component->forces;
  component->dissipative = self->components.indices->len;
  for (gsize i = component->own; i < component->own + component->n_own; i++)
    {
      const guint32 link = g_array_index (self->components.indices, guint32, i);

      if (ifbam_link (self, link)->law->loss != NULL
          || ifbam_link_is_carried (ifbam_link (self, link)))
        g_array_append_val (self->components.indices, link);
    }
  component->n_dissipative = self->components.indices->len - component->dissipative;
  component->dissipative_ranges = self->components.indices->len;
  for (gsize s = component->links; s < component->links + component->n_links; s++)
    {
      const guint32 batch = g_array_index (self->components.ranges, IfbamIndexRange, s).batch;
      const guint32 range = (guint32) s;

      if (g_array_index (model->batches, IfbamBatch, batch).law->lossy)
        g_array_append_val (self->components.indices, range);
    }
  component->n_dissipative_ranges = self->components.indices->len - component->dissipative_ranges;
  component->moving = self->components.indices->len;
  for (gsize i = component->givens; i < component->givens + component->n_givens; i++)
    {
      const guint32 node = g_array_index (self->components.indices, guint32, i);

      if (is_moving (model, node))
        g_array_append_val (self->components.indices, node);
    }
  component->n_moving = self->components.indices->len - component->moving;
  component->has_external_work = component->n_moving > 0;
  component->varying = self->components.indices->len;
  for (gsize i = component->sources; i < component->sources + component->n_sources; i++)
    {
      const guint32 source = g_array_index (self->components.indices, guint32, i);

      component->has_external_work |= !ifbam_model_is_field (model, source);
      if (!ifbam_model_source_of (model, source)->info->fixed)
        g_array_append_val (self->components.indices, source);
    }
  component->n_varying = self->components.indices->len - component->varying;
}

static void
add_indices (IfbamEventEngine *self, const Sorted *sorted, gsize c, gsize *first, gsize *n)
{
  *first = self->components.indices->len;
  *n = sorted->start[c + 1] - sorted->start[c];
  g_array_append_vals (self->components.indices, sorted->item + sorted->start[c], (guint) *n);
}

/* Lists the endpoints of unbatched links (with_force: with a force law) by node, from *starts[node]
 * on. */
static void
list_endpoints_by_node (const IfbamEventEngine *self, gboolean with_force, guint32 **starts,
                        guint32 **links)
{
  const IfbamModel *model = self->base.model;
  guint32 *start = *starts = g_new0 (guint32, model->n_nodes + 2);

  for (guint j = 0; j < model->unbatched_links->len; j++)
    for (guint e = 0; e < ifbam_link (self, j)->n_ports; e++)
      start[ifbam_link (self, j)->node[e] + 2] += !with_force || has_force (self, j);
  for (gsize i = 0; i < model->n_nodes; i++)
    start[i + 2] += start[i + 1];
  *links = g_new (guint32, start[model->n_nodes + 1] + 1);
  for (guint j = 0; j < model->unbatched_links->len; j++)
    for (guint e = 0; e < ifbam_link (self, j)->n_ports && (!with_force || has_force (self, j));
         e++)
      (*links)[start[ifbam_link (self, j)->node[e] + 1]++] = ifbam_endpoint_code (j, e);
}

/* Lists the unbatched links of each component, each once. of: (out) (n); NULL: no links. */
static void
link_components (IfbamEventEngine *self, gsize n, GArray **of)
{
  const IfbamModel *model = self->base.model;

  (void) n;
  for (guint j = 0; j < model->unbatched_links->len; j++)
    {
      const IfbamLink *link = ifbam_link (self, j);

      for (guint e = 0; e <= link->n_ports; e++)
        {
          guint32 c = e < link->n_ports ? self->components.of_node[link->node[e]]
                                        : self->components.of_link[j];

          if (c == IFBAM_NONE || self->monitors.is_passive[j])
            continue;
          if (of[c] == NULL)
            of[c] = g_array_new (FALSE, FALSE, sizeof (guint32));
          if (of[c]->len == 0 || g_array_index (of[c], guint32, of[c]->len - 1) != j)
            g_array_append_val (of[c], j);
        }
    }
}

/* Appends one of the lists of all active components, by its offsets in IfbamComponent. */
static void
add_entries (IfbamEventEngine *self, GArray *parts, gsize first_of, gsize n_of, gsize *first,
             gsize *n)
{
  const gsize begin = parts->len;

  for (guint c = 0; c + 1 < self->components.list->len; c++)
    {
      const char *component = (const char *) ifbam_component (self, c);
      const gsize at = *(const gsize *) (gconstpointer) (component + first_of);
      const gsize count = *(const gsize *) (gconstpointer) (component + n_of);

      if (ifbam_component (self, c)->is_inactive)
        continue;
      for (gsize i = at; i < at + count; i++)
        if (parts == self->components.ranges)
          {
            const IfbamIndexRange range = g_array_index (parts, IfbamIndexRange, i);

            g_array_append_val (parts, range);
          }
        else
          {
            const guint32 index = g_array_index (parts, guint32, i);

            g_array_append_val (parts, index);
          }
    }
  *first = begin;
  *n = parts->len - begin;
}

/* Sets the whole network's component to all active ones; own links are sorted by index. */
static void
add_active (IfbamEventEngine *self, IfbamComponent *whole)
{
#define ENTRIES(parts, name)                                                                       \
  add_entries (self, self->parts, offsetof (IfbamComponent, name),                                 \
               offsetof (IfbamComponent, n_##name), &whole->name, &whole->n_##name)
  ENTRIES (components.ranges, nodes);
  ENTRIES (components.ranges, links);
  ENTRIES (components.indices, sources);
  ENTRIES (components.indices, own);
#undef ENTRIES
  if (whole->n_own > 1)
    qsort (&g_array_index (self->components.indices, guint32, whole->own), whole->n_own,
           sizeof (guint32), ifbam_compare_uint32);
  whole->unbatched = whole->own;
  whole->n_unbatched = whole->n_own;
}

static void
add_all (IfbamEventEngine *self, IfbamComponent *whole)
{
  const IfbamModel *model = self->base.model;
  IfbamIndexRange all = { 0, 0, model->n_free };

  whole->nodes = self->components.ranges->len;
  whole->n_nodes = model->n_free > 0;
  if (model->n_free > 0)
    g_array_append_val (self->components.ranges, all);
  whole->links = self->components.ranges->len;
  for (guint b = 0; b < model->batches->len; b++)
    {
      IfbamIndexRange links = { b, 0, g_array_index (model->batches, IfbamBatch, b).count };

      g_array_append_val (self->components.ranges, links);
    }
  whole->n_links = model->batches->len;
  whole->sources = self->components.indices->len;
  whole->n_sources = model->n_sources;
  for (guint32 i = 0; i < model->n_sources; i++)
    g_array_append_val (self->components.indices, i);
  whole->unbatched = whole->own = self->components.indices->len;
  for (guint32 i = 0; i < model->unbatched_links->len; i++)
    if (!self->monitors.is_passive[i])
      g_array_append_val (self->components.indices, i);
  whole->n_unbatched = whole->n_own = self->components.indices->len - whole->own;
}

void
ifbam_islands_update_whole (IfbamEventEngine *self)
{
  const IfbamModel *model = self->base.model;
  IfbamComponent *whole = ifbam_component (self, self->components.list->len - 1);
  gboolean all = TRUE;

  *whole = (IfbamComponent){ .island = IFBAM_NONE, .next = IFBAM_NONE };
  g_array_set_size (self->components.ranges, self->components.n_own_ranges);
  g_array_set_size (self->components.indices, self->components.n_own_indices);
  for (guint c = 0; c + 1 < self->components.list->len; c++)
    all &= !ifbam_component (self, c)->is_inactive;
  (all ? add_all : add_active) (self, whole);
  whole->givens = self->components.indices->len;
  whole->n_givens = model->n_nodes - model->n_free;
  for (guint32 i = (guint32) model->n_free; i < model->n_nodes; i++)
    g_array_append_val (self->components.indices, i);
  list_active_members (self, whole);
}

static void
make_components (IfbamEventEngine *self)
{
  const IfbamModel *model = self->base.model;
  const gsize n = number_components (self);
  g_autofree guint32 *source_component = g_new (guint32, model->n_sources + 1);
  g_autofree GArray **unbatched_links = g_new0 (GArray *, n + 1);
  Sorted nodes = sort_items (self->components.of_node, model->n_free, n), sources;
  Sorted *links = g_new (Sorted, model->batches->len + 1);

  for (gsize i = 0; i < model->n_sources; i++)
    source_component[i] = self->components.of_node[model->source_node[i]];
  sources = sort_items (source_component, model->n_sources, n);
  for (guint b = 0; b < model->batches->len; b++)
    {
      const IfbamBatch *batch = &g_array_index (model->batches, IfbamBatch, b);
      g_autofree guint32 *component = g_new (guint32, batch->count + 1);

      for (gsize i = 0; i < batch->count; i++)
        component[i] = link_component (self, batch, i);
      links[b] = sort_items (component, batch->count, n);
    }
  link_components (self, n, unbatched_links);
  for (gsize c = 0; c < n; c++)
    {
      IfbamComponent component = { .island = IFBAM_NONE, .next = IFBAM_NONE };

      component.nodes = self->components.ranges->len;
      component.n_nodes =
          add_ranges (self, nodes.item + nodes.start[c], nodes.start[c + 1] - nodes.start[c], 0);
      component.links = self->components.ranges->len;
      for (guint b = 0; b < model->batches->len; b++)
        component.n_links += add_ranges (self, links[b].item + links[b].start[c],
                                         links[b].start[c + 1] - links[b].start[c], b);
      add_indices (self, &sources, c, &component.sources, &component.n_sources);
      component.unbatched = self->components.indices->len;
      if (unbatched_links[c] != NULL)
        {
          g_array_append_vals (self->components.indices, unbatched_links[c]->data,
                               unbatched_links[c]->len);
          component.n_unbatched = unbatched_links[c]->len;
        }
      component.own = self->components.indices->len;
      for (gsize i = 0; i < component.n_unbatched; i++)
        {
          guint32 link = g_array_index (self->components.indices, guint32, component.unbatched + i);

          if (link_owner (self, link) == c)
            {
              g_array_append_val (self->components.indices, link);
              component.n_own++;
            }
        }
      add_givens (self, &component);
      list_active_members (self, &component);
      g_array_append_val (self->components.list, component);
    }
  g_array_set_size (self->components.list, self->components.list->len + 1); /* the whole network */
  self->components.n_own_ranges = self->components.ranges->len;
  self->components.n_own_indices = self->components.indices->len;
  ifbam_islands_update_whole (self);
  for (guint b = 0; b < model->batches->len; b++)
    sorted_clear (&links[b]);
  g_free (links);
  sorted_clear (&nodes);
  sorted_clear (&sources);
  for (gsize c = 0; c < n; c++)
    if (unbatched_links[c] != NULL)
      g_array_unref (unbatched_links[c]);
}

static void
add_component (IfbamEventEngine *self, guint32 index, guint32 c)
{
  IfbamIsland *island = ifbam_island (self, index);
  IfbamComponent *component = ifbam_component (self, c);

  component->next = island->n_components == 0 ? IFBAM_NONE : island->first;
  component->island = index;
  island->first = c;
  island->n_components++;
}

static void
list_rows (IfbamEventEngine *self, guint32 index)
{
  IfbamIsland *island = ifbam_island (self, index);

  if (island->rows != NULL)
    ifbam_array_clear (island->rows);
  IFBAM_FOR_COMPONENTS (component, index)
  IFBAM_FOR_LIST (link, component, own)
  if (ifbam_link_is_active (self, *link))
    {
      if (island->rows == NULL)
        island->rows = g_array_new (FALSE, FALSE, sizeof (guint32));
      g_array_append_vals (island->rows, link, 1);
    }
  /* Constraint rows have the order of the file, however the island was formed. */
  if (island->rows != NULL && island->rows->len > 1)
    g_array_sort (island->rows, ifbam_compare_uint32);
}

static void
remove_constrained (IfbamEventEngine *self, guint32 index)
{
  for (guint i = 0; i < self->islands.constrained->len; i++)
    if (g_array_index (self->islands.constrained, guint32, i) == index)
      {
        g_array_remove_index (self->islands.constrained, i);
        return;
      }
}

/* Inserts an island into the list of islands with active constraints, sorted by index. */
static void
insert_constrained (IfbamEventEngine *self, guint32 index)
{
  guint32 *list;
  guint i = self->islands.constrained->len;

  g_array_append_val (self->islands.constrained, index);
  list = &g_array_index (self->islands.constrained, guint32, 0);
  for (; i > 0 && list[i - 1] > index; i--)
    list[i] = list[i - 1];
  list[i] = index;
}

static int
compare_components (gconstpointer a, gconstpointer b)
{
  return ifbam_compare_uint32 (b, a); /* descending, as add_component () prepends */
}

void
ifbam_islands_regroup (IfbamEventEngine *self)
{
  GArray *all = self->islands.scattered;
  double time = 0, until = 0, next = INFINITY, error = 0;
  gboolean restart_scheme = FALSE;

  if (self->islands.affected->len == 0)
    return;
  ifbam_array_clear (all);
  for (guint i = 0; i < self->islands.affected->len; i++)
    {
      guint32 index = g_array_index (self->islands.affected, guint32, i);
      IfbamIsland *island = ifbam_island (self, index);

      time = island->time;
      until = island->until;
      next = MIN (next, island->next_step);
      error = MAX (error, island->error);
      restart_scheme |= island->uses_restart;
      for (guint32 c = island->first; c != IFBAM_NONE; c = ifbam_component (self, c)->next)
        g_array_append_val (all, c);
      if (island->rows != NULL && island->rows->len > 0)
        remove_constrained (self, index);
      island->first = IFBAM_NONE;
      island->n_components = 0;
    }
  if (all->len > 1)
    g_array_sort (all, compare_components);
  IFBAM_SHORT_LIST (guint32, parent, all->len);
  IFBAM_SHORT_LIST (guint32, island_of, all->len);
  ifbam_union_find_init (parent, all->len);
  for (guint i = 0; i < all->len; i++)
    {
      island_of[i] = IFBAM_NONE;
      ifbam_component (self, g_array_index (all, guint32, i))->island = i; /* index in `all` */
    }
  for (guint i = 0; i < all->len && all->len > 1; i++)
    {
      const IfbamComponent *component = ifbam_component (self, g_array_index (all, guint32, i));

      for (gsize k = component->own; k < component->own + component->n_own; k++)
        {
          guint32 index = g_array_index (self->components.indices, guint32, k);
          const IfbamLink *link = ifbam_link (self, index);

          if (!ifbam_link_couples (self, index))
            continue;
          for (guint e = 0; e < link->n_ports; e++)
            {
              guint32 other = self->components.of_node[link->node[e]];

              if (other != IFBAM_NONE)
                ifbam_union_find_unite (parent, i, ifbam_component (self, other)->island);
            }
        }
    }
  ifbam_array_clear (self->islands.affected);
  /* The last assignment is that of the lowest component. */
  for (guint i = 0; i < all->len; i++)
    island_of[ifbam_union_find_root (parent, i)] = g_array_index (all, guint32, i);
  for (guint i = 0; i < all->len; i++)
    if (ifbam_union_find_root (parent, i) == i)
      {
        IfbamIsland *island = ifbam_island (self, island_of[i]);

        island->n_components = 0;
        island->time = time;
        island->until = until;
        island->next_step = next;
        island->error = error;
        island->uses_restart = restart_scheme;
        island->pending = (IfbamExternalWork){ 0 };
        g_array_append_val (self->islands.affected, island_of[i]);
      }
  for (guint i = 0; i < all->len; i++)
    add_component (self, island_of[ifbam_union_find_root (parent, i)],
                   g_array_index (all, guint32, i));
  if (self->islands.affected->len > 1)
    g_array_sort (self->islands.affected, ifbam_compare_uint32);
  for (guint i = 0; i < self->islands.affected->len; i++)
    {
      guint32 index = g_array_index (self->islands.affected, guint32, i);
      IfbamIsland *island = ifbam_island (self, index);

      list_rows (self, index);
      ifbam_event_merge_nodes (self, island);
      if (island->rows != NULL && island->rows->len > 0)
        insert_constrained (self, index);
    }
}

void
ifbam_islands_restart (IfbamEventEngine *self)
{
  ifbam_array_clear (self->islands.constrained);
  for (guint32 i = 0; i < self->islands.list->len; i++)
    {
      IfbamIsland *island = ifbam_island (self, i);

      island->n_components = 0;
      add_component (self, i, i);
      island->time = 0;
      island->uses_restart = FALSE;
      if (island->rows != NULL)
        ifbam_array_clear (island->rows);
      if (island->redundant != NULL)
        ifbam_array_clear (island->redundant);
      ifbam_event_merge_nodes (self, island);
    }
}

void
ifbam_islands_rebuild (IfbamEventEngine *self)
{
  ifbam_islands_restart (self);
  ifbam_array_clear (self->islands.affected);
  for (guint32 i = 0; i < self->islands.list->len; i++)
    {
      ifbam_island (self, i)->until = self->adaptive == NULL ? self->base.spec->step : 0;
      g_array_append_val (self->islands.affected, i);
    }
  ifbam_islands_regroup (self);
  ifbam_array_clear (self->islands.affected);
}

void
ifbam_islands_init (IfbamEventEngine *self)
{
  self->components.list = g_array_new (FALSE, FALSE, sizeof (IfbamComponent));
  self->components.of_node = g_new (guint32, self->base.model->n_nodes + 1);
  self->components.of_link = g_new (guint32, self->base.model->unbatched_links->len + 1);
  self->components.ranges = g_array_new (FALSE, FALSE, sizeof (IfbamIndexRange));
  self->components.indices = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_array_set_size (self->components.indices, 1); /* so that empty lists begin at an element */
  self->components.ports = g_array_new (FALSE, FALSE, sizeof (IfbamGivenPort));
  self->islands.list = g_ptr_array_new ();
  self->islands.constrained = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->islands.scattered = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->islands.affected = g_array_new (FALSE, FALSE, sizeof (guint32));
  list_endpoints_by_node (self, FALSE, &self->links.node_start, &self->links.node_ends);
  list_endpoints_by_node (self, TRUE, &self->links.node_force_start, &self->links.node_force_ends);
  for (guint32 i = 0; i < self->base.model->n_nodes; i++)
    if (self->links.node_start[i + 1] > self->links.node_start[i])
      g_array_append_val (self->links.nodes, i);
  make_components (self);
  for (guint32 c = 0; c + 1 < self->components.list->len; c++)
    {
      g_ptr_array_add (self->islands.list, g_new0 (IfbamIsland, 1));
      ifbam_event_set_system_interrupt (self,
                                        &ifbam_island (self, self->islands.list->len - 1)->system);
      add_component (self, c, c);
    }
}

void
ifbam_islands_clear (IfbamEventEngine *self)
{
  GArray *lists[] = { self->components.list,  self->components.ranges,   self->components.indices,
                      self->components.ports, self->islands.constrained, self->islands.scattered,
                      self->islands.affected };
  gpointer arrays[] = { self->components.of_node, self->components.of_link, self->islands.offset,
                        self->islands.redundant };

  for (guint i = 0; i < self->islands.list->len; i++)
    {
      IfbamIsland *island = ifbam_island (self, i);

      ifbam_constraint_system_clear (&island->system);
      ifbam_constraint_system_clear (&island->independent);
      g_clear_pointer (&island->redundant, g_array_unref);
      g_clear_pointer (&island->rows, g_array_unref);
      g_clear_pointer (&island->merged, g_array_unref);
      g_free (island->lambda);
      g_free (island);
    }
  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    g_array_unref (lists[i]);
  for (guint i = 0; i < G_N_ELEMENTS (arrays); i++)
    g_free (arrays[i]);
  g_ptr_array_unref (self->islands.list);
}
