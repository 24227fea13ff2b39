/* magnet.c: a pole that pulls a mass
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "element/element.h"
#include "elements/magnet-law.h"

static const IfbamParam magnet_params[] = {
  IFBAM_PARAM (MagnetLaw, strength, "strength", "N m2", 0, G_MAXDOUBLE, IFBAM_REQUIRED,
               "force times square of the distance"),
  IFBAM_PARAM (MagnetLaw, pole, "pole", "m", -G_MAXDOUBLE, G_MAXDOUBLE, 0, "where the pole is"),
  IFBAM_PARAM (MagnetLaw, core, "core", "m", G_MINDOUBLE, G_MAXDOUBLE, IFBAM_REQUIRED,
               "the least distance"),
  IFBAM_PARAM_ON,
};

IFBAM_DEFINE_LAW (MagnetLaw, magnet, (SMOOTH, DIFFERENCE_3))

IFBAM_DEFINE_LINK (
    Magnet, magnet, MagnetLaw, magnet, .name = "magnet", .summary = "pole that pulls a mass",
    .law = "F = strength * (position - pole) / r^3, r^2 = (position - pole)^2 + core^2",
    .source = "Michell 1750",
    .example = "[magnet n1]\nstrength = 2 N m2\ncore     = 10 mm\non       = m1\n",
    .domain = IFBAM_DOMAIN_TRANSLATION, .forms = IFBAM_ON_NODE)
