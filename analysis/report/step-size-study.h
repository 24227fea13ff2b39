/* step-size-study.h: runs of a network under every scheme at several steps, and their errors
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "run/run.h"
#include "engine/engine.h"
#include "report/decimation.h"

/* End of a run. */
typedef enum
{
  IFBAM_STEP_SIZE_RUN_FINISHED,
  IFBAM_STEP_SIZE_RUN_DIVERGED,
  IFBAM_STEP_SIZE_RUN_STUCK,   /* could not continue */
  IFBAM_STEP_SIZE_RUN_RATTLED, /* had too many events within its steps */
} IfbamStepSizeRunEnd;

/* Result of one scheme at one step. */
typedef struct
{
  double growth; /* of the worst amplitude (linear/step-assessment.h) [1/s] */
  IfbamStepSizeRunEnd end;
  double ended; /* time of an early end [s]; NaN: finished */
  /* rms error of each signal against the finest run, relative to its range (n_signals), or NaN */
  double *errors;
  float *times; /* values of the signals at the times of comparison; NaN: not reached */
  IfbamDecimatedSeries *whole;
  IfbamDecimatedSeries *head; /* of the first periods; NULL: `whole` resolves them */
} IfbamStepSizeRun;

typedef struct
{
  double frequency; /* of the fastest mode, from laws' derivatives at the start [rad/s]; 0: none */
  gboolean by_reactions;             /* only reactions restore it */
  double duration;                   /* of each run [s] */
  double head;                       /* length of the first periods [s]; 0: not separate */
  const IfbamScheme *const *schemes; /* (n_schemes) */
  guint n_schemes, n_signals;
  double *steps;        /* increasing [s] (n_steps) */
  double *longest_step; /* without visible growth; NaN or infinite: not known [s] (n_schemes) */
  guint n_steps;
  guint own;                   /* index of the network's own step */
  IfbamStepSizeRun *step_runs; /* (n_schemes)(n_steps) */
} IfbamStepSizeStudy;

/* Returns the scheme that describes a scheme's effect on the fastest mode. */
static inline const IfbamScheme *
ifbam_step_size_study_acting (const IfbamStepSizeStudy *study, const IfbamScheme *scheme)
{
  return study->by_reactions ? ifbam_scheme_for_reactions (scheme) : scheme;
}

/* Runs a compiled network, which is not changed, for a duration [s] or an affordable part of it: a
 * page must not take minutes. Runs of a small network use one processor each; those of a large one
 * use all, one by one. progress() gets the fraction that is done, from any thread but not
 * concurrently; FALSE ends the study (IFBAM_ERROR_INTERRUPTED). */
IfbamStepSizeStudy *ifbam_step_size_study_new (const IfbamModel *model, const IfbamRunSpec *spec,
                                               const IfbamSignals *signals, double duration,
                                               gboolean (*progress) (gpointer data, double part),
                                               gpointer data, GError **error);
void ifbam_step_size_study_free (IfbamStepSizeStudy *study);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamStepSizeStudy, ifbam_step_size_study_free)

static inline const IfbamStepSizeRun *
ifbam_step_size_study_run (const IfbamStepSizeStudy *study, guint scheme, guint step)
{
  return &study->step_runs[scheme * study->n_steps + step];
}

#define IFBAM_LARGE 200 /* elements; in a larger network energies are not computed at every row */

/* Returns the work of a step: about 1 per element under an explicit scheme without events. */
double ifbam_step_work (const IfbamModel *model, const IfbamScheme *scheme);
/* Returns the work of a part of a report: a second, or ten for a large network. */
double ifbam_affordable_work (const IfbamModel *model);
