/* cases-peers.c: against programs that others use for such networks; each with its error at the end
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "bench.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void
stop (const char *text)
{
  fprintf (stderr, "bench: %s\n", text);
  exit (1);
}

static FILE *
open_or_stop (const char *path, const char *mode)
{
  FILE *file = fopen (path, mode);

  if (file == NULL)
    {
      perror (path);
      exit (1);
    }
  return file;
}

/* LAMMPS: a chain without walls along x. Atoms are SPACING apart where bonds are relaxed: more than
 * they move, and little enough that far coordinates keep their digits. */

#define SPACING      (1.0 / 128)
#define LAMMPS_STEP  1e-3
#define LAMMPS_FINER 8 /* steps of the reference in one step */

static char *
lammps_data (gsize n)
{
  g_autofree char *name = g_strdup_printf ("chain-%" G_GSIZE_FORMAT ".data", n);
  char *path = g_build_filename (bench_folder, name, NULL);
  g_autofree char *beside = g_strconcat (path, ".new", NULL);
  FILE *file;

  if (g_file_test (path, G_FILE_TEST_EXISTS))
    return path;
  file = open_or_stop (beside, "w");
  fprintf (file,
           "chain\n\n%" G_GSIZE_FORMAT " atoms\n%" G_GSIZE_FORMAT " bonds\n%d atom types\n"
           "%d bond types\n\n%.17g %.17g xlo xhi\n-0.5 0.5 ylo yhi\n-0.5 0.5 zlo zhi\n\nMasses\n\n",
           n, n - 1, BENCH_N_MASSES, BENCH_N_STIFFNESSES, -10 * SPACING,
           ((double) n + 10) * SPACING);
  for (int i = 0; i < BENCH_N_MASSES; i++)
    fprintf (file, "%d %.17g\n", i + 1, bench_mass[i]);
  fputs ("\nAtoms\n\n", file);
  for (gsize i = 0; i < n; i++)
    fprintf (file, "%" G_GSIZE_FORMAT " 1 %d %.17g 0 0\n", i + 1, (int) (i % BENCH_N_MASSES) + 1,
             (double) i * SPACING + bench_start[i % BENCH_N_STARTS]);
  fputs ("\nBonds\n\n", file);
  for (gsize i = 0; i + 1 < n; i++)
    fprintf (file, "%" G_GSIZE_FORMAT " %d %" G_GSIZE_FORMAT " %" G_GSIZE_FORMAT "\n", i + 1,
             (int) (i % BENCH_N_STIFFNESSES) + 1, i + 1, i + 2);
  if (ferror (file) || fclose (file) != 0 || rename (beside, path) != 0)
    stop ("cannot write LAMMPS' data");
  return path;
}

typedef struct
{
  FILE *to, *from;
  GPid pid;
} Lammps;

static gboolean
lammps_start (Lammps *lammps, gsize n)
{
  /* Line by line, so that its loop time is heard while it waits for the next command. */
  const char *argv[] = { "stdbuf", "-oL", "lmp", "-log", "none", NULL };
  g_autofree char *data = NULL, *program = g_find_program_in_path ("lmp");
  g_auto (GStrv) environment = g_environ_setenv (g_get_environ (), "OMP_NUM_THREADS", "1", TRUE);
  int to, from;

  if (program == NULL)
    return FALSE;
  data = lammps_data (n);
  if (!g_spawn_async_with_pipes (NULL, (char **) argv, environment,
                                 G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL,
                                 &lammps->pid, &to, &from, NULL, NULL))
    return FALSE;
  lammps->to = fdopen (to, "w");
  lammps->from = fdopen (from, "r");
  /* What a bond doesn't need is off: no pairs, no sorting, no new lists of neighbours. */
  fprintf (lammps->to,
           "units lj\nboundary f f f\natom_style bond\natom_modify map array sort 0 0\n"
           "comm_modify cutoff %.17g\nbond_style harmonic\nread_data %s\n",
           4 * SPACING, data);
  for (int i = 0; i < BENCH_N_STIFFNESSES; i++)
    fprintf (lammps->to, "bond_coeff %d %.17g %.17g\n", i + 1, 0.5 * bench_stiffness[i], SPACING);
  fprintf (lammps->to, "neigh_modify once yes\ntimestep %.17g\nfix 1 all nve\nthermo 0\n",
           LAMMPS_STEP);
  return TRUE;
}

/* Returns the seconds of LAMMPS' own loop. */
static double
lammps_run (Lammps *lammps, guint64 steps)
{
  char line[1024];
  double seconds;

  fprintf (lammps->to, "run %" G_GUINT64_FORMAT "\n", steps);
  fflush (lammps->to);
  while (fgets (line, sizeof line, lammps->from) != NULL)
    {
      if (sscanf (line, "Loop time of %lf on 1 procs", &seconds) == 1)
        return seconds;
      if (g_str_has_prefix (line, "ERROR"))
        stop (line);
    }
  stop ("LAMMPS stopped");
  return 0;
}

/* Displacements of count atoms, from number first on. */
static void
lammps_end (Lammps *lammps, gsize first, gsize count, double *position)
{
  g_autofree char *path = g_build_filename (bench_folder, "lammps.dump", NULL);
  char line[1024];
  gsize n = 0;
  FILE *file;

  fprintf (lammps->to,
           "group some id %" G_GSIZE_FORMAT ":%" G_GSIZE_FORMAT "\n"
           "write_dump some custom %s id x modify sort id format float %%.17g\nquit\n",
           first + 1, first + count, path);
  fclose (lammps->to);
  while (fgets (line, sizeof line, lammps->from) != NULL)
    ;
  fclose (lammps->from);
  g_spawn_close_pid (lammps->pid);
  file = open_or_stop (path, "r");
  while (n < count && fgets (line, sizeof line, file) != NULL)
    {
      gsize id;
      double x;

      if (sscanf (line, "%" G_GSIZE_FORMAT " %lf", &id, &x) == 2 && id == first + n + 1)
        {
          position[n] = x - (double) (first + n) * SPACING;
          n++;
        }
    }
  fclose (file);
  if (n != count)
    stop ("cannot read what LAMMPS wrote");
}

/* Accelerations of a chain that repeats for ever. */
static void
lattice (const double *x, double *a)
{
  for (gsize i = 0; i < BENCH_PERIOD; i++)
    {
      gsize before = (i + BENCH_PERIOD - 1) % BENCH_PERIOD, after = (i + 1) % BENCH_PERIOD;

      a[i] = (bench_stiffness[before % BENCH_N_STIFFNESSES] * (x[before] - x[i])
              - bench_stiffness[i % BENCH_N_STIFFNESSES] * (x[i] - x[after]))
             / bench_mass[i % BENCH_N_MASSES];
    }
}

/* Far from its ends the chain is one that repeats; Runge and Kutta, fine steps. */
static void
lattice_reference (guint64 steps, double *x)
{
  const double h = LAMMPS_STEP / LAMMPS_FINER;
  g_autofree double *block = g_new0 (double, 6 * BENCH_PERIOD);
  double *v = block, *y = block + BENCH_PERIOD;
  double *a[4] = { y + BENCH_PERIOD, y + 2 * BENCH_PERIOD, y + 3 * BENCH_PERIOD,
                   y + 4 * BENCH_PERIOD };

  for (gsize i = 0; i < BENCH_PERIOD; i++)
    x[i] = bench_start[i % BENCH_N_STARTS];
  for (guint64 t = 0; t < LAMMPS_FINER * steps; t++)
    {
      lattice (x, a[0]);
      for (gsize i = 0; i < BENCH_PERIOD; i++)
        y[i] = x[i] + 0.5 * h * v[i];
      lattice (y, a[1]);
      for (gsize i = 0; i < BENCH_PERIOD; i++)
        y[i] = x[i] + 0.5 * h * (v[i] + 0.5 * h * a[0][i]);
      lattice (y, a[2]);
      for (gsize i = 0; i < BENCH_PERIOD; i++)
        y[i] = x[i] + h * (v[i] + 0.5 * h * a[1][i]);
      lattice (y, a[3]);
      for (gsize i = 0; i < BENCH_PERIOD; i++)
        {
          x[i] += h * v[i] + h * h / 6 * (a[0][i] + a[1][i] + a[2][i]);
          v[i] += h / 6 * (a[0][i] + 2 * a[1][i] + 2 * a[2][i] + a[3][i]);
        }
    }
}

static void
lammps_case (const char *name, gsize n, guint64 steps, guint rounds)
{
  /* A node whose place in the lists is that of the first. */
  const gsize probe = n / 2, first = n / 2 / BENCH_PERIOD * BENCH_PERIOD;
  g_autofree double *seconds = g_new (double, 2 * rounds), *reference = NULL, *state = NULL;
  g_autofree char *path = bench_chain_file (n, FALSE, "verlet", LAMMPS_STEP);
  BenchNetwork *network;
  BenchEngine *engine;
  Lammps lammps;
  double own_error, error;

  if (!lammps_start (&lammps, n))
    {
      bench_skip (name, "LAMMPS isn't there (make bench-deps)");
      return;
    }
  network = bench_network_new (path, "c.m");
  engine = bench_engine_new (network, 1, &probe, 1, steps);
  lammps_run (&lammps, steps);
  bench_engine_run (engine, steps);
  for (guint r = 0; r < rounds; r++)
    {
      double before = bench_clock ();

      bench_engine_run (engine, steps);
      seconds[r] = bench_clock () - before;
      seconds[rounds + r] = lammps_run (&lammps, steps);
    }
  reference = g_new (double, BENCH_PERIOD);
  lattice_reference (steps * (rounds + 1), reference);
  state = g_new (double, 2 * n);
  bench_engine_state (engine, state, state + n);
  own_error = bench_difference (state + first, reference, BENCH_PERIOD);
  lammps_end (&lammps, first, BENCH_PERIOD, state);
  error = bench_difference (state, reference, BENCH_PERIOD);
  if (!(own_error <= 1.01 * error + 1e-6))
    bench_wrong ();
  bench_report (name, (double) (n * steps) / bench_median (seconds, rounds) * 1e-6,
                (double) (n * steps) / bench_median (seconds + rounds, rounds) * 1e-6,
                g_strdup_printf ("ours %.3g, LAMMPS %.3g", own_error, error));
  bench_engine_free (engine);
  bench_network_free (network);
}

void
bench_lammps (void)
{
  signal (SIGPIPE, SIG_IGN);
  if (bench_wants ("lammps-1e6"))
    lammps_case ("lammps-1e6", 1000000, 100, 5);
  if (bench_wants ("lammps-1e7"))
    lammps_case ("lammps-1e7", 10000000, 50, 3);
}

/* ngspice: a ladder of inductors, with a capacitor to ground at each joint and its ends grounded. By
 * the mobility analogy a chain between two walls: capacitance for mass, 1/inductance for stiffness,
 * voltage for velocity. A bump of voltage runs along it in both directions. */

#define SECTIONS     1000
#define CAPACITANCE  1e-9 /* [F] */
#define INDUCTANCE   1e-6 /* [H] */
#define BUMP_PLACE   300
#define BUMP_WIDTH   10
#define TRAVEL       300 /* sections */
#define SPICE_STEPS  1500
#define FIRST_HEARD  560
#define HEARD_STRIDE 2
#define N_HEARD      41
#define NGSPICE_RUNS 5

static const double ladder_duration = TRAVEL * 3.1622776601683795e-08; /* TRAVEL sqrt (L C) [s] */

static double
bump (int i)
{
  double d = (double) (i - BUMP_PLACE) / BUMP_WIDTH;

  return exp (-0.5 * d * d);
}

static int
heard (int j)
{
  return FIRST_HEARD + HEARD_STRIDE * j;
}

/* The sum of the ladder's modes. */
static void
ladder_exact (double *voltage)
{
  memset (voltage, 0, N_HEARD * sizeof *voltage);
  for (int p = 1; p <= SECTIONS; p++)
    {
      const double angle = p * G_PI / (SECTIONS + 1);
      const double omega = 2 / sqrt (INDUCTANCE * CAPACITANCE) * sin (0.5 * angle);
      double amplitude = 0;

      for (int i = 1; i <= SECTIONS; i++)
        amplitude += bump (i) * sin (angle * i);
      amplitude *= 2.0 / (SECTIONS + 1);
      for (int j = 0; j < N_HEARD; j++)
        voltage[j] += amplitude * sin (angle * heard (j)) * cos (omega * ladder_duration);
    }
}

static char *
spice_file (const char *output)
{
  char *path = g_build_filename (bench_folder, "ladder.cir", NULL);
  FILE *file = open_or_stop (path, "w");
  const double step = ladder_duration / SPICE_STEPS;

  fprintf (file, "LC ladder\nL0 0 n1 %g IC=0\n", INDUCTANCE);
  for (int i = 1; i <= SECTIONS; i++)
    {
      fprintf (file, "C%d n%d 0 %g IC=%.17g\n", i, i, CAPACITANCE, bump (i));
      if (i < SECTIONS)
        fprintf (file, "L%d n%d n%d %g IC=0\n", i, i, i + 1, INDUCTANCE);
      else
        fprintf (file, "L%d n%d 0 %g IC=0\n", i, i, INDUCTANCE);
    }
  /* No step but the longest is ever taken: that is the fastest for this error. */
  fputs (".options method=trap trtol=1e9 acct\n.save", file);
  for (int j = 0; j < N_HEARD; j++)
    fprintf (file, " v(n%d)", heard (j));
  fprintf (file, "\n.tran %.17g %.17g 0 %.17g UIC\n.control\nrun\nrusage all\n", step,
           ladder_duration, step);
  fprintf (file, "set wr_singlescale\nset numdgt=15\nwrdata %s", output);
  for (int j = 0; j < N_HEARD; j++)
    fprintf (file, " v(n%d)", heard (j));
  fputs ("\n.endc\n.end\n", file);
  if (ferror (file) || fclose (file) != 0)
    stop ("cannot write the netlist");
  return path;
}

/* Returns the seconds of ngspice's own transient analysis; voltages at the end. */
static double
spice_run (const char *netlist, const char *output, double *voltage)
{
  const char *argv[] = { "ngspice", "-b", netlist, NULL };
  static const char label[] = "Transient analysis time =";
  g_autofree char *text = NULL, *table = NULL;
  g_autoptr (GError) error = NULL;
  const char *place;
  char *last;

  remove (output);
  if (!g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_STDERR_TO_DEV_NULL,
                     NULL, NULL, &text, NULL, NULL, &error)
      || !g_file_get_contents (output, &table, NULL, &error))
    stop (error->message);
  place = strstr (text, label);
  if (place == NULL)
    stop ("ngspice didn't say how long it took");
  g_strchomp (table);
  last = strrchr (table, '\n');
  last = last == NULL ? table : last + 1;
  if (fabs (g_ascii_strtod (last, &last) / ladder_duration - 1) > 1e-9)
    stop ("ngspice didn't come to the end");
  for (int j = 0; j < N_HEARD; j++)
    voltage[j] = g_ascii_strtod (last, &last);
  return g_ascii_strtod (place + strlen (label), NULL);
}

/* Steps to the ladder's end in so many steps. */
static BenchNetwork *
ladder_model (guint steps)
{
  g_autofree char *path = g_build_filename (bench_folder, "ladder.ini", NULL);
  FILE *file = open_or_stop (path, "w");

  fprintf (file,
           "[network]\nformat = 1\nscheme = verlet\nstep = %.17g\nduration = 1\n"
           "record = c.m1.position\n[ground left]\n[ground right]\n[chain c]\ncount = %d\n"
           "from = left\nto = right\nmass = %g\nstiffness = %.17g\nvelocity =",
           ladder_duration / steps, SECTIONS, CAPACITANCE, 1 / INDUCTANCE);
  for (int i = 1; i <= SECTIONS; i++)
    fprintf (file, "%s %.17g", i > 1 ? "," : "", bump (i));
  fputc ('\n', file);
  if (ferror (file) || fclose (file) != 0)
    stop ("cannot write the ladder");
  return bench_network_new (path, "c.m");
}

static BenchEngine *
ladder_engine (const BenchNetwork *network, guint steps)
{
  gsize probes[N_HEARD];

  for (int j = 0; j < N_HEARD; j++)
    probes[j] = (gsize) heard (j) - 1;
  return bench_engine_new (network, 0, probes, N_HEARD, steps);
}

static double
ladder_error (guint steps, const double *exact)
{
  BenchNetwork *network = ladder_model (steps);
  BenchEngine *engine = ladder_engine (network, steps);
  double error;

  bench_engine_run (engine, steps);
  error = bench_difference (engine->rate + (steps - 1) * N_HEARD, exact, N_HEARD);
  bench_engine_free (engine);
  bench_network_free (network);
  return error;
}

void
bench_ngspice (void)
{
  double exact[N_HEARD], voltage[N_HEARD], spice_seconds[NGSPICE_RUNS], seconds[NGSPICE_RUNS];
  double spice_error = 0, error = INFINITY;
  guint steps = SPICE_STEPS / 2, fine = G_MAXUINT, coarse = 0;
  g_autofree char *program = NULL, *output = NULL, *netlist = NULL;
  BenchNetwork *network;

  if (!bench_wants ("ngspice-ladder"))
    return;
  program = g_find_program_in_path ("ngspice");
  if (program == NULL)
    {
      bench_skip ("ngspice-ladder", "ngspice isn't there (make bench-deps)");
      return;
    }
  output = g_build_filename (bench_folder, "ladder.data", NULL);
  netlist = spice_file (output);
  ladder_exact (exact);
  spice_run (netlist, output, voltage);
  spice_error = bench_difference (voltage, exact, N_HEARD);
  /* The fewest steps that do as well. */
  while (fine - coarse > 1)
    {
      double here = ladder_error (steps, exact);

      if (here <= spice_error)
        {
          fine = steps;
          error = here;
        }
      else
        coarse = steps;
      if (coarse > 100 * SPICE_STEPS)
        stop ("the ladder's error doesn't become small");
      steps = fine == G_MAXUINT ? 2 * coarse : (fine + coarse) / 2;
    }
  network = ladder_model (fine);
  for (guint r = 0; r < NGSPICE_RUNS; r++)
    {
      BenchEngine *engine = ladder_engine (network, fine);
      double before = bench_clock ();

      bench_engine_run (engine, fine);
      seconds[r] = bench_clock () - before;
      spice_seconds[r] = spice_run (netlist, output, voltage);
      bench_engine_free (engine);
    }
  bench_network_free (network);
  bench_report ("ngspice-ladder", bench_median (seconds, NGSPICE_RUNS),
                bench_median (spice_seconds, NGSPICE_RUNS),
                g_strdup_printf ("ours %.3g in %u steps, ngspice %.3g in %d", error, fine,
                                 spice_error, SPICE_STEPS));
}
