/* stability.h: growth rates of a network's modes under the schemes, and the longest stable steps
 *
 * For linear undamped networks: the scheme's characteristic polynomial at each eigenfrequency. For
 * others: eigenvalues of the map of one step (step-map.h). Growth is that of an amplitude, negative
 * for decay. The drift of unsupported bodies is no growth, nor the offset of a coordinate with
 * dampers only.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "linear/longest-step.h"
#include "linear/stability-bounds.h"
#include "linear/stability-growth.h"
#include "linear/stability-states.h"

/* Examines the network about its start. quick: little work, for a check before a run. NULL with an
 * error: a law has no finite derivative at the start. */
IfbamStability *ifbam_stability_new (const IfbamModel *model, const IfbamRunSpec *spec,
                                     gboolean quick, GError **error);

/* TRUE if reactions alone restore the motion, as in a pendulum. */
gboolean ifbam_stability_is_by_reactions (const IfbamStability *stability);

/* Returns the fastest oscillating mode up to an angular frequency [1/s]; 0: there is none. If
 * single modes are not known but faster ones exist, the limit itself. */
double complex ifbam_stability_mode (const IfbamStability *stability, double up_to);
