/* chart-points.h: points of a curve that a picture needs
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "figure/chart.h"

/* TRUE if point i is finite. */
static inline gboolean
ifbam_curve_is_drawn (const IfbamCurve *curve, gsize i)
{
  return isfinite (curve->x[i]) && isfinite (curve->y[i]);
}

typedef enum
{
  IFBAM_POINTS_RISING, /* x increases */
  IFBAM_POINTS_BROKEN, /* x increases; points that are not finite leave gaps */
  IFBAM_POINTS_FREE,   /* any curve */
} IfbamPointOrder;

/* Appends the points that a picture of these ranges needs, a line each, times the factors. */
void ifbam_curve_append (GString *script, const IfbamCurve *curve, IfbamPointOrder order,
                         IfbamAxisRange x, IfbamAxisRange y, double x_factor, double y_factor);
