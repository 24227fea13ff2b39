/* hinge.c: pin joint of two points, and weld of two bodies
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/number-text.h"
#include "element/element.h"
#include "elements/hinge-law.h"

static const IfbamParam hinge_params[] = {
  IFBAM_PARAM (HingeLaw, friction_torque, "friction-torque", "N m", 0, G_MAXDOUBLE, 0,
               "dry friction: torque that limits sticking, and opposes slip"),
  IFBAM_PARAM (HingeLaw, friction, "friction", "", 0, G_MAXDOUBLE, 0,
               "mu of its pin: adds friction * radius * reaction of the pin to that torque"),
  IFBAM_PARAM (HingeLaw, radius, "radius", "m", 0, G_MAXDOUBLE, 0, "of its pin, for the friction"),
  IFBAM_PARAM (HingeLaw, least, "least-angle", "rad", -G_MAXDOUBLE, G_MAXDOUBLE, -INFINITY,
               "stop: least angle of the right end's body minus that of the left one"),
  IFBAM_PARAM (HingeLaw, greatest, "greatest-angle", "rad", -G_MAXDOUBLE, G_MAXDOUBLE, -INFINITY,
               "stop: greatest angle"),
  IFBAM_PARAM (HingeLaw, restitution, "restitution", "", 0, 1, 0,
               "of its stops: rate after an impact over that before; 0 stays, 1 loses nothing"),
  IFBAM_PARAM_BETWEEN_POINTS,
};

static char *
hinge_fault (IfbamElement *element, const char **key)
{
  const HingeLaw *law = (const HingeLaw *) ifbam_element_law (element);

  *key = "friction";
  if ((law->friction > 0) != (law->radius > 0))
    return g_strdup (law->friction > 0 ? "needs a radius (of the pin)"
                                       : "is missing beside radius (mu of the pin)");
  *key = "least-angle";
  return hinge_least_acts (law) && hinge_greatest_acts (law) && law->least > law->greatest
             ? g_strdup_printf (
                 "%s rad is above greatest-angle, %s rad: there is no angle between them",
                 IFBAM_NUMBER (law->least), IFBAM_NUMBER (law->greatest))
             : NULL;
}

static const char *const friction_modes[] = { "stuck",    "starting forward",
                                              "forward",  "starting backward",
                                              "backward", NULL };
static const char *const friction_events[] = { "stick", "slip", NULL };
static const char *const stop_modes[] = { "open", "rest", NULL };
static const char *const stop_events[] = { "release", "rest", NULL };

IFBAM_DEFINE_LAW (HingeLaw, hinge_greatest, (MODE, CONSTRAINT), .modes = stop_modes,
                  .events = stop_events, .name = "greatest", .ends = &ifbam_turn_of_right,
                  .acts = hinge_greatest_acts)
IFBAM_DEFINE_LAW (HingeLaw, hinge_least, (MODE, CONSTRAINT), .modes = stop_modes,
                  .events = stop_events, .name = "least", .ends = &ifbam_turn_of_left,
                  .acts = hinge_least_acts, .next = &hinge_greatest_law)
IFBAM_DEFINE_LAW (HingeLaw, hinge_bearing, (FORCE, MODE, NO_GUARDS, CONSTRAINT),
                  .modes = friction_modes, .events = friction_events, .name = "friction",
                  .acts = hinge_bearing_acts, .n_carriers = 2, .next = &hinge_least_law)
IFBAM_DEFINE_LAW (HingeLaw, hinge_friction, (FORCE, MODE, NO_GUARDS, CONSTRAINT),
                  .modes = friction_modes, .events = friction_events, .name = "friction",
                  .ends = &ifbam_turn, .acts = hinge_friction_acts, .next = &hinge_bearing_law)
IFBAM_DEFINE_LAW (HingeLaw, hinge_y, (FIXED), .name = "y", .ends = &ifbam_offset_y,
                  .next = &hinge_friction_law)
IFBAM_DEFINE_LAW (HingeLaw, hinge, (FIXED), .name = "x", .ends = &ifbam_offset_x,
                  .next = &hinge_y_law)

IFBAM_DEFINE_LINK (Hinge, hinge, HingeLaw, hinge, .name = "hinge",
                   .summary = "pin joint of two points",
                   .law = "x_left - x_right = 0; y_left - y_right = 0; dry friction: |T| <= "
                          "friction-torque + friction * radius * |R|; stops: "
                          "least-angle <= angle_right - angle_left <= greatest-angle",
                   .source = "d'Alembert 1743, Traite de dynamique; Coulomb 1785; Signorini 1933",
                   .example = "[hinge main]\nbetween = pivot, crank\n",
                   .symbol = "M-20 0h14M-6 0a6 6 0 1 1 12 0 6 6 0 1 1-12 0M6 0h14",
                   .domain = IFBAM_DOMAIN_TRANSLATION, .forms = IFBAM_BETWEEN_ENDS,
                   .fault = hinge_fault)

/* A hinge without relative rotation */

typedef struct
{
} WeldLaw;

static const IfbamParam weld_params[] = {
  IFBAM_PARAM_BETWEEN_POINTS,
};

IFBAM_DEFINE_LAW (WeldLaw, weld_turn, (FIXED), .name = "turn", .ends = &ifbam_turn)
IFBAM_DEFINE_LAW (WeldLaw, weld_y, (FIXED), .name = "y", .ends = &ifbam_offset_y,
                  .next = &weld_turn_law)
IFBAM_DEFINE_LAW (WeldLaw, weld, (FIXED), .name = "x", .ends = &ifbam_offset_x, .next = &weld_y_law)

IFBAM_DEFINE_LINK (Weld, weld, WeldLaw, weld, .name = "weld",
                   .summary = "rigid joint of two points",
                   .law = "x_left - x_right = 0; y_left - y_right = 0; angle_left - angle_right "
                          "stays as it is at the start",
                   .source = "d'Alembert 1743, Traite de dynamique",
                   .example = "[weld joint]\nbetween = tip, bracket\n",
                   .symbol = "M-20 0h14M-6-6h12v12h-12zM6 0h14", .domain = IFBAM_DOMAIN_TRANSLATION,
                   .forms = IFBAM_BETWEEN_ENDS)
