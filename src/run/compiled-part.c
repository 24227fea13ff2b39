/* compiled-part.c: model of some nodes of a compiled network with the links between them
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "run/compiled-part.h"

guint
ifbam_model_free_ends (const IfbamModel *model, gsize link, guint32 *ends)
{
  IfbamLinkIter at = ifbam_links (model, IFBAM_LINKS_BATCHED);
  guint n = 0;

  ifbam_link_iter_seek_slot (&at, model->link_slot[link]);
  for (guint e = 0; e < 2 + at.link->n_states; e++)
    if (at.link->node[e] < model->n_free)
      ends[n++] = ifbam_model_file_index (model, at.link->node[e]);
  return n;
}

/* Returns the index in the part, in file order, of a node of the whole, or IFBAM_NO_NODE. */
static guint32
place_of (const IfbamModel *model, const IfbamModel *whole, guint32 node)
{
  return ifbam_model_file_node (model,
                                node < whole->n_free ? ifbam_model_file_index (whole, node) : node);
}

/* Cuts spans that begin before `end` into runs of members in some ranges. Interleaved spans are
 * consecutive, and their members have the same nodes: all of them are here, or none. */
static void
cut_spans (const GArray *spans, gsize end, const GArray *ranges, GArray *into)
{
  for (guint s = 0, side; s < spans->len; s += side)
    {
      const IfbamSpan *span = &g_array_index (spans, IfbamSpan, s);
      guint r;

      side = MAX (span->stride, 1);
      if (span->first >= end)
        break;
      r = ifbam_ranges_bound (ranges, span->first);
      for (IfbamRange part; ifbam_ranges_next_within (ranges, span->first,
                                                      span->first + span->count * side, &r, &part);)
        for (guint k = 0; k < side; k++)
          {
            IfbamSpan run = g_array_index (spans, IfbamSpan, s + k);

            run.first = part.place;
            run.count = (gsize) part.count / side;
            run.offset += (gsize) (part.first - span->first) / side;
            g_array_append_val (into, run);
          }
    }
}

static void
add_nodes (IfbamModel *model, const IfbamModel *whole)
{
  const GArray *nodes = model->subnetwork->nodes;

  model->n_free = ifbam_ranges_count (nodes);
  model->n_nodes = model->n_free + (whole->n_nodes - whole->n_free);
  while (model->n_state_nodes < model->n_free
         && ifbam_ranges_number (nodes, model->n_free - model->n_state_nodes - 1)
                >= ifbam_model_n_named_free (whole))
    model->n_state_nodes++;
  cut_spans (whole->node_spans, whole->n_free, nodes, model->node_spans);
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
add_sources (IfbamModel *model, const IfbamModel *whole)
{
  const GArray *sources = model->subnetwork->sources;

  model->n_sources = ifbam_ranges_count (sources);
  model->source_node = g_new (guint32, model->n_sources + 1);
  for (gsize i = 0; i < model->n_sources; i++)
    {
      const gsize source = (gsize) ifbam_ranges_number (sources, i);

      model->source_node[i] = place_of (model, whole, whole->source_node[source]);
      g_ptr_array_add (model->sources, whole->sources->pdata[source]);
    }
}

/* Ends of batched links, and their first states (n_links each), by indices in file order. */
typedef struct
{
  guint32 *left, *right, *inner;
} Ends;

static void
find_ends (const IfbamModel *model, const IfbamModel *whole, Ends *ends)
{
  IfbamLinkIter at = ifbam_links (whole, IFBAM_LINKS_BATCHED);

  ends->left = g_new (guint32, model->n_links + 1);
  ends->right = g_new (guint32, model->n_links + 1);
  ends->inner = g_new (guint32, model->n_links + 1);
  for (gsize i = 0; i < model->n_links; i++)
    {
      ifbam_link_iter_seek_slot (
          &at, whole->link_slot[ifbam_ranges_number (model->subnetwork->links, i)]);
      ends->left[i] = place_of (model, whole, at.link->node[0]);
      ends->right[i] = place_of (model, whole, at.link->node[1]);
      ends->inner[i] =
          at.link->n_states == 0 ? IFBAM_NO_NODE : place_of (model, whole, at.link->node[2]);
    }
}

static void
copy_node_values (IfbamModel *model, const IfbamModel *whole)
{
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
      const gsize from = i < model->n_free ? ifbam_model_free_node (
                             whole, (gsize) ifbam_ranges_number (model->subnetwork->nodes, i))
                                           : i + whole->n_free - model->n_free;
      const gsize to = ifbam_model_node_of_file (model, (guint32) i);

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

/* Sets the parameters of spans of elements that are links, from the batches of the whole. Returns
 * their memory (transfer full). */
static double *
find_laws (const IfbamModel *model, const IfbamModel *whole)
{
  const GArray *spans = model->link_spans;
  gsize size = 1;
  double *block, *laws;

  for (guint s = 0; s < spans->len; s++)
    if (g_array_index (spans, IfbamSpan, s).letter == NULL)
      size += g_array_index (spans, IfbamSpan, s).info->law_size / sizeof (double) + 1;
  laws = block = g_new0 (double, size);
  for (guint s = 0; s < spans->len; s++)
    {
      IfbamSpan *span = &g_array_index (spans, IfbamSpan, s);

      if (span->letter != NULL)
        continue;
      span->law = laws;
      ifbam_model_link_law (
          whole, (gsize) ifbam_ranges_number (model->subnetwork->links, span->first), laws);
      laws += span->info->law_size / sizeof (double) + 1;
    }
  return block;
}

/* Copies the links for coordinates of points. Those of points elsewhere are in no signal here. */
static void
add_point_coordinates (IfbamModel *model, const IfbamModel *whole)
{
  for (guint j = 0; j < whole->point_coordinates->len; j++)
    {
      IfbamLink gauge = g_array_index (whole->point_coordinates, IfbamLink, j);

      for (guint e = 0; e < gauge.n_ports; e++)
        {
          const guint32 place = place_of (model, whole, gauge.node[e]);

          gauge.node[e] = place == IFBAM_NO_NODE ? 0 : ifbam_model_node_of_file (model, place);
        }
      g_array_append_val (model->point_coordinates, gauge);
    }
}

/* Copies scheduled events; all their sources are here. */
static void
add_time_events (const IfbamModel *model, const GArray *from, GArray *into)
{
  for (guint i = 0; i < from->len; i++)
    {
      IfbamTimeEvent event = g_array_index (from, IfbamTimeEvent, i);
      gsize source = 0;

      if (event.kind == IFBAM_TIME_EVENT_EDGE)
        {
          ifbam_ranges_find (model->subnetwork->sources, event.index, &source);
          event.index = (guint32) source;
        }
      g_array_append_val (into, event);
    }
}

/* Copies unbatched links and impulses: all are here, with their nodes. */
static void
add_unbatched (IfbamModel *model, const IfbamModel *whole)
{
  for (const IfbamLink *from = NULL; ifbam_unbatched_next (whole, &from);)
    {
      IfbamLink link = *from;

      for (guint e = 0; e < link.n_ports + link.n_states; e++)
        link.node[e] = ifbam_model_node_of_file (model, place_of (model, whole, link.node[e]));
      g_array_append_val (model->unbatched_links, link);
    }
  for (guint i = 0; i < whole->impulses->len; i++)
    {
      IfbamImpulse impulse = g_array_index (whole->impulses, IfbamImpulse, i);

      for (guint e = 0; e < impulse.n_nodes; e++)
        impulse.node[e] =
            ifbam_model_node_of_file (model, place_of (model, whole, impulse.node[e]));
      g_array_append_val (model->impulses, impulse);
    }
  g_array_append_vals (model->switched_elements, whole->switched_elements->data,
                       whole->switched_elements->len);
  for (guint f = 0; f < whole->node_families->len && whole->unbatched_links->len > 0; f++)
    {
      IfbamSpan span = g_array_index (whole->node_families, IfbamSpan, f);
      IfbamElementIndex *place = &model->places[span.element->id];
      const guint32 first = place_of (model, whole, (guint32) span.first);
      const guint32 own =
          place->index < whole->n_free ? place_of (model, whole, place->index) : IFBAM_NO_NODE;

      if (span.element->info->n_coordinates < 2 || first == IFBAM_NO_NODE || own == IFBAM_NO_NODE)
        continue;
      span.first = ifbam_model_node_of_file (model, first);
      place->index = ifbam_model_node_of_file (model, own);
      g_array_append_val (model->node_families, span);
    }
}

static IfbamModel *
new_beside (IfbamModel *whole)
{
  IfbamModel *model = ifbam_model_new_empty ();

  model->elements = g_ptr_array_ref (whole->elements);
  g_array_unref (model->kept);
  model->kept = whole->kept;
  whole->kept = g_array_new (FALSE, FALSE, sizeof (IfbamOwnedMemory));
  model->damping = whole->damping;
  model->rest = whole->rest == NULL ? NULL : g_object_ref (whole->rest);
  model->places = g_memdup2 (whole->places, whole->n_places * sizeof *whole->places);
  model->n_places = whole->n_places;
  return model;
}

IfbamModel *
ifbam_model_new_part (IfbamModel *whole, IfbamSubnetwork *subnetwork)
{
  IfbamModel *model = new_beside (whole);
  g_autofree double *laws = NULL;
  Ends ends;

  model->subnetwork = subnetwork;
  model->n_links = ifbam_ranges_count (subnetwork->links);
  add_nodes (model, whole);
  add_sources (model, whole);
  cut_spans (whole->link_spans, G_MAXSIZE, subnetwork->links, model->link_spans);
  find_ends (model, whole, &ends);
  ifbam_model_number_nodes (model, ends.left, ends.right, ends.inner);
  copy_node_values (model, whole);
  add_point_coordinates (model, whole);
  add_unbatched (model, whole);
  add_time_events (model, whole->time_events, model->time_events);
  add_time_events (model, whole->recurrent, model->recurrent);
  laws = find_laws (model, whole);
  ifbam_model_connect (model, ends.left, ends.right, ends.inner);
  for (guint s = 0; s < model->link_spans->len; s++)
    if (g_array_index (model->link_spans, IfbamSpan, s).letter == NULL)
      g_array_index (model->link_spans, IfbamSpan, s).law = NULL;
  g_free (ends.left);
  g_free (ends.right);
  g_free (ends.inner);
  return model;
}

/* Returns the index in the part of a signal's object. */
static gsize
number_here (const IfbamModel *model, const IfbamModel *whole, const IfbamSignal *signal)
{
  const IfbamSubnetwork *subnetwork = model->subnetwork;
  gsize place = 0;

  if (ifbam_signal_is_of_link (signal) && signal->single)
    return signal->number;
  if (ifbam_signal_is_of_link (signal))
    ifbam_ranges_find (subnetwork->links, signal->number, &place);
  else if (signal->kind == IFBAM_SIGNAL_SOURCE_FORCE)
    ifbam_ranges_find (subnetwork->sources, signal->number, &place);
  else if (signal->kind > IFBAM_SIGNAL_NODE_FORCE)
    return signal->number;
  else
    return ifbam_model_node_of_file (model, place_of (model, whole, (guint32) signal->number));
  return place;
}

void
ifbam_signals_move_to_part (IfbamSignals *signals, const IfbamModel *part, const IfbamModel *whole)
{
  for (guint i = 0; i < signals->signals->len; i++)
    {
      IfbamSignal *signal = &g_array_index (signals->signals, IfbamSignal, i);

      signal->number = number_here (part, whole, signal);
    }
}
