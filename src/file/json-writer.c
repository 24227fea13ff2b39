/* json-writer.c: JSON as text, with numbers that are JSON
 *
 * json-glib (1.6) writes 2e-12 as "2e-12.0", which no reader takes, and 0.1 with 17 digits.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "file/json-writer.h"

#include <string.h>

#include "base/number-text.h"

/* Writes a number of the length as it should be; returns the place after it. Whole numbers are right. */
static char *
put_number (char *to, const char *number, gsize length)
{
  gboolean is_wrong = FALSE;

  for (gsize i = 0; i < length; i++)
    is_wrong |= number[i] == 'e' || (number[i] == '.' && length - i > 2);
  if (is_wrong)
    return ifbam_number_put (to, g_ascii_strtod (number, NULL));
  memmove (to, number, length);
  return to + length;
}

/* In place: only numbers become shorter. */
static void
mend_numbers (char *text)
{
  char *to = text;

  for (const char *from = text; *from != '\0';)
    {
      gsize length = 1;

      if (*from == '"')
        {
          while (from[length] != '"' && from[length] != '\0')
            length += from[length] == '\\' && from[length + 1] != '\0' ? 2 : 1;
          length += from[length] == '"';
        }
      else if (g_ascii_isdigit (*from))
        {
          length = strspn (from, "0123456789.eE+-");
          to = put_number (to, from, length);
          from += length;
          continue;
        }
      memmove (to, from, length);
      to += length;
      from += length;
    }
  *to = '\0';
}

char *
ifbam_json_text (JsonNode *root, gboolean pretty)
{
  g_autoptr (JsonGenerator) generator = json_generator_new ();
  g_autofree char *said = NULL;
  char *text;

  json_generator_set_root (generator, root);
  json_generator_set_pretty (generator, pretty);
  said = json_generator_to_data (generator, NULL);
  /* Names of files may be no UTF-8, and JSON is. */
  text = g_utf8_make_valid (said, -1);
  mend_numbers (text);
  return text;
}
