/* network-sample.c: a small part of a network graph that represents the whole
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "run/network-graph.h"

#include <string.h>

#include "base/compare.h"

/* Marks the node of "ELEMENT", "COMPOSITE.m7" or "COMPOSITE.k7" (node 7), with neighbours. */
static void
mark_word (const IfbamNetworkGraph *graph, const char *word, GArray *nodes)
{
  g_autofree char *name = g_strndup (word, strcspn (word, "."));
  const IfbamElement *element = g_hash_table_lookup (graph->network->by_name, name);
  guint64 n_nodes = 0, n_links = 0, number;

  if (element == NULL || element->info->add_size == NULL || strlen (word) < strlen (name) + 2)
    return;
  element->info->add_size (element, &n_nodes, &n_links);
  number = g_ascii_strtoull (word + strlen (name) + 2, NULL, 10);
  for (guint64 i = MAX (number, 2) - 2; i <= number && i < n_nodes && number > 0; i++)
    {
      const guint64 node = graph->node[element->id] + i;

      g_array_append_val (nodes, node);
    }
}

static void
mark_words (const IfbamNetworkGraph *graph, const char *text, GArray *nodes)
{
  g_auto (GStrv) words = g_strsplit_set (text, ", \t", -1);

  for (guint i = 0; words[i] != NULL; i++)
    mark_word (graph, words[i], nodes);
}

/* Marks an element of the file: a composite's first members and its last one. */
static void
mark_element (const IfbamNetworkGraph *graph, const IfbamElement *element, GArray *nodes)
{
  guint64 n = element->info->kind == IFBAM_KIND_FREE_NODE, links = 0;
  char *const *on = element->info->kind == IFBAM_KIND_SOURCE
                        ? ifbam_element_slots (element)[IFBAM_SLOT_ON]
                        : NULL;

  for (guint i = 0; on != NULL && on[i] != NULL; i++)
    mark_words (graph, on[i], nodes);
  if (element->info->add_size != NULL && ifbam_element_kind (element) == IFBAM_KIND_COMPOSITE)
    element->info->add_size (element, &n, &links);
  for (guint64 i = 0; i < MIN (n, IFBAM_GRAPH_WINDOW); i++)
    {
      const guint64 node = graph->node[element->id] + (i == 0 ? n - 1 : i - 1);

      g_array_append_val (nodes, node);
    }
}

IfbamSubnetwork *
ifbam_network_graph_sample (const IfbamNetworkGraph *graph)
{
  const GPtrArray *elements = graph->network->elements;
  const char *record = ifbam_element_slots (graph->network->settings)[IFBAM_SETTING_RECORD];
  g_autoptr (GArray) nodes = g_array_new (FALSE, FALSE, sizeof (guint64));
  g_autoptr (GArray) none = g_array_new (FALSE, FALSE, sizeof (IfbamRange)), own = NULL;
  IfbamSubnetwork *sample;

  if (graph->rows != NULL || graph->period > IFBAM_GRAPH_WINDOW
      || (record != NULL && strpbrk (record, "*?[") != NULL))
    return NULL;
  g_array_append_vals (nodes, graph->marks->data, graph->marks->len);
  for (guint i = 0; i < elements->len; i++)
    mark_element (graph, elements->pdata[i], nodes);
  for (guint i = 0; i < graph->joins->len; i++)
    g_array_append_val (nodes, g_array_index (graph->joins, IfbamGraphJoin, i).node);
  for (guint i = 0; i < graph->links->len; i++)
    {
      const IfbamGraphEnds *ends = &g_array_index (graph->links, IfbamGraphEnds, i);

      if (ends->left < graph->n_free)
        g_array_append_val (nodes, ends->left);
      if (ends->right < graph->n_free)
        g_array_append_val (nodes, ends->right);
    }
  if (record != NULL)
    mark_words (graph, record, nodes);
  if (nodes->len > graph->n_free / 2)
    return NULL;
  g_array_sort (nodes, ifbam_compare_uint64);
  own = ifbam_ranges_unite (none, nodes);
  sample = ifbam_network_graph_cut (graph, own, 1);
  sample->is_sample = TRUE;
  return sample;
}
