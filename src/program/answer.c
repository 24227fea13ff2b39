/* answer.c: a command's output, described once and written as text, JSON or CSV
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "program/answer.h"

#include <signal.h>
#include <string.h>

#include "base/ifbam-error.h"
#include "file/file.h"
#include "program/progress.h"

#define CHUNK_BYTES 65536 /* bytes collected before writing */

struct _IfbamAnswer
{
  IfbamAnswerFormat format;
  IfbamOutput *output; /* NULL: it could not be opened */
  IfbamJsonWriter *json;
  GString *text;      /* owned by writer; not written yet */
  GPtrArray *names;   /* char *: names of the CSV columns */
  GPtrArray *columns; /* double *: their values */
  gsize n_rows;
  GError *error; /* first error of writing; later output is dropped */
};

static void
write_from (IfbamAnswer *self, gsize least)
{
  if (self->text->len < least)
    return;
  /* Messages may quote file names, with any characters. */
  ifbam_make_printable (self->text->str);
  if (self->error == NULL)
    ifbam_output_write (self->output, self->text->str, self->text->len, &self->error);
  g_string_truncate (self->text, 0);
}

void
ifbam_answer_begin_record (IfbamAnswer *answer, const char *key)
{
  if (answer->format == IFBAM_ANSWER_JSON)
    ifbam_json_object (answer->json, key);
}

void
ifbam_answer_begin_list (IfbamAnswer *answer, const char *key)
{
  if (answer->format == IFBAM_ANSWER_JSON)
    ifbam_json_array (answer->json, key);
}

void
ifbam_answer_end (IfbamAnswer *answer)
{
  if (answer->format == IFBAM_ANSWER_JSON)
    ifbam_json_end (answer->json);
}

IfbamAnswer *
ifbam_answer_new_for_output (IfbamAnswerFormat format, IfbamOutput *output)
{
  IfbamAnswer *self = g_new0 (IfbamAnswer, 1);

  self->format = format;
  self->output = output;
  self->json = ifbam_json_writer_new (TRUE);
  self->text = self->json->text;
  self->names = g_ptr_array_new_with_free_func (g_free);
  self->columns = g_ptr_array_new ();
  ifbam_answer_begin_record (self, NULL);
  return self;
}

IfbamAnswer *
ifbam_answer_new (IfbamAnswerFormat format, const char *path)
{
  GError *error = NULL;
  IfbamAnswer *self = ifbam_answer_new_for_output (format, ifbam_output_new (path, &error));

  self->error = error;
  return self;
}

static void
add_values (IfbamAnswer *self, const char *keys, const char *format, va_list *arguments)
{
  const gboolean is_text = self->format == IFBAM_ANSWER_TEXT;

  ifbam_json_add_formatted (is_text ? NULL : self->json, is_text ? self->text : NULL, keys, format,
                            arguments);
  write_from (self, CHUNK_BYTES);
}

void
ifbam_answer_add (IfbamAnswer *answer, const char *keys, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  if (answer->format != IFBAM_ANSWER_CSV)
    add_values (answer, keys, format, &arguments);
  va_end (arguments);
}

void
ifbam_answer_add_data (IfbamAnswer *answer, const char *keys, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  if (answer->format == IFBAM_ANSWER_JSON)
    add_values (answer, keys, format, &arguments);
  va_end (arguments);
}

void
ifbam_answer_add_note (IfbamAnswer *answer, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  if (answer->format == IFBAM_ANSWER_TEXT)
    add_values (answer, NULL, format, &arguments);
  va_end (arguments);
}

void
ifbam_answer_add_title (IfbamAnswer *answer, const char *title)
{
  if (title != NULL)
    ifbam_answer_add_note (answer, "%s\n", title);
}

void
ifbam_answer_add_texts (IfbamAnswer *answer, const char *key, const char *const *texts)
{
  if (answer->format == IFBAM_ANSWER_JSON)
    ifbam_json_strings (answer->json, key, texts);
}

void
ifbam_answer_add_column (IfbamAnswer *answer, const char *name, const char *key,
                         const double *numbers, gsize n)
{
  if (answer->format == IFBAM_ANSWER_JSON)
    ifbam_json_numbers (answer->json, key, numbers, n);
  if (answer->format != IFBAM_ANSWER_CSV)
    return;
  if (answer->names->len == 0)
    answer->n_rows = n;
  g_ptr_array_add (answer->names, name == NULL ? g_strdup (key) : g_strjoin (".", name, key, NULL));
  g_ptr_array_add (answer->columns, (gpointer) numbers);
}

static void
append_csv (IfbamAnswer *self)
{
  for (guint i = 0; i < self->names->len; i++)
    ifbam_csv_append_name (self->text, self->names->pdata[i]);
  ifbam_csv_end_row (self->text);
  for (gsize row = 0; row < self->n_rows; row++)
    {
      for (guint i = 0; i < self->columns->len; i++)
        ifbam_csv_append_number (self->text, ((const double *) self->columns->pdata[i])[row]);
      ifbam_csv_end_row (self->text);
      write_from (self, CHUNK_BYTES);
    }
}

gboolean
ifbam_answer_close (IfbamAnswer *self, GError **error)
{
  gboolean fine;

  ifbam_answer_end (self);
  if (self->format == IFBAM_ANSWER_JSON)
    g_string_append_c (self->text, '\n');
  else if (self->format == IFBAM_ANSWER_CSV)
    append_csv (self);
  write_from (self, 0);
  fine = self->error == NULL;
  if (!fine)
    g_propagate_error (error, self->error);
  ifbam_json_writer_free (self->json);
  g_ptr_array_unref (self->names);
  g_ptr_array_unref (self->columns);
  g_free (self);
  return fine;
}

int
ifbam_command_fail (const GError *error)
{
  const int signal = ifbam_progress_signal ();

  /* An error of a network begins with its file name, an error of a run with the time. */
  if (g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_NETWORK)
      && !g_str_has_prefix (error->message, "at t = "))
    g_printerr ("%s\n", error->message);
  else
    g_printerr ("%s: %s\n", "ifbam", error->message);
  /* Ranks that end by SIGUSR1 have not failed: the batch system requests that. */
  if (g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_INTERRUPTED) && signal == SIGUSR1)
    return IFBAM_EXIT_DONE;
  if (g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_INTERRUPTED))
    return signal != 0 ? 128 + signal : IFBAM_EXIT_INTERRUPTED;
  return g_error_matches (error, IFBAM_ERROR, IFBAM_ERROR_USAGE) ? IFBAM_EXIT_USAGE
                                                                 : IFBAM_EXIT_FAILED;
}

int
ifbam_answer_finish (IfbamAnswer *answer)
{
  g_autoptr (IfbamOutput) output = answer->output;
  g_autoptr (GError) error = NULL;

  return ifbam_answer_close (answer, &error) && ifbam_output_finish (output, &error)
             ? IFBAM_EXIT_DONE
             : ifbam_command_fail (error);
}

int
ifbam_command_print (const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *valid = g_strdup (text);

  /* Messages may quote file names, with any characters. */
  ifbam_make_printable (valid);
  if (ifbam_output_put (NULL, valid, strlen (valid), &error))
    return IFBAM_EXIT_DONE;
  return ifbam_command_fail (error);
}
