/* command-run.c: ifbam run: runs a network file and writes courses
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "program/run-states.h"
#include "program/distributed-run.h"
#include "program/sweep-request.h"
#include "run/run.h"

#include "base/ifbam-error.h"
#include "file/file.h"

static int
run_network (const IfbamRunOptions *own)
{
  const IfbamNetworkOptions *options = own->network;
  g_autoptr (GError) error = NULL, write_error = NULL;
  g_autoptr (IfbamStateFiles) state_files = ifbam_state_files_new (own, &error);
  g_auto (IfbamLoaded) loaded = { 0 };
  g_autoptr (IfbamRunOutput) output = NULL;
  IfbamRunTask run = { .threads = (guint) options->threads,
                       .allow_divergence = options->allow_divergence,
                       .full_balance = own->manifest != NULL,
                       .unlocated = own->no_events,
                       .event_rows = own->event_rows,
                       .row = ifbam_run_output_row };
  gboolean fine;

  if (state_files == NULL)
    return ifbam_command_fail (error);
  if (!ifbam_load (&loaded, options, own->file, TRUE, &error))
    return ifbam_command_fail (error);
  ifbam_command_choose_engine (options, loaded.model, &loaded.spec, &run);
  if (!ifbam_state_files_join (state_files, &run, loaded.network, loaded.model, loaded.signals,
                               &loaded.spec, &error))
    return ifbam_command_fail (error);
  output = ifbam_run_output_new (own, loaded.network, loaded.model, loaded.signals, &loaded.spec,
                                 ifbam_state_files_written (state_files), &error);
  if (output == NULL)
    return ifbam_command_fail (error);
  ifbam_state_files_set_output (state_files, output);
  run.data = output;
  run.event = ifbam_run_output_wants_events (output) ? ifbam_run_output_event : NULL;
  fine = ifbam_command_execute (&run, loaded.model, loaded.signals, &loaded.spec, &error);
  /* Samples of a run that ended early are kept, unless they can't be written. */
  if (!g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_WRITE)
      && !ifbam_run_output_finish (output, &run, ifbam_run_status_text (fine, error), &write_error))
    return ifbam_command_fail (write_error);
  if (fine && !ifbam_state_files_finish (state_files, &write_error))
    return ifbam_command_fail (write_error);
  ifbam_progress_end_by_signals ();
  if (fine)
    ifbam_command_note_rest (&run, loaded.model, &loaded.spec);
  ifbam_command_note_suspended (&run);
  if (own->verbose)
    ifbam_command_tell_equations (&run, &loaded.spec);
  return fine ? IFBAM_EXIT_DONE : ifbam_command_fail (error);
}

/* Returns a number in the environment under one of several names; `otherwise`: none. */
static guint64
number_of_many (const char *const *names, guint64 otherwise)
{
  for (; *names != NULL; names++)
    if (g_getenv (*names) != NULL)
      return g_ascii_strtoull (g_getenv (*names), NULL, 10);
  return otherwise;
}

/* Independent processes would all write to one file. One of them prints the error. */
static int
refuse_many (void)
{
  static const char *const ranks[] = { "OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK",
                                       "SLURM_PROCID", NULL };

  if (number_of_many (ranks, 0) > 0)
    return IFBAM_EXIT_USAGE;
  return ifbam_command_usage (&ifbam_command_run,
                              "mpirun has started this program more than once, and each would "
                              "run the whole network: want ifbam-mpi (make MPI=1)");
}

static int
run (const IfbamRunOptions *options)
{
  static const char *const sizes[] = { "OMPI_COMM_WORLD_SIZE", "PMI_SIZE", NULL };

  if (ifbam_ranks () != NULL)
    return ifbam_run_on_ranks (options);
  if (number_of_many (sizes, 1) > 1)
    return refuse_many ();
  return run_network (options);
}

static int
command_run (const IfbamCommand *command, int argc, char **argv)
{
  g_auto (IfbamNetworkOptions) options = { 0 };
  g_autofree char *output = NULL, *manifest = NULL, *events = NULL, *initial = NULL, *final = NULL,
                  *checkpoint = NULL, *resume = NULL, *from = NULL, *to = NULL;
  g_auto (GStrv) measured = NULL;
  gboolean compress = FALSE, event_rows = FALSE, no_events = FALSE, verbose = FALSE;
  const GOptionEntry entries[] = {
    { "file", 'o', 0, G_OPTION_ARG_FILENAME, &output,
      "file of the CSV (default: standard output; a terminal shows some samples); FILE.h5: HDF5",
      "FILE" },
    { "compress", 0, 0, G_OPTION_ARG_NONE, &compress, "compress an HDF5 file", NULL },
    { "manifest", 0, 0, G_OPTION_ARG_FILENAME, &manifest,
      "write network, options and version of the result", "FILE.json" },
    { "events", 0, 0, G_OPTION_ARG_FILENAME, &events,
      "write the list of events: impacts, mode changes, impulses", "FILE.csv" },
    { "initial", 0, 0, G_OPTION_ARG_FILENAME, &initial, "begin with the state in a file",
      "FILE.h5" },
    { "final", 0, 0, G_OPTION_ARG_FILENAME, &final, "write the state at the end", "FILE.h5" },
    { "checkpoint", 0, 0, G_OPTION_ARG_FILENAME, &checkpoint,
      "write checkpoints for --resume (INTERVAL: a time, such as 10min, or a number of steps)",
      "FILE.h5[,INTERVAL]" },
    { "resume", 0, 0, G_OPTION_ARG_FILENAME, &resume,
      "continue from a checkpoint if there is one, and write more", "FILE.h5" },
    { "event-rows", 0, 0, G_OPTION_ARG_NONE, &event_rows,
      "add samples just before and just after each event", NULL },
    { "no-events", 0, 0, G_OPTION_ARG_NONE, &no_events,
      "change modes at the ends of steps only, to see the error of this", NULL },
    { "measure", 0, 0, G_OPTION_ARG_STRING_ARRAY, &measured,
      "print measures as in `ifbam sweep`, not samples: max:m1.position; may be repeated",
      "WHAT[:SIGNAL]" },
    { "from", 0, 0, G_OPTION_ARG_STRING, &from, "measure rows and events from this time on", "T" },
    { "to", 0, 0, G_OPTION_ARG_STRING, &to, "measure them up to this time", "T" },
    { "verbose", 0, 0, G_OPTION_ARG_NONE, &verbose,
      "print how the equations of an implicit scheme were solved", NULL },
    G_OPTION_ENTRY_NULL,
  };
  g_autoptr (GOptionContext) context = ifbam_command_context (command, entries);
  int exit_code;

  if (!ifbam_command_parse (command, context, &options, &argc, &argv, &exit_code))
    return exit_code;
  const char *const states[] = { initial, final, resume };
  if (measured == NULL && (from != NULL || to != NULL))
    return ifbam_command_usage (command, "--from and --to are for --measure");
  if (measured != NULL
      && (manifest || events || initial || final || checkpoint || resume || compress || event_rows
          || no_events || verbose || ifbam_result_is_named (output)))
    return ifbam_command_usage (command,
                                "--measure prints a table (want -o FILE.csv and options for the "
                                "network, --from and --to at most)");
  if (ifbam_command_draws (command, output, "course")
      || ifbam_command_overwrites (command, output, argv[1])
      || ifbam_command_overwrites (command, events, argv[1])
      || ifbam_command_overwrites (command, manifest, argv[1]))
    return IFBAM_EXIT_USAGE;
  if (measured != NULL)
    return ifbam_sweep_request_measure_once (&(IfbamSweepRequest){ .measured = measured,
                                                                   .from = from,
                                                                   .to = to,
                                                                   .count = IFBAM_MEASURE_COUNT,
                                                                   .network = options },
                                             argv[1], output);
  /* Two results can't share a file. */
  if (events != NULL && ifbam_output_is_same (output == NULL ? "-" : output, events))
    return ifbam_command_usage (command,
                                output == NULL
                                    ? "--events %s: the courses go there; want -o FILE for them"
                                    : "--events %s: the courses go there, too; want another file",
                                events);
  if (manifest != NULL
      && (ifbam_output_is_same (output == NULL ? "-" : output, manifest)
          || (events != NULL && ifbam_output_is_same (events, manifest))))
    return ifbam_command_usage (
        command, "--manifest %s: another result goes there; want another file", manifest);
  for (guint i = 0; i < G_N_ELEMENTS (states); i++)
    if (ifbam_command_overwrites (command, states[i], argv[1]))
      return IFBAM_EXIT_USAGE;
    else if (states[i] != NULL && output != NULL && ifbam_output_is_same (output, states[i]))
      return ifbam_command_usage (command, "-o %s: is a state's file, too", output);
  if (compress && !ifbam_result_is_named (output))
    return ifbam_command_usage (command, "--compress: is for -o FILE.h5");
  /* Results and states contain the text of the network. */
  options.keeps_text =
      ifbam_result_is_named (output) || final != NULL || checkpoint != NULL || resume != NULL;
  return run (&(IfbamRunOptions){ .file = argv[1],
                                  .network = &options,
                                  .output = output,
                                  .manifest = manifest,
                                  .events = events,
                                  .initial = initial,
                                  .final = final,
                                  .checkpoint = checkpoint,
                                  .resume = resume,
                                  .compress = compress,
                                  .event_rows = event_rows,
                                  .no_events = no_events,
                                  .verbose = verbose });
}

const IfbamCommand ifbam_command_run = {
  "run",
  "NETWORK",
  "run a network and write its samples as CSV or HDF5",
  "  ifbam run networks/two-dof.ini -o course.csv\n"
  "  ifbam run networks/two-dof.ini --scheme verlet --step 1ms --record "
  "m1.position,network.energy\n"
  "  ifbam run networks/collision.ini -o course.csv --events events.csv\n"
  "  ifbam run networks/collision.ini -o result.h5\n"
  "  ifbam run networks/two-dof.ini -o course.csv --checkpoint two.h5,10min\n"
  "  ifbam run networks/two-dof.ini -o course.csv --resume two.h5\n"
  "  ifbam run networks/two-dof.ini --set k1.stiffness=12kN/m -o stiffer.csv\n",
  command_run,
  NULL,
};
