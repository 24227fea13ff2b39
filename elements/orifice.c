/* orifice.c: orifice with turbulent flow
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "element/element.h"
#include "elements/orifice-law.h"

static const IfbamParam orifice_params[] = {
  IFBAM_PARAM (OrificeLaw, area, "area", "m2", G_MINDOUBLE, G_MAXDOUBLE, IFBAM_REQUIRED,
               "of the opening"),
  IFBAM_PARAM (OrificeLaw, discharge, "discharge", "", G_MINDOUBLE, G_MAXDOUBLE, 0.61,
               "part of the area that the jet fills"),
  IFBAM_PARAM (OrificeLaw, density, "density", "kg/m3", 0, G_MAXDOUBLE, 860, "of the liquid (oil)"),
  IFBAM_PARAM_BETWEEN,
};

IFBAM_DEFINE_LAW (OrificeLaw, orifice, (SMOOTH, DIFFERENCE_3), .lossy = TRUE, .storeless = TRUE)

IFBAM_DEFINE_LINK (Orifice, orifice, OrificeLaw, orifice, .name = "orifice",
                   .summary = "orifice with turbulent flow",
                   .law = "p = density / 2 * |flow| * flow / (discharge * area)^2",
                   .source = "Bernoulli 1738; Merritt 1967, Hydraulic control systems, 3.4",
                   .example = "[orifice throttle]\narea    = 100 cm2\nbetween = column, sump\n",
                   .symbol = "M-20 0h40M-8-10q8 7 16 0M-8 10q8-7 16 0",
                   .domain = IFBAM_DOMAIN_HYDRAULICS)
