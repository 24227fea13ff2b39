/* slider.c: a straight guide: a point moves along an axis, without rotation against it
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "element/element.h"

typedef struct
{
  double direction; /* must be first: parameter of the geometry [rad] */
} SliderLaw;

static const IfbamParam slider_params[] = {
  IFBAM_PARAM (SliderLaw, direction, "direction", "rad", -G_MAXDOUBLE, G_MAXDOUBLE, 0,
               "of its axis, which turns with the left end's body: counterclockwise from x"),
  IFBAM_PARAM_BETWEEN_POINTS,
};

IFBAM_DEFINE_LAW (SliderLaw, slider_turn, (FIXED), .name = "turn", .ends = &ifbam_turn)
IFBAM_DEFINE_LAW (SliderLaw, slider, (FIXED), .name = "across", .ends = &ifbam_across,
                  .next = &slider_turn_law)

IFBAM_DEFINE_LINK (
    Slider, slider, SliderLaw, slider, .name = "slider",
    .summary = "straight guide, along an axis of the left end's body or of the plane",
    .law = "offset across the axis = 0; angle_left - angle_right stays as it is at "
           "the start",
    .source = "d'Alembert 1743, Traite de dynamique",
    .example = "[slider bore]\ndirection = 90 deg\nbetween   = head, piston\n",
    .symbol = "M-20 0h12M-8-6h16v12h-16zM-14-9h28M-14 9h28M8 0h12",
    .domain = IFBAM_DOMAIN_TRANSLATION, .forms = IFBAM_BETWEEN_ENDS)
