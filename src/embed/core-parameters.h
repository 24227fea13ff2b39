/* core-parameters.h: reads and changes single parameters of a core's elements
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "embed/core.h"

/* Returns the index of an element by its name; -1: there is none. */
int ifbam_core_find (const IfbamCore *core, const char *name);
/* Reads a parameter; place: index in a list, from 0 on. Returns -1 if there is none. */
int ifbam_core_get_number (IfbamCore *core, int element, const char *key, size_t place,
                           double *number);
/* Sets a parameter. Returns -1 if it is outside the class's range; ifbam_core_said() then states
 * the range. An equal value sets nothing. */
int ifbam_core_change_number (IfbamCore *core, int element, const char *key, size_t place,
                              double number);
