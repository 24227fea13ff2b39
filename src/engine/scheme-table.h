/* scheme-table.h: the table of schemes
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/scheme.h"

/* Returns all schemes (static, n). */
const IfbamScheme *const *ifbam_schemes (guint *n);
const IfbamScheme *ifbam_scheme_by_name (const char *name);
const IfbamScheme *ifbam_scheme_default (void);
/* Returns the scheme for motion under reactions, which have no latency: verlet for latency. */
const IfbamScheme *ifbam_scheme_for_reactions (const IfbamScheme *scheme);
/* Returns the restart scheme for islands with an event: the scheme itself if of one step and order
 * 2 or more. In first order positions do not follow from rates: a bounce could penetrate. */
const IfbamScheme *ifbam_scheme_restart (const IfbamScheme *scheme);
