/* answer.h: a command's answer, described once and written as text, JSON or CSV
 *
 * An answer is a tree of records (values under keys), lists and columns of numbers. A value is described by its key and by
 * the conversion of printf() that writes it in the text; JSON gets the value itself, with all digits. A table of the text is
 * a list of records, each added with one format; its head is a note. The parts are written as they are added, so that a
 * large answer needs little memory.
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
  IFBAM_EXIT_INTERRUPTED = 130, /* 128 + SIGINT; by another signal, 128 and its number */
};

/* Prints the error; returns the exit code. */
int ifbam_command_fail (const GError *error);
/* Prints a text to standard output; returns the exit code. */
int ifbam_command_print (const char *text);

typedef enum
{
  IFBAM_ANSWER_TEXT = FALSE,
  IFBAM_ANSWER_JSON = TRUE, /* as the option --json says */
  IFBAM_ANSWER_CSV,         /* columns alone */
} IfbamAnswerFormat;

typedef struct _IfbamAnswer IfbamAnswer;

/* An empty record, for a file or (path: NULL) for standard output; ifbam_answer_finish() prints errors of writing. */
IfbamAnswer *ifbam_answer_new (IfbamAnswerFormat format, const char *path);
/* The same for an output that is open (not owned, not finished); ifbam_answer_close() returns errors. */
IfbamAnswer *ifbam_answer_new_for_output (IfbamAnswerFormat format, IfbamOutput *output);

/* Adds a value for each conversion of the format to the record or list, as ifbam_json_add_formatted() does. keys: parted by
 * commas, one for each conversion; "-" or none: the value is in the text alone; of a list: "". */
void ifbam_answer_add (IfbamAnswer *answer, const char *keys, const char *format, ...)
    G_GNUC_PRINTF (3, 4);
/* The same of values that the text does not show: the format has their conversions alone. */
void ifbam_answer_add_data (IfbamAnswer *answer, const char *keys, const char *format, ...)
    G_GNUC_PRINTF (3, 4);
/* The same of words that the text alone has. */
void ifbam_answer_add_note (IfbamAnswer *answer, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* The first line of the text; title: NULL: none. */
void ifbam_answer_add_title (IfbamAnswer *answer, const char *title);
/* A list of texts (NULL-terminated, or NULL: none); in JSON alone. */
void ifbam_answer_add_texts (IfbamAnswer *answer, const char *key, const char *const *texts);
/* A column of n numbers, which have to last until the end: a list in JSON, "NAME.KEY" (name NULL: "KEY") in CSV. All columns
 * of a CSV are as long as the first. */
void ifbam_answer_add_column (IfbamAnswer *answer, const char *name, const char *key,
                              const double *numbers, gsize n);

/* Begins a record or a list within the record (key: its own) or list (key: NULL). */
void ifbam_answer_begin_record (IfbamAnswer *answer, const char *key);
void ifbam_answer_begin_list (IfbamAnswer *answer, const char *key);
void ifbam_answer_end (IfbamAnswer *answer);

/* Both end and free the answer. finish() returns the exit code. */
int ifbam_answer_finish (IfbamAnswer *answer);
gboolean ifbam_answer_close (IfbamAnswer *answer, GError **error);
