/* backlash.c: elastic link with play between two positions
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "elements/backlash-law.h"
#include "element/element.h"
#include "elements/damped.h"

/* x, f: units of compression and force */
#define BACKLASH_PARAMS(x, f, force)                                                               \
  IFBAM_PARAM (BacklashLaw, stiffness, "stiffness", f "/" x, 0, G_MAXDOUBLE, IFBAM_REQUIRED,       \
               force " per unit of compression beyond the play"),                                  \
      DAMPED_PARAMS (BacklashLaw, damped, x, f, force, "in engagement; a flank never pulls"),      \
      IFBAM_PARAM (BacklashLaw, play, "play", x, 0, G_MAXDOUBLE, 0,                                \
                   "the whole play: no " force " while |compression| <= play/2")

static const IfbamParam backlash_params[] = {
  BACKLASH_PARAMS ("m", "N", "force"),
  IFBAM_PARAM_BETWEEN,
};

static char *
backlash_fault (IfbamElement *element, const char **key)
{
  return ifbam_damped_fault (element, &((const BacklashLaw *) ifbam_element_law (element))->damped,
                             key);
}

IFBAM_DEFINE_LAW (BacklashLaw, backlash, (FORCE, MODE, GUARDS, CONSTRAINT, EVENT, SLOPES),
                  .modes = backlash_modes)

IFBAM_DEFINE_LINK (Backlash, backlash, BacklashLaw, backlash, .name = "backlash",
                   .summary = "spring with play (backlash)",
                   .law = "F = stiffness * (compression -/+ play/2) + damping * rate beyond the "
                          "play, else 0",
                   .source = "Nordin & Gutman 2002, Controlling mechanical systems with backlash",
                   .example = "[backlash b1]\nstiffness = 1 MN/m\nplay      = 0.2 mm\n"
                              "between   = m1, m2\n",
                   .symbol = "M-20 0h6M-14-8v16M-9-8v16M-9 0h3l2-6 4 12 4-12 4 12 4-12 2 6h6",
                   .domain = IFBAM_DOMAIN_TRANSLATION, .fault = backlash_fault)

/* Elastic link with play between two angles */

static const IfbamParam torsion_backlash_params[] = {
  BACKLASH_PARAMS ("rad", "N m", "torque"),
  IFBAM_PARAM_BETWEEN,
};

IFBAM_DEFINE_LINK (TorsionBacklash, torsion_backlash, BacklashLaw, backlash,
                   .name = "torsion-backlash", .summary = "torsion spring with play (backlash)",
                   .law = "T = stiffness * (twist -/+ play/2) + damping * rate beyond the play, "
                          "else 0",
                   .source = "Nordin & Gutman 2002, Controlling mechanical systems with backlash",
                   .example = "[torsion-backlash coupling]\nstiffness = 20 kN m/rad\n"
                              "play      = 0.5 deg\nbetween   = motor, load\n",
                   .symbol = "M-20 0h6M-14-8v16M-9-8v16M-9 0h3l2-6 4 12 4-12 4 12 4-12 2 6h6",
                   .domain = IFBAM_DOMAIN_ROTATION, .fault = backlash_fault)
