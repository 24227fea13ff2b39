/* node-numbering.c: numbers nodes so that joined nodes have near indices
 *
 * The reverse order of a breadth-first search that visits neighbours by degree has a small
 * bandwidth (Cuthill & McKee 1969; reversed: George 1971); it starts at a node far from all others
 * (George & Liu 1979). Only speed depends on it: sums are in file order.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>

#include "model/compiled-model.h"

/* With fewer nodes there are no tiles; a small bandwidth is good enough. */
#define MIN_NODES       2048
#define SMALL_BANDWIDTH 8
/* Largest bandwidth of a regular order at which tiles still do several cycles. */
#define MAX_REGULAR_BANDWIDTH 2048
/* Interleaved sequences of links (of a plate: along, across, two diagonals; each with a damper). */
#define MAX_IN_TURN 8
/* Searches for a far node. */
#define MAX_WALKS 4

/* Returns TRUE if most links continue a sequence shortly before them, at the next nodes. Such links
 * are read at stride one, which the search's order would prevent (a plate of 260 x 1000 along its
 * diagonals: 1.5 times as slow). */
static gboolean
is_regular (const guint32 *left, const guint32 *right, gsize n_links)
{
  gsize regular = 0;

  for (gsize i = 1; i < n_links; i++)
    for (gsize k = 1; k <= MIN (i, MAX_IN_TURN); k++)
      if (left[i] == left[i - k] + 1 && right[i] == right[i - k] + 1)
        {
          regular++;
          break;
        }
  return regular > n_links / 10 * 9;
}

typedef struct
{
  gsize n;
  guint32 *start, *neighbour; /* (n + 1), (2 links) */
} Graph;

static gsize
bandwidth_of (gsize n_free, const guint32 *left, const guint32 *right, gsize n_links)
{
  gsize most = 0;

  for (gsize i = 0; i < n_links; i++)
    if (MAX (left[i], right[i]) < n_free)
      most = MAX (most, (gsize) labs ((long) left[i] - (long) right[i]));
  return most;
}

static void
graph_init (Graph *graph, gsize n_free, const guint32 *left, const guint32 *right, gsize n_links)
{
  g_autofree guint32 *next = NULL;

  graph->n = n_free;
  graph->start = g_new0 (guint32, n_free + 1);
  for (gsize i = 0; i < n_links; i++)
    if (MAX (left[i], right[i]) < n_free)
      {
        graph->start[left[i] + 1]++;
        graph->start[right[i] + 1]++;
      }
  for (gsize i = 0; i < n_free; i++)
    graph->start[i + 1] += graph->start[i];
  next = g_memdup2 (graph->start, n_free * sizeof (guint32));
  graph->neighbour = g_new (guint32, graph->start[n_free] + 1);
  for (gsize i = 0; i < n_links; i++)
    if (MAX (left[i], right[i]) < n_free)
      {
        graph->neighbour[next[left[i]]++] = right[i];
        graph->neighbour[next[right[i]]++] = left[i];
      }
}

static guint32
degree (const Graph *graph, guint32 node)
{
  return graph->start[node + 1] - graph->start[node];
}

static int
compare_degrees (gconstpointer a, gconstpointer b, gpointer data)
{
  const Graph *graph = data;
  const guint32 one = *(const guint32 *) a, other = *(const guint32 *) b;

  if (degree (graph, one) != degree (graph, other))
    return degree (graph, one) < degree (graph, other) ? -1 : 1;
  return one < other ? -1 : one > other;
}

/* Does a breadth-first search from a node; stores its nodes from order[0] on, marked in seen.
 * Returns their count, and the count of levels. */
static gsize
walk (const Graph *graph, guint32 from, guint32 *order, guint32 *seen, guint32 mark, gsize *levels)
{
  gsize n = 1, level_end = 1;

  *levels = 1;
  order[0] = from;
  seen[from] = mark;
  for (gsize i = 0; i < n; i++)
    {
      gsize first = n;

      if (i == level_end)
        {
          level_end = n;
          ++*levels;
        }
      for (guint32 p = graph->start[order[i]]; p < graph->start[order[i] + 1]; p++)
        if (seen[graph->neighbour[p]] != mark)
          {
            seen[graph->neighbour[p]] = mark;
            order[n++] = graph->neighbour[p];
          }
      if (n - first > 1)
        g_qsort_with_data (order + first, (gint) (n - first), sizeof (guint32), compare_degrees,
                           (gpointer) graph);
    }
  return n;
}

/* order: nodes in the new order. */
static void
walk_all (const Graph *graph, guint32 *order)
{
  g_autofree guint32 *seen = g_new0 (guint32, graph->n + 1);
  guint32 mark = 0;
  gsize done = 0;

  for (guint32 node = 0; node < graph->n; node++)
    {
      guint32 from = node;
      gsize levels = 0, last_levels, n;

      if (seen[node] != 0)
        continue;
      for (int w = 0; w < MAX_WALKS; w++)
        {
          last_levels = levels;
          n = walk (graph, from, order + done, seen, ++mark, &levels);
          if (levels <= last_levels)
            break;
          from = order[done + n - 1];
        }
      done += walk (graph, from, order + done, seen, ++mark, &levels);
    }
  for (gsize i = 0; i < graph->n / 2; i++)
    {
      guint32 swap = order[i];

      order[i] = order[graph->n - 1 - i];
      order[graph->n - 1 - i] = swap;
    }
}

/* Returns new indices of n_free nodes (transfer full); NULL: the present ones are good enough. */
static guint32 *
renumber (gsize n_free, const guint32 *left, const guint32 *right, gsize n_links)
{
  gsize bandwidth = bandwidth_of (n_free, left, right, n_links), better = 0;
  g_autofree guint32 *order = NULL;
  g_autofree guint32 *number = NULL;
  Graph graph;

  if (n_free < MIN_NODES || bandwidth <= SMALL_BANDWIDTH
      || (bandwidth <= MAX_REGULAR_BANDWIDTH && is_regular (left, right, n_links)))
    return NULL;
  graph_init (&graph, n_free, left, right, n_links);
  order = g_new (guint32, n_free + 1);
  number = g_new (guint32, n_free + 1);
  walk_all (&graph, order);
  for (gsize i = 0; i < n_free; i++)
    number[order[i]] = (guint32) i;
  for (gsize i = 0; i < n_links; i++)
    if (MAX (left[i], right[i]) < n_free)
      better = MAX (better, (gsize) labs ((long) number[left[i]] - (long) number[right[i]]));
  g_free (graph.start);
  g_free (graph.neighbour);
  return better < bandwidth / 2 ? g_steal_pointer (&number) : NULL;
}

/* State nodes should be near, too: as if links joined them to the ends of their link. */
static guint32 *
find_numbering (const IfbamModel *model, const guint32 *left, const guint32 *right,
                const guint32 *inner)
{
  g_autoptr (GArray) from = NULL, to = NULL;

  if (model->n_state_nodes == 0)
    return renumber (model->n_free, left, right, model->n_links);
  from = g_array_new (FALSE, FALSE, sizeof (guint32));
  to = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_array_append_vals (from, left, (guint) model->n_links);
  g_array_append_vals (to, right, (guint) model->n_links);
  for (guint s = 0; s < model->link_spans->len; s++)
    {
      const IfbamSpan *span = &g_array_index (model->link_spans, IfbamSpan, s);

      for (guint k = 0; k < span->info->link->n_states; k++)
        {
          const guint32 state = inner[span->first] + k;

          g_array_append_val (from, left[span->first]);
          g_array_append_val (to, state);
          g_array_append_val (from, right[span->first]);
          g_array_append_val (to, state);
        }
    }
  return renumber (model->n_free, (const guint32 *) from->data, (const guint32 *) to->data,
                   from->len);
}

void
ifbam_model_number_nodes (IfbamModel *model, guint32 *left, guint32 *right, const guint32 *inner)
{
  model->number = find_numbering (model, left, right, inner);
  if (model->number == NULL)
    return;
  model->file_node = g_new (guint32, model->n_free);
  for (gsize i = 0; i < model->n_free; i++)
    model->file_node[model->number[i]] = (guint32) i;
  for (gsize i = 0; i < model->n_links; i++)
    {
      left[i] = ifbam_model_node_of_file (model, left[i]);
      right[i] = ifbam_model_node_of_file (model, right[i]);
    }
  for (gsize i = 0; i < model->n_sources; i++)
    model->source_node[i] = ifbam_model_node_of_file (model, model->source_node[i]);
}
