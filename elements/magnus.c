/* magnus.c: lift of a ball or body that turns in air
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "elements/magnus-law.h"
#include "element/element.h"

static const IfbamParam magnus_params[] = {
  IFBAM_PARAM (MagnusLaw, coefficient, "coefficient", "kg", 0, G_MAXDOUBLE, IFBAM_REQUIRED,
               "force per angular speed and velocity"),
  IFBAM_PARAM_REFERENCE (IFBAM_SLOT_ON, "on", 1, 1, IFBAM_REQUIRED,
                         "the ball or body that it acts on"),
};

IFBAM_DEFINE_LAW (MagnusLaw, magnus, (SMOOTH, NO_GUARDS))

IFBAM_DEFINE_LINK (
    Magnus, magnus, MagnusLaw, magnus, .name = "magnus",
    .summary = "lift of a ball or body that spins in air",
    .law = "force = coefficient * speed * (-vy, vx); its quantity force is the coefficient",
    .source = "Magnus 1852; Rubinow & Keller 1961",
    .example = "[magnus lift]\non          = b\ncoefficient = 0.1 g\n",
    .symbol = "M-20 0h8M-12-9v18M-4 6a8 8 0 1 1 14 0M12 1l-2 5-5-1",
    .domain = IFBAM_DOMAIN_TRANSLATION, .forms = IFBAM_ON_SPIN)
