/* answer.h: a command's output, described once and written as text, JSON or CSV
 *
 * An answer is a tree of records (values under keys), lists and columns of numbers. A value is
 * described by its key and a printf() conversion for the text; JSON gets all its digits. A table in
 * the text is a list of records, each added with one format, under a note as its head. Parts are
 * written as they are added, so a large answer needs little memory.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "file/file.h"

/* Exit codes. */
enum
{
  IFBAM_EXIT_DONE = 0,
  IFBAM_EXIT_FAILED = 1,
  IFBAM_EXIT_USAGE = 2,
  IFBAM_EXIT_INTERRUPTED = 130, /* 128 + SIGINT; for other signals 128 + the signal's number */
};

/* Prints the error; returns the exit code. */
int ifbam_command_fail (const GError *error);
/* Prints a text to standard output; returns the exit code. */
int ifbam_command_print (const char *text);

typedef enum
{
  IFBAM_ANSWER_TEXT = FALSE,
  IFBAM_ANSWER_JSON = TRUE, /* values of the option --json */
  IFBAM_ANSWER_CSV,         /* columns only */
} IfbamAnswerFormat;

typedef struct _IfbamAnswer IfbamAnswer;

/* Creates an empty record, for a file or (path NULL) standard output. _finish () prints errors. */
IfbamAnswer *ifbam_answer_new (IfbamAnswerFormat format, const char *path);
/* As above, for an open output (not owned, not finished); ifbam_answer_close() returns errors. */
IfbamAnswer *ifbam_answer_new_for_output (IfbamAnswerFormat format, IfbamOutput *output);

/* Adds a value for each conversion of the format to the record or list, as
 * ifbam_json_add_formatted() does. keys: comma-separated, one per conversion; "-", none: text
 * only. */
void ifbam_answer_add (IfbamAnswer *answer, const char *keys, const char *format, ...)
    G_GNUC_PRINTF (3, 4);
/* As above, without text: the format consists of conversions only. */
void ifbam_answer_add_data (IfbamAnswer *answer, const char *keys, const char *format, ...)
    G_GNUC_PRINTF (3, 4);
/* As above, only in the text. */
void ifbam_answer_add_note (IfbamAnswer *answer, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* Adds the first line of the text; title: NULL: none. */
void ifbam_answer_add_title (IfbamAnswer *answer, const char *title);
/* Adds a list of texts (NULL-terminated, or NULL: none), only to JSON. */
void ifbam_answer_add_texts (IfbamAnswer *answer, const char *key, const char *const *texts);
/* Adds a column of n numbers, which must live until the end: a list in JSON, "NAME.KEY" (name NULL:
 * "KEY") in CSV. All columns of a CSV file have the length of the first. */
void ifbam_answer_add_column (IfbamAnswer *answer, const char *name, const char *key,
                              const double *numbers, gsize n);

/* Begins a record or a list in the present record (with its key) or list (key NULL). */
void ifbam_answer_begin_record (IfbamAnswer *answer, const char *key);
void ifbam_answer_begin_list (IfbamAnswer *answer, const char *key);
void ifbam_answer_end (IfbamAnswer *answer);

/* Both end and free the answer. _finish () returns the exit code. */
int ifbam_answer_finish (IfbamAnswer *answer);
gboolean ifbam_answer_close (IfbamAnswer *answer, GError **error);
