/* torsion-damper.c: the damper's law between two angles
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "elements/damper-law.h"
#include "element/link-kernel.h"

static const IfbamParam params[] = {
  IFBAM_PARAM (DamperLaw, damping, "damping", "N m s/rad", 0, G_MAXDOUBLE, IFBAM_REQUIRED,
               "torque per unit of rate"),
  IFBAM_PARAM_BETWEEN,
};

IFBAM_DEFINE_LINK (TorsionDamper, torsion_damper, DamperLaw, damper, IFBAM_DIFFERENCE,
                   .name = "torsion-damper", .summary = "linear viscous torsion damper",
                   .law = "T = damping * rate", .source = "Rayleigh 1873, for angle and torque",
                   .example = "[torsion-damper oil]\ndamping = 0.5 N m s/rad\n"
                              "between = wall, wheel\n",
                   .symbol = "M-20 0h20M0-6v12M-12 0a12 12 0 1 1 24 0 12 12 0 1 1-24 0M12 0h8",
                   .domain = IFBAM_DOMAIN_ROTATION, .lossy = TRUE)
