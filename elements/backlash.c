/* backlash.c: elastic link with play between two positions
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "backlash-law.h"
#include "element.h"

static const IfbamParam params[] = {
  IFBAM_PARAM (BacklashLaw, stiffness, "stiffness", "N/m", 0, G_MAXDOUBLE, IFBAM_REQUIRED,
               "force per unit of compression beyond the play"),
  IFBAM_PARAM (BacklashLaw, damping, "damping", "N s/m", 0, G_MAXDOUBLE, 0,
               "force per unit of rate in engagement; a flank never pulls"),
  IFBAM_PARAM (BacklashLaw, play, "play", "m", 0, G_MAXDOUBLE, 0,
               "the whole play: no force while |compression| <= play/2"),
  IFBAM_PARAM_BETWEEN,
};

static const char *const modes[] = { "free",     "forward",          "forward, parted",
                                     "backward", "backward, parted", NULL };
static const char *const events[] = { "disengage", "engage",    "disengage",
                                      "engage",    "disengage", NULL };

IFBAM_DEFINE_JOINT (Backlash, backlash, BacklashLaw, backlash, modes, events, .name = "backlash",
                    .summary = "elastic link with play",
                    .law = "F = stiffness * (compression -/+ play/2) + damping * rate beyond the "
                           "play, else 0",
                    .source = "Nordin & Gutman 2002, Controlling mechanical systems with backlash",
                    .example = "[backlash b1]\nstiffness = 1 MN/m\nplay      = 0.2 mm\n"
                               "between   = m1, m2\n",
                    .domain = IFBAM_DOMAIN_TRANSLATION)
