/* prop.c: preloaded one-sided spring between two positions
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "element/element.h"
#include "elements/prop-law.h"

static const IfbamParam prop_params[] = {
  IFBAM_PARAM (PropLaw, stiffness, "stiffness", "N/m", G_MINDOUBLE, G_MAXDOUBLE, IFBAM_REQUIRED,
               "force per unit of compression"),
  IFBAM_PARAM (PropLaw, preload, "preload", "N", 0, G_MAXDOUBLE, 0, "force without compression"),
  IFBAM_PARAM_BETWEEN,
};

static const char *const modes[] = { "off", "pressed", NULL };
static const char *const events[] = { "leave", "touch", NULL };

IFBAM_DEFINE_LAW (PropLaw, prop, (FORCE, MODE, GUARDS, NO_CONSTRAINT), .modes = modes,
                  .events = events)

IFBAM_DEFINE_LINK (Prop, prop, PropLaw, prop, .name = "prop",
                   .summary = "preloaded spring that only pushes",
                   .law = "F = preload + stiffness * compression, not below 0",
                   .source = "Hooke 1678",
                   .example = "[prop p1]\nstiffness = 1 kN/m\npreload   = 20 N\n"
                              "between   = m1, wall\n",
                   .domain = IFBAM_DOMAIN_TRANSLATION)
