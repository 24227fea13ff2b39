/* event-bounds.h: which rows act, each only as far as it pushes
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-state.h"

/* Which of n rows act: lambda >= 0 and rhs - J M^-1 P^T lambda <= 0, one of them zero; bilateral ones
 * act always, or while their carrier does (carrier[i]: a row before; IFBAM_NONE: none; NULL: nobody has). A row stops where lambda times its weight is below `stop`, starts where the rest is
 * above start[i]. active: the first guess, then the answer; change[] tells what it does to the rows'
 * nodes. FALSE: it does not end. */
gboolean ifbam_event_complementarity (IfbamEventEngine *self, double time, const IfbamRow *rows,
                                      guint n, const double *rhs, const gboolean *bilateral,
                                      const guint *carrier, double stop, const double *start,
                                      guint8 *active, double *lambda);
