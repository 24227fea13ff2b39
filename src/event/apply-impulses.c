/* apply-impulses.c: impulses, and what follows from them
 *
 * What slides where it gives an impulse p is braked by the frictions that this one carries, each by its part of p
 * at most, and all together so that the least energy of motion is left. That is Coulomb's law for impulses, whose
 * clock is p (Routh 1860), and it never brings any energy, whoever pushes whom along.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/apply-impulses.h"

#include "event/event-context.h"
#include "event/constraint-reactions.h"
#include "event/event-log.h"

/* So often all that are beyond their bounds change at once; then one by one, which ends (Murty 1974). */
#define PATIENCE 8

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

/* Tells of an impulse. FALSE: what rests and passes one on has no rate, and so little is not told. */
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

/* n rows get impulses p, each within +-most, that end their rates or are as large as they may. FALSE: none are
 * found. */
static gboolean
find_brakes (IfbamEventEngine *self, const IfbamRow *rows, guint n, const double *rate,
             const double *most, double tolerance, double *p)
{
  IFBAM_LIST (IfbamRow, stops, n);
  IFBAM_LIST (guint, place, n);
  IFBAM_LIST (double, b, n);
  IFBAM_LIST (int, at, n); /* its bound: 1, -1; 0: it is within */
  double *change = self->play->change;

  for (guint i = 0; i < n; i++)
    at[i] = 0;
  for (guint turn = 0; turn < self->limits.pivots; turn++)
    {
      guint m = 0, bad = 0;

      for (guint i = 0; i < n; i++)
        for (guint e = 0; e < rows[i].n_ports; e++)
          change[rows[i].node[e]] = 0;
      for (guint i = 0; i < n; i++)
        for (guint e = 0; e < rows[i].n_ports && at[i] != 0; e++)
          change[rows[i].node[e]] +=
              rows[i].row[e] * (at[i] * most[i]) * self->mobility[rows[i].node[e]];
      for (guint i = 0; i < n; i++)
        {
          p[i] = at[i] * most[i];
          if (at[i] != 0)
            continue;
          stops[m] = rows[i];
          b[m] = rate[i];
          for (guint e = 0; e < rows[i].n_ports; e++)
            b[m] -= rows[i].row[e] * change[rows[i].node[e]];
          place[m++] = i;
        }
      ifbam_reactions_set (&self->play->system, stops, m, self->mobility, self->seat);
      ifbam_reactions_solve (&self->play->system, b, b);
      for (guint k = 0; k < m; k++)
        {
          p[place[k]] = b[k];
          for (guint e = 0; e < stops[k].n_ports; e++)
            change[stops[k].node[e]] += stops[k].row[e] * b[k] * self->mobility[stops[k].node[e]];
        }
      for (guint i = 0; i < n && (turn < PATIENCE || bad == 0); i++)
        {
          double rest = rate[i];
          const double beyond = fabs (p[i]) - most[i] * (1 + IFBAM_TIE);

          for (guint e = 0; e < rows[i].n_ports; e++)
            rest -= rows[i].row[e] * change[rows[i].node[e]];
          if (at[i] == 0 ? beyond <= 0 : at[i] * rest >= -tolerance)
            continue;
          at[i] = at[i] != 0 ? 0 : p[i] > 0 ? 1 : -1;
          bad++;
        }
      if (bad == 0)
        return TRUE;
    }
  return FALSE;
}

/* What slides where impulses are given is braked by what these carry. */
static void
rub (IfbamEventEngine *self, double time, const guint32 *links, guint n, const double *p,
     gboolean slow)
{
  guint carried_by = 0, m = 0;

  for (guint i = 0; i < n; i++)
    IFBAM_FOR_BRAKES (carried, links[i])
  carried_by += p[i] > 0;
  if (carried_by == 0)
    return;
  IFBAM_LIST (guint32, brakes, carried_by);
  IFBAM_LIST (IfbamRow, rows, carried_by);
  IFBAM_LIST (double, rate, carried_by);
  IFBAM_LIST (double, most, carried_by);
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
      most[m] = p[i] * ifbam_link_relation (self, carried).coulomb;
      tolerance = MIN (tolerance, 0.25 * ifbam_event_extent (self, carried)->rate_floor);
      ifbam_link_row (self, carried, 1, &rows[m++]);
    }
  if (!find_brakes (self, rows, m, rate, most, tolerance, given))
    {
      ifbam_event_fail (self, time, brakes, m, "no impulses are found for what slides at ", "");
      return;
    }
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

/* Whoever hears of it takes part. */
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
  rub (self, time, links, n, p, slow);
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
