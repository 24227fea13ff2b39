/* network.c: elements and their connections; run settings
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "file/network.h"

#include <math.h>

static void
element_free (gpointer element)
{
  g_object_unref (element);
}

void
ifbam_network_begin (IfbamNetwork *self)
{
  self->settings = ifbam_element_new (ifbam_settings_get_type (), "");
  self->settings->context = &self->home;
  self->elements = g_ptr_array_new_with_free_func (element_free);
  self->by_name = g_hash_table_new (g_str_hash, g_str_equal);
  self->parameters = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->uses = g_array_new (FALSE, FALSE, sizeof (IfbamParameterUse));
}

void
ifbam_network_clear (IfbamNetwork *self)
{
  ifbam_checked_free (self->checked);
  /* Other owners may keep an element for longer. */
  self->settings->context = NULL;
  for (guint i = 0; i < self->elements->len; i++)
    ((IfbamElement *) self->elements->pdata[i])->context = NULL;
  g_clear_object (&self->settings);
  g_hash_table_unref (self->by_name);
  g_clear_pointer (&self->unknown, g_hash_table_unref);
  g_ptr_array_unref (self->elements);
  g_hash_table_unref (self->parameters);
  g_array_unref (self->uses);
  g_free (self->folder);
  g_free (self->sha256);
  g_free (self->text);
}

gboolean
ifbam_network_name_is_valid (const char *name)
{
  if (!g_ascii_isalpha (name[0]) && name[0] != '_')
    return FALSE;
  for (const char *c = name; *c != '\0'; c++)
    if (!g_ascii_isalnum (*c) && *c != '_' && *c != '-')
      return FALSE;
  return !g_str_equal (name, "network") && !g_str_equal (name, "parameters");
}

gboolean
ifbam_network_take (IfbamNetwork *self, IfbamElement *element)
{
  if (g_hash_table_contains (self->by_name, element->name))
    return FALSE;
  element->context = &self->home;
  element->id = self->home.n_ids++;
  self->home.changes++;
  g_ptr_array_add (self->elements, element);
  g_hash_table_insert (self->by_name, element->name, element);
  return TRUE;
}

/* Checking */

char *
ifbam_issue_to_string (const IfbamIssue *issue)
{
  const IfbamElement *element = issue->element;
  const gboolean settings = element != NULL && element->info->kind == IFBAM_KIND_SETTINGS;

  if (element == NULL)
    return g_strdup (issue->text);
  return g_strdup_printf ("[%s%s%s] %s%s%s", element->info->name, settings ? "" : " ",
                          settings ? "" : element->name, issue->key != NULL ? issue->key : "",
                          issue->key != NULL ? ": " : "", issue->text);
}

double
ifbam_network_names_memory (const IfbamRunSpec *spec, gboolean with_signals)
{
  return with_signals && spec->record == NULL ? IFBAM_SIGNAL_MEMORY : 0;
}

void
ifbam_network_keep_checked (IfbamNetwork *self, IfbamModel *model, IfbamRunSpec *spec)
{
  const IfbamSettingsLaw *law = (const IfbamSettingsLaw *) ifbam_element_law (self->settings);

  ifbam_checked_free (self->checked);
  self->checked = g_new (IfbamChecked, 1);
  *self->checked = (IfbamChecked){ model, *spec, law->duration, self->home.changes,
                                   ifbam_network_names_memory (spec, TRUE) };
  spec->start_position = spec->start_rate = NULL;
}

void
ifbam_checked_free (IfbamChecked *checked)
{
  if (checked == NULL)
    return;
  ifbam_model_free (checked->model);
  ifbam_run_spec_clear (&checked->spec);
  g_free (checked);
}

double
ifbam_network_number (const IfbamElement *element, const char *member, const char *key)
{
  const int param = ifbam_element_param_index (element->info, key);

  return member != NULL || param < 0 || !ifbam_param_in_law (&element->info->params[param])
             ? NAN
             : *ifbam_element_value (element, &element->info->params[param]);
}

void
ifbam_settings_fault (gpointer data, const char *key, char *text)
{
  const IfbamSettingsCheck *check = data;
  const IfbamIssue issue = { check->settings, key, text };

  g_array_append_val (check->issues, issue);
}
