/* response-figure.h: Bode plot: amplitude above, phase below, over the frequency
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "file/file.h"
#include "linear/ifbam-response.h"
#include "figure/chart.h"

typedef struct
{
  const char *title;               /* or NULL */
  const char *input;               /* "force@m1", or NULL: not known */
  IfbamPlotRange x_range, y_range; /* frequency, amplitude */
  gboolean linear;                 /* the frequency's axis */
  gboolean decibels;               /* of amplitudes, and of y_range */
  gsize n_eigenfrequencies;
  const double *eigenfrequencies; /* [n_eigenfrequencies], increasing; each gets a line */
} IfbamResponseFigure;

/* Draws into path, as ifbam_plot_draw does. */
gboolean ifbam_response_figure_draw (const IfbamResponseFigure *figure, IfbamResponse *response,
                                     const char *path, GError **error);

/* The same from the table that `ifbam response` wrote; outputs: some of its signals, or NULL: all. */
gboolean ifbam_response_figure_draw_table (const IfbamResponseFigure *figure,
                                           const IfbamCsvTable *table, const char *const *outputs,
                                           const char *path, GError **error);
