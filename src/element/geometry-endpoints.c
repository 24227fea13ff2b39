/* geometry-endpoints.c: geometries between two points of the plane
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "element/geometry-endpoints.h"

#include <math.h>
#include <string.h>

#include "element/endpoint.h"

enum
{
  LEFT = 0,
  RIGHT = IFBAM_END_SIZE,
  OWN = 2 * IFBAM_END_SIZE, /* the law's parameter */
};

static void
shape_ends (const double *law, const double *left, const double *right, double *shape)
{
  (void) law;
  memcpy (shape + LEFT, left, IFBAM_END_SIZE * sizeof *shape);
  memcpy (shape + RIGHT, right, IFBAM_END_SIZE * sizeof *shape);
}

static void
shape_ends_and_parameter (const double *law, const double *left, const double *right, double *shape)
{
  shape_ends (law, left, right, shape);
  shape[OWN] = law[0];
}

/* Stores the row of the displacement of P relative to Q along a direction. */
IFBAM_ALWAYS_INLINE void
set_row (const IfbamEnds *pair, double x, double y, double *row)
{
  ifbam_end_row (&pair->left, x, y, row);
  ifbam_end_row (&pair->right, -x, -y, row + pair->left.n);
}

/* Computes the velocity of P relative to Q, and the velocity term b_P - b_Q of the acceleration. */
IFBAM_ALWAYS_INLINE void
move (const IfbamEnds *pair, const double *rate, double *velocity, double *term)
{
  double other_velocity[2], other_term[2];

  ifbam_end_velocity (&pair->left, rate, velocity);
  ifbam_end_velocity (&pair->right, rate + pair->left.n, other_velocity);
  ifbam_end_velocity_term (&pair->left, rate, term);
  ifbam_end_velocity_term (&pair->right, rate + pair->left.n, other_term);
  for (int c = 0; c < 2; c++)
    {
      velocity[c] -= other_velocity[c];
      term[c] -= other_term[c];
    }
}

/* Returns the largest length in the shape [m]. */
static double
size_ends (const double *shape)
{
  double reach = 0;

  for (int end = LEFT; end <= RIGHT; end += RIGHT)
    reach = fmax (reach, fmax (fabs (shape[end + 1]), fabs (shape[end + 2])));
  return reach;
}

static double
lever_ends (const double *shape, int port)
{
  const int n = (int) shape[LEFT];

  return port < n ? ifbam_end_lever (shape + LEFT, port)
                  : ifbam_end_lever (shape + RIGHT, port - n);
}

static double
circle_ends (const double *shape)
{
  return ifbam_end_circle (shape + LEFT, ifbam_end_circle (shape + RIGHT, INFINITY));
}

/* Returns the largest angular velocity [rad/s] of the bodies with an end off their middle. */
static double
turning_ends (const double *shape, const double *position, const double *rate)
{
  double turning = 0;

  (void) position;
  for (int end = LEFT; end <= RIGHT; end += RIGHT)
    {
      if (shape[end] == 3 && ifbam_end_lever (shape + end, 2) > 0)
        turning = fmax (turning, fabs (rate[2]));
      rate += (int) shape[end];
    }
  return turning;
}

/* Distance, with e the direction from Q to P, and u the rate across e:
 *   delta = length - |P - Q|,   row = -e columns of P, e columns of Q
 *   d^2 delta / dt^2 = row * accelerations - e (b_P - b_Q) - u^2 / |P - Q| */

IFBAM_ALWAYS_INLINE double
direction (const IfbamEnds *pair, double *e)
{
  const double length =
      sqrt (pair->vector[0] * pair->vector[0] + pair->vector[1] * pair->vector[1]);

  e[0] = length > 0 ? pair->vector[0] / length : 0.0;
  e[1] = length > 0 ? pair->vector[1] / length : 1.0;
  return length;
}

static void
measure_distance (const double *shape, const double *position, const double *rate, double *delta,
                  double *row)
{
  const IfbamEnds pair = ifbam_ends_at (shape, position);
  double e[2];

  (void) rate;
  *delta = shape[OWN] - direction (&pair, e);
  set_row (&pair, -e[0], -e[1], row);
}

/* |d1|^2 - |d0|^2 = (d0 + d1) (d1 - d0) (Simo & Tarnow 1992, ZAMP 43, 757-792) */
static gboolean
chord_distance (const double *shape, const double *from, const double *to, double *delta,
                double *row)
{
  const IfbamEnds start = ifbam_ends_at (shape, from), end = ifbam_ends_at (shape, to);
  double e[2];
  const double length[2] = { direction (&start, e), direction (&end, e) };
  const double both = length[0] + length[1];

  if (shape[LEFT] > 2 || shape[RIGHT] > 2 || both == 0)
    return FALSE;
  for (guint k = 0; k < 2; k++)
    {
      delta[k] = shape[OWN] - length[k];
      e[k] = (start.vector[k] + end.vector[k]) / both;
    }
  set_row (&start, -e[0], -e[1], row);
  return TRUE;
}

IFBAM_ALWAYS_INLINE double
measure_all (const IfbamEnds *pair, const double *shape, const double *rate, double *delta,
             double *row)
{
  double e[2], velocity[2], term[2], across;
  const double length = direction (pair, e);

  *delta = shape[OWN] - length;
  set_row (pair, -e[0], -e[1], row);
  move (pair, rate, velocity, term);
  across = velocity[0] * e[1] - velocity[1] * e[0];
  return -(e[0] * term[0] + e[1] * term[1]) - (length > 0 ? across * across / length : 0.0);
}

static double
measure_all_distance (const double *shape, const double *position, const double *rate,
                      double *delta, double *row)
{
  const IfbamEnds pair = ifbam_ends_at (shape, position);

  return measure_all (&pair, shape, rate, delta, row);
}

static double
term_of_distance (const double *shape, const double *position, const double *rate)
{
  double delta, row[IFBAM_MAX_PORTS];

  return measure_all_distance (shape, position, rate, &delta, row);
}

static double
turning_distance (const double *shape, const double *position, const double *rate)
{
  const IfbamEnds pair = ifbam_ends_at (shape, position);
  double e[2], velocity[2], term[2];
  const double length = direction (&pair, e);

  move (&pair, rate, velocity, term);
  return length > 0 ? fmax (fabs (velocity[0] * e[1] - velocity[1] * e[0]) / length,
                            turning_ends (shape, position, rate))
                    : 0;
}

static gboolean
fill_distance (double *shape, const double *position)
{
  double e[2];

  if (shape[OWN] != 0)
    return FALSE;
  if (position != NULL)
    {
      const IfbamEnds pair = ifbam_ends_at (shape, position);

      shape[OWN] = direction (&pair, e);
    }
  return TRUE;
}

static char *
fault_distance (const double *shape)
{
  return shape[OWN] > 0
             ? NULL
             : g_strdup ("its ends start at one point, so that it has no direction (move "
                         "them apart, or join them by a hinge)");
}

static double
size_distance (const double *shape)
{
  return fmax (size_ends (shape), shape[OWN]);
}

/* Driven: s is the last port, delta = length + s - |P - Q|. The shape has the length at the start
 * after `length`. */

static int
driven_port (const double *shape)
{
  return (int) (shape[LEFT] + shape[RIGHT]);
}

static void
measure_driven_distance (const double *shape, const double *position, const double *rate,
                         double *delta, double *row)
{
  const int port = driven_port (shape);

  measure_distance (shape, position, rate, delta, row);
  *delta += position[port];
  row[port] = 1.0;
}

static double
lever_driven (const double *shape, int port)
{
  return port == driven_port (shape) ? 1.0 : lever_ends (shape, port);
}

static gboolean
fill_driven (double *shape, const double *position)
{
  const gboolean open = fill_distance (shape, position);
  const double more = position == NULL ? 0 : position[driven_port (shape)];

  shape[OWN + 1] = shape[OWN] + (open ? 0 : more);
  shape[OWN] -= open ? more : 0;
  return open;
}

static double
driven_length (const double *shape, const double *position)
{
  return shape[OWN] + position[driven_port (shape)];
}

static char *
fault_driven (const double *shape)
{
  return shape[OWN + 1] > 0
             ? NULL
             : g_strdup_printf ("it is %g m long at the start (move its ends apart, or give it "
                                "another length)",
                                shape[OWN + 1]);
}

static const IfbamGeometry driven_distance = { .name = "distance",
                                               .turning = turning_distance,
                                               .driven_length = driven_length,
                                               .shape = shape_ends_and_parameter,
                                               .fill = fill_driven,
                                               .filled = OWN,
                                               .fill_fault = fault_driven,
                                               .size = size_distance,
                                               .measures_distance = TRUE,
                                               .lever = lever_driven,
                                               .circle = circle_ends,
                                               .constraint_text = "my ends at my length",
                                               .positive_text = "I push my ends apart",
                                               .negative_text = "I pull my ends together",
                                               .measure = measure_driven_distance,
                                               .velocity_term = term_of_distance };

/* Distance of ends with constant counts of coordinates: faster code. */
#define DISTANCE(left, right)                                                                      \
  static void measure_distance_##left##_##right (const double *shape, const double *position,      \
                                                 const double *rate, double *delta, double *row)   \
  {                                                                                                \
    const IfbamEnds pair = ifbam_ends_of (left, right, shape, position);                           \
    double e[2];                                                                                   \
                                                                                                   \
    (void) rate;                                                                                   \
    *delta = shape[OWN] - direction (&pair, e);                                                    \
    set_row (&pair, -e[0], -e[1], row);                                                            \
  }                                                                                                \
  static double measure_all_distance_##left##_##right (                                            \
      const double *shape, const double *position, const double *rate, double *delta, double *row) \
  {                                                                                                \
    const IfbamEnds pair = ifbam_ends_of (left, right, shape, position);                           \
                                                                                                   \
    return measure_all (&pair, shape, rate, delta, row);                                           \
  }
DISTANCE (0, 2)
DISTANCE (2, 0)
DISTANCE (2, 2)

static const IfbamGeometry *special_distance (const double *shape);

#define DISTANCE_GEOMETRY(...)                                                                     \
  {                                                                                                \
    .name = "distance", .shape = shape_ends_and_parameter, .fill = fill_distance, .filled = OWN,   \
    .fill_fault = fault_distance, .size = size_distance, .measures_distance = TRUE,                \
    .lever = lever_ends, .circle = circle_ends, .constraint_text = "my ends at my length",         \
    .positive_text = "I push my ends apart", .negative_text = "I pull my ends together",           \
    .velocity_term = term_of_distance, .turning = turning_distance, .chord = chord_distance,       \
    __VA_ARGS__                                                                                    \
  }

const IfbamGeometry ifbam_distance =
    DISTANCE_GEOMETRY (.special = special_distance, .driven = &driven_distance,
                       .measure = measure_distance, .measure_all = measure_all_distance);

static const IfbamGeometry *
special_distance (const double *shape)
{
#define SPECIAL(left, right)                                                                       \
  DISTANCE_GEOMETRY (.measure = measure_distance_##left##_##right,                                 \
                     .measure_all = measure_all_distance_##left##_##right)
  static const IfbamGeometry special[2][2] = { { { 0 }, SPECIAL (0, 2) },
                                               { SPECIAL (2, 0), SPECIAL (2, 2) } };
  const double left = shape[LEFT], right = shape[RIGHT];

  return left > 2 || right > 2 || left + right == 0 ? NULL : &special[left == 2][right == 2];
}

/* Stretch, with the opposite sign: delta = |P - Q| - length */
static void
measure_stretch (const double *shape, const double *position, const double *rate, double *delta,
                 double *row)
{
  const int n = (int) (shape[LEFT] + shape[RIGHT]);

  measure_distance (shape, position, rate, delta, row);
  *delta = -*delta;
  for (int e = 0; e < n; e++)
    row[e] = -row[e];
}

static double
term_of_stretch (const double *shape, const double *position, const double *rate)
{
  return -term_of_distance (shape, position, rate);
}

static void
measure_driven_stretch (const double *shape, const double *position, const double *rate,
                        double *delta, double *row)
{
  const int port = driven_port (shape);

  measure_stretch (shape, position, rate, delta, row);
  *delta -= position[port];
  row[port] = -1.0;
}

static const IfbamGeometry driven_stretch = { .name = "stretch",
                                              .turning = turning_distance,
                                              .driven_length = driven_length,
                                              .shape = shape_ends_and_parameter,
                                              .fill = fill_driven,
                                              .filled = OWN,
                                              .fill_fault = fault_driven,
                                              .size = size_distance,
                                              .measures_distance = TRUE,
                                              .lever = lever_driven,
                                              .circle = circle_ends,
                                              .constraint_text = "my ends at my length",
                                              .positive_text = "I pull my ends together",
                                              .negative_text = "I push my ends apart",
                                              .measure = measure_driven_stretch,
                                              .velocity_term = term_of_stretch };

const IfbamGeometry ifbam_stretch = { .name = "stretch",
                                      .shape = shape_ends_and_parameter,
                                      .fill = fill_distance,
                                      .filled = OWN,
                                      .fill_fault = fault_distance,
                                      .size = size_distance,
                                      .measures_distance = TRUE,
                                      .driven = &driven_stretch,
                                      .lever = lever_ends,
                                      .circle = circle_ends,
                                      .constraint_text = "my ends at my length",
                                      .positive_text = "I pull my ends together",
                                      .negative_text = "I push my ends apart",
                                      .turning = turning_distance,
                                      .measure = measure_stretch,
                                      .velocity_term = term_of_stretch };

/* A law without a length parameter. */
static void
shape_approach (const double *law, const double *left, const double *right, double *shape)
{
  shape_ends (law, left, right, shape);
  shape[OWN] = 0;
}

const IfbamGeometry ifbam_approach = { .name = "distance",
                                       .shape = shape_approach,
                                       .fill = fill_distance,
                                       .filled = OWN,
                                       .fill_fault = fault_distance,
                                       .size = size_distance,
                                       .positive_text = "I push my ends apart",
                                       .negative_text = "I pull my ends together",
                                       .turning = turning_distance,
                                       .measure = measure_distance,
                                       .velocity_term = term_of_distance };

/* Coordinates: delta = c_left - c_right */

static void
shape_coordinates (const double *law, const double *left, const double *right, double *shape)
{
  (void) law;
  memcpy (shape, left, IFBAM_COORDINATE_SIZE * sizeof *shape);
  memcpy (shape + IFBAM_COORDINATE_SIZE, right, IFBAM_COORDINATE_SIZE * sizeof *shape);
}

/* Adds the coordinate of one end to delta, stores its row; returns its count of ports. */
static int
measure_coordinate (const double *shape, const double *position, double sign, double *delta,
                    double *row)
{
  IfbamEnd end;

  if (shape[0] == 0)
    {
      *delta += sign * position[0];
      row[0] = sign;
      return 1;
    }
  end = ifbam_end_at (shape + 1, position);
  *delta += sign * end.point[shape[0] == 1 ? 0 : 1];
  ifbam_end_row (&end, shape[0] == 1 ? sign : 0.0, shape[0] == 1 ? 0.0 : sign, row);
  return end.n;
}

static void
measure_coordinates (const double *shape, const double *position, const double *rate, double *delta,
                     double *row)
{
  int n;

  (void) rate;
  *delta = 0;
  n = measure_coordinate (shape, position, 1.0, delta, row);
  measure_coordinate (shape + IFBAM_COORDINATE_SIZE, position + n, -1.0, delta, row + n);
}

static double
term_of_coordinates (const double *shape, const double *position, const double *rate)
{
  double sum = 0, term[2];

  for (int k = 0; k < 2; k++, shape += IFBAM_COORDINATE_SIZE)
    {
      IfbamEnd end = { .n = 1 };

      if (shape[0] != 0)
        {
          end = ifbam_end_at (shape + 1, position);
          ifbam_end_velocity_term (&end, rate, term);
          sum += (k == 0 ? 1 : -1) * term[shape[0] == 1 ? 0 : 1];
        }
      position += end.n;
      rate += end.n;
    }
  return sum;
}

static double
size_coordinates (const double *shape)
{
  double reach = 0;

  for (int k = 0; k < 2; k++, shape += IFBAM_COORDINATE_SIZE)
    reach = fmax (reach, fmax (fabs (shape[2]), fabs (shape[3])));
  return reach;
}

static double
lever_coordinates (const double *shape, int port)
{
  const int n = shape[0] == 0 ? 1 : (int) shape[1];

  return port < n ? ifbam_end_lever (shape + 1, port)
                  : ifbam_end_lever (shape + IFBAM_COORDINATE_SIZE + 1, port - n);
}

static double
circle_coordinates (const double *shape)
{
  return ifbam_end_circle (shape + 1,
                           ifbam_end_circle (shape + IFBAM_COORDINATE_SIZE + 1, INFINITY));
}

const IfbamGeometry ifbam_coordinates = { .name = "coordinates",
                                          .shape = shape_coordinates,
                                          .size = size_coordinates,
                                          .measures_distance = TRUE,
                                          .lever = lever_coordinates,
                                          .circle = circle_coordinates,
                                          .measure = measure_coordinates,
                                          .velocity_term = term_of_coordinates };

/* Offset along x or y:
 *   delta = n (P - Q),   d^2 delta / dt^2 = row * accelerations + n (b_P - b_Q) */

/* axis: 0 or 1 */
#define OFFSET(name, axis)                                                                         \
  static void measure_offset_##name (const double *shape, const double *position,                  \
                                     const double *rate, double *delta, double *row)               \
  {                                                                                                \
    const IfbamEnds pair = ifbam_ends_at (shape, position);                                        \
                                                                                                   \
    (void) rate;                                                                                   \
    *delta = pair.vector[axis];                                                                    \
    set_row (&pair, 1.0 - axis, axis, row);                                                        \
  }                                                                                                \
  static double term_of_offset_##name (const double *shape, const double *position,                \
                                       const double *rate)                                         \
  {                                                                                                \
    const IfbamEnds pair = ifbam_ends_at (shape, position);                                        \
    double velocity[2], term[2];                                                                   \
                                                                                                   \
    move (&pair, rate, velocity, term);                                                            \
    return term[axis];                                                                             \
  }
OFFSET (x, 0)
OFFSET (y, 1)

/* Relative rotation at a hinge: delta = a_left - a_right. */
static void
measure_turn_along (const double *shape, const double *position, const double *rate, double *delta,
                    double *row)
{
  int port = 0;

  (void) rate;
  *delta = 0;
  for (int end = LEFT; end <= RIGHT; end += RIGHT)
    for (int c = 0; c < (int) shape[end]; c++, port++)
      {
        row[port] = c < 2 ? 0.0 : end == LEFT ? 1.0 : -1.0;
        *delta += row[port] * position[port];
      }
}

static const IfbamGeometry turn_along = { .name = "turn",
                                          .is_angle = TRUE,
                                          .positive_text = "I turn my right end counterclockwise",
                                          .negative_text = "I turn my right end clockwise",
                                          .measure = measure_turn_along };

const IfbamGeometry ifbam_offset_x = { .name = "offset along x",
                                       .shape = shape_ends,
                                       .lever = lever_ends,
                                       .size = size_ends,
                                       .slip = &turn_along,
                                       .constraint_text = "my ends together along x",
                                       .positive_text = "I push my right end to the right",
                                       .negative_text = "I push my right end to the left",
                                       .turning = turning_ends,
                                       .measure = measure_offset_x,
                                       .velocity_term = term_of_offset_x };
const IfbamGeometry ifbam_offset_y = { .name = "offset along y",
                                       .shape = shape_ends,
                                       .lever = lever_ends,
                                       .size = size_ends,
                                       .constraint_text = "my ends together along y",
                                       .positive_text = "I push my right end up",
                                       .negative_text = "I push my right end down",
                                       .turning = turning_ends,
                                       .measure = measure_offset_y,
                                       .velocity_term = term_of_offset_y };

/* Offset across an axis: its direction t and normal n turn with the left body, n' = -a' t, t' = a'
 * n; D = P - Q:
 *   delta = n D;   the row has the additional term -t D at a
 *   d^2 delta / dt^2 = row * accelerations + n (b_P - b_Q) - 2 a' t D' - a'^2 n D */

static void
axis_at (const double *shape, const IfbamEnds *pair, const double *position, double *along)
{
  const double turned = pair->left.n == 3 ? position[2] : 0.0;

  ifbam_sine_cosine ((shape[OWN] + turned) / IFBAM_TWO_PI, &along[1], &along[0]);
}

static void
measure_across (const double *shape, const double *position, const double *rate, double *delta,
                double *row)
{
  const IfbamEnds pair = ifbam_ends_at (shape, position);
  double along[2];

  (void) rate;
  axis_at (shape, &pair, position, along);
  *delta = along[0] * pair.vector[1] - along[1] * pair.vector[0];
  set_row (&pair, -along[1], along[0], row);
  if (pair.left.n == 3)
    row[2] -= along[0] * pair.vector[0] + along[1] * pair.vector[1];
}

static double
term_of_across (const double *shape, const double *position, const double *rate)
{
  const IfbamEnds pair = ifbam_ends_at (shape, position);
  const double turning = pair.left.n == 3 ? rate[2] : 0.0;
  double along[2], velocity[2], term[2];

  axis_at (shape, &pair, position, along);
  move (&pair, rate, velocity, term);
  for (int c = 0; c < 2; c++)
    term[c] -= turning * turning * pair.vector[c];
  return along[0] * term[1] - along[1] * term[0]
         - 2 * turning * (along[0] * velocity[0] + along[1] * velocity[1]);
}

static double
turning_across (const double *shape, const double *position, const double *rate)
{
  return fmax (shape[LEFT] == 3 ? fabs (rate[2]) : 0, turning_ends (shape, position, rate));
}

const IfbamGeometry ifbam_across = { .name = "offset across an axis",
                                     .shape = shape_ends_and_parameter,
                                     .size = size_ends,
                                     .constraint_text = "my right end on the axis of my left one",
                                     .positive_text = "I push my right end to the left of my axis",
                                     .negative_text = "I push my right end to the right of my axis",
                                     .turning = turning_across,
                                     .measure = measure_across,
                                     .velocity_term = term_of_across };

/* Rotation: delta = a_left - a_right - rest; the angle of a fixed end is 0. */

static void
shape_turn (const double *law, const double *left, const double *right, double *shape)
{
  shape_ends (law, left, right, shape);
  shape[OWN] = NAN;
}

static void
measure_turn (const double *shape, const double *position, const double *rate, double *delta,
              double *row)
{
  double sum = 0;
  int port = 0;

  (void) rate;
  for (int end = LEFT; end <= RIGHT; end += RIGHT)
    if (shape[end] == 3)
      {
        row[port] = end == LEFT ? 1.0 : -1.0;
        sum += row[port] * position[port];
        port++;
      }
  *delta = sum - shape[OWN];
}

static gboolean
fill_turn (double *shape, const double *position)
{
  double row[2];

  if (!isnan (shape[OWN]))
    return FALSE;
  if (position != NULL)
    {
      shape[OWN] = 0;
      measure_turn (shape, position, NULL, &shape[OWN], row);
    }
  return TRUE;
}

const IfbamGeometry ifbam_turn = { .name = "turn",
                                   .shape = shape_turn,
                                   .fill = fill_turn,
                                   .is_angle = TRUE,
                                   .constraint_text = "my ends from turning against each other",
                                   .positive_text = "I turn my right end counterclockwise",
                                   .negative_text = "I turn my right end clockwise",
                                   .measure = measure_turn };

/* Rotation of the left body relative to the right one, without a rest: delta = a_left - a_right */

static void
shape_turn_of_left (const double *law, const double *left, const double *right, double *shape)
{
  shape_ends (law, left, right, shape);
  shape[OWN] = 0;
}

const IfbamGeometry ifbam_turn_of_left = { .name = "turn of the left one",
                                           .shape = shape_turn_of_left,
                                           .is_angle = TRUE,
                                           .positive_text = "I turn my right end counterclockwise",
                                           .negative_text = "I turn my right end clockwise",
                                           .measure = measure_turn };

/* Rotation of the right body relative to the left one. */
static void
measure_turn_of_right (const double *shape, const double *position, const double *rate,
                       double *delta, double *row)
{
  measure_turn (shape, position, rate, delta, row);
  *delta = -*delta;
  for (int e = 0; e < (shape[LEFT] == 3) + (shape[RIGHT] == 3); e++)
    row[e] = -row[e];
}

const IfbamGeometry ifbam_turn_of_right = { .name = "turn of the right one",
                                            .shape = shape_turn_of_left,
                                            .is_angle = TRUE,
                                            .positive_text = "I turn my right end clockwise",
                                            .negative_text = "I turn my right end counterclockwise",
                                            .measure = measure_turn_of_right };
