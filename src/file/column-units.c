/* column-units.c: units in the names of columns
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "file/column-units.h"

#include <string.h>

#include "file/unit-spelling.h"
#include "file/unit.h"

char *
ifbam_course_read_unit (const char *text)
{
  static const char *const words[][2] = {
    { "sec", "s" },  { "second", "s" }, { "seconds", "s" }, { "sek", "s" },  { "sekunden", "s" },
    { "volt", "V" }, { "volts", "V" },  { "ampere", "A" },  { "amps", "A" }, { "newton", "N" },
    { "g0", "g0" },  { "1", "" },       { "-", "" },        { "", "" }
  };
  const gsize n = strlen (text);
  const gboolean enclosed =
      n > 1 && ((text[0] == '[' && text[n - 1] == ']') || (text[0] == '(' && text[n - 1] == ')'));
  g_autofree char *unit = g_strstrip (enclosed ? g_strndup (text + 1, n - 2) : g_strdup (text));
  IfbamDimension dimension;
  IfbamConversion conversion = { 0 };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (g_ascii_strcasecmp (unit, words[i][0]) == 0)
      return g_strdup (words[i][1]);
  return ifbam_unit_is_per_minute (unit)
                 || ifbam_unit_read (unit, &dimension, &conversion) != IFBAM_UNIT_UNKNOWN
             ? g_steal_pointer (&unit)
             : NULL;
}

char *
ifbam_course_split_name (const char *name, char **unit)
{
  const gsize n = strlen (name);
  const char last = n > 0 ? name[n - 1] : '\0';
  const char *bracket = last == ']'   ? strrchr (name, '[')
                        : last == ')' ? strrchr (name, '(')
                                      : NULL;
  gsize length = bracket == NULL ? 0 : (gsize) (bracket - name);
  const gboolean apart = length > 0 && g_ascii_isspace (bracket[-1]);

  *unit = NULL;
  if (length > 0 && last == ']' && apart)
    *unit = g_strstrip (g_strndup (bracket + 1, n - length - 2));
  else if (length > 0 && (last == ']' || apart))
    *unit = ifbam_course_read_unit (bracket);
  if (*unit == NULL)
    return g_strdup (name);
  while (length > 0 && g_ascii_isspace (name[length - 1]))
    length--;
  return g_strndup (name, length);
}
