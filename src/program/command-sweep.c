/* command-sweep.c: ifbam sweep: a network over combinations of parameter values
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "program/checkpoints.h"
#include "program/sweep-request.h"
#include "base/fail.h"
#include "base/number-text.h"
#include "file/file.h"
#include "engine/engine.h"
#include "sweep/sweep.h"
#include "run/run.h"

/* Interval at which finished variants are written [us], against a loss of power. */
#define KEEP_INTERVAL (60 * G_USEC_PER_SEC)
/* Growth of an amplitude over a run that is announced. */
#define VISIBLE 0.01

typedef struct
{
  const char *output, *resume; /* NULL: standard output, none */
  IfbamCheckpoints checkpoints;
  IfbamManifest *manifest;
  IfbamSweep *sweep;
  IfbamProgress progress;
  gint64 kept;   /* time of the last write of the output [us] */
  GError *error; /* of writing */
} Work;

static void
work_clear (Work *work)
{
  ifbam_checkpoints_clear (&work->checkpoints);
  ifbam_manifest_free (work->manifest);
  ifbam_sweep_free (work->sweep);
  g_clear_error (&work->error);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Work, work_clear)

static gboolean
write_output (const Work *work, const char *ended, GError **error)
{
  GString *text;
  gboolean written;

  ifbam_sweep_place_modes (work->sweep);
  if (ifbam_result_is_named (work->output))
    return ifbam_grid_write (work->sweep->grid, work->output, FALSE, work->manifest, ended, error);
  text = ifbam_sweep_to_csv (work->sweep->grid);
  written = ifbam_output_put (work->output, text->str, text->len, error);
  g_string_free (text, TRUE);
  return written;
}

static gboolean
write_checkpoint (Work *work, const char *ended, GError **error)
{
  ifbam_sweep_place_modes (work->sweep);
  ifbam_checkpoints_kept (&work->checkpoints, ifbam_grid_count (work->sweep->grid, FALSE));
  return ifbam_grid_write (work->sweep->grid, work->checkpoints.path, TRUE, work->manifest, ended,
                           error);
}

static gboolean is_file (const char *output);

static gboolean
show_progress (gpointer data, double part)
{
  Work *work = data;
  const gint64 now = g_get_monotonic_time ();
  const IfbamGrid *grid = work->sweep->grid;

  /* Counting takes time proportional to the variants: only for checkpoints. */
  if (work->checkpoints.path != NULL)
    {
      if (ifbam_checkpoints_is_due (&work->checkpoints, ifbam_grid_count (grid, FALSE))
          && !write_checkpoint (work, "running", &work->error))
        return FALSE;
    }
  else if (is_file (work->output) && now - work->kept > KEEP_INTERVAL
           && ifbam_grid_count (grid, FALSE) > 0)
    {
      if (!write_output (work, "running", &work->error))
        return FALSE;
      /* A table that takes long to write is written less often. */
      work->kept = g_get_monotonic_time () + 20 * (g_get_monotonic_time () - now);
    }
  return ifbam_progress_update (&work->progress, part);
}

/* TRUE if the output is a file that can be rewritten: no terminal, pipe or device. */
static gboolean
is_file (const char *output)
{
  return output != NULL && !g_str_equal (output, "-") && !g_str_equal (output, "/dev/stdout")
         && (!g_file_test (output, G_FILE_TEST_EXISTS)
             || g_file_test (output, G_FILE_TEST_IS_REGULAR));
}

static gpointer
read_grid (const char *path, gpointer data, GError **error)
{
  return ifbam_grid_read (path, TRUE, data, error);
}

/* Reads a checkpoint, which must be of the same command. */
static gboolean
read_checkpoint (Work *work, GError **error)
{
  g_autoptr (IfbamManifest) then = NULL;
  g_autoptr (IfbamGrid) grid = NULL;
  g_autofree char *difference = NULL;

  if (!ifbam_checkpoints_read (work->resume, "sweep", read_grid, &then, (gpointer *) &grid, error))
    return FALSE;
  if (grid == NULL)
    return TRUE;
  difference = ifbam_manifest_difference (then, work->manifest);
  if (difference == NULL && !ifbam_grid_is_like (grid, work->sweep->grid))
    difference = g_strdup ("is of another grid");
  if (difference == NULL)
    {
      ifbam_grid_free (work->sweep->grid);
      work->sweep->grid = g_steal_pointer (&grid);
      return TRUE;
    }
  return ifbam_fail (error, IFBAM_ERROR_USAGE, "--resume %s: %s", work->resume, difference);
}

/* Reads finished variants of a checkpoint, or of the table that a sweep has written. */
static gboolean
read_finished (Work *work, const IfbamSweepRun *run, GError **error)
{
  if (work->resume == NULL)
    return TRUE;
  /* --resume implies that the sweep before has ended. */
  ifbam_output_tidy (work->checkpoints.path);
  ifbam_output_tidy (is_file (work->output) ? work->output : NULL);
  if (ifbam_result_is_named (work->resume))
    return read_checkpoint (work, error);
  if (g_file_test (work->resume, G_FILE_TEST_EXISTS))
    return ifbam_sweep_resume (work->sweep, run, work->resume, error);
  g_printerr ("ifbam: note: there is no %s yet: the sweep begins\n", work->resume);
  return TRUE;
}

/* Prints the scheme's own growth if it is visible in the measured quantities. */
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

/* Prints notes about courses without units, and stores the columns' checksums. */
static void
check_files (const Work *work)
{
  const IfbamSweep *sweep = work->sweep;
  g_autoptr (IfbamNetwork) network =
      ifbam_network_new_from_bytes (sweep->bytes, (const char *const *) sweep->settings, NULL);

  if (network == NULL)
    return;
  ifbam_command_note_courses (network);
  if (ifbam_result_is_named (work->output) || ifbam_result_is_named (work->resume)
      || work->checkpoints.path != NULL)
    work->manifest->columns = ifbam_columns_checksums (network->folder, network->elements);
}

static void
note_nonlinear (const IfbamSweep *sweep)
{
  const gsize n = sweep->measures->n_modes > 0 ? ifbam_sweep_count_nonlinear (sweep) : 0;

  if (n > 0)
    g_printerr ("ifbam: note: %" G_GSIZE_FORMAT " link%s not linear: the modes are those of small "
                "motions about the start\n",
                n, n == 1 ? " is" : "s are");
}

/* Prints notes about unbounded peaks; their fields are empty. */
static void
note_resonances (const IfbamSweep *sweep)
{
  const IfbamGrid *grid = sweep->grid;

  for (guint i = 0; i < sweep->measures->measures->len; i++)
    {
      const IfbamMeasure *measure = &g_array_index (sweep->measures->measures, IfbamMeasure, i);
      guint64 n = 0;

      if (measure->kind != IFBAM_MEASURE_RESPONSE)
        continue;
      for (guint64 v = 0; v < grid->n; v++)
        n += grid->state[v] == IFBAM_VARIANT_DONE
             && isnan (grid->values[v * grid->n_values + measure->first]);
      if (n > 0)
        g_printerr ("ifbam: note: response:%s:%s has no peak in %" G_GUINT64_FORMAT
                    " of %" G_GUINT64_FORMAT
                    " variants: an undamped mode that is driven has an infinite one (a damper "
                    "bounds it)\n",
                    measure->input, measure->output, n, ifbam_grid_count (grid, FALSE));
    }
}

/* Prints how the sweep ended. */
static void
note_end (const Work *work, gboolean interrupted)
{
  const IfbamSweep *sweep = work->sweep;
  const IfbamGrid *grid = sweep->grid;
  const guint64 finished = ifbam_grid_count (grid, FALSE);
  const guint64 diverged = ifbam_grid_count (grid, TRUE);
  const char *kept = work->checkpoints.path != NULL ? work->checkpoints.path
                     : is_file (work->output)       ? work->output
                                                    : NULL;
  guint64 best;

  if (diverged > 0)
    g_printerr ("ifbam: note: %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT
                " variants diverged, or could not go on: they have the instant at which they "
                "did, and no values\n",
                diverged, finished);
  note_resonances (sweep);
  if (ifbam_grid_find_best (grid, &best))
    {
      g_autofree char *which = ifbam_grid_describe (grid, best);

      g_printerr ("ifbam: note: %s %s = %s is that with %s\n",
                  grid->highest ? "the highest" : "the least",
                  (const char *) grid->columns->pdata[grid->best],
                  IFBAM_NUMBER (grid->values[best * grid->n_values + (guint) grid->best]), which);
    }
  else if (grid->best >= 0)
    g_printerr ("ifbam: note: there is no best variant: none has a value\n");
  if (interrupted && finished > 0 && kept != NULL)
    g_printerr ("ifbam: note: finished variants are in %s; --resume %s continues\n", kept, kept);
}

/* Writes all finished variants, however the sweep ended. */
static gboolean
write_all (Work *work, gboolean fine, gboolean interrupted, GError **error)
{
  const char *ended = fine ? "done" : interrupted ? "interrupted" : "failed";

  return ifbam_grid_count (work->sweep->grid, FALSE) == 0
         || ((work->checkpoints.path == NULL || write_checkpoint (work, ended, error))
             && write_output (work, ended, error));
}

static int
run_sweep (Work *work, const char *file, IfbamSweepRequest *request)
{
  g_autoptr (GError) error = NULL, write_error = NULL;
  g_autoptr (IfbamNetworkBytes) bytes = ifbam_network_bytes_new (file, &error);
  IfbamSweepRun run = ifbam_sweep_request_run (request);
  gboolean begun, fine, interrupted;

  ifbam_progress_begin (&work->progress);
  if (bytes != NULL && ifbam_sweep_request_optimise (request, bytes, &work->progress, &error))
    work->sweep = ifbam_sweep_request_sweep (request, bytes, &error);
  ifbam_progress_end (&work->progress);
  if (work->sweep == NULL
      || (ifbam_result_is_named (work->output)
          && !ifbam_grid_fits_file (work->sweep->grid, work->output, &error))
      || (work->checkpoints.path != NULL
          && !ifbam_grid_fits_file (work->sweep->grid, work->checkpoints.path, &error)))
    return ifbam_command_fail (error);
  work->manifest = ifbam_sweep_request_manifest (request, bytes);
  run.progress = show_progress;
  run.data = work;
  if (!ifbam_output_try (work->output, &error)
      || !ifbam_output_try (work->checkpoints.path, &error))
    return ifbam_command_fail (error);
  warn_of_growth (work->sweep);
  note_nonlinear (work->sweep);
  check_files (work);
  ifbam_progress_begin_to_keep (&work->progress);
  work->kept = g_get_monotonic_time ();
  begun = read_finished (work, &run, &error);
  ifbam_checkpoints_kept (&work->checkpoints, ifbam_grid_count (work->sweep->grid, FALSE));
  fine = begun && ifbam_sweep_run (work->sweep, &run, &error);
  ifbam_progress_end (&work->progress);
  if (!begun)
    return ifbam_command_fail (error);
  if (work->error != NULL)
    return ifbam_command_fail (work->error);
  interrupted = g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_INTERRUPTED);
  if (!write_all (work, fine, interrupted, &write_error))
    return ifbam_command_fail (write_error);
  note_end (work, interrupted);
  /* Errors of variants lack the file name. */
  if (g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_NETWORK))
    g_prefix_error (&error, "%s: ", file);
  return fine ? IFBAM_EXIT_DONE : ifbam_command_fail (error);
}

/* Parts can be joined as lines of a CSV table, but not as HDF5 arrays. */
static gboolean
fits_part (const IfbamSweepRequest *request, const char *output, const char *checkpoint,
           const char *resume)
{
  return request->part == NULL
         || !(ifbam_result_is_named (output) || checkpoint != NULL
              || ifbam_result_is_named (resume));
}

static int
join_parts (const IfbamSweepRequest *request, char **paths, const char *output)
{
  static const char *const meant[] = { NULL };
  g_autoptr (GError) error = NULL;
  GString *text;
  gboolean fine;

  if (request->varied != NULL || request->measured != NULL || request->part != NULL
      || request->by_rank)
    return ifbam_command_usage (
        &ifbam_command_sweep,
        "--join needs the parts of a sweep that was run, and -o and --best at most");
  for (guint i = 0; paths[i] != NULL; i++)
    if (ifbam_command_overwrites (&ifbam_command_sweep, output, paths[i]))
      return IFBAM_EXIT_USAGE;
  if (!ifbam_network_options_fit_csv (&request->network, paths[0], meant, &error))
    return ifbam_command_fail (error);
  text = ifbam_sweep_join ((const char *const *) paths, request->best, &error);
  if (text == NULL)
    return ifbam_command_fail (error);
  fine = ifbam_output_put (output, text->str, text->len, &error);
  g_string_free (text, TRUE);
  return fine ? IFBAM_EXIT_DONE : ifbam_command_fail (error);
}

static int
command_sweep (const IfbamCommand *command, int argc, char **argv)
{
  g_auto (IfbamSweepRequest) request = { 0 };
  g_autofree char *output = NULL, *checkpoint = NULL, *resume = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (Work) work = { 0 };
  gboolean join = FALSE;
  const GOptionEntry entries[] = {
    { "file", 'o', 0, G_OPTION_ARG_FILENAME, &output,
      "file of the CSV (default: standard output); FILE.h5: HDF5", "FILE" },
    { "checkpoint", 0, 0, G_OPTION_ARG_FILENAME, &checkpoint,
      "write checkpoints for --resume (INTERVAL: a time, such as 10min, or a number of variants)",
      "FILE.h5[,INTERVAL]" },
    { "resume", 0, 0, G_OPTION_ARG_FILENAME, &resume,
      "continue from a checkpoint, or from the CSV of an interrupted sweep", "FILE" },
    { "join", 0, 0, G_OPTION_ARG_NONE, &join,
      "join the CSV files of all parts, given in their order instead of a network", NULL },
    G_OPTION_ENTRY_NULL,
  };
  g_autoptr (GOptionContext) context = ifbam_command_context (command, NULL);
  const char *others[2];
  gboolean may_continue;
  int exit_code;

  ifbam_sweep_request_add (&request, context);
  g_option_context_add_main_entries (context, entries, NULL);
  if (!ifbam_command_parse (command, context, NULL, &argc, &argv, &exit_code))
    return exit_code;
  if (join)
    return join_parts (&request, argv + 1, output);
  if (argc > 2)
    return ifbam_command_usage (command, "\"%s\" is one word too many", argv[2]);
  if (!fits_part (&request, output, checkpoint, resume))
    return ifbam_command_usage (command,
                                "--part %s: a part is CSV, which --join or cat joins (no .h5, no "
                                "--checkpoint; --resume takes its CSV)",
                                request.part);
  if (request.count < 1 || request.count > 1000)
    return ifbam_command_usage (command, "--count %d: want 1 to 1000", request.count);
  /* An output can be resumed from itself. */
  may_continue =
      ifbam_result_is_named (resume) && (output == NULL || !ifbam_output_is_same (output, resume));
  if (!ifbam_checkpoints_init (&work.checkpoints, checkpoint, may_continue ? resume : NULL, &error))
    return ifbam_command_fail (error);
  others[0] = output;
  others[1] = work.checkpoints.path;
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    if (ifbam_command_draws (command, others[i], "sweep")
        || ifbam_command_overwrites (command, others[i], argv[1]))
      return IFBAM_EXIT_USAGE;
  if (output != NULL && work.checkpoints.path != NULL
      && ifbam_output_is_same (output, work.checkpoints.path))
    return ifbam_command_usage (command, "-o %s: is the checkpoint's file, too", output);
  if (!ifbam_checkpoints_lock (&work.checkpoints, &error))
    return ifbam_command_fail (error);
  work.output = output;
  work.resume = resume;
  return run_sweep (&work, argv[1], &request);
}

const IfbamCommand ifbam_command_sweep = {
  "sweep",
  "NETWORK|--join CSV...",
  "run all combinations of varied values, write a row of results for each (CSV, HDF5)",
  "  ifbam sweep networks/two-dof.ini --vary k1.stiffness=5kN/m:20kN/m:31\n"
  "  ifbam sweep networks/two-dof.ini --vary k1.stiffness=5kN/m:20kN/m:31 --measure "
  "max:m2.position -o sweep.csv\n"
  "  ifbam sweep networks/quarter-car.ini --vary strut.damping=500N*s/m:3kN*s/m:11 --measure "
  "magnitude:body.acceleration --best min:magnitude:body.acceleration -o sweep.csv\n"
  "  ifbam sweep networks/quarter-car.ini --vary strut.damping=500N*s/m:3kN*s/m --optimise "
  "min:magnitude:body.acceleration\n"
  "  ifbam sweep networks/two-dof.ini --vary k1.stiffness=1N/m:1MN/m:31:log --vary "
  "m2.mass=1kg,2kg --measure spectrum:m1.position -o sweep.csv\n"
  "  ifbam sweep networks/two-dof.ini --vary network.step=1us:1ms:16:log --measure "
  "rms:m1.velocity,final:m1.position -o sweep.csv\n"
  "  ifbam sweep networks/two-dof.ini --vary k1.stiffness=5kN/m:20kN/m:1000 --part=1/2 -o "
  "part1.csv\n"
  "  ifbam sweep networks/two-dof.ini --vary k1.stiffness=5kN/m:20kN/m:1000 --part=2/2 -o "
  "part2.csv\n"
  "  ifbam sweep --join part1.csv part2.csv -o sweep.csv\n",
  command_sweep,
  NULL,
};
