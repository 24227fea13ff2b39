/* bench.c: benchmarks against hand-written loops and other programs, each measured in the same run
 *
 *   bench [--folder F] [--results F] [--commit C] [CASE]...   CASE: a case, or the beginning of some
 *   bench --list                                              all cases
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "bench.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct
{
  const char *name;
  const char *work;
  const char *yardstick;
  const char *unit;
  gboolean cost;    /* less is better */
  double wanted;    /* ratio; 0: nothing was promised */
  gboolean on_call; /* only if it is named in full */
} Case;

#define MASS_STEPS "million mass-steps/s"
#define LINK_STEPS "million link-steps/s"

static const Case cases[] = {
  { "chain-1e6-tiled", "chain of 10^6, averaged", "hand-written tiled loop", MASS_STEPS, FALSE,
    0.75, FALSE },
  { "chain-1e6-two-pass", "chain of 10^6, averaged", "hand-written two-pass loop", MASS_STEPS,
    FALSE, 3, FALSE },
  { "chain-1e6-threads", "chain of 10^6, two threads", "one thread", MASS_STEPS, FALSE, 1.7,
    FALSE },
  { "chain-1e7-tiled", "chain of 10^7, averaged", "hand-written tiled loop", MASS_STEPS, FALSE,
    0.75, FALSE },
  { "chain-1e7-two-pass", "chain of 10^7, averaged", "hand-written two-pass loop", MASS_STEPS,
    FALSE, 5, FALSE },
  { "chain-1e7-threads", "chain of 10^7, two threads", "one thread", MASS_STEPS, FALSE, 1.7,
    FALSE },
  { "lammps-1e6", "chain of 10^6, verlet", "LAMMPS", MASS_STEPS, FALSE, 10, FALSE },
  { "lammps-1e7", "chain of 10^7, verlet", "LAMMPS", MASS_STEPS, FALSE, 10, TRUE },
  { "membrane", "membrane 1000 x 1000", "the faster of CSR and scatter loops", MASS_STEPS, FALSE, 2,
    FALSE },
  { "random-graph", "random graph, 10^6 links", "hand-written CSR loop", LINK_STEPS, FALSE, 1.2,
    FALSE },
  { "chain-100", "chain of 100", "hand-vectorised loop", "ns/step", TRUE, 0.6, FALSE },
  { "two-dof", "two-dof", "hand-written loop", "ns/step", TRUE, 0.4, FALSE },
  { "c-two-dof", "two-dof as C", "hand-written loop", "ns/step", TRUE, 1, FALSE },
  { "c-three-dof", "three-dof as C", "hand-written loop", "ns/step", TRUE, 1, FALSE },
  { "c-chain-100", "chain of 100 as C", "hand-vectorised loop", "ns/step", TRUE, 0.952, FALSE },
  { "double-pendulum", "double pendulum, rk4", "hand-written loop", "ns/step", TRUE, 0.125, FALSE },
  { "sweep-three-dof", "10,000 variants of three-dof, one thread", "plan, one after another",
    "ns/step", TRUE, 5, FALSE },
  { "sweep-threads", "10,000 variants of three-dof, two threads", "plan, one after another",
    "ns/step", TRUE, 5, FALSE },
  { "odeint-chain-100", "chain of 100, verlet", "Boost.odeint", "ns/step", TRUE, 0, FALSE },
  { "odeint-two-dof", "two-dof, verlet", "Boost.odeint", "ns/step", TRUE, 0, FALSE },
  { "ngspice-ladder", "LC ladder of 1000, same error", "ngspice", "s", TRUE, 50, FALSE },
  { "ngspice-bridge", "bridge rectifier, 60 ms", "ngspice", "s", TRUE, 0, FALSE },
  { "ngspice-zener", "Zener diode that clips, 40 ms", "ngspice", "s", TRUE, 0, FALSE },
  { "ngspice-buck", "buck converter, 100 pulses", "ngspice", "s", TRUE, 0, FALSE },
  { "ngspice-feedback", "buck converter that watches its coil, 1.5 ms", "ngspice", "s", TRUE, 0,
    FALSE },
  { "ngspice-colpitts", "Colpitts oscillator, 6 ms", "ngspice", "s", TRUE, 0, FALSE },
  { "ngspice-relay", "relay oscillator, 12 ms", "ngspice", "s", TRUE, 0, FALSE },
  { "stiff-rc", "RC of 1 ns beside 1 s, for 5 s", "limit", "ms", TRUE, 1, FALSE },
  { "stiff-ladder", "RC ladder of 100 over nine decades, for 100 s", "limit", "ms", TRUE, 1,
    FALSE },
  { "chain-implicit", "chain of 10^5, implicit", "limit", "ns per mass and step", TRUE, 1, FALSE },
  { "rods-1000", "pendulum of 1000 rods", "of 10", "ns per rod and step", TRUE, 0.667, FALSE },
  { "rods-1e5", "pendulum of 10^5 rods", "of 10", "ns per rod and step", TRUE, 0.667, FALSE },
  { "rope-1e4", "rope of 10^4 links", "of 100", "ns per link and step", TRUE, 0.333, FALSE },
  { "ball-ida", "ball that bounces in air, 20 s, same error", "SUNDIALS IDA", "ms", TRUE, 5,
    FALSE },
  { "ball-cvode", "ball that bounces in air, 20 s, same error", "SUNDIALS CVODE", "ms", TRUE, 0,
    FALSE },
  { "row-events", "row of 10^4 that collides", "row of 100", "us/event", TRUE, 0.5, FALSE },
  { "row-siconos", "row of 1000 that collides", "Siconos", "ns/body-step", TRUE, 20, FALSE },
  { "heap-friction", "heap of 100 balls with friction, 20 steps", "limit", "s", TRUE, 1, FALSE },
  { "heap-siconos", "heap of 100 balls that slides apart, 20 steps", "Siconos", "s", TRUE, 20,
    FALSE },
  { "chain-end", "chain of 20,000 whose force ends, 2 s", "the same without an end", "s", TRUE,
    0.83, FALSE },
  { "chain-stop", "chain of 20,000 that hits a stop", "the same without a stop", "s", TRUE, 0.5,
    FALSE },
  { "chain-beside", "chain of 20,000 beside a block that sticks and slips", "the same alone", "s",
    TRUE, 0.7, FALSE },
  { "modes-chain-1e6", "lowest 20 modes, chain of 10^6", "SciPy's ARPACK", "s", TRUE, 1, FALSE },
  { "modes-membrane", "10 modes near 1 Hz, membrane 300 x 300", "SciPy's ARPACK", "s", TRUE, 0,
    FALSE },
  { "memory-chain", "memory, chain of 10^7", "limit", "bytes per mass and spring", TRUE, 1, FALSE },
  { "start-chain", "chain of 10^7, to the first cycle", "limit", "s", TRUE, 1, FALSE },
  { "start-explicit", "file of 10^6 masses, to the first cycle", "limit", "s", TRUE, 1, FALSE },
  { "checkpoint", "checkpoint, chain of 10^7", "1 % of ten minutes", "s", TRUE, 1, FALSE },
  { "checkpoint-size", "checkpoint, chain of 10^7", "limit", "bytes per mass", TRUE, 0.999, FALSE },
  { "rows", "10^7 rows of 10 signals to HDF5", "to CSV", "s of CPU time", TRUE, 5, FALSE },
  { "rows-elapsed", "10^7 rows of 10 signals to HDF5, onto the disk", "to CSV", "s", TRUE, 0,
    FALSE },
  { "rows-size", "10^7 rows of 10 signals in HDF5", "in CSV", "bytes per row", TRUE, 0, FALSE },
  { "memory-explicit", "memory, file of 10^6 masses", "limit", "GB", TRUE, 1, FALSE },
};

const char *bench_folder = "build/bench";

static char *results_folder, *commit;
static char **chosen; /* NULL: all */
static gboolean wrong;

static const Case *
find_case (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    if (strcmp (cases[i].name, name) == 0)
      return &cases[i];
  g_error ("no case %s", name);
}

static gboolean
word_matches (const char *word, const char *name)
{
  gsize length = strlen (word);

  return strncmp (word, name, length) == 0 && (name[length] == '\0' || name[length] == '-');
}

gboolean
bench_wants (const char *name)
{
  const Case *this = find_case (name);

  if (chosen == NULL || chosen[0] == NULL)
    return !this->on_call;
  for (guint i = 0; chosen[i] != NULL; i++)
    if (this->on_call ? strcmp (chosen[i], name) == 0 : word_matches (chosen[i], name))
      return TRUE;
  return FALSE;
}

double
bench_clock (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return (double) now.tv_sec + 1e-9 * (double) now.tv_nsec;
}

static int
compare_doubles (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

double
bench_median (double *values, guint n)
{
  qsort (values, n, sizeof *values, compare_doubles);
  return n % 2 ? values[n / 2] : 0.5 * (values[n / 2 - 1] + values[n / 2]);
}

void
bench_contest (BenchSide *sides, guint n_sides, guint64 steps, guint rounds)
{
  g_autofree double *seconds = g_new (double, n_sides *rounds);

  for (guint s = 0; s < n_sides; s++)
    sides[s].run (sides[s].data, steps);
  for (guint r = 0; r < rounds; r++)
    for (guint s = 0; s < n_sides; s++)
      {
        double before = bench_clock ();

        sides[s].run (sides[s].data, steps);
        seconds[s * rounds + r] = bench_clock () - before;
      }
  for (guint s = 0; s < n_sides; s++)
    sides[s].seconds = bench_median (seconds + s * rounds, rounds);
}

double
bench_difference (const double *a, const double *b, gsize n)
{
  double most = 0, largest = 0;

  for (gsize i = 0; i < n; i++)
    {
      if (!isfinite (a[i]) || !isfinite (b[i]))
        return INFINITY;
      most = MAX (most, fabs (a[i] - b[i]));
      largest = MAX (largest, fabs (b[i]));
    }
  /* 0.0 and -0.0 are no different, but not the same. */
  if (most == 0)
    return memcmp (a, b, n * sizeof *a) == 0 ? 0 : G_MINDOUBLE;
  return most / largest;
}

char *
bench_verdict (double difference, double tolerance)
{
  if (difference == 0)
    return g_strdup ("bit-equal");
  if (difference <= tolerance)
    return g_strdup_printf ("equal to %.1g", difference);
  bench_wrong ();
  return g_strdup_printf ("NOT THE SAME: %.3g", difference);
}

void
bench_wrong (void)
{
  wrong = TRUE;
}

/* Machine */

static char *
cpu_name (void)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;

  if (g_file_get_contents ("/proc/cpuinfo", &text, NULL, NULL))
    lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines != NULL && lines[i] != NULL; i++)
    if (g_str_has_prefix (lines[i], "model name") && strchr (lines[i], ':') != NULL)
      {
        GString *name = g_string_new (strchr (lines[i], ':') + 1);

        g_string_replace (name, "(R)", "", 0);
        g_string_replace (name, "(TM)", "", 0);
        g_string_replace (name, ",", " ", 0);
        g_strstrip (name->str);
        return g_string_free (name, FALSE);
      }
  return g_strdup ("unknown");
}

/* "intel-xeon-processor" */
static char *
file_name (const char *machine)
{
  GString *name = g_string_new (NULL);

  for (const char *c = machine; *c != '\0'; c++)
    if (g_ascii_isalnum (*c) || *c == '.')
      g_string_append_c (name, g_ascii_tolower (*c));
    else if (name->len > 0 && name->str[name->len - 1] != '-')
      g_string_append_c (name, '-');
  while (name->len > 0 && name->str[name->len - 1] == '-')
    g_string_truncate (name, name->len - 1);
  return g_string_free (name, FALSE);
}

static void
keep_result (const Case *this, double ours, double yardstick, double ratio)
{
  g_autofree char *machine = cpu_name ();
  g_autofree char *base = file_name (machine);
  g_autofree char *name = g_strconcat (base, ".csv", NULL);
  g_autofree char *path = NULL;
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();
  g_autofree char *date = g_date_time_format (now, "%FT%TZ");
  FILE *file;

  if (results_folder == NULL)
    return;
  path = g_build_filename (results_folder, name, NULL);
  g_mkdir_with_parents (results_folder, 0777);
  file = fopen (path, "a");
  if (file == NULL)
    {
      fprintf (stderr, "bench: %s: %s\n", path, g_strerror (errno));
      bench_wrong ();
      return;
    }
  fseek (file, 0, SEEK_END);
  if (ftell (file) == 0)
    fputs ("date,machine,commit,case,ours,yardstick,unit,ratio\n", file);
  fprintf (file, "%s,%s,%s,%s,%.4g,%.4g,%s,%.4g\n", date, machine,
           commit != NULL ? commit : "unknown", this->name, ours, yardstick, this->unit, ratio);
  fclose (file);
}

#define ROW "%-19s %10s %10s %8s %7s  %-25s %s\n"

static void
print_head (void)
{
  double load;

  if (getloadavg (&load, 1) == 1 && load > 0.5)
    printf ("This machine has other work (load %.2f): the figures will be too low.\n", load);
  printf (ROW, "case", "ours", "yardstick", "ratio", "wanted", "unit", "errors");
}

void
bench_report (const char *name, double ours, double yardstick, char *errors)
{
  const Case *this = find_case (name);
  double ratio = this->cost ? yardstick / ours : ours / yardstick;
  char text[4][32];

  g_snprintf (text[0], sizeof text[0], "%.4g", ours);
  g_snprintf (text[1], sizeof text[1], "%.4g", yardstick);
  g_snprintf (text[2], sizeof text[2], "%.3g", ratio);
  if (this->wanted > 0)
    g_snprintf (text[3], sizeof text[3], "%s%.3g", ratio < this->wanted ? "! " : "", this->wanted);
  else
    g_strlcpy (text[3], "-", sizeof text[3]);
  printf (ROW, name, text[0], text[1], text[2], text[3], this->unit, errors);
  fflush (stdout);
  keep_result (this, ours, yardstick, ratio);
  g_free (errors);
}

void
bench_skip (const char *name, const char *reason)
{
  printf (ROW, name, "-", "-", "-", "-", "-", reason);
  fflush (stdout);
}

static void
list_cases (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    printf ("%s\t%s\t%s\t%s\t%g\n", cases[i].name, cases[i].work, cases[i].yardstick, cases[i].unit,
            cases[i].wanted);
}

static int
check_words (void)
{
  for (guint i = 0; chosen != NULL && chosen[i] != NULL; i++)
    {
      gboolean known = FALSE;

      for (guint c = 0; c < G_N_ELEMENTS (cases); c++)
        known |= word_matches (chosen[i], cases[c].name);
      if (!known)
        {
          fprintf (stderr, "bench: no case \"%s\" (see --list)\n", chosen[i]);
          return 2;
        }
    }
  return 0;
}

int
main (int argc, char **argv)
{
  gboolean list = FALSE;
  g_autofree char *folder = NULL, *child = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GOptionContext) context = g_option_context_new ("[CASE]...");
  const GOptionEntry entries[] = {
    { "list", 0, 0, G_OPTION_ARG_NONE, &list, "Print the cases", NULL },
    { "folder", 0, 0, G_OPTION_ARG_FILENAME, &folder, "For generated files", "FOLDER" },
    { "results", 0, 0, G_OPTION_ARG_FILENAME, &results_folder, "For results", "FOLDER" },
    { "commit", 0, 0, G_OPTION_ARG_STRING, &commit, "What is measured", "COMMIT" },
    { "child", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_FILENAME, &child, NULL, NULL },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_STRING_ARRAY, &chosen, NULL, NULL },
    { NULL, 0, 0, 0, NULL, NULL, NULL },
  };
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);

  g_option_context_add_main_entries (context, entries, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error))
    {
      fprintf (stderr, "bench: %s\n", error->message);
      return 2;
    }
  if (list)
    {
      list_cases ();
      return 0;
    }
  if (child != NULL)
    return bench_assembly_child (child);
  if (check_words () != 0)
    return 2;
  if (folder != NULL)
    bench_folder = folder;
  g_mkdir_with_parents (bench_folder, 0777);
  print_head ();
  bench_small ();
  bench_generated ();
  bench_sweep ();
  bench_chains ();
  bench_graphs ();
  bench_lammps ();
  bench_ngspice ();
  bench_circuits ();
  bench_stiff ();
  bench_mechanisms ();
  bench_ball ();
  bench_events ();
  bench_modes ();
  bench_checkpoint ();
  bench_rows ();
  bench_assembly (program);
  return wrong ? 1 : 0;
}
