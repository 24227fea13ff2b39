/* dependent-values.c: values that depend on varied parameters, "damping = 2 * $zeta * sqrt($k *
 * $m)"
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "sweep/dependent-values.h"

#include <string.h>

#include "file/file.h"

typedef struct
{
  IfbamTarget target;
  IfbamFormula *expression; /* of the values of all variations */
} Follower;

struct IfbamDependentValues
{
  GArray *followers; /* Follower */
};

static void
follower_clear (gpointer data)
{
  ifbam_formula_free (((Follower *) data)->expression);
}

void
ifbam_dependent_values_free (IfbamDependentValues *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->followers);
  g_free (self);
}

/* Marks variations of parameters in a text that may change the network's structure, or its settings. */
static void
mark (GPtrArray *variations, const char *text, gboolean reshapes, gboolean settings)
{
  for (guint k = 0; k < variations->len; k++)
    {
      IfbamVariation *variation = variations->pdata[k];

      variation->composites |= reshapes && ifbam_names_parameter (text, variation->name);
      variation->settings |= settings && ifbam_names_parameter (text, variation->name);
    }
}

IfbamDependentValues *
ifbam_dependent_values_new (const IfbamNetwork *network, const IfbamModel *model,
                            GPtrArray *variations, char **reason)
{
  IfbamDependentValues *self = g_new0 (IfbamDependentValues, 1);
  g_autofree IfbamUnknown *unknowns = g_new0 (IfbamUnknown, variations->len);
  g_autofree const char **names = g_new0 (const char *, variations->len + 1);

  self->followers = g_array_new (FALSE, FALSE, sizeof (Follower));
  g_array_set_clear_func (self->followers, follower_clear);
  for (guint k = 0; k < variations->len; k++)
    {
      const IfbamVariation *variation = variations->pdata[k];

      unknowns[k] = (IfbamUnknown){ variation->name, variation->dimension };
      names[k] = variation->name;
    }
  for (guint i = 0; i < network->uses->len; i++)
    {
      const IfbamParameterUse *use = &g_array_index (network->uses, IfbamParameterUse, i);
      const IfbamTarget target = { use->element == network->settings
                                       ? NULL
                                       : g_intern_string (use->element->name),
                                   use->member, use->key };
      g_autofree char *text =
          ifbam_parameters_substitute (network->parameters, use->text, TRUE, names, reason);
      Follower follower = { .target = target };

      if (text == NULL || strchr (text, '$') == NULL
          || ifbam_variations_find (variations, &target) != NULL)
        {
          g_clear_pointer (reason, g_free);
          continue;
        }
      follower.expression =
          ifbam_target_read (&target, network, model, text, unknowns, variations->len, reason);
      if (follower.expression == NULL)
        {
          char *why = g_steal_pointer (reason);

          *reason = g_strdup_printf ("%s.%s%s%s = %s: %s",
                                     target.element == NULL ? "network" : target.element,
                                     target.member == NULL ? "" : target.member,
                                     target.member == NULL ? "" : ".", target.key, use->text, why);
          g_free (why);
          ifbam_dependent_values_free (self);
          return NULL;
        }
      mark (variations, text, ifbam_target_reshapes (use->element), target.element == NULL);
      g_array_append_val (self->followers, follower);
    }
  return self;
}

void
ifbam_dependent_values_add_elements (const IfbamDependentValues *self, const IfbamNetwork *network,
                                     GPtrArray *elements)
{
  for (guint i = 0; i < self->followers->len; i++)
    {
      IfbamElement *element =
          ifbam_target_element (&g_array_index (self->followers, Follower, i).target, network);

      if (element != network->settings && !g_ptr_array_find (elements, element, NULL))
        g_ptr_array_add (elements, element);
    }
}

gboolean
ifbam_dependent_values_set (const IfbamDependentValues *self, const IfbamNetwork *network,
                            const double *values, char **reason)
{
  for (guint i = 0; i < self->followers->len; i++)
    {
      const Follower *follower = &g_array_index (self->followers, Follower, i);
      IfbamElement *element = ifbam_target_element (&follower->target, network);

      if (!ifbam_target_check (&follower->target, element,
                               ifbam_formula_value (follower->expression, values), reason))
        return FALSE;
    }
  return TRUE;
}
