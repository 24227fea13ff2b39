/* test-tolerance.c: steps that a tolerance chooses: how many, how right, and that rows and accounts change none of them
 *
 * Exact values are by matrix exponentials of 90 digits, by eigenvalues of the inverse, or closed forms.
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

#include "fixture.h"
#include "embed/ifbam.h"
#include "run/run.h"
#include "linear/linear.h"
#include "engine/engine.h"

typedef struct
{
  guint width;
  GArray *rows;  /* doubles: time, values */
  GArray *times; /* doubles: of events */
  IfbamStepCount count;
} Course;

static void
course_clear (Course *course)
{
  g_array_unref (course->rows);
  g_array_unref (course->times);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Course, course_clear)

static gboolean
take_row (gpointer data, double time, const double *values, GError **error)
{
  Course *course = data;

  (void) error;
  g_array_append_val (course->rows, time);
  g_array_append_vals (course->rows, values, course->width - 1);
  return TRUE;
}

static gboolean
take_event (gpointer data, const IfbamEvent *event, GError **error)
{
  (void) error;
  g_array_append_val (((Course *) data)->times, event->time);
  return TRUE;
}

static Course
go (const char *text, gboolean objects, gboolean full_balance)
{
  g_autoptr (IfbamNetwork) network = text_network (text);
  g_autoptr (IfbamSignals) signals = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (IfbamRunSpec) spec = { 0 };
  g_autoptr (IfbamModel) model =
      ifbam_network_compile_or_error (network, TRUE, &spec, &signals, &error);
  Course course = { .rows = g_array_new (FALSE, FALSE, sizeof (double)),
                    .times = g_array_new (FALSE, FALSE, sizeof (double)) };
  IfbamRunTask task = { .objects = objects,
                        .full_balance = full_balance,
                        .row = take_row,
                        .event = take_event,
                        .data = &course };

  if (model == NULL)
    fail_msg ("%s", error->message);
  course.width = signals->signals->len + 1;
  if (!ifbam_run (&task, model, signals, &spec, &error))
    fail_msg ("%s", error->message);
  course.count = task.count;
  return course;
}

static guint
n_rows (const Course *course)
{
  return course->rows->len / course->width;
}

static const double *
row (const Course *course, guint number)
{
  return &g_array_index (course->rows, double, number * course->width);
}

/* The row at a time, by an interval between rows. */
static double
value_at (const Course *course, double time, guint signal)
{
  for (guint i = 0; i < n_rows (course); i++)
    if (fabs (row (course, i)[0] - time) < 1e-9 * (1 + time))
      return row (course, i)[1 + signal];
  fail_msg ("no row at %g s", time);
  return NAN;
}

/* Stiff networks */

static char *
study (const char *scheme, double tolerance, const char *sample)
{
  g_autofree char *settings = g_strdup_printf (
      "scheme = %s\ntolerance = %g\nsample = %s\nduration = 100 s\n", scheme, tolerance, sample);

  return rc_ladder (settings);
}

static void
test_ladder (void **state)
{
  static const struct
  {
    const char *scheme;
    guint most;
    double error;
  } wanted[] = { { "esdirk4", 250, 1e-6 }, { "tr-bdf2", 1500, 4e-6 } };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (wanted); i++)
    {
      g_autofree char *text = study (wanted[i].scheme, 1e-6, "1 s");
      g_auto (Course) course = go (text, FALSE, FALSE);

      print_message ("# %s: %d steps, %d rejected, factored %d times\n", wanted[i].scheme,
                     (int) course.count.taken, (int) course.count.rejected,
                     (int) course.count.factorings);
      assert_true (course.count.taken <= wanted[i].most);
      /* Factors are kept while a step could grow a little only. */
      assert_true (course.count.factorings < course.count.taken);
      assert_number (value_at (&course, 1, 0), 0.9033225438959, wanted[i].error);
      assert_number (value_at (&course, 10, 1), 0.0128135165147, wanted[i].error);
      assert_number (value_at (&course, 100, 2), 0.2168671359046, wanted[i].error);
    }
}

static void
test_nanoseconds_beside_seconds (void **state)
{
  g_auto (Course) course =
      go ("[network]\nscheme = esdirk4\ntolerance = 1e-6\nduration = 5 s\nsample = 0.1 s\n"
          "record = c1.voltage, c2.voltage\n[voltage-source u]\nvoltage = 5 V\n"
          "[resistor r1]\nresistance = 1 kohm\nbetween = u, c1\n"
          "[capacitor c1]\ncapacitance = 1 pF\n"
          "[resistor r2]\nresistance = 1 Mohm\nbetween = c1, c2\n"
          "[capacitor c2]\ncapacitance = 1 uF\n",
          FALSE, FALSE);

  (void) state;
  assert_true (course.count.taken < 100);
  assert_number (value_at (&course, 1, 0), 4.998160603708942995, 5e-6);
  assert_number (value_at (&course, 1, 1), 3.158764314489497104, 5e-6);
}

/* How right */

#define DAMPED                                                                                     \
  "record = m1.position, m2.position, m3.position, network.energy, network.dissipated, "           \
  "network.supplied\n[ground wall]\n"                                                              \
  "[spring k1]\nstiffness = 10 kN/m\nbetween = wall, m1\n"                                         \
  "[damper d1]\ndamping = 2\nbetween = wall, m1\n[mass m1]\nmass = 1\nposition = 1 mm\n"           \
  "[spring k2]\nstiffness = 40 kN/m\nbetween = m1, m2\n"                                           \
  "[damper d2]\ndamping = 5\nbetween = m1, m2\n[mass m2]\nmass = 1\n"                              \
  "[spring k3]\nstiffness = 10 kN/m\nbetween = m1, m3\n"                                           \
  "[damper d3]\ndamping = 1\nbetween = m1, m3\n[mass m3]\nmass = 0.5\n"

static const char *const names[] = { "tr-bdf2", "esdirk4", "dopri5" };

/* A hundred times less a step's error is a hundred times less a run's, or about. */
static void
test_errors (void **state)
{
  static const double exact[] = { -1.370108306878406806e-4, -1.547184912751653986e-4,
                                  -1.262994165031117570e-4 };

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (names); s++)
    for (double tolerance = 1e-4; tolerance > 0.5e-8; tolerance *= 1e-2)
      {
        g_autofree char *text =
            g_strdup_printf ("[network]\nscheme = %s\nstep = 1 ms\ntolerance = %g\nduration = 1\n"
                             "sample = 10 ms\n" DAMPED,
                             names[s], tolerance);
        g_auto (Course) course = go (text, FALSE, FALSE);
        double error = 0;

        for (guint k = 0; k < G_N_ELEMENTS (exact); k++)
          error = fmax (error, fabs (value_at (&course, 1, k) - exact[k]));
        print_message ("# %s, %g: %g in %d steps\n", names[s], tolerance, error / 1e-3,
                       (int) course.count.taken);
        assert_true (error < 1e-3 * 60 * tolerance);
      }
}

/* The steps that `check` expects while one mode swings are fewer than the run takes, and more than half as many. */
static void
test_expected_steps (void **state)
{
  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (names); s++)
    for (double tolerance = 1e-4; tolerance > 0.5e-6; tolerance *= 1e-2)
      {
        g_autofree char *text = g_strdup_printf (
            "[network]\nscheme = %s\nstep = 1 ms\ntolerance = %g\nduration = 1\nsample = 10 ms\n"
            "record = m.position\n[ground g]\n[spring k]\nstiffness = 10 kN/m\nbetween = g, m\n"
            "[mass m]\nmass = 1\nposition = 1 mm\n",
            names[s], tolerance);
        g_auto (Course) course = go (text, FALSE, FALSE);
        const double expected =
            1 / ifbam_scheme_adaptive_step (ifbam_scheme_by_name (names[s]), 100, tolerance);

        assert_in_range (expected, course.count.taken / 2, course.count.taken);
      }
}

/* A gear drive with stiff teeth: 16.6 kHz beside 345, 23 and 0.05 Hz. */
static Course
gear_drive (const char *settings)
{
  g_autofree char *text = g_strdup_printf (
      "[network]\nscheme = esdirk4\n%sduration = 10 s\nsample = 0.1 s\n"
      "record = motor.speed, pinion.speed, wheel.speed, drum.speed\n[ground housing]\n"
      "[inertia motor]\ninertia = 0.05\n[torque drive]\non = motor\nvalue = 20\n"
      "[torsion-spring shaft]\nstiffness = 5000\nbetween = motor, pinion\n"
      "[inertia pinion]\ninertia = 1e-4\n"
      "[gear g]\nratio = -4\nstiffness = 1e6\nbetween = pinion, wheel\n"
      "[inertia wheel]\ninertia = 0.02\n"
      "[torsion-spring shaft2]\nstiffness = 20000\nbetween = wheel, drum\n"
      "[inertia drum]\ninertia = 30\n[torsion-damper load]\ndamping = 10\nbetween = drum, "
      "housing\n",
      settings);

  return go (text, FALSE, FALSE);
}

/* 1e-6 of a step's error is not 1e-6 of a run's: over 3448 periods of the pinion on its shaft, that nothing damps, the scheme's
 * own phase runs ahead. Expected is the exact solution by modes with the scheme's R (step lambda) in the place of exp (step
 * lambda), in 30 digits: at a fixed step a run is that to rounding (300 rad, seen by teeth of 1e6 N m/rad), and by a tolerance where
 * equal steps lead to, as many, within a tenth: phases go by the mean of step^4, which is 1.07 times that of equal steps where
 * lengths spread as they do here (0.14 to 0.23 ms). */
static void
test_phases_add_up (void **state)
{
  static const double exact[] = { 31.903406627194166741, 31.569155203435911019,
                                  -7.891882800668000827, -7.680233236975779144 };
  static const double fixed[] = { 31.9043110455389, 31.5275190693742, -7.88142496472832,
                                  -7.68023473498975 };
  g_auto (Course) fifth = gear_drive ("step = 0.2 ms\n");
  g_auto (Course) course = gear_drive ("tolerance = 1e-6\nstep = 1 ms\n");
  g_autofree char *settings =
      g_strdup_printf ("step = %.17g\n", 0.1 / ceil (0.01 * (double) course.count.taken));
  g_auto (Course) equal = gear_drive (settings);

  (void) state;
  for (guint k = 0; k < G_N_ELEMENTS (exact); k++)
    {
      const double error = value_at (&course, 10, k) - exact[k],
                   expected = value_at (&equal, 10, k) - exact[k];

      assert_number (value_at (&fifth, 10, k), fixed[k], 1e-8);
      print_message ("# %d steps: %g off, in equal steps %g\n", (int) course.count.taken, error,
                     expected);
      assert_true (fabs (error / expected - 1) < 0.1);
    }
}

/* By how much of a swing's amplitude it is off after some time: a step z = omega step loses c z^(k + 1), in phase or in size (R of
 * tr-bdf2 and esdirk4 in src/engine; 1/600 - 1/720 of dopri5), at most three times that where steps differ and rows or impacts lie
 * between them. */
static double
adds_up (guint scheme, double omega, double time, double duration, const Course *course)
{
  static const struct
  {
    double c;
    int order;
  } loss[] = { { 0.0404, 2 }, { 0.000846, 4 }, { 1.0 / 3600, 5 } };
  const double z = omega * duration / (double) course->count.taken;

  return 3 * loss[scheme].c * pow (z, loss[scheme].order) * omega * time;
}

/* Rows are told by dense output, and are as right as the steps; so are they where an account is wanted. */
static void
test_rows (void **state)
{
  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (names); s++)
    {
      static const char *const samples[] = { "1 s", "0.1 s", "0.7 ms", "0.7 ms" };
      guint64 taken = 0;
      double last = 0;

      for (guint i = 0; i < G_N_ELEMENTS (samples); i++)
        {
          g_autofree char *text = g_strdup_printf (
              "[network]\nscheme = %s\nstep = 1 ms\ntolerance = 1e-7\nduration = 1.4 s\n"
              "sample = %s\nrecord = m.position, m.velocity\n[ground g]\n[mass m]\nmass = 1\n"
              "position = 1\n[spring k]\nstiffness = 1000\nbetween = g, m\n",
              names[s], i == 0 ? "1.4 s" : samples[i]);
          g_auto (Course) course = go (text, FALSE, i == 3);
          const double omega = sqrt (1000), error = adds_up (s, omega, 1.4, 1.4, &course);

          for (guint r = 0; r < n_rows (&course); r++)
            {
              const double time = row (&course, r)[0];

              assert_near (row (&course, r)[1], cos (omega * time), error, names[s]);
              assert_near (row (&course, r)[2], -omega * sin (omega * time), error * omega,
                           names[s]);
            }
          /* An unfinished step at the end is not counted. */
          assert_true (i == 0 || ABS ((gint64) (course.count.taken - taken)) <= 1);
          taken = course.count.taken;
          assert_true (i == 0 || fabs (value_at (&course, 1.4, 0) - last) < 1e-10);
          last = value_at (&course, 1.4, 0);
        }
    }
}

/* The energy balance holds within steps, too: a step's error of 1e-7 is 2e-7 of energy; dissipation follows within a few
 * steps. */
static void
test_account (void **state)
{
  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (names); s++)
    {
      g_autofree char *text = g_strdup_printf (
          "[network]\nscheme = %s\nstep = 1 ms\ntolerance = 1e-7\nduration = 0.5\n"
          "sample = 0.3 ms\n" DAMPED "[force push]\non = m3\namplitude = 1 N\nfrequency = 3 Hz\n"
          "[drive floor]\namplitude = 1 mm\nfrequency = 2 Hz\n"
          "[spring k4]\nstiffness = 10 kN/m\nbetween = floor, m2\n",
          names[s]);
      g_auto (Course) course = go (text, FALSE, TRUE);
      const double first = row (&course, 0)[4];

      for (guint r = 0; r < n_rows (&course); r++)
        assert_near (row (&course, r)[4] + row (&course, r)[5] - row (&course, r)[6], first,
                     1e-6 * first, names[s]);
    }
}

/* Events */

/* From -A to a stop at d on the other side, and back: impacts at (2 k - 1) t with cos (omega t) = -d / A; the intervals
 * between have one course, shifted. */
static void
test_impacts (void **state)
{
  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (names); s++)
    for (int objects = 0; objects < 2; objects++)
      {
        g_autofree char *text = g_strdup_printf (
            "[network]\nscheme = %s\nstep = 10 ms\ntolerance = 1e-8\nduration = 2 s\nsample = 3 "
            "ms\n"
            "record = m1.position, m1.velocity\n[ground wall]\n[mass m1]\nmass = 1 kg\n"
            "position = -40 mm\n[spring k]\nstiffness = 100 N/m\nbetween = m1, wall\n"
            "[impact stop]\ngap = 20 mm\nrestitution = 1\nbetween = m1, wall\n",
            names[s]);
        g_auto (Course) course = go (text, objects, FALSE);
        const double omega = 10, t = acos (-0.5) / omega;
        const double error =
            fmax (1e-8, adds_up (s, omega, 2, 2, &course)); /* no better than a step has to be */

        assert_int_equal (course.times->len, 5);
        for (guint k = 0; k < course.times->len; k++)
          assert_near (g_array_index (course.times, double, k), (2 * k + 1) * t, error / omega,
                       names[s]);
        for (guint r = 0; r < n_rows (&course); r++)
          assert_near (row (&course, r)[1],
                       -0.04 * cos (omega * remainder (row (&course, r)[0], 2 * t)), 0.04 * error,
                       names[s]);
      }
}

/* The source does not matter. */
static void
test_bits (void **state)
{
  g_autofree char *first = study ("esdirk4", 1e-5, "0.7 s");
  g_autofree char *second = study ("tr-bdf2", 1e-4, "0.7 s");
  const char *const texts[] = { first, second };

  (void) state;
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_auto (Course) one = go (texts[i], FALSE, FALSE), other = go (texts[i], TRUE, TRUE);

      assert_int_equal (one.rows->len, other.rows->len);
      assert_memory_equal (one.rows->data, other.rows->data, one.rows->len * sizeof (double));
      assert_true (one.count.taken == other.count.taken);
    }
}

/* A force that begins as t^2 on a mass at rest: there is no scale yet for an error. */
static void
test_soft_start (void **state)
{
  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (names); s++)
    {
      g_autofree char *text = g_strdup_printf (
          "[network]\nscheme = %s\nstep = 5 ms\ntolerance = 1e-6\nduration = 1 s\nsample = 1 s\n"
          "record = m.position\n[ground g]\n[mass m]\nmass = 1\n[spring k]\nstiffness = 1e4\n"
          "between = g, m\n[force push]\non = m\nvalue = 1 N\namplitude = 1 N\n"
          "frequency = 0.5 Hz\nphase = -90 deg\n",
          names[s]);
      g_auto (Course) course = go (text, FALSE, FALSE);
      /* x'' + w^2 x = 1 - cos p t from rest */
      const double w2 = 1e4, p = G_PI, b = 1 / (w2 - p * p);
      const double exact = 1 / w2 - b * cos (p) + (b - 1 / w2) * cos (100.0);

      assert_true (course.count.taken < 20000);
      assert_near (value_at (&course, 1, 0), exact, 1e-5 * exact, names[s]);
    }
}

static void
test_refusals (void **state)
{
  guint n;
  const IfbamScheme *const *schemes = ifbam_schemes (&n);

  (void) state;
  for (guint s = 0; s < n; s++)
    {
      const IfbamTableau *table = ifbam_scheme_tableau (schemes[s]);
      g_autofree char *text = g_strdup_printf (
          "[network]\nscheme = %s\ntolerance = 1e-6\nduration = 1\n[ground g]\n[mass m]\nmass = 1\n"
          "[spring k]\nstiffness = 1\nbetween = g, m\n",
          schemes[s]->name);
      g_autoptr (GError) error = NULL;
      g_autoptr (IfbamNetwork) network = text_network_try (text, NULL, &error);
      g_autoptr (IfbamSignals) signals = NULL;
      g_auto (IfbamRunSpec) spec = { 0 };
      g_autoptr (IfbamModel) model =
          network == NULL ? NULL
                          : ifbam_network_compile_or_error (network, TRUE, &spec, &signals, &error);

      assert_true ((model != NULL) == (table != NULL && table->estimated > 0));
      if (model == NULL)
        assert_non_null (strstr (error->message, "tr-bdf2, esdirk4 and dopri5"));
      else
        {
          IfbamRunTask task = { .unlocated = TRUE, .row = take_row };

          assert_false (ifbam_run (&task, model, signals, &spec, &error));
          assert_true (g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_USAGE));
        }
    }
}

/* A stop that is a spring: e times stiffer each 0.1 nm. A first step through it leads to no number, and is tried again shorter. */
static void
test_what_is_no_number_is_too_long (void **state)
{
  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (names); s++)
    {
      g_autofree char *text = g_strdup_printf (
          "[network]\nscheme = %s\nstep = 1 ms\ntolerance = 1e-6\nduration = 1 s\nsample = 0.1 s\n"
          "record = m.position, m.velocity\n[ground wall]\n[mass m]\nmass = 1\nvelocity = 0.1\n"
          "[force f]\nvalue = 0.25 N\non = m\n"
          "[exponential-spring k]\nstiffness = 1e-9\nscale = 1e-10\nbetween = m, wall\n",
          names[s]);
      g_auto (Course) course = go (text, FALSE, FALSE);

      /* As from a hard one: there and back in 0.8 s. */
      for (guint r = 1; r < n_rows (&course); r++)
        {
          const double time = fmod (row (&course, r)[0], 0.8);

          if (fmin (time, 0.8 - time) < 0.01)
            continue;
          assert_near (row (&course, r)[1], -0.1 * time + 0.125 * time * time, 2e-6, names[s]);
          assert_near (row (&course, r)[2], -0.1 + 0.25 * time, 5e-6, names[s]);
        }
      assert_int_equal (n_rows (&course), 11);
    }
}

/* Runs a network's text; returns the last row. */
static char *
fault_of (const char *text)
{
  g_autoptr (IfbamNetwork) network = text_network (text);
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamCourse) course = ifbam_network_run (network, IFBAM_ENGINE_PLAN, &error);

  assert_null (course);
  return g_strdup (error->message);
}

/* An error names the node without an accurate step, and the time. */
static void
test_no_step_is_short_enough (void **state)
{
  g_autofree char *said = fault_of (
      "[network]\nscheme = dopri5\nstep = 1 ms\ntolerance = 1e-6\nduration = 1 s\n[ground wall]\n"
      "[mass slow]\nmass = 1\n[mass m]\nmass = 1\nvelocity = 1\n[spring k]\nstiffness = 1e-3\n"
      "between = m, slow\n[contact c]\nstiffness = 1e40\ngap = 0.25\nbetween = m, wall\n");

  (void) state;
  if (strstr (said, "at t = 0.25") == NULL
      || strstr (said, "\"m\" has no step under \"dopri5\" within the tolerance of 1e-06") == NULL)
    fail_msg ("%s", said);
}

/* Two rods that a drive draws out straight: shorter steps end nearer to there, and then it is said. */
static void
test_dead_point (void **state)
{
  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (names); s++)
    {
      g_autofree char *text = g_strdup_printf (
          "[network]\nscheme = %s\nstep = 10 ms\ntolerance = 1e-6\nduration = 1 s\n"
          "[drive out]\nposition = 1.5\nvelocity = 1 m/s\n[point pivot]\n"
          "[point hand]\nfollow-x = out\n[ball b]\nmass = 1\nx = 0.75\n"
          "y = 0.6614378277661477\n[rod r1]\nlength = 1\nbetween = pivot, b\n"
          "[rod r2]\nlength = 1\nbetween = b, hand\n",
          names[s]);
      g_autofree char *said = fault_of (text);

      if (strstr (said, "dead point") == NULL)
        fail_msg ("%s: %s", names[s], said);
      assert_near (g_ascii_strtod (strstr (said, "t = ") + 4, NULL), 0.5, 1e-3, said);
    }
}

/* A mass that flies against a spring: there and back at once, but for the half period that it is in touch. */
static Course
hit_hard (const char *scheme, double stiffness, double velocity)
{
  g_autofree char *text = g_strdup_printf (
      "[network]\nscheme = %s\nstep = 1 ms\ntolerance = 1e-6\nduration = 1 s\n"
      "record = m.position, m.velocity, network.energy\n[ground wall]\n[mass m]\nmass = 1\n"
      "velocity = %g\n[contact k]\nstiffness = %g\ngap = 0.25\nbetween = m, wall\n",
      scheme, velocity, stiffness);

  return go (text, FALSE, TRUE);
}

/* Within long steps of a flight a mass hits a contact 10^4 times as fast; a scheme that damps fast modes must resolve
 * it. */
static void
test_long_step_meets_hard_spring (void **state)
{
  static const double stiffness[] = { 1e8, 1e10, 1e12 };

  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (names); s++)
    for (guint k = 0; k < G_N_ELEMENTS (stiffness); k++)
      {
        g_auto (Course) course = hit_hard (names[s], stiffness[k], 1);
        const double touching = G_PI / sqrt (stiffness[k]);

        assert_near (value_at (&course, 1, 0), 0.25 - (0.75 - touching), 1e-5, names[s]);
        assert_near (value_at (&course, 1, 1), -1, 1e-5, names[s]);
        for (guint i = 0; i < n_rows (&course); i++)
          assert_near (row (&course, i)[3], 0.5, 1e-4, names[s]);
        assert_int_equal (course.count.rounded, 0);
      }
}

/* A position of 0.25 m is rounded to 3e-17 m: 10^26 N/m change the velocity by 10^-3 m/s in 10^-13 s; a note says so, none for
 * a softer spring. */
static void
test_rounding_is_told (void **state)
{
  (void) state;
  for (guint s = 0; s < G_N_ELEMENTS (names); s++)
    {
      g_auto (Course) course = hit_hard (names[s], 1e26, 1);

      assert_true (course.count.rounded > 0 && course.count.rounded < course.count.taken);
      assert_int_equal (course.count.worst, 0);
      assert_true (course.count.rounding > 1e-4 && course.count.rounding < 1);
    }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_ladder),
    cmocka_unit_test (test_nanoseconds_beside_seconds),
    cmocka_unit_test (test_errors),
    cmocka_unit_test (test_expected_steps),
    cmocka_unit_test (test_phases_add_up),
    cmocka_unit_test (test_rows),
    cmocka_unit_test (test_account),
    cmocka_unit_test (test_impacts),
    cmocka_unit_test (test_bits),
    cmocka_unit_test (test_soft_start),
    cmocka_unit_test (test_refusals),
    cmocka_unit_test (test_what_is_no_number_is_too_long),
    cmocka_unit_test (test_no_step_is_short_enough),
    cmocka_unit_test (test_dead_point),
    cmocka_unit_test (test_long_step_meets_hard_spring),
    cmocka_unit_test (test_rounding_is_told),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
