/* csv-reader.h: rows and fields of a CSV file, read from a file descriptor row by row
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

typedef struct
{
  const char *name;   /* of the file, in messages (not owned) */
  int fd;             /* -1: closed */
  GByteArray *buffer; /* bytes that were read, with a zero after them */
  gsize start;        /* of the next line in the buffer */
  gsize searched;     /* no end of a line before this index */
  gsize line;         /* number of the last line that was returned, from 1 */
  gboolean ended;
} IfbamCsvReader;

/* Opens a file; "-": standard input. FALSE with IFBAM_ERROR_COURSE. Errors of all functions below: the same, with file and
 * line, the fault, and the accepted form. */
gboolean ifbam_csv_reader_open (IfbamCsvReader *reader, const char *path, GError **error);
void ifbam_csv_reader_clear (IfbamCsvReader *reader);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (IfbamCsvReader, ifbam_csv_reader_clear)

/* Sets an error at the last line that was returned. Returns FALSE. */
gboolean ifbam_csv_fail (const IfbamCsvReader *reader, GError **error, const char *format, ...)
    G_GNUC_PRINTF (3, 4);

/* Returns the next line that is not blank, without its end and without a byte order mark; valid and writable until the next
 * call. NULL: the end of the file, or an error. */
char *ifbam_csv_read_row (IfbamCsvReader *reader, GError **error);
/* The same of a file's first row; without rows an error that names the wanted ones. */
char *ifbam_csv_read_first_row (IfbamCsvReader *reader, const char *wanted, GError **error);
/* Cuts a field off a row, in place: without quotes and the blanks around it. *row is NULL after the last one. Returns NULL if
 * a quote is not closed. */
char *ifbam_csv_take_field (char **row);
/* A field in quotes, printable and short, for a message (transfer full). */
char *ifbam_csv_quote (const char *field);
/* Whether a field has only characters of a decimal number: no "nan", "inf" or "0x10". */
gboolean ifbam_csv_is_like_number (const char *field);

/* Appends the names in a row (char *, transfer full). Rejects empty names, equal names, control characters, and bytes that are
 * not UTF-8. */
gboolean ifbam_csv_read_names (const IfbamCsvReader *reader, char *row, GPtrArray *names,
                               GError **error);
/* Reads a number for each of n names; an empty field is NaN (can_be_empty) or an error. The row's fields stay where they are, each
 * with a zero after it. */
gboolean ifbam_csv_read_numbers (const IfbamCsvReader *reader, char *row, const char *const *names,
                                 gsize n, gboolean can_be_empty, double *numbers, GError **error);
