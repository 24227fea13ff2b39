/* compile-links.c: links between nodes, which go into batches, and in which order links come
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "model/compile-links.h"

#include "model/compile-kept.h"
#include "model/compile-names.h"

/* Finds a link's nodes: left, right. FALSE after an issue. */
static gboolean
find_ends (IfbamCompiler *compiler, IfbamElement *element, guint32 end[2])
{
  const gboolean one_ended = ifbam_element_is_one_ended (element->info);
  char *const *names =
      ifbam_element_slots (element)[one_ended ? IFBAM_SLOT_ON : IFBAM_SLOT_BETWEEN];

  if (names == NULL || g_strv_length ((char **) names) != (one_ended ? 1 : 2))
    return FALSE; /* an issue already */
  if (one_ended)
    {
      end[0] = ifbam_compiler_find_free_node (compiler, element, names[0]);
      end[1] = ifbam_compiler_place_of (compiler, compiler->model->rest)->index;
      if (end[0] != IFBAM_NO_NODE)
        ifbam_compiler_claim_domain (compiler, element, "on", end[0], element->info);
      return end[0] != IFBAM_NO_NODE;
    }
  for (guint e = 0; e < 2; e++)
    end[e] = ifbam_compiler_find_node (compiler, element, "between",
                                       names[element->info->backward ? 1 - e : e]);
  if (end[0] == IFBAM_NO_NODE || end[1] == IFBAM_NO_NODE)
    return FALSE;
  if (end[0] == end[1])
    {
      ifbam_compiler_add_issue (
          compiler, element, "between",
          g_strdup_printf ("both ends are on \"%s\" (a link joins two nodes)", names[0]));
      return FALSE;
    }
  for (guint e = 0; e < 2; e++)
    ifbam_compiler_claim_domain (compiler, element, "between", end[e], element->info);
  return TRUE;
}

void
ifbam_compiler_check_length (IfbamCompiler *compiler, IfbamElement *element, const IfbamLink *link)
{
  const int length = ifbam_element_param_index (element->info, "length");
  const gboolean own = element->info->link->own_length;

  if (element->info->link->ends != NULL && length >= 0
      && ifbam_element_is_set (element, (guint) length) != own
      && (link == NULL || (link->geometry != NULL && link->geometry != element->info->link->ends)))
    ifbam_compiler_add_issue (
        compiler, element, "length",
        g_strdup (own ? "is missing (its ends are on a line, where the start does not tell it)"
                      : "its ends are on a line, where what is compressed is told by their "
                        "positions (leave it out)"));
}

void
ifbam_compiler_add_link (IfbamCompiler *compiler, IfbamElement *element)
{
  guint32 end[2];
  IfbamSpan span = {
    .first = compiler->left->len, .count = 1, .stride = 1, .info = element->info, .element = element
  };

  /* Batches copy it. */
  span.law = element->info->prepare != NULL ? ifbam_compiler_keep_law (compiler, element)
                                            : ifbam_element_law (element);
  if (!find_ends (compiler, element, end))
    return;
  ifbam_compiler_check_length (compiler, element, NULL);
  ifbam_compiler_place_of (compiler, element)->index = (guint32) span.first;
  g_array_append_val (compiler->left, end[0]);
  g_array_append_val (compiler->right, end[1]);
  if (element->info->link->n_states > 0)
    {
      g_array_set_size (compiler->inner, compiler->left->len);
      g_array_index (compiler->inner, guint32, span.first) = compiler->next_inner;
    }
  g_array_append_val (compiler->model->link_spans, span);
}

void
ifbam_compiler_add_path (IfbamCompiler *compiler, IfbamElement *owner, const IfbamMember *kinds,
                         guint n_kinds, const IfbamPath *path)
{
  gsize n = path->count + (path->head != IFBAM_NO_NODE) + (path->tail != IFBAM_NO_NODE);
  gsize first = compiler->left->len;
  guint32 previous = path->head != IFBAM_NO_NODE ? path->head : (guint32) path->first;

  if (n < 2)
    return;
  for (guint k = 0; k < n_kinds; k++)
    {
      IfbamSpan span = { .first = first,
                         .count = n - 1,
                         .stride = n_kinds,
                         .phase = k,
                         .info = kinds[k].info,
                         .element = owner,
                         .letter = kinds[k].letter };

      span.series = ifbam_compiler_keep_series (compiler, &kinds[k]);
      span.overrides = ifbam_compiler_keep_overrides (compiler, kinds[k].overrides);

      g_array_append_val (compiler->model->link_spans, span);
      g_array_append_val (compiler->model->link_families, span);
      if (path->head != IFBAM_NO_NODE)
        ifbam_compiler_claim_domain (compiler, owner, "from", path->head, kinds[k].info);
      if (path->tail != IFBAM_NO_NODE)
        ifbam_compiler_claim_domain (compiler, owner, "to", path->tail, kinds[k].info);
    }
  g_array_set_size (compiler->left, (guint) (first + (n - 1) * n_kinds));
  g_array_set_size (compiler->right, compiler->left->len);
  for (gsize i = path->head != IFBAM_NO_NODE ? 0 : 1, link = first;
       i < path->count + (path->tail != IFBAM_NO_NODE); i++)
    {
      guint32 next = i < path->count ? (guint32) (path->first + i) : path->tail;

      for (guint k = 0; k < n_kinds; k++, link++)
        {
          g_array_index (compiler->left, guint32, link) = previous;
          g_array_index (compiler->right, guint32, link) = next;
        }
      previous = next;
    }
}
