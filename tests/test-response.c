/* test-response.c: frequency responses against closed forms, dense solutions and driven runs
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <complex.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/ifbam-error.h"
#include "embed/ifbam.h"
#include "linear/linear.h"
#include "run/run.h"
#include "noise.h"
#include "fixture.h"

#define HEAD   "[network]\nstep = 1 ms\nduration = 1 s\n"
#define POINTS 200

static int
set_up (void **state)
{
  (void) state;
  return noise_set_up (1928);
}

/* outputs: comma-separated */
static IfbamResponse *
response_of (const char *text, const char *input, const char *outputs, const double *frequencies,
             gsize n)
{
  g_autoptr (IfbamNetwork) network = text_network (text);
  g_auto (GStrv) list = g_strsplit (outputs, ",", -1);
  g_autoptr (GError) error = NULL;
  IfbamResponse *response =
      ifbam_response_new (network, input, (const char *const *) list, frequencies, n, &error);

  if (response == NULL)
    fail_msg ("%s", error->message);
  return response;
}

static double complex
value_of (IfbamResponse *response, gsize output, gsize i)
{
  gsize n;
  const double amplitude = ifbam_response_get_amplitudes (response, output, &n)[i];
  const double phase = ifbam_response_get_phases (response, output, &n)[i];

  return amplitude == 0 ? 0.0 : amplitude * cexp (I * phase * (G_PI / 180));
}

/* Amplitude by a relative difference, phase by an angle of the same size. */
static void
assert_value (IfbamResponse *response, gsize output, gsize i, double complex wanted,
              double tolerance)
{
  gsize n;
  const double frequency = ifbam_response_get_frequencies (response, &n)[i];
  const double amplitude = ifbam_response_get_amplitudes (response, output, &n)[i];
  const double phase = ifbam_response_get_phases (response, output, &n)[i];
  const double turned = (phase - carg (wanted) * (180 / G_PI)) / 360;

  if (!(fabs (amplitude - cabs (wanted)) <= tolerance * cabs (wanted)))
    fail_msg ("%s at %.17g Hz: amplitude %.17g, not %.17g (%.2g off, at most %.2g)",
              ifbam_response_get_outputs (response)[output], frequency, amplitude, cabs (wanted),
              fabs (amplitude / cabs (wanted) - 1), tolerance);
  if (!(fabs (turned - rint (turned)) * 2 * G_PI <= tolerance))
    fail_msg ("%s at %.17g Hz: phase %.17g, not %.17g degrees (at most %.2g off)",
              ifbam_response_get_outputs (response)[output], frequency, phase,
              carg (wanted) * (180 / G_PI), tolerance);
  assert_true (phase >= -180 && phase < 180);
}

/* In a constant ratio. */
static void
spread (double from, double to, double *frequencies, gsize n)
{
  for (gsize i = 0; i < n; i++)
    frequencies[i] = from * pow (to / from, (double) i / (double) (n - 1));
}

/* Closed forms */

static void
test_one_dof (void **state)
{
  const double m = 2, k = 5000, ratios[] = { 1e-4, 0.01, 0.15, 0.7, 1, 3 };
  double frequencies[POINTS];

  (void) state;
  spread (0.08, 800, frequencies, POINTS);
  for (guint r = 0; r < G_N_ELEMENTS (ratios); r++)
    {
      const double c = 2 * ratios[r] * sqrt (k * m);
      g_autofree char *text = g_strdup_printf (
          HEAD "[ground wall]\n[mass m1]\nmass = %.17g\n[spring k1]\nstiffness = %.17g\n"
               "between = wall, m1\n[damper d1]\ndamping = %.17g\nbetween = wall, m1\n",
          m, k, c);
      g_autoptr (IfbamResponse) response = response_of (
          text, "force@m1",
          "m1.position,m1.velocity,m1.acceleration,k1.force,d1.force,k1.compression,d1.rate",
          frequencies, POINTS);

      for (gsize i = 0; i < POINTS; i++)
        {
          const double complex s = I * (2 * G_PI * frequencies[i]);
          const double complex x = 1 / (k + s * c + s * s * m);

          assert_value (response, 0, i, x, 1e-12);
          assert_value (response, 1, i, s * x, 1e-12);
          assert_value (response, 2, i, s * s * x, 1e-12);
          assert_value (response, 3, i, -k * x, 1e-12);
          assert_value (response, 4, i, -c * s * x, 1e-12);
          assert_value (response, 5, i, -x, 1e-12);
          assert_value (response, 6, i, -s * x, 1e-12);
        }
      assert_string_equal (ifbam_response_get_unit (response, 0), "m/N");
      assert_string_equal (ifbam_response_get_unit (response, 1), "(m/s)/N");
      assert_string_equal (ifbam_response_get_unit (response, 3), "");
    }
}

/* Den Hartog's undamped absorber: the main mass stands still where the absorber swings by itself. */
static void
test_absorber (void **state)
{
  const double m1 = 10, m2 = 1, k1 = 40000, k2 = 3600;
  const double still = sqrt (k2 / m2) / (2 * G_PI);
  double frequencies[POINTS + 1];
  g_autofree char *text =
      g_strdup_printf (HEAD "[ground floor]\n[mass main]\nmass = %g\n[mass absorber]\nmass = %g\n"
                            "[spring k1]\nstiffness = %g\nbetween = floor, main\n"
                            "[spring k2]\nstiffness = %g\nbetween = main, absorber\n",
                       m1, m2, k1, k2);
  g_autoptr (IfbamResponse) response = NULL;

  (void) state;
  spread (1, 100, frequencies, POINTS);
  frequencies[POINTS] = still;
  response = response_of (text, "force@main", "main.position,absorber.position,k2.force",
                          frequencies, POINTS + 1);
  for (gsize i = 0; i < POINTS; i++)
    {
      const double w = 2 * G_PI * frequencies[i], a = k1 + k2 - m1 * w * w, b = k2 - m2 * w * w;
      const double determinant = a * b - k2 * k2;
      /* Rounding of a sum is large relative to its value after cancellation. */
      const double tolerance = 1e-15 * (fabs (a * b) + k2 * k2) / fabs (determinant)
                               + 1e-15 * (k2 + m2 * w * w) / fabs (b) + 1e-13;

      assert_true (tolerance < 1e-11);
      assert_value (response, 0, i, b / determinant, tolerance);
      assert_value (response, 1, i, k2 / determinant, tolerance);
      assert_value (response, 2, i, k2 * (b - k2) / determinant, 2 * tolerance);
    }
  assert_true (cabs (value_of (response, 0, POINTS)) < 1e-14 / k1);
  assert_value (response, 1, POINTS, -1 / k2, 1e-12);
}

static void
test_base (void **state)
{
  const double m = 20, k = 80000, c = 300;
  const char *const words[] = { "position", "velocity", "acceleration" };
  double frequencies[POINTS];
  g_autofree char *text = g_strdup_printf (
      HEAD "[drive floor]\namplitude = 2 mm\nfrequency = 12 Hz\n[mass machine]\nmass = %g\n"
           "[spring mount]\nstiffness = %g\nbetween = floor, machine\n"
           "[damper oil]\ndamping = %g\nbetween = machine, floor\n",
      m, k, c);

  (void) state;
  spread (0.1, 1000, frequencies, POINTS);
  for (guint order = 0; order < 3; order++)
    {
      g_autofree char *input = g_strconcat (words[order], "@floor", NULL);
      g_autofree char *outputs =
          g_strdup_printf ("machine.%s,mount.force,floor.%s%s", words[order], words[order],
                           order > 0 ? ",machine.position" : "");
      g_autoptr (IfbamResponse) response = response_of (text, input, outputs, frequencies, POINTS);

      for (gsize i = 0; i < POINTS; i++)
        {
          const double complex s = I * (2 * G_PI * frequencies[i]), per = 1 / cpow (s, order);
          const double complex transmitted = (k + s * c) / (k + s * c + s * s * m);
          const double complex left = s * s * m / (k + s * c + s * s * m);

          assert_value (response, 0, i, transmitted, 1e-12);
          if (order > 0)
            assert_value (response, 3, i, transmitted * per, 1e-12);
          /* x_floor - x_machine, a difference of nearly equal values at low frequencies */
          assert_value (response, 1, i, k * left * per, 1e-12 + 1e-15 / cabs (left));
          assert_value (response, 2, i, 1.0, 1e-15);
        }
      assert_string_equal (ifbam_response_get_unit (response, 0), "");
    }
}

/* An inerter at the driven node transfers a part of its motion, without a spring; a link that reads it follows. */
static void
test_base_with_inerters (void **state)
{
  const double m = 2, n = 3, k = 1000, c = 7, b = 5, k2 = 700, b2 = 1, k3 = 100, o = 30, c3 = 4;
  double frequencies[POINTS];
  g_autofree char *text = g_strdup_printf (
      HEAD "[ground wall]\n[drive road]\namplitude = 1 mm\nfrequency = 1 Hz\n[mass m]\nmass = %g\n"
           "[mass n]\nmass = %g\n[spring s1]\nstiffness = %g\nbetween = road, m\n"
           "[damper d1]\ndamping = %g\nbetween = m, road\n[inerter i1]\ninertance = %g\n"
           "between = road, m\n[spring s2]\nstiffness = %g\nbetween = m, n\n[inerter i2]\n"
           "inertance = %g\nbetween = m, n\n[spring s3]\nstiffness = %g\nbetween = n, wall\n"
           "[cross-spring o]\nstiffness = %g\nbetween = n, wall\ninput = m, wall\n"
           "[cross-damper p]\ndamping = %g\nbetween = n, wall\ninput = m, wall\n",
      m, n, k, c, b, k2, b2, k3, o, c3);
  g_autoptr (IfbamResponse) response = NULL;

  (void) state;
  spread (0.1, 100, frequencies, POINTS);
  response = response_of (text, "position@road", "m.position,n.position", frequencies, POINTS);
  for (gsize i = 0; i < POINTS; i++)
    {
      const double complex s = I * (2 * G_PI * frequencies[i]);
      const double complex first = k + s * c + s * s * b, second = k2 + s * s * b2;
      const double complex here = s * s * m + first + second, there = s * s * n + second + k3;
      const double complex back = second - o - s * c3, all = here * there - second * back;

      assert_value (response, 0, i, first * there / all, 1e-10);
      assert_value (response, 1, i, first * back / all, 1e-10);
    }
}

/* n masses on a wall, a force on the last: x_j = sin (q j) / (2 k cos (q (n + 1/2)) sin (q/2)) with
 * 2 sin (q/2) = omega sqrt (m/k), within the band and above it. */
static void
test_chain (void **state)
{
  const gsize sizes[] = { 1, 2, 3, 10, 100, 1000 };
  const double m = 0.5, k = 2000;
  double frequencies[POINTS];

  (void) state;
  for (guint c = 0; c < G_N_ELEMENTS (sizes); c++)
    {
      const gsize n = sizes[c];
      g_autofree char *text = g_strdup_printf (
          HEAD "[ground wall]\n[chain c]\ncount = %zu\nmass = %g\nstiffness = %g\nfrom = wall\n", n,
          m, k);
      g_autofree char *input = g_strdup_printf ("force@c.m%zu", n);
      g_autofree char *outputs = g_strdup_printf ("c.m%zu.position,c.m1.position", n);
      g_autoptr (IfbamResponse) response = NULL;

      spread (0.3, 60, frequencies, POINTS);
      response = response_of (text, input, outputs, frequencies, POINTS);
      for (gsize i = 0; i < POINTS; i++)
        {
          const double half = G_PI * frequencies[i] * sqrt (m / k);
          const double complex q = 2 * casin (half), end = ccos (q * ((double) n + 0.5));
          /* their quotient, where both are too large for numbers */
          const gboolean far = fabs (cimag (q)) * (double) n > 30;
          const double complex quotient = far ? I * cexp (I * q / 2) : csin (q * (double) n) / end;
          const double complex last = quotient / (2 * k * csin (q / 2));
          const double complex first = csin (q) / (2 * k * end * csin (q / 2));
          /* How far the eigenfrequencies are says how much rounding is made of. */
          const double tolerance = 1e-13 + 4e-15 * (double) (n * n) / fmin (1, cabs (end) + 1e-300);

          if (half > 0.999 && half < 1.001)
            continue;
          if (half > 1) /* decays along the chain */
            assert_value (response, 0, i, last, 1e-12);
          else if (tolerance < 1e-7)
            {
              assert_value (response, 0, i, last,
                            tolerance * (1 + 1 / cabs (csin (q * (double) n))));
              if (n > 1)
                assert_value (response, 1, i, first, tolerance);
            }
        }
    }
}

static void
test_circuits (void **state)
{
  const double C = 1e-7, L = 0.01, R = 2000;
  double frequencies[POINTS];
  g_autofree char *parallel = g_strdup_printf (
      HEAD "[ground earth]\n[capacitor c1]\ncapacitance = %g\n[inductor l1]\ninductance = %g\n"
           "between = c1, earth\n[resistor r1]\nresistance = %g\nbetween = c1, earth\n",
      C, L, R);
  g_autofree char *low_pass = g_strdup_printf (
      HEAD "[voltage-source mains]\namplitude = 1\nfrequency = 50\n[capacitor c1]\n"
           "capacitance = %g\n[resistor r1]\nresistance = %g\nbetween = mains, c1\n",
      C, R);
  g_autoptr (IfbamResponse) ring = NULL, filter = NULL;

  (void) state;
  spread (10, 1e6, frequencies, POINTS);
  ring =
      response_of (parallel, "current@c1", "c1.voltage,l1.current,r1.current", frequencies, POINTS);
  filter = response_of (low_pass, "voltage@mains", "c1.voltage,r1.current", frequencies, POINTS);
  for (gsize i = 0; i < POINTS; i++)
    {
      const double complex s = I * (2 * G_PI * frequencies[i]);
      const double complex z = 1 / (s * C + 1 / R + 1 / (s * L)), low = 1 / (1 + s * R * C);
      const double complex left = s * C / (1 + s * R * C);

      assert_value (ring, 0, i, z, 1e-12);
      assert_value (ring, 1, i, z / (s * L), 1e-12);
      assert_value (ring, 2, i, z / R, 1e-12);
      assert_value (filter, 0, i, low, 1e-12);
      assert_value (filter, 1, i, left, 1e-12 + 1e-15 / cabs (left * R));
    }
  assert_string_equal (ifbam_response_get_unit (ring, 0), "V/A");
}

static void
test_gear (void **state)
{
  const double j1 = 0.05, j2 = 0.4, ratio = -5, k = 20000, c = 1;
  double frequencies[POINTS];
  g_autofree char *text = g_strdup_printf (
      HEAD "[inertia motor]\ninertia = %g\n[inertia drum]\ninertia = %g\n"
           "[gear teeth]\nratio = %g\nstiffness = %g\ndamping = %g\nbetween = motor, drum\n",
      j1, j2, ratio, k, c);
  g_autoptr (IfbamResponse) response = NULL;

  (void) state;
  spread (1, 1000, frequencies, POINTS);
  response = response_of (text, "torque@motor", "motor.angle,drum.speed,teeth.torque", frequencies,
                          POINTS);
  for (gsize i = 0; i < POINTS; i++)
    {
      const double complex s = I * (2 * G_PI * frequencies[i]), z = k + s * c;
      const double complex a = z + s * s * j1, b = ratio * ratio * z + s * s * j2;
      /* a b - (ratio z)^2 without its cancelling part */
      const double complex determinant =
          s * s * (z * j2 + ratio * ratio * z * j1 + s * s * j1 * j2);
      const double tolerance = 1e-13 + 4e-16 * cabs (a * b) / cabs (determinant);

      assert_value (response, 0, i, b / determinant, tolerance);
      assert_value (response, 1, i, s * ratio * z / determinant, tolerance);
      assert_value (response, 2, i, z * (s * s * j2) / determinant,
                    tolerance * (1 + cabs (b / (s * s * j2))));
    }
}

/* Dense solutions */

typedef struct
{
  gboolean spring;
  int left, right;
  double value;
} Link;

/* Nodes 0 and 1 are a ground and a drive, which moves the node that is driven; the others masses. */
static char *
random_network (int n_masses, int n_links, int driven, double *mass, Link *links)
{
  GString *text = g_string_new (HEAD "[ground n0]\n[drive n1]\namplitude = 1\n");

  for (int i = 0; i < n_masses; i++)
    {
      mass[i] = between (0.1, 10);
      g_string_append_printf (text, "[mass n%d]\nmass = %.17g\nposition = %.17g\n", i + 2, mass[i],
                              between (-1, 1));
    }
  for (int i = 0; i < n_links; i++)
    {
      Link *link = &links[i];

      link->spring = g_rand_boolean (noise);
      link->left = i == 0 ? 1 : g_rand_int_range (noise, 0, n_masses + 2);
      link->right = i == 0
                        ? driven
                        : (link->left + g_rand_int_range (noise, 1, n_masses + 2)) % (n_masses + 2);
      link->value = between (1, 100);
      g_string_append_printf (
          text, "[%s l%d]\n%s = %.17g\nbetween = n%d, n%d\n", link->spring ? "spring" : "damper", i,
          link->spring ? "stiffness" : "damping", link->value, link->left, link->right);
    }
  return g_string_free (text, FALSE);
}

/* x: all nodes (n_masses + 2); given ones and forces on masses are there. */
static void
solve_dense (int n_masses, int n_links, const double *mass, const Link *links, double complex s,
             double complex *x, const double complex *force)
{
  const int n = n_masses;
  g_autofree double complex *matrix = g_new0 (double complex, n *n + 1);
  g_autofree double complex *right = g_new0 (double complex, n + 1);
  g_autofree lapack_int *pivot = g_new (lapack_int, n + 1);

  for (int i = 0; i < n; i++)
    {
      matrix[i + i * n] = s * s * mass[i];
      right[i] = force[i + 2];
    }
  for (int l = 0; l < n_links; l++)
    {
      const double complex z = links[l].spring ? links[l].value : s * links[l].value;
      const int ends[2] = { links[l].left, links[l].right };

      for (int a = 0; a < 2; a++)
        for (int b = 0; b < 2; b++)
          {
            const double complex entry = a == b ? z : -z;

            if (ends[a] >= 2 && ends[b] >= 2)
              matrix[ends[a] - 2 + (ends[b] - 2) * n] += entry;
            else if (ends[a] >= 2)
              right[ends[a] - 2] -= entry * x[ends[b]];
          }
    }
  assert_int_equal (LAPACKE_zgesv (LAPACK_COL_MAJOR, n, 1, matrix, n, pivot, right, n), 0);
  memcpy (x + 2, right, (gsize) n * sizeof *x);
}

static void
compare_dense (IfbamResponse *response, int n, int n_links, const double *mass, const Link *links,
               gboolean motion, int driven, gsize i)
{
  gsize n_frequencies;
  const double complex s =
      I * (2 * G_PI * ifbam_response_get_frequencies (response, &n_frequencies)[i]);
  const char *const *outputs = ifbam_response_get_outputs (response);
  g_autofree double complex *x = g_new0 (double complex, n + 2);
  g_autofree double complex *force = g_new0 (double complex, n + 2);
  double most = 0;

  x[1] = motion ? 1 : 0;
  force[driven] = motion ? 0 : 1;
  solve_dense (n, n_links, mass, links, s, x, force);
  for (int k = 0; k < n + 2; k++)
    most = fmax (most, cabs (x[k]));
  for (guint k = 0; outputs[k] != NULL; k++)
    {
      const int number = atoi (outputs[k] + 1);
      const Link *link = &links[number];
      const double complex z = outputs[k][0] == 'n' ? 1.0
                               : link->spring       ? link->value
                                                    : s * link->value;
      const double complex wanted =
          outputs[k][0] == 'n' ? x[number] : z * (x[link->left] - x[link->right]);
      const double off = cabs (value_of (response, k, i) - wanted);

      if (!(off <= 1e-10 * most * cabs (z)))
        fail_msg ("%d masses: %s is %g off of %g", n, outputs[k], off, most * cabs (z));
    }
}

static void
test_random (void **state)
{
  (void) state;
  for (int draw = 0; draw < 60; draw++)
    {
      const int n = g_rand_int_range (noise, 1, 60), n_links = 3 * n;
      const int driven = g_rand_int_range (noise, 2, n + 2);
      const gboolean motion = draw % 3 == 0;
      g_autofree double *mass = g_new (double, n);
      g_autofree Link *links = g_new (Link, n_links);
      g_autofree char *text = random_network (n, n_links, driven, mass, links);
      g_autofree char *input =
          motion ? g_strdup ("position@n1") : g_strdup_printf ("force@n%d", driven);
      double frequencies[4];
      g_autoptr (IfbamResponse) response = NULL;

      spread (0.05, 5, frequencies, 4);
      response = response_of (text, input, "n*.position,l*.force", frequencies, 4);
      for (gsize i = 0; i < 4; i++)
        compare_dense (response, n, n_links, mass, links, motion, driven, i);
    }
}

/* Resonance */

static void
test_infinite (void **state)
{
  const double k = 5000, k2 = 700, m = 2;
  const double frequency[] = { sqrt (k / m) / (2 * G_PI) };
  g_autofree char *text =
      g_strdup_printf (HEAD "[ground a]\n[mass m1]\nmass = %g\n[mass m2]\nmass = %g\n"
                            "[spring k1]\nstiffness = %g\nbetween = a, m1\n"
                            "[spring k2]\nstiffness = %g\nbetween = m1, m2\n"
                            "[spring k3]\nstiffness = %g\nbetween = m2, a\n",
                       m, m, k, k2, k);
  g_autoptr (IfbamResponse) response =
      response_of (text, "force@m1", "m1.position,m2.velocity,k2.compression", frequency, 1);
  gsize n;

  (void) state;
  /* Both masses swing together: infinitely, but for the spring between them. */
  assert_true (isinf (ifbam_response_get_amplitudes (response, 0, &n)[0]));
  assert_true (isinf (ifbam_response_get_amplitudes (response, 1, &n)[0]));
  assert_true (isnan (ifbam_response_get_phases (response, 0, &n)[0]));
  assert_value (response, 2, 0, 1 / (2 * k2), 1e-9);
}

/* So does a pendulum, which has no matrix of stiffness by nodes; it goes to its side only. */
static void
test_infinite_mechanism (void **state)
{
  const double frequency[] = { sqrt (9.81 / 2) / (2 * G_PI) };
  g_autoptr (IfbamResponse) response =
      response_of (HEAD "[point p]\n[ball b]\nmass = 3\ny = -2\n[rod r]\nbetween = p, b\n"
                        "[gravity g]\non = b\n",
                   "force@b.x", "b.x,b.y", frequency, 1);
  gsize n;

  (void) state;
  assert_true (isinf (ifbam_response_get_amplitudes (response, 0, &n)[0]));
  assert_true (ifbam_response_get_amplitudes (response, 1, &n)[0] == 0);
}

/* The current of a source that supplies an amplifier controlled by a capacitor's voltage. */
static void
test_current_into_an_amplifier (void **state)
{
  const double frequency[] = { 0.5, 4 }, conductance = 0.05, gain = 0.01, capacitance = 3e-3;
  g_autoptr (IfbamResponse) response =
      response_of (HEAD "[voltage-source u]\nvoltage = 1\n[capacitor c]\ncapacitance = 3 mF\n"
                        "[resistor r]\nresistance = 20\nbetween = u, c\n"
                        "[transconductance q]\ntransconductance = 10 mS\nbetween = u, c\n"
                        "input = c\n",
                   "voltage@u", "u.current", frequency, 2);

  (void) state;
  for (guint i = 0; i < 2; i++)
    {
      const double complex s = I * (2 * G_PI) * frequency[i];
      const double complex part = conductance / (capacitance * s + conductance - gain);

      assert_value (response, 0, i, conductance * (1 - part) + gain * part, 1e-12);
    }
}

/* A peak that is narrower than the distance of the points is not missed. */
static void
test_peaks (void **state)
{
  const double ratios[] = { 1e-6, 1e-4, 0.003, 0.1 }, k = 5000, m = 2;

  (void) state;
  for (guint r = 0; r < G_N_ELEMENTS (ratios); r++)
    for (int linear = 0; linear < 2; linear++)
      {
        g_autofree char *text = g_strdup_printf (
            HEAD "[ground a]\n[mass m1]\nmass = %g\n[spring k1]\nstiffness = %g\nbetween = a, m1\n"
                 "[damper d1]\ndamping = %.17g\nbetween = a, m1\n",
            m, k, 2 * ratios[r] * sqrt (k * m));
        g_autoptr (IfbamNetwork) network = text_network (text);
        const char *const outputs[] = { "m1.position", NULL };
        IfbamResponseRange range = { 1, 100, 20, linear, FALSE };
        g_auto (IfbamRunSpec) spec = { 0 };
        g_autoptr (IfbamModel) model =
            ifbam_network_compile_or_error (network, FALSE, &spec, NULL, NULL);
        g_autoptr (IfbamResponseSystem) system =
            ifbam_response_system_new (model, &spec, network->by_name, "force@m1", outputs, NULL);
        g_autoptr (IfbamResponse) response = NULL;
        g_autofree double *grid = NULL;
        const double *amplitude;
        double highest = 0;
        gsize n;

        assert_true (ifbam_response_find_modes (system, &range, NULL, NULL, NULL));
        grid = ifbam_response_grid (system, &range, &n);
        assert_true (n >= 20 && n < 150 && grid[0] == 1 && grid[n - 1] == 100);
        for (gsize i = 1; i < n; i++)
          assert_true (grid[i] > grid[i - 1]);
        response = ifbam_response_new_for_system (system, grid, n, NULL, NULL, NULL);
        amplitude = ifbam_response_get_amplitudes (response, 0, &n);
        for (gsize i = 0; i < n; i++)
          highest = fmax (highest, amplitude[i]);
        /* The highest point is a little below the mode's own frequency. */
        assert_true (fabs (highest * 2 * ratios[r] * sqrt (1 - ratios[r] * ratios[r]) * k - 1)
                     < 1e-6 + ratios[r] * ratios[r] / 4);
      }
}

/* State */

/* Duffing's spring under a weight: softer or stiffer where it hangs. */
static void
test_equilibrium (void **state)
{
  const double k = 1000, cubic = 4e6, m = 3, g = 9.81;
  const double frequencies[] = { 0.5, 2, 30 };
  double x = m * g / k, slope;

  (void) state;
  for (int i = 0; i < 100; i++)
    x -= (k * x + cubic * x * x * x - m * g) / (k + 3 * cubic * x * x);
  for (int rest = 0; rest < 2; rest++)
    {
      g_autofree char *text = g_strdup_printf (
          "[network]\nstep = 1 ms\nduration = 1 s\n%s[ground top]\n[mass m1]\nmass = %g\n"
          "[spring k1]\nstiffness = %g\ncubic = %g\nbetween = top, m1\n[gravity earth]\non = m1\n",
          rest ? "start = equilibrium\n" : "", m, k, cubic);
      g_autoptr (IfbamResponse) response =
          response_of (text, "force@m1", "m1.position,k1.force", frequencies, 3);
      g_auto (GStrv) nonlinear = ifbam_response_list_nonlinear (response);

      slope = rest ? k + 3 * cubic * x * x : k;
      for (gsize i = 0; i < 3; i++)
        {
          const double w = 2 * G_PI * frequencies[i];

          assert_value (response, 0, i, 1 / (slope - m * w * w), 1e-9);
          assert_value (response, 1, i, -slope / (slope - m * w * w), 1e-9);
        }
      assert_int_equal (g_strv_length (nonlinear), 1);
      assert_string_equal (nonlinear[0], "k1");
    }
}

/* A one-sided contact: closed under its weight, open above the floor. */
static void
test_contact (void **state)
{
  const double k = 20000, m = 2, frequencies[] = { 1, 5, 40 };

  (void) state;
  for (int closed = 0; closed < 2; closed++)
    {
      g_autofree char *text = g_strdup_printf (
          "[network]\nstep = 1 ms\nduration = 1 s\n[ground floor]\n[mass m1]\nmass = %g\n"
          "position = %g\n[contact c1]\nstiffness = %g\nbetween = floor, m1\n",
          m, closed ? -1e-3 : 1e-3, k);
      g_autoptr (IfbamResponse) response =
          response_of (text, "force@m1", "m1.position,c1.force,c1.compression", frequencies, 3);
      g_auto (GStrv) nonlinear = ifbam_response_list_nonlinear (response);
      const double stiffness = closed ? k : 0;

      for (gsize i = 0; i < 3; i++)
        {
          const double w = 2 * G_PI * frequencies[i], x = 1 / (stiffness - m * w * w);

          assert_value (response, 0, i, x, 1e-12);
          assert_value (response, 2, i, -x, 1e-12);
          if (closed)
            assert_value (response, 1, i, -k * x, 1e-12);
          else
            assert_true (value_of (response, 1, i) == 0);
        }
      assert_string_equal (nonlinear[0], closed ? "c1 (closed)" : "c1 (open)");
    }
}

/* Driven runs */

static void
check_file (const char *file, const char *input, const char *outputs, double from, double to,
            double tolerance)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamNetworkBytes) bytes = ifbam_network_bytes_new (file, &error);
  g_autoptr (IfbamNetwork) network = ifbam_network_new_from_bytes (bytes, NULL, &error);
  g_auto (GStrv) list = g_strsplit (outputs, ",", -1);
  g_auto (IfbamRunSpec) spec = { 0 };
  g_autoptr (IfbamModel) model =
      ifbam_network_compile_or_error (network, FALSE, &spec, NULL, &error);
  g_autoptr (IfbamResponseSystem) system = ifbam_response_system_new (
      model, &spec, network->by_name, input, (const char *const *) list, &error);
  IfbamResponseCheck check = { .bytes = bytes,
                               .n_points = 3,
                               .range = { .from = from, .to = to, .n_points = 2 } };
  g_autoptr (GArray) findings = NULL;
  const char *scheme = NULL;
  double step = 0;

  if (system == NULL)
    fail_msg ("%s: %s", file, error->message);
  assert_true (ifbam_response_find_modes (system, &check.range, NULL, NULL, &error));
  findings = ifbam_response_check (system, &check, &step, &scheme, &error);
  if (findings == NULL)
    fail_msg ("%s: %s", file, error->message);
  assert_string_equal (scheme, "rk4");
  assert_true (step > 0);
  assert_int_equal (findings->len, 3 * g_strv_length (list));
  for (guint i = 0; i < findings->len; i++)
    {
      const IfbamResponseFinding *finding = &g_array_index (findings, IfbamResponseFinding, i);

      assert_true (finding->frequency >= from && finding->frequency <= to);
      assert_true (finding->agrees);
      if (!(cabs (finding->driven - finding->linear) <= tolerance * cabs (finding->linear)))
        fail_msg ("%s: %s at %g Hz: a run gives %g%+gi, not %g%+gi", file, list[finding->output],
                  finding->frequency, creal (finding->driven), cimag (finding->driven),
                  creal (finding->linear), cimag (finding->linear));
    }
}

static void
test_runs (void **state)
{
  (void) state;
  check_file ("networks/three-dof.ini", "force@m1", "m1.position,m3.velocity", 2, 100, 5e-5);
  check_file ("networks/damped.ini", "force@m1", "m1.position,m1.acceleration,k1.force,d1.force", 1,
              100, 5e-5);
  check_file ("networks/damped.ini", "position@wall", "m1.position,d1.force", 1, 100, 5e-5);
  check_file ("networks/driven.ini", "velocity@floor", "machine.position,mount.rate", 2, 100, 5e-5);
  check_file ("networks/driven.ini", "position@floor", "floor.force", 2, 100, 5e-5);
  check_file ("networks/damped.ini", "force@m1", "wall.force,m1.position", 1, 100, 5e-5);
  check_file ("networks/rlc.ini", "current@c1", "c1.voltage,l1.current", 1000, 50000, 5e-5);
  check_file ("networks/torsion.ini", "torque@rotor", "rotor.speed,shaft.torque", 1, 100, 5e-5);
  check_file ("networks/gear-train.ini", "torque@motor", "drum.speed,first.torque", 10, 1000, 5e-5);
  check_file ("networks/mesh.ini", "force@m1", "m2.position", 2, 100, 5e-5);
}

/* The force that moves a given node, by closed forms: k + c s (lossy, to a mass) times 1 - x, and that on another, -k2 x; at an
 * undamped mode it is infinite. The current of a source into R and C: C s/(1 + R C s). */
static void
test_movers (void **state)
{
  const char *const outputs[] = { "floor.force", "wall.force", NULL }, *const current[] = {
    "u.current", NULL
  };
  const double frequencies[] = { 1, 3, 5, 40 }, own[] = { 5 / (2 * G_PI) };
  g_autoptr (IfbamNetwork) network = text_network (
      HEAD
      "[drive floor]\n[ground wall]\n[mass m]\nmass = 2\n[spring k]\nstiffness = 1000\nloss = 0.1\n"
      "between = floor, m\n[damper c]\ndamping = 5\nbetween = m, floor\n[spring k2]\n"
      "stiffness = 500\nbetween = wall, m\n");
  g_autoptr (IfbamNetwork) filter = text_network (
      HEAD "[voltage-source u]\nvoltage = 1\n[capacitor c]\ncapacitance = 1 mF\n[resistor r]\n"
           "resistance = 20\nbetween = u, c\n");
  g_autoptr (IfbamNetwork) undamped = text_network (
      HEAD "[drive floor]\n[ground wall]\n[mass m]\nmass = 4\n[spring k]\nstiffness = 100\n"
           "between = floor, m\n");
  g_autoptr (IfbamNetwork) floating = text_network (
      HEAD "[voltage-source u]\nvoltage = 1\nbetween = c, d\n[capacitor c]\ncapacitance = 1\n"
           "[capacitor d]\ncapacitance = 1\n");
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamResponse) moved =
      ifbam_response_new (network, "position@floor", outputs, frequencies, 4, &error);
  g_autoptr (IfbamResponse) pushed =
      ifbam_response_new (network, "force@m", outputs, frequencies, 4, NULL);
  g_autoptr (IfbamResponse) charged =
      ifbam_response_new (filter, "voltage@u", current, frequencies, 4, NULL);
  g_autoptr (IfbamResponse) infinite =
      ifbam_response_new (undamped, "position@floor", outputs, own, 1, NULL);
  gsize n;

  (void) state;
  if (moved == NULL)
    fail_msg ("%s", error->message);
  for (guint i = 0; i < 4; i++)
    {
      const double complex s = I * (2 * G_PI) * frequencies[i],
                           mount = 1000 * (1 + 0.1 * I) + 5 * s;
      const double complex gives = 1 / (2 * s * s + mount + 500), x = mount * gives;
      const double complex wanted[] = { mount * (1 - x), -500 * x, -mount * gives, -500 * gives };

      for (guint k = 0; k < 4; k++)
        {
          IfbamResponse *response = k < 2 ? moved : pushed;
          const double size = ifbam_response_get_amplitudes (response, k % 2, &n)[i],
                       phase = ifbam_response_get_phases (response, k % 2, &n)[i];
          const double complex found = size * cexp (I * phase * G_PI / 180);

          assert_near (cabs (found - wanted[k]), 0, 1e-12 * cabs (wanted[k]), outputs[k % 2]);
        }
      assert_near (ifbam_response_get_amplitudes (charged, 0, &n)[i],
                   cabs (1e-3 * s / (1 + 0.02 * s)), 1e-16, "current");
    }
  assert_string_equal (ifbam_response_get_unit (moved, 0), "N/m");
  assert_true (isinf (ifbam_response_get_amplitudes (infinite, 0, &n)[0]));
  assert_null (ifbam_response_new (floating, "voltage@u", current, frequencies, 4, &error));
  assert_non_null (strstr (error->message, "u.current"));
  assert_non_null (strstr (error->message, "reaction"));
}

/* Faults */

static void
assert_fault (const char *input, const char *output, const char *words)
{
  g_autoptr (IfbamNetwork) network =
      text_network (HEAD "[ground wall]\n[mass m1]\nmass = 1\n[spring k1]\nstiffness = 100\n"
                         "between = wall, m1\n[force f]\non = m1\nvalue = 1\n");
  const char *const outputs[] = { output, NULL };
  const double frequency[] = { 1 };
  g_autoptr (GError) error = NULL;

  assert_null (ifbam_response_new (network, input, outputs, frequency, 1, &error));
  assert_true (g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_USAGE));
  if (strstr (error->message, words) == NULL)
    fail_msg ("\"%s\" does not say \"%s\"", error->message, words);
}

static void
test_faults (void **state)
{
  const double frequency[] = { 1 }, wrong[] = { 1, -2 };
  g_autoptr (IfbamNetwork) network = NULL;
  g_autoptr (GError) error = NULL, other = NULL;

  (void) state;
  assert_fault ("m1", "m1.position", "want QUANTITY@NODE");
  assert_fault ("@m1", "m1.position", "want QUANTITY@NODE");
  assert_fault ("force@", "m1.position", "want QUANTITY@NODE");
  assert_fault ("force@m2", "m1.position", "did you mean \"m1\"?");
  assert_fault ("force@k1", "m1.position", "\"k1\" is a spring, not a node");
  assert_fault ("force@f", "m1.position", "\"f\" is a force, not a node");
  assert_fault ("force@wall", "m1.position", "want position@wall");
  assert_fault ("colour@wall", "m1.position", "has no quantity \"colour\"");
  assert_fault ("position@m1", "m1.position", "want force@m1");
  assert_fault ("torque@m1", "m1.position", "want force@m1");
  assert_fault ("force@m1", "m1.colour", "has no quantity \"colour\"");
  assert_fault ("force@m1", "network.energy", "network.energy has no linear response");
  assert_fault ("force@m1", "f.force", "f.force has no linear response");
  assert_fault ("force@m9", "m8.position", "input: no element \"m9\"");
  assert_fault ("force@m9", "m8.position", "output: no element \"m8\"");
  network = text_network (HEAD "[ground a]\n[drive b]\namplitude = 1\n[spring k]\nstiffness = 1\n"
                               "between = a, b\n");
  assert_null (ifbam_response_new (network, "position@b", NULL, frequency, 1, &error));
  assert_true (g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_NETWORK));
  assert_non_null (strstr (error->message, "nothing with inertia"));
  assert_null (ifbam_response_new (network, "position@b", NULL, wrong, 2, &other));
  assert_true (g_error_matches (other, IFBAM_ERROR, IFBAM_ERROR_USAGE));
}

/* A random tree, or several, and the same with a loop. Solutions without pivoting equal those of LU with pivoting,
 * or fail. */
static void
test_forest (void **state)
{
  guint solved = 0, damped_solved = 0;

  (void) state;
  for (guint trial = 0; trial < 200; trial++)
    {
      const gsize n = 1 + trial % 40;
      const gboolean damped = trial % 2 == 0;
      g_auto (IfbamTriplets) k = { 0 }, c = { 0 }, looped = { 0 };
      g_autofree double *inertia = g_new (double, n), *b = g_new (double, n),
                        *b_damping = g_new0 (double, n), *real = g_new (double, n),
                        *imaginary = g_new (double, n);
      g_autofree double complex *right = g_new (double complex, n), *x = g_new (double complex, n);
      const double omega = between (10, 300);
      double size = 0;

      for (gsize i = 0; i < n; i++)
        {
          const gsize other =
              i == 0 || between (0, 1) < 0.1 ? i : (gsize) between (0, (double) i - 1e-9);
          const double stiffness = between (1e3, 4e4), damping = damped ? between (0, 30) : 0;
          const gsize end[2] = { i, other };

          inertia[i] = between (0.3, 3);
          b[i] = between (-1, 1);
          for (guint p = 0; p < 2; p++)
            for (guint q = 0; q < 2 && (other != i || p + q == 0); q++)
              {
                ifbam_triplets_add (&k, end[p], end[q], (p == q ? 1 : -1) * stiffness);
                ifbam_triplets_add (&looped, end[p], end[q], (p == q ? 1 : -1) * stiffness);
                /* dampers that stand where no spring does, too */
                if (trial % 4 != 2 || i % 3 != 0)
                  ifbam_triplets_add (&c, end[p], end[q], (p == q ? 1 : -1) * damping);
              }
        }
      for (gsize i = 0; i < 3 && n >= 3; i++)
        {
          ifbam_triplets_add (&looped, i, (i + 1) % 3, -1.0);
          ifbam_triplets_add (&looped, (i + 1) % 3, i, -1.0);
        }
      {
        g_autoptr (IfbamSparse) stiffness = ifbam_sparse_new (n, &k, NULL);
        g_autoptr (IfbamSparse) damping = damped ? ifbam_sparse_new (n, &c, NULL) : NULL;
        g_autoptr (IfbamSparse) loop = ifbam_sparse_new (n, &looped, NULL);
        g_autoptr (IfbamTreeSolver) forest = ifbam_tree_solver_new (stiffness, damping, inertia);
        g_autoptr (IfbamTreeSolver) none = ifbam_tree_solver_new (loop, NULL, inertia);
        g_autoptr (IfbamSparse) even =
            ifbam_sparse_sum (1, stiffness, 0, damping, -omega * omega, inertia);
        g_autoptr (IfbamSparse) odd =
            ifbam_sparse_sum (0, stiffness, damped ? omega : 0, damping, 0, NULL);
        g_autoptr (IfbamFactor) factor = NULL;
        IfbamFactorStatus status;

        assert_non_null (forest);
        assert_true ((none == NULL) == (n >= 3));
        factor = ifbam_factor_new_complex (even, odd, &status);
        assert_non_null (factor);
        for (gsize i = 0; i < n; i++)
          right[i] = b[i];
        assert_true (ifbam_factor_solve_complex (factor, right, x));
        if (!ifbam_tree_solver_solve (forest, omega, b, b_damping, real, imaginary))
          continue;
        solved++;
        damped_solved += damped;
        for (gsize i = 0; i < n; i++)
          size = fmax (size, cabs (x[i]));
        for (gsize i = 0; i < n; i++)
          if (!(cabs (x[i] - (real[i] + I * imaginary[i])) <= 1e-9 * size))
            fail_msg ("%zu of %zu nodes, omega %g: %g%+gi, not %g%+gi", i, n, omega, real[i],
                      imaginary[i], creal (x[i]), cimag (x[i]));
      }
    }
  assert_true (solved >= 190 && damped_solved == 100);
}

/* Structural loss: a stiffness k (1 + i loss), whatever the frequency (Clough & Penzien 1975, section 4-8) */

static void
test_loss (void **state)
{
  const double m = 2, k = 5000, loss = 0.04;
  const double complex stiff = k * (1 + I * loss);
  double frequencies[POINTS];
  static const char network[] = HEAD "[%s wall]\n[mass m1]\nmass = 2\n[spring k1]\n"
                                     "stiffness = 5000\nbetween = wall, m1\n%s%s";
  /* That of all, a spring's own, and both. */
  static const char *const losses[] = { "[damping d]\nloss = 4 %\n",
                                        "[spring k2]\nstiffness = 0\n"
                                        "loss = 9\nbetween = wall, m1\n",
                                        "[damping d]\nloss = 3 %\n" };
  static const char *const own[] = { "", "loss = 4 %\n", "loss = 1 %\n" };

  (void) state;
  spread (0.08, 800, frequencies, POINTS);
  for (guint variant = 0; variant < 6; variant++)
    {
      const gboolean damped = variant % 2 == 1;
      g_autofree char *damper = g_strconcat (
          own[variant / 2], damped ? "[damper d1]\ndamping = 7\nbetween = wall, m1\n" : "", NULL);
      g_autofree char *still = g_strdup_printf (network, "ground", damper, losses[variant / 2]);
      g_autofree char *moving = g_strdup_printf (network, "drive", damper, losses[variant / 2]);
      g_autoptr (IfbamResponse) force =
          response_of (still, "force@m1", "m1.position,k1.force", frequencies, POINTS);
      g_autoptr (IfbamResponse) motion =
          response_of (moving, "position@wall", "m1.position,k1.force", frequencies, POINTS);

      for (gsize i = 0; i < POINTS; i++)
        {
          const double w = 2 * G_PI * frequencies[i];
          const double complex held = stiff + I * w * (damped ? 7 : 0);
          const double complex free = held - m * w * w;

          assert_value (force, 0, i, 1 / free, 1e-11);
          assert_value (force, 1, i, -stiff / free, 1e-11);
          assert_value (motion, 0, i, held / free, 1e-11);
          assert_value (motion, 1, i, stiff * (1 - held / free), 1e-9);
        }
    }
}

/* A member of a chain has its own, too: m1 between a loss and none. */
static void
test_loss_of_a_member (void **state)
{
  const double complex first = 100 * (1 + 0.1 * I), second = 100;
  const double frequencies[] = { 0.3, 1.1, 1.7, 4 };
  g_autoptr (IfbamResponse) response =
      response_of (HEAD "[ground a]\n[ground b]\n[chain c]\ncount = 1\nmass = 1\nstiffness = 100\n"
                        "from = a\nto = b\nk1.loss = 0.1\n",
                   "force@c.m1", "c.m1.position", frequencies, G_N_ELEMENTS (frequencies));

  (void) state;
  for (gsize i = 0; i < G_N_ELEMENTS (frequencies); i++)
    {
      const double w = 2 * G_PI * frequencies[i];

      assert_value (response, 0, i, 1 / (first + second - w * w), 1e-11);
    }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_loss),
    cmocka_unit_test (test_loss_of_a_member),
    cmocka_unit_test (test_one_dof),
    cmocka_unit_test (test_absorber),
    cmocka_unit_test (test_base),
    cmocka_unit_test (test_base_with_inerters),
    cmocka_unit_test (test_chain),
    cmocka_unit_test (test_circuits),
    cmocka_unit_test (test_gear),
    cmocka_unit_test (test_random),
    cmocka_unit_test (test_infinite_mechanism),
    cmocka_unit_test (test_current_into_an_amplifier),
    cmocka_unit_test (test_infinite),
    cmocka_unit_test (test_peaks),
    cmocka_unit_test (test_equilibrium),
    cmocka_unit_test (test_contact),
    cmocka_unit_test (test_runs),
    cmocka_unit_test (test_faults),
    cmocka_unit_test (test_forest),
    cmocka_unit_test (test_movers),
  };

  return cmocka_run_group_tests (tests, set_up, noise_tear_down);
}
