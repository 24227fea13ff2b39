/* complex-curve.h: curves in the complex plane
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

/* A line without gaps. */
typedef struct
{
  double *x, *y; /* real and imaginary parts [n]; owned */
  gsize n;
} IfbamPlaneCurve;

static inline IfbamPlaneCurve *
ifbam_plane_curve_new (gsize n)
{
  IfbamPlaneCurve *curve = g_new0 (IfbamPlaneCurve, 1);

  curve->x = g_new (double, n + 1);
  curve->y = g_new (double, n + 1);
  curve->n = n;
  return curve;
}

static inline void
ifbam_plane_curve_free (gpointer data)
{
  IfbamPlaneCurve *curve = data;

  g_free (curve->x);
  g_free (curve->y);
  g_free (curve);
}
