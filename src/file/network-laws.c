/* network-laws.c: laws by formula in a network file: [law NAME]
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "file/network-laws.h"

#include <string.h>

#include "elements/registry.h"
#include "file/element-formula.h"
#include "file/network-values.h"
#include "file/parameters.h"

/* Reads the formula and the parameters of [law NAME]. FALSE after a fault. */
static gboolean
read_law_entries (IfbamNetworkReader *reader, const IfbamReaderGroup *group, IfbamNamedLaw *law)
{
  const guint before = reader->n_faults;
  guint line = 0;

  for (guint i = group->first; i < group->first + group->n; i++)
    {
      const IfbamReaderEntry *entry = ifbam_reader_entry (reader, i),
                             *earlier = ifbam_reader_entry_before (reader, group, i);
      GType type;
      const IfbamElementInfo *info = ifbam_named_law_class (entry->key, &type);

      if (earlier != NULL)
        ifbam_reader_add_fault (reader, entry->line, group, entry->key,
                                "is there already, at line %u", earlier->line);
      else if (info != NULL && law->info != NULL)
        ifbam_reader_add_fault (reader, entry->line, group, entry->key,
                                "a law has one formula, and there is its %s, at line %u", law->key,
                                line);
      else if (!ifbam_reader_is_key (entry->key))
        ifbam_reader_add_fault (reader, entry->line, group, NULL,
                                "\"%s\" is no name of a parameter (want letters, digits, _ and -)",
                                entry->key);
      else if (info == NULL)
        g_hash_table_insert (law->values, entry->key, entry->value);
      else
        {
          law->info = info;
          law->type = type;
          law->key = entry->key;
          law->formula = entry->value;
          line = entry->line;
        }
    }
  if (law->info == NULL)
    {
      g_autofree char *keys = ifbam_named_law_keys ();

      ifbam_reader_add_fault (reader, group->line, group, NULL, "has no formula (want one of %s)",
                              keys);
    }
  return reader->n_faults == before;
}

/* Checks the formula with the default values of its parameters. */
static void
check_law (IfbamNetworkReader *reader, const IfbamReaderGroup *group, IfbamNamedLaw *law)
{
  guint line = group->line;
  g_autofree char *reason = NULL, *formula = NULL, *text = NULL;
  IfbamProgram *program = NULL;

  for (guint i = group->first; i < group->first + group->n; i++)
    if (g_str_equal (ifbam_reader_entry (reader, i)->key, law->key))
      line = ifbam_reader_entry (reader, i)->line;
  formula = ifbam_named_law_formula (law, NULL, reader->network->parameters, &reason);
  text = formula == NULL ? NULL : ifbam_reader_substitute (reader, formula, TRUE, &reason);
  if (text != NULL)
    program = ifbam_element_read_formula (law->info, text, &reason);
  if (program == NULL && reason != NULL)
    ifbam_reader_add_fault (reader, line, group, law->key, "%s", reason);
  if (program == NULL)
    law->info = NULL;
  ifbam_program_free (program);
}

void
ifbam_reader_read_law (IfbamNetworkReader *reader, const IfbamReaderGroup *group)
{
  const IfbamReaderGroup *other = NULL;
  IfbamNamedLaw *law;

  for (const IfbamReaderGroup *before =
           (const IfbamReaderGroup *) (gconstpointer) reader->groups->data;
       before < group; before++)
    if (ifbam_reader_is_group (before, "law") && g_str_equal (before->name, group->name))
      other = before;
  if (group->name[0] == '\0')
    ifbam_reader_add_fault (reader, group->line, group, NULL, "has no name (want [law NAME])");
  else if (other != NULL)
    ifbam_reader_add_fault (reader, group->line, group, NULL,
                            "there is a law \"%s\" already, at line %u", group->name, other->line);
  else if (!ifbam_network_name_is_valid (group->name) || g_str_equal (group->name, "law"))
    ifbam_reader_add_fault (
        reader, group->line, group, NULL,
        "\"%s\" is no name (want letters, digits, _ and -, a letter or _ first)", group->name);
  else if (ifbam_element_info_by_name (group->name, NULL) != NULL)
    ifbam_reader_add_fault (reader, group->line, group, NULL,
                            "there is a class \"%s\" already (want another name)", group->name);
  if (other != NULL || group->name[0] == '\0'
      || ifbam_element_info_by_name (group->name, NULL) != NULL)
    return;
  law = ifbam_named_law_new (group->name);
  g_hash_table_insert (reader->laws, (gpointer) law->name, law);
  if (read_law_entries (reader, group, law))
    check_law (reader, group, law);
  else
    law->info = NULL;
}

/* Gives a link the formula of its law, with the link's values of the law's parameters. */
void
ifbam_reader_take_law (IfbamNetworkReader *reader, IfbamReaderGroup *group)
{
  const IfbamNamedLaw *law = group->law;
  const int param = ifbam_element_param_index (law->info, law->key);
  g_autoptr (GHashTable) own = NULL;
  g_autofree char *reason = NULL, *formula = NULL;

  for (guint i = group->first; i < group->first + group->n; i++)
    {
      const IfbamReaderEntry *entry = ifbam_reader_entry (reader, i);

      if (!g_hash_table_contains (law->values, entry->key))
        continue;
      if (own == NULL)
        own = g_hash_table_new (g_str_hash, g_str_equal);
      if (g_hash_table_contains (own, entry->key))
        ifbam_reader_add_fault (reader, entry->line, group, entry->key,
                                "is there already, at line %u",
                                ifbam_reader_entry_before (reader, group, i)->line);
      g_hash_table_insert (own, entry->key, entry->value);
    }
  formula = ifbam_named_law_formula (law, own, reader->network->parameters, &reason);
  if (formula == NULL
      || !ifbam_reader_parse_value (reader, group->element, (guint) param, formula, &reason))
    {
      group->faulty |= 1u << param;
      if (reason != NULL)
        ifbam_reader_add_fault (reader, group->line, group, law->key, "%s", reason);
    }
  group->element->set |= 1u << param;
}
