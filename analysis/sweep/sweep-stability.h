/* sweep-stability.h: stability and linearity at the corners of a sweep
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "sweep/parameter-sweep.h"

/* Growth of a variant by the scheme's own error. */
typedef struct
{
  guint64 variant;
  const IfbamScheme *scheme;
  double step;           /* [s] */
  double duration;       /* [s] */
  gboolean verlet_bears; /* no mode grows under the scheme verlet */
  double rate;           /* of the amplitude [1/s] */
} IfbamSweepGrowth;

/* Finds the largest growth over a duration at the ends of all variations. FALSE: none. */
gboolean ifbam_sweep_find_growth (const IfbamSweep *sweep, IfbamSweepGrowth *growth);

/* Counts nonlinear links: modes are those of small motions about the start. */
gsize ifbam_sweep_count_nonlinear (const IfbamSweep *sweep);
