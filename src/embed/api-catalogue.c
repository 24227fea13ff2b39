/* api-catalogue.c: the element classes with their parameters, and the schemes
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "embed/api-catalogue.h"

#include "base/fail.h"
#include "elements/registry.h"
#include "embed/ifbam-catalogue.h"
#include "engine/engine.h"
#include "file/file.h"

const char *
ifbam_kind_words (IfbamKind kind)
{
  static const char *const words[] = { "free node", "given node", "link",    "source",
                                       "impulse",   "composite",  "settings" };

  return words[kind];
}

/**
 * ifbam_list_classes:
 * @n_classes: (out): their number
 *
 * Lists the element classes, as `ifbam elements` does.
 *
 * Returns: (transfer full) (array length=n_classes): the classes
 */
IfbamClassInfo *
ifbam_list_classes (gsize *n_classes)
{
  guint n;
  const GType *types = ifbam_element_types (&n);
  IfbamClassInfo *classes = g_new0 (IfbamClassInfo, n);

  for (guint i = 0; i < n; i++)
    {
      const IfbamElementInfo *info = ifbam_element_type_info (types[i]);

      classes[i] = (IfbamClassInfo){ .name = info->name,
                                     .kind = ifbam_kind_words (info->kind),
                                     .summary = info->summary,
                                     .law = info->law,
                                     .source = info->source,
                                     .quantities = ifbam_signal_quantities (info),
                                     .example = info->example };
    }
  *n_classes = n;
  return classes;
}

static IfbamParameterInfo
describe (const IfbamElementInfo *info, const IfbamParam *param)
{
  g_autofree char *unit = ifbam_element_unit_text (info, param);
  g_autofree char *words =
      param->kind == IFBAM_PARAM_CHOICE ? g_strjoinv (", ", (char **) param->words) : NULL;
  const gboolean number = param->kind == IFBAM_PARAM_NUMBER;

  return (IfbamParameterInfo){ .key = param->key,
                               .kind = (IfbamParameterKind) param->kind,
                               .unit = g_intern_string (unit),
                               .required = ifbam_param_is_required (param),
                               .minimum = param->minimum,
                               .maximum = param->maximum,
                               .standard = number ? param->standard : NAN,
                               .words = words == NULL ? "" : g_intern_string (words),
                               .meaning = param->meaning };
}

/**
 * ifbam_list_parameters:
 * @class_name: a class, such as "spring"; "network": the keys of a group [network]
 * @n_parameters: (out): their number
 * @error: return location for an error of the domain IFBAM_ERROR
 *
 * Lists the parameters of a class, as `ifbam elements CLASS` does.
 *
 * Returns: (transfer full) (array length=n_parameters): the parameters, or %NULL with
 *   %IFBAM_ERROR_USAGE if there is no such class
 */
IfbamParameterInfo *
ifbam_list_parameters (const char *class_name, gsize *n_parameters, GError **error)
{
  const IfbamElementInfo *info;
  IfbamParameterInfo *parameters;

  G_STATIC_ASSERT ((int) IFBAM_PARAMETER_NUMBER == (int) IFBAM_PARAM_NUMBER
                   && (int) IFBAM_PARAMETER_NUMBERS == (int) IFBAM_PARAM_NUMBERS
                   && (int) IFBAM_PARAMETER_ELEMENTS == (int) IFBAM_PARAM_ELEMENTS
                   && (int) IFBAM_PARAMETER_TEXT == (int) IFBAM_PARAM_TEXT
                   && (int) IFBAM_PARAMETER_CHOICE == (int) IFBAM_PARAM_CHOICE);
  g_return_val_if_fail (class_name != NULL && n_parameters != NULL, NULL);
  *n_parameters = 0;
  info = g_str_equal (class_name, "network") ? ifbam_settings_info ()
                                             : ifbam_element_info_by_name (class_name, NULL);
  if (info == NULL)
    return ifbam_fail_null (error, IFBAM_ERROR_USAGE, "there is no class \"%s\"", class_name);
  parameters = g_new (IfbamParameterInfo, info->n_params);
  for (guint i = 0; i < info->n_params; i++)
    parameters[i] = describe (info, &info->params[i]);
  *n_parameters = info->n_params;
  return parameters;
}

/**
 * ifbam_list_schemes:
 * @n_schemes: (out): their number
 *
 * Lists the schemes, as `ifbam schemes` does.
 *
 * Returns: (transfer full) (array length=n_schemes): the schemes
 */
IfbamSchemeInfo *
ifbam_list_schemes (gsize *n_schemes)
{
  guint n;
  const IfbamScheme *const *schemes = ifbam_schemes (&n);
  IfbamSchemeInfo *infos = g_new (IfbamSchemeInfo, n);

  for (guint i = 0; i < n; i++)
    infos[i] = (IfbamSchemeInfo){ .name = schemes[i]->name,
                                  .summary = schemes[i]->summary,
                                  .stability = schemes[i]->stability,
                                  .source = schemes[i]->source,
                                  .order = schemes[i]->order,
                                  .flip_flop = schemes[i]->latency };
  *n_schemes = n;
  return infos;
}
