/* event-interior.h: an interior point says which rows act
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-bound.h"

/* What a row gives way by its own push and by its twin's (IFBAM_NONE: it has none). */
typedef struct
{
  double own, other;
  guint twin;
} IfbamSoft;

/* J M^-1 P^T p of rows (n); product (n). */
void ifbam_event_multiply (IfbamEventEngine *self, const IfbamBound *bounds, guint n,
                           const double *p, double *product);

/* push >= 0, rest = J M^-1 J^T push - rhs >= 0, their products equal and falling toward 0: who pushes more,
 * in units of its own inertia, than it rests, acts; where rows give way (soft, n; NULL: none does), who gives more than it rests.
 * active of bounds (n) says so; lambda is the push, rest the negative of the other, as near as it got. Two rows or more. */
void ifbam_event_interior (IfbamEventEngine *self, double time, IfbamBound *bounds, guint n,
                           const IfbamSoft *soft);
