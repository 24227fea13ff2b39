/* step-size-study.h: a network under every scheme at a ladder of steps: how courses grow as the step does
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "run/run.h"
#include "engine/engine.h"
#include "report/decimation.h"

/* How a run has ended. */
typedef enum
{
  IFBAM_RUNG_FINISHED,
  IFBAM_RUNG_DIVERGED,
  IFBAM_RUNG_STUCK,   /* it could not go on */
  IFBAM_RUNG_RATTLED, /* more happened within its steps than a page waits for */
} IfbamRungEnd;

/* What came of one scheme at one step. */
typedef struct
{
  double
      growth; /* of the worst mode's amplitude, as the verdict has it (linear/step-assessment.h) [1/s] */
  IfbamRungEnd end;
  double ended; /* where it ended early [s]; NaN: it has finished */
  /* each signal's course from the finest, rms, in parts of its range (n_signals); NaN: not known */
  double *strays;
  float *looks; /* what the signals are at instants at which rungs are compared; NaN: not reached */
  IfbamTrace *whole;
  IfbamTrace *head; /* of the first periods; NULL where the whole shows them */
} IfbamRung;

typedef struct
{
  double
      frequency; /* angular, of the fastest mode, from the laws' slopes at the start [1/s]; 0: none */
  gboolean by_reactions; /* these alone let it swing */
  double duration;       /* of each run [s] */
  double head;           /* length of the first periods [s]; 0: there are none of their own */
  const IfbamScheme *const *schemes; /* (n_schemes) */
  guint n_schemes, n_signals;
  double *steps; /* increasing [s] (n_steps) */
  double *
      longest_step; /* up to which the run shows no growth; NaN or infinite: none is known [s] (n_schemes) */
  guint n_steps;
  guint own;        /* the step that is the network's */
  IfbamRung *rungs; /* (n_schemes)(n_steps) */
} IfbamLadder;

/* As which scheme one acts on the fastest mode. */
static inline const IfbamScheme *
ifbam_ladder_acting (const IfbamLadder *ladder, const IfbamScheme *scheme)
{
  return ladder->by_reactions ? ifbam_scheme_on_reactions (scheme) : scheme;
}

/* Runs a compiled network, which stays as it is, for a duration [s] or as much of it as is affordable:
 * a page is not to take minutes. All processors run a small one; a large one's runs have all of them, one by one. progress()
 * gets the part done, from any thread but one at a time, and ends it by FALSE (then an error, IFBAM_ERROR_INTERRUPTED). */
IfbamLadder *ifbam_ladder_new (const IfbamModel *model, const IfbamRunSpec *spec,
                               const IfbamSignals *signals, double duration,
                               gboolean (*progress) (gpointer data, double part), gpointer data,
                               GError **error);
void ifbam_ladder_free (IfbamLadder *ladder);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamLadder, ifbam_ladder_free)

static inline const IfbamRung *
ifbam_ladder_rung (const IfbamLadder *ladder, guint scheme, guint step)
{
  return &ladder->rungs[scheme * ladder->n_steps + step];
}

#define IFBAM_LARGE 200 /* elements of a network whose energy is not asked for at every row */

/* A step's work is about that of its elements, each of which counts 1 under an explicit scheme without events. */
double ifbam_step_work (const IfbamModel *model, const IfbamScheme *scheme);
/* The work that a part of a report may take: a second, or ten for a large network. */
double ifbam_affordable_work (const IfbamModel *model);
