/* engine.c: what the plan and the objects do alike
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "engine.h"

void
ifbam_engine_free (IfbamEngine *engine)
{
  if (engine != NULL)
    engine->free (engine);
}

void
ifbam_given_begin (const IfbamPlan *plan, gsize node, gboolean before, double *const *column)
{
  const IfbamScheme *scheme = plan->scheme;
  const double step = plan->step;
  const int back = before ? 1 : 0;
  IfbamMotion start = ifbam_plan_given (plan, node, 0.0);

  if (plan->cold)
    {
      scheme->begin_cold (before, 1, column, &start.position, &start.rate, &start.acceleration,
                          step);
      return;
    }
  if (scheme->latency)
    for (int c = 0; c < 2; c++)
      {
        int cycle = -back - c;

        column[2 * c][0] = ifbam_plan_given (plan, node, cycle * step).position;
        column[2 * c + 1][0] =
            ifbam_plan_given (plan, node, (cycle - scheme->velocity_lag) * step).rate;
      }
  else
    {
      IfbamMotion said = ifbam_plan_given (plan, node, scheme->stage_time[0] * step);

      column[0][0] = start.position;
      column[1][0] = start.rate;
      column[scheme->said_position][0] = said.position;
      column[scheme->said_rate][0] = said.rate;
    }
}

void
ifbam_given_update (const IfbamPlan *plan, gsize node, guint stage, guint64 step,
                    double *const *column)
{
  const IfbamScheme *scheme = plan->scheme;
  const gboolean last = stage + 1 == scheme->n_stages;
  const double next = last ? (double) (step + 1) + scheme->stage_time[0]
                           : (double) step + scheme->stage_time[stage + 1];
  IfbamMotion said = ifbam_plan_given (plan, node, next * plan->step);

  if (scheme->latency)
    {
      column[2][0] = said.position;
      column[3][0] = ifbam_plan_given (plan, node, (next - scheme->velocity_lag) * plan->step).rate;
      return;
    }
  if (last)
    {
      IfbamMotion end = ifbam_plan_given (plan, node, (double) (step + 1) * plan->step);

      column[0][0] = end.position;
      column[1][0] = end.rate;
    }
  column[scheme->said_position][0] = said.position;
  column[scheme->said_rate][0] = said.rate;
}
