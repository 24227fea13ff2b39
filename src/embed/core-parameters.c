/* core-parameters.c: reads and changes single parameters of a core's elements
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "embed/core-parameters.h"

#include "embed/core-internal.h"

int
ifbam_core_find (const IfbamCore *core, const char *name)
{
  const IfbamElement *element = g_hash_table_lookup (core->network->by_name, name);

  return element == NULL ? -1 : (int) element->id + 1;
}

static const double *
list_of (const IfbamElement *element, const IfbamParam *param, gsize *n)
{
  GVariant *list = ifbam_element_slots (element)[param->offset];

  *n = 0;
  return list == NULL ? NULL : g_variant_get_fixed_array (list, n, sizeof (double));
}

static const IfbamParam *
find_number (const IfbamCore *core, int element, const char *key, size_t place,
             const double **number)
{
  const IfbamElement *self = element < 1 || (guint) element > core->network->elements->len
                                 ? NULL
                                 : core->network->elements->pdata[element - 1];
  const int index = self == NULL ? -1 : ifbam_element_param_index (self->info, key);
  const IfbamParam *param = index < 0 ? NULL : &self->info->params[index];
  gsize n = 1;

  if (param == NULL || (param->kind != IFBAM_PARAM_NUMBER && param->kind != IFBAM_PARAM_NUMBERS))
    return NULL;
  *number = param->kind == IFBAM_PARAM_NUMBERS ? list_of (self, param, &n)
                                               : ifbam_element_value (self, param);
  if (*number == NULL || place >= n)
    return NULL;
  *number += place;
  return param;
}

int
ifbam_core_get_number (IfbamCore *core, int element, const char *key, size_t place, double *number)
{
  const double *found;

  if (find_number (core, element, key, place, &found) == NULL)
    return -1;
  *number = *found;
  return 0;
}

int
ifbam_core_change_number (IfbamCore *core, int element, const char *key, size_t place,
                          double number)
{
  const double *found;
  const IfbamParam *param = find_number (core, element, key, place, &found);
  g_autofree char *reason = NULL;
  g_autofree double *list = NULL;
  gsize n;

  if (param != NULL && memcmp (found, &number, sizeof number) == 0)
    return 0;
  if (param != NULL)
    reason = ifbam_param_range_fault (param, number);
  if (param == NULL || reason != NULL)
    {
      const IfbamElement *self = core->network->elements->pdata[element - 1];

      return ifbam_core_fail (core, "[%s %s] %s: %s", self->info->name, self->name, key,
                              reason != NULL ? reason : "is no number");
    }
  if (param->kind == IFBAM_PARAM_NUMBER)
    return ifbam_core_set_number (core, element, key, number);
  list_of (core->network->elements->pdata[element - 1], param, &n);
  list = g_memdup2 (found - place, n * sizeof *list);
  list[place] = number;
  return ifbam_core_set_numbers (core, element, key, list, n);
}
