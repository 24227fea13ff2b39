/* command-lab.c: ifbam lab: a page that runs a network
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "program/command.h"

#include <unistd.h>

#include "program/lab-network.h"
#include "file/file.h"

static int
command_lab (const IfbamCommand *command, int argc, char **argv)
{
  g_auto (IfbamNetworkOptions) network_options = { 0 };
  g_autofree char *to = NULL, *words = NULL;
  const GOptionEntry entries[] = {
    { "file", 'o', 0, G_OPTION_ARG_FILENAME, &to, "file of the page (default: standard output)",
      "FILE" },
    { "text", 0, 0, G_OPTION_ARG_FILENAME, &words, "text beside the network, in Markdown", "FILE" },
    G_OPTION_ENTRY_NULL,
  };
  g_autoptr (GOptionContext) context = ifbam_command_context (command, entries);
  g_autoptr (GError) error = NULL;
  g_auto (IfbamLabSource) source = { 0 };
  int exit_code;

  if (!ifbam_command_parse (command, context, &network_options, &argc, &argv, &exit_code))
    return exit_code;
  if (to == NULL && isatty (STDOUT_FILENO))
    return ifbam_command_usage (command, "a page can't be shown in a terminal (want -o lab.html)");
  if (ifbam_command_writes_no_page (command, to) || ifbam_command_overwrites (command, to, argv[1]))
    return IFBAM_EXIT_USAGE;
  if (!ifbam_lab_source_read (&source, words, &error))
    return ifbam_command_fail (error);
  return ifbam_lab_write (&source, &network_options, argv[1], to);
}

const IfbamCommand ifbam_command_lab = {
  "lab",
  "NETWORK",
  "write a page that runs the network, with sliders for its values",
  "  ifbam lab networks/three-dof.ini -o three-dof.html\n"
  "  ifbam lab networks/three-dof.ini --text questions.md -o exercise.html\n"
  "  ifbam lab networks/impact-oscillator.ini --scheme verlet -o impact.html\n"
  "\nThe page contains the engine, gives its numbers bit for bit, and needs no network "
  "connection.\n",
  command_lab,
  "scheme step tolerance duration start sample set",
};
