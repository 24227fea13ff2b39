/* test-scales.c: no number of ours has a unit: where all masses, forces and energies are 2^20 times as large, motions keep their bits
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "draft.h"
#include "element/element.h"
#include "fixture.h"
#include "file/file.h"

/* An even power of two: its square root is one, too. */
#define SCALE 1048576.0

/* TRUE if a unit contains mass: force, energy, pressure, stiffness, and derived units. */
static gboolean
has_mass (const char *unit)
{
  return g_str_has_prefix (unit, "kg") || unit[0] == 'N' || unit[0] == 'J' || unit[0] == 'W'
         || g_str_has_prefix (unit, "Pa");
}

static void
scale_element (IfbamElement *element)
{
  const IfbamElementInfo *info = element->info;

  for (guint i = 0; i < info->n_params; i++)
    {
      const IfbamParam *param = &info->params[i];
      g_autofree char *unit = ifbam_element_unit_text (info, param);

      if (!has_mass (unit) || param->kind > IFBAM_PARAM_NUMBERS
          || !ifbam_element_is_set (element, i))
        continue;
      if (param->kind == IFBAM_PARAM_NUMBER)
        {
          double value;

          g_object_get (element, param->key, &value, NULL);
          /* A word represents values below the least. */
          if (value != 0 && value >= param->minimum && fabs (value) < 1e100)
            g_object_set (element, param->key, value * SCALE, NULL);
        }
      else
        {
          g_autoptr (GVariant) list = NULL;
          const double *old;
          g_autofree double *values = NULL;
          gsize n;

          g_object_get (element, param->key, &list, NULL);
          if (list == NULL)
            continue;
          old = g_variant_get_fixed_array (list, &n, sizeof (double));
          values = g_new (double, n);
          for (gsize k = 0; k < n; k++)
            values[k] = old[k] * SCALE;
          g_object_set (
              element, param->key,
              g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, values, n, sizeof (double)), NULL);
        }
    }
}

/* All rows of a column, times a scale. */
static gboolean
is_scaled (const double *a, const double *b, gsize n, double scale)
{
  for (gsize i = 0; i < n; i++)
    if (a[i] * scale != b[i] && !(isnan (a[i]) && isnan (b[i])))
      return FALSE;
  return TRUE;
}

static gboolean
is_mechanical (const IfbamNetwork *network)
{
  for (guint i = 0; i < network->elements->len; i++)
    {
      const IfbamElementInfo *info = ((const IfbamElement *) network->elements->pdata[i])->info;

      if (info->domain != IFBAM_DOMAIN_TRANSLATION && info->domain != IFBAM_DOMAIN_ROTATION
          && info->domain != IFBAM_DOMAIN_ANY)
        return FALSE;
    }
  return TRUE;
}

/* Runs it, scales it, and runs it again: each column has the same bits, or is 2^20 times as large. */
static void
assert_scales (IfbamNetwork *network, const char *what)
{
  g_autoptr (IfbamCourse) course = network_course (network, IFBAM_ENGINE_PLAN), scaled = NULL;
  const char *const *signals = ifbam_course_get_signals (course);

  for (guint i = 0; i < network->elements->len; i++)
    scale_element (network->elements->pdata[i]);
  scaled = network_course (network, IFBAM_ENGINE_PLAN);
  for (guint s = 0; signals[s] != NULL; s++)
    {
      gsize n, n_scaled;
      const double *a = ifbam_course_get_values (course, signals[s], &n, NULL);
      const double *b = ifbam_course_get_values (scaled, signals[s], &n_scaled, NULL);

      if (n != n_scaled || !(is_scaled (a, b, n, 1) || is_scaled (a, b, n, SCALE)))
        fail_msg ("%s: %s is another one", what, signals[s]);
    }
}

/* All that is shipped, and has masses: under its own scheme. */
static void
test_shipped_networks (void **state)
{
  g_autoptr (GDir) dir = g_dir_open ("networks", 0, NULL);
  const char *name;
  guint n = 0;

  (void) state;
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename ("networks", name, NULL);
      g_autoptr (IfbamNetwork) network = NULL;

      if (!g_str_has_suffix (name, ".ini"))
        continue;
      network = open_network (path, NULL);
      if (!is_mechanical (network))
        continue;
      assert_scales (network, path);
      n++;
    }
  assert_true (n > 50);
}

typedef enum
{
  ROW,
  SLIDES,
  TABLE,
  CHAINS,
  HEAP,
  N_DRAFTS,
} Draft;

static char *
draft (Draft kind, guint seed)
{
  g_autoptr (GArray) pairs = g_array_new (FALSE, FALSE, sizeof (DraftPair));

  switch (kind)
    {
    case ROW:
      return draft_row (seed, pairs);
    case SLIDES:
      return draft_slides (seed);
    case TABLE:
      return draft_table (seed);
    case CHAINS:
      return draft_chains (seed);
    default:
      return draft_heap (2 + seed % 3, 3, seed % 2 * 1e-3, 0.3);
    }
}

/* Random networks full of events, under schemes of each kind. */
static void
test_random_networks (void **state)
{
  static const char *const schemes[] = { "rk4", "verlet", "averaged", "implicit" };
  const guint n = wanted_seeds (by_effort (1, 3, 40));

  (void) state;
  for (guint kind = 0; kind < N_DRAFTS; kind++)
    for (guint seed = 0; seed < n; seed++)
      for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
        {
          g_autofree char *text = draft ((Draft) kind, seed);
          g_autoptr (IfbamNetwork) network = text_network_printf (
              "[network]\nscheme = %s\nstep = 0.5 ms\nduration = 0.2 s\n%s", schemes[s], text);
          g_autofree char *what = g_strdup_printf ("draft %u, seed %u, %s", kind, seed, schemes[s]);

          assert_scales (network, what);
        }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_shipped_networks),
    cmocka_unit_test (test_random_networks),
  };

  return cmocka_run_group_tests (tests, folder_make, folder_remove);
}
