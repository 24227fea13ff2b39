/* chart-points.h: a curve of a figure, and the points of it that a picture shows
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <math.h>

#include "figure/gnuplot-script.h"

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
  const char *mark_word;         /* before that, without quotes or %; or NULL */
  gboolean dashed;               /* it lies on another one */
  gboolean dotted;               /* it goes down where the axis goes up */
  gboolean strong;               /* it is what the picture is about */
  gboolean filled;               /* a ring whose inside is shaded; not in text */
  gboolean neutral;              /* it is of no curve: grey, and its marks are numbers alone */
  gboolean ground;               /* it is what others move on: grey and thick */
  guint colour;                  /* of the panel's, from 1; 0: by its place */
  const char *kin; /* what curves of one thing have in common: they are compared; or NULL */
} IfbamPlotSeries;

/* Whether point i has a place in the picture. */
static inline gboolean
ifbam_curve_is_drawn (const IfbamPlotSeries *s, gsize i)
{
  return isfinite (s->x[i]) && isfinite (s->y[i]);
}

typedef enum
{
  IFBAM_CURVE_RISING, /* x increases */
  IFBAM_CURVE_BROKEN, /* the same; what is not finite leaves a gap */
  IFBAM_CURVE_FREE,   /* any curve */
} IfbamCurveKind;

/* Appends the points that a picture of these ranges needs, a line each, times these factors. */
void ifbam_curve_append (GString *script, const IfbamPlotSeries *s, IfbamCurveKind kind,
                         IfbamPlotRange x, IfbamPlotRange y, double x_factor, double y_factor);
