/* keeper.c: the states of a run that are kept in files: its first, its last, and checkpoints in between
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "program/keeper.h"

#include <string.h>

#include "base/ifbam-error.h"
#include "store/sealed-file.h"
#include "system/output.h"
#include "system/units.h"

#define INTERVAL                                                                                   \
  (10 * 60 * G_USEC_PER_SEC) /* between two checkpoints, where nothing else is said */

struct _IfbamKeeper
{
  const IfbamRunOptions *options;
  char *checkpoint; /* where checkpoints go; NULL: nowhere */
  gint64 interval;  /* [us] */
  guint64 steps;    /* or so many steps; 0: by the clock */
  IfbamStateFile *first;
  IfbamRunner *runner; /* that stands at the first state */
  IfbamStateFile last; /* at the run's end; no state: not wanted, or not there yet */
  IfbamRunOutput *output;
  guint64 last_step, kept_step;
  gint64 kept; /* when the last checkpoint was written [us] */
};

void
ifbam_keeper_free (IfbamKeeper *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->runner, ifbam_runner_free);
  g_clear_pointer (&self->first, ifbam_state_file_free);
  ifbam_state_file_forget (&self->last);
  g_free (self->checkpoint);
  g_free (self);
}

static gboolean
refuse (GError **error, const char *option, const char *text, const char *reason)
{
  g_set_error (error, IFBAM_ERROR, IFBAM_ERROR_USAGE, "%s %s: %s", option, text, reason);
  return FALSE;
}

/* "10 min", or a number of steps. */
static gboolean
read_interval (IfbamKeeper *self, const char *text, GError **error)
{
  g_autofree char *reason = NULL;
  double seconds;

  if (g_ascii_string_to_unsigned (text, 10, 1, G_MAXINT64, &self->steps, NULL))
    return TRUE;
  if (!ifbam_units_parse (text, "s", "interval", "10 min", &seconds, &reason))
    return refuse (error, "--checkpoint", self->options->checkpoint, reason);
  if (!(seconds >= 1e-3 && seconds < 1e9))
    return refuse (error, "--checkpoint", self->options->checkpoint,
                   "the interval is to be between 1 ms and 30 years, or a number of steps");
  self->interval = (gint64) (seconds * (double) G_USEC_PER_SEC);
  return TRUE;
}

static gboolean
read_checkpoint (IfbamKeeper *self, GError **error)
{
  const char *text = self->options->checkpoint;
  const char *comma = strrchr (text, ',');

  self->checkpoint = comma == NULL ? g_strdup (text) : g_strndup (text, (gsize) (comma - text));
  if (!ifbam_result_is_named (self->checkpoint))
    return refuse (error, "--checkpoint", text, "want FILE.h5 or FILE.h5,INTERVAL");
  return comma == NULL || read_interval (self, comma + 1, error);
}

/* A checkpoint that can't be read has one before it. */
static gboolean
read_resumed (IfbamKeeper *self, GError **error)
{
  const char *path = self->options->resume;
  g_autofree char *before = ifbam_sealed_before (path);
  g_autoptr (GError) own = NULL;

  if (!g_file_test (path, G_FILE_TEST_EXISTS) && !g_file_test (before, G_FILE_TEST_EXISTS))
    {
      g_printerr ("ifbam: note: there is no %s yet: the run begins\n", path);
      return TRUE;
    }
  self->first = ifbam_state_file_read (path, &own);
  if (self->first == NULL && g_file_test (before, G_FILE_TEST_EXISTS))
    {
      self->first = ifbam_state_file_read (before, NULL);
      if (self->first != NULL)
        g_printerr ("ifbam: note: %s; the run goes on from %s\n", own->message, before);
    }
  if (self->first == NULL)
    {
      g_propagate_error (error, g_steal_pointer (&own));
      return FALSE;
    }
  return self->first->is_checkpoint
         || refuse (error, "--resume", path,
                    "is a state without the rows before it; a run begins with it by --initial");
}

IfbamKeeper *
ifbam_keeper_new (const IfbamRunOptions *options, GError **error)
{
  g_autoptr (IfbamKeeper) self = g_new0 (IfbamKeeper, 1);

  self->options = options;
  self->interval = INTERVAL;
  if (options->initial != NULL && options->resume != NULL)
    {
      refuse (error, "--initial", options->initial, "--resume has a state to begin with, too");
      return NULL;
    }
  if (options->final != NULL && !ifbam_result_is_named (options->final))
    {
      refuse (error, "--final", options->final, "want FILE.h5");
      return NULL;
    }
  if ((options->checkpoint != NULL || options->resume != NULL) && options->output == NULL)
    {
      g_set_error_literal (error, IFBAM_ERROR, IFBAM_ERROR_USAGE,
                           "--checkpoint and --resume want -o FILE, with which a run can go on");
      return NULL;
    }
  if (options->checkpoint != NULL && !read_checkpoint (self, error))
    return NULL;
  if (options->resume != NULL && self->checkpoint == NULL)
    self->checkpoint = g_strdup (options->resume);
  if (options->resume != NULL && !read_resumed (self, error))
    return NULL;
  /* Who goes on says that the run before is dead. */
  if (options->resume != NULL)
    {
      ifbam_output_tidy (self->checkpoint);
      ifbam_output_tidy (self->first == NULL ? options->output : NULL);
      ifbam_output_tidy (self->first == NULL ? options->events : NULL);
    }
  if (options->initial != NULL
      && (self->first = ifbam_state_file_read (options->initial, error)) == NULL)
    return NULL;
  return g_steal_pointer (&self);
}

/* A run goes on as it was asked for. */
static gboolean
check_same_run (const IfbamKeeper *self, const IfbamManifest *now, GError **error)
{
  const IfbamManifest *then = self->first->manifest;
  const IfbamWritten *written = &self->first->written;
  g_autofree char *asked = g_strjoinv (" ", then->options), *asks = g_strjoinv (" ", now->options);

  if (g_strcmp0 (then->sha256, now->sha256) != 0)
    return refuse (error, "--resume", self->options->resume,
                   "is of another network: the file's text has changed since");
  if (g_strcmp0 (then->version, now->version) != 0)
    return refuse (error, "--resume", self->options->resume, "is of another version of ifbam");
  if (strcmp (asked, asks) != 0)
    {
      g_set_error (error, IFBAM_ERROR, IFBAM_ERROR_USAGE,
                   "--resume %s: is of a run with other options: \"%s\"", self->options->resume,
                   asked);
      return FALSE;
    }
  if (g_strcmp0 (written->output.path, self->options->output) != 0
      || g_strcmp0 (written->events.path, self->options->events) != 0)
    {
      g_set_error (error, IFBAM_ERROR, IFBAM_ERROR_USAGE, "--resume %s: its run writes -o %s%s%s",
                   self->options->resume, written->output.path,
                   written->events.path != NULL ? " --events " : "",
                   written->events.path != NULL ? written->events.path : "");
      return FALSE;
    }
  return TRUE;
}

static gboolean
is_due (const IfbamKeeper *self, guint64 step)
{
  if (self->checkpoint == NULL || step == self->kept_step)
    return FALSE;
  return step == self->last_step
         || (self->steps > 0 ? step >= self->kept_step + self->steps
                             : g_get_monotonic_time () >= self->kept + self->interval);
}

static gboolean
pauses (gpointer data, guint64 step)
{
  const IfbamKeeper *self = data;

  return is_due (self, step) || (self->options->final != NULL && step == self->last_step);
}

static gboolean
write_checkpoint (IfbamKeeper *self, const IfbamStateFile *file, guint64 step, GError **error)
{
  IfbamStateFile whole = *file;
  gboolean fine;

  whole.is_checkpoint = TRUE;
  fine = ifbam_run_output_mark (self->output, &whole.written, error)
         && ifbam_state_file_write (&whole, self->checkpoint, error);
  ifbam_written_clear (&whole.written);
  self->kept_step = step;
  self->kept = g_get_monotonic_time ();
  return fine;
}

/* Where a run is interrupted it gets here unasked. */
static gboolean
keep (gpointer data, IfbamRunner *runner, GError **error)
{
  IfbamKeeper *self = data;
  const guint64 step = ifbam_runner_step (runner);
  IfbamStateFile file = { .manifest = (IfbamManifest *) ifbam_run_output_manifest (self->output) };
  gboolean fine = TRUE;

  file.state = ifbam_runner_get_state (runner);
  file.untold = ifbam_runner_list_untold (runner);
  if (file.state != NULL && self->checkpoint != NULL && step != self->kept_step)
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
ifbam_keeper_join (IfbamKeeper *self, IfbamRunTask *run, const IfbamNetwork *network,
                   const IfbamModel *model, const IfbamSignals *signals, const IfbamRunSpec *spec,
                   GError **error)
{
  const char *option = self->options->resume != NULL ? "--resume" : "--initial";
  const char *path = self->options->resume != NULL ? self->options->resume : self->options->initial;
  g_autoptr (GError) own = NULL;

  self->last_step = spec->last_step;
  self->kept_step = 0;
  self->kept = g_get_monotonic_time ();
  if (self->options->final != NULL || self->checkpoint != NULL)
    {
      run->pauses = pauses;
      run->pause = keep;
      run->pause_data = self;
    }
  if (self->first == NULL)
    return TRUE;
  if (self->options->resume != NULL)
    {
      g_autoptr (IfbamManifest) now = ifbam_run_manifest (self->options, network, spec);

      if (!check_same_run (self, now, error))
        return FALSE;
      run->resumes = TRUE;
    }
  run->initial = self->first->state;
  self->kept_step = ifbam_state_steps (run->initial) - ifbam_engine_lookahead (spec);
  run->untold = self->first->untold;
  run->full_ledger = run->full_ledger || ifbam_run_state_is_full (run->initial);
  /* Before files are opened: what does not fit costs nothing that is there. */
  run->runner = self->runner = ifbam_runner_new_at (run, model, signals, spec, &own);
  if (self->runner != NULL)
    return TRUE;
  if (g_error_matches (own, IFBAM_ERROR, IFBAM_ERROR_USAGE))
    return refuse (error, option, path, own->message);
  g_propagate_error (error, g_steal_pointer (&own));
  return FALSE;
}

const IfbamWritten *
ifbam_keeper_written (const IfbamKeeper *self)
{
  return self->first != NULL && self->options->resume != NULL ? &self->first->written : NULL;
}

void
ifbam_keeper_watch (IfbamKeeper *self, IfbamRunOutput *output)
{
  self->output = output;
}

gboolean
ifbam_keeper_finish (IfbamKeeper *self, GError **error)
{
  return self->options->final == NULL || self->last.state == NULL
         || ifbam_state_file_write (&self->last, self->options->final, error);
}
