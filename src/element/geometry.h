/* geometry.h: how a link's compression follows from the coordinates at its ports
 *
 * A port is a node that a link hears, a scalar. A geometry is a function delta (coordinates) and its row
 * J = d delta / d coordinates; the nodes get -J^T F. The same row gives the rate from the velocities. Where
 * the row is constant and the ports are two, a geometry FORM has an inline form, too, of which kernels for batches are made (link-class.h):
 *   IFBAM_DELTA_FORM (law, left, right)  delta, or its rate, for a law's numbers
 *   IFBAM_FAR_FORM (law, force, far)     tells what the right end hears, if that is not the force
 *   IFBAM_GEOMETRY_FORM                  the geometry
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

#include "base/limits.h"

/* Numbers of a geometry: radii, the shape of a surface, where ends are on their bodies. */
#define IFBAM_MAX_SHAPE 12

/* Coordinates at the ports to compression and row d delta / d coordinates (n_ports each); rates are for
 * geometries whose row depends on them. bend: the part of the compression's second derivative that
 * comes from the row's change (NULL: none). */
typedef struct _IfbamGeometry IfbamGeometry;

/* Is told a number by its name and unit (static). */
typedef void (*IfbamReportNumber) (gpointer data, const char *name, const char *unit, double value);

struct _IfbamGeometry
{
  const char *name;
  /* From the law's numbers and the ends' shapes (right: NULL where there is none); NULL: it has none. */
  void (*shape) (const double *law, const double *left, const double *right, double *shape);
  /* Of the contact of round ends [m]: 1/R = 1/R1 + 1/R2; NULL: they are points. */
  double (*radius) (const double *shape);
  /* Why the ends don't fit each other (transfer full), or NULL. */
  char *(*fault) (const double *shape);
  double (*mass) (const double *shape); /* of what its end weighs [kg]; NULL: nobody says */
  guint n_ports;                        /* 0: as many as its ends have coordinates */
  gboolean straight;                    /* the row never changes, and is +1 or -1 */
  gboolean scaled;            /* the row is 1, -ratio; the ratio is the law's first number */
  gboolean measures_distance; /* the row turns, but delta changes by no more than the ends go */
  /* How far the ends go at most per unit of a port, where that is not 1: of an angle, a point's distance from
   * its body's middle. NULL: all count 1. Nobody asks what slides, which has no place to be crossed. */
  double (*lever) (const double *shape, int port);
  /* The length in which such a row may turn there and back; NULL: it turns one way. */
  double (*turning_length) (const double *shape);
  /* The least radius of the way that its ends go while it holds, where that lies in a hollow [m]; NULL: none
   * does. */
  double (*concave_radius) (const double *shape);
  void (*measure) (const double *shape, const double *position, const double *rate, double *delta,
                   double *row);
  double (*velocity_term) (const double *shape, const double *position, const double *rate);
  /* Where a force goes otherwise than by the row by which it is heard: puts what ports get per unit in the place of
   * the row. Such a link says forces only, and keeps no relation. NULL: along the row */
  void (*force_direction) (const double *shape, double *row);
  /* From places to others: the row along which a straight way there changes the compression by what it does, and by how
   * much that is at both; FALSE: there is none, as where bodies turn. NULL: the row never changes, or none is known */
  gboolean (*chord) (const double *shape, const double *from, const double *to, double *delta,
                     double *row);
  /* Both at once: returns the bend. NULL: one after the other */
  double (*measure_all) (const double *shape, const double *position, const double *rate,
                         double *delta, double *row);
  /* The same geometry for ends of a kind that is met often, in fewer steps; NULL where the shape's are of no such
   * kind. NULL: there is none */
  const IfbamGeometry *(*special) (const double *shape);
  /* How fast it turns, that is what its row says: the direction along which it counts, and bodies on levers [rad/s]; NULL: its
   * row does not change so. */
  double (*turning_rate) (const double *shape, const double *position, const double *rate);
  /* Which number of the shape is the first of a direction (2), of rows that go along what moves and can be aimed elsewhere;
   * it is NaN where nobody does. 0: none is */
  guint direction;
  gboolean measures_angle; /* it hears the angles of bodies alone */
  gboolean only_rate;      /* it has a rate, but no compression: delta is 0 */
  /* How the ends go along each other where this one keeps them apart, of the same shape and ports; NULL: they
   * can't. */
  const IfbamGeometry *slip;
  /* The same with one port more, behind those of its ends, whose coordinate is added to its length; NULL: it has none. */
  const IfbamGeometry *driven;
  /* Of such a one: how long that makes it. */
  double (*driven_length) (const double *shape, const double *position);
  /* Takes what nobody has said of its shape from the coordinates at the start (NULL: nothing, it is
   * only asked); FALSE: all was said. NULL: it always is. */
  gboolean (*complete) (double *shape, const double *position);
  guint completed; /* which number of the shape that is */
  /* Why it can't be so then (transfer full), or NULL. */
  char *(*completed_fault) (const double *shape);
  /* What else there is to say of it where it is at rest; NULL: nothing. */
  void (*report) (const double *shape, const double *position, IfbamReportNumber report,
                  gpointer data);
  /* Where it runs: n places (x, y) from the left end to the right one; NULL: straight. */
  void (*trace) (const double *shape, const double *position, guint n, double *places);
  /* What of its shape is as large as a coordinate may be; NULL: 0. */
  double (*max_length) (const double *shape);
  /* For people: what a link that never lets go keeps ("my ends together along x"), and what a force above and below 0
   * does ("I push my ends apart"); NULL: there are no words for it. */
  const char *constraint_text, *positive_text, *negative_text;
};

/* Linear combinations of the coordinates at n ports: delta = sum of row_e x_e - rest. The rest follows from the start, where
 * delta is 0. An initializer; of: the geometry's `shape`, which calls ifbam_combination_set; words: `keeps`, or NULL. */
#define IFBAM_COMBINATION(title, n, of, words)                                                     \
  {                                                                                                \
    .name = title, .shape = of, .n_ports = n, .complete = ifbam_combination_complete,              \
    .constraint_text = words, .measure = ifbam_combination_measure                                 \
  }
/* Stores a row (n, at most IFBAM_MAX_PORTS) in a shape (IFBAM_MAX_SHAPE). */
void ifbam_combination_set (double *shape, guint n, const double *row);
void ifbam_combination_measure (const double *shape, const double *position, const double *rate,
                                double *delta, double *row);
gboolean ifbam_combination_complete (double *shape, const double *position);

extern const IfbamGeometry ifbam_difference;       /* delta = x_left - x_right */
extern const IfbamGeometry ifbam_ratio;            /* delta = x_left - ratio x_right */
extern const IfbamGeometry ifbam_ratio_constraint; /* delta = x_left - ratio x_right - rest */
extern const IfbamGeometry ifbam_planet; /* delta = x_1 + ratio x_3 - (1 + ratio) x_2 - rest */
extern const IfbamGeometry ifbam_pairs;  /* delta = x_1 - x_2 - ratio (x_3 - x_4) - rest */
extern const IfbamGeometry
    ifbam_weighted_sum; /* delta = factor_1 x_1 + factor_2 x_2 + ... - rest */
extern const IfbamGeometry ifbam_branch_distance;   /* delta = x_1 - x_2 + x_3 - rest */
extern const IfbamGeometry ifbam_branch_difference; /* delta = x_1 - x_2 - x_3 - rest */
extern const IfbamGeometry
    ifbam_pad_slip; /* delta = x_1 - x_2, whatever else is heard: up to two more ports */
extern const IfbamGeometry ifbam_pad;      /* delta = x_3; along it: x_1 - x_2 */
extern const IfbamGeometry ifbam_multiple; /* delta = ratio x_left - x_right - rest */
extern const IfbamGeometry ifbam_point;    /* delta = x */
/* delta = x_3 - x_4, of what controls; the force goes to 1 and 2. Its ports are those of the four nodes that differ. */
extern const IfbamGeometry ifbam_transfer;

/* The shape of ifbam_transfer over ports[0], ... (returns how many, at most IFBAM_TRANSFER_PORTS): the nodes (4) that
 * the force goes to, then those that it is heard from; the last may be `none`. */
#define IFBAM_TRANSFER_PORTS 4
guint ifbam_transfer_join (const guint32 *nodes, guint32 none, guint32 *ports, double *shape);

/* Compression is positive (Grabysz 1994, eq. 4.3). */
#define IFBAM_GEOMETRY_DIFFERENCE                &ifbam_difference
#define IFBAM_DELTA_DIFFERENCE(law, left, right) ((left) - (right))
#define IFBAM_FAR_DIFFERENCE(law, force, far)

/* For a law with a number `ratio`, its first. The right end hears the force times it. */
#define IFBAM_GEOMETRY_RATIO                &ifbam_ratio
#define IFBAM_DELTA_RATIO(law, left, right) ((left) - (law).ratio * (right))
#define IFBAM_FAR_RATIO(law, force, far)                                                           \
  if (far != NULL)                                                                                 \
    far[i] = (law).ratio * (force);

/* What the right end's coordinate counts, of a law's numbers. */
static inline double
ifbam_geometry_ratio (const IfbamGeometry *geometry, const double *law)
{
  return geometry->scaled ? law[0] : 1.0;
}
