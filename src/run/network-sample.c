/* network-sample.c: a small part of a network graph that represents the whole
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "run/network-graph.h"

#include <string.h>

#include "base/compare.h"

/* The node of a word "ELEMENT", "COMPOSITE.m7" or "COMPOSITE.k7" of a list of words, and its neighbours: a link begins or ends
 * at its number. */
static void
mark_word (const IfbamSurvey *survey, const char *word, GArray *nodes)
{
  g_autofree char *name = g_strndup (word, strcspn (word, "."));
  const IfbamElement *element = g_hash_table_lookup (survey->network->by_name, name);
  guint64 n_nodes = 0, n_links = 0, number;

  if (element == NULL || element->info->add_size == NULL || strlen (word) < strlen (name) + 2)
    return;
  element->info->add_size (element, &n_nodes, &n_links);
  number = g_ascii_strtoull (word + strlen (name) + 2, NULL, 10);
  for (guint64 i = MAX (number, 2) - 2; i <= number && i < n_nodes && number > 0; i++)
    {
      const guint64 node = survey->node[element->id] + i;

      g_array_append_val (nodes, node);
    }
}

static void
mark_words (const IfbamSurvey *survey, const char *text, GArray *nodes)
{
  g_auto (GStrv) words = g_strsplit_set (text, ", \t", -1);

  for (guint i = 0; words[i] != NULL; i++)
    mark_word (survey, words[i], nodes);
}

/* A composite's first members and its last one; an element of the file. */
static void
mark_element (const IfbamSurvey *survey, const IfbamElement *element, GArray *nodes)
{
  guint64 n = element->info->kind == IFBAM_KIND_FREE_NODE, links = 0;
  char *const *on = element->info->kind == IFBAM_KIND_SOURCE
                        ? ifbam_element_slots (element)[IFBAM_SLOT_ON]
                        : NULL;

  for (guint i = 0; on != NULL && on[i] != NULL; i++)
    mark_words (survey, on[i], nodes);
  if (element->info->add_size != NULL && ifbam_element_kind (element) == IFBAM_KIND_COMPOSITE)
    element->info->add_size (element, &n, &links);
  for (guint64 i = 0; i < MIN (n, IFBAM_SURVEY_WINDOW); i++)
    {
      const guint64 node = survey->node[element->id] + (i == 0 ? n - 1 : i - 1);

      g_array_append_val (nodes, node);
    }
}

IfbamExcerpt *
ifbam_survey_sample (const IfbamSurvey *survey)
{
  const GPtrArray *elements = survey->network->elements;
  const char *record = ifbam_element_slots (survey->network->settings)[IFBAM_SETTING_RECORD];
  g_autoptr (GArray) nodes = g_array_new (FALSE, FALSE, sizeof (guint64));
  g_autoptr (GArray) none = g_array_new (FALSE, FALSE, sizeof (IfbamRange)), own = NULL;
  IfbamExcerpt *sample;

  if (survey->rows != NULL || survey->period > IFBAM_SURVEY_WINDOW
      || (record != NULL && strpbrk (record, "*?[") != NULL))
    return NULL;
  g_array_append_vals (nodes, survey->marks->data, survey->marks->len);
  for (guint i = 0; i < elements->len; i++)
    mark_element (survey, elements->pdata[i], nodes);
  for (guint i = 0; i < survey->joins->len; i++)
    g_array_append_val (nodes, g_array_index (survey->joins, IfbamGraphJoin, i).node);
  for (guint i = 0; i < survey->links->len; i++)
    {
      const IfbamGraphEnds *ends = &g_array_index (survey->links, IfbamGraphEnds, i);

      if (ends->left < survey->n_free)
        g_array_append_val (nodes, ends->left);
      if (ends->right < survey->n_free)
        g_array_append_val (nodes, ends->right);
    }
  if (record != NULL)
    mark_words (survey, record, nodes);
  if (nodes->len > survey->n_free / 2)
    return NULL;
  g_array_sort (nodes, ifbam_compare_uint64);
  own = ifbam_ranges_unite (none, nodes);
  sample = ifbam_survey_cut (survey, own, 1);
  sample->is_sample = TRUE;
  return sample;
}
