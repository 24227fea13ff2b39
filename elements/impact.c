/* impact.c: hard contact between two nodes
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "elements/impact-law.h"
#include "element/element.h"

static const IfbamParam impact_params[] = {
  IFBAM_PARAM (ImpactLaw, gap, "gap", "m", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
               "compression at which they touch"),
  IFBAM_PARAM (ImpactLaw, restitution, "restitution", "", 0, 1, 1,
               "rate after an impact over that before: 0 stays, 1 loses nothing"),
  IFBAM_PARAM_BETWEEN,
};

static const char *const modes[] = { "open", "rest", NULL };
static const char *const events[] = { "release", "rest", NULL };

IFBAM_DEFINE_LAW (ImpactLaw, impact, (MODE, CONSTRAINT), .modes = modes, .events = events)

IFBAM_DEFINE_LINK (Impact, impact, ImpactLaw, impact, .name = "impact",
                   .summary = "hard contact with restitution",
                   .law = "compression <= gap; rate after = -restitution * rate before",
                   .source = "Newton 1687, Principia, corollary VI; Signorini 1933; "
                             "Glocker 2001",
                   .example = "[impact stop]\nrestitution = 0.8\nbetween     = m1, wall\n",
                   .symbol = "M-20 0h15M-5-10v20M5-10v20M5 0h15",
                   .domain = IFBAM_DOMAIN_TRANSLATION)
