/* column-units.h: units in the names of columns
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

/* Returns a column's name without unit (transfer full): for "floor [mm]", "floor[mm]" and
 * "floor (mm)" "floor", with *unit "mm" (transfer full); for "c.m[3]", *unit is NULL. */
char *ifbam_course_split_name (const char *name, char **unit);
/* Returns a unit as in a line of units, "[s]", "(s)" or "s" (transfer full): "s"; of "-" and an
 * empty text "". NULL: it is no unit. */
char *ifbam_course_read_unit (const char *text);
