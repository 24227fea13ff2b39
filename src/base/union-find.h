/* union-find.h: which numbers belong together (union and find); freestanding C
 *
 * Each points at one of its tree, in the end at the lowest, its root; who looks halves the way there
 * (Tarjan and van Leeuwen 1984, Worst-case analysis of set union algorithms).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Each for itself (n). */
static inline void
ifbam_forest_plant (uint32_t *parent, size_t n)
{
  for (size_t i = 0; i < n; i++)
    parent[i] = (uint32_t) i;
}

/* The lowest of those that `i` belongs to. */
static inline uint32_t
ifbam_forest_root (uint32_t *parent, uint32_t i)
{
  while (parent[i] != i)
    i = parent[i] = parent[parent[i]];
  return i;
}

static inline void
ifbam_forest_unite (uint32_t *parent, uint32_t a, uint32_t b)
{
  a = ifbam_forest_root (parent, a);
  b = ifbam_forest_root (parent, b);
  if (a < b)
    parent[b] = a;
  else
    parent[a] = b;
}
