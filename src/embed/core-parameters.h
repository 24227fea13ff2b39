/* core-parameters.h: numbers of a core's elements, one by one, as classes let them be
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "embed/core.h"

/* The number of an element by its name; -1: there is none. */
int ifbam_core_find (const IfbamCore *core, const char *name);
/* One number of an element: of a list that with a place, from 0 on. -1: there is none. */
int ifbam_core_get_number (IfbamCore *core, int element, const char *key, size_t place,
                           double *number);
/* Sets it if the class lets it be so large; else ifbam_core_said() says what it may be. What is so already is not said
 * anew. */
int ifbam_core_change_number (IfbamCore *core, int element, const char *key, size_t place,
                              double number);
