/* plastic-spring.c: rate-independent elastic-plastic spring, between two positions
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "elements/plastic-spring-law.h"
#include "element/element.h"

static const char *const hardenings[] = { "kinematic", "isotropic", NULL };

static const IfbamParam plastic_spring_params[] = {
  IFBAM_PARAM (PlasticSpringLaw, stiffness, "stiffness", "N/m", G_MINDOUBLE, G_MAXDOUBLE,
               IFBAM_REQUIRED, "force per unit of compression before it yields"),
  IFBAM_PARAM (PlasticSpringLaw, yield, "yield", "N", G_MINDOUBLE, G_MAXDOUBLE, IFBAM_REQUIRED,
               "force at which it yields first"),
  IFBAM_PARAM (PlasticSpringLaw, ratio, "ratio", "1", 0, 1, 0,
               "of the stiffness while it yields to that before; 0: it does not harden"),
  IFBAM_PARAM_WORD (PlasticSpringLaw, hardening, "hardening", hardenings, PLASTIC_KINEMATIC,
                    "kinematic: the limit grows in one direction and shrinks in the other; "
                    "isotropic: it grows in both"),
  IFBAM_PARAM_BETWEEN,
};

static const char *const modes[] = { "elastic", "forward", "backward", NULL };
static const char *const events[] = { "set", "yield", NULL };
static const IfbamLawState plastic_spring_states[] = { { "elastic", "%x" }, { "growth", "%x" } };

IFBAM_DEFINE_LAW (PlasticSpringLaw, plastic_spring,
                  (FORCE, MODE, GUARDS, NO_CONSTRAINT, SLOPES, RATES), .modes = modes,
                  .events = events)

IFBAM_DEFINE_LINK (
    PlasticSpring, plastic_spring, PlasticSpringLaw, plastic_spring, .name = "plastic-spring",
    .summary = "elastic-plastic spring, with or without hardening",
    .law = "up to yield F = stiffness * compression; beyond, the stiffness is ratio * stiffness; "
           "back from there again stiffness",
    .source = "Prandtl 1928; Prager 1949",
    .example = "[plastic-spring column]\nstiffness = 2 MN/m\nyield     = 20 kN\nratio     = 0.05\n"
               "between   = soil, deck\n",
    .symbol = "M-20 0h6M-14-10h28v20h-28zM-10 7l8-12h10M14 0h6", .domain = IFBAM_DOMAIN_TRANSLATION,
    .forms = IFBAM_BETWEEN_NODES | IFBAM_BETWEEN_BALLS)
