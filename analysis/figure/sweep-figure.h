/* sweep-figure.h: a sweep's table as curves or as a map
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "figure/chart.h"
#include "figure/foreach.h"
#include "file/file.h"

/* Makes a chart of a table that `ifbam sweep` has written: a map where two numbers have many values each, else (and always
 * as text) curves over the number with the most values, one for each combination of the others. The table outlives the
 * chart. columns: measures, such as "max:m1.position" or "spectrum:m1.position"; NULL: all. *left_out: a sentence about
 * parts without room (transfer full), or NULL. chart->y.log is that of the measures. IFBAM_ERROR_COURSE: it is no such
 * table; IFBAM_ERROR_USAGE: no such measure. */
gboolean ifbam_sweep_chart (IfbamChart *chart, const IfbamCsvTable *table,
                            const char *const *columns, char **left_out, GError **error);
