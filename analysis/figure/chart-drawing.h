/* chart-drawing.h: a chart as a picture or as text, by gnuplot
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "figure/chart.h"

/* Draws into path; its suffix (.svg, .png, .pdf) is the format. NULL: prints text of the terminal's
 * size. IFBAM_ERROR_USAGE: unknown suffix, or empty ranges; IFBAM_ERROR_COURSE: no data;
 * IFBAM_ERROR_PROGRAM: gnuplot is missing or failed; IFBAM_ERROR_WRITE. */
gboolean ifbam_chart_draw (const IfbamChart *chart, const char *path, GError **error);
/* Returns the chart as text with given columns, and lines per panel (transfer full). */
char *ifbam_chart_text (const IfbamChart *chart, guint columns, guint lines, GError **error);

/* Returns the size of the terminal, or the values of COLUMNS and LINES. */
void ifbam_terminal_size (guint *columns, guint *lines);
/* TRUE if a file's suffix is that of a picture. */
gboolean ifbam_is_picture (const char *path);
