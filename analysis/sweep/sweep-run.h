/* sweep-run.h: runs variants of a sweep, in lanes and threads
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "sweep/sweep.h"

/* Which value each variation has in a variant (variations). */
void ifbam_sweep_indices (const IfbamSweep *sweep, guint64 variant, gsize *index);
/* The number of a combination of varied settings: sweep->steps has its steps. */
guint64 ifbam_sweep_combination (const IfbamSweep *sweep, const gsize *index);

/* Runs these variants (n), open or not. Errors as of ifbam_sweep_run. */
gboolean ifbam_sweep_run_list (IfbamSweep *sweep, const IfbamSweepRun *run, const guint64 *list,
                               guint64 n, GError **error);
