/* sweep-axis.c: a varied parameter of a network, over a grid or a list
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "sweep/sweep-axis.h"
#include "base/fail.h"
#include "base/number-text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "file/file.h"
#include "base/memory.h"
#include "engine/engine.h"

#define WANTED "FROM:TO:N, FROM:TO:N:log or a list A,B,C"

/* Settings that can be varied: others are no numbers, or equivalent to these. */
static const char *const setting_keys[] = { "step", "duration", "sample", NULL };

IfbamElement *
ifbam_target_element (const IfbamTarget *target, const IfbamNetwork *network)
{
  return target->element == NULL ? network->settings
                                 : g_hash_table_lookup (network->by_name, target->element);
}

gboolean
ifbam_target_reshapes (const IfbamElement *element)
{
  return element->info->kind == IFBAM_KIND_COMPOSITE || element->info->expands != NULL;
}

const IfbamVariation *
ifbam_variations_find (const GPtrArray *variations, const IfbamTarget *target)
{
  for (guint k = 0; k < variations->len; k++)
    {
      const IfbamVariation *variation = variations->pdata[k];

      for (guint t = 0; t < variation->n_targets; t++)
        if (memcmp (&variation->targets[t], target, sizeof *target) == 0)
          return variation;
    }
  return NULL;
}

gboolean
ifbam_target_set (const IfbamTarget *target, IfbamElement *element, double value, char **reason)
{
  const int index = ifbam_element_param_index (element->info, target->key);
  const IfbamParam *param = index < 0 ? NULL : &element->info->params[index];

  ifbam_element_count_change (element);
  if (target->member == NULL && param->kind == IFBAM_PARAM_NUMBER)
    {
      *(double *) (gpointer) ((char *) ifbam_element_law (element) + param->offset) = value;
      element->set |= 1u << index;
      return TRUE;
    }
  if (target->member == NULL)
    {
      g_object_set (element, target->key,
                    g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, &value, 1, sizeof (double)),
                    NULL);
      return TRUE;
    }
  return element->info->set_member (element, target->member, target->key, IFBAM_NUMBER (value),
                                    ifbam_element_parse_number, reason);
}

gboolean
ifbam_target_check (const IfbamTarget *target, IfbamElement *element, double value, char **reason)
{
  const int index = ifbam_element_param_index (element->info, target->key);

  if (!isfinite (value))
    *reason = g_strdup_printf ("%s.%s has no finite value", target->element, target->key);
  else if (target->member == NULL && index >= 0)
    {
      g_autofree char *fault = ifbam_param_range_fault (&element->info->params[index], value);

      if (fault != NULL)
        *reason = g_strdup_printf ("%s.%s: %s", target->element, target->key, fault);
    }
  return *reason == NULL && ifbam_target_set (target, element, value, reason);
}

/* Targets */

typedef struct
{
  const IfbamNetwork *network;
  const IfbamModel *model;
  IfbamVariation *variation;
  GArray *targets; /* IfbamTarget */
} Reader;

/* TRUE for numbers, and for lists of composites, where one number applies to all members. */
static gboolean
is_number (const IfbamElementInfo *info, const IfbamParam *param)
{
  return param->kind == IFBAM_PARAM_NUMBER
         || (param->kind == IFBAM_PARAM_NUMBERS && info->kind == IFBAM_KIND_COMPOSITE);
}

/* Returns "stiffness, cubic": keys of a class that can be varied. */
static char *
number_keys (const IfbamElementInfo *info)
{
  g_autoptr (GPtrArray) keys = g_ptr_array_new ();

  for (guint i = 0; i < info->n_params; i++)
    if (is_number (info, &info->params[i]))
      g_ptr_array_add (keys, (gpointer) info->params[i].key);
  g_ptr_array_add (keys, NULL);
  return g_strjoinv (", ", (char **) keys->pdata);
}

static const IfbamParam *
find_number (const IfbamElementInfo *info, const char *key, char **reason)
{
  const int index = ifbam_element_param_index (info, key);
  g_autofree char *numbers = number_keys (info);
  const char *keys[32], *nearest;

  if (index >= 0 && is_number (info, &info->params[index]))
    return &info->params[index];
  for (guint i = 0; i < info->n_params; i++)
    keys[i] = info->params[i].key;
  nearest = ifbam_nearest_word (key, keys, info->n_params);
  if (index >= 0)
    *reason = g_strdup_printf ("%s of a %s is no number (it has %s)", key, info->name,
                               *numbers == '\0' ? "none" : numbers);
  else if (nearest != NULL)
    *reason =
        g_strdup_printf ("a %s has no key \"%s\" (did you mean \"%s\"?)", info->name, key, nearest);
  else
    *reason = g_strdup_printf ("a %s has no key \"%s\" (its numbers: %s)", info->name, key,
                               *numbers == '\0' ? "none" : numbers);
  return NULL;
}

static const IfbamParam *
find_setting (const char *key, char **reason)
{
  const IfbamElementInfo *info = ifbam_settings_info ();

  if (g_strv_contains (setting_keys, key))
    return &info->params[ifbam_element_param_index (info, key)];
  return ifbam_reject_null (reason,
                            ifbam_element_param_index (info, key) < 0
                                ? "[network] has no key \"%s\" (its step, duration and sample can "
                                  "be varied)"
                                : "%s of [network] can't be varied (step, duration and sample can)",
                            key);
}

/* Finds a parameter of a composite's member by the model, which knows its class. */
static const IfbamParam *
find_member_number (const Reader *reader, const char *owner, const char *member, const char *key,
                    char **reason)
{
  g_autofree char *name = g_strdup_printf ("%s.%s", owner, member);
  gsize number, place;

  switch (ifbam_model_find (reader->model, reader->network->by_name, name, &number))
    {
    case IFBAM_FOUND_NODE:
      return find_number (ifbam_model_node_span (reader->model, number, &place)->info, key, reason);
    case IFBAM_FOUND_LINK:
      return find_number (ifbam_model_link_span (reader->model, number, &place)->info, key, reason);
    case IFBAM_FOUND_SOURCE:
    case IFBAM_FOUND_NOTHING:
    default:
      return ifbam_reject_null (reason, "\"%s\" has no element \"%s\"", owner, member);
    }
}

/* Returns a value's parameter, and the possible domains of its unit. */
static const IfbamParam *
find_param (const Reader *reader, const IfbamTarget *target, guint32 *domains, char **reason)
{
  const IfbamElement *element = ifbam_target_element (target, reader->network);

  *domains = (1u << IFBAM_N_DOMAINS) - 1;
  if (target->element == NULL)
    return find_setting (target->key, reason);
  if (target->member != NULL)
    return find_member_number (reader, target->element, target->member, target->key, reason);
  *domains = ifbam_model_element_index (reader->model, element).domain;
  if (*domains == 0)
    *domains = element->domains;
  return find_number (element->info, target->key, reason);
}

static void
add_target (Reader *reader, const char *element, const char *member, const char *key)
{
  const IfbamTarget target = { g_intern_string (element), g_intern_string (member),
                               g_intern_string (key) };
  const IfbamElement *found = ifbam_target_element (&target, reader->network);

  reader->variation->settings |= target.element == NULL;
  reader->variation->composites |= ifbam_target_reshapes (found);
  g_array_append_val (reader->targets, target);
}

/* Finds the values that a parameter determines directly; values computed from it depend on it. */
static gboolean
find_uses (Reader *reader, const char *name, char **reason)
{
  const GArray *uses = reader->network->uses;
  gboolean is_used = FALSE;

  for (guint i = 0; i < uses->len; i++)
    {
      const IfbamParameterUse *use = &g_array_index (uses, IfbamParameterUse, i);
      const gboolean setting = use->element == reader->network->settings;
      g_autofree char *text = ifbam_network_trace_use (reader->network, use, name);

      if (text == NULL)
        continue;
      is_used = TRUE;
      if (text[0] == '$' && g_str_equal (text + 1, name))
        add_target (reader, setting ? NULL : use->element->name, use->member, use->key);
    }
  if (is_used)
    return TRUE;
  if (g_hash_table_contains (reader->network->by_name, name))
    {
      const IfbamElement *element = g_hash_table_lookup (reader->network->by_name, name);
      g_autofree char *keys = number_keys (element->info);

      *reason = g_strdup_printf ("\"%s\" is a %s: name one of its keys (it has %s)", name,
                                 element->info->name, *keys == '\0' ? "none" : keys);
    }
  else
    {
      const char *nearest = ifbam_nearest_key (reader->network->parameters, name);

      *reason = nearest != NULL && !g_str_equal (nearest, name)
                    ? g_strdup_printf ("no value is a parameter \"%s\" (did you mean \"%s\"?)",
                                       name, nearest)
                    : g_strdup_printf ("no value is a parameter \"%s\" (want ELEMENT.KEY, "
                                       "network.KEY, or a parameter that is used)",
                                       name);
    }
  return FALSE;
}

static gboolean
find_targets (Reader *reader, const char *name, char **reason)
{
  const IfbamNetwork *network = reader->network;
  const char *dot = strrchr (name, '.'), *first = strchr (name, '.');
  g_autofree char *element = NULL, *member = NULL;
  const IfbamElement *found;
  const char *nearest;

  if (dot == NULL)
    return find_uses (reader, name, reason);
  element = g_strndup (name, (gsize) (first - name));
  member = first == dot ? NULL : g_strndup (first + 1, (gsize) (dot - first - 1));
  if (member == NULL && g_str_equal (element, "network"))
    {
      add_target (reader, NULL, NULL, dot + 1);
      return TRUE;
    }
  found = g_hash_table_lookup (network->by_name, element);
  nearest = found == NULL ? ifbam_nearest_key (network->by_name, element) : NULL;
  if (nearest != NULL)
    *reason = g_strdup_printf ("no element \"%s\" in this network (did you mean \"%s\"?)", element,
                               nearest);
  else if (found == NULL)
    *reason = g_strdup_printf ("no element \"%s\" in this network", element);
  else if (member != NULL && found->info->set_member == NULL)
    *reason = g_strdup_printf ("\"%s\" is a %s, which has no elements of its own", element,
                               found->info->name);
  else
    {
      add_target (reader, element, member, dot + 1);
      return TRUE;
    }
  return FALSE;
}

/* Values */

/* Reads a value, which must be the same for all targets. */
static gboolean
parse_value (const Reader *reader, const char *text, double *value, char **reason)
{
  /* A parameter that only occurs in formulas has the unit of its own text. */
  if (reader->targets->len == 0)
    return ifbam_units_parse (text, reader->variation->unit, reader->variation->name, NULL, value,
                              reason);
  for (guint t = 0; t < reader->targets->len; t++)
    {
      const IfbamTarget *target = &g_array_index (reader->targets, IfbamTarget, t);
      guint32 domains;
      const IfbamParam *param = find_param (reader, target, &domains, reason);
      double number;

      if (param == NULL || !ifbam_element_parse_number (param, &domains, text, &number, reason))
        return FALSE;
      *value = number;
    }
  return TRUE;
}

static gboolean
read_list (const Reader *reader, char **texts, GArray *values, char **reason)
{
  for (guint i = 0; texts[i] != NULL; i++)
    {
      double value;

      if (*g_strstrip (texts[i]) == '\0')
        return ifbam_reject (reason, "a value of the list is empty");
      if (!parse_value (reader, texts[i], &value, reason))
        return FALSE;
      for (guint j = 0; j < values->len; j++)
        if (g_array_index (values, double, j) == value)
          return ifbam_reject (reason, "%s is given twice", texts[i]);
      g_array_append_val (values, value);
    }
  return TRUE;
}

/* Returns point i of n, in long double: round numbers stay exact, and powers are equal on every
 * processor (the C library's pow is not). */
static double
grid_value (double from, double to, gsize i, gsize n, gboolean logarithmic)
{
  if (i == 0 || i == n - 1)
    return i == 0 ? from : to;
  if (logarithmic)
    return (double) (from
                     * powl ((long double) to / from, (long double) i / (long double) (n - 1)));
  return (
      double) (((long double) from * (long double) (n - 1 - i) + (long double) to * (long double) i)
               / (long double) (n - 1));
}

static gboolean
read_grid (const Reader *reader, char **parts, GArray *values, char **reason)
{
  const gboolean logarithmic = parts[3] != NULL;
  g_autofree char *lack = NULL;
  double from, to;
  guint64 n;

  for (guint i = 0; parts[i] != NULL; i++)
    g_strstrip (parts[i]);
  if (logarithmic && !g_str_equal (parts[3], "log"))
    return ifbam_reject (reason, "\"%s\" after FROM:TO:N is not \"log\"", parts[3]);
  if (!parse_value (reader, parts[0], &from, reason)
      || !parse_value (reader, parts[1], &to, reason))
    return FALSE;
  if (!g_ascii_string_to_unsigned (parts[2], 10, 2, IFBAM_MOST_VALUES, &n, NULL))
    return ifbam_reject (reason,
                         "\"%s\" is no number of points (want a whole number, 2 to %u, in "
                         "FROM:TO:N)",
                         parts[2], IFBAM_MOST_VALUES);
  lack = ifbam_memory_lack ((double) n * 9 * sizeof (double)); /* with its row in the table */
  if (lack != NULL)
    return ifbam_reject (reason, "%" G_GUINT64_FORMAT " points need %s", n, lack);
  if (logarithmic && !(from > 0 && to > 0) && !(from < 0 && to < 0))
    return ifbam_reject (reason, "a logarithmic grid has no 0 and does not change its sign");
  for (gsize i = 0; i < n; i++)
    {
      double value = grid_value (from, to, i, n, logarithmic);

      if (i > 0 && (value == g_array_index (values, double, i - 1) || !isfinite (value)))
        {
          *reason =
              g_strdup (from == to ? "FROM and TO are the same"
                                   : "the points lie too close or too far apart for the numbers of "
                                     "this machine");
          return FALSE;
        }
      g_array_append_val (values, value);
    }
  return TRUE;
}

static gboolean
read_values (const Reader *reader, const char *text, GArray *values, char **reason)
{
  g_auto (GStrv) list = g_strsplit (text, ",", -1);
  g_auto (GStrv) parts = g_strsplit (text, ":", -1);
  const guint n_parts = g_strv_length (parts);

  if (list[0] == NULL || (list[1] == NULL && *g_strstrip (list[0]) == '\0'))
    return ifbam_reject (reason, "there are no values (want " WANTED ")");
  if (n_parts == 1)
    return read_list (reader, list, values, reason);
  if (list[1] == NULL && (n_parts == 3 || n_parts == 4))
    return read_grid (reader, parts, values, reason);
  return ifbam_reject (reason, "\"%s\" is no grid and no list (want " WANTED ")", text);
}

static const char *
unit_of (const IfbamParam *param, guint32 domains)
{
  const IfbamDomain domain = (IfbamDomain) g_bit_nth_lsf (domains, -1);
  g_autofree char *unit =
      param->unit == NULL ? g_strdup ("") : ifbam_domain_unit (domain, param->unit);

  return g_intern_string (unit);
}

/* Finds the dimension of a parameter from its text: "10 kN/m" is in kg s-2. */
static gboolean
find_dimension (const Reader *reader, char **reason)
{
  IfbamVariation *variation = reader->variation;
  g_autofree char *why = NULL;
  g_autofree char *text = ifbam_parameters_substitute (
      reader->network->parameters,
      g_hash_table_lookup (reader->network->parameters, variation->name), TRUE, NULL, &why);

  if (text == NULL || !ifbam_units_dimension (text, &variation->dimension))
    return ifbam_reject (reason, "parameter \"%s\" is no number", variation->name);
  return TRUE;
}

/* Keeps the unit: an element's key determines it, a parameter's name does not. */
static gboolean
keep_unit (const Reader *reader, char **reason)
{
  IfbamVariation *variation = reader->variation;
  const gboolean is_parameter = strchr (variation->name, '.') == NULL;

  if (is_parameter && !find_dimension (reader, reason) && reader->targets->len == 0)
    return FALSE;
  g_clear_pointer (reason, g_free);
  if (reader->targets->len == 0)
    variation->unit = ifbam_units_name (&variation->dimension);
  for (guint t = reader->targets->len; t-- > 0;)
    {
      guint32 domains;
      const IfbamParam *param =
          find_param (reader, &g_array_index (reader->targets, IfbamTarget, t), &domains, reason);

      if (param == NULL)
        return FALSE;
      variation->unit = unit_of (param, domains);
    }
  variation->title = !is_parameter || *variation->unit == '\0'
                         ? g_strdup (variation->name)
                         : g_strdup_printf ("%s [%s]", variation->name, variation->unit);
  return TRUE;
}

IfbamFormula *
ifbam_target_read (const IfbamTarget *target, const IfbamNetwork *network, const IfbamModel *model,
                   const char *text, const IfbamUnknown *unknowns, gsize n_unknowns, char **reason)
{
  const Reader reader = { network, model, NULL, NULL };
  const IfbamParam *param;
  const char *unit;
  guint32 domains;

  param = find_param (&reader, target, &domains, reason);
  if (param == NULL)
    return NULL;
  if (strchr (text, ',') != NULL)
    return ifbam_reject_null (reason, "lists follow no varied parameter");
  unit = unit_of (param, domains);
  return ifbam_units_parse_expression (text, unknowns, n_unknowns, unit, param->key,
                                       ifbam_units_example (unit), reason);
}

IfbamVariation *
ifbam_variation_new (const IfbamNetwork *network, const IfbamModel *model, const char *text,
                     char **reason)
{
  g_autoptr (IfbamVariation) variation = g_new0 (IfbamVariation, 1);
  g_autoptr (GArray) targets = g_array_new (FALSE, FALSE, sizeof (IfbamTarget));
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (double));
  Reader reader = { network, model, variation, targets };
  const char *equals = strchr (text, '=');

  if (equals == NULL || equals == text)
    return ifbam_reject_null (reason, "want ELEMENT.KEY=" WANTED);
  variation->name = g_strstrip (g_strndup (text, (gsize) (equals - text)));
  if (!find_targets (&reader, variation->name, reason))
    return NULL;
  if (!keep_unit (&reader, reason))
    return NULL;
  if (!read_values (&reader, equals + 1, values, reason))
    return NULL;
  variation->n = values->len;
  variation->values = (double *) (gpointer) g_array_free (g_steal_pointer (&values), FALSE);
  variation->n_targets = targets->len;
  variation->targets = (IfbamTarget *) (gpointer) g_array_free (g_steal_pointer (&targets), FALSE);
  return g_steal_pointer (&variation);
}

double
ifbam_variation_present (const IfbamVariation *variation, const IfbamNetwork *network)
{
  g_autofree char *use = g_strdup_printf ("$%s", variation->name);
  g_autofree char *text = NULL, *reason = NULL;
  double value = NAN;

  if (variation->n_targets > 0 && variation->targets[0].member == NULL)
    return ifbam_element_value_of (ifbam_target_element (&variation->targets[0], network),
                                   variation->targets[0].key);
  text = ifbam_parameters_substitute (network->parameters, use, TRUE, NULL, &reason);
  return text != NULL && ifbam_units_parse (text, variation->unit, "value", NULL, &value, &reason)
             ? value
             : NAN;
}

void
ifbam_variation_free (IfbamVariation *variation)
{
  if (variation == NULL)
    return;
  g_free (variation->name);
  g_free (variation->title);
  g_free (variation->targets);
  g_free (variation->values);
  g_free (variation);
}
