/* csv-writer.c: rows of numbers to a file that appears whole, or to a stream
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "system/csv-writer.h"
#include "system/output.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define BUFFER_SIZE (256 * 1024) /* flushed between rows, so that a pipe gets whole rows */
#define NUMBER_SIZE 32           /* "-1.2345678901234567e-308," has 25 bytes */

struct _IfbamCsvWriter
{
  IfbamOutput *output;
  GString *buffer;
  gsize n_values; /* of a row, without the time */
  locale_t plain; /* numbers with a point, whatever the program's locale */
};

/* Integers need no printf: modes, zeros, whole seconds. */
static char *
put_integer (char *place, int number)
{
  char digits[16];
  guint magnitude = number < 0 ? (guint) -number : (guint) number;
  int n = 0;

  do
    digits[n++] = (char) ('0' + magnitude % 10);
  while ((magnitude /= 10) > 0);
  if (number < 0)
    *place++ = '-';
  while (n > 0)
    *place++ = digits[--n];
  return place;
}

/* 17 significant digits: the double that is read back is the same one. */
static char *
put_number (char *place, double number)
{
  if (fabs (number) < 1e9 && number == (int) number && (number != 0.0 || !signbit (number)))
    return put_integer (place, (int) number);
  return place + snprintf (place, NUMBER_SIZE, "%.17g", number);
}

/* A name, in quotes where it would not be read back as one field. */
static void
append_name (GString *buffer, const char *name)
{
  if (strpbrk (name, ",\"\r\n") == NULL)
    {
      g_string_append (buffer, name);
      return;
    }
  g_string_append_c (buffer, '"');
  for (; *name != '\0'; name++)
    {
      if (*name == '"')
        g_string_append_c (buffer, '"');
      g_string_append_c (buffer, *name);
    }
  g_string_append_c (buffer, '"');
}

IfbamCsvWriter *
ifbam_csv_writer_new (const char *path, const char *const *columns, GError **error)
{
  IfbamOutput *output = ifbam_output_new (path, error);
  IfbamCsvWriter *writer;

  if (output == NULL)
    return NULL;
  writer = g_new0 (IfbamCsvWriter, 1);
  writer->output = output;
  writer->buffer = g_string_sized_new (BUFFER_SIZE);
  writer->plain = newlocale (LC_ALL_MASK, "C", (locale_t) 0);
  for (gsize i = 0; columns[i] != NULL; i++)
    {
      if (i > 0)
        g_string_append_c (writer->buffer, ',');
      append_name (writer->buffer, columns[i]);
      writer->n_values = i;
    }
  g_string_append_c (writer->buffer, '\n');
  return writer;
}

static gboolean
flush (IfbamCsvWriter *writer, GError **error)
{
  gboolean done =
      ifbam_output_write (writer->output, writer->buffer->str, writer->buffer->len, error);

  g_string_truncate (writer->buffer, 0);
  return done;
}

gboolean
ifbam_csv_writer_row (IfbamCsvWriter *writer, double time, const double *values, GError **error)
{
  GString *buffer = writer->buffer;
  gsize start = buffer->len;
  locale_t before = uselocale (writer->plain);
  char *place;

  g_string_set_size (buffer, start + (writer->n_values + 1) * NUMBER_SIZE);
  place = put_number (buffer->str + start, time);
  for (gsize i = 0; i < writer->n_values; i++)
    {
      *place++ = ',';
      place = put_number (place, values[i]);
    }
  *place++ = '\n';
  g_string_truncate (buffer, (gsize) (place - buffer->str));
  uselocale (before);
  return buffer->len < BUFFER_SIZE / 2 || flush (writer, error);
}

gboolean
ifbam_csv_writer_close (IfbamCsvWriter *writer, GError **error)
{
  return flush (writer, error) && ifbam_output_close (writer->output, error);
}

gboolean
ifbam_csv_writer_finish (IfbamCsvWriter *writer, GError **error)
{
  return ifbam_csv_writer_close (writer, error) && ifbam_output_finish (writer->output, error);
}

void
ifbam_csv_writer_free (IfbamCsvWriter *writer)
{
  if (writer == NULL)
    return;
  ifbam_output_free (writer->output);
  g_string_free (writer->buffer, TRUE);
  freelocale (writer->plain);
  g_free (writer);
}
