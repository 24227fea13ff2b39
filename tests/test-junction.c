/* test-junction.c: nodes without inertia: their balance at the start, during a run and after events
 *
 * Exact values are closed forms, or by matrix exponentials of 90 digits of the network without its junctions.
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
#include "embed/ifbam.h"
#include "linear/linear.h"
#include "run/run.h"
#include "engine/engine.h"

/* Of which the exact value is known at an instant. */
typedef struct
{
  const char *name, *groups, *signal;
  double until, step;
  double exact;
} Case;

#define TWO_SPRINGS                                                                                \
  "[ground wall]\n[spring k1]\nstiffness = 10 kN/m\nbetween = wall, joint\n"                       \
  "[spring k2]\nstiffness = 10 kN/m\nbetween = joint, m1\n[junction joint]\n"                      \
  "[mass m1]\nmass = 1 kg\nposition = 1 mm\n"
#define MAXWELL                                                                                    \
  "[ground wall]\n[spring k1]\nstiffness = 10 kN/m\nbetween = wall, m1\n"                          \
  "[spring k2]\nstiffness = 10 kN/m\nbetween = wall, joint\n"                                      \
  "[damper d2]\ndamping = 100 N s/m\nbetween = joint, m1\n[junction joint]\n"                      \
  "[mass m1]\nmass = 1 kg\nposition = 1 mm\n"
#define DIVIDER                                                                                    \
  "[voltage-source u]\nvoltage = 10 V\n[resistor r1]\nresistance = 1 kohm\nbetween = u, tap\n"     \
  "[resistor r2]\nresistance = 1 kohm\nbetween = tap, gnd\n[ground gnd]\n[junction tap]\n"         \
  "[resistor r3]\nresistance = 1 kohm\nbetween = tap, c\n[capacitor c]\ncapacitance = 100 nF\n"
#define SERIES                                                                                     \
  "[voltage-source u]\nvoltage = 10 V\n[resistor r]\nresistance = 10 ohm\nbetween = u, n\n"        \
  "[junction n]\n[inductor l]\ninductance = 1 mH\nbetween = n, c\n"                                \
  "[capacitor c]\ncapacitance = 1 uF\n"
#define CUT_SET                                                                                    \
  "[current-source i]\non = n\nvalue = 1 A\n[junction n]\n"                                        \
  "[inductor l1]\ninductance = 1 mH\nbetween = n, c\n"                                             \
  "[inductor l2]\ninductance = 1 mH\nbetween = n, gnd\n[ground gnd]\n"                             \
  "[capacitor c]\ncapacitance = 1 uF\n"

static const Case cases[] = {
  { "springs in series", TWO_SPRINGS, "m1.position", 0.1, 2e-3, 7.042485342e-4 },
  { "Maxwell's element", MAXWELL, "m1.position", 0.05, 1e-3, 2.417739180065702815e-4 },
  { "Maxwell's element, joint", MAXWELL, "joint.position", 0.05, 1e-3, 1.359068934348749502e-4 },
  { "divider", DIVIDER, "c.voltage", 1e-4, 1e-5, 2.432914404837039866 },
  { "series of R, L and C", SERIES, "c.voltage", 1e-4, 2e-6, 16.045657890000152042 },
  { "cut set of inductors", CUT_SET, "c.voltage", 1e-3, 4e-6, -8.07619268951349 },
};

static IfbamCourse *
run_case (const Case *one, const char *scheme, double step, IfbamEngineKind engine)
{
  g_autoptr (IfbamNetwork) network =
      text_network_printf ("[network]\nscheme = %s\nstep = %.17g\nduration = %.17g\nrecord = "
                           "%s\n%s",
                           scheme, step, one->until, one->signal, one->groups);

  return network_course (network, engine);
}

static double
error_of (const Case *one, const char *scheme, double step)
{
  g_autoptr (IfbamCourse) course = run_case (one, scheme, step, IFBAM_ENGINE_PLAN);
  /* m1 swings by itself between half the springs */
  const double exact = one == &cases[0] ? 1e-3 * cos (sqrt (5000) * one->until) : one->exact;

  return fabs (course_last (course, one->signal) - exact);
}

static void
test_orders (void **state)
{
  static const struct
  {
    const char *scheme;
    double order, part; /* of the case's step, where it shows */
  } schemes[] = { { "implicit-euler", 1, 0.03125 }, { "tr-bdf2", 2, 0.5 }, { "esdirk4", 4, 1 } };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
      {
        const double step = cases[i].step * schemes[s].part;
        const double whole = error_of (&cases[i], schemes[s].scheme, step);
        const double half = error_of (&cases[i], schemes[s].scheme, step / 2);

        print_message ("# %s, %s: %.2e, %.2e\n", cases[i].name, schemes[s].scheme, whole, half);
        assert_near (log2 (whole / half), schemes[s].order, 0.12, cases[i].name);
      }
}

/* A junction between two equal springs is halfway, to rounding, at any step. */
static void
test_balance (void **state)
{
  static const Case both = { "springs in series",
                             TWO_SPRINGS,
                             "m1.position, joint.position, m1.velocity, joint.velocity",
                             1,
                             1e-3,
                             0 };
  const char *const signals[] = { "m1.position", "joint.position", "m1.velocity",
                                  "joint.velocity" };
  g_autoptr (IfbamCourse) course = run_case (&both, "esdirk4", 1e-3, IFBAM_ENGINE_PLAN);
  const double *value[4];
  gsize n;

  (void) state;
  for (guint i = 0; i < 4; i++)
    value[i] = ifbam_course_get_values (course, signals[i], &n, NULL);
  assert_int_equal (n, 1001);
  for (gsize i = 0; i < n; i++)
    {
      assert_true (fabs (value[1][i] - 0.5 * value[0][i]) < 1e-17);
      /* The fourth order has it of the rate. */
      assert_true (fabs (value[3][i] - 0.5 * value[2][i]) < 1e-6);
    }
  assert_near (value[0][n - 1], 1e-3 * cos (sqrt (5000)), 5e-9, "after a second");
}

/* A junction starts in balance: half of the current flows through each inductor, a divider's tap has the voltage given by
 * the resistors, and a junction at a damper keeps its start in the file. */
static void
test_start (void **state)
{
  static const Case one[] = {
    { "", CUT_SET, "l1.current, l2.current", 1e-5, 1e-5, 0 },
    { "", DIVIDER, "tap.voltage", 1e-5, 1e-5, 0 },
    { "",
      "[ground wall]\n[junction joint]\nposition = 2 mm\n[spring k]\nstiffness = 10 kN/m\n"
      "between = wall, joint\n[damper d]\ndamping = 100 N s/m\nbetween = joint, m\n[mass m]\nmass "
      "= "
      "1 kg\nvelocity = 1 m/s\n",
      "joint.position, joint.velocity", 1e-3, 1e-3, 0 },
  };
  g_autoptr (IfbamCourse) currents = run_case (&one[0], "esdirk4", 1e-5, IFBAM_ENGINE_PLAN);
  g_autoptr (IfbamCourse) tap = run_case (&one[1], "tr-bdf2", 1e-5, IFBAM_ENGINE_PLAN);
  g_autoptr (IfbamCourse) joint = run_case (&one[2], "esdirk4", 1e-3, IFBAM_ENGINE_PLAN);

  (void) state;
  assert_near (course_first (currents, "l1.current"), 0.5, 1e-14, "one half");
  assert_near (course_first (currents, "l2.current"), 0.5, 1e-14, "the other");
  assert_near (course_first (tap, "tap.voltage"), 10.0 / 3, 1e-12, "all three resistors");
  assert_near (course_first (joint, "joint.position"), 2e-3, 1e-15, "it stays");
  /* k x = c (v - w) */
  assert_near (course_first (joint, "joint.velocity"), 1 - 10e3 * 2e-3 / 100, 1e-8, "and goes");
}

/* Half-wave rectifier behind a resistor of 1 ohm and a diode without any: instants by roots of the closed form. */
static void
test_rectifier (void **state)
{
  g_autoptr (EventRun) run = event_run (
      0, "[network]\nscheme = esdirk4\nstep = 10 us\nduration = 25 ms\nrecord = c.voltage\n"
         "[voltage-source ac]\namplitude = 10 V\nfrequency = 50 Hz\n[resistor rs]\n"
         "resistance = 1 ohm\nbetween = ac, a\n[junction a]\n[diode d]\nbetween = a, c\n"
         "[capacitor c]\ncapacitance = 470 uF\n[resistor load]\nresistance = 100 ohm\n"
         "between = c, gnd\n[ground gnd]\n");

  (void) state;
  assert_int_equal (event_run_count (run, "d", NULL), 3);
  assert_near (event_run_event (run, "d", "open", 0)->time, 0.0056773058650, 1e-11, "opens");
  assert_near (event_run_event (run, "d", "close", 1)->time, 0.0224010818577, 1e-11, "closes");
}

/* A bridge behind a transformer with a centre tap: both ends against ground, of which one is up while the other is down. */
#define BRIDGE                                                                                     \
  "[network]\nscheme = esdirk4\nstep = 20 us\nduration = 40 ms\nrecord = c.voltage, a.voltage, "   \
  "rs.current, d1.current, d2.current\n"                                                           \
  "[voltage-source up]\namplitude = 10 V\nfrequency = 50 Hz\n[voltage-source down]\n"              \
  "amplitude = -10 V\nfrequency = 50 Hz\n[resistor rs]\nresistance = 1 ohm\nbetween = up, a\n"     \
  "[resistor rt]\nresistance = 1 ohm\nbetween = down, b\n[junction a]\n[junction b]\n"             \
  "[%s d1]\nbetween = a, c\n%s[%s d2]\nbetween = gnd, a\n%s[%s d3]\nbetween = b, c\n%s"            \
  "[%s d4]\nbetween = gnd, b\n%s[capacitor c]\ncapacitance = 470 uF\n"                             \
  "[resistor load]\nresistance = 100 ohm\nbetween = c, gnd\n[ground gnd]\n"
#define FOUR(class, keys) class, keys, class, keys, class, keys, class, keys

static void
test_bridge (void **state)
{
  static const char *const signals[] = { "rs.current", "d1.current", "d2.current" };
  g_autoptr (EventRun) ideal = event_run (0, BRIDGE, FOUR ("diode", ""));
  g_autoptr (EventRun) objects = event_run (EVENT_RUN_OBJECTS, BRIDGE, FOUR ("diode", ""));
  g_autoptr (EventRun) smooth =
      event_run (0, BRIDGE, FOUR ("shockley-diode", "saturation-current = 1 nA\nemission = 1.8\n"));
  const double opens = event_run_event (ideal, "d1", "open", 0)->time;
  const double closes = event_run_event (ideal, "d3", "close", 0)->time;
  const double *current[3], *one, *other;
  double most = 0;
  gsize n, m;

  (void) state;
  /* As long as neither conducts the capacitor has its load alone. */
  assert_near (opens, 0.0056773058650, 1e-10, "opens");
  assert_near (-10 * sin (100 * G_PI * closes),
               10 * sin (100 * G_PI * opens) * exp (-(closes - opens) / 47e-3), 1e-8, "closes");
  one = event_run_values (ideal, "c.voltage", &n);
  other = event_run_values (objects, "c.voltage", &m);
  assert_int_equal (n, m);
  assert_memory_equal (one, other, n * sizeof *one);
  for (guint i = 0; i < G_N_ELEMENTS (signals); i++)
    current[i] = event_run_values (smooth, signals[i], &n);
  for (gsize i = 0; i < n; i++)
    {
      assert_true (fabs (current[0][i] + current[2][i] - current[1][i]) < 1e-9);
      most = fmax (most, current[1][i]);
    }
  assert_true (most > 0.5);
}

static const char *const light_schemes[] = { "implicit-euler", "tr-bdf2", "esdirk4" };

/* A source between two nodes and four diodes without any resistance, from where it crosses 0 and from elsewhere: nothing but
 * rows says where its ends are, in whatever order the file has them. */
static void
test_a_bridge_of_nothing_but_diodes_starts (void **state)
{
  static const char *const loads[] = {
    "[junction p]\n[resistor r]\nresistance = 100\nbetween = p, g\n",
    "[capacitor p]\ncapacitance = 100 uF\n",
  };
  static const char bridge[] = "[junction a]\n[junction b]\n[diode d1]\nbetween = a, p\n"
                               "[diode d2]\nbetween = b, p\n[diode d3]\nbetween = g, a\n"
                               "[diode d4]\nbetween = g, b\n[ground g]\n";

  (void) state;
  for (guint k = 0; k < 24; k++)
    {
      const guint load = k & 1, late = k >> 1 & 1, order = k >> 2 & 1;
      const double phase = late ? 0.5 : 0;
      g_autofree char *source = g_strdup_printf (
          "[voltage-source v]\namplitude = 10\nfrequency = 50\nphase = %g\nbetween = a, b\n",
          phase);
      g_autoptr (EventRun) run =
          event_run (0,
                     "[network]\nscheme = %s\nstep = 0.1 ms\nduration = 40 ms\n"
                     "record = p.voltage\n%s%s%s%s",
                     light_schemes[k / 8], order == 0 ? source : "", bridge, loads[load],
                     order == 1 ? source : "");
      gsize n;
      const double *voltage = event_run_values (run, "p.voltage", &n);

      for (gsize i = 0; i < n && load == 0; i++)
        assert_near (voltage[i], fabs (10 * sin (100 * G_PI * 1e-4 * (double) i + phase)), 1e-11,
                     light_schemes[k / 8]);
      assert_near (event_run_last (run, "p.voltage"), load == 1 ? 10 : fabs (10 * sin (phase)),
                   1e-3, light_schemes[k / 8]);
    }
}

/* A diode with nothing but an inductor behind it: no current presses it on when it begins to conduct, and where it let go
 * its junction fell to the inductor's other end, with ten volts across the open diode, for ever. */
static void
test_diodes_before_inductors_conduct (void **state)
{
  static const double fine[] = { 0.3, 1e-4, 1e-7 };

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (light_schemes); s++)
    {
      g_autoptr (EventRun) swing =
          event_run (0,
                     "[network]\nscheme = %s\nstep = 10 us\nduration = 3 ms\n"
                     "record = a.voltage, b.voltage\n"
                     "[capacitor a]\ncapacitance = 100 uF\nvoltage = 10\n[diode d]\n"
                     "between = a, n\n[junction n]\n[inductor l]\ninductance = 10 mH\n"
                     "between = n, b\n[capacitor b]\ncapacitance = 50 uF\n",
                     light_schemes[s]);
      g_autoptr (EventRun) three =
          event_run (0,
                     "[network]\nscheme = %s\nstep = 0.1 ms\nduration = 40 ms\n"
                     "record = l.current\n"
                     "[voltage-source a]\namplitude = 10\nfrequency = 50\n"
                     "[voltage-source b]\namplitude = 10\nfrequency = 50\nphase = 120 deg\n"
                     "[voltage-source c]\namplitude = 10\nfrequency = 50\nphase = 240 deg\n"
                     "[diode ta]\nbetween = a, p\n[diode tb]\nbetween = b, p\n"
                     "[diode tc]\nbetween = c, p\n[diode ua]\nbetween = n, a\n"
                     "[diode ub]\nbetween = n, b\n[diode uc]\nbetween = n, c\n"
                     "[junction p]\n[junction n]\n[inductor l]\ninductance = 0.1\n"
                     "between = p, q\n[junction q]\n[resistor r]\nresistance = 20\n"
                     "between = q, n\n",
                     light_schemes[s]);

      assert_near (event_run_last (swing, "b.voltage"), 40.0 / 3, fine[s], light_schemes[s]);
      assert_near (event_run_event (swing, "d", "open", 0)->time, G_PI * sqrt (1e-2 * 1e-4 / 3),
                   1e-3 * fine[s], light_schemes[s]);
      assert_near (event_run_last (three, "l.current"), 0.8272143191542967, fine[s],
                   light_schemes[s]);
    }
}

/* A switch that opens transfers the inductor's current to a diode. */
static void
test_a_diode_takes_over_from_a_switch (void **state)
{
  g_autoptr (EventRun) run = event_run (
      0, "[network]\nscheme = esdirk4\nstep = 10 us\nduration = 2.5 ms\nrecord = o.voltage\n"
         "[ground g]\n[voltage-source v]\namplitude = 10\nwave = pwm\nperiod = 1 ms\n"
         "duty = 0.3\n[switch s]\nstate = closed\ntoggle = 0.5 ms, 1 ms, 1.5 ms, 2 ms\n"
         "between = v, x\n[junction x]\n[diode d]\nbetween = g, x\n[inductor l]\n"
         "inductance = 10 mH\nbetween = x, o\n[capacitor o]\ncapacitance = 10 uF\n"
         "[resistor r]\nresistance = 20\nbetween = o, g\n");

  (void) state;
  assert_near (event_run_last (run, "o.voltage"), 4.14514723, 1e-8, "output");
}

/* The current of an inductor goes on through a large resistor beside the switch: within L / R = 1 us it decays to U / R, and
 * a voltage of 5 MV across the resistor is no jump of the flux. */
static void
test_a_resistor_takes_over_from_a_switch (void **state)
{
  static const char *const schemes[] = { "esdirk4", "tr-bdf2", "implicit-euler" };

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    {
      g_autofree char *text = g_strdup_printf (
          "[network]\nscheme = %s\nstep = 0.25 ms\nduration = 0.52 s\nrecord = l.current\n"
          "[ground g]\n[voltage-source v]\nvoltage = 50\n[junction a]\n[junction b]\n"
          "[switch s]\nstate = closed\ntoggle = 0.5 s\nresistance = 1e-5\nbetween = v, a\n"
          "[resistor beside]\nresistance = 1e5\nbetween = v, a\n[inductor l]\ninductance = 0.1\n"
          "between = a, b\n[resistor r]\nresistance = 1\nbetween = b, g\n",
          schemes[s]);
      g_autoptr (EventRun) run = event_run (0, text);

      assert_near (event_run_last (run, "l.current"), 50 / 100001.0, 1e-9, schemes[s]);
    }
}

static IfbamNetwork *
network_of (const char *groups)
{
  return text_network_printf ("[network]\nscheme = esdirk4\nstep = 1 us\nduration = 1 ms\n%s",
                              groups);
}

static void
test_modes (void **state)
{
  g_autoptr (IfbamNetwork) springs = network_of (TWO_SPRINGS), cut = network_of (CUT_SET),
                           divider = network_of (DIVIDER), maxwell = network_of (MAXWELL);
  /* Two junctions between two masses and the ground */
  g_autoptr (IfbamNetwork) mesh =
      network_of ("[ground g]\n[mass a]\nmass = 1\n[mass b]\nmass = 2\n[junction j]\n[junction k]\n"
                  "[spring s1]\nstiffness = 1000\nbetween = g, j\n"
                  "[spring s2]\nstiffness = 2000\nbetween = j, a\n"
                  "[spring s3]\nstiffness = 3000\nbetween = j, k\n"
                  "[spring s4]\nstiffness = 4000\nbetween = k, b\n"
                  "[spring s5]\nstiffness = 5000\nbetween = k, g\n"
                  "[spring s6]\nstiffness = 6000\nbetween = a, b\n");
  g_autoptr (IfbamModes) one = ifbam_modes_new (springs, 0, 0, NULL);
  g_autoptr (IfbamModes) other = ifbam_modes_new (cut, 0, 0, NULL);
  g_autoptr (IfbamModes) tap = ifbam_modes_new (divider, 0, 0, NULL);
  g_autoptr (IfbamModes) two = ifbam_modes_new (mesh, 0, 0, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamModes) damped = ifbam_modes_new (maxwell, 0, 0, &error);
  /* The mesh without its junctions: K_oo - K_oj K_jj^-1 K_jo */
  const double det = 6000.0 * 12000 - 3000.0 * 3000;
  const double aa = 8000 - 2000.0 * 2000 * 12000 / det, ab = -6000 - 2000.0 * 4000 * 3000 / det;
  const double bb = 10000 - 4000.0 * 4000 * 6000 / det;
  const double half = 0.5 * (aa + bb / 2), root = sqrt (half * half - (aa * bb - ab * ab) / 2);
  const IfbamMode *list;
  gsize n, m;

  (void) state;
  list = ifbam_modes_get_modes (one, &n);
  assert_int_equal (n, 1);
  assert_near (list[0].frequency, sqrt (5000) / (2 * G_PI), 1e-10, "springs in series");
  assert_near (ifbam_modes_get_shape (one, 0, &n)[0], 0.5, 1e-12, "halfway");
  list = ifbam_modes_get_modes (other, &n);
  assert_int_equal (n, 1);
  assert_near (list[0].frequency, sqrt (1 / (2e-3 * 1e-6)) / (2 * G_PI), 1e-7, "inductors");
  list = ifbam_modes_get_modes (tap, &n);
  assert_near (list[n - 1].decay_rate, 1 / (1500 * 100e-9), 1e-6, "resistors");
  list = ifbam_modes_get_modes (two, &n);
  assert_int_equal (n, 2);
  assert_near (2 * G_PI * list[0].frequency, sqrt (half - root), 1e-6, "the lower one");
  assert_near (2 * G_PI * list[1].frequency, sqrt (half + root), 1e-6, "the higher one");
  /* Between a spring and a damper: 100 s^3 + 1e4 s^2 + 2e6 s + 1e8 = 0, and the joint follows as c s/(k + c s) of the mass */
  if (damped == NULL)
    fail_msg ("%s", error->message);
  list = ifbam_modes_get_modes (damped, &n);
  assert_int_equal (n, 2);
  for (gsize i = 0; i < n; i++)
    {
      const double size = list[i].decay_rate / list[i].damping_ratio;
      const double complex s = -list[i].decay_rate + I * (2 * G_PI * list[i].frequency);
      const double complex ratio = 100 * s / (1e4 + 100 * s);
      const double *shape = ifbam_modes_get_shape (damped, i, &m),
                   *part = ifbam_modes_get_imaginary_shape (damped, i, &m);
      const double complex first = shape[0] + I * (part != NULL ? part[0] : 0),
                           second = shape[1] + I * (part != NULL ? part[1] : 0);

      assert_near (cabs (((100 * s + 1e4) * s + 2e6) * s + 1e8), 0, 1e-12 * 1e8, "root");
      assert_near (size, cabs (s), 1e-12 * size, "size");
      assert_near (fmin (cabs (second - ratio * first), cabs (first - ratio * second)), 0, 1e-12,
                   "shape");
    }
}

/* A divider with a capacitor behind it: 1/2 / (1 + i omega 1.5 kohm 100 nF). */
static void
test_response (void **state)
{
  g_autoptr (IfbamNetwork) divider = network_of (DIVIDER), springs = network_of (TWO_SPRINGS);
  const char *const outputs[] = { "c.voltage", NULL };
  const char *const places[] = { "joint.position", NULL };
  const double frequency = 1e3, angle = 2 * G_PI * frequency * 1500 * 100e-9;
  g_autoptr (IfbamResponse) give = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamResponse) response =
      ifbam_response_new (divider, "voltage@u", outputs, &frequency, 1, &error);
  gsize n;

  (void) state;
  if (response == NULL)
    fail_msg ("%s", error->message);
  assert_near (ifbam_response_get_amplitudes (response, 0, &n)[0], 0.5 / hypot (1, angle), 1e-8,
               "amplitude");
  /* A force on a junction moves it at once, and the mass behind it oscillates. */
  give = ifbam_response_new (springs, "force@joint", places, &frequency, 1, &error);
  if (give == NULL)
    fail_msg ("%s", error->message);
  assert_near (ifbam_response_get_amplitudes (give, 0, &n)[0],
               fabs (1 / (2e4 - 1e8 / (1e4 - pow (2 * G_PI * frequency, 2)))), 1e-17, "gives");
}

static void
test_engines (void **state)
{
  static const char *const schemes[] = { "implicit-euler", "tr-bdf2", "esdirk4" };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
      {
        g_autoptr (IfbamCourse) one =
            run_case (&cases[i], schemes[s], cases[i].step, IFBAM_ENGINE_PLAN);
        g_autoptr (IfbamCourse) other =
            run_case (&cases[i], schemes[s], cases[i].step, IFBAM_ENGINE_OBJECTS);
        gsize n, m;
        const double *a = ifbam_course_get_values (one, cases[i].signal, &n, NULL);
        const double *b = ifbam_course_get_values (other, cases[i].signal, &m, NULL);

        assert_int_equal (n, m);
        assert_memory_equal (a, b, n * sizeof *a);
      }
}

static void
test_refusals (void **state)
{
  static const char *const others[] = { "original", "averaged", "euler",   "symplectic-euler",
                                        "verlet",   "rk4",      "implicit" };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    {
      g_autofree char *text = g_strdup_printf (
          "[network]\nscheme = %s\nstep = 1 ms\nduration = 1 s\n%s", others[i], TWO_SPRINGS);

      text_refused (text, "esdirk4");
    }
  text_refused (
      "[network]\nscheme = esdirk4\nstep = 1 us\nduration = 1 ms\n[junction a]\n[junction "
      "b]\n[resistor r]\nresistance = 1 ohm\nbetween = a, b\n[capacitor c]\ncapacitance = 1\n",
      "it floats");
  text_refused ("[network]\nscheme = esdirk4\nstep = 1 ms\nduration = 1 s\n[ground g]\n[spring k]\n"
                "stiffness = 1\nbetween = g, joint\n",
                "[junction joint]");
  text_refused ("[network]\nscheme = esdirk4\nstep = 1 ms\nduration = 1 s\n[mass m]\nmass = 0\n",
                "junction");
  text_refused ("[network]\nscheme = esdirk4\nstep = 1 ms\nduration = 1 s\nrecord = "
                "joint.acceleration\n" TWO_SPRINGS,
                "acceleration");
  text_refused (
      "[network]\nscheme = esdirk4\nstep = auto\nduration = 1 s\n[ground g]\n[junction j]\n"
      "[mass m]\nmass = 1\n[spring k]\nstiffness = 1\nbetween = m, j\n"
      "[contact c]\nstiffness = 100\nbetween = g, j\n",
      "junctions beside nonlinear laws or constraints");
}

/* A current that is cut off is told, not lost. */
static void
test_cut_off (void **state)
{
  g_autoptr (IfbamNetwork) network = network_of (
      "[voltage-source u]\nvoltage = 10 V\n[switch s]\ntoggle = 0.1 ms, 0.3 ms\nbetween = u, n\n"
      "[junction n]\n[inductor l]\ninductance = 1 mH\nbetween = n, c\n[capacitor c]\n"
      "capacitance = 1 uF\n");
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamCourse) course = ifbam_network_run (network, IFBAM_ENGINE_PLAN, &error);

  (void) state;
  assert_null (course);
  assert_non_null (strstr (error->message, "cut off"));
}

static IfbamStability *
stability_of (const char *scheme, const char *groups, IfbamModel **model, IfbamRunSpec *spec)
{
  g_autofree char *text =
      g_strdup_printf ("[network]\nscheme = %s\nstep = 1 ms\nduration = 1 s\n%s", scheme, groups);
  g_autoptr (IfbamNetwork) network = text_network (text);
  g_autoptr (GError) error = NULL;
  IfbamStability *stability;

  *model = ifbam_network_compile_or_error (network, FALSE, spec, NULL, &error);
  if (*model == NULL)
    fail_msg ("%s", error->message);
  stability = ifbam_stability_new (*model, spec, FALSE, &error);
  if (stability == NULL)
    fail_msg ("%s", error->message);
  return stability;
}

/* The modes' polynomial at s, by its coefficients from the constant on, relative to its largest term. */
static void
assert_roots (const char *groups, const double *coefficient, guint degree, gsize bodies,
              gsize neutral)
{
  static const char *const schemes[] = { "esdirk4", "tr-bdf2", "implicit-euler" };

  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    {
      g_autoptr (IfbamModel) model = NULL;
      g_auto (IfbamRunSpec) spec = { 0 };
      g_autoptr (IfbamStability) stability = stability_of (schemes[s], groups, &model, &spec);
      gsize count = 0;

      assert_int_equal (stability->n_bodies, bodies);
      assert_int_equal (stability->n_neutral, neutral);
      for (gsize i = 0; i < stability->n_modes; i++)
        {
          const double complex root = stability->mode[i];
          double complex sum = 0, power = 1;
          double most = 0;

          for (guint k = 0; k <= degree; k++, power *= root)
            {
              sum += coefficient[k] * power;
              most = fmax (most, cabs (coefficient[k] * power));
            }
          if (!(cabs (sum) <= 1e-11 * most))
            fail_msg ("%s: %g + %g i is no root: %g of %g", groups, creal (root), cimag (root),
                      cabs (sum), most);
          count += cimag (root) != 0 ? 2 : 1;
        }
      assert_int_equal (count, degree);
      assert_true (ifbam_stability_growth (stability, spec.scheme, 1e-3).rate <= 1e-12);
      assert_true (
          isnan (ifbam_stability_growth (stability, ifbam_scheme_by_name ("rk4"), 1e-3).rate));
    }
}

/* Without their junctions these are polynomials. */
static void
test_modes_of_steps (void **state)
{
  const double R = 1e3, C = 1e-7;

  (void) state;
  assert_roots (TWO_SPRINGS, (double[]){ 5e3, 0, 1 }, 2, 0, 0);
  assert_roots (MAXWELL, (double[]){ 1e8, 100 * 2e4, 1e4, 100 }, 3, 0, 0);
  /* A divider of two equal resistors, and a third, into C */
  assert_roots (DIVIDER, (double[]){ 1 / (1.5 * R * C), 1 }, 1, 0, 2);
  /* Two masses and dampers in a row drift together; against each other they come to rest. */
  assert_roots (
      "[mass a]\nmass = 2 kg\n[mass b]\nmass = 3 kg\n[junction j]\n[damper da]\ndamping = 6\n"
      "between = a, j\n[damper db]\ndamping = 3\nbetween = j, b\n",
      (double[]){ 2 * (1.0 / 2 + 1.0 / 3), 1 }, 1, 1, 2);
  /* Springs behind springs and dampers behind dampers, with junctions between all */
  assert_roots (
      "[ground g]\n[mass a]\nmass = 1 kg\n[junction j1]\n[junction j2]\n[junction j3]\n"
      "[spring k1]\nstiffness = 300\nbetween = a, j1\n[spring k2]\nstiffness = 600\n"
      "between = j1, j2\n[damper d1]\ndamping = 20\nbetween = j2, j3\n[damper d2]\n"
      "damping = 20\nbetween = j3, g\n",
      /* k = 200, c = 10 in a row: m c s^2 + m k s + k c, and where it comes to rest does not count */
      (double[]){ 2000, 200, 10 }, 2, 0, 2);
}

/* A step of its own keeps the modes that last within 1 %. */
static void
test_chosen_step (void **state)
{
  (void) state;
  for (guint k = 0; k < 2; k++)
    {
      g_autoptr (EventRun) run = event_run (
          0,
          "[network]\nscheme = %s\nstep = auto\nduration = 0.2 s\nrecord = m1.position\n" MAXWELL,
          k == 0 ? "esdirk4" : "tr-bdf2");
      gsize n;
      const double *x = event_run_values (run, "m1.position", &n);
      const double *t = ifbam_course_get_times (run->course, &n);
      g_autoptr (EventRun) fine = event_run (
          0,
          "[network]\nscheme = esdirk4\nstep = %.17g\nduration = 0.2 s\nsample = %.17g\nrecord = "
          "m1.position\n" MAXWELL,
          t[1] / 20, t[1]);
      gsize m;
      const double *exact = event_run_values (fine, "m1.position", &m);

      assert_in_range (n, 50, 2000);
      for (gsize i = 0; i < n && i < m; i++)
        assert_near (x[i], exact[i], 2e-5, "step = auto");
    }
}

/* A force that steps throws a junction into a soft stop at once, and another one, farther, by that: both laws follow at the same
 * instant, so that it stands where all three carry the force. */
static void
test_a_jump_into_stops (void **state)
{
  static const char *const schemes[] = { "implicit-euler", "tr-bdf2", "esdirk4" };

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    {
      g_autoptr (EventRun) run =
          event_run (0,
                     "[network]\nscheme = %s\nstep = 10 ms\nduration = 1 s\n"
                     "record = j.position, c.mode, d.mode, network.energy, network.supplied\n"
                     "[ground g]\n[junction j]\n"
                     "[spring k]\nstiffness = 1000\nbetween = g, j\n"
                     "[contact c]\nstiffness = 1000\ngap = 1 mm\nbetween = g, j\n"
                     "[contact d]\nstiffness = 2000\ngap = 2 mm\nbetween = g, j\n"
                     "[force f]\non = j\namplitude = -10\nwave = step\nat = 0.5\n",
                     schemes[s]);

      assert_near (event_run_last (run, "j.position"), -(10 + 1 + 4) / 4000.0, 1e-12, schemes[s]);
      assert_true (event_run_last (run, "c.mode") == 1 && event_run_last (run, "d.mode") == 1);
      /* Spring and stops, by 3.75, 2.75 and 1.75 mm. */
      assert_near (event_run_last (run, "network.energy"),
                   (1000 * 3.75e-3 * 3.75e-3 + 1000 * 2.75e-3 * 2.75e-3 + 2000 * 1.75e-3 * 1.75e-3)
                       / 2,
                   1e-12, schemes[s]);
      assert_near (event_run_last (run, "network.supplied"), event_run_last (run, "network.energy"),
                   1e-12, schemes[s]);
    }
}

/* The work of loads in a jump of a junction is returned in the jump back. */
static void
test_jumps_are_accounted_for (void **state)
{
  static const struct
  {
    double time, energy;
  } rows[] = { { 0.2, 0 }, { 0.5, 0.05 }, { 0.8, 0.0125 }, { 1, 0 } };
  g_autoptr (EventRun) run =
      event_run (0, "[network]\nscheme = esdirk4\nstep = 10 ms\nduration = 1 s\n"
                    "record = network.energy, network.supplied, network.dissipated\n"
                    "[ground g]\n[junction j]\n[spring k]\nstiffness = 1000\nbetween = g, j\n"
                    "[force f]\non = j\namplitude = -10\nwave = step\nat = 0.3\n"
                    "[force b]\non = j\namplitude = 5\nwave = step\nat = 0.6\n"
                    "[force c]\non = j\namplitude = 5\nwave = step\nat = 0.9\n");

  (void) state;
  for (guint r = 0; r < G_N_ELEMENTS (rows); r++)
    {
      const gsize i = (gsize) lround (rows[r].time / 0.01);

      assert_near (event_run_values (run, "network.energy", NULL)[i], rows[r].energy, 1e-12, "");
      assert_near (event_run_values (run, "network.supplied", NULL)[i], rows[r].energy, 1e-12, "");
      assert_near (event_run_values (run, "network.dissipated", NULL)[i], 0, 1e-12, "");
    }
}

/* A junction on a contact that is closed, and where something pulls by another's place. */
static void
test_junction_on_a_contact (void **state)
{
  static const char text[] = "[network]\nscheme = esdirk4\nstep = 1 ms\nduration = 1 s\n[ground "
                             "wall]\n[mass m]\nmass = 1\n"
                             "[junction j]\n[spring s]\nstiffness = 10\nbetween = m, j\n"
                             "[contact c]\nstiffness = 10\ngap = -1\nbetween = j, wall\n"
                             "[damper d]\ndamping = 1\nbetween = j, wall\n"
                             "[cross-spring x]\nstiffness = 3\nbetween = j, wall\ninput = m, wall\n"
                             "[spring w]\nstiffness = 3\nbetween = m, wall\n";
  g_autoptr (IfbamNetwork) network = text_network (text);
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamModes) modes = ifbam_modes_new (network, 0, 0, &error);
  const IfbamMode *mode;
  gsize n;

  (void) state;
  if (modes == NULL)
    fail_msg ("%s", error->message);
  mode = ifbam_modes_get_modes (modes, &n);
  assert_true (n >= 2);
  /* j' = 7 m - 20 j, m'' = -13 m + 10 j */
  for (gsize i = 0; i < n; i++)
    {
      const double complex s = -mode[i].decay_rate + I * 2 * G_PI * mode[i].frequency;

      if (!(cabs ((s * s + 13) * (s + 20) - 70) < 1e-9 * (cabs (s * s) + 13) * (cabs (s) + 20)))
        fail_msg ("%g + %g i", creal (s), cimag (s));
    }
}

/* An impact with a junction has no rebound: the mass and the spring swing for half a period, and the mass leaves. */
static void
test_impact_with_a_junction (void **state)
{
  static const Case one = { "impact",
                            "[mass m]\nmass = 1 kg\nvelocity = 1 m/s\n[junction j]\n"
                            "[ground w]\n[spring s]\nbetween = j, w\nstiffness = 100 N/m\n"
                            "[impact i]\nbetween = m, j\nrestitution = 0.3\n",
                            "m.position",
                            1,
                            1e-3,
                            G_PI / 10 - 1 };
  static const char *const schemes[] = { "esdirk4", "tr-bdf2" };

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    assert_true (error_of (&one, schemes[s], one.step) < 1e-5);
}

/* 14 masses on a junction, each by a spring, and further elements. */
static IfbamModes *
modes_of_star (const char *beside)
{
  g_autoptr (GString) text =
      g_string_new ("[network]\nscheme = esdirk4\nstep = 1 ms\nduration = 1 s\n[junction j]\n");
  g_autoptr (IfbamNetwork) network = NULL;
  g_autoptr (GError) error = NULL;
  IfbamModes *modes;

  for (guint i = 1; i <= 14; i++)
    g_string_append_printf (
        text, "[mass m%u]\nmass = 1\n[spring s%u]\nstiffness = 1\nbetween = j, m%u\n", i, i, i);
  g_string_append (text, beside);
  network = text_network (text->str);
  modes = ifbam_modes_new (network, 0, 0, &error);
  if (modes == NULL)
    fail_msg ("%s", error->message);
  return modes;
}

/* A junction of more springs than a row has room for: 14 masses on a star, omega^2 = 1 for all but one, which has 1 / 15. */
static void
test_junction_of_many (void **state)
{
  g_autoptr (IfbamModes) modes =
      modes_of_star ("[ground wall]\n[spring s]\nstiffness = 1\nbetween = j, wall\n");
  gsize n;
  const IfbamMode *mode = ifbam_modes_get_modes (modes, &n);

  (void) state;
  assert_int_equal (n, 14);
  for (gsize i = 0; i < n; i++)
    assert_near (mode[i].frequency * 2 * G_PI, i == 0 ? sqrt (1.0 / 15) : 1, 1e-9, "a star");
}

/* The same where nothing holds it: it goes its way as a whole, junction and all. */
static void
test_a_star_that_floats_goes_as_a_whole (void **state)
{
  g_autoptr (IfbamModes) modes = modes_of_star ("");
  const double *shape;
  gsize n;
  const IfbamMode *mode = ifbam_modes_get_modes (modes, &n);

  (void) state;
  assert_int_equal (n, 14);
  for (gsize i = 0; i < n; i++)
    assert_near (mode[i].frequency * 2 * G_PI, i == 0 ? 0 : 1, 1e-9, "a star");
  shape = ifbam_modes_get_shape (modes, 0, &n);
  assert_int_equal (n, 15);
  for (gsize i = 0; i < n; i++)
    assert_near (shape[i], 1, 1e-9, "as a whole");
}

/* A stop that is pressed in stands beside a spring: 4 N/m before the junction, 1 N/m behind it. Where the junction's forces
 * follow others, too, its balance is no row any more: k_j = 0.5 x there, so that x_j = 0.7 x. */
static void
test_modes_beside_a_stop (void **state)
{
  static const char text[] =
      "[network]\nscheme = esdirk4\nstep = 1 ms\nduration = 1 s\n[ground g]\n[junction j]\n"
      "[mass m]\nmass = 1\n[spring s]\nstiffness = 1\nbetween = m, j\n"
      "[contact stop]\nstiffness = 3\ngap = -1 mm\nbetween = m, j\n"
      "[spring wall]\nstiffness = 1\nbetween = j, g\n";
  static const char *const others[] = {
    "", "[cross-spring c]\nstiffness = 0.5 N/m\nbetween = j, g\ninput = m, g\n"
  };
  static const double square[] = { 0.8, 1.2 };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    {
      g_autoptr (IfbamNetwork) network = text_network_printf ("%s%s", text, others[i]);
      g_autoptr (GError) error = NULL;
      g_autoptr (IfbamModes) modes = ifbam_modes_new (network, 0, 0, &error);
      const IfbamMode *mode;
      gsize n;

      assert_non_null (modes);
      mode = ifbam_modes_get_modes (modes, &n);
      assert_int_equal (n, 1);
      assert_near (mode[0].frequency * 2 * G_PI, sqrt (square[i]), 1e-9, "beside a stop");
    }
}

/* Modes of a start without a balance, or of too many nodes, are an error. */
static void
test_modes_that_are_not_known (void **state)
{
  static const struct
  {
    const char *text, *words;
  } unknown[] = {
    { "[limiter l]\nstiffness = 100\nlower = -5\nupper = 5\nbetween = j, m\n[force f]\non = "
      "j\nvalue = 6\n",
      "at the start: the forces on \"j\" have no balance" },
    { "[spring s]\nstiffness = 1\nbetween = m, j\n[junction k]\n"
      "[cross-spring c]\nstiffness = 0.5 N/m\nbetween = j, g\ninput = m, g\n"
      "[contact one]\nstiffness = 9\ngap = 1 mm\nbetween = j, k\n"
      "[contact other]\nstiffness = 9\ngap = 1 mm\nbetween = g, k\n",
      "only if each junction is held" },
  };
  g_autoptr (IfbamNetwork) chain = text_network (
      "[network]\nscheme = esdirk4\nstep = 1 ms\nduration = 1 s\n[ground g]\n[junction j]\n"
      "[chain c]\ncount = 200\nmass = 1\nstiffness = 1 N/m\nfrom = j\nto = g\n"
      "[spring s]\nstiffness = 1\nbetween = j, g\n");
  g_auto (IfbamRunSpec) spec = { 0 };
  g_autoptr (IfbamModel) model = ifbam_network_compile_or_error (chain, FALSE, &spec, NULL, NULL);
  g_autoptr (GError) told = NULL;

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (unknown); i++)
    {
      g_autoptr (IfbamNetwork) network = text_network_printf (
          "[network]\nscheme = esdirk4\nstep = 1 ms\nduration = 1 s\n[ground g]\n[junction j]\n"
          "[mass m]\nmass = 1\n[spring w]\nstiffness = 1\nbetween = m, g\n%s",
          unknown[i].text);
      g_autoptr (GError) error = NULL;

      assert_null (ifbam_modes_new (network, 0, 0, &error));
      assert_message (error->message, unknown[i].words);
    }
  assert_null (ifbam_stability_new (model, &spec, FALSE, &told));
  assert_message (told->message, "of at most");
}

/* Reactions act on junctions: of a ratio, and of inerters. */
static void
test_modes_of_junctions_with_reactions (void **state)
{
  static const char *const beside[] = {
    "[ratio r]\nratio = 0.5\nbetween = m, j\n[mass n]\nmass = 1\n"
    "[spring s]\nstiffness = 1\nbetween = j, n\n",
    "[inerter i]\ninertance = 1\nbetween = j, m\n[spring s]\nstiffness = 1\nbetween = j, g\n",
    "[inerter i]\ninertance = 1\nbetween = j, m\n[damper d]\ndamping = 1\nbetween = j, g\n",
    "[mass n]\nmass = 2\n[inerter b]\ninertance = 2\nbetween = m, n\n"
    "[spring s]\nstiffness = 10\nbetween = n, j\n[damper d]\ndamping = 1\nbetween = j, g\n",
  };
  static const guint n_roots[] = { 4, 4, 3, 4 }; /* without 0 */

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (beside); i++)
    {
      g_autoptr (IfbamNetwork) network = text_network_printf (
          "[network]\nscheme = esdirk4\nstep = auto\nduration = 1 s\n[ground g]\n[junction j]\n"
          "[mass m]\nmass = 1\n[spring w]\nstiffness = 1\nbetween = m, g\n%s",
          beside[i]);
      g_auto (IfbamRunSpec) spec = { 0 };
      g_autoptr (GError) error = NULL;
      g_autoptr (IfbamModel) model =
          ifbam_network_compile_or_error (network, FALSE, &spec, NULL, &error);
      g_autoptr (IfbamStability) stability =
          model == NULL ? NULL : ifbam_stability_new (model, &spec, FALSE, &error);
      g_autoptr (IfbamModes) modes = ifbam_modes_new (network, 0, 0, &error);
      const IfbamMode *mode;
      guint roots = 0;
      gsize n;

      if (stability == NULL || modes == NULL)
        fail_msg ("%u: %s", i, error->message);
      mode = ifbam_modes_get_modes (modes, &n);
      for (gsize k = 0; k < n; k++)
        {
          const double complex s = -mode[k].decay_rate + I * 2 * G_PI * mode[k].frequency;
          const double complex z = s * s;
          const double complex polynomial[] = {
            (z / 4 + 1.25) * (z + 1) - 1,
            (2 * z + 1) * (z + 1) - z * z,
            (2 * z + 1) * (z + s) - z * z,
            (10 + s) * ((3 * z + 1) * (4 * z + 10) - 4 * z * z) - 100 * (3 * z + 1),
          };

          roots += mode[k].kind == IFBAM_MODE_FREE ? 0 : mode[k].frequency > 0 ? 2 : 1;
          if (!(cabs (polynomial[i]) < 1e-9 * pow (1 + cabs (s), 5)))
            fail_msg ("%u: %g + %g i", i, creal (s), cimag (s));
        }
      assert_int_equal (roots, n_roots[i]);
    }
}

/* Where a law changes its force a junction behind it jumps, and the spring there has less than before: that is lost, and the account
 * closes. A mass is braked by 0.4 N up to 1.4 mm (1 mm of compression, 0.4 mm of the spring), then pulled on by 0.3 N. */
static void
test_a_jump_that_loses_energy (void **state)
{
  static const char *const schemes[] = { "tr-bdf2", "esdirk4" };
  const double rate = sqrt (0.1 * 0.1 - 2 * 0.4 * 1.4e-3);

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    {
      g_autoptr (EventRun) run = event_run (
          0,
          "[network]\nscheme = %s\nstep = 1 ms\nduration = 0.1 s\n"
          "record = j.position, m.velocity, network.energy, network.dissipated, network.supplied\n"
          "[ground g]\n[junction j]\n[mass m]\nmass = 1\nvelocity = 0.1\n"
          "[hysteresis h]\nlower = -1 mm\nupper = 1 mm\nlow = 0.4 N\nhigh = -0.3 N\n"
          "between = m, j\n[spring s]\nstiffness = 1 kN/m\nbetween = j, g\n",
          schemes[s]);
      const IfbamEvent *event = event_run_event (run, "h", "rise", 0);

      assert_non_null (event);
      assert_near (event->time, (0.1 - rate) / 0.4, 1e-12, schemes[s]);
      assert_near (event->rate_before, rate, 1e-12, schemes[s]);
      assert_near (event_run_first (run, "j.position"), 0.4e-3, 1e-15, schemes[s]);
      assert_near (event_run_last (run, "j.position"), -0.3e-3, 1e-15, schemes[s]);
      assert_near (event_run_last (run, "m.velocity"), rate + 0.3 * (0.1 - (0.1 - rate) / 0.4),
                   1e-12, schemes[s]);
      assert_true (event_run_last (run, "network.dissipated") > 0.0009);
      assert_true (event_run_ledger_gap (run) < 1e-12);
    }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_a_jump_that_loses_energy),
    cmocka_unit_test (test_a_jump_into_stops),
    cmocka_unit_test (test_jumps_are_accounted_for),
    cmocka_unit_test (test_modes_of_steps),
    cmocka_unit_test (test_chosen_step),
    cmocka_unit_test (test_orders),
    cmocka_unit_test (test_balance),
    cmocka_unit_test (test_start),
    cmocka_unit_test (test_rectifier),
    cmocka_unit_test (test_bridge),
    cmocka_unit_test (test_a_bridge_of_nothing_but_diodes_starts),
    cmocka_unit_test (test_diodes_before_inductors_conduct),
    cmocka_unit_test (test_a_diode_takes_over_from_a_switch),
    cmocka_unit_test (test_a_resistor_takes_over_from_a_switch),
    cmocka_unit_test (test_impact_with_a_junction),
    cmocka_unit_test (test_engines),
    cmocka_unit_test (test_modes),
    cmocka_unit_test (test_response),
    cmocka_unit_test (test_refusals),
    cmocka_unit_test (test_cut_off),
    cmocka_unit_test (test_junction_on_a_contact),
    cmocka_unit_test (test_junction_of_many),
    cmocka_unit_test (test_modes_of_junctions_with_reactions),
    cmocka_unit_test (test_a_star_that_floats_goes_as_a_whole),
    cmocka_unit_test (test_modes_beside_a_stop),
    cmocka_unit_test (test_modes_that_are_not_known),
  };

  return cmocka_run_group_tests (tests, folder_make, folder_remove);
}
