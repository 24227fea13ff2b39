/* auto-step.h: the step that `step = auto` stands for
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/engine.h"
#include "linear/stability.h"

/* The longest step [s] of the spec's scheme, from the network's modes about its start,
 *  - at which no mode grows by more than 1 % over the duration [s] (0: not known),
 *  - at which the modes up to an angular frequency spec->up_to swing at their
 *    frequency within 0.1 %, and keep their amplitude within 1 % over the duration or their decay rate
 *    within 1 %,
 *  - and of which the duration has a hundred.
 * Of a network with nonlinear laws, or such that change their mode, a pilot run tells how stiff they
 * become. *why (static) is what the
 * step is short for. The spec's step need not be set. 0 with an error where the network has no modes to
 * tell by, or where no step will do. */
double ifbam_auto_step (const IfbamModel *model, const IfbamRunSpec *spec, double duration,
                        const char **why, GError **error);
