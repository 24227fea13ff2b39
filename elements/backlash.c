/* backlash.c: elastic link with play between two positions
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "elements/backlash.h"

static const IfbamParam params[] = {
  BACKLASH_PARAMS (BacklashLaw, , "m", "N", "force", ""),
  IFBAM_PARAM_BETWEEN,
};

IFBAM_LINK_SLOTS (BacklashLaw, backlash)
IFBAM_DEFINE_LINK_CLASS (
    Backlash, backlash, BacklashLaw,
    (.modes = backlash_modes, .event = backlash_event, IFBAM_LINK_CLASS (backlash)),
    .name = "backlash", .summary = "elastic link with play",
    .law = "F = stiffness * (compression -/+ play/2) + damping * rate beyond the "
           "play, else 0",
    .source = "Nordin & Gutman 2002, Controlling mechanical systems with backlash",
    .example = "[backlash b1]\nstiffness = 1 MN/m\nplay      = 0.2 mm\n"
               "between   = m1, m2\n",
    .symbol = "M-20 0h6M-14-8v16M-9-8v16M-9 0h3l2-6 4 12 4-12 4 12 4-12 2 6h6",
    .domain = IFBAM_DOMAIN_TRANSLATION)
