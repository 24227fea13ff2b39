/* cases-events.c: rows of masses with gaps, which collide: against shorter rows, and against Siconos; large
 * chains with few events, against the same without
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "bench.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/run.h"

#define GAP         0.01 /* [m] */
#define RESTITUTION 0.9
/* Of the row beside Siconos', one mass in so many is hit, the last among them. */
#define HIT_EVERY 100

static void
stop (const GError *error)
{
  fprintf (stderr, "bench: %s\n", error->message);
  exit (1);
}

/* Masses of 1 kg between two walls; a hit gives 1 m/s toward the first wall to one in so many, the last
 * among them. */
static char *
row_file (guint count, guint hit_every, double step, double duration)
{
  g_autofree char *name = g_strdup_printf ("row-%u.ini", count);
  char *path = g_build_filename (bench_folder, name, NULL);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GError) error = NULL;

  g_string_append_printf (text,
                          "[network]\nformat = 1\nscheme = verlet\nstep = %.17g\n"
                          "duration = %.17g\nsample = %.17g\nrecord = m*.position\n"
                          "[ground w0]\n[ground w%u]\n",
                          step, duration, duration, count + 1);
  for (guint i = 1; i <= count; i++)
    g_string_append_printf (text, "[mass m%u]\nmass = 1\nvelocity = %d\n", i,
                            i % hit_every == 0 ? -1 : 0);
  for (guint i = 0; i <= count; i++)
    g_string_append_printf (
        text, "[impact c%u]\nbetween = %c%u, %c%u\ngap = %.17g\nrestitution = %.17g\n", i,
        i == 0 ? 'w' : 'm', i, i == count ? 'w' : 'm', i + 1, GAP, RESTITUTION);
  if (!g_file_set_contents (path, text->str, (gssize) text->len, &error))
    stop (error);
  return path;
}

typedef struct
{
  guint64 events;
  double seconds;
  double momentum_error, ledger_error; /* relative to the energy at the start */
  double *position;                    /* of the last row (count) */
  guint count, hits;
  gboolean reaches_wall; /* and gives it momentum */
} Row;

static gboolean
count_event (gpointer data, const IfbamEvent *event, GError **error)
{
  Row *row = data;

  (void) event;
  (void) error;
  row->events++;
  return TRUE;
}

static gboolean
keep_row (gpointer data, double time, const double *values, GError **error)
{
  Row *row = data;

  (void) time;
  (void) error;
  for (guint i = 0; i < row->count; i++)
    row->position[i] = values[i];
  return TRUE;
}

/* Times the run alone, not the reading. */
static void
run_row (Row *row, const char *path)
{
  IfbamRunTask run = {
    .threads = 1, .full_balance = TRUE, .event = count_event, .row = keep_row, .data = row
  };
  g_autoptr (IfbamModel) model = NULL;
  g_autoptr (IfbamSignals) signals = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamNetwork) network = ifbam_network_new_from_file (path, NULL, &error);
  const double hits = row->hits; /* momentum -hits kg m/s, energy hits/2 J */
  g_auto (IfbamRunSpec) spec = { 0 };
  double before;

  if (network != NULL)
    model = ifbam_network_compile_or_error (network, TRUE, &spec, &signals, &error);
  if (model == NULL)
    stop (error);
  row->events = 0;
  before = bench_clock ();
  if (!ifbam_run (&run, model, signals, &spec, &error))
    stop (error);
  row->seconds = bench_clock () - before;
  row->momentum_error = fabs (run.sums.momentum + hits) / hits;
  row->ledger_error =
      fabs (run.sums.kinetic + run.sums.potential + run.sums.dissipated - 0.5 * hits)
      / (0.5 * hits);
  if (!((row->reaches_wall || row->momentum_error <= 1e-12) && row->ledger_error <= 1e-12))
    bench_wrong ();
}

#define ROUNDS        5
#define ROW_DURATION  200.0
#define LEAST_EVENTS  50000 /* those that rest together are hit as one */
#define SICONOS_COUNT 1000
#define SICONOS_STEPS 500
#define SICONOS_STEP  1e-3

/* A hit at the end of a row. Behind the front the masses gather, and rest together in the end, where a
 * single hit is passed on by hundreds of links. */
static void
row_events (void)
{
  g_autofree char *long_path = row_file (10000, 10000, 1, ROW_DURATION);
  g_autofree char *short_path = row_file (100, 100, 1, ROW_DURATION);
  g_autofree double *position = g_new (double, 10000);
  Row many = { .count = 10000, .hits = 1, .position = position };
  Row few = { .count = 100, .hits = 1, .reaches_wall = TRUE, .position = position };
  double costs[ROUNDS], shares[ROUNDS];

  for (guint r = 0; r < ROUNDS; r++)
    {
      run_row (&few, short_path);
      run_row (&many, long_path);
      costs[r] = few.seconds / (double) few.events;
      shares[r] = many.seconds / (double) many.events;
    }
  if (many.events < LEAST_EVENTS)
    bench_wrong ();
  bench_report ("row-events", bench_median (shares, ROUNDS) * 1e6,
                bench_median (costs, ROUNDS) * 1e6,
                g_strdup_printf ("momentum %.2g, ledger %.2g, %" G_GUINT64_FORMAT
                                 " collisions; of 100 masses ledger %.2g, %" G_GUINT64_FORMAT,
                                 many.momentum_error, many.ledger_error, many.events,
                                 few.ledger_error, few.events));
}

/* Seconds of Siconos' loop, and where all are then (n); negative: it isn't there. Debian's Python: it is that which
 * knows Debian's package. */
static double
run_siconos (const char *format, guint n, double *position, ...)
{
  va_list arguments;
  g_autofree char *words = NULL, *command = NULL, *output = NULL, *chatter = NULL;
  g_autoptr (GError) error = NULL;
  char *end;
  double seconds;
  int status;

  va_start (arguments, position);
  words = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  command = g_strconcat ("/usr/bin/python3 tests/bench/", words, NULL);
  if (!g_spawn_command_line_sync (command, &output, &chatter, &status, &error))
    return -1;
  if (g_spawn_check_wait_status (status, &error))
    {
      seconds = g_ascii_strtod (output, &end);
      for (guint i = 0; i < n; i++)
        position[i] = g_ascii_strtod (end, &end);
      return seconds;
    }
  if (g_error_matches (error, G_SPAWN_EXIT_ERROR, 3))
    return -1;
  stop (error);
  return -1;
}

static double
run_siconos_row (double *position)
{
  return run_siconos ("row_siconos.py %d %d %.17g %.17g %.17g %d", SICONOS_COUNT, position,
                      SICONOS_COUNT, HIT_EVERY, GAP, RESTITUTION, SICONOS_STEP, SICONOS_STEPS);
}

static void
row_siconos (void)
{
  g_autofree char *path = NULL;
  double ours[ROUNDS], theirs[ROUNDS], position[SICONOS_COUNT], others[SICONOS_COUNT];
  const double body_steps = (double) SICONOS_COUNT * SICONOS_STEPS;
  double difference;
  Row row = { .count = SICONOS_COUNT, .hits = SICONOS_COUNT / HIT_EVERY, .position = position };

  if (run_siconos_row (others) < 0)
    {
      bench_skip ("row-siconos", "Siconos isn't there (make bench-deps)");
      return;
    }
  path = row_file (SICONOS_COUNT, HIT_EVERY, SICONOS_STEP, SICONOS_STEP * SICONOS_STEPS);
  run_row (&row, path);
  for (guint r = 0; r < ROUNDS; r++)
    {
      run_row (&row, path);
      ours[r] = row.seconds;
      theirs[r] = run_siconos_row (others);
    }
  difference = bench_difference (others, position, SICONOS_COUNT);
  /* Siconos' error is of the first order; in a step the fastest mass goes 0.03 of the largest. */
  if (!(difference <= 0.1))
    bench_wrong ();
  bench_report ("row-siconos", bench_median (ours, ROUNDS) / body_steps * 1e9,
                bench_median (theirs, ROUNDS) / body_steps * 1e9,
                g_strdup_printf ("momentum %.2g, ledger %.2g, %" G_GUINT64_FORMAT
                                 " collisions; positions differ by %.2g of the largest",
                                 row.momentum_error, row.ledger_error, row.events, difference));
}

/* A chain that is shaken at its end, with additions: `force` to its force, `more` to the network. */
static char *
shaken_file (const char *name, const char *force, const char *more)
{
  char *path = g_build_filename (bench_folder, name, NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *text = g_strdup_printf (
      "[network]\nformat = 1\nscheme = averaged\nstep = 0.1 ms\nduration = 2 s\nsample = 1 ms\n"
      "record = c.m1.position, c.m20000.position\n[ground w]\n[chain c]\ncount = 20000\n"
      "mass = 1\nstiffness = 10 kN/m\nfrom = w\n[force f]\non = c.m20000\namplitude = 100 N\n"
      "frequency = 8 Hz\n%s%s",
      force, more);

  if (!g_file_set_contents (path, text, -1, &error))
    stop (error);
  return path;
}

/* Returns the seconds of a run up to a step; stores its last row and its number of impacts. */
static double
time_shaken (const char *path, guint64 last, gboolean by_events, Row *row)
{
  IfbamRunTask run = {
    .threads = 1, .by_events = by_events, .event = count_event, .row = keep_row, .data = row
  };
  g_autoptr (IfbamModel) model = NULL;
  g_autoptr (IfbamSignals) signals = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamNetwork) network = ifbam_network_new_from_file (path, NULL, &error);
  g_auto (IfbamRunSpec) spec = { 0 };
  double before;

  if (network != NULL)
    model = ifbam_network_compile_or_error (network, TRUE, &spec, &signals, &error);
  if (model == NULL)
    stop (error);
  if (last > 0)
    spec.last_step = last;
  row->events = 0;
  before = bench_clock ();
  if (!ifbam_run (&run, model, signals, &spec, &error))
    stop (error);
  return bench_clock () - before;
}

#define HEAP_ROWS   10
#define HEAP_BALLS  (HEAP_ROWS * HEAP_ROWS)
#define HEAP_RADIUS 0.05
#define HEAP_STEP   1e-3
#define HEAP_STEPS  20

/* Balls of 1 kg in rows of so many, each in the hollows of the row below; places: x and y of all. */
static char *
heap_file (double *places)
{
  char *path = g_build_filename (bench_folder, "heap.ini", NULL);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GError) error = NULL;

  g_string_append_printf (text,
                          "[network]\nformat = 1\nscheme = rk4\nstep = %.17g\nduration = %.17g\n"
                          "sample = %.17g\nrecord = ",
                          HEAP_STEP, HEAP_STEP * HEAP_STEPS, HEAP_STEP * HEAP_STEPS);
  for (guint i = 0; i < HEAP_BALLS; i++)
    g_string_append_printf (text, "%sb%u.x, b%u.y", i == 0 ? "" : ", ", i, i);
  g_string_append (text, "\n[surface g]\n[gravity w]\non = b0");
  for (guint i = 1; i < HEAP_BALLS; i++)
    g_string_append_printf (text, ", b%u", i);
  for (guint i = 0; i < HEAP_BALLS; i++)
    {
      double *place = places + 2 * (gsize) i;

      place[0] = HEAP_RADIUS * (2 * (i % HEAP_ROWS) + i / HEAP_ROWS % 2);
      place[1] = HEAP_RADIUS + i / HEAP_ROWS * sqrt (3) * HEAP_RADIUS;
      g_string_append_printf (text,
                              "\n[ball b%u]\nmass = 1\nradius = %.17g\nx = %.17g\ny = %.17g\n"
                              "[bounce f%u]\nrestitution = 0.5\nbetween = b%u, g\n",
                              i, HEAP_RADIUS, place[0], place[1], i, i);
      for (guint j = 0; j < i; j++)
        if (hypot (place[0] - places[2 * j], place[1] - places[2 * j + 1]) < 4 * HEAP_RADIUS)
          g_string_append_printf (text, "[bounce h%u-%u]\nrestitution = 0.5\nbetween = b%u, b%u\n",
                                  i, j, j, i);
    }
  if (!g_file_set_contents (path, text->str, (gssize) text->len, &error))
    stop (error);
  return path;
}

#define HEAP_LIMIT 0.5 /* s */

/* The same with friction: which of some hundred contacts hold, stick and slip is found at once. */
static void
heap_friction (void)
{
  double start[2 * HEAP_BALLS], position[2 * HEAP_BALLS], ours[ROUNDS];
  g_autofree char *path = heap_file (start);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *plain = NULL;
  Row row = { .count = 2 * HEAP_BALLS, .position = position };

  if (!g_file_get_contents (path, &plain, NULL, &error))
    stop (error);
  g_string_append (text, plain);
  g_string_replace (text, "restitution = 0.5", "restitution = 0.5\nfriction = 0.3", 0);
  if (!g_file_set_contents (path, text->str, (gssize) text->len, &error))
    stop (error);
  for (guint r = 0; r < ROUNDS; r++)
    ours[r] = time_shaken (path, 0, TRUE, &row);
  /* None sinks into the ground. */
  for (guint i = 0; i < HEAP_BALLS; i++)
    if (!(position[2 * i + 1] > HEAP_RADIUS * (1 - 1e-9)))
      bench_wrong ();
  bench_report ("heap-friction", bench_median (ours, ROUNDS), HEAP_LIMIT,
                g_strdup_printf ("%" G_GUINT64_FORMAT " events", row.events));
}

/* A heap that begins to slide apart. */
static void
heap_siconos (void)
{
  double start[2 * HEAP_BALLS], position[2 * HEAP_BALLS], others[2 * HEAP_BALLS];
  double ours[ROUNDS], theirs[ROUNDS], difference;
  g_autofree char *path = heap_file (start);
  Row row = { .count = 2 * HEAP_BALLS, .position = position };

  for (guint r = 0; r < ROUNDS; r++)
    {
      ours[r] = time_shaken (path, 0, TRUE, &row);
      theirs[r] = run_siconos ("heap_siconos.py %d %.17g 0.5 %.17g %d", 2 * HEAP_BALLS, others,
                               HEAP_ROWS, HEAP_RADIUS, HEAP_STEP, HEAP_STEPS);
      if (theirs[r] < 0)
        {
          bench_skip ("heap-siconos", "Siconos isn't there (make bench-deps)");
          return;
        }
    }
  for (guint i = 0; i < 2 * HEAP_BALLS; i++)
    {
      position[i] -= start[i];
      others[i] -= start[i];
    }
  difference = bench_difference (others, position, 2 * HEAP_BALLS);
  /* Siconos' error is of the first order: 0.15 with this step, 0.02 with a tenth of it. */
  if (!(difference <= 0.2))
    bench_wrong ();
  bench_report ("heap-siconos", bench_median (ours, ROUNDS), bench_median (theirs, ROUNDS),
                g_strdup_printf ("ways differ by %.2g of the longest", difference));
}

#define SHAKEN_ROUNDS 9
#define SHAKEN_FIRST  10   /* step of the first row: time of the start */
#define SHAKEN_CHECK  1000 /* so far both ways are compared */

/* The start is subtracted. */
static double
shaken_seconds (const char *path, Row *row)
{
  const double first = time_shaken (path, SHAKEN_FIRST, FALSE, row);

  return time_shaken (path, 0, FALSE, row) - first;
}

/* A few events among 20,000 masses and as many steps. */
static void
shaken (const char *name, const char *force, const char *more, guint64 least_events)
{
  g_autofree char *file = g_strdup_printf ("%s.ini", name);
  g_autofree char *plain = shaken_file ("shaken.ini", "", "");
  g_autofree char *path = shaken_file (file, force, more);
  double ours[SHAKEN_ROUNDS], theirs[SHAKEN_ROUNDS], position[2], others[2];
  Row row = { .count = 2, .position = position }, by_events = { .count = 2, .position = others };

  time_shaken (path, SHAKEN_CHECK, FALSE, &row);
  time_shaken (path, SHAKEN_CHECK, TRUE, &by_events);
  if (memcmp (position, others, sizeof position) != 0)
    bench_wrong ();
  for (guint r = 0; r < SHAKEN_ROUNDS; r++)
    {
      theirs[r] = shaken_seconds (plain, &by_events);
      ours[r] = shaken_seconds (path, &row);
    }
  if (row.events < least_events)
    bench_wrong ();
  bench_report (
      name, bench_median (ours, SHAKEN_ROUNDS), bench_median (theirs, SHAKEN_ROUNDS),
      g_strdup_printf ("%" G_GUINT64_FORMAT " events; bit-equal to events alone", row.events));
}

void
bench_events (void)
{
  if (bench_wants ("chain-end"))
    shaken ("chain-end", "end = 5 ms\n", "", 0);
  if (bench_wants ("chain-stop"))
    shaken ("chain-stop", "",
            "[impact stop]\ngap = 1 mm\nrestitution = 0.9\nbetween = c.m20000, w\n", 10);
  if (bench_wants ("chain-beside"))
    shaken ("chain-beside", "",
            "[drive d]\namplitude = 2 mm\nfrequency = 2\n[mass s]\nmass = 1\n[spring k]\n"
            "stiffness = 50\nbetween = s, d\n[friction r]\nbetween = s, w\nbreakaway = 0.02\n"
            "coulomb = 0.01\n",
            4);
  if (bench_wants ("row-events"))
    row_events ();
  if (bench_wants ("row-siconos"))
    row_siconos ();
  if (bench_wants ("heap-friction"))
    heap_friction ();
  if (bench_wants ("heap-siconos"))
    heap_siconos ();
}
