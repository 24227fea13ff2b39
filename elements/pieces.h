/* pieces.h: modes of laws that are straight between the points of a table; freestanding C
 *
 * A mode is a piece, from 0 on: in each the law is linear, and so it goes on beyond it. They end at the points between, where
 * the law has its kinks.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/table.h"
#include "element/guard.h"

/* kind: of what the table is over, IFBAM_GUARD_POSITION or IFBAM_GUARD_RATE */
static inline int
pieces_guards (const IfbamTable *table, IfbamGuardKind kind, int mode, IfbamGuard *guards)
{
  const unsigned long piece = (unsigned long) mode;
  int n = 0;

  if (piece + 2 < table->n)
    {
      const IfbamGuard rise = { kind, -1, table->x[piece + 1], mode + 1 };

      guards[n++] = rise;
    }
  if (piece > 0)
    {
      const IfbamGuard fall = { kind, 1, -table->x[piece], mode - 1 };

      guards[n++] = fall;
    }
  return n;
}

static inline const char *
pieces_event (int from, int to)
{
  return to > from ? "rise" : "fall";
}
