/* schemes.h: the table of schemes
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "scheme/scheme.h"

/* All schemes, n of them (static). */
const IfbamScheme *const *ifbam_schemes (guint *n);
const IfbamScheme *ifbam_scheme_by_name (const char *name);
const IfbamScheme *ifbam_scheme_default (void);
