/* sweep-run.h: runs variants of a sweep, in lanes and threads
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "sweep/parameter-sweep.h"

typedef struct
{
  guint threads; /* 0: as many as there are processors */
  gboolean objects;
  gboolean allow_divergence;
  gboolean one_by_one; /* no lanes: the same numbers */
  /* Called now and then with the part done (0..1), while nobody changes the results; FALSE interrupts.
   * May be NULL. */
  gboolean (*progress) (gpointer data, double part);
  gpointer data;
} IfbamSweepRun;

/* Runs the open variants. FALSE with IFBAM_ERROR_INTERRUPTED, or what is wrong with a variant: then what
 * is finished is kept. */
gboolean ifbam_sweep_run (IfbamSweep *sweep, const IfbamSweepRun *run, GError **error);

/* Runs these variants (n), open or not. Errors as of ifbam_sweep_run. */
gboolean ifbam_sweep_run_list (IfbamSweep *sweep, const IfbamSweepRun *run, const guint64 *list,
                               guint64 n, GError **error);
