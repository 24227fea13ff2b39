/* command-schemes.c: ifbam schemes: all schemes, with order, stability and source
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "program/command.h"
#include "engine/engine.h"

static int
command_schemes (const IfbamCommand *command, int argc, char **argv)
{
  gboolean json = FALSE;
  const GOptionEntry entries[] = {
    { "json", 0, 0, G_OPTION_ARG_NONE, &json, "print JSON", NULL },
    G_OPTION_ENTRY_NULL,
  };
  g_autoptr (GOptionContext) context = ifbam_command_context (command, entries);
  IfbamAnswer *answer;
  guint n;
  const IfbamScheme *const *schemes = ifbam_schemes (&n);
  int exit_code;

  if (!ifbam_command_parse (command, context, NULL, &argc, &argv, &exit_code))
    return exit_code;
  answer = ifbam_answer_new (json, NULL);
  ifbam_answer_begin_list (answer, "schemes");
  for (guint i = 0; i < n; i++)
    {
      ifbam_answer_begin_record (answer, NULL);
      ifbam_answer_add (answer, "scheme,-,summary,order,-,stability,source",
                        "%s%s\n  %s\n  order      %d%s\n  stability  %s\n  source     %s\n\n",
                        schemes[i]->name, schemes[i] == ifbam_scheme_default () ? " (default)" : "",
                        schemes[i]->summary, schemes[i]->order,
                        schemes[i]->latency ? "; its messages take one cycle (flip-flop)" : "",
                        schemes[i]->stability, schemes[i]->source);
      ifbam_answer_add_data (answer, "flip_flop", "%i", schemes[i]->latency);
      ifbam_answer_end (answer);
    }
  ifbam_answer_end (answer);
  ifbam_answer_add_note (
      answer, "omega: angular frequency of a mode [1/s]; growth is that of an amplitude.\n");
  return ifbam_answer_finish (answer);
}

const IfbamCommand ifbam_command_schemes = {
  "schemes",
  "",
  "list the schemes, with order, stability and source",
  "  ifbam schemes\n"
  "  ifbam schemes --json\n",
  command_schemes,
  NULL,
};
