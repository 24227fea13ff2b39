/* network-walk.c: the values of an element as texts, one after the other, for the writers of networks
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "file/network-walk.h"

typedef struct
{
  const IfbamValueForm *form;
  gpointer data;
} Walk;

static void
append_numbers (const Walk *walk, GString *text, const IfbamParam *param, GVariant *list)
{
  gsize n;
  const double *numbers = g_variant_get_fixed_array (list, &n, sizeof (double));

  for (gsize i = 0; i < n; i++)
    {
      g_string_append (text, i > 0 ? walk->form->separator : "");
      walk->form->number (walk->data, text, param, numbers[i], FALSE);
    }
}

static void
append_names (const Walk *walk, GString *text, IfbamElement *element, const IfbamParam *param)
{
  char **names = ifbam_element_slots (element)[param->offset];
  g_auto (GStrv) others = walk->form->names == NULL ? NULL : walk->form->names (walk->data, names);
  const double *factor = ifbam_element_law (element);

  if (others != NULL)
    names = others;
  for (guint i = 0; names[i] != NULL; i++)
    {
      g_string_append (text, i > 0 ? walk->form->separator : "");
      if (ifbam_param_has_factors (param))
        {
          walk->form->number (walk->data, text, param, factor[i], FALSE);
          g_string_append (text, walk->form->times);
        }
      g_string_append (text, names[i]);
    }
}

static void
walk_param (const Walk *walk, IfbamElement *element, const IfbamParam *param)
{
  g_autoptr (GString) text = g_string_new (NULL);
  const double number = ifbam_param_in_law (param) ? *ifbam_element_value (element, param) : 0;
  gpointer slot = ifbam_param_in_law (param) ? NULL : ifbam_element_slots (element)[param->offset];

  switch (param->kind)
    {
    case IFBAM_PARAM_CHOICE:
      g_string_append (text, number < 0 ? "" : param->words[(int) number]);
      break;
    case IFBAM_PARAM_NUMBERS:
      append_numbers (walk, text, param, slot);
      break;
    case IFBAM_PARAM_ELEMENTS:
      append_names (walk, text, element, param);
      break;
    case IFBAM_PARAM_TEXT:
      walk->form->text (walk->data, text, param, slot);
      break;
    case IFBAM_PARAM_NUMBER:
    default:
      walk->form->number (walk->data, text, param, number, FALSE);
      break;
    }
  walk->form->value (walk->data, param->key, text->str);
}

static void
walk_member (gpointer data, const char *member, const IfbamParam *param, double number)
{
  const Walk *walk = data;
  g_autofree char *key = g_strdup_printf ("%s.%s", member, param->key);
  g_autoptr (GString) text = g_string_new (NULL);

  walk->form->number (walk->data, text, param, number, TRUE);
  walk->form->value (walk->data, key, text->str);
}

void
ifbam_element_walk (IfbamElement *element, const IfbamValueForm *form, gpointer data)
{
  Walk walk = { form, data };

  for (guint i = 0; i < element->info->n_params; i++)
    if (ifbam_element_is_set (element, i))
      walk_param (&walk, element, &element->info->params[i]);
  if (element->info->list_members != NULL)
    element->info->list_members (element, walk_member, &walk);
}
