/* element-formula.c: laws of elements as formulas of their motion
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "file/element-formula.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "file/quantities.h"

/* Two words for each input */
#define N_WORDS (2 * IFBAM_PROGRAM_INPUTS)

/* Sets the words of a formula's inputs: word k is of input k % IFBAM_PROGRAM_INPUTS. */
static void
set_words (IfbamDomain domain, IfbamUnknown *words)
{
  const IfbamDomainInfo *info = ifbam_domain_info (domain);
  const gboolean has_words = domain >= IFBAM_DOMAIN_ELECTRICITY;

  words[0].name = "delta";
  words[1].name = "rate";
  words[2].name = has_words ? info->coordinate : words[0].name;
  words[3].name = has_words ? info->rate : words[1].name;
  for (guint k = 0; k < N_WORDS; k++)
    ifbam_units_dimension (k % 2 == 0 ? info->coordinate_unit : info->rate_unit,
                           &words[k].dimension);
}

static gboolean
is_of_word (char c)
{
  return g_ascii_isalnum (c) || c == '_' || c == '$';
}

/* Returns the text with "$" before each of the words, by which expressions mark values that come
 * later (transfer full). */
static char *
mark_words (const char *text, const IfbamUnknown *words)
{
  GString *marked = g_string_new (NULL);

  while (*text != '\0')
    {
      gsize n = 0;

      while (is_of_word (text[n]))
        n++;
      for (guint k = 0; k < N_WORDS && n > 0; k++)
        if (strlen (words[k].name) == n && memcmp (words[k].name, text, n) == 0)
          {
            g_string_append_c (marked, '$');
            break;
          }
      n = MAX (n, 1);
      for (gsize i = 0; i < n; i++)
        g_string_append_c (marked, text[i]);
      text += n;
    }
  return g_string_free (marked, FALSE);
}

/* Removes the marks. */
static void
unmark (char *text)
{
  char *to = text;

  for (const char *from = text; *from != '\0'; from++)
    if (*from != '$')
      *to++ = *from;
  *to = '\0';
}

IfbamProgram *
ifbam_element_read_formula (const IfbamElementInfo *info, const char *text, char **reason)
{
  static const double rest[IFBAM_PROGRAM_INPUTS];
  const int param =
      ifbam_element_param_index (info, ifbam_element_slot_key (info, IFBAM_SLOT_FORMULA));
  const char *key = info->params[param].key, *unit = info->params[param].unit;
  IfbamUnknown words[N_WORDS];
  g_autofree char *marked = NULL;
  g_autoptr (IfbamFormula) formula = NULL;
  IfbamProgram *program;

  set_words (info->domain, words);
  marked = mark_words (text, words);
  formula = ifbam_units_parse_expression (marked, words, N_WORDS, unit, key, NULL, reason);
  if (formula == NULL)
    {
      g_autofree char *fault = g_steal_pointer (reason);

      unmark (fault);
      return ifbam_reject_null (reason, "%s; variables of a law are %s and %s", fault,
                                words[2].name, words[3].name);
    }
  for (guint k = 0; k < formula->instructions->len; k++)
    g_array_index (formula->instructions, IfbamInstruction, k).input %= IFBAM_PROGRAM_INPUTS;
  program = ifbam_program_new (formula);
  if (program == NULL)
    return ifbam_reject_null (reason, "is nested too deeply (%d values that wait at most)",
                              IFBAM_PROGRAM_REGISTERS);
  if (isfinite (ifbam_program_value (program, rest)))
    return program;
  ifbam_program_free (program);
  return ifbam_reject_null (reason, "\"%.60s\" has no finite value at %s = 0, %s = 0", text,
                            words[2].name, words[3].name);
}
