/* unit-suggestion.h: the unit that was probably meant by a text that is none, or by one of another dimension
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

/* Returns a unit that converts to TARGET and may have been meant by TEXT, or two of them with "or" between (transfer full);
 * NULL: there is none. The caller holds the lock of quantities.c. */
char *ifbam_unit_suggest (const char *text, const char *target);
