/* test-memory.c: limits of a process's memory
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "any-class.h"
#include "base/memory.h"
#include "element/element.h"
#include "elements/registry.h"
#include "fixture.h"
#include "run/run.h"

static void
write_number (const char *root, const char *group, const char *name, const char *text)
{
  g_autofree char *of_group = g_build_filename (root, group, NULL);
  g_autofree char *path = g_build_filename (of_group, name, NULL);

  assert_int_equal (g_mkdir_with_parents (of_group, 0700), 0);
  assert_true (g_file_set_contents (path, text, -1, NULL));
}

/* A control group has its own limit and those of its parents; cached file pages are free. */
static void
test_groups (void **state)
{
  g_autofree char *root = folder_path ("groups");

  (void) state;
  write_number (root, "a", "memory.max", "5000\n");
  write_number (root, "a", "memory.current", "4000\n");
  write_number (root, "a", "memory.stat", "anon 3300\ninactive_file 700\nactive_file 9\n");
  write_number (root, "a/b", "memory.max", "max\n");
  write_number (root, "a/b", "memory.current", "4000\n");
  write_number (root, "a/c", "memory.max", "900\n");
  write_number (root, "a/c", "memory.current", "100\n");
  assert_float_equal (ifbam_memory_of_groups (root, "0::/a/b\n"), 1700, 0);
  assert_float_equal (ifbam_memory_of_groups (root, "0::/a/c\n"), 800, 0);
  assert_true (isinf (ifbam_memory_of_groups (root, "0::/\n")));
  assert_true (isinf (ifbam_memory_of_groups (root, "0::/nowhere\n")));
  assert_true (isinf (ifbam_memory_of_groups (root, "no such line\n\n")));

  write_number (root, "memory/d", "memory.limit_in_bytes", "1000\n");
  write_number (root, "memory/d", "memory.usage_in_bytes", "1200\n");
  write_number (root, "memory/d", "memory.stat", "inactive_file 1\ntotal_inactive_file 500\n");
  assert_float_equal (ifbam_memory_of_groups (root, "3:cpu:/d\n2:freezer,memory:/d\n"), 300, 0);
  write_number (root, "memory/d", "memory.stat", "total_inactive_file 50\n");
  assert_float_equal (ifbam_memory_of_groups (root, "2:memory:/d\n"), 0, 0);
}

static void
test_lack (void **state)
{
  const char *limit;
  const double there = ifbam_memory_available (&limit);
  g_autofree char *lack = ifbam_memory_lack (1e30);

  (void) state;
  assert_true (there > 1e6);
  assert_null (ifbam_memory_lack (1e3));
  assert_null (ifbam_memory_lack (0.5 * there));
  assert_non_null (lack);
  assert_non_null (strstr (lack, "1e+21 GB of memory, and "));
}

/* A composite's estimate of its size equals the result, so that requests by a few bytes are judged rightly. */
static void
assert_announced (IfbamNetwork *network)
{
  const IfbamElement *composite = ifbam_network_get_element (network, "c");
  g_auto (IfbamRunSpec) spec = { 0 };
  g_autoptr (IfbamModel) model = ifbam_network_compile_or_error (network, FALSE, &spec, NULL, NULL);
  guint64 nodes = 0, links = 0, made;

  composite->info->add_size (composite, &nodes, &links);
  assert_int_equal (nodes, model->n_free);
  made = model->unbatched_links->len;
  for (guint b = 0; b < model->batches->len; b++)
    made += g_array_index (model->batches, IfbamBatch, b).count;
  assert_int_equal (links, made);
}

static void
test_announced (void **state)
{
  static const char *const composites[] = {
    "[chain c]\ncount = 7\nmass = 1\nstiffness = 1\n",
    "[chain c]\ncount = 7\nmass = 1\nstiffness = 1\ndamping = 1\n",
    "[chain c]\ncount = 7\nmass = 1\nstiffness = 1\ndamping = 1\nfrom = g\n",
    "[chain c]\ncount = 7\nmass = 1\nstiffness = 1\nfrom = g\nto = g\n",
    "[chain c]\ncount = 7\nmass = 1\nrods = 1\n",
  };
  /* It writes the file, of a spring with a damper, and of a spring. */
  g_autofree char *example = example_network (ifbam_element_info_by_name ("columns", NULL));
  g_autoptr (IfbamNetwork) columns =
      text_network ("[network]\nscheme = rk4\nstep = 1 ms\nduration = 1 s\n[ground wall]\n"
                    "[columns c]\nfile = net.h5\nouter = wall\n");

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (composites); i++)
    {
      g_autoptr (IfbamNetwork) network = text_network_printf (
          "[network]\nscheme = rk4\nstep = 1 ms\nduration = 1 s\n[ground g]\n%s", composites[i]);

      assert_announced (network);
    }
  assert_announced (columns);
}

int
main (void)
{
  const struct CMUnitTest tests[] = { cmocka_unit_test (test_groups), cmocka_unit_test (test_lack),
                                      cmocka_unit_test (test_announced) };

  return cmocka_run_group_tests (tests, folder_make, folder_remove);
}
