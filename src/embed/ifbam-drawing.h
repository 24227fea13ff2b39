/* ifbam-drawing.h: a network as a diagram
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "file/ifbam-network.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

char *ifbam_network_draw (IfbamNetwork *network, GError **error);

#pragma GCC visibility pop
G_END_DECLS
