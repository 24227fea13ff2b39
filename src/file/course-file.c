/* course-file.c: reads courses from CSV files, and from files of any kind
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "file/ifbam-course-file.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "base/number-text.h"
#include "file/csv-reader.h"
#include "file/hdf5.h"
#include "file/quantities.h"
#include "file/result.h"

#define MAX_SHOWN 40 /* bytes of a name in a message */

/* TRUE if a message may show a name: the file may be any, and its text secret. */
static gboolean
is_plain (const char *name)
{
  return strlen (name) <= MAX_SHOWN
         && name[strspn (name, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_-. []")] == '\0';
}

/* TRUE for a name of the time, in some languages and of some oscilloscopes. */
static gboolean
is_time_name (const char *name)
{
  static const char *const names[] = { "time",  "t",    "zeit",         "temps",  "tiempo",
                                       "tempo", "czas", "elapsed time", "x-axis", NULL };
  g_autofree char *small = g_utf8_strdown (name, -1);

  return g_strv_contains (names, small);
}

/* Checks for "time" or "time [ms]"; *second: the unit [s]. FALSE: its unit is no time. */
static gboolean
check_time_name (const IfbamCsvReader *reader, const char *name, gboolean *is_time, double *second,
                 GError **error)
{
  g_autofree char *unit = NULL, *bare = ifbam_course_split_name (name, &unit);
  g_autofree char *one = g_strconcat ("1 ", unit, NULL), *reason = NULL;
  g_autofree char *shown = ifbam_csv_quote (name), *shown_unit = NULL;

  *is_time = is_time_name (bare) || reader->dialect.header == 0;
  *second = 1;
  if (!*is_time || unit == NULL || ifbam_units_parse (one, "s", "time", "50 us", second, &reason))
    return TRUE;
  shown_unit = ifbam_csv_quote (unit);
  return ifbam_csv_fail (reader, error, "%s: %s is no unit of time (want such as \"time [s]\")",
                         shown, shown_unit);
}

static gsize
count_commas (const char *row)
{
  gsize n = 0;

  for (; *row != '\0'; row++)
    n += *row == ',';
  return n;
}

static gboolean
check_first_column (const IfbamCsvReader *reader, const char *name, gboolean only, gsize n_columns,
                    double *second, GError **error)
{
  gboolean is_time;

  if (!check_time_name (reader, name, &is_time, second, error))
    return FALSE;
  if (is_time)
    return !only
           || ifbam_csv_fail (reader, error, "no signal beside the time (want time,SIGNAL,...)");
  if (ifbam_csv_is_like_number (name, reader->dialect.decimal))
    return ifbam_csv_fail (reader, error,
                           "no line of names (want a first line such as time,m1.position before "
                           "the numbers, or --csv header=no)");
  if (is_plain (name))
    return ifbam_csv_fail (
        reader, error, "the first column is \"%s\" (want \"time\", or --csv time=COLUMN)", name);
  return ifbam_csv_fail (reader, error,
                         "no line of names among its %" G_GSIZE_FORMAT
                         " fields (want a first line such as time,m1.position)",
                         n_columns);
}

/* Finds the column of times, by the option for it. */
static gboolean
find_time_column (const IfbamCsvReader *reader, const GPtrArray *names, guint *column,
                  GError **error)
{
  const char *wanted = ifbam_csv_time_column ();
  guint64 number;

  *column = 0;
  if (wanted == NULL)
    return TRUE;
  if (g_ascii_string_to_unsigned (wanted, 10, 1, names->len, &number, NULL))
    {
      *column = (guint) number - 1;
      return TRUE;
    }
  for (guint i = 0; i < names->len; i++)
    {
      g_autofree char *unit = NULL, *bare = ifbam_course_split_name (names->pdata[i], &unit);

      *column = i;
      if (g_str_equal (names->pdata[i], wanted) || g_str_equal (bare, wanted))
        return TRUE;
    }
  return ifbam_csv_fail (reader, error, "there is no column \"%s\" (--csv time=%s)", wanted,
                         wanted);
}

/* Names of the columns: first that of the times. */
typedef struct
{
  GPtrArray *names; /* char *; last NULL */
  guint time;       /* index of the times in the file */
  double second;    /* unit of the time [s] */
} Columns;

/* Reads the names of the columns. */
static gboolean
read_names (IfbamCsvReader *reader, Columns *columns, GError **error)
{
  GPtrArray *names = columns->names;
  char *row =
      ifbam_csv_read_first_row (reader, "a line time,SIGNAL,... and rows of numbers", error);
  g_autofree char *copy = g_strdup (row);
  char *rest = copy;
  const char *first = row == NULL ? NULL : ifbam_csv_take_field (&rest, reader->dialect.separator);
  const gboolean only = rest == NULL, invalid = first != NULL && !g_utf8_validate (first, -1, NULL);
  gboolean is_time;

  if (row == NULL)
    return FALSE;
  /* The fault of a line that is no text of names is its first name. */
  if (first != NULL && !invalid && reader->dialect.units == 0 && ifbam_csv_time_column () == NULL
      && !check_first_column (reader, first, only, MAX (reader->dialect.n, count_commas (row) + 1),
                              &columns->second, error))
    return FALSE;
  if (!ifbam_csv_read_names (reader, row, names, error)
      || !find_time_column (reader, names, &columns->time, error))
    return FALSE;
  g_ptr_array_insert (names, 0, g_ptr_array_steal_index (names, columns->time));
  g_ptr_array_add (names, NULL);
  return reader->dialect.units > 0 && ifbam_csv_time_column () == NULL
             ? check_first_column (reader, names->pdata[0], only, names->len - 1, &columns->second,
                                   error)
             : check_time_name (reader, names->pdata[0], &is_time, &columns->second, error);
}

/* Counts the digits of a time: "0.050" has three decimals and two significant digits. */
static void
count_digits (IfbamTimeDigits *digits, const char *field)
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

/* Moves the times to the front of a row. */
static void
move_time (double *row, guint time)
{
  const double moved = row[time];

  memmove (row + 1, row, time * sizeof *row);
  row[0] = moved;
}

static gboolean
read_rows (IfbamCsvReader *reader, IfbamCourse *course, const Columns *columns,
           IfbamTimeDigits *digits, GError **error)
{
  const char *const *names = (const char *const *) columns->names->pdata;
  const gsize n = columns->names->len - 1;
  g_autofree double *row = g_new (double, n);
  GError *failure = NULL;
  double last = 0, asked = 0;
  char *text;

  while ((text = ifbam_csv_read_row (reader, &failure)) != NULL)
    {
      const gsize n_rows = ifbam_course_get_n_rows (course);
      g_autofree char *lack =
          ifbam_memory_lack_of_growing ((double) n_rows * (double) n * sizeof *row, &asked);

      if (!ifbam_csv_read_numbers (reader, text, names, n, FALSE, row, error))
        return FALSE;
      move_time (row, columns->time);
      if (columns->time == 0)
        count_digits (digits, text + strspn (text, " \t\""));
      ifbam_course_scale (row, 1, digits->second);
      if (n_rows > 0 && !(row[0] >= last && isfinite (row[0])))
        return ifbam_csv_fail (reader, error,
                               "time %s s comes after %s s (want times that increase)",
                               IFBAM_NUMBER (row[0]), IFBAM_NUMBER (last));
      if (lack != NULL)
        return ifbam_csv_fail (reader, error, "to read on takes %s", lack);
      last = row[0];
      ifbam_course_append_row (course, row[0], row + 1);
    }
  if (failure != NULL)
    {
      g_propagate_error (error, failure);
      return FALSE;
    }
  return ifbam_course_get_n_rows (course) > 0
         || ifbam_fail (error, IFBAM_ERROR_COURSE, "%s: has names but no row of numbers",
                        reader->name);
}

/* with_rows: FALSE: a course without samples. */
static IfbamCourse *
read_file (const char *path, gboolean with_rows, GError **error)
{
  g_auto (IfbamCsvReader) reader = { .fd = -1 };
  IfbamTimeDigits digits = { .decimals = G_MININT };
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  Columns columns = { .names = names };
  g_autoptr (IfbamCourse) course = NULL;

  if (!ifbam_csv_reader_open (&reader, path, error) || !read_names (&reader, &columns, error))
    return NULL;
  digits.second = columns.second;
  course = ifbam_course_new ((const char *const *) names->pdata + 1);
  ifbam_course_set_dialect (course, ifbam_csv_dialect_text (&reader.dialect));
  if (with_rows && !read_rows (&reader, course, &columns, &digits, error))
    return NULL;
  ifbam_course_set_time_digits (course, &digits);
  return g_steal_pointer (&course);
}

IfbamCourse *
ifbam_course_new_from_header (const char *path, GError **error)
{
  return read_file (path, FALSE, error);
}

/**
 * ifbam_course_new_from_csv:
 * @path: (type filename): a file; "-" is standard input
 * @error: return location for an error
 *
 * Reads a CSV file: a line of names, beginning with `time`, and rows of finite numbers at
 * increasing times; two rows at the same time are before and after an event. The time may have a
 * unit, `time [ms]`, and is in seconds in the course. Separators, decimal commas, lines before the
 * names and a line of units are recognised.
 *
 * Returns: (transfer full): a new course, or %NULL with %IFBAM_ERROR_COURSE at its line
 */
IfbamCourse *
ifbam_course_new_from_csv (const char *path, GError **error)
{
  g_return_val_if_fail (path != NULL, NULL);
  return read_file (path, TRUE, error);
}

/**
 * ifbam_course_new_from_file:
 * @path: (type filename): a file; "-" is standard input
 * @error: return location for an error
 *
 * Reads courses from a result in HDF5 of `ifbam run -o FILE.h5` (it may still grow), which has
 * units of signals, or else from a CSV file, as ifbam_course_new_from_csv() does. It examines the
 * first bytes.
 *
 * Returns: (transfer full): a new course, or %NULL with %IFBAM_ERROR_COURSE
 */
IfbamCourse *
ifbam_course_new_from_file (const char *path, GError **error)
{
  return strcmp (path, "-") != 0 && ifbam_hdf5_is_file (path)
             ? ifbam_result_read_course (path, error)
             : ifbam_course_new_from_csv (path, error);
}
