/* limits.h: sizes of arrays that several directories share; freestanding C
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

/* Ports of a link. */
#define IFBAM_MAX_PORTS 7
/* Ports of a node that a kernel sums over a run of nodes at once. */
#define IFBAM_MAX_RUN_PORTS 4
