/* command-equilibrium.c: ifbam equilibrium: where a network is at rest, and with which forces
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "program/command.h"
#include "embed/embed.h"
#include "base/ifbam-error.h"

/* -0 is 0. */
static void
append_number (GString *text, int width, double number, const char *unit)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append_printf (text, "  %*s %-5s", width,
                          g_ascii_formatd (buffer, sizeof buffer, "%.8g", number + 0.0), unit);
}

static void
end_line (GString *text)
{
  while (text->len > 0 && text->str[text->len - 1] == ' ')
    g_string_truncate (text, text->len - 1);
  g_string_append_c (text, '\n');
}

/* What links tell of how they hang, to more digits: it is computed, not found. */
static void
append_details (GString *text, const GArray *details)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  if (details->len > 0)
    g_string_append_printf (text, "\n  %-24s  %18s\n", "link", "it has");
  for (guint i = 0; i < details->len; i++)
    {
      const IfbamDetail *detail = &g_array_index (details, IfbamDetail, i);
      g_autofree char *name = g_strdup_printf ("%s.%s", detail->link, detail->name);

      g_string_append_printf (text, "  %-24s  %18s %s", name,
                              g_ascii_formatd (buffer, sizeof buffer, "%.12g", detail->value + 0.0),
                              detail->unit);
      end_line (text);
    }
}

static int
print_text (const IfbamNetwork *network, const IfbamModel *model,
            const IfbamEquilibrium *equilibrium, const GArray *tensions, const GArray *details)
{
  const char *title = ifbam_element_slots (network->settings)[IFBAM_SETTING_TITLE];
  g_autoptr (GString) text = g_string_new (NULL);

  if (title != NULL)
    g_string_append_printf (text, "%s\n", title);
  if (ifbam_model_n_named (model) > 0)
    g_string_append_printf (text, "  %-16s  %16s\n", "node", "at rest");
  for (gsize i = 0; i < ifbam_model_n_named (model); i++)
    {
      const gsize node = ifbam_model_number_of (model, i);
      g_autofree char *name = ifbam_model_node_name (model, node);

      g_string_append_printf (text, "  %-16s", name);
      append_number (text, 16, equilibrium->position[node],
                     ifbam_domain_info (ifbam_model_node_domain (model, node))->coordinate_unit);
      end_line (text);
    }
  if (tensions->len > 0)
    g_string_append_printf (text, "%s  %-16s  %16s %-5s  %16s\n",
                            ifbam_model_n_named (model) > 0 ? "\n" : "", "link", "compression", "",
                            "force");
  for (guint i = 0; i < tensions->len; i++)
    {
      const IfbamTension *tension = &g_array_index (tensions, IfbamTension, i);

      g_string_append_printf (text, "  %-16s", tension->name);
      append_number (text, 16, tension->compression, tension->words->coordinate_unit);
      append_number (text, 16, tension->force, tension->words->effort_unit);
      end_line (text);
    }
  append_details (text, details);
  return ifbam_command_print (text->str);
}

/* Of what is no link itself, but consists of such. */
static void
add_composites (JsonBuilder *builder, const GArray *tensions, const GArray *details)
{
  for (guint k = 0; k < details->len;)
    {
      const char *name = g_array_index (details, IfbamDetail, k).link;
      gboolean known = FALSE;

      for (guint i = 0; i < tensions->len && !known; i++)
        known = g_str_equal (g_array_index (tensions, IfbamTension, i).name, name);
      if (!known)
        {
          ifbam_json_object (builder, name);
        }
      for (; k < details->len && g_str_equal (g_array_index (details, IfbamDetail, k).link, name);
           k++)
        if (!known)
          ifbam_json_number (builder, g_array_index (details, IfbamDetail, k).name,
                             g_array_index (details, IfbamDetail, k).value + 0.0);
      if (!known)
        json_builder_end_object (builder);
    }
}

static int
print_json (const IfbamModel *model, const IfbamEquilibrium *equilibrium, const GArray *tensions,
            const GArray *details)
{
  JsonBuilder *builder = json_builder_new ();

  json_builder_begin_object (builder);
  ifbam_json_object (builder, "nodes");
  for (gsize i = 0; i < ifbam_model_n_named (model); i++)
    {
      const gsize node = ifbam_model_number_of (model, i);
      g_autofree char *name = ifbam_model_node_name (model, node);

      ifbam_json_object (builder, name);
      ifbam_json_number (builder,
                         ifbam_domain_info (ifbam_model_node_domain (model, node))->coordinate,
                         equilibrium->position[node] + 0.0);
      json_builder_end_object (builder);
    }
  json_builder_end_object (builder);
  ifbam_json_object (builder, "links");
  for (guint i = 0; i < tensions->len; i++)
    {
      const IfbamTension *tension = &g_array_index (tensions, IfbamTension, i);

      ifbam_json_object (builder, tension->name);
      ifbam_json_number (builder, "compression", tension->compression + 0.0);
      ifbam_json_number (builder, tension->words->effort, tension->force + 0.0);
      for (guint k = 0; k < details->len; k++)
        {
          const IfbamDetail *detail = &g_array_index (details, IfbamDetail, k);

          if (g_str_equal (detail->link, tension->name))
            ifbam_json_number (builder, detail->name, detail->value + 0.0);
        }
      json_builder_end_object (builder);
    }
  add_composites (builder, tensions, details);
  json_builder_end_object (builder);
  ifbam_json_count (builder, "iterations", equilibrium->iterations);
  json_builder_end_object (builder);
  return ifbam_command_print_json (builder);
}

static int
command_equilibrium (const char *program, int argc, char **argv)
{
  g_auto (IfbamNetworkOptions) options = { 0 };
  gboolean json = FALSE;
  const GOptionEntry entries[] = {
    { "json", 0, 0, G_OPTION_ARG_NONE, &json, "print JSON", NULL },
    G_OPTION_ENTRY_NULL,
  };
  g_autoptr (GOptionContext) context = ifbam_command_context (&ifbam_command_equilibrium, entries);
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamNetwork) network = NULL;
  g_autoptr (IfbamModel) model = NULL;
  g_autoptr (IfbamEquilibrium) equilibrium = NULL;
  g_autoptr (GArray) tensions = NULL, details = NULL;
  g_auto (IfbamRunSpec) spec = { 0 };
  static const char *const heard[] = { "set", NULL };
  int exit_code;

  (void) program;
  ifbam_network_options_add (&options, context, heard);
  if (!ifbam_command_parse (&ifbam_command_equilibrium, context, &argc, &argv, 1, 1, &exit_code))
    return exit_code;
  network = ifbam_command_compile (&options, argv[1], &model, &spec, NULL, &error);
  if (network == NULL)
    return ifbam_command_fail (error);
  equilibrium = ifbam_equilibrium_new (model, &spec, &error);
  if (equilibrium == NULL)
    {
      g_prefix_error (&error, "%s: ", argv[1]);
      return ifbam_command_fail (error);
    }
  if (equilibrium->n_friction > 0)
    g_printerr ("ifbam: note: dry friction is left out: it could hold the network in other places, "
                "too\n");
  tensions = ifbam_list_tensions (model, equilibrium);
  details = ifbam_list_details (model, equilibrium);
  return json ? print_json (model, equilibrium, tensions, details)
              : print_text (network, model, equilibrium, tensions, details);
}

const IfbamCommand ifbam_command_equilibrium = {
  "equilibrium",
  "NETWORK",
  "find where a network is at rest under constant sources and weight",
  "  ifbam equilibrium networks/duffing.ini\n"
  "  ifbam run networks/duffing.ini --start equilibrium --duration 0.1s\n",
  command_equilibrium,
};
