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

IfbamCore *
ifbam_core_new (void)
{
  IfbamCore *core = g_new0 (IfbamCore, 1);

  core->network = ifbam_network_new ();
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

void
ifbam_core_forget_model (IfbamCore *core)
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
  ifbam_core_forget_model (core);
  g_object_unref (core->network);
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

/* Adds a line to the message. */
static void
say (IfbamCore *core, const IfbamIssue *issue)
{
  g_autofree char *text = ifbam_issue_to_string (issue);

  g_string_append_printf (core->said, "%s%s", core->said->len > 0 ? "\n" : "", text);
}

/* The same for an element's key; text: owned by the caller. Returns -1. */
static int
say_of (IfbamCore *core, IfbamElement *element, const char *key, const char *text)
{
  say (core, &(IfbamIssue){ element, key, (char *) text });
  return -1;
}

/* The network */

int
ifbam_core_add (IfbamCore *core, const char *class_name, const char *name)
{
  GType type;
  IfbamElement *element;

  if (ifbam_element_info_by_name (class_name, &type) == NULL)
    return ifbam_core_fail (core, "no class \"%s\"", class_name);
  element = ifbam_element_new (type, name);
  if (!ifbam_network_take (core->network, element))
    {
      g_object_unref (element);
      return ifbam_core_fail (core, "a second element \"%s\"", name);
    }
  ifbam_core_begin (core);
  return (int) core->network->elements->len;
}

static IfbamElement *
element_at (const IfbamCore *core, int element)
{
  return element <= 0 || (guint) element > core->network->elements->len
             ? core->network->settings
             : core->network->elements->pdata[element - 1];
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
  say_of (core, element, key, index < 0 ? "is no key" : "has values of another kind");
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
  return say_of (core, element, key, reason != NULL ? reason : "is no key");
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
        return say_of (core, self, key, reason);
    }
  return 0;
}

/* Stores a copy of a course under its text; FALSE: it is none. */
static gboolean
take_course (const IfbamCore *core, const char *text, const double *times, const double *values,
             size_t n)
{
  IfbamInterpolant *course;

  for (size_t i = 0; i < n; i++)
    if (!isfinite (times[i]) || !isfinite (values[i]) || (i > 0 && !(times[i] > times[i - 1])))
      return FALSE;
  if (n < 2)
    return FALSE;
  course = g_new0 (IfbamInterpolant, 1);
  course->n = n;
  course->time = g_memdup2 (times, n * sizeof *times);
  course->value = g_memdup2 (values, n * sizeof *values);
  g_hash_table_insert (core->courses, g_strdup (text), course);
  return TRUE;
}

#define NO_COURSE "want two or more increasing times, with finite values"

int
ifbam_core_add_course (IfbamCore *core, const char *text, const double *times, const double *values,
                       size_t n)
{
  return take_course (core, text, times, values, n)
             ? 0
             : ifbam_core_fail (core, "%s: %s", text, NO_COURSE);
}

int
ifbam_core_set_course (IfbamCore *core, int element, const double *times, const double *values,
                       size_t n)
{
  IfbamElement *self = element_at (core, element);

  if (ifbam_core_set_text (core, element, "course", self->name) != 0)
    return -1;
  return take_course (core, self->name, times, values, n)
             ? 0
             : say_of (core, self, "course", NO_COURSE);
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
      *reason = g_strdup_printf ("\"%s\" is not there: files of courses can't be read here", text);
      return NULL;
    }
  copy = g_new0 (IfbamInterpolant, 1);
  copy->n = course->n;
  copy->time = g_memdup2 (course->time, course->n * sizeof (double));
  copy->value = g_memdup2 (course->value, course->n * sizeof (double));
  return copy;
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

/* Reports settings that only the program can fulfil. */
static void
check_run (const IfbamCore *core, const IfbamModel *model, const IfbamRunSpec *spec,
           IfbamSettingsCheck *check)
{
  const gsize n = core->start->len;

  if (isinf (spec->step))
    ifbam_settings_fault (check, "step", g_strdup ("want a number"));
  if (spec->equilibrium)
    ifbam_settings_fault (check, "start", g_strdup ("want positions, and warm"));
  if (n > 0 && n != ifbam_model_n_named_free (model) && n != 2 * ifbam_model_n_named_free (model))
    ifbam_settings_fault (check, "positions", g_strdup ("want one of each free node"));
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

void
ifbam_core_record (IfbamCore *core, const char *signals)
{
  g_free (core->record);
  core->record = signals == NULL || signals[0] == '\0' ? NULL : g_strdup (signals);
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

/* Resolves the signals of ifbam_core_record(), or those of a text's key `record`. */
static IfbamSignals *
find_signals (const IfbamCore *core, const IfbamNetwork *network, const IfbamModel *model,
              const IfbamRunSpec *spec, IfbamSettingsCheck *check)
{
  GHashTable *by_name = network->by_name;
  g_autoptr (IfbamSignals) signals = NULL;
  char *reason = NULL;

  if (core->has_units)
    signals = ifbam_signals_new (model, by_name, spec->record, &reason);
  if (core->record != NULL && reason == NULL)
    {
      g_clear_pointer (&signals, ifbam_signals_free);
      signals = ifbam_signals_new (model, by_name, core->record, &reason);
    }
  if (reason != NULL)
    ifbam_settings_fault (check, "record", reason);
  return g_steal_pointer (&signals);
}

/* Reports elements that read files of columns. FALSE after one. */
static gboolean
check_files (const IfbamNetwork *network, GArray *issues)
{
  const guint before = issues->len;

  for (guint i = 0; i < network->elements->len; i++)
    {
      IfbamIssue issue = { network->elements->pdata[i], "file", NULL };

      if (!issue.element->info->has_columns)
        continue;
      issue.text = g_strdup ("files of columns can't be read here");
      g_array_append_val (issues, issue);
    }
  return issues->len == before;
}

IfbamModel *
ifbam_core_compile_network (gpointer data, IfbamNetwork *network, IfbamRunSpec *spec,
                            IfbamSignals **signals, GArray *issues)
{
  IfbamCore *core = data;
  const IfbamReader reader = { .number = core->has_units ? ifbam_element_parse_number : read_number,
                               .course = read_course,
                               .formula = ifbam_element_read_formula,
                               .data = core };
  const IfbamSettingsLaw *law = (const IfbamSettingsLaw *) ifbam_element_law (network->settings);
  IfbamSettingsCheck check = { network->settings, issues };
  g_autoptr (IfbamModel) model = NULL;

  ifbam_settings_read (network->settings, core->has_units || law->duration > 0, spec,
                       ifbam_settings_fault, &check);
  for (guint i = 0; i < network->elements->len; i++)
    ifbam_element_check (network->elements->pdata[i], issues);
  if (!check_files (network, issues))
    {
      *signals = NULL;
      return NULL;
    }
  model = ifbam_model_new (network->elements, network->by_name, network->unknown, &reader, issues);
  ifbam_settings_fit (spec, model, ifbam_settings_fault, &check);
  if (issues->len == 0)
    check_run (core, model, spec, &check);
  *signals = model->refused ? NULL : find_signals (core, network, model, spec, &check);
  return issues->len == 0 ? g_steal_pointer (&model) : NULL;
}

void
ifbam_core_begin_run (IfbamCore *core)
{
  core->spec.start_position = start_values (core, 0);
  core->spec.start_rate = start_values (core, ifbam_model_n_named_free (core->model));
  ifbam_core_start (core);
  go_to_first_row (core);
}

int
ifbam_core_compile (IfbamCore *core)
{
  g_autoptr (GArray) issues = ifbam_issues_new ();

  ifbam_core_begin (core);
  ifbam_core_forget_model (core);
  core->model =
      ifbam_core_compile_network (core, core->network, &core->spec, &core->signals, issues);
  for (guint i = 0; i < issues->len; i++)
    say (core, &g_array_index (issues, IfbamIssue, i));
  if (core->model == NULL)
    {
      ifbam_core_forget_model (core);
      return -1;
    }
  ifbam_core_begin_run (core);
  return 0;
}
