/* lab-network.c: texts of a laboratory's page besides the network
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "program/lab-network.h"

#include <string.h>

#include "engine/engine.h"
#include "program/markdown.h"

gboolean
ifbam_lab_source_read (IfbamLabSource *source, const char *path, GError **error)
{
  source->beside = path != NULL ? ifbam_markdown_read (path, error) : NULL;
  return path == NULL || source->beside != NULL;
}

void
ifbam_lab_source_check (IfbamLabSource *source, const IfbamLoaded *loaded,
                        const IfbamNetworkOptions *options)
{
  const char *title = loaded->title, *path = loaded->path, *text = loaded->network->text;
  const gboolean is_file = strcmp (path, "-") != 0;
  g_autofree char *name = is_file ? g_path_get_basename (path) : g_strdup ("-");
  /* A pipe can't be read twice, and a file may have changed. */
  const gboolean has_text = is_file && text != NULL && g_utf8_validate (text, -1, NULL);

  source->file = g_filename_display_name (name);
  source->words = ifbam_network_options_words (options);
  g_ptr_array_add (source->words, NULL);
  source->names = (IfbamLabNames){
    .file = source->file,
    .title = title != NULL && title[0] != '\0' ? title : source->file,
    .text = has_text ? text : "",
    .words = (const char *const *) source->words->pdata,
    .beside = source->beside,
  };
}

static gboolean
write_page (const IfbamLoaded *loaded, const IfbamLabSource *source, const char *to, GError **error)
{
  g_autoptr (IfbamOutput) output = ifbam_output_new (to, error);
  g_autofree char *text = NULL;
  gsize length;

  if (output == NULL)
    return FALSE;
  text = ifbam_lab_page (loaded->network, loaded->model, &loaded->spec, &source->names, &length);
  return ifbam_output_write (output, text, length, error) && ifbam_output_finish (output, error);
}

int
ifbam_lab_write (IfbamLabSource *source, IfbamNetworkOptions *options, const char *path,
                 const char *to)
{
  g_autoptr (GError) error = NULL;
  g_auto (IfbamLoaded) loaded = { 0 };
  g_autofree char *why_not = NULL;

  options->keeps_text = TRUE;
  if (!ifbam_load (&loaded, options, path, TRUE, &error))
    return ifbam_command_fail (error);
  ifbam_lab_source_check (source, &loaded, options);
  why_not = ifbam_lab_refusal_text (loaded.model, &loaded.spec, TRUE);
  if (why_not != NULL)
    {
      g_printerr ("%s: no page runs this: %s\n", source->file, why_not);
      return IFBAM_EXIT_FAILED;
    }
  if (!write_page (&loaded, source, to, &error))
    return ifbam_command_fail (error);
  if (!ifbam_lab_has_core ())
    g_printerr (
        "ifbam: note: this ifbam was built without clang and lld: the page runs no network\n");
  return IFBAM_EXIT_DONE;
}

void
ifbam_lab_source_clear (IfbamLabSource *source)
{
  g_free (source->file);
  g_free (source->beside);
  g_clear_pointer (&source->words, g_ptr_array_unref);
}
