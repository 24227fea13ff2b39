/* json-member.c: values under construction in JSON: members of an object, or elements of an array
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "file/json-member.h"

#include <math.h>

static JsonBuilder *
at_key (JsonBuilder *builder, const char *key)
{
  return key != NULL ? json_builder_set_member_name (builder, key) : builder;
}

void
ifbam_json_string (JsonBuilder *builder, const char *key, const char *text)
{
  if (text != NULL)
    json_builder_add_string_value (at_key (builder, key), text);
  else
    json_builder_add_null_value (at_key (builder, key));
}

void
ifbam_json_number (JsonBuilder *builder, const char *key, double number)
{
  if (isfinite (number))
    json_builder_add_double_value (at_key (builder, key), number);
  else
    json_builder_add_null_value (at_key (builder, key));
}

void
ifbam_json_count (JsonBuilder *builder, const char *key, guint64 count)
{
  json_builder_add_int_value (at_key (builder, key), (gint64) count);
}

void
ifbam_json_boolean (JsonBuilder *builder, const char *key, gboolean value)
{
  json_builder_add_boolean_value (at_key (builder, key), value);
}

void
ifbam_json_strings (JsonBuilder *builder, const char *key, const char *const *texts)
{
  ifbam_json_array (builder, key);
  for (guint i = 0; texts != NULL && texts[i] != NULL; i++)
    json_builder_add_string_value (builder, texts[i]);
  json_builder_end_array (builder);
}

void
ifbam_json_array (JsonBuilder *builder, const char *key)
{
  json_builder_begin_array (at_key (builder, key));
}

void
ifbam_json_object (JsonBuilder *builder, const char *key)
{
  json_builder_begin_object (at_key (builder, key));
}
