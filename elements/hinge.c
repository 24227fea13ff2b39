/* hinge.c: a pin that keeps two points together, and lets their bodies turn; without it, a weld
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "element/geometry-ends.h"
#include "element/link-class.h"

typedef struct
{
} HingeLaw;

static const IfbamParam hinge_params[] = {
  IFBAM_PARAM_BETWEEN_POINTS,
};

IFBAM_DEFINE_LAW (HingeLaw, hinge_y, (FIXED), .name = "y", .ends = &ifbam_offset_y)
IFBAM_DEFINE_LAW (HingeLaw, hinge, (FIXED), .name = "x", .ends = &ifbam_offset_x,
                  .next = &hinge_y_law)

IFBAM_DEFINE_LINK (Hinge, hinge, HingeLaw, hinge, .name = "hinge",
                   .summary = "pin that keeps two points together and lets their bodies turn",
                   .law = "x_left - x_right = 0; y_left - y_right = 0",
                   .source = "d'Alembert 1743, Traite de dynamique",
                   .example = "[hinge main]\nbetween = pivot, crank\n",
                   .symbol = "M-20 0h14M-6 0a6 6 0 1 1 12 0 6 6 0 1 1-12 0M6 0h14",
                   .domain = IFBAM_DOMAIN_TRANSLATION, .forms = IFBAM_BETWEEN_ENDS)

/* The same, and the bodies do not turn either */

static const IfbamParam weld_params[] = {
  IFBAM_PARAM_BETWEEN_POINTS,
};

IFBAM_DEFINE_LAW (HingeLaw, weld_turn, (FIXED), .name = "turn", .ends = &ifbam_turn)
IFBAM_DEFINE_LAW (HingeLaw, weld_y, (FIXED), .name = "y", .ends = &ifbam_offset_y,
                  .next = &weld_turn_law)
IFBAM_DEFINE_LAW (HingeLaw, weld, (FIXED), .name = "x", .ends = &ifbam_offset_x,
                  .next = &weld_y_law)

IFBAM_DEFINE_LINK (Weld, weld, HingeLaw, weld, .name = "weld",
                   .summary = "keeps two points together, and their bodies from turning",
                   .law = "x_left - x_right = 0; y_left - y_right = 0; angle_left - angle_right "
                          "stays as it is at the start",
                   .source = "d'Alembert 1743, Traite de dynamique",
                   .example = "[weld joint]\nbetween = tip, bracket\n",
                   .symbol = "M-20 0h14M-6-6h12v12h-12zM6 0h14", .domain = IFBAM_DOMAIN_TRANSLATION,
                   .forms = IFBAM_BETWEEN_ENDS)
