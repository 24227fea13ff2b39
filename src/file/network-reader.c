/* network-reader.c: reads a network from a text, with line numbers of all errors
 *
 * GKeyFile has no line numbers, merges groups and keys of the same name, and treats comments behind
 * values as text. The bytes are stored once; groups and entries point into them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "base/fail.h"
#include "base/memory.h"
#include "elements/registry.h"
#include "file/network-laws.h"
#include "file/network-reader-settings.h"
#include "file/network-values.h"
#include "file/parameters.h"
#include "file/element-formula.h"
#include "file/element-text.h"

/* Memory of a network per byte of its file. */
#define BYTE_MEMORY 40

/* Parameters */

static void
read_parameters (IfbamNetworkReader *reader, IfbamReaderGroup *group)
{
  for (guint i = group->first; i < group->first + group->n; i++)
    {
      IfbamReaderEntry *entry = ifbam_reader_entry (reader, i);

      if (!ifbam_reader_is_key (entry->key))
        {
          ifbam_reader_add_fault (
              reader, entry->line, group, NULL,
              "\"%s\" is no name of a parameter (want letters, digits, _ and -)", entry->key);
          continue;
        }
      if (g_hash_table_contains (reader->network->parameters, entry->key))
        {
          if (reader->n_faults < IFBAM_MAX_FAULTS)
            ifbam_reader_add_fault (reader, entry->line, group, entry->key,
                                    "is there already, at line %u",
                                    ifbam_reader_entry_before (reader, group, i)->line);
          continue;
        }
      /* An empty parameter is kept, so that its uses are not reported as well. */
      if (entry->value[0] == '\0')
        ifbam_reader_add_fault (reader, entry->line, group, entry->key, "no value is given");
      g_hash_table_insert (reader->network->parameters, g_strdup (entry->key),
                           g_strdup (entry->value));
    }
  for (guint s = 0; s < reader->settings->len; s++)
    {
      IfbamReaderSetting *setting = &g_array_index (reader->settings, IfbamReaderSetting, s);

      if (setting->value == NULL || setting->element != NULL
          || !g_hash_table_contains (reader->network->parameters, setting->key))
        continue;
      if (setting->value[0] == '\0')
        ifbam_reader_add_setting_fault (reader, setting, "no value is given");
      g_hash_table_insert (reader->network->parameters, g_strdup (setting->key),
                           g_strdup (setting->value));
      setting->used = TRUE;
    }
}

/* Elements */

static void
unknown_key (IfbamNetworkReader *reader, IfbamReaderGroup *group, const IfbamReaderEntry *entry)
{
  const IfbamElementInfo *info = group->element->info;
  const char *nearest;
  g_autofree char *advice = ifbam_reader_advise_key (info, entry->key, &nearest);

  ifbam_reader_add_fault (reader, entry->line, group, entry->key, "%s %s has no such key (%s)",
                          ifbam_element_article (info), info->name, advice);
  if (nearest == NULL)
    return;
  /* Then it is not reported as missing. */
  group->element->set |= 1u << ifbam_element_param_index (info, nearest);
  group->faulty |= 1u << ifbam_element_param_index (info, nearest);
}

/* Reads MEMBER.KEY = VALUE in the group of a composite. */
static void
read_member (IfbamNetworkReader *reader, const IfbamReaderGroup *group,
             const IfbamReaderEntry *entry)
{
  const char *dot = strchr (entry->key, '.');
  g_autofree char *member = g_strndup (entry->key, (gsize) (dot - entry->key));
  g_autofree char *reason = NULL;
  g_autofree char *value = ifbam_reader_substitute (reader, entry->value, TRUE, &reason);

  if (value != NULL
      && group->element->info->set_member (group->element, member, dot + 1, value,
                                           ifbam_element_parse_number, &reason))
    ifbam_reader_add_use (reader, group->element, member, dot + 1, entry->value);
  else if (reason != NULL)
    ifbam_reader_add_fault (reader, entry->line, group, entry->key, "%s", reason);
}

static void
read_entries (IfbamNetworkReader *reader, IfbamReaderGroup *group)
{
  g_autoptr (GHashTable) members =
      NULL; /* keys that name a member; NULL: none, as in most groups */
  guint32 seen = 0;

  for (guint i = group->first; i < group->first + group->n; i++)
    {
      IfbamReaderEntry *entry = ifbam_reader_entry (reader, i);
      int param = ifbam_element_param_index (group->element->info, entry->key);
      g_autofree char *reason = NULL;

      if (strchr (entry->key, '.') != NULL && group->element->info->set_member != NULL)
        {
          if (members == NULL)
            members = g_hash_table_new (g_str_hash, g_str_equal);
        }
      else if (param < 0 && group->law != NULL
               && g_hash_table_contains (group->law->values, entry->key))
        continue;
      else if (param < 0)
        unknown_key (reader, group, entry);
      else if (group->law != NULL && ifbam_reader_is_formula (group->element->info, param))
        ifbam_reader_add_fault (reader, entry->line, group, entry->key,
                                "the formula is that of [law %s]", group->law->name);
      else if (seen >> param & 1)
        ifbam_reader_add_fault (reader, entry->line, group, entry->key,
                                "is there already, at line %u",
                                ifbam_reader_entry_before (reader, group, i)->line);
      else if (!ifbam_reader_parse_value (reader, group->element, (guint) param, entry->value,
                                          &reason))
        {
          group->faulty |= 1u << param;
          if (reason != NULL)
            ifbam_reader_add_fault (reader, entry->line, group, entry->key, "%s", reason);
        }
      if (param >= 0)
        {
          seen |= 1u << param;
          group->element->set |= 1u << param;
        }
    }
  /* Members exist when all other keys are read. */
  for (guint i = group->first; members != NULL && i < group->first + group->n; i++)
    {
      const IfbamReaderEntry *entry = ifbam_reader_entry (reader, i);

      if (strchr (entry->key, '.') == NULL)
        continue;
      if (g_hash_table_add (members, entry->key))
        read_member (reader, group, entry);
      else if (reader->n_faults < IFBAM_MAX_FAULTS)
        ifbam_reader_add_fault (reader, entry->line, group, entry->key,
                                "is there already, at line %u",
                                ifbam_reader_entry_before (reader, group, i)->line);
    }
}

/* Groups */

static void
unknown_class (IfbamNetworkReader *reader, const IfbamReaderGroup *group)
{
  const char *nearest = ifbam_element_nearest_class (group->class_name);
  /* [torsion spring k1]: a class of two words */
  const gsize n = strcspn (group->name, " \t");
  g_autofree char *two = g_strdup_printf ("%s-%.*s", group->class_name, (int) n, group->name);
  const char *rest = group->name + n + strspn (group->name + n, " \t");

  if (group->class_name[0] == '\0')
    ifbam_reader_add_fault (reader, group->line, NULL, NULL,
                            "[] names no class (want [class name])");
  else if (ifbam_element_info_by_name (two, NULL) != NULL)
    ifbam_reader_add_fault (reader, group->line, group, NULL,
                            "there is no class \"%s\" (did you mean [%s %s]?)", group->class_name,
                            two, *rest == '\0' ? "NAME" : rest);
  else if (nearest != NULL)
    ifbam_reader_add_fault (reader, group->line, group, NULL,
                            "there is no class \"%s\" (did you mean \"%s\"?)", group->class_name,
                            nearest);
  else
    ifbam_reader_add_fault (reader, group->line, group, NULL,
                            "there is no class \"%s\" (`ifbam elements` lists them)",
                            group->class_name);
  g_hash_table_add (reader->network->unknown, g_strdup (group->name));
}

static void
build_element (IfbamNetworkReader *reader, IfbamReaderGroup *group)
{
  const IfbamNamedLaw *law = g_hash_table_lookup (reader->laws, group->class_name);
  GType type = law != NULL ? law->type : 0;
  IfbamElement *element;

  if (law != NULL && law->info == NULL)
    {
      /* The law's fault was reported. */
      g_hash_table_add (reader->network->unknown, g_strdup (group->name));
      return;
    }
  if (law == NULL && ifbam_element_info_by_name (group->class_name, &type) == NULL)
    {
      unknown_class (reader, group);
      return;
    }
  if (!ifbam_network_name_is_valid (group->name))
    {
      g_hash_table_add (reader->network->unknown, g_strdup (group->name));
      if (group->name[0] == '\0')
        ifbam_reader_add_fault (reader, group->line, group, NULL, "has no name (want [%s NAME])",
                                group->class_name);
      else if (g_str_equal (group->name, "network") || g_str_equal (group->name, "parameters"))
        ifbam_reader_add_fault (reader, group->line, group, NULL, "the name \"%s\" is taken",
                                group->name);
      else
        ifbam_reader_add_fault (
            reader, group->line, group, NULL,
            "\"%s\" is no name (want letters, digits, _ and -, a letter or _ first)", group->name);
      return;
    }
  element = ifbam_element_new (type, group->name);
  group->element = element;
  group->law = law;
  if (ifbam_network_take (reader->network, element))
    {
      read_entries (reader, group);
      if (law != NULL)
        ifbam_reader_take_law (reader, group);
      return;
    }
  /* A duplicate name is reported, along with other errors of the group. */
  for (guint g = 0; g < reader->groups->len && reader->n_faults < IFBAM_MAX_FAULTS; g++)
    {
      const IfbamReaderGroup *other = &g_array_index (reader->groups, IfbamReaderGroup, g);

      if (other != group && other->element != NULL && g_str_equal (other->name, group->name))
        {
          ifbam_reader_add_fault (reader, group->line, group, NULL,
                                  "there is a \"%s\" already, at line %u", group->name,
                                  other->line);
          break;
        }
    }
  read_entries (reader, group);
  g_clear_object (&group->element);
}

/* Returns the group of a class that is allowed once, or NULL. */
static IfbamReaderGroup *
single_group (IfbamNetworkReader *reader, const char *class_name)
{
  IfbamReaderGroup *first = NULL;

  for (guint g = 0; g < reader->groups->len; g++)
    {
      IfbamReaderGroup *group = &g_array_index (reader->groups, IfbamReaderGroup, g);

      if (!ifbam_reader_is_group (group, class_name))
        continue;
      if (group->name[0] != '\0')
        ifbam_reader_add_fault (reader, group->line, group, NULL, "takes no name (want [%s])",
                                class_name);
      if (first == NULL)
        first = group;
      else
        ifbam_reader_add_fault (reader, group->line, group, NULL,
                                "there is one already, at line %u", first->line);
    }
  return first;
}

static void
build (IfbamNetworkReader *reader)
{
  IfbamReaderGroup *parameters = single_group (reader, "parameters");
  IfbamReaderGroup *network = single_group (reader, "network");

  if (parameters != NULL)
    read_parameters (reader, parameters);
  if (network != NULL)
    {
      network->element = reader->network->settings;
      read_entries (reader, network);
    }
  for (guint g = 0; g < reader->groups->len; g++)
    if (ifbam_reader_is_group (&g_array_index (reader->groups, IfbamReaderGroup, g), "law"))
      ifbam_reader_read_law (reader, &g_array_index (reader->groups, IfbamReaderGroup, g));
  for (guint g = 0; g < reader->groups->len; g++)
    {
      IfbamReaderGroup *group = &g_array_index (reader->groups, IfbamReaderGroup, g);

      if (!ifbam_reader_is_group (group, "parameters") && !ifbam_reader_is_group (group, "network")
          && !ifbam_reader_is_group (group, "law"))
        build_element (reader, group);
    }
}

/* Errors of the whole network */

#define MISSING "is missing"

/* TRUE for a missing value that could not be read, which was reported before. */
static gboolean
is_followup (const IfbamReaderGroup *group, const IfbamIssue *issue)
{
  int param =
      issue->key == NULL ? -1 : ifbam_element_param_index (issue->element->info, issue->key);

  return group != NULL && param >= 0 && (group->faulty >> param & 1);
}

static void
add_issues (IfbamNetworkReader *reader, GArray *issues)
{
  g_autoptr (GHashTable) groups = g_hash_table_new (NULL, NULL);
  gboolean told = FALSE;

  if (issues->len == 0)
    return;
  for (guint g = 0; g < reader->groups->len; g++)
    {
      IfbamReaderGroup *group = &g_array_index (reader->groups, IfbamReaderGroup, g);

      if (group->element != NULL)
        g_hash_table_insert (groups, group->element, group);
    }
  for (guint i = 0; i < issues->len; i++)
    {
      const IfbamIssue *issue = &g_array_index (issues, IfbamIssue, i);
      static const IfbamReaderGroup no_group = { .class_name = (char *) "network",
                                                 .name = (char *) "",
                                                 .line = 1 };
      const IfbamReaderGroup *group = g_hash_table_lookup (groups, issue->element);
      guint line;

      if (issue->element == NULL)
        {
          ifbam_reader_add_fault (reader, 0, NULL, NULL, "%s", issue->text);
          continue;
        }
      if (is_followup (group, issue))
        continue;
      if (ifbam_reader_setting_of (reader, issue) != NULL)
        {
          ifbam_reader_add_setting_fault (reader, ifbam_reader_setting_of (reader, issue), "%s",
                                          issue->text);
          continue;
        }
      if (group == NULL) /* only [network] may be missing */
        {
          group = &no_group;
          if (g_str_has_prefix (issue->text, MISSING))
            {
              if (!told)
                ifbam_reader_add_fault (
                    reader, 1, NULL, NULL,
                    "there is no group [network] (want it with step and duration, such as "
                    "\"step = 50 us\")");
              told = TRUE;
              continue;
            }
        }
      line = group->line;
      for (guint e = group->first; e < group->first + group->n; e++)
        if (issue->key != NULL && g_str_equal (ifbam_reader_entry (reader, e)->key, issue->key))
          line = ifbam_reader_entry (reader, e)->line;
      ifbam_reader_add_fault (reader, line, group, issue->key, "%s", issue->text);
    }
}

static void
check_whole (IfbamNetworkReader *reader)
{
  g_autoptr (GArray) issues = ifbam_issues_new ();
  IfbamNetwork *network = reader->network;

  network->faulty = reader->n_faults > 0 || reader->usage->len > 0;
  reader->model = reader->compiling->compile (reader->compiling->data, network, &reader->spec,
                                              &reader->signals, issues);
  add_issues (reader, issues);
  if (reader->network->elements->len == 0 && reader->n_faults == 0)
    ifbam_reader_add_fault (reader, 1, NULL, NULL,
                            "no element is in this network (want a group [class name] "
                            "for each)");
}

/* Sets the defaults of format 1: courses were cubic and held outside, accelerations linear and 0
 * outside. */
static void
apply_format (IfbamNetworkReader *reader)
{
  const IfbamNetwork *network = reader->network;

  if (((const IfbamSettingsLaw *) ifbam_element_law (network->settings))->format >= 2)
    return;
  for (guint i = 0; i < network->elements->len; i++)
    {
      IfbamElement *element = network->elements->pdata[i];
      const int form = ifbam_element_param_index (element->info, "interpolation"),
                outside = ifbam_element_param_index (element->info, "outside");
      gboolean linear;
      char *reason = NULL;

      if (form < 0 || ifbam_element_slots (element)[IFBAM_SLOT_COURSE] == NULL)
        continue;
      linear = element->info->course_unit != NULL
               && g_str_equal (element->info->course_unit (element), "%a");
      if (!ifbam_element_is_set (element, (guint) form))
        ifbam_element_parse (element, (guint) form, linear ? "linear" : "cubic", &reason);
      if (!ifbam_element_is_set (element, (guint) outside))
        ifbam_element_parse (element, (guint) outside, linear ? "zero" : "hold", &reason);
    }
}

static gboolean
read_network (IfbamNetworkReader *reader, char *text, gsize length, const char *const *settings,
              GError **error)
{
  g_autofree char *lack = ifbam_memory_lack (BYTE_MEMORY * (double) length);

  ifbam_reader_read_settings (reader, settings);
  if (lack != NULL)
    ifbam_reader_add_fault (reader, 1, NULL, NULL,
                            "a network of %" G_GSIZE_FORMAT " bytes needs %s", length, lack);
  else if (length == 0)
    ifbam_reader_add_fault (reader, 1, NULL, NULL,
                            "is empty (want a [network] group and a group for each element)");
  else if (ifbam_reader_read_lines (reader, text, length))
    {
      build (reader);
      ifbam_reader_apply_settings (reader);
      apply_format (reader);
      check_whole (reader);
    }
  if (reader->usage->len > 0)
    g_set_error_literal (error, IFBAM_ERROR, IFBAM_ERROR_USAGE, reader->usage->str);
  else if (reader->n_faults > 0)
    ifbam_reader_set_faults (reader, error);
  return reader->usage->len == 0 && reader->n_faults == 0;
}

IfbamNetwork *
ifbam_network_read (const IfbamNetworkBytes *bytes, char *text, const char *const *settings,
                    const IfbamCompiling *compiling, IfbamModel **model, IfbamRunSpec *spec,
                    IfbamSignals **signals, GError **error)
{
  g_autoptr (IfbamNetwork) network = ifbam_network_new ();
  gboolean fine;
  IfbamNetworkReader reader;

  network->unknown = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  if (compiling->checksum != NULL)
    network->sha256 = compiling->checksum (text, bytes->length);
  network->folder = g_strdup (bytes->folder);
  reader = (IfbamNetworkReader){
    .path = bytes->path,
    .network = network,
    .entries = g_array_new (FALSE, FALSE, sizeof (IfbamReaderEntry)),
    .groups = g_array_new (FALSE, FALSE, sizeof (IfbamReaderGroup)),
    .faults = g_array_new (FALSE, FALSE, sizeof (IfbamReaderFault)),
    .settings = g_array_new (FALSE, FALSE, sizeof (IfbamReaderSetting)),
    .laws = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, ifbam_named_law_free),
    .usage = g_string_new (NULL),
    .compiling = compiling,
  };
  g_array_set_clear_func (reader.faults, (GDestroyNotify) ifbam_reader_fault_clear);
  g_array_set_clear_func (reader.settings, (GDestroyNotify) ifbam_reader_setting_clear);
  fine = read_network (&reader, text, bytes->length, settings, error);
  g_array_unref (reader.entries);
  g_array_unref (reader.groups);
  g_array_unref (reader.faults);
  g_array_unref (reader.settings);
  g_hash_table_unref (reader.laws);
  g_string_free (reader.usage, TRUE);
  g_clear_pointer (&network->unknown, g_hash_table_unref);
  if (fine && model != NULL)
    {
      *model = g_steal_pointer (&reader.model);
      *spec = reader.spec;
      if (signals != NULL)
        *signals = g_steal_pointer (&reader.signals);
    }
  else if (fine)
    ifbam_network_keep_checked (network, g_steal_pointer (&reader.model), &reader.spec);
  if (model == NULL || !fine)
    ifbam_run_spec_clear (&reader.spec);
  g_clear_pointer (&reader.model, ifbam_model_free);
  g_clear_pointer (&reader.signals, ifbam_signals_free);
  return fine ? g_steal_pointer (&network) : NULL;
}
