/* command-list.c: names in a network that options accept, one per line, also for the completion
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "program/command-list.h"

#include <string.h>

#include "base/fail.h"

/* of a composite; for larger ones ranges are listed */
#define MAX_MEMBERS 2000

static gboolean
is_number (const IfbamElementInfo *info, const IfbamParam *param)
{
  return param->kind == IFBAM_PARAM_NUMBER
         || (param->kind == IFBAM_PARAM_NUMBERS && info->kind == IFBAM_KIND_COMPOSITE);
}

static void
append_keys (GString *text, const char *name, const IfbamElementInfo *info, gboolean numbers)
{
  for (guint i = 0; i < info->n_params; i++)
    if (!numbers || is_number (info, &info->params[i]))
      g_string_append_printf (text, "%s.%s\n", name, info->params[i].key);
}

/* Appends parameters of the members of composites. */
static void
append_members (GString *text, const GArray *families)
{
  for (guint f = 0; f < families->len; f++)
    {
      const IfbamSpan *span = &g_array_index (families, IfbamSpan, f);

      for (gsize i = 1; i <= span->count && span->count <= MAX_MEMBERS && !span->lone
                        && span->element->info->set_member != NULL;
           i++)
        {
          g_autofree char *name =
              g_strdup_printf ("%s.%s%" G_GSIZE_FORMAT, span->element->name, span->letter, i);

          append_keys (text, name, span->info, TRUE);
        }
    }
}

/* numbers: only numeric parameters, for `--vary`. */
static void
append_settings (GString *text, const IfbamNetwork *network, const IfbamModel *model,
                 gboolean numbers)
{
  for (guint i = 0; i < network->elements->len; i++)
    {
      const IfbamElement *element = network->elements->pdata[i];

      append_keys (text, element->name, element->info, numbers);
    }
  append_members (text, model->node_families);
  append_members (text, model->link_families);
  append_members (text, model->unbatched_families);
  if (numbers)
    g_string_append (text, "network.step\nnetwork.duration\n");
  else
    append_keys (text, "network", network->settings->info, FALSE);
  {
    g_autofree const char **names = ifbam_network_used_parameters (network);

    for (guint i = 0; names[i] != NULL; i++)
      g_string_append_printf (text, "%s\n", names[i]);
  }
}

static gboolean
append_signals (GString *text, const IfbamNetwork *network, const IfbamModel *model, GError **error)
{
  char *reason = NULL;
  g_autoptr (IfbamSignals) signals = ifbam_signals_new (model, network->by_name, "*", &reason);

  for (guint i = 0; signals != NULL && i < signals->signals->len; i++)
    g_string_append_printf (text, "%s\n", (const char *) signals->names->pdata[i]);
  if (signals == NULL)
    g_set_error_literal (error, IFBAM_ERROR, IFBAM_ERROR_NETWORK, reason);
  g_free (reason);
  return signals != NULL;
}

/* Appends inputs of `response`: a force on each free node, the motion of each given node. */
static void
append_inputs (GString *text, const IfbamModel *model)
{
  for (gsize i = 0; i < ifbam_model_n_named (model); i++)
    {
      const gsize node = ifbam_model_named_node (model, i);
      const IfbamDomainInfo *words = ifbam_domain_info (ifbam_model_node_domain (model, node));
      g_autofree char *name = ifbam_model_node_name (model, node);

      if (node < model->n_free)
        g_string_append_printf (text, "%s@%s\n", words->effort, name);
      else
        g_string_append_printf (text, "%s@%s\n%s@%s\nacceleration@%s\n", words->coordinate, name,
                                words->rate, name, name);
    }
}

gboolean
ifbam_command_list (const char *what, const IfbamNetwork *network, const IfbamModel *model,
                    GString *text, GError **error)
{
  if (g_str_equal (what, "signals"))
    return append_signals (text, network, model, error);
  if (g_str_equal (what, "settings") || g_str_equal (what, "numbers"))
    append_settings (text, network, model, g_str_equal (what, "numbers"));
  else if (g_str_equal (what, "inputs"))
    append_inputs (text, model);
  else
    return ifbam_fail (error, IFBAM_ERROR_USAGE,
                       "--list %s: is none of signals, settings, numbers and inputs", what);
  return TRUE;
}
