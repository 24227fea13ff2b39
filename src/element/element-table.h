/* element-table.h: two lists of an element as a table for its law
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "element/element-info.h"
#include "base/table.h"

/* A law is a struct of doubles; a table takes the place of one (IFBAM_TABLE_OF_LAW). */
G_STATIC_ASSERT (sizeof (const IfbamTable *) <= sizeof (double));

/* For `prepare`: the table of the lists in two slots. Its integral is that of least value 0 where there is a
 * least value, else that which is 0 at 0. Whatever the lists are, it can be asked. */
IfbamTable *ifbam_element_table_new (const IfbamElement *element, guint x_slot, guint y_slot);
/* For `free_prepared`. */
void ifbam_element_table_free (gpointer table);

/* For `fault`: why two lists (by their keys) are no table. NULL: they are, or a list is missing. */
char *ifbam_element_table_fault (IfbamElement *element, const char *x_key, const char *y_key,
                                 const char **key);
