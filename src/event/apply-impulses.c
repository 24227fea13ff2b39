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
#include "event/constraint-reactions.h"

void
ifbam_event_apply_impulse_rows (IfbamEventEngine *self, const guint32 *links, guint n,
                                const double *p, double *before, double *after, double *lost)
{
  double delta;

  for (guint i = 0; i < n; i++)
    before[i] = ifbam_link_rate (self, links[i], &delta);
  for (guint i = 0; i < n; i++)
    {
      const IfbamLink *link = ifbam_link (self, links[i]);
      const double *row = self->links.state[links[i]].row;

      for (guint e = 0; e < link->n_ports; e++)
        if (self->nodes.inverse_mass[link->node[e]] > 0)
          {
            self->nodes.v[link->node[e]] -= row[e] * p[i] * self->nodes.inverse_mass[link->node[e]];
            IFBAM_EVALUATE (self, impulse_applied, link->node[e], -row[e] * p[i]);
          }
        else
          ifbam_feed_add (&self->account.external, row[e] * p[i] * self->nodes.v[link->node[e]]);
    }
  for (guint i = 0; i < n; i++)
    {
      after[i] = ifbam_link_rate (self, links[i], &delta);
      if (isnan (lost[i]))
        lost[i] = 0.5 * p[i] * (before[i] + after[i]);
      ifbam_tally_add (&self->links.state[links[i]].dissipated, lost[i]);
    }
}

/* Records an impulse event. Unless `always` is set, skips it if its rate before and its change of
 * rate are rounding. TRUE: it is recorded. lost: dissipated energy [J]. */
static gboolean
tell (IfbamEventEngine *self, double time, guint32 link, const char *word, double p, double before,
      double after, double lost, gboolean always)
{
  const double floor = ifbam_event_extent (self, link)->rate_threshold;

  if (!always && fabs (before) <= floor && fabs (p) * ifbam_link_inverse_mass (self, link) <= floor)
    return FALSE;
  ifbam_event_log_add (self, time, link, word, p, before, after, -lost);
  return TRUE;
}

/* Applies the friction impulses caused by contact impulses p (n): of least energy, at most mu p. */
static void
apply_friction_impulses (IfbamEventEngine *self, double time, const guint32 *links, guint n,
                         const double *p, gboolean slow)
{
  guint carried_by = 0, m = 0;

  for (guint i = 0; i < n; i++)
    IFBAM_FOR_IMPACT_FRICTIONS (carried, links[i])
  carried_by += p[i] > 0;
  if (carried_by == 0)
    return;
  IFBAM_SHORT_LIST (guint32, brakes, carried_by);
  IFBAM_SHORT_LIST (IfbamContactRow, rows, carried_by);
  IFBAM_SHORT_LIST (double, rate, carried_by);
  IFBAM_SHORT_LIST (double, given, carried_by);
  IFBAM_SHORT_LIST (double, after, carried_by);
  IFBAM_SHORT_LIST (double, lost, carried_by);
  double tolerance = INFINITY, delta;

  for (guint i = 0; i < n; i++)
    IFBAM_FOR_IMPACT_FRICTIONS (carried, links[i])
    {
      if (!(p[i] > 0))
        continue;
      brakes[m] = carried;
      lost[m] = NAN;
      rate[m] = ifbam_link_rate (self, carried, &delta);
      rows[m] = ifbam_contact_row_new (self, carried, rate[m]);
      rows[m].piece = IFBAM_CONTACT_CLOSED;
      rows[m].limit = p[i] * ifbam_link_constraint (self, carried).coulomb;
      tolerance = MIN (tolerance, rows[m].tolerance[0]);
      m++;
    }
  for (guint i = 0; i < m; i++)
    rows[i].tolerance[0] = tolerance;
  if (ifbam_event_solve_contact (self, time, rows, m, IFBAM_CONTACT_FROM_GUESS, NULL)
      != IFBAM_CONTACT_SOLVED)
    {
      ifbam_event_fail (self, time, brakes, m, "no impulses are found for what slides at ", "");
      return;
    }
  for (guint i = 0; i < m; i++)
    given[i] = rows[i].lambda[0];
  ifbam_event_apply_impulse_rows (self, brakes, m, given, rate, after, lost);
  for (guint i = 0; i < m; i++)
    if (given[i] != 0)
      tell (self, time, brakes[i], "rub", given[i], rate[i], after[i], lost[i], !slow);
}

static void
apply_and_record (IfbamEventEngine *self, double time, const guint32 *links, guint n, guint brakes,
                  guint ties, const double *p, double *lost, const char *word, gboolean slow)
{
  const guint all = n + brakes + ties;
  IFBAM_SHORT_LIST (double, before, all);
  IFBAM_SHORT_LIST (double, after, all);

  ifbam_event_apply_impulse_rows (self, links, all, p, before, after, lost);
  self->context->has_impulse |= n > 0;
  for (guint i = 0; i < n; i++)
    {
      IfbamEventLink *part = ifbam_event_context_find (self->context, links[i]);

      part->impulse += p[i];
      part->n_impacts++;
      if (!slow)
        ifbam_event_count_event (self, time, links[i]);
      if (tell (self, time, links[i], word, p[i], before[i], after[i], lost[i], !slow))
        part->log_entry = slow && self->base.events != NULL ? self->base.events->len : 0;
    }
  for (guint i = n; i < n + brakes; i++)
    if (p[i] != 0)
      tell (self, time, links[i], "rub", p[i], before[i], after[i], lost[i], !slow);
}

/* Adds the links at all nodes that got an impulse to the event. */
static void
consider_all (IfbamEventEngine *self, double time, const guint32 *links, guint n)
{
  for (guint i = 0; i < n; i++)
    for (guint e = 0; e < ifbam_link (self, links[i])->n_ports; e++)
      if (self->nodes.inverse_mass[ifbam_link (self, links[i])->node[e]] > 0)
        ifbam_event_add_node_links (self, ifbam_link (self, links[i])->node[e], time);
}

void
ifbam_event_apply_impulses (IfbamEventEngine *self, double time, const guint32 *links, guint n,
                            guint ties, const double *p, gboolean slow)
{
  IFBAM_SHORT_LIST (double, lost, n + ties);

  for (guint i = 0; i < n + ties; i++)
    lost[i] = NAN;
  apply_and_record (self, time, links, n, 0, ties, p, lost, "impact", slow);
  apply_friction_impulses (self, time, links, n, p, slow);
  consider_all (self, time, links, n + ties);
}

void
ifbam_event_apply_impulses_with_friction (IfbamEventEngine *self, double time, const guint32 *links,
                                          guint n, guint brakes, guint ties, const double *p,
                                          double *lost, const char *word, gboolean slow)
{
  apply_and_record (self, time, links, n, brakes, ties, p, lost, word, slow);
  consider_all (self, time, links, n + brakes + ties);
}
