/* damper.c: linear viscous damper between two positions
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "elements/damper-law.h"
#include "element/element.h"

static const IfbamParam damper_params[] = {
  IFBAM_PARAM_ADVISED (DamperLaw, damping, "damping", "N s/m", 0, G_MAXDOUBLE, IFBAM_REQUIRED,
                       "force per unit of rate",
                       "a [damper-characteristic] may have a negative slope"),
  IFBAM_PARAM_BETWEEN_ANY,
};

IFBAM_DEFINE_LAW (DamperLaw, damper, (SMOOTH, DIFFERENCE_1), .lossy = TRUE, .storeless = TRUE,
                  .ends = &ifbam_approach, .first_of_ends = IFBAM_N_DOUBLES (DamperLaw))

IFBAM_DEFINE_LINK (Damper, damper, DamperLaw, damper, .name = "damper",
                   .summary = "linear viscous damper", .law = "F = damping * rate",
                   .source = "Rayleigh 1873",
                   .example = "[damper d1]\ndamping = 5 N s/m\nbetween = wall, m1\n",
                   .symbol = "M-20 0h18M-2-6v12M-10-9h16v18h-16M6 0h14",
                   .domain = IFBAM_DOMAIN_TRANSLATION,
                   .forms = IFBAM_BETWEEN_NODES | IFBAM_BETWEEN_ENDS)

/* The damper's law between two angles */

static const IfbamParam torsion_damper_params[] = {
  IFBAM_PARAM (DamperLaw, damping, "damping", "N m s/rad", 0, G_MAXDOUBLE, IFBAM_REQUIRED,
               "torque per unit of rate"),
  IFBAM_PARAM_BETWEEN,
};

IFBAM_DEFINE_LINK (TorsionDamper, torsion_damper, DamperLaw, damper, .name = "torsion-damper",
                   .summary = "linear viscous torsion damper", .law = "T = damping * rate",
                   .source = "Rayleigh 1873, for angle and torque",
                   .example = "[torsion-damper oil]\ndamping = 0.5 N m s/rad\n"
                              "between = wall, wheel\n",
                   .symbol = "M-20 0h20M0-6v12M-12 0a12 12 0 1 1 24 0 12 12 0 1 1-24 0M12 0h8",
                   .domain = IFBAM_DOMAIN_ROTATION)
