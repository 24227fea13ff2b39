/* exponential-spring.c: spring with an exponentially growing force, between two positions
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "element/element.h"
#include "elements/exponential-spring-law.h"

static const IfbamParam exponential_spring_params[] = {
  IFBAM_PARAM (ExponentialSpringLaw, stiffness, "stiffness", "N/m", 0, G_MAXDOUBLE, IFBAM_REQUIRED,
               "force per unit of a small compression"),
  IFBAM_PARAM (ExponentialSpringLaw, scale, "scale", "m", G_MINDOUBLE, G_MAXDOUBLE, IFBAM_REQUIRED,
               "compression by which the stiffness grows e times"),
  IFBAM_PARAM_BETWEEN,
};

IFBAM_DEFINE_LAW (ExponentialSpringLaw, exponential_spring,
                  (SMOOTH, SLOPES, STEP_LIMIT, DIFFERENCE_3))

IFBAM_DEFINE_LINK (ExponentialSpring, exponential_spring, ExponentialSpringLaw, exponential_spring,
                   .name = "exponential-spring",
                   .summary = "spring with an exponentially growing force",
                   .law = "F = stiffness * scale * (exp(compression / scale) - 1)",
                   .source = "Toda 1967",
                   .example = "[exponential-spring k1]\nstiffness = 10 kN/m\nscale     = 5 cm\n"
                              "between   = m1, m2\n",
                   .symbol = "M-20 0h6M-14-10h28v20h-28zM-10 6q14 0 18-14M14 0h6",
                   .domain = IFBAM_DOMAIN_TRANSLATION)
