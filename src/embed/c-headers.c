/* c-headers.c: headers of laws and schemes, copied into the generated C
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "embed/c-headers.h"

#include <gio/gio.h>
#include <string.h>

#include "c-resource.h"

#define FOLDER "/ifbam/c/"

const char *
ifbam_c_text (const char *path, GError **error)
{
  g_autofree char *name = g_strconcat (FOLDER, path, NULL);
  g_autoptr (GBytes) bytes =
      g_resource_lookup_data (ifbam_c_get_resource (), name, G_RESOURCE_LOOKUP_FLAGS_NONE, error);

  /* The resource is part of the program and ends with a zero, so it outlives `bytes`. */
  return bytes == NULL ? NULL : g_bytes_get_data (bytes, NULL);
}

char *
ifbam_c_law_path (const char *prefix)
{
  char *path = g_strdup_printf ("elements/%s-law.h", prefix);

  return g_strdelimit (path, "_", '-');
}

gboolean
ifbam_c_law_has (const char *prefix, const char *word)
{
  g_autofree char *path = ifbam_c_law_path (prefix);
  g_autofree char *function = g_strdup_printf ("\n%s_%s (", prefix, word);
  const char *text = ifbam_c_text (path, NULL);

  return text != NULL && strstr (text, function) != NULL;
}

gboolean
ifbam_c_paste (IfbamCPaste *paste, const char *path, GError **error)
{
  const char *text = ifbam_c_text (path, error);
  g_auto (GStrv) lines = NULL;

  if (text == NULL)
    return FALSE;
  if (!g_hash_table_add (paste->seen, g_strdup (path)))
    return TRUE;
  lines = g_strsplit (text, "\n", -1);
  /* Included headers come first, so that the header's comment precedes its own text. */
  for (guint i = 0; lines[i] != NULL; i++)
    if (g_str_has_prefix (lines[i], "#include \""))
      {
        g_autofree char *other = g_strndup (lines[i] + strlen ("#include \""),
                                            strcspn (lines[i] + strlen ("#include \""), "\""));

        /* The prologue contains isa.h. */
        if (!g_str_equal (other, "base/isa.h") && !ifbam_c_paste (paste, other, error))
          return FALSE;
      }
  for (guint i = 0, blank = 0; lines[i] != NULL; i++)
    {
      if (g_str_has_prefix (lines[i], "#include \"") || g_str_equal (lines[i], "#pragma once")
          || strstr (lines[i], "SPDX-License-Identifier") != NULL)
        continue;
      blank = lines[i][0] == '\0' ? blank + 1 : 0;
      if (blank < 2)
        g_string_append_printf (paste->text, "%s\n", lines[i]);
    }
  if (g_str_has_suffix (path, ".h"))
    {
      /* The functions that a header only declares follow it. */
      g_autofree char *source = g_strdup (path);

      source[strlen (source) - 1] = 'c';
      return ifbam_c_text (source, NULL) == NULL || ifbam_c_paste (paste, source, error);
    }
  return TRUE;
}
