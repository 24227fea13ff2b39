/* api-catalogue.h: names of the kinds of element classes
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "element/element.h"

/* Returns the kind's name, such as "free node"; static. */
const char *ifbam_kind_words (IfbamKind kind);
