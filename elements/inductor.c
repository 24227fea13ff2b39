/* inductor.c: ideal inductor between two electrical nodes
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "elements/inductor-law.h"
#include "element/element.h"

static const IfbamParam inductor_params[] = {
  IFBAM_PARAM (InductorLaw, inductance, "inductance", "H", G_MINDOUBLE, G_MAXDOUBLE, IFBAM_REQUIRED,
               "flux linkage per unit of current"),
  IFBAM_PARAM (InductorLaw, current, "current", "A", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
               "current at the start, from left to right"),
  IFBAM_PARAM_BETWEEN,
};

IFBAM_DEFINE_LAW (InductorLaw, inductor, (SMOOTH, DIFFERENCE_1))

IFBAM_DEFINE_LINK (Inductor, inductor, InductorLaw, inductor, .name = "inductor",
                   .summary = "ideal inductor",
                   .law = "I = current + integral of the voltage / inductance",
                   .source = "Faraday 1832; as a spring: Firestone 1933",
                   .example = "[inductor l1]\ninductance = 10 mH\nbetween    = c1, c2\n",
                   .symbol = "M-20 0h4a4 6 0 0 1 8 0a4 6 0 0 1 8 0a4 6 0 0 1 8 0a4 6 0 0 1 8"
                             " 0h4",
                   .domain = IFBAM_DOMAIN_ELECTRICITY)
