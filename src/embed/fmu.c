/* fmu.c: instance of an FMU: variables, steps, states
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "embed/fmu.h"

#include <math.h>
#include <stdio.h>

#include "base/number-text.h"
#include "embed/core-parameters.h"
#include "embed/model-exchange.h"
#include "embed/recorder.h"

/* A communication point within this distance of a row is taken as the row [steps]. */
#define ROW_TOLERANCE 1e-6

#define STATE_MAGIC 0x31746d6661626669u

typedef enum
{
  PARAMETER,
  INPUT,  /* of a source */
  MOTION, /* of a given node, added to its own motion */
  OUTPUT,
  STATE,
  RATE,
  INDICATOR,
} Kind;

typedef struct
{
  Kind kind;
  int element; /* of an input or parameter */
  char *key;   /* the parameter's key, or the signal's name */
  gsize place; /* index of a value, output, state, rate or indicator; a motion's order */
  double value, heard; /* of an input: its value, and the value that the engine uses */
  double start;        /* of a motion: its value at compilation */
} Variable;

struct _Fmu
{
  char *name, *text;
  FmuUse use;
  GArray *variables; /* Variable */
  GString *record;   /* names of signals */
  IfbamCore *core;
  IfbamRecorder *recorder;
  IfbamExchange *exchange; /* NULL: co-simulation, or the core is not compiled */
  FmuPhase phase;
  gboolean compiled; /* with the present parameters */
  double start;      /* the importer's time at the network's start [s] */
  double time;       /* time since the start [s] */
  gboolean after;    /* outputs at this time include its events */
  guint64 told;      /* number of events that have been logged */
  double *outputs;   /* signals (n_outputs) */
  gsize n_outputs;
  gboolean drifted; /* constraints are projected at the next event */
  gboolean known;   /* outputs are those of the present time */
};

const char *
fmu_name (const Fmu *fmu)
{
  return fmu->name;
}

FmuUse *
fmu_use (Fmu *fmu)
{
  return &fmu->use;
}

FmuStatus
fmu_refuse (const Fmu *fmu, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list arguments;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  fmu->use.logger (fmu, FMU_ERROR, FMU_ERRORS, text);
  return FMU_ERROR;
}

static FmuStatus
refuse_with_error (const Fmu *fmu)
{
  return fmu_refuse (fmu, "%s", ifbam_core_said (fmu->core));
}

/* Files */

/* Returns the file's text (transfer full); NULL after logging an error. */
static char *
read_file (const Fmu *fmu, const char *folder, const char *name)
{
  const gboolean slash = folder[0] != '\0' && folder[strlen (folder) - 1] == '/';
  g_autofree char *path = g_strdup_printf ("%s%s%s", folder, slash ? "" : "/", name);
  FILE *file = fopen (path, "rb");
  g_autoptr (GArray) text = g_array_new (FALSE, FALSE, 1);
  gboolean whole = FALSE;
  char part[4096];

  if (file != NULL)
    {
      for (gsize n = sizeof part; n == sizeof part;)
        {
          n = fread (part, 1, sizeof part, file);
          g_array_append_vals (text, part, (guint) n);
        }
      g_array_append_vals (text, "", 1);
      whole = !ferror (file); /* a directory can be opened, but not read */
      (void) fclose (file);
    }
  if (whole)
    return g_strdup (text->data);
  fmu_refuse (fmu, "%s can't be read (the archive has it in its folder \"resources\")", path);
  return NULL;
}

static FmuStatus
make_core (Fmu *fmu)
{
  g_clear_pointer (&fmu->exchange, ifbam_exchange_free);
  g_clear_pointer (&fmu->recorder, ifbam_recorder_free);
  g_clear_pointer (&fmu->core, ifbam_core_free);
  fmu->core = ifbam_core_new ();
  if (ifbam_core_read (fmu->core, fmu->text) != 0)
    return refuse_with_error (fmu);
  fmu->recorder = ifbam_recorder_new (fmu->core, fmu->record->len > 0 ? fmu->record->str : NULL);
  fmu->compiled = fmu->known = fmu->after = FALSE;
  fmu->phase = FMU_MADE;
  fmu->start = fmu->time = 0;
  return FMU_OK;
}

static void
add_output (Fmu *fmu, Variable *variable, const char *signal)
{
  variable->kind = OUTPUT;
  variable->key = g_strdup (signal);
  variable->place = fmu->n_outputs++;
  g_string_append_printf (fmu->record, "%s%s", fmu->record->len > 0 ? "," : "", signal);
}

/* FALSE: the word is unknown. */
static gboolean
set_place (Variable *variable, const char *word, const char *place)
{
  variable->kind = g_str_equal (word, FMU_STATE)       ? STATE
                   : g_str_equal (word, FMU_RATE)      ? RATE
                   : g_str_equal (word, FMU_INDICATOR) ? INDICATOR
                                                       : OUTPUT;
  if (variable->kind == OUTPUT)
    return FALSE;
  variable->place = g_ascii_strtoull (place, NULL, 10);
  variable->key = g_strdup (word);
  return TRUE;
}

/* Reads a parameter's value; 0 for a motion, which is added to the element's own. */
static int
get_number (const Fmu *fmu, Variable *variable)
{
  const gboolean motion = variable->kind == MOTION;
  const int result = ifbam_core_get_number (fmu->core, variable->element, variable->key,
                                            motion ? 0 : variable->place, &variable->value);

  variable->value = motion ? 0 : variable->value;
  return result;
}

/* Adds the variable of a line of the list; FALSE: the line is wrong. */
static gboolean
add_variable (Fmu *fmu, const char *line)
{
  g_auto (GStrv) words = g_strsplit (line, " ", -1);
  const guint n = g_strv_length (words);
  Variable variable = { .kind = PARAMETER };

  if (n == 2 && g_str_equal (words[0], FMU_OUTPUT))
    add_output (fmu, &variable, words[1]);
  else if (n == 4 && g_str_equal (words[0], FMU_PARAMETER))
    variable.place = g_ascii_strtoull (words[3], NULL, 10);
  else if (n == 3 && g_str_equal (words[0], FMU_INPUT))
    variable.kind = INPUT;
  else if (n == 4 && g_str_equal (words[0], FMU_MOTION) && words[3][0] >= '0' && words[3][0] <= '2'
           && words[3][1] == '\0')
    {
      variable.kind = MOTION;
      variable.place = (gsize) (words[3][0] - '0');
    }
  else if (n != 2 || !set_place (&variable, words[0], words[1]))
    return FALSE;
  if (variable.kind <= MOTION)
    {
      variable.element = ifbam_core_find (fmu->core, words[1]);
      variable.key = g_strdup (words[2]);
      if (get_number (fmu, &variable) != 0)
        {
          g_free (variable.key);
          return FALSE;
        }
    }
  g_array_append_val (fmu->variables, variable);
  return TRUE;
}

static FmuStatus
read_resources (Fmu *fmu, const char *folder, const char *token)
{
  g_autofree char *list = NULL, *first = g_strdup_printf ("%s %s", FMU_MAGIC, token);
  g_auto (GStrv) lines = NULL;

  fmu->text = read_file (fmu, folder, FMU_NETWORK);
  list = read_file (fmu, folder, FMU_VARIABLES);
  if (fmu->text == NULL || list == NULL || make_core (fmu) != FMU_OK)
    return FMU_ERROR;
  lines = g_strsplit (list, "\n", -1);
  if (!g_str_equal (lines[0], first))
    return fmu_refuse (fmu, "the instantiation token %s is not the one of this FMU's description",
                       token);
  for (guint i = 1; lines[i] != NULL && lines[i][0] != '\0'; i++)
    if (!add_variable (fmu, lines[i]))
      return fmu_refuse (fmu, "%s, line %u: \"%s\" is no variable of this network", FMU_VARIABLES,
                         i + 1, lines[i]);
  fmu->outputs = g_new0 (double, fmu->n_outputs + 1);
  return make_core (fmu);
}

Fmu *
fmu_new (const char *name, const char *token, const char *resources, const FmuUse *use)
{
  Fmu *fmu = g_new0 (Fmu, 1);

  fmu->name = g_strdup (name != NULL ? name : "");
  fmu->use = *use;
  fmu->variables = g_array_new (FALSE, FALSE, sizeof (Variable));
  fmu->record = g_string_new (NULL);
  if (resources == NULL || token == NULL)
    fmu_refuse (fmu, "%s is missing",
                token == NULL ? "the instantiation token" : "the path of the resources");
  else if (read_resources (fmu, resources, token) == FMU_OK)
    return fmu;
  fmu_free (fmu);
  return NULL;
}

static Variable *
variable_at (const Fmu *fmu, guint i)
{
  return &g_array_index (fmu->variables, Variable, i);
}

void
fmu_free (Fmu *fmu)
{
  if (fmu == NULL)
    return;
  ifbam_exchange_free (fmu->exchange);
  ifbam_recorder_free (fmu->recorder);
  g_clear_pointer (&fmu->core, ifbam_core_free);
  for (guint i = 0; i < fmu->variables->len; i++)
    g_free (variable_at (fmu, i)->key);
  g_array_unref (fmu->variables);
  g_string_free (fmu->record, TRUE);
  g_free (fmu->outputs);
  g_free (fmu->text);
  g_free (fmu->name);
  g_free (fmu);
}

FmuStatus
fmu_reset (Fmu *fmu)
{
  if (make_core (fmu) != FMU_OK)
    return FMU_ERROR;
  for (guint i = 0; i < fmu->variables->len; i++)
    {
      Variable *variable = variable_at (fmu, i);

      if (variable->kind <= MOTION)
        get_number (fmu, variable);
    }
  return FMU_OK;
}

/* Network with the present parameters */

/* Returns the value of the parameter that a motion also is; 0 if there is none. */
static double
own_number (const Fmu *fmu, const Variable *motion)
{
  for (guint i = 0; i < fmu->variables->len && motion->kind == MOTION; i++)
    {
      const Variable *variable = variable_at (fmu, i);

      if (variable->kind == PARAMETER && variable->element == motion->element
          && g_str_equal (variable->key, motion->key))
        return variable->value;
    }
  return 0;
}

/* Applies a motion, relative to its value at compilation. A position is reached at `row`. */
static void
set_motion (Fmu *fmu, const Variable *variable, guint64 row)
{
  ifbam_recorder_set_motion (fmu->recorder, variable->element, (unsigned) variable->place,
                             variable->value - variable->start, row);
}

static FmuStatus
compile (Fmu *fmu)
{
  gsize n;

  if (fmu->compiled)
    return FMU_OK;
  fmu->known = FALSE;
  fmu->told = 0;
  for (guint i = 0; i < fmu->variables->len; i++)
    {
      Variable *variable = variable_at (fmu, i);

      if ((variable->kind == INPUT || variable->kind == MOTION)
          && ifbam_core_change_number (fmu->core, variable->element, variable->key, 0,
                                       own_number (fmu, variable) + variable->value)
                 != 0)
        return refuse_with_error (fmu);
      if (variable->kind == MOTION && fmu->use.exchange)
        return fmu_refuse (fmu, "motions as inputs are for co-simulation only");
      variable->heard = variable->start = variable->value;
    }
  g_clear_pointer (&fmu->exchange, ifbam_exchange_free);
  if (ifbam_core_compile (fmu->core) != 0)
    return refuse_with_error (fmu);
  n = ifbam_recorder_begin (fmu->recorder);
  if (n != fmu->n_outputs)
    return fmu_refuse (fmu, "the network has not the outputs of the list");
  for (guint i = 0; i < fmu->variables->len; i++)
    if (variable_at (fmu, i)->kind == MOTION)
      set_motion (fmu, variable_at (fmu, i), 1);
  if (fmu->use.exchange)
    {
      fmu->exchange = ifbam_exchange_new (fmu->core);
      if (fmu->exchange == NULL)
        return refuse_with_error (fmu);
    }
  fmu->compiled = TRUE;
  return FMU_OK;
}

/* Applies inputs that were set since the last step; `row` is the end of the next one. */
static void
apply_inputs (Fmu *fmu, guint64 row)
{
  for (guint i = 0; i < fmu->variables->len; i++)
    {
      Variable *variable = variable_at (fmu, i);

      if (variable->kind == INPUT && variable->value != variable->heard)
        ifbam_recorder_set_input (fmu->recorder, variable->element, variable->key, variable->value,
                                  1);
      if (variable->kind == MOTION)
        set_motion (fmu, variable, row);
      variable->heard = variable->value;
    }
}

static FmuStatus
set_one (Fmu *fmu, guint32 reference, double value)
{
  Variable *variable;

  if (reference == 0 || reference > fmu->variables->len)
    return fmu_refuse (fmu, "value reference %u: nothing that could be set", reference);
  variable = variable_at (fmu, reference - 1);
  if (variable->kind > MOTION)
    return fmu_refuse (fmu, "%s is an output: it can't be set", variable->key);
  if (variable->kind == PARAMETER && fmu->phase > FMU_INITIALIZING)
    return fmu_refuse (fmu, "%s is fixed: it can be set before the end of the initialization only",
                       variable->key);
  if (!isfinite (value))
    return fmu_refuse (fmu, "%s: %g is no value for it", variable->key, value);
  if (memcmp (&variable->value, &value, sizeof value) == 0)
    return FMU_OK;
  if (variable->kind == PARAMETER
      && ifbam_core_change_number (fmu->core, variable->element, variable->key, variable->place,
                                   value)
             != 0)
    return refuse_with_error (fmu);
  variable->value = value;
  /* Values set during the initialization hold from the start on. */
  fmu->compiled &= fmu->phase > FMU_INITIALIZING;
  if (fmu->compiled && fmu->exchange != NULL)
    {
      ifbam_recorder_set_input (fmu->recorder, variable->element, variable->key, value, 0);
      fmu->known = FALSE;
    }
  return FMU_OK;
}

/* Returns an entry; in co-simulation, states are the last row's, rates and indicators are 0. */
static FmuStatus
get_place (Fmu *fmu, const Variable *variable, double *value)
{
  const FmuList list = variable->kind == STATE  ? FMU_STATES
                       : variable->kind == RATE ? FMU_RATES
                                                : FMU_INDICATORS;
  g_autofree double *all = NULL;
  gsize n = 0;

  *value = 0;
  if (fmu->exchange == NULL && list != FMU_STATES)
    return FMU_OK;
  if (fmu->exchange == NULL)
    {
      const gsize n_free = ifbam_core_n_free (fmu->core), n_nodes = ifbam_core_n_nodes (fmu->core);

      all = g_new0 (double, 2 * n_nodes + 1);
      ifbam_core_row (fmu->core, all, all + n_nodes);
      if (variable->place < 2 * n_free)
        *value = variable->place < n_free ? all[variable->place]
                                          : all[n_nodes + variable->place - n_free];
      return FMU_OK;
    }
  fmu_count_list (fmu, list, &n);
  all = g_new0 (double, n + 1);
  if (fmu_get_list (fmu, list, all, n) != FMU_OK)
    return FMU_ERROR;
  *value = variable->place < n ? all[variable->place] : 0;
  return FMU_OK;
}

static FmuStatus
get_one (Fmu *fmu, guint32 reference, double *value)
{
  const Variable *variable;

  if (reference == 0)
    {
      *value = fmu->start + fmu->time;
      return FMU_OK;
    }
  if (reference > fmu->variables->len)
    return fmu_refuse (fmu, "value reference %u: there is no such variable", reference);
  variable = variable_at (fmu, reference - 1);
  if (variable->kind <= MOTION)
    {
      *value = variable->value;
      return FMU_OK;
    }
  if (fmu->phase == FMU_MADE)
    return fmu_refuse (fmu, "%s is not known before the initialization", variable->key);
  if (compile (fmu) != FMU_OK)
    return FMU_ERROR;
  if (variable->kind != OUTPUT)
    return get_place (fmu, variable, value);
  if (!fmu->known && fmu->exchange != NULL)
    ifbam_exchange_get_signals (fmu->exchange, fmu->outputs);
  else if (!fmu->known)
    ifbam_recorder_values (fmu->recorder, fmu->time, fmu->after, fmu->outputs);
  fmu->known = TRUE;
  *value = fmu->outputs[variable->place];
  return FMU_OK;
}

FmuStatus
fmu_set (Fmu *fmu, const guint32 *references, const double *values, gsize n)
{
  FmuStatus status = FMU_OK;

  for (gsize i = 0; i < n && status == FMU_OK; i++)
    status = set_one (fmu, references[i], values[i]);
  return status;
}

FmuStatus
fmu_get (Fmu *fmu, const guint32 *references, double *values, gsize n)
{
  FmuStatus status = FMU_OK;

  for (gsize i = 0; i < n && status == FMU_OK; i++)
    status = get_one (fmu, references[i], &values[i]);
  return status;
}

/* Phases */

static FmuStatus
go_to_phase (Fmu *fmu, FmuPhase phase, guint from, const char *what)
{
  static const char *const names[] = { "before the initialization", "within the initialization",
                                       "in event mode", "while it runs", "after its end" };

  if ((from >> fmu->phase & 1) == 0)
    return fmu_refuse (fmu, "%s can't be %s", what, names[fmu->phase]);
  fmu->phase = phase;
  return FMU_OK;
}

FmuStatus
fmu_enter_initialization (Fmu *fmu, double start)
{
  if (!isfinite (start))
    return fmu_refuse (fmu, "the start time %g is no time", start);
  fmu->start = start;
  return go_to_phase (fmu, FMU_INITIALIZING, 1u << FMU_MADE, "the initialization");
}

FmuStatus
fmu_exit_initialization (Fmu *fmu)
{
  const FmuPhase next = fmu->use.events || fmu->use.exchange ? FMU_EVENT : FMU_RUNNING;

  if (go_to_phase (fmu, next, 1u << FMU_INITIALIZING, "the end of the initialization") != FMU_OK)
    return FMU_ERROR;
  if (compile (fmu) == FMU_OK)
    return FMU_OK;
  fmu->phase = FMU_INITIALIZING;
  return FMU_ERROR;
}

FmuStatus
fmu_enter_events (Fmu *fmu)
{
  return go_to_phase (fmu, FMU_EVENT, 1u << FMU_RUNNING | 1u << FMU_EVENT, "an event");
}

/* Logs events up to a time; FALSE: there were none. */
static gboolean
tell_events (Fmu *fmu, double until)
{
  const double near = ROW_TOLERANCE * ifbam_recorder_step (fmu->recorder);
  const guint64 told = fmu->told;
  const gsize n = fmu->exchange != NULL ? ifbam_exchange_n_events (fmu->exchange)
                                        : ifbam_core_n_events (fmu->core);

  for (; fmu->told < n; fmu->told++)
    {
      const IfbamCoreEvent event = fmu->exchange != NULL
                                       ? ifbam_exchange_event (fmu->exchange, fmu->told)
                                       : ifbam_core_event (fmu->core, fmu->told);
      g_autofree char *text = NULL;

      if (event.time > until + near)
        break;
      if (!fmu->use.logs)
        continue;
      text = g_strdup_printf ("%s: %s at t = %s s, impulse %s", event.element, event.word,
                              IFBAM_NUMBER (fmu->start + event.time), IFBAM_NUMBER (event.impulse));
      fmu->use.logger (fmu, FMU_OK, FMU_EVENTS, text);
    }
  return fmu->told > told;
}

FmuStatus
fmu_update (Fmu *fmu, gboolean *changed, double *next)
{
  int happened = 0;

  *next = INFINITY;
  fmu->known &= fmu->after && fmu->exchange == NULL;
  fmu->after = TRUE;
  if (fmu->exchange != NULL)
    {
      happened = ifbam_exchange_process_event (fmu->exchange);
      if (happened < 0)
        return refuse_with_error (fmu);
      *next = fmu->start + ifbam_exchange_next (fmu->exchange);
      tell_events (fmu, INFINITY);
    }
  /* An integrator also has to restart after a jump of forces. */
  *changed = happened > 0 || fmu->drifted;
  fmu->drifted = FALSE;
  return FMU_OK;
}

/* Model exchange */

static void
get_states (IfbamExchange *exchange, double *values)
{
  ifbam_exchange_get_states (exchange, values);
}

static void
get_nominals (IfbamExchange *exchange, double *values)
{
  ifbam_exchange_get_nominals (exchange, values);
}

static FmuStatus
want_exchange (const Fmu *fmu)
{
  return fmu->exchange != NULL
             ? FMU_OK
             : fmu_refuse (fmu, "that is for model exchange, after the initialization");
}

FmuStatus
fmu_set_time (Fmu *fmu, double time)
{
  if (want_exchange (fmu) != FMU_OK)
    return FMU_ERROR;
  fmu->time = time - fmu->start;
  fmu->known = FALSE;
  ifbam_exchange_set_time (fmu->exchange, fmu->time);
  return FMU_OK;
}

FmuStatus
fmu_count_list (Fmu *fmu, FmuList list, gsize *n)
{
  if (want_exchange (fmu) != FMU_OK)
    return FMU_ERROR;
  *n = list == FMU_INDICATORS ? ifbam_exchange_n_indicators (fmu->exchange)
                              : ifbam_exchange_n_states (fmu->exchange);
  return FMU_OK;
}

/* Checks that n is the length of the list. */
static FmuStatus
check_count (Fmu *fmu, FmuList list, gsize n)
{
  gsize wanted;

  if (fmu_count_list (fmu, list, &wanted) != FMU_OK)
    return FMU_ERROR;
  return n == wanted ? FMU_OK : fmu_refuse (fmu, "there are %zu of them, not %zu", wanted, n);
}

FmuStatus
fmu_set_states (Fmu *fmu, const double *states, gsize n)
{
  if (check_count (fmu, FMU_STATES, n) != FMU_OK)
    return FMU_ERROR;
  ifbam_exchange_set_states (fmu->exchange, states);
  fmu->known = FALSE;
  return FMU_OK;
}

FmuStatus
fmu_get_list (Fmu *fmu, FmuList list, double *values, gsize n)
{
  if (check_count (fmu, list, n) != FMU_OK)
    return FMU_ERROR;
  (list == FMU_RATES        ? ifbam_exchange_get_rates
   : list == FMU_INDICATORS ? ifbam_exchange_get_indicators
   : list == FMU_NOMINALS   ? get_nominals
                            : get_states) (fmu->exchange, values);
  return FMU_OK;
}

FmuStatus
fmu_complete_step (Fmu *fmu, gboolean *event)
{
  if (want_exchange (fmu) != FMU_OK)
    return FMU_ERROR;
  *event = fmu->drifted = ifbam_exchange_has_drifted (fmu->exchange);
  return FMU_OK;
}

FmuStatus
fmu_leave_events (Fmu *fmu)
{
  return go_to_phase (fmu, FMU_RUNNING, 1u << FMU_EVENT | 1u << FMU_RUNNING, "the end of an event");
}

FmuStatus
fmu_terminate (Fmu *fmu)
{
  return go_to_phase (fmu, FMU_TERMINATED, 1u << FMU_EVENT | 1u << FMU_RUNNING, "the end");
}

/* Steps */

/* Advances to a row; in single steps if events end the step early: at *until [s], then reduced. */
static FmuStatus
advance_to_row (Fmu *fmu, guint64 row, double *until, gboolean *event)
{
  const gboolean seen = fmu->use.events && fmu->use.early;
  guint64 at = ifbam_recorder_row (fmu->recorder);
  double next = ifbam_recorder_next_event (fmu->recorder, fmu->time);

  if (at < row)
    apply_inputs (fmu, row);
  while (at < row && !(seen && next <= *until))
    {
      at = seen ? at + 1 : row;
      if (ifbam_recorder_advance (fmu->recorder, at) != 0)
        return refuse_with_error (fmu);
      next = ifbam_recorder_next_event (fmu->recorder, fmu->time);
    }
  *event = seen && next <= *until;
  if (*event)
    *until = next;
  *event |= tell_events (fmu, *until);
  return FMU_OK;
}

FmuStatus
fmu_do_step (Fmu *fmu, double from, double by, gboolean *event, double *reached)
{
  const double step = ifbam_recorder_step (fmu->recorder);
  double until = from - fmu->start + by, rows;
  const double near = ROW_TOLERANCE * step + 1e-9 * fabs (from);
  gboolean at_row;

  *event = FALSE;
  *reached = fmu->start + fmu->time;
  if (fmu->exchange != NULL || fmu->phase != FMU_RUNNING)
    return fmu_refuse (
        fmu, "a step can't be taken now: the initialization has not ended, or it is event mode");
  if (!(fabs (from - fmu->start - fmu->time) <= near))
    return fmu_refuse (fmu, "the step begins at %s s, but the last one ended at %s s",
                       IFBAM_NUMBER (from), IFBAM_NUMBER (fmu->start + fmu->time));
  if (!(by >= 0) || !isfinite (by))
    return fmu_refuse (fmu, "%s s is no length of a step", IFBAM_NUMBER (by));
  rows = until / step;
  at_row = fabs (rows - round (rows)) <= ROW_TOLERANCE;
  rows = at_row ? round (rows) : ceil (rows);
  if (!(rows < 0x1p53))
    return fmu_refuse (fmu, "%s s is beyond the last step that has a number", IFBAM_NUMBER (until));
  if (at_row)
    until = rows * step;
  if (advance_to_row (fmu, (guint64) rows, &until, event) != FMU_OK)
    return FMU_ERROR;
  fmu->time = until;
  fmu->after = !*event || !fmu->use.events || !fmu->use.early;
  fmu->known = FALSE;
  *reached = fmu->start + until;
  return FMU_OK;
}

/* States */

typedef struct
{
  guint64 magic, n_variables, rest; /* size of the recorder's state [bytes] */
  double start, time;
  guint32 phase, after, compiled, zero;
} Head;

/* Values of a variable. */
typedef struct
{
  double value, heard, start;
} Said;

static FmuState *
state_new (gsize size, gpointer *in)
{
  FmuState *state = g_malloc (sizeof *state + size);

  state->size = size;
  g_free (*in);
  *in = state;
  return state;
}

FmuStatus
fmu_write_state (const Fmu *fmu, const FmuState *state, gpointer bytes, gsize size)
{
  if (size < state->size)
    return fmu_refuse (fmu, "the state takes %zu bytes, not %zu", state->size, size);
  memcpy (bytes, state->data, state->size);
  return FMU_OK;
}

void
fmu_read_state (gconstpointer bytes, gsize size, gpointer *state)
{
  memcpy (state_new (size, state)->data, bytes, size);
}

FmuStatus
fmu_save_state (Fmu *fmu, gpointer *state)
{
  const guint n = fmu->variables->len;
  g_autofree char *rest = NULL;
  Head head = { .magic = STATE_MAGIC,
                .n_variables = n,
                .start = fmu->start,
                .time = fmu->time,
                .phase = fmu->phase,
                .after = (guint32) fmu->after,
                .compiled = (guint32) fmu->compiled };
  gsize length = 0;
  char *to;

  if (fmu->use.exchange)
    return fmu_refuse (fmu, "states are kept in co-simulation only");
  if (fmu->compiled)
    {
      rest = ifbam_recorder_save (fmu->recorder, &length);
      if (rest == NULL)
        return fmu_refuse (fmu, "the network can't go on: it has no state");
    }
  head.rest = length;
  to = state_new (sizeof head + n * sizeof (Said) + length, state)->data;
  memcpy (to, &head, sizeof head);
  to += sizeof head;
  for (guint i = 0; i < n; i++, to += sizeof (Said))
    {
      const Variable *variable = variable_at (fmu, i);
      const Said said = { variable->value, variable->heard, variable->start };

      memcpy (to, &said, sizeof said);
    }
  if (length > 0)
    memcpy (to, rest, length);
  return FMU_OK;
}

/* Restores parameters and inputs. */
static FmuStatus
restore_values (Fmu *fmu, const char *from, gboolean compiled)
{
  for (guint i = 0; i < fmu->variables->len; i++, from += sizeof (Said))
    {
      Variable *variable = variable_at (fmu, i);
      Said said;

      memcpy (&said, from, sizeof said);
      if (variable->kind == PARAMETER
          && memcmp (&said.value, &variable->value, sizeof said.value) != 0)
        {
          if (ifbam_core_change_number (fmu->core, variable->element, variable->key,
                                        variable->place, said.value)
              != 0)
            return refuse_with_error (fmu);
          fmu->compiled = FALSE;
        }
      /* The core has to be compiled with the motion's value of that time. */
      if (variable->kind == MOTION && said.start != variable->start)
        fmu->compiled = FALSE;
      variable->value = variable->kind == MOTION && compiled ? said.start : said.value;
    }
  return FMU_OK;
}

FmuStatus
fmu_restore_state (Fmu *fmu, gconstpointer kept)
{
  const FmuState *state = kept;
  const guint n = fmu->variables->len;
  const gsize values = n * sizeof (Said);
  const char *from;
  Head head = { 0 };

  if (state == NULL)
    return fmu_refuse (fmu, "there is no such state");
  from = state->data + sizeof head;
  if (state->size >= sizeof head)
    memcpy (&head, state->data, sizeof head);
  if (head.magic != STATE_MAGIC || head.n_variables != n
      || state->size - sizeof head != values + head.rest || head.phase > FMU_TERMINATED)
    return fmu_refuse (fmu, "the state is none of this FMU");
  if (restore_values (fmu, from, head.compiled != 0) != FMU_OK)
    return FMU_ERROR;
  fmu->start = head.start;
  fmu->time = head.time;
  fmu->after = head.after != 0;
  fmu->phase = (FmuPhase) head.phase;
  fmu->known = FALSE;
  fmu->told = 0;
  if (!head.compiled)
    {
      fmu->compiled = FALSE;
      return FMU_OK;
    }
  if (compile (fmu) != FMU_OK)
    return FMU_ERROR;
  if (ifbam_recorder_restore (fmu->recorder, from + values, head.rest) != 0)
    return refuse_with_error (fmu);
  for (guint i = 0; i < n; i++)
    {
      Variable *variable = variable_at (fmu, i);
      Said said;

      memcpy (&said, from + i * sizeof said, sizeof said);
      variable->value = said.value;
      variable->heard = said.heard;
      if (variable->kind == INPUT)
        ifbam_recorder_set_input (fmu->recorder, variable->element, variable->key, variable->heard,
                                  0);
    }
  return FMU_OK;
}
