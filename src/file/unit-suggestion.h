/* unit-suggestion.h: suggests a unit for a text that is no unit, or one of another dimension
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

/* Returns a unit that converts to TARGET and is similar to TEXT, or two with "or" between them
 * (transfer full); NULL: none. */
char *ifbam_unit_suggest (const char *text, const char *target);
