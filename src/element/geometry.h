/* geometry.h: how a link's compression follows from the coordinates of its ends
 *
 * A geometry is a function delta(coordinates) and its row J = d delta / d coordinates; the ends get
 * -J^T F. The same row gives the rate from the velocities.
 *
 * A geometry FORM is
 *   IFBAM_DELTA_FORM (law, left, right)  delta, or its rate, for a law's numbers
 *   IFBAM_FAR_FORM (law, force, far)     tells what the right end hears, if that is not the force
 *   IFBAM_GEOMETRY_FORM (Law)            what it says of itself (IfbamLineGeometry)
 * The macro that makes kernels of a law and a geometry gets FORM, and pastes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <stddef.h>

typedef struct
{
  const char *name;
  int scaled; /* the row is 1, -ratio; else it is 1, -1, and the right end hears the force itself */
  size_t ratio; /* where the ratio stands among the law's numbers */
} IfbamLineGeometry;

/* delta = x_left - x_right: compression is positive (Grabysz 1994, eq. 4.3). */
#define IFBAM_DIFFERENCE                         difference
#define IFBAM_DELTA_difference(law, left, right) ((left) - (right))
#define IFBAM_FAR_difference(law, force, far)
#define IFBAM_GEOMETRY_difference(Law)                                                             \
  {                                                                                                \
    .name = "difference"                                                                           \
  }

/* delta = x_left - ratio x_right, for a law with a number `ratio`. The right end hears the force times
 * it. */
#define IFBAM_RATIO                         ratio
#define IFBAM_DELTA_ratio(law, left, right) ((left) - (law).ratio * (right))
#define IFBAM_FAR_ratio(law, force, far)                                                           \
  if (far != NULL)                                                                                 \
    far[i] = (law).ratio * (force);
#define IFBAM_GEOMETRY_ratio(Law)                                                                  \
  {                                                                                                \
    .name = "ratio", .scaled = 1, .ratio = offsetof (Law, ratio) / sizeof (double)                 \
  }

/* What the right end's coordinate counts, of a law's numbers. */
static inline double
ifbam_geometry_ratio (const IfbamLineGeometry *geometry, const double *law)
{
  return geometry->scaled ? law[geometry->ratio] : 1.0;
}
