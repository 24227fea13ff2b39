/* ifbam-stability.h: stability of a network under each scheme
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "linear/ifbam-certainty.h"
#include "file/ifbam-network.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/**
 * IfbamStabilityVerdict:
 * @scheme: the name of a scheme
 * @step: the network's own [s]
 * @growth_rate: of the worst mode's amplitude under the scheme at that step [1/s]; NaN: no node has
 *   inertia, or (%IFBAM_UNSOLVED) a step has no solution
 * @certainty: the kind of bound or estimate that growth_rate is
 * @critical_step: above it the worst mode grows [s]; 0: at every step, infinite: at none; NaN: not
 *   known
 * @longest_step: up to it, amplitudes grow by less than 1 % until the end of the run, besides the
 *   growth of the network itself [s]; 0 and infinite as above
 * @frequency_error: of the fastest mode of interest, relative to its frequency; NaN: there is none
 *
 * Assessment of a scheme for a network. `scheme` is owned by the library.
 */
typedef struct
{
  const char *scheme;
  double step;
  double growth_rate;
  IfbamCertainty certainty;
  double critical_step;
  double longest_step;
  double frequency_error;
} IfbamStabilityVerdict;

IfbamStabilityVerdict *ifbam_network_find_stability (IfbamNetwork *network, gsize *n_verdicts,
                                                     GError **error);

#pragma GCC visibility pop
G_END_DECLS
