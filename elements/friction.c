/* friction.c: dry friction between two positions
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/number-text.h"
#include "element/element.h"
#include "elements/friction-law.h"

/* x, f: units of compression and force */
#define FRICTION_PARAMS(x, f)                                                                      \
  IFBAM_PARAM (FrictionLaw, breakaway, "breakaway", f, 0, G_MAXDOUBLE, -1,                         \
               "R0: greatest force while it sticks; default: coulomb"),                            \
      IFBAM_PARAM (FrictionLaw, coulomb, "coulomb", f, 0, G_MAXDOUBLE, -1,                         \
                   "Rm: friction force while it slips; default: breakaway"),                       \
      IFBAM_PARAM (FrictionLaw, viscous, "viscous", f " s/" x, 0, G_MAXDOUBLE, 0,                  \
                   "Rv: added force per unit of rate while it slips"),                             \
      IFBAM_PARAM (FrictionLaw, stribeck, "stribeck", x "/s", 0, G_MAXDOUBLE, 0,                   \
                   "rate of Stribeck's decay to coulomb; 0: at once"),                             \
      IFBAM_PARAM_WORD (FrictionLaw, exponent, "stribeck-exponent", stribeck_exponents, 1,         \
                        "n in exp (-(rate / stribeck)^n)")

static const char *const stribeck_exponents[] = { "1", "2", NULL };

static const char *const friction_modes[] = { "stuck",    "starting forward",
                                              "forward",  "starting backward",
                                              "backward", NULL };
static const char *const friction_events[] = { "stick", "slip", NULL };

static char *
friction_fault (IfbamElement *element, const char **key)
{
  const FrictionLaw *law = (const FrictionLaw *) ifbam_element_law (element);

  *key = "breakaway";
  if (MAX (law->breakaway, law->coulomb) < 0)
    return g_strdup ("is missing, and so is coulomb (want one of them, or both)");
  *key = "stribeck";
  if (law->stribeck > 0 && MIN (law->breakaway, law->coulomb) < 0)
    return g_strdup ("has no effect (want a coulomb below breakaway)");
  *key = "coulomb";
  return law->breakaway >= 0 && law->coulomb > law->breakaway ? g_strdup_printf (
             "%s is above breakaway, %s (sliding friction is not more than static friction)",
             IFBAM_NUMBER (law->coulomb), IFBAM_NUMBER (law->breakaway))
                                                              : NULL;
}

static const IfbamParam friction_params[] = {
  FRICTION_PARAMS ("m", "N"),
  IFBAM_PARAM_BETWEEN_ANY,
};

IFBAM_DEFINE_LAW (FrictionLaw, friction, (FORCE, MODE, NO_GUARDS, CONSTRAINT, SLOPES),
                  .modes = friction_modes, .events = friction_events, .ends = &ifbam_approach,
                  .first_of_ends = IFBAM_N_DOUBLES (FrictionLaw))

IFBAM_DEFINE_LINK (Friction, friction, FrictionLaw, friction, .name = "friction",
                   .summary = "dry friction that sticks, starts and slips",
                   .law = "stuck: rate = 0, |F| <= breakaway; else F = (coulomb + (breakaway - "
                          "coulomb) exp (-(|rate| / stribeck)^n) + viscous |rate|) sign (rate)",
                   .source = "Coulomb 1785; Stribeck 1902; five modes: Cellier & Kofman 2006, 9.7",
                   .example = "[friction f1]\nbreakaway = 5 N\ncoulomb   = 4 N\nbetween   = "
                              "belt, m1\n",
                   .symbol = "M-20 0h4v-4h28M20 0h-4v4h-28M-9-4l4 8M-2-4l4 8M5-4l4 8",
                   .domain = IFBAM_DOMAIN_TRANSLATION,
                   .forms = IFBAM_BETWEEN_NODES | IFBAM_BETWEEN_ENDS, .fault = friction_fault)

/* Dry friction between two angles */

static const IfbamParam torsion_friction_params[] = {
  FRICTION_PARAMS ("rad", "N m"),
  IFBAM_PARAM_BETWEEN,
};

IFBAM_DEFINE_LINK (TorsionFriction, torsion_friction, FrictionLaw, friction,
                   .name = "torsion-friction",
                   .summary = "dry friction of a brake or a slipping clutch",
                   .law = "stuck: rate = 0, |T| <= breakaway; else T = (coulomb + (breakaway - "
                          "coulomb) exp (-(|rate| / stribeck)^n) + viscous |rate|) sign (rate)",
                   .source = "Coulomb 1785; Stribeck 1902; five modes: Cellier & Kofman 2006, 9.7",
                   .example = "[torsion-friction brake]\nbreakaway = 50 N m\n"
                              "coulomb   = 40 N m\nbetween   = shaft, housing\n",
                   .symbol = "M-20 0h14M-6-10v20M-1-10v20M-6-6l5 4M-6 0l5 4M-1 0h21",
                   .domain = IFBAM_DOMAIN_ROTATION, .fault = friction_fault)
