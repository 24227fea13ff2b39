/* param-spec.c: rows of parameter tables as properties of GObject
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/param-spec.h"

/* Returns the lower limit of the property. */
static double
lowest (const IfbamParam *param)
{
  double number = fmin (param->minimum, param->standard);

  for (int i = 1; param->words != NULL && param->words[i] != NULL; i++)
    number = fmin (number, ifbam_param_word_number (i));
  return number;
}

GParamSpec *
ifbam_param_spec (const IfbamParam *param)
{
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS;

  switch (param->kind)
    {
    case IFBAM_PARAM_NUMBERS:
      return g_param_spec_variant (param->key, param->key, param->meaning, G_VARIANT_TYPE ("ad"),
                                   NULL, flags);
    case IFBAM_PARAM_ELEMENTS:
      return g_param_spec_boxed (param->key, param->key, param->meaning, G_TYPE_STRV, flags);
    case IFBAM_PARAM_TEXT:
      return g_param_spec_string (param->key, param->key, param->meaning, NULL, flags);
    case IFBAM_PARAM_CHOICE:
      return g_param_spec_string (
          param->key, param->key, param->meaning,
          ifbam_param_is_required (param) ? NULL : param->words[(int) param->standard], flags);
    case IFBAM_PARAM_NUMBER:
    default:
      /* Required parameters start at the lower limit; defaults below it mean "not given". */
      return g_param_spec_double (
          param->key, param->key, param->meaning, lowest (param),
          param->words != NULL ? INFINITY : param->maximum,
          ifbam_param_is_required (param) ? param->minimum : param->standard, flags);
    }
}
