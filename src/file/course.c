/* course.c: time series of signals
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "file/course.h"
#include "file/csv-table.h"
#include "file/output-file.h"
#include "base/fail.h"
#include "base/range-text.h"

#include <math.h>
#include <string.h>

#define MAX_LISTED 12 /* signals named in a message */

/* Values of a column, shared by its course and the GBytes of it. */
typedef struct
{
  gatomicrefcount refs;
  double values[];
} Column;

/**
 * IfbamCourse:
 *
 * Time series of signals: one row of doubles per recorded time, in SI units, of a run or of a CSV
 * file with the first column `time`.
 */
struct _IfbamCourse
{
  GObject parent_instance;
  char **signals; /* names, NULL-terminated */
  gsize n_signals;
  const char **units; /* of the signals: static texts; or NULL */
  GHashTable *index;  /* name (owned by signals) -> column */
  Column **columns;   /* the times, then the signals (n_signals + 1) */
  gsize n_rows, room; /* used and allocated rows */
  gsize seen;         /* first rows that GBytes may refer to, which must not change */
  IfbamTimeDigits digits;
  char *dialect; /* of its CSV file, in words; NULL: the plain one */
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

/* Allocates memory for a row. Columns shared with GBytes are copied, others are grown in place. */
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
  g_free (course->dialect);
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
 * Creates a course without rows.
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

IfbamCourse *
ifbam_signals_course (const IfbamSignals *signals)
{
  return ifbam_course_new_with_units ((const char *const *) signals->names->pdata,
                                      (const char *const *) signals->units->pdata);
}

/* Returns "a, b, c, ... (1000 in all)" (transfer full). */
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

/* Returns NULL with an error if there is no such signal. */
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
 * Returns the SI unit of a signal, such as "m"; "" for a dimensionless number.
 *
 * Returns: (transfer none) (nullable): the unit; %NULL if it or the signal is not known
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
 * Returns the names of the signals in the order of the columns, without the time.
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
 * Returns: the number of recorded times
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
 * @n_rows: (out) (optional): the number of recorded times
 *
 * Returns the recorded times [s], increasing. They are valid until a row is appended.
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
 * @n_rows: (out) (optional): the number of recorded times
 * @error: return location for an error
 *
 * Returns the values of a signal, in SI units. They are valid until a row is appended.
 *
 * Returns: (transfer none) (array length=n_rows): the values, or %NULL with %IFBAM_ERROR_USAGE
 *   where the course has no such signal
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
 * @signal: the name of a signal, such as "m1.position", or "time" for the recorded times [s]
 * @error: return location for an error
 *
 * Returns the values of a signal, in SI units, as an array of doubles, without a copy; they are
 * constant, and outlive the course. In Python:
 * `numpy.frombuffer(course.get_bytes("m1.position").get_data())`.
 *
 * Returns: (transfer full): the values of the rows so far, or %NULL with %IFBAM_ERROR_USAGE where
 *   the course has no such signal
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
  const IfbamTimeDigits *digits = &course->digits;
  const double written = fabs (time) / digits->second;

  if (digits->significant == 0)
    return 0;
  return digits->second
         * fmax (pow (10, -digits->decimals),
                 written > 0 ? pow (10, floor (log10 (written)) + 1 - digits->significant) : 0);
}

void
ifbam_course_set_dialect (IfbamCourse *course, char *dialect)
{
  g_free (course->dialect);
  course->dialect = dialect;
}

const char *
ifbam_course_get_dialect (IfbamCourse *course)
{
  return course->dialect;
}

void
ifbam_course_set_time_digits (IfbamCourse *course, const IfbamTimeDigits *digits)
{
  course->digits = *digits;
}

/**
 * ifbam_course_append_row: (skip)
 * @course: a course
 * @time: the time [s]
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
 * @n_rows: number of rows to keep, at most the present one
 *
 * Drops the rows after the first @n_rows. (Earlier results of ifbam_course_get_bytes() keep them.)
 */
void
ifbam_course_truncate (IfbamCourse *course, gsize n_rows)
{
  g_return_if_fail (IFBAM_IS_COURSE (course));
  g_return_if_fail (n_rows <= course->n_rows);
  course->n_rows = n_rows;
}

/**
 * ifbam_course_write_csv:
 * @course: a course
 * @path: (type filename) (nullable): a file; %NULL or "-" is standard output
 * @error: return location for an error
 *
 * Writes the course as CSV: first column `time`, then the signals, numbers in the shortest form
 * that reads back to the same bits. A file appears complete or not at all.
 *
 * Returns: whether it was written; if not, %IFBAM_ERROR_WRITE states the reason
 */
gboolean
ifbam_course_write_csv (IfbamCourse *course, const char *path, GError **error)
{
  g_autofree double *row = NULL;
  g_autoptr (IfbamOutput) output = NULL;
  GString *text;

  g_return_val_if_fail (IFBAM_IS_COURSE (course), FALSE);
  row = g_new (double, course->n_signals + 1);
  output = ifbam_output_new (path, error);
  if (output == NULL)
    return FALSE;
  text = ifbam_output_text (output);
  g_string_append (text, course->n_signals > 0 ? "time," : "time\n");
  if (course->n_signals > 0)
    ifbam_csv_append_names (text, (const char *const *) course->signals);
  for (gsize i = 0; i < course->n_rows; i++)
    {
      for (gsize j = 0; j < course->n_signals; j++)
        row[j] = course->columns[j + 1]->values[i];
      ifbam_csv_append_row (text, course->columns[0]->values[i], row, course->n_signals);
      if (!ifbam_output_flush (output, IFBAM_OUTPUT_BYTES, error))
        return FALSE;
    }
  return ifbam_output_finish (output, error);
}

IfbamCourse *
ifbam_course_cut (IfbamCourse *course, double from, double to, GError **error)
{
  const double *times = course->columns[0]->values;
  const gsize n = course->n_rows;
  /* A part of the mean interval. */
  const double rounding = n > 1 ? 1e-6 * (times[n - 1] - times[0]) / (double) (n - 1) : 0;
  g_autofree double *row = g_new (double, course->n_signals + 1);
  g_autoptr (IfbamCourse) cut =
      course->units != NULL
          ? ifbam_course_new_with_units ((const char *const *) course->signals, course->units)
          : ifbam_course_new ((const char *const *) course->signals);

  cut->digits = course->digits;
  for (gsize i = 0; i < n; i++)
    {
      for (gsize j = 0; j < course->n_signals; j++)
        row[j] = course->columns[j + 1]->values[i];
      if (times[i] >= from - rounding && times[i] <= to + rounding)
        ifbam_course_append_row (cut, times[i], row);
    }
  return cut->n_rows > 0 ? g_steal_pointer (&cut)
                         : ifbam_fail_null (error, IFBAM_ERROR_COURSE,
                                            "no row lies between --from and --to (rows are from "
                                            "%.10g s to %.10g s)",
                                            n > 0 ? times[0] : 0, n > 0 ? times[n - 1] : 0);
}

/* Signals by pattern */

const char *
ifbam_course_find_signal (IfbamCourse *course, const char *name)
{
  const gsize place = GPOINTER_TO_SIZE (g_hash_table_lookup (course->index, name));
  guint64 number;

  if (place > 0)
    return course->signals[place - 1];
  for (gsize i = 0; i < course->n_signals; i++)
    {
      g_autofree char *unit = NULL, *bare = ifbam_course_split_name (course->signals[i], &unit);

      if (unit != NULL && g_str_equal (bare, name))
        return course->signals[i];
    }
  return g_ascii_string_to_unsigned (name, 10, 2, course->n_signals + 1, &number, NULL)
             ? course->signals[number - 2]
             : NULL;
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

/* TRUE if a name is in a range, "c.m[1:9:2].position". */
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
