/* csv-dialect.h: separator, decimal mark and heading of a CSV file
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

typedef struct
{
  char separator;    /* ',', ';', '\t', '|'; ' ': blanks and tabs */
  char decimal;      /* '.', ',' */
  guint header;      /* number of the line of names, from 1 on; 0: there are none */
  guint units;       /* number of the line of units; 0: there is none */
  guint n;           /* fields of a row; 0: not known */
  gboolean trailing; /* rows end by a separator */
} IfbamCsvDialect;

#define IFBAM_CSV_PLAIN                                                                            \
  {                                                                                                \
    ',', '.', 1, 0, 0, FALSE                                                                       \
  }

/* Sets options for all files that the process reads: texts KEY=VALUE, separated by blanks, with
 * separator (one of , ; | tab space), decimal (. or ,), header (a line's number, or no), units (yes
 * or no), time (a column's name or number). FALSE with IFBAM_ERROR_USAGE. */
gboolean ifbam_csv_set_options (const char *text, GError **error);
/* Returns the text of the option `time`; NULL: the first column. */
const char *ifbam_csv_time_column (void);

/* Finds the dialect of the first lines of a file (length bytes; whole: all of it): of the readings
 * with equally many numbers per row the one with the most rows. The plain one if none has such
 * rows. Returns an error as a phrase (transfer full) if two readings differ; else NULL. */
char *ifbam_csv_find_dialect (const char *text, gsize length, gboolean whole,
                              IfbamCsvDialect *dialect);
/* Returns "separator ;, decimal comma, names in line 3" (transfer full); NULL: plain. */
char *ifbam_csv_dialect_text (const IfbamCsvDialect *dialect);

/* Cuts a field off a row, in place, without its quotes and surrounding blanks. *row is NULL after
 * the last field. Returns NULL if a quote is not closed. */
char *ifbam_csv_take_field (char **row, char separator);
/* TRUE if a field has only characters of a decimal number: no "nan", "inf" or "0x10". */
gboolean ifbam_csv_is_like_number (const char *field, char decimal);
