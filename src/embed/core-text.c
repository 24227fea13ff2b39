/* core-text.c: reads the text of a network, one line per element
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <glib.h>

#include "embed/core.h"
#include "embed/hexadecimal.h"

/* Returns the text up to a letter of `ends` or its end, and advances it (transfer full). */
static char *
take (const char **text, const char *ends)
{
  const gsize n = strcspn (*text, ends);
  char *word = g_strndup (*text, n);

  *text += n;
  return word;
}

static void
decode (char *word)
{
  char *to = word;

  for (const char *from = word; *from != '\0'; from++)
    {
      const gboolean coded = from[0] == '%' && from[1] == '2' && (from[2] == '0' || from[2] == '5');

      *to++ = !coded ? *from : from[2] == '0' ? ' ' : '%';
      from += coded ? 2 : 0;
    }
  *to = '\0';
}

/* Reads numbers separated by commas or colons; NULL: the text is no such list. */
static GArray *
read_numbers (const char *text)
{
  GArray *numbers = g_array_new (FALSE, FALSE, sizeof (double));

  for (;; text++)
    {
      double number;
      const char *end = ifbam_hexadecimal_read (text, &number);

      if (end == text || (*end != '\0' && *end != ',' && *end != ':'))
        break;
      g_array_append_val (numbers, number);
      text = end;
      if (*text == '\0')
        return numbers;
    }
  g_array_unref (numbers);
  return NULL;
}

static int
set_course (IfbamCore *core, int element, const GArray *numbers)
{
  const double *pairs = (const double *) (gconstpointer) numbers->data;
  const gsize n = numbers->len / 2;
  g_autofree double *times = g_new (double, n + 1), *values = g_new (double, n + 1);

  for (gsize i = 0; i < n; i++)
    {
      times[i] = pairs[2 * i];
      values[i] = pairs[2 * i + 1];
    }
  return ifbam_core_set_course (core, element, times, values, n);
}

static int
set_value (IfbamCore *core, int element, const char *key, const char *value)
{
  g_autoptr (GArray) numbers = read_numbers (value);
  const double *number = numbers == NULL ? NULL : (const double *) (gconstpointer) numbers->data;

  if (numbers != NULL && element == 0 && strcmp (key, "positions") == 0)
    {
      ifbam_core_set_start (core, number, numbers->len);
      return 0;
    }
  if (numbers != NULL && strcmp (key, "course") == 0)
    return set_course (core, element, numbers);
  if (numbers != NULL && strchr (key, '.') != NULL) /* a member's parameter: always a number */
    return ifbam_core_set_number (core, element, key, *number);
  /* A single number may also be a list, or a text such as a monitor's level. */
  if (numbers != NULL && numbers->len == 1
      && ifbam_core_set_number (core, element, key, *number) == 0)
    return 0;
  if (numbers != NULL && ifbam_core_set_numbers (core, element, key, number, numbers->len) == 0)
    return 0;
  return ifbam_core_set_text (core, element, key, value);
}

/* Reads one line and leaves text at its end. */
static int
read_line (IfbamCore *core, const char **text)
{
  g_autofree char *class_name = take (text, " \n"), *name = NULL;
  int element = 0;

  *text += **text == ' ';
  name = take (text, " \n");
  if (strcmp (class_name, "network") != 0)
    element = ifbam_core_add (core, class_name, name);
  if (element < 0)
    return -1;
  while (**text == ' ')
    {
      g_autofree char *key = NULL, *value = NULL;

      ++*text;
      key = take (text, "= \n");
      *text += **text == '=';
      value = take (text, " \n");
      decode (value);
      if (set_value (core, element, key, value) != 0)
        return -1;
    }
  return 0;
}

int
ifbam_core_read (IfbamCore *core, const char *text)
{
  for (; *text != '\0'; text += *text == '\n')
    if (*text != '\n' && read_line (core, &text) != 0)
      return -1;
  return 0;
}
