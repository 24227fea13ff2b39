/* fixture.c: what tests stand on: a folder of their own, and networks from texts
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "fixture.h"

#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <setjmp.h>
#include <string.h>
#include <cmocka.h>

#include <glib/gstdio.h>

#include "run/run.h"

char *folder;

int
folder_make (void **state)
{
  (void) state;
  folder = g_dir_make_tmp ("ifbam-test-XXXXXX", NULL);
  return folder == NULL;
}

/* With all that is in it. */
static void
remove_folder (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *inner = g_build_filename (path, name, NULL);

      if (g_file_test (inner, G_FILE_TEST_IS_DIR) && !g_file_test (inner, G_FILE_TEST_IS_SYMLINK))
        remove_folder (inner);
      else
        g_remove (inner);
    }
  g_rmdir (path);
}

int
folder_remove (void **state)
{
  (void) state;
  remove_folder (folder);
  g_clear_pointer (&folder, g_free);
  return 0;
}

char *
folder_path (const char *name)
{
  return g_build_filename (folder, name, NULL);
}

char *
folder_write (const char *name, const char *text)
{
  char *path = folder_path (name);

  assert_true (g_file_set_contents (path, text, -1, NULL));
  return path;
}

guint
folder_count (void)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  guint n = 0;

  while (g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

guint
wanted_seeds (guint usual)
{
  const char *text = g_getenv ("TEST_SEEDS");

  return text == NULL ? usual : (guint) MAX (atoi (text), 1);
}

guint
by_effort (guint brief, guint usual, guint full)
{
  const char *effort = g_getenv ("TEST_EFFORT");

  return g_strcmp0 (effort, "brief") == 0 ? brief : g_strcmp0 (effort, "full") == 0 ? full : usual;
}

static int
compare_paths (gconstpointer a, gconstpointer b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

char **
shipped_networks (const char *from, const char *caller)
{
  g_autoptr (GDir) dir = g_dir_open (from, 0, NULL);
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func (g_free);
  GPtrArray *some = g_ptr_array_new ();
  const guint each = by_effort (4, 1, 1);
  const char *name;

  assert_non_null (dir);
  while ((name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, ".ini"))
      g_ptr_array_add (all, g_build_filename (from, name, NULL));
  g_ptr_array_sort (all, compare_paths);
  for (guint i = g_str_hash (caller) % each; i < all->len; i += each)
    g_ptr_array_add (some, g_strdup (all->pdata[i]));
  assert_true (some->len > 0);
  g_ptr_array_add (some, NULL);
  return (char **) g_ptr_array_free (some, FALSE);
}

gboolean
go_on_for_a_while (gpointer data)
{
  Patience *patience = data;

  return patience->asked++ < patience->most;
}

IfbamNetwork *
open_network (const char *path, const char *const *settings)
{
  g_autoptr (GError) error = NULL;
  IfbamNetwork *network = ifbam_network_new_from_file (path, settings, &error);

  if (network == NULL)
    fail_msg ("%s", error->message);
  return network;
}

IfbamNetwork *
text_network_try (const char *text, const char *const *settings, GError **error)
{
  const IfbamNetworkBytes bytes = { (char *) "network.ini", folder, (char *) text, strlen (text),
                                    NULL };

  return ifbam_network_new_from_bytes (&bytes, settings, error);
}

char *
rc_ladder (const char *settings)
{
  GString *text = g_string_new ("[network]\nstep = 0.1 s\n"
                                "record = c1.voltage, c50.voltage, c100.voltage\n");

  g_string_append_printf (text, "%s[voltage-source u]\nvoltage = 1 V\n", settings);
  for (int i = 1; i <= 100; i++)
    g_string_append_printf (text,
                            "[resistor r%d]\nresistance = 1 kohm\nbetween = %s%.0d, c%d\n"
                            "[capacitor c%d]\ncapacitance = %.17g F\n",
                            i, i == 1 ? "u" : "c", i - 1, i, i,
                            pow (10, -12 + (double) ((i - 1) * 37 % 100) / 11));
  return g_string_free (text, FALSE);
}

void
text_refused (const char *text, const char *words)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamNetwork) network = text_network_try (text, NULL, &error);
  g_autoptr (IfbamCourse) course =
      network == NULL ? NULL : ifbam_network_run (network, IFBAM_ENGINE_PLAN, &error);

  assert_null (course);
  if (strstr (error->message, words) == NULL)
    fail_msg ("\"%s\" says nothing of \"%s\"", error->message, words);
}

double
course_first (IfbamCourse *course, const char *signal)
{
  gsize n;
  const double *values = ifbam_course_get_values (course, signal, &n, NULL);

  assert_non_null (values);
  return values[0];
}

double
course_last (IfbamCourse *course, const char *signal)
{
  gsize n;
  const double *values = ifbam_course_get_values (course, signal, &n, NULL);

  assert_non_null (values);
  return values[n - 1];
}

IfbamNetwork *
text_network_set (const char *text, const char *const *settings)
{
  g_autoptr (GError) error = NULL;
  IfbamNetwork *network = text_network_try (text, settings, &error);

  if (network == NULL)
    fail_msg ("%s\n%s", error->message, text);
  return network;
}

IfbamNetwork *
text_network (const char *text)
{
  return text_network_set (text, NULL);
}

IfbamNetwork *
text_network_printf (const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list arguments;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  return text_network (text);
}

IfbamCourse *
network_course (IfbamNetwork *network, IfbamEngineKind engine)
{
  g_autoptr (GError) error = NULL;
  IfbamCourse *course = ifbam_network_run (network, engine, &error);

  if (course == NULL)
    fail_msg ("%s", error->message);
  return course;
}

IfbamCourse *
text_course (const char *text)
{
  g_autoptr (IfbamNetwork) network = text_network (text);

  return network_course (network, IFBAM_ENGINE_PLAN);
}

guint criticals;

static gboolean expected_criticals;

static GLogWriterOutput
count_critical (GLogLevelFlags level, const GLogField *fields, gsize n_fields, gpointer data)
{
  if (!expected_criticals || (level & (G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_WARNING)) == 0)
    return g_log_writer_default (level, fields, n_fields, data);
  criticals++;
  return G_LOG_WRITER_HANDLED;
}

void
expect_criticals (gboolean expected)
{
  static GLogLevelFlags usual;
  static gboolean counting;

  if (!counting)
    g_log_set_writer_func (count_critical, NULL, NULL);
  counting = TRUE;
  if (expected && !expected_criticals)
    usual = g_log_set_always_fatal (G_LOG_FATAL_MASK);
  else if (!expected && expected_criticals)
    g_log_set_always_fatal (usual);
  expected_criticals = expected;
  criticals = 0;
}

void
assert_message (const char *message, const char *parts)
{
  g_auto (GStrv) all = g_strsplit (parts, "*", -1);
  const char *rest = message;

  for (guint i = 0; all[i] != NULL; i++)
    {
      const char *found = strstr (rest, all[i]);

      if (found == NULL)
        fail_msg ("\"%s\" does not tell \"%s\" (of \"%s\")", message, all[i], parts);
      rest = found + strlen (all[i]);
    }
}

void
assert_near (double number, double wanted, double tolerance, const char *what)
{
  if (!(fabs (number - wanted) <= tolerance))
    fail_msg ("%s: %.17g, not %.17g: off by %.3g, %.3g at most", what, number, wanted,
              number - wanted, tolerance);
}
