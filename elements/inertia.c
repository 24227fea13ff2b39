/* inertia.c: moment of inertia that turns about an axis
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "elements/mass-law.h"
#include "element/node.h"

static const IfbamParam params[] = {
  IFBAM_PARAM (MassLaw, mass, "inertia", "kg m2", G_MINDOUBLE, G_MAXDOUBLE, IFBAM_REQUIRED,
               "its moment of inertia"),
  IFBAM_PARAM (MassLaw, position, "angle", "rad", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
               "angle at the start"),
  IFBAM_PARAM (MassLaw, velocity, "speed", "rad/s", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
               "angular speed at the start"),
};

IFBAM_DEFINE_FREE_NODE (Inertia, inertia, MassLaw, mass, .name = "inertia",
                        .summary = "moment of inertia that turns about an axis",
                        .law = "inertia * angular acceleration = sum of the torques",
                        .source = "Newton 1687; Euler 1765",
                        .example = "[inertia wheel]\ninertia = 0.2 kg m2\nspeed   = 300 rpm\n",
                        .symbol = "M-20-12q0-8 8-8h24q8 0 8 8v24q0 8-8 8h-24q-8 0-8-8z",
                        .domain = IFBAM_DOMAIN_ROTATION)
