/* command-sweep.c: ifbam sweep: a network over all combinations of varied numbers
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "program/command.h"
#include "base/ifbam-error.h"
#include "base/number-text.h"
#include "scheme/schemes.h"
#include "system/output.h"
#include "sweep/sweep-growth.h"
#include "sweep/sweep-table.h"

/* What is finished is written this often [us]: a long sweep survives a power cut. */
#define KEEP_INTERVAL (60 * G_USEC_PER_SEC)
/* Growth of an amplitude over a run that is said beforehand. */
#define VISIBLE 0.01

typedef struct
{
  char **varied, **measured;
  char *output, *best;
  int count;
  gboolean resume;
} SweepOptions;

static void
sweep_options_clear (SweepOptions *options)
{
  g_strfreev (options->varied);
  g_strfreev (options->measured);
  g_free (options->output);
  g_free (options->best);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (SweepOptions, sweep_options_clear)

typedef struct
{
  IfbamSweep *sweep;
  IfbamWatch watch;
  const char *output; /* NULL: nothing is kept on the way */
  gint64 kept;        /* [us] */
  GError *error;      /* of keeping */
} Progress;

static gboolean
write_table (const IfbamSweep *sweep, const char *output, GError **error)
{
  GString *text = ifbam_sweep_to_csv (sweep->grid);
  gboolean written = ifbam_output_put (output, text->str, text->len, error);

  g_string_free (text, TRUE);
  return written;
}

static gboolean
show_progress (gpointer data, double part)
{
  Progress *progress = data;
  const gint64 now = g_get_monotonic_time ();

  if (progress->output != NULL && now - progress->kept > KEEP_INTERVAL
      && ifbam_grid_count (progress->sweep->grid, FALSE) > 0)
    {
      if (!write_table (progress->sweep, progress->output, &progress->error))
        return FALSE;
      /* A table that takes long to write is written less often. */
      progress->kept = g_get_monotonic_time () + 20 * (g_get_monotonic_time () - now);
    }
  return ifbam_watch_progress (&progress->watch, part);
}

/* Whether the output is a file that can be written anew: no terminal, pipe or device. */
static gboolean
is_file (const char *output)
{
  return output != NULL && !g_str_equal (output, "-") && !g_str_equal (output, "/dev/stdout")
         && (!g_file_test (output, G_FILE_TEST_EXISTS)
             || g_file_test (output, G_FILE_TEST_IS_REGULAR));
}

/* A file that can't be written is not found out about after hours. */
static gboolean
try_output (const char *output, GError **error)
{
  g_autoptr (IfbamOutput) trial = is_file (output) ? ifbam_output_new (output, error) : NULL;

  return trial != NULL || !is_file (output);
}

static gboolean
read_finished (IfbamSweep *sweep, const IfbamSweepRun *run, const char *output, GError **error)
{
  if (!g_file_test (output, G_FILE_TEST_EXISTS))
    {
      g_printerr ("ifbam: note: there is no %s yet: the sweep begins\n", output);
      return TRUE;
    }
  return ifbam_sweep_resume (sweep, run, output, error);
}

/* The scheme's own growth, where it would show in what is measured. */
static void
warn_of_growth (const IfbamSweep *sweep)
{
  const IfbamScheme *verlet = ifbam_scheme_by_name ("verlet");
  IfbamSweepGrowth growth;
  g_autofree char *which = NULL;

  if (sweep->measures->record == NULL || !ifbam_sweep_find_growth (sweep, &growth)
      || growth.rate * growth.duration < VISIBLE)
    return;
  which = ifbam_grid_describe (sweep->grid, growth.variant);
  g_printerr (
      "ifbam: note: with %s and a step of %s s amplitudes grow at up to %.3g per second, the "
      "scheme's own error; over %g s that shows. That is with %s%s\n",
      growth.scheme->name, IFBAM_NUMBER (growth.step), growth.rate, growth.duration, which,
      growth.scheme != verlet && growth.verlet_bears ? "; the scheme verlet does not grow there"
                                                     : "");
}

static void
note_nonlinear (const IfbamSweep *sweep)
{
  const gsize n = sweep->measures->n_modes > 0 ? ifbam_sweep_count_nonlinear (sweep) : 0;

  if (n > 0)
    g_printerr ("ifbam: note: %" G_GSIZE_FORMAT
                " link%s no linear law: the modes are those of small "
                "motions about the start\n",
                n, n == 1 ? " has" : "s have");
}

/* The way that the sweep ended, for people. */
static void
tell_end (const IfbamSweep *sweep, const SweepOptions *options, gboolean interrupted)
{
  const guint64 finished = ifbam_grid_count (sweep->grid, FALSE);
  const guint64 diverged = ifbam_grid_count (sweep->grid, TRUE);
  guint64 best;

  if (diverged > 0)
    g_printerr ("ifbam: note: %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
                " variants diverged, or could not go on: they have the instant at which they "
                "did, and no values\n",
                diverged, finished);
  if (ifbam_grid_find_best (sweep->grid, &best))
    {
      g_autofree char *which = ifbam_grid_describe (sweep->grid, best);

      g_printerr (
          "ifbam: note: %s %s = %s is that with %s\n",
          sweep->grid->highest ? "the highest" : "the least",
          (const char *) sweep->grid->columns->pdata[sweep->grid->best],
          IFBAM_NUMBER (
              sweep->grid->values[best * sweep->grid->n_values + (guint) sweep->grid->best]),
          which);
    }
  else if (sweep->grid->best >= 0)
    g_printerr ("ifbam: note: there is no best variant: none has a value\n");
  if (interrupted && finished > 0 && is_file (options->output))
    g_printerr ("ifbam: note: what is finished is in %s; --resume goes on with it\n",
                options->output);
}

static int
run_sweep (const char *file, const SweepOptions *options,
           const IfbamNetworkOptions *network_options)
{
  g_autoptr (GError) error = NULL, write_error = NULL;
  g_auto (GStrv) settings = ifbam_network_options_settings (network_options, &error);
  g_autoptr (IfbamNetworkBytes) bytes = NULL;
  g_autoptr (IfbamSweep) sweep = NULL;
  Progress progress = { .output = is_file (options->output) ? options->output : NULL };
  IfbamSweepRun run = { .threads = (guint) network_options->threads,
                        .allow_divergence = network_options->allow_divergence,
                        .progress = show_progress,
                        .data = &progress };
  gboolean begun, fine, interrupted;

  if (settings != NULL)
    bytes = ifbam_network_bytes_new (file, &error);
  if (bytes != NULL)
    sweep = ifbam_sweep_new (
        bytes, (const char *const *) settings, (const char *const *) options->varied,
        (const char *const *) options->measured, (guint) options->count, &error);
  if (sweep == NULL
      || (options->best != NULL && !ifbam_grid_set_best (sweep->grid, options->best, &error)))
    return ifbam_command_fail (error);
  run.objects = network_options->engine != NULL && g_str_equal (network_options->engine, "objects");
  progress.sweep = sweep;
  progress.kept = g_get_monotonic_time ();
  if (!try_output (options->output, &error))
    return ifbam_command_fail (error);
  warn_of_growth (sweep);
  note_nonlinear (sweep);
  ifbam_watch_begin (&progress.watch);
  begun = !options->resume || read_finished (sweep, &run, options->output, &error);
  fine = begun && ifbam_sweep_run (sweep, &run, &error);
  ifbam_watch_end (&progress.watch);
  if (!begun)
    return ifbam_command_fail (error);
  if (progress.error != NULL)
    {
      g_propagate_error (&write_error, progress.error);
      return ifbam_command_fail (write_error);
    }
  interrupted = g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_INTERRUPTED);
  if (ifbam_grid_count (sweep->grid, FALSE) > 0
      && !write_table (sweep, options->output, &write_error))
    return ifbam_command_fail (write_error);
  tell_end (sweep, options, interrupted);
  return fine ? IFBAM_EXIT_DONE : ifbam_command_fail (error);
}

static int
command_sweep (const char *program, int argc, char **argv)
{
  g_auto (IfbamNetworkOptions) network_options = { 0 };
  g_auto (SweepOptions) options = { .count = IFBAM_MEASURE_COUNT };
  const GOptionEntry entries[] = {
    { "vary", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options.varied,
      "a grid FROM:TO:N or FROM:TO:N:log, or a list A,B,C; may be repeated", "ELEMENT.KEY=VALUES" },
    { "measure", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options.measured,
      "frequencies (default), damping, response:INPUT:SIGNAL, or of a signal max, min, magnitude, "
      "peak-to-peak, peak-time, settling, rms, final, spectrum; may be repeated",
      "WHAT[:SIGNAL]" },
    { "best", 0, 0, G_OPTION_ARG_STRING, &options.best,
      "say which variant is the best, and mark its row in a column \"best\"", "min|max:COLUMN" },
    { "count", 0, 0, G_OPTION_ARG_INT, &options.count,
      "how many modes, or peaks of a spectrum (default 10)", "N" },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &options.output,
      "write the CSV there, not to the terminal", "FILE" },
    { "resume", 0, 0, G_OPTION_ARG_NONE, &options.resume,
      "go on with what an interrupted sweep has left in FILE", NULL },
    G_OPTION_ENTRY_NULL,
  };
  g_autoptr (GOptionContext) context = ifbam_command_context (&ifbam_command_sweep, entries);
  int exit_code;

  (void) program;
  ifbam_network_options_add (&network_options, context, NULL);
  if (!ifbam_command_parse (&ifbam_command_sweep, context, &argc, &argv, 1, 1, &exit_code))
    return exit_code;
  if (options.count < 1 || options.count > 1000)
    return ifbam_command_usage (&ifbam_command_sweep, "--count %d: want 1 to 1000", options.count);
  if (options.resume && !is_file (options.output))
    return ifbam_command_usage (&ifbam_command_sweep,
                                "--resume wants the file to go on with: -o FILE");
  if (ifbam_command_draws (&ifbam_command_sweep, options.output, "sweep")
      || ifbam_command_overwrites (&ifbam_command_sweep, options.output, argv[1]))
    return IFBAM_EXIT_USAGE;
  return run_sweep (argv[1], &options, &network_options);
}

const IfbamCommand ifbam_command_sweep = {
  "sweep",
  "NETWORK",
  "run all combinations of varied numbers, write what is measured of each as CSV",
  "  ifbam sweep networks/two-dof.ini --vary k1.stiffness=5kN/m:20kN/m:31\n"
  "  ifbam sweep networks/two-dof.ini --vary k1.stiffness=5kN/m:20kN/m:31 --measure "
  "max:m2.position -o sweep.csv\n"
  "  ifbam sweep networks/quarter-car.ini --vary strut.damping=500N*s/m:3kN*s/m:11 --measure "
  "magnitude:body.acceleration --best min:magnitude:body.acceleration -o sweep.csv\n"
  "  ifbam sweep networks/two-dof.ini --vary k1.stiffness=1N/m:1MN/m:31:log --vary "
  "m2.mass=1kg,2kg --measure spectrum:m1.position -o sweep.csv\n"
  "  ifbam sweep networks/two-dof.ini --vary network.step=1us:1ms:16:log --measure "
  "rms:m1.velocity,final:m1.position -o sweep.csv\n",
  command_sweep,
};
