/* test-linearization.c: slopes of laws, and the matrices that they make
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>

#include <string.h>

#include "elements/registry.h"
#include "engine/energy-balance.h"
#include "linear/linear.h"
#include "element/element.h"
#include "run/run.h"
#include "noise.h"
#include "linear/motion-inputs.h"
#include "linear/system-matrices.h"
#include "fixture.h"

#define LINKS 1000

static IfbamRunSpec spec; /* of the model that model_of () made last */

static int
set_up (void **state)
{
  (void) state;
  return noise_set_up (1911);
}

/* A number of any size from 10^low to 10^high, of either sign. */
static double
of_any_size (double low, double high)
{
  const double size = pow (10, between (low, high));

  return g_rand_boolean (noise) ? size : -size;
}

static void
assert_close (double number, double wanted, double tolerance, const char *what)
{
  if (!(fabs (number - wanted) <= tolerance * fabs (wanted)))
    fail_msg ("%s: %.17g, not %.17g (relative %.3g, at most %.3g)", what, number, wanted,
              fabs (number / wanted - 1), tolerance);
}

/* Laws that no element class has (yet) */

typedef struct
{
  double a, b;
} TestLaw;

#define TEST_LAW(Name, law_name, expression)                                                       \
  static inline double law_name##_force (const TestLaw *p, int mode, double delta, double rate)    \
  {                                                                                                \
    (void) p, (void) mode, (void) delta, (void) rate;                                              \
    return expression;                                                                             \
  }                                                                                                \
  static inline double law_name##_energy (const TestLaw *p, int mode, double delta)                \
  {                                                                                                \
    (void) p, (void) mode, (void) delta;                                                           \
    return 0.0;                                                                                    \
  }                                                                                                \
  IFBAM_DEFINE_LAW (TestLaw, law_name, (SMOOTH, DIFFERENCE_3))                                     \
  static const IfbamParam law_name##_params[] = {                                                  \
    IFBAM_PARAM (TestLaw, a, "a", "N/m", 0, G_MAXDOUBLE, IFBAM_REQUIRED, "a"),                     \
    IFBAM_PARAM (TestLaw, b, "b", "m", 0, G_MAXDOUBLE, IFBAM_REQUIRED, "b"),                       \
    IFBAM_PARAM_BETWEEN,                                                                           \
  };                                                                                               \
  IFBAM_DEFINE_LINK (Name, law_name, TestLaw, law_name, .name = "test",                            \
                     .domain = IFBAM_DOMAIN_TRANSLATION)

/* Preloaded and parallel to a damper; with a gap of b; Hertz's; Newton's drag; of both coordinates; Duffing's without the line. */
TEST_LAW (TestAffine, test_affine, p->a *delta + p->b + 3.0 * rate)
TEST_LAW (TestGap, test_gap, delta > p->b ? p->a * (delta - p->b) : 0.0)
TEST_LAW (TestHertz, test_hertz, p->a *(delta *sqrt (fabs (delta))))
TEST_LAW (TestDrag, test_drag, p->a *(fabs (rate) * rate))
TEST_LAW (TestProduct, test_product, p->a *delta *rate)
TEST_LAW (TestCube, test_cube, p->a *delta *delta *delta)

typedef struct
{
  IfbamLink link;
  TestLaw law[LINKS];
  double delta[LINKS], rate[LINKS];
} Links;

static void
links_init (Links *links, const IfbamElementInfo *info)
{
  links->link = (IfbamLink){ .law = info->link };
  for (guint i = 0; i < LINKS; i++)
    {
      links->law[i].a = fabs (of_any_size (-3, 9));
      links->law[i].b = of_any_size (-9, 2);
      links->delta[i] = of_any_size (-9, 3);
      links->rate[i] = of_any_size (-9, 3);
    }
}

typedef void (*SlopeCheck) (double a, double b, double delta, double rate, double stiffness,
                            double damping, guint nonlinear);

static void
check_slopes (Links *links, SlopeCheck check)
{
  for (guint i = 0; i < LINKS; i++)
    {
      const IfbamForceDerivatives found = ifbam_link_differentiate (
          &links->link, &links->law[i], 0, links->delta[i], links->rate[i]);

      check (links->law[i].a, links->law[i].b, links->delta[i], links->rate[i], found.stiffness,
             found.damping, found.nonlinear);
    }
}

static void
check_affine (double a, double b, double delta, double rate, double stiffness, double damping,
              guint nonlinear)
{
  /* A preload hides small changes: the force at the reach has so many digits. */
  const double force = fabs (a * delta) + fabs (b) + fabs (3 * rate) + a * 1e-3;
  const double reach = fmax (fabs (delta), 1e-3), haste = fmax (fabs (rate), 1e-3);

  assert_int_equal (nonlinear, 0);
  assert_true (fabs (stiffness - a) <= 1e-15 * (a + force / reach));
  assert_true (fabs (damping - 3.0) <= 1e-15 * (3.0 + (force + 3 * haste) / haste));
}

static void
check_gap (double a, double b, double delta, double rate, double stiffness, double damping,
           guint nonlinear)
{
  (void) rate;
  assert_true (damping == 0.0);
  if (fabs (delta - b) < 1e-6 * fabs (delta))
    return; /* as good as at the kink */
  if (delta < b)
    assert_true (stiffness == 0.0);
  else
    assert_close (stiffness, a, 1e-9, "slope of a closed gap");
  if (fabs (delta - b) < fabs (delta))
    assert_true (nonlinear & IFBAM_NONLINEAR);
}

static void
check_kink (double a, double b, double delta, double rate, double stiffness, double damping,
            guint nonlinear)
{
  (void) delta;
  (void) rate;
  (void) damping;
  if (fabs (b) > 1e3)
    return;
  assert_close (stiffness, 0.5 * a, 1e-7, "mean slope at a kink");
  assert_int_equal (nonlinear, IFBAM_NONLINEAR | IFBAM_KINKED);
}

static void
check_hertz (double a, double b, double delta, double rate, double stiffness, double damping,
             guint nonlinear)
{
  (void) b;
  (void) rate;
  assert_true (damping == 0.0);
  /* Its second slope is infinite at 0, so far within the reach nothing converges fast. */
  if (fabs (delta) > 1e-6)
    assert_close (stiffness, 1.5 * a * sqrt (fabs (delta)), 1e-9, "slope of Hertz's law");
  else
    assert_close (stiffness, 1.5 * a * sqrt (fabs (delta)), 0.3, "slope of Hertz's law near 0");
  assert_int_equal (nonlinear, IFBAM_NONLINEAR);
}

static void
check_drag (double a, double b, double delta, double rate, double stiffness, double damping,
            guint nonlinear)
{
  (void) b;
  (void) delta;
  assert_true (stiffness == 0.0);
  if (fabs (rate) > 1e-5)
    assert_close (damping, 2 * a * fabs (rate), 1e-9, "slope of Newton's drag");
  assert_int_equal (nonlinear, IFBAM_NONLINEAR);
}

static void
check_product (double a, double b, double delta, double rate, double stiffness, double damping,
               guint nonlinear)
{
  (void) b;
  assert_close (stiffness, a * rate, 1e-12, "slope of a product");
  assert_close (damping, a * delta, 1e-12, "slope of a product");
  assert_int_equal (nonlinear, IFBAM_NONLINEAR);
}

/* The difference of a cube is off by the square of the reach and by nothing else: the first extrapolation is exact. */
static void
check_cube (double a, double b, double delta, double rate, double stiffness, double damping,
            guint nonlinear)
{
  (void) b;
  (void) rate;
  assert_true (damping == 0.0);
  if (fabs (delta) > 1e-3)
    assert_close (stiffness, 3 * a * delta * delta, 1e-13, "slope of a cube");
  assert_int_equal (nonlinear, IFBAM_NONLINEAR);
}

static void
check_rest (double a, double b, double delta, double rate, double stiffness, double damping,
            guint nonlinear)
{
  (void) a;
  (void) b;
  (void) delta;
  (void) rate;
  assert_true (stiffness == 0.0 && damping == 0.0);
  assert_int_equal (nonlinear, IFBAM_NONLINEAR);
}

static void
test_laws (void **state)
{
  g_autofree Links *links = g_new0 (Links, 1);

  (void) state;
  links_init (links, &test_affine_info);
  check_slopes (links, check_affine);
  links_init (links, &test_gap_info);
  check_slopes (links, check_gap);
  links_init (links, &test_gap_info);
  for (guint i = 0; i < LINKS; i++)
    links->delta[i] = links->law[i].b;
  check_slopes (links, check_kink);
  links_init (links, &test_hertz_info);
  check_slopes (links, check_hertz);
  links_init (links, &test_drag_info);
  check_slopes (links, check_drag);
  memset (links->rate, 0, sizeof links->rate);
  check_slopes (links, check_rest);
  links_init (links, &test_product_info);
  check_slopes (links, check_product);
  links_init (links, &test_cube_info);
  check_slopes (links, check_cube);
}

/* Networks */

static IfbamModel *
model_of (const char *text, IfbamNetwork **network)
{
  g_autoptr (GError) error = NULL;
  IfbamModel *model;

  *network = text_network (text);
  model = ifbam_network_compile_or_error (*network, FALSE, &spec, NULL, &error);
  if (model == NULL)
    fail_msg ("%s", error->message);
  return model;
}

static double
entry (const IfbamSparse *matrix, gsize row, gsize column)
{
  double sum = 0;

  for (gint32 i = matrix->start[column]; i < matrix->start[column + 1]; i++)
    if ((gsize) matrix->row[i] == row)
      sum += matrix->value[i];
  return sum;
}

static void
test_chain (void **state)
{
  g_autoptr (IfbamNetwork) network = NULL;
  g_autoptr (IfbamModel) model =
      model_of ("[network]\nstep = 1\nduration = 1\n[ground g]\n[chain c]\ncount = 40\n"
                "mass = 1, 2, 3\nstiffness = 0.1, 7, 1e5\n"
                "damping = 5, 1e-7\nfrom = g\n"
                "position = 0.3 mm, -17 m, 1 km\nvelocity = 3, -4\n",
                &network);
  g_autoptr (IfbamLinearization) linearization = ifbam_linearization_new (model, &spec, NULL, NULL);
  g_autoptr (IfbamSmallMotions) motions = ifbam_small_motions_new (model, &spec, NULL);
  g_autoptr (IfbamSparse) stiffness =
      ifbam_small_motions_matrix (motions, motions->stiffness, NULL);
  g_autoptr (IfbamSparse) damping = ifbam_small_motions_matrix (motions, motions->damping, NULL);
  const double k[] = { 0.1, 7, 1e5 }, d[] = { 5, 1e-7 };

  (void) state;
  assert_int_equal (linearization->n_nonlinear, 0);
  assert_true (linearization->has_damping);
  assert_int_equal (linearization->first_not_finite, model->n_links);
  for (gsize i = 0; i < 40; i++)
    for (gsize j = 0; j < 40; j++)
      {
        const gboolean last = i == 39;
        double want_k = 0, want_d = 0;

        if (i == j)
          {
            want_k = k[i % 3] + (last ? 0 : k[(i + 1) % 3]);
            want_d = d[i % 2] + (last ? 0 : d[(i + 1) % 2]);
          }
        else if (j + 1 == i || i + 1 == j)
          {
            want_k = -k[MAX (i, j) % 3];
            want_d = -d[MAX (i, j) % 2];
          }
        assert_close (entry (stiffness, i, j), want_k, 4e-16, "K of a chain");
        assert_close (entry (damping, i, j), want_d, 4e-16, "C of a chain");
      }
}

static void
test_duffing (void **state)
{
  g_autoptr (IfbamNetwork) network = NULL;
  g_autoptr (IfbamModel) model = model_of (
      "[network]\nstep = 1\nduration = 1\n[ground g]\n[mass m]\nmass = 2\nposition = 0.37\n"
      "[mass n]\nmass = 1\n[mass l]\nmass = 1\nposition = 1\n"
      "[spring k]\nstiffness = 3\ncubic = 11\nbetween = g, m\n"
      "[spring j]\nstiffness = 3\ncubic = 11\nbetween = g, n\n"
      "[spring i]\nstiffness = 3\nbetween = n, l\n",
      &network);
  g_autoptr (IfbamLinearization) linearization = ifbam_linearization_new (model, &spec, NULL, NULL);
  const double *stiffness = linearization->stiffness;
  double position[] = { -2, 5, 5, 1 }, rate[] = { 0, 0, 0, 0 };

  (void) state;
  assert_int_equal (linearization->n_nonlinear, 2);
  assert_false (linearization->has_damping);
  assert_close (stiffness[model->link_slot[0]], 3 + 3 * 11 * 0.37 * 0.37, 1e-12, "Duffing at 0.37");
  assert_close (stiffness[model->link_slot[1]], 3, 1e-12, "Duffing at 0");
  assert_close (stiffness[model->link_slot[2]], 3, 1e-15, "beside Duffing");
  assert_int_equal (linearization->nonlinear[model->link_slot[1]], IFBAM_NONLINEAR);
  assert_int_equal (linearization->nonlinear[model->link_slot[2]], 0);
  ifbam_linearization_free (g_steal_pointer (&linearization));
  linearization = ifbam_linearization_new (model, &spec, position, rate);
  stiffness = linearization->stiffness;
  assert_close (stiffness[model->link_slot[0]], 3 + 3 * 11 * 9.0, 1e-12, "Duffing at -3");
  assert_close (stiffness[model->link_slot[1]], 3 + 3 * 11 * 16.0, 1e-12, "Duffing at 4");
  assert_close (linearization->force[model->link_slot[0]], 3 * 3.0 + 11 * 27.0, 1e-15, "its force");
}

/* A random network of linear springs and dampers between masses, a ground and a drive. */
static char *
random_network (gsize n_masses, gsize n_links)
{
  GString *text =
      g_string_new ("[network]\nstep = 1\nduration = 1\n[ground n0]\n[drive n1]\namplitude = 1\n");

  for (gsize i = 2; i < n_masses + 2; i++)
    g_string_append_printf (text, "[mass n%zu]\nmass = %.17g\nposition = %.17g\nvelocity = %.17g\n",
                            i, between (0.1, 10), between (-1, 1), between (-1, 1));
  for (gsize i = 0; i < n_links; i++)
    {
      const int n = (int) n_masses + 2, left = g_rand_int_range (noise, 0, n);
      int right = g_rand_int_range (noise, 0, n - 1);
      const gboolean spring = g_rand_boolean (noise);

      right += right >= left;
      g_string_append_printf (text, "[%s l%zu]\n%s = %.17g\nbetween = n%d, n%d\n",
                              spring ? "spring" : "damper", i, spring ? "stiffness" : "damping",
                              between (0, 100), left, right);
    }
  return g_string_free (text, FALSE);
}

static void
assert_is_sane (const IfbamSparse *matrix)
{
  for (gsize column = 0; column < matrix->n; column++)
    {
      assert_true (matrix->start[column] < matrix->start[column + 1]);
      for (gint32 i = matrix->start[column]; i < matrix->start[column + 1]; i++)
        {
          const gsize row = (gsize) matrix->row[i];

          assert_true (row < matrix->n);
          assert_true (i == matrix->start[column] || matrix->row[i - 1] < matrix->row[i]);
          assert_true (entry (matrix, column, row) == matrix->value[i]);
        }
    }
}

/* Where laws are linear, the forces are those of the matrices. */
static void
assert_forces_agree (const IfbamModel *model)
{
  g_autoptr (IfbamLinearization) linearization = ifbam_linearization_new (model, &spec, NULL, NULL);
  g_autoptr (IfbamSmallMotions) motions = ifbam_small_motions_new (model, &spec, NULL);
  g_autoptr (IfbamSparse) stiffness =
      ifbam_small_motions_matrix (motions, motions->stiffness, NULL);
  g_autoptr (IfbamSparse) damping = ifbam_small_motions_matrix (motions, motions->damping, NULL);
  g_autofree double *x = g_new (double, model->n_nodes), *v = g_new (double, model->n_nodes);
  g_autofree double *flat = g_new0 (double, model->n_nodes), *in_k = g_new (double, model->n_free);
  g_autofree double *in_c = g_new (double, model->n_free), *sum = g_new0 (double, model->n_free);
  g_autofree double *other = g_new0 (double, model->n_nodes);
  g_autoptr (IfbamParameterValues) numbers = ifbam_parameter_values_new (model, &spec, 1);
  const IfbamView view = { .numbers = numbers, .position = x, .rate = v };
  double energy = 0, most = 0;

  assert_is_sane (stiffness);
  assert_is_sane (damping);
  assert_int_equal (linearization->n_nonlinear, 0);
  for (gsize i = 0; i < model->n_nodes; i++)
    {
      x[i] = between (-1, 1);
      v[i] = between (-1, 1);
    }
  for (gsize j = 0; j < model->n_free; j++)
    for (gint32 i = stiffness->start[j]; i < stiffness->start[j + 1]; i++)
      {
        sum[stiffness->row[i]] -= stiffness->value[i] * x[j];
        energy += stiffness->value[i] * x[j] * x[stiffness->row[i]];
      }
  for (gsize j = 0; j < model->n_free; j++)
    for (gint32 i = damping->start[j]; i < damping->start[j + 1]; i++)
      sum[damping->row[i]] -= damping->value[i] * v[j];
  for (gsize node = model->n_free; node < model->n_nodes; node++)
    {
      ifbam_small_motions_motion_input (motions, node, in_k, in_c);
      for (gsize i = 0; i < model->n_free; i++)
        sum[i] += in_k[i] * x[node] + in_c[i] * v[node];
    }
  ifbam_linearization_multiply (linearization, linearization->stiffness, x, other);
  ifbam_linearization_multiply (linearization, linearization->damping, v, other);
  for (gsize i = 0; i < model->n_free; i++)
    most = fmax (most, fabs (sum[i]));
  for (gsize i = 0; i < model->n_free; i++)
    {
      double force;

      ifbam_view_force (&view, i, &force);
      assert_true (fabs (sum[i] - force) <= 1e-13 * most);
      assert_true (fabs (sum[i] + other[i]) <= 1e-13 * most);
    }
  for (gsize i = model->n_free; i < model->n_nodes; i++)
    x[i] = 0.0;
  assert_close (ifbam_linearization_form (linearization, linearization->stiffness, x, x), energy,
                1e-12, "form");
  assert_close (ifbam_small_motions_form (motions, motions->stiffness, x, x), energy, 1e-12,
                "form over coordinates");
  assert_true (ifbam_linearization_form (linearization, linearization->stiffness, x, flat) == 0.0);
}

static void
test_forces (void **state)
{
  (void) state;
  for (gsize size = 1; size < 2000; size = size * 3 + 1)
    for (gsize links = 1; links < 4; links++)
      {
        g_autofree char *text = random_network (size, size * links);
        g_autoptr (IfbamNetwork) network = NULL;
        g_autoptr (IfbamModel) model = model_of (text, &network);

        assert_forces_agree (model);
      }
}

/* A law with a mean of one point must be linear: its derivatives are constant. */
static void
test_classes (void **state)
{
  guint n;
  const GType *types = ifbam_element_types (&n);

  (void) state;
  for (guint t = 0; t < n; t++)
    {
      const IfbamElementInfo *info = ifbam_element_type_info (types[t]);
      const IfbamLink link = { .law = info->link };
      double law[IFBAM_MAX_LAW] = { 0 };

      /* Other data of a law than parameters have no use here. */
      if (!ifbam_element_in_batches (info) || ifbam_element_prepares_law (info))
        continue;
      g_rand_set_seed (noise, g_str_hash (info->name));
      for (int draw = 0; draw < 200; draw++)
        {
          const double position[] = { of_any_size (-6, 1), of_any_size (-6, 1) };
          const double rate[] = { of_any_size (-6, 1), of_any_size (-6, 1), of_any_size (-6, 1),
                                  of_any_size (-6, 1) };
          IfbamForceDerivatives found;

          for (guint i = 0; i < info->n_params; i++)
            {
              const IfbamParam *param = &info->params[i];
              const gsize k = param->offset / sizeof (double);

              if (param->kind != IFBAM_PARAM_NUMBER)
                continue;
              law[k] = g_rand_boolean (noise) ? 0.0 : fabs (of_any_size (-3, 6));
              if (law[k] < param->minimum || law[k] > param->maximum)
                law[k] = 1.0;
            }
          for (guint k = 0; k < info->link->n_states; k++)
            law[info->link->first_state + k] = rate[2 + k];
          found = ifbam_link_differentiate (&link, law, 0, position[0] - position[1],
                                            rate[0] - rate[1]);
          assert_true (isfinite (found.stiffness) && isfinite (found.damping));
          if (info->link->points (law) == 1)
            assert_int_equal (found.nonlinear, 0);
        }
    }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_laws),    cmocka_unit_test (test_chain),
    cmocka_unit_test (test_duffing), cmocka_unit_test (test_forces),
    cmocka_unit_test (test_classes),
  };

  return cmocka_run_group_tests (tests, set_up, noise_tear_down);
}
