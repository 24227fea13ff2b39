/* shockley-diode.c: exponential diode, between two electrical nodes
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "element/element.h"
#include "elements/shockley-diode-law.h"

static const IfbamParam shockley_diode_params[] = {
  IFBAM_PARAM (ShockleyDiodeLaw, saturation, "saturation-current", "A", 0, G_MAXDOUBLE, 1e-14,
               "Is: reverse current"),
  IFBAM_PARAM (ShockleyDiodeLaw, emission, "emission", "", G_MINDOUBLE, G_MAXDOUBLE, 1,
               "factor of the thermal voltage, 1 to 2"),
  IFBAM_PARAM (ShockleyDiodeLaw, thermal, "thermal-voltage", "V", G_MINDOUBLE, G_MAXDOUBLE,
               0.025865, "k T/q: of 27 degrees C"),
  IFBAM_PARAM (ShockleyDiodeLaw, breakdown, "breakdown", "V", 0, G_MAXDOUBLE, 0,
               "B: reverse breakdown voltage, of a Zener diode; 0: none"),
  IFBAM_PARAM (ShockleyDiodeLaw, breakdown_current, "breakdown-current", "A", 0, G_MAXDOUBLE, 1e-3,
               "Ib: current at the breakdown"),
  IFBAM_PARAM_REFERENCE (IFBAM_SLOT_BETWEEN, "between", 2, 2, IFBAM_REQUIRED,
                         "the nodes that it joins: ANODE, CATHODE"),
};

IFBAM_DEFINE_LAW (ShockleyDiodeLaw, shockley_diode, (SMOOTH, SLOPES, STEP_LIMIT, DIFFERENCE_3),
                  .lossy = TRUE, .storeless = TRUE)

IFBAM_DEFINE_LINK (ShockleyDiode, shockley_diode, ShockleyDiodeLaw, shockley_diode,
                   .name = "shockley-diode",
                   .summary = "diode with the exponential law and a breakdown",
                   .law = "I = saturation-current * (exp(v / w) - 1) - breakdown-current * "
                          "(exp(-(v + breakdown) / w) - exp(-breakdown / w)), v = voltage, w = "
                          "emission * thermal-voltage",
                   .source = "Shockley 1949",
                   .example = "[shockley-diode d1]\nsaturation-current = 1 nA\nemission = 1.8\n"
                              "between = c1, c2\n",
                   .symbol = "M-20 0h12M-8-8v16l16-8zM4-8h4v16h4M8 0h12",
                   .domain = IFBAM_DOMAIN_ELECTRICITY)
