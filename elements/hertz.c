/* hertz.c: soft one-sided contact of round bodies
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "element/element.h"
#include "elements/damped.h"
#include "elements/hertz-law.h"

static const IfbamParam hertz_params[] = {
  IFBAM_PARAM (HertzLaw, gap, "gap", "m", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
               "compression at which they touch"),
  IFBAM_PARAM (HertzLaw, modulus, "modulus", "Pa", 0, G_MAXDOUBLE, IFBAM_REQUIRED,
               "E*: 1/E* = (1 - nu1^2)/E1 + (1 - nu2^2)/E2"),
  IFBAM_PARAM (HertzLaw, radius, "radius", "m", G_MINDOUBLE, G_MAXDOUBLE, 0,
               "R: 1/R = 1/R1 + 1/R2; needed between masses, balls bring theirs"),
  DAMPED_PARAMS (HertzLaw, damped, "m", "N", "force", "while it is closed"),
  IFBAM_PARAM_BETWEEN,
};

static const char *const modes[] = { "open", "closed", "parted", "limited", NULL };

static char *
hertz_fault (IfbamElement *element, const char **key)
{
  return ifbam_damped_fault (element, &((const HertzLaw *) ifbam_element_law (element))->damped,
                             key);
}

/* Masses are points without a radius; balls have one. */
static char *
hertz_link_law (const IfbamElement *element, void *copy, double radius, double mass,
                const char **key)
{
  HertzLaw *law = copy;

  (void) element, (void) mass;
  *key = "radius";
  if (law->radius > 0 && radius > 0)
    return g_strdup ("balls bring their own (leave it out)");
  if (!(law->radius > 0 || radius > 0))
    return g_strdup ("is needed: its ends have none (want that of the contact, 1/R = 1/R1 + 1/R2)");
  law->radius = MAX (law->radius, radius);
  return NULL;
}

IFBAM_DEFINE_LAW (HertzLaw, hertz, (FORCE, MODE, GUARDS, CONSTRAINT, EVENT, SLOPES), .modes = modes)

IFBAM_DEFINE_LINK (
    Hertz, hertz, HertzLaw, hertz, .name = "hertz",
    .summary = "soft one-sided contact of round bodies; it never pulls",
    .law = "closed: F = 4/3 * modulus * sqrt(radius) * (compression - gap)^1.5 + "
           "damping * rate >= 0; bounded: at most twice its first term; "
           "hunt-crossley: this times (1 + dissipation * rate)",
    .source = "Hertz 1882; Johnson 1985, Contact mechanics, 4.2; Hunt & Crossley 1975",
    .example = "[hertz h1]\nmodulus = 115 GPa\nradius  = 10 mm\n"
               "between = m1, m2\n",
    .symbol = "M-20 0h8M-12-10v20M-9 0a9 9 0 1 1 18 0 9 9 0 1 1-18 0M9 0h11",
    .domain = IFBAM_DOMAIN_TRANSLATION, .forms = IFBAM_BETWEEN_NODES | IFBAM_BETWEEN_BALLS,
    .link_law = hertz_link_law, .fault = hertz_fault)
