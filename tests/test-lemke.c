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
  return ifbam_lemke (table, n, n_free, 1, cover, 1, acts, z, NULL, NULL);
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

/* Nine contacts of a heap and their frictions, normalized: one apart slides, and others slide by so little beside it that this was
 * told from 0 in some pivots and not in others. */
static void
test_slips_of_rounding (void **state)
{
  enum
  {
    PAIRS = 9,
    N = 4 * PAIRS
  };
  static const struct
  {
    guint one, other;
    double product[2][2]; /* of normal and slip of one with those of the other */
  } blocks[] = {
    { 0, 1, { { 0.0652, 0.335 }, { -0.335, 0.469 } } },
    { 0, 2, { { -0.618, -0.14 }, { 0.14, 0.303 } } },
    { 1, 2, { { -0.205, 0.198 }, { -0.198, 0.244 } } },
    { 1, 3, { { -0.0803, 0.413 }, { -0.413, 0.531 } } },
    { 1, 4, { { 0.2, -0.242 }, { 0.242, 0.411 } } },
    { 2, 6, { { 0.0615, -0.271 }, { 0.271, 0.383 } } },
    { 2, 7, { { -0.518, 0.111 }, { -0.111, 0.251 } } },
    { 3, 4, { { -0.608, -0.104 }, { 0.104, 0.282 } } },
    { 4, 5, { { -0.45, 0.237 }, { -0.237, 0.323 } } },
    { 6, 7, { { -0.251, -0.244 }, { 0.244, 0.3 } } },
  };
  static const double pressed[PAIRS] = { -9.2, 0, 0.0316, -7.48, 0.401, 1.11, 0.00462, 0.0457, 0 };
  static const double slip[PAIRS] = { 3.55e-9, 0, 3.22e-8, 0, -1.27e-11, 0, 0, 0, 0.0568 };
  static const double sooner[PAIRS] = { 0, 0, 3.75e-9, 0, 4.83e-12, 0, 0, 0, 0 };
  double m[N][N] = { { 0 } }, table[N * (N + 2)], cover[N], z[2 * N];
  uint8_t acts[N];

  (void) state;
  for (guint i = 0; i < PAIRS; i++)
    {
      const guint at = 4 * i;

      m[at][at] = m[at + 1][at + 1] = m[at + 2][at + 2] = 1;
      m[at + 1][at + 2] = m[at + 2][at + 1] = -1;
      m[at + 1][at + 3] = m[at + 2][at + 3] = 1;
      m[at + 3][at] = 1.68;
      m[at + 3][at + 1] = m[at + 3][at + 2] = -1;
    }
  for (guint k = 0; k < G_N_ELEMENTS (blocks); k++)
    for (guint a = 0; a < 3; a++)
      for (guint b = 0; b < 3; b++)
        {
          const double value = blocks[k].product[a > 0][b > 0] * ((a == 2) != (b == 2) ? -1 : 1);

          m[4 * blocks[k].one + a][4 * blocks[k].other + b] = value;
          m[4 * blocks[k].other + b][4 * blocks[k].one + a] = value;
        }
  for (guint i = 0; i < N; i++)
    {
      const guint pair = i / 4;
      const double sign = i % 4 == 1 ? 1 : i % 4 == 2 ? -1 : 0;

      memcpy (table + i * (N + 2), m[i], sizeof m[i]);
      table[i * (N + 2) + N] = sign * slip[pair];
      table[i * (N + 2) + N + 1] = i % 4 == 0 ? pressed[pair] : sign * sooner[pair];
      cover[i] = 1 + 0.01 * i;
    }
  assert_true (ifbam_lemke (table, N, 0, 2, cover, 1e-2, acts, z, NULL, NULL));
  for (guint i = 0; i < N; i++)
    {
      double w = table[i * (N + 2) + N], soon = table[i * (N + 2) + N + 1];

      for (guint k = 0; k < N; k++)
        {
          w += m[i][k] * z[2 * k];
          soon += m[i][k] * z[2 * k + 1];
        }
      assert_true (z[2 * i] >= -1e-14 && w >= -1e-14);
      /* What acts leaves nothing. */
      assert_true (acts[i] ? fabs (w) <= 1e-14 && fabs (soon) <= 1e-9
                           : z[2 * i] == 0 && z[2 * i + 1] == 0);
    }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_positive),
    cmocka_unit_test (test_friction),
    cmocka_unit_test (test_no_answer),
    cmocka_unit_test (test_slips_of_rounding),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
