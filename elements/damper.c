/* damper.c: linear viscous damper between two positions
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "elements/damper-law.h"
#include "element/link-kernel.h"

static const IfbamParam params[] = {
  IFBAM_PARAM (DamperLaw, damping, "damping", "N s/m", 0, G_MAXDOUBLE, IFBAM_REQUIRED,
               "force per unit of rate"),
  IFBAM_PARAM_BETWEEN,
};

IFBAM_DEFINE_LINK (Damper, damper, DamperLaw, damper, IFBAM_DIFFERENCE, .name = "damper",
                   .summary = "linear viscous damper", .law = "F = damping * rate",
                   .source = "Rayleigh 1873",
                   .example = "[damper d1]\ndamping = 5 N s/m\nbetween = wall, m1\n",
                   .symbol = "M-20 0h18M-2-6v12M-10-9h16v18h-16M6 0h14",
                   .domain = IFBAM_DOMAIN_TRANSLATION, .lossy = TRUE)
