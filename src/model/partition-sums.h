/* partition-sums.h: a model that is one process's part of a network: counted elements, global sums
 *
 * Beside its own nodes and links a part has ghosts: neighbours' nodes and links that other parts
 * count.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

#include "base/exact-sum.h"

typedef struct _IfbamPartitionSums IfbamPartitionSums;

struct _IfbamPartitionSums
{
  guint8 *is_ghost; /* of free nodes: 1 for a ghost (n_free) */
  /* representative of a free node's component in the whole network (n_free); NULL: unused */
  guint32 *representative;
  guint64 n_nodes;     /* of the whole network */
  gboolean has_fields; /* the whole network has fields */
  /* Replaces each sum by the sum over all parts. Collective. */
  void (*add_up) (const IfbamPartitionSums *share, IfbamExactSum *sums, guint n);
  /* Returns the worst of the parts' worst nodes (name: taken over; result: transfer full): the
   * first that is not finite, else that of most energy; *finite is over all parts. Collective. */
  char *(*find_worst) (const IfbamPartitionSums *share, char *name, guint64 place, double energy,
                       gboolean *finite);
  /* Returns the index in the file of a free node. */
  guint64 (*place) (const IfbamPartitionSums *share, gsize node);
};
