/* core-writer.c: a network as the core reads it (embed/core.h), in SI units
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "file/core-writer.h"

#include <math.h>
#include <string.h>

#include "model/model.h"
#include "file/element-text.h"
#include "engine/engine.h"

static void
append_hexadecimal (GString *text, double number)
{
  char place[32];

  g_snprintf (place, sizeof place, "%a", number);
  g_strdelimit (place, ",", '.'); /* the only thing that a locale can change */
  g_string_append (text, place);
}

static void
append_list (GString *text, const double *numbers, gsize n)
{
  for (gsize i = 0; i < n; i++)
    {
      g_string_append (text, i > 0 ? "," : "");
      append_hexadecimal (text, numbers[i]);
    }
}

static void
append_text (GString *text, const char *value)
{
  for (const char *c = value; *c != '\0'; c++)
    if (*c == ' ' || *c == '%')
      g_string_append (text, *c == ' ' ? "%20" : "%25");
    else
      g_string_append_c (text, *c);
}

/* What a listener is told of its signal has that one's unit: a monitor's level, a controller's gain. It is read
 * when the listener hears what it listens to; a reader knows nobody but who asks. */
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

static void
append_told (GString *text, const IfbamNetwork *network, const IfbamModel *model,
             const IfbamElement *listener, const char *told)
{
  const char *signal = ifbam_element_slots (listener)[listener->info->signal_slot];
  g_autofree char *reason = NULL, *other = NULL;
  double law[IFBAM_MAX_LAW];
  const char *unit, *key;
  IfbamSignal found;

  memcpy (law, ifbam_element_law (listener), listener->info->law_size);
  wanted_key = told;
  wanted_number = NAN;
  if (ifbam_signal_find (model, network->by_name, signal, &found, &unit, &reason))
    other = listener->info->hears (listener, law, FALSE, unit, note_number, &key);
  append_hexadecimal (text, wanted_number);
}

/* What its `course` key names. */
static void
append_course (GString *text, const IfbamNetwork *network, const IfbamModel *model,
               const IfbamElement *element)
{
  const IfbamInterpolant *course;
  gsize number, member;

  if (ifbam_model_find (model, network->by_name, element->name, &number) == IFBAM_FOUND_SOURCE)
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
append_value (GString *text, const IfbamNetwork *network, const IfbamModel *model,
              IfbamElement *element, const IfbamParam *param)
{
  const double *number = ifbam_param_in_law (param) ? ifbam_element_number (element, param) : NULL;
  gconstpointer slot = number == NULL ? ifbam_element_slots (element)[param->place] : NULL;
  gsize n;

  switch (param->kind)
    {
    case IFBAM_PARAM_CHOICE:
      g_string_append (text, param->words[(int) *number]);
      break;
    case IFBAM_PARAM_NUMBERS:
      number = g_variant_get_fixed_array ((GVariant *) slot, &n, sizeof (double));
      append_list (text, number, n);
      break;
    case IFBAM_PARAM_ELEMENTS:
      for (char *const *names = slot; *names != NULL; names++)
        g_string_append_printf (text, "%s%s", names == slot ? "" : ",", *names);
      break;
    case IFBAM_PARAM_TEXT:
      if (strcmp (param->key, "course") == 0)
        append_course (text, network, model, element);
      else if (element->info->hears != NULL && param->place != element->info->signal_slot)
        append_told (text, network, model, element, param->key);
      else
        append_text (text, slot);
      break;
    case IFBAM_PARAM_NUMBER:
    default:
      append_hexadecimal (text, *number);
      break;
    }
}

typedef struct
{
  IfbamCoreTeller tell;
  gpointer data;
} Listener;

static void
tell_number (const Listener *listener, const char *key, double number)
{
  g_autoptr (GString) text = g_string_new (NULL);

  append_hexadecimal (text, number);
  listener->tell (listener->data, key, text->str);
}

static void
tell_member (gpointer data, const char *member, const IfbamParam *param, double value)
{
  g_autofree char *key = g_strdup_printf ("%s.%s", member, param->key);

  tell_number (data, key, value);
}

void
ifbam_network_tell_settings (const IfbamNetwork *network, const IfbamModel *model,
                             const IfbamRunSpec *spec, IfbamCoreTeller tell, gpointer data)
{
  const IfbamSettingsLaw *law = (const IfbamSettingsLaw *) ifbam_element_law (network->settings);
  const Listener listener = { tell, data };
  g_autoptr (GString) positions = g_string_new (NULL);

  tell (data, "scheme", spec->scheme->name);
  tell (data, "start", spec->cold ? "cold" : "warm");
  tell_number (&listener, "step", spec->tolerance > 0 ? spec->first : spec->step);
  tell_number (&listener, "duration", law->duration);
  if (spec->tolerance > 0)
    tell_number (&listener, "tolerance", spec->tolerance);
  if (spec->tolerance > 0 || law->sample > 0)
    tell_number (&listener, "sample", spec->tolerance > 0 ? spec->step : law->sample);
  if (spec->start_position == NULL)
    return;
  for (gsize i = 0; i < ifbam_model_n_outer (model); i++)
    {
      g_string_append (positions, i > 0 ? "," : "");
      append_hexadecimal (positions, spec->start_position[ifbam_model_number_of (model, i)]);
    }
  tell (data, "positions", positions->str);
}

void
ifbam_network_tell_element (const IfbamNetwork *network, const IfbamModel *model,
                            IfbamElement *element, IfbamCoreTeller tell, gpointer data)
{
  Listener listener = { tell, data };

  for (guint p = 0; p < element->info->n_params; p++)
    if (ifbam_element_is_set (element, p))
      {
        g_autoptr (GString) text = g_string_new (NULL);

        append_value (text, network, model, element, &element->info->params[p]);
        tell (data, element->info->params[p].key, text->str);
      }
  if (element->info->list_members != NULL)
    element->info->list_members (element, tell_member, &listener);
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

  ifbam_network_tell_settings (network, model, spec, append_pair, text);
  g_string_append_c (text, '\n');
  for (guint i = 0; i < network->elements->len; i++)
    {
      IfbamElement *element = network->elements->pdata[i];

      g_string_append_printf (text, "%s %s", element->info->name, element->name);
      ifbam_network_tell_element (network, model, element, append_pair, text);
      g_string_append_c (text, '\n');
    }
  return g_string_free (text, FALSE);
}
