/* geometry-plane.c: geometries in the plane: balls, and the ground with its shape
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "element/geometry-plane.h"

#include <math.h>

#include "base/wave.h"
#include "base/number-text.h"

/* A ball above a surface. Ends: x, y, height of the surface. shape: radius, amplitude, wavelength.
 *
 *   delta = radius - distance,   d delta / d (x, y, height) = (-n_x, -n_y, n_y)
 *
 * n is the normal at the nearest point. What the row's change adds to the second derivative comes from
 * the curvature of the parallel line that the ball's middle is on: a hollow is approached faster, the
 * faster the ball goes along it. */

enum
{
  RADIUS,
  AMPLITUDE,
  WAVELENGTH,
};

static void
shape_ball_surface (const double *law, const double *left, const double *right, double *shape)
{
  (void) law;
  shape[RADIUS] = left[0];
  shape[AMPLITUDE] = right[0];
  shape[WAVELENGTH] = right[1];
}

static char *
fault_ball_surface (const double *shape)
{
  double least;

  /* Waves without a length are a fault of the surface's own. */
  if (shape[AMPLITUDE] == 0 || shape[WAVELENGTH] == 0)
    return NULL;
  least = ifbam_wave_radius (shape[AMPLITUDE], shape[WAVELENGTH]);
  if (shape[RADIUS] < least)
    return NULL;
  return g_strdup_printf ("the ball's radius, %s m, is not below the surface's smallest radius of "
                          "curvature, %.6g m: it would touch at two points (use a smaller ball, or "
                          "a flatter surface)",
                          IFBAM_NUMBER (shape[RADIUS]), least);
}

static IfbamNearest
nearest_to (const double *shape, const double *position)
{
  return ifbam_wave_nearest (shape[AMPLITUDE], shape[WAVELENGTH], position[0],
                             position[1] - position[2]);
}

static void
measure_ball_surface (const double *shape, const double *position, const double *rate,
                      double *delta, double *row)
{
  const IfbamNearest nearest = nearest_to (shape, position);

  (void) rate;
  *delta = shape[RADIUS] - nearest.distance;
  row[0] = -nearest.normal[0];
  row[1] = -nearest.normal[1];
  row[2] = nearest.normal[1];
}

/* How fast the ball goes to the right there, seen from above. */
static double
rate_along (const IfbamNearest *nearest, const double *rate)
{
  return rate[0] * nearest->normal[1] - (rate[1] - rate[2]) * nearest->normal[0];
}

static double
bend_ball_surface (const double *shape, const double *position, const double *rate)
{
  const IfbamNearest nearest = nearest_to (shape, position);
  const double along = rate_along (&nearest, rate);

  return nearest.curvature * along * along;
}

static double
radius_ball_surface (const double *shape)
{
  return shape[RADIUS];
}

static double
scale_ball_surface (const double *shape)
{
  return shape[AMPLITUDE] == 0 ? INFINITY : shape[WAVELENGTH];
}

/* The middle of the ball goes along the parallel line. */
static double
hollow_ball_surface (const double *shape)
{
  return shape[AMPLITUDE] == 0
             ? INFINITY
             : ifbam_wave_radius (shape[AMPLITUDE], shape[WAVELENGTH]) - shape[RADIUS];
}

/* How a ball goes along a surface: its rate to the right, seen from above; its row is the normal's, turned by
 * a right angle, and turns with it: with the normal turning back by curvature * rate, it turns toward it. */
static void
measure_ball_along (const double *shape, const double *position, const double *rate, double *delta,
                    double *row)
{
  const IfbamNearest nearest = nearest_to (shape, position);

  (void) rate;
  *delta = 0;
  row[0] = nearest.normal[1];
  row[1] = -nearest.normal[0];
  row[2] = nearest.normal[0];
}

static double
bend_ball_along (const double *shape, const double *position, const double *rate)
{
  const IfbamNearest nearest = nearest_to (shape, position);
  const double along = rate_along (&nearest, rate);
  const double away = rate[0] * nearest.normal[0] + (rate[1] - rate[2]) * nearest.normal[1];

  return nearest.curvature * along * away;
}

static const IfbamGeometry ball_along = { .name = "ball along a surface",
                                          .shape = shape_ball_surface,
                                          .n_ports = 3,
                                          .slides = TRUE,
                                          .measure = measure_ball_along,
                                          .bend = bend_ball_along };

const IfbamGeometry ifbam_ball_surface = { .name = "ball and surface",
                                           .shape = shape_ball_surface,
                                           .radius = radius_ball_surface,
                                           .fault = fault_ball_surface,
                                           .n_ports = 3,
                                           .measures_distance = TRUE,
                                           .scale = scale_ball_surface,
                                           .hollow = hollow_ball_surface,
                                           .measure = measure_ball_surface,
                                           .bend = bend_ball_surface,
                                           .along = &ball_along };

/* Two balls. Ends: x, y of the left one, x, y of the right one. shape: sum of the radii, radius of the
 * contact.
 *
 *   delta = radii - distance of the middles; e: direction from the right one to the left one
 *   row = (-e, e);   d^2 delta / dt^2 = row * accelerations - (rate across e)^2 / distance */

static void
shape_balls (const double *law, const double *left, const double *right, double *shape)
{
  (void) law;
  shape[0] = left[0] + right[0];
  shape[1] = shape[0] > 0 ? left[0] * right[0] / shape[0] : 0;
}

static double
radius_balls (const double *shape)
{
  return shape[1];
}

static char *
fault_balls (const double *shape)
{
  return shape[0] > 0 ? NULL : g_strdup ("two balls without a radius never meet (give them one)");
}

static double
direction (const double *position, double *e)
{
  const double x = position[0] - position[2], y = position[1] - position[3];
  const double distance = sqrt (x * x + y * y);

  e[0] = distance > 0 ? x / distance : 0.0;
  e[1] = distance > 0 ? y / distance : 1.0;
  return distance;
}

static void
measure_balls (const double *shape, const double *position, const double *rate, double *delta,
               double *row)
{
  double e[2];

  (void) rate;
  *delta = shape[0] - direction (position, e);
  row[0] = -e[0];
  row[1] = -e[1];
  row[2] = e[0];
  row[3] = e[1];
}

static double
bend_balls (const double *shape, const double *position, const double *rate)
{
  double e[2], distance = direction (position, e), across;

  (void) shape;
  across = (rate[0] - rate[2]) * e[1] - (rate[1] - rate[3]) * e[0];
  return distance > 0 ? -across * across / distance : 0.0;
}

/* How two balls go along each other: the left one's rate to the right, seen along e. */
static void
measure_balls_along (const double *shape, const double *position, const double *rate, double *delta,
                     double *row)
{
  double e[2];

  (void) shape, (void) rate;
  direction (position, e);
  *delta = 0;
  row[0] = e[1];
  row[1] = -e[0];
  row[2] = -e[1];
  row[3] = e[0];
}

static double
bend_balls_along (const double *shape, const double *position, const double *rate)
{
  double e[2], distance = direction (position, e), along, away;

  (void) shape;
  along = (rate[0] - rate[2]) * e[1] - (rate[1] - rate[3]) * e[0];
  away = (rate[0] - rate[2]) * e[0] + (rate[1] - rate[3]) * e[1];
  return distance > 0 ? -along * away / distance : 0.0;
}

static const IfbamGeometry balls_along = { .name = "two balls along each other",
                                           .shape = shape_balls,
                                           .n_ports = 4,
                                           .slides = TRUE,
                                           .measure = measure_balls_along,
                                           .bend = bend_balls_along };

const IfbamGeometry ifbam_balls = { .name = "two balls",
                                    .shape = shape_balls,
                                    .radius = radius_balls,
                                    .fault = fault_balls,
                                    .n_ports = 4,
                                    .measures_distance = TRUE,
                                    .measure = measure_balls,
                                    .bend = bend_balls,
                                    .along = &balls_along };

/* The path of a ball. Ends: x, y. Its rate is the speed, its row the direction: what acts along it acts
 * against the motion. At rest there is no direction, and nothing acts. */
static void
measure_path (const double *shape, const double *position, const double *rate, double *delta,
              double *row)
{
  const double speed = sqrt (rate[0] * rate[0] + rate[1] * rate[1]);
  const double inverse = speed > 0 ? 1.0 / speed : 0.0;

  (void) shape;
  (void) position;
  *delta = 0;
  row[0] = rate[0] * inverse;
  row[1] = rate[1] * inverse;
}

const IfbamGeometry ifbam_ball_path = {
  .name = "path of a ball", .n_ports = 2, .slides = TRUE, .measure = measure_path
};

/* Across the path of what turns at the speed w. Ends: x, y, and of a body its angle. The row is w (v_y, -v_x), so that
 * the rate is 0: what acts along it grows with speed and velocity, and does no work. */
static void
measure_spin (double speed, const double *rate, double *delta, double *row)
{
  *delta = 0;
  row[0] = speed * rate[1];
  row[1] = -speed * rate[0];
}

static void
shape_ball_spin (const double *law, const double *left, const double *right, double *shape)
{
  (void) law;
  (void) right;
  shape[0] = left[1];
}

static void
measure_ball_spin (const double *shape, const double *position, const double *rate, double *delta,
                   double *row)
{
  (void) position;
  measure_spin (shape[0], rate, delta, row);
}

static void
measure_body_spin (const double *shape, const double *position, const double *rate, double *delta,
                   double *row)
{
  (void) shape;
  (void) position;
  measure_spin (rate[2], rate, delta, row);
  row[2] = 0;
}

const IfbamGeometry ifbam_ball_spin = { .name = "spin of a ball",
                                        .shape = shape_ball_spin,
                                        .n_ports = 2,
                                        .slides = TRUE,
                                        .measure = measure_ball_spin };

const IfbamGeometry ifbam_body_spin = {
  .name = "spin of a body", .n_ports = 3, .slides = TRUE, .measure = measure_body_spin
};
