/* test-course.c: courses in memory and in CSV files, written whole and read back exactly
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <fcntl.h>
#include <float.h>
#include <glib/gstdio.h>
#include <locale.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fixture.h"
#include "file/file.h"
#include "file/ifbam-course.h"
#include "base/ifbam-error.h"

static IfbamCourse *
read_bytes (const char *text, gsize length, GError **error)
{
  g_autofree char *path = folder_path ("in.csv");

  assert_true (g_file_set_contents (path, text, (gssize) length, NULL));
  return ifbam_course_new_from_csv (path, error);
}

static void
assert_refuses_bytes (const char *text, gsize length, const char *parts)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamCourse) course = read_bytes (text, length, &error);

  if (course != NULL)
    fail_msg ("read: %s", text);
  assert_true (g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_COURSE));
  assert_message (error->message, "in.csv:");
  assert_message (error->message, parts);
}

static void
assert_refuses (const char *text, const char *parts)
{
  assert_refuses_bytes (text, strlen (text), parts);
}

static void
assert_reads (const char *text, const char *first, const char *second)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamCourse) course = read_bytes (text, strlen (text), &error);
  const char *const *signals;
  const double *times, *a, *b;
  gsize n = 0;

  if (course == NULL)
    fail_msg ("%s", error->message);
  signals = ifbam_course_get_signals (course);
  assert_string_equal (signals[0], first);
  assert_string_equal (signals[1], second);
  assert_null (signals[2]);
  times = ifbam_course_get_times (course, &n);
  assert_int_equal (n, 2);
  a = ifbam_course_get_values (course, first, &n, NULL);
  b = ifbam_course_get_values (course, second, NULL, NULL);
  assert_int_equal (n, 2);
  assert_true (times[0] == 0 && times[1] == 0.5);
  assert_true (a[0] == 1 && a[1] == -2e-3);
  assert_true (b[0] == 0.25 && b[1] == 4);
}

static void
test_memory (void **state)
{
  const char *const signals[] = { "a", "b", NULL };
  g_autoptr (IfbamCourse) course = ifbam_course_new (signals);
  g_autoptr (GError) error = NULL;
  gsize n = 99;

  (void) state;
  assert_int_equal (ifbam_course_get_n_rows (course), 0);
  for (int i = 0; i < 1000; i++)
    ifbam_course_append_row (course, i * 0.5, (double[]){ i, -i });
  assert_int_equal (ifbam_course_get_n_rows (course), 1000);
  assert_true (ifbam_course_get_values (course, "b", &n, NULL)[999] == -999);
  assert_true (ifbam_course_get_times (course, NULL)[999] == 499.5);
  ifbam_course_truncate (course, 10);
  assert_non_null (ifbam_course_get_values (course, "a", &n, NULL));
  assert_int_equal (n, 10);
  assert_null (ifbam_course_get_values (course, "c", &n, &error));
  assert_int_equal (n, 0);
  assert_true (g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_USAGE));
  assert_non_null (strstr (error->message, "\"c\""));
  assert_non_null (strstr (error->message, "a, b"));
}

/* Returned data remain unchanged, and are copied only if necessary. */
static void
test_bytes (void **state)
{
  const char *const signals[] = { "a", NULL };
  IfbamCourse *course = ifbam_course_new (signals);
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) first = NULL, times = NULL, later = NULL, last = NULL;
  const double *values;
  gsize size;

  (void) state;
  for (int i = 0; i < 100; i++)
    ifbam_course_append_row (course, i * 0.5, (double[]){ i });
  first = ifbam_course_get_bytes (course, "a", NULL);
  times = ifbam_course_get_bytes (course, "time", NULL);
  values = g_bytes_get_data (first, &size);
  assert_int_equal (size, 100 * sizeof (double));
  assert_ptr_equal (values, ifbam_course_get_values (course, "a", NULL, NULL));
  assert_ptr_equal (g_bytes_get_data (times, NULL), ifbam_course_get_times (course, NULL));
  /* Rows after them, then other rows instead of them, which must not be seen. */
  for (int i = 100; i < 10000; i++)
    ifbam_course_append_row (course, i * 0.5, (double[]){ i });
  later = ifbam_course_get_bytes (course, "a", NULL);
  ifbam_course_truncate (course, 50);
  last = ifbam_course_get_bytes (course, "a", NULL);
  ifbam_course_append_row (course, 25, (double[]){ -1 });
  assert_true (ifbam_course_get_values (course, "a", NULL, NULL)[50] == -1);
  assert_null (ifbam_course_get_bytes (course, "b", &error));
  assert_true (g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_USAGE));
  g_object_unref (course);
  for (int i = 0; i < 100; i++)
    assert_true (values[i] == i);
  values = g_bytes_get_data (later, &size);
  assert_int_equal (size, 10000 * sizeof (double));
  for (int i = 0; i < 10000; i++)
    assert_true (values[i] == i);
  assert_int_equal (g_bytes_get_size (last), 50 * sizeof (double));
}

static void
test_dialects (void **state)
{
  (void) state;
  assert_reads ("time,a,b\n0,1,0.25\n0.5,-2e-3,4\n", "a", "b");
  assert_reads ("time,a,b\r\n0,1,0.25\r\n0.5,-2e-3,4", "a", "b");
  assert_reads ("\xef\xbb\xbftime, a ,\tb\n 0 , +1 , .25 \n\n.5, -0.002E0,4.\n\n", "a", "b");
  assert_reads ("\"time\",\"a,b\",\"c\"\"d\"\n\"0\",1,\"0.25\"\n0.5,\"-2e-3\" ,4\n", "a,b", "c\"d");
}

static void
test_faults (void **state)
{
  (void) state;
  assert_refuses ("", "empty*time,SIGNAL");
  assert_refuses ("\n\n", "empty*time,SIGNAL");
  assert_refuses ("time,a\n", "in.csv: has names but no row of numbers");
  assert_refuses ("time\n0\n", ":1:*no signal*time,SIGNAL");
  assert_refuses ("u,a\n0,1\n",
                  ":1: the first column is \"u\" (want \"time\", or --csv time=COLUMN)");
  /* Messages do not show the contents of an arbitrary file. */
  assert_refuses ("root:x:0:0:root:/root:/bin/bash,y\n",
                  ":1:*no line of names*2 fields*time,m1.position");
  assert_refuses ("time,\"a\033[31m\"\n0,1\n",
                  ":1: the name of column 2 has a control character (code 27)");
  assert_refuses ("x;a\n0;1\n", ":1: the first column is \"x\"");
  assert_refuses ("0,1\n1,2\n", ":1:*no line of names*time,m1.position");
  assert_refuses ("time,a,a\n0,1,2\n", ":1: two columns are called \"a\" (want each name once)");
  assert_refuses ("time,,a\n0,1,2\n", ":1: column 2 has no name");
  assert_refuses ("time,\"a\n0,1\n", ":1: column 2: a quote is not closed");
  assert_refuses ("time,a,b\n0,1,2\n1,2\n", ":3:*2 of 3 fields");
  assert_refuses ("time,a\n0,1,2,3\n", ":2:*4 of 2 fields");
  assert_refuses ("time,a\n0,1,\n", ":2:*3 of 2 fields");
  assert_refuses ("time,a\n0,\n", ":2: a is empty (want a number)");
  assert_refuses ("time,a\n0,ten\n", ":2: a: \"ten\"*number");
  assert_refuses ("time,a\n0,nan\n", ":2: a: \"nan\"*number");
  assert_refuses ("time,a\n0,inf\n", ":2: a: \"inf\"*number");
  assert_refuses ("time,a\n0,0x1\n", ":2: a: \"0x1\"*number");
  assert_refuses ("time,a\n0,+\n", ":2: a: \"+\"*number");
  assert_refuses ("time [m],a\n0,1\n", ":1: \"time [m]\": \"m\" is no unit of time");
  /* A terminal can show it, whatever the header holds, and however much of it. */
  assert_refuses ("time\f[mass m\a],a\n0,1\n",
                  ":1: \"time\\f[mass m\\007]\": \"mass m\\007\" is no unit of time");
  assert_refuses ("time[m],a\n0,1\n", ":1: \"time[m]\": \"m\" is no unit of time");
  assert_refuses ("time [s,a\n0,1\n", ":1: the first column is \"time [s\" (want \"time\"");
  assert_refuses ("[s],a\n0,1\n", ":1: the first column is \"[s]\" (want \"time\"");
  assert_refuses ("time  [ms],a\n0,1\n-1,1\n", ":3:*-0.001 s*0 s*increase");
  assert_refuses ("time,a\n0,1e\n", ":2: a: \"1e\"*number");
  assert_refuses ("time,a\n0,1e400\n", ":2: a: \"1e400\"*range*1.7e308");
  assert_refuses ("time,a\n0,1\n-1,1\n", ":3:*-1 s*0 s*increase");
  assert_refuses ("time,a\n0,1\n\n-1,1\n", ":4:*-1 s*0 s*increase");
  assert_refuses ("\xff\xfe,a\n0,1\n", ":1: the names are no UTF-8 text (want a CSV file)");
  assert_refuses_bytes ("time,a\n0,1\n\0", 12,
                        ":3: a zero byte: this is not text (want a CSV file)");
}

/* Returns the signals of a text of names, patterns and ranges, joined by blanks; of a fault its message. */
static void
assert_finds (const char *text, const char *expected)
{
  const char *const signals[] = { "c.m1.position",      "c.m2.position",
                                  "c.m3.position [mm]", "c.m10.position",
                                  "c.m2.velocity",      "c.mx.position",
                                  "d.m2.position",      NULL };
  const char *const texts[] = { text, NULL };
  g_autoptr (IfbamCourse) course = ifbam_course_new (signals);
  g_autoptr (GError) error = NULL;
  g_autofree const char **found = ifbam_course_find_signals (course, texts, &error);
  g_autofree char *joined = found == NULL ? NULL : g_strjoinv (" ", (char **) found);

  if (found == NULL)
    assert_message (error->message, expected);
  else
    assert_string_equal (joined, expected);
}

static void
test_ranges (void **state)
{
  (void) state;
  assert_finds ("c.m[1:2].position", "c.m1.position c.m2.position");
  assert_finds ("c.m[1:10:3].position", "c.m1.position c.m10.position");
  assert_finds ("c.m[1:2:0].position", "c.m1.position c.m2.position"); /* no stride: each */
  assert_finds ("c.m[2:].position", "c.m2.position c.m10.position");
  assert_finds ("c.m[:2].position", "c.m1.position c.m2.position");
  assert_finds ("c.m[2:3].position, c.m?.velocity", "c.m2.position c.m2.velocity");
  assert_finds ("c.m3.position", "c.m3.position [mm]");
  assert_finds ("c.m[3:2].position", "fits no signal");
  assert_finds ("c.m[1:2", "fits no signal");
  assert_finds ("c.m[1:2:3:4].position", "fits no signal");
  assert_finds ("c.m[a:b].position", "fits no signal");
  assert_finds ("e.m[1:9].position", "fits no signal");
  assert_finds ("c.m[2].position", "there is no signal");
}

static void
assert_file_fault (const char *path, const char *parts)
{
  g_autoptr (GError) error = NULL;

  assert_null (ifbam_course_new_from_csv (path, &error));
  assert_true (g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_COURSE));
  assert_true (g_str_has_prefix (error->message, path));
  assert_message (error->message, parts);
}

static void
test_no_files (void **state)
{
  g_autofree char *missing = folder_path ("missing.csv");

  (void) state;
  assert_file_fault (missing, ": No such file or directory");
  assert_file_fault (folder, ": is a folder (want a CSV file)");
  assert_file_fault ("/dev/null", ":*empty*time,SIGNAL");
  assert_file_fault ("/dev/zero", ":1: a zero byte: this is not text (want a CSV file)");
}

/* Lines that cross the reader's chunks; a line that is longer than one. */
static void
test_long_lines (void **state)
{
  enum
  {
    N = 30000
  };
  g_autoptr (GString) text = g_string_new ("time");
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamCourse) course = NULL;

  (void) state;
  for (int i = 0; i < N; i++)
    g_string_append_printf (text, ",c.m%d.position", i);
  for (int row = 0; row < 3; row++)
    {
      g_string_append_printf (text, "\n%d", row);
      for (int i = 0; i < N; i++)
        g_string_append_printf (text, ",%d", row * i);
    }
  course = read_bytes (text->str, text->len, &error);
  if (course == NULL)
    fail_msg ("%s", error->message);
  assert_int_equal (ifbam_course_get_n_rows (course), 3);
  for (int i = 0; i < N; i += 997)
    {
      g_autofree char *name = g_strdup_printf ("c.m%d.position", i);

      assert_true (ifbam_course_get_values (course, name, NULL, NULL)[2] == 2.0 * i);
    }
  assert_null (ifbam_course_get_values (course, "nil", NULL, &error));
  assert_true (strlen (error->message) < 400);
  assert_true (g_str_has_suffix (error->message, "... (30000 in all))"));
}

static const double hard_numbers[] = {
  0.1,          -0.0,        0.0,
  1.0,          -1.0,        1e9,
  -999999999.0, 123456789.0, 1e9 + 0.5,
  DBL_MAX,      DBL_MIN,     4.9406564584124654e-324, /* the smallest of all */
  1.0 / 3,      5e-5 * 3,    9007199254740993.0,
  1e23,         -1e-300,     2.2250738585072011e-308,
};

static void
test_exact (void **state)
{
  const char *const signals[] = { "x", "y, \"quoted\"", NULL };
  g_autoptr (IfbamCourse) course = ifbam_course_new (signals);
  g_autoptr (IfbamCourse) again = NULL;
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  g_autoptr (GError) error = NULL;
  g_autofree char *path = folder_path ("exact.csv");
  const gsize n = 20000;

  (void) state;
  for (gsize i = 0; i < n; i++)
    {
      double hard = hard_numbers[i % G_N_ELEMENTS (hard_numbers)];
      double wild = ldexp (g_rand_double (rand) - 0.5, g_rand_int_range (rand, -1000, 1000));

      ifbam_course_append_row (course, (double) i * 5e-5, (double[]){ hard, wild });
    }
  assert_true (ifbam_course_write_csv (course, path, &error));
  again = ifbam_course_new_from_csv (path, &error);
  if (again == NULL)
    fail_msg ("%s", error->message);
  assert_int_equal (ifbam_course_get_n_rows (again), n);
  assert_memory_equal (ifbam_course_get_times (course, NULL), ifbam_course_get_times (again, NULL),
                       n * sizeof (double));
  for (guint i = 0; i < 2; i++)
    assert_memory_equal (ifbam_course_get_values (course, signals[i], NULL, NULL),
                         ifbam_course_get_values (again, signals[i], NULL, NULL),
                         n * sizeof (double));
}

static void
test_text (void **state)
{
  const char *const signals[] = { "a", "b", NULL };
  g_autofree char *path = folder_path ("text.csv");
  g_autofree char *text = NULL;
  g_autoptr (IfbamCourse) course = ifbam_course_new (signals);

  (void) state;
  g_remove (path);
  ifbam_course_append_row (course, 0, (double[]){ 0.1, -7 });
  ifbam_course_append_row (course, 5e-5, (double[]){ 1e-7, 1e10 });
  assert_true (ifbam_course_write_csv (course, path, NULL));
  assert_true (g_file_get_contents (path, &text, NULL, NULL));
  assert_string_equal (text, "time,a,b\n"
                             "0,0.1,-7\n"
                             "5e-05,1e-07,10000000000\n");
}

static void
test_locale (void **state)
{
  (void) state;
  if (setlocale (LC_ALL, "de_DE.UTF-8") == NULL)
    skip ();
  test_text (state);
  test_exact (state);
  setlocale (LC_ALL, "C");
}

static void
test_unfinished_leaves_nothing (void **state)
{
  g_autofree char *path = folder_path ("unfinished.csv");
  guint before = folder_count ();
  IfbamOutput *output = ifbam_output_new (path, NULL);

  (void) state;
  assert_int_equal (folder_count (), before + 1);
  for (int i = 0; i < 100000; i++)
    {
      ifbam_csv_append_row (ifbam_output_text (output), i, (double[]){ i * 0.1 }, 1);
      assert_true (ifbam_output_flush (output, IFBAM_OUTPUT_BYTES, NULL));
    }
  ifbam_output_free (output);
  assert_int_equal (folder_count (), before);
}

static void
test_mode_and_replacement (void **state)
{
  const char *const signals[] = { "a", NULL };
  g_autoptr (IfbamCourse) course = ifbam_course_new (signals);
  g_autofree char *path = folder_path ("mode.csv"), *link = folder_path ("link.csv");
  g_autofree char *text = NULL;
  mode_t mask = umask (027);
  GStatBuf status;

  (void) state;
  assert_true (ifbam_course_write_csv (course, path, NULL));
  umask (mask);
  assert_int_equal (g_stat (path, &status), 0);
  assert_int_equal (status.st_mode & 0777, 0640);

  /* Through a link, the file is replaced and the link stays. */
  assert_int_equal (symlink ("mode.csv", link), 0);
  ifbam_course_append_row (course, 0, (double[]){ 2 });
  assert_true (ifbam_course_write_csv (course, link, NULL));
  assert_true (g_file_test (link, G_FILE_TEST_IS_SYMLINK));
  assert_true (g_file_get_contents (path, &text, NULL, NULL));
  assert_string_equal (text, "time,a\n0,2\n");

  /* A link to a missing file, too. */
  g_remove (path);
  assert_true (ifbam_course_write_csv (course, link, NULL));
  assert_true (g_file_test (link, G_FILE_TEST_IS_SYMLINK));
  assert_true (g_file_test (path, G_FILE_TEST_IS_REGULAR));
}

static void
assert_unwritable (const char *path, const char *reason)
{
  const char *const signals[] = { "a", NULL };
  g_autoptr (IfbamCourse) course = ifbam_course_new (signals);
  g_autoptr (GError) error = NULL;
  g_autofree char *message = g_strdup_printf ("%s: %s", path, reason);

  for (int i = 0; i < 100000; i++)
    ifbam_course_append_row (course, i, (double[]){ i * 0.1 });
  assert_false (ifbam_course_write_csv (course, path, &error));
  assert_true (g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_WRITE));
  assert_string_equal (error->message, message);
}

static void
test_unwritable (void **state)
{
  g_autofree char *nowhere = folder_path ("nowhere/a.csv"), *loop = folder_path ("loop");
  g_autofree char *slash = folder_path ("new/");
  guint before;

  (void) state;
  assert_int_equal (symlink ("loop", loop), 0);
  before = folder_count ();
  assert_unwritable ("/dev/full", "No space left on device");
  assert_unwritable (nowhere, "No such file or directory");
  assert_unwritable (slash, "No such file or directory");
  assert_unwritable (folder, "Is a directory");
  assert_unwritable (loop, "Too many levels of symbolic links");
  assert_unwritable ("", "No such file or directory");
  assert_int_equal (folder_count (), before);
}

/* A signal that ends the program removes unfinished files, but not a marked one, which a later run continues. */
static void
test_abandoned (void **state)
{
  g_autofree char *path = folder_path ("left"), *kept = folder_path ("kept"), *sum = NULL;
  g_autoptr (IfbamOutput) output = ifbam_output_new (path, NULL);
  g_autoptr (IfbamOutput) marked = ifbam_output_new (kept, NULL);
  const guint before = folder_count ();
  guint64 size;

  (void) state;
  assert_true (ifbam_output_write (marked, "text", 4, NULL));
  assert_true (ifbam_output_mark (marked, &size, &sum, NULL));
  assert_int_equal (size, 4);
  ifbam_output_abandon ();
  assert_int_equal (folder_count (), before - 1);
  assert_false (g_file_test (ifbam_output_beside (output), G_FILE_TEST_EXISTS));
  assert_true (g_file_test (ifbam_output_beside (marked), G_FILE_TEST_EXISTS));
  /* Without its mark it is removed, too. */
  ifbam_output_forget_mark (marked);
  ifbam_output_abandon ();
  assert_int_equal (folder_count (), before - 2);
}

/* A mark is gone on from in the file that has its bytes, whichever that is; else it is said which has them not. */
static void
test_marks (void **state)
{
  g_autofree char *path = folder_path ("marked"), *part = folder_path ("marked.part"), *sum = NULL,
                  *text = NULL;
  g_autoptr (IfbamOutput) output = ifbam_output_new (path, NULL);
  g_autoptr (IfbamOutput) full = ifbam_output_new ("/dev/full", NULL);
  g_autoptr (IfbamOutput) again = NULL;
  g_autoptr (GError) error = NULL;
  guint64 size;

  (void) state;
  /* A failed output has no mark and no end; nor has a device. */
  assert_false (ifbam_output_mark (full, &size, &sum, &error));
  assert_message (error->message,
                  "/dev/full: is no regular file, so that no run can continue with it");
  g_clear_error (&error);
  assert_false (ifbam_output_write (full, "text", 4, NULL));
  assert_false (ifbam_output_mark (full, &size, &sum, &error));
  assert_message (error->message, "/dev/full: No space left on device");
  g_clear_error (&error);
  assert_false (ifbam_output_close (full, &error));
  assert_message (error->message, "/dev/full: No space left on device");
  g_clear_error (&error);

  assert_true (ifbam_output_write (output, "kept", 4, NULL));
  assert_true (ifbam_output_mark (output, &size, &sum, NULL));
  assert_true (ifbam_output_write (output, "lost", 4, NULL));
  assert_true (ifbam_output_finish (output, NULL));
  /* The finished file becomes the unfinished one, without later data. */
  assert_null (ifbam_output_new_at_mark (path, size, "another sum", &error));
  assert_message (error->message, "marked: neither this file nor the unfinished one beside it has "
                                  "the 4 bytes that were written");
  g_clear_error (&error);
  assert_int_equal (g_mkdir (part, 0700), 0);
  assert_null (ifbam_output_new_at_mark (path, size, "another sum", &error));
  assert_message (error->message, "marked: Is a directory");
  g_clear_error (&error);
  assert_null (ifbam_output_new_at_mark (path, size, sum, &error));
  assert_message (error->message, "marked: Is a directory");
  g_clear_error (&error);
  assert_int_equal (g_rmdir (part), 0);
  again = ifbam_output_new_at_mark (path, size, sum, &error);
  assert_non_null (again);
  assert_true (ifbam_output_write (again, " on", 3, NULL));
  assert_true (ifbam_output_finish (again, NULL));
  assert_true (g_file_get_contents (path, &text, NULL, NULL));
  assert_string_equal (text, "kept on");
  assert_false (g_file_test (part, G_FILE_TEST_EXISTS));
}

/* A file with two names whose target can't be written in the end: all of it is there, and it is said where. */
static void
test_two_names (void **state)
{
  g_autofree char *path = folder_path ("one"), *other = folder_path ("two"),
                  *part = folder_path ("one.part"), *text = NULL;
  g_autoptr (IfbamOutput) output = NULL;
  g_autoptr (GError) error = NULL;

  (void) state;
  assert_true (ifbam_output_put (path, "old", 3, NULL));
  assert_int_equal (link (path, other), 0);
  assert_true (ifbam_output_put (path, "new", 3, NULL));
  assert_true (g_file_get_contents (other, &text, NULL, NULL));
  assert_string_equal (text, "new");
  output = ifbam_output_new (path, NULL);
  assert_true (ifbam_output_is_linked (output));
  assert_true (ifbam_output_write (output, "newer", 5, NULL));
  assert_int_equal (g_unlink (path), 0);
  assert_int_equal (g_mkdir (path, 0700), 0);
  assert_false (ifbam_output_finish (output, &error));
  assert_message (error->message, "one: Is a directory; all of it is in *one.part");
  ifbam_output_free (g_steal_pointer (&output));
  g_free (text);
  assert_true (g_file_get_contents (part, &text, NULL, NULL));
  assert_string_equal (text, "newer");
}

/* A name of a file that is open already is that file, wherever it stands: it is neither replaced nor begun anew. */
static void
test_open_files (void **state)
{
  g_autofree char *path = folder_path ("log"), *link = folder_path ("to-log"), *text = NULL;
  g_autofree char *number = NULL, *name = NULL;
  g_autoptr (GError) error = NULL;
  GStatBuf status;
  int fd = g_open (path, O_RDWR | O_CREAT | O_TRUNC, 0600), other;
  guint before;

  (void) state;
  assert_true (fd >= 0);
  number = g_strdup_printf ("/proc/self/fd/%d", fd);
  name = g_strdup_printf ("/dev/fd/%d", fd);
  assert_int_equal (symlink (number, link), 0);
  before = folder_count ();
  assert_int_equal (write (fd, "first\n", 6), 6);
  for (guint i = 0; i < 3; i++)
    assert_true (
        ifbam_output_put (((const char *[]){ link, name, number })[i], "then\n", 5, &error));
  assert_int_equal (write (fd, "last\n", 5), 5);
  assert_int_equal (folder_count (), before);
  assert_true (g_file_test (link, G_FILE_TEST_IS_SYMLINK));
  assert_int_equal (g_stat (path, &status), 0);
  assert_int_equal (status.st_mode & 0777, 0600);
  assert_true (g_file_get_contents (path, &text, NULL, NULL));
  assert_string_equal (text, "first\nthen\nthen\nthen\nlast\n");
  assert_true (ifbam_output_is_same (link, path) && ifbam_output_is_same (name, link));
  assert_true (ifbam_output_try (name, NULL));
  /* So is one whose name is gone. */
  assert_int_equal (g_unlink (path), 0);
  assert_true (ifbam_output_put (name, "more\n", 5, &error));
  assert_int_equal (folder_count (), before - 1);
  assert_int_equal (lseek (fd, 0, SEEK_END), 31);
  other = dup (fd);
  close (other);
  g_free (name);
  name = g_strdup_printf ("/dev/fd/%d", other);
  assert_false (ifbam_output_put (name, "more\n", 5, &error));
  assert_message (error->message, "/dev/fd/*: Bad file descriptor");
  close (fd);
  g_unlink (link);
}

/* As many symbolic links are followed as the system follows. */
static void
test_many_links (void **state)
{
  enum
  {
    MOST = 40 /* Linux */
  };
  g_autofree char *path = folder_path ("link0"), *text = NULL, *last = folder_path ("link40"),
                  *beyond = folder_path ("link41");
  g_autoptr (GError) error = NULL;

  (void) state;
  assert_true (ifbam_output_put (path, "old", 3, NULL));
  for (guint i = 1; i <= MOST + 1; i++)
    {
      g_autofree char *to = g_strdup_printf ("link%u", i - 1),
                      *name = g_strdup_printf ("link%u", i);
      g_autofree char *link = folder_path (name);

      assert_int_equal (symlink (to, link), 0);
    }
  if (!ifbam_output_put (last, "new", 3, &error))
    fail_msg ("%s", error->message);
  assert_true (g_file_get_contents (path, &text, NULL, NULL));
  assert_string_equal (text, "new");
  assert_true (ifbam_output_is_same (last, path));
  assert_false (ifbam_output_put (beyond, "new", 3, &error));
  assert_message (error->message, "link41: Too many levels of symbolic links");
  assert_false (ifbam_output_is_same (beyond, path));
}

static void
test_pipe (void **state)
{
  g_autofree char *path = folder_path ("fifo");
  int reader;

  (void) state;
  signal (SIGPIPE, SIG_IGN);
  assert_int_equal (mkfifo (path, 0600), 0);
  reader = open (path, O_RDONLY | O_NONBLOCK);
  assert_true (reader >= 0);
  {
    g_autoptr (IfbamOutput) output = ifbam_output_new (path, NULL);
    g_autoptr (GError) error = NULL, again = NULL;
    char text[64] = "";

    g_string_append (ifbam_output_text (output), "time,a\n");
    assert_true (ifbam_output_finish (output, NULL));
    assert_int_equal (read (reader, text, sizeof text), 7);
    assert_string_equal (text, "time,a\n");

    ifbam_output_free (g_steal_pointer (&output));
    output = ifbam_output_new (path, NULL);
    g_string_append (ifbam_output_text (output), "1,2\n");
    close (reader);
    assert_false (ifbam_output_finish (output, &error));
    assert_non_null (strstr (error->message, "fifo: Broken pipe"));
    assert_false (ifbam_output_finish (output, &again)); /* it stays failed */
  }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_memory),
    cmocka_unit_test (test_bytes),
    cmocka_unit_test (test_dialects),
    cmocka_unit_test (test_faults),
    cmocka_unit_test (test_ranges),
    cmocka_unit_test (test_no_files),
    cmocka_unit_test (test_long_lines),
    cmocka_unit_test (test_exact),
    cmocka_unit_test (test_text),
    cmocka_unit_test (test_locale),
    cmocka_unit_test (test_unfinished_leaves_nothing),
    cmocka_unit_test (test_mode_and_replacement),
    cmocka_unit_test (test_unwritable),
    cmocka_unit_test (test_abandoned),
    cmocka_unit_test (test_marks),
    cmocka_unit_test (test_two_names),
    cmocka_unit_test (test_open_files),
    cmocka_unit_test (test_many_links),
    cmocka_unit_test (test_pipe),
  };

  return cmocka_run_group_tests (tests, folder_make, folder_remove);
}
