/* cases-ball.c: a ball that bounces until it rests (networks/ball-drag.ini): against SUNDIALS
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "bench.h"

#ifndef BENCH_SUNDIALS
void
bench_ball (void)
{
  static const char *const names[] = { "ball-ida", "ball-cvode" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (bench_wants (names[i]))
      bench_skip (names[i], "SUNDIALS isn't there (make bench-deps)");
}
#else

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/run.h"
#include "sundials.h"

#define NETWORK    "networks/ball-drag.ini"
#define TOLERANCE  1e-6 /* relative, of SUNDIALS */
#define ROUNDS     301
#define RUNS       5  /* in a round */
#define TRIES      30 /* of each setting */

/* As in the network. A bounce below 1e-9 of the largest coordinate comes to rest. */
static const SundialsBall ball = { .height = 2,
                                   .gravity = 9.81,
                                   .drag = 0.01015,
                                   .restitution = 0.9,
                                   .rest_rise = 1e-9 * 2,
                                   .duration = 20 };

static void
stop (const char *text)
{
  fprintf (stderr, "bench: %s\n", text);
  exit (1);
}

/* The bounces, from the closed form: with drag c v^2 and u^2 = gravity / drag a fall from a height H ends
 * at u sqrt (1 - exp (-2 c H)) after u / g arcosh (exp (c H)), a rise at v goes to ln (1 + v^2 / u^2) / 2c
 * in u / g arctan (v / u). */
static void
exact_course (SundialsCourse *course)
{
  const double u = sqrt (ball.gravity / ball.drag), unit = u / ball.gravity;
  double height = ball.height, time = 0, v;

  for (course->bounces = 1;; course->bounces++)
    {
      const double fall = unit * acosh (exp (ball.drag * height));

      time += fall;
      if (course->bounces <= BALL_LISTED)
        course->instant[course->bounces - 1] = time;
      v = u * tanh (fall / unit);
      if (v * v / (2 * ball.gravity) < ball.rest_rise)
        break;
      v *= ball.restitution;
      time += unit * atan (v / u);
      height = log1p (v / u * (v / u)) / (2 * ball.drag);
    }
  course->rest = time;
}

static double
error_of (const SundialsCourse *course)
{
  SundialsCourse exact;
  double most = 0;

  if (course->bounces < BALL_LISTED)
    return INFINITY;
  exact_course (&exact);
  for (guint i = 0; i < BALL_LISTED; i++)
    most = fmax (most, fabs (course->instant[i] - exact.instant[i]));
  return most;
}

/* ifbam */

typedef struct
{
  IfbamNetwork *network;
  IfbamModel *model;
  IfbamSignals *signals;
  IfbamRunSpec spec;
  double step;
  SundialsCourse course;
  double end; /* y at the end [m] */
} Ours;

static gboolean
note_event (gpointer data, const IfbamEvent *event, GError **error)
{
  SundialsCourse *course = &((Ours *) data)->course;
  const gboolean rests = strcmp (event->word, "rest") == 0;

  (void) error;
  if (!rests && strcmp (event->word, "impact") != 0)
    return TRUE;
  if (course->bounces < BALL_LISTED)
    course->instant[course->bounces] = event->time;
  course->bounces++;
  if (rests)
    course->rest = event->time;
  return TRUE;
}

static gboolean
note_row (gpointer data, double time, const double *values, GError **error)
{
  (void) time;
  (void) error;
  ((Ours *) data)->end = values[0];
  return TRUE;
}

/* Read once. */
static Ours *
ours_new (double step)
{
  g_autofree char *step_text = g_strdup_printf ("network.step=%.17g", step);
  g_autofree char *sample_text = g_strdup_printf ("network.sample=%.17g", ball.duration);
  const char *changes[] = { step_text, sample_text, "network.record=b.y", NULL };
  Ours *ours = g_new0 (Ours, 1);
  g_autoptr (GError) error = NULL;

  ours->step = step;
  ours->network = ifbam_network_new_from_file (NETWORK, changes, &error);
  if (ours->network != NULL)
    ours->model =
        ifbam_network_compile_or_error (ours->network, TRUE, &ours->spec, &ours->signals, &error);
  if (ours->model == NULL)
    stop (error->message);
  return ours;
}

static void
ours_free (Ours *ours)
{
  ifbam_signals_free (ours->signals);
  ifbam_model_free (ours->model);
  g_object_unref (ours->network);
  g_free (ours);
}

static void
ours_run (gpointer data, guint64 runs)
{
  Ours *ours = data;

  for (guint64 i = 0; i < runs; i++)
    {
      IfbamRunTask run = { .threads = 1, .event = note_event, .row = note_row, .data = ours };
      g_autoptr (GError) error = NULL;

      ours->course.bounces = 0;
      ours->course.rest = -1;
      if (!ifbam_run (&run, ours->model, ours->signals, &ours->spec, &error))
        stop (error->message);
    }
}

/* SUNDIALS */

typedef struct
{
  SundialsRun *run;
  SundialsCourse course;
} Theirs;

static void
theirs_run (gpointer data, guint64 runs)
{
  Theirs *theirs = data;

  for (guint64 i = 0; i < runs; i++)
    if (sundials_run (theirs->run, &theirs->course) != 0)
      stop ("SUNDIALS failed");
}

/* Whether all bounces were seen until the ball rests, and no more. */
static gboolean
is_whole (const SundialsCourse *course)
{
  SundialsCourse exact;

  exact_course (&exact);
  return course->rest > 0 && course->bounces == exact.bounces;
}

static const double absolute[] = { 1e-6, 1e-7, 1e-8, 1e-9, 1e-10 };
static const double first_step[] = { 0, 1e-4, 1e-3, 1e-2 };
#define N_SETTINGS (G_N_ELEMENTS (absolute) * G_N_ELEMENTS (first_step))

/* The fastest setting that finds all bounces. Effects of the absolute tolerance and the first step are not
 * known beforehand: too coarse, and small bounces are lost or come to rest too early. All are tried in
 * turns, so that the machine is as fast for one as for the other. */
static SundialsSetting
best_setting (const SundialsMethod *methods, guint n_methods)
{
  const guint n = n_methods * N_SETTINGS;
  g_autofree SundialsSetting *settings = g_new0 (SundialsSetting, n);
  g_autofree Theirs *theirs = g_new0 (Theirs, n);
  g_autofree double *seconds = g_new (double, n);
  guint best = n;

  for (guint i = 0; i < n; i++)
    {
      settings[i] =
          (SundialsSetting){ .method = methods[i / N_SETTINGS],
                             .relative = TOLERANCE,
                             .absolute = absolute[i % G_N_ELEMENTS (absolute)],
                             .first_step = first_step[i % N_SETTINGS / G_N_ELEMENTS (absolute)],
                             .longest_first_step = 1e-3 };
      theirs[i].run = sundials_run_new (&ball, &settings[i]);
      if (theirs[i].run == NULL)
        stop ("SUNDIALS failed");
      seconds[i] = INFINITY;
    }
  for (guint t = 0; t < TRIES; t++)
    for (guint i = 0; i < n; i++)
      {
        const double before = bench_clock ();

        theirs_run (&theirs[i], 1);
        seconds[i] = fmin (seconds[i], bench_clock () - before);
      }
  for (guint i = 0; i < n; i++)
    {
      if (is_whole (&theirs[i].course) && (best == n || seconds[i] < seconds[best]))
        best = i;
      sundials_run_free (theirs[i].run);
    }
  if (best == n)
    stop ("no setting of SUNDIALS sees all bounces");
  return settings[best];
}

/* The longest step that does as well. */
static Ours *
ours_as_good (double error)
{
  static const double steps[] = { 0.25,   0.2,  0.16, 0.15625, 0.125, 0.1,  0.08,
                                  0.0625, 0.05, 0.04, 0.02,    0.01,  0.001 };
  Ours *ours = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    {
      if (ours != NULL)
        ours_free (ours);
      ours = ours_new (steps[i]);
      ours_run (ours, 1);
      if (error_of (&ours->course) <= error)
        break;
    }
  return ours;
}

static void
ball_case (const char *name, const SundialsMethod *methods, guint n_methods)
{
  static const char *const method_names[] = { "IDA", "Adams", "BDF", "Adams, fixed point",
                                              "BDF, fixed point" };
  const SundialsSetting setting = best_setting (methods, n_methods);
  Theirs theirs;
  Ours *ours;
  BenchSide sides[2];
  double error, own_error;

  theirs.run = sundials_run_new (&ball, &setting);
  theirs_run (&theirs, 1);
  error = error_of (&theirs.course);
  ours = ours_as_good (error);
  own_error = error_of (&ours->course);
  sides[0] = (BenchSide){ .run = ours_run, .data = ours };
  sides[1] = (BenchSide){ .run = theirs_run, .data = &theirs };
  bench_contest (sides, 2, RUNS, ROUNDS);
  if (!(own_error <= error && is_whole (&ours->course) && fabs (ours->end) <= 1e-9))
    bench_wrong ();
  bench_report (
      name, sides[0].seconds / RUNS * 1e3, sides[1].seconds / RUNS * 1e3,
      g_strdup_printf ("instants: ours %.2g s (rk4, step %g s), %s %.2g s (atol %g, first "
                       "step %g of a flight); bounces %u, %u; rest at %.4f s, %.4f s",
                       own_error, ours->step, method_names[setting.method], error, setting.absolute,
                       setting.first_step, ours->course.bounces, theirs.course.bounces,
                       ours->course.rest, theirs.course.rest));
  sundials_run_free (theirs.run);
  ours_free (ours);
}

void
bench_ball (void)
{
  static const SundialsMethod ida[] = { BALL_BY_IDA };
  static const SundialsMethod cvode[] = { BALL_BY_ADAMS, BALL_BY_BDF, BALL_BY_ADAMS_FIXED_POINT,
                                          BALL_BY_BDF_FIXED_POINT };

  if (bench_wants ("ball-ida"))
    ball_case ("ball-ida", ida, G_N_ELEMENTS (ida));
  if (bench_wants ("ball-cvode"))
    ball_case ("ball-cvode", cvode, G_N_ELEMENTS (cvode));
}
#endif
