/* element-text.c: values of elements from texts
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "file/element-text.h"

#include <string.h>

#include "base/fail.h"
#include "file/element-formula.h"
#include "file/quantities.h"

gboolean
ifbam_element_parse_number (const IfbamParam *param, guint32 *domains, const char *text,
                            double *number, char **reason)
{
  g_autofree char *first_reason = NULL;
  guint32 possible = 0;
  double value = 0;
  g_autofree char *fault = NULL;

  if (strchr (param->unit, '%') == NULL)
    {
      if (!ifbam_units_parse (text, param->unit, param->key, ifbam_units_example (param->unit),
                              &value, reason))
        return FALSE;
      possible = *domains;
    }
  else
    {
      for (guint d = 0; d < IFBAM_N_DOMAINS; d++)
        {
          g_autofree char *unit = ifbam_domain_unit (d, param->unit);
          g_autofree char *why = NULL;

          if (!(*domains >> d & 1))
            continue;
          if (ifbam_units_parse (text, unit, param->key, ifbam_units_example (unit), &value, &why))
            possible |= 1u << d;
          else if (first_reason == NULL)
            first_reason = g_steal_pointer (&why);
        }
      if (possible == 0)
        {
          *reason = g_steal_pointer (&first_reason);
          return FALSE;
        }
    }
  fault = ifbam_param_range_fault (param, value);
  if (fault != NULL)
    {
      g_autofree char *range = ifbam_units_range (text);

      *reason =
          range == NULL
              ? g_strdup (fault)
              : g_strdup_printf ("\"%s\" is a difference: %s; a range is for \"ifbam sweep\": "
                                 "--vary KEY=%s",
                                 text, fault, range);
      return FALSE;
    }
  *domains = possible;
  *number = value;
  return TRUE;
}

static gboolean
parse_number (IfbamElement *self, const IfbamParam *param, const char *text, char **reason)
{
  double *number = ifbam_element_value (self, param);
  const int word = param->words == NULL ? -1 : ifbam_param_word (param, text);

  if (word < 0)
    return ifbam_element_parse_number (param, &self->domains, text, number, reason);
  *number = ifbam_param_word_number (word);
  return TRUE;
}

static gboolean
parse_numbers (IfbamElement *self, const IfbamParam *param, const char *text, char **reason)
{
  g_auto (GStrv) parts = g_strsplit (text, ",", -1);
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (double));
  gpointer *slot = &ifbam_element_slots (self)[param->offset];
  guint i = 0;

  /* An empty text has no parts, but is no list of numbers either. */
  do
    {
      const char *part = parts[i] == NULL ? "" : g_strstrip (parts[i]);
      double number;

      if (!ifbam_element_parse_number (param, &self->domains, part, &number, reason))
        return FALSE;
      g_array_append_val (numbers, number);
    }
  while (parts[i] != NULL && parts[++i] != NULL);
  g_clear_pointer (slot, g_variant_unref);
  *slot = g_variant_ref_sink (g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, numbers->data,
                                                         numbers->len, sizeof (double)));
  return TRUE;
}

/* n: of the names; G_MAXUINT: one is empty. Transfer full. */
static char *
names_fault (const IfbamParam *param, guint n, const char *text)
{
  if (param->maximum == 2)
    return g_strdup_printf (
        "\"%s\" does not name two nodes (want LEFT, RIGHT, such as \"wall, m1\")", text);
  if (param->maximum == 1)
    return g_strdup_printf ("\"%s\" does not name one node", text);
  if (n == G_MAXUINT || param->maximum == G_MAXINT)
    return g_strdup_printf ("\"%s\" is no list of names", text);
  return param->minimum == param->maximum
             ? g_strdup_printf ("\"%s\" names %u (want %g)", text, n, param->minimum)
             : g_strdup_printf ("\"%s\" names %u (want %g to %g)", text, n, param->minimum,
                                param->maximum);
}

static gboolean
parse_elements (IfbamElement *self, const IfbamParam *param, const char *text, char **reason)
{
  char **names = g_strsplit (text, ",", -1);
  guint n = g_strv_length (names);
  gpointer *slot = &ifbam_element_slots (self)[param->offset];

  for (guint i = 0; i < n; i++)
    {
      g_strstrip (names[i]);
      if (names[i][0] == '\0')
        n = G_MAXUINT; /* an empty name is no end */
      if (n == G_MAXUINT)
        break;
    }
  if (n == G_MAXUINT || n < param->minimum || n > param->maximum)
    {
      *reason = names_fault (param, n, text);
      g_strfreev (names);
      return FALSE;
    }
  if (ifbam_param_has_factors (param)
      && !ifbam_element_split_terms (self, param, names, ifbam_element_parse_number, reason))
    {
      g_strfreev (names);
      return FALSE;
    }
  g_strfreev (*slot);
  *slot = names;
  return TRUE;
}

static gboolean
parse_text (IfbamElement *self, const IfbamParam *param, const char *text, char **reason)
{
  gpointer *slot = &ifbam_element_slots (self)[param->offset];

  if (text[0] == '\0')
    return ifbam_reject (reason, "is empty");
  /* They would reach terminals. */
  for (const char *c = text; *c != '\0'; c++)
    if (g_ascii_iscntrl (*c))
      return ifbam_reject (reason, "has a control character (code %d)", *c);
  if (self->info->program_parameter != 0 && param->offset == IFBAM_SLOT_FORMULA)
    {
      IfbamProgram *program = ifbam_element_read_formula (self->info, text, reason);

      if (program == NULL)
        return FALSE;
      ifbam_program_free (program);
    }
  g_free (*slot);
  *slot = g_strdup (text);
  return TRUE;
}

static gboolean
parse_choice (IfbamElement *self, const IfbamParam *param, const char *text, char **reason)
{
  const int word = ifbam_param_word (param, text);
  g_autofree char *words = NULL;

  if (word < 0)
    {
      words = ifbam_param_words_text (param);
      return ifbam_reject (reason, "\"%s\" is no choice (want %s)", text, words);
    }
  *ifbam_element_value (self, param) = word;
  return TRUE;
}

static gboolean
parse_value (IfbamElement *self, const IfbamParam *param, const char *text, char **reason)
{
  switch (param->kind)
    {
    case IFBAM_PARAM_NUMBER:
      return parse_number (self, param, text, reason);
    case IFBAM_PARAM_CHOICE:
      return parse_choice (self, param, text, reason);
    case IFBAM_PARAM_NUMBERS:
      return parse_numbers (self, param, text, reason);
    case IFBAM_PARAM_ELEMENTS:
      return parse_elements (self, param, text, reason);
    case IFBAM_PARAM_TEXT:
    default:
      return parse_text (self, param, text, reason);
    }
}

/* A text that is refused changes nothing. */
gboolean
ifbam_element_parse (IfbamElement *self, guint index, const char *text, char **reason)
{
  if (!parse_value (self, &self->info->params[index], text, reason))
    return FALSE;
  self->set |= 1u << index;
  ifbam_element_count_change (self);
  return TRUE;
}
