/* ifbam-stability.h: how fast a network's modes grow under each scheme
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
 * @growth_rate: of the worst mode's amplitude under the scheme at that step [1/s]; NaN: nothing swings, or
 *   (%IFBAM_UNSOLVED) a step has no solution
 * @certainty: how well it is known
 * @critical_step: beyond it the worst mode grows [s]: 0 where it does at every step, infinite where at none;
 *   NaN: not known
 * @longest_step: amplitudes grow by less than 1 % until the end of the run up to it, beside what the network grows
 *   by itself [s]; 0 and infinite as above
 * @frequency_error: of the fastest mode that is of interest, in parts of its frequency; NaN: there is none
 *
 * What a scheme does to a network. `scheme` is the library's own.
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
