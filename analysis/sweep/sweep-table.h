/* sweep-table.h: the finished variants of a sweep as CSV, and a sweep that goes on from there
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "file/file.h"
#include "sweep/sweep-run.h"

/* The finished variants (transfer full): the varied numbers, the values, the instant of divergence. Spectra
 * have as many columns as the richest of them needs. */
IfbamCsvTable *ifbam_sweep_to_table (const IfbamGrid *grid);
/* The same of a file that a sweep has left, in HDF5 or CSV. IFBAM_ERROR_COURSE. */
IfbamCsvTable *ifbam_sweep_table_from_file (const char *path, GError **error);
/* The same as CSV (transfer full). */
GString *ifbam_sweep_to_csv (const IfbamGrid *grid);
/* Takes the finished variants from a CSV file over and runs a few of them again, to see that the file is
 * this sweep's: else IFBAM_ERROR_COURSE. */
gboolean ifbam_sweep_resume (IfbamSweep *sweep, const IfbamSweepRun *run, const char *path,
                             GError **error);
