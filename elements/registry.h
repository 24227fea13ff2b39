/* registry.h: the registered element classes by number and by name
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "element/element.h"
#include "elements/columns.h"

/* The registered classes, in the order of elements.def (static, n of them). */
const GType *ifbam_element_types (guint *n);
/* NULL where no class has this name. */
const IfbamElementInfo *ifbam_element_info_by_name (const char *name, GType *type);
/* The class name nearest to a wrong one, or NULL. */
const char *ifbam_element_nearest_class (const char *name);
