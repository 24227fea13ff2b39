/* endpoint.h: a point of the plane as a function of 0, 2 or 3 coordinates; freestanding C
 *
 *   0  fixed:                  P = (u, w)
 *   2  moves without turning:  P = (x + u, y + w), for example a ball's middle (u = w = 0)
 *   3  point of a body:        P = (x + u cos a - w sin a, y + u sin a + w cos a)
 *
 * Jacobian columns: dP/dx = (1, 0), dP/dy = (0, 1), dP/da = (P - middle) turned by a right angle.
 * Velocity: sum of column times rate. Velocity term of the acceleration: -a'^2 (P - middle).
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <math.h>

#include "base/sine.h"

/* An end's shape: count of coordinates, u [m], w [m]. */
#define IFBAM_END_SIZE 3

typedef struct
{
  double point[2]; /* [m] */
  double arm[2];   /* from the body's middle [m] */
  int n;           /* coordinates */
} IfbamEnd;

/* Returns an end of n coordinates; a constant n gives faster code. */
IFBAM_ALWAYS_INLINE IfbamEnd
ifbam_end_of (int n, const double *shape, const double *position)
{
  IfbamEnd end = { { shape[1], shape[2] }, { 0.0, 0.0 }, n };
  double sine, cosine;

  if (end.n == 0)
    return end;
  if (end.n == 3)
    {
      ifbam_sine_cosine (position[2] / IFBAM_TWO_PI, &sine, &cosine);
      end.arm[0] = shape[1] * cosine - shape[2] * sine;
      end.arm[1] = shape[1] * sine + shape[2] * cosine;
    }
  end.point[0] = position[0] + (end.n == 3 ? end.arm[0] : shape[1]);
  end.point[1] = position[1] + (end.n == 3 ? end.arm[1] : shape[2]);
  return end;
}

static inline IfbamEnd
ifbam_end_at (const double *shape, const double *position)
{
  /* A body's middle does not depend on the angle. */
  if (shape[0] == 3 && shape[1] == 0 && shape[2] == 0)
    return (IfbamEnd){ { position[0], position[1] }, { 0.0, 0.0 }, 3 };
  return ifbam_end_of ((int) shape[0], shape, position);
}

/* Two ends. Shapes, coordinates: of the left end, then of the right end. */
typedef struct
{
  IfbamEnd left, right;
  double vector[2]; /* from the right end to the left one [m] */
} IfbamEnds;

IFBAM_ALWAYS_INLINE IfbamEnds
ifbam_ends_of (int left, int right, const double *shape, const double *position)
{
  IfbamEnds ends = { .left = ifbam_end_of (left, shape, position),
                     .right = ifbam_end_of (right, shape + IFBAM_END_SIZE, position + left) };

  for (int c = 0; c < 2; c++)
    ends.vector[c] = ends.left.point[c] - ends.right.point[c];
  return ends;
}

static inline IfbamEnds
ifbam_ends_at (const double *shape, const double *position)
{
  return ifbam_ends_of ((int) shape[0], (int) shape[IFBAM_END_SIZE], shape, position);
}

/* Stores the Jacobian row of the end's displacement along a direction. */
static inline void
ifbam_end_row (const IfbamEnd *end, double along_x, double along_y, double *row)
{
  if (end->n == 0)
    return;
  row[0] = along_x;
  row[1] = along_y;
  if (end->n == 3)
    row[2] = along_y * end->arm[0] - along_x * end->arm[1];
}

static inline void
ifbam_end_velocity (const IfbamEnd *end, const double *rate, double *velocity)
{
  velocity[0] = end->n == 0 ? 0.0 : rate[0];
  velocity[1] = end->n == 0 ? 0.0 : rate[1];
  if (end->n == 3)
    {
      velocity[0] -= end->arm[1] * rate[2];
      velocity[1] += end->arm[0] * rate[2];
    }
}

static inline void
ifbam_end_velocity_term (const IfbamEnd *end, const double *rate, double *term)
{
  const double square = end->n == 3 ? rate[2] * rate[2] : 0.0;

  term[0] = -square * end->arm[0];
  term[1] = -square * end->arm[1];
}

/* Returns the end's displacement per unit of a port; of an angle: distance to the body's middle. */
static inline double
ifbam_end_lever (const double *shape, int port)
{
  return port < 2 ? 1.0 : sqrt (shape[1] * shape[1] + shape[2] * shape[2]);
}

/* Returns the length of the end's circle around its body's middle, or `least` if that is less. */
static inline double
ifbam_end_circle (const double *shape, double least)
{
  const double around = shape[0] == 3 ? IFBAM_TWO_PI * ifbam_end_lever (shape, 2) : 0.0;

  return around > 0 && around < least ? around : least;
}
