/* element-table.h: two lists of an element as a table for its law
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "element/element-info.h"
#include "base/table.h"

/* A law is a struct of doubles; the pointer to a table occupies one (IFBAM_TABLE_OF_LAW). */
G_STATIC_ASSERT (sizeof (const IfbamTable *) <= sizeof (double));

/* For `prepare`: returns the table of the lists in two slots; any lists give a valid table. Its
 * integral's least value is 0; without a least value, the integral is 0 at 0. */
IfbamTable *ifbam_element_table_new (const IfbamElement *element, guint x_slot, guint y_slot);
/* For `free_prepared`. */
void ifbam_element_table_free (gpointer table);

/* For `fault`: returns why two lists (by keys) form no table; NULL: they do, or one is missing. */
char *ifbam_element_table_fault (IfbamElement *element, const char *x_key, const char *y_key,
                                 const char **key);
