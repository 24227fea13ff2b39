/* state-node.h: a node within a link that holds an internal state of its law
 * A state z is the velocity of a free node of inertia 1; its rate z' acts on the node as a force.
 * All schemes and engines therefore advance it like a velocity. No other link reads the node. Its
 * kinetic energy is not counted, and its position has no meaning.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "element/element-info.h"

const IfbamElementInfo *ifbam_state_node_info (void);
