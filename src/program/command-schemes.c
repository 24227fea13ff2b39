/* command-schemes.c: ifbam schemes: every scheme, with order, stability and source
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "program/command.h"
#include "engine/engine.h"

static int
print_json (void)
{
  guint n;
  const IfbamScheme *const *schemes = ifbam_schemes (&n);
  JsonBuilder *builder = json_builder_new ();

  json_builder_begin_object (builder);
  ifbam_json_array (builder, "schemes");
  for (guint i = 0; i < n; i++)
    {
      json_builder_begin_object (builder);
      ifbam_json_string (builder, "scheme", schemes[i]->name);
      ifbam_json_count (builder, "order", schemes[i]->order);
      ifbam_json_boolean (builder, "flip_flop", schemes[i]->latency);
      ifbam_json_string (builder, "summary", schemes[i]->summary);
      ifbam_json_string (builder, "stability", schemes[i]->stability);
      ifbam_json_string (builder, "source", schemes[i]->source);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  return ifbam_command_print_json (builder);
}

static int
command_schemes (const char *program, int argc, char **argv)
{
  gboolean json = FALSE;
  const GOptionEntry entries[] = {
    { "json", 0, 0, G_OPTION_ARG_NONE, &json, "print JSON", NULL },
    G_OPTION_ENTRY_NULL,
  };
  g_autoptr (GOptionContext) context = ifbam_command_context (&ifbam_command_schemes, entries);
  g_autoptr (GString) text = g_string_new (NULL);
  guint n;
  const IfbamScheme *const *schemes = ifbam_schemes (&n);
  int exit_code;

  (void) program;
  if (!ifbam_command_parse (&ifbam_command_schemes, context, &argc, &argv, 0, 0, &exit_code))
    return exit_code;
  if (json)
    return print_json ();
  for (guint i = 0; i < n; i++)
    g_string_append_printf (
        text, "%s%s\n  %s\n  order      %d%s\n  stability  %s\n  source     %s\n\n",
        schemes[i]->name, schemes[i] == ifbam_scheme_default () ? " (default)" : "",
        schemes[i]->summary, schemes[i]->order,
        schemes[i]->latency ? "; its messages take one cycle (flip-flop)" : "",
        schemes[i]->stability, schemes[i]->source);
  g_string_append (text,
                   "omega: angular frequency of a mode [1/s]; growth is that of an amplitude.\n");
  return ifbam_command_print (text->str);
}

const IfbamCommand ifbam_command_schemes = {
  "schemes",
  "",
  "list the schemes, with order, stability and source",
  "  ifbam schemes\n"
  "  ifbam schemes --json\n",
  command_schemes,
};
