/* test-interpolant.c: measured courses between their points, and the project's own sine
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>

#include "base/interpolant.h"
#include "base/sine.h"

static void
assert_near (double number, double wanted, double tolerance, const char *what, double where)
{
  if (!(fabs (number - wanted) <= tolerance))
    fail_msg ("%s at %.17g: %.17g, not %.17g (+-%.3g)", what, where, number, wanted, tolerance);
}

/* Points that are not equally spaced. */
static const double times[] = { -1.0, -0.7, 0.0, 0.1, 0.45, 1.3, 1.5 };
#define N_TIMES (sizeof times / sizeof *times)

/* A parabola, and its rates. */
static double
parabola (double t, int derivative)
{
  return derivative == 0 ? 3.0 - 2.0 * t + 5.0 * t * t : derivative == 1 ? -2.0 + 10.0 * t : 10.0;
}

/* The slope of a parabola through three points is exact for a parabola: then so is all else. */
static void
test_parabola (void **state)
{
  double values[N_TIMES], at[3];
  const IfbamInterpolant course = {
    .n = N_TIMES, .time = times, .value = values, .interpolation = IFBAM_COURSE_CUBIC
  };

  (void) state;
  for (unsigned i = 0; i < N_TIMES; i++)
    values[i] = parabola (times[i], 0);
  for (int k = 0; k <= 1000; k++)
    {
      double t = k == 1000 ? times[N_TIMES - 1] : times[0] + 2.5 * k / 1000;

      ifbam_interpolant_at (&course, t, &at[0], &at[1], &at[2]);
      assert_near (at[0], parabola (t, 0), 1e-13, "value", t);
      assert_near (at[1], parabola (t, 1), 1e-12, "rate", t);
      assert_near (at[2], parabola (t, 2), 1e-11, "second rate", t);
    }
}

/* At the points themselves: the value to the bit, the slope from inside, at both ends as well. */
static void
test_points_and_ends (void **state)
{
  const double values[] = { 1.0, -2.0, 0.25, 4.0, 4.0, -1.0, 0.0 };
  const IfbamInterpolant course = {
    .n = N_TIMES, .time = times, .value = values, .interpolation = IFBAM_COURSE_CUBIC
  };
  const double ends[] = { times[0], times[N_TIMES - 1] };
  const double beyond[] = { -1e300, nextafter (ends[0], -2.0), nextafter (ends[1], 2.0), 1e300 };
  double at[3], inside[3];

  (void) state;
  for (unsigned long i = 0; i < N_TIMES; i++)
    {
      const double slope = ifbam_interpolant_slope (&course, i);

      ifbam_interpolant_at (&course, times[i], &at[0], &at[1], &at[2]);
      assert_near (at[0], values[i], i + 1 < N_TIMES ? 0.0 : 1e-15, "value", times[i]);
      assert_near (at[1], slope, 1e-12, "rate", times[i]);
      /* Continuous from either side, where there is one. */
      for (int side = -1; side <= 1; side += 2)
        if ((side > 0 || i > 0) && (side < 0 || i + 1 < N_TIMES))
          {
            ifbam_interpolant_at (&course, times[i] + side * 1e-9, &inside[0], &inside[1],
                                  &inside[2]);
            assert_near (inside[0], values[i], 1e-6, "value beside", times[i]);
            assert_near (inside[1], slope, 1e-5, "rate beside", times[i]);
          }
    }
  for (int k = 0; k < 4; k++)
    {
      ifbam_interpolant_at (&course, beyond[k], &at[0], &at[1], &at[2]);
      assert_near (at[0], values[k < 2 ? 0 : N_TIMES - 1], 0.0, "value", beyond[k]);
      assert_near (at[1], 0.0, 0.0, "rate", beyond[k]);
      assert_near (at[2], 0.0, 0.0, "second rate", beyond[k]);
    }
}

static void
test_two_points (void **state)
{
  const double time[] = { 2.0, 4.0 }, value[] = { 1.0, -5.0 };
  const IfbamInterpolant course = {
    .n = 2, .time = time, .value = value, .interpolation = IFBAM_COURSE_CUBIC
  };
  double at[3];

  (void) state;
  for (int k = 0; k <= 8; k++)
    {
      double t = 2.0 + 0.25 * k;

      ifbam_interpolant_at (&course, t, &at[0], &at[1], &at[2]);
      assert_near (at[0], 1.0 - 3.0 * (t - 2.0), 1e-15, "value", t);
      assert_near (at[1], -3.0, 1e-15, "rate", t);
      assert_near (at[2], 0.0, 1e-15, "second rate", t);
    }
}

/* A smooth course of n points over a second: the largest error of value and rate. */
static void
errors (unsigned n, double *value_error, double *rate_error)
{
  double time[321], value[321], at[3];
  const IfbamInterpolant course = {
    .n = n + 1, .time = time, .value = value, .interpolation = IFBAM_COURSE_CUBIC
  };

  *value_error = *rate_error = 0;
  for (unsigned i = 0; i <= n; i++)
    {
      time[i] = (double) i / n;
      value[i] = sin (3.0 * time[i] + 0.4);
    }
  for (int k = 0; k <= 10000; k++)
    {
      double t = k / 10000.0;

      ifbam_interpolant_at (&course, t, &at[0], &at[1], &at[2]);
      *value_error = fmax (*value_error, fabs (at[0] - sin (3.0 * t + 0.4)));
      *rate_error = fmax (*rate_error, fabs (at[1] - 3.0 * cos (3.0 * t + 0.4)));
    }
}

/* Half the distance: an eighth of the error, the ends included. */
static void
test_order (void **state)
{
  double coarse[2], fine[2];

  (void) state;
  errors (80, &coarse[0], &coarse[1]);
  errors (160, &fine[0], &fine[1]);
  print_message ("# interpolation: errors of value %.2g, %.2g; of rate %.2g, %.2g\n", coarse[0],
                 fine[0], coarse[1], fine[1]);
  assert_near (coarse[0] / fine[0], 8.0, 0.5, "ratio of the values' errors", 0.0);
  assert_near (coarse[1] / fine[1], 4.0, 0.25, "ratio of the rates' errors", 0.0);
}

/* Exact for a parabola, from time 0 on wherever the points stand; outside the course is held. */
static void
test_integral (void **state)
{
  static const double shifts[] = { 0.0, -3.0, 5.0 };
  double time[N_TIMES], value[N_TIMES], integral[N_TIMES], twice[N_TIMES];

  (void) state;
  for (int k = 0; k < 3; k++)
    {
      IfbamInterpolant course = {
        .n = N_TIMES, .time = time, .value = value, .interpolation = IFBAM_COURSE_CUBIC
      };
      const double shift = shifts[k];

      for (unsigned long i = 0; i < N_TIMES; i++)
        {
          time[i] = times[i] + shift;
          value[i] = parabola (times[i], 0);
        }
      ifbam_interpolant_integrate (&course, integral, twice);
      assert_near (ifbam_interpolant_integral (&course, 0.0), 0.0, 1e-15, "integral", 0.0);
      for (double t = -8.0; t < 8.0; t += 0.01)
        {
          double whole = 0.0;

          for (int end = 0; end < 2; end++)
            {
              double s = (end == 0 ? 0.0 : t) - shift;
              double inside = fmin (fmax (s, times[0]), times[N_TIMES - 1]);
              double area = inside * (3.0 + inside * (-1.0 + inside * (5.0 / 3.0)))
                            + (s - inside) * parabola (inside, 0);

              whole += end == 0 ? -area : area;
            }
          assert_near (ifbam_interpolant_integral (&course, t), whole, 1e-13, "integral", t);
        }
    }
}

/* Integrals of each form, inside and outside, against Simpson's and Boole's rules, which are exact between
 * neighbouring points, since values are cubics there. */
static void
test_forms (void **state)
{
  static const double time[] = { -0.5, 0.25, 0.5, 1.5 }, value[] = { 2.0, -1.0, 3.0, 2.5 };
  static const double at[] = { -2.5, -1.75, -1.5, -0.5, 0.0, 0.25, 0.5, 1.0, 1.5, 2.25, 2.5, 3.5 };

  (void) state;
  for (int form = 0; form < 12; form++)
    {
      double integral[4], twice[4], sum = 0, sum_twice = 0, rate, second;
      IfbamInterpolant course = {
        .n = 4, .time = time, .value = value, .interpolation = form % 3, .outside = form / 3
      };

      ifbam_interpolant_integrate (&course, integral, twice);
      /* Forward from time 0, then backward. */
      for (int way = -1; way <= 1; way += 2)
        for (int k = 4, last = (sum = sum_twice = 0, 0); !last;)
          {
            const int next = k + way;
            const double width = at[next] - at[k], before = sum;
            double y[5];

            for (int p = 0; p < 5; p++)
              {
                /* From inside the piece: courses jump where values are held. */
                const double t = at[k] + width * (p == 0 ? 1e-12 : p == 4 ? 1 - 1e-12 : 0.25 * p);

                ifbam_interpolant_at (&course, t, &y[p], &rate, &second);
              }
            sum += width / 6 * (y[0] + 4 * y[2] + y[4]);
            /* The integral of the time that is left times the value, by Boole's rule. */
            sum_twice += width * before
                         + width * width / 90
                               * (7 * y[0] + 32 * 0.75 * y[1] + 12 * 0.5 * y[2] + 32 * 0.25 * y[3]);
            k = next;
            assert_near (ifbam_interpolant_integral (&course, at[k]), sum, 1e-10, "integral",
                         at[k]);
            assert_near (ifbam_interpolant_integral_twice (&course, at[k]), sum_twice, 1e-10,
                         "integral of it", at[k]);
            last = k == 0 || k == 11;
          }
    }
}

/* A table of corners: straight lines, steps, and the course outside. */
static void
test_corners (void **state)
{
  static const double time[] = { 1.0, 2.0, 4.0 }, value[] = { 0.0, 10.0, 4.0 };
  static const struct
  {
    int interpolation, outside;
    double time, value;
  } rows[] = {
    { IFBAM_COURSE_LINEAR, IFBAM_COURSE_HOLD, 1.25, 2.5 },
    { IFBAM_COURSE_LINEAR, IFBAM_COURSE_HOLD, 3.0, 7.0 },
    { IFBAM_COURSE_LINEAR, IFBAM_COURSE_HOLD, 9.0, 4.0 },
    { IFBAM_COURSE_LINEAR, IFBAM_COURSE_ZERO, 9.0, 0.0 },
    { IFBAM_COURSE_LINEAR, IFBAM_COURSE_ZERO, 4.0, 4.0 },
    { IFBAM_COURSE_LINEAR, IFBAM_COURSE_REPEAT, 4.0, 0.0 },
    { IFBAM_COURSE_LINEAR, IFBAM_COURSE_REPEAT, 4.5, 5.0 },
    { IFBAM_COURSE_LINEAR, IFBAM_COURSE_REPEAT, -0.5, 8.5 },
    { IFBAM_COURSE_HELD, IFBAM_COURSE_HOLD, 1.999, 0.0 },
    { IFBAM_COURSE_HELD, IFBAM_COURSE_HOLD, 2.0, 10.0 },
    { IFBAM_COURSE_HELD, IFBAM_COURSE_HOLD, 4.0, 4.0 },
    { IFBAM_COURSE_HELD, IFBAM_COURSE_REPEAT, 4.0, 0.0 },
    { IFBAM_COURSE_HELD, IFBAM_COURSE_REPEAT, 8.5, 10.0 },
  };

  (void) state;
  for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
    {
      const IfbamInterpolant course = { .n = 3,
                                        .time = time,
                                        .value = value,
                                        .interpolation = rows[i].interpolation,
                                        .outside = rows[i].outside };
      double at, rate, second;

      ifbam_interpolant_at (&course, rows[i].time, &at, &rate, &second);
      assert_near (at, rows[i].value, 1e-15, "value", rows[i].time);
    }
}

/* Against the long double functions of the C library. The phase of a number of turns is exact where
 * its fraction is: turns are reduced before they are told to sinl. */
static void
test_sine (void **state)
{
  static const double starts[] = {
    -1e6, -1000.0, -1.25, 0.0, 0.3, 12345.0, 1e9, 2251799813685000.0
  };
  double worst = 0, worst_at = 0;

  (void) state;
  for (unsigned s = 0; s < sizeof starts / sizeof *starts; s++)
    for (int k = 0; k <= 20000; k++)
      {
        double turns = starts[s] + 2.0 * k / 20000, sine, cosine, error;
        long double angle =
            remainderl ((long double) turns, 1.0L) * 6.28318530717958647692528676656L;

        ifbam_sine_cosine (turns, &sine, &cosine);
        assert_true (sine == ifbam_sine (turns));
        error = (double) fmaxl (fabsl ((long double) sine - sinl (angle)),
                                fabsl ((long double) cosine - cosl (angle)));
        if (error > worst)
          {
            worst = error;
            worst_at = turns;
          }
        assert_true (fabs (sine) <= 1.0 && fabs (cosine) <= 1.0);
      }
  print_message ("# sine and cosine: off by %.3g at most, at %.17g turns\n", worst, worst_at);
  assert_near (worst, 0.0, 2.3e-16, "error of sine and cosine", worst_at);
}

/* Quarter turns are exact, and a turn more changes no bit that it can keep. */
static void
test_quarter_turns (void **state)
{
  static const double wanted[4][2] = { { 0, 1 }, { 1, 0 }, { 0, -1 }, { -1, 0 } };

  (void) state;
  for (int quarter = -40; quarter <= 40; quarter++)
    {
      double sine, cosine;

      ifbam_sine_cosine (0.25 * quarter, &sine, &cosine);
      assert_true (sine == wanted[quarter & 3][0] && cosine == wanted[quarter & 3][1]);
    }
  for (int k = 0; k < 1000; k++)
    {
      double turns = k / 1024.0;

      assert_true (ifbam_sine (turns) == ifbam_sine (turns + 4096.0));
      assert_true (ifbam_sine (turns) == -ifbam_sine (-turns));
    }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_parabola),      cmocka_unit_test (test_points_and_ends),
    cmocka_unit_test (test_two_points),    cmocka_unit_test (test_order),
    cmocka_unit_test (test_integral),      cmocka_unit_test (test_sine),
    cmocka_unit_test (test_forms),         cmocka_unit_test (test_corners),
    cmocka_unit_test (test_quarter_turns),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
