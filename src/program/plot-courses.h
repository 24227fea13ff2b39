/* plot-courses.h: options of ifbam plot, and figures of courses
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "figure/figure.h"
#include "program/command-response.h"
#include "program/command-transform.h"

typedef struct IfbamPlotOptions IfbamPlotOptions;

/* Fills the chart, or writes a movie; FALSE with an error. */
typedef gboolean IfbamDraw (IfbamPlotOptions *options, IfbamNetworkOptions *network_options,
                            char **files, GError **error);

/* Adds the curve or map of a signal to the chart; FALSE with an error. */
typedef gboolean IfbamAddSignal (const IfbamPlotOptions *options, IfbamCourse *course,
                                 const char *signal, const char *label, GError **error);

typedef struct
{
  const char *name;
  const char *x_unit, *y_unit; /* units for --x and --y; NULL: those of the curves */
  const char *one;             /* input is a single "network" or "table"; NULL: several files */
  gboolean every_step;         /* needs a sample at each step */
  gboolean alone;       /* of schemes: works without a network; with one, its modes are marked */
  IfbamChartKind chart; /* for courses */
  IfbamDraw *draw;
  IfbamAddSignal *add; /* for courses except phase portraits */
  void (*schemes) (IfbamChart *chart, const IfbamStability *stability);
  const char *summary; /* for --help */
  const char *options; /* names of its options: "x y title" */
  const char *network; /* options for the network; NULL: all */
} IfbamFigureKind;

struct IfbamPlotOptions
{
  const IfbamFigureKind *kind;
  char *output, *title, *x_text, *y_text;
  IfbamAxisRange x, y;
  IfbamChart *chart;
  char **signals, **also, *count_text;
  guint count;             /* modes, or marked peaks; 0: all */
  char **outputs;          /* of a response; other figures have one, a file */
  char *over, *order_text; /* signal of a shaft; orders, "0.5,1" */
  GArray *orders;          /* double, of order_text */
  char *speed_text;
  double speed; /* of a movie: time of the run per second */
  IfbamTransformOptions transform;
  IfbamResponseOptions response;
  gboolean log, decibels;
  GArray *overlays;   /* IfbamOverlay, from the signals */
  gboolean recorded;  /* signals may be patterns and ranges, as those a network records */
  const char *prefix; /* for errors of the drawing: the table's file; or NULL */
  char *note;         /* printed after the picture is drawn; or NULL */
};

/* File to be drawn, or a network with one more setting. */
typedef struct
{
  const char *file, *also; /* also: the setting; NULL: none */
  char *name;              /* for labels */
} IfbamDrawn;

/* Returns the files, each network followed by its variants (IfbamDrawn, transfer full). */
GArray *ifbam_list_drawn (const IfbamPlotOptions *options, char **files);
/* Returns the course of a list's entry; sets the origin if all entries are of one network. */
IfbamCourse *ifbam_load_drawn (const IfbamNetworkOptions *options, const GArray *list, guint i,
                               IfbamOrigin *origin, GError **error);
/* Sets the chart's title: that of the options, or the network's (NULL: none). */
void ifbam_plot_set_title (const IfbamPlotOptions *options, const char *title);
/* Reads the range of an axis; text or unit NULL: the whole axis. FALSE with an error. */
gboolean ifbam_plot_read_range (const char *option, const char *text, const char *unit,
                                IfbamAxisRange *range, GError **error);
/* TRUE if a figure is computed from spectra of signals. */
gboolean ifbam_figure_transforms (const IfbamFigureKind *kind);

IfbamAddSignal ifbam_plot_add_course, ifbam_plot_add_spectrum, ifbam_plot_add_spectrogram,
    ifbam_plot_add_orders;
IfbamDraw ifbam_draw_courses;
