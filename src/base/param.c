/* param.c: rows of parameter tables: ranges and choices
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/param.h"
#include "base/number-text.h"

char *
ifbam_param_range_fault (const IfbamParam *param, double number)
{
  if (isnan (number))
    return g_strdup ("is no number");
  /* The reciprocal of such a number would overflow. */
  if (number < param->minimum && param->minimum == G_MINDOUBLE && number > 0)
    return g_strdup_printf ("%s is too small to be divided by", IFBAM_NUMBER (number));
  if (number < param->minimum)
    {
      g_autofree char *fault =
          param->minimum == G_MINDOUBLE
              ? g_strdup_printf ("must be above 0, not %s", IFBAM_NUMBER (number))
              : g_strdup_printf ("%s is below the least, %s", IFBAM_NUMBER (number),
                                 IFBAM_NUMBER (param->minimum));

      return param->advice == NULL ? g_steal_pointer (&fault)
                                   : g_strdup_printf ("%s (%s)", fault, param->advice);
    }
  if (number > param->maximum)
    return g_strdup_printf ("%s is above the most, %s", IFBAM_NUMBER (number),
                            IFBAM_NUMBER (param->maximum));
  return NULL;
}

int
ifbam_param_word (const IfbamParam *param, const char *word)
{
  for (int i = 0; word != NULL && param->words[i] != NULL; i++)
    if (g_str_equal (word, param->words[i]))
      return i;
  return -1;
}

const char *
ifbam_param_number_word (const IfbamParam *param, double number)
{
  for (int i = 0;
       param->kind == IFBAM_PARAM_NUMBER && param->words != NULL && param->words[i] != NULL; i++)
    if (number == ifbam_param_word_number (i))
      return param->words[i];
  return NULL;
}

char *
ifbam_param_words_text (const IfbamParam *param)
{
  GString *text = g_string_new (param->words[0]);

  for (int i = 1; param->words[i] != NULL; i++)
    g_string_append_printf (text, "%s%s", param->words[i + 1] == NULL ? " or " : ", ",
                            param->words[i]);
  return g_string_free (text, FALSE);
}
