/* auto-step.h: chooses the step for `step = auto`
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/engine.h"
#include "linear/stability.h"

/* Returns the longest step [s] of the spec's scheme, from the network's modes about its start,  -
 * at which no mode grows by more than 1 % over the duration [s] (0: not known),  - at which modes
 * up to the angular frequency spec->up_to have their frequency within 0.1 %, and
 *    their amplitude within 1 % over the duration or their decay rate within 1 %,
 *  - and which is at most a hundredth of the duration. If laws are nonlinear or have modes, a pilot
 * run finds the largest stiffness. *why (static): the condition that limits the step. The spec's
 * step need not be set. Returns 0 with an error if there is no mode or no such step. */
double ifbam_auto_step (const IfbamModel *model, const IfbamRunSpec *spec, double duration,
                        const char **why, GError **error);
