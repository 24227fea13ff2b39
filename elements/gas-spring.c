/* gas-spring.c: gas between two pistons, or a piston and the head
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "element/element.h"
#include "elements/gas-spring-law.h"

static const IfbamParam gas_spring_params[] = {
  IFBAM_PARAM (GasSpringLaw, area, "area", "m2", 0, G_MAXDOUBLE, IFBAM_REQUIRED,
               "on which the gas presses"),
  IFBAM_PARAM (GasSpringLaw, length, "length", "m", G_MINDOUBLE, G_MAXDOUBLE, 0,
               "of the gas, where its compression is 0; between points of the plane: their "
               "distance there; without: as at the start"),
  IFBAM_PARAM (GasSpringLaw, pressure, "pressure", "Pa", 0, G_MAXDOUBLE, 100e3,
               "at a compression of 0, absolute"),
  IFBAM_PARAM (GasSpringLaw, ambient, "ambient", "Pa", 0, G_MAXDOUBLE, 100e3,
               "on the other side, absolute"),
  IFBAM_PARAM (GasSpringLaw, exponent, "exponent", "", 1, 3, 1.4,
               "1 isothermal, 1.4 adiabatic for air"),
  IFBAM_PARAM_BETWEEN_ANY,
};

IFBAM_DEFINE_LAW (GasSpringLaw, gas_spring, (SMOOTH, SLOPES, DIFFERENCE_3), .ends = &ifbam_distance,
                  .first_of_ends = IFBAM_N_DOUBLES (GasSpringLaw) - 1, .own_length = TRUE)

IFBAM_DEFINE_LINK (
    GasSpring, gas_spring, GasSpringLaw, gas_spring, .name = "gas-spring",
    .summary = "gas between two pistons, or a piston and the head",
    .law = "F = area * (pressure * (length / (length - compression))^exponent - ambient)",
    .source = "Poisson 1823",
    .example = "[gas-spring gas]\narea     = 50 cm2\nlength   = 90 mm\n"
               "between  = piston, head\n",
    .symbol = "M-20 0h6M-14-10v20M-14-10h30v20h-30M-4-3v6M2-6v6M8 0v6M16 0h4",
    .domain = IFBAM_DOMAIN_TRANSLATION, .forms = IFBAM_BETWEEN_NODES | IFBAM_BETWEEN_ENDS)
