/* submodel.c: some nodes of a compiled network and what joins them, as a model of its own
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "run/submodel.h"

#include <string.h>

gboolean
ifbam_list_find (const guint32 *list, gsize n, guint32 number, gsize *place)
{
  gsize low = 0, high = n;

  while (low < high)
    {
      const gsize middle = (low + high) / 2;

      if (list[middle] < number)
        low = middle + 1;
      else
        high = middle;
    }
  *place = low;
  return low < n && list[low] == number;
}

guint
ifbam_model_free_ends (const IfbamModel *model, gsize link, guint32 *ends)
{
  IfbamLinkIter at = ifbam_links (model, IFBAM_LINKS_BATCHED);
  guint n = 0;

  ifbam_link_iter_seek_slot (&at, model->link_slot[link]);
  for (guint e = 0; e < 2 + at.link->n_states; e++)
    if (at.link->node[e] < model->n_free)
      ends[n++] = ifbam_model_file_number (model, at.link->node[e]);
  return n;
}

/* A node of the whole network, by its number there, in the submodel's file order. */
static guint32
place_of (const IfbamSubmodel *sub, const IfbamModel *whole, guint32 node)
{
  gsize place;

  if (node >= whole->n_free)
    return (guint32) (sub->n_free + (node - whole->n_free));
  return ifbam_list_find (sub->node, sub->n_free, ifbam_model_file_number (whole, node), &place)
             ? (guint32) place
             : IFBAM_NO_NODE;
}

static gboolean
is_here (const IfbamSubmodel *sub, const IfbamModel *whole, gsize link)
{
  guint32 ends[IFBAM_MAX_ENDS];
  const guint n = ifbam_model_free_ends (whole, link, ends);
  gsize place;

  for (guint e = 0; e < n; e++)
    if (!ifbam_list_find (sub->node, sub->n_free, ends[e], &place))
      return FALSE;
  return TRUE;
}

static guint32 *
list_links (const IfbamSubmodel *sub, const IfbamModel *whole, gsize *n)
{
  GArray *list = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint32 l = 0; l < whole->n_links; l++)
    if (is_here (sub, whole, l))
      g_array_append_val (list, l);
  *n = list->len;
  return (guint32 *) (gpointer) g_array_free (list, FALSE);
}

/* Cuts spans into stretches of members that are in a list of numbers. Interleaved ones stand side by side, and share their
 * members' ends, so that they are all here or none is. */
static void
cut_spans (const GArray *spans, gsize end, const guint32 *list, gsize n, GArray *into)
{
  for (guint s = 0, side; s < spans->len; s += side)
    {
      const IfbamSpan *span = &g_array_index (spans, IfbamSpan, s);
      gsize at, stop;

      side = MAX (span->stride, 1);
      if (span->first >= end)
        break;
      ifbam_list_find (list, n, (guint32) span->first, &at);
      ifbam_list_find (list, n, (guint32) (span->first + span->count * side), &stop);
      while (at < stop)
        {
          const gsize from = at;

          for (at++; at < stop && list[at] == list[at - 1] + 1;)
            at++;
          for (guint k = 0; k < side; k++)
            {
              IfbamSpan stretch = g_array_index (spans, IfbamSpan, s + k);

              stretch.first = from;
              stretch.count = (at - from) / side;
              stretch.offset += (list[from] - span->first) / side;
              g_array_append_val (into, stretch);
            }
        }
    }
}

static void
add_nodes (IfbamSubmodel *sub, const IfbamModel *whole)
{
  IfbamModel *model = sub->model;

  model->n_free = sub->n_free;
  model->n_nodes = sub->n_free + (whole->n_nodes - whole->n_free);
  for (gsize i = sub->n_free; i > 0 && sub->node[i - 1] >= whole->n_free - whole->n_inner; i--)
    model->n_inner++;
  cut_spans (whole->node_spans, whole->n_free, sub->node, sub->n_free, model->node_spans);
  for (guint s = 0; s < whole->node_spans->len; s++)
    {
      IfbamSpan span = g_array_index (whole->node_spans, IfbamSpan, s);

      if (span.first < whole->n_free)
        continue;
      span.first += model->n_free - whole->n_free;
      g_array_append_val (model->node_spans, span);
    }
}

static void
add_sources (IfbamSubmodel *sub, const IfbamModel *whole)
{
  IfbamModel *model = sub->model;
  g_autoptr (GArray) nodes = g_array_new (FALSE, FALSE, sizeof (guint32));
  GArray *list = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint32 i = 0; i < whole->n_sources; i++)
    {
      const guint32 place = place_of (sub, whole, whole->source_node[i]);

      if (place == IFBAM_NO_NODE)
        continue;
      g_array_append_val (nodes, place);
      g_array_append_val (list, i);
      g_ptr_array_add (model->sources, whole->sources->pdata[i]);
    }
  model->n_sources = sub->n_sources = list->len;
  model->source_node = g_new (guint32, nodes->len + 1);
  for (guint i = 0; i < nodes->len; i++)
    model->source_node[i] = g_array_index (nodes, guint32, i);
  sub->source = (guint32 *) (gpointer) g_array_free (list, FALSE);
}

/* A link's ends and its first state, in the submodel's file order. */
typedef struct
{
  guint32 *left, *right, *inner; /* (n_links) */
} Ends;

static void
find_ends (const IfbamSubmodel *sub, const IfbamModel *whole, Ends *ends)
{
  IfbamLinkIter at = ifbam_links (whole, IFBAM_LINKS_BATCHED);

  ends->left = g_new (guint32, sub->n_links + 1);
  ends->right = g_new (guint32, sub->n_links + 1);
  ends->inner = g_new (guint32, sub->n_links + 1);
  for (gsize i = 0; i < sub->n_links; i++)
    {
      ifbam_link_iter_seek_slot (&at, whole->link_slot[sub->link[i]]);
      ends->left[i] = place_of (sub, whole, at.link->node[0]);
      ends->right[i] = place_of (sub, whole, at.link->node[1]);
      ends->inner[i] =
          at.link->n_states == 0 ? IFBAM_NO_NODE : place_of (sub, whole, at.link->node[2]);
    }
}

static void
fill_nodes (const IfbamSubmodel *sub, const IfbamModel *whole)
{
  IfbamModel *model = sub->model;

  model->inverse_inertia = g_aligned_alloc (model->n_free + 1, sizeof (double), IFBAM_PAGE);
  model->inertia = whole->inertia == NULL ? NULL : g_new (double, model->n_free + 1);
  model->same_inertia = whole->same_inertia;
  if (whole->start_position != NULL)
    {
      model->start_position = g_new (double, model->n_nodes + 1);
      model->start_rate = g_new (double, model->n_nodes + 1);
    }
  for (gsize i = 0; i < model->n_nodes; i++)
    {
      const gsize from = i < model->n_free ? ifbam_model_free_number (whole, sub->node[i])
                                           : i + whole->n_free - model->n_free;
      const gsize to = ifbam_model_new_number (model, (guint32) i);

      if (i < model->n_free)
        model->inverse_inertia[to] = whole->inverse_inertia[from];
      if (i < model->n_free && model->inertia != NULL)
        model->inertia[to] = whole->inertia[from];
      if (model->start_position == NULL)
        continue;
      model->start_position[to] = whole->start_position[from];
      model->start_rate[to] = whole->start_rate[from];
    }
}

/* Numbers of a law that stands alone are in the whole network's batches only. */
static void
give_laws (const IfbamSubmodel *sub, const IfbamModel *whole, double *laws)
{
  for (guint s = 0; s < sub->model->link_spans->len; s++)
    {
      IfbamSpan *span = &g_array_index (sub->model->link_spans, IfbamSpan, s);

      if (span->letter != NULL)
        continue;
      span->law = laws;
      ifbam_model_link_law (whole, sub->link[span->first], laws);
      laws += span->info->law_size / sizeof (double) + 1;
    }
}

static gsize
laws_size (const GArray *spans)
{
  gsize size = 0;

  for (guint s = 0; s < spans->len; s++)
    {
      const IfbamSpan *span = &g_array_index (spans, IfbamSpan, s);

      size += span->letter != NULL ? 0 : span->info->law_size / sizeof (double) + 1;
    }
  return size;
}

/* Points of the plane that have no nodes here are asked for by nobody here. */
static void
add_gauges (const IfbamSubmodel *sub, const IfbamModel *whole)
{
  for (guint j = 0; j < whole->gauges->len; j++)
    {
      IfbamLink gauge = g_array_index (whole->gauges, IfbamLink, j);

      for (guint e = 0; e < gauge.n_ports; e++)
        {
          const guint32 place = place_of (sub, whole, gauge.node[e]);

          gauge.node[e] = place == IFBAM_NO_NODE ? 0 : ifbam_model_new_number (sub->model, place);
        }
      g_array_append_val (sub->model->gauges, gauge);
    }
}

/* Where a source stands here; all whose instants are given do. */
static guint32
find_source (const IfbamSubmodel *sub, guint32 source)
{
  gsize place;

  return ifbam_list_find (sub->source, sub->n_sources, source, &place) ? (guint32) place : 0;
}

/* Sources and given nodes go on differently at these: numbers of the latter count from the first of them. */
static void
add_instants (const IfbamSubmodel *sub, const GArray *from, GArray *into)
{
  for (guint i = 0; i < from->len; i++)
    {
      IfbamTimeEvent instant = g_array_index (from, IfbamTimeEvent, i);

      if (instant.kind == IFBAM_TIME_EVENT_EDGE)
        instant.number = find_source (sub, instant.number);
      g_array_append_val (into, instant);
    }
}

/* Links in no batch, and what strikes: all of them are here, with their ends. */
static void
add_singles (IfbamSubmodel *sub, const IfbamModel *whole)
{
  IfbamModel *model = sub->model;

  for (const IfbamLink *from = NULL; ifbam_unbatched_next (whole, &from);)
    {
      IfbamLink link = *from;

      for (guint e = 0; e < link.n_ports + link.n_states; e++)
        link.node[e] = ifbam_model_new_number (model, place_of (sub, whole, link.node[e]));
      g_array_append_val (model->singles, link);
    }
  for (guint i = 0; i < whole->impulses->len; i++)
    {
      IfbamImpulse impulse = g_array_index (whole->impulses, IfbamImpulse, i);

      for (guint e = 0; e < impulse.n_nodes; e++)
        impulse.node[e] = ifbam_model_new_number (model, place_of (sub, whole, impulse.node[e]));
      g_array_append_val (model->impulses, impulse);
    }
  g_array_append_vals (model->followers, whole->followers->data, whole->followers->len);
  for (guint f = 0; f < whole->node_families->len && whole->singles->len > 0; f++)
    {
      IfbamSpan span = g_array_index (whole->node_families, IfbamSpan, f);
      IfbamPlace *place = &model->places[span.element->id];
      const guint32 first = place_of (sub, whole, (guint32) span.first),
                    own = place->index < whole->n_free ? place_of (sub, whole, place->index)
                                                       : IFBAM_NO_NODE;

      if (span.element->info->n_coordinates < 2 || first == IFBAM_NO_NODE || own == IFBAM_NO_NODE)
        continue;
      span.first = ifbam_model_new_number (model, first);
      place->index = ifbam_model_new_number (model, own);
      g_array_append_val (model->node_families, span);
    }
}

static IfbamModel *
model_beside (IfbamModel *whole)
{
  IfbamModel *model = ifbam_model_new_empty ();

  model->elements = g_ptr_array_ref (whole->elements);
  g_array_unref (model->kept);
  model->kept = whole->kept;
  whole->kept = g_array_new (FALSE, FALSE, sizeof (IfbamKept));
  model->damping = whole->damping;
  model->rest = whole->rest == NULL ? NULL : g_object_ref (whole->rest);
  model->places = g_memdup2 (whole->places, whole->n_places * sizeof *whole->places);
  model->n_places = whole->n_places;
  return model;
}

void
ifbam_submodel_init (IfbamSubmodel *sub, IfbamModel *whole, const guint32 *node, gsize n_free)
{
  g_autofree double *laws = NULL;
  IfbamModel *model;
  Ends ends;

  *sub = (IfbamSubmodel){ .n_free = n_free };
  sub->node = g_new (guint32, n_free + 1);
  for (gsize i = 0; i < n_free; i++)
    sub->node[i] = node[i];
  sub->link = list_links (sub, whole, &sub->n_links);
  model = sub->model = model_beside (whole);
  model->n_links = sub->n_links;
  add_nodes (sub, whole);
  add_sources (sub, whole);
  cut_spans (whole->link_spans, G_MAXSIZE, sub->link, sub->n_links, model->link_spans);
  find_ends (sub, whole, &ends);
  ifbam_model_number_nodes (model, ends.left, ends.right, ends.inner);
  fill_nodes (sub, whole);
  add_gauges (sub, whole);
  add_singles (sub, whole);
  add_instants (sub, whole->instants, model->instants);
  add_instants (sub, whole->recurrent, model->recurrent);
  laws = g_new0 (double, laws_size (model->link_spans) + 1);
  give_laws (sub, whole, laws);
  ifbam_model_wire (model, ends.left, ends.right, ends.inner);
  for (guint s = 0; s < model->link_spans->len; s++)
    if (g_array_index (model->link_spans, IfbamSpan, s).letter == NULL)
      g_array_index (model->link_spans, IfbamSpan, s).law = NULL;
  g_free (ends.left);
  g_free (ends.right);
  g_free (ends.inner);
}

void
ifbam_submodel_clear (IfbamSubmodel *sub)
{
  g_clear_pointer (&sub->model, ifbam_model_free);
  g_clear_pointer (&sub->node, g_free);
  g_clear_pointer (&sub->link, g_free);
  g_clear_pointer (&sub->source, g_free);
}
