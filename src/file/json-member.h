/* json-member.h: values under construction in JSON: members of an object, or elements of an array
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <json-glib/json-glib.h>

/* Each adds a value under a key; key: NULL within an array. */

/* text: NULL adds null. */
void ifbam_json_string (JsonBuilder *builder, const char *key, const char *text);
/* A number that is not finite adds null. */
void ifbam_json_number (JsonBuilder *builder, const char *key, double number);
void ifbam_json_count (JsonBuilder *builder, const char *key, guint64 count);
void ifbam_json_boolean (JsonBuilder *builder, const char *key, gboolean value);
/* An array of texts; texts: NULL-terminated, or NULL: an empty array. */
void ifbam_json_strings (JsonBuilder *builder, const char *key, const char *const *texts);

/* These begin an array or an object, which json_builder_end_array() or json_builder_end_object() ends. */
void ifbam_json_array (JsonBuilder *builder, const char *key);
void ifbam_json_object (JsonBuilder *builder, const char *key);
