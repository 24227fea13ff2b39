/* json-writer.c: JSON as text, value by value
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "file/json-writer.h"

#include <math.h>
#include <string.h>

#include "base/number-text.h"

IfbamJsonWriter *
ifbam_json_writer_new (gboolean pretty)
{
  IfbamJsonWriter *json = g_new0 (IfbamJsonWriter, 1);

  json->text = g_string_new (NULL);
  json->nesting = g_string_new (NULL);
  json->pretty = pretty;
  return json;
}

void
ifbam_json_writer_free (IfbamJsonWriter *json)
{
  g_string_free (json->text, TRUE);
  g_string_free (json->nesting, TRUE);
  g_free (json);
}

static void
append_quoted (GString *text, const char *words)
{
  static const char specials[] = "\b\f\n\r\t\\\"", escapes[] = "bfnrt\\\"";
  g_autofree char *valid = g_utf8_make_valid (words, -1);

  g_string_append_c (text, '"');
  for (const char *c = valid; *c != '\0'; c++)
    {
      const char *special = strchr (specials, *c);

      if (special != NULL)
        g_string_append_printf (text, "\\%c", escapes[special - specials]);
      else if (g_ascii_iscntrl (*c))
        g_string_append_printf (text, "\\u%04x", (guint) *c);
      else
        g_string_append_c (text, *c);
    }
  g_string_append_c (text, '"');
}

static void
begin_line (IfbamJsonWriter *json)
{
  if (json->pretty && (json->nesting->len > 0 || json->is_begun))
    g_string_append_printf (json->text, "\n%*s", 2 * (int) json->nesting->len, "");
}

static void
begin_value (IfbamJsonWriter *json, const char *key)
{
  if (json->is_begun)
    g_string_append_c (json->text, ',');
  begin_line (json);
  if (key != NULL)
    {
      append_quoted (json->text, key);
      g_string_append (json->text, json->pretty ? " : " : ":");
    }
  json->is_begun = TRUE;
}

void
ifbam_json_string (IfbamJsonWriter *json, const char *key, const char *text)
{
  begin_value (json, key);
  if (text != NULL)
    append_quoted (json->text, text);
  else
    g_string_append (json->text, "null");
}

/* A whole number has a point: 2.0. */
void
ifbam_json_number (IfbamJsonWriter *json, const char *key, double number)
{
  const char *digits = IFBAM_NUMBER (number);

  begin_value (json, key);
  g_string_append_printf (json->text, "%s%s", isfinite (number) ? digits : "null",
                          isfinite (number) && strpbrk (digits, ".e") == NULL ? ".0" : "");
}

void
ifbam_json_count (IfbamJsonWriter *json, const char *key, gint64 count)
{
  begin_value (json, key);
  g_string_append_printf (json->text, "%" G_GINT64_FORMAT, count);
}

void
ifbam_json_boolean (IfbamJsonWriter *json, const char *key, gboolean value)
{
  begin_value (json, key);
  g_string_append (json->text, value ? "true" : "false");
}

static void
begin (IfbamJsonWriter *json, const char *key, char bracket)
{
  begin_value (json, key);
  g_string_append_c (json->text, bracket);
  g_string_append_c (json->nesting, bracket);
  json->is_begun = FALSE;
}

void
ifbam_json_array (IfbamJsonWriter *json, const char *key)
{
  begin (json, key, '[');
}

void
ifbam_json_object (IfbamJsonWriter *json, const char *key)
{
  begin (json, key, '{');
}

void
ifbam_json_end (IfbamJsonWriter *json)
{
  const char bracket = json->nesting->str[json->nesting->len - 1];

  g_string_truncate (json->nesting, json->nesting->len - 1);
  if (json->is_begun)
    begin_line (json);
  g_string_append_c (json->text, bracket == '{' ? '}' : ']');
  json->is_begun = TRUE;
}

void
ifbam_json_strings (IfbamJsonWriter *json, const char *key, const char *const *texts)
{
  ifbam_json_array (json, key);
  for (guint i = 0; texts != NULL && texts[i] != NULL; i++)
    ifbam_json_string (json, NULL, texts[i]);
  ifbam_json_end (json);
}
