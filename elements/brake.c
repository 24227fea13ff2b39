/* brake.c: dry friction of a pressed pad: brakes, clutches, clamps
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "elements/brake-law.h"
#include "base/number-text.h"
#include "element/element.h"

/* field: a RailBrakeLaw in Law */
#define BRAKE_PARAMS(Law, field)                                                                   \
  IFBAM_PARAM (Law, field friction, "friction", "", 0, G_MAXDOUBLE, IFBAM_REQUIRED,                \
               "mu: friction force per normal force while it slips"),                              \
      IFBAM_PARAM (Law, field static_friction, "static-friction", "", 0, G_MAXDOUBLE, -1,          \
                   "mu while it sticks; default: friction"),                                       \
      IFBAM_PARAM (Law, field gap, "gap", "m", -G_MAXDOUBLE, G_MAXDOUBLE, 0,                       \
                   "where the pad's position is when it touches; it is pressed toward greater "    \
                   "ones")

#define BRAKE_BETWEEN                                                                              \
  IFBAM_PARAM_REFERENCE (IFBAM_SLOT_BETWEEN, "between", 3, 3, IFBAM_REQUIRED,                      \
                         "the two nodes that it brakes, and the pressed mass: LEFT, RIGHT, PAD")

static const IfbamParam brake_params[] = {
  BRAKE_PARAMS (BrakeLaw, rail.),
  IFBAM_PARAM (BrakeLaw, radius, "radius", "m", G_MINDOUBLE, G_MAXDOUBLE, IFBAM_REQUIRED,
               "of the friction; of several faces their sum"),
  BRAKE_BETWEEN,
};

static const IfbamParam rail_brake_params[] = {
  BRAKE_PARAMS (RailBrakeLaw, ),
  BRAKE_BETWEEN,
};

static const IfbamDomain domains[] = { IFBAM_DOMAIN_ROTATION, IFBAM_DOMAIN_ROTATION,
                                       IFBAM_DOMAIN_TRANSLATION };

static const char *const modes[] = { "open", "rest", NULL };
static const char *const events[] = { "release", "rest", NULL };
static const char *const friction_modes[] = {
  "stuck", "starting forward", "forward", "starting backward", "backward", "loose", NULL
};

static char *
brake_fault (IfbamElement *element, const char **key)
{
  /* Both laws begin with a RailBrakeLaw. */
  const RailBrakeLaw *law = (const RailBrakeLaw *) ifbam_element_law (element);

  *key = "static-friction";
  return law->static_friction >= 0 && law->static_friction < law->friction ? g_strdup_printf (
             "%s is below friction, %s (static friction is not less than sliding friction)",
             IFBAM_NUMBER (law->static_friction), IFBAM_NUMBER (law->friction))
                                                                           : NULL;
}

IFBAM_DEFINE_LAW (BrakeLaw, brake_friction, (MODE, CONSTRAINT, EVENT), .modes = friction_modes,
                  .name = "friction")
IFBAM_DEFINE_LAW (BrakeLaw, brake, (MODE, CONSTRAINT), .modes = modes, .events = events,
                  .geometry = &ifbam_pad, .next = &brake_friction_law)

IFBAM_DEFINE_LINK (
    Brake, brake, BrakeLaw, brake, .name = "brake",
    .summary = "brake or slipping clutch, pressed by a third node",
    .law = "position_pad <= gap, where N presses it on; stuck: |T| <= static-friction * radius * "
           "N, else T = friction * radius * N * sign (speed_left - speed_right)",
    .source = "Coulomb 1785; Signorini 1933",
    .example = "[brake b1]\nfriction = 0.4\nradius   = 12 cm\nbetween  = drum, housing, pad\n",
    .symbol = "M-20 0h12M-8-9v18M-8-9h5v18h-5M3-9h5v18h-5zM8 0h12M-3-5h6M-3 5h6",
    .domain = IFBAM_DOMAIN_ROTATION, .end_domains = domains, .fault = brake_fault)

/* The brake along a line */

IFBAM_DEFINE_LAW (RailBrakeLaw, rail_brake_friction, (MODE, CONSTRAINT, EVENT),
                  .modes = friction_modes, .name = "friction")
IFBAM_DEFINE_LAW (RailBrakeLaw, rail_brake, (MODE, CONSTRAINT), .modes = modes, .events = events,
                  .geometry = &ifbam_pad, .next = &rail_brake_friction_law)

IFBAM_DEFINE_LINK (
    RailBrake, rail_brake, RailBrakeLaw, rail_brake, .name = "rail-brake",
    .summary = "dry friction along a line, pressed by a third node",
    .law = "position_pad <= gap, where N presses it on; stuck: |F| <= static-friction * N, else F "
           "= friction * N * sign (velocity_left - velocity_right)",
    .source = "Coulomb 1785; Signorini 1933",
    .example = "[rail-brake b1]\nfriction = 0.4\nbetween  = car, rail, pad\n",
    .symbol = "M-20 0h12M-8-9v18M-8-9h5v18h-5M3-9h5v18h-5zM8 0h12M-3-5h6M-3 5h6",
    .domain = IFBAM_DOMAIN_TRANSLATION, .fault = brake_fault)
