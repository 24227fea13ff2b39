/* geometry-plane.c: geometries in the plane: contacts of balls and points with each other and with
 * surfaces
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "element/geometry-plane.h"

#include <math.h>
#include <string.h>

#include "base/wave.h"
#include "base/number-text.h"
#include "element/endpoint.h"

/* Ends of contacts have a radius: balls, and points with radius 0. Shape of an end: that of
 * endpoint.h, then the radius. */
enum
{
  END_RADIUS = IFBAM_END_SIZE,
  ROUND_END,
};

/* Adds the body's rotation to the row of its rim's slip: the rim is a radius from the middle. */
static void
add_rim (const IfbamEnd *end, double radius, double *row)
{
  if (end->n == 3)
    row[2] += radius;
}

/* An end above a surface. Ports: the end's coordinates, height of the surface. Shape: the end's,
 * amplitude, wavelength.
 *
 *   delta = radius - distance,   d delta / d (end, height) = (-n columns, n_y)
 * n is the normal at the nearest point. The velocity term is that of a body's point, plus (rate
 * along)^2 times the curvature of the middle's path, a parallel of the surface. */

enum
{
  AMPLITUDE = ROUND_END,
  WAVELENGTH,
};

static void
shape_ball_surface (const double *law, const double *left, const double *right, double *shape)
{
  (void) law;
  memcpy (shape, left, ROUND_END * sizeof *shape);
  shape[AMPLITUDE] = right[IFBAM_END_SIZE];
  shape[WAVELENGTH] = right[IFBAM_END_SIZE + 1];
}

static char *
fault_ball_surface (const double *shape)
{
  double least;

  /* The surface itself reports waves without a length. */
  if (shape[AMPLITUDE] == 0 || shape[WAVELENGTH] == 0)
    return NULL;
  least = ifbam_wave_radius (shape[AMPLITUDE], shape[WAVELENGTH]);
  if (shape[END_RADIUS] < least)
    return NULL;
  return g_strdup_printf ("the ball's radius, %s m, is not below the surface's smallest radius of "
                          "curvature, %.6g m: it would touch at two points (use a smaller ball, or "
                          "a flatter surface)",
                          IFBAM_NUMBER (shape[END_RADIUS]), least);
}

typedef struct
{
  IfbamEnd end;
  IfbamNearest nearest;
} Above;

/* Returns an end of n coordinates above waves of an amplitude. */
IFBAM_ALWAYS_INLINE Above
above_of (int n, double amplitude, const double *shape, const double *position)
{
  Above above = { .end = ifbam_end_of (n, shape, position) };

  above.nearest = ifbam_wave_nearest (amplitude, shape[WAVELENGTH], above.end.point[0],
                                      above.end.point[1] - position[above.end.n]);
  return above;
}

IFBAM_ALWAYS_INLINE Above
above_at (const double *shape, const double *position)
{
  return above_of ((int) shape[0], shape[AMPLITUDE], shape, position);
}

IFBAM_ALWAYS_INLINE void
measure_above (const Above *above, double radius, double *delta, double *row)
{
  const double *normal = above->nearest.normal;

  *delta = radius - above->nearest.distance;
  ifbam_end_row (&above->end, -normal[0], -normal[1], row);
  row[above->end.n] = normal[1];
}

static void
measure_ball_surface (const double *shape, const double *position, const double *rate,
                      double *delta, double *row)
{
  const Above above = above_at (shape, position);

  (void) rate;
  measure_above (&above, shape[END_RADIUS], delta, row);
}

static void
measure_ball_plane (const double *shape, const double *position, const double *rate, double *delta,
                    double *row)
{
  const Above above = above_of (2, 0.0, shape, position);

  (void) rate;
  measure_above (&above, shape[END_RADIUS], delta, row);
}

/* Computes the end's rates to the right, seen from above the surface, and away from the surface. */
static void
rates_above (const Above *above, const double *rate, double *along, double *away)
{
  const double *normal = above->nearest.normal;
  double velocity[2];

  ifbam_end_velocity (&above->end, rate, velocity);
  velocity[1] -= rate[above->end.n];
  *along = velocity[0] * normal[1] - velocity[1] * normal[0];
  *away = velocity[0] * normal[0] + velocity[1] * normal[1];
}

static double
term_of_ball_surface (const double *shape, const double *position, const double *rate)
{
  const Above above = above_at (shape, position);
  const double *normal = above.nearest.normal;
  double along, away, term[2];

  rates_above (&above, rate, &along, &away);
  ifbam_end_velocity_term (&above.end, rate, term);
  return above.nearest.curvature * along * along - (normal[0] * term[0] + normal[1] * term[1]);
}

static double
radius_ball_surface (const double *shape)
{
  return shape[END_RADIUS];
}

static double
circle_ball_surface (const double *shape)
{
  return ifbam_end_circle (shape, shape[AMPLITUDE] == 0 ? INFINITY : shape[WAVELENGTH]);
}

static double
lever_ball_surface (const double *shape, int port)
{
  return port < (int) shape[0] ? ifbam_end_lever (shape, port) : 1.0;
}

/* The middle of the ball moves on a parallel of the surface. */
static double
concave_ball_surface (const double *shape)
{
  return shape[AMPLITUDE] == 0
             ? INFINITY
             : ifbam_wave_radius (shape[AMPLITUDE], shape[WAVELENGTH]) - shape[END_RADIUS];
}

/* Slip of a ball along a surface: rate of its rim to the right, seen from above. The row is that of
 * the normal turned by a right angle, and turns with the normal: by curvature * rate. */
static void
measure_ball_along (const double *shape, const double *position, const double *rate, double *delta,
                    double *row)
{
  const Above above = above_at (shape, position);
  const double *normal = above.nearest.normal;

  (void) rate;
  *delta = 0;
  ifbam_end_row (&above.end, normal[1], -normal[0], row);
  add_rim (&above.end, shape[END_RADIUS], row);
  row[above.end.n] = normal[0];
}

static double
term_of_ball_along (const double *shape, const double *position, const double *rate)
{
  const Above above = above_at (shape, position);
  const double *normal = above.nearest.normal;
  double along, away, term[2];

  rates_above (&above, rate, &along, &away);
  ifbam_end_velocity_term (&above.end, rate, term);
  return above.nearest.curvature * along * away + (normal[1] * term[0] - normal[0] * term[1]);
}

static const IfbamGeometry ball_along = { .name = "ball along a surface",
                                          .shape = shape_ball_surface,
                                          .only_rate = TRUE,
                                          .measure = measure_ball_along,
                                          .velocity_term = term_of_ball_along };

#define BALL_SURFACE(...)                                                                          \
  {                                                                                                \
    .name = "ball and surface", .shape = shape_ball_surface, .radius = radius_ball_surface,        \
    .fault = fault_ball_surface, .measures_distance = TRUE, .lever = lever_ball_surface,           \
    .circle = circle_ball_surface, .concave = concave_ball_surface,                                \
    .velocity_term = term_of_ball_surface, .slip = &ball_along, __VA_ARGS__                        \
  }

/* A ball on a flat surface */
static const IfbamGeometry *
special_ball_surface (const double *shape)
{
  static const IfbamGeometry plane = BALL_SURFACE (.measure = measure_ball_plane);

  return shape[0] == 2 && shape[AMPLITUDE] == 0 ? &plane : NULL;
}

const IfbamGeometry ifbam_ball_surface =
    BALL_SURFACE (.special = special_ball_surface, .measure = measure_ball_surface);

/* Two round ends. shape: those of both, left and right.
 *
 *   delta = radii - distance of the middles; e: direction from the right one to the left one
 *   row = (-e columns, e columns)
 *   d^2 delta / dt^2 = row * accelerations - e (b_left - b_right), velocity terms
 *                      - (rate across e)^2 / distance */

enum
{
  ONE = 0,
  OTHER = ROUND_END,
};

_Static_assert(2 * ROUND_END <= IFBAM_MAX_SHAPE, "shapes have room for two round ends");

static void
shape_balls (const double *law, const double *left, const double *right, double *shape)
{
  (void) law;
  memcpy (shape + ONE, left, ROUND_END * sizeof *shape);
  memcpy (shape + OTHER, right, ROUND_END * sizeof *shape);
}

static double
radii_of (const double *shape)
{
  return shape[ONE + END_RADIUS] + shape[OTHER + END_RADIUS];
}

static double
radius_balls (const double *shape)
{
  const double radii = radii_of (shape);

  return radii > 0 ? shape[ONE + END_RADIUS] * shape[OTHER + END_RADIUS] / radii : 0;
}

static char *
fault_balls (const double *shape)
{
  return radii_of (shape) > 0
             ? NULL
             : g_strdup ("neither of its ends has a radius: they never meet (want a ball "
                         "with one, or a surface)");
}

typedef struct
{
  IfbamEnd one, other;
  double e[2], distance;
} Facing;

IFBAM_ALWAYS_INLINE Facing
facing_at (const double *shape, const double *position)
{
  Facing facing = { .one = ifbam_end_at (shape + ONE, position) };
  double x, y;

  facing.other = ifbam_end_at (shape + OTHER, position + facing.one.n);
  x = facing.one.point[0] - facing.other.point[0];
  y = facing.one.point[1] - facing.other.point[1];
  facing.distance = sqrt (x * x + y * y);
  facing.e[0] = facing.distance > 0 ? x / facing.distance : 0.0;
  facing.e[1] = facing.distance > 0 ? y / facing.distance : 1.0;
  return facing;
}

static void
measure_balls (const double *shape, const double *position, const double *rate, double *delta,
               double *row)
{
  const Facing facing = facing_at (shape, position);

  (void) rate;
  *delta = radii_of (shape) - facing.distance;
  ifbam_end_row (&facing.one, -facing.e[0], -facing.e[1], row);
  ifbam_end_row (&facing.other, facing.e[0], facing.e[1], row + facing.one.n);
}

/* Computes the velocity of the left middle relative to the right one: away: along e; along: to the
 * right, seen along e. term: relative velocity term of the acceleration (2). */
static void
rates_facing (const Facing *facing, const double *rate, double *along, double *away, double *term)
{
  double velocity[2][2], other_term[2], x, y;

  ifbam_end_velocity (&facing->one, rate, velocity[0]);
  ifbam_end_velocity (&facing->other, rate + facing->one.n, velocity[1]);
  ifbam_end_velocity_term (&facing->one, rate, term);
  ifbam_end_velocity_term (&facing->other, rate + facing->one.n, other_term);
  x = velocity[0][0] - velocity[1][0];
  y = velocity[0][1] - velocity[1][1];
  term[0] -= other_term[0];
  term[1] -= other_term[1];
  *along = x * facing->e[1] - y * facing->e[0];
  *away = x * facing->e[0] + y * facing->e[1];
}

static double
term_of_balls (const double *shape, const double *position, const double *rate)
{
  const Facing facing = facing_at (shape, position);
  double along, away, term[2];

  rates_facing (&facing, rate, &along, &away, term);
  return -(facing.e[0] * term[0] + facing.e[1] * term[1])
         - (facing.distance > 0 ? along * along / facing.distance : 0.0);
}

static double
circle_balls (const double *shape)
{
  return ifbam_end_circle (shape + ONE, ifbam_end_circle (shape + OTHER, INFINITY));
}

static double
lever_balls (const double *shape, int port)
{
  const int n = (int) shape[ONE];

  return port < n ? ifbam_end_lever (shape + ONE, port) : ifbam_end_lever (shape + OTHER, port - n);
}

/* Slip of two rims: the left one's rate to the right, seen along e. */
static void
measure_balls_along (const double *shape, const double *position, const double *rate, double *delta,
                     double *row)
{
  const Facing facing = facing_at (shape, position);

  (void) rate;
  *delta = 0;
  ifbam_end_row (&facing.one, facing.e[1], -facing.e[0], row);
  add_rim (&facing.one, shape[ONE + END_RADIUS], row);
  ifbam_end_row (&facing.other, -facing.e[1], facing.e[0], row + facing.one.n);
  add_rim (&facing.other, shape[OTHER + END_RADIUS], row + facing.one.n);
}

static double
term_of_balls_along (const double *shape, const double *position, const double *rate)
{
  const Facing facing = facing_at (shape, position);
  double along, away, term[2];

  rates_facing (&facing, rate, &along, &away, term);
  return (facing.e[1] * term[0] - facing.e[0] * term[1])
         - (facing.distance > 0 ? along * away / facing.distance : 0.0);
}

static const IfbamGeometry balls_along = { .name = "two balls along each other",
                                           .shape = shape_balls,
                                           .only_rate = TRUE,
                                           .measure = measure_balls_along,
                                           .velocity_term = term_of_balls_along };

const IfbamGeometry ifbam_balls = { .name = "two balls",
                                    .shape = shape_balls,
                                    .radius = radius_balls,
                                    .fault = fault_balls,
                                    .measures_distance = TRUE,
                                    .lever = lever_balls,
                                    .circle = circle_balls,
                                    .measure = measure_balls,
                                    .velocity_term = term_of_balls,
                                    .slip = &balls_along };

/* The path of a ball. Ports: x, y. The rate is the speed, the row the direction: a force along it
 * opposes the motion. At rest there is no direction and no force. */
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
  .name = "path of a ball", .n_ports = 2, .only_rate = TRUE, .measure = measure_path
};

/* Across the path of a ball or body that turns at the speed w. Ports: x, y, and a body's angle. The
 * row is w (v_y, -v_x), the rate 0: a force along it grows with spin and velocity, without work. */
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
  shape[0] = left[ROUND_END];
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
                                        .only_rate = TRUE,
                                        .measure = measure_ball_spin };

const IfbamGeometry ifbam_body_spin = {
  .name = "spin of a body", .n_ports = 3, .only_rate = TRUE, .measure = measure_body_spin
};
