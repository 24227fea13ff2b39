/* cases-rows.c: rows of numbers to HDF5 against the same rows to CSV, both onto the disk
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "bench.h"
#include "file/file.h"

#define N_SIGNALS 10
#define N_BLOCK   100000 /* rows of a run */
#define N_BLOCKS  100    /* how often they come, at later times */
#define STEP      1e-3   /* [s] */
#define ROUNDS    3

static const char network_text[] =
    "[network]\nformat = 1\nstep = 1 ms\nduration = 99.999 s\nrecord = c.m*.position, "
    "c.m*.velocity\n"
    "[chain c]\ncount = 5\nmass = 1 kg, 2 kg, 1.5 kg\nstiffness = 900 N/m, 1100 N/m\n"
    "position = 0.01 m, 0 m, -0.02 m\nfrom = wall\n[drive wall]\n";

typedef struct
{
  const double *values; /* (N_BLOCK)(N_SIGNALS) */
  const char *const *names;
  const char *path;
  clock_t processor[ROUNDS + 1]; /* time of each */
  guint n;
} Rows;

static void
fail (const GError *error)
{
  fprintf (stderr, "bench: %s\n", error->message);
  bench_wrong ();
}

static void
to_csv (gpointer data, guint64 steps)
{
  Rows *rows = data;
  const clock_t began = clock ();
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamOutput) output = ifbam_output_new (rows->path, &error);
  gboolean fine = output != NULL;

  if (fine)
    ifbam_csv_append_names (ifbam_output_text (output), rows->names);
  for (guint64 i = 0; i < steps && fine; i++)
    {
      ifbam_csv_append_row (ifbam_output_text (output), (double) i * STEP,
                            rows->values + i % N_BLOCK * N_SIGNALS, N_SIGNALS);
      fine = ifbam_output_flush (output, IFBAM_OUTPUT_BYTES, &error);
    }
  if (!fine || !ifbam_output_finish (output, &error))
    fail (error);
  rows->processor[rows->n++] = clock () - began;
}

static void
to_hdf5 (gpointer data, guint64 steps)
{
  static const char *const units[] = { "s",   "m",   "m",   "m",   "m",   "m",
                                       "m/s", "m/s", "m/s", "m/s", "m/s", NULL };
  Rows *rows = data;
  const clock_t began = clock ();
  const IfbamResultLayout layout = { .names = rows->names, .units = units, .n_rows = steps };
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamManifest) manifest = ifbam_manifest_new (NULL, NULL, NULL, NULL, NULL);
  g_autoptr (IfbamResultWriter) writer =
      ifbam_result_writer_new (rows->path, &layout, manifest, &error);
  gboolean fine = writer != NULL;

  for (guint64 i = 0; i < steps && fine; i++)
    fine = ifbam_result_writer_row (writer, (double) i * STEP,
                                    rows->values + i % N_BLOCK * N_SIGNALS, &error);
  if (!fine || !ifbam_result_writer_finish (writer, TRUE, "done", &error))
    fail (error);
  rows->processor[rows->n++] = clock () - began;
}

/* [s] */
static double
processor_time (const Rows *rows)
{
  double seconds[ROUNDS];

  for (guint i = 0; i < ROUNDS; i++)
    seconds[i] = (double) rows->processor[i + 1] / CLOCKS_PER_SEC;
  return bench_median (seconds, ROUNDS);
}

static double
size_of (const char *path)
{
  GStatBuf status = { 0 };

  g_stat (path, &status);
  return (double) status.st_size;
}

/* Row by row (transfer full); *names: "time", then those of the columns. */
static double *
make_rows (IfbamCourse *course, GPtrArray *names)
{
  const char *const *signals = ifbam_course_get_signals (course);
  double *values = g_new (double, (gsize) N_BLOCK *N_SIGNALS);

  g_ptr_array_add (names, g_strdup ("time"));
  for (guint s = 0; s < N_SIGNALS; s++)
    {
      const double *column = ifbam_course_get_values (course, signals[s], NULL, NULL);

      for (gsize i = 0; i < N_BLOCK; i++)
        values[i * N_SIGNALS + s] = column[i];
      g_ptr_array_add (names, g_strdup (signals[s]));
    }
  g_ptr_array_add (names, NULL);
  return values;
}

void
bench_rows (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamNetwork) network = NULL;
  g_autoptr (IfbamCourse) course = NULL;
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autofree double *values = NULL;
  g_autofree char *csv_path = g_build_filename (bench_folder, "rows.csv", NULL);
  g_autofree char *hdf5_path = g_build_filename (bench_folder, "rows.h5", NULL);
  Rows csv = { .path = csv_path }, hdf5 = { .path = hdf5_path };
  BenchSide sides[] = { { to_hdf5, &hdf5, 0 }, { to_csv, &csv, 0 } };

  if (!bench_wants ("rows") && !bench_wants ("rows-elapsed") && !bench_wants ("rows-size"))
    return;
  network = ifbam_network_new_from_data (network_text, strlen (network_text), NULL, NULL, &error);
  course = network == NULL ? NULL : ifbam_network_run (network, IFBAM_ENGINE_PLAN, &error);
  if (course == NULL || ifbam_course_get_n_rows (course) != N_BLOCK)
    g_error ("%s", error != NULL ? error->message : "other rows");
  values = make_rows (course, names);
  csv.values = hdf5.values = values;
  csv.names = hdf5.names = (const char *const *) names->pdata;
  bench_contest (sides, G_N_ELEMENTS (sides), (guint64) N_BLOCK * N_BLOCKS, ROUNDS);
  if (bench_wants ("rows"))
    bench_report ("rows", processor_time (&hdf5), processor_time (&csv), g_strdup (""));
  if (bench_wants ("rows-elapsed"))
    bench_report ("rows-elapsed", sides[0].seconds, sides[1].seconds, g_strdup (""));
  if (bench_wants ("rows-size"))
    bench_report ("rows-size", size_of (hdf5_path) / N_BLOCK / N_BLOCKS,
                  size_of (csv_path) / N_BLOCK / N_BLOCKS, g_strdup (""));
  g_unlink (csv_path);
  g_unlink (hdf5_path);
}
