/* chart.h: a figure as data: curves or maps, their axes and marks
 *
 * Curves of one unit share a panel (chart-panels.h). Numbers are in SI units.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <math.h>

#include "file/ifbam-course.h"

typedef struct
{
  double from, to; /* NaN: limit of the data */
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
  IfbamAxisRange range; /* shown range [unit] */
  gboolean log;
} IfbamAxis;

typedef enum
{
  IFBAM_CHART_COURSE,   /* x increases; one panel per unit */
  IFBAM_CHART_SPECTRUM, /* x increases; without an x range, up to the last visible amplitude */
  IFBAM_CHART_PHASE,    /* any curve */
  IFBAM_CHART_SHAPE,    /* over the nodes 1, 2, ...; with a zero line */
  IFBAM_CHART_GROWTH,   /* over a logarithmic axis of a given range; gaps as in a sweep */
  IFBAM_CHART_SWEEP,    /* x increases; values that are not finite leave gaps */
  IFBAM_CHART_PATH,     /* any curve, with one scale for x and y */
  IFBAM_CHART_RESPONSE, /* amplitudes [any unit], phases [deg] below, over a range of frequencies */
  IFBAM_CHART_MAP,      /* maps, one below the other; no text */
} IfbamChartKind;

enum /* bits of a curve's style */
{
  IFBAM_CURVE_DOTS = 1 << 0,    /* a dot at each point */
  IFBAM_CURVE_POINTS = 1 << 1,  /* no line between the points */
  IFBAM_CURVE_DASHED = 1 << 2,  /* coincides with another curve */
  IFBAM_CURVE_DOTTED = 1 << 3,  /* shows minus the axis' quantity */
  IFBAM_CURVE_STRONG = 1 << 4,  /* a wide line */
  IFBAM_CURVE_FILLED = 1 << 5,  /* a ring with shaded interior; not in text */
  IFBAM_CURVE_NEUTRAL = 1 << 6, /* grey; its marks are numbers without dots */
  IFBAM_CURVE_GROUND = 1 << 7,  /* grey and wide */
};

typedef struct
{
  const char *label; /* in the legend; NULL: none */
  const char *x_quantity, *x_unit, *y_quantity, *y_unit;
  guint style, colour; /* colour: from 1; 0: by its index in the panel */
  gsize n, n_marks;
  const double *x, *y;           /* (n); points that are not finite are omitted */
  const double *mark_x, *mark_y; /* dots with numbers (n_marks) */
  const double *mark_number;     /* (n_marks); NULL: mark_x */
  const char *mark_word;         /* in front of the number, without quotes or %; or NULL */
  const char *kin;               /* curves with equal names are for comparison; or NULL */
} IfbamCurve;

/* Values on a grid. */
typedef struct
{
  const char *label;           /* above it, or NULL */
  const char *quantity, *unit; /* of the colours */
  gsize n_x, n_y;
  const double *x, *y;      /* increasing (n_x), (n_y) */
  const double *values;     /* values that are not finite stay blank */
  gsize x_stride, y_stride; /* of indices into values */
  const double *mark;       /* x, y of a point with a ring, or NULL */
  gboolean even;            /* x and y are equidistant */
} IfbamMap;

static inline double
ifbam_map_value (const IfbamMap *map, gsize i, gsize j)
{
  return map->values[i * map->x_stride + j * map->y_stride];
}

typedef struct
{
  IfbamChartKind kind;
  gboolean text;              /* text, no picture */
  const char *title;          /* or NULL */
  IfbamAxis x, y;             /* quantity and unit: of the next curves */
  const char *y_range_unit;   /* y.range is for panels of this unit; NULL: for all */
  gboolean log_values;        /* of maps */
  const char *const *x_names; /* names for x = 1, 2, ... (NULL-terminated), or NULL */
  GArray *curves;             /* IfbamCurve */
  GArray *maps;               /* IfbamMap */
  gsize n_lines;
  const double *lines; /* of a response: frequencies with a vertical line [Hz] (n_lines) */
  GStringChunk *texts;
  GArray *owned; /* data of curves and maps, with their destructors */
} IfbamChart;

IfbamChart *ifbam_chart_new (IfbamChartKind kind);
void ifbam_chart_free (IfbamChart *chart);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamChart, ifbam_chart_free)

/* Copies a text, which may be NULL, into the chart. */
const char *ifbam_chart_copy_text (IfbamChart *chart, const char *text);
/* Makes the chart the owner of data, for destroy (data). Returns data. */
gpointer ifbam_chart_own (IfbamChart *chart, gpointer data, GDestroyNotify destroy);
/* Allocates n numbers, owned by the chart. */
double *ifbam_chart_numbers (IfbamChart *chart, gsize n);
/* Adds a curve over the chart's axes. x, y (n) must live as long as the chart; the label is copied.
 * The pointer is valid until the next curve is added. */
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

/* Returns the requested y range if it has the unit of a curve, else the whole axis. */
IfbamAxisRange ifbam_chart_y_range (const IfbamChart *chart, const IfbamCurve *curve);
/* Finds a signal's quantity and unit: from the course (NULL: none), else from the signal's name;
 * for an unknown name, the name and "". */
void ifbam_signal_quantity (IfbamCourse *course, const char *signal, const char **quantity,
                            const char **unit);
/* Returns file names for labels: without folder and suffix if they are then distinct, else
 * unchanged (transfer full, NULL-terminated). */
char **ifbam_chart_file_names (const char *const *paths);
