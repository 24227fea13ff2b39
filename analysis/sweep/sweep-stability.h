/* sweep-stability.h: what the scheme and small motions do to the corners of a sweep
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "sweep/parameter-sweep.h"

/* What the scheme's own error does to a variant. */
typedef struct
{
  guint64 variant;
  const IfbamScheme *scheme;
  double step;           /* [s] */
  double duration;       /* [s] */
  gboolean verlet_bears; /* nothing grows with the scheme verlet */
  double rate;           /* of its amplitude [1/s] */
} IfbamSweepGrowth;

/* The one with the most growth over its duration, of the variants at the ends of all variations. FALSE:
 * there is none. */
gboolean ifbam_sweep_find_growth (const IfbamSweep *sweep, IfbamSweepGrowth *growth);

/* Links without a linear law: modes are those of small motions about the start. */
gsize ifbam_sweep_count_nonlinear (const IfbamSweep *sweep);
