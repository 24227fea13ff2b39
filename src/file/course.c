/* course.c: what a run leaves behind: signals over time
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "file/course.h"
#include "file/csv-writer.h"
#include "base/memory.h"
#include "base/fail.h"
#include "base/number-text.h"
#include "base/range-text.h"
#include "file/quantities.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#define CHUNK      (128 * 1024)
#define MAX_LINE   (G_MAXUINT - 4 * CHUNK) /* sizes of arrays are guint */
#define MAX_LISTED 12                      /* signals named in a message */
#define MAX_QUOTED 40                      /* bytes of a wrong field in a message */

/* A column of numbers that its course and the GBytes made of it share. */
typedef struct
{
  gatomicrefcount refs;
  double values[];
} Column;

/* The digits of the times in a file; significant: 0: the times were computed. */
typedef struct
{
  double second;             /* of the file's unit of time */
  int decimals, significant; /* the most of any time */
} TimeDigits;

/**
 * IfbamCourse:
 *
 * Signals over time: one row of doubles per recorded instant, in SI units. It is what a run
 * records, and what is read from a CSV file whose first column is `time`.
 */
struct _IfbamCourse
{
  GObject parent_instance;
  char **signals; /* names, NULL-terminated */
  gsize n_signals;
  const char **units; /* of the signals, or NULL; static texts */
  GHashTable *index;  /* name, owned by signals, to its column */
  Column **columns;   /* the times, then the signals (n_signals + 1) */
  gsize n_rows, room; /* of each column */
  gsize seen;         /* so many first rows may be read by others and do not change any more */
  TimeDigits digits;
};

G_DEFINE_FINAL_TYPE (IfbamCourse, ifbam_course, G_TYPE_OBJECT)

static void
column_unref (gpointer data)
{
  Column *column = data;

  if (g_atomic_ref_count_dec (&column->refs))
    g_free (column);
}

static Column *
column_new (gsize room)
{
  Column *column = g_malloc (sizeof *column + room * sizeof *column->values);

  g_atomic_ref_count_init (&column->refs);
  return column;
}

/* Room for a row that nobody else reads. A column that is the course's alone only grows, which for a large
 * one is done without a copy. */
static void
make_room (IfbamCourse *course)
{
  const gsize room = course->n_rows < course->room ? course->room : MAX (16, 2 * course->room);

  for (gsize i = 0; i <= course->n_signals; i++)
    {
      Column *column = course->columns[i], *wider;

      if (g_atomic_ref_count_compare (&column->refs, 1))
        {
          if (room > course->room)
            course->columns[i] = g_realloc (column, sizeof *column + room * sizeof *column->values);
          continue;
        }
      wider = column_new (room);
      memcpy (wider->values, column->values, course->n_rows * sizeof *column->values);
      column_unref (column);
      course->columns[i] = wider;
    }
  course->room = room;
  course->seen = 0;
}

static void
ifbam_course_init (IfbamCourse *course)
{
  course->index = g_hash_table_new (g_str_hash, g_str_equal);
  course->signals = g_new0 (char *, 1);
  course->columns = g_new (Column *, 1);
  course->columns[0] = column_new (0);
}

static void
ifbam_course_finalize (GObject *object)
{
  IfbamCourse *course = IFBAM_COURSE (object);

  for (gsize i = 0; i <= course->n_signals; i++)
    column_unref (course->columns[i]);
  g_free (course->columns);
  g_free (course->units);
  g_hash_table_unref (course->index);
  g_strfreev (course->signals);
  G_OBJECT_CLASS (ifbam_course_parent_class)->finalize (object);
}

static void
ifbam_course_class_init (IfbamCourseClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ifbam_course_finalize;
}

/**
 * ifbam_course_new:
 * @signals: (array zero-terminated=1): the names of the signals, each once, without the time
 *
 * Makes a course without rows.
 *
 * Returns: (transfer full): a new course
 */
IfbamCourse *
ifbam_course_new (const char *const *signals)
{
  IfbamCourse *course = g_object_new (IFBAM_TYPE_COURSE, NULL);

  g_strfreev (course->signals);
  course->signals = g_strdupv ((char **) signals);
  course->n_signals = g_strv_length (course->signals);
  course->columns = g_renew (Column *, course->columns, course->n_signals + 1);
  for (gsize i = 0; i < course->n_signals; i++)
    {
      course->columns[i + 1] = column_new (0);
      g_hash_table_insert (course->index, course->signals[i], GSIZE_TO_POINTER (i + 1));
    }
  return course;
}

IfbamCourse *
ifbam_course_new_with_units (const char *const *signals, const char *const *units)
{
  IfbamCourse *course = ifbam_course_new (signals);

  course->units = g_memdup2 (units, course->n_signals * sizeof *units);
  return course;
}

/* "a, b, c, ... (1000 in all)" (transfer full) */
static char *
list_signals (IfbamCourse *course)
{
  GString *list = g_string_new (NULL);

  for (gsize i = 0; i < course->n_signals && i < MAX_LISTED; i++)
    g_string_append_printf (list, "%s%s", i > 0 ? ", " : "", course->signals[i]);
  if (course->n_signals > MAX_LISTED)
    g_string_append_printf (list, ", ... (%" G_GSIZE_FORMAT " in all)", course->n_signals);
  return g_string_free (list, FALSE);
}

/* NULL with an error: there is no such signal. */
static Column *
find_column (IfbamCourse *course, const char *signal, GError **error)
{
  const gsize place = GPOINTER_TO_SIZE (g_hash_table_lookup (course->index, signal));
  g_autofree char *list = NULL;

  if (place > 0)
    return course->columns[place];
  list = list_signals (course);
  return ifbam_fail_null (error, IFBAM_ERROR_USAGE,
                          "there is no signal \"%s\" in the course (it has %s)", signal, list);
}

/**
 * ifbam_course_get_unit:
 * @course: a course
 * @signal: the name of a signal, such as "m1.position"
 *
 * Gives the SI unit of a signal, such as "m"; "" for a number without one.
 *
 * Returns: (transfer none) (nullable): the unit; %NULL where the course does not know it, as of one that
 *   was read from a file, or has no such signal
 */
const char *
ifbam_course_get_unit (IfbamCourse *course, const char *signal)
{
  gsize place;

  g_return_val_if_fail (IFBAM_IS_COURSE (course) && signal != NULL, NULL);
  place = GPOINTER_TO_SIZE (g_hash_table_lookup (course->index, signal));
  return course->units == NULL || place == 0 ? NULL : course->units[place - 1];
}

/**
 * ifbam_course_get_signals:
 * @course: a course
 *
 * Gives the names of the signals in the order of the columns, without the time.
 *
 * Returns: (transfer none) (array zero-terminated=1): the names
 */
const char *const *
ifbam_course_get_signals (IfbamCourse *course)
{
  g_return_val_if_fail (IFBAM_IS_COURSE (course), NULL);
  return (const char *const *) course->signals;
}

/**
 * ifbam_course_get_n_rows:
 * @course: a course
 *
 * Counts the rows.
 *
 * Returns: the number of recorded instants
 */
gsize
ifbam_course_get_n_rows (IfbamCourse *course)
{
  g_return_val_if_fail (IFBAM_IS_COURSE (course), 0);
  return course->n_rows;
}

/**
 * ifbam_course_get_times:
 * @course: a course
 * @n_rows: (out) (optional): the number of recorded instants
 *
 * Gives the recorded instants [s], increasing. They stay valid until a row is appended.
 *
 * Returns: (transfer none) (array length=n_rows): the times
 */
const double *
ifbam_course_get_times (IfbamCourse *course, gsize *n_rows)
{
  g_return_val_if_fail (IFBAM_IS_COURSE (course), NULL);
  if (n_rows != NULL)
    *n_rows = course->n_rows;
  return course->columns[0]->values;
}

/**
 * ifbam_course_get_values:
 * @course: a course
 * @signal: the name of a signal, such as "m1.position"
 * @n_rows: (out) (optional): the number of recorded instants
 * @error: return location for an error
 *
 * Gives the values of a signal, in SI units. They stay valid until a row is appended.
 *
 * Returns: (transfer none) (array length=n_rows): the values, or %NULL with
 *   %IFBAM_ERROR_USAGE where the course has no such signal
 */
const double *
ifbam_course_get_values (IfbamCourse *course, const char *signal, gsize *n_rows, GError **error)
{
  const Column *column;

  g_return_val_if_fail (IFBAM_IS_COURSE (course), NULL);
  g_return_val_if_fail (signal != NULL, NULL);
  column = find_column (course, signal, error);
  if (n_rows != NULL)
    *n_rows = column == NULL ? 0 : course->n_rows;
  return column == NULL ? NULL : column->values;
}

/**
 * ifbam_course_get_bytes:
 * @course: a course
 * @signal: the name of a signal, such as "m1.position", or "time" for the recorded instants [s]
 * @error: return location for an error
 *
 * Gives the values of a signal, in SI units, as doubles of this machine one after the other, without a
 * copy: they stay as they are, and valid, whatever becomes of the course. In Python
 * `numpy.frombuffer(course.get_bytes("m1.position").get_data())` sees them.
 *
 * Returns: (transfer full): the values of the rows so far, or %NULL with %IFBAM_ERROR_USAGE where the
 *   course has no such signal
 */
GBytes *
ifbam_course_get_bytes (IfbamCourse *course, const char *signal, GError **error)
{
  Column *column;

  g_return_val_if_fail (IFBAM_IS_COURSE (course), NULL);
  g_return_val_if_fail (signal != NULL, NULL);
  column = strcmp (signal, "time") == 0 ? course->columns[0] : find_column (course, signal, error);
  if (column == NULL)
    return NULL;
  g_atomic_ref_count_inc (&column->refs);
  course->seen = MAX (course->seen, course->n_rows);
  return g_bytes_new_with_free_func (column->values, course->n_rows * sizeof *column->values,
                                     column_unref, column);
}

double
ifbam_course_get_time_unit (IfbamCourse *course, double time)
{
  const TimeDigits *digits = &course->digits;
  const double written = fabs (time) / digits->second;

  if (digits->significant == 0)
    return 0;
  return digits->second
         * fmax (pow (10, -digits->decimals),
                 written > 0 ? pow (10, floor (log10 (written)) + 1 - digits->significant) : 0);
}

/**
 * ifbam_course_append_row: (skip)
 * @course: a course
 * @time: the instant [s]
 * @values: one value per signal, in their order
 *
 * Adds a row at the end.
 */
void
ifbam_course_append_row (IfbamCourse *course, double time, const double *values)
{
  g_return_if_fail (IFBAM_IS_COURSE (course));
  if (course->n_rows == course->room || course->n_rows < course->seen)
    make_room (course);
  course->columns[0]->values[course->n_rows] = time;
  for (gsize i = 0; i < course->n_signals; i++)
    course->columns[i + 1]->values[course->n_rows] = values[i];
  course->n_rows++;
}

/**
 * ifbam_course_truncate:
 * @course: a course
 * @n_rows: how many rows to keep, at most as many as there are
 *
 * Drops the rows after the first @n_rows. (What ifbam_course_get_bytes() gave before keeps them.)
 */
void
ifbam_course_truncate (IfbamCourse *course, gsize n_rows)
{
  g_return_if_fail (IFBAM_IS_COURSE (course));
  g_return_if_fail (n_rows <= course->n_rows);
  course->n_rows = n_rows;
}

static gboolean
write_rows (IfbamCourse *course, IfbamCsvWriter *writer, GError **error)
{
  g_autofree double *row = g_new (double, course->n_signals + 1);

  for (gsize i = 0; i < course->n_rows; i++)
    {
      for (gsize j = 0; j < course->n_signals; j++)
        row[j] = course->columns[j + 1]->values[i];
      if (!ifbam_csv_writer_row (writer, course->columns[0]->values[i], row, error))
        return FALSE;
    }
  return ifbam_csv_writer_finish (writer, error);
}

/**
 * ifbam_course_write_csv:
 * @course: a course
 * @path: (type filename) (nullable): a file; %NULL or "-" is standard output
 * @error: return location for an error
 *
 * Writes the course as CSV: first column `time`, then the signals, numbers in the shortest form that reads back to the same
 * bits. A file appears whole or not at all.
 *
 * Returns: whether it was written; if not, %IFBAM_ERROR_WRITE says why
 */
gboolean
ifbam_course_write_csv (IfbamCourse *course, const char *path, GError **error)
{
  g_autofree const char **columns = NULL;
  g_autoptr (IfbamCsvWriter) writer = NULL;

  g_return_val_if_fail (IFBAM_IS_COURSE (course), FALSE);
  columns = g_new (const char *, course->n_signals + 2);
  columns[0] = "time";
  memcpy (columns + 1, course->signals, (course->n_signals + 1) * sizeof *columns);
  writer = ifbam_csv_writer_new (path, columns, error);
  return writer != NULL && write_rows (course, writer, error);
}

/* Signals by pattern */

const char *
ifbam_course_find_signal (IfbamCourse *course, const char *name)
{
  const gsize place = GPOINTER_TO_SIZE (g_hash_table_lookup (course->index, name));

  if (place > 0)
    return course->signals[place - 1];
  for (gsize i = 0; i < course->n_signals; i++)
    {
      g_autofree char *unit = NULL, *bare = ifbam_course_split_name (course->signals[i], &unit);

      if (unit != NULL && g_str_equal (bare, name))
        return course->signals[i];
    }
  return NULL;
}

gboolean
ifbam_course_rename (IfbamCourse *course, const char *name, const char *to, double scale,
                     GError **error)
{
  const char *own = ifbam_course_find_signal (course, name);
  gsize place, n;

  if (own == NULL)
    return ifbam_course_get_values (course, name, &n, error) != NULL;
  place = GPOINTER_TO_SIZE (g_hash_table_lookup (course->index, own));
  if (g_hash_table_contains (course->index, to) && !g_str_equal (own, to))
    return ifbam_fail (error, IFBAM_ERROR_COURSE, "\"%s\" is the name of another column", to);
  g_hash_table_remove (course->index, own);
  g_free (course->signals[place - 1]);
  course->signals[place - 1] = g_strdup (to);
  g_hash_table_insert (course->index, course->signals[place - 1], GSIZE_TO_POINTER (place));
  ifbam_course_scale (course->columns[place]->values, course->n_rows, scale);
  return TRUE;
}

/* Whether a name is of a range, "c.m[1:9:2].position". */
static gboolean
in_range (const char *name, const char *range, const char *bracket)
{
  const gsize before = (gsize) (bracket - range);
  uint64_t bound[3], number;
  const char *rest = ifbam_range_read (bracket, bound);
  char *end;

  if (rest == NULL || strncmp (name, range, before) != 0 || !g_ascii_isdigit (name[before]))
    return FALSE;
  number = g_ascii_strtoull (name + before, &end, 10);
  return g_str_equal (end, rest) && ifbam_range_holds (bound, number);
}

static gboolean
add_signals (IfbamCourse *course, const char *text, GPtrArray *found, GError **error)
{
  const char *bracket = strchr (text, '[');
  g_autoptr (GPatternSpec) pattern = NULL;
  const char *one = ifbam_course_find_signal (course, text);
  const guint before = found->len;
  gsize n;

  if (one != NULL)
    {
      g_ptr_array_add (found, (gpointer) one);
      return TRUE;
    }
  if (strchr (text, ',') != NULL)
    {
      g_auto (GStrv) parts = g_strsplit (text, ",", -1);

      for (guint i = 0; parts[i] != NULL; i++)
        if (!add_signals (course, g_strstrip (parts[i]), found, error))
          return FALSE;
      return TRUE;
    }
  if (strpbrk (text, "*?") != NULL)
    pattern = g_pattern_spec_new (text);
  else if (bracket == NULL || strchr (bracket, ':') == NULL)
    return ifbam_course_get_values (course, text, &n, error) != NULL;
  for (gsize i = 0; i < course->n_signals; i++)
    if (pattern != NULL ? g_pattern_spec_match_string (pattern, course->signals[i])
                        : in_range (course->signals[i], text, bracket))
      g_ptr_array_add (found, course->signals[i]);
  if (found->len == before)
    g_set_error (error, IFBAM_ERROR, IFBAM_ERROR_COURSE, "\"%s\" fits no signal of the course",
                 text);
  return found->len > before;
}

const char **
ifbam_course_find_signals (IfbamCourse *course, const char *const *texts, GError **error)
{
  g_autoptr (GPtrArray) found = g_ptr_array_new ();

  for (gsize i = 0; i < course->n_signals && texts == NULL; i++)
    g_ptr_array_add (found, course->signals[i]);
  for (guint i = 0; texts != NULL && texts[i] != NULL; i++)
    if (!add_signals (course, texts[i], found, error))
      return NULL;
  g_ptr_array_add (found, NULL);
  return (const char **) g_ptr_array_free (g_steal_pointer (&found), FALSE);
}

/* Reading: lines from a file descriptor, without taking in more than a line at a time. */
typedef struct
{
  const char *name; /* for messages */
  int fd;
  GByteArray *buffer; /* bytes that were read, with a zero after them */
  gsize start;        /* of the next line in it */
  gsize searched;     /* no line end before */
  gsize line;         /* number of the line that was returned last */
  double second;      /* what a time is to be multiplied by */
  gboolean ended;
} Reader;

static gboolean fault (const Reader *reader, GError **error, const char *format, ...)
    G_GNUC_PRINTF (3, 4);

static gboolean
fault (const Reader *reader, GError **error, const char *format, ...)
{
  g_autofree char *reason = NULL;
  va_list args;

  va_start (args, format);
  reason = g_strdup_vprintf (format, args);
  va_end (args);
  return ifbam_fail (error, IFBAM_ERROR_COURSE, "%s:%" G_GSIZE_FORMAT ": %s", reader->name,
                     reader->line, reason);
}

static gboolean
fault_of_file (const Reader *reader, GError **error, const char *reason)
{
  return ifbam_fail (error, IFBAM_ERROR_COURSE, "%s: %s", reader->name, reason);
}

static gboolean
fault_of_bytes (Reader *reader, const guint8 *bytes, const guint8 *zero, GError **error)
{
  reader->line++;
  for (; bytes < zero; bytes++)
    reader->line += *bytes == '\n';
  return fault (reader, error, "a zero byte: this is no text (want a CSV file)");
}

/* Reads a chunk; a zero byte ends it at once, so an endless device does, too. */
static gboolean
fill (Reader *reader, GError **error)
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
      return fault (reader, error, "the line does not end%s%s: this is no table (want a CSV file)",
                    lack == NULL ? "" : ", and to read on takes ", lack == NULL ? "" : lack);
    }
  g_byte_array_set_size (buffer, buffer->len + CHUNK + 1);
  do
    n = read (reader->fd, buffer->data + buffer->len - CHUNK - 1, CHUNK);
  while (n < 0 && errno == EINTR);
  if (n < 0)
    return fault_of_file (reader, error,
                          errno == EISDIR ? "is a folder (want a CSV file)" : g_strerror (errno));
  reader->ended = n == 0;
  g_byte_array_set_size (buffer, (guint) (buffer->len - CHUNK - 1 + (gsize) n));
  zero = n > 0 ? memchr (buffer->data + buffer->len - (gsize) n, 0, (gsize) n) : NULL;
  return zero == NULL || fault_of_bytes (reader, buffer->data, zero, error);
}

/* The next line without its end, writable until the next call; NULL at the file's end, or with an
 * error. */
static char *
read_line (Reader *reader, GError **error)
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
      /* The last line may have no end; fill left room for the zero. */
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

static gboolean
is_blank (const char *line)
{
  return line[strspn (line, " \t")] == '\0';
}

/* The next line that is not blank. */
static char *
read_row (Reader *reader, GError **error)
{
  char *line;

  do
    line = read_line (reader, error);
  while (line != NULL && is_blank (line));
  return line;
}

/* Takes a field off the line in place: no quotes, no blanks around it. *line is NULL after the
 * last. NULL where a quote does not close. */
static char *
take_field (char **line)
{
  char *field = *line + strspn (*line, " \t");
  char *end = field, *rest = field;

  if (*field == '"')
    {
      for (end = field, rest = field + 1; *rest != '\0' && (*rest != '"' || rest[1] == '"'); rest++)
        *end++ = *rest == '"' ? *rest++ : *rest;
      if (*rest++ == '\0')
        return NULL;
      rest += strspn (rest, " \t");
      if (*rest != ',' && *rest != '\0')
        return NULL;
    }
  else
    {
      rest += strcspn (rest, ",");
      for (end = rest; end > field && (end[-1] == ' ' || end[-1] == '\t');)
        end--;
    }
  *line = *rest == ',' ? rest + 1 : NULL;
  *end = '\0';
  return field;
}

/* A field as a message shows it (transfer full). */
static char *
quote (const char *field)
{
  g_autofree char *valid = g_utf8_make_valid (field, -1);
  g_autofree char *escaped = g_strescape (valid, NULL);
  char *end = escaped;

  if (strlen (escaped) <= MAX_QUOTED)
    return g_strdup_printf ("\"%s\"", escaped);
  end += MAX_QUOTED;
  *end = '\0';
  return g_strdup_printf ("\"%s...\"", escaped);
}

static gboolean
looks_like_number (const char *field)
{
  return *field != '\0' && field[strspn (field, "+-.0123456789eE")] == '\0'
         && strpbrk (field, "0123456789") != NULL;
}

static gboolean
parse_number (const char *field, double *number)
{
  char *end;

  if (!looks_like_number (field)) /* no nan, inf or 0x10 */
    return FALSE;
  *number = g_ascii_strtod (field, &end);
  return *end == '\0';
}

/* Such a name is told; what else stands in a file that is no table of ours is nobody's business. */
static gboolean
is_plain (const char *name)
{
  return strlen (name) <= MAX_QUOTED
         && name[strspn (name, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_-. []")] == '\0';
}

char *
ifbam_course_split_name (const char *name, char **unit)
{
  const gsize n = strlen (name);
  const char *bracket = strrchr (name, '[');
  gsize length = bracket == NULL ? 0 : (gsize) (bracket - name);

  *unit = NULL;
  if (length == 0 || name[n - 1] != ']' || !g_ascii_isspace (bracket[-1]))
    return g_strdup (name);
  *unit = g_strstrip (g_strndup (bracket + 1, n - length - 2));
  while (length > 0 && g_ascii_isspace (name[length - 1]))
    length--;
  return g_strndup (name, length);
}

void
ifbam_course_scale (double *values, gsize n, double scale)
{
  const double inverse = rint (1 / scale);

  if (scale < 1 && 1 / inverse == scale)
    for (gsize i = 0; i < n; i++)
      values[i] /= inverse;
  else if (scale != 1)
    for (gsize i = 0; i < n; i++)
      values[i] *= scale;
}

/* "time", or "time [ms]" */
static gboolean
check_time_name (Reader *reader, const char *name, gboolean *is_time, GError **error)
{
  g_autofree char *unit = NULL, *bare = ifbam_course_split_name (name, &unit);
  g_autofree char *one = g_strconcat ("1 ", unit, NULL), *reason = NULL;
  g_autofree char *shown = quote (name), *shown_unit = NULL;

  *is_time = g_ascii_strcasecmp (bare, "time") == 0;
  reader->second = 1;
  if (!*is_time || unit == NULL
      || ifbam_units_parse (one, "s", "time", "50 us", &reader->second, &reason))
    return TRUE;
  shown_unit = quote (unit);
  return fault (reader, error, "%s: %s is no unit of time (want such as \"time [s]\")", shown,
                shown_unit);
}

static gboolean
check_first_column (Reader *reader, const char *name, gboolean only, gsize n_columns,
                    GError **error)
{
  gboolean is_time;

  if (!check_time_name (reader, name, &is_time, error))
    return FALSE;
  if (is_time)
    return !only || fault (reader, error, "no signal beside the time (want time,SIGNAL,...)");
  if (looks_like_number (name))
    return fault (
        reader, error,
        "no line of names (want a first line such as time,m1.position before the numbers)");
  if (only && strpbrk (name, ";\t") != NULL)
    return fault (reader, error, "no comma (want fields that are separated by commas)");
  if (is_plain (name))
    return fault (reader, error, "the first column is \"%s\" (want \"time\")", name);
  return fault (reader, error,
                "no line of names among its %" G_GSIZE_FORMAT
                " fields (want a first line such as time,m1.position)",
                n_columns);
}

static gboolean
check_name (const Reader *reader, const char *name, gsize column, GHashTable *names, GError **error)
{
  g_autofree char *shown = NULL;

  if (!g_utf8_validate (name, -1, NULL))
    return fault (reader, error, "the names are no UTF-8 text (want a CSV file)");
  if (*name == '\0')
    return fault (reader, error, "column %" G_GSIZE_FORMAT " has no name", column);
  for (const char *c = name; *c != '\0'; c++)
    if (g_ascii_iscntrl (*c))
      return fault (reader, error,
                    "the name of column %" G_GSIZE_FORMAT " has a control character (code %d)",
                    column, *c);
  if (g_hash_table_add (names, g_strdup (name)))
    return TRUE;
  shown = quote (name);
  return fault (reader, error, "two columns are called %s (want each name once)", shown);
}

static IfbamCourse *
read_header (Reader *reader, GError **error)
{
  g_autoptr (GPtrArray) signals = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GHashTable) names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  char *line = read_row (reader, error);
  gsize n_columns = 1;

  if (line == NULL)
    {
      if (error == NULL || *error == NULL)
        fault_of_file (reader, error, "is empty (want a line time,SIGNAL,... and rows of numbers)");
      return NULL;
    }
  if (g_str_has_prefix (line, "\xef\xbb\xbf")) /* the byte order mark of some spreadsheets */
    line += 3;
  for (const char *c = line; *c != '\0'; c++)
    n_columns += *c == ',';
  for (gsize column = 1; line != NULL; column++)
    {
      char *name = take_field (&line);

      if (name == NULL)
        {
          fault (reader, error, "column %" G_GSIZE_FORMAT ": a quote is not closed", column);
          return NULL;
        }
      if ((column == 1 && g_utf8_validate (name, -1, NULL)
           && !check_first_column (reader, name, line == NULL, n_columns, error))
          || !check_name (reader, name, column, names, error))
        return NULL;
      if (column > 1)
        g_ptr_array_add (signals, g_strdup (name));
    }
  g_ptr_array_add (signals, NULL);
  return ifbam_course_new ((const char *const *) signals->pdata);
}

static gsize
count_fields (char *line)
{
  gsize n = 0;

  while (line != NULL && take_field (&line) != NULL)
    n++;
  return n;
}

static gboolean
fault_of_field (const Reader *reader, IfbamCourse *course, gsize column, const char *field,
                GError **error)
{
  g_autofree char *shown = quote (field);
  const char *name = column == 0 ? "time" : course->signals[column - 1];

  if (*field == '\0')
    return fault (reader, error, "%s is empty (want a number)", name);
  if (looks_like_number (field) && !isfinite (g_ascii_strtod (field, NULL)))
    return fault (reader, error, "%s: %s is beyond the range of numbers (want at most 1.7e308)",
                  name, shown);
  return fault (reader, error, "%s: %s is not a number (want one such as -1.5e-3)", name, shown);
}

/* Counts the digits of a time as it is written: "0.050" has three decimals and two significant digits. */
static void
count_digits (TimeDigits *digits, const char *field)
{
  const gsize length = strcspn (field, "eE");
  const char *point = memchr (field, '.', length);
  const int decimals = point == NULL ? 0 : (int) (field + length - point - 1);
  const gsize zeros = strspn (field, "+-.0");
  int significant = 0;

  for (gsize i = zeros; i < length; i++)
    significant += g_ascii_isdigit (field[i]);
  digits->decimals = MAX (
      digits->decimals,
      decimals
          - (field[length] == '\0' ? 0 : (int) g_ascii_strtoll (field + length + 1, NULL, 10)));
  digits->significant = MAX (digits->significant, significant);
}

/* row: the time, then the values [signals + 1] */
static gboolean
parse_row (Reader *reader, IfbamCourse *course, char *line, double *row, GError **error)
{
  gsize n_columns = course->n_signals + 1;
  gsize column = 0;

  while (line != NULL && column < n_columns)
    {
      char *field = take_field (&line);

      if (field == NULL)
        return fault (reader, error, "column %" G_GSIZE_FORMAT ": a quote is not closed",
                      column + 1);
      if (!parse_number (field, &row[column]) || !isfinite (row[column]))
        return fault_of_field (reader, course, column, field, error);
      if (column == 0)
        count_digits (&course->digits, field);
      column++;
    }
  if (line == NULL && column == n_columns)
    return TRUE;
  return fault (reader, error,
                "the row has %" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT " fields (want one per name)",
                column + count_fields (line), n_columns);
}

static gboolean
check_time (const Reader *reader, IfbamCourse *course, double time, GError **error)
{
  double last;

  if (course->n_rows == 0)
    return TRUE;
  last = course->columns[0]->values[course->n_rows - 1];
  if (time >= last && isfinite (time))
    return TRUE;
  return fault (reader, error, "time %s s comes after %s s (want times that increase)",
                IFBAM_NUMBER (time), IFBAM_NUMBER (last));
}

/* For one more row; columns that are full become twice as long. */
static gboolean
has_room (const Reader *reader, IfbamCourse *course, GError **error)
{
  g_autofree char *lack = NULL;

  if (course->n_rows < course->room)
    return TRUE;
  lack = ifbam_memory_lack ((double) course->n_rows * (double) (course->n_signals + 1)
                            * sizeof (double));
  return lack == NULL || fault (reader, error, "to read on takes %s", lack);
}

static gboolean
read_rows (Reader *reader, IfbamCourse *course, GError **error)
{
  g_autofree double *row = g_new (double, course->n_signals + 1);
  GError *failure = NULL;
  char *line;

  course->digits = (TimeDigits){ .second = reader->second, .decimals = G_MININT };
  while ((line = read_row (reader, &failure)) != NULL)
    {
      if (!parse_row (reader, course, line, row, error))
        return FALSE;
      ifbam_course_scale (row, 1, reader->second);
      if (!check_time (reader, course, row[0], error) || !has_room (reader, course, error))
        return FALSE;
      ifbam_course_append_row (course, row[0], row + 1);
    }
  if (failure != NULL)
    {
      g_propagate_error (error, failure);
      return FALSE;
    }
  return course->n_rows > 0 || fault_of_file (reader, error, "has names but no row of numbers");
}

static IfbamCourse *
read_course (Reader *reader, GError **error)
{
  g_autoptr (IfbamCourse) course = NULL;
  GError *failure = NULL;

  course = read_header (reader, &failure);
  if (course == NULL || !read_rows (reader, course, &failure))
    {
      g_propagate_error (error, failure);
      return NULL;
    }
  return g_steal_pointer (&course);
}

/* Without its rows if header_only. */
static IfbamCourse *
read_file (const char *path, gboolean header_only, GError **error)
{
  g_autoptr (GByteArray) buffer = NULL;
  Reader reader = { 0 };
  IfbamCourse *course;
  const gboolean standard = strcmp (path, "-") == 0;

  reader.name = standard ? "standard input" : path;
  reader.fd = standard ? STDIN_FILENO : g_open (path, O_RDONLY | O_CLOEXEC, 0);
  if (reader.fd < 0)
    {
      fault_of_file (&reader, error, g_strerror (errno));
      return NULL;
    }
  reader.buffer = buffer = g_byte_array_sized_new (2 * CHUNK);
  course = header_only ? read_header (&reader, error) : read_course (&reader, error);
  if (!standard)
    close (reader.fd);
  return course;
}

IfbamCourse *
ifbam_course_new_from_header (const char *path, GError **error)
{
  return read_file (path, TRUE, error);
}

/**
 * ifbam_course_new_from_csv:
 * @path: (type filename): a file; "-" is standard input
 * @error: return location for an error
 *
 * Reads a CSV file: a line of names, the first of them `time`, and rows of finite numbers at
 * increasing times; two rows at one time stand before and after an event. The time may have a unit,
 * `time [ms]`, and is in seconds in the course.
 *
 * Returns: (transfer full): a new course, or %NULL with %IFBAM_ERROR_COURSE, which says file, line
 *   and what would be right
 */
IfbamCourse *
ifbam_course_new_from_csv (const char *path, GError **error)
{
  g_return_val_if_fail (path != NULL, NULL);
  return read_file (path, FALSE, error);
}
