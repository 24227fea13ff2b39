/* csv-reader.c: a CSV file of numbers, some of which may be missing
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "file/csv-reader.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/ifbam-error.h"
#include "file/printable-text.h"
#include "base/number-text.h"

/* Of a table, for each byte of its file. */
#define BYTE_MEMORY 8

static gboolean refuse (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);

static gboolean
refuse (GError **error, const char *format, ...)
{
  va_list arguments;
  GError *fault;

  va_start (arguments, format);
  fault = g_error_new_valist (IFBAM_ERROR, IFBAM_ERROR_COURSE, format, arguments);
  va_end (arguments);
  ifbam_make_showable (fault->message);
  g_propagate_error (error, fault);
  return FALSE;
}

/* Cuts the next field off a line; NULL after the last one. Quotes are taken off. */
static char *
next_field (char **rest)
{
  char *field = *rest, *to = field, *from = field;

  if (field == NULL)
    return NULL;
  if (*from != '"')
    {
      char *comma = strchr (field, ',');

      *rest = comma == NULL ? NULL : comma + 1;
      if (comma != NULL)
        *comma = '\0';
      return g_strstrip (field);
    }
  for (from++; *from != '\0' && (*from != '"' || from[1] == '"'); from++)
    {
      if (*from == '"')
        from++;
      *to++ = *from;
    }
  if (*from == '"')
    from++;
  *rest = *from == ',' ? from + 1 : NULL;
  *to = '\0';
  return field;
}

static gboolean
read_names (IfbamCsvTable *table, char *line, const char *path, GError **error)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  char *name;

  while ((name = next_field (&line)) != NULL)
    {
      char *end;

      for (const char *c = name; *c != '\0'; c++)
        if (g_ascii_iscntrl (*c))
          return refuse (error, "%s:1: a column's name has a control character (code %d)", path,
                         *c);
      g_ascii_strtod (name, &end);
      if (*name == '\0' || *end == '\0')
        return refuse (error, "%s:1: \"%s\" is no name of a column (want a header line)", path,
                       name);
      g_ptr_array_add (table->names, g_strdup (name));
      if (!g_hash_table_add (seen, table->names->pdata[table->names->len - 1]))
        return refuse (error, "%s:1: there are two columns \"%s\"", path, name);
    }
  return TRUE;
}

static gboolean
read_row (IfbamCsvTable *table, char *line, const char *path, guint number, GError **error)
{
  guint n = 0;
  char *field;

  while ((field = next_field (&line)) != NULL)
    {
      char *end = field;
      double value = *field == '\0' ? NAN : g_ascii_strtod (field, &end);

      if (*end != '\0' || (*field != '\0' && !isfinite (value)))
        return refuse (error, "%s:%u: \"%.60s\" is not a finite number", path, number, field);
      g_array_append_val (table->values, value);
      n++;
    }
  if (n != table->names->len)
    return refuse (error, "%s:%u: the row has %u fields, the header %u", path, number, n,
                   table->names->len);
  table->n_rows++;
  return TRUE;
}

/* A zero byte ends it: so an endless device does, too. */
static char *
read_text (const char *path, GError **error)
{
  FILE *stream = fopen (path, "rbe");
  GString *text = g_string_new (NULL);
  g_autofree char *lack = NULL;
  char buffer[65536];
  gboolean binary = FALSE;
  double asked = 0;
  gsize n;

  if (stream != NULL)
    while (!binary && lack == NULL && (n = fread (buffer, 1, sizeof buffer, stream)) > 0)
      {
        binary = memchr (buffer, 0, n) != NULL;
        g_string_append_len (text, buffer, (gssize) n);
        lack = ifbam_memory_lack_of_growing (BYTE_MEMORY * (double) text->len, &asked);
      }
  if (stream == NULL || ferror (stream))
    refuse (error, "%s: can't be read: %s", path, g_strerror (errno));
  else if (binary || !g_utf8_validate (text->str, (gssize) text->len, NULL))
    refuse (error, "%s: is no text: this is no CSV file", path);
  else if (lack != NULL)
    refuse (error, "%s: a table of more than %" G_GSIZE_FORMAT " bytes needs %s", path, text->len,
            lack);
  else
    {
      fclose (stream);
      return g_string_free (text, FALSE);
    }
  if (stream != NULL)
    fclose (stream);
  g_string_free (text, TRUE);
  return NULL;
}

/* names: of the columns; NULL: the first line has them */
static IfbamCsvTable *
read_table (const char *path, const GPtrArray *names, GError **error)
{
  g_autoptr (IfbamCsvTable) table = g_new0 (IfbamCsvTable, 1);
  g_autofree char *text = NULL;
  guint number = 0;

  table->names = g_ptr_array_new_with_free_func (g_free);
  table->values = g_array_new (FALSE, FALSE, sizeof (double));
  for (guint i = 0; names != NULL && i < names->len; i++)
    g_ptr_array_add (table->names, g_strdup (names->pdata[i]));
  text = read_text (path, error);
  if (text == NULL)
    return NULL;
  for (char *line = g_str_has_prefix (text, "\xef\xbb\xbf") ? text + 3 : text, *next; line != NULL;
       line = next)
    {
      char *end = strchr (line, '\n');

      next = end == NULL ? NULL : end + 1;
      if (end != NULL)
        *end = '\0';
      number++;
      g_strchomp (line);
      if (*line == '\0')
        continue;
      if (!(table->names->len == 0 ? read_names (table, line, path, error)
                                   : read_row (table, line, path, number, error)))
        return NULL;
    }
  if (table->names->len == 0)
    {
      refuse (error, "%s: is empty (want a line with the names of the columns)", path);
      return NULL;
    }
  return g_steal_pointer (&table);
}

IfbamCsvTable *
ifbam_csv_table_new_from_csv (const char *path, GError **error)
{
  return read_table (path, NULL, error);
}

IfbamCsvTable *
ifbam_csv_table_new_from_rows (const char *path, const GPtrArray *names, GError **error)
{
  return read_table (path, names, error);
}

void
ifbam_csv_table_free (IfbamCsvTable *table)
{
  if (table == NULL)
    return;
  g_ptr_array_unref (table->names);
  g_array_unref (table->values);
  g_free (table);
}

int
ifbam_csv_table_column (const IfbamCsvTable *table, const char *name)
{
  for (guint i = 0; i < table->names->len; i++)
    if (g_str_equal (table->names->pdata[i], name))
      return (int) i;
  return -1;
}

void
ifbam_csv_table_append_name (GString *text, const char *name)
{
  if (strpbrk (name, ",\"\r\n") == NULL)
    {
      g_string_append (text, name);
      g_string_append_c (text, ',');
      return;
    }
  g_string_append_c (text, '"');
  for (; *name != '\0'; name++)
    {
      if (*name == '"')
        g_string_append_c (text, '"');
      g_string_append_c (text, *name);
    }
  g_string_append (text, "\",");
}

void
ifbam_csv_table_end_row (GString *text)
{
  text->str[text->len - 1] = '\n';
}

void
ifbam_csv_table_append_number (GString *text, double number)
{
  if (isfinite (number))
    g_string_append (text, IFBAM_NUMBER (number));
  g_string_append_c (text, ',');
}
