/* partition-sums.h: a model that is one process's part of a network: what of it counts here, and how sums are made of all parts
 *
 * Beside what is its own, a part has nodes and links of its neighbours', which others count.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

#include "base/exact-sum.h"

typedef struct _IfbamModelShare IfbamModelShare;

struct _IfbamModelShare
{
  guint8 *foreign; /* of free nodes, by number: 1 where another part counts it (n_free) */
  guint32 *
      fellow; /* of free nodes: another that links join it to in the whole network, or itself (n_free); NULL: no matter */
  guint64 n_nodes;     /* of the whole network */
  gboolean has_fields; /* so has it */
  /* Each becomes the sum of all parts'. All parts ask at once. */
  void (*add_up) (const IfbamModelShare *share, IfbamExactSum *sums, guint n);
  /* Of the parts' worst nodes (name: taken over) the worst one's name (transfer full): the first that is not finite, else
   * the one with the most energy; *finite is of all. */
  char *(*find_worst) (const IfbamModelShare *share, char *name, guint64 place, double energy,
                       gboolean *finite);
  /* The number in the file of a free node, by its number here. */
  guint64 (*place) (const IfbamModelShare *share, gsize node);
};
