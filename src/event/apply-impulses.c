/* apply-impulses.c: applies contact impulses and computes the friction impulses that they cause
 *
 * For given normal impulses p the friction impulses q minimise the kinetic energy after the impact,
 * subject to |q| <= mu p (Coulomb's law for impulses, Routh 1860). The energy never grows.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/apply-impulses.h"

#include "event/contact-rows.h"
#include "event/event-context.h"
#include "event/advance-islands.h"
#include "event/event-links.h"
#include "event/event-log.h"

void
ifbam_event_apply_impulse_rows (IfbamEventEngine *self, IfbamLinkImpulse *impulses, guint n)
{
  double delta;

  for (guint i = 0; i < n; i++)
    impulses[i].before = ifbam_link_rate (self, impulses[i].link, &delta);
  for (guint i = 0; i < n; i++)
    {
      const IfbamLink *link = ifbam_link (self, impulses[i].link);
      const double *row = self->links.state[impulses[i].link].row, p = impulses[i].p;

      for (guint e = 0; e < link->n_ports; e++)
        if (self->nodes.inverse_mass[link->node[e]] > 0)
          {
            self->nodes.v[link->node[e]] -= row[e] * p * self->nodes.inverse_mass[link->node[e]];
            IFBAM_EVALUATE (self, impulse_applied, link->node[e], -row[e] * p);
          }
        else
          ifbam_external_work_add (&self->account.external,
                                   row[e] * p * self->nodes.v[link->node[e]]);
    }
  for (IfbamLinkImpulse *impulse = impulses; impulse < impulses + n; impulse++)
    {
      impulse->after = ifbam_link_rate (self, impulse->link, &delta);
      if (isnan (impulse->lost))
        impulse->lost = 0.5 * impulse->p * (impulse->before + impulse->after);
      ifbam_compensated_sum_add (&self->links.state[impulse->link].dissipated, impulse->lost);
    }
}

/* Logs an impulse. Unless `always` is set, skips it if its rate before and its change of rate are
 * rounding. TRUE: it is logged. */
static gboolean
log_impulse (IfbamEventEngine *self, double time, const IfbamLinkImpulse *impulse, const char *word,
             gboolean always)
{
  const double threshold = ifbam_event_magnitudes (self, impulse->link)->rate_threshold;

  if (!always && fabs (impulse->before) <= threshold
      && fabs (impulse->p) * ifbam_link_inverse_mass (self, impulse->link) <= threshold)
    return FALSE;
  ifbam_event_log_add (self, time, impulse, word);
  return TRUE;
}

/* Applies the friction impulses caused by n contact impulses p: of least energy, at most mu p. */
static void
apply_friction_impulses (IfbamEventEngine *self, double time, const IfbamLinkImpulse *impulses,
                         guint n, gboolean slow)
{
  guint carried_by = 0, m = 0;

  for (guint i = 0; i < n; i++)
    IFBAM_FOR_IMPACT_FRICTIONS (carried, impulses[i].link)
  carried_by += impulses[i].p > 0;
  if (carried_by == 0)
    return;
  IFBAM_SHORT_LIST (guint32, brakes, carried_by);
  IFBAM_SHORT_LIST (IfbamContactRow, rows, carried_by);
  IFBAM_SHORT_LIST (IfbamLinkImpulse, own, carried_by);
  double tolerance = INFINITY, delta;

  for (guint i = 0; i < n; i++)
    IFBAM_FOR_IMPACT_FRICTIONS (carried, impulses[i].link)
    {
      if (!(impulses[i].p > 0))
        continue;
      brakes[m] = carried;
      rows[m] = ifbam_contact_row_new (self, carried, ifbam_link_rate (self, carried, &delta));
      rows[m].piece = IFBAM_CONTACT_CLOSED;
      rows[m].limit = impulses[i].p * ifbam_link_constraint (self, carried).coulomb;
      /* No impulse changes the slip between given motions. */
      rows[m].is_given = ifbam_link_is_driven (self, carried);
      if (rows[m].is_given)
        rows[m].piece = rows[m].rhs[0] > rows[m].tolerance[0]    ? IFBAM_CONTACT_FORWARD
                        : rows[m].rhs[0] < -rows[m].tolerance[0] ? IFBAM_CONTACT_BACKWARD
                                                                 : IFBAM_CONTACT_OPEN;
      tolerance = MIN (tolerance, rows[m].tolerance[0]);
      m++;
    }
  for (guint i = 0; i < m; i++)
    rows[i].tolerance[0] = tolerance;
  if (ifbam_event_solve_contact (self, time, rows, m, IFBAM_CONTACT_FROM_GUESS, NULL)
      != IFBAM_CONTACT_SOLVED)
    {
      ifbam_event_fail (self, time, brakes, m, "no impulses are found for the sliding contacts at ",
                        "");
      return;
    }
  for (guint i = 0; i < m; i++)
    own[i] = ifbam_link_impulse (brakes[i], rows[i].lambda[0]);
  ifbam_event_apply_impulse_rows (self, own, m);
  for (guint i = 0; i < m; i++)
    if (own[i].p != 0)
      log_impulse (self, time, &own[i], "rub", !slow);
}

static void
apply_and_log (IfbamEventEngine *self, double time, IfbamLinkImpulse *impulses, guint n,
               guint brakes, guint ties, const char *word, gboolean slow)
{
  ifbam_event_apply_impulse_rows (self, impulses, n + brakes + ties);
  self->context->has_impulse |= n > 0;
  for (guint i = 0; i < n; i++)
    {
      IfbamEventLink *part = ifbam_event_context_find (self->context, impulses[i].link);

      part->impulse += impulses[i].p;
      part->n_impacts++;
      if (!slow)
        ifbam_event_count_event (self, time, impulses[i].link);
      if (log_impulse (self, time, &impulses[i], word, !slow))
        part->log_entry = slow && self->base.log->events != NULL ? self->base.log->events->len : 0;
    }
  for (guint i = n; i < n + brakes; i++)
    if (impulses[i].p != 0)
      log_impulse (self, time, &impulses[i], "rub", !slow);
}

void
ifbam_event_add_touched (IfbamEventEngine *self, double time, const IfbamLinkImpulse *impulses,
                         guint n)
{
  for (guint i = 0; i < n; i++)
    for (guint e = 0; e < ifbam_link (self, impulses[i].link)->n_ports; e++)
      if (self->nodes.inverse_mass[ifbam_link (self, impulses[i].link)->node[e]] > 0)
        ifbam_event_add_node_links (self, ifbam_link (self, impulses[i].link)->node[e], time);
}

void
ifbam_event_apply_impulses (IfbamEventEngine *self, double time, IfbamLinkImpulse *impulses,
                            guint n, guint ties, gboolean slow)
{
  apply_and_log (self, time, impulses, n, 0, ties, "impact", slow);
  apply_friction_impulses (self, time, impulses, n, slow);
  ifbam_event_add_touched (self, time, impulses, n + ties);
}

void
ifbam_event_apply_impulses_with_friction (IfbamEventEngine *self, double time,
                                          IfbamLinkImpulse *impulses, guint n, guint brakes,
                                          guint ties, const char *word, gboolean slow)
{
  apply_and_log (self, time, impulses, n, brakes, ties, word, slow);
  ifbam_event_add_touched (self, time, impulses, n + brakes + ties);
}
