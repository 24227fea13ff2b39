/* csv-reader.h: a CSV file of numbers, some of which may be missing
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

typedef struct
{
  GPtrArray *names; /* char*: of the columns */
  GArray *values;   /* double, row by row; NaN: the field is empty */
  gsize n_rows;
} IfbamCsvTable;

/* IFBAM_ERROR_COURSE with file and line: it can't be read, or is no such table. */
IfbamCsvTable *ifbam_csv_table_new_from_csv (const char *path, GError **error);
/* The same of a file without a header, whose columns have these names (char *). */
IfbamCsvTable *ifbam_csv_table_new_from_rows (const char *path, const GPtrArray *names,
                                              GError **error);
void ifbam_csv_table_free (IfbamCsvTable *table);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamCsvTable, ifbam_csv_table_free)

static inline double
ifbam_csv_table_value (const IfbamCsvTable *table, gsize row, guint column)
{
  return g_array_index (table->values, double, row * table->names->len + column);
}

/* The number of a column, or -1. */
int ifbam_csv_table_column (const IfbamCsvTable *table, const char *name);

/* Writing: field after field, then the end of the row. What is not a number is left empty. */
void ifbam_csv_table_append_name (GString *text, const char *name);
void ifbam_csv_table_append_number (GString *text, double number);
void ifbam_csv_table_end_row (GString *text);
