/* rope-shape.h: equilibrium of a heavy rope with a load; freestanding C
 *
 * At arc length z from the left end the tension is (H, V): H is constant, V = V0 + q z, plus F to
 * the right of the load (q: weight per length). The rope is tangent to its tension, so that from V
 * to V'
 *
 *   dx = H/q (asinh (V'/H) - asinh (V/H)),   dy = (T' - T)/q,   T = sqrt (H^2 + V^2)
 *
 * These are catenaries that meet at the load at an angle (Jakob Bernoulli 1691; Irvine 1981, Cable
 * structures, chapter 2). H and V0 follow from the ends' positions: they minimise
 *
 *   integral of T dz - H dx - V0 dy
 *
 * which is strictly convex, so that damped Newton iterations converge from any start. The second
 * derivatives are integrals over the pieces:
 *
 *   integral of 1/T^3 (V^2, -H V, H^2) dz = 1/q (A - [V/T], [H/T], [V/T]),   A = [asinh (V/H)]
 *
 * Differences of nearly equal numbers are formed without cancellation.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/power.h"

/* Least slack, as a fraction of the length. */
#define ROPE_TAUT 1e-6
/* Least slack in the computation. */
#define ROPE_FARTHEST   1e-8
#define ROPE_ITERATIONS 200

typedef struct
{
  double length; /* [m] */
  double weight; /* q [N/m] */
  double force;  /* F [N] */
  double load;   /* position of the load, along the rope [m] */
} RopeLoad;

/* Equilibrium of a rope. */
typedef struct
{
  double horizontal;    /* H, force along x [N] */
  double vertical;      /* V0, force along y at the left end [N]; above 0: rising to the right */
  double load_point[2]; /* of the load, from the left end [m] */
  double energy;        /* of rope and load, relative to the left end [J] */
  double lowest[2];     /* its lowest point, from the left end [m] */
} RopeShape;

static inline double
rope_tension (double h, double v)
{
  return sqrt (h * h + v * v);
}

/* asinh, odd; log (1 + w) with Kahan's correction (Goldberg 1991, theorem 4) */
static inline double
rope_asinh (double x)
{
  const double a = fabs (x);
  const double w = a + a * (a / (1.0 + sqrt (1.0 + a * a)));
  const double s = 1.0 + w;
  const double value = a < 1e8 ? ifbam_logarithm (s) - ((s - 1.0) - w) / s
                               : ifbam_logarithm (a) + 0.69314718055994530942;

  return x < 0 ? -value : value;
}

/* asinh (b/h) - asinh (a/h), with b - a given: its sinh is (b Ta - a Tb)/h^2. */
static inline double
rope_turn (double h, double a, double b, double rise)
{
  const double ta = rope_tension (h, a), tb = rope_tension (h, b);

  if (a * b <= 0.0 || fabs (rise) > 0.5 * (fabs (a) + fabs (b)))
    return rope_asinh (b / h) - rope_asinh (a / h);
  return rope_asinh (rise * ((a + b) / (b * ta + a * tb)));
}

/* Contributions of a piece: dx, dy and the second derivatives. */
typedef struct
{
  double x, y, hh, hv, vv, sum; /* sum: integral of T dz */
} RopePiece;

static inline RopePiece
rope_piece (double h, double v, double q, double length)
{
  const double b = v + q * length, rise = q * length;
  const double tv = rope_tension (h, v), tb = rope_tension (h, b);
  const double turn = rope_turn (h, v, b, rise);
  const double sine = b / tb - v / tv, cosine = h / tb - h / tv;
  RopePiece piece;

  piece.x = h / q * turn;
  piece.y = length * ((v + b) / (tv + tb));
  piece.vv = sine / q;
  piece.hv = cosine / q;
  piece.hh = (turn - sine) / q;
  piece.sum = 0.5 * ((b * tb - v * tv) / q + h * piece.x);
  return piece;
}

static inline RopePiece
rope_pieces (const RopeLoad *rope, double h, double v)
{
  const RopePiece left = rope_piece (h, v, rope->weight, rope->load);
  const RopePiece right = rope_piece (h, v + rope->weight * rope->load + rope->force, rope->weight,
                                      rope->length - rope->load);

  return (RopePiece){ left.x + right.x,   left.y + right.y,   left.hh + right.hh,
                      left.hv + right.hv, left.vv + right.vv, left.sum + right.sum };
}

/* Computes H and V0 for the right end at (x, y) from the left one, x > 0, x^2 + y^2 < length^2 */
static inline void
rope_find (const RopeLoad *rope, double x, double y, double *h, double *v)
{
  const double all = rope->weight * rope->length + rope->force;
  const double distance = sqrt (x * x + y * y), slack = rope->length / distance - 1.0;
  /* Start: an almost taut rope is a parabola along the line between its ends. */
  const double tension = all * (x / distance) * sqrt (1.0 / (24.0 * slack)) + 0.1 * all;
  double shift = 0.0, last = INFINITY;

  *h = tension * (x / distance);
  *v = tension * (y / distance) - 0.5 * all;
  for (int iteration = 0; iteration < ROPE_ITERATIONS; iteration++)
    {
      const RopePiece now = rope_pieces (rope, *h, *v);
      const double gx = now.x - x, gy = now.y - y, most = fmax (now.hh, now.vv);
      const double hh = now.hh + shift * most, vv = now.vv + shift * most;
      const double determinant = hh * vv - now.hv * now.hv;
      const double dh = (gy * now.hv - gx * vv) / determinant;
      const double dv = (gx * now.hv - gy * hh) / determinant;
      const double size = fabs (dh) / *h + fabs (dv) / (*h + fabs (*v));
      double part = 1.0;

      if (!(determinant > 0.0) || !(size < INFINITY))
        {
          shift = fmax (10.0 * shift, 1e-12);
          continue;
        }
      while (*h + part * dh < 0.05 * *h)
        part *= 0.5;
      /* Halves the step while it leads beyond the minimum. */
      for (int k = 0; k < 60 && size > 1e-3; k++, part *= 0.5)
        {
          const RopePiece next = rope_pieces (rope, *h + part * dh, *v + part * dv);

          if ((next.x - x) * dh + (next.y - y) * dv <= -0.1 * (gx * dh + gy * dv))
            break;
        }
      *h += part * dh;
      *v += part * dv;
      shift = shift > 1e-12 ? 0.1 * shift : 0.0;
      if (part == 1.0 && shift == 0.0 && (size < 1e-15 || (size < 1e-9 && size >= last)))
        return;
      last = size;
    }
}

/* Returns the equilibrium for the right end at (x, y) from the left one. */
static inline RopeShape
rope_hang (const RopeLoad *rope, double x, double y)
{
  const double q = rope->weight, all = q * rope->length + rope->force;
  const double sign = x < 0 ? -1.0 : 1.0;
  const double least = 1e-12 * rope->length, beside = fmax (fabs (x), least);
  const double distance = sqrt (beside * beside + y * y);
  const double farthest = rope->length * (1.0 - ROPE_FARTHEST);
  const double part = distance > farthest ? farthest / distance : 1.0;
  double h, v, before, after;
  RopeShape shape;
  RopePiece piece;

  rope_find (rope, part * beside, part * y, &h, &v);
  before = v + q * rope->load;
  after = before + rope->force;
  piece = rope_piece (h, v, q, rope->load);
  shape.load_point[0] = sign * piece.x;
  shape.load_point[1] = piece.y;
  shape.energy = h * (part * beside) + (v + all) * (part * y) - rope_pieces (rope, h, v).sum;
  shape.lowest[0] = shape.lowest[1] = 0.0;
  if (v < 0 && before >= 0)
    piece = rope_piece (h, v, q, -v / q);
  if (v < 0)
    {
      shape.lowest[0] = piece.x;
      shape.lowest[1] = piece.y;
    }
  if (v < 0 && after < 0)
    {
      piece = rope_piece (h, after, q, fmin (-after / q, rope->length - rope->load));
      shape.lowest[0] += piece.x;
      shape.lowest[1] += piece.y;
    }
  shape.lowest[0] *= sign;
  shape.horizontal = sign * h;
  shape.vertical = v;
  return shape;
}

/* Adds to x and y the position of arc length `along`, relative to the left end. */
static inline void
rope_point (const RopeLoad *rope, const RopeShape *shape, double along, double *x, double *y)
{
  const double h = fabs (shape->horizontal), v = shape->vertical;
  const double before = along < rope->load ? along : rope->load;
  RopePiece piece = rope_piece (h, v, rope->weight, before);

  *x += shape->horizontal < 0 ? -piece.x : piece.x;
  *y += piece.y;
  if (!(along > before))
    return;
  piece = rope_piece (h, v + rope->weight * before + rope->force, rope->weight, along - before);
  *x += shape->horizontal < 0 ? -piece.x : piece.x;
  *y += piece.y;
}

/* Returns the position along the rope of a load at the horizontal distance `at` from the left. */
static inline double
rope_load_at (const RopeLoad *rope, double x, double y, double at)
{
  RopeLoad tried = *rope;
  double low = 0.0, high = rope->length;

  for (int k = 0; k < 200 && low < high; k++)
    {
      double far;

      tried.load = 0.5 * (low + high);
      far = rope_hang (&tried, x, y).load_point[0] - at;
      if (!(tried.load > low && tried.load < high))
        break;
      if ((x < 0 ? -far : far) < 0)
        low = tried.load;
      else
        high = tried.load;
    }
  return 0.5 * (low + high);
}
