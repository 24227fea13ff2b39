/* json-writer.c: writes JSON value by value, also by printf() formats
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

/* Integers get a point: 2.0. */
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

void
ifbam_json_numbers (IfbamJsonWriter *json, const char *key, const double *numbers, gsize n)
{
  ifbam_json_array (json, key);
  for (gsize i = 0; i < n; i++)
    ifbam_json_number (json, NULL, numbers[i]);
  ifbam_json_end (json);
}

/* Formats */

/* A printf() conversion with its argument. */
typedef struct
{
  char format[64]; /* "%-16.8g" */
  char type;       /* its last character */
  const char *text;
  long long count;
  double number;
} Value;

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
static void
append_formatted (GString *text, Value *value)
{
  if (value->type == 's')
    g_string_append_printf (text, value->format, value->text);
  else if (strchr ("diu", value->type) != NULL)
    g_string_append_printf (text, value->format, value->count);
  else if (value->type != 'a' && isfinite (value->number))
    g_string_append_printf (text, value->format, value->number);
  else
    {
      /* As wide as a number would be. */
      strcpy (value->format + strspn (value->format, "%-0123456789"), "s");
      g_string_append_printf (text, value->format,
                              isfinite (value->number) ? IFBAM_NUMBER (value->number) : "-");
    }
}
#pragma GCC diagnostic pop

static void
add_json (IfbamJsonWriter *json, const char *key, const Value *value)
{
  if (value->type == 's')
    ifbam_json_string (json, key, value->text);
  else if (value->type == 'i')
    ifbam_json_boolean (json, key, value->count != 0);
  else if (value->type == 'd' || value->type == 'u')
    ifbam_json_count (json, key, value->count);
  else
    ifbam_json_number (json, key, value->number);
}

/* Reads a conversion behind a percent sign, and its arguments; returns its end. */
static const char *
read_value (const char *format, va_list *arguments, Value *value)
{
  char *to = value->format;
  gboolean is_long = FALSE;

  value->number = 0;
  for (; strchr ("sdiuaefg", *format) == NULL; format++)
    if (*format == '*')
      to += g_snprintf (to, 16, "%d", va_arg (*arguments, int));
    else if (*format == 'l' || *format == 'z')
      is_long = TRUE;
    else
      *to++ = *format;
  value->type = *format;
  if (*format == 's')
    value->text = va_arg (*arguments, const char *);
  else if (strchr ("aefg", *format) != NULL)
    value->number = va_arg (*arguments, double);
  else
    value->count = is_long          ? va_arg (*arguments, long)
                   : *format == 'u' ? (long long) va_arg (*arguments, guint)
                                    : va_arg (*arguments, int);
  if (strchr ("diu", *format) != NULL)
    to = stpcpy (to, "ll");
  *to++ = *format;
  *to = '\0';
  return format + 1;
}

void
ifbam_json_add_formatted (IfbamJsonWriter *json, GString *text, const char *keys,
                          const char *format, va_list *arguments)
{
  const GString *nesting = json == NULL ? NULL : json->nesting;
  const gboolean in_array =
      json != NULL && nesting->len > 0 && nesting->str[nesting->len - 1] == '[';

  for (Value value; *format != '\0';)
    {
      const gsize literal = strcspn (format, "%");
      const gsize percent = g_str_has_prefix (format + literal, "%%") ? 1 : 0;
      gsize length;

      if (text != NULL)
        g_string_append_len (text, format, (gssize) (literal + percent));
      format += literal + 2 * percent;
      if (percent > 0 || *format == '\0')
        continue;
      format = read_value (format, arguments, &value);
      if (text != NULL)
        append_formatted (text, &value);
      if (json == NULL)
        continue;
      length = strcspn (keys, ",");
      if (in_array || (length > 0 && *keys != '-'))
        {
          g_autofree char *key = in_array ? NULL : g_strndup (keys, length);

          add_json (json, key, &value);
        }
      keys += length + (keys[length] == ',');
    }
}

void
ifbam_json_add (IfbamJsonWriter *json, const char *keys, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  ifbam_json_add_formatted (json, NULL, keys, format, &arguments);
  va_end (arguments);
}

void
ifbam_json_record (IfbamJsonWriter *json, const char *key, const char *keys, const char *format,
                   ...)
{
  va_list arguments;

  va_start (arguments, format);
  ifbam_json_object (json, key);
  ifbam_json_add_formatted (json, NULL, keys, format, &arguments);
  ifbam_json_end (json);
  va_end (arguments);
}
