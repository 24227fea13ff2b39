/* element-labels.c: labels of an element: class, name, values with units
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "figure/element-labels.h"

#include <string.h>

#include "figure/axis-units.h"

static char *
values_text (const IfbamElementInfo *info, const void *law, IfbamDomain domain, gboolean all)
{
  GString *text = g_string_new (NULL);

  for (guint k = 0; k < info->n_params; k++)
    {
      const IfbamParam *param = &info->params[k];
      g_autofree char *unit = NULL, *quantity = NULL;
      double number;

      if (param->kind != IFBAM_PARAM_NUMBER)
        continue;
      memcpy (&number, (const char *) law + param->offset, sizeof number);
      if (all ? number == param->standard : !ifbam_param_is_required (param))
        continue;
      unit = ifbam_domain_unit (domain, param->unit);
      quantity = ifbam_quantity_text (number, unit);
      if (text->len > 0)
        g_string_append (text, ", ");
      if (all)
        g_string_append_printf (text, "%s ", param->key);
      g_string_append (text, quantity);
      if (!all)
        break;
    }
  return g_string_free (text, FALSE);
}

static IfbamElementLabels
words_of (const IfbamElementInfo *info, char *name, const void *law, IfbamDomain domain)
{
  return (IfbamElementLabels){ info, name, values_text (info, law, domain, FALSE),
                               values_text (info, law, domain, TRUE) };
}

/* Returns an element's domain; if its class has any domain, that of its nodes. */
static IfbamDomain
domain_of (const IfbamModel *model, const IfbamElement *element)
{
  return element->info->domain != IFBAM_DOMAIN_ANY
             ? element->info->domain
             : (IfbamDomain) ifbam_model_element_index (model, element).domain;
}

IfbamElementLabels
ifbam_node_labels (const IfbamModel *model, gsize node)
{
  gsize member;
  const IfbamSpan *span = ifbam_model_node_span (model, node, &member);
  double law[IFBAM_MAX_LAW];

  ifbam_span_law (span, member, law);
  return words_of (span->info, ifbam_model_node_name (model, node), law,
                   ifbam_model_node_domain (model, node));
}

static gboolean
is_place (const IfbamModel *model, const char *name)
{
  for (guint i = 0; i < model->elements->len; i++)
    {
      const IfbamElement *element = model->elements->pdata[i];

      if (element->info->form == IFBAM_FORM_POINT && g_str_equal (element->name, name))
        return TRUE;
    }
  return FALSE;
}

char *
ifbam_short_text (const char *text, guint letters)
{
  const glong length = g_utf8_strlen (text, -1), half = letters / 2;
  g_autofree char *head = NULL, *tail = NULL;

  if (length <= (glong) letters)
    return g_strdup (text);
  head = g_utf8_substring (text, 0, half);
  tail = g_utf8_substring (text, length - (half - 1), length);
  return g_strconcat (head, "\342\200\246", tail, NULL);
}

/* Returns the points of bodies at a link, "pin, wrist" (transfer full); NULL: none. */
static char *
points_text (const IfbamModel *model, const IfbamElement *element)
{
  char *const *names = (element->info->forms & IFBAM_BETWEEN_ENDS) == 0
                           ? NULL
                           : ifbam_element_slots (element)[IFBAM_SLOT_BETWEEN];

  gboolean places = FALSE;
  g_autofree char *left = NULL, *right = NULL;

  for (guint i = 0; names != NULL && names[i] != NULL; i++)
    places |= is_place (model, names[i]);
  if (!places)
    return NULL;
  if (g_utf8_strlen (names[0], -1) + g_utf8_strlen (names[1], -1) + 2 <= IFBAM_SHORT_NAME)
    return g_strjoin (", ", names[0], names[1], NULL);
  left = ifbam_short_text (names[0], IFBAM_SHORT_NAME / 2 - 1);
  right = ifbam_short_text (names[1], IFBAM_SHORT_NAME / 2 - 1);
  return g_strjoin (", ", left, right, NULL);
}

IfbamElementLabels
ifbam_element_labels (const IfbamModel *model, const IfbamElement *element)
{
  IfbamElementLabels words = words_of (element->info, g_strdup (element->name),
                                       ifbam_element_law (element), domain_of (model, element));
  char *points = words.value[0] == '\0' ? points_text (model, element) : NULL;

  if (points != NULL)
    {
      g_free (words.value);
      words.value = points;
    }
  return words;
}

IfbamElementLabels
ifbam_link_labels (const IfbamLinkIter *at)
{
  const IfbamLink *link = at->link;
  const gboolean is_member = ifbam_element_kind (link->element) == IFBAM_KIND_COMPOSITE;
  double law[IFBAM_MAX_LAW];

  if (at->slot == G_MAXSIZE)
    return !is_member ? ifbam_element_labels (at->model, link->element)
                      : words_of (link->info, g_strdup (link->name), link->numbers,
                                  ifbam_model_node_domain (at->model, link->node[0]));
  /* A link along a line has no parameters of its geometry. */
  for (guint k = 0; k < link->info->n_params; k++)
    if (link->info->params[k].kind == IFBAM_PARAM_NUMBER)
      memcpy ((char *) law + link->info->params[k].offset, &link->info->params[k].standard,
              sizeof (double));
  ifbam_model_link_law (at->model, at->number, law);
  return words_of (link->info, ifbam_link_iter_name (at), law,
                   is_member ? link->info->domain : domain_of (at->model, link->element));
}

void
ifbam_element_labels_clear (IfbamElementLabels *words)
{
  g_free (words->name);
  g_free (words->value);
  g_free (words->values);
}
