/* test-json-text.c: JSON that is written can be read, whatever its numbers and texts
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <string.h>

#include "file/file.h"

static const char awkward[] = "2e-12.0 \\ \" 1e5.0, \\\" {3e22.0}";

static void
test_it_is_read_again (void **state)
{
  static const double numbers[] = { 0,    1,      -1,     0.1,  2e-12,    -2e-12,
                                    1e22, -1e100, 1e-300, 5e-5, 123456,   1.5e-12,
                                    10.0, 2.0,    1e15,   1e16, 4.9e-324, 1.7976931348623157e308 };

  (void) state;
  for (guint pretty = 0; pretty < 2; pretty++)
    {
      g_autoptr (JsonBuilder) builder = json_builder_new ();
      g_autoptr (JsonNode) root = NULL, again = NULL;
      g_autofree char *text = NULL;
      g_autoptr (GError) error = NULL;
      JsonArray *array;

      json_builder_begin_array (builder);
      for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
        {
          json_builder_add_double_value (builder, numbers[i]);
          json_builder_add_string_value (builder, awkward);
        }
      json_builder_end_array (builder);
      root = json_builder_get_root (builder);
      text = ifbam_json_text (root, pretty != 0);
      again = json_from_string (text, &error);
      if (again == NULL)
        fail_msg ("%s in %s", error->message, text);
      array = json_node_get_array (again);
      assert_int_equal (json_array_get_length (array), 2 * G_N_ELEMENTS (numbers));
      for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
        {
          assert_true (json_array_get_double_element (array, 2 * i) == numbers[i]);
          assert_string_equal (json_array_get_string_element (array, 2 * i + 1), awkward);
        }
    }
}

/* json-glib reads what it writes; others are stricter. */
static void
test_no_point_after_an_exponent (void **state)
{
  g_autoptr (JsonNode) root = json_node_new (JSON_NODE_VALUE);
  g_autofree char *text = NULL;

  (void) state;
  json_node_set_double (root, 2e-12);
  text = ifbam_json_text (root, FALSE);
  assert_string_equal (text, "2e-12");
  json_node_set_double (root, 2);
  g_free (text);
  text = ifbam_json_text (root, FALSE);
  assert_string_equal (text, "2.0");
}

static void
test_numbers_are_short (void **state)
{
  g_autoptr (JsonNode) root = json_node_new (JSON_NODE_VALUE);
  g_autofree char *text = NULL;

  (void) state;
  json_node_set_double (root, -0.1);
  text = ifbam_json_text (root, FALSE);
  assert_string_equal (text, "-0.1");
  g_free (text);
  g_clear_pointer (&root, json_node_unref);
  root = json_from_string ("[0.01,1,0.00012,2]", NULL); /* nor is written over what follows */
  text = ifbam_json_text (root, FALSE);
  assert_string_equal (text, "[0.01,1,0.00012,2]");
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_it_is_read_again),
    cmocka_unit_test (test_no_point_after_an_exponent),
    cmocka_unit_test (test_numbers_are_short),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
