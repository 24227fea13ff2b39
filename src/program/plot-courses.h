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
  const char *x_unit, *y_unit; /* of --x and --y; NULL: those of the curves */
  const char *one;             /* it is drawn of one "network" or "table" alone; NULL: of several */
  gboolean every_step;         /* it needs a row at each step */
  gboolean alone;              /* of schemes: a network's modes are marked, but it needs none */
  IfbamChartKind chart;        /* of courses */
  IfbamDraw *draw;
  IfbamAddSignal *add; /* of courses but phase portraits */
  void (*schemes) (IfbamChart *chart, const IfbamStability *stability);
  const char *summary; /* for --help */
  const char *options; /* names of those that it takes: "x y title" */
  const char *network; /* of those for the network; NULL: all */
} IfbamFigureKind;

struct IfbamPlotOptions
{
  const IfbamFigureKind *kind;
  char *output, *title, *x_text, *y_text;
  IfbamAxisRange x, y;
  IfbamChart *chart;
  char **signals, **also, *count_text;
  guint count;    /* modes, or peaks that are marked; 0: all */
  char **outputs; /* of a response; of all else one, a file */
  char *speed_text;
  double speed; /* of a movie: seconds of the run in a second */
  IfbamTransformOptions transform;
  IfbamResponseOptions response;
  gboolean log, decibels;
  GArray *overlays;   /* IfbamOverlay, among the signals */
  gboolean recorded;  /* the signals are those that a network records: also patterns and ranges */
  const char *prefix; /* of errors of the drawing: the table's file; or NULL */
  char *note;         /* printed once the picture is drawn; or NULL */
};

/* A file that is drawn, or a network with one more setting. */
typedef struct
{
  const char *file, *also; /* also: NULL: as it is */
  char *name;              /* for labels */
} IfbamDrawn;

/* The files, each network followed by its variants (IfbamDrawn, transfer full). */
GArray *ifbam_list_drawn (const IfbamPlotOptions *options, char **files);
/* The course of an entry of the list; the origin is set if all entries are of one network. */
IfbamCourse *ifbam_load_drawn (const IfbamNetworkOptions *options, const GArray *list, guint i,
                               IfbamOrigin *origin, GError **error);
/* Gives the chart the title that was asked for, or the network's (NULL: it has none). */
void ifbam_plot_set_title (const IfbamPlotOptions *options, const char *title);
/* Reads the range of an axis; text or unit NULL: the whole axis. FALSE with an error. */
gboolean ifbam_plot_read_range (const char *option, const char *text, const char *unit,
                                IfbamAxisRange *range, GError **error);
/* Whether a kind is computed from transforms of signals. */
gboolean ifbam_figure_transforms (const IfbamFigureKind *kind);

IfbamAddSignal ifbam_plot_add_course, ifbam_plot_add_spectrum, ifbam_plot_add_spectrogram;
IfbamDraw ifbam_draw_courses;
