/* csv-table.c: tables of numbers, possibly with missing ones, in CSV
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "file/csv-table.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "base/number-text.h"
#include "file/csv-reader.h"

IfbamCsvTable *
ifbam_csv_table_new (GPtrArray *names)
{
  IfbamCsvTable *table = g_new0 (IfbamCsvTable, 1);

  table->names = names;
  table->values = g_array_new (FALSE, FALSE, sizeof (double));
  return table;
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

static gboolean
read_names (IfbamCsvTable *table, IfbamCsvReader *reader, GError **error)
{
  char *row = ifbam_csv_read_first_row (reader, "a line with the names of the columns", error);
  g_autofree char *first = NULL;

  if (row == NULL)
    return FALSE;
  first = g_strstrip (g_strndup (row, strcspn (row, ",;\t|")));
  if (ifbam_csv_is_like_number (first, reader->dialect.decimal))
    return ifbam_csv_fail (reader, error, "\"%.60s\" is no name of a column (want a header line)",
                           first);
  return ifbam_csv_read_names (reader, row, table->names, error);
}

static gboolean
read_rows (IfbamCsvTable *table, IfbamCsvReader *reader, GError **error)
{
  const guint n = table->names->len;
  GError *failure = NULL;
  double asked = 0;
  char *row;

  while ((row = ifbam_csv_read_row (reader, &failure)) != NULL)
    {
      const guint end = table->values->len;
      g_autofree char *lack = ifbam_memory_lack_of_growing ((double) end * sizeof (double), &asked);

      if (lack != NULL)
        return ifbam_csv_fail (reader, error, "to read on takes %s", lack);
      g_array_set_size (table->values, end + n);
      if (!ifbam_csv_read_numbers (reader, row, (const char *const *) table->names->pdata, n, TRUE,
                                   &g_array_index (table->values, double, end), error))
        return FALSE;
      table->n_rows++;
    }
  if (failure != NULL)
    g_propagate_error (error, failure);
  return failure == NULL;
}

IfbamCsvTable *
ifbam_csv_table_new_from_csv (const char *path, GError **error)
{
  g_autoptr (IfbamCsvTable) table = ifbam_csv_table_new (g_ptr_array_new_with_free_func (g_free));
  g_auto (IfbamCsvReader) reader = { .fd = -1 };

  return ifbam_csv_reader_open (&reader, path, error) && read_names (table, &reader, error)
                 && read_rows (table, &reader, error)
             ? g_steal_pointer (&table)
             : NULL;
}

gboolean
ifbam_csv_table_read_rows (IfbamCsvTable *table, const char *path, GError **error)
{
  g_auto (IfbamCsvReader) reader = { .fd = -1 };

  return ifbam_csv_reader_open (&reader, path, error) && read_rows (table, &reader, error);
}

int
ifbam_csv_table_column (const IfbamCsvTable *table, const char *name)
{
  for (guint i = 0; i < table->names->len; i++)
    if (g_str_equal (table->names->pdata[i], name))
      return (int) i;
  return -1;
}

GString *
ifbam_csv_table_text (const IfbamCsvTable *table, gboolean with_names)
{
  const guint n = table->names->len;
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < n && with_names; i++)
    ifbam_csv_append_name (text, table->names->pdata[i]);
  if (with_names)
    ifbam_csv_end_row (text);
  for (gsize row = 0; row < table->n_rows; row++)
    {
      for (guint i = 0; i < n; i++)
        ifbam_csv_append_number (text, ifbam_csv_table_value (table, row, i));
      ifbam_csv_end_row (text);
    }
  return text;
}

void
ifbam_csv_append_name (GString *text, const char *name)
{
  if (strpbrk (name, ",\"\r\n") == NULL)
    {
      g_string_append_printf (text, "%s,", name);
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
ifbam_csv_append_number (GString *text, double number)
{
  if (isfinite (number))
    g_string_append (text, IFBAM_NUMBER (number));
  g_string_append_c (text, ',');
}

void
ifbam_csv_end_row (GString *text)
{
  text->str[text->len - 1] = '\n';
}

void
ifbam_csv_append_names (GString *text, const char *const *names)
{
  for (gsize i = 0; names[i] != NULL; i++)
    ifbam_csv_append_name (text, names[i]);
  ifbam_csv_end_row (text);
}

void
ifbam_csv_append_row (GString *text, double time, const double *values, gsize n)
{
  const gsize start = text->len;
  char *place;

  g_string_set_size (text, start + (n + 1) * IFBAM_NUMBER_SIZE);
  place = ifbam_number_put (text->str + start, time);
  for (gsize i = 0; i < n; i++)
    {
      *place++ = ',';
      place = ifbam_number_put (place, values[i]);
    }
  *place++ = '\n';
  g_string_truncate (text, (gsize) (place - text->str));
}
