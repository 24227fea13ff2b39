/* branch.h: what stands between two nodes and is a node itself: its coordinate is the distance of these
 *
 * An inerter or a capacitor between two nodes is an inertia b whose rate is the difference of theirs: what is kept, by a
 * reaction of either sign, is
 *
 *   x_right - x_left = x       where distances grow as ends go apart
 *   x_left - x_right = x       of fluxes: a voltage is that of the left end against the right one
 *
 * but for what it is at the start, so that b x'' = F and the ends get -F and F: J^T b J beside the inertias of all others
 * (Smith 2002, Synthesis of mechanical networks: the inerter), and all that keeps relations has it. Where x is given in time, it is an ideal
 * source between two nodes, and the reaction its force.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "element/element-info.h"

/* The class of the links that do: of no name in a file, they are a part of their node. */
extern const IfbamElementInfo ifbam_tie_apart;    /* right - left */
extern const IfbamElementInfo ifbam_tie_together; /* left - right */

/* Of two nodes; where it must have them it is nothing without. */
#define IFBAM_PARAM_BETWEEN_TIED                                                                   \
  IFBAM_PARAM_REFERENCE (IFBAM_SLOT_BETWEEN, "between", 2, 2, IFBAM_REQUIRED,                      \
                         "the two nodes: LEFT, RIGHT")
