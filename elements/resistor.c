/* resistor.c: ideal resistor between two electrical nodes
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "element/element.h"
#include "elements/resistor-law.h"

static const IfbamParam resistor_params[] = {
  IFBAM_PARAM (ResistorLaw, resistance, "resistance", "ohm", G_MINDOUBLE, G_MAXDOUBLE,
               IFBAM_REQUIRED, "voltage per unit of current"),
  IFBAM_PARAM_BETWEEN,
};

IFBAM_DEFINE_LAW (ResistorLaw, resistor, (SMOOTH, DIFFERENCE_1), .lossy = TRUE, .storeless = TRUE)

IFBAM_DEFINE_LINK (Resistor, resistor, ResistorLaw, resistor, .name = "resistor",
                   .summary = "ideal resistor", .law = "I = voltage / resistance",
                   .source = "Ohm 1827",
                   .example = "[resistor r1]\nresistance = 1 kohm\nbetween    = source, c1\n",
                   .symbol = "M-20 0h6M-14-6h28v12h-28zM14 0h6", .domain = IFBAM_DOMAIN_ELECTRICITY)
