/* test-controllers.c: controllers: sampled loops about plants with closed forms between samples
 *
 * Between two instants a plant of the first or second order has constant inputs, so that its state goes on by the matrix
 * exponential; the controller's law is applied to it in the test once more.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "event-run.h"
#include "fixture.h"

static const char *const schemes[] = { "averaged", "original",         "rk4",
                                       "verlet",   "symplectic-euler", "euler" };

typedef struct
{
  double every, setpoint, gain, integral, derivative, offset, least, greatest;
  gboolean relay;
  double hysteresis;
  /* so far */
  double sum, last, output;
  gboolean sampled;
} Law;

/* Returns the controller's output for a signal. */
static double
say (Law *law, double signal)
{
  const double error = law->setpoint - signal, half = law->hysteresis / 2;
  const double change = law->sampled ? error - law->last : 0;
  const double wish = law->offset + law->gain * error + law->integral * law->sum
                      + law->derivative * change / law->every;

  if (law->relay)
    law->output = error > half || (!law->sampled && error >= 0) ? law->greatest
                  : error < -half || !law->sampled              ? law->least
                                                                : law->output;
  else
    {
      law->output = fmin (fmax (wish, law->least), law->greatest);
      if (law->output == wish || (wish > law->greatest) == (law->integral * error < 0))
        law->sum += law->every * error;
    }
  law->last = error;
  law->sampled = TRUE;
  return law->output;
}

/* m x'' + c x' + k x = F: where it is after a time. */
typedef struct
{
  double m, c, k, x, v;
} Plant;

static Plant
go_on (Plant plant, double force, double time)
{
  const double r = plant.c / (2 * plant.m), rest = plant.k > 0 ? force / plant.k : 0;
  const double w = sqrt (fmax (0, plant.k / plant.m - r * r)), fade = exp (-r * time);
  Plant next = plant;

  if (plant.k > 0)
    {
      const double a = plant.x - rest, b = (plant.v + r * a) / w;

      next.x = rest + fade * (a * cos (w * time) + b * sin (w * time));
      next.v = fade * ((b * w - r * a) * cos (w * time) - (a * w + r * b) * sin (w * time));
      return next;
    }
  next.v = force / plant.c + (plant.v - force / plant.c) * exp (-2 * r * time);
  return next;
}

/* Rows of a run against the sampled loop. */
static void
assert_loop_within (const char *name, const char *text, const char *signal, gboolean rate,
                    Plant plant, double force, Law law, double error, double gap)
{
  g_autoptr (EventRun) run = event_run (0, "%s", text);
  gsize n;
  const double *x = event_run_values (run, signal, &n),
               *u = event_run_values (run, "c1.output", &n);
  const double *t = ifbam_course_get_times (run->course, &n);
  double at = 0;
  guint instants = 1;

  say (&law, rate ? plant.v : plant.x);
  for (gsize i = 0; i < n; i++)
    {
      Plant now;

      for (; instants * law.every <= t[i] + 1e-12; instants++)
        {
          plant = go_on (plant, law.output * force, instants * law.every - at);
          at = instants * law.every;
          say (&law, rate ? plant.v : plant.x);
        }
      now = go_on (plant, law.output * force, t[i] - at);
      if (!(fabs ((rate ? now.v : now.x) - x[i]) <= error)
          || !(fabs (law.output - u[i]) <= 2 * error))
        fail_msg ("%s at %g s: %.15g (%.15g), not %.15g (%.15g)", name, t[i], x[i], u[i],
                  rate ? now.v : now.x, law.output);
    }
  assert_true (instants > 20);
  assert_number (event_run_ledger_gap (run), 0, gap);
}

static void
assert_loop (const char *name, const char *text, const char *signal, gboolean rate, Plant plant,
             double force, Law law, double error)
{
  assert_loop_within (name, text, signal, rate, plant, force, law, error, 1e-10);
}

#define WAGON                                                                                      \
  "[network]\nscheme = rk4\nstep = 1 ms\nduration = 2 s\nrecord = wagon.velocity, c1.output, "     \
  "network.*\n[mass wagon]\nmass = 2 kg\n[ground rail]\n[damper d]\ndamping = 3 N s/m\n"           \
  "between = wagon, rail\n[force motor]\non = wagon\nvalue = 20 N\nfollow = c1\n"                  \
  "[controller c1]\nsignal = wagon.velocity\nsetpoint = 2 m/s\n"

static void
test_first_order (void **state)
{
  const Plant wagon = { .m = 2, .c = 3 };
  const Law none = { .setpoint = 2, .least = -G_MAXDOUBLE, .greatest = G_MAXDOUBLE };
  Law law = none;

  (void) state;
  law.every = 0.02, law.gain = 0.4;
  assert_loop ("P", WAGON "gain = 0.4 s/m\nevery = 20 ms\n", "wagon.velocity", TRUE, wagon, 20, law,
               1e-11);
  law.gain = 0.2;
  assert_loop ("two at one instant",
               WAGON "gain = 0.2 s/m\nevery = 20 ms\n[force second]\non = wagon\nvalue = 20 N\n"
                     "follow = c2\n[controller c2]\nsignal = wagon.velocity\nsetpoint = 2 m/s\n"
                     "gain = 0.2 s/m\nevery = 20 ms\n",
               "wagon.velocity", TRUE, wagon, 40, law, 1e-11);
  law.gain = 0.4;
  law.every = 0.0073;
  assert_loop ("P between rows", WAGON "gain = 400 s/km\nevery = 7.3 ms\n", "wagon.velocity", TRUE,
               wagon, 20, law, 1e-11);
  law.every = 0.001;
  assert_loop ("P at each step", WAGON "gain = 0.4 s/m\n", "wagon.velocity", TRUE, wagon, 20, law,
               1e-11);
  law.every = 0.05, law.integral = 1.5, law.offset = 0.1;
  assert_loop ("PI", WAGON "gain = 0.4 s/m\nintegral = 1.5 1/m\noffset = 0.1\nevery = 50 ms\n",
               "wagon.velocity", TRUE, wagon, 20, law, 1e-11);
  law.greatest = 0.35, law.least = 0.1;
  assert_loop ("PI within bounds",
               WAGON "gain = 0.4 s/m\nintegral = 1.5 1/m\noffset = 0.1\nevery = 50 ms\n"
                     "least = 0.1\ngreatest = 0.35\n",
               "wagon.velocity", TRUE, wagon, 20, law, 1e-11);
  law = none;
  law.relay = TRUE, law.greatest = 1, law.least = 0, law.every = 0.01, law.hysteresis = 0.2;
  assert_loop ("relay", WAGON "kind = relay\nhysteresis = 20 cm/s\nevery = 10 ms\n",
               "wagon.velocity", TRUE, wagon, 20, law, 1e-11);
  law.greatest = 0.9, law.least = -0.3, law.hysteresis = 0;
  assert_loop ("relay both ways",
               WAGON "kind = relay\nleast = -0.3\ngreatest = 0.9\nevery = 10 ms\n",
               "wagon.velocity", TRUE, wagon, 20, law, 1e-11);
}

#define ARM                                                                                        \
  "[network]\nscheme = rk4\nstep = 1 ms\nduration = 3 s\nrecord = k.compression, c1.output, "      \
  "network.*\n[inertia arm]\ninertia = 0.5 kg m2\nangle = -10 deg\n[ground wall]\n"                \
  "[torsion-spring k]\nstiffness = 8 N m/rad\nbetween = arm, wall\n"                               \
  "[torsion-damper d]\ndamping = 0.2 N m s/rad\nbetween = arm, wall\n"                             \
  "[torque motor]\non = arm\nvalue = 5 N m\nfollow = c1\n"                                         \
  "[controller c1]\nsignal = k.compression\nsetpoint = 20 deg\n"

static void
test_second_order (void **state)
{
  const double deg = asin (1) / 90;
  const Plant arm = { .m = 0.5, .c = 0.2, .k = 8, .x = -10 * deg };
  Law law = { .setpoint = 20 * deg,
              .every = 0.03,
              .gain = 1.1,
              .integral = 2,
              .derivative = 0.25,
              .least = -2,
              .greatest = 2 };

  (void) state;
  assert_loop ("PID",
               ARM "gain = 1.1 1/rad\nintegral = 2 1/rad/s\nderivative = 0.25 s/rad\n"
                   "least = -2\ngreatest = 2\nevery = 30 ms\n",
               "k.compression", FALSE, arm, 5, law, 1e-9);
}

/* Where the loop of P is stable: a sampled plant v[k+1] = a v[k] + b u[k] has the root a - b gain, and leaves the circle
 * at gain = (1 + a)/b, which the loop that is not sampled never does. */
static void
test_sampling_makes_unstable (void **state)
{
  const double a = exp (-3 * 0.2 / 2), b = 20 * (1 - a) / 3, most = (1 + a) / b;

  (void) state;
  for (guint above = 0; above < 2; above++)
    {
      g_autofree char *text =
          g_strdup_printf (WAGON "gain = %.17g s/m\nevery = 0.2 s\n", most * (above ? 1.02 : 0.98));
      g_autoptr (EventRun) run = event_run (0, "%s", text);
      gsize n;
      const double *v = event_run_values (run, "wagon.velocity", &n);
      const double root = a - b * most * (above ? 1.02 : 0.98);
      const double early = v[600] - v[400], late = v[1800] - v[1600];

      assert_number (late / early, pow (root, 6), 1e-9);
      assert_true ((fabs (late) > fabs (early)) == (above == 1));
    }
}

/* A wagon on a viscous belt with the controller's output as its speed: m v' = c (u V - v). Positions are continuous at jumps
 * of the speed. */
#define BELT                                                                                       \
  "duration = 2 s\nrecord = wagon.velocity, c1.output, belt.position, network.*\n[mass wagon]\n"   \
  "mass = 2 kg\n[drive belt]\nposition = 3 m\nvelocity = 8 m/s\nfollow = c1\n[damper d]\n"         \
  "damping = 3 N s/m\nbetween = wagon, belt\n[controller c1]\nsignal = wagon.velocity\n"           \
  "setpoint = 2 m/s\noffset = 0.1\n"

static void
test_given_nodes_follow (void **state)
{
  const Plant wagon = { .m = 2, .c = 3 };
  Law law = { .setpoint = 2,
              .offset = 0.1,
              .least = -G_MAXDOUBLE,
              .greatest = G_MAXDOUBLE,
              .gain = 0.4,
              .integral = 1.5 };
  static const char *const by[] = { "rk4", "esdirk4", "dopri5", "tr-bdf2", "verlet" };
  /* A decay by z = c step/m in a step is wrong by a part z^3 of constant: at most so much of z^2 V/e is left of all, V the largest
   * jump of the belt's speed (7.2 m/s). In tr-bdf2's polynomial 0.0404, in verlet's, which predicts the rate, at most 1/6.
   * Fourth order leaves z^4, which is rounding here. */
  const double z = 3e-3 / 2, left = z * z * 7.2 / exp (1);
  const double error[] = { 1e-12, 1e-12, 1e-12, 0.0404 * left, left / 6 };

  (void) state;
  law.every = 0.0273;
  for (guint s = 0; s < G_N_ELEMENTS (by); s++)
    {
      g_autofree char *text =
          g_strdup_printf ("[network]\nscheme = %s\nstep = 1 ms\n" BELT
                           "gain = 0.4 s/m\nintegral = 1.5 1/m\nevery = 27.3 ms\n",
                           by[s]);
      g_autoptr (EventRun) run = event_run (0, "%s", text);
      gsize n;
      const double *x = event_run_values (run, "belt.position", &n);
      const double *u = event_run_values (run, "c1.output", &n);
      const double *t = ifbam_course_get_times (run->course, &n);
      double place = 3;

      /* Work is wrong by the rate's error times the damper's momentum, at most 3 N s/m 7.2 m/s 2 s. */
      assert_loop_within (by[s], text, "wagon.velocity", TRUE, wagon, 24, law, error[s],
                          43.2 * error[s]);
      for (gsize i = 1; i < n; i++)
        {
          const double instant = floor (t[i] / 0.0273 + 1e-9) * 0.0273;
          const double first = fmax (0, fmin (t[i], instant) - t[i - 1]);

          place += 8 * (u[i - 1] * first + u[i] * (t[i] - t[i - 1] - first));
          assert_number (x[i], place, 1e-12);
        }
    }
}

/* C v' = (u V - v)/R, by a voltage */
static void
test_voltages_follow (void **state)
{
  const Plant c = { .m = 2, .c = 3 };
  const Law law = { .setpoint = 2, .every = 0.01, .gain = 0.8, .least = 0, .greatest = 0.5 };

  (void) state;
  assert_loop ("voltage",
               "[network]\nscheme = rk4\nstep = 1 ms\nduration = 2 s\nrecord = c.voltage, "
               "c1.output, network.*\n[capacitor c]\ncapacitance = 2 F\n[voltage-source s]\n"
               "voltage = 10 V\nfollow = c1\n[resistor r]\nresistance = 0.333333333333333333 ohm\n"
               "between = s, c\n[controller c1]\nsignal = c.voltage\nsetpoint = 2 V\n"
               "gain = 0.8 1/V\nleast = 0\ngreatest = 0.5\nevery = 10 ms\n",
               "c.voltage", TRUE, c, 30, law, 1e-11);
}

/* A buck converter: L i' = s V - v, C v' = i - v/R, where s is 1 for the part of each period that a PI controller says */
typedef struct
{
  double L, C, R, V, i, v;
} Buck;

static void
buck_go_on (Buck *b, double source, double time)
{
  const double r = 1 / (2 * b->R * b->C), w = sqrt (1 / (b->L * b->C) - r * r);
  const double x = b->v - source, slope = (b->i - b->v / b->R) / b->C, fade = exp (-r * time);
  const double y = (slope + r * x) / w;
  const double v = source + fade * (x * cos (w * time) + y * sin (w * time));
  const double change =
      fade * ((y * w - r * x) * cos (w * time) - (x * w + r * y) * sin (w * time));

  b->v = v;
  b->i = b->C * change + v / b->R;
}

#define BUCK                                                                                       \
  "[ground earth]\n[inductor l1]\ninductance = 100 uH\nbetween = bridge, c1\n[capacitor c1]\n"     \
  "capacitance = 40 uF\n[resistor load]\nresistance = 5 ohm\nbetween = c1, earth\n"                \
  "[controller duty]\nsignal = c1.voltage\nsetpoint = 10 V\ngain = 0.01 1/V\n"                     \
  "integral = 60 1/V/s\noffset = 0.3\nleast = 0.05\ngreatest = 0.9\nevery = 20 us\n"

static void
test_duty (void **state)
{
  static const char *const bridges[] = {
    "[voltage-source bridge]\nvoltage = 24 V\nwhen = duty\n",
    "[voltage-source bridge]\nwave = step\nat = -1 s\namplitude = 24 V\nwhen = duty\n",
  };
  static const char *const by[] = { "rk4", "esdirk4", "dopri5", "implicit", "averaged", "verlet" };
  /* Swings of up to 24 V at omega, which fade by r, are out of phase by c (omega step)^k omega t, so that at most c (omega step)^k
   * 24 V omega/(e r) is wrong: c is 1/120 of the fourth order, 1/12 of the second; `averaged` has 7/24 and starts anew at each of
   * the 200 instants, from forces at one place. */
  const double omega = 1 / sqrt (100e-6 * 40e-6), r = 1 / (2 * 5 * 40e-6);
  const double reach = 24 * omega / (exp (1) * r);
  const double fourth = pow (omega * 0.5e-6, 4) / 120, second = pow (omega * 0.1e-6, 2) / 12;
  const double part[] = { fourth, fourth, fourth, second, 12 * second, second };

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (by); s++)
    {
      Law law = { .setpoint = 10,
                  .every = 20e-6,
                  .gain = 0.01,
                  .integral = 60,
                  .offset = 0.3,
                  .least = 0.05,
                  .greatest = 0.9 };
      Buck b = { 100e-6, 40e-6, 5, 24, 0, 0 };
      g_autoptr (EventRun) run =
          event_run (0,
                     "[network]\nscheme = %s\nstep = %s\nduration = 2 ms\nsample = 20 us\n"
                     "record = c1.voltage, l1.current, duty.output, network.*\n%s" BUCK,
                     by[s], s < 3 ? "0.5 us" : "0.1 us", bridges[s % 2]);
      gsize n;
      const double *v = event_run_values (run, "c1.voltage", &n),
                   *i = event_run_values (run, "l1.current", &n);
      const double *u = event_run_values (run, "duty.output", &n);
      const double error = part[s] * reach;

      assert_int_equal (n, 101);
      for (gsize k = 0; k < n; k++)
        {
          say (&law, b.v);
          if (!(fabs (v[k] - b.v) <= error) || !(fabs (i[k] - b.i) <= error)
              || !(fabs (u[k] - law.output) <= error))
            fail_msg ("%s, period %zu: %.12g V, %.12g A, %.12g, not %.12g V, %.12g A, %.12g", by[s],
                      k, v[k], i[k], u[k], b.v, b.i, law.output);
          buck_go_on (&b, b.V, law.output * law.every);
          buck_go_on (&b, 0, law.every - law.output * law.every);
        }
      assert_true (fabs (b.v - 10) < 0.3);
      /* A voltage's error times all charge: less than 10 A 2 ms. */
      assert_number (event_run_ledger_gap (run), 0, 20e-3 * error);
    }
}

/* A switch, a force and a link's reaction by parts of a period; interrupted runs continue with equal bits (test-matrix has
 * the shipped ones) */
static const char *const parts[] = {
  "record = *\n[voltage-source supply]\nvoltage = 24 V\n[capacitor node]\ncapacitance = 4 uF\n"
  "[switch s1]\nresistance = 1 ohm\nbetween = supply, node\nwhen = duty\n"
  "[switch s2]\nresistance = 1 ohm\nbetween = node, earth\nwhen = duty\nside = below\n"
  "[inductor l1]\ninductance = 100 uH\nbetween = node, c1\n[ground earth]\n[capacitor c1]\n"
  "capacitance = 40 uF\n[resistor load]\nresistance = 5 ohm\nbetween = c1, earth\n"
  "[controller duty]\nsignal = c1.voltage\nsetpoint = 10 V\ngain = 0.01 1/V\noffset = 0.4\n"
  "least = 0\ngreatest = 1\nevery = 21.3 us\n",
  "record = *\n[voltage-source bridge]\nvoltage = 24 V\nwhen = duty\n" BUCK,
  "record = *\n[drive bridge]\nvelocity = 24 m/s\nfollow = duty\n[mass c1]\nmass = 1 g\n[ground "
  "earth]"
  "\n[damper d]\ndamping = 2 N s/m\nbetween = bridge, c1\n[controller duty]\nsignal = c1.velocity\n"
  "setpoint = 10 m/s\ngain = 0.1 s/m\nevery = 7 us\n",
  "record = *\n[drive bridge]\nvelocity = 24 m/s\nwhen = fast\n[mass c1]\nmass = 20 mg\n[ground "
  "earth]"
  "\n[damper d]\ndamping = 2 N s/m\nbetween = bridge, c1\n[monitor fast]\nsignal = c1.velocity\n"
  "level = -0.1 m/s\n",
};

static void
test_parts_have_the_same_bits (void **state)
{
  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
      {
        g_autofree char *text = g_strdup_printf (
            "[network]\nscheme = %s\nstep = 0.5 us\nduration = 100 us\n%s", schemes[s], parts[i]);

        event_run_assert_same_bits (text);
      }
}

/* A force on a chain that could sleep follows a signal of another part. */
#define APART                                                                                      \
  "record = c.m1.position, c.m40.velocity, a.position, push.force, c1.output\n"                    \
  "[chain c]\ncount = 60\nmass = 0.1 kg\nstiffness = 400 N/m\n"                                    \
  "[mass a]\nmass = 1 kg\nposition = 1 cm\n[ground wall]\n"                                        \
  "[spring k]\nstiffness = 900 N/m\nbetween = wall, a\n"                                           \
  "[controller c1]\nsignal = a.position\ngain = 40 1/m\nintegral = 3 1/m/s\nevery = 3.3 ms\n"      \
  "[monitor side]\nsignal = a.velocity\n"                                                          \
  "[force push]\non = c.m20\namplitude = 5 N\nfrequency = 3 Hz\nvalue = 1 N\nfollow = c1\n"        \
  "when = side\n"

static void
test_same_bits (void **state)
{
  static const char *const loops[] = {
    "record = wagon.velocity, c1.output, motor.force\n[mass wagon]\nmass = 2 kg\n[ground rail]\n"
    "[damper d]\ndamping = 3 N s/m\nbetween = wagon, rail\n"
    "[force motor]\non = wagon\nvalue = 20 N\nfollow = c1\n"
    "[controller c1]\nsignal = wagon.velocity\nsetpoint = 2 m/s\ngain = 0.4 s/m\n"
    "integral = 1 1/m\nevery = 7.7 ms\n",
    APART,
  };

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (schemes); s++)
    for (guint i = 0; i < G_N_ELEMENTS (loops); i++)
      {
        g_autofree char *text = g_strdup_printf (
            "[network]\nscheme = %s\nstep = 2 ms\nduration = 0.3 s\n%s", schemes[s], loops[i]);

        event_run_assert_same_bits (text);
      }
}

static void
test_what_is_wrong_is_refused (void **state)
{
  static const struct
  {
    const char *keys, *why;
  } cases[] = {
    { "signal = wagon.velocity\ngain = 0.4 m/s", "gain: " },
    { "signal = wagon.velocity\nsetpoint = 2 m", "setpoint: " },
    { "signal = wagon.velocity\nkind = relay\ngain = 0.4 s/m", "gain: applies to kind = pid" },
    { "signal = wagon.velocity\nhysteresis = 0.1 m/s", "hysteresis: applies to kind = relay" },
    { "signal = wagon.velocity\nleast = 1\ngreatest = 1", "greatest: 1 is not above least, 1" },
    { "signal = wagon.velocity\nevery = 1e-13 s", "every: 1e-13 s is too short" },
    { "signal = wagon.force", "signal: " },
    { "signal = c1.output", "\"c1.output\"" },
    { "signal = wagon.velocity\n[force other]\non = wagon\nfollow = nobody",
      "follow: no controller \"nobody\" in this network" },
    { "signal = wagon.velocity\n[monitor m]\nsignal = wagon.velocity\n[force other]\non = wagon\n"
      "follow = m",
      "follow: \"m\" is no controller" },
    { "signal = wagon.velocity\n[impulse hit]\non = wagon\nimpulse = 1 N s\nwhen = c1",
      "when: \"c1\" is no monitor" },
    { "signal = wagon.velocity\n[drive belt]\nvelocity = 1 m/s\nwhen = c1\nfollow = c1\n"
      "[damper d]\ndamping = 1 N s/m\nbetween = belt, wagon",
      "follow: can't be combined with \"when\"" },
  };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *fault =
          event_run_fault ("[network]\nscheme = rk4\nstep = 1 ms\nduration = 2 s\n[mass wagon]\n"
                           "mass = 2 kg\n[force motor]\non = wagon\nvalue = 20 N\nfollow = c1\n"
                           "[controller c1]\n%s\n",
                           cases[i].keys);

      if (strstr (fault, cases[i].why) == NULL)
        fail_msg ("%s: %s", cases[i].keys, fault);
    }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_first_order),
    cmocka_unit_test (test_second_order),
    cmocka_unit_test (test_sampling_makes_unstable),
    cmocka_unit_test (test_same_bits),
    cmocka_unit_test (test_given_nodes_follow),
    cmocka_unit_test (test_voltages_follow),
    cmocka_unit_test (test_duty),
    cmocka_unit_test (test_parts_have_the_same_bits),
    cmocka_unit_test (test_what_is_wrong_is_refused),
  };

  return cmocka_run_group_tests (tests, folder_make, folder_remove);
}
