/* parameter-uses.c: values of a network that depend on parameters of its file
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>

#include "file/network.h"
#include "file/parameters.h"

void
ifbam_network_take_uses (IfbamNetwork *self, const IfbamNetwork *origin)
{
  g_hash_table_unref (self->parameters);
  self->parameters = g_hash_table_ref (origin->parameters);
  for (guint i = 0; i < origin->uses->len; i++)
    {
      IfbamParameterUse use = g_array_index (origin->uses, IfbamParameterUse, i);
      const double now = ifbam_network_number (use.element, use.member, use.key);

      use.element = use.element == origin->settings
                        ? self->settings
                        : g_hash_table_lookup (self->by_name, use.element->name);
      if (use.element != NULL && (isnan (use.number) || now == use.number))
        g_array_append_val (self->uses, use);
    }
}

char *
ifbam_network_trace_use (const IfbamNetwork *self, const IfbamParameterUse *use, const char *name)
{
  const char *const kept[] = { name, NULL };
  g_autofree char *reason = NULL;
  g_autofree char *text =
      ifbam_parameters_substitute (self->parameters, use->text, TRUE, kept, &reason);

  return text != NULL && ifbam_names_parameter (text, name) ? g_steal_pointer (&text) : NULL;
}

const char **
ifbam_network_used_parameters (const IfbamNetwork *self)
{
  guint n, n_used = 0;
  const char **names = ifbam_sorted_keys (self->parameters, &n);

  for (guint k = 0; k < n; k++)
    {
      gboolean is_used = FALSE;

      for (guint i = 0; i < self->uses->len && !is_used; i++)
        {
          g_autofree char *text = ifbam_network_trace_use (
              self, &g_array_index (self->uses, IfbamParameterUse, i), names[k]);

          is_used = text != NULL;
        }
      if (is_used)
        names[n_used++] = names[k];
    }
  names[n_used] = NULL;
  return names;
}
