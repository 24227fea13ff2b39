/* api-stability.h: assessment of a scheme for a network
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "embed/ifbam-stability.h"
#include "linear/linear.h"

/* step, duration [s]. mode: eigenvalue of the mode of interest (ifbam_stability_mode) [1/s]. */
IfbamStabilityVerdict ifbam_stability_judge (const IfbamStability *stability,
                                             const IfbamScheme *scheme, double step,
                                             double duration, double complex mode);
/* Returns FALSE with an error if the network has no mode that could grow. */
gboolean ifbam_stability_applies (const IfbamModel *model, GError **error);
