/* torsion-friction.c: dry friction between two angles
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "elements/friction.h"

static const IfbamParam params[] = {
  FRICTION_PARAMS ("rad", "N m"),
  IFBAM_PARAM_BETWEEN,
};

IFBAM_DEFINE_MODED_LINK (
    TorsionFriction, torsion_friction, FrictionLaw, friction, friction_modes, friction_events,
    .name = "torsion-friction", .summary = "dry friction of a brake or a slipping clutch",
    .law = "stuck: rate = 0, |T| <= breakaway; else T = (coulomb + viscous |rate|) "
           "sign (rate)",
    .source = "Coulomb 1785; five modes: Cellier & Kofman 2006, 9.7",
    .example = "[torsion-friction brake]\nbreakaway = 50 N m\n"
               "coulomb   = 40 N m\nbetween   = shaft, housing\n",
    .symbol = "M-20 0h14M-6-10v20M-1-10v20M-6-6l5 4M-6 0l5 4M-1 0h21",
    .domain = IFBAM_DOMAIN_ROTATION, .fault = friction_fault)
