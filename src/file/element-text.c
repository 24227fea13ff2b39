/* element-text.c: values of elements from texts
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "file/element-text.h"

#include <string.h>

#include "base/fail.h"
#include "base/number-text.h"
#include "file/ifbam-course-file.h"
#include "file/course.h"
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
    return ifbam_fail (error, IFBAM_ERROR_USAGE, "[%s %s] has no key \"%s\"", self->info->name,
                       self->name, key);
  if (!ifbam_element_parse (self, (guint) index, text, &reason))
    return ifbam_fail (error, IFBAM_ERROR_NETWORK, "[%s %s] %s: %s", self->info->name, self->name,
                       key, reason);
  return TRUE;
}

/* Courses */

/* FILE.csv:COLUMN; FALSE: it is none. */
static gboolean
split_course (const char *folder, const char *text, char **path, const char **column)
{
  const char *colon = strrchr (text, ':');
  g_autofree char *file = NULL;

  if (colon == NULL || colon == text || colon[1] == '\0')
    return FALSE;
  file = g_strndup (text, (gsize) (colon - text));
  *path = folder == NULL || g_path_is_absolute (file) ? g_strdup (file)
                                                      : g_build_filename (folder, file, NULL);
  *column = colon + 1;
  return TRUE;
}

/* The quantity of a column in a parameter's unit: "a position in m or an angle in rad" (transfer full). */
static char *
quantity_text (const IfbamParam *param, guint32 domains)
{
  GString *text = g_string_new (NULL);

  for (guint d = 0; d < IFBAM_N_DOMAINS; d++)
    {
      const IfbamDomainInfo *info = ifbam_domain_info (d);
      g_autofree char *unit = ifbam_domain_unit (d, param->unit);
      const char *word = g_str_equal (unit, info->coordinate_unit)     ? info->coordinate
                         : g_str_equal (unit, info->rate_unit)         ? info->rate
                         : g_str_equal (unit, info->acceleration_unit) ? "acceleration"
                                                                       : info->effort;

      if (domains >> d & 1)
        g_string_append_printf (text, "%s%s %s in %s", text->len > 0 ? " or " : "",
                                strchr ("aeiou", word[0]) != NULL ? "an" : "a", word, unit);
    }
  return g_string_free (text, FALSE);
}

typedef enum
{
  NAME_IS_NEUTRAL,
  NAME_FITS,
  NAME_DOES_NOT_FIT,
} NameMatch;

/* Whether one of the words of a name begins so. */
static gboolean
has_word (const char *name, const char *word)
{
  for (const char *p = name; (p = strstr (p, word)) != NULL; p++)
    if (p == name || !g_ascii_isalpha (p[-1]))
      return TRUE;
  return FALSE;
}

/* Whether a column's name fits a parameter's quantity: "floor.acceleration" is no position. */
static NameMatch
match_name (const char *name, const IfbamParam *param, guint32 domains)
{
  g_autofree char *small = g_ascii_strdown (name, -1);
  NameMatch verdict = NAME_IS_NEUTRAL;

  for (guint d = 0; d < IFBAM_N_DOMAINS; d++)
    {
      const IfbamDomainInfo *info = ifbam_domain_info (d);
      const char *const words[][2] = { { info->coordinate, info->coordinate_unit },
                                       { info->rate, info->rate_unit },
                                       { info->effort, info->effort_unit },
                                       { "accel", info->acceleration_unit } };
      g_autofree char *unit = ifbam_domain_unit (d, param->unit);

      for (guint i = 0; i < G_N_ELEMENTS (words); i++)
        if (!has_word (small, words[i][0]))
          continue;
        else if ((domains >> d & 1) && g_str_equal (words[i][1], unit))
          return NAME_FITS;
        else
          verdict = NAME_DOES_NOT_FIT;
    }
  return verdict;
}

/* Finds the factor from a column's unit to SI. */
static gboolean
read_scale (const char *path, const char *column, const IfbamParam *param, guint32 *domains,
            double *scale, char **reason)
{
  g_autofree char *unit = NULL, *name = ifbam_course_split_name (column, &unit);
  g_autofree char *wants = quantity_text (param, *domains), *one = NULL;
  IfbamParam number = { .kind = IFBAM_PARAM_NUMBER,
                        .key = "course",
                        .unit = param->unit,
                        .minimum = -G_MAXDOUBLE,
                        .maximum = G_MAXDOUBLE };

  *scale = 1;
  if (unit == NULL && match_name (name, param, *domains) != NAME_DOES_NOT_FIT)
    return TRUE;
  if (unit == NULL)
    {
      g_autofree char *first =
          ifbam_domain_unit ((IfbamDomain) g_bit_nth_lsf (*domains, -1), param->unit);

      return ifbam_reject (reason,
                           "%s: by its name \"%s\" is not %s; if it is, its header must have the "
                           "unit, such as \"%s [%s]\"",
                           path, name, wants, name, first);
    }
  one = g_strconcat ("1 ", unit, NULL);
  if (ifbam_element_parse_number (&number, domains, one, scale, reason))
    return TRUE;
  g_free (*reason);
  return ifbam_reject (reason, "%s: \"%s\" is not %s", path, column, wants);
}

/* Keeps the last row of those at one time, the state after an event: an interpolant has one value at each time.
 * Returns the number of rows. */
static gsize
drop_earlier_rows (double *times, double *values, gsize n)
{
  gsize kept = 0;

  for (gsize i = 0; i < n; i++)
    if (i + 1 == n || times[i + 1] > times[i])
      {
        times[kept] = times[i];
        values[kept++] = values[i];
      }
  return kept;
}

IfbamInterpolant *
ifbam_element_read_course (gconstpointer folder, const IfbamParam *param, guint32 *domains,
                           const char *text, char **reason)
{
  g_autofree char *path = NULL;
  g_autoptr (IfbamCourse) course = NULL;
  g_autoptr (GError) error = NULL;
  IfbamInterpolant *result;
  const char *column;
  const double *values;
  double scale, *scaled, *times;
  gsize n = 0;

  if (!split_course (folder, text, &path, &column))
    return ifbam_reject_null (reason, "\"%s\" is no FILE.csv:COLUMN or FILE.h5:COLUMN", text);
  /* A pipe may never say anything. */
  if (g_file_test (path, G_FILE_TEST_EXISTS)
      && !g_file_test (path, G_FILE_TEST_IS_REGULAR | G_FILE_TEST_IS_DIR))
    return ifbam_reject_null (reason, "%s: is no regular file (want a CSV file)", path);
  course = ifbam_course_new_from_file (path, &error);
  if (course != NULL && ifbam_course_find_signal (course, column) != NULL)
    column = ifbam_course_find_signal (course, column);
  values = course == NULL ? NULL : ifbam_course_get_values (course, column, &n, &error);
  if (values == NULL || n < 2)
    {
      *reason = error != NULL ? g_strdup (error->message)
                              : g_strdup_printf ("%s has fewer than two rows", path);
      return NULL;
    }
  if (!read_scale (path, column, param, domains, &scale, reason))
    return NULL;
  scaled = g_memdup2 (values, n * sizeof *values);
  ifbam_course_scale (scaled, n, scale);
  for (gsize i = 0; i < n; i++)
    if (!isfinite (scaled[i]))
      {
        *reason = g_strdup_printf ("%s: \"%s\": %s is beyond the range of numbers in SI units",
                                   path, column, IFBAM_NUMBER (values[i]));
        g_free (scaled);
        return NULL;
      }
  times = g_memdup2 (ifbam_course_get_times (course, &n), n * sizeof *times);
  n = drop_earlier_rows (times, scaled, n);
  if (n < 2)
    {
      *reason = g_strdup_printf ("%s has fewer than two times", path);
      g_free (times);
      g_free (scaled);
      return NULL;
    }
  result = g_new (IfbamInterpolant, 1);
  *result = (IfbamInterpolant){ .n = n, .time = times, .value = scaled };
  ifbam_interpolant_integrate (result, g_new (double, n));
  return result;
}

char *
ifbam_element_course_note (const char *folder, const IfbamElement *element)
{
  const int index = ifbam_element_param_index (element->info, "course");
  const char *text = index < 0 ? NULL : ifbam_element_slots (element)[IFBAM_SLOT_COURSE];
  IfbamParam own;
  g_autoptr (IfbamCourse) names = NULL;
  g_autofree char *path = NULL, *name = NULL, *unit = NULL, *wants = NULL;
  const char *column;

  if (text == NULL || !split_course (folder, text, &path, &column))
    return NULL;
  names = ifbam_course_new_from_header (path, NULL);
  column = names == NULL ? NULL : ifbam_course_find_signal (names, column);
  if (column == NULL)
    return NULL;
  name = ifbam_course_split_name (column, &unit);
  own = ifbam_element_course_param (element, (guint) index);
  if (unit != NULL || match_name (name, &own, element->domains) == NAME_FITS)
    return NULL;
  wants = quantity_text (&own, element->domains);
  return g_strdup_printf ("[%s %s] course: \"%s\" has no unit in %s, and is taken for %s",
                          element->info->name, element->name, name, path, wants);
}
