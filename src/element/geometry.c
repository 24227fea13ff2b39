/* geometry.c: how a compression follows from the coordinates of the ends
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "element/geometry-plane.h"

/* Points on a line */

/* delta = x_left - x_right (Grabysz 1994, eq. 4.3) */
static void
measure_difference (const double *shape, const double *position, const double *rate, double *delta,
                    double *row)
{
  (void) shape;
  (void) rate;
  *delta = position[0] - position[1];
  row[0] = 1;
  row[1] = -1;
}

static const IfbamGeometry difference = {
  .name = "difference", .n_ends = 2, .straight = TRUE, .measure = measure_difference
};

/* delta = x: one node against the world */
static void
measure_point (const double *shape, const double *position, const double *rate, double *delta,
               double *row)
{
  (void) shape;
  (void) rate;
  *delta = position[0];
  row[0] = 1;
}

static const IfbamGeometry point = { .name = "point", .n_ends = 1, .measure = measure_point };

/* delta = x_left - ratio x_right */
static void
shape_ratio (const double *law, const double *left, const double *right, double *shape)
{
  (void) left;
  (void) right;
  shape[0] = law[0];
}

static void
measure_ratio (const double *shape, const double *position, const double *rate, double *delta,
               double *row)
{
  (void) rate;
  *delta = position[0] - shape[0] * position[1];
  row[0] = 1;
  row[1] = -shape[0];
}

static const IfbamGeometry ratio = {
  .name = "ratio", .shape = shape_ratio, .n_ends = 2, .measure = measure_ratio
};

const IfbamGeometry *
ifbam_geometry_between (guint n, guint left, guint right, guint32 forms)
{
  if (forms == 0)
    forms = IFBAM_BETWEEN_POINTS;
  if (n == 1)
    return left == IFBAM_FORM_POINT && (forms & IFBAM_ON_POINT) != 0 ? &point
           : left == IFBAM_FORM_BALL && (forms & IFBAM_ON_BALL) != 0 ? &ifbam_ball_path
                                                                     : NULL;
  if (left == IFBAM_FORM_POINT && right == IFBAM_FORM_POINT)
    return (forms & IFBAM_BY_RATIO) != 0         ? &ratio
           : (forms & IFBAM_BETWEEN_POINTS) != 0 ? &difference
                                                 : NULL;
  if ((forms & IFBAM_BETWEEN_BALLS) == 0)
    return NULL;
  if (left == IFBAM_FORM_BALL && right == IFBAM_FORM_BALL)
    return &ifbam_balls;
  return (left == IFBAM_FORM_BALL && right == IFBAM_FORM_SURFACE)
                 || (left == IFBAM_FORM_SURFACE && right == IFBAM_FORM_BALL)
             ? &ifbam_ball_surface
             : NULL;
}

const char *
ifbam_geometry_forms_text (guint32 forms)
{
  const gboolean points = forms == 0 || (forms & (IFBAM_BETWEEN_POINTS | IFBAM_BY_RATIO)) != 0;

  if ((forms & IFBAM_BETWEEN_BALLS) == 0)
    return "two nodes on a line";
  return points ? "two nodes on a line, two balls, or a ball and a surface"
                : "two balls, or a ball and a surface";
}
