/* command-equilibrium.c: ifbam equilibrium: positions and forces of a network's equilibrium
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "program/command.h"
#include "embed/embed.h"

/* Separator and unit at the end of a line. */
#define UNIT(unit) *(unit) == '\0' ? "" : " ", unit

/* The columns of text; JSON has all data. */
typedef enum
{
  POSITIONS,
  POSITIONS_AND_RATES,
  RATES, /* of circuits: integrals of voltages tell nothing */
} Columns;

static Columns
find_columns (const IfbamModel *model, const IfbamEquilibrium *equilibrium)
{
  if (equilibrium->rate == NULL)
    return POSITIONS;
  for (gsize node = 0; node < model->n_nodes; node++)
    if (ifbam_model_node_domain (model, node) != IFBAM_DOMAIN_ELECTRICITY)
      return POSITIONS_AND_RATES;
  return RATES;
}

static void
add_nodes (IfbamAnswer *answer, const IfbamModel *model, const IfbamEquilibrium *equilibrium,
           Columns columns)
{
  static const char *const head[] = { "         at rest",
                                      "       at time 0                       rate",
                                      "         voltage" };
  const gsize n = ifbam_model_n_named (model);

  if (n > 0)
    ifbam_answer_add_note (answer, "  %-16s  %s\n", "node", head[columns]);
  ifbam_answer_begin_record (answer, "nodes");
  for (gsize i = 0; i < n; i++)
    {
      const gsize node = ifbam_model_named_node (model, i);
      const IfbamDomainInfo *words = ifbam_domain_info (ifbam_model_node_domain (model, node));
      g_autofree char *name = ifbam_model_node_name (model, node);

      ifbam_answer_begin_record (answer, name);
      ifbam_answer_add_note (answer, "  %-16s", name);
      if (columns == RATES)
        ifbam_answer_add_data (answer, words->coordinate, "%.8g",
                               equilibrium->position[node] + 0.0);
      else
        {
          ifbam_answer_add (answer, words->coordinate, "  %16.8g",
                            equilibrium->position[node] + 0.0);
          ifbam_answer_add_note (answer, columns == POSITIONS ? "%s%s" : "%s%-5s",
                                 UNIT (words->coordinate_unit));
        }
      if (columns != POSITIONS)
        ifbam_answer_add (answer, words->rate, "  %16.8g%s%s", equilibrium->rate[node] + 0.0,
                          UNIT (words->rate_unit));
      ifbam_answer_add_note (answer, "\n");
      ifbam_answer_end (answer);
    }
  ifbam_answer_end (answer);
}

/* Adds data of details to the open record of a link or composite; in the text they follow later. */
static void
add_details (IfbamAnswer *answer, const GArray *details, const char *link)
{
  for (guint k = 0; k < details->len; k++)
    {
      const IfbamDetail *detail = &g_array_index (details, IfbamDetail, k);

      if (g_str_equal (detail->link, link))
        ifbam_answer_add_data (answer, detail->name, "%g", detail->value + 0.0);
    }
}

static void
add_links (IfbamAnswer *answer, const GArray *tensions, const GArray *details, gboolean first,
           Columns columns)
{
  static const char *const head[] = {
    "     compression                   force",
    "     compression                    rate                   force",
    "         voltage                 current"
  };
  g_autoptr (GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);

  if (tensions->len > 0)
    ifbam_answer_add_note (answer, "%s  %-16s  %s\n", first ? "" : "\n", "link", head[columns]);
  ifbam_answer_begin_record (answer, "links");
  for (guint i = 0; i < tensions->len; i++)
    {
      const IfbamTension *tension = &g_array_index (tensions, IfbamTension, i);

      g_hash_table_add (known, (gpointer) tension->name);
      ifbam_answer_begin_record (answer, tension->name);
      ifbam_answer_add_note (answer, "  %-16s", tension->name);
      if (columns == RATES)
        ifbam_answer_add_data (answer, "compression", "%.8g", tension->compression + 0.0);
      else
        {
          ifbam_answer_add (answer, "compression", "  %16.8g", tension->compression + 0.0);
          ifbam_answer_add_note (answer, " %-5s", tension->words->coordinate_unit);
        }
      if (columns != POSITIONS)
        {
          ifbam_answer_add (answer, "rate", "  %16.8g", tension->rate + 0.0);
          ifbam_answer_add_note (answer, " %-5s", tension->words->rate_unit);
        }
      ifbam_answer_add (answer, tension->words->effort, "  %16.8g%s%s\n", tension->force + 0.0,
                        UNIT (tension->words->effort_unit));
      add_details (answer, details, tension->name);
      ifbam_answer_end (answer);
    }
  if (details->len > 0)
    ifbam_answer_add_note (answer, "\n  %-24s  %18s\n", "link", "it has");
  for (guint k = 0; k < details->len; k++)
    {
      const IfbamDetail *detail = &g_array_index (details, IfbamDetail, k);
      g_autofree char *name = g_strdup_printf ("%s.%s", detail->link, detail->name);

      /* Twelve digits, as details are exact functions of the solution. */
      ifbam_answer_add_note (answer, "  %-24s  %18.12g%s%s\n", name, detail->value + 0.0,
                             UNIT (detail->unit));
      /* Composites are no links: they get records of their own. */
      if (!g_hash_table_add (known, (gpointer) detail->link))
        continue;
      ifbam_answer_begin_record (answer, detail->link);
      add_details (answer, details, detail->link);
      ifbam_answer_end (answer);
    }
  ifbam_answer_end (answer);
}

static int
command_equilibrium (const IfbamCommand *command, int argc, char **argv)
{
  g_auto (IfbamNetworkOptions) options = { 0 };
  gboolean json = FALSE;
  const GOptionEntry entries[] = {
    { "json", 0, 0, G_OPTION_ARG_NONE, &json, "print JSON", NULL },
    G_OPTION_ENTRY_NULL,
  };
  g_autoptr (GOptionContext) context = ifbam_command_context (command, entries);
  g_autoptr (GError) error = NULL;
  g_auto (IfbamLoaded) loaded = { 0 };
  g_autoptr (IfbamEquilibrium) equilibrium = NULL;
  g_autoptr (GArray) tensions = NULL, details = NULL;
  IfbamAnswer *answer;
  Columns columns;
  int exit_code;

  if (!ifbam_command_parse (command, context, &options, &argc, &argv, &exit_code))
    return exit_code;
  if (!ifbam_load (&loaded, &options, argv[1], FALSE, &error))
    return ifbam_command_fail (error);
  equilibrium = ifbam_equilibrium_new (loaded.model, &loaded.spec, &error);
  if (equilibrium == NULL)
    return ifbam_loaded_fail (&loaded, error);
  if (equilibrium->n_friction > 0)
    g_printerr ("ifbam: note: dry friction is left out: it could hold the network in other places, "
                "too\n");
  tensions = ifbam_list_tensions (loaded.model, equilibrium);
  details = ifbam_list_details (loaded.model, equilibrium);
  answer = ifbam_answer_new (json, NULL);
  ifbam_answer_add_title (answer, loaded.title);
  columns = find_columns (loaded.model, equilibrium);
  add_nodes (answer, loaded.model, equilibrium, columns);
  add_links (answer, tensions, details, ifbam_model_n_named (loaded.model) == 0, columns);
  ifbam_answer_add_data (answer, "iterations", "%u", equilibrium->iterations);
  return ifbam_answer_finish (answer);
}

const IfbamCommand ifbam_command_equilibrium = {
  "equilibrium",
  "NETWORK",
  "find the position of rest or the operating point, under the sources at time 0",
  "  ifbam equilibrium networks/duffing.ini\n"
  "  ifbam modes networks/buck.ini --start equilibrium\n"
  "  ifbam run networks/duffing.ini --start equilibrium --duration 0.1s\n",
  command_equilibrium,
  "set",
};
