/* command-check.c: ifbam check: reads a network, says what it is, runs nothing
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>

#include "program/command.h"
#include "motion/estimate.h"
#include "scheme/growth.h"

static const char *
plural (gsize n)
{
  return n == 1 ? "" : "s";
}

/* Elements, not the nodes that they act on. */
static gsize
count_sources (const IfbamModel *model)
{
  gsize n = 0;

  for (gsize i = 0; i < model->n_sources; i++)
    n += ifbam_model_source_of (model, i)->first == i;
  return n;
}

/* Links that have modes, monitors left out. */
static gsize
count_links (const IfbamModel *model)
{
  gsize n = 0;

  for (guint j = 0; j < model->singles->len; j++)
    n += g_array_index (model->singles, IfbamLink, j).element->info->hears == NULL;
  return n;
}

static char *
text_of (const IfbamNetwork *network, const IfbamModel *model, const IfbamSignals *signals,
         const IfbamRunSpec *spec, const IfbamEstimate *estimate)
{
  const char *title = ifbam_element_slots (network->settings)[IFBAM_SETTING_TITLE];
  const double h = estimate->frequency * spec->step;
  const double growth = ifbam_scheme_growth (spec->scheme, h) / spec->step;
  const char *at_most = estimate->at_most ? "at most " : "";
  GString *text = g_string_new (NULL);
  guint64 rows = spec->last_step / spec->stride + 1;
  const gsize links = count_links (model);
  g_autofree char *moded = links > 0
                               ? g_strdup_printf (", %" G_GSIZE_FORMAT " of them with modes", links)
                               : g_strdup ("");

  if (title != NULL)
    g_string_append_printf (text, "%s\n", title);
  g_string_append_printf (
      text,
      "nodes     %" G_GSIZE_FORMAT " free, %" G_GSIZE_FORMAT " given\n"
      "links     %" G_GSIZE_FORMAT "%s\n"
      "sources   %" G_GSIZE_FORMAT "\n"
      "scheme    %s (order %d), %s start\n"
      "step      %g s%s%s%s, %" G_GUINT64_FORMAT " steps, until %g s\n"
      "record    %u signal%s, %" G_GUINT64_FORMAT " rows\n",
      model->n_free, ifbam_model_n_named (model) - model->n_free, model->n_links + links, moded,
      count_sources (model), spec->scheme->name, spec->scheme->order, ifbam_command_start (spec),
      spec->step, spec->chosen != NULL ? " (auto: " : "", spec->chosen != NULL ? spec->chosen : "",
      spec->chosen != NULL ? ")" : "", spec->last_step, (double) spec->last_step * spec->step,
      signals->signals->len, plural (signals->signals->len), rows);
  if (estimate->frequency > 0)
    g_string_append_printf (text,
                            "fastest   %s%.6g Hz (from the laws' slopes at the start); "
                            "angular frequency times step is %s%.3g\n",
                            at_most, estimate->frequency / (2 * G_PI), at_most, h);
  if (growth > 1e-12)
    g_string_append_printf (text,
                            "stability the scheme lets this mode grow at %s%.3g per second "
                            "(without damping)\n",
                            estimate->at_most ? "up to " : "", growth);
  else
    g_string_append (text,
                     "stability the scheme lets no mode grow at this step (without damping)\n");
  return g_string_free (text, FALSE);
}

static void
json_count (JsonBuilder *builder, const char *member, guint64 count)
{
  json_builder_set_member_name (builder, member);
  json_builder_add_int_value (builder, (gint64) count);
}

static int
print_json (const IfbamNetwork *network, const IfbamModel *model, const IfbamSignals *signals,
            const IfbamRunSpec *spec, const IfbamEstimate *estimate)
{
  JsonBuilder *builder = json_builder_new ();
  const char *title = ifbam_element_slots (network->settings)[IFBAM_SETTING_TITLE];

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "title");
  json_builder_add_string_value (builder, title != NULL ? title : "");
  json_count (builder, "free_nodes", model->n_free);
  json_count (builder, "given_nodes", ifbam_model_n_named (model) - model->n_free);
  json_count (builder, "links", model->n_links + count_links (model));
  json_count (builder, "links_with_modes", count_links (model));
  json_count (builder, "sources", count_sources (model));
  json_builder_set_member_name (builder, "scheme");
  json_builder_add_string_value (builder, spec->scheme->name);
  json_builder_set_member_name (builder, "start");
  json_builder_add_string_value (builder, ifbam_command_start (spec));
  ifbam_json_number (builder, "step", spec->step);
  json_count (builder, "steps", spec->last_step);
  ifbam_json_number (builder, "duration", (double) spec->last_step * spec->step);
  json_count (builder, "signals", signals->signals->len);
  json_count (builder, "rows", spec->last_step / spec->stride + 1);
  ifbam_json_number (builder, "fastest_frequency", estimate->frequency / (2 * G_PI));
  json_builder_set_member_name (builder, "fastest_is_at_most");
  json_builder_add_boolean_value (builder, estimate->at_most);
  ifbam_json_number (builder, "growth_rate",
                     ifbam_scheme_growth (spec->scheme, estimate->frequency * spec->step)
                         / spec->step);
  json_builder_end_object (builder);
  return ifbam_command_print_json (builder);
}

static int
command_check (const char *program, int argc, char **argv)
{
  g_auto (IfbamNetworkOptions) options = { 0 };
  gboolean json = FALSE;
  const GOptionEntry entries[] = {
    { "json", 0, 0, G_OPTION_ARG_NONE, &json, "print JSON", NULL },
    G_OPTION_ENTRY_NULL,
  };
  g_autoptr (GOptionContext) context = ifbam_command_context (&ifbam_command_check, entries);
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamNetwork) network = NULL;
  g_autoptr (IfbamSignals) signals = NULL;
  g_autoptr (IfbamModel) model = NULL;
  g_autofree char *text = NULL;
  g_auto (IfbamRunSpec) spec = { 0 };
  IfbamEstimate estimate;
  int exit_code;

  (void) program;
  ifbam_network_options_add (&options, context);
  if (!ifbam_command_parse (&ifbam_command_check, context, &argc, &argv, 1, 1, &exit_code))
    return exit_code;
  network = ifbam_command_load (&options, argv[1], &error);
  model = network == NULL ? NULL
                          : ifbam_network_compile_or_error (network, TRUE, &spec, &signals, &error);
  if (model == NULL)
    return ifbam_command_fail (error);
  estimate = ifbam_estimate (model, &spec);
  if (json)
    return print_json (network, model, signals, &spec, &estimate);
  text = text_of (network, model, signals, &spec, &estimate);
  return ifbam_command_print (text);
}

const IfbamCommand ifbam_command_check = {
  "check",
  "NETWORK",
  "read a network, say what it is, run nothing",
  "  ifbam check networks/two-dof.ini\n"
  "  ifbam check networks/two-dof.ini --step 1ms --json\n",
  command_check,
};
