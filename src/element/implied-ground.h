/* implied-ground.h: ground at the missing end of links with one end
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "element/element-info.h"

/* Returns a given node at 0, of any domain, without a name in files (transfer full). */
IfbamElement *ifbam_implied_ground_new (void);
