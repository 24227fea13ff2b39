/* torsion-backlash.c: elastic link with play between two angles
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "elements/backlash.h"

static const IfbamParam params[] = {
  BACKLASH_PARAMS (BacklashLaw, , "rad", "N m", "torque", ""),
  IFBAM_PARAM_BETWEEN,
};

IFBAM_LINK_SLOTS (BacklashLaw, backlash)
IFBAM_DEFINE_LINK_CLASS (
    TorsionBacklash, torsion_backlash, BacklashLaw,
    (.modes = backlash_modes, .event = backlash_event, IFBAM_LINK_CLASS (backlash)),
    .name = "torsion-backlash", .summary = "elastic torsional link with play",
    .law = "T = stiffness * (twist -/+ play/2) + damping * rate beyond the play, "
           "else 0",
    .source = "Nordin & Gutman 2002, Controlling mechanical systems with backlash",
    .example = "[torsion-backlash coupling]\nstiffness = 20 kN m/rad\n"
               "play      = 0.5 deg\nbetween   = motor, load\n",
    .symbol = "M-20 0h6M-14-8v16M-9-8v16M-9 0h3l2-6 4 12 4-12 4 12 4-12 2 6h6",
    .domain = IFBAM_DOMAIN_ROTATION)
