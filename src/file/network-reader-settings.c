/* network-reader-settings.c: settings of the command line, ELEMENT.KEY=VALUE
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "file/network-reader-settings.h"

#include <string.h>

#include "elements/registry.h"
#include "file/element-text.h"
#include "file/network-values.h"
#include "file/parameters.h"

void
ifbam_reader_add_setting_fault (IfbamNetworkReader *reader, const IfbamReaderSetting *setting,
                                const char *format, ...)
{
  static const char *const options[] = { "scheme", "step",   "duration",  "start",
                                         "record", "sample", "tolerance", NULL };
  va_list arguments;

  if (reader->usage->len > 0)
    g_string_append_c (reader->usage, '\n');
  if (setting->element != NULL && g_str_equal (setting->element, "network")
      && g_strv_contains (options, setting->key))
    g_string_append_printf (reader->usage, "--%s %s: ", setting->key, setting->value);
  else
    g_string_append_printf (reader->usage, "--set %s: ", setting->text);
  va_start (arguments, format);
  g_string_append_vprintf (reader->usage, format, arguments);
  va_end (arguments);
}

void
ifbam_reader_setting_clear (IfbamReaderSetting *setting)
{
  g_free (setting->text);
  g_free (setting->element);
  g_free (setting->key);
  g_free (setting->value);
}

void
ifbam_reader_read_settings (IfbamNetworkReader *reader, const char *const *texts)
{
  for (guint i = 0; texts != NULL && texts[i] != NULL; i++)
    {
      IfbamReaderSetting setting = { .text = g_strdup (texts[i]) };
      const char *equals = strchr (texts[i], '=');

      if (equals == NULL || equals == texts[i])
        ifbam_reader_add_setting_fault (reader, &setting,
                                        "want ELEMENT.KEY=VALUE or PARAMETER=VALUE");
      else
        {
          g_autofree char *target = g_strstrip (g_strndup (texts[i], (gsize) (equals - texts[i])));
          char *dot = strrchr (target, '.');

          setting.value = g_strstrip (g_strdup (equals + 1));
          setting.key = g_strdup (dot == NULL ? target : dot + 1);
          setting.element = dot == NULL ? NULL : g_strndup (target, (gsize) (dot - target));
        }
      g_array_append_val (reader->settings, setting);
    }
}

static void
apply_setting (IfbamNetworkReader *reader, IfbamReaderSetting *setting)
{
  IfbamNetwork *network = reader->network;
  const char *dot = strchr (setting->element, '.');
  g_autofree char *owner =
      dot == NULL ? NULL : g_strndup (setting->element, (gsize) (dot - setting->element));
  IfbamElement *element =
      g_str_equal (setting->element, "network")
          ? network->settings
          : g_hash_table_lookup (network->by_name, dot == NULL ? setting->element : owner);
  g_autofree char *reason = NULL, *value = NULL;
  int param;

  if (element == NULL || (dot != NULL && element->info->set_member == NULL))
    {
      const char *nearest =
          dot != NULL ? NULL : ifbam_nearest_key (network->by_name, setting->element);

      ifbam_reader_add_setting_fault (reader, setting, "there is no element \"%s\"%s%s%s",
                                      setting->element, nearest != NULL ? " (did you mean \"" : "",
                                      nearest != NULL ? nearest : "",
                                      nearest != NULL ? "\"?)" : "");
      return;
    }
  param = ifbam_element_param_index (element->info, setting->key);
  value = ifbam_reader_substitute (reader, setting->value,
                                   dot != NULL || ifbam_reader_is_numeric (element->info, param),
                                   &reason);
  if (value == NULL && reason == NULL)
    return; /* an empty parameter, reported before */
  if (value == NULL)
    ifbam_reader_add_setting_fault (reader, setting, "%s", reason);
  else if (dot != NULL)
    {
      if (!element->info->set_member (element, dot + 1, setting->key, value,
                                      ifbam_element_parse_number, &reason))
        ifbam_reader_add_setting_fault (reader, setting, "%s", reason);
      else
        ifbam_reader_note_uses (reader, element, dot + 1, setting->key, setting->value);
    }
  else if (param < 0)
    {
      const char *nearest;
      g_autofree char *advice = ifbam_reader_advise_key (element->info, setting->key, &nearest);

      ifbam_reader_add_setting_fault (reader, setting, "%s %s has no key \"%s\" (%s)",
                                      ifbam_element_article (element->info), element->info->name,
                                      setting->key, advice);
    }
  else if (!ifbam_element_parse (element, (guint) param, value, &reason))
    ifbam_reader_add_setting_fault (reader, setting, "%s", reason);
  else
    ifbam_reader_note_uses (reader, element, NULL, setting->key, setting->value);
}

/* Reports --set KEY=VALUE without such a parameter. */
static void
unknown_parameter (IfbamNetworkReader *reader, IfbamReaderSetting *setting)
{
  const char *nearest = ifbam_nearest_key (reader->network->parameters, setting->key);

  if (nearest != NULL)
    {
      ifbam_reader_add_setting_fault (
          reader, setting, "there is no parameter \"%s\" in [parameters] (did you mean \"%s\"?)",
          setting->key, nearest);
      return;
    }
  if (ifbam_element_param_index (reader->network->settings->info, setting->key) >= 0)
    {
      ifbam_reader_add_setting_fault (
          reader, setting,
          "there is no parameter \"%s\" in [parameters] (did you mean \"network.%s\"?)",
          setting->key, setting->key);
      return;
    }
  for (guint i = 0; i < reader->network->elements->len; i++)
    {
      const IfbamElement *element = reader->network->elements->pdata[i];

      if (ifbam_element_param_index (element->info, setting->key) < 0)
        continue;
      ifbam_reader_add_setting_fault (
          reader, setting,
          "there is no parameter \"%s\" in [parameters] (want ELEMENT.KEY, such as "
          "\"%s.%s\")",
          setting->key, element->name, setting->key);
      return;
    }
  ifbam_reader_add_setting_fault (reader, setting, "there is no parameter \"%s\" in [parameters]",
                                  setting->key);
}

void
ifbam_reader_apply_settings (IfbamNetworkReader *reader)
{
  for (guint s = 0; s < reader->settings->len; s++)
    {
      IfbamReaderSetting *setting = &g_array_index (reader->settings, IfbamReaderSetting, s);

      if (setting->value == NULL)
        continue;
      if (setting->element != NULL)
        apply_setting (reader, setting);
      else if (!setting->used)
        unknown_parameter (reader, setting);
    }
}

const IfbamReaderSetting *
ifbam_reader_setting_of (IfbamNetworkReader *reader, const IfbamIssue *issue)
{
  const char *name = issue->element == reader->network->settings ? "network" : issue->element->name;
  const IfbamReaderSetting *found = NULL;

  for (guint s = 0; s < reader->settings->len && issue->key != NULL; s++)
    {
      const IfbamReaderSetting *setting = &g_array_index (reader->settings, IfbamReaderSetting, s);

      if (setting->element != NULL && g_str_equal (setting->element, name)
          && g_str_equal (setting->key, issue->key))
        found = setting;
    }
  return found;
}
