/* dent.c: soft one-sided contact that yields and stays dented, between two positions
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "element/element.h"
#include "elements/dent-law.h"

static const IfbamParam dent_params[] = {
  IFBAM_PARAM (DentLaw, gap, "gap", "m", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
               "compression at which they touch the first time"),
  IFBAM_PARAM (DentLaw, stiffness, "stiffness", "N/m", G_MINDOUBLE, G_MAXDOUBLE, IFBAM_REQUIRED,
               "force per unit of overlap that is not dent"),
  IFBAM_PARAM (DentLaw, yield, "yield", "N", G_MINDOUBLE, G_MAXDOUBLE, IFBAM_REQUIRED,
               "force above which the dent grows"),
  IFBAM_PARAM (DentLaw, viscosity, "viscosity", "N s/m", G_MINDOUBLE, G_MAXDOUBLE, IFBAM_REQUIRED,
               "force above yield per unit of rate at which it grows"),
  IFBAM_PARAM_BETWEEN,
};

static const char *const modes[] = { "open", "elastic", "yielding", NULL };
static const IfbamLawState dent_states[] = { { "dent", "%x" } };

IFBAM_DEFINE_LAW (DentLaw, dent, (FORCE, MODE, GUARDS, CONSTRAINT, EVENT, RATES), .modes = modes)

IFBAM_DEFINE_LINK (
    Dent, dent, DentLaw, dent, .name = "dent",
    .summary = "soft one-sided contact with permanent deformation",
    .law =
        "closed: F = stiffness * (compression - gap - dent) >= 0, above yield dent' = (F - yield) "
        "/ viscosity",
    .source = "Bingham 1922; Perzyna 1966",
    .example = "[dent bumper]\nstiffness = 100 kN/m\nyield     = 2 kN\nviscosity = 5 kN s/m\n"
               "between   = m1, wall\n",
    .symbol = "M-20 0h8M-12-8v16M-5-8v4a4 4 0 0 1 0 8v4M-1 0h4l2-6 4 12 2-6h9",
    .domain = IFBAM_DOMAIN_TRANSLATION, .forms = IFBAM_BETWEEN_NODES | IFBAM_BETWEEN_BALLS)
