/* json-writer.h: writes JSON value by value, also by printf() formats
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

typedef struct
{
  GString *text;     /* text so far; may be written to a file and emptied between values */
  GString *nesting;  /* '{' of each open object, '[' of each open array */
  gboolean pretty;   /* one value per line */
  gboolean is_begun; /* the innermost object or array has a value */
} IfbamJsonWriter;

IfbamJsonWriter *ifbam_json_writer_new (gboolean pretty);
void ifbam_json_writer_free (IfbamJsonWriter *json);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamJsonWriter, ifbam_json_writer_free)

/* Each function adds a value; key: NULL in an array and at the top. */

/* text: NULL adds null; invalid UTF-8 is replaced. */
void ifbam_json_string (IfbamJsonWriter *json, const char *key, const char *text);
/* A number that is not finite adds null. */
void ifbam_json_number (IfbamJsonWriter *json, const char *key, double number);
void ifbam_json_count (IfbamJsonWriter *json, const char *key, gint64 count);
void ifbam_json_boolean (IfbamJsonWriter *json, const char *key, gboolean value);
/* An array of texts; texts: NULL-terminated, or NULL: an empty array. */
void ifbam_json_strings (IfbamJsonWriter *json, const char *key, const char *const *texts);

void ifbam_json_numbers (IfbamJsonWriter *json, const char *key, const double *numbers, gsize n);

/* Adds a value for each conversion of a format: %s (NULL: null), %d, %u, %zu, %lu (counts), %i
 * (true or false), and %e, %f, %g, %a (numbers; not finite: null). keys: comma-separated, one per
 * conversion; "-" or none: no value is added; in an array: "". */
void ifbam_json_add (IfbamJsonWriter *json, const char *keys, const char *format, ...)
    G_GNUC_PRINTF (3, 4);
/* Adds an object of such values. */
void ifbam_json_record (IfbamJsonWriter *json, const char *key, const char *keys,
                        const char *format, ...) G_GNUC_PRINTF (4, 5);
/* Adds the values to JSON (NULL: not), and formats them with the words between them, as printf(),
 * to a text (NULL: not). In the text %a has all digits, and a number that is not finite is "-". */
void ifbam_json_add_formatted (IfbamJsonWriter *json, GString *text, const char *keys,
                               const char *format, va_list *arguments);

/* These begin an array or object; ifbam_json_end() ends it. */
void ifbam_json_array (IfbamJsonWriter *json, const char *key);
void ifbam_json_object (IfbamJsonWriter *json, const char *key);
void ifbam_json_end (IfbamJsonWriter *json);
