/* cases-mechanisms.c: costs of a rod, and of a rope's link, among many and among few
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "embed/ifbam.h"

#define ROUNDS 5
#define WORK   300000 /* rods or links times steps */

/* The last line is completed by their number; the first two signals are the place of the first of them. */
#define RODS                                                                                       \
  "record = c.m1.x, c.m1.y\n[gravity g]\non = c\n[point pivot]\n"                                  \
  "[chain c]\nmass = 0.1\nrods = 0.1\nfrom = pivot\ndirection = 0 deg\ncount"
#define ROPE                                                                                       \
  "record = r.m1.x, r.m1.y\n[gravity g]\non = r\n[point left]\n[point right]\nx = 10\ny = 1\n"     \
  "[rope r]\nlength = 12\ndensity = 0.5\nbetween = left, right\nlinks"

/* Returns seconds of steps of 0.01 ms, reading included; stores the first node's final distance from the origin. */
static double
seconds_of (const char *text, guint n, guint n_steps, double *distance)
{
  g_autofree char *path = g_strdup_printf ("%s/mechanism.ini", bench_folder);
  g_autofree char *file = g_strdup_printf ("[network]\nscheme = verlet\nstep = 0.01 ms\n"
                                           "duration = %u us\nsample = %u us\n%s = %u\n",
                                           10 * n_steps, 10 * n_steps, text, n);
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamNetwork) network = NULL;
  g_autoptr (IfbamCourse) course = NULL;
  const char *const *signals;
  double seconds, place[2];

  if (g_file_set_contents (path, file, -1, &error))
    network = ifbam_network_new_from_file (path, NULL, &error);
  seconds = -bench_clock ();
  if (network != NULL)
    course = ifbam_network_run (network, IFBAM_ENGINE_PLAN, &error);
  if (course == NULL)
    {
      fprintf (stderr, "bench: %s\n", error->message);
      exit (1);
    }
  seconds += bench_clock ();
  signals = ifbam_course_get_signals (course);
  for (guint i = 0; i < 2; i++)
    {
      gsize n_rows;
      const double *values = ifbam_course_get_values (course, signals[i], &n_rows, NULL);

      place[i] = values[n_rows - 1];
    }
  *distance = hypot (place[0], place[1]);
  return seconds;
}

/* Returns the cost of one of them in a step [ns]: from twice the steps and once, without reading and assembly. */
static double
cost_of (const char *text, guint n, double *distance)
{
  const guint n_steps = WORK / n;
  const double once = seconds_of (text, n, n_steps, distance);

  return 1e9 * (seconds_of (text, n, 2 * n_steps, distance) - once) / ((double) n * n_steps);
}

static void
among_many (const char *name, const char *text, guint few, guint many, double length)
{
  double costs[2][ROUNDS], distance[2], off = 0;

  if (!bench_wants (name))
    return;
  for (guint r = 0; r < ROUNDS; r++)
    {
      costs[0][r] = cost_of (text, few, &distance[0]);
      costs[1][r] = cost_of (text, many, &distance[1]);
      for (guint k = 0; k < 2; k++)
        off = fmax (off, length > 0 ? fabs (distance[k] / length - 1) : isnan (distance[k]));
    }
  bench_report (name, bench_median (costs[1], ROUNDS), bench_median (costs[0], ROUNDS),
                length > 0 ? bench_verdict (off, 1e-13) : g_strdup ("-"));
}

void
bench_mechanisms (void)
{
  among_many ("rods-1000", RODS, 10, 1000, 0.1);
  among_many ("rods-1e5", RODS, 10, 100000, 0.1);
  among_many ("rope-1e4", ROPE, 100, 10000, 0);
}
