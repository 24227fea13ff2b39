/* element-course.c: courses of elements from files
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/number-text.h"
#include "file/course.h"
#include "file/element-text.h"
#include "file/ifbam-course-file.h"
#include "file/quantities.h"

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

/* Accelerometers have the unit g, which is a gram elsewhere. FALSE: the unit is none of these, or the
 * quantity is no acceleration. */
static gboolean
read_gravities (const IfbamParam *param, const char *unit, double *scale)
{
  static const char *const units[] = { "g", "g0", "gn", "G", "g_n", "mg", NULL };
  g_autofree char *wanted = ifbam_domain_unit (IFBAM_DOMAIN_TRANSLATION, param->unit);

  if (!g_str_equal (wanted, ifbam_domain_info (IFBAM_DOMAIN_TRANSLATION)->acceleration_unit)
      || !g_strv_contains (units, unit))
    return FALSE;
  /* Standard gravity (3rd CGPM 1901). */
  *scale = g_str_equal (unit, "mg") ? 9.80665e-3 : 9.80665;
  return TRUE;
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
  if ((*domains & 1u << IFBAM_DOMAIN_TRANSLATION) && read_gravities (param, unit, scale))
    {
      *domains = 1u << IFBAM_DOMAIN_TRANSLATION;
      return TRUE;
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
  if (ifbam_course_get_dialect (names) != NULL)
    return g_strdup_printf ("[%s %s] course: %s was read with %s", element->info->name,
                            element->name, path, ifbam_course_get_dialect (names));
  if (unit != NULL || match_name (name, &own, element->domains) == NAME_FITS)
    return NULL;
  wants = quantity_text (&own, element->domains);
  return g_strdup_printf ("[%s %s] course: \"%s\" has no unit in %s, and is taken for %s",
                          element->info->name, element->name, name, path, wants);
}
