/* backlash.h: keys and modes of elastic links with play, in the units of a domain
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "elements/backlash-law.h"
#include "element/element.h"

/* law: the BacklashLaw in the class's own struct, with a dot behind it, or nothing; x, f: units of
 * compression and force; at: where they are felt. */
#define BACKLASH_PARAMS(Law, law, x, f, force, at)                                                 \
  IFBAM_PARAM (Law, law stiffness, "stiffness", f "/" x, 0, G_MAXDOUBLE, IFBAM_REQUIRED,           \
               force " per unit of compression beyond the play" at),                               \
      IFBAM_PARAM (Law, law damping, "damping", f " s/" x, 0, G_MAXDOUBLE, 0,                      \
                   force " per unit of rate in engagement; a flank never pulls" at),               \
      IFBAM_PARAM (Law, law play, "play", x, 0, G_MAXDOUBLE, 0,                                    \
                   "the whole play: no " force " while |compression| <= play/2" at)

static const char *const backlash_modes[] = { "free",     "forward",          "forward, parted",
                                              "backward", "backward, parted", NULL };

/* From flank to flank (without play) is no event of its own. */
static const char *
backlash_event (const void *law, int from, int to)
{
  const gboolean was = backlash_flank_mode (from) == CONTACT_CLOSED;
  const gboolean is = backlash_flank_mode (to) == CONTACT_CLOSED;

  (void) law;
  return was == is ? NULL : is ? "engage" : "disengage";
}
