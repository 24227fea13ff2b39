/* impacts.h: who gives impulses at an instant
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/advance-islands.h"

/* Gives impulses among the links in play until none of them approaches; links that fired (n). */
void ifbam_event_exchange (IfbamEventEngine *self, double time, const IfbamCandidate *fired,
                           guint n);
