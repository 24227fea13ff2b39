/* param.c: rows of parameter tables as GObject properties and as ranges
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "param.h"

char *
ifbam_param_range_fault (const IfbamParam *param, double number)
{
  if (isnan (number))
    return g_strdup ("is no number");
  /* Of such a number there is no reciprocal. */
  if (number < param->minimum && param->minimum == G_MINDOUBLE && number > 0)
    return g_strdup_printf ("%g is too small to be divided by", number);
  if (number < param->minimum && param->minimum == G_MINDOUBLE)
    return g_strdup_printf ("must be above 0, not %g", number);
  if (number < param->minimum)
    return g_strdup_printf ("%g is below the least, %g", number, param->minimum);
  if (number > param->maximum)
    return g_strdup_printf ("%g is above the most, %g", number, param->maximum);
  return NULL;
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
    case IFBAM_PARAM_NUMBER:
    default:
      /* What is required has no default of its own: the property starts at the range's low end. A
       * default below the range says "not given". */
      return g_param_spec_double (
          param->key, param->key, param->meaning, fmin (param->minimum, param->standard),
          param->maximum, ifbam_param_is_required (param) ? param->minimum : param->standard,
          flags);
    }
}
