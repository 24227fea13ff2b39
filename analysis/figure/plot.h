/* plot.h: figures of courses, spectra, phase planes, mode shapes and sweeps, drawn by gnuplot
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "system/ifbam-course.h"

typedef enum
{
  IFBAM_PLOT_COURSE,   /* x increases; one panel per unit */
  IFBAM_PLOT_SPECTRUM, /* x increases; without an x range, up to where the amplitudes vanish */
  IFBAM_PLOT_PHASE,    /* any curve */
  IFBAM_PLOT_SHAPE,    /* over the nodes 1, 2, ...; a line stands at rest */
  IFBAM_PLOT_CHART,    /* the same on a logarithmic axis; x_range is given; gaps as in a sweep */
  IFBAM_PLOT_SWEEP,    /* x increases; what is not finite leaves a gap */
} IfbamPlotKind;

/* A curve. Nothing is copied or owned. */
typedef struct
{
  const char *label;      /* in the legend; NULL: it is not there */
  const char *x_quantity; /* "time" */
  const char *x_unit;     /* "s", or "" */
  const char *y_quantity;
  const char *y_unit;
  gsize n;
  const double *x, *y;           /* [n]; what is not finite is left out */
  gsize n_marks;                 /* peaks: a dot each, with its x beside it */
  const double *mark_x, *mark_y; /* [n_marks] */
  gboolean dots;                 /* each point has one, on its line */
  gboolean loose;                /* there is no line between them */
  const double *mark_number;     /* what stands beside them instead of x [n_marks], or NULL */
  gboolean dashed;               /* it lies on another one */
  gboolean dotted;               /* it goes down where the axis goes up */
  gboolean strong;               /* it is what the picture is about */
  gboolean neutral;              /* it is of no curve: grey, and its marks are numbers alone */
  guint colour;                  /* of the panel's, from 1; 0: by its place */
} IfbamPlotSeries;

typedef struct
{
  double from, to; /* NaN: as the data want it */
} IfbamPlotRange;

#define IFBAM_PLOT_ANY                                                                             \
  {                                                                                                \
    NAN, NAN                                                                                       \
  }

typedef struct
{
  IfbamPlotKind kind;
  const char *title; /* or NULL */
  IfbamPlotRange x_range, y_range;
  gboolean log_x, log_y;
  gsize n_series;
  const IfbamPlotSeries *series; /* [n_series] */
  const char *const *x_names;    /* of x = 1, 2, ... (NULL-terminated), or NULL: numbers */
} IfbamPlot;

/* Whether a file's suffix says that it is a picture. */
gboolean ifbam_plot_is_picture (const char *path);

/* Draws into path, whose suffix (.svg, .png, .pdf) says the format; NULL: as text on standard
 * output, in the size of the terminal. IFBAM_ERROR_USAGE: unknown suffix, or nothing in the ranges;
 * IFBAM_ERROR_COURSE: nothing to draw at all; IFBAM_ERROR_PROGRAM: gnuplot is missing or failed; IFBAM_ERROR_WRITE. */
gboolean ifbam_plot_draw (const IfbamPlot *plot, const char *path, GError **error);

/* Of a value over a plane. Nothing is copied or owned. */
typedef struct
{
  const char *quantity, *unit; /* beside the colours */
  const double *values;        /* [n_y][n_x]; what is not finite stays blank */
} IfbamPlotLayer;

typedef struct
{
  const char *title; /* or NULL */
  const char *x_quantity, *x_unit, *y_quantity, *y_unit;
  IfbamPlotRange x_range, y_range;
  gboolean log_x, log_y, log_values;
  gsize n_x, n_y;
  const double *x, *y; /* [n_x], [n_y]; increasing */
  gsize n_layers;
  const IfbamPlotLayer *layers; /* [n_layers], one above the other */
} IfbamPlotMap;

/* Draws values as colours into path, as ifbam_plot_draw does. There is no text of a map: path is not
 * NULL. */
gboolean ifbam_plot_draw_map (const IfbamPlotMap *map, const char *path, GError **error);

/* The figure as text of so many columns; so many lines per panel (transfer full). */
char *ifbam_plot_text (const IfbamPlot *plot, guint columns, guint lines, GError **error);

/* What a signal is and in which unit: as the course knows it (NULL: there is none), else from its name;
 * for an unknown one its own name and "". */
void ifbam_plot_quantity (IfbamCourse *course, const char *signal, const char **quantity,
                          const char **unit);

/* Names of files for labels: without folder and suffix where that tells them apart, else as they
 * are (transfer full, NULL-terminated). */
char **ifbam_plot_file_names (const char *const *paths);

/* For maps that are drawn elsewhere: a script for gnuplot with the terminal that the path's suffix wants,
 * the styles of all figures and the colours of maps (transfer full); NULL with IFBAM_ERROR_USAGE for
 * an unknown suffix. */
GString *ifbam_plot_begin_map (const char *path, guint height, GError **error);
/* A text in quotes. */
void ifbam_plot_append_text (GString *script, const char *text);
/* Draws the script, which it takes over, into the path. */
gboolean ifbam_plot_finish (GString *script, const char *path, GError **error);
/* The size of the terminal, or what COLUMNS and LINES say. */
void ifbam_plot_terminal_size (guint *columns, guint *lines);
