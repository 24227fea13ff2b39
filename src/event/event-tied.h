/* event-tied.h: what rows get of each other's impulses, where others pass these on
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-engine-internal.h"

/* w[i n + j]: what row i gets by an impulse of 1 along row j, less what the ties take; share[j n_ties + a]: how much
 * tie a takes of it. The ties' system is left factored in play->system. */
void ifbam_event_tie (IfbamEventEngine *self, const IfbamRow *rows, guint n, const IfbamRow *ties,
                      guint n_ties, double *w, double *share);
