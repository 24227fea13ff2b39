/* step-assessment.h: what a scheme does to a network at its step, and which step would do: for all who tell it
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "linear/stability.h"

typedef struct
{
  const IfbamScheme *scheme;
  double step, duration; /* [s] */
  IfbamGrowth growth;    /* of the worst mode, dampers counted */
  double own;            /* the network's own growth, which is no scheme's [1/s] */
  gboolean shows;        /* what the scheme adds to it is seen at the end of the run */
  /* What makes it grow, where that is a link with modes at work (of the stability); else NULL. The steps
   * below count these, too. */
  const IfbamEngagement *engaged;
  /* Links hold all nodes that it could show at as soon as these go a certain way: ideal diodes and the
   * like. What they do then is not in it. */
  gboolean while_open;
  /* As ifbam_stability_longest_step() has them, for no growth and for one that nobody sees: */
  double critical_step, longest_step;
  double advised_step; /* the latter for people, never longer than the step; NaN: none is known */
  gboolean at_least;   /* of both no more is known */
} IfbamVerdict;

/* FALSE: bounds alone rule out that the scheme's growth shows. */
gboolean ifbam_verdict_is_open (const IfbamStability *stability, const IfbamScheme *scheme,
                                double step, double duration);
/* with_steps: else these are looked for only where growth shows. */
IfbamVerdict ifbam_verdict (const IfbamStability *stability, const IfbamScheme *scheme, double step,
                            double duration, gboolean with_steps);

/* A step for people: rounded down to two digits. */
double ifbam_step_rounded (double step);

/* For a run that diverged: "A step of 0.0012 s would do", or the scheme verlet (transfer full). NULL: what
 * it started as does not say why, or no step is known to do. Never a longer step than the run had. */
char *ifbam_step_advice (const IfbamModel *model, const IfbamRunSpec *spec, double duration);

/* Whether the word before a run tells that its scheme makes amplitudes grow. */
gboolean ifbam_growth_is_expected (const IfbamModel *model, const IfbamRunSpec *spec,
                                   double duration);
