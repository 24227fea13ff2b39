/* test-implicit.c: schemes with a tableau, such as the implicit ones: values up to rounding, orders, stiff networks
 *
 * Exact values are by matrix exponentials of 90 digits, or by eigenvalues of the inverse, which no scheme has seen;
 * steps of Duffing's oscillator are by 40 digits.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <complex.h>
#include <math.h>
#include <string.h>

#include "event-run.h"
#include "fixture.h"
#include "embed/ifbam-run.h"
#include "embed/ifbam.h"
#include "file/file.h"

static IfbamCourse *
run_by (const char *text, IfbamEngineKind engine)
{
  g_autofree char *path = g_build_filename (folder, "network.ini", NULL);
  g_autoptr (IfbamNetwork) network = NULL;
  g_autoptr (GError) error = NULL;
  IfbamCourse *course;

  assert_true (g_file_set_contents (path, text, -1, NULL));
  network = ifbam_network_new_from_file (path, NULL, &error);
  if (network == NULL)
    fail_msg ("%s", error->message);
  course = ifbam_network_run (network, engine, &error);
  if (course == NULL)
    fail_msg ("%s", error->message);
  return course;
}

static IfbamCourse *
run_text (const char *text)
{
  return run_by (text, IFBAM_ENGINE_PLAN);
}

static const double *
values_of (IfbamCourse *course, const char *signal, gsize *n)
{
  const double *values = ifbam_course_get_values (course, signal, n, NULL);

  assert_non_null (values);
  return values;
}

static const char *const names[] = { "implicit", "implicit-euler", "tr-bdf2", "esdirk4" };

/* x = Re (z^i), v = Re (i z^i) for a mode of angular frequency 1/s that is at 1: modulus and angle of z. */
static void
test_one_step (void **state)
{
  static const struct
  {
    const char *scheme;
    double h, modulus, angle;
  } wanted[] = { { "implicit", 0.1, 1, 0.099916791444 },
                 { "implicit-euler", 0.5, 0.894427191000, 0.463647609001 },
                 { "tr-bdf2", 0.5, 0.999779553190, 0.495045471931 },
                 { "esdirk4", 0.5, 0.999999619588, 0.499973767399 } };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (wanted); i++)
    {
      g_autofree char *text = g_strdup_printf (
          "[network]\nscheme = %s\nstep = %.17g\nduration = %.17g\nrecord = m.position, "
          "m.velocity\n[ground g]\n[mass m]\nmass = 1\nposition = 1\n"
          "[spring k]\nstiffness = 1\nbetween = g, m\n",
          wanted[i].scheme, wanted[i].h, wanted[i].h);
      g_autoptr (IfbamCourse) course = run_text (text);
      const double complex z =
          course_last (course, "m.position") - I * course_last (course, "m.velocity");

      assert_near (cabs (z), wanted[i].modulus, 1e-12, wanted[i].scheme);
      assert_near (carg (z), wanted[i].angle, 1e-12, wanted[i].scheme);
    }
}

/* A capacitor that decays by itself at rate 1/s: R (-h). */
static void
test_decay (void **state)
{
  static const struct
  {
    const char *scheme;
    double h, left;
  } wanted[] = { { "implicit", 1, 1.0 / 3 },
                 { "implicit-euler", 1, 0.5 },
                 { "tr-bdf2", 1, 0.350440262760 },
                 { "tr-bdf2", 10, -0.203552227968 },
                 { "esdirk4", 1, 0.368213333333 },
                 { "dopri5", 1, 1 - 1 + 1.0 / 2 - 1.0 / 6 + 1.0 / 24 - 1.0 / 120 + 1.0 / 600 } };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (wanted); i++)
    {
      g_autofree char *text = g_strdup_printf (
          "[network]\nscheme = %s\nstep = %.17g\nduration = %.17g\nrecord = c.voltage\n"
          "[ground g]\n[capacitor c]\ncapacitance = 1\nvoltage = 1\n"
          "[resistor r]\nresistance = 1\nbetween = c, g\n",
          wanted[i].scheme, wanted[i].h, wanted[i].h);
      g_autoptr (IfbamCourse) course = run_text (text);

      assert_near (course_last (course, "c.voltage"), wanted[i].left, 1e-12, wanted[i].scheme);
    }
}

/* Duffing's oscillator, by the mean over the true path: its energy stays at any step. */

#define DUFFING                                                                                    \
  "[network]\nscheme = %s\nstep = %.17g\nduration = %.17g\n"                                       \
  "record = m1.position, m1.velocity, network.energy\n[ground wall]\n"                             \
  "[mass m1]\nmass = 1 kg\nposition = %s\n"                                                        \
  "[spring k]\nstiffness = 100 N/m\ncubic = 1000 kN/m3\nbetween = %s\n%s"

static void
test_duffing (void **state)
{
  static const struct
  {
    double step;
    guint steps;
    double position, velocity;
  } wanted[] = { { 20e-3, 1, 0.030408114481768, -0.9591885518232 },
                 { 20e-3, 50, -0.004931600502226, -1.1988628711514 },
                 { 0.1, 1, -0.018153689345209, -1.1630737869042 } };
  static const double steps[] = { 20e-3, 0.1, 1 };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (wanted); i++)
    {
      g_autofree char *text =
          g_strdup_printf (DUFFING, "implicit", wanted[i].step, wanted[i].step * wanted[i].steps,
                           "40 mm", "wall, m1", "");
      g_autoptr (IfbamCourse) course = run_text (text);

      assert_near (course_last (course, "m1.position"), wanted[i].position, 1e-13, "position");
      assert_near (course_last (course, "m1.velocity"), wanted[i].velocity, 2e-12, "velocity");
    }
  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    {
      g_autofree char *text =
          g_strdup_printf (DUFFING, "implicit", steps[i], 5000 * steps[i], "40 mm", "wall, m1", "");
      g_autoptr (IfbamCourse) course = run_text (text);
      gsize n;
      const double *energy = values_of (course, "network.energy", &n);

      for (gsize k = 0; k < n; k++)
        assert_near (energy[k], 0.72, 0.72 * 1e-12, "energy");
    }
}

/* The same against an elastic stop: 776 impacts in 100 s, each located by steps of its own. */
static void
test_stop (void **state)
{
  g_autofree char *text =
      g_strdup_printf (DUFFING, "implicit", 20e-3, 100.0, "-40 mm", "m1, wall",
                       "[impact stop]\ngap = 20 mm\nrestitution = 1\nbetween = m1, wall\n");
  g_autoptr (IfbamCourse) course = run_text (text);
  gsize n;
  const double *energy = values_of (course, "network.energy", &n);

  (void) state;
  for (gsize k = 0; k < n; k++)
    assert_near (energy[k], 0.72, 0.72 * 1e-11, "energy");
}

/* Orders, with dampers */

static double
error_with_dampers (const char *scheme, double step)
{
  static const double exact[] = { -1.370108306878406806e-4, -1.547184912751653986e-4,
                                  -1.262994165031117570e-4 };
  g_autofree char *text = g_strdup_printf (
      "[network]\nscheme = %s\nstep = %.17g\nduration = 1\n"
      "record = m1.position, m2.position, m3.position\n[ground wall]\n"
      "[spring k1]\nstiffness = 10 kN/m\nbetween = wall, m1\n"
      "[damper d1]\ndamping = 2\nbetween = wall, m1\n[mass m1]\nmass = 1\nposition = 1 mm\n"
      "[spring k2]\nstiffness = 40 kN/m\nbetween = m1, m2\n"
      "[damper d2]\ndamping = 5\nbetween = m1, m2\n[mass m2]\nmass = 1\n"
      "[spring k3]\nstiffness = 10 kN/m\nbetween = m1, m3\n"
      "[damper d3]\ndamping = 1\nbetween = m1, m3\n[mass m3]\nmass = 0.5\n",
      scheme, step);
  g_autoptr (IfbamCourse) course = run_text (text);
  static const char *const signals[] = { "m1.position", "m2.position", "m3.position" };
  double largest = 0;

  for (guint k = 0; k < G_N_ELEMENTS (signals); k++)
    largest = fmax (largest, fabs (course_last (course, signals[k]) - exact[k]));
  return largest;
}

static void
test_orders (void **state)
{
  static const struct
  {
    const char *scheme;
    double order, step;
  } wanted[] = { { "implicit", 2, 1e-3 },
                 { "implicit-euler", 1, 2e-5 },
                 { "tr-bdf2", 2, 1e-3 },
                 { "esdirk4", 4, 1e-3 },
                 { "dopri5", 5, 1e-3 } };

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (wanted); s++)
    {
      const double coarse = error_with_dampers (wanted[s].scheme, wanted[s].step);
      const double fine = error_with_dampers (wanted[s].scheme, 0.5 * wanted[s].step);

      assert_near (log2 (coarse / fine), wanted[s].order, 0.15, wanted[s].scheme);
    }
}

/* Stiff networks */

#define PISTON                                                                                     \
  "[network]\nscheme = %s\nstep = 10 ms\nduration = 0.5 s\n"                                       \
  "record = body.position, piston.position\n[ground wall]\n[mass piston]\nmass = 1 g\n"            \
  "[damper d1]\ndamping = 100 kN s/m\nbetween = wall, piston\n"                                    \
  "[spring k1]\nstiffness = 100 kN/m\nbetween = piston, body\n"                                    \
  "[mass body]\nmass = 100 kg\nposition = 10 mm\n"

/* c/m = 1e8/s: explicit schemes would take 8e8 steps. */
static void
test_stiff_damper (void **state)
{
  g_autofree char *fourth = g_strdup_printf (PISTON, "esdirk4");
  g_autofree char *second = g_strdup_printf (PISTON, "implicit");
  g_autoptr (IfbamCourse) course = run_text (fourth), other = run_text (second);

  (void) state;
  assert_near (course_last (course, "body.position"), -7.76043825642312931e-3, 1e-6, "esdirk4");
  assert_near (course_last (course, "piston.position"), -2.49448003973952178e-5, 1e-6, "esdirk4");
  assert_near (course_last (other, "body.position"), -7.76043825642312931e-3, 3.4e-4, "implicit");
}

static char *
study (const char *scheme, const char *duration)
{
  g_autofree char *settings = g_strdup_printf ("scheme = %s\nduration = %s\n", scheme, duration);

  return rc_ladder (settings);
}

/* A hundred resistors and capacitors with time constants over nine decades: L-stable schemes accept the step of the
 * slow ones, the mean oscillates for ever. */
static void
test_ladder (void **state)
{
  g_autofree char *step = study ("esdirk4", "0.1 s"), *two = study ("tr-bdf2", "0.1 s");
  g_autofree char *ten = study ("esdirk4", "10 s"), *hundred = study ("esdirk4", "100 s");
  g_autofree char *first = study ("implicit-euler", "10 s");
  g_autoptr (IfbamCourse) one = run_text (step), other = run_text (two), slow = run_text (ten);
  g_autoptr (IfbamCourse) slowest = run_text (hundred), euler = run_text (first);

  (void) state;
  assert_near (course_last (one, "c1.voltage"), 0.838097045027, 1e-12, "esdirk4, a step");
  assert_near (course_last (other, "c1.voltage"), 0.894098412703, 1e-12, "tr-bdf2, a step");
  assert_near (course_last (euler, "c1.voltage"), 0.958690603749, 1e-12, "implicit-euler");
  assert_near (course_last (euler, "c50.voltage"), 0.013014935132, 1e-12, "implicit-euler");
  assert_near (course_last (slow, "c50.voltage"), 0.0128135165147, 1e-9, "esdirk4, 10 s");
  assert_near (course_last (slowest, "c100.voltage"), 0.2168671359046, 1e-9, "esdirk4, 100 s");
}

/* Modes that decay within a hundredth of the duration are not resolved by schemes that damp them. */
static void
test_chosen_steps (void **state)
{
  static const double most[] = { NAN, 2000, 200, 200 };

  (void) state;
  for (guint s = 1; s < G_N_ELEMENTS (names); s++)
    {
      g_autofree char *text = g_strdup_printf (
          "[network]\nscheme = %s\nstep = auto\nduration = 1 s\nrecord = c1.voltage, c2.voltage\n"
          "[voltage-source u]\nvoltage = 5 V\n"
          "[resistor r1]\nresistance = 1 kohm\nbetween = u, c1\n[capacitor c1]\ncapacitance = 1 "
          "pF\n"
          "[resistor r2]\nresistance = 1 Mohm\nbetween = c1, c2\n[capacitor c2]\ncapacitance = 1 "
          "uF\n",
          names[s]);
      g_autoptr (IfbamCourse) course = run_text (text);
      gsize n;

      values_of (course, "c2.voltage", &n);
      assert_true ((double) n <= most[s]);
      assert_near (course_last (course, "c1.voltage"), 4.998160603708942995, 0.05, names[s]);
      assert_near (course_last (course, "c2.voltage"), 3.158764314489497104, 0.05, names[s]);
    }
}

/* Constraints */

#define RECTIFIER                                                                                  \
  "[network]\nscheme = %s\nstep = 0.25 ms\nduration = 22.5 ms\nrecord = c.voltage\n"               \
  "[voltage-source ac]\namplitude = 10 V\nfrequency = 50 Hz\n"                                     \
  "[diode d1]\nresistance = 1 ohm\nbetween = ac, c\n[capacitor c]\ncapacitance = 470 uF\n"         \
  "[resistor load]\nresistance = 100 ohm\nbetween = c, gnd\n[ground gnd]\n"

/* Where a diode opens and closes. */
static void
test_rectifier (void **state)
{
  g_autofree char *text = g_strdup_printf (RECTIFIER, "esdirk4");
  g_autofree char *path = g_build_filename (folder, "rectifier.ini", NULL);
  g_autoptr (IfbamNetwork) network = NULL;
  g_autoptr (IfbamRun) run = NULL;
  g_autoptr (GError) error = NULL;
  const IfbamEvent *events;
  gsize n;

  (void) state;
  assert_true (g_file_set_contents (path, text, -1, NULL));
  network = ifbam_network_new_from_file (path, NULL, &error);
  assert_non_null (network);
  run = ifbam_run_new (network);
  assert_true (ifbam_run_run (run, NULL, &error));
  events = ifbam_events_list (ifbam_run_get_events (run), &n);
  assert_int_equal (n, 3);
  assert_near (events[1].time, 0.0056773058650, 1e-8, "opens");
  assert_near (events[2].time, 0.0224010818577, 1e-8, "closes");
}

/* Springs between points of the plane, and round contacts, store energy equal to their work at any step. */
static void
test_work_is_what_is_stored (void **state)
{
  static const struct
  {
    const char *text;
    double steps[3]; /* [s] */
  } cases[] = {
    /* A ball hangs on a spring: it swings in 2.2 s, and up and down in 0.9 s. */
    { "record = b.x, b.y, network.energy\n[point pin]\n[ball b]\nmass = 2 kg\nx = 1.1 m\ny = -0.2 "
      "m\n"
      "[spring k]\nstiffness = 100 N/m\nlength = 1 m\nbetween = pin, b\n[gravity g]\non = b\n",
      { 0.05, 0.3, 1 } },
    { "record = b.x, b.y, network.energy\n[point pin]\n[ball b]\nmass = 2 kg\nx = 1.1 m\ny = -0.2 "
      "m\n"
      "vx = -1 m/s\n[spring k]\nstiffness = 40 N/m\nquadratic = 30 N/m2\ncubic = 200 N/m3\n"
      "length = 1 m\nbetween = b, pin\n[gravity g]\non = b\n",
      { 0.05, 0.2, 0.5 } },
    /* Two turn about each other, and a third hangs on them. */
    { "record = a.x, b.y, c.y, network.energy\n[ball a]\nmass = 2 kg\nvy = 1 m/s\n[ball b]\n"
      "mass = 1 kg\nx = 1 m\nvy = -3 m/s\n[ball c]\nmass = 0.5 kg\nx = 1.2 m\ny = 0.9 m\n"
      "[spring ab]\nstiffness = 50 N/m\nlength = 0.9 m\nbetween = a, b\n[spring bc]\n"
      "stiffness = 300 N/m\nbetween = b, c\n",
      { 0.02, 0.1, 0.3 } },
    /* A ball on a spring along a line hits a wall, and is there for 20 ms. */
    { "record = m.position, network.energy\n[ground wall]\n[mass m]\nmass = 1 kg\nposition = -0.2 "
      "m\n"
      "[spring k]\nstiffness = 40 N/m\nbetween = wall, m\n[hertz h]\nmodulus = 1 MPa\n"
      "radius = 10 cm\nbetween = m, wall\n",
      { 0.002, 0.007, 0.03 } },
  };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (guint k = 0; k < G_N_ELEMENTS (cases[i].steps); k++)
      {
        g_autofree char *text =
            g_strdup_printf ("[network]\nscheme = implicit\nstep = %.17g\nduration = %.17g\n%s",
                             cases[i].steps[k], 200 * cases[i].steps[k], cases[i].text);
        g_autoptr (IfbamCourse) course = run_by (text, IFBAM_ENGINE_PLAN);
        g_autoptr (IfbamCourse) objects = run_by (text, IFBAM_ENGINE_OBJECTS);
        const char *last = i == 3 ? "m.position" : i == 2 ? "c.y" : "b.y";
        gsize n, m;
        const double *energy = values_of (course, "network.energy", &n);
        const double *other = values_of (objects, "network.energy", &m);
        const double *y = values_of (course, last, &m);
        double most = 0, size = fabs (energy[0]), way = 0;

        assert_int_equal (n, 201);
        assert_memory_equal (energy, other, n * sizeof *energy);
        for (gsize r = 1; r < n; r++)
          {
            most = fmax (most, fabs (energy[r] - energy[0]));
            way = fmax (way, fabs (y[r] - y[0]));
            size = i < 2 ? fmax (size, 2 * 9.81 * fabs (y[r])) : size;
          }
        assert_true (way > 0.15);
        print_message ("# case %u, step %g s: energy off by %.2g of %.3g J\n", i, cases[i].steps[k],
                       most, size);
        assert_near (most, 0, 1e-12 * size, "energy");
      }
}

/* A pendulum and a hanging chain of two rods keep their rods, and nearly their energy. */
static void
test_rods (void **state)
{
  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (names); s++)
    {
      g_autofree char *text = g_strdup_printf (
          "[network]\nscheme = %s\nstep = 2 ms\nduration = 1 s\n"
          "record = a.x, a.y, b.x, b.y, network.energy\n"
          "[point o]\n[ball a]\nmass = 1\nx = 1\ny = 0\n[ball b]\nmass = 1\nx = 2\ny = 0\n"
          "[gravity g]\non = a, b\n[rod first]\nbetween = o, a\n[rod second]\nbetween = a, b\n",
          names[s]);
      g_autoptr (IfbamCourse) course = run_text (text), objects = NULL;
      const double x = course_last (course, "a.x"), y = course_last (course, "a.y");
      const double dx = course_last (course, "b.x") - x, dy = course_last (course, "b.y") - y;
      gsize n, m;
      const double *energy = values_of (course, "network.energy", &n), *other;

      assert_near (hypot (x, y), 1, 1e-14, names[s]);
      assert_near (hypot (dx, dy), 1, 1e-14, names[s]);
      assert_near (energy[n - 1], energy[0], s == 3 ? 1e-6 : s == 1 ? 1 : 1e-2, names[s]);
      objects = run_by (text, IFBAM_ENGINE_OBJECTS);
      other = values_of (objects, "network.energy", &m);
      assert_int_equal (n, m);
      assert_memory_equal (energy, other, n * sizeof *energy);
    }
}

/* A mass on a spring that rubs: (x0 - R/k) cos (omega t) + R/k as long as it goes back; its account closes. */
static void
test_rubbing (void **state)
{
  static const char *const rubs[] = {
    "[friction f]\nbreakaway = 3 N\nbetween = m, w\n",
    "[friction f]\nbreakaway = 3 N\nbetween = w, m\n",
    "[pressed-friction f]\nfriction = 0.3\nnormal = 10 N\nbetween = m, w\n"
  };

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (names); s++)
    for (guint i = 0; i < G_N_ELEMENTS (rubs); i++)
      {
        const double omega = sqrt (50), exact = 0.06 + 0.04 * cos (omega * 0.4), h = omega * 1e-3;
        /* Second order loses h^2/12 of phase, or h^2 0.0404; the first one h/2 of amplitude per radian. */
        const double error[] = { h * h / 12, h / 2, h * h * 0.0404, 1e-9 };
        g_autofree char *text =
            g_strdup_printf ("[network]\nscheme = %s\nstep = 1 ms\nduration = 0.4 s\n"
                             "record = m.position, network.energy, network.dissipated\n[ground "
                             "w]\n[mass m]\nmass = 1 kg\n"
                             "position = 0.1 m\n[spring k]\nstiffness = 50 N/m\nbetween = m, w\n%s",
                             names[s], rubs[i]);
        g_autoptr (IfbamCourse) course = run_text (text);

        assert_near (course_last (course, "m.position"), exact, 0.04 * omega * 0.4 * error[s] * 1.1,
                     names[s]);
        if (s == 0)
          assert_near (course_last (course, "network.energy")
                           + course_last (course, "network.dissipated"),
                       0.25, 1e-13, names[s]);
      }
}

/* A mass pressed against stops is at 0, without a scale for changes: Newton's method once halved them down to 1e-320
 * until its iterations ended. Its sums are those with the reactions. */
static void
test_what_is_held_at_0_is_found (void **state)
{
  static const char *const laws[] = {
    "[spring k]\nstiffness = 13038\nbetween = g, b\n",
    "[gravity w]\non = a, b\n[friction f]\nbreakaway = 3\nbetween = a, b\n",
  };

  (void) state;
  for (guint l = 0; l < G_N_ELEMENTS (laws); l++)
    for (guint k = 0; k < G_N_ELEMENTS (names); k++)
      {
        g_autofree char *text =
            g_strdup_printf ("[network]\nscheme = %s\nstep = 2 ms\nduration = 1\n"
                             "record = a.position, b.position, i.force, network.*\n[ground g]\n"
                             "[mass a]\nmass = 0.69304\n[mass b]\nmass = 7.1079\n"
                             "[impact i]\nrestitution = 0\nbetween = g, a\n"
                             "[impact j]\nrestitution = 0.5\nbetween = a, b\n%s"
                             "[force f1]\non = b\namplitude = 108.34\nfrequency = 5.099\n",
                             names[k], laws[l]);
        g_autoptr (IfbamCourse) course = run_text (text), other = NULL;
        gsize n;
        const double *a = values_of (course, "a.position", &n),
                     *b = values_of (course, "b.position", &n),
                     *energy = values_of (course, "network.energy", &n),
                     *supplied = values_of (course, "network.supplied", &n),
                     *lost = values_of (course, "network.dissipated", &n);
        double most = 0, open = 0;

        for (gsize i = 0; i < n; i++)
          {
            assert_true (a[i] >= 0 && b[i] >= a[i] - 1e-14);
            most = fmax (most, fmax (fabs (supplied[i]), energy[i]));
            open = fmax (open, fabs (energy[i] + lost[i] - supplied[i]));
          }
        assert_true (n == 501 && most > 0.1);
        assert_true (open < (k == 1 ? 0.2 : 2e-2) * most);
        other = run_by (text, IFBAM_ENGINE_OBJECTS);
        assert_memory_equal (b, values_of (other, "b.position", NULL), n * sizeof *b);
      }
}

/* A soft contact with a preload of more than a metre at a compression near 0: relative to its energy the work along a
 * path of rounding is rounding; `implicit` once computed its force as their quotient. */
static void
test_what_is_stored_before_a_gap_is_no_force (void **state)
{
  static const char *const links[] = {
    "[contact c]\nstiffness = 27850\ngap = -1.348\nbetween = b, g\n",
    "[hertz c]\nmodulus = 27850\nradius = 1\ngap = -1.348\nbetween = b, g\n",
  };

  (void) state;
  for (guint l = 0; l < G_N_ELEMENTS (links); l++)
    for (guint k = 0; k < G_N_ELEMENTS (names); k++)
      {
        g_autofree char *text =
            g_strdup_printf ("[network]\nscheme = %s\nstep = 1 ms\nduration = 0.1\n"
                             "record = b.position, j.force, network.energy\n[ground g]\n"
                             "[mass a]\nmass = 5.5\n[mass b]\nmass = 0.37\n"
                             "[impact i]\nbetween = g, a\n[impact j]\nbetween = a, b\n%s",
                             names[k], links[l]);
        g_autoptr (IfbamCourse) course = run_text (text);
        gsize n;
        const double *b = values_of (course, "b.position", &n),
                     *force = values_of (course, "j.force", &n),
                     *energy = values_of (course, "network.energy", &n);

        for (gsize i = 0; i < n; i++)
          {
            assert_true (fabs (b[i]) < 1e-14);
            assert_near (energy[i] / energy[0], 1, 1e-14, links[l]);
            assert_near (force[i] / force[0], 1, 1e-9, links[l]);
          }
        assert_true (n == 101 && force[0] > 1000);
      }
}

/* A voltage jump at a capacitor that follows within 1e-16 s: it stores nothing, so that the energy balance is that of
 * the circuit without it. (Steps that begin with the currents of the jump once booked their loss over a part of a
 * step: most of the loss.) */
#define CHOPPER                                                                                    \
  "[network]\nscheme = %s\n%sstep = 10 us\nduration = 4 ms\nrecord = c.voltage, network.energy, "  \
  "network.dissipated, network.supplied\n[ground g]\n[voltage-source v]\namplitude = 24\n"         \
  "wave = pwm\nperiod = 1 ms\nduty = 0.4\n%s[resistor r]\nresistance = 0.1\nbetween = v, a\n"      \
  "[inductor l]\ninductance = 1 mH\nbetween = a, c\n[capacitor c]\ncapacitance = 100 uF\n"         \
  "[resistor q]\nresistance = 10\nbetween = c, g\n"

static void
test_account_of_what_is_too_fast (void **state)
{
  static const char *const schemes[] = { "implicit-euler", "tr-bdf2", "esdirk4" };
  static const char *const settings[] = { "", "tolerance = 1e-6\n" };

  (void) state;
  for (guint k = 0; k < G_N_ELEMENTS (schemes); k++)
    for (guint t = 0; t < (k == 0 ? 1 : G_N_ELEMENTS (settings)); t++)
      {
        g_autofree char *with = g_strdup_printf (CHOPPER, schemes[k], settings[t],
                                                 "[capacitor a]\ncapacitance = 1e-15\n");
        g_autofree char *without =
            g_strdup_printf (CHOPPER, schemes[k], settings[t], "[junction a]\n");
        g_autoptr (IfbamCourse) course = run_text (with);
        g_autoptr (IfbamCourse) other = run_text (without);
        g_autoptr (IfbamCourse) objects = run_by (with, IFBAM_ENGINE_OBJECTS);
        gsize n;
        const double *lost = values_of (course, "network.dissipated", &n),
                     *supplied = values_of (course, "network.supplied", &n),
                     *wanted = values_of (other, "network.dissipated", &n),
                     *by_objects = values_of (objects, "network.dissipated", &n);

        assert_true (n == 401);
        for (gsize i = 0; i < n; i++)
          {
            /* where it is not there no step is taken by the other table, and a tolerance chooses others */
            assert_near (lost[i], wanted[i], 1e-5 * supplied[n - 1], schemes[k]);
            assert_memory_equal (&lost[i], &by_objects[i], sizeof (double));
          }
      }
}

/* A capacitor that follows a jump through a resistor dissipates half of the supplied energy Q V: with the scheme's order
 * if steps resolve it; with steps of twenty time constants within its magnitude. */
static void
test_account_of_what_is_fast (void **state)
{
  static const struct
  {
    const char *scheme;
    double step, most; /* [time constants]; of the whole */
  } wanted[] = { { "tr-bdf2", 0.1, 2e-3 }, { "tr-bdf2", 0.05, 5e-4 }, { "tr-bdf2", 20, 0.7 },
                 { "esdirk4", 0.1, 5e-7 }, { "esdirk4", 0.05, 4e-8 }, { "esdirk4", 20, 0.7 },
                 { "tr-bdf2", 10, 0.7 },   { "tr-bdf2", 2, 0.2 },     { "esdirk4", 10, 0.7 },
                 { "esdirk4", 2, 0.02 } };

  (void) state;
  for (guint k = 0; k < G_N_ELEMENTS (wanted); k++)
    {
      g_autofree char *text = g_strdup_printf (
          "[network]\nscheme = %s\nstep = %.17g\nduration = 1000\n"
          "record = network.dissipated, network.supplied\n[ground g]\n[voltage-source v]\n"
          "voltage = 2\n[capacitor c]\ncapacitance = 1\n"
          "[resistor r]\nresistance = 1\nbetween = v, c\n",
          wanted[k].scheme, wanted[k].step);
      g_autoptr (IfbamCourse) course = run_text (text);

      assert_near (course_last (course, "network.supplied"), 4, 1e-10, wanted[k].scheme);
      assert_near (course_last (course, "network.dissipated"), 2, 2 * wanted[k].most,
                   wanted[k].scheme);
    }
}

/* The loss under a force with jumps, relative to supplied minus stored energy: to the scheme's order. */
static double
account_left_open (const char *scheme, double step)
{
  g_autofree char *text = g_strdup_printf (
      "[network]\nscheme = %s\nstep = %.17g\nduration = 1\n"
      "record = network.energy, network.dissipated, network.supplied\n[ground wall]\n"
      "[spring k1]\nstiffness = 10 kN/m\nbetween = wall, m1\n"
      "[damper d1]\ndamping = 2\nbetween = wall, m1\n[mass m1]\nmass = 1\nposition = 1 mm\n"
      "[spring k2]\nstiffness = 4 kN/m\nbetween = m1, m2\n"
      "[damper d2]\ndamping = 5\nbetween = m1, m2\n[mass m2]\nmass = 1\n[force f]\non = m2\n"
      "amplitude = 10\nwave = pwm\nperiod = 0.3456789\nduty = 0.4\n",
      scheme, step);
  g_autoptr (IfbamCourse) course = run_text (text);
  gsize n;

  return values_of (course, "network.energy", &n)[0] + course_last (course, "network.supplied")
         - course_last (course, "network.energy") - course_last (course, "network.dissipated");
}

static void
test_orders_of_accounts (void **state)
{
  static const struct
  {
    const char *scheme;
    double order;
  } wanted[] = { { "tr-bdf2", 2 }, { "esdirk4", 4 } };

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (wanted); s++)
    assert_near (log2 (account_left_open (wanted[s].scheme, 1e-3)
                       / account_left_open (wanted[s].scheme, 0.5e-3)),
                 wanted[s].order, 0.15, wanted[s].scheme);
}

/* A bearing's friction is bounded by the resultant of two reactions, which rotates with the pendulum: implicit schemes
 * agree with the explicit one. */
static void
test_bearing (void **state)
{
  static const struct
  {
    const char *scheme;
    double near;
  } cases[] = { { "esdirk4", 1e-8 }, { "tr-bdf2", 1e-4 }, { "implicit", 1e-4 } };
  static const char text[] =
      "[network]\nscheme = %s\nstep = 2 ms\nduration = 1 s\nrecord = p.angle\n"
      "[point o]\n[body p]\nmass = 2\ninertia = 0.1\nx = 0.5\n[point end]\non = p\nx = -0.5\n"
      "[hinge h]\nbetween = o, end\nfriction = 0.2\nradius = 3 cm\n[gravity g]\non = p\n";
  g_autofree char *explicit = g_strdup_printf (text, "rk4");
  g_autoptr (IfbamCourse) wanted = text_course (explicit);

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *own = g_strdup_printf (text, cases[i].scheme);
      g_autoptr (IfbamCourse) course = text_course (own);

      assert_near (course_last (course, "p.angle"), course_last (wanted, "p.angle"), cases[i].near,
                   cases[i].scheme);
    }
}

/* A damper by its points: on the outer piece F = 3 v - 1, so that v = (1 + 2 exp (-3 t)) / 3, to the scheme's order. */
static void
test_characteristic_by_rate (void **state)
{
  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (names); s++)
    for (guint fine = 0; fine < 2; fine++)
      {
        g_autofree char *text = g_strdup_printf (
            "[network]\nscheme = %s\nstep = %s\nduration = 0.1 s\nrecord = m.velocity\n[ground w]\n"
            "[mass m]\nmass = 1\nvelocity = 1\n[damper-characteristic d]\nrate = -1, -0.5, 0.5, 1\n"
            "force = -2, -0.5, 0.5, 2\nbetween = m, w\n",
            names[s], fine ? "0.1 ms" : "1 ms");
        g_autoptr (IfbamCourse) course = text_course (text);
        const double h = fine ? 1e-4 : 1e-3;

        assert_near (course_last (course, "m.velocity"), (1 + 2 * exp (-0.3)) / 3,
                     s == 1 ? 0.3 * h : 0.2 * h * h, names[s]);
      }
}

/* A contact joins two masses that a moving node pulls by a spring and a damper: one body on a given path,
 *   M x'' = k (b - x) + c (b' - x') - F,  b = A sin (w t). */
static void
test_moving_node_of_two_masses (void **state)
{
  const double mass = 3, k = 50, c = 4, force = 40, a = 0.1, w = 7;
  const double sigma = c / (2 * mass), wd = sqrt (k / mass - sigma * sigma);
  const double real = k - mass * w * w,
               imaginary = c * w; /* (real + i imaginary) X = a (k + i c w) */
  const double square = real * real + imaginary * imaginary;
  const double sine = a * (k * real + c * w * imaginary) / square;
  const double cosine = a * (c * w * real - k * imaginary) / square;
  const double p = force / k - cosine, q = (sigma * p - w * sine) / wd, t = 1;
  const double x = sine * sin (w * t) + cosine * cos (w * t) - force / k
                   + exp (-sigma * t) * (p * cos (wd * t) + q * sin (wd * t));

  (void) state;
  for (guint s = 0; s < 2 * G_N_ELEMENTS (names); s++)
    {
      const double h = 1e-3;
      g_autoptr (EventRun) run =
          event_run (s % 2 == 0 ? 0 : EVENT_RUN_OBJECTS,
                     "[network]\nscheme = %s\nstep = %.17g\nduration = 1 s\n"
                     "record = left.position, right.position\n[drive base]\namplitude = 0.1\n"
                     "frequency = %.17g\n[mass left]\nmass = 1\n[mass right]\nmass = 2\n"
                     "[spring s]\nstiffness = 50\nbetween = base, left\n"
                     "[damper d]\ndamping = 4\nbetween = base, right\n"
                     "[impact i]\nrestitution = 0\nbetween = left, right\n"
                     "[force f]\non = right\nvalue = -40\n",
                     names[s / 2], h, w / (2 * G_PI));

      assert_near (event_run_last (run, "left.position"), x, s / 2 == 1 ? 3 * h : 10 * h * h,
                   names[s / 2]);
      assert_near (event_run_last (run, "right.position"), event_run_last (run, "left.position"),
                   1e-12, names[s / 2]);
    }
}

/* A step fails if each part of it ends so far away that a spring's force there is NaN. */
static void
test_no_place_is_told (void **state)
{
  (void) state;
  text_refused ("[network]\nscheme = implicit-euler\nstep = 1 s\nduration = 2 s\n[ground g]\n"
                "[mass m]\nmass = 1\n[exponential-spring s]\nstiffness = 1\nscale = 1 mm\n"
                "between = m, g\n[force f]\non = m\nvalue = 1e10\n",
                "\"m\" has no solution under \"implicit-euler\", even in 1024 parts of the step");
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_bearing),
    cmocka_unit_test (test_characteristic_by_rate),
    cmocka_unit_test (test_moving_node_of_two_masses),
    cmocka_unit_test (test_no_place_is_told),
    cmocka_unit_test (test_one_step),
    cmocka_unit_test (test_decay),
    cmocka_unit_test (test_duffing),
    cmocka_unit_test (test_stop),
    cmocka_unit_test (test_orders),
    cmocka_unit_test (test_stiff_damper),
    cmocka_unit_test (test_ladder),
    cmocka_unit_test (test_rectifier),
    cmocka_unit_test (test_work_is_what_is_stored),
    cmocka_unit_test (test_rods),
    cmocka_unit_test (test_rubbing),
    cmocka_unit_test (test_what_is_held_at_0_is_found),
    cmocka_unit_test (test_what_is_stored_before_a_gap_is_no_force),
    cmocka_unit_test (test_chosen_steps),
    cmocka_unit_test (test_account_of_what_is_too_fast),
    cmocka_unit_test (test_account_of_what_is_fast),
    cmocka_unit_test (test_orders_of_accounts),
  };

  return cmocka_run_group_tests (tests, folder_make, folder_remove);
}
