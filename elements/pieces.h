/* pieces.h: modes of laws that are linear between the points of a table; freestanding C
 *
 * Mode i is piece i. In a mode the law is linear, also beyond the piece. Modes end at the inner
 * points, where the law has kinks.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/table.h"
#include "element/guard.h"

/* kind: quantity of the table, IFBAM_GUARD_POSITION or IFBAM_GUARD_RATE */
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
