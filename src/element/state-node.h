/* state-node.h: a node within a link that holds an internal state of its law
 *
 * A state z changes like a momentum: z' = rate, as (m v)' = F. Each state is therefore the velocity
 * of a free node of inertia 1, on which the rate acts as a force; all schemes and engines advance
 * it as they advance velocities. No other link reads the node. It has no kinetic energy, and its
 * position has no meaning.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "element/element-info.h"

const IfbamElementInfo *ifbam_state_node_info (void);
