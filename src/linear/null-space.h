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
} IfbamKernel;

/* relations: constraints (IfbamMotionRow over free nodes). groups->still: nodes that are not free
 * to move. NULL with IFBAM_ERROR_NETWORK: an island has more than `most` nodes. */
IfbamKernel *ifbam_kernel_new (const IfbamModel *model, IfbamGroups *groups, GArray *relations,
                               gsize most, GError **error);
void ifbam_kernel_free (IfbamKernel *kernel);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamKernel, ifbam_kernel_free)

static inline gsize
ifbam_kernel_count (const IfbamKernel *kernel, gsize node)
{
  return kernel->start[node + 1] - kernel->start[node];
}
