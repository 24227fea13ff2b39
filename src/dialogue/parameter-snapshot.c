/* parameter-snapshot.c: copy of an element's values
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "dialogue/parameter-snapshot.h"

#include <string.h>

#include "element/element.h"

static gpointer
value_copy (const IfbamParam *param, gpointer value)
{
  if (value == NULL)
    return NULL;
  return param->kind == IFBAM_PARAM_ELEMENTS  ? (gpointer) g_strdupv (value)
         : param->kind == IFBAM_PARAM_NUMBERS ? (gpointer) g_variant_ref (value)
                                              : (gpointer) g_strdup (value);
}

static void
value_free (const IfbamParam *param, gpointer value)
{
  if (param->kind == IFBAM_PARAM_ELEMENTS)
    g_strfreev (value);
  else if (param->kind == IFBAM_PARAM_NUMBERS)
    g_clear_pointer ((GVariant **) &value, g_variant_unref);
  else
    g_free (value);
}

static gboolean
value_equal (const IfbamParam *param, gpointer a, gpointer b)
{
  if (a == NULL || b == NULL)
    return a == b;
  return param->kind == IFBAM_PARAM_ELEMENTS  ? g_strv_equal (a, b)
         : param->kind == IFBAM_PARAM_NUMBERS ? g_variant_equal (a, b)
                                              : g_str_equal (a, b);
}

static void
list_member (gpointer text, const char *member, const IfbamParam *param, double value)
{
  g_string_append_printf (text, "%s %s %a\n", member, param->key, value);
}

static char *
list_start_text (const IfbamElement *element)
{
  const IfbamElementInfo *info = element->info;
  GString *text = g_string_new (NULL);

  if (info->initial != NULL)
    {
      const IfbamMotion start = info->initial (ifbam_element_law (element));

      g_string_append_printf (text, "%a %a\n", start.position, start.rate);
    }
  if (info->time_events != NULL)
    {
      g_autoptr (GArray) time_events = g_array_new (FALSE, TRUE, sizeof (IfbamTimeEvent));

      info->time_events (element, time_events);
      for (guint i = 0; i < time_events->len; i++)
        {
          const IfbamTimeEvent *event = &g_array_index (time_events, IfbamTimeEvent, i);

          g_string_append_printf (text, "%a %a %a %a\n", event->time, event->value, event->period,
                                  event->end);
        }
    }
  if (info->list_members != NULL)
    info->list_members (element, list_member, text);
  return g_string_free (text, FALSE);
}

IfbamParameterSnapshot *
ifbam_parameter_snapshot_new (const IfbamElement *element)
{
  const IfbamElementInfo *info = element->info;
  IfbamParameterSnapshot *snapshot = g_new0 (IfbamParameterSnapshot, 1);

  snapshot->law = g_memdup2 (ifbam_element_law (element), info->law_size);
  snapshot->values = g_new0 (gpointer, info->n_params + 1);
  for (guint i = 0; i < info->n_params; i++)
    if (!ifbam_param_in_law (&info->params[i]))
      snapshot->values[i] =
          value_copy (&info->params[i], ifbam_element_slots (element)[info->params[i].offset]);
  snapshot->set = element->set;
  snapshot->start_text = list_start_text (element);
  return snapshot;
}

void
ifbam_parameter_snapshot_free (IfbamParameterSnapshot *snapshot, const IfbamElement *element)
{
  for (guint i = 0; i < element->info->n_params; i++)
    value_free (&element->info->params[i], snapshot->values[i]);
  g_free (snapshot->values);
  g_free (snapshot->law);
  g_free (snapshot->start_text);
  g_free (snapshot);
}

IfbamChange
ifbam_parameter_snapshot_change (const IfbamParameterSnapshot *snapshot,
                                 const IfbamElement *element)
{
  const IfbamElementInfo *info = element->info;
  g_autofree char *start_text = list_start_text (element);

  if (!g_str_equal (start_text, snapshot->start_text))
    return IFBAM_CHANGE_OTHERS;
  for (guint i = 0; i < info->n_params; i++)
    if (!ifbam_param_in_law (&info->params[i])
        && !value_equal (&info->params[i], snapshot->values[i],
                         ifbam_element_slots (element)[info->params[i].offset]))
      return IFBAM_CHANGE_OTHERS;
  /* A choice can define the structure or the start. */
  for (guint i = 0; i < info->n_params; i++)
    if (info->params[i].kind == IFBAM_PARAM_CHOICE
        && memcmp ((char *) snapshot->law + info->params[i].offset,
                   ifbam_element_value (element, &info->params[i]), sizeof (double))
               != 0)
      return IFBAM_CHANGE_OTHERS;
  return info->law_size > 0
                 && memcmp (snapshot->law, ifbam_element_law (element), info->law_size) != 0
             ? IFBAM_CHANGE_PARAMETERS
             : IFBAM_CHANGE_NONE;
}

void
ifbam_parameter_snapshot_restore (const IfbamParameterSnapshot *snapshot, IfbamElement *element)
{
  const IfbamElementInfo *info = element->info;

  if (info->law_size > 0)
    memcpy (ifbam_element_law (element), snapshot->law, info->law_size);
  for (guint i = 0; i < info->n_params; i++)
    if (!ifbam_param_in_law (&info->params[i]))
      {
        gpointer *slot = &ifbam_element_slots (element)[info->params[i].offset];

        value_free (&info->params[i], *slot);
        *slot = value_copy (&info->params[i], snapshot->values[i]);
      }
  element->set = snapshot->set;
}
