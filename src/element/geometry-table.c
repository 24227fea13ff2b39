/* geometry-table.c: geometry of a ball on a table, seen from above
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "element/geometry-plane.h"

#include <math.h>

#include "element/endpoint.h"

/* Ports: x, y, and the ball's angles about these axes. Its lowest point slips at
 *
 *   u = v + w x (0, 0, -radius) = (v_x - radius w_y, v_y + radius w_x)
 * The row measures the slip along a direction e: a given one, else that of the slip (the rate is
 * then |u|; without slip e is 0). The row across measures along e turned by a right angle. */
enum
{
  RADIUS,
  DIRECTION_X,
  DIRECTION_Y,
  MASS,
};

static void
shape_roll (const double *law, const double *left, const double *right, double *shape)
{
  (void) law;
  (void) right;
  shape[RADIUS] = left[IFBAM_END_SIZE + IFBAM_TABLE_RADIUS];
  shape[MASS] = left[IFBAM_END_SIZE + IFBAM_TABLE_MASS];
  shape[DIRECTION_X] = shape[DIRECTION_Y] = NAN;
}

static double
mass_roll (const double *shape)
{
  return shape[MASS];
}

static void
direction_of (const double *shape, const double *rate, double *e)
{
  double size;

  e[0] = shape[DIRECTION_X];
  e[1] = shape[DIRECTION_Y];
  if (!isnan (e[0]))
    return;
  e[0] = rate[0] - shape[RADIUS] * rate[3];
  e[1] = rate[1] + shape[RADIUS] * rate[2];
  size = sqrt (e[0] * e[0] + e[1] * e[1]);
  e[0] = size > 0 ? e[0] / size : 0.0;
  e[1] = size > 0 ? e[1] / size : 0.0;
}

static void
set_row (double radius, double x, double y, double *delta, double *row)
{
  *delta = 0;
  row[0] = x;
  row[1] = y;
  row[2] = radius * y;
  row[3] = -radius * x;
}

static void
measure_roll (const double *shape, const double *position, const double *rate, double *delta,
              double *row)
{
  double e[2];

  (void) position;
  direction_of (shape, rate, e);
  set_row (shape[RADIUS], e[0], e[1], delta, row);
}

static void
measure_roll_across (const double *shape, const double *position, const double *rate, double *delta,
                     double *row)
{
  double e[2];

  (void) position;
  direction_of (shape, rate, e);
  set_row (shape[RADIUS], -e[1], e[0], delta, row);
}

static const IfbamGeometry roll_across = { .name = "ball across its slip on a table",
                                           .shape = shape_roll,
                                           .n_ports = 4,
                                           .direction = DIRECTION_X,
                                           .only_rate = TRUE,
                                           .measure = measure_roll_across };

const IfbamGeometry ifbam_roll = { .name = "ball on a table",
                                   .shape = shape_roll,
                                   .mass = mass_roll,
                                   .n_ports = 4,
                                   .direction = DIRECTION_X,
                                   .only_rate = TRUE,
                                   .measure = measure_roll,
                                   .slip = &roll_across };
