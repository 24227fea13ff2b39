/* csv-reader.h: reads a CSV file row by row from a file descriptor
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "file/csv-dialect.h"

typedef struct
{
  const char *name;   /* file name in messages (not owned) */
  int fd;             /* -1: closed */
  GByteArray *buffer; /* bytes that were read, zero-terminated */
  gsize start;        /* start of the next line in the buffer */
  gsize searched;     /* no end of a line before this index */
  gsize line;         /* number of the last returned line, from 1 on */
  gboolean ended;
  char *numbers;           /* names of a file without a line of names */
  IfbamCsvDialect dialect; /* plain until the first row is read */
} IfbamCsvReader;

/* Opens a file; "-": standard input. FALSE with IFBAM_ERROR_COURSE, as in all functions below: file
 * and line, fault, accepted form. */
gboolean ifbam_csv_reader_open (IfbamCsvReader *reader, const char *path, GError **error);
void ifbam_csv_reader_clear (IfbamCsvReader *reader);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (IfbamCsvReader, ifbam_csv_reader_clear)

/* Sets an error at the last returned line. Returns FALSE. */
gboolean ifbam_csv_fail (const IfbamCsvReader *reader, GError **error, const char *format, ...)
    G_GNUC_PRINTF (3, 4);

/* Returns the next line that is not blank, without newline and byte order mark; valid and writable
 * until the next call. NULL: end of the file, or an error. */
char *ifbam_csv_read_row (IfbamCsvReader *reader, GError **error);
/* Finds the dialect and returns the line of names, after any lines before it. An empty file is an
 * error with the wanted form. */
char *ifbam_csv_read_first_row (IfbamCsvReader *reader, const char *wanted, GError **error);
/* Returns a field in quotes, printable and shortened, for a message (transfer full). */
char *ifbam_csv_quote (const char *field);

/* Appends the names in a row (char *, transfer full), with the units of a line of units. Rejects
 * empty or equal names, control characters, and invalid UTF-8. Without a line of names the names
 * are the numbers of the columns, from 1 on. */
gboolean ifbam_csv_read_names (IfbamCsvReader *reader, char *row, GPtrArray *names, GError **error);
/* Reads a number for each of n names; an empty field is NaN (can_be_empty) or an error. The row's
 * fields are zero-terminated in place. */
gboolean ifbam_csv_read_numbers (const IfbamCsvReader *reader, char *row, const char *const *names,
                                 gsize n, gboolean can_be_empty, double *numbers, GError **error);
