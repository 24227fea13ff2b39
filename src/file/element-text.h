/* element-text.h: values of elements from texts
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "element/element.h"

/* Reads TEXT (length bytes) as the value of a parameter; FALSE with *reason (transfer full), a phrase
 * that completes "KEY: ". */
gboolean ifbam_element_parse (IfbamElement *element, guint param, const char *text, char **reason);

/* A number with its unit; the domain decides what "%x" is, an element of any domain learns from the
 * unit which domains are possible. */
gboolean ifbam_element_parse_number (const IfbamParam *param, guint32 *domains, const char *text,
                                     double *number, char **reason);

/* What a `course` key names, FILE.csv:COLUMN (transfer full), in SI; NULL with a reason (transfer full).
 * folder: where relative files are looked for (NULL: the current one). COLUMN may leave out the unit that the
 * file has there, "floor [mm]", and which must be one of what is driven. */
IfbamInterpolant *ifbam_element_read_course (gconstpointer folder, const IfbamParam *param,
                                             guint32 *domains, const char *text, char **reason);
/* What is to be said of a course that can be read: that neither a unit nor its name tells what it is, so that
 * it is taken in SI units; NULL: nothing (transfer full). */
char *ifbam_element_course_note (const char *folder, const IfbamElement *element);
