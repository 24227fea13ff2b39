/* test-modes.c: eigenfrequencies, damping and shapes against closed forms and other ways to find them
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <lapacke.h>
#include <complex.h>
#include <math.h>
#include <string.h>

#include "base/ifbam-error.h"
#include "embed/ifbam.h"
#include "linear/linear.h"
#include "run/run.h"
#include "noise.h"
#include "fixture.h"

#define HEAD "[network]\nstep = 1 ms\nduration = 1 s\n"

static IfbamRunSpec spec; /* of the model that model_of () made last */

static int
set_up (void **state)
{
  (void) state;
  return noise_set_up (1873);
}

static void
assert_close (double number, double wanted, double tolerance, const char *what, gsize which)
{
  if (!(fabs (number - wanted) <= tolerance * fabs (wanted)))
    fail_msg ("%s %zu: %.17g, not %.17g (relative %.3g, at most %.3g)", what, which, number, wanted,
              fabs (number / wanted - 1), tolerance);
}

static IfbamModes *
modes_of (const char *text, guint count, double near)
{
  g_autoptr (IfbamNetwork) network = text_network (text);
  g_autoptr (GError) error = NULL;
  IfbamModes *modes = ifbam_modes_new (network, count, near, &error);

  if (modes == NULL)
    fail_msg ("%s", error->message);
  return modes;
}

/* Chains of equal masses and springs */

typedef enum
{
  FIXED_FIXED,
  FIXED_FREE,
  FREE_FREE,
} Ends;

/* Of mode j, from 1 (Rayleigh 1894, section 120). */
static double
chain_frequency (Ends ends, gsize n, double stiffness, double mass, gsize j)
{
  const double angle = ends == FIXED_FIXED  ? (double) j / (double) (n + 1)
                       : ends == FIXED_FREE ? (double) (2 * j - 1) / (double) (2 * n + 1)
                                            : (double) (j - 1) / (double) n;

  return sqrt (stiffness / mass) / G_PI * sin (0.5 * G_PI * angle);
}

static double
chain_shape (Ends ends, gsize n, gsize j, gsize node)
{
  switch (ends)
    {
    case FIXED_FIXED:
      return sin (G_PI * (double) (j * (node + 1)) / (double) (n + 1));
    case FIXED_FREE:
      return sin (G_PI * (double) ((2 * j - 1) * (node + 1)) / (double) (2 * n + 1));
    default:
      return cos (G_PI * (double) (2 * node + 1) * (double) (j - 1) / (double) (2 * n));
    }
}

static char *
chain_text (Ends ends, gsize n, double stiffness, double mass)
{
  return g_strdup_printf (
      HEAD "%s%s[chain c]\ncount = %zu\nmass = %.17g\nstiffness = %.17g\n%s%s",
      ends == FREE_FREE ? "" : "[ground a]\n", ends == FIXED_FIXED ? "[ground b]\n" : "", n, mass,
      stiffness, ends == FREE_FREE ? "" : "from = a\n", ends == FIXED_FIXED ? "to = b\n" : "");
}

/* Modes first, first + 1, ... of a chain. */
static void
assert_chain (Ends ends, gsize n, IfbamModes *modes, double stiffness, double mass, gsize first)
{
  gsize n_modes, n_nodes;
  const IfbamMode *list = ifbam_modes_get_modes (modes, &n_modes);

  for (gsize i = 0; i < n_modes; i++)
    {
      const gsize j = first + i;
      const double *shape = ifbam_modes_get_shape (modes, i, &n_nodes);
      double most = 0;

      assert_int_equal (n_nodes, n);
      assert_int_equal (list[i].kind,
                        ends == FREE_FREE && j == 1 ? IFBAM_MODE_FREE : IFBAM_MODE_OSCILLATING);
      assert_true (list[i].damping_ratio == 0 && list[i].decay_rate == 0);
      assert_close (list[i].frequency, chain_frequency (ends, n, stiffness, mass, j), 1e-12,
                    "frequency", j);
      for (gsize node = 0; node < n; node++)
        most = fmax (most, fabs (chain_shape (ends, n, j, node)));
      for (gsize node = 0, sign = 0; node < n; node++)
        {
          const double wanted = chain_shape (ends, n, j, node) / most;

          if (sign == 0 && fabs (wanted) > 1 - 1e-9)
            sign = wanted > 0 ? 1 : 2;
          if (node == 0)
            for (gsize k = 0; k < n && sign == 0; k++)
              if (fabs (chain_shape (ends, n, j, k)) > (1 - 1e-9) * most)
                sign = chain_shape (ends, n, j, k) > 0 ? 1 : 2;
          if (!(fabs (shape[node] - (sign == 1 ? wanted : -wanted)) < 1e-6))
            fail_msg ("shape %zu of %zu, node %zu: %g, not %g", j, n, node, shape[node],
                      sign == 1 ? wanted : -wanted);
        }
    }
}

static void
test_chains (void **state)
{
  static const gsize sizes[] = { 2, 3, 4, 7, 10, 33, 100, 300, 301, 1000 };

  (void) state;
  for (int ends = FIXED_FIXED; ends <= FREE_FREE; ends++)
    for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
      {
        const gsize n = sizes[s];
        g_autofree char *text = chain_text (ends, n, 12e3, 0.37);
        g_autoptr (IfbamModes) all = modes_of (text, 0, 0);
        gsize n_modes;

        ifbam_modes_get_modes (all, &n_modes);
        assert_int_equal (n_modes, n);
        assert_chain (ends, n, all, 12e3, 0.37, 1);
      }
}

/* By ARPACK: the lowest, and those nearest to a frequency. */
static void
test_large_chains (void **state)
{
  (void) state;
  for (int ends = FIXED_FIXED; ends <= FREE_FREE; ends++)
    for (gsize n = 400; n < 50000; n *= 10)
      {
        g_autofree char *text = chain_text (ends, n, 12e3, 0.37);
        g_autoptr (IfbamModes) lowest = modes_of (text, 12, 0);
        const double middle = 0.5
                              * (chain_frequency (ends, n, 12e3, 0.37, n / 3)
                                 + chain_frequency (ends, n, 12e3, 0.37, n / 3 + 1));
        g_autoptr (IfbamModes) near = modes_of (text, 6, middle);
        gsize n_modes;

        ifbam_modes_get_modes (lowest, &n_modes);
        assert_int_equal (n_modes, 12);
        assert_chain (ends, n, lowest, 12e3, 0.37, 1);
        ifbam_modes_get_modes (near, &n_modes);
        assert_int_equal (n_modes, 6);
        assert_chain (ends, n, near, 12e3, 0.37, n / 3 - 2);
      }
}

/* Soft modes beside stiff ones keep their digits. */
static void
test_stiff_and_soft (void **state)
{
  (void) state;
  for (double stiff = 1e3; stiff < 1e17; stiff *= 1e3)
    {
      g_autofree char *text = g_strdup_printf (
          HEAD "[ground g]\n[mass a]\nmass = 2\n[mass b]\nmass = 3\n[mass c]\nmass = 5\n"
               "[spring s1]\nstiffness = 0.004\nbetween = g, a\n"
               "[spring s2]\nstiffness = %.17g\nbetween = a, b\n"
               "[spring s3]\nstiffness = 0.003\nbetween = b, c\n",
          stiff);
      g_autoptr (IfbamModes) modes = modes_of (text, 0, 0);
      gsize n;
      const IfbamMode *list = ifbam_modes_get_modes (modes, &n);
      /* a and b as one mass of 5: [0.007, -0.003; -0.003, 0.003] / 5, up to 0.004 / stiff */
      const double low = (0.010 - sqrt (0.0001 - 4 * 0.000012)) / 10;
      const double high = (0.010 + sqrt (0.0001 - 4 * 0.000012)) / 10;

      assert_int_equal (n, 3);
      assert_close (list[0].frequency, sqrt (low) / (2 * G_PI), 1e-13 + 0.01 / stiff, "soft", 0);
      assert_close (list[1].frequency, sqrt (high) / (2 * G_PI), 1e-13 + 0.01 / stiff, "soft", 1);
      assert_close (list[2].frequency, sqrt (stiff * 5 / 6) / (2 * G_PI), 1e-13 + 0.01 / stiff,
                    "stiff", 2);
    }
}

/* The same in a network that is large enough for ARPACK, in whose matrix the soft spring is lost. */
static void
test_lost_spring (void **state)
{
  (void) state;
  for (double soft = 1e-3; soft > 1e-25; soft *= 1e-7)
    {
      g_autofree char *text =
          g_strdup_printf (HEAD "[ground g]\n[chain c]\ncount = 400\nmass = 1\nstiffness = 1e4\n"
                                "[spring w]\nstiffness = %.17g\nbetween = g, c.m1\n",
                           soft);
      g_autoptr (IfbamModes) modes = modes_of (text, 4, 0);
      gsize n;
      const IfbamMode *list = ifbam_modes_get_modes (modes, &n);

      assert_int_equal (n, 4);
      assert_close (list[0].frequency, sqrt (soft / 400) / (2 * G_PI), 1e-11 + 20 * soft, "soft",
                    0);
      for (gsize j = 1; j < 4; j++)
        assert_close (list[j].frequency, chain_frequency (FREE_FREE, 400, 1e4, 1, j + 1),
                      1e-11 + 20 * soft, "chain", j);
    }
}

/* Random networks */

static char *
random_network (gsize n_masses, gsize n_links, double dampers, gboolean grounded)
{
  GString *text = g_string_new (HEAD "[ground n0]\n");
  const int first = grounded ? 0 : 1;

  for (gsize i = 1; i <= n_masses; i++)
    g_string_append_printf (text, "[mass n%zu]\nmass = %.17g\n", i, between (0.1, 10));
  for (gsize i = 0; i < n_links; i++)
    {
      /* A tree, then further links. */
      const int right =
          i < n_masses ? (int) i + 1 : g_rand_int_range (noise, 1, (int) n_masses + 1);
      int left = right > first ? g_rand_int_range (noise, MAX (first, right - 8), right) : right;
      const gboolean damper = between (0, 1) < dampers && i >= n_masses;

      if (left == right || (left == 0 && !grounded))
        continue;
      g_string_append_printf (text, "[%s l%zu]\n%s = %.17g\nbetween = n%d, n%d\n",
                              damper ? "damper" : "spring", i, damper ? "damping" : "stiffness",
                              damper ? between (0.1, 8) : between (10, 1000), left, right);
    }
  return g_string_free (text, FALSE);
}

static int
compare_roots (gconstpointer a, gconstpointer b)
{
  const double complex one = *(const double complex *) a, other = *(const double complex *) b;

  if (fabs (cimag (one) - cimag (other)) > 1e-9 * (cabs (one) + cabs (other)))
    return cimag (one) < cimag (other) ? -1 : 1;
  return creal (one) > creal (other) ? -1 : creal (one) < creal (other);
}

/* The eigenvalues with Im >= 0 of [0, I; -M^-1 K, -M^-1 C], from the model's own matrices. */
static GArray *
solve_states (const IfbamModel *model)
{
  g_autoptr (IfbamSmallMotions) motions = ifbam_small_motions_new (model, &spec, NULL);
  g_autoptr (IfbamSparse) k = ifbam_small_motions_matrix (motions, motions->stiffness, NULL);
  g_autoptr (IfbamSparse) c = ifbam_small_motions_matrix (motions, motions->damping, NULL);
  const gsize n = model->n_free;
  g_autofree double *a = g_new0 (double, 4 * n * n), *re = g_new (double, 2 * n);
  g_autofree double *im = g_new (double, 2 * n);
  GArray *roots = g_array_new (FALSE, FALSE, sizeof (double complex));

  for (gsize j = 0; j < n; j++)
    {
      a[j + (n + j) * 2 * n] = 1;
      for (gint32 p = k->start[j]; p < k->start[j + 1]; p++)
        a[n + (gsize) k->row[p] + j * 2 * n] = -k->value[p] * model->inverse_inertia[k->row[p]];
      for (gint32 p = c->start[j]; p < c->start[j + 1]; p++)
        a[n + (gsize) c->row[p] + (n + j) * 2 * n] =
            -c->value[p] * model->inverse_inertia[c->row[p]];
    }
  assert_int_equal (LAPACKE_dgeev (LAPACK_COL_MAJOR, 'N', 'N', 2 * (int) n, a, 2 * (int) n, re, im,
                                   NULL, 1, NULL, 1),
                    0);
  for (gsize i = 0; i < 2 * n; i++)
    {
      const double complex root = re[i] + I * im[i];

      if (im[i] >= 0)
        g_array_append_val (roots, root);
    }
  g_array_sort (roots, compare_roots);
  return roots;
}

static double complex
root_of (const IfbamMode *mode)
{
  return -mode->decay_rate + I * (2 * G_PI * mode->frequency);
}

/* || (s^2 M + s C + K) x || against the sizes of its parts */
static void
assert_solves (const IfbamModel *model, IfbamModes *modes, gsize i, double tolerance)
{
  g_autoptr (IfbamLinearization) linearization = ifbam_linearization_new (model, &spec, NULL, NULL);
  gsize n;
  const double complex s = root_of (ifbam_modes_get_modes (modes, &n) + i);
  const double *real = ifbam_modes_get_shape (modes, i, &n);
  const double *imaginary = ifbam_modes_get_imaginary_shape (modes, i, &n);
  g_autofree double *x = g_new0 (double, model->n_nodes), *y = g_new0 (double, model->n_nodes);
  g_autofree double *kx = g_new0 (double, model->n_nodes), *ky = g_new0 (double, model->n_nodes);
  g_autofree double *cx = g_new0 (double, model->n_nodes), *cy = g_new0 (double, model->n_nodes);
  double rest = 0, size = 0;

  for (gsize j = 0; j < model->n_free; j++)
    {
      x[ifbam_model_named_node (model, j)] = real[j];
      y[ifbam_model_named_node (model, j)] = imaginary != NULL ? imaginary[j] : 0;
    }
  ifbam_linearization_multiply (linearization, linearization->stiffness, x, kx);
  ifbam_linearization_multiply (linearization, linearization->stiffness, y, ky);
  ifbam_linearization_multiply (linearization, linearization->damping, x, cx);
  ifbam_linearization_multiply (linearization, linearization->damping, y, cy);
  for (gsize j = 0; j < model->n_free; j++)
    {
      const double complex inertia = s * s * (x[j] + I * y[j]) / model->inverse_inertia[j];
      const double complex damping = s * (cx[j] + I * cy[j]), stiffness = kx[j] + I * ky[j];

      rest += pow (cabs (inertia + damping + stiffness), 2);
      size += pow (cabs (inertia) + cabs (damping) + cabs (stiffness), 2);
    }
  if (!(sqrt (rest) <= tolerance * sqrt (size)))
    fail_msg ("mode %zu (%g %+gi) leaves %.3g of its forces", i, creal (s), cimag (s),
              sqrt (rest / size));
}

static IfbamModel *
model_of (IfbamNetwork *network)
{
  IfbamModel *model = ifbam_network_compile_or_error (network, FALSE, &spec, NULL, NULL);

  assert_non_null (model);
  return model;
}

static void
test_damped (void **state)
{
  (void) state;
  for (gsize n = 1; n < 40; n += n < 12 ? 1 : 9)
    for (int draw = 0; draw < 5; draw++)
      {
        g_autofree char *text = random_network (n, 3 * n + 2, 0.6, TRUE);
        g_autoptr (IfbamNetwork) network = text_network (text);
        g_autoptr (IfbamModel) model = model_of (network);
        g_autoptr (GArray) wanted = solve_states (model);
        g_autoptr (IfbamModes) modes = ifbam_modes_new (network, 0, 0, NULL);
        g_autoptr (GArray) roots = g_array_new (FALSE, FALSE, sizeof (double complex));
        gsize n_modes;
        const IfbamMode *list = ifbam_modes_get_modes (modes, &n_modes);

        assert_int_equal (n_modes, wanted->len);
        for (gsize i = 0; i < n_modes; i++)
          {
            const double complex root = root_of (&list[i]);

            g_array_append_val (roots, root);
            assert_true (i == 0 || list[i - 1].frequency <= list[i].frequency);
            assert_int_equal (list[i].kind,
                              cimag (root) > 0 ? IFBAM_MODE_OSCILLATING : IFBAM_MODE_OVERDAMPED);
            if (cimag (root) > 0)
              assert_close (list[i].damping_ratio, -creal (root) / cabs (root), 1e-12, "ratio", i);
            else
              assert_true (list[i].damping_ratio >= 1);
            assert_solves (model, modes, i, 1e-9);
          }
        g_array_sort (roots, compare_roots);
        for (gsize i = 0; i < n_modes; i++)
          {
            const double complex one = g_array_index (roots, double complex, i);
            const double complex other = g_array_index (wanted, double complex, i);

            if (!(cabs (one - other) <= 1e-9 * cabs (other)))
              fail_msg ("%zu masses, eigenvalue %zu: %.12g %+.12gi, not %.12g %+.12gi", n, i,
                        creal (one), cimag (one), creal (other), cimag (other));
          }
      }
}

/* Each of a chain's modes is damped by itself where the dampers are to the springs as 1 to 1000. */
static void
test_proportional (void **state)
{
  const gsize n = 350;
  g_autofree char *text = g_strdup_printf (
      HEAD
      "[ground a]\n[chain c]\ncount = %zu\nmass = 1\nstiffness = 1e4\ndamping = 10\nfrom = a\n",
      n);
  g_autoptr (IfbamModes) all = modes_of (text, 0, 0);
  g_autoptr (IfbamModes) some = modes_of (text, 8, 0);
  gsize n_modes;
  const IfbamMode *list = ifbam_modes_get_modes (all, &n_modes);

  (void) state;
  assert_int_equal (n_modes, n);
  for (gsize j = 1; j <= n; j++)
    {
      const double omega = 2 * G_PI * chain_frequency (FIXED_FREE, n, 1e4, 1, j);
      const double decay = 0.5e-3 * omega * omega;

      assert_close (list[j - 1].decay_rate, decay, 1e-11, "decay rate", j);
      assert_close (list[j - 1].frequency, sqrt (omega * omega - decay * decay) / (2 * G_PI), 1e-11,
                    "frequency", j);
    }
  list = ifbam_modes_get_modes (some, &n_modes);
  assert_int_equal (n_modes, 8);
  for (gsize j = 1; j <= 8; j++)
    {
      const double omega = 2 * G_PI * chain_frequency (FIXED_FREE, n, 1e4, 1, j);

      assert_close (list[j - 1].decay_rate, 0.5e-3 * omega * omega, 1e-9, "decay rate", j);
    }
}

static void
test_overdamped (void **state)
{
  g_autoptr (IfbamModes) over = modes_of (
      HEAD "[ground g]\n[mass m]\nmass = 1\n[spring k]\nstiffness = 1e-4\nbetween = g, m\n"
           "[damper d]\ndamping = 1e4\nbetween = g, m\n",
      0, 0);
  g_autoptr (IfbamModes) critical =
      modes_of (HEAD "[ground g]\n[mass m]\nmass = 1\n[spring k]\nstiffness = 4\nbetween = g, m\n"
                     "[damper d]\ndamping = 4\nbetween = g, m\n",
                0, 0);
  gsize n;
  const IfbamMode *list = ifbam_modes_get_modes (over, &n);

  (void) state;
  assert_int_equal (n, 2);
  assert_int_equal (list[0].kind, IFBAM_MODE_OVERDAMPED);
  assert_true (list[0].frequency == 0);
  for (gsize i = 0; i < 2; i++)
    assert_close (list[i].damping_ratio, 5e5, 1e-12, "ratio of the pair", i);
  assert_close (list[0].decay_rate, 1.000000000001e-8, 1e-15, "slow decay", 0);
  assert_close (list[1].decay_rate, 1e4 - 1e-8, 1e-15, "fast decay", 1);
  list = ifbam_modes_get_modes (critical, &n);
  assert_close (list[0].decay_rate, 2, 1e-7, "critical decay", 0);
  assert_true (list[0].frequency < 1e-7);
}

/* Dampers in proportion to springs: each pair of exponents has the ratio of its undamped mode. */
static void
test_overdamped_pairs (void **state)
{
  g_autoptr (IfbamModes) modes =
      modes_of (HEAD "[ground g]\n[mass a]\nmass = 1\n[mass b]\nmass = 2\n"
                     "[spring k]\nstiffness = 60\nbetween = g, a\n"
                     "[spring l]\nstiffness = 60\nbetween = a, b\n"
                     "[damper c]\ndamping = 60\nbetween = g, a\n"
                     "[damper d]\ndamping = 60\nbetween = a, b\n",
                0, 0);
  const double root = sqrt (61200.0);
  const double slow = 0.5 * sqrt ((300 - root) / 4), fast = 0.5 * sqrt ((300 + root) / 4);
  const double ratios[] = { fast, slow, slow, fast };
  gsize n;
  const IfbamMode *list = ifbam_modes_get_modes (modes, &n);

  (void) state;
  assert_int_equal (n, 4);
  for (gsize i = 0; i < 4; i++)
    assert_close (list[i].damping_ratio, ratios[i], 1e-9, "ratio of the pair", i);
}

/* Free bodies */

static guint
count_kind (IfbamModes *modes, IfbamModeKind kind)
{
  gsize n;
  const IfbamMode *list = ifbam_modes_get_modes (modes, &n);
  guint count = 0;

  for (gsize i = 0; i < n; i++)
    count += list[i].kind == kind;
  return count;
}

static void
test_bodies (void **state)
{
  /* Two free pairs, a damper between them, a third mass that only a damper holds. */
  const char *text = HEAD "[ground g]\n[mass a]\nmass = 1\n[mass b]\nmass = 2\n[mass c]\nmass = 3\n"
                          "[mass d]\nmass = 4\n[mass e]\nmass = 5\n"
                          "[spring s1]\nstiffness = 100\nbetween = a, b\n"
                          "[spring s2]\nstiffness = 200\nbetween = c, d\n";
  g_autofree char *joined = g_strconcat (text,
                                         "[damper d1]\ndamping = 3\nbetween = b, c\n"
                                         "[damper d2]\ndamping = 10\nbetween = g, e\n",
                                         NULL);
  g_autoptr (IfbamModes) free_modes = modes_of (text, 0, 0);
  g_autoptr (IfbamModes) damped = modes_of (joined, 0, 0);
  gsize n, n_nodes;
  const IfbamMode *list = ifbam_modes_get_modes (free_modes, &n);
  const double *shape = ifbam_modes_get_shape (free_modes, 1, &n_nodes);

  (void) state;
  assert_int_equal (n, 5);
  assert_int_equal (count_kind (free_modes, IFBAM_MODE_FREE), 3);
  for (gsize i = 0; i < 3; i++)
    assert_true (list[i].frequency == 0 && list[i].damping_ratio == 0 && list[i].decay_rate == 0);
  assert_true (shape[0] == 0 && shape[1] == 0 && shape[2] == 1 && shape[3] == 1 && shape[4] == 0);
  assert_close (list[3].frequency, sqrt (200 * 7. / 12) / (2 * G_PI), 1e-14, "c, d", 3);
  assert_close (list[4].frequency, sqrt (100 * 3. / 2) / (2 * G_PI), 1e-14, "a, b", 4);
  list = ifbam_modes_get_modes (damped, &n);
  /* Three places to be, the pairs' drift against each other, e's drift, and two that swing. */
  assert_int_equal (n, 7);
  assert_int_equal (count_kind (damped, IFBAM_MODE_FREE), 3);
  assert_int_equal (count_kind (damped, IFBAM_MODE_OVERDAMPED), 2);
  assert_int_equal (count_kind (damped, IFBAM_MODE_OSCILLATING), 2);
  assert_close (list[4].decay_rate, 2, 1e-14, "e", 3);
  assert_true (list[3].decay_rate > 1.2 && list[3].decay_rate < 1.6);
}

/* Two inertias in mesh, whichever of them comes first: omega^2 = k (1/J + r^2/I), and one free body. */
static void
test_geared_body (void **state)
{
  static const char *const texts[] = {
    HEAD "[inertia b]\ninertia = 2 kg m2\n[inertia a]\ninertia = 0.1 kg m2\n"
         "[gear g]\nratio = -3\nstiffness = 4 kN m/rad\nbetween = a, b\n",
    HEAD "[inertia a]\ninertia = 0.1 kg m2\n[inertia b]\ninertia = 2 kg m2\n"
         "[gear g]\nratio = -3\nstiffness = 4 kN m/rad\nbetween = a, b\n",
  };

  (void) state;
  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (IfbamModes) modes = modes_of (texts[i], 0, 0);
      gsize n;
      const IfbamMode *list = ifbam_modes_get_modes (modes, &n);

      assert_int_equal (n, 2);
      assert_int_equal (count_kind (modes, IFBAM_MODE_FREE), 1);
      assert_close (list[1].frequency, sqrt (4000 * (1 / 0.1 + 9 / 2.0)) / (2 * G_PI), 1e-10,
                    "mesh", i);
    }
}

/* A gas of single masses: nothing but free modes. */
static void
test_nothing_holds (void **state)
{
  g_autoptr (IfbamModes) modes =
      modes_of (HEAD "[mass a]\nmass = 1\n[mass b]\nmass = 2\n[inertia c]\ninertia = 3\n", 0, 0);

  (void) state;
  assert_int_equal (count_kind (modes, IFBAM_MODE_FREE), 3);
}

static void
test_nonlinear (void **state)
{
  g_autoptr (IfbamModes) modes =
      modes_of (HEAD "[ground g]\n[mass m]\nmass = 2\nposition = 0.1\n"
                     "[spring k]\nstiffness = 100\ncubic = 5000\nbetween = g, m\n"
                     "[mass n]\nmass = 1\n[spring l]\nstiffness = 0.001\nbetween = m, n\n",
                0, 0);
  g_auto (GStrv) names = ifbam_modes_list_nonlinear (modes);
  gsize n;
  const IfbamMode *list = ifbam_modes_get_modes (modes, &n);

  (void) state;
  assert_int_equal (g_strv_length (names), 1);
  assert_string_equal (names[0], "k");
  assert_close (list[1].frequency, sqrt ((100 + 3 * 5000 * 0.01 + 0.001) / 2) / (2 * G_PI), 1e-8,
                "Duffing", 0);
}

/* Stiffness below zero, which no class has: put into the model. */
static void
set_slope (const IfbamModel *model, gsize link, double slope)
{
  gsize index;
  const IfbamBatch *batch = ifbam_model_batch (model, model->link_slot[link], &index);

  batch->parameters[0][index] = slope;
}

static void
test_unstable (void **state)
{
  g_autoptr (IfbamNetwork) network = text_network (
      HEAD "[ground g]\n[mass a]\nmass = 1\n[mass b]\nmass = 1\n"
           "[spring k]\nstiffness = 1\nbetween = g, a\n[spring l]\nstiffness = 1\nbetween = g, b\n"
           "[spring j]\nstiffness = 1\nbetween = g, b\n[damper d]\ndamping = 0\nbetween = g, a\n");
  g_autoptr (IfbamModel) model = model_of (network);
  const IfbamModesRequest request = { 0 };
  gsize n;
  const IfbamMode *list;

  (void) state;
  set_slope (model, 0, -4);
  set_slope (model, 1, 3);
  set_slope (model, 2, -3);
  {
    g_autoptr (IfbamModes) modes = ifbam_modes_new_for_model (model, &spec, &request, NULL);

    /* a falls: exp (2 t), exp (-2 t); b is held by springs that cancel each other. */
    list = ifbam_modes_get_modes (modes, &n);
    assert_int_equal (n, 3);
    assert_int_equal (list[0].kind, IFBAM_MODE_FREE);
    assert_int_equal (list[1].kind, IFBAM_MODE_UNSTABLE);
    assert_close (list[1].decay_rate, -2, 1e-15, "growth", 1);
    assert_true (list[1].damping_ratio == -1);
    assert_int_equal (list[2].kind, IFBAM_MODE_OVERDAMPED);
    assert_close (list[2].decay_rate, 2, 1e-15, "decay", 2);
  }
  set_slope (model, 0, 4);
  set_slope (model, 3, -1);
  {
    g_autoptr (IfbamModes) modes = ifbam_modes_new_for_model (model, &spec, &request, NULL);

    list = ifbam_modes_get_modes (modes, &n);
    assert_int_equal (n, 2);
    assert_close (list[1].decay_rate, -0.5, 1e-15, "growth", 1);
    assert_close (list[1].frequency, sqrt (4 - 0.25) / (2 * G_PI), 1e-15, "frequency", 1);
    assert_true (list[1].damping_ratio < 0);
  }
}

/* Links */

#define PAIR "[ground g]\n[mass a]\nmass = 2\n[mass b]\nmass = 3\n"

/* Checks the modes' frequencies [1/s], and the list of nonlinear elements. */
static void
assert_modes (const char *text, const char *nonlinear, gsize n, const double *omega)
{
  g_autoptr (IfbamModes) modes = modes_of (text, 0, 0);
  g_auto (GStrv) names = ifbam_modes_list_nonlinear (modes);
  g_autofree char *list = g_strjoinv (", ", names);
  gsize n_modes;
  const IfbamMode *found = ifbam_modes_get_modes (modes, &n_modes);

  assert_string_equal (list, nonlinear);
  assert_int_equal (n_modes, n);
  for (gsize i = 0; i < n; i++)
    {
      assert_close (2 * G_PI * found[i].frequency, omega[i], 1e-12, text, i);
      assert_int_equal (found[i].kind, omega[i] > 0 ? IFBAM_MODE_OSCILLATING : IFBAM_MODE_FREE);
    }
}

static void
test_links (void **state)
{
  const double one[] = { sqrt (50) }, two[] = { 0, sqrt (100 * (1. / 2 + 1. / 3)) };
  const double held[] = { sqrt (100. / 3) }, together[] = { sqrt (300. / 5) };
  const double shaken[] = { sqrt (60. / 2) };

  (void) state;
  assert_modes (HEAD "[ground g]\n[mass a]\nmass = 2\nposition = -3 mm\n"
                     "[contact c]\nstiffness = 100\ngap = 1 mm\nbetween = g, a\n",
                "c (closed)", 1, one);
  assert_modes (HEAD PAIR "[spring k]\nstiffness = 100\nbetween = a, b\n"
                          "[contact c]\nstiffness = 100\ngap = 1 mm\nbetween = g, a\n",
                "c (open)", 2, two);
  /* A sticking mass does not move, a mass on it does. */
  assert_modes (HEAD PAIR "[spring k]\nstiffness = 100\nbetween = a, b\n"
                          "[friction f]\nbreakaway = 5\nbetween = g, a\n",
                "f (stuck)", 1, held);
  assert_modes (HEAD PAIR "[spring k]\nstiffness = 300\nbetween = g, b\n"
                          "[friction f]\nbreakaway = 5\nbetween = a, b\n",
                "f (stuck)", 1, together);
  assert_modes (HEAD PAIR "[friction f]\nbreakaway = 5\nbetween = a, b\n"
                          "[friction h]\nbreakaway = 5\nbetween = g, b\n",
                "f (stuck), h (stuck)", 0, NULL);
  /* A weight on the floor */
  assert_modes (HEAD PAIR "[spring k]\nstiffness = 100\nbetween = b, a\n"
                          "[gravity y]\non = a\n[impact i]\nbetween = g, a\n",
                "i (rest)", 1, held);
  /* A slope between two points */
  assert_modes (HEAD "[ground g]\n[mass a]\nmass = 2\nposition = -15 mm\n"
                     "[characteristic c]\ncompression = 0 mm, 10 mm, 20 mm\n"
                     "force = 0 N, 1 N, 1.6 N\nbetween = g, a\n",
                "c", 1, shaken);
}

static void
test_slipping (void **state)
{
  g_autoptr (IfbamModes) modes =
      modes_of (HEAD "[ground g]\n[mass a]\nmass = 2\nvelocity = 1\n"
                     "[friction f]\nbreakaway = 5\nviscous = 3\nbetween = g, a\n",
                0, 0);
  g_autoptr (IfbamModes) falling =
      modes_of (HEAD "[ground g]\n[mass a]\nmass = 2\nposition = -15 mm\n"
                     "[characteristic c]\ncompression = 0 mm, 10 mm, 20 mm\n"
                     "force = 0 N, 1 N, 0.92 N\nbetween = g, a\n",
                0, 0);
  gsize n;
  const IfbamMode *list = ifbam_modes_get_modes (modes, &n);

  (void) state;
  assert_int_equal (n, 2);
  assert_int_equal (list[0].kind, IFBAM_MODE_FREE);
  assert_close (list[1].decay_rate, 1.5, 1e-12, "viscous friction", 1);
  list = ifbam_modes_get_modes (falling, &n);
  assert_int_equal (list[0].kind, IFBAM_MODE_UNSTABLE);
  assert_close (list[0].decay_rate, -2, 1e-12, "a falling slope", 0);
}

/* A ball in a valley is a pendulum of the radii's difference. */
static void
test_ball (void **state)
{
  g_autoptr (IfbamModes) modes =
      modes_of (HEAD "start = equilibrium\n[surface s]\namplitude = 0.1\nwavelength = 2\n"
                     "[ball b]\nmass = 3\nradius = 0.05\nx = 1.4\ny = 0.3\n[gravity g]\non = b\n"
                     "[bounce c]\nbetween = b, s\n",
                0, 0);
  gsize n;
  const IfbamMode *list = ifbam_modes_get_modes (modes, &n);

  (void) state;
  assert_int_equal (n, 1);
  assert_close (list[0].frequency, sqrt (9.81 / (1 / (0.1 * G_PI * G_PI) - 0.05)) / (2 * G_PI),
                1e-8, "valley", 0);
}

/* A ratio between the ends is a lever of the free motion. */
static void
test_gear (void **state)
{
  g_autoptr (IfbamModes) modes =
      modes_of (HEAD "[inertia a]\ninertia = 2\n[inertia b]\ninertia = 3\n"
                     "[gear z]\nratio = -4\nstiffness = 100\nbetween = a, b\n",
                0, 0);
  gsize n;
  const IfbamMode *list = ifbam_modes_get_modes (modes, &n);
  const double *shape = ifbam_modes_get_shape (modes, 0, &n);

  (void) state;
  assert_int_equal (list[0].kind, IFBAM_MODE_FREE);
  assert_close (shape[0], 1, 1e-15, "lever", 0);
  assert_close (shape[1], -0.25, 1e-15, "lever", 1);
  assert_close (list[1].frequency, sqrt (100 * (1. / 2 + 16. / 3)) / (2 * G_PI), 1e-14, "gear", 1);
}

/* ARPACK against LAPACK */

static void
assert_among (const IfbamModel *model, IfbamModes *some, IfbamModes *all, guint count, double near,
              double tolerance)
{
  gsize n_some, n_all;
  const IfbamMode *list = ifbam_modes_get_modes (some, &n_some);
  const IfbamMode *others = ifbam_modes_get_modes (all, &n_all);
  g_autofree guint8 *used = g_new0 (guint8, n_all);
  double reach = 0;

  assert_int_equal (n_some, count);
  for (gsize i = 0; i < n_some; i++)
    {
      gsize best = n_all;

      for (gsize j = 0; j < n_all; j++)
        if (!used[j]
            && (best == n_all
                || cabs (root_of (&others[j]) - root_of (&list[i]))
                       < cabs (root_of (&others[best]) - root_of (&list[i]))))
          best = j;
      used[best] = 1;
      if (!(cabs (root_of (&others[best]) - root_of (&list[i]))
            <= tolerance * cabs (root_of (&others[best]))))
        fail_msg ("mode %zu: %.12g Hz, %.12g /s, not %.12g Hz, %.12g /s", i, list[i].frequency,
                  list[i].decay_rate, others[best].frequency, others[best].decay_rate);
      assert_int_equal (list[i].kind, others[best].kind);
      if (list[i].kind != IFBAM_MODE_FREE)
        assert_solves (model, some, i, 1e-6);
      reach = fmax (reach, cabs (root_of (&list[i]) - I * (2 * G_PI * near)));
    }
  /* None is nearer than those that were chosen. */
  for (gsize j = 0; j < n_all; j++)
    if (!used[j] && cabs (root_of (&others[j]) - I * (2 * G_PI * near)) < (1 - 1e-6) * reach)
      fail_msg ("%.12g Hz, %.12g /s was left out", others[j].frequency, others[j].decay_rate);
}

typedef struct
{
  guint count;
  double near;
} Choice;

static void
assert_sparse_agrees (const char *text, const Choice *choices, gsize n)
{
  g_autoptr (IfbamNetwork) network = text_network (text);
  g_autoptr (IfbamModel) model = model_of (network);
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamModes) all = ifbam_modes_new (network, 0, 0, &error);

  if (all == NULL)
    fail_msg ("%s", error->message);
  for (gsize i = 0; i < n; i++)
    {
      const IfbamModesRequest request = { .count = choices[i].count,
                                          .near = choices[i].near,
                                          .some = TRUE };
      g_autoptr (IfbamModes) some = ifbam_modes_new_for_model (model, &spec, &request, &error);

      if (some == NULL)
        fail_msg ("%s", error->message);
      assert_among (model, some, all, choices[i].count, choices[i].near, 1e-9);
    }
}

static char *
membrane (gsize side)
{
  GString *text = g_string_new (HEAD "[ground g]\n");

  for (gsize i = 0; i < side * side; i++)
    g_string_append_printf (text, "[mass m%zu]\nmass = 1\n", i);
  for (gsize i = 0; i < side; i++)
    for (gsize j = 0; j < side; j++)
      {
        const gsize m = i * side + j;

        if (i + 1 < side)
          g_string_append_printf (text, "[spring a%zu]\nstiffness = 1000\nbetween = m%zu, m%zu\n",
                                  m, m, m + side);
        if (j + 1 < side)
          g_string_append_printf (text, "[spring b%zu]\nstiffness = 1000\nbetween = m%zu, m%zu\n",
                                  m, m, m + 1);
        if (i == 0 || i + 1 == side)
          g_string_append_printf (text, "[spring c%zu]\nstiffness = 1000\nbetween = g, m%zu\n", m,
                                  m);
        if (j == 0 || j + 1 == side)
          g_string_append_printf (text, "[spring d%zu]\nstiffness = 1000\nbetween = g, m%zu\n", m,
                                  m);
      }
  return g_string_free (text, FALSE);
}

/* A membrane has pairs of equal eigenfrequencies; both are found. */
static void
test_equal_frequencies (void **state)
{
  static const Choice choices[] = { { 15, 0 }, { 10, 7.1 }, { 7, 0.01 } };
  const gsize side = 20;
  g_autofree char *text = membrane (side);
  g_autoptr (IfbamModes) modes = modes_of (text, 15, 0);
  double wanted[64];
  gsize n;
  const IfbamMode *list = ifbam_modes_get_modes (modes, &n);

  (void) state;
  for (gsize i = 1; i <= 8; i++)
    for (gsize j = 1; j <= 8; j++)
      {
        const double a = chain_frequency (FIXED_FIXED, side, 1000, 1, i);
        const double b = chain_frequency (FIXED_FIXED, side, 1000, 1, j);
        gsize place = (i - 1) * 8 + j - 1;

        for (; place > 0 && wanted[place - 1] > hypot (a, b); place--)
          wanted[place] = wanted[place - 1];
        wanted[place] = hypot (a, b);
      }
  assert_int_equal (n, 15);
  for (gsize i = 0; i < n; i++)
    assert_close (list[i].frequency, wanted[i], 1e-12, "membrane", i);
  assert_sparse_agrees (text, choices, G_N_ELEMENTS (choices));
}

/* Twice, three times the same network: every eigenfrequency comes as often. */
static void
test_copies (void **state)
{
  GString *text = g_string_new (HEAD "[ground g]\n");
  g_autoptr (IfbamModes) modes = NULL;
  gsize n;
  const IfbamMode *list;

  (void) state;
  for (int copy = 0; copy < 5; copy++)
    g_string_append_printf (text, "[chain c%d]\ncount = 100\nmass = 1\nstiffness = 1e4\nfrom = g\n",
                            copy);
  modes = modes_of (text->str, 23, 0);
  list = ifbam_modes_get_modes (modes, &n);
  assert_int_equal (n, 23);
  for (gsize i = 0; i < n; i++)
    assert_close (list[i].frequency, chain_frequency (FIXED_FREE, 100, 1e4, 1, i / 5 + 1), 1e-11,
                  "copy", i);
  g_string_free (text, TRUE);
}

static void
test_sparse (void **state)
{
  static const Choice choices[] = { { 9, 0 }, { 7, 2.0 }, { 1, 1e-3 }, { 12, 1.0 }, { 1, 0 } };

  (void) state;
  for (int draw = 0; draw < 10; draw++)
    for (int grounded = 0; grounded < 2; grounded++)
      for (int damped = 0; damped < 2; damped++)
        {
          g_autofree char *text = random_network (80, 180, damped ? 0.3 : 0.0, grounded);

          assert_sparse_agrees (text, choices, G_N_ELEMENTS (choices));
        }
}

/* Errors */

static void
assert_refused (const char *text, guint count, const char *message)
{
  g_autoptr (IfbamNetwork) network = text_network (text);
  g_autoptr (GError) error = NULL;

  assert_null (ifbam_modes_new (network, count, 0, &error));
  assert_true (g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_NETWORK));
  if (strstr (error->message, message) == NULL)
    fail_msg ("\"%s\" is not in: %s", message, error->message);
}

/* Mechanisms about where they hang: closed forms, and the zeros of the 100th Laguerre polynomial for a chain of rods */
static void
test_hanging (void **state)
{
#define HANGING HEAD "start = equilibrium\n"
  g_autoptr (IfbamModes) bar =
      modes_of (HANGING "[point p]\n[body b]\nmass = 2\ninertia = 0.05\nangle = 1.5\n"
                        "[point top]\non = b\ny = 0.4\n[hinge h]\nbetween = p, top\n"
                        "[gravity g]\non = b\n",
                0, 0);
  g_autoptr (IfbamModes) two =
      modes_of (HANGING "[point p]\n[ball a]\nmass = 1\nx = 0.8\ny = -0.6\n"
                        "[ball b]\nmass = 1\nx = 0.8\ny = -1.6\n[rod r]\nbetween = p, a\n"
                        "[rod s]\nbetween = a, b\n[gravity g]\non = a, b\n",
                0, 0);
  g_autoptr (GString) text = g_string_new (HANGING "[point b0]\n");
  g_autoptr (GString) on = g_string_new ("b1");
  g_autoptr (IfbamModes) chain = NULL;
  const IfbamMode *modes;
  gsize n;

  (void) state;
  modes = ifbam_modes_get_modes (bar, &n);
  assert_int_equal (n, 1);
  assert_close (modes[0].frequency, sqrt (2 * 9.81 * 0.4 / 0.37) / (2 * G_PI), 1e-11, "bar", 0);
  modes = ifbam_modes_get_modes (two, &n);
  assert_int_equal (n, 2);
  assert_close (modes[0].frequency, 0.381526133747, 1e-10, "double pendulum", 0);
  assert_close (modes[1].frequency, 0.921085566492, 1e-10, "double pendulum", 1);
  for (int i = 1; i <= 100; i++)
    {
      g_string_append_printf (text,
                              "[ball b%d]\nmass = 0.1\nx = 0\ny = %.17g\n"
                              "[rod r%d]\nbetween = b%d, b%d\n",
                              i, -0.1 * i, i, i - 1, i);
      if (i > 1)
        g_string_append_printf (on, ", b%d", i);
    }
  g_string_append_printf (text, "[gravity g]\non = %s\n", on->str);
  chain = modes_of (text->str, 0, 0);
  modes = ifbam_modes_get_modes (chain, &n);
  assert_int_equal (n, 100);
  assert_close (modes[0].frequency, 0.189071853685, 1e-10, "chain", 0);
  assert_close (modes[1].frequency, 0.434009849323, 1e-10, "chain", 1);
  assert_close (modes[2].frequency, 0.680420671498, 1e-10, "chain", 2);
  assert_close (modes[99].frequency, 30.5253793221, 1e-10, "chain", 99);
}

/* det (s^2 M + s C + K) of a car from the side: bounce, pitch and two wheels, derived by hand. */
static double complex
half_car (double complex s)
{
  const double mass[] = { 600, 1000, 40, 40 }, arm[] = { 1.2, -1.4 };
  const double stiffness[] = { 2e4, 1.8e4 }, damping = 1500, tyre = 1.8e5;
  double complex a[4][4] = { { 0 } }, product = 1;

  for (int i = 0; i < 4; i++)
    a[i][i] = s * s * mass[i] + (i < 2 ? 0 : tyre);
  for (int k = 0; k < 2; k++)
    {
      const double row[] = { 1, arm[k], k == 0 ? -1 : 0, k == 1 ? -1 : 0 };

      for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
          a[i][j] += (stiffness[k] + s * damping) * row[i] * row[j];
    }
  for (int k = 0; k < 4; k++)
    {
      product *= a[k][k];
      for (int i = k + 1; i < 4; i++)
        for (int j = 3; j >= k; j--)
          a[i][j] -= a[i][k] / a[k][k] * a[k][j];
    }
  return product;
}

static void
test_half_car (void **state)
{
  g_autoptr (IfbamNetwork) network = open_network ("networks/half-car.ini", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamModes) car = ifbam_modes_new (network, 0, 0, &error);
  gsize n;
  const IfbamMode *modes = ifbam_modes_get_modes (car, &n);

  (void) state;
  assert_int_equal (n, 5);
  assert_int_equal (modes[0].kind, IFBAM_MODE_FREE);
  for (gsize i = 1; i < n; i++)
    {
      const double complex s = -modes[i].decay_rate + 2 * G_PI * I * modes[i].frequency;
      const double complex h = 1e-4 * s;
      const double complex step =
          half_car (s) * 2 * h / (half_car (s + h) - half_car (s - h)); /* Newton's */

      if (!(cabs (step) < 1e-9 * cabs (s)))
        fail_msg ("mode %zu is off by %g", i, cabs (step / s));
    }
}

static void
test_refusals (void **state)
{
  (void) state;
  assert_refused (HEAD "[ground g]\n[ground h]\n[spring k]\nstiffness = 1\nbetween = g, h\n"
                       "[drive d]\n",
                  0, "nothing with inertia");
  assert_refused (HEAD "[chain c]\ncount = 5000\nmass = 1\nstiffness = 1\n", 0, "5000 modes");
  assert_refused (HEAD "[chain c]\ncount = 5000\nmass = 1\nstiffness = 1\n", 5000,
                  "fewer than half");
}

typedef struct
{
  guint assembled, most;
} Assembly;

static gboolean
go_on_assembling (gpointer data, const char *what)
{
  Assembly *assembly = data;

  if (!g_str_equal (what, "assembling"))
    return TRUE;
  return ++assembly->assembled <= assembly->most;
}

/* Matrices of a million nodes take tenths of a second: interrupt checks before and after each. */
static void
test_assembling_is_interrupted (void **state)
{
  static const char chain[] =
      HEAD "[chain c]\ncount = 400\nmass = 1\nstiffness = 1\ndamping = 0.01\n";
  g_autoptr (IfbamNetwork) network = text_network (chain);
  g_autoptr (IfbamModel) model = model_of (network);

  (void) state;
  for (guint most = 0; most <= 3; most++)
    {
      Assembly assembly = { .most = most };
      const IfbamModesRequest request = { .count = 3,
                                          .progress = go_on_assembling,
                                          .data = &assembly };
      g_autoptr (GError) error = NULL;
      g_autoptr (IfbamModes) modes = ifbam_modes_new_for_model (model, &spec, &request, &error);

      assert_int_equal (assembly.assembled, MIN (most + 1, 3));
      assert_true ((modes != NULL) == (most == 3));
      assert_true (most == 3 || g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_INTERRUPTED));
    }
}

/* Messages name a link with an infinite stiffness. */
static void
test_infinite_slope (void **state)
{
  g_autoptr (IfbamNetwork) network = text_network (
      "[network]\nstep = 1 ms\nduration = 1 s\n[ground wall]\n[mass m]\nmass = 1\nposition = 1\n"
      "[hertz h]\nmodulus = 1e300\nradius = 1e300\nbetween = m, wall\n");
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamModes) modes = ifbam_modes_new (network, 0, 0, &error);

  (void) state;
  assert_null (modes);
  assert_non_null (strstr (error->message, "h: its law has no finite slope at this state"));
}

int
main (int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_chains),
    cmocka_unit_test (test_large_chains),
    cmocka_unit_test (test_damped),
    cmocka_unit_test (test_stiff_and_soft),
    cmocka_unit_test (test_lost_spring),
    cmocka_unit_test (test_proportional),
    cmocka_unit_test (test_overdamped),
    cmocka_unit_test (test_overdamped_pairs),
    cmocka_unit_test (test_bodies),
    cmocka_unit_test (test_geared_body),
    cmocka_unit_test (test_nothing_holds),
    cmocka_unit_test (test_nonlinear),
    cmocka_unit_test (test_unstable),
    cmocka_unit_test (test_equal_frequencies),
    cmocka_unit_test (test_copies),
    cmocka_unit_test (test_sparse),
    cmocka_unit_test (test_links),
    cmocka_unit_test (test_slipping),
    cmocka_unit_test (test_gear),
    cmocka_unit_test (test_ball),
    cmocka_unit_test (test_hanging),
    cmocka_unit_test (test_half_car),
    cmocka_unit_test (test_refusals),
    cmocka_unit_test (test_infinite_slope),
    cmocka_unit_test (test_assembling_is_interrupted),
  };

  if (argc > 1)
    cmocka_set_test_filter (argv[1]);
  return cmocka_run_group_tests (tests, set_up, noise_tear_down);
}
