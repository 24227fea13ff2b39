/* sine-spring.c: spring with a sine as force, like a pendulum, between two positions
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "element/element.h"
#include "elements/sine-spring-law.h"

static const IfbamParam sine_spring_params[] = {
  IFBAM_PARAM (SineSpringLaw, stiffness, "stiffness", "N/m", 0, G_MAXDOUBLE, IFBAM_REQUIRED,
               "force per unit of a small compression"),
  IFBAM_PARAM (SineSpringLaw, scale, "scale", "m", G_MINDOUBLE, G_MAXDOUBLE, IFBAM_REQUIRED,
               "compression for each radian of the sine"),
  IFBAM_PARAM_BETWEEN,
};

IFBAM_DEFINE_LAW (SineSpringLaw, sine_spring, (SMOOTH, SLOPES, DIFFERENCE_3))

IFBAM_DEFINE_LINK (SineSpring, sine_spring, SineSpringLaw, sine_spring, .name = "sine-spring",
                   .summary = "spring with a sine as force, as for a pendulum",
                   .law = "F = stiffness * scale * sin(compression / scale)",
                   .source = "Huygens 1673; Frenkel & Kontorova 1938",
                   .example = "[sine-spring k1]\nstiffness = 10 kN/m\nscale     = 5 cm\n"
                              "between   = wall, m1\n",
                   .symbol = "M-20 0h6M-14-10h28v20h-28zM-10 0c4-12 6-12 10 0s6 12 10 0M14 0h6",
                   .domain = IFBAM_DOMAIN_TRANSLATION)

/* The spring between two angles: a pendulum's weight */

static const IfbamParam torsion_sine_spring_params[] = {
  IFBAM_PARAM (SineSpringLaw, stiffness, "stiffness", "N m/rad", 0, G_MAXDOUBLE, IFBAM_REQUIRED,
               "torque per unit of a small twist: of a pendulum m g l"),
  IFBAM_PARAM (SineSpringLaw, scale, "scale", "rad", G_MINDOUBLE, G_MAXDOUBLE, 1,
               "twist for each radian of the sine"),
  IFBAM_PARAM_BETWEEN,
};

IFBAM_DEFINE_LINK (TorsionSineSpring, torsion_sine_spring, SineSpringLaw, sine_spring,
                   .name = "torsion-sine-spring",
                   .summary = "torsion spring with a sine as torque: a pendulum's weight",
                   .law = "T = stiffness * scale * sin(twist / scale)", .source = "Huygens 1673",
                   .example = "[torsion-sine-spring weight]\nstiffness = 5 N m/rad\n"
                              "between   = motor, load\n",
                   .symbol = "M-20 0h6M-14-10h28v20h-28zM-10 0c4-12 6-12 10 0s6 12 10 0M14 0h6",
                   .domain = IFBAM_DOMAIN_ROTATION)
