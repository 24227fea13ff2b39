/* gear.c: elastic tooth mesh of two inertias, with play
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "elements/gear-law.h"
#include "element/element.h"
#include "elements/damped.h"

static const IfbamParam gear_params[] = {
  IFBAM_PARAM (GearLaw, ratio, "ratio", "", -G_MAXDOUBLE, G_MAXDOUBLE, IFBAM_REQUIRED,
               "angle of the left one per angle of the right one; below 0 they turn oppositely"),
  IFBAM_PARAM (GearLaw, teeth.stiffness, "stiffness", "N m/rad", 0, G_MAXDOUBLE, IFBAM_REQUIRED,
               "torque per unit of compression beyond the play, at the left one"),
  DAMPED_PARAMS (GearLaw, teeth.damped, "rad", "N m", "torque",
                 "in engagement; a flank never pulls, at the left one"),
  IFBAM_PARAM (GearLaw, teeth.play, "play", "rad", 0, G_MAXDOUBLE, 0,
               "the whole play: no torque while |compression| <= play/2, at the left one"),
  IFBAM_PARAM_BETWEEN,
};

static char *
gear_fault (IfbamElement *element, const char **key)
{
  const GearLaw *law = (const GearLaw *) ifbam_element_law (element);

  *key = "ratio";
  if (law->ratio == 0 && ifbam_element_is_set (element, 0))
    return g_strdup ("is 0: the right one would have no effect (want a ratio of angles)");
  *key = "damping-law";
  if (law->teeth.damped.law != DAMPED_PROPORTIONAL && !gear_has_modes (law))
    return g_strdup ("is of teeth with play: without, both flanks are in engagement all the time "
                     "(want a play, or proportional)");
  return ifbam_damped_fault (element, &law->teeth.damped, key);
}

IFBAM_DEFINE_LAW (GearLaw, gear, (FORCE, MODE, GUARDS, CONSTRAINT, EVENT, SLOPES, HAS_MODES, RATIO),
                  .modes = backlash_modes, .lossy = TRUE)

IFBAM_DEFINE_LINK (Gear, gear, GearLaw, gear, .name = "gear",
                   .summary = "elastic tooth mesh of two inertias",
                   .law = "T = stiffness * (angle_left - ratio * angle_right -/+ play/2) + "
                          "damping * its rate; the right one gets ratio * T",
                   .source = "Kahraman & Singh 1990, Non-linear dynamics of a spur gear pair",
                   .example = "[gear g1]\nratio     = -3\nstiffness = 50 kN m/rad\n"
                              "play      = 0.1 deg\nbetween   = motor, shaft\n",
                   .symbol = "M-20 0h4a8 8 0 1 1 16 0 8 8 0 1 1-16 0M0 0a8 8 0 1 1 16 0 8 8 0"
                             " 1 1-16 0M16 0h4",
                   .domain = IFBAM_DOMAIN_ROTATION, .fault = gear_fault)
