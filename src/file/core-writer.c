/* core-writer.c: writes a network as core text (embed/core.h), in SI units
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "file/core-writer.h"

#include <math.h>
#include <string.h>

#include "model/model.h"
#include "file/element-text.h"
#include "file/network-walk.h"
#include "engine/engine.h"

static void
append_hexadecimal (GString *text, double number)
{
  char place[32];

  g_snprintf (place, sizeof place, "%a", number);
  g_strdelimit (place, ",", '.'); /* a locale can only change the decimal mark */
  g_string_append (text, place);
}

/* Value of a parameter in the unit of the signal that its element reads: a monitor's level, a
 * controller's gain. The class reads it with the unit, by a function without a data argument. */
static _Thread_local const char *wanted_key;
static _Thread_local double wanted_number;

static gboolean
note_number (const IfbamParam *param, guint32 *domains, const char *text, double *number,
             char **reason)
{
  const gboolean fine = ifbam_element_parse_number (param, domains, text, number, reason);

  if (strcmp (param->key, wanted_key) == 0)
    wanted_number = *number;
  return fine;
}

/* An element, its network, and the function that receives its values. */
typedef struct
{
  const IfbamNetwork *network;
  const IfbamModel *model;
  IfbamElement *element;
  IfbamCoreSetter set_value;
  gpointer data;
} Walk;

static void
append_told (const Walk *walk, GString *text, const char *key)
{
  const IfbamElement *element = walk->element;
  const char *signal = ifbam_element_slots (element)[element->info->signal_slot];
  g_autofree char *reason = NULL, *other = NULL;
  double law[IFBAM_MAX_LAW];
  const char *unit, *faulty;
  IfbamSignal found;

  memcpy (law, ifbam_element_law (element), element->info->law_size);
  wanted_key = key;
  wanted_number = NAN;
  if (ifbam_signal_find (walk->model, walk->network->by_name, signal, &found, &unit, &reason))
    other = element->info->signal (element, law, FALSE, unit, note_number, &faulty);
  append_hexadecimal (text, wanted_number);
}

/* Appends the points of the course of a source or given node. */
static void
append_course (const Walk *walk, GString *text)
{
  const IfbamModel *model = walk->model;
  const IfbamInterpolant *course;
  gsize number, member;

  if (ifbam_model_find (model, walk->network->by_name, walk->element->name, &number)
      == IFBAM_FOUND_SOURCE)
    course = ifbam_model_source_of (model, number)->course;
  else
    course = ifbam_model_node_span (model, number, &member)->course;
  for (gsize i = 0; i < course->n; i++)
    {
      g_string_append (text, i > 0 ? "," : "");
      append_hexadecimal (text, course->time[i]);
      g_string_append_c (text, ':');
      append_hexadecimal (text, course->value[i]);
    }
}

static void
append_text (gpointer data, GString *text, const IfbamParam *param, const char *value)
{
  const Walk *walk = data;
  const IfbamElementInfo *info = walk->element->info;

  if (strcmp (param->key, "course") == 0)
    append_course (walk, text);
  else if (info->signal != NULL && param->offset != info->signal_slot)
    append_told (walk, text, param->key);
  else
    for (const char *c = value; *c != '\0'; c++)
      if (*c == ' ' || *c == '%')
        g_string_append (text, *c == ' ' ? "%20" : "%25");
      else
        g_string_append_c (text, *c);
}

static void
append_number (gpointer data, GString *text, const IfbamParam *param, double number,
               gboolean of_member)
{
  (void) data, (void) of_member;
  /* The points of a course have been shifted. */
  append_hexadecimal (text, strcmp (param->key, "shift") == 0 ? 0 : number);
}

static void
write_setting (gpointer data, const char *key, const char *text)
{
  const Walk *walk = data;

  walk->set_value (walk->data, key, text);
}

static void
write_number (IfbamCoreSetter set_value, gpointer data, const char *key, double number)
{
  g_autoptr (GString) text = g_string_new (NULL);

  append_hexadecimal (text, number);
  set_value (data, key, text->str);
}

void
ifbam_network_write_settings (const IfbamNetwork *network, const IfbamModel *model,
                              const IfbamRunSpec *spec, IfbamCoreSetter set_value, gpointer data)
{
  const IfbamSettingsLaw *law = (const IfbamSettingsLaw *) ifbam_element_law (network->settings);
  const double *const start[] = { spec->start_position, spec->start_rate };
  g_autoptr (GString) positions = g_string_new (NULL);

  set_value (data, "scheme", spec->scheme->name);
  set_value (data, "start", spec->cold ? "cold" : "warm");
  write_number (set_value, data, "step", spec->tolerance > 0 ? spec->first : spec->step);
  write_number (set_value, data, "duration", law->duration);
  if (spec->tolerance > 0)
    write_number (set_value, data, "tolerance", spec->tolerance);
  if (spec->tolerance > 0 || law->sample > 0)
    write_number (set_value, data, "sample", spec->tolerance > 0 ? spec->step : law->sample);
  for (guint k = 0; k < 2; k++)
    for (gsize i = 0; start[k] != NULL && i < ifbam_model_n_named_free (model); i++)
      {
        g_string_append (positions, positions->len > 0 ? "," : "");
        append_hexadecimal (positions, start[k][ifbam_model_named_node (model, i)]);
      }
  if (spec->start_position == NULL)
    return;
  set_value (data, "positions", positions->str);
}

void
ifbam_network_write_element (const IfbamNetwork *network, const IfbamModel *model,
                             IfbamElement *element, IfbamCoreSetter set_value, gpointer data)
{
  static const IfbamValueForm form = { ",", "*", append_number, append_text, NULL, write_setting };
  Walk walk = { network, model, element, set_value, data };

  ifbam_element_walk (element, &form, &walk);
}

static void
append_pair (gpointer data, const char *key, const char *text)
{
  g_string_append_printf (data, " %s=%s", key, text);
}

char *
ifbam_network_core_text (const IfbamNetwork *network, const IfbamModel *model,
                         const IfbamRunSpec *spec)
{
  GString *text = g_string_new ("network -");

  ifbam_network_write_settings (network, model, spec, append_pair, text);
  g_string_append_c (text, '\n');
  for (guint i = 0; i < network->elements->len; i++)
    {
      IfbamElement *element = network->elements->pdata[i];

      g_string_append_printf (text, "%s %s", element->info->name, element->name);
      ifbam_network_write_element (network, model, element, append_pair, text);
      g_string_append_c (text, '\n');
    }
  return g_string_free (text, FALSE);
}
