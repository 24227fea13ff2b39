/* core-rows.c: samples, signals, events and states of a core's run
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>

#include "embed/core-event.h"
#include "embed/core-internal.h"
#include "engine/engine.h"

/* Largest number of nodes for which samples of many steps are computed in one call. */
#define MAX_BATCH_NODES 64

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
  return ifbam_model_n_named_free (core->model);
}

long
ifbam_core_find_node (const IfbamCore *core, const char *name)
{
  const IfbamModel *model = core->model;
  gsize number;

  if (ifbam_model_find (model, core->network->by_name, name, &number) != IFBAM_FOUND_NODE)
    return -1;
  return (long) (number >= model->n_free    ? number - model->n_state_nodes
                 : model->file_node != NULL ? model->file_node[number]
                                            : number);
}

static gboolean
integrates (const IfbamCore *core)
{
  return core->ledger != NULL && ifbam_energy_balance_integrates (core->ledger);
}

int
ifbam_core_advance (IfbamCore *core, uint64_t steps)
{
  const IfbamEventLog *log;

  ifbam_core_begin (core);
  if (!integrates (core))
    ifbam_engine_advance (core->engine, steps, NULL);
  else
    for (uint64_t i = 0; i < steps; i++)
      {
        IfbamView view;

        ifbam_engine_advance (core->engine, 1, NULL);
        view = ifbam_energy_balance_view (core->ledger, TRUE);
        ifbam_energy_balance_step (core->ledger, &view);
      }
  log = core->engine->log;
  if (log->failure == NULL)
    return 0;
  return ifbam_core_fail (core, "at t = %g s: %s", log->failure_time, log->failure);
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
      const gsize node = ifbam_model_named_node (model, i);

      if (positions != NULL)
        positions[i] = position[node];
      if (rates != NULL)
        rates[i] = rate[node];
    }
  return (double) (core->engine->steps - ifbam_engine_lookahead (&core->spec)) * core->spec.step;
}

/* Returns TRUE if one call can compute many samples: few nodes, and an engine that can't fail. */
static gboolean
can_batch_rows (const IfbamCore *core, uint64_t steps)
{
  const IfbamEngine *engine = core->engine;

  return steps > 0 && engine->records_probes
         && !ifbam_engine_by_events (engine->model, engine->spec) && !integrates (core)
         && engine->listener == NULL && core->model->n_nodes <= MAX_BATCH_NODES
         && engine->numbers->n_moving == 0
         && (engine->steps - ifbam_engine_lookahead (&core->spec)) % steps == 0;
}

static void
write_rows (IfbamCore *core, size_t n, uint64_t steps, double *rows)
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
      for (gsize i = 0; i < ifbam_model_n_named_free (model); i++)
        {
          const gsize place = row * all + ifbam_model_named_node (model, i);

          rows[1 + i] = position[place];
          rows[1 + told + i] = rate[place];
        }
    }
}

size_t
ifbam_core_rows (IfbamCore *core, size_t n, uint64_t steps, double *rows)
{
  const size_t n_nodes = ifbam_core_n_nodes (core);

  if (n > 1 && can_batch_rows (core, steps))
    {
      ifbam_core_begin (core);
      write_rows (core, n, steps, rows);
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
  view = ifbam_energy_balance_view (core->ledger, TRUE);
  if (core->signals->sums)
    sums = ifbam_energy_balance_sums (core->ledger, &view);
  ifbam_signals_row (core->signals, &view, &sums, values);
}

/* Returns an entry of a state's column, for example messages under way, or NULL. */
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

/* Returns the sum of a source's messages under way, over the nodes that it acts on. */
static double
source_in_flight (const IfbamModel *model, const GArray *columns, gsize first)
{
  double sum = *entry_of (columns, "source.flight", first);

  for (gsize s = first + 1;
       s < model->n_sources && model->sources->pdata[s] == model->sources->pdata[first]; s++)
    sum += *entry_of (columns, "source.flight", s);
  return sum;
}

/* Returns a signal as a message of the coming cycle, under a scheme with latency. */
static double
next_message (const IfbamCore *core, const GArray *columns, const IfbamSignal *signal)
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
      ifbam_given_message (core->engine->numbers, node, 0, (gint64) core->engine->steps, &given[0],
                        &given[1]);
      return given[signal->kind == IFBAM_SIGNAL_RATE ? 1 : 0];
    default:
      return NAN;
    }
}

/* Writes the signals of the engine's coming step. */
static void
write_next_messages (const IfbamCore *core, double *values)
{
  const GArray *signals = core->signals->signals;
  /* With events the engine is a cycle ahead from the start on, so that cycle 0 is not available. */
  const gboolean is_known =
      core->engine->steps > 0 || !ifbam_engine_by_events (core->model, &core->spec);
  GArray *columns = is_known ? ifbam_engine_list_state (core->engine, FALSE) : NULL;

  for (guint i = 0; i < signals->len; i++)
    values[i] = columns == NULL
                    ? NAN
                    : next_message (core, columns, &g_array_index (signals, IfbamSignal, i));
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
    ifbam_core_start (core);
  result = ifbam_core_advance (core, step - core->engine->steps);
  if (latency)
    write_next_messages (core, values);
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
    position[ifbam_model_named_node (model, i)] = positions[i];
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
  return ifbam_core_event_of (core->engine, i);
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

  ifbam_core_begin (core);
  state = ifbam_state_new_from_data (data, size, &error);
  if (state != NULL && ifbam_engine_set_state (core->engine, state, &error))
    return 0;
  return ifbam_core_fail (core, "%s", error->message);
}
