/* branch.h: branches: nodes with the difference of two nodes as coordinate
 * An inerter or a capacitor between two nodes is an inertia b with the difference of the nodes'
 * rates as rate. A bilateral constraint enforces, up to the value at the start,
 *
 *   x_right - x_left = x       for positions: x is a distance
 *   x_left - x_right = x       for fluxes: the voltage of the left end against the right one
 *
 * so that b x'' = F, and the ends get -F and F: J^T b J is added to the inertias (Smith 2002,
 * Synthesis of mechanical networks: the inerter). If x is a given function of time, the branch is
 * an ideal source between two nodes; its force is the reaction.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "element/element-info.h"

/* Classes of the links that enforce the constraint; not for files. A link belongs to its node. */
extern const IfbamElementInfo ifbam_branch_distance_info;   /* x_right - x_left */
extern const IfbamElementInfo ifbam_branch_difference_info; /* x_left - x_right */

/* The two nodes of a class that is always a branch. */
#define IFBAM_PARAM_BETWEEN_BRANCH                                                                 \
  IFBAM_PARAM_REFERENCE (IFBAM_SLOT_BETWEEN, "between", 2, 2, IFBAM_REQUIRED,                      \
                         "the two nodes: LEFT, RIGHT")
