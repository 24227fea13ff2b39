/* engine.c: what the model and the objects do alike
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "engine/engine.h"

void
ifbam_engine_free (IfbamEngine *engine)
{
  if (engine != NULL)
    engine->free (engine);
}

void
ifbam_given_begin (const IfbamModel *model, const IfbamRunSpec *spec, gsize node, gboolean before,
                   double *const *column)
{
  const IfbamScheme *scheme = spec->scheme;
  const double step = spec->step;
  const int back = before ? 1 : 0;
  IfbamMotion start = ifbam_model_given (model, node, 0.0);

  if (spec->cold)
    {
      scheme->begin_cold (before, 1, column, &start.position, &start.rate, &start.acceleration,
                          step);
      return;
    }
  if (scheme->latency)
    for (int c = 0; c < 2; c++)
      {
        int cycle = -back - c;

        column[2 * c][0] = ifbam_model_given (model, node, cycle * step).position;
        column[2 * c + 1][0] =
            ifbam_model_given (model, node, (cycle - scheme->velocity_lag) * step).rate;
      }
  else
    {
      IfbamMotion said = ifbam_model_given (model, node, scheme->stage_time[0] * step);

      column[0][0] = start.position;
      column[1][0] = start.rate;
      column[scheme->said_position][0] = said.position;
      column[scheme->said_rate][0] = said.rate;
    }
}

void
ifbam_given_update (const IfbamModel *model, const IfbamRunSpec *spec, gsize node, guint stage,
                    guint64 step, double *const *column)
{
  const IfbamScheme *scheme = spec->scheme;
  const gboolean last = stage + 1 == scheme->n_stages;
  IfbamMotion said = last ? ifbam_given_said (model, spec, node, 0, (gint64) step + 1)
                          : ifbam_given_said (model, spec, node, stage + 1, (gint64) step);

  if (scheme->latency)
    {
      column[2][0] = said.position;
      column[3][0] = said.rate;
      return;
    }
  if (last)
    {
      IfbamMotion end = ifbam_model_given (model, node, (double) (step + 1) * spec->step);

      column[0][0] = end.position;
      column[1][0] = end.rate;
    }
  column[scheme->said_position][0] = said.position;
  column[scheme->said_rate][0] = said.rate;
}

IfbamMotion
ifbam_given_said (const IfbamModel *model, const IfbamRunSpec *spec, gsize node, guint stage,
                  gint64 step)
{
  const IfbamScheme *scheme = spec->scheme;
  const double time = (double) step + scheme->stage_time[stage];
  IfbamMotion said;

  if (spec->cold && step <= 0)
    return ifbam_model_given (model, node, 0.0);
  said = ifbam_model_given (model, node, time * spec->step);
  if (scheme->velocity_lag > 0)
    said.rate = ifbam_model_given (model, node, (time - scheme->velocity_lag) * spec->step).rate;
  return said;
}

gboolean
ifbam_probes_row (const IfbamRunSpec *spec, const IfbamProbes *probes, guint64 steps, guint64 now,
                  gsize *row)
{
  const guint64 lookahead = ifbam_engine_lookahead (spec);
  guint64 before = 0;

  if (now < lookahead || (now - lookahead) % probes->stride != 0)
    return FALSE;
  /* Rows up to and including the one that the start of the advance tells are not part of it. */
  if (steps >= lookahead)
    before = (steps - lookahead) / probes->stride + 1;
  *row = (gsize) ((now - lookahead) / probes->stride - before);
  return TRUE;
}
