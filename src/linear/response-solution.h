/* response-solution.h: the response at one frequency
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "linear/response-system.h"

/* Computes, at one frequency, each output per unit input (n outputs; infinite at the frequency of a
 * driven undamped mode), and the largest displacement of a node per unit force or per unit position
 * of the given node (NULL: not needed). */
gboolean ifbam_response_at (const IfbamResponseSystem *system, double frequency,
                            double complex *outputs, double *largest, GError **error);

/* Returns the angle in [-180, 180) degrees; NaN if the number is not finite. */
double ifbam_response_phase (double complex number);
