/* saturating-inductor.c: inductor with a saturating core, between two electrical nodes
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/number-text.h"
#include "element/element.h"
#include "elements/saturating-inductor-law.h"

static const IfbamParam saturating_inductor_params[] = {
  IFBAM_PARAM (SaturatingInductorLaw, inductance, "inductance", "H", G_MINDOUBLE, G_MAXDOUBLE,
               IFBAM_REQUIRED, "L: flux linkage per unit of a small current"),
  IFBAM_PARAM (SaturatingInductorLaw, saturated, "saturated", "H", G_MINDOUBLE, G_MAXDOUBLE,
               IFBAM_REQUIRED, "Ls: inductance beyond the saturation, at most L"),
  IFBAM_PARAM (SaturatingInductorLaw, saturation, "saturation", "V s", G_MINDOUBLE, G_MAXDOUBLE,
               IFBAM_REQUIRED, "flux linkage at which its core saturates"),
  IFBAM_PARAM (SaturatingInductorLaw, flux, "flux", "V s", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
               "flux linkage at the start"),
  IFBAM_PARAM_BETWEEN,
};

static char *
saturating_inductor_fault (IfbamElement *element, const char **key)
{
  const SaturatingInductorLaw *law = (const SaturatingInductorLaw *) ifbam_element_law (element);

  *key = "saturated";
  return law->saturated > law->inductance ? g_strdup_printf (
             "%s H is above the inductance, %s H: a core that saturates adds less",
             IFBAM_NUMBER (law->saturated), IFBAM_NUMBER (law->inductance))
                                          : NULL;
}

IFBAM_DEFINE_LAW (SaturatingInductorLaw, saturating_inductor, (SMOOTH, SLOPES, DIFFERENCE_3))

IFBAM_DEFINE_LINK (SaturatingInductor, saturating_inductor, SaturatingInductorLaw,
                   saturating_inductor, .name = "saturating-inductor",
                   .summary = "inductor with a saturating core",
                   .law = "I = psi / saturated - (1 / saturated - 1 / inductance) * saturation * "
                          "tanh(psi / saturation), psi = flux + integral of the voltage",
                   .source = "two slopes: Chua & Stromsmoe 1970",
                   .example = "[saturating-inductor l1]\ninductance = 1 H\nsaturated  = 10 mH\n"
                              "saturation = 0.9 V s\nbetween    = c1, c2\n",
                   .symbol = "M-20 0h4a4 6 0 0 1 8 0a4 6 0 0 1 8 0a4 6 0 0 1 8 0a4 6 0 0 1 8"
                             " 0h4M-12-10h24",
                   .domain = IFBAM_DOMAIN_ELECTRICITY, .fault = saturating_inductor_fault)
