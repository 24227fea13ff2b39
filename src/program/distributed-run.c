/* distributed-run.c: `run` by several processes, each with a part of the network
 *
 * Each rank compiles its own part of a large network; if the network can't be partitioned before
 * compilation, each rank compiles it all, takes its part, and frees the rest. All ranks execute the
 * same run with decisions from bitwise equal values; rank 0 prints and writes. Errors of single
 * ranks are combined by a vote.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "program/distributed-run.h"

#include <math.h>

#include "base/fail.h"
#include "linear/linear.h"
#include "program/run-states.h"
#include "run/run.h"
#include "file/file.h"

typedef struct
{
  const IfbamRunOptions *options;
  IfbamNetwork *network;
  IfbamDistributedInput input;
  gboolean is_large; /* no rank compiles the whole network */
  IfbamModel *whole; /* the whole, or the first model of a subnetwork; NULL: freed */
  IfbamSignals *signals;
  IfbamRunSpec spec;
  IfbamSubdomain *part;
  IfbamRunOutput *output;       /* on rank 0 */
  IfbamStateFiles *state_files; /* all ranks read states, rank 0 writes them */
  gboolean (*pauses) (gpointer pause_data, guint64 step);
  gboolean (*pause) (gpointer pause_data, IfbamRunner *runner, GError **error);
  IfbamRunTask run;
} Joint;

static void
joint_clear (Joint *self)
{
  ifbam_state_files_free (self->state_files);
  ifbam_run_output_free (self->output);
  ifbam_subdomain_free (self->part);
  g_clear_pointer (&self->signals, ifbam_signals_free);
  ifbam_model_free (self->whole);
  ifbam_distributed_input_clear (&self->input);
  g_clear_object (&self->network);
  ifbam_run_spec_clear (&self->spec);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Joint, joint_clear)

static gboolean
refuse (GError **error, const char *format, const char *text)
{
  return ifbam_fail (error, IFBAM_ERROR_USAGE, format, text);
}

/* Checks options that don't depend on the network. */
static gboolean
check_options (const IfbamRunOptions *own, GError **error)
{
  if (g_strcmp0 (own->network->engine, "objects") == 0)
    return refuse (error,
                   "--engine %s: objects talk within one process (want plan, or mpirun -n 1)",
                   own->network->engine);
  if (g_strcmp0 (own->network->engine, "compiled") == 0)
    return refuse (error, "--engine %s: is for one process (want plan: the same numbers)",
                   own->network->engine);
  if (g_strcmp0 (own->file, "-") == 0)
    return refuse (error, "%s: ranks have no standard input to read the network from; want a file",
                   own->file);
  return TRUE;
}

static gboolean
has_states (const IfbamRunOptions *own)
{
  return own->initial != NULL || own->final != NULL || own->checkpoint != NULL
         || own->resume != NULL;
}

static gboolean
is_full (const Joint *self)
{
  return self->options->manifest != NULL || self->signals->balance
         || ifbam_state_files_is_full (self->state_files);
}

/* Returns an error if ranks don't support an output with scheduled events, or NULL. */
static char *
fault_of_time_events (const Joint *self)
{
  const IfbamRunOptions *own = self->options;
  const char *what =
      has_states (own) ? "a state of that is written and read by one process (run with mpirun -n 1)"
      : is_full (self) ? "its work is summed up by one process (record no network.supplied, "
                         "network.dissipated and "
                         "the like, write no manifest, or run with mpirun -n 1)"
      : own->event_rows || own->no_events
          ? "--event-rows and --no-events are for one process (run with mpirun -n 1)"
          : NULL;

  return what == NULL ? NULL : ifbam_ranks_fault_of_time_events (self->whole, what);
}

static void
prepare (Joint *self, GError **error)
{
  if (check_options (self->options, error))
    self->state_files = ifbam_state_files_new (self->options, error);
}

/* may_cut: partition large networks before compilation, if possible. */
static void
read_network (Joint *self, gboolean may_cut, GError **error)
{
  const IfbamRunOptions *own = self->options;
  g_auto (GStrv) settings = ifbam_network_options_settings (own->network, error);
  g_autofree char *fault = NULL;

  if (settings == NULL)
    return;
  self->network = ifbam_distributed_input_read (
      &self->input, own->file, (const char *const *) settings, may_cut, own->network->keeps_text,
      &self->whole, &self->spec, &self->signals, error);
  if (self->whole == NULL)
    return; /* error of this or another rank */
  fault = ifbam_ranks_fault (self->whole, &self->spec);
  if (fault == NULL)
    fault = fault_of_time_events (self);
  if (fault != NULL)
    g_set_error (error, IFBAM_ERROR, IFBAM_ERROR_USAGE, "%s: %s", own->file, fault);
  else if (has_states (own) && self->signals->links)
    g_set_error (
        error, IFBAM_ERROR, IFBAM_ERROR_USAGE,
        "%s: states of several ranks do not store the dissipation of single links (record no such "
        "signal, or run with mpirun -n 1)",
        own->file);
}

static void
compile (Joint *self, GError **error)
{
  read_network (self, !has_states (self->options), error);
  if (self->network != NULL)
    ifbam_command_note_courses (self->network);
}

static void
open_output (Joint *self, GError **error)
{
  if (ifbam_command_is_first_rank ())
    self->output =
        ifbam_run_output_new (self->options, self->network, self->part->model, self->signals,
                              &self->spec, ifbam_state_files_written (self->state_files), error);
}

/* Called if another rank has died or does not answer: closes files with the samples so far. */
static void
gone (gpointer data, gboolean dead)
{
  Joint *self = data;
  const char *reason = dead ? "another process is gone" : "another process does not answer";

  if (self->output == NULL || (isnan (self->run.time) && !self->run.resumes))
    {
      ifbam_output_abandon ();
      g_printerr ("ifbam: %s: nothing is written\n", reason);
    }
  else if (ifbam_run_output_finish (self->output, &self->run, "failed", NULL))
    g_printerr ("ifbam: %s: interrupted after t = %g s; the rows so far are kept\n", reason,
                self->run.time);
}

/* Clocks differ: rank 0 decides. */
static gboolean
pauses (gpointer data, guint64 step)
{
  Joint *self = data;

  return ifbam_ranks_any (ifbam_command_is_first_rank () && self->pauses (self->state_files, step));
}

/* Writes the state, on rank 0; if that fails, all ranks get an error. */
static gboolean
pause_all (gpointer data, IfbamRunner *runner, GError **error)
{
  Joint *self = data;
  GError *own = NULL;

  self->pause (self->state_files, runner, &own);
  if (ifbam_ranks_agree_on_error (&own))
    return TRUE;
  g_propagate_error (error, own);
  return FALSE;
}

/* Compiles the whole network again (transfer full); NULL: too large, or not rank 0. */
static IfbamModel *
compile_again (const IfbamModel *part, IfbamRunSpec *spec)
{
  const Joint *self = ((const IfbamSubdomain *) part->share)->data;
  g_autoptr (IfbamSignals) signals = NULL;

  return ifbam_command_is_first_rank () && !self->is_large
             ? ifbam_network_compile_or_error (self->network, TRUE, spec, &signals, NULL)
             : NULL;
}

/* Called by all ranks, at most once, when a run may end by growth. */
static gboolean
expects_growth (const IfbamModel *model, const IfbamRunSpec *part_spec, double duration)
{
  g_auto (IfbamRunSpec) spec = { 0 };
  g_autoptr (IfbamModel) whole = compile_again (model, &spec);

  (void) part_spec;
  return ifbam_ranks_any (whole != NULL && ifbam_growth_is_expected (whole, &spec, duration));
}

/* Only rank 0 prints the advice. */
static char *
advise (const IfbamModel *model, const IfbamRunSpec *part_spec, double duration)
{
  g_auto (IfbamRunSpec) spec = { 0 };
  g_autoptr (IfbamModel) whole = compile_again (model, &spec);

  (void) part_spec;
  return whole == NULL ? NULL : ifbam_step_advice (whole, &spec, duration);
}

static void
begin (Joint *self, GError **error)
{
  const IfbamModel *model = self->part->model;

  self->run = (IfbamRunTask){ .threads = (guint) MAX (self->options->network->threads, 1),
                              .allow_divergence = self->options->network->allow_divergence,
                              .full_balance = self->options->manifest != NULL,
                              .time = NAN,
                              .make_engine = ifbam_ranks_engine_new,
                              .expects_growth = expects_growth,
                              .advise = advise };
  self->part->data = self;
  ifbam_run_fits (&self->run, model, self->signals, &self->spec, self->spec.last_step, TRUE, error);
  if (ifbam_ranks_agree_on_error (error))
    ifbam_state_files_join (self->state_files, &self->run, self->network, model, self->signals,
                            &self->spec, error);
}

static void
run_joint (Joint *self, GError **error)
{
  self->run.row = self->output == NULL ? ifbam_run_ignore_row : ifbam_run_output_row;
  self->run.event = self->output != NULL && ifbam_run_output_wants_events (self->output)
                        ? ifbam_run_output_event
                        : NULL;
  self->run.data = self->output;
  if (self->output != NULL)
    ifbam_state_files_set_output (self->state_files, self->output);
  if (self->run.pause != NULL)
    {
      self->pauses = self->run.pauses;
      self->pause = self->run.pause;
      self->run.pauses = pauses;
      self->run.pause = pause_all;
      self->run.pause_data = self;
    }
  ifbam_command_execute (&self->run, self->part->model, self->signals, &self->spec, error);
}

/* Prints notes after the run. */
static void
note_end (const Joint *self, gboolean fine)
{
  if (fine && ifbam_command_has_rest (&self->run))
    {
      g_auto (IfbamRunSpec) spec = { 0 };
      g_autoptr (IfbamModel) whole = compile_again (self->part->model, &spec);

      if (whole != NULL)
        ifbam_command_note_rest (&self->run, whole, &spec);
    }
  ifbam_command_note_suspended (&self->run);
}

/* Writes final outputs on rank 0; returns the exit code. */
static int
finish (Joint *self, const GError *error)
{
  g_autoptr (GError) write_error = NULL;

  if (self->output != NULL && !g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_WRITE)
      && !ifbam_run_output_finish (self->output, &self->run,
                                   ifbam_run_status_text (error == NULL, error), &write_error))
    return ifbam_command_fail (write_error);
  if (error == NULL && ifbam_command_is_first_rank ()
      && !ifbam_state_files_finish (self->state_files, &write_error))
    return ifbam_command_fail (write_error);
  ifbam_progress_end_by_signals ();
  note_end (self, error == NULL);
  return error == NULL ? IFBAM_EXIT_DONE : ifbam_command_fail (error);
}

/* A part refers to a missing element: the whole network gives the usual error. */
static gboolean
compile_whole (Joint *self, GError **error)
{
  ifbam_distributed_input_clear (&self->input);
  g_clear_pointer (&self->whole, ifbam_model_free);
  g_clear_pointer (&self->signals, ifbam_signals_free);
  ifbam_run_spec_clear (&self->spec);
  g_clear_object (&self->network);
  read_network (self, FALSE, error);
  return ifbam_ranks_agree_on_error (error);
}

static void
run_ranks (Joint *self, GError **error)
{
  while (self->part == NULL && *error == NULL)
    {
      self->is_large = self->input.graph != NULL;
      if (ifbam_command_is_first_rank () && !self->is_large)
        ifbam_command_announce (self->whole, &self->spec);
      self->part = ifbam_distributed_input_take_part (&self->input, &self->whole, &self->spec,
                                                      &self->signals, is_full (self), error);
      if (self->part == NULL && *error == NULL && !compile_whole (self, error))
        return;
    }
  if (has_states (self->options))
    ifbam_subdomain_keep_states (self->part, self->whole);
  else
    g_clear_pointer (&self->whole, ifbam_model_free);
}

/* Frees the whole network, except on rank 0, which writes the state. */
static void
free_whole (Joint *self)
{
  if (ifbam_command_is_first_rank ())
    return;
  ifbam_subdomain_unset_whole (self->part);
  g_clear_pointer (&self->whole, ifbam_model_free);
}

int
ifbam_run_on_ranks (const IfbamRunOptions *options)
{
  static void (*const phases[]) (Joint * self, GError * *error) = { prepare, compile, run_ranks,
                                                                    begin, open_output };
  g_auto (Joint) self = { .options = options };
  g_autoptr (GError) error = NULL;

  ifbam_ranks_set_failure_check (ifbam_progress_is_to_end, gone, &self);
  for (guint i = 0; i < G_N_ELEMENTS (phases); i++)
    {
      phases[i](&self, &error);
      if (!ifbam_ranks_agree_on_error (&error))
        return ifbam_command_fail (error);
    }
  free_whole (&self);
  run_joint (&self, &error);
  return finish (&self, error);
}
