/* implied-ground.h: what stands still at the other end of links that have one
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "element/element-info.h"

/* A given node at 0 of any domain, which no file can name (transfer full). */
IfbamElement *ifbam_rest_new (void);
