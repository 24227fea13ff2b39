/* spring.c: ideal spring between two positions
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "element/link-kernel.h"
#include "elements/spring-law.h"

static const IfbamParam params[] = {
  IFBAM_PARAM (SpringLaw, stiffness, "stiffness", "N/m", 0, G_MAXDOUBLE, IFBAM_REQUIRED,
               "force per unit of compression"),
  IFBAM_PARAM (SpringLaw, cubic, "cubic", "N/m3", 0, G_MAXDOUBLE, 0,
               "force per cube of compression (a spring that hardens)"),
  IFBAM_PARAM_BETWEEN,
};

IFBAM_DEFINE_LINK (Spring, spring, SpringLaw, spring, IFBAM_DIFFERENCE, .name = "spring",
                   .summary = "spring, linear or with a cubic term",
                   .law = "F = stiffness * compression + cubic * compression^3",
                   .source = "Grabysz 1994, eq. 4.3; Duffing 1918",
                   .example = "[spring k1]\nstiffness = 10 kN/m\nbetween   = wall, m1\n",
                   .symbol = "M-20 0h5l2.5-8 5 16 5-16 5 16 5-16 5 16 2.5-8h5",
                   .domain = IFBAM_DOMAIN_TRANSLATION)
