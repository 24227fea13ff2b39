/* islands.c: partition of the network into components, and of these into islands
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/islands.h"

#include <stdlib.h>

#include "base/compare.h"
#include "base/union-find.h"
#include "event/constraint-reactions.h"
#include "event/event-engine-internal.h"
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

/* Returns the component of all free nodes of a link; IFBAM_NONE: several components, or none. */
static guint32
home_of (const IfbamEventEngine *self, const IfbamLink *link)
{
  guint32 home = IFBAM_NONE;

  for (guint e = 0; e < link->n_ports; e++)
    {
      const guint32 component = self->component_of[link->node[e]];

      if (component != IFBAM_NONE && home != IFBAM_NONE && component != home)
        return IFBAM_NONE;
      if (component != IFBAM_NONE)
        home = component;
    }
  return home;
}

/* Finds the component of each free node by union-find; returns the number of components. */
static gsize
number_components (IfbamEventEngine *self)
{
  const IfbamModel *model = self->base.model;
  g_autofree guint32 *parent = g_new (guint32, model->n_nodes + 1);
  gsize n = 0;

  ifbam_forest_plant (parent, model->n_nodes);
  for (guint b = 0; b < model->batches->len; b++)
    {
      const IfbamBatch *batch = &g_array_index (model->batches, IfbamBatch, b);

      for (gsize i = 0; i < batch->count; i++)
        if (batch->left[i] < model->n_free && batch->right[i] < model->n_free
            && batch->left[i] != batch->right[i])
          ifbam_forest_unite (parent, batch->left[i], batch->right[i]);
      for (gsize i = 0; i < batch->count; i++)
        for (guint k = 0; k < batch->law->n_states && !ifbam_batch_is_gap (batch, i); k++)
          ifbam_forest_unite (parent, batch->state[k][i],
                              batch->left[i] < model->n_free    ? batch->left[i]
                              : batch->right[i] < model->n_free ? batch->right[i]
                                                                : batch->state[0][i]);
    }
  for (guint j = 0; j < model->singles->len; j++)
    {
      const IfbamLink *link = ifbam_link (self, j);

      for (guint k = 0; k < link->n_states; k++)
        ifbam_forest_unite (parent, link->node[link->n_ports + k], lowest_end (model, link));
    }
  /* The coordinates of a body form one component: its links couple them at all times. */
  for (guint f = 0; f < model->node_families->len; f++)
    {
      const IfbamSpan *span = &g_array_index (model->node_families, IfbamSpan, f);

      if (span->element->info->n_coordinates > 1)
        ifbam_forest_unite (parent, ifbam_model_place (model, span->element).index,
                            (guint32) span->first);
    }
  /* Nodes joined by permanent constraints form one component. */
  for (guint j = 0; j < model->singles->len; j++)
    {
      const IfbamLink *link = ifbam_link (self, j);
      const guint32 lowest = lowest_end (model, link);

      for (guint e = 0; e < link->n_ports && ifbam_link_is_fixed (link); e++)
        if (link->node[e] < model->n_free)
          ifbam_forest_unite (parent, lowest, link->node[e]);
    }
  /* Nodes that links of other processes join form one component, too. */
  for (guint32 i = 0; model->share != NULL && i < model->n_free; i++)
    ifbam_forest_unite (parent, i, model->share->fellow[i]);
  for (gsize i = 0; i < model->n_free; i++)
    self->component_of[i] = IFBAM_NONE;
  /* Components have the order of the file, however nodes are numbered. */
  for (gsize i = 0; i < model->n_free; i++)
    {
      const gsize node = ifbam_model_free_number (model, i);
      guint32 *component = &self->component_of[ifbam_forest_root (parent, (guint32) node)];

      if (*component == IFBAM_NONE)
        *component = (guint32) n++;
      self->component_of[node] = *component;
    }
  for (gsize i = model->n_free; i < model->n_nodes; i++)
    self->component_of[i] = IFBAM_NONE;
  for (guint j = 0; j < model->singles->len; j++)
    self->home[j] = home_of (self, ifbam_link (self, j));
  return n;
}

/* Appends the index ranges of consecutive items; returns how many. */
static gsize
add_stretches (IfbamEventEngine *self, const guint32 *item, gsize n, guint32 batch)
{
  gsize added = 0;

  for (gsize i = 0; i < n; i++)
    {
      IfbamStretch stretch = { batch, item[i], item[i] + 1 };

      while (i + 1 < n && item[i + 1] == item[i] + 1)
        stretch.last = item[++i] + 1;
      g_array_append_val (self->stretches, stretch);
      added++;
    }
  return added;
}

/* Returns the component of a batched link: that of its first free endpoint. */
static guint32
link_component (const IfbamEventEngine *self, const IfbamBatch *batch, gsize i)
{
  guint32 component = self->component_of[batch->left[i]];

  if (batch->left[i] == batch->right[i]) /* a slot between runs */
    return IFBAM_NONE;
  if (component == IFBAM_NONE)
    component = self->component_of[batch->right[i]];
  /* A link between given (prescribed) nodes may have state nodes. */
  return component == IFBAM_NONE && batch->law->n_states > 0
             ? self->component_of[batch->state[0][i]]
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
  gsize first = self->numbers->len, n = 0;

  component->ports = self->ports->len;
  for (gsize s = component->links; s < component->links + component->n_links; s++)
    {
      const IfbamStretch *stretch = &g_array_index (self->stretches, IfbamStretch, s);
      const IfbamBatch *batch = &g_array_index (model->batches, IfbamBatch, stretch->batch);

      for (gsize i = stretch->first; i < stretch->last; i++)
        for (guint e = 0; e < 2; e++)
          {
            guint32 node = e == 0 ? batch->left[i] : batch->right[i];
            IfbamGivenPort port = { (e == 0 ? batch->first_slot : batch->far_slot) + i, node,
                                    e == 0 ? -1.0 : 1.0 };

            if (node < model->n_free || batch->left[i] == batch->right[i])
              continue;
            g_array_append_val (self->numbers, node);
            if (is_moving (model, node))
              g_array_append_val (self->ports, port);
          }
    }
  component->n_ports = self->ports->len - component->ports;
  for (gsize i = component->singles; i < component->singles + component->n_singles; i++)
    {
      const IfbamLink *link = ifbam_link (self, g_array_index (self->numbers, guint32, i));

      for (guint e = 0; e < link->n_ports; e++)
        if (link->node[e] >= model->n_free)
          g_array_append_val (self->numbers, link->node[e]);
    }
  if (self->numbers->len > first)
    qsort (&g_array_index (self->numbers, guint32, first), self->numbers->len - first,
           sizeof (guint32), ifbam_compare_uint32);
  for (gsize i = first; i < self->numbers->len; i++)
    {
      guint32 node = g_array_index (self->numbers, guint32, i);

      if (n == 0 || node != g_array_index (self->numbers, guint32, first + n - 1))
        g_array_index (self->numbers, guint32, first + n++) = node;
    }
  g_array_set_size (self->numbers, (guint) (first + n));
  component->givens = first;
  component->n_givens = n;
}

/* Returns whether a link has a force law; others have reactions only. */
static gboolean
has_voice (const IfbamEventEngine *self, guint32 link)
{
  return ifbam_link (self, link)->law->force != NULL;
}

/* Lists the members of a component that need work in a step, so that the others are skipped. */
static void
look_through (IfbamEventEngine *self, IfbamComponent *component)
{
  const IfbamModel *model = self->base.model;

  component->voices = self->numbers->len;
  for (gsize i = component->own; i < component->own + component->n_own; i++)
    {
      const guint32 link = g_array_index (self->numbers, guint32, i);

      if (has_voice (self, link))
        g_array_append_val (self->numbers, link);
    }
  component->n_voices = self->numbers->len - component->voices;
  component->losers = self->numbers->len;
  for (gsize i = component->own; i < component->own + component->n_own; i++)
    {
      const guint32 link = g_array_index (self->numbers, guint32, i);

      if (ifbam_link (self, link)->law->loss != NULL
          || ifbam_link_is_carried (ifbam_link (self, link)))
        g_array_append_val (self->numbers, link);
    }
  component->n_losers = self->numbers->len - component->losers;
  component->lossy = self->numbers->len;
  for (gsize s = component->links; s < component->links + component->n_links; s++)
    {
      const guint32 batch = g_array_index (self->stretches, IfbamStretch, s).batch;
      const guint32 stretch = (guint32) s;

      if (g_array_index (model->batches, IfbamBatch, batch).law->lossy)
        g_array_append_val (self->numbers, stretch);
    }
  component->n_lossy = self->numbers->len - component->lossy;
  component->moving = self->numbers->len;
  for (gsize i = component->givens; i < component->givens + component->n_givens; i++)
    {
      const guint32 node = g_array_index (self->numbers, guint32, i);

      if (is_moving (model, node))
        g_array_append_val (self->numbers, node);
    }
  component->n_moving = self->numbers->len - component->moving;
  component->fed = component->n_moving > 0;
  component->varying = self->numbers->len;
  for (gsize i = component->sources; i < component->sources + component->n_sources; i++)
    {
      const guint32 source = g_array_index (self->numbers, guint32, i);

      component->fed |= !ifbam_model_is_field (model, source);
      if (!ifbam_model_source_of (model, source)->info->fixed)
        g_array_append_val (self->numbers, source);
    }
  component->n_varying = self->numbers->len - component->varying;
}

static void
add_numbers (IfbamEventEngine *self, const Sorted *sorted, gsize c, gsize *first, gsize *n)
{
  *first = self->numbers->len;
  *n = sorted->start[c + 1] - sorted->start[c];
  g_array_append_vals (self->numbers, sorted->item + sorted->start[c], (guint) *n);
}

/* Lists the endpoints of unbatched links (voices: with a force) by node, from *starts[node] on. */
static void
list_singles (const IfbamEventEngine *self, gboolean voices, guint32 **starts, guint32 **links)
{
  const IfbamModel *model = self->base.model;
  guint32 *start = *starts = g_new0 (guint32, model->n_nodes + 2);

  for (guint j = 0; j < model->singles->len; j++)
    for (guint e = 0; e < ifbam_link (self, j)->n_ports; e++)
      start[ifbam_link (self, j)->node[e] + 2] += !voices || has_voice (self, j);
  for (gsize i = 0; i < model->n_nodes; i++)
    start[i + 2] += start[i + 1];
  *links = g_new (guint32, start[model->n_nodes + 1] + 1);
  for (guint j = 0; j < model->singles->len; j++)
    for (guint e = 0; e < ifbam_link (self, j)->n_ports && (!voices || has_voice (self, j)); e++)
      (*links)[start[ifbam_link (self, j)->node[e] + 1]++] = ifbam_end_new (j, e);
}

/* Lists the unbatched links of each component, each once. of: (out) (n); NULL: no links. */
static void
link_components (IfbamEventEngine *self, gsize n, GArray **of)
{
  const IfbamModel *model = self->base.model;

  (void) n;
  for (guint j = 0; j < model->singles->len; j++)
    {
      const IfbamLink *link = ifbam_link (self, j);

      for (guint e = 0; e < link->n_ports; e++)
        {
          guint32 c = self->component_of[link->node[e]];

          if (c == IFBAM_NONE || self->outside[j])
            continue;
          if (of[c] == NULL)
            of[c] = g_array_new (FALSE, FALSE, sizeof (guint32));
          if (of[c]->len == 0 || g_array_index (of[c], guint32, of[c]->len - 1) != j)
            g_array_append_val (of[c], j);
        }
    }
}

/* Returns the component that computes a link: that of its lowest free node. */
static guint32
link_owner (const IfbamEventEngine *self, guint32 j)
{
  const guint32 lowest = lowest_end (self->base.model, ifbam_link (self, j));

  return lowest == IFBAM_NONE ? IFBAM_NONE : self->component_of[lowest];
}

/* Appends one of the lists of all active components, by its offsets in IfbamComponent. */
static void
add_parts (IfbamEventEngine *self, GArray *parts, gsize first_of, gsize n_of, gsize *first,
           gsize *n)
{
  const gsize begin = parts->len;

  for (guint c = 0; c + 1 < self->components->len; c++)
    {
      const char *component = (const char *) ifbam_component (self, c);
      const gsize at = *(const gsize *) (gconstpointer) (component + first_of);
      const gsize count = *(const gsize *) (gconstpointer) (component + n_of);

      if (ifbam_component (self, c)->asleep)
        continue;
      for (gsize i = at; i < at + count; i++)
        if (parts == self->stretches)
          {
            const IfbamStretch stretch = g_array_index (parts, IfbamStretch, i);

            g_array_append_val (parts, stretch);
          }
        else
          {
            const guint32 number = g_array_index (parts, guint32, i);

            g_array_append_val (parts, number);
          }
    }
  *first = begin;
  *n = parts->len - begin;
}

/* Sets the whole network's component to all active ones; own links are sorted by index. */
static void
add_awake (IfbamEventEngine *self, IfbamComponent *whole)
{
#define PARTS(parts, name)                                                                         \
  add_parts (self, self->parts, offsetof (IfbamComponent, name),                                   \
             offsetof (IfbamComponent, n_##name), &whole->name, &whole->n_##name)
  PARTS (stretches, nodes);
  PARTS (stretches, links);
  PARTS (numbers, sources);
  PARTS (numbers, own);
#undef PARTS
  if (whole->n_own > 1)
    qsort (&g_array_index (self->numbers, guint32, whole->own), whole->n_own, sizeof (guint32),
           ifbam_compare_uint32);
  whole->singles = whole->own;
  whole->n_singles = whole->n_own;
}

static void
add_all (IfbamEventEngine *self, IfbamComponent *whole)
{
  const IfbamModel *model = self->base.model;
  IfbamStretch all = { 0, 0, model->n_free };

  whole->nodes = self->stretches->len;
  whole->n_nodes = model->n_free > 0;
  if (model->n_free > 0)
    g_array_append_val (self->stretches, all);
  whole->links = self->stretches->len;
  for (guint b = 0; b < model->batches->len; b++)
    {
      IfbamStretch links = { b, 0, g_array_index (model->batches, IfbamBatch, b).count };

      g_array_append_val (self->stretches, links);
    }
  whole->n_links = model->batches->len;
  whole->sources = self->numbers->len;
  whole->n_sources = model->n_sources;
  for (guint32 i = 0; i < model->n_sources; i++)
    g_array_append_val (self->numbers, i);
  whole->singles = whole->own = self->numbers->len;
  for (guint32 i = 0; i < model->singles->len; i++)
    if (!self->outside[i])
      g_array_append_val (self->numbers, i);
  whole->n_singles = whole->n_own = self->numbers->len - whole->own;
}

void
ifbam_islands_wake (IfbamEventEngine *self)
{
  const IfbamModel *model = self->base.model;
  IfbamComponent *whole = ifbam_component (self, self->components->len - 1);
  gboolean all = TRUE;

  *whole = (IfbamComponent){ .island = IFBAM_NONE, .next = IFBAM_NONE };
  g_array_set_size (self->stretches, self->own_stretches);
  g_array_set_size (self->numbers, self->own_numbers);
  for (guint c = 0; c + 1 < self->components->len; c++)
    all &= !ifbam_component (self, c)->asleep;
  (all ? add_all : add_awake) (self, whole);
  whole->givens = self->numbers->len;
  whole->n_givens = model->n_nodes - model->n_free;
  for (guint32 i = (guint32) model->n_free; i < model->n_nodes; i++)
    g_array_append_val (self->numbers, i);
  look_through (self, whole);
}

static void
make_components (IfbamEventEngine *self)
{
  const IfbamModel *model = self->base.model;
  const gsize n = number_components (self);
  g_autofree guint32 *source_component = g_new (guint32, model->n_sources + 1);
  g_autofree GArray **singles = g_new0 (GArray *, n + 1);
  Sorted nodes = sort_items (self->component_of, model->n_free, n), sources;
  Sorted *links = g_new (Sorted, model->batches->len + 1);

  for (gsize i = 0; i < model->n_sources; i++)
    source_component[i] = self->component_of[model->source_node[i]];
  sources = sort_items (source_component, model->n_sources, n);
  for (guint b = 0; b < model->batches->len; b++)
    {
      const IfbamBatch *batch = &g_array_index (model->batches, IfbamBatch, b);
      g_autofree guint32 *component = g_new (guint32, batch->count + 1);

      for (gsize i = 0; i < batch->count; i++)
        component[i] = link_component (self, batch, i);
      links[b] = sort_items (component, batch->count, n);
    }
  link_components (self, n, singles);
  for (gsize c = 0; c < n; c++)
    {
      IfbamComponent component = { .island = IFBAM_NONE, .next = IFBAM_NONE };

      component.nodes = self->stretches->len;
      component.n_nodes =
          add_stretches (self, nodes.item + nodes.start[c], nodes.start[c + 1] - nodes.start[c], 0);
      component.links = self->stretches->len;
      for (guint b = 0; b < model->batches->len; b++)
        component.n_links += add_stretches (self, links[b].item + links[b].start[c],
                                            links[b].start[c + 1] - links[b].start[c], b);
      add_numbers (self, &sources, c, &component.sources, &component.n_sources);
      component.singles = self->numbers->len;
      if (singles[c] != NULL)
        {
          g_array_append_vals (self->numbers, singles[c]->data, singles[c]->len);
          component.n_singles = singles[c]->len;
        }
      component.own = self->numbers->len;
      for (gsize i = 0; i < component.n_singles; i++)
        {
          guint32 link = g_array_index (self->numbers, guint32, component.singles + i);

          if (link_owner (self, link) == c)
            {
              g_array_append_val (self->numbers, link);
              component.n_own++;
            }
        }
      add_givens (self, &component);
      look_through (self, &component);
      g_array_append_val (self->components, component);
    }
  g_array_set_size (self->components, self->components->len + 1); /* the whole network */
  self->own_stretches = self->stretches->len;
  self->own_numbers = self->numbers->len;
  ifbam_islands_wake (self);
  for (guint b = 0; b < model->batches->len; b++)
    sorted_clear (&links[b]);
  g_free (links);
  sorted_clear (&nodes);
  sorted_clear (&sources);
  for (gsize c = 0; c < n; c++)
    if (singles[c] != NULL)
      g_array_unref (singles[c]);
}

static void
add_component (IfbamEventEngine *self, guint32 number, guint32 c)
{
  IfbamIsland *island = ifbam_island (self, number);
  IfbamComponent *component = ifbam_component (self, c);

  component->next = island->n_components == 0 ? IFBAM_NONE : island->first;
  component->island = number;
  island->first = c;
  island->n_components++;
}

static void
list_rows (IfbamEventEngine *self, guint32 number)
{
  IfbamIsland *island = ifbam_island (self, number);

  if (island->rows != NULL)
    ifbam_empty (island->rows);
  IFBAM_FOR_COMPONENTS (component, number)
  IFBAM_FOR_LIST (link, component, own)
  if (ifbam_link_holds (self, *link))
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
forget_holding (IfbamEventEngine *self, guint32 number)
{
  for (guint i = 0; i < self->holding->len; i++)
    if (g_array_index (self->holding, guint32, i) == number)
      {
        g_array_remove_index (self->holding, i);
        return;
      }
}

/* Inserts an island into the list of islands with active constraints, sorted by index. */
static void
list_holding (IfbamEventEngine *self, guint32 number)
{
  guint32 *list;
  guint i = self->holding->len;

  g_array_append_val (self->holding, number);
  list = &g_array_index (self->holding, guint32, 0);
  for (; i > 0 && list[i - 1] > number; i--)
    list[i] = list[i - 1];
  list[i] = number;
}

static int
compare_components (gconstpointer a, gconstpointer b)
{
  return ifbam_compare_uint32 (b, a); /* descending, as add_component () prepends */
}

void
ifbam_islands_sort (IfbamEventEngine *self)
{
  GArray *all = self->scattered;
  double time = 0, until = 0, next = INFINITY, error = 0;
  gboolean companion = FALSE;

  if (self->affected->len == 0)
    return;
  ifbam_empty (all);
  for (guint i = 0; i < self->affected->len; i++)
    {
      guint32 number = g_array_index (self->affected, guint32, i);
      IfbamIsland *island = ifbam_island (self, number);

      time = island->time;
      until = island->until;
      next = MIN (next, island->next);
      error = MAX (error, island->error);
      companion |= island->companion;
      for (guint32 c = island->first; c != IFBAM_NONE; c = ifbam_component (self, c)->next)
        g_array_append_val (all, c);
      if (island->rows != NULL && island->rows->len > 0)
        forget_holding (self, number);
      island->first = IFBAM_NONE;
      island->n_components = 0;
    }
  if (all->len > 1)
    g_array_sort (all, compare_components);
  IFBAM_LIST (guint32, parent, all->len);
  IFBAM_LIST (guint32, island_of, all->len);
  ifbam_forest_plant (parent, all->len);
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
          guint32 number = g_array_index (self->numbers, guint32, k);
          const IfbamLink *link = ifbam_link (self, number);

          if (!ifbam_link_couples (self, number))
            continue;
          for (guint e = 0; e < link->n_ports; e++)
            {
              guint32 other = self->component_of[link->node[e]];

              if (other != IFBAM_NONE)
                ifbam_forest_unite (parent, i, ifbam_component (self, other)->island);
            }
        }
    }
  ifbam_empty (self->affected);
  /* The last assignment is that of the lowest component. */
  for (guint i = 0; i < all->len; i++)
    island_of[ifbam_forest_root (parent, i)] = g_array_index (all, guint32, i);
  for (guint i = 0; i < all->len; i++)
    if (ifbam_forest_root (parent, i) == i)
      {
        IfbamIsland *island = ifbam_island (self, island_of[i]);

        island->n_components = 0;
        island->time = time;
        island->until = until;
        island->next = next;
        island->error = error;
        island->companion = companion;
        island->pending = (IfbamFeed){ 0 };
        g_array_append_val (self->affected, island_of[i]);
      }
  for (guint i = 0; i < all->len; i++)
    add_component (self, island_of[ifbam_forest_root (parent, i)], g_array_index (all, guint32, i));
  if (self->affected->len > 1)
    g_array_sort (self->affected, ifbam_compare_uint32);
  for (guint i = 0; i < self->affected->len; i++)
    {
      guint32 number = g_array_index (self->affected, guint32, i);
      IfbamIsland *island = ifbam_island (self, number);

      list_rows (self, number);
      ifbam_event_group (self, island);
      if (island->rows != NULL && island->rows->len > 0)
        list_holding (self, number);
    }
}

void
ifbam_islands_put_together (IfbamEventEngine *self)
{
  ifbam_empty (self->holding);
  ifbam_empty (self->affected);
  for (guint32 i = 0; i < self->islands->len; i++)
    {
      IfbamIsland *island = ifbam_island (self, i);

      island->n_components = 0;
      add_component (self, i, i);
      island->time = 0;
      island->until = self->pace == NULL ? self->base.spec->step : 0;
      island->companion = FALSE;
      if (island->rows != NULL)
        ifbam_empty (island->rows);
      g_array_append_val (self->affected, i);
    }
  ifbam_islands_sort (self);
  ifbam_empty (self->affected);
}

void
ifbam_islands_make (IfbamEventEngine *self)
{
  self->components = g_array_new (FALSE, FALSE, sizeof (IfbamComponent));
  self->stretches = g_array_new (FALSE, FALSE, sizeof (IfbamStretch));
  self->numbers = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_array_set_size (self->numbers, 1); /* so that empty lists begin at an element */
  self->ports = g_array_new (FALSE, FALSE, sizeof (IfbamGivenPort));
  self->islands = g_ptr_array_new ();
  self->holding = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->scattered = g_array_new (FALSE, FALSE, sizeof (guint32));
  list_singles (self, FALSE, &self->node_link_start, &self->node_link);
  list_singles (self, TRUE, &self->node_voice_start, &self->node_voice);
  make_components (self);
  for (guint32 c = 0; c + 1 < self->components->len; c++)
    {
      g_ptr_array_add (self->islands, g_new0 (IfbamIsland, 1));
      ifbam_event_watch_reactions (self, &ifbam_island (self, self->islands->len - 1)->system);
      add_component (self, c, c);
    }
}

void
ifbam_islands_free (IfbamEventEngine *self)
{
  for (guint i = 0; i < self->islands->len; i++)
    {
      IfbamIsland *island = ifbam_island (self, i);

      ifbam_reactions_clear (&island->system);
      ifbam_reactions_clear (&island->others);
      g_clear_pointer (&island->spare, g_array_unref);
      g_clear_pointer (&island->rows, g_array_unref);
      g_clear_pointer (&island->held, g_array_unref);
      g_free (island->lambda);
      g_free (island);
    }
  g_ptr_array_unref (self->islands);
  g_array_unref (self->components);
  g_array_unref (self->stretches);
  g_array_unref (self->numbers);
  g_array_unref (self->ports);
  g_array_unref (self->holding);
  g_array_unref (self->scattered);
  g_free (self->node_link_start);
  g_free (self->node_link);
  g_free (self->node_voice_start);
  g_free (self->node_voice);
}
