/* sweep-figure.h: table of a sweep as curves or as a map
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "figure/chart.h"
#include "figure/foreach.h"
#include "file/file.h"

/* Makes a chart of a table of `ifbam sweep`, which must outlive it: a map if two parameters have
 * many values each, else (and always as text) curves over the parameter with the most values, one
 * per combination of the others. columns: measures, such as "max:m1.position" or
 * "spectrum:m1.position"; NULL: all. *left_out: a sentence about omitted parts (transfer full), or
 * NULL. chart->y.log is that of the measures. IFBAM_ERROR_COURSE: it is no such table;
 * IFBAM_ERROR_USAGE: no such measure. */
gboolean ifbam_sweep_chart (IfbamChart *chart, const IfbamCsvTable *table,
                            const char *const *columns, char **left_out, GError **error);
