/* bounce.c: hard contact of a ball or point with a surface or another ball
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "elements/bounce-law.h"
#include "element/element.h"

static const IfbamParam bounce_params[] = {
  IFBAM_PARAM (BounceLaw, restitution, "restitution", "", 0, 1, 1,
               "rate after an impact over that before: 0 stays, 1 loses nothing"),
  IFBAM_PARAM (BounceLaw, friction, "friction", "", 0, G_MAXDOUBLE, 0,
               "mu: friction force per contact force"),
  IFBAM_PARAM (BounceLaw, adhesion, "adhesion", "m/s", 0, G_MAXDOUBLE, 0,
               "a slower slip is stopped at once by an impulse"),
  IFBAM_PARAM_REFERENCE (IFBAM_SLOT_BETWEEN, "between", 2, 2, IFBAM_REQUIRED,
                         "balls, points of bodies, a surface: two of them, that meet"),
};

static const char *const modes[] = { "open", "rest", NULL };
static const char *const events[] = { "release", "rest", NULL };

static const char *const friction_modes[] = {
  "stuck", "starting forward", "forward", "starting backward", "backward", "loose", NULL
};

static char *
bounce_fault (IfbamElement *element, const char **key)
{
  const BounceLaw *law = (const BounceLaw *) ifbam_element_law (element);

  *key = "adhesion";
  return law->adhesion > 0 && !(law->friction > 0)
             ? g_strdup ("needs a friction, which sticks at once at slower slips (give both)")
             : NULL;
}

IFBAM_DEFINE_LAW (BounceLaw, bounce_friction, (MODE, CONSTRAINT, EVENT), .modes = friction_modes,
                  .name = "friction", .acts = bounce_friction_acts)

IFBAM_DEFINE_LAW (BounceLaw, bounce, (MODE, CONSTRAINT), .modes = modes, .events = events,
                  .next = &bounce_friction_law)

IFBAM_DEFINE_LINK (Bounce, bounce, BounceLaw, bounce, .name = "bounce",
                   .summary = "hard contact of balls and points, with restitution and dry friction",
                   .law = "overlap <= 0; rate after = -restitution * rate before; friction: "
                          "sticking up to friction * reaction, slipping against it by that",
                   .source = "Newton 1687, Principia, corollary VI; Coulomb 1785; Signorini 1933; "
                             "Glocker 2001",
                   .example = "[bounce hop]\nrestitution = 0.9\nfriction    = 0.2\n"
                              "between     = b, ground\n",
                   .symbol = "M-20 0h15M-5-10v20M5 0a6 6 0 1 1 12 0 6 6 0 1 1-12 0M17 0h3",
                   .domain = IFBAM_DOMAIN_TRANSLATION, .forms = IFBAM_BETWEEN_BALLS,
                   .fault = bounce_fault)
