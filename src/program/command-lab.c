/* command-lab.c: ifbam lab: a network as a page that runs it
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "program/command.h"

#include <string.h>
#include <unistd.h>

#include "lab/lab.h"
#include "model/settings.h"
#include "system/output.h"

static gboolean
write_lab (IfbamNetwork *network, const IfbamModel *model, const IfbamRunSpec *spec,
           const char *path, const char *const *words, const char *to, GError **error)
{
  const char *title = ifbam_element_slots (network->settings)[IFBAM_SETTING_TITLE];
  g_autofree char *name = strcmp (path, "-") == 0 ? g_strdup ("-") : g_path_get_basename (path);
  g_autofree char *file = g_filename_display_name (name);
  g_autofree char *own = NULL;
  gsize n_own = 0;
  const gboolean has_text = strcmp (path, "-") != 0
                            && g_file_get_contents (path, &own, &n_own, NULL)
                            && g_utf8_validate (own, (gssize) n_own, NULL);
  const IfbamLabNames names = { .file = file,
                                .title = title != NULL && title[0] != '\0' ? title : file,
                                .text = has_text ? own : "",
                                .words = words };
  g_autoptr (IfbamOutput) output = ifbam_output_new (to, error);
  g_autofree char *text = NULL;
  gsize length;

  if (output == NULL)
    return FALSE;
  text = ifbam_lab_page (network, model, spec, &names, &length);
  return ifbam_output_write (output, text, length, error) && ifbam_output_finish (output, error);
}

static int
command_lab (const char *program, int argc, char **argv)
{
  g_auto (IfbamNetworkOptions) network_options = { 0 };
  g_autofree char *to = NULL;
  const GOptionEntry entries[] = {
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &to, "the page (default: standard output)", "FILE" },
    G_OPTION_ENTRY_NULL,
  };
  g_autoptr (GOptionContext) context = ifbam_command_context (&ifbam_command_lab, entries);
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamNetwork) network = NULL;
  g_autoptr (IfbamModel) model = NULL;
  g_autoptr (IfbamSignals) recorded = NULL;
  g_autoptr (GPtrArray) words = NULL;
  g_auto (IfbamRunSpec) spec = { 0 };
  static const char *const heard[] = { "scheme", "step",   "tolerance", "duration",
                                       "start",  "sample", "set",       NULL };
  int exit_code;

  (void) program;
  ifbam_network_options_add (&network_options, context, heard);
  if (!ifbam_command_parse (&ifbam_command_lab, context, &argc, &argv, 1, 1, &exit_code))
    return exit_code;
  if (to == NULL && isatty (STDOUT_FILENO))
    return ifbam_command_usage (&ifbam_command_lab,
                                "a page is nothing for a terminal (want -o lab.html)");
  if (ifbam_command_overwrites (&ifbam_command_lab, to, argv[1]))
    return IFBAM_EXIT_USAGE;
  network = ifbam_command_compile (&network_options, argv[1], &model, &spec, &recorded, &error);
  words = ifbam_network_options_words (&network_options);
  g_ptr_array_add (words, NULL);
  if (model == NULL
      || !write_lab (network, model, &spec, argv[1], (const char *const *) words->pdata, to,
                     &error))
    return ifbam_command_fail (error);
  if (!ifbam_lab_has_core ())
    g_printerr ("ifbam: note: this ifbam was built without clang and lld: the page stands still\n");
  return IFBAM_EXIT_DONE;
}

const IfbamCommand ifbam_command_lab = {
  "lab",
  "NETWORK",
  "write a page that runs the network, with sliders for its numbers",
  "  ifbam lab networks/three-dof.ini -o three-dof.html\n"
  "  ifbam lab networks/impact-oscillator.ini --scheme verlet -o impact.html\n"
  "\nThe page holds the engine, gives its numbers to the last bit, and opens from disk, without a "
  "network.\n",
  command_lab,
};
