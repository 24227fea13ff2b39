/* element-check.c: checks that an element's values are complete and valid
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "model/compiled-model.h"

/* Returns a phrase on a value that a file's reader rejects, but a property accepts; NULL: none. */
static char *
value_fault (const IfbamElement *element, const IfbamParam *param)
{
  gpointer slot = ifbam_param_in_law (param) ? NULL : ifbam_element_slots (element)[param->offset];
  const double *numbers = NULL;
  char *fault = NULL;
  gsize n = 0;

  switch (param->kind)
    {
    case IFBAM_PARAM_NUMBER:
      n = 1;
      numbers = (const double *) ((char *) ifbam_element_law (element) + param->offset);
      break;
    case IFBAM_PARAM_NUMBERS:
      if (slot != NULL)
        numbers = g_variant_get_fixed_array (slot, &n, sizeof (double));
      if (slot != NULL && n == 0)
        return g_strdup ("is an empty list");
      break;
    case IFBAM_PARAM_ELEMENTS:
      n = slot == NULL ? 0 : g_strv_length (slot);
      if ((slot != NULL || ifbam_param_is_required (param))
          && (n < param->minimum || n > param->maximum))
        return g_strdup_printf ("names %" G_GSIZE_FORMAT " nodes, not %g", n, param->minimum);
      return NULL;
    case IFBAM_PARAM_CHOICE:
      numbers = (const double *) ((char *) ifbam_element_law (element) + param->offset);
      if (*numbers < 0)
        {
          g_autofree char *words = ifbam_param_words_text (param);

          return g_strdup_printf ("is no choice (want %s)", words);
        }
      return NULL;
    case IFBAM_PARAM_TEXT:
    default:
      return NULL;
    }
  for (gsize i = 0; i < n && fault == NULL; i++)
    fault = ifbam_param_number_word (param, numbers[i]) != NULL
                ? NULL
                : ifbam_param_range_fault (param, numbers[i]);
  return fault;
}

void
ifbam_element_check (IfbamElement *element, GArray *issues)
{
  const IfbamElementInfo *info = element->info;
  IfbamIssue issue = { .element = element };

  for (guint i = 0; i < info->n_params; i++)
    {
      const IfbamParam *param = &info->params[i];
      g_autofree char *unit = NULL;

      if (ifbam_element_is_set (element, i))
        {
          issue.key = param->key;
          issue.text = value_fault (element, param);
          if (issue.text != NULL)
            g_array_append_val (issues, issue);
          continue;
        }
      if (!ifbam_param_is_required (param))
        continue;
      unit = ifbam_element_unit_text (info, param);
      issue.key = NULL;
      issue.text =
          unit[0] == '\0'
              ? g_strdup_printf ("%s is missing (%s)", param->key, param->meaning)
              : g_strdup_printf ("%s is missing (%s, in %s)", param->key, param->meaning, unit);
      g_array_append_val (issues, issue);
    }
  if (info->fault == NULL)
    return;
  issue.key = NULL;
  issue.text = info->fault (element, &issue.key);
  if (issue.text != NULL)
    g_array_append_val (issues, issue);
}
