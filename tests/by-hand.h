/* by-hand.h: a dialogue by hand beside the compiled engine
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "dialogue/dialogue.h"
#include "file/ifbam-network.h"

/* Goes through cycles with turns and settling, and fails unless all rows and events are those of the compiled
 * engine, bit for bit. The objects find NaN wherever they look into the compiled columns. Returns the number of
 * events. */
guint compare_by_hand (IfbamNetwork *network, guint64 cycles, const char *what);
