/* event-engine.c: engine for networks with events: its parts, start, state and quantities
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/event-engine.h"

#include <string.h>

#include "event/adaptive-steps.h"
#include "event/advance-islands.h"
#include "event/constraint-projection.h"
#include "event/constraint-reactions.h"
#include "event/controllers.h"
#include "event/event-context.h"
#include "event/event-loop.h"
#include "event/event-snapshot.h"
#include "event/forces.h"
#include "event/guards.h"
#include "event/implicit-step.h"
#include "event/manual-step.h"
#include "event/process-event.h"
#include "event/slip-direction.h"
#include "event/time-events.h"
#include "event/candidate-queue.h"
#include "event/clusters.h"
#include "event/event-links.h"
#include "event/event-log.h"
#include "event/flip-flop-steps.h"
#include "event/islands.h"
#include "event/monitors.h"
#include "event/step-work.h"

void
ifbam_event_end_manual_step (IfbamEventEngine *self)
{
  ifbam_event_read_manual_step (self);
  ifbam_event_do_step (self);
  self->base.steps++;
  ifbam_event_log_sort (self);
  ifbam_event_begin_manual_step (self);
}

void
ifbam_event_add_edge (IfbamEventEngine *self, IfbamTimeEventKind kind, guint32 number)
{
  const IfbamTimeEvent time_event = { .time = ifbam_event_time (self),
                                      .kind = kind,
                                      .index = number };

  ifbam_schedule_add (&self->schedule, &time_event);
  self->at_rest = FALSE;
}

void
ifbam_event_set_time (IfbamEventEngine *self, double time)
{
  const double step = self->base.spec->step;
  const guint64 row = (guint64) fmax (0, floor (time / step));

  if (row != self->step)
    ifbam_event_reset_counters (self);
  self->step = row;
  self->base.log->sample_time = time;
  for (guint i = 0; i < self->islands.list->len; i++)
    ifbam_island (self, i)->time = ifbam_island (self, i)->until = time - ifbam_event_time (self);
  ifbam_event_set_given (self, IFBAM_NONE, time, self->nodes.x, self->nodes.v);
}

gboolean
ifbam_event_process_at (IfbamEventEngine *self, double time, const IfbamCandidate *fired, guint n)
{
  const double near = IFBAM_AT_STEP * self->base.spec->step + 4 * DBL_EPSILON * time;
  const double after = time - ifbam_event_time (self);
  gboolean happened = n > 0;

  ifbam_event_update_thresholds (self);
  ifbam_event_end_friction_starts (self);
  while (ifbam_schedule_next_time (&self->schedule) <= time + near)
    {
      ifbam_event_process_time_events (self, after, ifbam_schedule_take_next (&self->schedule));
      ifbam_array_clear (self->islands.affected);
      ifbam_event_set_time (self, time);
      happened = TRUE;
    }
  for (guint i = 0; i < n; i++)
    ifbam_event_switch_monitor (self, after, &fired[i]);
  if (n > 0)
    ifbam_event_process_chain (self, after, fired, n);
  ifbam_event_context_clear (self->context);
  ifbam_array_clear (self->islands.affected);
  ifbam_event_log_sort (self);
  ifbam_event_set_time (self, time);
  return happened;
}

static gboolean
advance (IfbamEngine *base, guint64 steps, const IfbamProbes *probes)
{
  IfbamEventEngine *self = (IfbamEventEngine *) base;

  (void) probes;
  for (const guint64 end = base->steps + steps; base->steps < end; base->steps++)
    /* Under a flip-flop scheme the first cycle only yields the initial sample. */
    if (base->steps >= ifbam_engine_lookahead (base->spec) && self->base.log->failure == NULL)
      {
        ifbam_event_do_step (self);
        if (!self->unsorted.is_deferred)
          ifbam_event_log_sort (self);
      }
  self->base.count = ifbam_adaptive_get_count (self);
  return self->base.log->failure == NULL;
}

static void
get_nodes (IfbamEngine *base, gsize first, gsize last, double *position, double *rate)
{
  const IfbamEventEngine *self = (IfbamEventEngine *) base;

  memcpy (position, self->nodes.x + first, (last - first) * sizeof (double));
  memcpy (rate, self->nodes.v + first, (last - first) * sizeof (double));
}

/* Computes the forces of sources that do not depend on time, NaN for the others. */
static void
evaluate_constant_sources (IfbamEventEngine *self)
{
  const IfbamModel *model = self->base.model;

  for (gsize i = 0; i < model->n_sources; i++)
    self->schedule.constant[i] =
        ifbam_model_source_of (model, i)->info->fixed ? ifbam_model_source (model, i, 0) : NAN;
  for (gsize i = 0; i < model->n_sources; i++)
    self->nodes.link_forces[model->n_slots + i] = self->schedule.constant[i];
}

/* Appends links beyond a guard of a law or friction. Steps report contacts that overlap. */
static void
list_crossed_guards (IfbamEventEngine *self, GArray *fired)
{
  for (guint32 j = 0; j < self->base.model->unbatched_links->len; j++)
    {
      const IfbamConstraintKind kind = ifbam_link_constraint (self, j).kind;
      IfbamGuard guards[IFBAM_MAX_GUARDS];
      guint n;

      if ((kind != IFBAM_CONSTRAINT_NONE && kind != IFBAM_CONSTRAINT_FRICTION)
          || ifbam_link (self, j)->info->signal_slot != 0)
        continue;
      n = ifbam_event_guards (self, j, guards);
      for (guint g = 0; g < n; g++)
        if ((kind == IFBAM_CONSTRAINT_NONE || guards[g].kind != IFBAM_GUARD_RATE)
            && ifbam_event_guard_value (self, j, &guards[g], self->nodes.x, self->nodes.v, 0)
                   < -ifbam_event_guard_threshold (self, j, &guards[g]))
          {
            const IfbamCandidate candidate = { .link = j, .guard = guards[g] };

            g_array_append_val (fired, candidate);
            break;
          }
    }
}

/* Fires guards that new parameters have left crossed: location in a step would not find them. */
static void
fire_crossed_guards (IfbamEventEngine *self)
{
  const guint most = self->limits.jumps * (1 + self->base.model->unbatched_links->len);
  g_autoptr (GArray) fired = g_array_new (FALSE, FALSE, sizeof (IfbamCandidate));
  guint turn;

  ifbam_event_update_thresholds (self);
  list_crossed_guards (self, fired);
  for (turn = 0; fired->len > 0 && turn <= most && ifbam_event_may_continue (self, 0, 1); turn++)
    {
      ifbam_event_process_at (self, ifbam_event_time (self),
                              (const IfbamCandidate *) (gpointer) fired->data, fired->len);
      ifbam_array_clear (fired);
      list_crossed_guards (self, fired);
    }
  if (turn == 0)
    return;
  ifbam_event_discard_accelerations (self, IFBAM_NONE);
  ifbam_event_begin_manual_step (self);
}

void
ifbam_event_update_parameters (IfbamEventEngine *self)
{
  evaluate_constant_sources (self);
  if (self->base.steps == 0)
    ifbam_controllers_start (self);
  self->at_rest = FALSE;
  ifbam_implicit_discard (self->implicit);
  for (guint i = 0; i < self->islands.constrained->len; i++)
    ifbam_event_merge_nodes (self, ifbam_constrained_island (self, i));
  if (!self->latency && self->base.log->failure == NULL)
    fire_crossed_guards (self);
}

static void
start (IfbamEngine *base)
{
  IfbamEventEngine *self = (IfbamEventEngine *) base;
  const IfbamModel *model = base->model;
  const IfbamRunSpec *spec = base->spec;
  g_autoptr (GArray) fired = g_array_new (FALSE, FALSE, sizeof (IfbamCandidate));

  base->steps = 0;
  self->step = 0;
  ifbam_schedule_restart (&self->schedule);
  ifbam_account_restart (self);
  ifbam_event_log_restart (self);
  ifbam_magnitudes_restart (self, FALSE);
  ifbam_islands_restart (self);
  self->at_rest = FALSE;
  ifbam_start_range (model, spec, 0, model->n_nodes, self->nodes.x, self->nodes.v);
  for (guint32 i = 0; i < model->n_nodes; i++)
    ifbam_event_set_evaluator_node (self, i, self->nodes.x, self->nodes.v);
  ifbam_event_set_fixed_nodes (self);
  ifbam_event_discard_accelerations (self, IFBAM_NONE);
  evaluate_constant_sources (self);
  for (guint j = 0; j < model->unbatched_links->len; j++)
    {
      const IfbamLink *link = ifbam_link (self, j);
      IfbamLinkState *state = &self->links.state[j];
      IfbamMagnitudes *scale = ifbam_event_magnitudes (self, j);
      double delta, row[IFBAM_MAX_PORTS], rate, room[IFBAM_MAX_LAW];

      memset (state, 0, sizeof *state);
      if (link->leads)
        ifbam_event_set_slip_direction (self, j, NULL);
      rate = ifbam_link_measure (link, self->nodes.x, self->nodes.v, &delta, row);
      state->mode = link->law->mode (ifbam_link_parameters_now (self, j, room), delta, rate);
      ifbam_magnitudes_include (self, scale, fabs (delta), 0);
      if (link->geometry->size != NULL)
        ifbam_magnitudes_include (self, scale, link->geometry->size (link->shape), 0);
      if (link->law->constraint (link->numbers, state->mode).kind == IFBAM_CONSTRAINT_CONTACT)
        ifbam_magnitudes_include (self, scale,
                                  fabs (link->law->constraint (link->numbers, state->mode).gap), 0);
    }
  ifbam_controllers_start (self);
  ifbam_event_set_switched (self, TRUE);
  ifbam_event_update_thresholds (self);
  for (guint i = 0; i < self->islands.list->len; i++)
    {
      ifbam_island (self, i)->time = 0;
      ifbam_island (self, i)->until = 0;
      ifbam_event_advance_island (self, i, 0);
    }
  for (guint j = 0; j < model->unbatched_links->len; j++)
    {
      IfbamCandidate candidate = { .link = j, .guard = { .kind = IFBAM_GUARD_FORCE } };

      if (ifbam_link_constraint (self, j).kind != IFBAM_CONSTRAINT_NONE)
        g_array_append_val (fired, candidate);
    }
  /* Modes that are found at the start are not events. */
  self->starting = TRUE;
  ifbam_event_process_start (self, (const IfbamCandidate *) (gpointer) fired->data, fired->len);
  ifbam_event_context_clear (self->context);
  self->starting = FALSE;
  /* A mode change in the first step is an event of its own: the counters start again. */
  ifbam_event_reset_counters (self);
  ifbam_array_clear (self->islands.affected);
  ifbam_monitors_begin (self);
  while (ifbam_schedule_next_time (&self->schedule) <= 0)
    {
      ifbam_event_process_time_events (self, 0, ifbam_schedule_take_next (&self->schedule));
      ifbam_array_clear (self->islands.affected);
    }
  ifbam_event_update_slip_directions (self, IFBAM_NONE);
  ifbam_event_start_between_given (self);
  if (self->adaptive != NULL)
    ifbam_adaptive_start (self);
  if (self->latency)
    {
      ifbam_event_begin_history (self);
      if (!self->is_manual)
        ifbam_event_compute_next_cycle (self);
      if (self->account.is_kept)
        ifbam_event_cycle_work (self, TRUE);
    }
  ifbam_event_log_sort (self);
}

static void
rebuild (IfbamEngine *base, guint64 steps)
{
  IfbamEventEngine *self = (IfbamEventEngine *) base;

  base->steps = steps;
  self->step = steps - MIN (steps, ifbam_engine_lookahead (base->spec));
  ifbam_event_log_begin (self, ifbam_event_time (self));
  ifbam_event_log_rebuild (self);
  self->at_rest = FALSE;
  ifbam_array_clear (self->candidates.penetrating);
  for (guint j = 0; j < base->model->unbatched_links->len; j++)
    self->links.state[j].pending = 0;
  ifbam_magnitudes_restart (self, TRUE);
  ifbam_event_reset_counters (self);
  ifbam_schedule_skip_to (&self->schedule, self->step);
  ifbam_event_set_switched (self, FALSE);
  ifbam_event_start_between_given (self);
  ifbam_controllers_rebuild (self);
  ifbam_event_rebuild (self);
  if (self->adaptive != NULL)
    ifbam_adaptive_rebuild (self);
  base->count = ifbam_adaptive_get_count (self);
}

static void
engine_free (IfbamEngine *base)
{
  IfbamEventEngine *self = (IfbamEventEngine *) base;

  if (self->free_evaluator_data != NULL)
    self->free_evaluator_data (self->evaluator_data);
  ifbam_implicit_free (self->implicit);
  ifbam_adaptive_free (self->adaptive);
  ifbam_event_context_free (self->context);
  ifbam_account_clear (&self->account);
  ifbam_clusters_clear (&self->clusters);
  ifbam_islands_clear (self);
  ifbam_monitors_clear (&self->monitors);
  ifbam_candidates_clear (&self->candidates);
  ifbam_schedule_clear (&self->schedule);
  ifbam_step_history_clear (&self->history);
  ifbam_event_links_clear (&self->links);
  ifbam_trajectory_clear (&self->nodes);
  ifbam_event_log_clear (self);
  ifbam_parameter_values_free (self->base.numbers);
  g_free (self);
}

static double
row_time (const IfbamEventEngine *self)
{
  return isnan (self->base.log->sample_time) ? ifbam_event_time (self)
                                             : self->base.log->sample_time;
}

/* Returns the force or reaction of an unbatched link at the present sample. */
static double
link_force (IfbamEventEngine *self, guint32 number)
{
  const IfbamLink *link = ifbam_link (self, number);
  const IfbamLinkState *state = &self->links.state[number];
  const double slip = ifbam_link_slip (self, number);
  double delta, row[IFBAM_MAX_PORTS], room[IFBAM_MAX_LAW], force = 0;
  const double rate = ifbam_link_measure (link, self->nodes.x, self->nodes.v, &delta, row);
  const void *parameters = ifbam_link_parameters_now (self, number, room);

  if (link->law->force != NULL)
    force = link->law->force (parameters, state->mode, delta, rate);
  if (ifbam_link_is_active (self, number) || slip != 0)
    {
      guint32 islands[IFBAM_MAX_PORTS];

      ifbam_event_link_islands (self, number, islands);
      ifbam_event_accelerations (self, islands[0], self->nodes.x, self->nodes.v, row_time (self),
                                 TRUE);
      return slip == 0 || link->law->force == NULL ? state->reaction : state->reaction + force;
    }
  return force;
}

/* Returns the energy of an unbatched link [J]; 0: another engine advances it. */
static double
link_stored (const IfbamEventEngine *self, guint32 number)
{
  const guint32 component = ifbam_event_link_component (self, number);

  return component != IFBAM_NONE && ifbam_component (self, component)->is_inactive
             ? 0
             : ifbam_event_link_stored (self, number);
}

/* Returns a quantity of an unbatched link other than its force and its energy. */
static double
get_of_link (IfbamEventEngine *self, IfbamQuantity quantity, guint32 number)
{
  const IfbamLink *link = ifbam_link (self, number);
  const IfbamLinkState *state = &self->links.state[number];
  double delta, row[IFBAM_MAX_PORTS], across;
  const double rate = ifbam_link_measure (link, self->nodes.x, self->nodes.v, &delta, row);

  switch ((guint) quantity)
    {
    case IFBAM_LINK_COMPRESSION:
      return delta;
    case IFBAM_LINK_RATE:
      if (!link->leads)
        return rate;
      across = ifbam_link_measure (link + 1, self->nodes.x, self->nodes.v, &delta, row);
      return sqrt (rate * rate + across * across);
    case IFBAM_LINK_MODE:
      return state->mode;
    case IFBAM_LINK_OUTPUT:
      return state->memory[0];
    case IFBAM_LINK_DISSIPATED:
    default:
      return ifbam_compensated_sum_value (&state->dissipated);
    }
}

static double
get (IfbamEngine *base, IfbamQuantity quantity, gsize index)
{
  IfbamEventEngine *self = (IfbamEventEngine *) base;
  const IfbamEnergyAccount *account = &self->account;

  switch ((guint) quantity)
    {
    case IFBAM_LINK_FORCE:
      return link_force (self, (guint32) index);
    case IFBAM_LINK_STORED:
      return link_stored (self, (guint32) index);
    case IFBAM_SLOT_DISSIPATED:
      return account->dissipated == NULL
                 ? 0
                 : ifbam_compensated_sum_value (&account->dissipated[index]);
    case IFBAM_NODE_ACCELERATION:
      ifbam_event_accelerations (self, ifbam_island_of (self, (guint32) index), self->nodes.x,
                                 self->nodes.v, row_time (self), TRUE);
      return self->nodes.acceleration[index];
    case IFBAM_SOURCE_STRENGTH:
      return self->schedule.is_on[index] ? self->schedule.strength[index] : 0;
    case IFBAM_WORK_DISSIPATED:
      return ifbam_account_dissipated (self);
    case IFBAM_WORK_SUPPLIED:
      return ifbam_compensated_sum_value (&account->external.supplied);
    case IFBAM_WORK_GROSS:
      return ifbam_compensated_sum_value (&account->external.gross_work);
    case IFBAM_WORK_LINK_SUPPLY:
      return ifbam_compensated_sum_value (&account->link_supply);
    default:
      return get_of_link (self, quantity, (guint32) index);
    }
}

/* Creates the scales of given nodes that controllers change. */
static void
init_motion_scales (IfbamParameterValues *numbers, const IfbamModel *model)
{
  const gsize n_given = model->n_nodes - model->n_free;

  if (!ifbam_model_is_scaled (model))
    return;
  numbers->motion_scale = g_new0 (struct _IfbamMotionScale, n_given);
  for (gsize i = 0; i < n_given; i++)
    numbers->motion_scale[i].strength = 1;
}

static const IfbamEngineClass event_class = { .start = start,
                                              .advance = advance,
                                              .get_nodes = get_nodes,
                                              .get = get,
                                              .list_state = ifbam_event_list_state,
                                              .rebuild = IFBAM_PRINTED (rebuild),
                                              .free = engine_free };

IfbamEngine *
ifbam_event_engine_new (const IfbamModel *model, const IfbamRunSpec *spec, gboolean unlocated)
{
  IfbamEventEngine *self = g_new0 (IfbamEventEngine, 1);
  const IfbamComponent *whole;

  self->base = (IfbamEngine){ .class = &event_class,
                              .model = model,
                              .spec = spec,
                              .numbers = ifbam_parameter_values_new (model, spec, 1),
                              .books = IFBAM_BOOKS_ALL };
  self->evaluator = &ifbam_column_evaluator;
  self->scheme = spec->scheme;
  self->restart_scheme = ifbam_scheme_restart (spec->scheme);
  self->latency = spec->scheme->latency;
  self->unlocated = unlocated;
  self->limits = (IfbamEventLimits){ .impulses = 1000000,
                                     .pivots = 5000,
                                     .rounds = 1000,
                                     .jumps = 4,
                                     .monitor_rounds = 64,
                                     .corrections = 2,
                                     .events = 100000,
                                     .iterations = 30,
                                     .pieces = 1000,
                                     .halvings = 20 };
  init_motion_scales (self->base.numbers, model);
  ifbam_event_log_init (self);
  ifbam_trajectory_init (&self->nodes, model);
  if (self->latency)
    ifbam_step_history_init (&self->history, model);
  ifbam_event_links_init (&self->links, model);
  ifbam_schedule_init (&self->schedule, model, spec->step);
  ifbam_candidates_init (&self->candidates);
  ifbam_monitors_init (self);
  ifbam_islands_init (self);
  ifbam_clusters_init (self);
  ifbam_account_init (self);
  self->context = ifbam_event_context_new (model->unbatched_links->len, model->n_nodes);
  ifbam_event_set_system_interrupt (self, &self->context->system);
  if (ifbam_scheme_tableau (self->restart_scheme) != NULL)
    self->implicit = ifbam_implicit_new (model->n_nodes);
  if (spec->tolerance > 0 && !unlocated)
    self->adaptive = ifbam_adaptive_new (self);
  whole = ifbam_component (self, self->components.list->len - 1);
  self->autonomous = whole->n_moving == 0 && whole->n_varying == 0;
  return &self->base;
}
