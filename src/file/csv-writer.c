/* csv-writer.c: rows of numbers to a file that appears whole, or to a stream
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "file/csv-writer.h"
#include "base/number-text.h"
#include "file/csv-table.h"
#include "file/output-file.h"

#define BUFFER_SIZE (256 * 1024) /* flushed between rows, so that a pipe gets whole rows */

struct _IfbamCsvWriter
{
  IfbamOutput *output;
  GString *buffer;
  gsize n_values; /* of a row, without the time */
};

/* Takes the output over; NULL: there is none. */
static IfbamCsvWriter *
writer_new (IfbamOutput *output, const char *const *columns)
{
  IfbamCsvWriter *writer;

  if (output == NULL)
    return NULL;
  writer = g_new0 (IfbamCsvWriter, 1);
  writer->output = output;
  writer->buffer = g_string_sized_new (BUFFER_SIZE);
  writer->n_values = g_strv_length ((char **) columns) - 1;
  return writer;
}

IfbamCsvWriter *
ifbam_csv_writer_new (const char *path, const char *const *columns, GError **error)
{
  IfbamCsvWriter *writer = writer_new (ifbam_output_new (path, error), columns);

  for (gsize i = 0; writer != NULL && columns[i] != NULL; i++)
    ifbam_csv_append_name (writer->buffer, columns[i]);
  if (writer != NULL)
    ifbam_csv_end_row (writer->buffer);
  return writer;
}

IfbamCsvWriter *
ifbam_csv_writer_new_at_mark (const char *path, const char *const *columns, guint64 size,
                              const char *sum, GError **error)
{
  return writer_new (ifbam_output_new_at_mark (path, size, sum, error), columns);
}

gboolean
ifbam_csv_writer_flush (IfbamCsvWriter *writer, GError **error)
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
  char *place;

  g_string_set_size (buffer, start + (writer->n_values + 1) * IFBAM_NUMBER_SIZE);
  place = ifbam_number_put (buffer->str + start, time);
  for (gsize i = 0; i < writer->n_values; i++)
    {
      *place++ = ',';
      place = ifbam_number_put (place, values[i]);
    }
  *place++ = '\n';
  g_string_truncate (buffer, (gsize) (place - buffer->str));
  return buffer->len < BUFFER_SIZE / 2 || ifbam_csv_writer_flush (writer, error);
}

gboolean
ifbam_csv_writer_mark (IfbamCsvWriter *writer, guint64 *size, char **sum, GError **error)
{
  return ifbam_csv_writer_flush (writer, error)
         && ifbam_output_mark (writer->output, size, sum, error);
}

void
ifbam_csv_writer_forget_mark (IfbamCsvWriter *writer)
{
  ifbam_output_forget_mark (writer->output);
}

gboolean
ifbam_csv_writer_finish (IfbamCsvWriter *writer, GError **error)
{
  return ifbam_csv_writer_flush (writer, error) && ifbam_output_close (writer->output, error)
         && ifbam_output_finish (writer->output, error);
}

void
ifbam_csv_writer_free (IfbamCsvWriter *writer)
{
  if (writer == NULL)
    return;
  ifbam_output_free (writer->output);
  g_string_free (writer->buffer, TRUE);
  g_free (writer);
}
