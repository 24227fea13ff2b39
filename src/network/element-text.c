/* element-text.c: values of elements from texts
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "network/element-text.h"

#include <string.h>

#include "base/ifbam-error.h"
#include "store/ifbam-course-file.h"
#include "system/units.h"

gboolean
ifbam_element_parse_number (const IfbamParam *param, guint32 *domains, const char *text,
                            double *number, char **reason)
{
  g_autofree char *first_reason = NULL;
  guint32 possible = 0;
  double value = 0;
  char *fault;

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
      *reason = fault;
      return FALSE;
    }
  *domains = possible;
  *number = value;
  return TRUE;
}

static gboolean
parse_number (IfbamElement *self, const IfbamParam *param, const char *text, char **reason)
{
  double *number = ifbam_element_number (self, param);

  if (param->words == NULL || !g_str_equal (text, param->words[0]))
    return ifbam_element_parse_number (param, &self->domains, text, number, reason);
  *number = INFINITY;
  return TRUE;
}

static gboolean
parse_numbers (IfbamElement *self, const IfbamParam *param, const char *text, char **reason)
{
  g_auto (GStrv) parts = g_strsplit (text, ",", -1);
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (double));
  gpointer *slot = &ifbam_element_slots (self)[param->place];
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

static gboolean
parse_elements (IfbamElement *self, const IfbamParam *param, const char *text, char **reason)
{
  char **names = g_strsplit (text, ",", -1);
  guint n = g_strv_length (names);
  gpointer *slot = &ifbam_element_slots (self)[param->place];

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
      *reason = param->maximum == 2   ? g_strdup_printf ("\"%s\" does not name two nodes (want "
                                                           "LEFT, RIGHT, such as \"wall, m1\")",
                                                         text)
                : param->maximum == 1 ? g_strdup_printf ("\"%s\" does not name one node", text)
                                      : g_strdup_printf ("\"%s\" is no list of names", text);
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
  gpointer *slot = &ifbam_element_slots (self)[param->place];

  if (text[0] == '\0')
    {
      *reason = g_strdup ("is empty");
      return FALSE;
    }
  /* They would reach terminals. */
  for (const char *c = text; *c != '\0'; c++)
    if (g_ascii_iscntrl (*c))
      {
        *reason = g_strdup_printf ("has a control character (code %d)", *c);
        return FALSE;
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
      *reason = g_strdup_printf ("\"%s\" is no choice (want %s)", text, words);
      return FALSE;
    }
  *ifbam_element_number (self, param) = word;
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

/**
 * ifbam_element_set_text:
 * @element: an element
 * @key: a key of its class, such as "stiffness"
 * @text: the value as a network file would have it, such as "10 kN/m"
 * @error: return location for an error of the domain IFBAM_ERROR
 *
 * Sets a parameter from a text, with its unit checked and converted. (The GObject property of the
 * same name takes the number in SI.)
 *
 * Returns: FALSE with @error set when there is no such key or the text is no such value
 */
gboolean
ifbam_element_set_text (IfbamElement *self, const char *key, const char *text, GError **error)
{
  g_autofree char *reason = NULL;
  int index;

  g_return_val_if_fail (IFBAM_IS_ELEMENT (self) && key != NULL && text != NULL, FALSE);
  index = ifbam_element_param_index (self->info, key);
  if (index < 0)
    {
      g_set_error (error, IFBAM_ERROR, IFBAM_ERROR_USAGE, "[%s %s] has no key \"%s\"",
                   self->info->name, self->name, key);
      return FALSE;
    }
  if (!ifbam_element_parse (self, (guint) index, text, &reason))
    {
      g_set_error (error, IFBAM_ERROR, IFBAM_ERROR_NETWORK, "[%s %s] %s: %s", self->info->name,
                   self->name, key, reason);
      return FALSE;
    }
  return TRUE;
}

IfbamInterpolant *
ifbam_element_read_course (gconstpointer folder, const char *text, char **reason)
{
  const char *colon = strrchr (text, ':');
  g_autofree char *file = NULL, *path = NULL;
  g_autoptr (IfbamCourse) course = NULL;
  g_autoptr (GError) error = NULL;
  IfbamInterpolant *result;
  const double *values;
  gsize n = 0;

  if (colon == NULL || colon == text || colon[1] == '\0')
    {
      *reason = g_strdup_printf ("\"%s\" is no FILE.csv:COLUMN or FILE.h5:COLUMN", text);
      return NULL;
    }
  file = g_strndup (text, (gsize) (colon - text));
  path = folder == NULL || g_path_is_absolute (file) ? g_strdup (file)
                                                     : g_build_filename (folder, file, NULL);
  /* A pipe may never say anything. */
  if (g_file_test (path, G_FILE_TEST_EXISTS)
      && !g_file_test (path, G_FILE_TEST_IS_REGULAR | G_FILE_TEST_IS_DIR))
    {
      *reason = g_strdup_printf ("%s: is no regular file (want a CSV file)", path);
      return NULL;
    }
  course = ifbam_course_new_from_file (path, &error);
  values = course == NULL ? NULL : ifbam_course_get_values (course, colon + 1, &n, &error);
  if (values == NULL || n < 2)
    {
      *reason = error != NULL ? g_strdup (error->message)
                              : g_strdup_printf ("%s has fewer than two rows", path);
      return NULL;
    }
  result = g_new (IfbamInterpolant, 1);
  result->n = n;
  result->value = g_memdup2 (values, n * sizeof (double));
  result->time = g_memdup2 (ifbam_course_get_times (course, &n), n * sizeof (double));
  ifbam_interpolant_integrate (result, g_new (double, n));
  return result;
}
