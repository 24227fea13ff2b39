/* core.c: a network, its model and its engine, without GLib and files
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "embed/core.h"

#include <math.h>

#include "embed/core-internal.h"
#include "embed/hexadecimal.h"
#include "elements/registry.h"
#include "engine/engine.h"

static void
course_free (gpointer data)
{
  IfbamInterpolant *course = data;

  g_free ((gpointer) course->time);
  g_free ((gpointer) course->value);
  g_free (course);
}

static void
element_free (gpointer element)
{
  g_object_unref (element);
}

IfbamCore *
ifbam_core_new (void)
{
  IfbamCore *core = g_new0 (IfbamCore, 1);

  core->elements = g_ptr_array_new_with_free_func (element_free);
  core->settings = ifbam_element_new (ifbam_settings_get_type (), "network");
  core->by_name = g_hash_table_new (g_str_hash, g_str_equal);
  core->courses = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, course_free);
  core->start = g_array_new (FALSE, FALSE, sizeof (double));
  core->said = g_string_new (NULL);
  return core;
}

static void
forget_engine (IfbamCore *core)
{
  g_clear_pointer (&core->ledger, ifbam_energy_balance_free);
  g_clear_pointer (&core->engine, ifbam_engine_free);
}

static void
forget_model (IfbamCore *core)
{
  g_clear_pointer (&core->state, ifbam_state_free);
  g_clear_pointer (&core->scheme_energy, ifbam_scheme_energy_free);
  forget_engine (core);
  g_clear_pointer (&core->signals, ifbam_signals_free);
  g_clear_pointer (&core->model, ifbam_model_free);
  ifbam_run_spec_clear (&core->spec);
}

void
ifbam_core_free (IfbamCore *core)
{
  forget_model (core);
  g_ptr_array_unref (core->elements);
  g_object_unref (core->settings);
  g_hash_table_unref (core->by_name);
  g_hash_table_unref (core->courses);
  g_array_unref (core->start);
  g_free (core->record);
  g_string_free (core->said, TRUE);
  g_free (core);
}

const char *
ifbam_core_said (const IfbamCore *core)
{
  return core->said->str;
}

void
ifbam_core_begin (IfbamCore *core)
{
  g_string_free (core->said, TRUE);
  core->said = g_string_new (NULL);
}

int
ifbam_core_fail (IfbamCore *core, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list arguments;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  ifbam_core_begin (core);
  g_string_append (core->said, text);
  return -1;
}

static void
say (IfbamCore *core, const IfbamElement *element, const char *key, const char *text)
{
  g_string_append_printf (core->said, "%s[%s %s] %s%s%s", core->said->len > 0 ? "\n" : "",
                          element->info->name, element->name, key != NULL ? key : "",
                          key != NULL ? ": " : "", text);
}

/* The network */

int
ifbam_core_add (IfbamCore *core, const char *class_name, const char *name)
{
  GType type;
  IfbamElement *element;

  if (ifbam_element_info_by_name (class_name, &type) == NULL)
    return ifbam_core_fail (core, "no class \"%s\"", class_name);
  if (g_hash_table_contains (core->by_name, name))
    return ifbam_core_fail (core, "a second element \"%s\"", name);
  ifbam_core_begin (core);
  element = ifbam_element_new (type, name);
  element->id = core->elements->len;
  g_ptr_array_add (core->elements, element);
  g_hash_table_insert (core->by_name, element->name, element);
  return (int) core->elements->len;
}

static IfbamElement *
element_at (const IfbamCore *core, int element)
{
  return element <= 0 || (guint) element > core->elements->len ? core->settings
                                                               : core->elements->pdata[element - 1];
}

/* Returns the parameter if its kind is in the set `kinds`; else NULL with an error. */
static const IfbamParam *
find_param (IfbamCore *core, IfbamElement *element, const char *key, guint kinds)
{
  const int index = ifbam_element_param_index (element->info, key);

  ifbam_core_begin (core);
  if (index >= 0 && (kinds >> element->info->params[index].kind & 1) != 0)
    {
      element->set |= 1u << index;
      return &element->info->params[index];
    }
  say (core, element, key, index < 0 ? "is no key" : "has values of another kind");
  return NULL;
}

/* In core text all values are numbers in SI units, a monitor's level, too. */
static gboolean
read_number (const IfbamParam *param, guint32 *domains, const char *text, double *number,
             char **reason)
{
  (void) domains;
  if (*text == '\0' || *ifbam_hexadecimal_read (text, number) != '\0')
    {
      *reason = g_strdup_printf ("\"%s\" is no hexadecimal number", text);
      return FALSE;
    }
  *reason = ifbam_param_range_fault (param, *number);
  return *reason == NULL;
}

static int
set_member (IfbamCore *core, IfbamElement *element, const char *key, const char *dot, double number)
{
  g_autofree char *member = g_strndup (key, (gsize) (dot - key));
  g_autofree char *reason = NULL;
  char text[IFBAM_HEXADECIMAL_LENGTH];

  ifbam_core_begin (core);
  ifbam_hexadecimal_write (number, text);
  if (element->info->set_member != NULL
      && element->info->set_member (element, member, dot + 1, text, read_number, &reason))
    return 0;
  say (core, element, key, reason != NULL ? reason : "is no key");
  return -1;
}

int
ifbam_core_set_number (IfbamCore *core, int element, const char *key, double number)
{
  IfbamElement *self = element_at (core, element);
  const char *dot = strchr (key, '.');
  const IfbamParam *param;

  if (dot != NULL)
    return set_member (core, self, key, dot, number);
  param = find_param (core, self, key, 1u << IFBAM_PARAM_NUMBER);
  if (param == NULL)
    return -1;
  *ifbam_element_value (self, param) = number;
  return 0;
}

int
ifbam_core_set_numbers (IfbamCore *core, int element, const char *key, const double *numbers,
                        size_t n)
{
  IfbamElement *self = element_at (core, element);
  const IfbamParam *param = find_param (core, self, key, 1u << IFBAM_PARAM_NUMBERS);
  gpointer *slot;

  if (param == NULL)
    return -1;
  slot = &ifbam_element_slots (self)[param->offset];
  g_clear_pointer (slot, g_variant_unref);
  *slot = g_variant_ref_sink (
      g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, numbers, n, sizeof *numbers));
  return 0;
}

int
ifbam_core_set_text (IfbamCore *core, int element, const char *key, const char *text)
{
  IfbamElement *self = element_at (core, element);
  const IfbamParam *param =
      find_param (core, self, key,
                  1u << IFBAM_PARAM_TEXT | 1u << IFBAM_PARAM_CHOICE | 1u << IFBAM_PARAM_ELEMENTS);
  g_autofree char *reason = NULL;
  gpointer *slot;

  if (param == NULL)
    return -1;
  if (param->kind == IFBAM_PARAM_CHOICE)
    {
      *ifbam_element_value (self, param) = ifbam_param_word (param, text);
      return 0;
    }
  slot = &ifbam_element_slots (self)[param->offset];
  if (param->kind == IFBAM_PARAM_TEXT)
    {
      g_free (*slot);
      *slot = g_strdup (text);
    }
  else
    {
      g_strfreev (*slot);
      *slot = g_strsplit (text, ",", -1);
      if (ifbam_param_has_factors (param)
          && !ifbam_element_split_terms (self, param, *slot, read_number, &reason))
        {
          say (core, self, key, reason);
          return -1;
        }
    }
  return 0;
}

int
ifbam_core_set_course (IfbamCore *core, int element, const double *times, const double *values,
                       size_t n)
{
  IfbamElement *self = element_at (core, element);
  IfbamInterpolant *course;

  if (ifbam_core_set_text (core, element, "course", self->name) != 0)
    return -1;
  for (size_t i = 0; i < n; i++)
    if (!isfinite (times[i]) || !isfinite (values[i]) || (i > 0 && !(times[i] > times[i - 1])))
      n = 0;
  if (n < 2)
    {
      say (core, self, "course", "want two or more increasing times, with finite values");
      return -1;
    }
  course = g_new0 (IfbamInterpolant, 1);
  course->n = n;
  course->time = g_memdup2 (times, n * sizeof *times);
  course->value = g_memdup2 (values, n * sizeof *values);
  g_hash_table_insert (core->courses, g_strdup (self->name), course);
  return 0;
}

void
ifbam_core_set_start (IfbamCore *core, const double *positions, size_t n)
{
  g_array_set_size (core->start, 0);
  g_array_append_vals (core->start, positions, (guint) n);
}

/* Running */

/* Returns the model's own copy of a course of ifbam_core_set_course(). */
static IfbamInterpolant *
read_course (gconstpointer data, const IfbamParam *param, guint32 *domains, const char *text,
             char **reason)
{
  const IfbamCore *core = data;
  const IfbamInterpolant *course = g_hash_table_lookup (core->courses, text);
  IfbamInterpolant *copy;

  (void) param, (void) domains;
  if (course == NULL)
    {
      *reason = g_strdup ("is not there");
      return NULL;
    }
  copy = g_new0 (IfbamInterpolant, 1);
  copy->n = course->n;
  copy->time = g_memdup2 (course->time, course->n * sizeof (double));
  copy->value = g_memdup2 (course->value, course->n * sizeof (double));
  ifbam_interpolant_integrate (copy, g_new (double, course->n));
  return copy;
}

static void
setting_fault (gpointer data, const char *key, char *text)
{
  IfbamCore *core = data;

  say (core, core->settings, key, text);
  g_free (text);
}

/* Returns start values in the model's order of nodes, of which the first is at an index; NULL: none. */
static double *
start_values (const IfbamCore *core, gsize first)
{
  double *start;

  if (first >= core->start->len)
    return NULL;
  start = g_new0 (double, core->model->n_free + 1);
  for (gsize i = 0; i < ifbam_model_n_named_free (core->model); i++)
    start[ifbam_model_named_node (core->model, i)] = g_array_index (core->start, double, first + i);
  return start;
}

static void
check_run (IfbamCore *core)
{
  if (isinf (core->spec.step))
    say (core, core->settings, "step", "want a number");
  if (core->spec.equilibrium)
    say (core, core->settings, "start", "want positions, and warm");
  ifbam_settings_fit (&core->spec, core->model, setting_fault, core);
  if (core->start->len > 0 && core->start->len != ifbam_model_n_named_free (core->model)
      && core->start->len != 2 * ifbam_model_n_named_free (core->model))
    say (core, core->settings, "positions", "want one of each free node");
}

void
ifbam_core_start (IfbamCore *core)
{
  const IfbamModel *model = core->model;
  const IfbamRunSpec *spec = &core->spec;
  const gboolean is_balanced = core->signals != NULL && core->signals->balance;

  forget_engine (core);
  /* The dual engine has no energy balance and reports no states at events. */
  core->engine = !ifbam_engine_by_events (model, spec) ? ifbam_compiled_engine_new (model, spec, 1)
                 : is_balanced || core->sees_events    ? ifbam_event_engine_new (model, spec, FALSE)
                                                       : ifbam_dual_engine_new (model, spec, 1);
  if (ifbam_model_has_events (model))
    ifbam_engine_record_events (core->engine);
  if (core->signals != NULL)
    core->ledger = ifbam_energy_balance_new (
        core->engine, is_balanced ? IFBAM_ACCOUNT_FULL : IFBAM_ACCOUNT_NONE, core->signals->links);
  ifbam_engine_start (core->engine);
  if (core->ledger != NULL && !spec->scheme->latency)
    ifbam_energy_balance_begin (core->ledger);
}

static void
go_to_first_row (IfbamCore *core)
{
  if (!core->spec.scheme->latency)
    return;
  ifbam_engine_advance (core->engine, ifbam_engine_lookahead (&core->spec), NULL);
  if (core->ledger != NULL)
    ifbam_energy_balance_begin (core->ledger);
}

void
ifbam_core_record (IfbamCore *core, const char *signals)
{
  g_free (core->record);
  core->record = signals == NULL || signals[0] == '\0' ? NULL : g_strdup (signals);
}

static void
find_signals (IfbamCore *core)
{
  g_autofree char *reason = NULL;

  if (core->record == NULL)
    return;
  core->signals = ifbam_signals_new (core->model, core->by_name, core->record, &reason);
  if (core->signals == NULL)
    say (core, core->settings, "record", reason);
}

int
ifbam_core_compile (IfbamCore *core)
{
  const IfbamReader reader = { .number = read_number, .course = read_course, .data = core };
  const IfbamSettingsLaw *law = (const IfbamSettingsLaw *) ifbam_element_law (core->settings);
  g_autoptr (GArray) issues = ifbam_issues_new ();

  ifbam_core_begin (core);
  forget_model (core);
  ifbam_settings_read (core->settings, law->duration > 0, &core->spec, setting_fault, core);
  for (guint i = 0; i < core->elements->len; i++)
    ifbam_element_check (core->elements->pdata[i], issues);
  core->model = ifbam_model_new (core->elements, core->by_name, NULL, &reader, issues);
  for (guint i = 0; i < issues->len; i++)
    {
      const IfbamIssue *issue = &g_array_index (issues, IfbamIssue, i);

      say (core, issue->element, issue->key, issue->text);
    }
  if (core->said->len == 0)
    check_run (core);
  if (core->said->len == 0)
    find_signals (core);
  if (core->said->len > 0)
    {
      forget_model (core);
      return -1;
    }
  core->spec.start_position = start_values (core, 0);
  core->spec.start_rate = start_values (core, ifbam_model_n_named_free (core->model));
  ifbam_core_start (core);
  go_to_first_row (core);
  return 0;
}
