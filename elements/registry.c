/* registry.c: the registered element classes by index and by name
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "elements/registry.h"

#include "elements/elements.h"

const GType *
ifbam_element_types (guint *n)
{
  static GType types[] = {
#define IFBAM_ELEMENT_CLASS(name) 0,
#include "elements/elements.def"
#undef IFBAM_ELEMENT_CLASS
  };
  static gsize ready;

  if (g_once_init_enter (&ready))
    {
      guint i = 0;
#define IFBAM_ELEMENT_CLASS(name) types[i++] = ifbam_##name##_get_type ();
#include "elements/elements.def"
#undef IFBAM_ELEMENT_CLASS
      g_once_init_leave (&ready, 1);
    }
  *n = G_N_ELEMENTS (types);
  return types;
}

const IfbamElementInfo *
ifbam_element_info_by_name (const char *name, GType *type)
{
  static GHashTable *by_name;
  static gsize ready;
  GType found;

  if (g_once_init_enter (&ready))
    {
      guint n;
      const GType *types = ifbam_element_types (&n);

      by_name = g_hash_table_new (g_str_hash, g_str_equal);
      for (guint i = 0; i < n; i++)
        g_hash_table_insert (by_name, (gpointer) ifbam_element_type_info (types[i])->name,
                             GSIZE_TO_POINTER (types[i]));
      g_once_init_leave (&ready, 1);
    }
  found = GPOINTER_TO_SIZE (g_hash_table_lookup (by_name, name));
  if (found == 0)
    return NULL;
  if (type != NULL)
    *type = found;
  return ifbam_element_type_info (found);
}

const char *
ifbam_element_nearest_class (const char *name)
{
  guint n;
  const GType *types = ifbam_element_types (&n);
  g_autofree const char **names = g_new (const char *, n);

  for (guint i = 0; i < n; i++)
    names[i] = ifbam_element_type_info (types[i])->name;
  return ifbam_nearest_word (name, names, n);
}
