/* scheme-table.h: the table of schemes
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/scheme.h"

/* All schemes, n of them (static). */
const IfbamScheme *const *ifbam_schemes (guint *n);
const IfbamScheme *ifbam_scheme_by_name (const char *name);
const IfbamScheme *ifbam_scheme_default (void);
/* As which one a scheme acts on what reactions alone let swing: they do not come late, so with latency as verlet. */
const IfbamScheme *ifbam_scheme_on_reactions (const IfbamScheme *scheme);
/* By which one islands go through instants: itself, if one step says all, and positions follow from the rates that they
 * are told with, which they don't in first order: what has just bounced could go through. */
const IfbamScheme *ifbam_scheme_companion (const IfbamScheme *scheme);
