/* core.c: a network, its model and its engine for who has neither GLib nor files
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "embed/core.h"

#include <math.h>

#include "embed/core-internal.h"
#include "embed/hexadecimal.h"
#include "elements/registry.h"
#include "engine/engine.h"

/* Nodes of which rows are told in passing. */
#define MOST_PASSED 64

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
  g_clear_pointer (&core->ledger, ifbam_ledger_free);
  g_clear_pointer (&core->engine, ifbam_engine_free);
}

static void
forget_model (IfbamCore *core)
{
  g_clear_pointer (&core->state, ifbam_state_free);
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

static void
begin (IfbamCore *core)
{
  g_string_free (core->said, TRUE);
  core->said = g_string_new (NULL);
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

  begin (core);
  if (ifbam_element_info_by_name (class_name, &type) == NULL)
    g_string_append_printf (core->said, "no class \"%s\"", class_name);
  else if (g_hash_table_contains (core->by_name, name))
    g_string_append_printf (core->said, "a second element \"%s\"", name);
  else
    {
      IfbamElement *element = ifbam_element_new (type, name);

      element->id = core->elements->len;
      g_ptr_array_add (core->elements, element);
      g_hash_table_insert (core->by_name, element->name, element);
      return (int) core->elements->len;
    }
  return -1;
}

static IfbamElement *
element_at (const IfbamCore *core, int element)
{
  return element <= 0 || (guint) element > core->elements->len ? core->settings
                                                               : core->elements->pdata[element - 1];
}

/* NULL where it has none of this kind or the other; said. */
static const IfbamParam *
find_param (IfbamCore *core, IfbamElement *element, const char *key, guint kinds)
{
  const int index = ifbam_element_param_index (element->info, key);

  begin (core);
  if (index >= 0 && (kinds >> element->info->params[index].kind & 1) != 0)
    {
      element->set |= 1u << index;
      return &element->info->params[index];
    }
  say (core, element, key, index < 0 ? "is no key" : "has values of another kind");
  return NULL;
}

/* Of a core everything is told as a number in SI units, a monitor's level, too. */
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

  begin (core);
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
  *ifbam_element_number (self, param) = number;
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
  slot = &ifbam_element_slots (self)[param->place];
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
  gpointer *slot;

  if (param == NULL)
    return -1;
  if (param->kind == IFBAM_PARAM_CHOICE)
    {
      *ifbam_element_number (self, param) = ifbam_param_word (param, text);
      return 0;
    }
  slot = &ifbam_element_slots (self)[param->place];
  if (param->kind == IFBAM_PARAM_TEXT)
    {
      g_free (*slot);
      *slot = g_strdup (text);
    }
  else
    {
      g_strfreev (*slot);
      *slot = g_strsplit (text, ",", -1);
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
      say (core, self, "course", "wants two instants or more, which increase, with finite values");
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

/* The model's own copy of what ifbam_core_set_course() was told. */
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

/* From the order of the network to the model's. */
static double *
start_positions (const IfbamCore *core)
{
  double *start = g_new0 (double, core->model->n_free + 1);

  for (gsize i = 0; i < ifbam_model_n_outer (core->model); i++)
    start[ifbam_model_number_of (core->model, i)] = g_array_index (core->start, double, i);
  return start;
}

static void
check_run (IfbamCore *core)
{
  if (isinf (core->spec.step))
    say (core, core->settings, "step", "wants a number");
  if (core->spec.equilibrium)
    say (core, core->settings, "start", "wants positions, and warm");
  ifbam_settings_fit (&core->spec, core->model, setting_fault, core);
  if (core->start->len > 0 && core->start->len != ifbam_model_n_outer (core->model))
    say (core, core->settings, "positions", "wants one of each free node");
}

/* An engine at the start, and who accounts for its work. */
static void
start (IfbamCore *core)
{
  const IfbamModel *model = core->model;
  const IfbamRunSpec *spec = &core->spec;
  const gboolean is_balanced = core->signals != NULL && core->signals->balance;

  forget_engine (core);
  /* Who goes by tiles keeps no account, and shows no rows at events. */
  core->engine = !ifbam_engine_by_events (model, spec) ? ifbam_compiled_engine_new (model, spec, 1)
                 : is_balanced || core->sees_events    ? ifbam_event_engine_new (model, spec, FALSE)
                                                       : ifbam_dual_engine_new (model, spec, 1);
  if (ifbam_model_has_events (model))
    ifbam_engine_record_events (core->engine);
  if (core->signals != NULL)
    core->ledger = ifbam_ledger_new (
        core->engine, is_balanced ? IFBAM_ACCOUNT_FULL : IFBAM_ACCOUNT_NONE, core->signals->links);
  ifbam_engine_start (core->engine);
  if (core->ledger != NULL && !spec->scheme->latency)
    ifbam_ledger_begin (core->ledger);
}

static void
go_to_first_row (IfbamCore *core)
{
  if (!core->spec.scheme->latency)
    return;
  ifbam_engine_advance (core->engine, ifbam_engine_lookahead (&core->spec), NULL);
  if (core->ledger != NULL)
    ifbam_ledger_begin (core->ledger);
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
  g_autoptr (GArray) issues = g_array_new (FALSE, FALSE, sizeof (IfbamIssue));

  begin (core);
  forget_model (core);
  g_array_set_clear_func (issues, (GDestroyNotify) ifbam_issue_clear);
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
  if (core->start->len > 0)
    core->spec.start_position = start_positions (core);
  start (core);
  go_to_first_row (core);
  return 0;
}

uint64_t
ifbam_core_stride (const IfbamCore *core)
{
  return core->spec.stride;
}

uint64_t
ifbam_core_last_step (const IfbamCore *core)
{
  return core->spec.last_step;
}

size_t
ifbam_core_n_nodes (const IfbamCore *core)
{
  return ifbam_model_n_named (core->model);
}

size_t
ifbam_core_n_free (const IfbamCore *core)
{
  return ifbam_model_n_outer (core->model);
}

long
ifbam_core_find_node (const IfbamCore *core, const char *name)
{
  const IfbamModel *model = core->model;
  gsize number;

  if (ifbam_model_find (model, core->by_name, name, &number) != IFBAM_FOUND_NODE)
    return -1;
  return (long) (number >= model->n_free    ? number - model->n_inner
                 : model->file_node != NULL ? model->file_node[number]
                                            : number);
}

static gboolean
integrates (const IfbamCore *core)
{
  return core->ledger != NULL && ifbam_ledger_integrates (core->ledger);
}

int
ifbam_core_advance (IfbamCore *core, uint64_t steps)
{
  const IfbamEventLog *log;

  begin (core);
  if (!integrates (core))
    ifbam_engine_advance (core->engine, steps, NULL);
  else
    for (uint64_t i = 0; i < steps; i++)
      {
        IfbamView view;

        ifbam_engine_advance (core->engine, 1, NULL);
        view = ifbam_ledger_view (core->ledger, TRUE);
        ifbam_ledger_step (core->ledger, &view);
      }
  log = core->engine->log;
  if (log->failure == NULL)
    return 0;
  g_string_append_printf (core->said, "at t = %g s: %s", log->failure_time, log->failure);
  return -1;
}

double
ifbam_core_row (IfbamCore *core, double *positions, double *rates)
{
  const IfbamModel *model = core->model;
  const gsize n = model->n_nodes;
  g_autofree double *position = g_new (double, n + 1), *rate = g_new (double, n + 1);

  ifbam_engine_get_nodes (core->engine, 0, n, position, rate);
  for (gsize i = 0; i < ifbam_model_n_named (model); i++)
    {
      const gsize node = ifbam_model_number_of (model, i);

      if (positions != NULL)
        positions[i] = position[node];
      if (rates != NULL)
        rates[i] = rate[node];
    }
  return (double) (core->engine->steps - ifbam_engine_lookahead (&core->spec)) * core->spec.step;
}

/* Of few nodes an engine that can't fail tells the rows of many steps in one go. */
static gboolean
rows_in_passing (const IfbamCore *core, uint64_t steps)
{
  const IfbamEngine *engine = core->engine;

  return steps > 0 && engine->records_probes
         && !ifbam_engine_by_events (engine->model, engine->spec) && !integrates (core)
         && engine->listener == NULL && core->model->n_nodes <= MOST_PASSED
         && engine->numbers->n_moving == 0
         && (engine->steps - ifbam_engine_lookahead (&core->spec)) % steps == 0;
}

static void
pass_rows (IfbamCore *core, size_t n, uint64_t steps, double *rows)
{
  const IfbamModel *model = core->model;
  const gsize all = model->n_nodes, told = ifbam_model_n_named (model), width = 1 + 2 * told;
  g_autofree gsize *node = g_new (gsize, all + 1);
  g_autofree double *position = g_new (double, n *all + 1), *rate = g_new (double, n *all + 1);
  g_autofree double *rest = g_new (double, width);
  const IfbamProbes probes = { all, node, steps, position, rate };
  const uint64_t first = core->engine->steps - ifbam_engine_lookahead (&core->spec);

  for (gsize i = 0; i < all; i++)
    node[i] = i;
  ifbam_core_row (core, rest + 1, rest + 1 + told);
  ifbam_engine_advance (core->engine, n * steps, &probes);
  for (size_t row = 0; row < n; row++, rows += width)
    {
      memcpy (rows, rest, width * sizeof *rows);
      rows[0] = (double) (first + (row + 1) * steps) * core->spec.step;
      for (gsize i = 0; i < ifbam_model_n_outer (model); i++)
        {
          const gsize place = row * all + ifbam_model_number_of (model, i);

          rows[1 + i] = position[place];
          rows[1 + told + i] = rate[place];
        }
    }
}

size_t
ifbam_core_rows (IfbamCore *core, size_t n, uint64_t steps, double *rows)
{
  const size_t n_nodes = ifbam_core_n_nodes (core);

  if (n > 1 && rows_in_passing (core, steps))
    {
      begin (core);
      pass_rows (core, n, steps, rows);
      return n;
    }
  for (size_t i = 0; i < n; i++, rows += 1 + 2 * n_nodes)
    {
      if (steps > 0 && ifbam_core_advance (core, steps) != 0)
        return i;
      rows[0] = ifbam_core_row (core, rows + 1, rows + 1 + n_nodes);
    }
  return n;
}

size_t
ifbam_core_n_signals (const IfbamCore *core)
{
  return core->signals == NULL ? 0 : core->signals->signals->len;
}

void
ifbam_core_signals (IfbamCore *core, double *values)
{
  IfbamView view;
  IfbamSums sums = { 0 };

  if (core->signals == NULL)
    return;
  view = ifbam_ledger_view (core->ledger, TRUE);
  if (core->signals->sums)
    sums = ifbam_ledger_sums (core->ledger, &view);
  ifbam_signals_row (core->signals, &view, &sums, values);
}

/* Where a state has what is under way; NULL: nowhere. */
static const double *
entry_of (const GArray *columns, const char *name, gsize entry)
{
  for (guint i = 0; i < columns->len; i++)
    {
      const IfbamStateColumn *column = &g_array_index (columns, IfbamStateColumn, i);

      if (g_str_equal (column->name, name))
        return (const double *) (gconstpointer) ((const char *) column->data
                                                 + entry * column->stride);
    }
  return NULL;
}

/* A source may act on several nodes, each of which hears a part. */
static double
source_in_flight (const IfbamModel *model, const GArray *columns, gsize first)
{
  double sum = *entry_of (columns, "source.flight", first);

  for (gsize s = first + 1;
       s < model->n_sources && model->sources->pdata[s] == model->sources->pdata[first]; s++)
    sum += *entry_of (columns, "source.flight", s);
  return sum;
}

/* With latency: what is heard in the coming cycle. */
static double
said_ahead (const IfbamCore *core, const GArray *columns, const IfbamSignal *signal)
{
  const IfbamModel *model = core->model;
  const gsize node = signal->number;
  double given[2];

  switch ((guint) signal->kind)
    {
    case IFBAM_SIGNAL_FORCE:
      return signal->single ? *entry_of (columns, "link.flight", node)
                            : *entry_of (columns, "slot.flight", model->link_slot[node]);
    case IFBAM_SIGNAL_SOURCE_FORCE:
      return source_in_flight (model, columns, node);
    case IFBAM_SIGNAL_POSITION:
    case IFBAM_SIGNAL_RATE:
      if (node < model->n_free)
        return *entry_of (columns,
                          signal->kind == IFBAM_SIGNAL_RATE ? "node.rate" : "node.position", node);
      ifbam_given_said (core->engine->numbers, node, 0, (gint64) core->engine->steps, &given[0],
                        &given[1]);
      return given[signal->kind == IFBAM_SIGNAL_RATE ? 1 : 0];
    default:
      return NAN;
    }
}

/* The signals at the engine's step, before it is done. */
static void
tell_ahead (const IfbamCore *core, double *values)
{
  const GArray *signals = core->signals->signals;
  /* Where something may happen, the engine stands a cycle ahead from the start on. */
  const gboolean is_known =
      core->engine->steps > 0 || !ifbam_engine_by_events (core->model, &core->spec);
  GArray *columns = is_known ? ifbam_engine_list_state (core->engine, FALSE) : NULL;

  for (guint i = 0; i < signals->len; i++)
    values[i] = columns == NULL
                    ? NAN
                    : said_ahead (core, columns, &g_array_index (signals, IfbamSignal, i));
  if (columns != NULL)
    g_array_unref (columns);
}

int
ifbam_core_cycle (IfbamCore *core, uint64_t step, double *values)
{
  const gboolean latency = core->spec.scheme->latency;
  int result;

  if (core->signals == NULL)
    return 0;
  if (step < core->engine->steps)
    start (core);
  result = ifbam_core_advance (core, step - core->engine->steps);
  if (latency)
    tell_ahead (core, values);
  else
    ifbam_core_signals (core, values);
  return result;
}

size_t
ifbam_core_shape (IfbamCore *core, const char *name, const double *positions, size_t n,
                  double *places)
{
  const IfbamModel *model = core->model;
  g_autofree double *position = g_new0 (double, model->n_nodes + 1);

  for (gsize i = 0; i < ifbam_model_n_named (model); i++)
    position[ifbam_model_number_of (model, i)] = positions[i];
  for (const IfbamLink *link = NULL; n > 1 && ifbam_unbatched_next (model, &link);)
    {
      double end[IFBAM_MAX_PORTS];

      if (link->geometry->trace == NULL || !g_str_equal (link->name, name))
        continue;
      ifbam_link_read_ports (link, position, end);
      link->geometry->trace (link->shape, end, (guint) n, places);
      return n;
    }
  return 0;
}

size_t
ifbam_core_n_events (const IfbamCore *core)
{
  return core->engine->log->events == NULL ? 0 : core->engine->log->events->len;
}

IfbamCoreEvent
ifbam_core_event (const IfbamCore *core, size_t i)
{
  const IfbamEvent *event = &g_array_index (core->engine->log->events, IfbamEvent, i);

  return (IfbamCoreEvent){ .time = event->time,
                           .element = event->element,
                           .word = event->word,
                           .impulse = event->impulse,
                           .rate_before = event->rate_before,
                           .rate_after = event->rate_after,
                           .energy_change = event->energy_change };
}

const void *
ifbam_core_get_state (IfbamCore *core, size_t *size)
{
  g_clear_pointer (&core->state, ifbam_state_free);
  core->state = ifbam_engine_get_state (core->engine);
  return core->state == NULL ? NULL : ifbam_state_data (core->state, size);
}

int
ifbam_core_set_state (IfbamCore *core, const void *data, size_t size)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamState) state = NULL;

  begin (core);
  state = ifbam_state_new_from_data (data, size, &error);
  if (state != NULL && ifbam_engine_set_state (core->engine, state, &error))
    return 0;
  g_string_append (core->said, error->message);
  return -1;
}
