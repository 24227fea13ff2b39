/* network-values.c: values of a network file, with parameters
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "file/network-values.h"

#include <string.h>

#include "file/element-formula.h"
#include "file/element-text.h"
#include "file/parameters.h"

gboolean
ifbam_reader_is_formula (const IfbamElementInfo *info, int param)
{
  return param >= 0 && info->program_parameter != 0 && !ifbam_param_in_law (&info->params[param])
         && info->params[param].offset == IFBAM_SLOT_FORMULA;
}

gboolean
ifbam_reader_is_numeric (const IfbamElementInfo *info, int param)
{
  return param >= 0
         && (info->params[param].kind == IFBAM_PARAM_NUMBER
             || info->params[param].kind == IFBAM_PARAM_NUMBERS
             || ifbam_reader_is_formula (info, param));
}

char *
ifbam_reader_substitute (IfbamNetworkReader *reader, const char *value, gboolean arithmetic,
                         char **reason)
{
  return ifbam_parameters_substitute (reader->network->parameters, value, arithmetic, NULL, reason);
}

void
ifbam_reader_add_use (IfbamNetworkReader *reader, IfbamElement *element, const char *member,
                      const char *key, const char *value)
{
  const IfbamParameterUse use = { .element = element,
                                  .member = member != NULL ? g_intern_string (member) : NULL,
                                  .key = g_intern_string (key),
                                  .text = g_intern_string (value),
                                  .number = ifbam_network_number (element, member, key) };

  if (strchr (value, '$') != NULL)
    g_array_append_val (reader->network->uses, use);
}

void
ifbam_reader_note_uses (IfbamNetworkReader *reader, IfbamElement *element, const char *member,
                        const char *key, const char *value)
{
  GArray *uses = reader->network->uses;
  const char *interned = member != NULL ? g_intern_string (member) : NULL;

  for (guint i = uses->len; i-- > 0;)
    {
      const IfbamParameterUse *use = &g_array_index (uses, IfbamParameterUse, i);

      if (use->element == element && use->member == interned && g_str_equal (use->key, key))
        g_array_remove_index (uses, i);
    }
  ifbam_reader_add_use (reader, element, member, key, value);
}

gboolean
ifbam_reader_parse_value (IfbamNetworkReader *reader, IfbamElement *element, guint param,
                          const char *value, char **reason)
{
  g_autofree char *text = NULL;

  if (strchr (value, '$') == NULL)
    return ifbam_element_parse (element, param, value, reason);
  text = ifbam_reader_substitute (reader, value,
                                  ifbam_reader_is_numeric (element->info, (int) param), reason);
  if (text == NULL || !ifbam_element_parse (element, param, text, reason))
    return FALSE;
  ifbam_reader_add_use (reader, element, NULL, element->info->params[param].key, value);
  return TRUE;
}

char *
ifbam_reader_advise_key (const IfbamElementInfo *info, const char *key, const char **nearest)
{
  g_autofree char *list = NULL;
  const char *keys[33];

  for (guint i = 0; i < info->n_params; i++)
    keys[i] = info->params[i].key;
  keys[info->n_params] = NULL;
  *nearest = ifbam_nearest_word (key, keys, info->n_params);
  if (*nearest != NULL)
    return g_strdup_printf ("did you mean \"%s\"?", *nearest);
  list = g_strjoinv (", ", (char **) keys);
  return g_strdup_printf ("it has %s", list);
}
