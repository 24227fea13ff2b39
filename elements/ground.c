/* ground.c: a wall, a floor, a housing: a fixed node
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "elements/ground-law.h"
#include "element/element.h"

static const IfbamParam ground_params[] = {
  IFBAM_PARAM (GroundLaw, position, "position", "%x", -G_MAXDOUBLE, G_MAXDOUBLE, 0, "its position"),
};

IFBAM_DEFINE_GIVEN_NODE (Ground, ground, GroundLaw, ground, .name = "ground",
                         .summary = "wall, floor or housing: at rest", .law = "x = position",
                         .source = "Grabysz 1994, fig. 3", .example = "[ground wall]\n",
                         .symbol = "M0-28v56M0-28l-10 8M0-20l-10 8M0-12l-10 8M0-4l-10 8M0 4l-10 8"
                                   "M0 12l-10 8M0 20l-10 8",
                         .domain = IFBAM_DOMAIN_ANY, .fixed = TRUE)

/* The ground of pipes */

static const IfbamParam tank_params[] = {
  IFBAM_PARAM (GroundLaw, position, "volume", "m3", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
               "from which volumes count"),
};

IFBAM_DEFINE_GIVEN_NODE (
    Tank, tank, GroundLaw, ground, .name = "tank",
    .summary = "open tank: where pipes begin and end at the pressure of the surroundings",
    .law = "flow = 0", .source = "Merritt 1967, Hydraulic control systems",
    .example = "[tank sump]\n",
    .symbol = "M0-28v56M0-28h-16M0 28h-16M-4-16h-10M-4-8h-10M-4 0h-10M-4 8h-10M-4 16h-10",
    .domain = IFBAM_DOMAIN_HYDRAULICS, .fixed = TRUE)
