/* elements.h: the types of the registered element classes, declared from elements.def
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib-object.h>

#define IFBAM_ELEMENT_CLASS(name) GType ifbam_##name##_get_type (void);
#include "elements/elements.def"
#undef IFBAM_ELEMENT_CLASS
