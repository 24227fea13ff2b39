/* pressed-friction.c: dry friction under a variable normal force, between positions or angles
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "elements/pressed-friction-law.h"
#include "base/number-text.h"
#include "element/element.h"

static const char *const exponents[] = { "1", "2", NULL };
static const char *const pressed_friction_modes[] = { "stuck",    "starting forward",
                                                      "forward",  "starting backward",
                                                      "backward", NULL };
static const char *const pressed_friction_events[] = { "stick", "slip", NULL };
static const IfbamLawState pressed_friction_states[] = { { "time", "s" } };

enum
{
  NORMAL_OF = IFBAM_SLOT_COURSE + 1,
};

/* x, f: units of compression and force */
#define PRESSED_FRICTION_PARAMS(x, f, mu, times)                                                   \
  IFBAM_PARAM (PressedFrictionLaw, friction, "friction", mu, 0, G_MAXDOUBLE, IFBAM_REQUIRED,       \
               "mu" times ": friction per normal force while it slips"),                           \
      IFBAM_PARAM (PressedFrictionLaw, static_friction, "static-friction", mu, 0, G_MAXDOUBLE, -1, \
                   "mu while it sticks; default: friction"),                                       \
      IFBAM_PARAM (PressedFrictionLaw, viscous, "viscous", f " s/" x, 0, G_MAXDOUBLE, 0,           \
                   "added force per unit of rate while it slips"),                                 \
      IFBAM_PARAM (PressedFrictionLaw, stribeck, "stribeck", x "/s", 0, G_MAXDOUBLE, 0,            \
                   "rate of Stribeck's decay to friction; 0: at once"),                            \
      IFBAM_PARAM_WORD (PressedFrictionLaw, exponent, "stribeck-exponent", exponents, 1,           \
                        "n in exp (-(rate / stribeck)^n)"),                                        \
      IFBAM_PARAM (PressedFrictionLaw, normal, "normal", "N", 0, G_MAXDOUBLE, -1,                  \
                   "normal force; default: by a course or a link"),                                \
      IFBAM_PARAMS_COURSE (PressedFrictionLaw, "N"),                                               \
      IFBAM_PARAM (PressedFrictionLaw, scale, "scale", "", -G_MAXDOUBLE, G_MAXDOUBLE, 1,           \
                   "factor of the course; a value below 0 does not press"),                        \
      IFBAM_PARAM_REFERENCE (NORMAL_OF, "normal-of", 1, 1, 0,                                      \
                             "instead: the link with this force, where the force is above 0")

static const IfbamParam pressed_friction_params[] = {
  PRESSED_FRICTION_PARAMS ("m", "N", "", ""),
  IFBAM_PARAM_BETWEEN,
};

static const IfbamParam torsion_pressed_friction_params[] = {
  PRESSED_FRICTION_PARAMS ("rad", "N m", "m", " times the radius at which it rubs"),
  IFBAM_PARAM_BETWEEN,
};

static char *
pressed_friction_fault (IfbamElement *element, const char **key)
{
  const PressedFrictionLaw *law = (const PressedFrictionLaw *) ifbam_element_law (element);
  const gboolean course = ifbam_element_slots (element)[IFBAM_SLOT_COURSE] != NULL,
                 link = ifbam_element_slots (element)[NORMAL_OF] != NULL;
  char *fault = ifbam_element_course_fault (element, "normal, normal-of", key);

  if (fault == NULL)
    fault = ifbam_element_no_course_fault (element, "scale", law->scale != 1, key);
  if (fault != NULL)
    return fault;
  *key = "normal";
  if (law->normal < 0 && !course && !link)
    return g_strdup ("is missing (want a force, such as \"20 N\", a course, or normal-of = LINK)");
  if (law->normal >= 0 && link)
    return g_strdup ("can't be combined with \"normal-of\" (give one of them)");
  *key = "stribeck";
  if (law->stribeck > 0 && law->static_friction < 0)
    return g_strdup ("has no effect (want a static-friction above friction)");
  *key = "static-friction";
  return law->static_friction >= 0 && law->static_friction < law->friction ? g_strdup_printf (
             "%s is below friction, %s (static friction is not less than sliding friction)",
             IFBAM_NUMBER (law->static_friction), IFBAM_NUMBER (law->friction))
                                                                           : NULL;
}

IFBAM_DEFINE_LAW (PressedFrictionLaw, pressed_friction,
                  (FORCE, MODE, NO_GUARDS, CONSTRAINT, SLOPES, RATES),
                  .modes = pressed_friction_modes, .events = pressed_friction_events)

#define PRESSED_FRICTION_LAW(force)                                                                \
  "stuck: rate = 0, |" force "| <= static-friction * N; else " force                               \
  " = ((friction + (static-friction - friction) exp (-(|rate| / stribeck)^n)) * N + viscous * "    \
  "|rate|) * sign (rate)"

IFBAM_DEFINE_LINK (
    PressedFriction, pressed_friction, PressedFrictionLaw, pressed_friction,
    .name = "pressed-friction", .summary = "dry friction with a variable normal force",
    .law = PRESSED_FRICTION_LAW ("F"), .source = "Coulomb 1785; Stribeck 1902",
    .example = "[pressed-friction pad]\nfriction = 0.4\nnormal   = 20 N\nbetween  = belt, m1\n",
    .symbol = "M-20 0h4v-4h28M20 0h-4v4h-28M0-16v9M-3-10l3 3 3-3",
    .domain = IFBAM_DOMAIN_TRANSLATION, .n_slots = NORMAL_OF + 1, .normal_slot = NORMAL_OF,
    .fault = pressed_friction_fault,
    .course_parameter = offsetof (PressedFrictionLaw, course) / sizeof (double) + 1)

IFBAM_DEFINE_LINK (TorsionPressedFriction, torsion_pressed_friction, PressedFrictionLaw,
                   pressed_friction, .name = "torsion-pressed-friction",
                   .summary = "dry friction about an axis with a variable normal force",
                   .law = PRESSED_FRICTION_LAW ("T"), .source = "Coulomb 1785; Stribeck 1902",
                   .example = "[torsion-pressed-friction disc]\nfriction = 0.048 m\n"
                              "normal   = 2 kN\nbetween  = shaft, housing\n",
                   .symbol = "M-20 0h14M-6-10v20M-1-10v20M-1 0h21M-14-16v9M-17-10l3 3 3-3",
                   .domain = IFBAM_DOMAIN_ROTATION, .n_slots = NORMAL_OF + 1,
                   .normal_slot = NORMAL_OF, .fault = pressed_friction_fault,
                   .course_parameter = offsetof (PressedFrictionLaw, course) / sizeof (double) + 1)
