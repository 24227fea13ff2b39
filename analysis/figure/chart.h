/* chart.h: a figure as data: curves or maps, their axes and marks; gnuplot draws it as a picture or as text
 *
 * Curves of one unit share a panel (chart-panels.h). Numbers are in SI units; axes get prefixes (axis-units.h).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <math.h>

#include "file/ifbam-course.h"

typedef struct
{
  double from, to; /* NaN: as far as the data reach */
} IfbamAxisRange;

#define IFBAM_AXIS_WHOLE                                                                           \
  {                                                                                                \
    NAN, NAN                                                                                       \
  }

static inline IfbamAxisRange
ifbam_range_or (IfbamAxisRange range, double from, double to)
{
  return (IfbamAxisRange){ isnan (range.from) ? from : range.from,
                           isnan (range.to) ? to : range.to };
}

typedef struct
{
  const char *quantity; /* "time" */
  const char *unit;     /* "s", or "" */
  IfbamAxisRange range; /* shown [unit] */
  gboolean log;
} IfbamAxis;

typedef enum
{
  IFBAM_CHART_COURSE,   /* x increases; one panel per unit */
  IFBAM_CHART_SPECTRUM, /* x increases; without an x range, up to where amplitudes vanish */
  IFBAM_CHART_PHASE,    /* any curve */
  IFBAM_CHART_SHAPE,    /* over the nodes 1, 2, ...; a line at rest */
  IFBAM_CHART_GROWTH,   /* over a logarithmic axis of a given range; gaps as in a sweep */
  IFBAM_CHART_SWEEP,    /* x increases; values that are not finite leave gaps */
  IFBAM_CHART_PATH,     /* any curve, with one scale for x and y */
  IFBAM_CHART_RESPONSE, /* amplitudes [any unit] and phases [deg], one above the other, over a given range of frequencies */
  IFBAM_CHART_MAP, /* maps, one above the other; no text */
} IfbamChartKind;

enum /* bits of a curve's style */
{
  IFBAM_CURVE_DOTS = 1 << 0,    /* a dot at each point */
  IFBAM_CURVE_POINTS = 1 << 1,  /* no line between the points */
  IFBAM_CURVE_DASHED = 1 << 2,  /* it lies on another curve */
  IFBAM_CURVE_DOTTED = 1 << 3,  /* it shows the opposite of the axis' quantity */
  IFBAM_CURVE_STRONG = 1 << 4,  /* a wide line */
  IFBAM_CURVE_FILLED = 1 << 5,  /* a ring with its inside shaded; not in text */
  IFBAM_CURVE_NEUTRAL = 1 << 6, /* grey; its marks are numbers alone */
  IFBAM_CURVE_GROUND = 1 << 7,  /* grey and wide */
};

typedef struct
{
  const char *label; /* in the legend; NULL: not there */
  const char *x_quantity, *x_unit, *y_quantity, *y_unit;
  guint style, colour; /* colour: from 1; 0: by its index in the panel */
  gsize n, n_marks;
  const double *x, *y;           /* (n); points that are not finite are left out */
  const double *mark_x, *mark_y; /* dots with numbers (n_marks) */
  const double *mark_number;     /* (n_marks); NULL: mark_x */
  const char *mark_word;         /* before the number, without quotes or %; or NULL */
  const char *kin;               /* curves with equal names are there to be compared; or NULL */
} IfbamCurve;

/* Values on a grid. */
typedef struct
{
  const char *label;           /* above it, or NULL */
  const char *quantity, *unit; /* beside its colours */
  gsize n_x, n_y;
  const double *x, *y;      /* increasing (n_x), (n_y) */
  const double *values;     /* those that are not finite stay blank */
  gsize x_stride, y_stride; /* of the values' indices */
  const double *mark;       /* x, y of a point with a ring, or NULL */
  gboolean even;            /* x and y have even steps */
} IfbamMap;

static inline double
ifbam_map_value (const IfbamMap *map, gsize i, gsize j)
{
  return map->values[i * map->x_stride + j * map->y_stride];
}

typedef struct
{
  IfbamChartKind kind;
  gboolean text;              /* it is to be printed, not drawn */
  const char *title;          /* or NULL */
  IfbamAxis x, y;             /* quantity and unit: of the curves that are added next */
  const char *y_range_unit;   /* y.range is for panels of this unit; NULL: for all */
  gboolean log_values;        /* of maps */
  const char *const *x_names; /* of x = 1, 2, ... (NULL-terminated), or NULL */
  GArray *curves;             /* IfbamCurve */
  GArray *maps;               /* IfbamMap */
  gsize n_lines;
  const double *lines; /* of a response: frequencies that get a vertical line [Hz] (n_lines) */
  GStringChunk *texts;
  GArray *owned; /* data of curves and maps, with their destructors */
} IfbamChart;

IfbamChart *ifbam_chart_new (IfbamChartKind kind);
void ifbam_chart_free (IfbamChart *chart);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamChart, ifbam_chart_free)

/* Copies a text, which may be NULL, into the chart. */
const char *ifbam_chart_copy_text (IfbamChart *chart, const char *text);
/* Makes the chart the owner of data: destroy (data) when it is freed. Returns data. */
gpointer ifbam_chart_own (IfbamChart *chart, gpointer data, GDestroyNotify destroy);
/* Memory for n numbers, owned by the chart. */
double *ifbam_chart_numbers (IfbamChart *chart, gsize n);
/* Adds a curve over the chart's axes. x, y (n) live as long as the chart; the label is copied. The pointer is valid until
 * the next curve is added. */
IfbamCurve *ifbam_chart_add (IfbamChart *chart, const char *label, const double *x, const double *y,
                             gsize n);

static inline const IfbamCurve *
ifbam_chart_curve (const IfbamChart *chart, gsize i)
{
  return &g_array_index (chart->curves, IfbamCurve, i);
}

static inline gsize
ifbam_curve_index (const IfbamChart *chart, const IfbamCurve *curve)
{
  return (gsize) (curve - ifbam_chart_curve (chart, 0));
}

/* Returns the vertical range that was asked for if it has the unit of a curve, else that of the whole axis. */
IfbamAxisRange ifbam_chart_y_range (const IfbamChart *chart, const IfbamCurve *curve);
/* Finds a signal's quantity and unit: the course's (NULL: there is none), else from the signal's name; of an unknown name,
 * the name and "". */
void ifbam_signal_quantity (IfbamCourse *course, const char *signal, const char **quantity,
                            const char **unit);
/* Names of files for labels: without folder and suffix where that tells them apart, else as they are (transfer full,
 * NULL-terminated). */
char **ifbam_chart_file_names (const char *const *paths);
