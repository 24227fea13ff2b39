/* ifbam-equilibrium.h: equilibrium of a network
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "file/ifbam-network.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

IfbamCourse *ifbam_network_find_equilibrium (IfbamNetwork *network, GError **error);

#pragma GCC visibility pop
G_END_DECLS
