/* recorder.c: signals of a core's network at and between its steps; inputs that change in a run
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "embed/recorder.h"

#include <math.h>

#include "embed/core-internal.h"
#include "engine/engine.h"
#include "event/event.h"

/* Motion of all nodes at a row, or just before or after an event. */
typedef struct
{
  double time;
  double after;    /* 1: an interval begins here; 0: an interval ends here */
  double motion[]; /* coordinates, rates (2 n_nodes) */
} MotionSample;

struct _IfbamRecorder
{
  IfbamCore *core;

  /* While the core is compiled: */
  guint64 row;
  GArray *motion_samples;     /* doubles: Sights of the last step, in order of time */
  double *now, *last; /* signals at the present row, and at the row before (n) */
  double *motion;     /* scratch (2 n_nodes) */
  gboolean known;     /* `now` is up to date */
  gboolean bent;      /* some signals are known at rows only, and interpolated linearly */
};

static gsize
motion_sample_length (const IfbamRecorder *self)
{
  return sizeof (MotionSample) / sizeof (double) + 2 * self->core->model->n_nodes;
}

static guint
n_motion_samples (const IfbamRecorder *self)
{
  return (guint) (self->motion_samples->len / motion_sample_length (self));
}

static MotionSample *
motion_sample_at (const IfbamRecorder *self, guint i)
{
  return (MotionSample *) (gpointer) &g_array_index (self->motion_samples, double, i *motion_sample_length (self));
}

static MotionSample *
add_motion_sample (IfbamRecorder *self, double time, gboolean after)
{
  MotionSample *motion_sample;

  g_array_set_size (self->motion_samples, self->motion_samples->len + (guint) motion_sample_length (self));
  motion_sample = motion_sample_at (self, n_motion_samples (self) - 1);
  motion_sample->time = time;
  motion_sample->after = after;
  return motion_sample;
}

static double
row_time (const IfbamRecorder *self, guint64 row)
{
  return (double) row * self->core->spec.step;
}

/* Records the motion at the present row. */
static void
record_row (IfbamRecorder *self, gboolean after)
{
  const gsize n = self->core->model->n_nodes;
  MotionSample *motion_sample = add_motion_sample (self, row_time (self, self->row), after);

  ifbam_engine_get_nodes (self->core->engine, 0, n, motion_sample->motion, motion_sample->motion + n);
}

static void
record_event (gpointer data, double time, const double *position, const double *rate, gboolean after)
{
  IfbamRecorder *self = data;
  const gsize n = self->core->model->n_nodes;
  /* A scheduled event at a row may be late by rounding: the sample is after it, as in a run. */
  MotionSample *motion_sample = add_motion_sample (self, fmin (time, row_time (self, self->row)), after);

  memcpy (motion_sample->motion, position, n * sizeof *position);
  memcpy (motion_sample->motion + n, rate, n * sizeof *rate);
}

static void
forget (IfbamRecorder *self)
{
  g_clear_pointer (&self->motion_samples, g_array_unref);
  g_clear_pointer (&self->now, g_free);
  g_clear_pointer (&self->last, g_free);
  g_clear_pointer (&self->motion, g_free);
}

IfbamRecorder *
ifbam_recorder_new (IfbamCore *core, const char *signals)
{
  IfbamRecorder *self = g_new0 (IfbamRecorder, 1);

  self->core = core;
  core->sees_events = TRUE;
  ifbam_core_record (core, signals);
  return self;
}

void
ifbam_recorder_free (IfbamRecorder *self)
{
  if (self == NULL)
    return;
  forget (self);
  g_free (self);
}

static const IfbamSignal *
signal_at (const IfbamRecorder *self, gsize i)
{
  return &g_array_index (self->core->signals->signals, IfbamSignal, i);
}

static gboolean
is_sum (const IfbamSignal *signal)
{
  return signal->kind >= IFBAM_SIGNAL_KINETIC;
}

size_t
ifbam_recorder_begin (IfbamRecorder *self)
{
  const gsize n = ifbam_core_n_signals (self->core);

  forget (self);
  self->motion_samples = g_array_new (FALSE, FALSE, sizeof (double));
  self->now = g_new0 (double, n + 1);
  self->last = g_new0 (double, n + 1);
  self->motion = g_new0 (double, 2 * self->core->model->n_nodes + 1);
  self->row = 0;
  self->known = FALSE;
  self->bent = FALSE;
  for (gsize i = 0; i < n; i++)
    self->bent |= ifbam_signal_needs_engine (signal_at (self, i)) || is_sum (signal_at (self, i));
  record_row (self, FALSE);
  return n;
}

double
ifbam_recorder_step (const IfbamRecorder *self)
{
  return self->core->spec.step;
}

uint64_t
ifbam_recorder_row (const IfbamRecorder *self)
{
  return self->row;
}

/* Rows */

static void
update_signals (IfbamRecorder *self)
{
  if (!self->known)
    ifbam_core_signals (self->core, self->now);
  self->known = TRUE;
}

static int
advance (IfbamRecorder *self, guint64 steps)
{
  self->known = FALSE;
  self->row += steps;
  return ifbam_core_advance (self->core, steps);
}

int
ifbam_recorder_advance (IfbamRecorder *self, uint64_t row)
{
  IfbamEngine *engine = self->core->engine;
  double *swap = self->last;
  int result;

  if (row <= self->row)
    return 0;
  if (row - self->row > 1 && advance (self, row - self->row - 1) != 0)
    return -1;
  if (self->bent)
    {
      update_signals (self);
      self->last = self->now;
      self->now = swap;
    }
  g_array_set_size (self->motion_samples, 0);
  record_row (self, TRUE);
  engine->log->listener = record_event;
  engine->log->listener_data = self;
  result = advance (self, 1);
  engine->log->listener = NULL;
  record_row (self, FALSE);
  return result;
}

double
ifbam_recorder_next_event (const IfbamRecorder *self, double time)
{
  for (guint i = 1; i + 1 < n_motion_samples (self); i++)
    if (motion_sample_at (self, i)->after == 0 && motion_sample_at (self, i)->time > time)
      return motion_sample_at (self, i)->time;
  return INFINITY;
}

/* Between rows */

/* Computes a coordinate and its rate from a cubic Hermite polynomial. */
static void
interpolate (const MotionSample *a, const MotionSample *b, gsize n, gsize i, double time, double *motion)
{
  const double h = b->time - a->time, u = (time - a->time) / h;
  const double x0 = a->motion[i], v0 = h * a->motion[n + i];
  const double way = b->motion[i] - x0, v1 = h * b->motion[n + i];
  const double c2 = 3 * way - 2 * v0 - v1, c3 = v0 + v1 - 2 * way;

  motion[i] = x0 + u * (v0 + u * (c2 + u * c3));
  motion[n + i] = (v0 + u * (2 * c2 + 3 * u * c3)) / h;
}

/* Returns the index of the MotionSample at which the interval begins that contains the time. */
static guint
find_interval (const IfbamRecorder *self, double time, gboolean after)
{
  guint found = 0;

  for (guint i = 0; i + 1 < n_motion_samples (self); i++)
    {
      const MotionSample *from = motion_sample_at (self, i);

      if (from->after == 1 && (from->time < time || (after && from->time == time)))
        found = i;
    }
  return found;
}

/* Computes the motion of all nodes at a time. FALSE: it is that of the present row. */
static gboolean
move_to (IfbamRecorder *self, double time, gboolean after, gboolean *in_last_stretch)
{
  const gsize n = self->core->model->n_nodes;
  const guint first = find_interval (self, time, after);
  const MotionSample *a = motion_sample_at (self, first), *b;

  *in_last_stretch = first + 2 >= n_motion_samples (self);
  if (first + 1 >= n_motion_samples (self))
    return FALSE;
  b = motion_sample_at (self, first + 1);
  if (*in_last_stretch && time >= b->time)
    return FALSE;
  if (time <= a->time || time >= b->time)
    memcpy (self->motion, time <= a->time ? a->motion : b->motion, 2 * n * sizeof (double));
  else
    for (gsize i = 0; i < n; i++)
      interpolate (a, b, n, i, time, self->motion);
  return TRUE;
}

void
ifbam_recorder_values (IfbamRecorder *self, double time, int after, double *values)
{
  const gsize n = ifbam_core_n_signals (self->core);
  const double part = (time - row_time (self, self->row)) / self->core->spec.step + 1;
  IfbamView view = { .numbers = self->core->engine->numbers,
                     .engine = self->core->engine,
                     .time = time,
                     .position = self->motion,
                     .rate = self->motion + self->core->model->n_nodes };
  gboolean late;

  update_signals (self);
  if (!move_to (self, time, after != 0, &late))
    {
      memcpy (values, self->now, n * sizeof *values);
      return;
    }
  for (gsize i = 0; i < n; i++)
    {
      const IfbamSignal *signal = signal_at (self, i);

      if (signal->kind == IFBAM_SIGNAL_MODE)
        values[i] = late ? self->now[i] : self->last[i];
      else if (ifbam_signal_needs_engine (signal) || is_sum (signal))
        values[i] = self->last[i] + part * (self->now[i] - self->last[i]);
      else
        ifbam_signal_value (signal, &view, NULL, &values[i]);
    }
}

/* State */

typedef struct
{
  guint64 row, state, motion_samples,
      values; /* size of the engine's state [bytes], lengths of the other arrays */
} Head;

static GArray *
more_columns (IfbamRecorder *self)
{
  GArray *columns = g_array_new (FALSE, FALSE, sizeof (IfbamStateColumn));

  if (self->core->ledger != NULL)
    ifbam_energy_balance_list_state (self->core->ledger, columns);
  if (self->core->engine->numbers->shift != NULL)
    ifbam_state_add (columns, "given.shift", IFBAM_STATE_DOUBLES,
                     self->core->engine->numbers->shift, sizeof *self->core->engine->numbers->shift,
                     ifbam_model_n_given (self->core->model),
                     sizeof *self->core->engine->numbers->shift / sizeof (double));
  return columns;
}

static gsize
size_of (const Head *head)
{
  return sizeof *head + head->state + (head->motion_samples + 2 * head->values) * sizeof (double);
}

void *
ifbam_recorder_save (IfbamRecorder *self, size_t *size)
{
  g_autoptr (GArray) more = more_columns (self);
  g_autoptr (IfbamState) state = ifbam_engine_get_state_with (self->core->engine, more);
  Head head = { self->row, 0, self->motion_samples->len, ifbam_core_n_signals (self->core) };
  gconstpointer data;
  gsize length;
  char *block, *to;

  if (state == NULL)
    return NULL;
  update_signals (self);
  data = ifbam_state_data (state, &length);
  head.state = length;
  *size = size_of (&head);
  to = block = g_malloc (*size);
  memcpy (to, &head, sizeof head);
  to += sizeof head;
  memcpy (to, data, length);
  to += length;
  memcpy (to, self->motion_samples->data, head.motion_samples * sizeof (double));
  to += head.motion_samples * sizeof (double);
  memcpy (to, self->now, head.values * sizeof (double));
  memcpy (to + head.values * sizeof (double), self->last, head.values * sizeof (double));
  return block;
}

int
ifbam_recorder_restore (IfbamRecorder *self, const void *data, size_t size)
{
  g_autoptr (GArray) more = more_columns (self);
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamState) state = NULL;
  const char *from = data;
  Head head = { 0 };

  ifbam_core_begin (self->core);
  if (size >= sizeof head)
    memcpy (&head, data, sizeof head);
  if (size < sizeof head || head.state > size || head.motion_samples > size || head.values > size
      || size_of (&head) != size || head.values != ifbam_core_n_signals (self->core)
      || head.motion_samples == 0 || head.motion_samples % motion_sample_length (self) != 0)
    return ifbam_core_fail (self->core, "the state is none of this network");
  from += sizeof head;
  state = ifbam_state_new_from_data (from, head.state, &error);
  ifbam_parameter_values_discard_motions (self->core->engine->numbers);
  if (state == NULL || !ifbam_engine_set_state_with (self->core->engine, state, more, &error))
    return ifbam_core_fail (self->core, "%s", error->message);
  from += head.state;
  g_array_set_size (self->motion_samples, 0);
  g_array_append_vals (self->motion_samples, from, (guint) head.motion_samples);
  from += head.motion_samples * sizeof (double);
  memcpy (self->now, from, head.values * sizeof (double));
  memcpy (self->last, from + head.values * sizeof (double), head.values * sizeof (double));
  self->row = head.row;
  self->known = TRUE;
  if (self->core->ledger != NULL)
    ifbam_energy_balance_rebuild (self->core->ledger);
  if (self->core->engine->log->events != NULL)
    g_array_set_size (self->core->engine->log->events, 0);
  return 0;
}

/* Inputs */

void
ifbam_recorder_set_input (IfbamRecorder *self, int element, const char *key, double number,
                          int turns)
{
  const IfbamModel *model = self->core->model;
  const IfbamElement *wanted = self->core->network->elements->pdata[element - 1];

  for (gsize i = 0; i < model->n_sources; i++)
    {
      const IfbamSource *source = ifbam_model_source_of (model, i);
      const int param = ifbam_element_param_index (source->info, key);

      if (source->element != wanted || param < 0)
        continue;
      source->law[source->info->params[param].offset / sizeof (double)] = number;
      if (turns && ifbam_engine_by_events (model, &self->core->spec))
        ifbam_event_add_edge ((IfbamEventEngine *) self->core->engine, IFBAM_TIME_EVENT_EDGE,
                                     (guint32) i);
    }
}

void
ifbam_recorder_set_motion (IfbamRecorder *self, int element, unsigned order, double value,
                           uint64_t row)
{
  const IfbamModel *model = self->core->model;
  const gsize node = ifbam_model_element_index (model, self->core->network->elements->pdata[element - 1]).index;
  IfbamParameterValues *numbers = self->core->engine->numbers;

  if (numbers->shift == NULL)
    numbers->shift = g_new0 (struct _IfbamShift, model->n_nodes - model->n_free);
  if (ifbam_parameter_values_shift (numbers, node, order, value, row_time (self, self->row),
                           row_time (self, row))
      && ifbam_engine_by_events (model, &self->core->spec))
    ifbam_event_add_edge ((IfbamEventEngine *) self->core->engine, IFBAM_TIME_EVENT_MOTION,
                                 (guint32) (node - model->n_free));
}
