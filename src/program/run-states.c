/* run-states.c: state files of a run: initial, final, checkpoints
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "program/run-states.h"

#include <string.h>

#include "base/fail.h"
#include "program/checkpoints.h"
#include "file/file.h"

struct _IfbamStateFiles
{
  const IfbamRunOptions *options;
  IfbamCheckpoints checkpoints; /* count: steps */
  IfbamStateFile *first;
  IfbamRunner *runner; /* at the initial state */
  IfbamStateFile last; /* final state; no state: not requested, or not reached */
  IfbamRunOutput *output;
  guint64 last_step;
  gboolean known; /* a checkpoint exists from which the output can be continued */
};

void
ifbam_state_files_free (IfbamStateFiles *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->runner, ifbam_runner_free);
  g_clear_pointer (&self->first, ifbam_state_file_free);
  ifbam_state_file_forget (&self->last);
  ifbam_checkpoints_clear (&self->checkpoints);
  g_free (self);
}

static gpointer
read_state (const char *path, gpointer data, GError **error)
{
  (void) data;
  return ifbam_state_file_read (path, error);
}

static gboolean
read_resumed (IfbamStateFiles *self, GError **error)
{
  const char *path = self->options->resume;

  if (!ifbam_checkpoints_read (path, "run", read_state, NULL, (gpointer *) &self->first, error))
    return FALSE;
  return self->first == NULL || self->first->is_checkpoint
         || ifbam_command_refuse (
             error, "--resume", path,
             "is a state without the rows before it; a run begins with it by --initial");
}

/* Rejects equal names of two files. */
static gboolean
check_names (const IfbamStateFiles *self, GError **error)
{
  const IfbamRunOptions *options = self->options;
  const char *path = self->checkpoints.path;
  g_autofree char *before = path == NULL ? NULL : ifbam_sealed_old_name (path);
  const char *const states[] = { path, before, options->final };
  const char *const others[] = { options->output, options->events, options->manifest,
                                 options->file };

  for (guint i = 0; i < G_N_ELEMENTS (states); i++)
    for (guint j = 0; j < G_N_ELEMENTS (others); j++)
      if (states[i] != NULL && others[j] != NULL && ifbam_output_is_same (states[i], others[j]))
        return ifbam_command_refuse (error,
                                     states[i] == options->final ? "--final" : "--checkpoint",
                                     states[i], "another file of the run has this name");
  for (guint i = 0; i < 2; i++)
    if (options->final != NULL && path != NULL && ifbam_output_is_same (states[i], options->final))
      return ifbam_command_refuse (error, "--final", options->final,
                                   "a checkpoint is written there");
  return TRUE;
}

IfbamStateFiles *
ifbam_state_files_new (const IfbamRunOptions *options, GError **error)
{
  g_autoptr (IfbamStateFiles) self = g_new0 (IfbamStateFiles, 1);

  self->options = options;
  if (options->initial != NULL && options->resume != NULL)
    {
      ifbam_command_refuse (error, "--initial", options->initial,
                            "--resume has a state to begin with, too");
      return NULL;
    }
  if (options->final != NULL && !ifbam_result_is_named (options->final))
    {
      ifbam_command_refuse (error, "--final", options->final, "want FILE.h5");
      return NULL;
    }
  if ((options->checkpoint != NULL || options->resume != NULL) && options->output == NULL)
    return ifbam_fail_null (error, IFBAM_ERROR_USAGE,
                            "--checkpoint and --resume need -o FILE, to continue a run");
  if (!ifbam_checkpoints_init (&self->checkpoints, options->checkpoint, options->resume, error)
      || !check_names (self, error)
      || (ifbam_command_is_first_rank () && !ifbam_checkpoints_lock (&self->checkpoints, error))
      || (options->resume != NULL && !read_resumed (self, error)))
    return NULL;
  /* --resume implies that the run before has ended. */
  if (options->resume != NULL && ifbam_command_is_first_rank ())
    {
      ifbam_output_tidy (self->checkpoints.path);
      ifbam_output_tidy (self->first == NULL ? options->output : NULL);
      ifbam_output_tidy (self->first == NULL ? options->events : NULL);
    }
  if (ifbam_command_is_first_rank ()
      && (!ifbam_output_try (self->checkpoints.path, error)
          || !ifbam_output_try (options->final, error)))
    return NULL;
  if (options->initial != NULL
      && (self->first = ifbam_state_file_read (options->initial, error)) == NULL)
    return NULL;
  return g_steal_pointer (&self);
}

/* A resumed run must have the options of the run before. */
static gboolean
check_same_run (const IfbamStateFiles *self, const IfbamManifest *now, GError **error)
{
  const IfbamWritten *written = &self->first->written;
  g_autofree char *difference = ifbam_manifest_difference (self->first->manifest, now);

  if (difference != NULL)
    return ifbam_command_refuse (error, "--resume", self->options->resume, difference);
  if (g_strcmp0 (written->output.path, self->options->output) != 0
      || g_strcmp0 (written->events.path, self->options->events) != 0)
    return ifbam_fail (error, IFBAM_ERROR_USAGE, "--resume %s: its run writes -o %s%s%s",
                       self->options->resume, written->output.path,
                       written->events.path != NULL ? " --events " : "",
                       written->events.path != NULL ? written->events.path : "");
  return TRUE;
}

static gboolean
pauses (gpointer data, guint64 step)
{
  const IfbamStateFiles *self = data;

  return ifbam_checkpoints_is_due (&self->checkpoints, step)
         || (step == self->last_step
             && (self->checkpoints.path != NULL || self->options->final != NULL));
}

static gboolean
write_checkpoint (IfbamStateFiles *self, const IfbamStateFile *file, guint64 step, GError **error)
{
  IfbamStateFile whole = *file;
  gboolean fine;

  whole.is_checkpoint = TRUE;
  fine = ifbam_run_output_mark (self->output, &whole.written, error)
         && ifbam_state_file_write (&whole, self->checkpoints.path, error);
  self->known |= fine;
  if (!self->known && self->output != NULL)
    ifbam_run_output_forget_mark (self->output);
  ifbam_written_clear (&whole.written);
  ifbam_checkpoints_kept (&self->checkpoints, step);
  return fine;
}

/* Also called when a run is interrupted. */
static gboolean
write_state (gpointer data, IfbamRunner *runner, GError **error)
{
  IfbamStateFiles *self = data;
  const guint64 step = ifbam_runner_step (runner);
  IfbamStateFile file = { .pending_events = NULL };
  gboolean fine = TRUE;

  /* Rank 0 has the output and gets the state. */
  if (self->output != NULL)
    file.manifest = (IfbamManifest *) ifbam_run_output_manifest (self->output);

  file.state = ifbam_runner_get_state (runner);
  file.pending_events = ifbam_runner_list_pending_events (runner);
  if (file.state != NULL && self->checkpoints.path != NULL && step != self->checkpoints.kept_at)
    fine = write_checkpoint (self, &file, step, error);
  if (file.state != NULL && step == self->last_step)
    {
      ifbam_state_file_forget (&self->last);
      self->last = file;
      return fine;
    }
  ifbam_state_file_forget (&file);
  return fine;
}

gboolean
ifbam_state_files_join (IfbamStateFiles *self, IfbamRunTask *run, const IfbamNetwork *network,
                        const IfbamModel *model, const IfbamSignals *signals,
                        const IfbamRunSpec *spec, GError **error)
{
  const char *option = self->options->resume != NULL ? "--resume" : "--initial";
  const char *path = self->options->resume != NULL ? self->options->resume : self->options->initial;
  g_autoptr (GError) own = NULL;

  self->last_step = spec->last_step;
  ifbam_checkpoints_kept (&self->checkpoints, 0);
  if (self->options->final != NULL || self->checkpoints.path != NULL)
    {
      run->pauses = pauses;
      run->pause = write_state;
      run->pause_data = self;
    }
  if (self->first == NULL)
    return TRUE;
  if (self->options->resume != NULL)
    {
      g_autoptr (IfbamManifest) now = ifbam_run_manifest (self->options, network, spec);

      if (!check_same_run (self, now, error))
        return FALSE;
      run->resumes = self->known = TRUE;
    }
  run->initial = self->first->state;
  ifbam_checkpoints_kept (&self->checkpoints,
                          ifbam_state_steps (run->initial) - ifbam_engine_lookahead (spec));
  run->pending_events = self->first->pending_events;
  run->full_balance = run->full_balance || ifbam_run_state_is_full (run->initial);
  /* Before output files are opened: an error leaves existing files unchanged. */
  run->runner = self->runner = ifbam_runner_new_at (run, model, signals, spec, &own);
  if (self->runner != NULL)
    return TRUE;
  if (g_error_matches (own, IFBAM_ERROR, IFBAM_ERROR_USAGE))
    return ifbam_command_refuse (error, option, path, own->message);
  g_propagate_error (error, g_steal_pointer (&own));
  return FALSE;
}

gboolean
ifbam_state_files_is_full (const IfbamStateFiles *self)
{
  return self->first != NULL && ifbam_run_state_is_full (self->first->state);
}

const IfbamWritten *
ifbam_state_files_written (const IfbamStateFiles *self)
{
  return self->first != NULL && self->options->resume != NULL ? &self->first->written : NULL;
}

void
ifbam_state_files_set_output (IfbamStateFiles *self, IfbamRunOutput *output)
{
  self->output = output;
}

gboolean
ifbam_state_files_finish (IfbamStateFiles *self, GError **error)
{
  return self->options->final == NULL || self->last.state == NULL
         || ifbam_state_file_write (&self->last, self->options->final, error);
}
