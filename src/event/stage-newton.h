/* stage-newton.h: Newton's method for an implicit stage
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/implicit-stage.h"

/* Solves a stage from the iterate in the message columns. time: [s]. FALSE: failed, or no convergence;
 * the columns have the last iterate without damping then. */
gboolean ifbam_substep_solve (IfbamEventEngine *self, const IfbamSubstep *part, double time);
