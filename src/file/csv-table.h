/* csv-table.h: tables of numbers, possibly with missing ones, in CSV
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

typedef struct
{
  GPtrArray *names; /* char*: names of the columns */
  GArray *values;   /* double, row by row; NaN: empty field (n_rows)(names) */
  gsize n_rows;
} IfbamCsvTable;

/* Takes ownership of names (char *). */
IfbamCsvTable *ifbam_csv_table_new (GPtrArray *names);
void ifbam_csv_table_free (IfbamCsvTable *table);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamCsvTable, ifbam_csv_table_free)

/* Reads a file with column names in the first line. NULL with IFBAM_ERROR_COURSE. */
IfbamCsvTable *ifbam_csv_table_new_from_csv (const char *path, GError **error);
/* Appends the rows of a file without names; FALSE with IFBAM_ERROR_COURSE, after some rows. */
gboolean ifbam_csv_table_read_rows (IfbamCsvTable *table, const char *path, GError **error);

static inline double
ifbam_csv_table_value (const IfbamCsvTable *table, gsize row, guint column)
{
  return g_array_index (table->values, double, row * table->names->len + column);
}

/* Returns the index of a column, or -1. */
int ifbam_csv_table_column (const IfbamCsvTable *table, const char *name);
/* Returns the table as CSV (transfer full), with or without the line of names. */
GString *ifbam_csv_table_text (const IfbamCsvTable *table, gboolean with_names);

/* These append a field and a comma. Names are quoted if needed; infinity and NaN are empty. */
void ifbam_csv_append_name (GString *text, const char *name);
void ifbam_csv_append_number (GString *text, double number);
/* Replaces the last comma by a newline. */
void ifbam_csv_end_row (GString *text);
/* Appends a row of names (NULL-terminated). */
void ifbam_csv_append_names (GString *text, const char *const *names);
/* Appends a row of a course: time, then finite values (n). */
void ifbam_csv_append_row (GString *text, double time, const double *values, gsize n);
