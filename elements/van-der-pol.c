/* van-der-pol.c: damper that drives small oscillations and brakes large ones
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "element/element.h"
#include "elements/van-der-pol-law.h"

static const IfbamParam van_der_pol_params[] = {
  IFBAM_PARAM (VanDerPolLaw, damping, "damping", "N s/m", 0, G_MAXDOUBLE, IFBAM_REQUIRED,
               "force per unit of rate: against it at sqrt(2) of the amplitude, with it at 0"),
  IFBAM_PARAM (VanDerPolLaw, amplitude, "amplitude", "m", G_MINDOUBLE, G_MAXDOUBLE, IFBAM_REQUIRED,
               "compression below which it drives"),
  IFBAM_PARAM_BETWEEN,
};

IFBAM_DEFINE_LAW (VanDerPolLaw, van_der_pol, (SMOOTH, SLOPES, DIFFERENCE_3), .lossy = TRUE,
                  .active = TRUE, .storeless = TRUE)

IFBAM_DEFINE_LINK (VanDerPol, van_der_pol, VanDerPolLaw, van_der_pol, .name = "van-der-pol",
                   .summary = "damper that drives small oscillations",
                   .law = "F = damping * ((compression / amplitude)^2 - 1) * rate",
                   .source = "van der Pol 1926",
                   .example = "[van-der-pol d1]\ndamping   = 5 N s/m\namplitude = 1 cm\n"
                              "between   = wall, m1\n",
                   .symbol = "M-20 0h18M-2-6v12M-10-9h16v18h-16M6 0h14M-6 4l6-8",
                   .domain = IFBAM_DOMAIN_TRANSLATION)
