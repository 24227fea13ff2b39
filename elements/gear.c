/* gear.c: elastic tooth mesh of two inertias, with play
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "element.h"
#include "gear-law.h"

static const IfbamParam params[] = {
  IFBAM_PARAM (GearLaw, ratio, "ratio", "", -G_MAXDOUBLE, G_MAXDOUBLE, IFBAM_REQUIRED,
               "angle of the left one per angle of the right one; below 0 they turn oppositely"),
  IFBAM_PARAM (GearLaw, teeth.stiffness, "stiffness", "N m/rad", 0, G_MAXDOUBLE, IFBAM_REQUIRED,
               "of the teeth, as felt at the left one"),
  IFBAM_PARAM (GearLaw, teeth.damping, "damping", "N m s/rad", 0, G_MAXDOUBLE, 0,
               "of the teeth in engagement, at the left one"),
  IFBAM_PARAM (GearLaw, teeth.play, "play", "rad", 0, G_MAXDOUBLE, 0,
               "the whole play, at the left one"),
  IFBAM_PARAM_BETWEEN,
};

static const char *const modes[] = { "free",     "forward",          "forward, parted",
                                     "backward", "backward, parted", NULL };
static const char *const events[] = { "disengage", "engage",    "disengage",
                                      "engage",    "disengage", NULL };

IFBAM_DEFINE_JOINT (Gear, gear, GearLaw, gear, modes, events, .name = "gear",
                    .summary = "elastic tooth mesh of two inertias",
                    .law = "T = stiffness * (angle_left - ratio * angle_right -/+ play/2) + "
                           "damping * its rate",
                    .source = "Kahraman & Singh 1990, Non-linear dynamics of a spur gear pair",
                    .example = "[gear g1]\nratio     = -3\nstiffness = 50 kN m/rad\n"
                               "play      = 0.1 deg\nbetween   = motor, shaft\n",
                    .domain = IFBAM_DOMAIN_ROTATION, .forms = IFBAM_BY_RATIO)
