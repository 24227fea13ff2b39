/* run-loop.h: runs an engine over its duration: rows, ledger, divergence, progress
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <math.h>

#include "base/ifbam-error.h"
#include "engine/engine.h"
#include "file/file.h"
#include "run/divergence.h"

/* What carries out a task (not owned, as the model, the signals and the settings). */
typedef struct _IfbamRunner IfbamRunner;

typedef struct
{
  guint threads;             /* of the compiled engine; 0: by the size of the network */
  gboolean objects;          /* by the dialogue of the objects, not compiled */
  gboolean allow_divergence; /* go on as far as numbers are finite */
  gboolean full_ledger;      /* for `sums`, even if no signal asks */
  /* Makes an engine that somebody else's cycles carry; NULL, or where it makes none: the usual one. */
  IfbamEngine *(*make_engine) (const IfbamModel *model, const IfbamRunSpec *spec, guint threads);
  gboolean by_events;  /* by the event engine alone, where there are events: to compare */
  gboolean unlocated;  /* events take place at the ends of steps */
  gboolean event_rows; /* rows just before and after each event, too */
  gboolean keeps_rows; /* what row() got stays if the run ends early; errors say so */
  gboolean collects;   /* row() keeps all rows in memory */
  gboolean
      does_without; /* who interrupts does without rows that row() has not got yet, where these are long */
  /* Gets each event, before the first row that is later; NULL: nobody asks. */
  gboolean (*event) (gpointer data, const IfbamEvent *event, GError **error);
  /* Gets each row; FALSE with an error ends the run. */
  gboolean (*row) (gpointer data, double time, const double *values, GError **error);
  /* Called now and then with the part done (0..1); FALSE interrupts. May be NULL. */
  gboolean (*progress) (gpointer data, double part);
  gpointer data;
  /* Whether the state is wanted where a step has been told; if so, or where the run is interrupted at one, pause()
   * may ask for it; FALSE with an error ends the run. NULL: nobody wants it. */
  gboolean (*pauses) (gpointer pause_data, guint64 step);
  gboolean (*pause) (gpointer pause_data, IfbamRunner *runner, GError **error);
  gpointer pause_data;
  /* What ifbam_run() begins with, and events of its step that are yet to be told (IfbamEvent; may be NULL). NULL:
   * the start. (Neither is owned.) */
  const IfbamState *initial;
  const GArray *untold;
  gboolean resumes; /* the run that the state is of goes on: its row was told */
  /* Of ifbam_runner_new_at(), for ifbam_run() to go on with; NULL: it makes its own. (Not owned.) */
  IfbamRunner *runner;
  /* What would do better where a run of so long [s] diverges: a phrase (transfer full) for its error; NULL:
   * nothing is known to. May be NULL. */
  char *(*advise) (const IfbamModel *model, const IfbamRunSpec *spec, double duration);
  /* Whether growth was to be expected before the run; else energy out of nothing ends it. Asked only where there
   * is some; NULL: it may go on. */
  gboolean (*expects_growth) (const IfbamModel *model, const IfbamRunSpec *spec, double duration);

  /* results */
  double time;     /* of the last row written [s] */
  guint64 stopped; /* the step at which it diverged or could not go on, if it did */
  IfbamSums sums;  /* at the end */
  /* The account's open rest at the last step: energy that came from nothing, or (negative; known only where
   * all that is dissipated was booked) went nowhere; and the largest of stored, supplied and dissipated
   * energy [J]. */
  double rest, rest_of;
  guint held; /* times that a link with too many events in a step was held closed to its end */
  const char *first_held; /* the first of them, if there was one (not owned), and when [s] */
  double first_held_time;
  IfbamStepCount count; /* what a tolerance took */
  /* How often the engine has asked within steps whether to go on, which it does each time that some thousands of rows
   * or so were looked at: what was done for events, by counting, the same on every machine. */
  guint64 work;
} IfbamRunTask;

/* Whether a run has ended by itself before its time: it diverged, or could not go on (a mechanism whose ends turn too
 * far in a step); its rows up to there were told. */
static inline gboolean
ifbam_run_stopped (const IfbamRunTask *task, const GError *error)
{
  return g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_DIVERGED)
         || (task->stopped > 0 && g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_NETWORK));
}

/* Whether there is memory to go on for so many steps (of which rows are kept, if the task collects them);
 * else an error that says how much it would take. begins: the engine is still to be made. */
gboolean ifbam_run_fits (const IfbamRunTask *task, const IfbamModel *model,
                         const IfbamSignals *signals, const IfbamRunSpec *spec, guint64 steps,
                         gboolean begins, GError **error);
IfbamRunner *ifbam_runner_new (IfbamRunTask *task, const IfbamModel *model,
                               const IfbamSignals *signals, const IfbamRunSpec *spec);
/* On to a step (beyond that of its row, up to the last one), whose row is told, too; the rows and events
 * are those of a run in one go. FALSE with an error: IFBAM_ERROR_DIVERGED or IFBAM_ERROR_INTERRUPTED (rows
 * so far were told), or what row() said; after it only ifbam_runner_free() may follow. */
gboolean ifbam_runner_advance (IfbamRunner *runner, guint64 until, GError **error);
guint64 ifbam_runner_step (const IfbamRunner *runner);
/* A row callback that does nothing. */
gboolean ifbam_run_ignore_row (gpointer data, double time, const double *values, GError **error);
/* Events that have happened and are yet to be told, where it stands (IfbamEvent; transfer full). */
GArray *ifbam_runner_list_untold (const IfbamRunner *runner);
/* All that it goes on from, where it stands; NULL: it can't go on. */
IfbamState *ifbam_runner_get_state (IfbamRunner *runner);
/* Instead of its start, before it advances: it stands at the row of a state, and begins with that row where one
 * is due. FALSE with IFBAM_ERROR_USAGE: the state does not fit. */
gboolean ifbam_runner_set_state (IfbamRunner *runner, const IfbamState *state, GError **error);
/* Signals at the row that it is at, into values (one for each); whether those that need the ledger have
 * it is the caller's to see to: see ifbam_runner_keeps_ledger(). */
void ifbam_runner_look (IfbamRunner *runner, const IfbamSignals *signals, double *values);
IfbamSums ifbam_runner_sums (IfbamRunner *runner);
/* Whether the work done since the start is summed up. */
gboolean ifbam_runner_keeps_ledger (const IfbamRunner *runner);
void ifbam_runner_free (IfbamRunner *runner);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamRunner, ifbam_runner_free)

/* Whether a state is of a run that kept an account of all work: one that begins with it has to, too. */
gboolean ifbam_run_state_is_full (const IfbamState *state);
/* One that begins with the task's state, if it has one; NULL: there is no memory for it, or IFBAM_ERROR_USAGE says
 * what of the state does not fit. */
IfbamRunner *ifbam_runner_new_at (IfbamRunTask *task, const IfbamModel *model,
                                  const IfbamSignals *signals, const IfbamRunSpec *spec,
                                  GError **error);

/* From the start, or the task's state, to the last step in one go. */
gboolean ifbam_run (IfbamRunTask *task, const IfbamModel *model, const IfbamSignals *signals,
                    const IfbamRunSpec *spec, GError **error);
