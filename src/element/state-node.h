/* state-node.h: what keeps an internal state of a link: a node within it
 *
 * A state z that changes at a rate is what a momentum is: z' = rate as (m v)' = F. So each is the velocity of a
 * free node of inertia 1 inside its link, which hears that rate as a force, and every scheme and engine
 * carries it on as it carries on velocities, in its own order. Nobody else hears it, it has no energy of motion, and
 * what it integrates to, its position, means nothing.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "element/element-info.h"

const IfbamElementInfo *ifbam_inner_info (void);
