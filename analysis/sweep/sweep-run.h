/* sweep-run.h: runs variants of a sweep, in lanes and threads
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "sweep/parameter-sweep.h"

typedef struct
{
  guint threads; /* 0: number of processors */
  gboolean objects;
  gboolean allow_divergence;
  gboolean one_by_one; /* without lanes; results are equal */
  /* Gets the fraction that is done, with the results at rest; FALSE interrupts. May be NULL. */
  gboolean (*progress) (gpointer data, double part);
  gpointer data;
} IfbamSweepRun;

/* Runs the open variants. FALSE with IFBAM_ERROR_INTERRUPTED, or the error of a variant; finished
 * ones are kept. */
gboolean ifbam_sweep_run (IfbamSweep *sweep, const IfbamSweepRun *run, GError **error);

/* Runs variants of a list (n), open or not. Errors as of ifbam_sweep_run. */
gboolean ifbam_sweep_run_list (IfbamSweep *sweep, const IfbamSweepRun *run, const guint64 *list,
                               guint64 n, GError **error);
