/* csv-table.h: tables of numbers, some of which may be missing, from CSV files and as CSV
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

typedef struct
{
  GPtrArray *names; /* char*: of the columns */
  GArray *values;   /* double, row by row; NaN: the field is empty (n_rows)(names) */
  gsize n_rows;
} IfbamCsvTable;

/* Takes the names over (char *). */
IfbamCsvTable *ifbam_csv_table_new (GPtrArray *names);
void ifbam_csv_table_free (IfbamCsvTable *table);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamCsvTable, ifbam_csv_table_free)

/* Reads a file with the names of its columns in the first line. NULL with IFBAM_ERROR_COURSE. */
IfbamCsvTable *ifbam_csv_table_new_from_csv (const char *path, GError **error);
/* Appends the rows of a file without names to a table; FALSE with IFBAM_ERROR_COURSE: the table has some of the rows. */
gboolean ifbam_csv_table_read_rows (IfbamCsvTable *table, const char *path, GError **error);

static inline double
ifbam_csv_table_value (const IfbamCsvTable *table, gsize row, guint column)
{
  return g_array_index (table->values, double, row * table->names->len + column);
}

/* The number of a column, or -1. */
int ifbam_csv_table_column (const IfbamCsvTable *table, const char *name);
/* The table as CSV (transfer full), with or without the line of names. */
GString *ifbam_csv_table_text (const IfbamCsvTable *table, gboolean with_names);

/* These append a field and a comma; names are in quotes where a reader would not find one field, and a number that is not finite
 * is an empty field. */
void ifbam_csv_append_name (GString *text, const char *name);
void ifbam_csv_append_number (GString *text, double number);
/* Replaces the last comma by the end of a line. */
void ifbam_csv_end_row (GString *text);
/* Appends a row of names (NULL-terminated). */
void ifbam_csv_append_names (GString *text, const char *const *names);
/* Appends a row of a course: the time, then finite values (n). */
void ifbam_csv_append_row (GString *text, double time, const double *values, gsize n);
