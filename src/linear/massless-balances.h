/* massless-balances.h: balances of forces on massless nodes, as constraints of small motions
 *
 * Motions of massless nodes alone that satisfy the constraints are the columns z of a null-space
 * basis. Along each of them link forces balance without reactions: z^T (C x' + K x) = 0. If only
 * springs, or only dampers, take part, this is one more constraint of positions.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "linear/small-motions.h"

/* Largest number of coordinates joined by constraints: the work grows with its cube. */
#define IFBAM_MAX_HELD 4000

/* Adds the balances to `relations` (IfbamMotionRow) and to those of the motions. FALSE with an
 * error: springs and dampers act on a massless node, or nothing does. */
gboolean ifbam_add_massless_balances (IfbamSmallMotions *motions, GArray *relations,
                                      GError **error);
