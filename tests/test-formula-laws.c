/* test-formula-laws.c: laws by formula against built-in classes, bit for bit, and closed forms
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "embed/ifbam.h"
#include "engine/engine.h"
#include "file/file.h"
#include "fixture.h"
#include "elements/registry.h"
#include "linear/linear.h"

/* Two nodes of a kind, each of which moves by one link; both start alike. */
typedef struct
{
  const char *name, *node, *built_in, *law;
  const char *signal; /* of the node */
} Pair;

#define LINE    "mass = 2 kg\nposition = 0.1 m\nvelocity = 1 m/s\n"
#define AXIS    "inertia = 2 kg m2\nangle = 0.1 rad\nspeed = 1 rad/s\n"
#define CHARGED "capacitance = 2 mF\nvoltage = 3 V\n"
#define SPRING  "[spring %s]\nstiffness = 300 N/m\n"

static const Pair pairs[] = {
  { "spring", "[mass %s]\n" LINE, "[spring %s]\nstiffness = 300 N/m\n", "force = 300 N/m * delta\n",
    "position" },
  { "cubic spring", "[mass %s]\n" LINE,
    "[spring %s]\nstiffness = 300 N/m\nquadratic = 70 N/m2\ncubic = 9 kN/m3\n",
    "force = $k * delta + 70 N/m2 * (delta * delta) + 9 kN/m3 * (delta * delta * delta)\n"
    "k = 0.3 kN/m\n",
    "position" },
  { "damper", "[mass %s]\n" LINE, "[damper %s]\ndamping = 7 N s/m\n", "force = 7 N s/m * rate\n",
    "position" },
  { "torsion spring", "[inertia %s]\n" AXIS, "[torsion-spring %s]\nstiffness = 300 N m/rad\n",
    "torque = 300 N m/rad * delta\n", "angle" },
  { "resistor", "[capacitor %s]\n" CHARGED, "[resistor %s]\nresistance = 50 ohm\n",
    "current = voltage / 50 ohm\n", "voltage" },
  { "inductor", "[capacitor %s]\n" CHARGED, "[inductor %s]\ninductance = 80 mH\n",
    "current = flux / 80 mH\n", "voltage" },
};

static char *
pair_text (const Pair *pair, const char *scheme)
{
  GString *text = g_string_new (NULL);

  g_string_append_printf (text,
                          "[network]\nstep = 0.2 ms\nduration = 0.1 s\nscheme = %s\nrecord = *\n"
                          "[ground wall]\n[law own]\n%s",
                          scheme, pair->law);
  for (guint k = 0; k < 2; k++)
    {
      const char *name = k == 0 ? "a" : "b", *link = k == 0 ? "ka" : "kb";
      g_auto (GStrv) node = g_strsplit (pair->node, "%s", 2);
      g_auto (GStrv) group = g_strsplit (k == 0 ? pair->built_in : "[own %s]\n", "%s", 2);

      g_string_append_printf (text, "%s%s%s%s%s%sbetween = %s, wall\n", node[0], name, node[1],
                              group[0], link, group[1], name);
    }
  return g_string_free (text, FALSE);
}

static void
assert_equal_columns (IfbamCourse *one, const char *a, IfbamCourse *other, const char *b,
                      const char *text)
{
  gsize n, m;
  const double *x = ifbam_course_get_values (one, a, &n, NULL);
  const double *y = ifbam_course_get_values (other, b, &m, NULL);

  if (x == NULL || y == NULL || n != m || memcmp (x, y, n * sizeof *x) != 0)
    fail_msg ("%s and %s differ:\n%s", a, b, text);
}

/* Every scheme, as objects and as arrays */
static void
test_built_in_laws (void **state)
{
  g_auto (GStrv) schemes = g_strsplit (
      "averaged original euler symplectic-euler verlet rk4 dopri5 implicit esdirk4", " ", -1);

  (void) state;
  for (guint p = 0; p < G_N_ELEMENTS (pairs); p++)
    for (guint s = 0; schemes[s] != NULL; s++)
      {
        const Pair *pair = &pairs[p];
        g_autofree char *text = pair_text (pair, schemes[s]);
        g_autofree char *a = g_strdup_printf ("a.%s", pair->signal),
                        *b = g_strdup_printf ("b.%s", pair->signal);
        g_autoptr (IfbamNetwork) network = text_network (text);
        g_autoptr (IfbamCourse) plan = network_course (network, IFBAM_ENGINE_PLAN);
        g_autoptr (IfbamCourse) objects = network_course (network, IFBAM_ENGINE_OBJECTS);
        const char *const *signals = ifbam_course_get_signals (plan);

        assert_equal_columns (plan, a, plan, b, text);
        for (guint i = 0; signals[i] != NULL; i++)
          assert_equal_columns (plan, signals[i], objects, signals[i], text);
      }
}

/* Energies by quadrature close the balance: polynomials, roots, kinks, functions. */
static void
test_energy (void **state)
{
  static const char *const laws[] = {
    "300 N/m * delta + 5 kN/m3 * delta^3",
    "80 N * (delta / 1 m) * sqrt(abs(delta) / 1 m + 1e-3)",
    "200 N/m * delta + 300 N/m2 * delta * abs(delta)",
    "50 N * sin(delta / 0.1 m)",
    "20 N/rad * atan(delta / 3 cm) + 4 N",
    "40 N * (exp(delta / 0.2 m) - 1) + 60 N * log(1 + (delta / 1 m)^2)",
  };

  (void) state;
  for (guint l = 0; l < G_N_ELEMENTS (laws); l++)
    {
      g_autofree char *text = g_strdup_printf ("[network]\nstep = 0.2 ms\nduration = 0.3 s\nsample "
                                               "= 3 ms\nscheme = dopri5\nrecord = *, network.*\n"
                                               "[ground wall]\n[mass a]\n" LINE
                                               "[force-law k]\nforce = %s\nbetween = a, wall\n",
                                               laws[l]);
      g_autoptr (IfbamCourse) course = text_course (text);
      gsize n;
      const double *energy = ifbam_course_get_values (course, "network.energy", &n, NULL);

      for (gsize i = 0; i < n; i++)
        assert_near (energy[i] - energy[0], 0, 1e-7 * fabs (energy[0]), laws[l]);
      assert_true (course_last (course, "network.dissipated") == 0);
    }
}

/* A law of both: its loss and its energy account for the work. */
static void
test_loss (void **state)
{
  g_autoptr (IfbamCourse) course = text_course (
      "[network]\nstep = 0.1 ms\nduration = 2 s\nscheme = rk4\nrecord = *, network.*\n"
      "[ground wall]\n[mass a]\n" LINE "[force-law k]\nbetween = a, wall\n"
      "force = 3 kN/m * delta + 2 N s2/m2 * rate * abs(rate) + 1 N s/m3 * delta^2 * rate\n");
  const double start = course_first (course, "network.energy");

  (void) state;
  assert_true (course_last (course, "network.dissipated") > 0.1 * start);
  assert_near (course_last (course, "network.energy") + course_last (course, "network.dissipated"),
               start, 1e-6 * start, "balance");
}

/* Slopes by which modes and equilibria are found */
static void
test_small_motions (void **state)
{
  /* Two pulls of a string (Taylor): F = 4 T x/sqrt(x^2 + l^2), slope at rest 4 T/l. A weight of
   * 30 N moves it to x = 3 m with l = 4 m: 4 T 3/5 = 30 N, T = 12.5 N; slope 4 T l^2/125 m3. */
  g_autoptr (IfbamNetwork) network =
      text_network ("[network]\nstep = 1 ms\nduration = 1 s\nscheme = rk4\nrecord = *\n"
                    "[ground wall]\n[mass a]\nmass = 2 kg\n[force-law k]\nbetween = a, wall\n"
                    "force = 50 N * (delta / 1 m) / sqrt((delta / 1 m)^2 + 16)\n"
                    "[force w]\nvalue = 30 N\non = a\n");
  g_autoptr (IfbamCourse) equilibrium = ifbam_network_find_equilibrium (network, NULL);
  g_autoptr (IfbamModes) modes = ifbam_modes_new (network, 0, 0, NULL);
  gsize n;
  const IfbamMode *list = ifbam_modes_get_modes (modes, &n);

  (void) state;
  assert_int_equal (n, 1);
  assert_near (list[0].frequency, sqrt (50.0 / 4 / 2) / (2 * G_PI), 1e-12, "frequency");
  assert_near (course_last (equilibrium, "a.position"), 3, 1e-12, "equilibrium");
}

static void
test_derivatives (void **state)
{
  static const char *const laws[] = {
    "1 N * (delta / 1 m) * (rate / 1 m) * 1 s",
    "1 N * sin(delta / 1 m * 1 rad) * cos(rate / 2 m * 1 s)",
    "1 N * tan(delta / 1 m) / (2 + rate / 1 m * 1 s)",
    "1 N * asin(delta / 3 m) / 1 rad",
    "1 N * acos(rate / 3 m * 1 s) / 1 rad",
    "1 N * atan(delta / 1 m) * exp(rate / 1 m * 1 s) / 1 rad",
    "1 N * log(3 + delta / 1 m)",
    "1 N * sqrt(2 + delta / 1 m) - 1 N * -(rate / 1 m * 1 s)^3",
    "1 N * (2 + delta / 1 m)^-2.5",
    "1 N * abs(delta / 1 m) - 2 N * abs(rate / 1 m * 1 s)",
  };
  const IfbamElementInfo *info = ifbam_element_info_by_name ("force-law", NULL);
  const double h = 1e-6;

  (void) state;
  for (guint l = 0; l < G_N_ELEMENTS (laws); l++)
    {
      g_autofree char *reason = NULL;
      IfbamProgram *program = ifbam_element_read_formula (info, laws[l], &reason);

      if (program == NULL)
        fail_msg ("%s", reason);
      for (double x = -0.7; x < 1; x += 0.31)
        for (guint k = 0; k < 2; k++)
          {
            const double at[] = { x, 0.4 - x }, by[] = { k == 0, k == 1 };
            const double more[] = { x + h * by[0], 0.4 - x + h * by[1] };
            const double less[] = { x - h * by[0], 0.4 - x - h * by[1] };
            const double slope =
                (ifbam_program_value (program, more) - ifbam_program_value (program, less))
                / (2 * h);

            assert_near (ifbam_program_slope (program, at, by), slope, 1e-8, laws[l]);
          }
      ifbam_program_free (program);
    }
}

/* Blocks have the bits of single values, and constants are folded. */
static void
test_program (void **state)
{
  const IfbamElementInfo *info = ifbam_element_info_by_name ("current-law", NULL);
  g_autofree char *reason = NULL;
  IfbamProgram *program = ifbam_element_read_formula (
      info, "2 nA * (exp(voltage / (2 * 25 mV)) - 1) + flux / (3 H + sqrt(4) * 1 H)", &reason);
  double flux[150], voltage[150], results[150];
  const double *const inputs[] = { flux, voltage };

  (void) state;
  assert_non_null (program);
  assert_int_equal (program->inputs, 3);
  assert_int_equal (program->degree, IFBAM_NO_POLYNOMIAL);
  assert_int_equal (program->n, 12);
  for (guint i = 0; i < G_N_ELEMENTS (flux); i++)
    {
      flux[i] = 0.01 * i;
      voltage[i] = 0.7 - 0.013 * i;
    }
  ifbam_program_evaluate (program, inputs, G_N_ELEMENTS (flux), results);
  for (guint i = 0; i < G_N_ELEMENTS (flux); i++)
    {
      const double at[] = { flux[i], voltage[i] };

      assert_true (results[i] == ifbam_program_value (program, at));
      assert_near (results[i], 2e-9 * expm1 (voltage[i] / 0.05) + flux[i] / 5,
                   1e-13 * fabs (results[i]) + 1e-24, "diode");
    }
  ifbam_program_free (program);
}

/* A rectifier starts from rest although the exponential is steep: its slopes limit the steps. */
static void
test_diode (void **state)
{
#define RECTIFIER(link)                                                                            \
  "[network]\nstep = 10 us\nduration = 20 ms\nscheme = esdirk4\nrecord = out.voltage\n"            \
  "[law pn]\ncurrent = 1 fA * (exp(voltage / 25.865 mV) - 1)\n[ground earth]\n"                    \
  "[voltage-source in]\namplitude = 10 V\nfrequency = 100 Hz\n[junction a]\n"                      \
  "[resistor r]\nresistance = 10 ohm\nbetween = in, a\n[capacitor out]\ncapacitance = 100 uF\n"    \
  "[resistor load]\nresistance = 1 kohm\nbetween = out, earth\n" link "between = a, out\n"
  g_autoptr (IfbamCourse) law = text_course (RECTIFIER ("[pn d]\n"));
  g_autoptr (IfbamCourse) own =
      text_course (RECTIFIER ("[shockley-diode d]\nsaturation-current = 1 fA\n"));

  (void) state;
  assert_true (course_last (own, "out.voltage") > 5);
  assert_near (course_last (law, "out.voltage"), course_last (own, "out.voltage"), 1e-9, "voltage");
}

/* A network with laws is written with formulas, and has the same bits. */
static void
test_written (void **state)
{
  g_autofree char *text = pair_text (&pairs[1], "rk4");
  g_autoptr (IfbamNetwork) network = text_network (text), again = NULL;
  g_autofree char *written = NULL;
  g_autoptr (IfbamCourse) one = network_course (network, IFBAM_ENGINE_PLAN), other = NULL;
  gsize length;

  (void) state;
  written = ifbam_network_to_data (network, &length, NULL);
  assert_non_null (written);
  assert_non_null (strstr (written, "[force-law kb]"));
  again = text_network (written);
  other = network_course (again, IFBAM_ENGINE_PLAN);
  assert_equal_columns (one, "b.position", other, "b.position", written);
}

#define BEGIN "[network]\nstep = 1 ms\nduration = 1 s\n[ground wall]\n[mass a]\nmass = 1 kg\n"

static void
test_refused (void **state)
{
  (void) state;
  text_refused (
      BEGIN "[law z]\nforce = 3 N * delta\n[z k]\nbetween = a, wall\n",
      "[law z] force: \"3 N * delta\" is no force: kg m2 s-2 does not convert to N; variables of "
      "a law are delta and rate");
  text_refused (BEGIN "[law z]\nforce = 3 N * speed\n[z k]\nbetween = a, wall\n",
                "\"N * speed\" is no unit and no function");
  text_refused (BEGIN "[law z]\nk = 3 N\n", "[law z] has no formula (want one of force, torque, "
                                            "current, pressure)");
  text_refused (BEGIN "[law z]\nforce = 3 N\ntorque = 3 N m\n",
                "a law has one formula, and there is its force, at line 8");
  text_refused (BEGIN "[law spring]\nforce = 3 N\n", "there is a class \"spring\" already");
  text_refused (BEGIN "[law z]\nforce = 3 N\n[law z]\nforce = 2 N\n",
                "there is a law \"z\" already, at line 7");
  text_refused (BEGIN "[law]\nforce = 3 N\n", "has no name (want [law NAME])");
  text_refused (BEGIN "[law z]\nforce = 3 N / (delta / 1 m)\n", "no finite value at delta = 0");
  text_refused (BEGIN "[law z]\nforce = 3 N\n[z k]\nforce = 2 N\nbetween = a, wall\n",
                "force: the formula is that of [law z]");
  text_refused (BEGIN "[law z]\nforce = 3 N\n[z k]\n", "between is missing");
  text_refused (BEGIN "[law z]\nk = 3 N\nforce = $k\n[z k]\nk = 3 A\nbetween = a, wall\n",
                "[z k] force: \"3 A\" is no force");
  text_refused (BEGIN "[law z]\ncurrent = voltage / 1 ohm\n[z k]\nbetween = a, wall\n",
                "\"a\" is of translation (mass), a current-law is for electricity");
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_built_in_laws), cmocka_unit_test (test_energy),
    cmocka_unit_test (test_loss),          cmocka_unit_test (test_small_motions),
    cmocka_unit_test (test_derivatives),   cmocka_unit_test (test_program),
    cmocka_unit_test (test_diode),         cmocka_unit_test (test_written),
    cmocka_unit_test (test_refused),
  };

  return cmocka_run_group_tests (tests, folder_make, folder_remove);
}
