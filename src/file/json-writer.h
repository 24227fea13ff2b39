/* json-writer.h: JSON as text, value by value, and values in the formats of printf()
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

typedef struct
{
  GString *text;     /* so far; may be written to a file and emptied between values */
  GString *nesting;  /* '{' of each open object, '[' of each open array */
  gboolean pretty;   /* a line for each value */
  gboolean is_begun; /* the innermost object or array has a value */
} IfbamJsonWriter;

IfbamJsonWriter *ifbam_json_writer_new (gboolean pretty);
void ifbam_json_writer_free (IfbamJsonWriter *json);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamJsonWriter, ifbam_json_writer_free)

/* Each adds a value; key: NULL in an array and at the top. */

/* text: NULL adds null; bytes that are not UTF-8 are replaced. */
void ifbam_json_string (IfbamJsonWriter *json, const char *key, const char *text);
/* A number that is not finite adds null. */
void ifbam_json_number (IfbamJsonWriter *json, const char *key, double number);
void ifbam_json_count (IfbamJsonWriter *json, const char *key, gint64 count);
void ifbam_json_boolean (IfbamJsonWriter *json, const char *key, gboolean value);
/* An array of texts; texts: NULL-terminated, or NULL: an empty array. */
void ifbam_json_strings (IfbamJsonWriter *json, const char *key, const char *const *texts);

void ifbam_json_numbers (IfbamJsonWriter *json, const char *key, const double *numbers, gsize n);

/* Adds a value for each conversion of a format: %s (NULL: null), %d, %u, %zu, %lu (counts), %i (true or false), and %e, %f,
 * %g, %a (numbers; not finite: null). keys: parted by commas, one for each conversion; "-" or none: no value is added; of
 * an array: "". */
void ifbam_json_add (IfbamJsonWriter *json, const char *keys, const char *format, ...)
    G_GNUC_PRINTF (3, 4);
/* An object of such values alone. */
void ifbam_json_record (IfbamJsonWriter *json, const char *key, const char *keys,
                        const char *format, ...) G_GNUC_PRINTF (4, 5);
/* The same to JSON (NULL: not), and with the words between the conversions, as printf() writes them, to a text (NULL: not):
 * there %a has as many digits as the number, and a number that is not finite is "-". */
void ifbam_json_add_formatted (IfbamJsonWriter *json, GString *text, const char *keys,
                               const char *format, va_list *arguments);

/* These begin an array or an object, which ifbam_json_end() ends. */
void ifbam_json_array (IfbamJsonWriter *json, const char *key);
void ifbam_json_object (IfbamJsonWriter *json, const char *key);
void ifbam_json_end (IfbamJsonWriter *json);
