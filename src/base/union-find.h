/* union-find.h: disjoint sets of numbers (union and find); freestanding C
 *
 * Each number points at another one of its tree, finally at the lowest, its root; searches halve
 * the path (Tarjan and van Leeuwen 1984, Worst-case analysis of set union algorithms).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Makes sets of one number each (n). */
static inline void
ifbam_union_find_init (uint32_t *parent, size_t n)
{
  for (size_t i = 0; i < n; i++)
    parent[i] = (uint32_t) i;
}

/* Returns the lowest number in the set of `i`. */
static inline uint32_t
ifbam_union_find_root (uint32_t *parent, uint32_t i)
{
  while (parent[i] != i)
    i = parent[i] = parent[parent[i]];
  return i;
}

static inline void
ifbam_union_find_unite (uint32_t *parent, uint32_t a, uint32_t b)
{
  a = ifbam_union_find_root (parent, a);
  b = ifbam_union_find_root (parent, b);
  if (a < b)
    parent[b] = a;
  else
    parent[a] = b;
}
