/* json-text.c: JSON as text, with numbers that are JSON
 *
 * json-glib (1.6) writes 2e-12 as "2e-12.0", which no reader takes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "system/json-text.h"

#include <string.h>

/* The length of a number's wrong ".0" at its end, before `end`. */
static gsize
wrong_end (const char *number, const char *end)
{
  return end - number > 2 && memchr (number, 'e', (gsize) (end - number)) != NULL
                 && strncmp (end - 2, ".0", 2) == 0
             ? 2
             : 0;
}

/* In place: only numbers become shorter. */
static void
mend_numbers (char *text)
{
  char *to = text;

  for (const char *from = text; *from != '\0';)
    {
      gsize length = 1, left_out = 0;

      if (*from == '"')
        {
          while (from[length] != '"' && from[length] != '\0')
            length += from[length] == '\\' && from[length + 1] != '\0' ? 2 : 1;
          length += from[length] == '"';
        }
      else if (g_ascii_isdigit (*from))
        {
          length = strspn (from, "0123456789.eE+-");
          left_out = wrong_end (from, from + length);
        }
      memmove (to, from, length - left_out);
      to += length - left_out;
      from += length;
    }
  *to = '\0';
}

char *
ifbam_json_text (JsonNode *root, gboolean pretty)
{
  g_autoptr (JsonGenerator) generator = json_generator_new ();
  char *text;

  json_generator_set_root (generator, root);
  json_generator_set_pretty (generator, pretty);
  text = json_generator_to_data (generator, NULL);
  mend_numbers (text);
  return text;
}
