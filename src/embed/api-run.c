/* api-run.c: runs of a network: in steps, in one call, or asynchronous
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "embed/ifbam-run.h"

#include <math.h>

#include "base/fail.h"
#include "base/param-spec.h"
#include "embed/generated-engine.h"
#include "linear/linear.h"
#include "run/run.h"

/* Interval between progress signals [us]: short enough for a key that ends the run. */
#define PROGRESS_INTERVAL 25000

/* Results of a thread that have not been emitted yet. */
typedef struct
{
  GArray *rows;        /* double: time, values of each sample */
  IfbamEvents *events; /* in order of time, but not sorted in between samples */
  double part;         /* fraction of the duration that is done */
} Heap;

/**
 * IfbamRun:
 *
 * A run of a network under a run spec: scheme, step, duration, recorded signals and engine.
 *
 * The spec is at first that of the network, and can be changed by properties of the run before its
 * start. The first step, or [method@Run.start], compiles the network; later changes of the network
 * don't affect the run. [method@Run.step] and [method@Run.run] advance a run in the calling thread;
 * [method@Run.run_async] computes in its own thread and emits signals in the caller's main context.
 *
 * Any number of runs of one network can exist at the same time, beside a dialogue by hand.
 *
 * A run that was interrupted by its `GCancellable` can be continued. A run that has diverged can't.
 */
struct _IfbamRun
{
  GObject parent_instance;
  IfbamNetwork *network;
  IfbamElement *settings; /* run spec: at first a copy of the network's */
  IfbamEngineKind engine;
  guint threads;
  gboolean allow_divergence, locate_events, event_rows, keep_ledger, keep_rows, keep_events;

  /* From the start on: */
  IfbamModel *model;
  IfbamSignals *signals;
  IfbamRunSpec spec;
  IfbamRunTask task;
  IfbamRunner *runner;
  IfbamCourse *course;
  IfbamEvents *events;
  guint64 step; /* present step */
  gboolean begun, ended;

  /* During a call that advances the run: */
  gboolean busy;
  GCancellable *cancellable;
  gint64 told; /* time of the last progress signal, monotonic [us] */
  gboolean hears_rows, hears_events;
  gboolean beside; /* computed in a thread of its own, with a heap */
  GMutex mutex;    /* protects the heap */
  Heap *heap;
  GMainContext *context;
};

enum
{
  PROP_NETWORK = 1,
  PROP_ENGINE,
  PROP_THREADS,
  PROP_ALLOW_DIVERGENCE,
  PROP_LOCATE_EVENTS,
  PROP_EVENT_ROWS,
  PROP_KEEP_LEDGER,
  PROP_KEEP_ROWS,
  PROP_KEEP_EVENTS,
  PROP_TIME,
  PROP_FINISHED,
  N_PROPERTIES,
  /* The properties of the run settings follow. */
};

enum
{
  SIGNAL_ROW,
  SIGNAL_EVENT,
  SIGNAL_PROGRESS,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (IfbamRun, ifbam_run, G_TYPE_OBJECT)

static gpointer
copy_ledger (gpointer ledger)
{
  return g_memdup2 (ledger, sizeof (IfbamRunLedger));
}

G_DEFINE_BOXED_TYPE (IfbamRunLedger, ifbam_run_ledger, copy_ledger, g_free)

GType
ifbam_engine_kind_get_type (void)
{
  static const GEnumValue values[] = { { IFBAM_ENGINE_PLAN, "IFBAM_ENGINE_PLAN", "plan" },
                                       { IFBAM_ENGINE_COMPILED, "IFBAM_ENGINE_COMPILED",
                                         "compiled" },
                                       { IFBAM_ENGINE_OBJECTS, "IFBAM_ENGINE_OBJECTS", "objects" },
                                       { 0, NULL, NULL } };
  static gsize type;

  if (g_once_init_enter (&type))
    g_once_init_leave (&type, g_enum_register_static ("IfbamEngineKind", values));
  return type;
}

static void
heap_free (Heap *heap)
{
  g_array_unref (heap->rows);
  g_object_unref (heap->events);
  g_free (heap);
}

static Heap *
heap_new (double part)
{
  Heap *heap = g_new0 (Heap, 1);

  heap->rows = g_array_new (FALSE, FALSE, sizeof (double));
  heap->events = ifbam_events_new ();
  heap->part = part;
  return heap;
}

static void
ifbam_run_finalize (GObject *object)
{
  IfbamRun *self = IFBAM_RUN (object);

  g_clear_pointer (&self->runner, ifbam_runner_free);
  g_clear_pointer (&self->signals, ifbam_signals_free);
  g_clear_pointer (&self->model, ifbam_model_free);
  ifbam_run_spec_clear (&self->spec);
  g_clear_object (&self->course);
  g_clear_object (&self->events);
  g_clear_object (&self->settings);
  g_clear_object (&self->network);
  g_mutex_clear (&self->mutex);
  G_OBJECT_CLASS (ifbam_run_parent_class)->finalize (object);
}

/* Properties */

static void
copy_settings (IfbamElement *from, IfbamElement *to)
{
  const IfbamElementInfo *info = from->info;

  for (guint i = 0; i < info->n_params; i++)
    {
      g_auto (GValue) value = G_VALUE_INIT;

      if (!ifbam_element_is_set (from, i))
        continue;
      g_object_get_property (G_OBJECT (from), info->params[i].key, &value);
      g_object_set_property (G_OBJECT (to), info->params[i].key, &value);
    }
}

/* Returns the flag of a boolean property. */
static gboolean *
flag_of (IfbamRun *self, guint id)
{
  gboolean *const flags[] = {
    [PROP_ALLOW_DIVERGENCE] = &self->allow_divergence,
    [PROP_LOCATE_EVENTS] = &self->locate_events,
    [PROP_EVENT_ROWS] = &self->event_rows,
    [PROP_KEEP_LEDGER] = &self->keep_ledger,
    [PROP_KEEP_ROWS] = &self->keep_rows,
    [PROP_KEEP_EVENTS] = &self->keep_events,
  };

  g_assert (id < G_N_ELEMENTS (flags) && flags[id] != NULL);
  return flags[id];
}

static void
ifbam_run_set_property (GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  IfbamRun *self = IFBAM_RUN (object);

  if (self->model != NULL)
    {
      g_critical ("%s: the run has started", spec->name);
      return;
    }
  if (id == PROP_NETWORK)
    {
      self->network = g_value_dup_object (value);
      if (self->network != NULL)
        copy_settings (ifbam_network_get_settings (self->network), self->settings);
    }
  else if (id == PROP_ENGINE)
    self->engine = (IfbamEngineKind) g_value_get_enum (value);
  else if (id == PROP_THREADS)
    self->threads = g_value_get_uint (value);
  else if (id >= N_PROPERTIES)
    g_object_set_property (G_OBJECT (self->settings), spec->name, value);
  else
    *flag_of (self, id) = g_value_get_boolean (value);
}

static void
ifbam_run_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  IfbamRun *self = IFBAM_RUN (object);

  if (id == PROP_NETWORK)
    g_value_set_object (value, self->network);
  else if (id == PROP_ENGINE)
    g_value_set_enum (value, (gint) self->engine);
  else if (id == PROP_THREADS)
    g_value_set_uint (value, self->threads);
  else if (id == PROP_TIME)
    g_value_set_double (value, ifbam_run_get_time (self));
  else if (id == PROP_FINISHED)
    g_value_set_boolean (value, ifbam_run_is_finished (self));
  else if (id >= N_PROPERTIES)
    g_object_get_property (G_OBJECT (self->settings), spec->name, value);
  else
    g_value_set_boolean (value, *flag_of (self, id));
}

static void
ifbam_run_class_init (IfbamRunClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS;
  const IfbamElementInfo *settings = ifbam_settings_info ();

  object_class->finalize = ifbam_run_finalize;
  object_class->set_property = ifbam_run_set_property;
  object_class->get_property = ifbam_run_get_property;

  /**
   * IfbamRun:network:
   *
   * The network of the run.
   */
  g_object_class_install_property (object_class, PROP_NETWORK,
                                   g_param_spec_object ("network", "network", "what is run",
                                                        IFBAM_TYPE_NETWORK,
                                                        flags | G_PARAM_CONSTRUCT_ONLY));
  /**
   * IfbamRun:engine:
   *
   * The engine. All engines give identical results.
   */
  g_object_class_install_property (object_class, PROP_ENGINE,
                                   g_param_spec_enum ("engine", "engine", "what executes it",
                                                      IFBAM_TYPE_ENGINE_KIND, IFBAM_ENGINE_PLAN,
                                                      flags));
  /**
   * IfbamRun:threads:
   *
   * Threads of a compiled network; 0: chosen by its size. Results don't depend on it.
   */
  g_object_class_install_property (
      object_class, PROP_THREADS,
      g_param_spec_uint ("threads", "threads", "threads of a compiled network", 0, 1024, 0, flags));
  /**
   * IfbamRun:allow-divergence:
   *
   * Whether the run continues while values are finite, even if its energy is implausible.
   */
  g_object_class_install_property (object_class, PROP_ALLOW_DIVERGENCE,
                                   g_param_spec_boolean ("allow-divergence", "allow-divergence",
                                                         "go on while numbers are finite", FALSE,
                                                         flags));
  /**
   * IfbamRun:locate-events:
   *
   * Whether events are located within their step; else they occur at its end, for comparison.
   */
  g_object_class_install_property (object_class, PROP_LOCATE_EVENTS,
                                   g_param_spec_boolean ("locate-events", "locate-events",
                                                         "locate events within their step", TRUE,
                                                         flags));
  /**
   * IfbamRun:event-rows:
   *
   * Whether samples just before and just after each event are recorded, too.
   */
  g_object_class_install_property (
      object_class, PROP_EVENT_ROWS,
      g_param_spec_boolean ("event-rows", "event-rows", "rows around events", FALSE, flags));
  /**
   * IfbamRun:keep-ledger:
   *
   * Whether losses and external work are summed for [method@Run.get_ledger], even without a signal
   * of them.
   */
  g_object_class_install_property (
      object_class, PROP_KEEP_LEDGER,
      g_param_spec_boolean ("keep-ledger", "keep-ledger", "sum up works", FALSE, flags));
  /**
   * IfbamRun:keep-rows:
   *
   * Whether samples are stored in the run's course; else they are only emitted by
   * [signal@Run::row], and memory doesn't grow with the run's length.
   */
  g_object_class_install_property (
      object_class, PROP_KEEP_ROWS,
      g_param_spec_boolean ("keep-rows", "keep-rows", "put rows into the course", TRUE, flags));
  /**
   * IfbamRun:keep-events:
   *
   * Whether events are stored in the run's list; else they are only emitted by [signal@Run::event].
   */
  g_object_class_install_property (
      object_class, PROP_KEEP_EVENTS,
      g_param_spec_boolean ("keep-events", "keep-events", "put events into the list", TRUE, flags));
  /**
   * IfbamRun:time:
   *
   * The present time of the run [s].
   */
  g_object_class_install_property (object_class, PROP_TIME,
                                   g_param_spec_double ("time", "time", "present time [s]", 0,
                                                        G_MAXDOUBLE, 0,
                                                        G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
  /**
   * IfbamRun:finished:
   *
   * Whether the run is at its end.
   */
  g_object_class_install_property (
      object_class, PROP_FINISHED,
      g_param_spec_boolean ("finished", "finished", "whether the run is finished", FALSE,
                            G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
  /**
   * IfbamRun:scheme:
   *
   * The time scheme, such as "verlet"; %NULL: the standard.
   */
  /**
   * IfbamRun:step:
   *
   * The time step [s]; infinite: chosen from the network's modes.
   */
  /**
   * IfbamRun:tolerance:
   *
   * The relative error tolerance of adaptive steps; 0: that of the network, or constant steps.
   */
  /**
   * IfbamRun:duration:
   *
   * The time of the last sample [s].
   */
  /**
   * IfbamRun:start:
   *
   * The kind of start: "warm", "cold" or "equilibrium"; %NULL: warm.
   */
  /**
   * IfbamRun:record:
   *
   * The recorded signals, comma-separated, with patterns; %NULL: the first of every free node.
   */
  /**
   * IfbamRun:sample:
   *
   * The interval between samples [s]; 0: every step.
   */
  /**
   * IfbamRun:up-to:
   *
   * The highest frequency of interest for a step that is chosen [Hz]; 0: the fastest mode's.
   */
  for (guint i = 0; i < settings->n_params; i++)
    if (ifbam_settings_is_of_run (&settings->params[i]))
      g_object_class_install_property (object_class, N_PROPERTIES + i,
                                       ifbam_param_spec (&settings->params[i]));

  /**
   * IfbamRun::row:
   * @run: the run
   * @time: the time of the sample [s]
   * @values: a double for each recorded signal, in the order of the course's, in SI units
   *
   * Emitted for each sample. Samples and events come in the order of time, up to 64 steps late.
   */
  signals[SIGNAL_ROW] = g_signal_new ("row", IFBAM_TYPE_RUN, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                      G_TYPE_NONE, 2, G_TYPE_DOUBLE, G_TYPE_BYTES);
  /**
   * IfbamRun::event:
   * @run: the run
   * @event: the event
   *
   * Emitted for each event.
   */
  signals[SIGNAL_EVENT] =
      g_signal_new ("event", IFBAM_TYPE_RUN, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                    IFBAM_TYPE_EVENT | G_SIGNAL_TYPE_STATIC_SCOPE);
  /**
   * IfbamRun::progress:
   * @run: the run
   * @part: the fraction of its duration that is done, from 0 to 1
   *
   * Emitted about forty times a second during the run.
   */
  signals[SIGNAL_PROGRESS] = g_signal_new ("progress", IFBAM_TYPE_RUN, G_SIGNAL_RUN_LAST, 0, NULL,
                                           NULL, NULL, G_TYPE_NONE, 1, G_TYPE_DOUBLE);
}

static void
ifbam_run_init (IfbamRun *self)
{
  self->settings = ifbam_element_new (ifbam_settings_get_type (), "");
  self->locate_events = self->keep_rows = self->keep_events = TRUE;
  g_mutex_init (&self->mutex);
}

/**
 * ifbam_run_new:
 * @network: a network
 *
 * Creates a run with the network's own spec, before its first sample.
 *
 * Returns: (transfer full): the run
 */
IfbamRun *
ifbam_run_new (IfbamNetwork *network)
{
  g_return_val_if_fail (IFBAM_IS_NETWORK (network), NULL);
  return g_object_new (IFBAM_TYPE_RUN, "network", network, NULL);
}

/* Results */

static void
tell_row (IfbamRun *self, double time, const double *values)
{
  if (self->keep_rows)
    ifbam_course_append_row (self->course, time, values);
  if (self->hears_rows)
    {
      g_autoptr (GBytes) bytes =
          g_bytes_new (values, self->signals->signals->len * sizeof (double));

      g_signal_emit (self, signals[SIGNAL_ROW], 0, time, bytes);
    }
}

static void
tell_event (IfbamRun *self, const IfbamEvent *event)
{
  if (self->keep_events)
    event = ifbam_events_add (self->events, event);
  if (self->hears_events)
    g_signal_emit (self, signals[SIGNAL_EVENT], 0, event);
}

/* A test per sample is slow: handlers count if they are there at the start of a call. */
static void
look_for_handlers (IfbamRun *self)
{
  self->hears_rows = g_signal_has_handler_pending (self, signals[SIGNAL_ROW], 0, TRUE);
  self->hears_events = g_signal_has_handler_pending (self, signals[SIGNAL_EVENT], 0, TRUE);
}

/* In the caller's main context: emits the results that the thread has put on the heap. */
static gboolean
emit_results (gpointer data)
{
  IfbamRun *self = data;
  const guint width = self->signals->signals->len + 1;
  const IfbamEvent *events;
  Heap *heap;
  gsize n_events, e = 0;

  g_mutex_lock (&self->mutex);
  heap = self->heap;
  self->heap = heap != NULL ? heap_new (heap->part) : NULL;
  g_mutex_unlock (&self->mutex);
  if (heap == NULL)
    return G_SOURCE_REMOVE;
  look_for_handlers (self);
  events = ifbam_events_list (heap->events, &n_events);
  for (guint i = 0; i < heap->rows->len; i += width)
    {
      const double *row = &g_array_index (heap->rows, double, i);

      while (e < n_events && events[e].time <= row[0])
        tell_event (self, &events[e++]);
      tell_row (self, row[0], row + 1);
    }
  while (e < n_events)
    tell_event (self, &events[e++]);
  g_signal_emit (self, signals[SIGNAL_PROGRESS], 0, heap->part);
  heap_free (heap);
  return G_SOURCE_REMOVE;
}

static gboolean
take_row (gpointer data, double time, const double *values, GError **error)
{
  IfbamRun *self = data;

  (void) error;
  if (!self->beside)
    {
      tell_row (self, time, values);
      return TRUE;
    }
  g_mutex_lock (&self->mutex);
  g_array_append_val (self->heap->rows, time);
  g_array_append_vals (self->heap->rows, values, self->signals->signals->len);
  g_mutex_unlock (&self->mutex);
  return TRUE;
}

static gboolean
store_event (gpointer data, const IfbamEvent *event, GError **error)
{
  IfbamRun *self = data;

  (void) error;
  if (!self->beside)
    {
      tell_event (self, event);
      return TRUE;
    }
  g_mutex_lock (&self->mutex);
  ifbam_events_add (self->heap->events, event);
  g_mutex_unlock (&self->mutex);
  return TRUE;
}

static gboolean
take_progress (gpointer data, double part)
{
  IfbamRun *self = data;
  const gint64 now = g_get_monotonic_time ();

  if (now - self->told >= PROGRESS_INTERVAL)
    {
      self->told = now;
      if (!self->beside)
        {
          g_signal_emit (self, signals[SIGNAL_PROGRESS], 0, part);
          look_for_handlers (self);
        }
      else
        {
          g_mutex_lock (&self->mutex);
          self->heap->part = part;
          g_mutex_unlock (&self->mutex);
          g_main_context_invoke_full (self->context, G_PRIORITY_DEFAULT, emit_results,
                                      g_object_ref (self), g_object_unref);
        }
    }
  return !g_cancellable_is_cancelled (self->cancellable);
}

/* Advance */

static gboolean
start (IfbamRun *self, GError **error)
{
  if (self->network == NULL)
    return ifbam_fail (error, IFBAM_ERROR_USAGE,
                       "the run has no network (want it at its construction)");
  self->model =
      ifbam_network_compile_as (self->network, self->settings, &self->spec, &self->signals, error);
  if (self->model == NULL)
    return FALSE;
  self->task =
      (IfbamRunTask){ .threads = self->threads,
                      .objects = self->engine == IFBAM_ENGINE_OBJECTS,
                      .make_engine =
                          self->engine == IFBAM_ENGINE_COMPILED ? ifbam_machine_engine_new : NULL,
                      .allow_divergence = self->allow_divergence,
                      .full_balance = self->keep_ledger,
                      .unlocated = !self->locate_events,
                      .event_rows = self->event_rows,
                      .keeps_rows = self->keep_rows,
                      .event = store_event,
                      .row = take_row,
                      .progress = take_progress,
                      .advise = ifbam_step_advice,
                      .expects_growth = ifbam_growth_is_expected,
                      .data = self };
  if (!ifbam_run_fits (&self->task, self->model, self->signals, &self->spec, 0, TRUE, error))
    {
      g_clear_pointer (&self->model, ifbam_model_free);
      g_clear_pointer (&self->signals, ifbam_signals_free);
      return FALSE;
    }
  self->course = ifbam_signals_course (self->signals);
  self->events = ifbam_events_new ();
  self->runner = ifbam_runner_new (&self->task, self->model, self->signals, &self->spec);
  return TRUE;
}

static gboolean
refuse (const char *reason, GError **error)
{
  return ifbam_fail (error, IFBAM_ERROR_USAGE, "%s", reason);
}

/**
 * ifbam_run_get_state:
 * @run: a run
 * @error: return location for an error of the domain IFBAM_ERROR
 *
 * Returns the state at the present time; after the end, the final state. Another run of the same
 * network that begins with this state, by [method@Run.start_from], gives equal bits with any
 * engine.
 *
 * The block is self-describing (engine/snapshot.h): a version, the scheme and step, the elements of
 * the network, then named columns. It can be read on machines of the same kind by the same version.
 *
 * Returns: (transfer full): the block; %NULL with %IFBAM_ERROR_USAGE if the run has not started, is
 *   advancing in a thread, or has failed
 */
GBytes *
ifbam_run_get_state (IfbamRun *self, GError **error)
{
  g_autoptr (IfbamState) state = NULL;
  gconstpointer data;
  gsize size;

  g_return_val_if_fail (IFBAM_IS_RUN (self), NULL);
  if (self->runner == NULL || self->busy || self->ended)
    {
      refuse (self->busy    ? "the run goes on"
              : self->ended ? "the run has ended by an error"
                            : "the run has not started",
              error);
      return NULL;
    }
  state = ifbam_runner_get_state (self->runner);
  if (state == NULL)
    {
      refuse ("the run can't go on", error);
      return NULL;
    }
  data = ifbam_state_data (state, &size);
  return g_bytes_new_with_free_func (data, size, (GDestroyNotify) ifbam_state_free,
                                     g_steal_pointer (&state));
}

/**
 * ifbam_run_start_from:
 * @run: a run that has not advanced yet
 * @state: a result of [method@Run.get_state]
 * @error: return location for an error of the domain IFBAM_ERROR
 *
 * Starts the run at the time and state of @state, instead of at the start of its network. Its first
 * sample is at that time, if the run records one there; its end is at its duration. Parameters of
 * laws may differ from those of the saved run. The elements, their connections, the scheme, the
 * step and the summed quantities must be equal (see [property@Run:keep-ledger]; signals such as
 * "network.dissipated" are summed, too).
 *
 * Returns: %FALSE with %IFBAM_ERROR_NETWORK if the network is wrong, or %IFBAM_ERROR_USAGE, which
 *   states the element or column of @state that does not fit
 */
gboolean
ifbam_run_start_from (IfbamRun *self, GBytes *bytes, GError **error)
{
  g_autoptr (IfbamState) state = NULL;
  gconstpointer data;
  gsize size;

  g_return_val_if_fail (IFBAM_IS_RUN (self) && bytes != NULL, FALSE);
  if (self->busy || self->ended || self->begun)
    return refuse ("the run has gone on already", error);
  data = g_bytes_get_data (bytes, &size);
  state = ifbam_state_new_from_data (data, size, error);
  if (state == NULL || !ifbam_run_start (self, error)
      || !ifbam_runner_set_state (self->runner, state, error))
    return FALSE;
  self->step = ifbam_runner_step (self->runner);
  g_object_notify (G_OBJECT (self), "time");
  return TRUE;
}

/* Prepares a call that advances the run; FALSE with an error if the run can't advance. */
static gboolean
begin (IfbamRun *self, GCancellable *cancellable, GError **error)
{
  if (self->busy || self->ended)
    return ifbam_fail (error, IFBAM_ERROR_USAGE, "%s",
                       self->busy ? "the run goes on already" : "the run has ended by an error");
  if (self->runner == NULL && !start (self, error))
    return FALSE;
  self->busy = self->begun = TRUE;
  self->cancellable = cancellable != NULL ? g_object_ref (cancellable) : NULL;
  self->told = g_get_monotonic_time ();
  look_for_handlers (self);
  return TRUE;
}

static gboolean
advance (IfbamRun *self, guint64 until, GError **error)
{
  const guint64 last = MIN (until, self->spec.last_step);
  g_autoptr (GError) own = NULL;

  self->task.collects = self->keep_rows;
  if (!ifbam_run_fits (&self->task, self->model, self->signals, &self->spec, last - self->step,
                       FALSE, error))
    return FALSE;
  if (ifbam_runner_advance (self->runner, until, &own))
    return TRUE;
  self->ended = !g_error_matches (own, IFBAM_ERROR, IFBAM_ERROR_INTERRUPTED);
  g_propagate_error (error, g_steal_pointer (&own));
  return FALSE;
}

static void
end (IfbamRun *self)
{
  self->step = ifbam_runner_step (self->runner);
  self->busy = FALSE;
  g_clear_object (&self->cancellable);
  g_signal_emit (self, signals[SIGNAL_PROGRESS], 0,
                 (double) self->step / (double) MAX (self->spec.last_step, 1));
  g_object_notify (G_OBJECT (self), "time");
  if (ifbam_run_is_finished (self))
    g_object_notify (G_OBJECT (self), "finished");
}

/**
 * ifbam_run_start:
 * @run: a run
 * @error: return location for an error of the domain IFBAM_ERROR
 *
 * Compiles the network unless it is compiled already, as the first step does.
 *
 * Returns: whether the run can advance; if not, %IFBAM_ERROR_NETWORK has a line for each fault
 */
gboolean
ifbam_run_start (IfbamRun *self, GError **error)
{
  if (self->network == NULL)
    return ifbam_fail (error, IFBAM_ERROR_USAGE,
                       "the run has no network (want it at its construction)");
  g_return_val_if_fail (IFBAM_IS_RUN (self), FALSE);
  return self->runner != NULL || start (self, error);
}

/**
 * ifbam_run_step:
 * @run: a run
 * @n_steps: number of steps
 * @cancellable: (nullable): ends it from elsewhere, or %NULL
 * @error: return location for an error of the domain IFBAM_ERROR
 *
 * Advances by @n_steps, or to the end if that is nearer. Samples and events equal those of a run in
 * one call. The first call also emits the sample at the start; with 0 steps, only this sample.
 *
 * Returns: %FALSE with %IFBAM_ERROR_NETWORK if the network is wrong or can't advance,
 *   %IFBAM_ERROR_DIVERGED, %IFBAM_ERROR_INTERRUPTED by @cancellable, or %IFBAM_ERROR_USAGE if the
 *   run is advancing already or has ended by an error
 */
gboolean
ifbam_run_step (IfbamRun *self, guint64 n_steps, GCancellable *cancellable, GError **error)
{
  gboolean fine;

  g_return_val_if_fail (IFBAM_IS_RUN (self), FALSE);
  if (!begin (self, cancellable, error))
    return FALSE;
  n_steps = MIN (n_steps, self->spec.last_step - self->step);
  fine = advance (self, self->step + n_steps, error);
  end (self);
  return fine;
}

/**
 * ifbam_run_run:
 * @run: a run
 * @cancellable: (nullable): ends it from elsewhere, or %NULL
 * @error: return location for an error of the domain IFBAM_ERROR
 *
 * Advances to the end.
 *
 * Returns: %FALSE with an error as of [method@Run.step]
 */
gboolean
ifbam_run_run (IfbamRun *self, GCancellable *cancellable, GError **error)
{
  return ifbam_run_step (self, G_MAXUINT64, cancellable, error);
}

static void
work (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  IfbamRun *self = source;
  GError *error = NULL;

  (void) data;
  (void) cancellable;
  if (advance (self, self->spec.last_step, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
finish_run (GObject *source, GAsyncResult *result, gpointer data)
{
  IfbamRun *self = IFBAM_RUN (source);
  g_autoptr (GTask) task = data;
  GError *error = NULL;

  emit_results (self);
  g_clear_pointer (&self->heap, heap_free);
  self->beside = FALSE;
  g_clear_pointer (&self->context, g_main_context_unref);
  end (self);
  if (g_task_propagate_boolean (G_TASK (result), &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

/**
 * ifbam_run_run_async:
 * @run: a run
 * @cancellable: (nullable): ends it from elsewhere, or %NULL
 * @callback: (scope async) (nullable): called when it is done
 * @user_data: for @callback
 *
 * Advances to the end in a thread of its own. Signals are emitted in the caller's thread-default
 * main context. Until @callback, calls that advance the run are rejected, and the course and list
 * of events contain the emitted samples and events only.
 */
void
ifbam_run_run_async (IfbamRun *self, GCancellable *cancellable, GAsyncReadyCallback callback,
                     gpointer user_data)
{
  g_autoptr (GTask) task = NULL, inner = NULL;
  GError *error = NULL;

  g_return_if_fail (IFBAM_IS_RUN (self));
  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, ifbam_run_run_async);
  if (!begin (self, cancellable, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  self->beside = TRUE;
  self->heap = heap_new ((double) self->step / (double) MAX (self->spec.last_step, 1));
  self->context = g_main_context_ref_thread_default ();
  inner = g_task_new (self, NULL, finish_run, g_object_ref (task));
  g_task_run_in_thread (inner, work);
}

/**
 * ifbam_run_run_finish:
 * @run: a run
 * @result: the result that the callback got
 * @error: return location for an error of the domain IFBAM_ERROR
 *
 * Returns the result of ifbam_run_run_async().
 *
 * Returns: %FALSE with an error as of [method@Run.step]
 */
gboolean
ifbam_run_run_finish (IfbamRun *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
}

/* Read access */

/**
 * ifbam_run_get_network:
 * @run: a run
 *
 * Returns the network of the run.
 *
 * Returns: (transfer none): the network
 */
IfbamNetwork *
ifbam_run_get_network (IfbamRun *self)
{
  g_return_val_if_fail (IFBAM_IS_RUN (self), NULL);
  return self->network;
}

/**
 * ifbam_run_get_settings:
 * @run: a run
 *
 * Returns the run's own spec. Its parameters are the run's properties, and can also be set as texts
 * here, by [method@Element.set_text]. Changes after the start have no effect.
 *
 * Returns: (transfer none): the settings
 */
IfbamElement *
ifbam_run_get_settings (IfbamRun *self)
{
  g_return_val_if_fail (IFBAM_IS_RUN (self), NULL);
  return self->settings;
}

/**
 * ifbam_run_get_time:
 * @run: a run
 *
 * Returns the present time of the run.
 *
 * Returns: the time [s]; during an asynchronous run, the time at its begin
 */
double
ifbam_run_get_time (IfbamRun *self)
{
  g_return_val_if_fail (IFBAM_IS_RUN (self), 0);
  return self->model == NULL ? 0 : (double) self->step * self->spec.step;
}

/**
 * ifbam_run_is_finished:
 * @run: a run
 *
 * Tests whether the run is at its end.
 *
 * Returns: whether it is
 */
gboolean
ifbam_run_is_finished (IfbamRun *self)
{
  g_return_val_if_fail (IFBAM_IS_RUN (self), FALSE);
  return self->model != NULL && self->step == self->spec.last_step && !self->ended;
}

/**
 * ifbam_run_get_course:
 * @run: a run
 *
 * Returns the samples so far. The run adds samples to the same course.
 *
 * Returns: (transfer none) (nullable): the course; %NULL before the start
 */
IfbamCourse *
ifbam_run_get_course (IfbamRun *self)
{
  g_return_val_if_fail (IFBAM_IS_RUN (self), NULL);
  return self->course;
}

/**
 * ifbam_run_get_events:
 * @run: a run
 *
 * Returns the events so far. The run adds events to the same list.
 *
 * Returns: (transfer none) (nullable): the events; %NULL before the start
 */
IfbamEvents *
ifbam_run_get_events (IfbamRun *self)
{
  g_return_val_if_fail (IFBAM_IS_RUN (self), NULL);
  return self->events;
}

/* Finds signals by name that can be computed at present; NULL with an error. */
static IfbamSignals *
find_signals (IfbamRun *self, const char *record, GError **error)
{
  g_autoptr (IfbamSignals) found = NULL;
  g_autofree char *reason = NULL;

  if (self->runner == NULL || self->busy)
    reason = g_strdup (self->busy ? "the run goes on" : "the run has not started");
  else
    found = ifbam_signals_new (self->model, self->network->by_name, record, &reason);
  if (found != NULL && found->links && !self->signals->links)
    reason = g_strdup_printf ("\"%s\" is summed up only where it is recorded", record);
  else if (found != NULL && found->balance && !ifbam_runner_keeps_balance (self->runner))
    reason = g_strdup_printf ("\"%s\" is summed up only with keep-ledger, or recorded", record);
  if (reason == NULL)
    return g_steal_pointer (&found);
  return ifbam_fail_null (error, IFBAM_ERROR_USAGE, "%s", reason);
}

/**
 * ifbam_run_get_value:
 * @run: a run
 * @signal: any signal of its network, such as "m1.velocity", recorded or not
 * @value: (out): its present value, in SI units
 * @error: return location for an error of the domain IFBAM_ERROR
 *
 * Returns the present value of a signal.
 *
 * Returns: %FALSE with %IFBAM_ERROR_USAGE if there is no such signal, if it is a sum of works and
 *   the run does not keep its ledger, or if the run has not started or is advancing in a thread
 */
gboolean
ifbam_run_get_value (IfbamRun *self, const char *signal, double *value, GError **error)
{
  g_autoptr (IfbamSignals) found = NULL;

  g_return_val_if_fail (IFBAM_IS_RUN (self) && signal != NULL && value != NULL, FALSE);
  found = find_signals (self, signal, error);
  if (found == NULL)
    return FALSE;
  if (found->signals->len != 1)
    return ifbam_fail (error, IFBAM_ERROR_USAGE, "\"%s\" is no single signal", signal);
  ifbam_runner_read_signals (self->runner, found, value);
  return TRUE;
}

/* Returns patterns for the coordinate and rate of every node and the mode of every link. */
static char *
list_state (IfbamRun *self)
{
  GString *text = g_string_new (NULL);

  for (guint d = 0; d < IFBAM_N_DOMAINS; d++)
    {
      const char *const quantities[] = { ifbam_domain_info (d)->coordinate,
                                         ifbam_domain_info (d)->rate };

      for (guint q = 0; q < G_N_ELEMENTS (quantities); q++)
        {
          g_autofree char *pattern = g_strdup_printf ("*.%s", quantities[q]), *none = NULL;
          g_autoptr (IfbamSignals) found =
              ifbam_signals_new (self->model, self->network->by_name, pattern, &none);

          if (found != NULL)
            g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "", pattern);
        }
    }
  if (self->model->unbatched_links->len > 0)
    g_string_append (text, ", *.mode");
  return g_string_free (text, FALSE);
}

/**
 * ifbam_run_look:
 * @run: a run
 * @record: (nullable): signals, with patterns as for the key `record` of a file, recorded or not;
 *   %NULL: the coordinate and the rate of every node, and the mode of every link with modes
 * @error: return location for an error of the domain IFBAM_ERROR
 *
 * Returns present values of signals; after the end, those of the final state.
 *
 * Returns: (transfer full): a course with one sample at the run's time, in SI units; %NULL with an
 *   error as of [method@Run.get_value]
 */
IfbamCourse *
ifbam_run_look (IfbamRun *self, const char *record, GError **error)
{
  g_autoptr (IfbamSignals) found = NULL;
  g_autofree char *state = NULL;
  g_autofree double *values = NULL;
  IfbamCourse *course;

  g_return_val_if_fail (IFBAM_IS_RUN (self), NULL);
  if (record == NULL && self->runner != NULL && !self->busy)
    record = state = list_state (self);
  found = find_signals (self, record, error);
  if (found == NULL)
    return NULL;
  values = g_new (double, found->signals->len);
  ifbam_runner_read_signals (self->runner, found, values);
  course = ifbam_signals_course (found);
  ifbam_course_append_row (course, ifbam_run_get_time (self), values);
  return course;
}

/**
 * ifbam_run_get_ledger:
 * @run: a run
 *
 * Computes the present energies, and the work since the start.
 *
 * Returns: (transfer full) (nullable): the ledger; %NULL before it, or in an asynchronous run
 */
IfbamRunLedger *
ifbam_run_get_ledger (IfbamRun *self)
{
  IfbamRunLedger ledger;
  IfbamSums sums;

  g_return_val_if_fail (IFBAM_IS_RUN (self), NULL);
  if (self->runner == NULL || self->busy)
    return NULL;
  sums = ifbam_runner_sums (self->runner);
  ledger = (IfbamRunLedger){ .kinetic = sums.kinetic,
                             .potential = sums.potential,
                             .energy = sums.kinetic + sums.potential,
                             .momentum = sums.momentum,
                             .dissipated = sums.dissipated,
                             .supplied = sums.supplied };
  if (!ifbam_runner_keeps_balance (self->runner))
    ledger.dissipated = ledger.supplied = NAN;
  return copy_ledger (&ledger);
}

/**
 * ifbam_network_run:
 * @network: a network
 * @engine: the engine
 * @error: return location for an error of the domain IFBAM_ERROR
 *
 * Runs @network from its start over its duration: a [class@Run] in one call. (A dialogue by hand,
 * ifbam_network_reset(), is independent of it.)
 *
 * Returns: (transfer full): the recorded signals; %NULL with %IFBAM_ERROR_NETWORK if the network is
 *   wrong, or %IFBAM_ERROR_DIVERGED if the run diverges
 */
IfbamCourse *
ifbam_network_run (IfbamNetwork *network, IfbamEngineKind engine, GError **error)
{
  g_autoptr (IfbamRun) run = NULL;

  g_return_val_if_fail (IFBAM_IS_NETWORK (network), NULL);
  run = g_object_new (IFBAM_TYPE_RUN, "network", network, "engine", engine, "keep-events", FALSE,
                      NULL);
  if (!start (run, error))
    return NULL;
  run->task.keeps_rows = FALSE; /* the caller doesn't get them if the run fails */
  return ifbam_run_run (run, NULL, error) ? g_object_ref (run->course) : NULL;
}
