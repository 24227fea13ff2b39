/* gear.c: elastic tooth mesh of two inertias, with play
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "elements/backlash.h"
#include "elements/gear-law.h"
#include "element/link-kernel.h"

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

static gboolean
gear_slot_has_modes (const void *law)
{
  return gear_has_modes (law);
}

IFBAM_LINK_SLOTS (GearLaw, gear)
static const IfbamLaw gear_link = { .modes = backlash_modes,
                                    .event = backlash_event,
                                    IFBAM_LINK_CLASS (gear) };

/* Without play it has one mode. */
IFBAM_DEFINE_LINK (Gear, gear, GearLaw, gear_mesh, IFBAM_RATIO, .name = "gear",
                   .summary = "elastic tooth mesh of two inertias",
                   .law = "T = stiffness * (angle_left - ratio * angle_right -/+ play/2) + "
                          "damping * its rate; the right one gets ratio * T",
                   .source = "Kahraman & Singh 1990, Non-linear dynamics of a spur gear pair",
                   .example = "[gear g1]\nratio     = -3\nstiffness = 50 kN m/rad\n"
                              "play      = 0.1 deg\nbetween   = motor, shaft\n",
                   .symbol = "M-20 0h4a8 8 0 1 1 16 0 8 8 0 1 1-16 0M0 0a8 8 0 1 1 16 0 8 8 0"
                             " 1 1-16 0M16 0h4",
                   .domain = IFBAM_DOMAIN_ROTATION, .lossy = TRUE, .fault = gear_fault,
                   .link = &gear_link, .has_modes = gear_slot_has_modes, .forms = IFBAM_BY_RATIO)
