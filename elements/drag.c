/* drag.c: resistance of still air, quadratic in the velocity
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "elements/drag-law.h"
#include "element/element.h"

static const IfbamParam drag_params[] = {
  IFBAM_PARAM (DragLaw, coefficient, "coefficient", "kg/m", 0, G_MAXDOUBLE, IFBAM_REQUIRED,
               "force per square of the velocity"),
  IFBAM_PARAM_REFERENCE (IFBAM_SLOT_ON, "on", 1, 1, IFBAM_REQUIRED,
                         "the mass or ball that it acts on"),
};

IFBAM_DEFINE_LAW (DragLaw, drag, (SMOOTH, SLOPES, DIFFERENCE_3), .lossy = TRUE, .storeless = TRUE)

IFBAM_DEFINE_LINK (Drag, drag, DragLaw, drag, .name = "drag",
                   .summary = "air resistance of a mass or a ball",
                   .law = "force on the mass = -coefficient * |velocity| * velocity",
                   .source = "Newton 1687, Principia II, section VII",
                   .example = "[drag air]\non          = m1\ncoefficient = 0.02 kg/m\n",
                   .symbol = "M-20 0h8M-12-9v18M-4-8c4-4 6 4 10 0s6 4 10 0M-4 0c4-4 6 4 10"
                             " 0s6 4 10 0M-4 8c4-4 6 4 10 0s6 4 10 0",
                   .domain = IFBAM_DOMAIN_TRANSLATION, .forms = IFBAM_ON_NODE | IFBAM_ON_BALL)
