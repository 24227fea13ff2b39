/* ground.c: a wall, a floor, a housing: it never moves
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "elements/ground-law.h"
#include "element/node.h"

static const IfbamParam ground_params[] = {
  IFBAM_PARAM (GroundLaw, position, "position", "%x", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
               "where it stands"),
};

IFBAM_DEFINE_GIVEN_NODE (Ground, ground, GroundLaw, ground, .name = "ground",
                         .summary = "wall, floor or housing: it never moves", .law = "x = position",
                         .source = "Grabysz 1994, fig. 3", .example = "[ground wall]\n",
                         .symbol = "M0-28v56M0-28l-10 8M0-20l-10 8M0-12l-10 8M0-4l-10 8M0 4l-10 8"
                                   "M0 12l-10 8M0 20l-10 8",
                         .domain = IFBAM_DOMAIN_ANY, .fixed = TRUE)
