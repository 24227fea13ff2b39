/* by-hand.c: a dialogue by hand beside the compiled engine, cycle by cycle, with all that the objects must not
 * know made NaN
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "by-hand.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "event/event.h"
#include "run/run.h"

static void
fill (double *column, gsize n)
{
  for (gsize i = 0; column != NULL && i < n; i++)
    column[i] = NAN;
}

/* The numbers of the compiled network, of which the objects know nothing. */
static void
poison_model (IfbamModel *model, double *nan)
{
  /* A junction is known by its inertia of 0. */
  for (gsize i = 0; i < model->n_free; i++)
    if (!ifbam_model_is_junction (model, i))
      {
        fill (model->inverse_inertia + i, 1);
        if (model->inertia != NULL)
          fill (model->inertia + i, 1);
      }
  model->same_inertia = NAN;
  for (guint j = 0; j < model->unbatched_links->len; j++)
    {
      IfbamLink *link = &g_array_index (model->unbatched_links, IfbamLink, j);

      if (link->info->link_law == NULL)
        link->numbers = nan;
    }
  for (guint b = 0; b < model->batches->len; b++)
    {
      IfbamBatch *batch = &g_array_index (model->batches, IfbamBatch, b);

      for (guint k = 0; k < batch->n_numbers; k++)
        batch->parameters[k] = nan;
    }
}

/* Stored nodes and forces of the event engine. */
static void
poison_columns (IfbamEventEngine *self)
{
  const IfbamModel *model = self->base.model;
  double *nodes[] = { self->nodes.x,     self->nodes.v,           self->nodes.x1,
                      self->nodes.v1,    self->nodes.xt,          self->nodes.vt,
                      self->nodes.x2,    self->nodes.v2,          self->nodes.inverse_mass,
                      self->nodes.force, self->nodes.acceleration };
  double *forces[] = { self->nodes.link_forces, self->history.flight, self->history.next_flight };

  for (guint i = 0; i < G_N_ELEMENTS (nodes); i++)
    fill (nodes[i], model->n_nodes);
  for (guint i = 0; i < G_N_ELEMENTS (forces); i++)
    fill (forces[i], model->n_slots + model->n_sources);
  for (guint c = 0; c < IFBAM_MAX_COLUMNS; c++)
    {
      fill (self->nodes.work[c], model->n_nodes);
      fill (self->history.column[c], model->n_nodes);
      fill (self->history.next[c], model->n_nodes);
    }
}

/* Where a step is too long both end at none. */
static gboolean
same_number (double a, double b)
{
  return a == b || (isnan (a) && isnan (b));
}

static void
assert_same_events (const GArray *by_hand, const GArray *compiled, const char *what)
{
  for (guint i = 0; i < MIN (by_hand->len, compiled->len); i++)
    {
      const IfbamEvent *a = &g_array_index (by_hand, IfbamEvent, i);
      const IfbamEvent *b = &g_array_index (compiled, IfbamEvent, i);

      if (a->time != b->time || strcmp (a->element, b->element) != 0
          || strcmp (a->word, b->word) != 0 || !same_number (a->impulse, b->impulse)
          || !same_number (a->rate_before, b->rate_before)
          || !same_number (a->rate_after, b->rate_after))
        fail_msg ("%s: event %u is %s of %s at %.17g s by hand, %s of %s at %.17g s compiled", what,
                  i, a->word, a->element, a->time, b->word, b->element, b->time);
    }
  if (by_hand->len != compiled->len)
    fail_msg ("%s: %u events by hand, %u compiled", what, by_hand->len, compiled->len);
}

/* A node's message at the start of a cycle is its position in the row. With events a flip-flop scheme's row has
 * positions that its columns lack: these are compared. */
static void
assert_same_node (const IfbamNetwork *network, const IfbamEngine *engine, gsize i, double position,
                  double rate, guint64 cycle, const char *what)
{
  const IfbamScheme *scheme = engine->spec->scheme;
  const IfbamAgent *node = network->home.dialogue->nodes->pdata[i];
  const gboolean columns = scheme->latency && network->home.dialogue->engine != NULL;
  const IfbamEventEngine *compiled = (const IfbamEventEngine *) engine;
  gboolean same = TRUE;

  for (guint c = 0; c < 4 && columns; c++)
    same &= same_number (*node->column[c], compiled->history.column[c][i]);
  if (!columns)
    same = same_number (*node->column[0], position)
           && (scheme->latency || same_number (*node->column[1], rate));
  if (!same)
    {
      g_autofree char *name = ifbam_model_node_name (engine->model, i);

      fail_msg ("%s: %s after %u cycles: %.17g, %.17g by hand, %.17g, %.17g compiled", what, name,
                (guint) cycle, *node->column[0], *node->column[1], position, rate);
    }
}

static void
take_events (const IfbamEventEngine *by_hand, GArray *events)
{
  if (by_hand != NULL)
    g_array_append_vals (events, by_hand->base.log->events->data, by_hand->base.log->events->len);
}

guint
compare_by_hand (IfbamNetwork *network, guint64 cycles, const char *what)
{
  g_autoptr (IfbamModel) model = NULL;
  g_autoptr (IfbamEngine) engine = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree double *position = NULL, *rate = NULL, *nan = NULL;
  g_autoptr (GArray) events = g_array_new (FALSE, FALSE, sizeof (IfbamEvent));
  IfbamEventEngine *by_hand;
  g_auto (IfbamRunSpec) spec = { 0 };
  guint turns, n_events;

  if (!ifbam_network_reset (network, &error))
    fail_msg ("%s: %s", what, error->message);
  model = ifbam_network_compile_or_error (network, FALSE, &spec, NULL, &error);
  assert_non_null (model);
  engine = ifbam_engine_by_events (model, &spec) ? ifbam_event_engine_new (model, &spec, FALSE)
                                                 : ifbam_compiled_engine_new (model, &spec, 1);
  if (ifbam_engine_by_events (model, &spec))
    ifbam_engine_record_events (engine);
  by_hand = network->home.dialogue->engine;
  assert_int_equal (by_hand != NULL, ifbam_engine_by_events (model, &spec));
  ifbam_engine_start (engine);
  take_events (by_hand, events);
  ifbam_engine_advance (engine, ifbam_engine_lookahead (&spec), NULL);
  position = g_new (double, model->n_nodes + 1);
  rate = g_new (double, model->n_nodes + 1);
  nan = g_new (double, model->n_slots + IFBAM_MAX_LAW);
  fill (nan, model->n_slots + IFBAM_MAX_LAW);
  poison_model (network->model, nan);
  turns = ifbam_dialogue_rounds_per_step (&spec);
  for (guint64 cycle = 0; cycle < cycles; cycle++)
    {
      ifbam_engine_get_nodes (engine, 0, model->n_nodes, position, rate);
      for (gsize i = 0; i < model->n_nodes; i++)
        assert_same_node (network, engine, i, position[i], rate[i], cycle, what);
      for (guint turn = 0; turn < turns; turn++)
        {
          if (by_hand != NULL)
            poison_columns (by_hand);
          ifbam_network_turn (network);
        }
      if (by_hand != NULL)
        poison_columns (by_hand);
      if (!ifbam_network_settle (network, &error))
        fail_msg ("%s: %s", what, error->message);
      take_events (by_hand, events);
      ifbam_engine_advance (engine, 1, NULL);
      assert_null (engine->log->failure);
    }
  if (engine->log->events != NULL)
    assert_same_events (events, engine->log->events, what);
  n_events = events->len;
  return n_events;
}
