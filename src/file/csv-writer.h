/* csv-writer.h: rows of numbers to a file that appears whole, or to a stream
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

typedef struct _IfbamCsvWriter IfbamCsvWriter;

/* path: NULL or "-" is standard output. A regular file is written beside its place and renamed by
 * ifbam_csv_writer_finish; what exists and is no regular file (a pipe, /dev/full) is written
 * directly. columns: names, NULL-terminated, the first is "time". */
IfbamCsvWriter *ifbam_csv_writer_new (const char *path, const char *const *columns, GError **error);
gboolean ifbam_csv_writer_row (IfbamCsvWriter *writer, double time, const double *values,
                               GError **error);
/* Writes the rows so far, so that somebody can look at them. */
gboolean ifbam_csv_writer_flush (IfbamCsvWriter *writer, GError **error);
/* How far it has got, and going on from there: see ifbam_output_mark. */
gboolean ifbam_csv_writer_mark (IfbamCsvWriter *writer, guint64 *size, char **sum, GError **error);
void ifbam_csv_writer_forget_mark (IfbamCsvWriter *writer);
IfbamCsvWriter *ifbam_csv_writer_new_at_mark (const char *path, const char *const *columns,
                                              guint64 size, const char *sum, GError **error);
/* Flushes, checks every earlier write, renames into place. The writer stays to be freed. */
gboolean ifbam_csv_writer_finish (IfbamCsvWriter *writer, GError **error);
/* Without a finish before: removes the unfinished file. */
void ifbam_csv_writer_free (IfbamCsvWriter *writer);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamCsvWriter, ifbam_csv_writer_free)
