/* model-exchange.c: network of a compiled core for an external integrator: rates of states, events
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "embed/model-exchange.h"

#include <math.h>

#include "embed/core-event.h"
#include "embed/core-internal.h"
#include "event/event.h"
#include "engine/engine.h"

/* Tolerance of constraints before they are projected, relative to the magnitudes of the cluster. */
#define DRIFT_TOLERANCE 1e-10
/* Magnitude if none is known. */
#define SMALL 1e-3
/* Nominal values are this fraction of the magnitudes, to resolve a decaying bounce. */
#define FINE 1e-4

/* Replaces an indicator of 0: importers detect sign changes by products. */
#define ZERO_INDICATOR 1e-30

struct _IfbamExchange
{
  IfbamCore *core;
  IfbamRunSpec spec; /* of the core */
  IfbamEventEngine *engine;
  double time;
  gboolean accounts; /* signals need the external work, which is one more state */
  double work,
      stored;    /* external work since the start without that of events; energy at the start [J] */
  double *shift; /* offset that makes an indicator positive after its event (n_indicators) */
  gboolean shifted;
  double *x, *v; /* scratch (n_nodes) */
};

static const IfbamModel *
model_of (const IfbamExchange *self)
{
  return self->core->model;
}

size_t
ifbam_exchange_n_states (const IfbamExchange *self)
{
  return ifbam_model_n_named_free (model_of (self)) + model_of (self)->n_free + (self->accounts ? 1 : 0);
}

static IfbamView
view_of (const IfbamExchange *self)
{
  return (IfbamView){ .numbers = self->engine->base.numbers,
                      .engine = &self->engine->base,
                      .time = self->time,
                      .position = self->engine->nodes.x,
                      .rate = self->engine->nodes.v };
}

static double
stored (const IfbamExchange *self)
{
  const IfbamView view = view_of (self);
  IfbamSums sums = { 0 };

  ifbam_view_sums (&view, &sums);
  return sums.kinetic + sums.potential;
}

size_t
ifbam_exchange_n_indicators (const IfbamExchange *self)
{
  return (size_t) model_of (self)->unbatched_links->len * IFBAM_MAX_GUARDS;
}

IfbamExchange *
ifbam_exchange_new (IfbamCore *core)
{
  const IfbamModel *model = core->model;
  IfbamExchange *self;

  if (model->n_junctions > 0)
    {
      ifbam_core_fail (core, "nodes without inertia have no rates: model exchange can't be");
      return NULL;
    }
  self = g_new0 (IfbamExchange, 1);
  self->core = core;
  self->spec = core->spec;
  self->spec.scheme = ifbam_scheme_by_name ("rk4");
  self->spec.tolerance = 0;
  self->spec.cold = FALSE;
  self->engine = (IfbamEventEngine *) ifbam_event_engine_new (model, &self->spec, FALSE);
  ifbam_engine_record_events (&self->engine->base);
  self->accounts = core->signals != NULL && core->signals->balance;
  if (self->accounts)
    self->engine->base.account_level = IFBAM_ACCOUNT_FULL;
  ifbam_engine_start (&self->engine->base);
  /* A monitor's guard is an indicator as others are. */
  g_array_set_size (self->engine->monitors.list, 0);
  memset (self->engine->monitors.is_passive, 0, model->unbatched_links->len);
  self->shift = g_new0 (double, ifbam_exchange_n_indicators (self) + 1);
  self->x = g_new0 (double, model->n_nodes + 1);
  self->v = g_new0 (double, model->n_nodes + 1);
  ifbam_exchange_set_time (self, 0);
  if (self->accounts)
    {
      /* The energy at the start is that before the events at the start. */
      const IfbamWorkTotals account = ifbam_engine_work (&self->engine->base);

      self->stored = stored (self) - (account.supplied - account.dissipated);
    }
  return self;
}

void
ifbam_exchange_free (IfbamExchange *self)
{
  if (self == NULL)
    return;
  ifbam_engine_free (&self->engine->base);
  g_free (self->shift);
  g_free (self->x);
  g_free (self->v);
  g_free (self);
}

void
ifbam_exchange_set_time (IfbamExchange *self, double time)
{
  self->time = fmax (time, 0);
  ifbam_event_set_time (self->engine, self->time);
}

void
ifbam_exchange_set_states (IfbamExchange *self, const double *states)
{
  const gsize n = ifbam_model_n_named_free (model_of (self)), all = model_of (self)->n_free;

  for (gsize i = 0; i < all; i++)
    {
      const gsize node = ifbam_model_free_node (model_of (self), i);

      if (i < n)
        self->engine->nodes.x[node] = states[i];
      self->engine->nodes.v[node] = states[n + i];
    }
  if (self->accounts)
    self->work = states[n + all];
}

void
ifbam_exchange_get_states (const IfbamExchange *self, double *states)
{
  const gsize n = ifbam_model_n_named_free (model_of (self)), all = model_of (self)->n_free;

  for (gsize i = 0; i < all; i++)
    {
      const gsize node = ifbam_model_free_node (model_of (self), i);

      if (i < n)
        states[i] = self->engine->nodes.x[node];
      states[n + i] = self->engine->nodes.v[node];
    }
  if (self->accounts)
    states[n + all] = self->work;
}

/* Returns the power of sources and given nodes [W], for unbatched links by their last force. */
static double
get_power (const IfbamExchange *self)
{
  const IfbamModel *model = model_of (self);
  const IfbamEventEngine *engine = self->engine;
  const IfbamView view = view_of (self);
  double power, amount;

  ifbam_view_supply (&view, &power, &amount);
  for (guint32 j = 0; j < model->unbatched_links->len; j++)
    {
      const IfbamLink *link = ifbam_link (engine, j);
      const IfbamLinkState *state = &engine->links.state[j];
      const double force = ifbam_link_is_active (engine, j)       ? state->reaction
                           : ifbam_link_slip (engine, j) != 0 ? state->force + state->reaction
                                                              : state->force;

      for (guint e = 0; e < link->n_ports; e++)
        if (link->node[e] >= model->n_free)
          power += state->row[e] * force * engine->nodes.v[link->node[e]];
    }
  return power;
}

void
ifbam_exchange_get_rates (IfbamExchange *self, double *rates)
{
  const gsize n = ifbam_model_n_named_free (model_of (self)), all = model_of (self)->n_free;
  IfbamEventEngine *engine = self->engine;

  ifbam_event_accelerations (engine, IFBAM_NONE, engine->nodes.x, engine->nodes.v, self->time, TRUE);
  for (gsize i = 0; i < all; i++)
    {
      const gsize node = ifbam_model_free_node (model_of (self), i);

      if (i < n)
        rates[i] = engine->nodes.v[node];
      rates[n + i] = engine->nodes.acceleration[node];
    }
  if (self->accounts)
    rates[n + all] = get_power (self);
}

void
ifbam_exchange_get_nominals (const IfbamExchange *self, double *nominals)
{
  const gsize n = ifbam_model_n_named_free (model_of (self)), all = model_of (self)->n_free;

  for (gsize i = 0; i < all; i++)
    {
      const IfbamMagnitudes *extent =
          ifbam_event_node_magnitudes (self->engine, ifbam_model_free_node (model_of (self), i));

      if (i < n)
        nominals[i] = FINE * (extent->position > 0 ? extent->position : SMALL);
      nominals[n + i] = FINE * (extent->rate > 0 ? extent->rate : SMALL);
    }
  if (self->accounts)
    nominals[n + all] = fmax (fabs (self->stored), fmax (fabs (self->work), SMALL));
}

static double
guard_value (IfbamExchange *self, guint32 link, const IfbamGuard *guard)
{
  IfbamEventEngine *engine = self->engine;

  return ifbam_event_guard_value (engine, link, guard, engine->nodes.x, engine->nodes.v,
                                  self->time - ifbam_event_time (engine));
}

void
ifbam_exchange_get_indicators (IfbamExchange *self, double *indicators)
{
  for (guint32 j = 0; j < model_of (self)->unbatched_links->len; j++)
    {
      IfbamGuard guards[IFBAM_MAX_GUARDS];
      const guint n = ifbam_event_guards (self->engine, j, guards);

      for (guint g = 0; g < IFBAM_MAX_GUARDS; g++, indicators++)
        {
          const double shift = self->shift[j * IFBAM_MAX_GUARDS + g];
          const double value = g < n ? guard_value (self, j, &guards[g]) + shift : 1;

          *indicators = value == 0 ? ZERO_INDICATOR : isnan (value) ? 1 : value;
        }
    }
}

/* A contact that is closed or slow to rounding after an event gets an offset, so that its indicator
 * is positive until it is away from 0. Importers then detect the next event, not the same again. */
static void
set_shifts (IfbamExchange *self, gboolean happened)
{
  for (guint32 j = 0; j < model_of (self)->unbatched_links->len; j++)
    {
      IfbamGuard guards[IFBAM_MAX_GUARDS];
      const guint n = ifbam_event_guards (self->engine, j, guards);

      for (guint g = 0; g < n; g++)
        {
          const double floor = ifbam_event_guard_threshold (self->engine, j, &guards[g]);
          const double value = guard_value (self, j, &guards[g]);

          double *shift = &self->shift[j * IFBAM_MAX_GUARDS + g];

          if (value > 8 * floor)
            *shift = ZERO_INDICATOR;
          else if (happened)
            *shift = 2 * floor + ZERO_INDICATOR + (value < 0 ? -value : 0);
        }
    }
  self->shifted = TRUE;
}

/* Lists guards with negative indicators. */
static guint
list_fired (IfbamExchange *self, IfbamCandidate *fired)
{
  guint n_fired = 0;

  for (guint32 j = 0; j < model_of (self)->unbatched_links->len && self->shifted; j++)
    {
      IfbamGuard guards[IFBAM_MAX_GUARDS];
      const guint n = ifbam_event_guards (self->engine, j, guards);

      for (guint g = 0; g < n; g++)
        if (guard_value (self, j, &guards[g]) + self->shift[j * IFBAM_MAX_GUARDS + g] < 0)
          {
            fired[n_fired++] = (IfbamCandidate){ .link = j, .guard = guards[g], .is_located = TRUE };
            break;
          }
    }
  return n_fired;
}

/* Projects coordinates onto the active constraints. */
static void
fix (IfbamExchange *self, double *x, double *v)
{
  IfbamEventEngine *engine = self->engine;

  for (guint i = 0; i < engine->islands.constrained->len; i++)
    ifbam_event_project (engine, ifbam_constrained_island (engine, i), x,
                     v, self->time - ifbam_event_time (engine), FALSE);
}

int
ifbam_exchange_process_event (IfbamExchange *self)
{
  IfbamEventEngine *engine = self->engine;
  const guint n = model_of (self)->unbatched_links->len;
  g_autofree IfbamCandidate *fired = g_new (IfbamCandidate, n + 1);
  /* Fired guards are found first: the projection could make them positive again by rounding. */
  const guint n_fired = list_fired (self, fired);
  gboolean happened;

  fix (self, engine->nodes.x, engine->nodes.v);
  happened = ifbam_event_process_at (engine, self->time, fired, n_fired);
  set_shifts (self, TRUE);
  return engine->base.log->failure == NULL
             ? happened
             : ifbam_core_fail (self->core, "%s", engine->base.log->failure);
}

double
ifbam_exchange_next (const IfbamExchange *self)
{
  return ifbam_schedule_next_time (&self->engine->schedule);
}

int
ifbam_exchange_has_drifted (IfbamExchange *self)
{
  IfbamEventEngine *engine = self->engine;
  const gsize n = model_of (self)->n_nodes;

  ifbam_event_update_thresholds (engine);
  if (self->shifted)
    set_shifts (self, FALSE);
  if (engine->islands.constrained->len == 0)
    return FALSE;
  memcpy (self->x, engine->nodes.x, n * sizeof (double));
  memcpy (self->v, engine->nodes.v, n * sizeof (double));
  fix (self, self->x, self->v);
  for (gsize i = 0; i < model_of (self)->n_free; i++)
    {
      const IfbamMagnitudes *extent = ifbam_event_node_magnitudes (engine, i);

      if (fabs (self->x[i] - engine->nodes.x[i]) > DRIFT_TOLERANCE * extent->position
          || fabs (self->v[i] - engine->nodes.v[i]) > 100 * DRIFT_TOLERANCE * extent->rate)
        return TRUE;
    }
  return FALSE;
}

void
ifbam_exchange_get_signals (IfbamExchange *self, double *values)
{
  const IfbamView view = view_of (self);
  const IfbamSignals *signals = self->core->signals;
  IfbamSums sums = { 0 };

  g_assert (signals != NULL); /* lists of variables without signals have no outputs */
  if (signals->sums || self->accounts)
    ifbam_view_sums (&view, &sums);
  if (self->accounts)
    {
      sums.supplied = self->work + ifbam_engine_get (&self->engine->base, IFBAM_WORK_SUPPLIED, 0);
      sums.dissipated = sums.supplied - (sums.kinetic + sums.potential - self->stored);
    }
  for (guint i = 0; i < signals->signals->len; i++)
    {
      const IfbamSignal *signal = &g_array_index (signals->signals, IfbamSignal, i);

      if (signal->kind == IFBAM_SIGNAL_LINK_DISSIPATED)
        values[i] = NAN;
      else
        ifbam_signal_value (signal, &view, &sums, &values[i]);
    }
}

size_t
ifbam_exchange_n_events (const IfbamExchange *self)
{
  return self->engine->base.log->events->len;
}

IfbamCoreEvent
ifbam_exchange_event (const IfbamExchange *self, size_t i)
{
  return ifbam_core_event_of (&self->engine->base, i);
}
