/* run-loop.h: runs an engine over its duration: samples, energy balance, divergence, progress
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <math.h>

#include "base/ifbam-error.h"
#include "engine/engine.h"
#include "file/file.h"
#include "run/divergence.h"

/* Executes a run task (the task, model, signals and spec are not owned). */
typedef struct _IfbamRunner IfbamRunner;

typedef struct
{
  guint threads;             /* of the compiled engine; 0: by the size of the network */
  gboolean objects;          /* by the dialogue of objects instead of the compiled engine */
  gboolean allow_divergence; /* continue while values are finite */
  gboolean full_balance;     /* for `sums`, even if no signal needs it */
  /* Returns an engine instead of the default one; NULL as function or result: the default one. */
  IfbamEngine *(*make_engine) (const IfbamModel *model, const IfbamRunSpec *spec, guint threads);
  gboolean by_events;  /* event engine instead of the dual engine, for comparison */
  gboolean unlocated;  /* events take place at the ends of steps */
  gboolean event_rows; /* also samples just before and after each event */
  gboolean keeps_rows; /* samples passed to row () remain if the run ends early; errors state it */
  gboolean collects;   /* row() keeps all rows in memory */
  /* an interrupted run may omit samples that row () has not got yet, if that takes long */
  gboolean does_without;
  /* Gets each event, before the first later sample; NULL: not needed. */
  gboolean (*event) (gpointer data, const IfbamEvent *event, GError **error);
  /* Gets each sample; FALSE with an error ends the run. */
  gboolean (*row) (gpointer data, double time, const double *values, GError **error);
  /* Called periodically with the fraction done (0..1); FALSE interrupts. May be NULL. */
  gboolean (*progress) (gpointer data, double part);
  gpointer data;
  /* Returns TRUE if the state is needed at a step, after its sample. Then, or if interrupted at a
   * step, pause () can get the state; FALSE with an error ends the run. NULL: never. */
  gboolean (*pauses) (gpointer pause_data, guint64 step);
  gboolean (*pause) (gpointer pause_data, IfbamRunner *runner, GError **error);
  gpointer pause_data;
  /* State at which ifbam_run () begins (NULL: the start), and events of its step not yet passed on
   * (IfbamEvent; may be NULL). (Not owned.) */
  const IfbamState *initial;
  const GArray *pending_events;
  gboolean resumes; /* continues the state's run; the sample there was passed on already */
  /* Runner from ifbam_runner_new_at () for ifbam_run (); NULL: a new one. (Not owned.) */
  IfbamRunner *runner;
  /* Returns a remedy for divergence in a run of a duration [s], for the error (transfer full);
   * NULL: none known. May be NULL. */
  char *(*advise) (const IfbamModel *model, const IfbamRunSpec *spec, double duration);
  /* Returns TRUE if growth was expected; else unexplained energy ends the run. Called only for such
   * energy; NULL: the run may continue. */
  gboolean (*expects_growth) (const IfbamModel *model, const IfbamRunSpec *spec, double duration);

  /* results: */
  double time;     /* of the last sample passed on [s] */
  guint64 stopped; /* step at which the run diverged or failed; 0: neither */
  IfbamSums sums;  /* at the end */
  /* Residual of the energy balance at the last step: energy from nothing, or (negative; if all
   * dissipation is booked) lost energy; largest of stored, supplied, dissipated energy [J]. */
  double rest, rest_of;
  guint held; /* count of suspended links, closed until a step's end after too many events */
  const char *first_held; /* name of the first of them (not owned), and its time [s]; NULL: none */
  double first_held_time;
  IfbamStepCount count;
  /* Interrupt checks of the engine within steps, one per some thousands of rows evaluated: a
   * measure of the work for events, equal on all machines. */
  guint64 work;
} IfbamRunTask;

/* Returns TRUE if a run ended by itself before its duration: it diverged, or failed (as if ends of
 * a mechanism turn too far in a step). Samples before were passed on. */
static inline gboolean
ifbam_run_stopped (const IfbamRunTask *task, const GError *error)
{
  return g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_DIVERGED)
         || (task->stopped > 0 && g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_NETWORK));
}

/* Returns TRUE if memory suffices for so many steps (and their samples, if collected); else an
 * error states the memory needed. begins: with a new engine. */
gboolean ifbam_run_fits (const IfbamRunTask *task, const IfbamModel *model,
                         const IfbamSignals *signals, const IfbamRunSpec *spec, guint64 steps,
                         gboolean begins, GError **error);
IfbamRunner *ifbam_runner_new (IfbamRunTask *task, const IfbamModel *model,
                               const IfbamSignals *signals, const IfbamRunSpec *spec);
/* Advances to a step (after that of its sample, at most the last), including its sample; samples
 * and events are those of an uninterrupted run. FALSE: IFBAM_ERROR_DIVERGED,
 * IFBAM_ERROR_INTERRUPTED (samples so far were passed on), or row ()'s error; then only
 * ifbam_runner_free () is allowed. */
gboolean ifbam_runner_advance (IfbamRunner *runner, guint64 until, GError **error);
guint64 ifbam_runner_step (const IfbamRunner *runner);
/* A row callback without effect. */
gboolean ifbam_run_ignore_row (gpointer data, double time, const double *values, GError **error);
/* Returns events not yet passed on (IfbamEvent; transfer full). */
GArray *ifbam_runner_list_pending_events (const IfbamRunner *runner);
/* Returns all data that determine the rest of the run; NULL: it can't be saved. */
IfbamState *ifbam_runner_get_state (IfbamRunner *runner);
/* Before the first advance: sets the runner to a state's sample, with which it begins if one is
 * due. FALSE with IFBAM_ERROR_USAGE: the state does not fit. */
gboolean ifbam_runner_set_state (IfbamRunner *runner, const IfbamState *state, GError **error);
/* Computes signals at the present sample into values (one each). The caller ensures that an energy
 * balance exists if they need it: ifbam_runner_keeps_balance (). */
void ifbam_runner_read_signals (IfbamRunner *runner, const IfbamSignals *signals, double *values);
IfbamSums ifbam_runner_sums (IfbamRunner *runner);
/* Returns TRUE if work since the start is summed. */
gboolean ifbam_runner_keeps_balance (const IfbamRunner *runner);
void ifbam_runner_free (IfbamRunner *runner);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamRunner, ifbam_runner_free)

/* Returns TRUE if a state has sums of all work: a run that begins with it needs them, too. */
gboolean ifbam_run_state_is_full (const IfbamState *state);
/* Returns a runner at the task's state, if any. NULL: not enough memory, or with IFBAM_ERROR_USAGE:
 * the state does not fit. */
IfbamRunner *ifbam_runner_new_at (IfbamRunTask *task, const IfbamModel *model,
                                  const IfbamSignals *signals, const IfbamRunSpec *spec,
                                  GError **error);

/* Runs from the start, or the task's state, to the last step. */
gboolean ifbam_run (IfbamRunTask *task, const IfbamModel *model, const IfbamSignals *signals,
                    const IfbamRunSpec *spec, GError **error);
