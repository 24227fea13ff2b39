/* hysteresis.c: force of two values with a memory, between two positions
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "element/element.h"
#include "base/number-text.h"
#include "elements/hysteresis-law.h"

static const char *const modes[] = { "low", "high", NULL };
static const char *const events[] = { "fall", "rise", NULL };

static const IfbamParam hysteresis_params[] = {
  IFBAM_PARAM (HysteresisLaw, lower, "lower", "m", -G_MAXDOUBLE, G_MAXDOUBLE, IFBAM_REQUIRED,
               "compression below which the force becomes low"),
  IFBAM_PARAM (HysteresisLaw, upper, "upper", "m", -G_MAXDOUBLE, G_MAXDOUBLE, IFBAM_REQUIRED,
               "compression above which it becomes high"),
  IFBAM_PARAM (HysteresisLaw, low, "low", "N", -G_MAXDOUBLE, G_MAXDOUBLE, IFBAM_REQUIRED,
               "force until the compression is above upper"),
  IFBAM_PARAM (HysteresisLaw, high, "high", "N", -G_MAXDOUBLE, G_MAXDOUBLE, IFBAM_REQUIRED,
               "force then, until it is below lower; below low it brakes, above low it drives"),
  IFBAM_PARAM_WORD (HysteresisLaw, initial, "initial", modes, HYSTERESIS_LOW,
                    "the force at the start, if the compression is between lower and upper"),
  IFBAM_PARAM_BETWEEN,
};

static char *
hysteresis_fault (IfbamElement *element, const char **key)
{
  const HysteresisLaw *law = (const HysteresisLaw *) ifbam_element_law (element);

  const guint upper = (guint) ifbam_element_param_index (element->info, "upper");

  *key = "lower";
  return law->lower < law->upper || !ifbam_element_is_set (element, upper)
             ? NULL
             : g_strdup_printf ("%s is not below upper, %s", IFBAM_NUMBER (law->lower),
                                IFBAM_NUMBER (law->upper));
}

IFBAM_DEFINE_LAW (HysteresisLaw, hysteresis, (FORCE, MODE, GUARDS, NO_CONSTRAINT, CHANGE),
                  .modes = modes, .events = events)

IFBAM_DEFINE_LINK (Hysteresis, hysteresis, HysteresisLaw, hysteresis, .name = "hysteresis",
                   .summary = "force of two values with hysteresis",
                   .law = "F = high once compression > upper, low once compression < lower",
                   .source = "Cellier & Kofman 2006, Continuous system simulation, chapter 9",
                   .example = "[hysteresis h1]\nlower   = -1 mm\nupper   = 1 mm\nlow     = -5 N\n"
                              "high    = 5 N\nbetween = m1, wall\n",
                   .symbol = "M-20 0h6M-14-10h28v20h-28zM-11 6h15v-12h7M4-6h-8v12M14 0h6",
                   .domain = IFBAM_DOMAIN_TRANSLATION, .fault = hysteresis_fault)
