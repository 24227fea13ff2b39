/* test-lemke.c: linear complementarity problems that are known to have an answer
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <glib.h>
#include <math.h>
#include <string.h>

#include "base/lemke.h"

#define MOST 12

/* M z = -q for those that act, by elimination. */
static void
solve (guint n, double m[MOST][MOST], const double *q, const uint8_t *acts, double *z)
{
  double a[MOST][MOST + 1];

  for (guint i = 0; i < n; i++)
    for (guint k = 0; k <= n; k++)
      a[i][k] = !acts[i] ? (k == i) : k == n ? -q[i] : acts[k] ? m[i][k] : 0;
  for (guint i = 0; i < n; i++)
    {
      guint best = i;

      for (guint k = i; k < n; k++)
        best = fabs (a[k][i]) > fabs (a[best][i]) ? k : best;
      for (guint k = 0; k <= n; k++)
        {
          const double swap = a[i][k];

          a[i][k] = a[best][k];
          a[best][k] = swap;
        }
      for (guint k = 0; k < n; k++)
        for (guint j = n + 1; j-- > i && k != i;)
          a[k][j] -= a[k][i] / a[i][i] * a[i][j];
    }
  for (guint i = 0; i < n; i++)
    z[i] = acts[i] ? a[i][n] / a[i][i] : 0;
}

static gboolean
answers (guint n, guint n_free, double m[MOST][MOST], const double *q, uint8_t *acts)
{
  double table[MOST * (MOST + 1)], cover[MOST], z[MOST];

  for (guint i = 0; i < n; i++)
    {
      memcpy (table + i * (n + 1), m[i], n * sizeof (double));
      table[i * (n + 1) + n] = q[i];
      cover[i] = 1 + 0.1 * i;
    }
  return ifbam_lemke (table, n, n_free, 1, cover, acts, z, NULL, NULL);
}

/* Positive definite, with a part that is not symmetric, some unknowns of either sign: there is one answer. */
static void
test_positive (void **state)
{
  g_autoptr (GRand) noise = g_rand_new_with_seed (1965);

  (void) state;
  for (guint trial = 0; trial < 2000; trial++)
    {
      const guint n = 1 + trial % MOST, n_free = trial % 3 == 0 ? n / 3 : 0;
      double root[MOST][MOST], m[MOST][MOST], q[MOST], z[MOST];
      uint8_t acts[MOST];

      for (guint i = 0; i < n; i++)
        for (guint k = 0; k < n; k++)
          root[i][k] = g_rand_double_range (noise, -1, 1);
      for (guint i = 0; i < n; i++)
        {
          q[i] = g_rand_double_range (noise, -1, 1);
          for (guint k = 0; k < n; k++)
            {
              m[i][k] = i == k ? 0.1 : i < k ? root[i][k] : -root[k][i];
              for (guint j = 0; j < n; j++)
                m[i][k] += root[i][j] * root[k][j];
            }
        }
      assert_true (answers (n, n_free, m, q, acts));
      solve (n, m, q, acts, z);
      for (guint i = 0; i < n; i++)
        {
          double w = q[i];

          for (guint k = 0; k < n; k++)
            w += m[i][k] * z[k];
          assert_true (i < n_free ? fabs (w) < 1e-9 : w > -1e-9 && z[i] > -1e-9);
        }
    }
}

/* A block on a floor, pressed down by 1 and pushed by f, with mu = 0.5: it sticks below 0.5, slips above. */
static void
test_friction (void **state)
{
  static const double pushes[] = { 0, 0.2, 0.49, 0.51, 3, -0.3, -0.7 };

  (void) state;
  for (guint k = 0; k < G_N_ELEMENTS (pushes); k++)
    {
      const double f = pushes[k];
      double m[MOST][MOST] = {
        { 1, 0, 0, 0 }, { 0, 1, -1, 1 }, { 0, -1, 1, 1 }, { 0.5, -1, -1, 0 }
      };
      const double q[] = { -1, -f, f, 0 };
      uint8_t acts[MOST];

      assert_true (answers (4, 0, m, q, acts));
      assert_true (acts[0]);
      assert_int_equal (acts[3], fabs (f) > 0.5);
      assert_true (f == 0 || acts[f > 0 ? 1 : 2]);
    }
}

/* w = -1 whatever z is: a ray. */
static void
test_no_answer (void **state)
{
  double m[MOST][MOST] = { { 0 } };
  const double q[] = { -1 };
  uint8_t acts[MOST];

  (void) state;
  assert_false (answers (1, 0, m, q, acts));
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_positive),
    cmocka_unit_test (test_friction),
    cmocka_unit_test (test_no_answer),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
