/* piston.c: piston between a node that moves along a line and the liquid in a pipe
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "element/element.h"

/* The moving node gets the reaction, the pressure on the liquid, times the area. */
typedef struct
{
  double area; /* must be first: parameter of the geometry [m2] */
} PistonLaw;

static const IfbamParam piston_params[] = {
  IFBAM_PARAM (PistonLaw, area, "area", "m2", G_MINDOUBLE, G_MAXDOUBLE, IFBAM_REQUIRED,
               "on which the liquid presses"),
  IFBAM_PARAM_REFERENCE (IFBAM_SLOT_BETWEEN, "between", 2, 2, IFBAM_REQUIRED,
                         "the moving node and the pipe: NODE, PIPE"),
};

static const IfbamDomain domains[] = { IFBAM_DOMAIN_TRANSLATION, IFBAM_DOMAIN_HYDRAULICS };

IFBAM_DEFINE_LAW (PistonLaw, piston, (FIXED), .geometry = &ifbam_multiple)

IFBAM_DEFINE_LINK (Piston, piston, PistonLaw, piston, .name = "piston",
                   .summary = "piston between a node along a line and the liquid in a pipe",
                   .law = "area * position_left - volume_right stays as it is at the start; the "
                          "left one gets -area * pressure",
                   .source = "Pascal 1663",
                   .example = "[piston ram]\narea    = 10 cm2\nbetween = hammer, column\n",
                   .symbol = "M-20 0h16M-4-9v18M-12-10h32M-12 10h32M0 0h20",
                   .domain = IFBAM_DOMAIN_HYDRAULICS, .end_domains = domains)
