/* response-figure.h: Bode plot: amplitude above, phase below, over the frequency
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "figure/chart.h"
#include "file/file.h"
#include "linear/ifbam-response.h"

/* Makes a chart of a response. chart->y.log FALSE: amplitudes (and y.range) are in decibels;
 * chart->lines: eigenfrequencies. IFBAM_ERROR_USAGE: no data in the range of frequencies. */
gboolean ifbam_response_chart (IfbamChart *chart, IfbamResponse *response, GError **error);

/* As above from the table of `ifbam response`, with copies of its numbers; outputs: some of its
 * signals, or NULL: all. IFBAM_ERROR_USAGE also if it is another table. */
gboolean ifbam_response_table_chart (IfbamChart *chart, const IfbamCsvTable *table,
                                     const char *const *outputs, GError **error);
