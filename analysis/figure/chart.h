/* chart.h: figures of courses, spectra, phase planes, mode shapes and sweeps, drawn by gnuplot
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "figure/chart-points.h"
#include "file/ifbam-course.h"

typedef enum
{
  IFBAM_PLOT_COURSE,   /* x increases; one panel per unit */
  IFBAM_PLOT_SPECTRUM, /* x increases; without an x range, up to where the amplitudes vanish */
  IFBAM_PLOT_PHASE,    /* any curve */
  IFBAM_PLOT_SHAPE,    /* over the nodes 1, 2, ...; a line stands at rest */
  IFBAM_PLOT_CHART,    /* the same on a logarithmic axis; x_range is given; gaps as in a sweep */
  IFBAM_PLOT_SWEEP,    /* x increases; what is not finite leaves a gap */
  IFBAM_PLOT_PATH,     /* any curve, with one scale for x and y */
} IfbamPlotKind;

typedef struct
{
  IfbamPlotKind kind;
  const char *title; /* or NULL */
  IfbamPlotRange x_range, y_range;
  const char *y_range_unit; /* y_range is for panels of this unit; NULL: for all */
  gboolean log_x, log_y;
  gsize n_series;
  const IfbamPlotSeries *series; /* [n_series] */
  const char *const *x_names;    /* of x = 1, 2, ... (NULL-terminated), or NULL: numbers */
} IfbamPlot;

/* Draws into path, whose suffix (.svg, .png, .pdf) says the format; NULL: as text on standard
 * output, in the size of the terminal. IFBAM_ERROR_USAGE: unknown suffix, or nothing in the ranges;
 * IFBAM_ERROR_COURSE: nothing to draw at all; IFBAM_ERROR_PROGRAM: gnuplot is missing or failed; IFBAM_ERROR_WRITE. */
gboolean ifbam_plot_draw (const IfbamPlot *plot, const char *path, GError **error);

/* The figure as text of so many columns; so many lines per panel (transfer full). */
char *ifbam_plot_text (const IfbamPlot *plot, guint columns, guint lines, GError **error);

/* What a signal is and in which unit: as the course knows it (NULL: there is none), else from its name;
 * for an unknown one its own name and "". */
void ifbam_plot_quantity (IfbamCourse *course, const char *signal, const char **quantity,
                          const char **unit);

/* Names of files for labels: without folder and suffix where that tells them apart, else as they
 * are (transfer full, NULL-terminated). */
char **ifbam_plot_file_names (const char *const *paths);
