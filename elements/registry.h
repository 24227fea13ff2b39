/* registry.h: the registered element classes by index and by name
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "element/element.h"
#include "elements/columns.h"

/* Returns the registered classes in the order of elements.def (static, n). */
const GType *ifbam_element_types (guint *n);
/* Returns the class of a name; NULL: none. */
const IfbamElementInfo *ifbam_element_info_by_name (const char *name, GType *type);
/* Returns the class name nearest to a wrong one; NULL: none. */
const char *ifbam_element_nearest_class (const char *name);
