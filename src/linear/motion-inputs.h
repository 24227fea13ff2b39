/* motion-inputs.h: inputs of small motions: forces, and motions of given nodes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "linear/small-motions.h"

/* Computes the forces on the coordinates of a unit force on a free node (n). */
void ifbam_small_motions_force_input (const IfbamSmallMotions *motions, gsize node, double *force);
/* Returns the motion of the free nodes per motion of a given node to which constraints join them,
 * at zero independent coordinates (transfer full) (n_free); NULL: none moves. */
double *ifbam_small_motions_carried (const IfbamSmallMotions *motions, gsize node);
/* Computes the input b = stiffness * position + damping * rate of a given node (n each). */
void ifbam_small_motions_motion_input (const IfbamSmallMotions *motions, gsize node,
                                       double *stiffness, double *damping);
