/* cases-stiff.c: what lies far apart in time, and large networks, under implicit schemes
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "embed/ifbam.h"

#define RUNS  5
#define LIMIT 0.02 /* of a circuit [s] */
/* The tolerance is 1e-6 in each step; of volts. */
#define NEAR 1e-5

static void
stop (const char *text)
{
  fprintf (stderr, "bench: %s\n", text);
  exit (1);
}

/* A value that a circuit has at an instant, by the matrix exponential in decimals of 90 digits. */
typedef struct
{
  const char *signal;
  double time, value;
} Known;

static double
value_at (IfbamCourse *course, const Known *known)
{
  gsize n;
  const double *times = ifbam_course_get_times (course, &n);
  const double *values = ifbam_course_get_values (course, known->signal, &n, NULL);

  for (gsize i = 0; values != NULL && i < n; i++)
    if (fabs (times[i] - known->time) < 1e-9 * known->time)
      return values[i];
  return NAN;
}

/* From the file to the course. */
static void
time_circuit (const char *name, const char *text, const Known *known, guint n)
{
  g_autofree char *path = g_strdup_printf ("%s/%s.ini", bench_folder, name);
  double seconds[RUNS], most = 0;
  g_autoptr (GError) error = NULL;

  if (!bench_wants (name))
    return;
  if (!g_file_set_contents (path, text, -1, &error))
    stop (error->message);
  for (guint r = 0; r < RUNS; r++)
    {
      const double before = bench_clock ();
      g_autoptr (IfbamNetwork) network = ifbam_network_new_from_file (path, NULL, &error);
      g_autoptr (IfbamCourse) course =
          network == NULL ? NULL : ifbam_network_run (network, IFBAM_ENGINE_PLAN, &error);

      if (course == NULL)
        stop (error->message);
      seconds[r] = bench_clock () - before;
      for (guint i = 0; i < n; i++)
        most = fmax (most, fabs (value_at (course, &known[i]) - known[i].value));
    }
  bench_report (name, 1e3 * bench_median (seconds, RUNS), 1e3 * LIMIT, bench_verdict (most, NEAR));
}

#define HEAD "[network]\nscheme = esdirk4\ntolerance = 1e-6\nstep = 0.1 s\n"

static void
time_nanoseconds (void)
{
  static const Known known[] = { { "c1.voltage", 1, 4.998160603708942995 },
                                 { "c2.voltage", 1, 3.158764314489497104 } };

  time_circuit ("stiff-rc",
                HEAD "duration = 5 s\nsample = 0.1 s\nrecord = *.voltage\n"
                     "[voltage-source u]\nvoltage = 5 V\n"
                     "[resistor r1]\nresistance = 1 kohm\nbetween = u, c1\n"
                     "[capacitor c1]\ncapacitance = 1 pF\n"
                     "[resistor r2]\nresistance = 1 Mohm\nbetween = c1, c2\n"
                     "[capacitor c2]\ncapacitance = 1 uF\n",
                known, G_N_ELEMENTS (known));
}

static void
time_ladder (void)
{
  static const Known known[] = { { "c1.voltage", 1, 0.9033225438959 },
                                 { "c50.voltage", 10, 0.0128135165147 },
                                 { "c100.voltage", 100, 0.2168671359046 } };
  g_autoptr (GString) text = g_string_new (HEAD);

  g_string_append (text, "duration = 100 s\nsample = 1 s\n"
                         "record = c1.voltage, c50.voltage, c100.voltage\n"
                         "[voltage-source u]\nvoltage = 1 V\n");
  for (int i = 1; i <= 100; i++)
    g_string_append_printf (text,
                            "[resistor r%d]\nresistance = 1 kohm\nbetween = %s%.0d, c%d\n"
                            "[capacitor c%d]\ncapacitance = %.17g F\n",
                            i, i == 1 ? "u" : "c", i - 1, i, i,
                            pow (10, -12 + (double) ((i - 1) * 37 % 100) / 11));
  time_circuit ("stiff-ladder", text->str, known, G_N_ELEMENTS (known));
}

#define N_MASSES 100000

/* Masses of 1 kg on springs of 10 kN/m. */
static double
energy_of (const BenchEngine *engine)
{
  g_autofree double *x = g_new (double, N_MASSES), *v = g_new (double, N_MASSES);
  double sum = 0;

  bench_engine_state (engine, x, v);
  for (gsize i = 0; i < N_MASSES; i++)
    {
      const double stretch = x[i] - (i == 0 ? 0 : x[i - 1]);

      sum += 0.5 * v[i] * v[i] + 0.5e4 * stretch * stretch;
    }
  return sum;
}

static void
time_chain (void)
{
  static const char text[] = "[network]\nscheme = implicit\nstep = 10 ms\nduration = 1000 s\n"
                             "record = c.m1.position\n[ground wall]\n[chain c]\ncount = 100000\n"
                             "mass = 1 kg\nstiffness = 10 kN/m\nfrom = wall\n"
                             "velocity = 1 m/s, 0 m/s, -0.3 m/s\n";
  const guint64 steps = 50;
  const gsize probe = N_MASSES / 2;
  g_autofree char *path = g_strdup_printf ("%s/chain-implicit.ini", bench_folder);
  g_autoptr (GError) error = NULL;
  double seconds[RUNS], before, after;
  BenchNetwork *network;
  BenchEngine *engine;

  if (!bench_wants ("chain-implicit"))
    return;
  if (!g_file_set_contents (path, text, -1, &error))
    stop (error->message);
  network = bench_network_new (path, "c.m");
  engine = bench_engine_new (network, 1, &probe, 1, 64);
  bench_engine_run (engine, 1);
  before = energy_of (engine);
  for (guint r = 0; r < RUNS; r++)
    {
      seconds[r] = bench_clock ();
      bench_engine_run (engine, steps);
      seconds[r] = bench_clock () - seconds[r];
    }
  after = energy_of (engine);
  bench_report ("chain-implicit", 1e9 * bench_median (seconds, RUNS) / ((double) steps * N_MASSES),
                150, bench_verdict (fabs (after / before - 1), 1e-12));
  bench_engine_free (engine);
  bench_network_free (network);
}

void
bench_stiff (void)
{
  time_nanoseconds ();
  time_ladder ();
  time_chain ();
}
