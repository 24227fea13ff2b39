/* geometry.h: the compression of a link as a function of the coordinates at its ports
 *
 * A port is a node (a scalar) that a link reads. A geometry computes the compression delta of the
 * coordinates x, and its Jacobian row J = d delta/dx: the rate is J v, the forces on the nodes are
 * -J^T F. A geometry FORM of two ports with a constant row also has macros for batches
 * (link-class.h); law: the parameters:
 *   IFBAM_DELTA_FORM (law, left, right)  delta, or its rate
 *   IFBAM_FAR_FORM (law, force, far)     stores the force on the right end, if other than `force`
 *   IFBAM_GEOMETRY_FORM                  the geometry
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

#include "base/limits.h"

/* Doubles of a geometry's shape: radii, waves of a surface, positions of ends on their bodies. */
#define IFBAM_MAX_SHAPE 12

/* Arguments: position, rate: coordinates and velocities at the ports (n_ports); shape: see `shape`;
 * delta: compression; row: its derivatives (n_ports). Functions may be NULL. */
typedef struct _IfbamGeometry IfbamGeometry;

/* Receives a value with its name and unit (static). */
typedef void (*IfbamReportNumber) (gpointer data, const char *name, const char *unit, double value);

struct _IfbamGeometry
{
  const char *name;
  /* Stores the shape (IFBAM_MAX_SHAPE), from parameters and the ends' shapes (right: or NULL). */
  void (*shape) (const double *law, const double *left, const double *right, double *shape);
  /* Returns the effective radius R of round ends [m]: 1/R = 1/R1 + 1/R2. NULL: points. */
  double (*radius) (const double *shape);
  /* Returns an error (transfer full) if the ends are incompatible, else NULL. */
  char *(*fault) (const double *shape);
  double (*mass) (const double *shape); /* mass of the end [kg]; NULL: unknown */
  guint n_ports;                        /* 0: count of the ends' coordinates */
  gboolean straight;                    /* constant row of 1 and -1 */
  gboolean scaled;                      /* the row is 1, -ratio; ratio: the law's first parameter */
  gboolean measures_distance; /* variable row; |change of delta| <= displacement of the ends */
  /* Returns the greatest displacement of the ends per unit of a port: 1 for a coordinate, a lever
   * arm [m] for an angle. NULL: 1 for all ports. Not for only_rate. */
  double (*lever) (const double *shape, int port);
  /* Returns the length of a path [m] on which the row can turn and turn back. NULL: it can't. */
  double (*circle) (const double *shape);
  /* Returns the least radius [m] of the ends' path along a concave surface. NULL: none. */
  double (*concave) (const double *shape);
  void (*measure) (const double *shape, const double *position, const double *rate, double *delta,
                   double *row);
  /* Returns dJ/dt v, the part of d^2 delta/dt^2 without accelerations [m/s2]. NULL: 0. */
  double (*velocity_term) (const double *shape, const double *position, const double *rate);
  /* Stores the force direction in `row`, if other than J: forces on the ports per unit force. Only
   * for laws without constraints. NULL: J. */
  void (*force_direction) (const double *shape, double *row);
  /* Stores delta (2) at two positions, and a row with row (to - from) = delta[1] - delta[0].
   * Returns FALSE if none exists, for example for bodies. NULL: constant row, or unknown. */
  gboolean (*chord) (const double *shape, const double *from, const double *to, double *delta,
                     double *row);
  /* Measures, and returns the velocity term. NULL: call both functions. */
  double (*measure_all) (const double *shape, const double *position, const double *rate,
                         double *delta, double *row);
  /* Returns a faster implementation for this shape (equal results), or NULL. */
  const IfbamGeometry *(*special) (const double *shape);
  /* Returns the greatest angular velocity [rad/s] of the row's direction and of bodies with lever
   * arms. NULL: no rotation. */
  double (*turning) (const double *shape, const double *position, const double *rate);
  /* Index in the shape of a unit vector (2) along which the row measures; NaN: the direction of the
   * slip. 0: no such vector. */
  guint direction;
  gboolean is_angle;  /* the ports are the bodies' angles only */
  gboolean only_rate; /* delta is 0: a slip has a rate, but no position */
  /* Geometry of the slip at this contact; same shape and ports. NULL: no slip. */
  const IfbamGeometry *slip;
  /* The same geometry plus a last port: its coordinate is added to the length. NULL: none. */
  const IfbamGeometry *driven;
  /* Driven geometry: returns the present length [m]. */
  double (*driven_length) (const double *shape, const double *position);
  /* Sets the shape's unspecified double from the positions at the start (NULL: no change). Returns
   * FALSE if it is specified. NULL: always specified. */
  gboolean (*fill) (double *shape, const double *position);
  guint filled; /* index of that double in the shape */
  /* Returns an error (transfer full) if its value is impossible, else NULL. */
  char *(*fill_fault) (const double *shape);
  /* Reports more values of an equilibrium. */
  void (*report) (const double *shape, const double *position, IfbamReportNumber report,
                  gpointer data);
  /* Stores the course of the link, n points (x, y) from left to right. NULL: a straight line. */
  void (*trace) (const double *shape, const double *position, guint n, double *points);
  /* Returns the largest length in the shape [m], for rounding thresholds. NULL: 0. */
  double (*size) (const double *shape);
  /* Texts of `ifbam dialogue`, in the first person: the constant quantity of a bilateral constraint
   * ("my ends together along x"), effects of forces above and below 0; NULL: none. */
  const char *constraint_text, *positive_text, *negative_text;
};

/* Initializer of a linear combination: delta = sum of row_e x_e - rest; the rest makes delta 0 at
 * the start. of: `shape`, which calls ifbam_combination_set; words: `constraint_text`, or NULL. */
#define IFBAM_COMBINATION(title, n, of, words)                                                     \
  {                                                                                                \
    .name = title, .shape = of, .n_ports = n, .fill = ifbam_combination_fill,                      \
    .constraint_text = words, .measure = ifbam_combination_measure                                 \
  }
/* Stores a row (n, at most IFBAM_MAX_PORTS) in a combination's shape. */
void ifbam_combination_set (double *shape, guint n, const double *row);
void ifbam_combination_measure (const double *shape, const double *position, const double *rate,
                                double *delta, double *row);
gboolean ifbam_combination_fill (double *shape, const double *position);

extern const IfbamGeometry ifbam_difference;       /* delta = x_left - x_right */
extern const IfbamGeometry ifbam_ratio;            /* delta = x_left - ratio x_right */
extern const IfbamGeometry ifbam_ratio_constraint; /* delta = x_left - ratio x_right - rest */
extern const IfbamGeometry ifbam_planet; /* delta = x_1 + ratio x_3 - (1 + ratio) x_2 - rest */
extern const IfbamGeometry ifbam_pairs;  /* delta = x_1 - x_2 - ratio (x_3 - x_4) - rest */
extern const IfbamGeometry
    ifbam_weighted_sum; /* delta = factor_1 x_1 + factor_2 x_2 + ... - rest */
extern const IfbamGeometry ifbam_branch_distance;   /* delta = x_1 - x_2 + x_3 - rest */
extern const IfbamGeometry ifbam_branch_difference; /* delta = x_1 - x_2 - x_3 - rest */
extern const IfbamGeometry ifbam_pad_slip; /* delta = x_1 - x_2, with one or two unused ports */
extern const IfbamGeometry ifbam_pad;      /* delta = x_3; slip: x_1 - x_2 */
extern const IfbamGeometry ifbam_multiple; /* delta = ratio x_left - x_right - rest */
extern const IfbamGeometry ifbam_point;    /* delta = x */
/* delta = x_3 - x_4, force on x_1 and x_2. Its ports are the different ones of these four nodes. */
extern const IfbamGeometry ifbam_transfer;

/* Stores ports and shape of ifbam_transfer. nodes: x_1 to x_4; `none`: x_2 or x_4 is missing.
 * Returns the count of ports, at most IFBAM_TRANSFER_PORTS. */
#define IFBAM_TRANSFER_PORTS 4
guint ifbam_transfer_join (const guint32 *nodes, guint32 none, guint32 *ports, double *shape);

/* Approach is positive (Grabysz 1994, eq. 4.3). */
#define IFBAM_GEOMETRY_DIFFERENCE                &ifbam_difference
#define IFBAM_DELTA_DIFFERENCE(law, left, right) ((left) - (right))
#define IFBAM_FAR_DIFFERENCE(law, force, far)

/* For a law with the first parameter `ratio`; the force on the right end is ratio times F. */
#define IFBAM_GEOMETRY_RATIO                &ifbam_ratio
#define IFBAM_DELTA_RATIO(law, left, right) ((left) - (law).ratio * (right))
#define IFBAM_FAR_RATIO(law, force, far)                                                           \
  if (far != NULL)                                                                                 \
    far[i] = (law).ratio * (force);

/* Returns the factor of the right end's coordinate. */
static inline double
ifbam_geometry_ratio (const IfbamGeometry *geometry, const double *law)
{
  return geometry->scaled ? law[0] : 1.0;
}
