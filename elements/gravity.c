/* gravity.c: the weight of masses and balls, toward negative positions
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "elements/gravity-law.h"
#include "element/element.h"

static const IfbamParam gravity_params[] = {
  IFBAM_PARAM (GravityLaw, acceleration, "acceleration", "m/s2", -G_MAXDOUBLE, G_MAXDOUBLE, 9.81,
               "of free fall, toward negative positions"),
  IFBAM_PARAM_ON_ALL,
};

IFBAM_DEFINE_FIELD (Gravity, gravity, GravityLaw, gravity, .name = "gravity",
                    .summary = "weight: masses are pulled toward negative positions, balls "
                               "toward negative y",
                    .law = "force on each mass = -mass * acceleration",
                    .source = "Galilei 1638; Newton 1687",
                    .example = "[gravity earth]\non = m1, m2\n",
                    .symbol = "M20 0h-39M-10-7l-10 7 10 7", .domain = IFBAM_DOMAIN_TRANSLATION)
