/* friction.c: dry friction between two positions
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "friction-law.h"
#include "element.h"

static const IfbamParam params[] = {
  IFBAM_PARAM (FrictionLaw, breakaway, "breakaway", "N", 0, G_MAXDOUBLE, IFBAM_REQUIRED,
               "R0: the most that sticks"),
  IFBAM_PARAM (FrictionLaw, coulomb, "coulomb", "N", 0, G_MAXDOUBLE, -1,
               "Rm: what is left of it when it slips; without it: as breakaway"),
  IFBAM_PARAM (FrictionLaw, viscous, "viscous", "N s/m", 0, G_MAXDOUBLE, 0,
               "Rv: force per unit of rate while it slips"),
  IFBAM_PARAM_BETWEEN,
};

static const char *const modes[] = { "stuck",    "starting forward",
                                     "forward",  "starting backward",
                                     "backward", NULL };
static const char *const events[] = { "stick", "slip", NULL };

IFBAM_DEFINE_JOINT (Friction, friction, FrictionLaw, friction, modes, events, .name = "friction",
                    .summary = "dry friction that sticks, starts and slips",
                    .law = "stuck: rate = 0, |F| <= breakaway; else F = (coulomb + viscous |rate|) "
                           "sign (rate)",
                    .source = "Coulomb 1785; five modes: Cellier & Kofman 2006, 9.7",
                    .example = "[friction f1]\nbreakaway = 5 N\ncoulomb   = 4 N\nbetween   = "
                               "belt, m1\n",
                    .domain = IFBAM_DOMAIN_TRANSLATION)
