/* sweep-table.h: finished variants of a sweep as CSV, and resuming from them
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "file/file.h"
#include "sweep/sweep-run.h"

/* Returns the finished variants (transfer full): varied parameters, values, time of divergence. A
 * spectrum has as many columns as its richest variant. */
IfbamCsvTable *ifbam_sweep_to_table (const IfbamGrid *grid);
/* As above from a file of a sweep, in HDF5 or CSV. IFBAM_ERROR_COURSE. */
IfbamCsvTable *ifbam_sweep_table_from_file (const char *path, GError **error);
/* As above as CSV text (transfer full). */
GString *ifbam_sweep_to_csv (const IfbamGrid *grid);
/* Takes finished variants from a CSV file, and repeats a few to check that the file is of this
 * sweep; else IFBAM_ERROR_COURSE. */
gboolean ifbam_sweep_resume (IfbamSweep *sweep, const IfbamSweepRun *run, const char *path,
                             GError **error);
