/* lab-parameters.c: parameters of a network's file, and the values that depend on them
 *
 * Dependent values are sent as operations on values in SI units, in order of execution: "$k 2 *".
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lab/lab-parameters.h"

#include <string.h>

#include "file/file.h"

typedef struct
{
  const IfbamNetwork *network;
  const IfbamModel *model;
  const char **names;     /* of independent parameters (n; NULL-terminated) */
  IfbamUnknown *unknowns; /* (n) */
  gboolean *is_fixed;     /* a value that depends on it can't be changed in a page (n) */
  guint n;
} Parameters;

/* Returns the operations of a formula in order of execution, "$k 2 *" (transfer full). */
static char *
formula_text (const IfbamFormula *formula, const IfbamUnknown *unknowns)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < formula->instructions->len; i++)
    {
      const IfbamInstruction *one = &g_array_index (formula->instructions, IfbamInstruction, i);
      char number[G_ASCII_DTOSTR_BUF_SIZE];

      g_string_append (text, i > 0 ? " " : "");
      if (one->operation == IFBAM_NUMBER)
        g_string_append (text, g_ascii_dtostr (number, sizeof number, one->number));
      else if (one->operation == IFBAM_INPUT)
        g_string_append_printf (text, "$%s", unknowns[one->input].name);
      else
        g_string_append (text, ifbam_operations[one->operation].word);
    }
  return g_string_free (text, FALSE);
}

/* Returns the operations of a use (transfer full); NULL: it is no parameter of a page. */
static char *
read_use (const Parameters *self, const IfbamParameterUse *use, const char *text)
{
  const IfbamElementInfo *info = use->element->info;
  const int k = ifbam_element_param_index (info, use->key);
  g_autofree char *unit = NULL, *reason = NULL;
  g_autoptr (IfbamFormula) expression = NULL;

  if (use->member != NULL || k < 0 || info->params[k].kind != IFBAM_PARAM_NUMBER
      || (use->element == self->network->settings && !g_str_equal (use->key, "step")))
    return NULL;
  unit = ifbam_domain_unit (ifbam_model_element_domain (self->model, use->element),
                            info->params[k].unit);
  expression = ifbam_units_parse_expression (text, self->unknowns, self->n, unit ? unit : "",
                                             use->key, "", &reason);
  return expression == NULL ? NULL : formula_text (expression, self->unknowns);
}

static void
add_uses (Parameters *self, IfbamJsonWriter *json)
{
  ifbam_json_object (json, "uses");
  for (guint i = 0; i < self->network->uses->len; i++)
    {
      const IfbamParameterUse *use = &g_array_index (self->network->uses, IfbamParameterUse, i);
      g_autofree char *reason = NULL, *operations = NULL, *name = NULL;
      g_autofree char *text = ifbam_parameters_substitute (self->network->parameters, use->text,
                                                           TRUE, self->names, &reason);

      if (text == NULL || strchr (text, '$') == NULL)
        continue;
      operations = read_use (self, use, text);
      for (guint k = 0; k < self->n && operations == NULL; k++)
        self->is_fixed[k] |= ifbam_names_parameter (text, self->names[k]);
      if (operations == NULL)
        continue;
      name = use->element == self->network->settings
                 ? g_strdup (use->key)
                 : g_strconcat (use->element->name, ".", use->key, NULL);
      ifbam_json_string (json, name, operations);
    }
  ifbam_json_end (json);
}

void
ifbam_lab_add_parameters (IfbamJsonWriter *json, const IfbamNetwork *network,
                          const IfbamModel *model)
{
  guint n;
  g_autofree const char **names = ifbam_sorted_keys (network->parameters, &n);
  g_autofree IfbamUnknown *unknowns = g_new0 (IfbamUnknown, n + 1);
  g_autofree gboolean *is_fixed = g_new0 (gboolean, n + 1);
  Parameters self = { network, model, names, unknowns, is_fixed, 0 };

  for (guint k = 0; k < n; k++)
    {
      const char *text = g_hash_table_lookup (network->parameters, names[k]);
      IfbamUnknown *unknown = &unknowns[self.n];

      if (strchr (text, '$') == NULL && ifbam_units_dimension (text, &unknown->dimension))
        names[self.n++] = unknown->name = names[k];
    }
  names[self.n] = NULL;
  add_uses (&self, json);
  ifbam_json_array (json, "parameters");
  for (guint k = 0; k < self.n; k++)
    {
      const char *unit = ifbam_units_name (&unknowns[k].dimension);
      g_autofree char *reason = NULL;
      double value = 0;

      if (!ifbam_units_parse (g_hash_table_lookup (network->parameters, names[k]), unit, NULL, NULL,
                              &value, &reason))
        continue;
      ifbam_json_record (json, NULL, "name,unit,value,fixed", "%s%s%g%i", names[k], unit, value,
                         is_fixed[k]);
    }
  ifbam_json_end (json);
}
