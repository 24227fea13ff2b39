/* mass.c: point mass with one coordinate
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "elements/mass-law.h"
#include "element/node.h"

static const IfbamParam params[] = {
  IFBAM_PARAM (MassLaw, mass, "mass", "kg", G_MINDOUBLE, G_MAXDOUBLE, IFBAM_REQUIRED,
               "its inertia"),
  IFBAM_PARAM (MassLaw, position, "position", "m", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
               "displacement at the start"),
  IFBAM_PARAM (MassLaw, velocity, "velocity", "m/s", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
               "velocity at the start"),
};

IFBAM_DEFINE_FREE_NODE (Mass, mass, MassLaw, mass, .name = "mass",
                        .summary = "point mass that moves along a line",
                        .law = "mass * acceleration = sum of the forces",
                        .source = "Newton 1687; Grabysz 1994, eq. 4.1",
                        .example = "[mass m1]\nmass     = 1 kg\nposition = 1 mm\n",
                        .symbol = "M-20-20h40v40h-40z", .domain = IFBAM_DOMAIN_TRANSLATION)
