/* step-assessment.h: assessment of a scheme and step for a network, and advised steps
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "linear/stability.h"

typedef struct
{
  const IfbamScheme *scheme;
  double step, duration; /* [s] */
  IfbamGrowth growth;    /* of the worst mode, with dampers */
  double own;            /* growth of the network itself, under any scheme [1/s] */
  gboolean is_visible;   /* the additional growth by the scheme is visible at the end of the run */
  /* Link with modes that causes the growth in an active mode (owned by the stability); else NULL.
   * The steps below account for it. */
  const IfbamActiveMode *growing_mode;
  /* Growth ends when ideal diodes and similar links close; later growth is ignored. */
  gboolean while_open;
  /* From ifbam_stability_longest_step(), for no growth and for invisible growth: */
  double critical_step, longest_step;
  double advised_step; /* longest_step rounded, at most the present step; NaN: none is known */
  gboolean at_least;   /* both are lower bounds */
} IfbamStepAssessment;

/* Returns FALSE if bounds rule out that the scheme's growth is visible. */
gboolean ifbam_step_assessment_is_open (const IfbamStability *stability, const IfbamScheme *scheme,
                                        double step, double duration);
/* with_steps: compute steps in any case; else only if growth is visible. */
IfbamStepAssessment ifbam_step_assess (const IfbamStability *stability, const IfbamScheme *scheme,
                                       double step, double duration, gboolean with_steps);

/* Rounds a step down to two digits. */
double ifbam_step_rounded (double step);

/* For a run that diverged: returns "A step of 0.0012 s would do", or the scheme verlet (transfer
 * full). NULL: the start does not explain it, or no step is known. Never advises a longer step. */
char *ifbam_step_advice (const IfbamModel *model, const IfbamRunSpec *spec, double duration);

/* Returns TRUE if the assessment before a run predicts growth by the scheme. */
gboolean ifbam_growth_is_expected (const IfbamModel *model, const IfbamRunSpec *spec,
                                   double duration);
