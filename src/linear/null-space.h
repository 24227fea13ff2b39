/* null-space.h: independent coordinates under bilateral constraints: x = Z q, J Z = 0
 *
 * Constraints of two coordinates group these (dof-groups.h). Groups joined by other constraints are
 * an island with its own null space. The columns of Z are orthogonal by inertia: M stays diagonal.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/model.h"

typedef struct
{
  gsize n;         /* number of independent coordinates */
  double *inertia; /* inertia of each; 0: only massless nodes move (n) */
  /* Row of Z of a free node: factors of the coordinates from `first` on, factor[start[node]] to
   * factor[start[node + 1] - 1]; none if constraints fix it (n_free, n_free + 1). */
  guint32 *first;
  gsize *start;
  double *factor;
  gsize most; /* largest number of factors of a node */
} IfbamNullSpace;

/* relations: constraints (IfbamMotionRow over free nodes). groups->still: nodes that are not free
 * to move. NULL with IFBAM_ERROR_NETWORK: an island has more than `most` nodes. */
IfbamNullSpace *ifbam_null_space_new (const IfbamModel *model, IfbamDofGroups *groups,
                                      GArray *relations, gsize most, GError **error);
void ifbam_null_space_free (IfbamNullSpace *null_space);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamNullSpace, ifbam_null_space_free)

static inline gsize
ifbam_null_space_count (const IfbamNullSpace *null_space, gsize node)
{
  return null_space->start[node + 1] - null_space->start[node];
}
