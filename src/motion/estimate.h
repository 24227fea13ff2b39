/* estimate.h: how fast a network's fastest mode is, from its laws' slopes at the start
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/run-spec.h"

typedef struct
{
  double frequency; /* angular, of the fastest mode [1/s]: by power iteration, so from below */
  gboolean at_most; /* the network is too large for that: the bound */
  double bound;     /* not below any angular frequency (Gershgorin 1931) [1/s] */
  double damping;   /* not below any decay rate of the dampers alone (the same theorem) [1/s] */
} IfbamEstimate;

IfbamEstimate ifbam_estimate (const IfbamModel *model, const IfbamRunSpec *spec);

/* A step that keeps every mode's growth within a factor exp (tolerance) over a duration [s]; infinite
 * for a network without links. */
double ifbam_estimate_step (const IfbamEstimate *estimate, const IfbamScheme *scheme,
                            double duration, double tolerance);

/* A step for people: rounded down to two digits. */
double ifbam_step_rounded (double step);

/* For a run of so long [s] that diverged: "A step of 0.0012 s would do" (transfer full), or the scheme
 * verlet; NULL: no step is known to do, or, without links, none is needed. */
char *ifbam_step_advice (const IfbamModel *model, const IfbamRunSpec *spec, double duration);
