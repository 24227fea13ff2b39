/* rod.c: massless rod: constant distance of two points
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "element/element.h"

typedef struct
{
  double length; /* must be first: parameter of the geometry [m] */
} RodLaw;

static const IfbamParam rod_params[] = {
  IFBAM_PARAM (RodLaw, length, "length", "m", G_MINDOUBLE, G_MAXDOUBLE, 0,
               "distance of its ends; default: that at the start"),
  IFBAM_PARAM_BETWEEN_POINTS,
  IFBAM_PARAM_FOLLOW_LENGTH,
};

IFBAM_DEFINE_LAW (RodLaw, rod, (FIXED), .ends = &ifbam_distance)

IFBAM_DEFINE_LINK (Rod, rod, RodLaw, rod, .name = "rod",
                   .summary = "massless rod between two points",
                   .law = "length - distance = 0; it pushes and pulls",
                   .source = "d'Alembert 1743, Traite de dynamique",
                   .example = "[rod conrod]\nlength  = 120 mm\nbetween = pin, wrist\n",
                   .symbol = "M-20 0h40M-20-3v6M20-3v6", .domain = IFBAM_DOMAIN_TRANSLATION,
                   .forms = IFBAM_BETWEEN_ENDS, .length_slot = IFBAM_SLOT_FOLLOW_LENGTH)
