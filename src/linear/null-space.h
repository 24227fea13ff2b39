/* null-space.h: the independent coordinates that relations leave: x = Z q, J Z = 0
 *
 * Relations of two coordinates group them (dof-groups.h). What others hold together is an island with a kernel of its
 * own: the columns of Z, which are at right angles by inertia, so that M stays diagonal.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/model.h"

typedef struct
{
  gsize n;         /* independent coordinates */
  double *inertia; /* of each; 0: only massless nodes move (n) */
  /* Of a free node: by how much it moves with the coordinates from `first` on, factor[start[node]] to
   * factor[start[node + 1] - 1]; none where it is held still (n_free, n_free + 1). */
  guint32 *first;
  gsize *start;
  double *factor;
  gsize most; /* the most of a node */
} IfbamKernel;

/* Of relations (IfbamMotionRow over free nodes); still: coordinates that are none. NULL with IFBAM_ERROR_NETWORK: more
 * than `most` are held together. */
IfbamKernel *ifbam_kernel_new (const IfbamModel *model, IfbamGroups *groups, GArray *relations,
                               gsize most, GError **error);
void ifbam_kernel_free (IfbamKernel *kernel);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamKernel, ifbam_kernel_free)

static inline gsize
ifbam_kernel_count (const IfbamKernel *kernel, gsize node)
{
  return kernel->start[node + 1] - kernel->start[node];
}
