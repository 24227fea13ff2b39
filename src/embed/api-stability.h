/* api-stability.h: what a scheme does to a network
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "embed/ifbam-stability.h"
#include "linear/linear.h"

/* At a step [s], over a duration [s]; mode: of interest (ifbam_stability_mode). */
IfbamStabilityVerdict ifbam_stability_judge (const IfbamStability *stability,
                                             const IfbamScheme *scheme, double step,
                                             double duration, double complex mode);
/* FALSE with an error: it has nothing that could grow. */
gboolean ifbam_stability_applies (const IfbamModel *model, GError **error);
