/* bouc-wen.c: smooth hysteresis of Bouc and Wen, between two positions
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "elements/bouc-wen-law.h"
#include "element/element.h"

static const char *const bouc_wen_exponents[] = { "1", "2", "3", "4", "5", "6", "7", "8", NULL };

static const IfbamParam bouc_wen_params[] = {
  IFBAM_PARAM (BoucWenLaw, stiffness, "stiffness", "N/m", 0, G_MAXDOUBLE, IFBAM_REQUIRED,
               "force per unit of compression before it yields"),
  IFBAM_PARAM (BoucWenLaw, ratio, "ratio", "1", 0, 1, 0,
               "alpha, of the stiffness after it has yielded to that before"),
  IFBAM_PARAM (BoucWenLaw, yield, "yield", "m", G_MINDOUBLE, G_MAXDOUBLE, IFBAM_REQUIRED,
               "z where it yields"),
  IFBAM_PARAM (BoucWenLaw, beta, "beta", "1", 0.5, G_MAXDOUBLE, 0.5,
               "shape of a loop: 0.5 unloads along a straight line"),
  IFBAM_PARAM_WORD (BoucWenLaw, exponent, "exponent", bouc_wen_exponents, 0,
                    "n: how sharply it yields"),
  IFBAM_PARAM_BETWEEN,
};

static const IfbamLawState bouc_wen_states[] = { { "z", "%x" } };

IFBAM_DEFINE_LAW (BoucWenLaw, bouc_wen, (STATES, STATES_DIFFERENCE, SLOPES), .lossy = TRUE)

IFBAM_DEFINE_LINK (
    BoucWen, bouc_wen, BoucWenLaw, bouc_wen, .name = "bouc-wen",
    .summary = "yielding spring with smooth hysteresis",
    .law = "F = ratio * stiffness * compression + (1 - ratio) * stiffness * z, z' = rate - beta * "
           "|rate| * |z/yield|^(n-1) * z/yield - (1 - beta) * rate * |z/yield|^n",
    .source = "Bouc 1967; Wen 1976",
    .example = "[bouc-wen isolator]\nstiffness = 2 MN/m\nratio     = 0.1\nyield     = 1 cm\n"
               "between   = soil, deck\n",
    .symbol = "M-20 0h6M-14-10h28v20h-28zM-10 7q6 0 8-7 2-7 8-7h4M10-7q-6 0-8 7-2 7-8 7h-4M14 0h6",
    .domain = IFBAM_DOMAIN_TRANSLATION, .forms = IFBAM_BETWEEN_NODES | IFBAM_BETWEEN_BALLS)
