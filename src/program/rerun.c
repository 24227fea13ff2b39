/* rerun.c: shared functions of commands that repeat a result
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "program/rerun.h"

gboolean
ifbam_rerun_parse (const IfbamManifest *manifest, GOptionContext *context, GError **error)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new ();
  g_auto (GStrv) copies = NULL;

  g_ptr_array_add (words, (gpointer) "rerun");
  for (guint i = 0; manifest->options[i] != NULL; i++)
    g_ptr_array_add (words, manifest->options[i]);
  g_ptr_array_add (words, NULL);
  copies = g_strdupv ((char **) words->pdata);
  g_option_context_set_help_enabled (context, FALSE);
  return g_option_context_parse_strv (context, &copies, error);
}

char *
ifbam_rerun_name (const char *path, const IfbamManifest *manifest)
{
  return g_strdup_printf ("%s: %s", path, manifest->file != NULL ? manifest->file : "network");
}

gboolean
ifbam_rerun_note (const char *path, const IfbamManifest *manifest, const char *text)
{
  g_autofree char *other =
      g_strcmp0 (manifest->version, IFBAM_VERSION) == 0
          ? g_strdup ("")
          : g_strdup_printf (" (made by version %s; this is %s)",
                             manifest->version != NULL ? manifest->version : "?", IFBAM_VERSION);
  g_autofree char *line = g_strdup_printf ("%s: %s%s\n", path, text, other);

  return ifbam_command_print (line) == IFBAM_EXIT_DONE;
}
