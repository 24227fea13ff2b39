/* test-between.c: elements between two nodes other than springs: inerters, capacitors, actuators, sources; drive forces
 *
 * Exact values are closed forms: of M x'' + K x = 0 with b J'J in M, of first-order circuits, of sums of forces.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "event-run.h"
#include "fixture.h"
#include "embed/ifbam.h"

static const char *const schemes[] = { "original", "averaged", "verlet",  "rk4",           "dopri5",
                                       "implicit", "tr-bdf2",  "esdirk4", "implicit-euler" };

static IfbamCourse *
run_under (const char *scheme, double step, double until, const char *record, const char *groups,
           IfbamEngineKind engine)
{
  g_autoptr (IfbamNetwork) network = text_network_printf (
      "[network]\nscheme = %s\nstep = %.17g\nduration = %.17g\nrecord = %s\n%s", scheme, step,
      until, record, groups);

  return network_course (network, engine);
}

/* Two masses on a spring to the wall and one between them, with an inerter beside that: M = [5 -3; -3 4] kg, K = [150 -50; -50 50]
 * N/m; by its eigenvalues and vectors. */
#define INERTER                                                                                    \
  "[ground wall]\n[mass m1]\nmass = 2 kg\nposition = 10 mm\n"                                      \
  "[mass m2]\nmass = 1 kg\nvelocity = 0.1 m/s\n"                                                   \
  "[spring k1]\nstiffness = 100 N/m\nbetween = wall, m1\n"                                         \
  "[spring k2]\nstiffness = 50 N/m\nbetween = m1, m2\n"                                            \
  "[inerter b]\ninertance = 3 kg\nbetween = m1, m2\n"

typedef struct
{
  double x[2], v[2], a[2];
} Pair;

static Pair
inerter_exact (double time)
{
  /* det (K - l M) = 0 */
  const double a = 5 * 4 - 9, b = -(150 * 4 + 50 * 5 - 2 * 50 * 3), c = 150 * 50 - 50 * 50;
  const double start[2] = { 0.01, 0 }, rate[2] = { 0, 0.1 };
  Pair pair = { .x = { 0 } };

  for (int s = -1; s <= 1; s += 2)
    {
      const double l = (-b + s * sqrt (b * b - 4 * a * c)) / (2 * a), w = sqrt (l);
      const double shape[2] = { 50 - 3 * l, 150 - 5 * l };
      const double weight[2] = { 5 * shape[0] - 3 * shape[1], -3 * shape[0] + 4 * shape[1] };
      const double norm = weight[0] * shape[0] + weight[1] * shape[1];
      const double p = (weight[0] * start[0] + weight[1] * start[1]) / norm;
      const double q = (weight[0] * rate[0] + weight[1] * rate[1]) / norm / w;

      for (int i = 0; i < 2; i++)
        {
          pair.x[i] += shape[i] * (p * cos (w * time) + q * sin (w * time));
          pair.v[i] += shape[i] * w * (q * cos (w * time) - p * sin (w * time));
          pair.a[i] -= shape[i] * l * (p * cos (w * time) + q * sin (w * time));
        }
    }
  return pair;
}

static void
test_inerter (void **state)
{
  const Pair exact = inerter_exact (2);

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    {
      g_autoptr (IfbamCourse) course =
          run_under (schemes[s], 1e-3, 2,
                     "m1.position, m2.velocity, b.velocity, b.force, wall.force, network.momentum",
                     INERTER, IFBAM_ENGINE_PLAN);
      const gboolean fourth = strstr ("rk4 dopri5 esdirk4", schemes[s]) != NULL;
      const gboolean first = strstr ("original implicit-euler", schemes[s]) != NULL;
      const double part = fourth ? 1e-9 : first ? 0.1 : 1e-4;

      assert_near (course_last (course, "m1.position"), exact.x[0], part * 0.02, schemes[s]);
      assert_near (course_last (course, "m2.velocity"), exact.v[1], part * 0.2, schemes[s]);
      assert_near (course_last (course, "b.velocity"), exact.v[1] - exact.v[0], part * 0.2,
                   schemes[s]);
      /* It pushes its ends apart; the wall pushes back. */
      assert_near (course_last (course, "b.force"), 3 * (exact.a[0] - exact.a[1]), part,
                   schemes[s]);
      assert_near (course_last (course, "wall.force"), -100 * exact.x[0], 100 * part * 0.02,
                   schemes[s]);
      assert_near (course_last (course, "network.momentum"), 2 * exact.v[0] + exact.v[1],
                   part * 0.4, schemes[s]);
    }
}

/* The shipped one: (m + b) x'' + c x' + k x = b r'' + c r' + k r, r = A sin w t, where b w^2 = k and only c r' is left. */
static void
test_suspension (void **state)
{
  const double m = 300, k = 12e3, c = 600, w = 4 * G_PI, b = k / (w * w), A = 0.01, time = 4;
  const double decay = c / (2 * (m + b)), own = sqrt (k / (m + b) - decay * decay);
  /* x = Re (z e^(iwt)) + e^(-decay t) (p cos + q sin); z = c A w / (k - (m + b) w^2 + i c w) */
  const double re = k - (m + b) * w * w, im = c * w, size = re * re + im * im;
  const double zr = c * A * w * re / size, zi = -c * A * w * im / size;
  const double p = -zr, q = (decay * p + w * zi) / own;
  const double exact = zr * cos (w * time) - zi * sin (w * time)
                       + exp (-decay * time) * (p * cos (own * time) + q * sin (own * time));
  g_autoptr (IfbamNetwork) network =
      ifbam_network_new_from_file ("networks/inerter.ini", NULL, NULL);
  g_autoptr (IfbamCourse) course = network_course (network, IFBAM_ENGINE_PLAN);

  (void) state;
  assert_near (course_last (course, "body.position"), exact, 1e-9, "body");
}

/* Modes are those of M + b J'J. */
static void
test_modes (void **state)
{
  g_autoptr (IfbamNetwork) network =
      text_network ("[network]\nstep = 1 ms\nduration = 1 s\n" INERTER);
  g_autoptr (IfbamModes) modes = ifbam_modes_new (network, 0, 0, NULL);
  gsize n;
  const IfbamMode *list = ifbam_modes_get_modes (modes, &n);

  (void) state;
  assert_int_equal (n, 2);
  assert_near (list[0].frequency,
               sqrt ((550 - sqrt (550 * 550 - 4 * 11 * 5000.0)) / 22) / (2 * G_PI), 1e-9, "first");
  assert_near (list[1].frequency,
               sqrt ((550 + sqrt (550 * 550 - 4 * 11 * 5000.0)) / 22) / (2 * G_PI), 1e-9, "second");
}

/* A high pass: v' = u' - v/RC from 0, with u = sin w t; its current is v/R, the source's the same. */
#define HIGH_PASS(out)                                                                             \
  "[voltage-source u]\namplitude = 1 V\nfrequency = 1 kHz\n"                                       \
  "[capacitor cc]\ncapacitance = 100 nF\nbetween = u, out\n" out                                   \
  "[resistor r]\nresistance = 1 kohm\nbetween = out, gnd\n[ground gnd]\n"

static double
high_pass (double time)
{
  const double w = 2 * G_PI * 1000, tau = 1e-4, x = w * tau;

  return x / (1 + x * x) * (cos (w * time) + x * sin (w * time) - exp (-time / tau));
}

static void
test_coupling_capacitor (void **state)
{
  static const struct
  {
    const char *scheme;
    double order;
  } orders[] = { { "implicit-euler", 1 }, { "tr-bdf2", 2 }, { "esdirk4", 4 } };

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (orders); s++)
    {
      double error[2];

      for (guint k = 0; k < 2; k++)
        {
          g_autoptr (IfbamCourse) course =
              run_under (orders[s].scheme, s == 0 ? 1e-6 / (1 << k) : 4e-6 / (1 << k), 1e-3,
                         "out.voltage, cc.voltage, cc.current, u.current, r.current, gnd.current",
                         HIGH_PASS ("[junction out]\n"), IFBAM_ENGINE_PLAN);
          const double out = course_last (course, "out.voltage");

          error[k] = fabs (out - high_pass (1e-3));
          assert_near (course_last (course, "cc.current"), out / 1000, 1e-11, "current");
          assert_near (course_last (course, "u.current"), out / 1000, 1e-11, "source");
          assert_near (course_last (course, "gnd.current"), -out / 1000, 1e-14, "ground");
          assert_near (course_last (course, "cc.voltage"), sin (2 * G_PI) - out, 1e-12, "voltage");
        }
      print_message ("# %s: %.2e, %.2e\n", orders[s].scheme, error[0], error[1]);
      assert_near (log2 (error[0] / error[1]), orders[s].order, 0.12, orders[s].scheme);
    }
  /* The bar of reference/schemes.md */
  {
    g_autoptr (IfbamCourse) course = run_under ("esdirk4", 1e-6, 1e-3, "out.voltage",
                                                HIGH_PASS ("[junction out]\n"), IFBAM_ENGINE_PLAN);

    assert_near (high_pass (1e-3), 0.45045679173318, 1e-14, "reference");
    assert_near (course_last (course, "out.voltage"), 0.45045679173318, 2e-12, "out");
  }
}

/* A source between two capacitors that start at nothing: the charge is shared, and from there on only a resistor takes current. */
static void
test_floating_source (void **state)
{
  g_autoptr (IfbamCourse) course =
      run_under ("rk4", 1e-6, 1e-3, "a.voltage, c.voltage, u.voltage, u.current, r.current",
                 "[capacitor a]\ncapacitance = 1 uF\n[capacitor c]\ncapacitance = 3 uF\n"
                 "[voltage-source u]\nvoltage = 1 V\nbetween = a, c\n"
                 "[resistor r]\nresistance = 1 kohm\nbetween = a, c\n",
                 IFBAM_ENGINE_PLAN);

  (void) state;
  assert_near (course_last (course, "a.voltage"), 0.75, 1e-12, "left");
  assert_near (course_last (course, "c.voltage"), -0.25, 1e-12, "right");
  assert_near (course_last (course, "u.voltage"), 1, 0, "source");
  assert_near (course_last (course, "u.current"), 1e-3, 1e-14, "delivers");
  assert_near (course_last (course, "r.current"), 1e-3, 1e-14, "takes");
}

/* An actuator between two masses prescribes their distance, the spring moves their centre of mass; the actuator's work is
 * supplied. */
static void
test_actuator (void **state)
{
  /* (m1 + m2) s'' + k x1 = 0 with x1 = s - m2 e/(m1 + m2), e = A sin w t, s and s' from 0: open start rates conserve the
   * momentum */
  const double w = 2 * G_PI, o2 = 100 / 3.0, o = sqrt (o2), e = 0.01 / 3 * o2 / (o2 - w * w);
  const double time = 0.8, s = e * (sin (w * time) - w / o * sin (o * time));
  const double x1 = s - 0.01 / 3 * sin (w * time), x2 = x1 + 0.01 * sin (w * time);
  const double force = -100 * x1 / 3 - 0.02 / 3 * w * w * sin (w * time); /* m2 x2'' */

  (void) state;
  for (guint k = 0; k < G_N_ELEMENTS (schemes); k++)
    {
      g_autoptr (IfbamCourse) course = run_under (
          schemes[k], 1e-3, time,
          "m1.position, m2.position, a.force, wall.force, network.energy, network.supplied",
          "[ground wall]\n[mass m1]\nmass = 2 kg\n[mass m2]\nmass = 1 kg\n"
          "[spring k1]\nstiffness = 100 N/m\nbetween = wall, m1\n"
          "[actuator a]\namplitude = 10 mm\nfrequency = 1 Hz\nbetween = m1, m2\n",
          IFBAM_ENGINE_PLAN);
      gsize n;
      const double *energy = ifbam_course_get_values (course, "network.energy", &n, NULL);
      const gboolean fourth = strstr ("rk4 dopri5 esdirk4", schemes[k]) != NULL;
      const gboolean first = strstr ("original implicit-euler", schemes[k]) != NULL;
      const double part = fourth ? 1e-9 : first ? 0.1 : 1e-4;

      assert_near (course_last (course, "m1.position"), x1, part * 0.01, schemes[k]);
      assert_near (course_last (course, "m2.position"), x2, part * 0.01, schemes[k]);
      assert_near (course_last (course, "wall.force"), -100 * x1, part, schemes[k]);
      assert_near (course_last (course, "a.force"), force, part, schemes[k]);
      if (!first)
        assert_near (energy[n - 1] - energy[0], course_last (course, "network.supplied"),
                     1e-5 * 0.01, schemes[k]);
    }
}

/* A bridge of ideal diodes behind a source that floats while they are open: C c' = max (0, |u| - c)/Rs - c/R, in small steps
 * (Runge & Kutta); the whole network's equations have a solution without a message. */
#define BRIDGE                                                                                     \
  "[voltage-source ac]\namplitude = 10 V\nfrequency = 50 Hz\nbetween = p, n\n[ground gnd]\n"       \
  "[junction p]\n[junction n]\n[junction a]\n[resistor rs]\nresistance = 1 ohm\nbetween = p, a\n"  \
  "[diode d1]\nbetween = a, c\n[diode d2]\nbetween = gnd, a\n[diode d3]\nbetween = n, c\n"         \
  "[diode d4]\nbetween = gnd, n\n[capacitor c]\ncapacitance = 470 uF\n"                            \
  "[resistor load]\nresistance = 100 ohm\nbetween = c, gnd\n"

static double
charges (double time, double c)
{
  return (fmax (0, fabs (10 * sin (2 * G_PI * 50 * time)) - c) - c / 100) / 470e-6;
}

/* A rate that jumps, where nothing has moved before: the impetus of both sides is opposite, with the inerter's. */
static void
test_jerk_from_rest (void **state)
{
  const double rate = 0.5 / 0.3, hand = -rate * 2 / (2 + 0.2 + 0.3);

  (void) state;
  for (guint k = 0; k < G_N_ELEMENTS (schemes); k++)
    {
      g_autoptr (IfbamCourse) course = run_under (
          schemes[k], 1e-3, 0.4,
          "hand.speed, arm.speed, network.energy, network.dissipated, network.supplied",
          "[inertia arm]\ninertia = 2 kg m2\n[inertia hand]\ninertia = 0.2 kg m2\n"
          "[torsion-actuator servo]\nwave = pulse\namplitude = 0.5 rad\nat = 0.2 s\nrise = 0.3 s\n"
          "over = 0.8 s\nbetween = hand, arm\n"
          "[torsion-inerter flywheel]\ninertance = 0.3 kg m2\nbetween = hand, frame\n[ground "
          "frame]\n",
          IFBAM_ENGINE_PLAN);

      assert_near (course_last (course, "hand.speed"), hand, 1e-12, schemes[k]);
      assert_near (course_last (course, "arm.speed"), hand + rate, 1e-12, schemes[k]);
      /* Half of the work supplied by a jump of a rate is lost, as in a plastic impact. */
      assert_near (course_last (course, "network.energy"),
                   0.5 * (0.5 * hand * hand + 2 * (hand + rate) * (hand + rate)), 1e-12,
                   schemes[k]);
      assert_near (course_last (course, "network.supplied")
                       - course_last (course, "network.dissipated"),
                   course_last (course, "network.energy"), 1e-12, schemes[k]);
    }
}

static void
test_bridge (void **state)
{
  const double h = 1e-7;
  double c = 0;
  g_autoptr (IfbamCourse) course =
      run_under ("esdirk4", 20e-6, 0.03, "c.voltage, ac.current", BRIDGE, IFBAM_ENGINE_PLAN);

  (void) state;
  for (guint i = 0; i < 300000; i++)
    {
      const double t = i * h, k1 = charges (t, c), k2 = charges (t + h / 2, c + h / 2 * k1);
      const double k3 = charges (t + h / 2, c + h / 2 * k2), k4 = charges (t + h, c + h * k3);

      c += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
  assert_near (course_last (course, "c.voltage"), c, 1e-7, "c");
  assert_near (course_last (course, "ac.current"), 0, 1e-7, "all open");
}

static void
refused (const char *groups, const char *words)
{
  g_autofree char *text =
      g_strdup_printf ("[network]\nscheme = esdirk4\nstep = 1 us\nduration = 1 ms\n%s", groups);

  text_refused (text, words);
}

/* Messages name contradicting elements, and a switch that closes a loop during the run. */
static void
test_loops (void **state)
{
#define TWO_SOURCES(other)                                                                         \
  "[ground gnd]\n[junction a]\n[junction b]\n[resistor r]\nresistance = 1 kohm\nbetween = a, b\n"  \
  "[voltage-source u1]\nvoltage = 1 V\nbetween = a, gnd\n"                                         \
  "[voltage-source u2]\nvoltage = 2 V\nbetween = b, gnd\n" other
  (void) state;
  refused (TWO_SOURCES ("[voltage-source u3]\nvoltage = -1 V\nbetween = a, b\n"),
           "closes a loop with \"u1\" and \"u2\"");
  refused (TWO_SOURCES ("[switch s]\ntoggle = 0.5 ms\nbetween = a, b\n"), "\"s\"");
  refused ("[drive d]\n[mass m]\nmass = 1 kg\n[ratio r]\nratio = 2\nbetween = d, m\n"
           "[actuator u]\namplitude = 1 mm\nbetween = d, m\n",
           "closes a loop with \"r\"");
  refused ("[junction a]\n[junction c]\n[voltage-source u]\nvoltage = 1 V\nbetween = a, c\n"
           "[resistor r]\nresistance = 1 kohm\nbetween = a, c\n",
           "it floats");
}

/* Objects say the same bits. */
static void
test_engines (void **state)
{
  static const struct
  {
    const char *groups, *record;
    double step;
  } networks[] = {
    { INERTER, "m1.position, m2.velocity, b.force, wall.force, network.momentum", 1e-2 },
    { HIGH_PASS ("[capacitor out]\ncapacitance = 1 nF\n"),
      "out.voltage, cc.voltage, cc.current, u.current", 1e-7 },
  };

  (void) state;
  for (guint g = 0; g < G_N_ELEMENTS (networks); g++)
    for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
      {
        g_auto (GStrv) signals = g_strsplit (networks[g].record, ", ", -1);
        IfbamCourse *course[2];

        for (guint e = 0; e < 2; e++)
          course[e] =
              run_under (schemes[s], networks[g].step, 50 * networks[g].step, networks[g].record,
                         networks[g].groups, e == 0 ? IFBAM_ENGINE_PLAN : IFBAM_ENGINE_OBJECTS);
        for (guint i = 0; signals[i] != NULL; i++)
          {
            gsize n, m;
            const double *a = ifbam_course_get_values (course[0], signals[i], &n, NULL);
            const double *b = ifbam_course_get_values (course[1], signals[i], &m, NULL);

            assert_int_equal (n, m);
            assert_memory_equal (a, b, n * sizeof *a);
          }
        g_object_unref (course[0]);
        g_object_unref (course[1]);
      }
}

/* Links between two given nodes store and dissipate the work of these, with events and without: a spring 1 J, a damper 2 J. */
static void
test_between_given (void **state)
{
  static const char *const links[] = { "[spring k]\nstiffness = 2 N/m\n",
                                       "[damper k]\ndamping = 2 N s/m\n" };
  static const char *const others[] = { "",
                                        "[mass n]\nmass = 1 kg\nposition = -1 m\n[impact i]\ngap = "
                                        "1 cm\nbetween = n, g\n[force f]\non = n\nvalue = 5 N\n" };

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    for (guint i = 0; i < 4; i++)
      {
        g_autofree char *text = g_strdup_printf (
            "[drive a]\nvelocity = 1 m/s\n[ground g]\n[mass m]\nmass = 1 kg\n[spring k2]\n"
            "stiffness = 1 N/m\nbetween = m, g\n%sbetween = a, g\n%s",
            links[i % 2], others[i / 2]);
        g_autoptr (IfbamCourse) course = run_under (
            schemes[s], 1e-3, 1, "k.force, network.energy, network.dissipated, network.supplied",
            text, IFBAM_ENGINE_COMPILED);
        const double energy = course_last (course, "network.energy"),
                     dissipated = course_last (course, "network.dissipated");

        assert_near (course_last (course, "k.force"), 2, 1e-13, schemes[s]);
        /* (implicit-euler loses a part of the falling energy.) */
        if (i < 2 || !g_str_equal (schemes[s], "implicit-euler"))
          assert_near (energy + dissipated, course_last (course, "network.supplied"), 1e-12,
                       schemes[s]);
        if (i < 2)
          assert_near (i == 0 ? energy : dissipated, i == 0 ? 1 : 2, 1e-12, schemes[s]);
      }
}

/* A floating subnetwork is an error with its name and advice, or has weak supports: a winding behind diodes without a leak
 * their saturation currents (by symmetry at minus a diode's voltage: Newton's method for 2 v + R (I (v) - Is) = u), or closed
 * diodes; a node between two open diodes, or between two capacitors, keeps its value. */
static void
test_what_floats (void **state)
{
#define WINDING                                                                                    \
  "[voltage-source u]\namplitude = 10 V\nfrequency = 50 Hz\nbetween = p, q\n[junction "            \
  "p]\n[junction q]\n[ground gnd]\n"
#define SIDE(class, more)                                                                          \
  "[" class " d1]\n" more "between = p, out\n[" class " d2]\n" more "between = q, out\n[" class    \
      " d3]\n" more                                                                                \
      "between = gnd, p\n[" class " d4]\n" more "between = gnd, q\n[junction out]\n"               \
                                  "[resistor load]\nresistance = 1 kohm\nbetween = out, gnd\n"
  static const char *const record = "u.voltage, p.voltage, q.voltage, out.voltage";
  static const char *const by[] = { "esdirk4", "tr-bdf2" };
  const double w = 0.025865, is = 1e-12;

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (by); s++)
    for (guint late = 0; late < 2; late++)
      {
        const double until = late ? 15e-3 : 5e-3, sign = late ? -1 : 1;
        g_autoptr (IfbamCourse) soft = run_under (
            by[s], 1e-5, until, record,
            WINDING SIDE ("shockley-diode", "saturation-current = 1 pA\n"), IFBAM_ENGINE_COMPILED);
        g_autoptr (IfbamCourse) hard =
            run_under (by[s], 1e-5, until, record, WINDING SIDE ("diode", "resistance = 1 ohm\n"),
                       IFBAM_ENGINE_COMPILED);
        double v = 0.6;

        for (guint turn = 0; turn < 50; turn++)
          v -= (2 * v + 1e3 * (is * expm1 (v / w) - is) - 10) / (2 + 1e3 * is / w * exp (v / w));
        assert_near (course_last (soft, late ? "q.voltage" : "p.voltage"), 10 - v, 1e-9, "soft");
        assert_near (course_last (soft, late ? "p.voltage" : "q.voltage"), -v, 1e-9,
                     "soft, floating");
        assert_near (course_last (soft, "out.voltage"), 10 - 2 * v, 1e-9, "soft, load");
        assert_near (course_last (hard, "out.voltage"), 10 * 1e3 / (1e3 + 2), 1e-9, "hard, load");
        assert_near (course_last (hard, "p.voltage") - course_last (hard, "q.voltage"), 10 * sign,
                     1e-9, "hard");
      }
  text_refused (
      "[network]\nscheme = esdirk4\nstep = 1 ms\nduration = 1 s\n" WINDING
      "[resistor load]\nresistance = 1\nbetween = p, q\n[capacitor c]\ncapacitance = 1 uF\n"
      "between = q, r\n[junction r]\n",
      "[junction r] it floats: nothing that is joined to it has inertia or is given (join it, by a "
      "link, to a "
      "capacitor or a [ground])");
  {
    const double time = 5e-3, tau = 1e3 * 0.5e-6, omega = 2 * G_PI * 1e3, z = omega * tau;
    g_autoptr (IfbamCourse) pair = run_under (
        "esdirk4", 1e-5, time, "out.voltage, mid.voltage",
        "[voltage-source u]\namplitude = 1 V\nfrequency = 1 kHz\n[capacitor c1]\ncapacitance = 1 "
        "uF\n"
        "between = u, mid\n[junction mid]\n[capacitor c2]\ncapacitance = 1 uF\nbetween = mid, out\n"
        "[junction out]\n[resistor r]\nresistance = 1 kohm\nbetween = out, gnd\n[ground gnd]\n",
        IFBAM_ENGINE_COMPILED);
    g_autoptr (IfbamCourse) blocked = run_under (
        "esdirk4", 1e-5, 0.75e-3, "mid.voltage",
        "[voltage-source u]\namplitude = 1 V\nfrequency = 1 kHz\n[resistor r]\nresistance = 1 "
        "kohm\n"
        "between = u, a\n[junction a]\n[diode d1]\nbetween = a, mid\n[junction mid]\n[diode d2]\n"
        "between = mid, b\n[junction b]\n[resistor r2]\nresistance = 1 kohm\nbetween = b, "
        "gnd\n[ground gnd]\n",
        IFBAM_ENGINE_COMPILED);
    const double wanted =
        z / (1 + z * z) * (cos (omega * time) + z * sin (omega * time) - exp (-time / tau));
    gsize n;
    const double *mid = ifbam_course_get_values (blocked, "mid.voltage", &n, NULL);

    assert_near (course_last (pair, "out.voltage"), wanted, 1e-8, "coupled");
    assert_near (course_last (pair, "mid.voltage"), 0.5 * (sin (omega * time) + wanted), 1e-8,
                 "between");
    assert_near (mid[25], 0.5, 1e-12, "both conduct");
    for (gsize i = 51; i < n; i++)
      assert_near (mid[i], mid[51], 1e-9, "where it was");
  }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_inerter),         cmocka_unit_test (test_modes),
    cmocka_unit_test (test_suspension),      cmocka_unit_test (test_coupling_capacitor),
    cmocka_unit_test (test_floating_source), cmocka_unit_test (test_actuator),
    cmocka_unit_test (test_jerk_from_rest),  cmocka_unit_test (test_bridge),
    cmocka_unit_test (test_loops),           cmocka_unit_test (test_engines),
    cmocka_unit_test (test_what_floats),     cmocka_unit_test (test_between_given),
  };

  return cmocka_run_group_tests (tests, folder_make, folder_remove);
}
