/* engine-class.c: samples, work and saved states of any engine
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "engine/engine-class.h"

void
ifbam_engine_free (IfbamEngine *engine)
{
  if (engine != NULL)
    engine->class->free (engine);
}

gboolean
ifbam_probes_row (const IfbamRunSpec *spec, const IfbamProbes *probes, guint64 steps, guint64 now,
                  gsize *row)
{
  const guint64 lookahead = ifbam_engine_lookahead (spec);
  guint64 before = 0;

  if (now < lookahead || (now - lookahead) % probes->stride != 0)
    return FALSE;
  /* The advance does not contain samples up to the one complete at its start. */
  if (steps >= lookahead)
    before = (steps - lookahead) / probes->stride + 1;
  *row = (gsize) ((now - lookahead) / probes->stride - before);
  return TRUE;
}

IfbamEventLog *
ifbam_event_log_new (void)
{
  IfbamEventLog *log = g_new0 (IfbamEventLog, 1);

  log->sample_time = NAN;
  return log;
}

void
ifbam_event_log_free (IfbamEventLog *log)
{
  if (log->events != NULL)
    g_array_unref (log->events);
  g_free (log->failure);
  g_free (log);
}

void
ifbam_engine_record_events (IfbamEngine *engine)
{
  if (engine->log->events == NULL)
    engine->log->events = g_array_new (FALSE, FALSE, sizeof (IfbamEvent));
}

void
ifbam_engine_add_stored (IfbamEngine *engine, IfbamExactSum *sum)
{
  for (guint j = 0; j < engine->model->unbatched_links->len; j++)
    ifbam_exact_sum_add (sum, ifbam_engine_get (engine, IFBAM_LINK_STORED, j));
}

IfbamWorkTotals
ifbam_engine_work (IfbamEngine *engine)
{
  return (IfbamWorkTotals){ .dissipated = ifbam_engine_get (engine, IFBAM_WORK_DISSIPATED, 0),
                            .supplied = ifbam_engine_get (engine, IFBAM_WORK_SUPPLIED, 0),
                            .gross_work = ifbam_engine_get (engine, IFBAM_WORK_GROSS, 0),
                            .link_supply = ifbam_engine_get (engine, IFBAM_WORK_LINK_SUPPLY, 0) };
}

/* State */

static const IfbamModel *
state_model (const IfbamEngine *engine)
{
  return engine->state_model != NULL ? engine->state_model : engine->model;
}

IfbamState *
ifbam_engine_get_state_with (IfbamEngine *engine, const GArray *more)
{
  g_autoptr (GArray) columns = ifbam_engine_list_state (engine, FALSE);
  g_autofree char *structure = NULL;

  if (columns == NULL)
    return NULL;
  if (more != NULL)
    g_array_append_vals (columns, more->data, more->len);
  structure = ifbam_model_structure (state_model (engine), engine->spec->scheme->latency);
  return ifbam_state_new (state_model (engine), engine->spec, engine->steps, structure, columns);
}

gboolean
ifbam_engine_set_state_with (IfbamEngine *engine, const IfbamState *state, const GArray *more,
                             GError **error)
{
  g_autoptr (GArray) columns = ifbam_engine_list_state (engine, TRUE);

  if (more != NULL)
    g_array_append_vals (columns, more->data, more->len);
  if (!ifbam_state_restore (state, state_model (engine), engine->spec, columns, error))
    return FALSE;
  ifbam_engine_rebuild (engine, ifbam_state_steps (state));
  return TRUE;
}

IfbamState *
ifbam_engine_get_state (IfbamEngine *engine)
{
  return ifbam_engine_get_state_with (engine, NULL);
}

gboolean
ifbam_engine_set_state (IfbamEngine *engine, const IfbamState *state, GError **error)
{
  return ifbam_engine_set_state_with (engine, state, NULL, error);
}

IfbamState *
ifbam_engine_save_state (IfbamEngine *engine, IfbamState *kept)
{
  g_autoptr (GArray) columns = ifbam_engine_list_state (engine, FALSE);

  if (kept == NULL)
    return ifbam_state_new (engine->model, engine->spec, engine->steps, NULL, columns);
  ifbam_state_update (kept, engine->steps, columns);
  return kept;
}

void
ifbam_engine_restore_state (IfbamEngine *engine, const IfbamState *kept, guint64 steps)
{
  g_autoptr (GArray) columns = ifbam_engine_list_state (engine, TRUE);

  ifbam_state_put (kept, columns);
  ifbam_engine_rebuild (engine, steps);
}
