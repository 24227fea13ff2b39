/* element-text.h: values of elements from texts
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "element/element.h"

/* Reads TEXT (length bytes) as the value of a parameter; FALSE with *reason (transfer full), a phrase
 * that completes "KEY: ". */
gboolean ifbam_element_parse (IfbamElement *element, guint param, const char *text, char **reason);

/* Reads a number with its unit. The domain determines the unit "%x"; for an element of any domain the
 * unit determines the possible domains. */
gboolean ifbam_element_parse_number (const IfbamParam *param, guint32 *domains, const char *text,
                                     double *number, char **reason);

/* Reads the column of a `course` key, FILE.csv:COLUMN (transfer full), in SI; NULL with a reason
 * (transfer full). folder: of relative files (NULL: the current one). COLUMN may omit its unit in the
 * file, "floor [mm]", which must be one of the driven quantity. */
IfbamInterpolant *ifbam_element_read_course (gconstpointer folder, const IfbamParam *param,
                                             guint32 *domains, const char *text, char **reason);
/* Returns a note on a course without a unit and with a name that implies none: it is taken in SI units
 * (transfer full); NULL: no note. */
char *ifbam_element_course_note (const char *folder, const IfbamElement *element);
