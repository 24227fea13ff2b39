/* islands.h: which nodes have to be advanced together: components and islands
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-engine-internal.h"

void ifbam_islands_make (IfbamEventEngine *self);

/* To be called when components have gone to sleep or are awake again: the whole network is what is awake. */
void ifbam_islands_wake (IfbamEventEngine *self);

void ifbam_islands_free (IfbamEventEngine *self);

/* Puts islands together at a row, from the numbers of islands that the components have. */
void ifbam_islands_put_together (IfbamEventEngine *self);

/* Sorts the components of the affected islands anew by who acts now; `affected` then lists the new
 * islands. All are of the same time. */
void ifbam_islands_sort (IfbamEventEngine *self);
