/* named-law.c: laws by formula that a file names: [law NAME]
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "file/named-law.h"

#include <string.h>

#include "elements/registry.h"
#include "file/parameters.h"

IfbamNamedLaw *
ifbam_named_law_new (const char *name)
{
  IfbamNamedLaw *self = g_new0 (IfbamNamedLaw, 1);

  self->name = name;
  self->values = g_hash_table_new (g_str_hash, g_str_equal);
  return self;
}

void
ifbam_named_law_free (gpointer law)
{
  IfbamNamedLaw *self = law;

  g_hash_table_unref (self->values);
  g_free (self);
}

static const char *
formula_key (const IfbamElementInfo *info)
{
  return info->program_parameter == 0 ? NULL : ifbam_element_slot_key (info, IFBAM_SLOT_FORMULA);
}

const IfbamElementInfo *
ifbam_named_law_class (const char *key, GType *type)
{
  guint n;
  const GType *types = ifbam_element_types (&n);

  for (guint i = 0; i < n; i++)
    {
      const IfbamElementInfo *info = ifbam_element_type_info (types[i]);

      if (formula_key (info) == NULL || strcmp (formula_key (info), key) != 0)
        continue;
      *type = types[i];
      return info;
    }
  return NULL;
}

char *
ifbam_named_law_keys (void)
{
  GString *text = g_string_new (NULL);
  guint n;
  const GType *types = ifbam_element_types (&n);

  for (guint i = 0; i < n; i++)
    {
      const char *key = formula_key (ifbam_element_type_info (types[i]));

      if (key != NULL)
        g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "", key);
    }
  return g_string_free (text, FALSE);
}

static void
add_all (GHashTable *to, GHashTable *from)
{
  GHashTableIter iter;
  gpointer name, text;

  g_hash_table_iter_init (&iter, from);
  while (g_hash_table_iter_next (&iter, &name, &text))
    g_hash_table_insert (to, name, text);
}

char *
ifbam_named_law_formula (const IfbamNamedLaw *law, GHashTable *own, GHashTable *parameters,
                         char **reason)
{
  g_autoptr (GHashTable) values = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GPtrArray) kept = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer name, text;

  if (g_hash_table_size (law->values) == 0)
    return g_strdup (law->formula);
  g_hash_table_iter_init (&iter, parameters);
  while (g_hash_table_iter_next (&iter, &name, &text))
    if (!g_hash_table_contains (law->values, name))
      g_ptr_array_add (kept, name);
  g_ptr_array_add (kept, NULL);
  add_all (values, parameters);
  add_all (values, law->values);
  if (own != NULL)
    add_all (values, own);
  return ifbam_parameters_substitute (values, law->formula, TRUE,
                                      (const char *const *) (gconstpointer) kept->pdata, reason);
}
