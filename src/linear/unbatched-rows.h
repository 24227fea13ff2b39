/* unbatched-rows.h: rows and derivatives of unbatched links about the start
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event.h"
#include "linear/small-motions.h"

/* Force F along a turning row: adds F (d row / d x) to the stiffness, a symmetric matrix over the
 * endpoints. Its eigenvectors are the rows, its eigenvalues their stiffness. Returns their number,
 * -1: the row has no finite derivative. x, v: of the endpoints. */
int ifbam_link_turning (const IfbamLink *link, const double *x, const double *v, double force,
                        double (*rows)[IFBAM_MAX_PORTS], double *stiffness);

/* Derivatives of an extra row. */
typedef struct
{
  double stiffness, damping, turning;
} IfbamRowSlopes;

/* Returns the spec of an engine at the start. Massless nodes are balanced there in short stages,
 * which need a finite step. (Its start is not owned.) */
IfbamRunSpec ifbam_small_motions_start_spec (const IfbamModel *model, const IfbamRunSpec *spec);

/* Adds the rows of unbatched links in their mode at the start, with their derivatives to `slopes`
 * (IfbamRowSlopes) and active constraints to `relations` (IfbamMotionRow). FALSE with an error: a law
 * has no finite derivative. */
gboolean ifbam_add_unbatched_rows (IfbamSmallMotions *motions, GArray *slopes, GArray *relations,
                                   GError **error);
