/* csv-reader.c: reads a CSV file row by row from a file descriptor
 *
 * The buffer contains the present row and the rest of a chunk, for files of any length.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "file/csv-reader.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/memory.h"
#include "file/column-units.h"

#define CHUNK      (128 * 1024)
#define MAX_LINE   (G_MAXUINT - 4 * CHUNK) /* sizes of arrays are guint */
#define MAX_QUOTED 40                      /* bytes of a wrong field in a message */

/* The separator as a text. */
#define SEPARATOR(reader) ((const char[]){ (reader)->dialect.separator, '\0' })

gboolean
ifbam_csv_reader_open (IfbamCsvReader *reader, const char *path, GError **error)
{
  const gboolean standard = strcmp (path, "-") == 0;

  *reader =
      (IfbamCsvReader){ .name = standard ? "standard input" : path, .dialect = IFBAM_CSV_PLAIN };
  reader->fd = standard ? STDIN_FILENO : g_open (path, O_RDONLY | O_CLOEXEC, 0);
  if (reader->fd < 0)
    return ifbam_fail (error, IFBAM_ERROR_COURSE, "%s: %s", reader->name, g_strerror (errno));
  reader->buffer = g_byte_array_sized_new (2 * CHUNK);
  return TRUE;
}

void
ifbam_csv_reader_clear (IfbamCsvReader *reader)
{
  if (reader->fd > STDIN_FILENO)
    close (reader->fd);
  reader->fd = -1;
  g_clear_pointer (&reader->buffer, g_byte_array_unref);
  g_clear_pointer (&reader->numbers, g_free);
}

gboolean
ifbam_csv_fail (const IfbamCsvReader *reader, GError **error, const char *format, ...)
{
  g_autofree char *reason = NULL;
  va_list arguments;

  va_start (arguments, format);
  reason = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  return ifbam_fail (error, IFBAM_ERROR_COURSE, "%s:%" G_GSIZE_FORMAT ": %s", reader->name,
                     reader->line, reason);
}

static gboolean
fail_at_zero (IfbamCsvReader *reader, const guint8 *bytes, const guint8 *zero, GError **error)
{
  reader->line++;
  for (; bytes < zero; bytes++)
    reader->line += *bytes == '\n';
  return ifbam_csv_fail (reader, error, "a zero byte: this is not text (want a CSV file)");
}

/* Reads a chunk. A zero byte is an error at once, so that /dev/zero ends. */
static gboolean
fill (IfbamCsvReader *reader, GError **error)
{
  GByteArray *buffer = reader->buffer;
  g_autofree char *lack = NULL;
  const guint8 *zero;
  gssize n;

  g_byte_array_remove_range (buffer, 0, (guint) reader->start);
  reader->searched -= reader->start;
  reader->start = 0;
  lack = ifbam_memory_lack (buffer->len);
  if (buffer->len > MAX_LINE || lack != NULL)
    {
      reader->line++;
      return ifbam_csv_fail (
          reader, error, "the line does not end%s%s: this is no table (want a CSV file)",
          lack == NULL ? "" : ", and to read on takes ", lack == NULL ? "" : lack);
    }
  g_byte_array_set_size (buffer, buffer->len + CHUNK + 1);
  do
    n = read (reader->fd, buffer->data + buffer->len - CHUNK - 1, CHUNK);
  while (n < 0 && errno == EINTR);
  if (n < 0)
    return ifbam_fail (error, IFBAM_ERROR_COURSE, "%s: %s", reader->name,
                       errno == EISDIR ? "is a folder (want a CSV file)" : g_strerror (errno));
  reader->ended = n == 0;
  g_byte_array_set_size (buffer, (guint) (buffer->len - CHUNK - 1 + (gsize) n));
  zero = n > 0 ? memchr (buffer->data + buffer->len - (gsize) n, 0, (gsize) n) : NULL;
  return zero == NULL || fail_at_zero (reader, buffer->data, zero, error);
}

/* Returns the next line without newline, writable until the next call; NULL: end, or an error. */
static char *
read_line (IfbamCsvReader *reader, GError **error)
{
  GByteArray *buffer = reader->buffer;

  for (;;)
    {
      gsize n = buffer->len - reader->searched;
      char *text = (char *) buffer->data + reader->start;
      char *end = n > 0 ? memchr (buffer->data + reader->searched, '\n', n) : NULL;

      if (end == NULL && !reader->ended)
        {
          reader->searched = buffer->len;
          if (!fill (reader, error))
            return NULL;
          continue;
        }
      if (end == NULL && reader->start == buffer->len)
        return NULL;
      /* The last line may lack a newline; fill () has left space for the zero. */
      if (end == NULL)
        end = (char *) buffer->data + buffer->len;
      reader->start = MIN ((gsize) (end - (char *) buffer->data) + 1, buffer->len);
      reader->searched = reader->start;
      reader->line++;
      if (end > text && end[-1] == '\r')
        end--;
      *end = '\0';
      return text;
    }
}

char *
ifbam_csv_read_row (IfbamCsvReader *reader, GError **error)
{
  char *line;

  do
    {
      line = read_line (reader, error);
      if (line != NULL && reader->line == 1 && g_str_has_prefix (line, "\xef\xbb\xbf"))
        line += 3;
    }
  while (line != NULL && line[strspn (line, " \t")] == '\0');
  if (line != NULL && reader->dialect.trailing && g_str_has_suffix (line, SEPARATOR (reader)))
    line[strlen (line) - 1] = '\0';
  return line;
}

/* Reads the first lines and finds their dialect. */
static gboolean
find_dialect (IfbamCsvReader *reader, GError **error)
{
  GByteArray *buffer = reader->buffer;
  g_autofree char *reason = NULL;

  while (!reader->ended && buffer->len < CHUNK)
    if (!fill (reader, error))
      return FALSE;
  reason = ifbam_csv_find_dialect ((const char *) buffer->data, buffer->len, reader->ended,
                                   &reader->dialect);
  return reason == NULL || ifbam_fail (error, IFBAM_ERROR_COURSE, "%s: %s", reader->name, reason);
}

/* Returns the names of a file without a line of names: "1,2,3". */
static char *
number_columns (IfbamCsvReader *reader)
{
  GString *names = g_string_new ("1");

  for (guint i = 2; i <= reader->dialect.n; i++)
    g_string_append_printf (names, "%c%u", reader->dialect.separator, i);
  return reader->numbers = g_string_free (names, FALSE);
}

char *
ifbam_csv_read_first_row (IfbamCsvReader *reader, const char *wanted, GError **error)
{
  GError *failure = NULL;
  char *row = NULL;

  if (find_dialect (reader, &failure) && reader->dialect.header == 0)
    return number_columns (reader);
  if (failure == NULL)
    do
      row = ifbam_csv_read_row (reader, &failure);
    while (row != NULL && reader->line < reader->dialect.header);
  if (failure != NULL)
    g_propagate_error (error, failure);
  else if (row == NULL)
    ifbam_fail (error, IFBAM_ERROR_COURSE, "%s: is empty (want %s)", reader->name, wanted);
  /* "# time x", as NumPy writes it */
  else if (reader->line == reader->dialect.header && row[0] == '#')
    row += 1 + strspn (row + 1, " \t");
  return row;
}

char *
ifbam_csv_quote (const char *field)
{
  g_autofree char *valid = g_utf8_make_valid (field, -1);
  g_autofree char *escaped = g_strescape (valid, NULL);

  return strlen (escaped) <= MAX_QUOTED ? g_strdup_printf ("\"%s\"", escaped)
                                        : g_strdup_printf ("\"%.*s...\"", MAX_QUOTED, escaped);
}

static gboolean
fail_at_quote (const IfbamCsvReader *reader, gsize column, GError **error)
{
  return ifbam_csv_fail (reader, error, "column %" G_GSIZE_FORMAT ": a quote is not closed",
                         column);
}

static gboolean
check_name (const IfbamCsvReader *reader, const char *name, gsize column, GError **error)
{
  if (!g_utf8_validate (name, -1, NULL))
    return ifbam_csv_fail (reader, error, "the names are no UTF-8 text (want a CSV file)");
  if (*name == '\0')
    return ifbam_csv_fail (reader, error, "column %" G_GSIZE_FORMAT " has no name", column);
  for (const char *c = name; *c != '\0'; c++)
    if (g_ascii_iscntrl (*c))
      return ifbam_csv_fail (
          reader, error, "the name of column %" G_GSIZE_FORMAT " has a control character (code %d)",
          column, *c);
  return TRUE;
}

/* Adds the units of a line of units to the names. */
static gboolean
read_units (IfbamCsvReader *reader, GPtrArray *names, GError **error)
{
  char *row = ifbam_csv_read_row (reader, error);

  for (guint i = 0; row != NULL && i < names->len; i++)
    {
      const char *field = ifbam_csv_take_field (&row, reader->dialect.separator);
      g_autofree char *unit = field == NULL ? NULL : ifbam_course_read_unit (field);
      char *name = names->pdata[i];

      if (unit == NULL)
        {
          g_autofree char *shown = ifbam_csv_quote (field == NULL ? "" : field);

          return ifbam_csv_fail (reader, error,
                                 "column %u: %s is no unit (want --csv units=no if this is no line "
                                 "of units)",
                                 i + 1, shown);
        }
      if (*unit == '\0')
        continue;
      names->pdata[i] = g_strdup_printf ("%s [%s]", name, unit);
      g_free (name);
    }
  return TRUE;
}

gboolean
ifbam_csv_read_names (IfbamCsvReader *reader, char *row, GPtrArray *names, GError **error)
{
  g_autoptr (GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);

  while (row != NULL)
    {
      char *name = ifbam_csv_take_field (&row, reader->dialect.separator);

      if (name == NULL)
        return fail_at_quote (reader, names->len + 1, error);
      if (!check_name (reader, name, names->len + 1, error))
        return FALSE;
      name = g_strdup (name);
      g_ptr_array_add (names, name);
      if (!g_hash_table_add (known, name))
        {
          g_autofree char *shown = ifbam_csv_quote (name);

          return ifbam_csv_fail (reader, error, "two columns are called %s (want each name once)",
                                 shown);
        }
    }
  return reader->dialect.units == 0 || read_units (reader, names, error);
}

static gboolean
fail_at_field (const IfbamCsvReader *reader, const char *name, const char *field, GError **error)
{
  g_autofree char *shown = ifbam_csv_quote (field);

  if (*field == '\0')
    return ifbam_csv_fail (reader, error, "%s is empty (want a number)", name);
  if (ifbam_csv_is_like_number (field, '.') && !isfinite (g_ascii_strtod (field, NULL)))
    return ifbam_csv_fail (
        reader, error, "%s: %s is beyond the range of numbers (want at most 1.7e308)", name, shown);
  return ifbam_csv_fail (reader, error, "%s: %s is not a number (want one such as -1.5e-3%s)", name,
                         shown, strchr (field, ',') != NULL ? ", or --csv decimal=," : "");
}

static gboolean
parse_number (char *field, char decimal, gboolean can_be_empty, double *number)
{
  char *end;

  if (*field == '\0' && can_be_empty)
    {
      *number = NAN;
      return TRUE;
    }
  if (!ifbam_csv_is_like_number (field, decimal))
    return FALSE;
  if (decimal == ',')
    g_strdelimit (field, ",", '.');
  *number = g_ascii_strtod (field, &end);
  return *end == '\0' && isfinite (*number);
}

gboolean
ifbam_csv_read_numbers (const IfbamCsvReader *reader, char *row, const char *const *names, gsize n,
                        gboolean can_be_empty, double *numbers, GError **error)
{
  gsize column = 0;

  for (; row != NULL && column < n; column++)
    {
      char *field = ifbam_csv_take_field (&row, reader->dialect.separator);

      if (field == NULL)
        return fail_at_quote (reader, column + 1, error);
      if (!parse_number (field, reader->dialect.decimal, can_be_empty, &numbers[column]))
        return fail_at_field (reader, names[column], field, error);
    }
  if (row == NULL && column == n)
    return TRUE;
  while (row != NULL && ifbam_csv_take_field (&row, reader->dialect.separator) != NULL)
    column++;
  return ifbam_csv_fail (reader, error,
                         "the row has %" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT
                         " fields (want one per name)",
                         column, n);
}
