/* friction.h: keys, modes and checks of dry friction, in the units of a domain
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "element/element.h"
#include "elements/friction-law.h"

/* x, f: units of compression and force */
#define FRICTION_PARAMS(x, f)                                                                      \
  IFBAM_PARAM (FrictionLaw, breakaway, "breakaway", f, 0, G_MAXDOUBLE, IFBAM_REQUIRED,             \
               "R0: the most that sticks"),                                                        \
      IFBAM_PARAM (FrictionLaw, coulomb, "coulomb", f, 0, G_MAXDOUBLE, -1,                         \
                   "Rm: what is left of it when it slips; without it: as breakaway"),              \
      IFBAM_PARAM (FrictionLaw, viscous, "viscous", f " s/" x, 0, G_MAXDOUBLE, 0,                  \
                   "Rv: what is added per unit of rate while it slips")

static const char *const friction_modes[] = { "stuck",    "starting forward",
                                              "forward",  "starting backward",
                                              "backward", NULL };
static const char *const friction_events[] = { "stick", "slip", NULL };

static char *
friction_fault (IfbamElement *element, const char **key)
{
  const FrictionLaw *law = (const FrictionLaw *) ifbam_element_law (element);

  *key = "coulomb";
  return law->coulomb > law->breakaway
             ? g_strdup_printf ("%g is above breakaway, %g: what slips can't hold more than what "
                                "sticks",
                                law->coulomb, law->breakaway)
             : NULL;
}
