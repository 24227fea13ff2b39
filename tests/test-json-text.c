/* test-json-text.c: JSON that is written can be read, whatever its numbers and texts
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "file/file.h"

static const char awkward[] = "2e-12.0 \\ \" 1e5.0, \\\" {3e22.0}\n\001\177 \316\251 \377";
static const char quoted[] =
    "\"2e-12.0 \\\\ \\\" 1e5.0, \\\\\\\" {3e22.0}\\n\\u0001\\u007f \316\251 "
    "\357\277\275\""; /* the last byte is no UTF-8 */

static void
test_it_is_read_again (void **state)
{
  static const double numbers[] = { 0,    1,      -1,     0.1,  2e-12,    -2e-12,
                                    1e22, -1e100, 1e-300, 5e-5, 123456,   1.5e-12,
                                    10.0, 2.0,    1e15,   1e16, 4.9e-324, 1.7976931348623157e308 };

  (void) state;
  for (guint pretty = 0; pretty < 2; pretty++)
    {
      g_autoptr (IfbamJsonWriter) json = ifbam_json_writer_new (pretty != 0);
      char *at;

      ifbam_json_array (json, NULL);
      for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
        {
          ifbam_json_number (json, NULL, numbers[i]);
          ifbam_json_string (json, NULL, awkward);
        }
      ifbam_json_end (json);
      at = json->text->str;
      for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
        {
          at += strspn (at, "[, \n");
          assert_true (g_ascii_strtod (at, &at) == numbers[i]);
          at += strspn (at, ", \n");
          assert_true (g_str_has_prefix (at, quoted));
          at += strlen (quoted);
        }
      assert_string_equal (at, pretty != 0 ? "\n]" : "]");
    }
}

static void
add_values (IfbamJsonWriter *json)
{
  static const char *const words[] = { "a", "b", NULL };

  ifbam_json_object (json, NULL);
  ifbam_json_number (json, "short", -0.1);
  ifbam_json_number (json, "no point after an exponent", 2e-12);
  ifbam_json_number (json, "whole", 2);
  ifbam_json_number (json, "not finite", NAN);
  ifbam_json_string (json, "none", NULL);
  ifbam_json_count (json, "count", -3);
  ifbam_json_boolean (json, "yes", TRUE);
  ifbam_json_strings (json, "words", words);
  ifbam_json_strings (json, "empty", NULL);
  ifbam_json_object (json, "object");
  ifbam_json_end (json);
  ifbam_json_end (json);
}

static void
test_layouts (void **state)
{
  g_autoptr (IfbamJsonWriter) json = ifbam_json_writer_new (FALSE);
  g_autoptr (IfbamJsonWriter) pretty = ifbam_json_writer_new (TRUE);

  (void) state;
  add_values (json);
  assert_string_equal (json->text->str,
                       "{\"short\":-0.1,\"no point after an exponent\":2e-12,\"whole\":2.0,"
                       "\"not finite\":null,\"none\":null,\"count\":-3,\"yes\":true,"
                       "\"words\":[\"a\",\"b\"],\"empty\":[],\"object\":{}}");
  add_values (pretty);
  assert_true (g_str_has_prefix (pretty->text->str, "{\n  \"short\" : -0.1,\n  \"no point"));
  assert_true (g_str_has_suffix (pretty->text->str, "\"words\" : [\n    \"a\",\n    \"b\"\n  ],\n"
                                                    "  \"empty\" : [],\n  \"object\" : {}\n}"));
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_it_is_read_again),
    cmocka_unit_test (test_layouts),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
