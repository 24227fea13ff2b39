/* test-network-writer.c: a network that is written reads back to the same network; elements come and go
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/ifbam-error.h"
#include "fixture.h"
#include "file/file.h"

static char *
to_text (IfbamNetwork *network)
{
  g_autoptr (GError) error = NULL;
  gsize length;
  char *text = ifbam_network_to_data (network, &length, &error);

  if (text == NULL)
    fail_msg ("%s", error->message);
  assert_int_equal (strlen (text), length);
  return text;
}

static void
assert_same_runs (IfbamNetwork *one, IfbamNetwork *other, const char *what)
{
  g_autoptr (GError) error = NULL, other_error = NULL;
  g_autoptr (IfbamCourse) a = ifbam_network_run (one, IFBAM_ENGINE_PLAN, &error);
  g_autoptr (IfbamCourse) b = ifbam_network_run (other, IFBAM_ENGINE_PLAN, &other_error);
  const char *const *signals;

  if (a == NULL && b == NULL)
    {
      assert_string_equal (error->message, other_error->message);
      return;
    }
  if (a == NULL || b == NULL)
    fail_msg ("%s: only one of them runs: %s", what,
              a == NULL ? error->message : other_error->message);
  signals = ifbam_course_get_signals (a);
  assert_true (g_strv_equal (signals, ifbam_course_get_signals (b)));
  for (guint s = 0; signals[s] != NULL; s++)
    {
      g_autoptr (GBytes) values = ifbam_course_get_bytes (a, signals[s], NULL);
      g_autoptr (GBytes) others = ifbam_course_get_bytes (b, signals[s], NULL);

      if (!g_bytes_equal (values, others))
        fail_msg ("%s: %s differs", what, signals[s]);
    }
}

static void
test_shipped (void **state)
{
  static const char *const folders[] = { "networks", "networks/teaching" };
  g_autofree char *path = folder_path ("network.ini");
  guint n = 0;

  (void) state;
  for (guint f = 0; f < G_N_ELEMENTS (folders); f++)
    {
      g_auto (GStrv) paths = shipped_networks (folders[f], G_STRFUNC);

      for (guint p = 0; paths[p] != NULL; p++)
        {
          const char *from = paths[p];
          g_autoptr (IfbamNetwork) network = NULL, again = NULL;
          g_autofree char *text = NULL, *text_again = NULL;
          g_autoptr (GError) error = NULL;

          network = open_network (from, NULL);
          /* Elsewhere, so that course files have to be found again. */
          if (!ifbam_network_save (network, path, &error))
            fail_msg ("%s: %s", from, error->message);
          again = open_network (path, NULL);
          assert_same_runs (network, again, from);
          assert_true (g_file_get_contents (path, &text, NULL, NULL));
          text_again = to_text (again);
          assert_string_equal (text, text_again);
          n++;
        }
    }
  print_message ("# %u networks\n", n);
  assert_true (n > by_effort (7, 30, 30));
}

/* Elements of a chain have keys of their own. */
static void
test_members (void **state)
{
  static const char text[] =
      "[network]\nstep = 1 ms\nduration = 0.1 s\nrecord = c.*.position\n"
      "[ground wall]\n"
      "[parameters]\nsoft = 2 kN/m\n"
      "[chain c]\nk3.stiffness = $soft\nm4.position = -1 mm\nm2.position = 3 mm\ncount = 4\n"
      "mass = 1 kg\nstiffness = 10 kN/m\nfrom = wall\n";
  static const char *const settings[] = { "c.k3.stiffness=2kN/m", "c.m2.position=3mm",
                                          "c.m4.position=-1mm", NULL };
  static const char plain[] =
      "[network]\nstep = 1 ms\nduration = 0.1 s\nrecord = c.*.position\n"
      "[ground wall]\n"
      "[chain c]\ncount = 4\nmass = 1 kg\nstiffness = 10 kN/m\nfrom = wall\n";
  g_autoptr (IfbamNetwork) network = text_network (text);
  g_autoptr (IfbamNetwork) by_settings = text_network_set (plain, settings);
  g_autofree char *written = to_text (network);
  g_autoptr (IfbamNetwork) again = text_network (written);
  g_autofree char *again_written = to_text (again);

  (void) state;
  assert_same_runs (network, by_settings, "keys and settings");
  assert_same_runs (network, again, "written");
  assert_string_equal (written, again_written);
  /* In the order of the chain, not in that of the file. */
  assert_non_null (strstr (written, "m2.position"));
  assert_non_null (strstr (strstr (written, "m2.position"), "m4.position"));
}

/* A value that no file can hold is told, not changed. */
static void
test_refuses (void **state)
{
  static const char *const titles[] = { "two\nlines", "costs $5", "a # b", " blank", "" };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (titles); i++)
    {
      g_autoptr (IfbamNetwork) network = ifbam_network_new ();
      g_autoptr (GError) error = NULL;
      gsize length;

      g_object_set (ifbam_network_get_settings (network), "title", titles[i], NULL);
      assert_null (ifbam_network_to_data (network, &length, &error));
      assert_int_equal (length, 0);
      assert_true (g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_WRITE));
      assert_non_null (strstr (error->message, "[network] title: "));
    }
}

static void
test_elements (void **state)
{
  g_autoptr (IfbamNetwork) network = open_network ("networks/two-dof.ini", NULL);
  g_autoptr (GError) error = NULL;
  gsize n, m;
  g_autofree IfbamElement **elements = NULL, **fewer = NULL;
  IfbamElement *spring = ifbam_network_get_element (network, "k2");
  IfbamElement *other;

  (void) state;
  elements = ifbam_network_list_elements (network, &n);
  assert_non_null (elements);
  assert_true (n > 4);
  ifbam_network_remove (network, ifbam_network_get_element (network, "m2"));
  assert_null (ifbam_network_get_element (network, "m2"));
  assert_false (ifbam_network_check (network, &error));
  assert_non_null (strstr (error->message, "\"m2\""));
  /* A name that is free again can be had, and its element stands at the end. */
  other = ifbam_network_add (network, "mass", "m2", NULL);
  g_object_set (other, "mass", 2.0, NULL);
  assert_true (ifbam_network_check (network, NULL));
  ifbam_network_remove (network, spring);
  fewer = ifbam_network_list_elements (network, &m);
  assert_int_equal (m, n - 1);
  assert_ptr_equal (fewer[m - 1], other);
}

/* A parameter that only an element used which is taken out is used no more; others are. */
static void
test_parameters_of_a_removed_element (void **state)
{
  g_autoptr (IfbamNetwork) network = text_network (
      "[network]\nstep = 1 ms\nduration = 1 s\n[parameters]\na = 2\nb = 3\n[ground g]\n[mass m]\n"
      "mass = $a\n[spring k]\nstiffness = $a * $b\nbetween = g, m\n");
  g_autofree const char **before = ifbam_network_used_parameters (network), **after = NULL;

  (void) state;
  assert_int_equal (g_strv_length ((char **) before), 2);
  ifbam_network_remove (network, ifbam_network_get_element (network, "k"));
  after = ifbam_network_used_parameters (network);
  assert_int_equal (g_strv_length ((char **) after), 1);
  assert_string_equal (after[0], "a");
}

/* An error of no single element names none. */
static void
test_issue_of_none (void **state)
{
  g_autoptr (IfbamNetwork) network = text_network (
      "[network]\nstep = 1 ms\nduration = 1 s\n[mass m]\nmass = 2\n[gravity earth]\non = m\n");
  g_autoptr (GError) error = NULL;

  (void) state;
  g_object_set (ifbam_network_get_settings (network), "start", "equilibrium", NULL);
  assert_null (ifbam_network_run (network, IFBAM_ENGINE_PLAN, &error));
  assert_string_equal (error->message, "there is no state of rest: nothing holds m against a force "
                                       "of -19.62 N (a free rigid-body motion)");
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_shipped),
    cmocka_unit_test (test_members),
    cmocka_unit_test (test_refuses),
    cmocka_unit_test (test_elements),
    cmocka_unit_test (test_parameters_of_a_removed_element),
    cmocka_unit_test (test_issue_of_none),
  };

  return cmocka_run_group_tests (tests, folder_make, folder_remove);
}
