/* api-catalogue.h: words for what a class is
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "element/element.h"

/* "free node"; static. */
const char *ifbam_kind_words (IfbamKind kind);
