/* gear.c: elastic tooth mesh of two inertias, with play
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "gear-law.h"
#include "backlash.h"

static const IfbamParam params[] = {
  IFBAM_PARAM (GearLaw, ratio, "ratio", "", -G_MAXDOUBLE, G_MAXDOUBLE, IFBAM_REQUIRED,
               "angle of the left one per angle of the right one; below 0 they turn oppositely"),
  BACKLASH_PARAMS (GearLaw, teeth., "rad", "N m", "torque", ", at the left one"),
  IFBAM_PARAM_BETWEEN,
};

static char *
gear_fault (IfbamElement *element, const char **key)
{
  const GearLaw *law = (const GearLaw *) ifbam_element_law (element);

  *key = "ratio";
  return law->ratio == 0 && ifbam_element_is_set (element, 0)
             ? g_strdup ("is 0: the right one would not be felt (want a ratio of angles)")
             : NULL;
}

IFBAM_DEFINE_JOINT (Gear, gear, GearLaw, gear, backlash_modes, backlash_events, .name = "gear",
                    .summary = "elastic tooth mesh of two inertias",
                    .law = "T = stiffness * (angle_left - ratio * angle_right -/+ play/2) + "
                           "damping * its rate",
                    .source = "Kahraman & Singh 1990, Non-linear dynamics of a spur gear pair",
                    .example = "[gear g1]\nratio     = -3\nstiffness = 50 kN m/rad\n"
                               "play      = 0.1 deg\nbetween   = motor, shaft\n",
                    .domain = IFBAM_DOMAIN_ROTATION, .forms = IFBAM_BY_RATIO, .fault = gear_fault)
