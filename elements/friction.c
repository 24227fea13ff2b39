/* friction.c: dry friction between two positions
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "elements/friction.h"

static const IfbamParam params[] = {
  FRICTION_PARAMS ("m", "N"),
  IFBAM_PARAM_BETWEEN,
};

IFBAM_DEFINE_MODED_LINK (
    Friction, friction, FrictionLaw, friction, friction_modes, friction_events, .name = "friction",
    .summary = "dry friction that sticks, starts and slips",
    .law = "stuck: rate = 0, |F| <= breakaway; else F = (coulomb + viscous |rate|) "
           "sign (rate)",
    .source = "Coulomb 1785; five modes: Cellier & Kofman 2006, 9.7",
    .example = "[friction f1]\nbreakaway = 5 N\ncoulomb   = 4 N\nbetween   = "
               "belt, m1\n",
    .symbol = "M-20 0h4v-4h28M20 0h-4v4h-28M-9-4l4 8M-2-4l4 8M5-4l4 8",
    .domain = IFBAM_DOMAIN_TRANSLATION, .fault = friction_fault)
