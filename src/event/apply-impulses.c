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
#include "event/event-log.h"

void
ifbam_event_push (IfbamEventEngine *self, const guint32 *links, guint n, const double *p,
                  double *before, double *after, double *lost)
{
  double delta;

  for (guint i = 0; i < n; i++)
    before[i] = ifbam_link_rate (self, links[i], &delta);
  for (guint i = 0; i < n; i++)
    {
      const IfbamLink *link = ifbam_link (self, links[i]);
      const double *row = self->link[links[i]].row;

      for (guint e = 0; e < link->n_ports; e++)
        if (self->mobility[link->node[e]] > 0)
          {
            self->v[link->node[e]] -= row[e] * p[i] * self->mobility[link->node[e]];
            IFBAM_TELL (self, push, link->node[e], -row[e] * p[i]);
          }
        else
          ifbam_feed_add (&self->fed, row[e] * p[i] * self->v[link->node[e]]);
    }
  for (guint i = 0; i < n; i++)
    {
      after[i] = ifbam_link_rate (self, links[i], &delta);
      if (isnan (lost[i]))
        lost[i] = 0.5 * p[i] * (before[i] + after[i]);
      ifbam_tally_add (&self->link[links[i]].dissipated, lost[i]);
    }
}

/* Records an impulse event. Unless `always` is set, skips it if its rate before and its change of
 * rate are rounding. TRUE: it is recorded. lost: dissipated energy [J]. */
static gboolean
tell (IfbamEventEngine *self, double time, guint32 link, const char *word, double p, double before,
      double after, double lost, gboolean always)
{
  const double floor = ifbam_event_extent (self, link)->rate_floor;

  if (!always && fabs (before) <= floor && fabs (p) * ifbam_link_weight (self, link) <= floor)
    return FALSE;
  ifbam_event_note (self, time, link, word, p, before, after, -lost);
  return TRUE;
}

/* Applies the friction impulses caused by contact impulses p (n): of least energy, at most mu p. */
static void
apply_friction_impulses (IfbamEventEngine *self, double time, const guint32 *links, guint n,
                         const double *p, gboolean slow)
{
  guint carried_by = 0, m = 0;

  for (guint i = 0; i < n; i++)
    IFBAM_FOR_BRAKES (carried, links[i])
  carried_by += p[i] > 0;
  if (carried_by == 0)
    return;
  IFBAM_LIST (guint32, brakes, carried_by);
  IFBAM_LIST (IfbamContactRow, rows, carried_by);
  IFBAM_LIST (double, rate, carried_by);
  IFBAM_LIST (double, given, carried_by);
  IFBAM_LIST (double, after, carried_by);
  IFBAM_LIST (double, lost, carried_by);
  double tolerance = INFINITY, delta;

  for (guint i = 0; i < n; i++)
    IFBAM_FOR_BRAKES (carried, links[i])
    {
      if (!(p[i] > 0))
        continue;
      brakes[m] = carried;
      lost[m] = NAN;
      rate[m] = ifbam_link_rate (self, carried, &delta);
      rows[m] = ifbam_contact_row_new (self, carried, rate[m]);
      rows[m].piece = IFBAM_CONTACT_CLOSED;
      rows[m].limit = p[i] * ifbam_link_relation (self, carried).coulomb;
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
  ifbam_event_push (self, brakes, m, given, rate, after, lost);
  for (guint i = 0; i < m; i++)
    if (given[i] != 0)
      tell (self, time, brakes[i], "rub", given[i], rate[i], after[i], lost[i], !slow);
}

static void
push_and_tell (IfbamEventEngine *self, double time, const guint32 *links, guint n, guint brakes,
               guint ties, const double *p, double *lost, const char *word, gboolean slow)
{
  const guint all = n + brakes + ties;
  IFBAM_LIST (double, before, all);
  IFBAM_LIST (double, after, all);

  ifbam_event_push (self, links, all, p, before, after, lost);
  self->play->pushed |= n > 0;
  for (guint i = 0; i < n; i++)
    {
      IfbamPart *part = ifbam_play_find (self->play, links[i]);

      part->impulse += p[i];
      part->hits++;
      if (!slow)
        ifbam_event_count (self, time, links[i]);
      if (tell (self, time, links[i], word, p[i], before[i], after[i], lost[i], !slow))
        part->noted = slow && self->base.events != NULL ? self->base.events->len : 0;
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
      if (self->mobility[ifbam_link (self, links[i])->node[e]] > 0)
        ifbam_event_consider_node (self, ifbam_link (self, links[i])->node[e], time);
}

void
ifbam_event_give (IfbamEventEngine *self, double time, const guint32 *links, guint n, guint ties,
                  const double *p, gboolean slow)
{
  IFBAM_LIST (double, lost, n + ties);

  for (guint i = 0; i < n + ties; i++)
    lost[i] = NAN;
  push_and_tell (self, time, links, n, 0, ties, p, lost, "impact", slow);
  apply_friction_impulses (self, time, links, n, p, slow);
  consider_all (self, time, links, n + ties);
}

void
ifbam_event_give_rubbing (IfbamEventEngine *self, double time, const guint32 *links, guint n,
                          guint brakes, guint ties, const double *p, double *lost, const char *word,
                          gboolean slow)
{
  push_and_tell (self, time, links, n, brakes, ties, p, lost, word, slow);
  consider_all (self, time, links, n + brakes + ties);
}
