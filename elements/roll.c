/* roll.c: dry friction between a ball and the table under it
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "elements/roll-law.h"
#include "element/element.h"

static const IfbamParam roll_params[] = {
  IFBAM_PARAM (RollLaw, friction, "friction", "", 0, G_MAXDOUBLE, IFBAM_REQUIRED,
               "mu: friction force per normal force"),
  IFBAM_PARAM (RollLaw, gravity, "gravity", "m/s2", 0, G_MAXDOUBLE, 9.81,
               "the normal force is mass * gravity"),
  IFBAM_PARAM (RollLaw, normal, "normal", "N", 0, G_MAXDOUBLE, -1,
               "normal force instead of the weight"),
  IFBAM_PARAM (RollLaw, adhesion, "adhesion", "m/s", 0, G_MAXDOUBLE, 0,
               "a slower slip is stopped at once by an impulse"),
  IFBAM_PARAM_REFERENCE (IFBAM_SLOT_ON, "on", 1, 1, IFBAM_REQUIRED,
                         "the ball, one with table = yes"),
};

static const char *const modes[] = { "rolling", "starting", "slipping", NULL };
static const char *const events[] = { "roll", "slip", NULL };
static const char *const across_modes[] = { "rolling",  "starting", "slipping", "starting backward",
                                            "backward", "loose",    NULL };

static char *
roll_link_law (const IfbamElement *element, void *copy, double radius, double mass,
               const char **key)
{
  RollLaw *law = copy;

  (void) radius, (void) key, (void) element;
  if (law->normal < 0)
    law->normal = mass * law->gravity;
  return NULL;
}

static char *
roll_fault (IfbamElement *element, const char **key)
{
  const int gravity = ifbam_element_param_index (element->info, "gravity");

  *key = "gravity";
  return ((const RollLaw *) ifbam_element_law (element))->normal >= 0
                 && ifbam_element_is_set (element, (guint) gravity)
             ? g_strdup ("can't be combined with \"normal\" (give one of them)")
             : NULL;
}

IFBAM_DEFINE_LAW (RollLaw, roll_across, (MODE, CONSTRAINT, EVENT), .modes = across_modes,
                  .name = "across", .across = TRUE)

IFBAM_DEFINE_LAW (RollLaw, roll, (FORCE, MODE, NO_GUARDS, CONSTRAINT), .modes = modes,
                  .events = events, .next = &roll_across_law)

IFBAM_DEFINE_LINK (
    Roll, roll, RollLaw, roll, .name = "roll",
    .summary = "dry friction of a ball on a table, seen from above",
    .law = "slip u: velocity of its lowest point; rolling: u = 0, |F| <= friction * mass * "
           "gravity; else F = -friction * mass * gravity * u / |u|",
    .source = "Euler 1758; Coulomb 1785; Coriolis 1835, Jeu de billard",
    .example = "[roll r]\non       = m\nfriction = 0.1\n",
    .symbol = "M-20 0h8M-12 0a8 8 0 1 1 16 0 8 8 0 1 1-16 0M-16 8h32M-12 12l4-4M-4 12l4-4M4 12l4-4",
    .domain = IFBAM_DOMAIN_TRANSLATION, .forms = IFBAM_ON_TABLE, .link_law = roll_link_law,
    .fault = roll_fault)
