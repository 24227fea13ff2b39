/* limiter.c: spring with force limits, between two positions
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "element/element.h"
#include "base/number-text.h"
#include "elements/limiter-law.h"

static const IfbamParam limiter_params[] = {
  IFBAM_PARAM (LimiterLaw, stiffness, "stiffness", "N/m", G_MINDOUBLE, G_MAXDOUBLE, IFBAM_REQUIRED,
               "force per unit of compression between the limits"),
  IFBAM_PARAM (LimiterLaw, lower, "lower", "N", -G_MAXDOUBLE, G_MAXDOUBLE, IFBAM_REQUIRED,
               "the least force"),
  IFBAM_PARAM (LimiterLaw, upper, "upper", "N", -G_MAXDOUBLE, G_MAXDOUBLE, IFBAM_REQUIRED,
               "the most force"),
  IFBAM_PARAM_BETWEEN,
};

static char *
limiter_fault (IfbamElement *element, const char **key)
{
  const LimiterLaw *law = (const LimiterLaw *) ifbam_element_law (element);

  const guint upper = (guint) ifbam_element_param_index (element->info, "upper");

  *key = "lower";
  return law->lower < law->upper || !ifbam_element_is_set (element, upper)
             ? NULL
             : g_strdup_printf ("%s is not below upper, %s", IFBAM_NUMBER (law->lower),
                                IFBAM_NUMBER (law->upper));
}

static const char *const modes[] = { "lower limit", "linear", "upper limit", NULL };

IFBAM_DEFINE_LAW (LimiterLaw, limiter, (FORCE, MODE, GUARDS, NO_CONSTRAINT, EVENT), .modes = modes)

IFBAM_DEFINE_LINK (Limiter, limiter, LimiterLaw, limiter, .name = "limiter",
                   .summary = "elastic spring with a limited force",
                   .law = "F = stiffness * compression, not below lower and not above upper",
                   .source = "Cellier & Kofman 2006, Continuous system simulation, chapter 9",
                   .example =
                       "[limiter l1]\nstiffness = 10 kN/m\nlower     = -50 N\nupper     = 50 N\n"
                       "between   = m1, wall\n",
                   .symbol = "M-20 0h6M-14-10h28v20h-28zM-11 6h5l12-12h5M14 0h6",
                   .domain = IFBAM_DOMAIN_TRANSLATION, .fault = limiter_fault)
