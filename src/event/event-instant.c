/* event-instant.c: what happens at an instant: impulses first, then who holds
 *
 * Velocities. While touching links approach each other: if any is quick, the fastest gets Newton's
 * impulse, equal ones together in one solve, so that neither symmetry nor the order of the file
 * matters; if all are slow, one complementarity problem over the slow, the resting and the rigid
 * relations ends their approach: p >= 0, rate after <= 0, p rate = 0 (Moreau 1988; Glocker 2001).
 * Slow is what does not bounce (e = 0, one-way and rigid relations), what approaches at less than
 * 1e-9 of the fastest, what has bounced too often at this instant, and what would bounce infinitely
 * often within a time and height that nobody can see (Zeno).
 *
 * Time can't freeze: a link bounces at most 64 + min (2n, 16 / (1 - e)) times per instant and is slow
 * then; between two complementarity problems a bounce happened or the set of the slow grew; a link
 * with more than IFBAM_MOST_EVENTS events in a step is held closed until its end, and that is told.
 *
 * Accelerations. Contacts hold where the reaction pushes, frictions stick where it is below their
 * breakaway; ties break loose together. Linear complementarity problems are solved by block pivoting
 * with Murty's rule as the net (Judice & Pires 1994; Murty 1974).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/event-instant.h"

#include <string.h>

#include "event/event-forces.h"
#include "event/event-guards.h"
#include "event/event-islands.h"
#include "event/event-relations.h"
#include "event/event-state.h"
#include "event/event-step.h"
#include "event/event-tell.h"
#include "event/event-work.h"

#define SLOW      1e-9 /* of the fastest approach */
#define REST_RISE 1e-9 /* of the largest coordinate: what still bounces at rest */
#define REST_TIME 1    /* of a step: what the rest of the bounces takes */
#define NEAR      1e-6 /* of the largest coordinate: neighbours worth a closer look */
#define SLIGHT    1e-4 /* of the largest rate: partings that may be held */
#define TIE       1e-12

void
ifbam_event_bring (IfbamEventEngine *self, guint32 number, double time)
{
  IfbamIsland *island = ifbam_island (self, number);

  if (island->affected)
    return;
  if (island->time < time)
    {
      ifbam_event_step (self, number, self->companion, island->time, time - island->time, self->x,
                        self->v, self->xt, self->vt, TRUE);
      ifbam_event_book (self, number);
      ifbam_event_keep (self, number, self->xt, self->x);
      ifbam_event_keep (self, number, self->vt, self->v);
      island->time = time;
      island->companion = TRUE;
    }
  ifbam_event_place (self, number, ifbam_event_after (self, time), self->x, self->v);
  ifbam_event_forget (self, number);
  island->affected = TRUE;
  g_array_append_val (self->affected, number);
}

/* A link's rate now; its row is set. */
static double
link_rate (IfbamEventEngine *self, guint32 number, double *delta)
{
  return ifbam_link_measure (ifbam_link (self, number), self->x, self->v, delta,
                             self->link[number].row);
}

static double
row_weight (const IfbamEventEngine *self, guint32 number)
{
  const IfbamLink *link = ifbam_link (self, number);
  double sum = 0;

  for (guint e = 0; e < link->n_ends; e++)
    sum += self->link[number].row[e] * self->link[number].row[e] * self->mobility[link->node[e]];
  return sum;
}

static void
make_row (const IfbamEventEngine *self, guint32 number, double share, IfbamRow *row)
{
  const IfbamLink *link = ifbam_link (self, number);

  row->n_ends = link->n_ends;
  memcpy (row->node, link->node, sizeof row->node);
  memcpy (row->row, self->link[number].row, sizeof row->row);
  row->share = share;
}

/* Where a link's ends would be, islands that are not at this time by their cubics. */
static double
estimate (const IfbamEventEngine *self, guint32 number, double time, double *delta)
{
  const IfbamLink *link = ifbam_link (self, number);
  double x[IFBAM_MAX_ENDS], v[IFBAM_MAX_ENDS], row[IFBAM_MAX_ENDS];

  for (guint e = 0; e < link->n_ends; e++)
    ifbam_event_node (self, link->node[e], time, &x[e], &v[e]);
  return ifbam_link_hear (link, x, v, delta, row);
}

static void
bring_ends (IfbamEventEngine *self, guint32 number, double time)
{
  guint32 islands[IFBAM_MAX_ENDS];
  const guint n = ifbam_event_link_islands (self, number, islands);

  for (guint k = 0; k < n; k++)
    ifbam_event_bring (self, islands[k], time);
}

static gboolean
is_touching (IfbamEventEngine *self, guint32 number)
{
  const IfbamRelation relation = ifbam_link_relation (self, number);
  double delta;

  if (relation.kind != IFBAM_RELATION_CONTACT
      || ifbam_relation_holds (&relation, self->link[number].mode))
    return TRUE;
  link_rate (self, number, &delta);
  return relation.gap - delta <= 4 * ifbam_event_extent (self, number)->position_floor;
}

/* A link takes part in the instant's impulses if it could pass one on now. */
static void
consider (IfbamEventEngine *self, guint32 number, double time, gboolean fired)
{
  const IfbamRelation relation = ifbam_link_relation (self, number);
  IfbamLinkState *state = &self->link[number];
  double delta;

  if (state->struck || relation.kind == IFBAM_RELATION_NONE
      || relation.kind == IFBAM_RELATION_FRICTION)
    return;
  if (!ifbam_relation_holds (&relation, state->mode) && !fired)
    {
      const IfbamExtent *extent = ifbam_event_extent (self, number);
      double rate = estimate (self, number, time, &delta);

      if (relation.kind == IFBAM_RELATION_CONTACT
              ? relation.gap - delta > NEAR * extent->largest + 4 * extent->position_floor
              : rate < -NEAR * extent->fastest)
        return;
    }
  bring_ends (self, number, time);
  if (!fired && !is_touching (self, number))
    return;
  state->struck = TRUE;
  state->hits = 0;
  state->impulse = 0;
  state->noted = 0;
  g_array_append_val (self->in_play, number);
}

static void
consider_node (IfbamEventEngine *self, guint32 node, double time)
{
  for (guint32 p = self->node_link_start[node]; p < self->node_link_start[node + 1]; p++)
    consider (self, self->node_link[p] >> 2, time, FALSE);
}

/* Which of n rows act: lambda >= 0 and rhs - J M^-1 J^T lambda <= 0, one of them zero; bilateral ones
 * act always. A row stops where lambda times its weight is below `stop`, starts where the rest is
 * above start[i]. active: the first guess, then the answer; change[] tells what it does to the rows'
 * nodes. FALSE: it does not end. */
static gboolean
complementarity (IfbamEventEngine *self, double time, const IfbamRow *rows, guint n,
                 const double *rhs, const gboolean *bilateral, double stop, const double *start,
                 guint8 *active, double *lambda)
{
  IFBAM_LIST (IfbamRow, acting, n);
  IFBAM_LIST (guint, place, n);
  IFBAM_LIST (double, b, n);
  double *change = self->change;
  guint best = G_MAXUINT, patience = 5;

  for (guint turn = 0; turn < self->limits.pivots && ifbam_event_goes_on (self, time, n); turn++)
    {
      guint m = 0, bad = 0, first = n;

      for (guint i = 0; i < n; i++)
        {
          lambda[i] = 0;
          for (guint e = 0; e < rows[i].n_ends; e++)
            change[rows[i].node[e]] = 0;
          if (!active[i] && !bilateral[i])
            continue;
          acting[m] = rows[i];
          b[m] = rhs[i];
          place[m++] = i;
        }
      ifbam_reactions_set (&self->system, acting, m, self->mobility, self->seat);
      ifbam_reactions_solve (&self->system, b, b);
      for (guint k = 0; k < m; k++)
        {
          lambda[place[k]] = b[k];
          for (guint e = 0; e < acting[k].n_ends; e++)
            change[acting[k].node[e]] +=
                acting[k].row[e] * b[k] * self->mobility[acting[k].node[e]];
        }
      for (guint i = 0; i < n; i++)
        {
          double weight = 0, rest = rhs[i];

          for (guint e = 0; e < rows[i].n_ends; e++)
            {
              weight += rows[i].row[e] * rows[i].row[e] * self->mobility[rows[i].node[e]];
              rest -= rows[i].row[e] * change[rows[i].node[e]];
            }
          self->rest[i] = rest;
          self->bad[i] = !bilateral[i] && (active[i] ? lambda[i] * weight < stop : rest > start[i]);
          bad += self->bad[i];
          if (self->bad[i] && first == n)
            first = i;
        }
      if (bad == 0)
        return TRUE;
      if (bad < best)
        {
          best = bad;
          patience = 5;
        }
      else if (patience > 0)
        patience--;
      else
        {
          active[first] = !active[first];
          continue;
        }
      for (guint i = 0; i < n; i++)
        if (self->bad[i])
          active[i] = !active[i];
    }
  return FALSE;
}

static void
reserve_rows (IfbamEventEngine *self, guint n)
{
  if (n <= self->rows_reserved)
    return;
  self->rows_reserved = MAX (n, 2 * self->rows_reserved);
  self->rest = g_renew (double, self->rest, self->rows_reserved);
  self->bad = g_renew (guint8, self->bad, self->rows_reserved);
}

/* A list of the engine's own that is used again at each instant. */
static GArray *
emptied (GArray **list, guint size)
{
  if (*list == NULL)
    *list = g_array_new (FALSE, FALSE, size);
  g_array_set_size (*list, 0);
  return *list;
}

/* Moves n links' ends by impulses and books what they cost; rates before and after (n). */
static void
push (IfbamEventEngine *self, const guint32 *links, guint n, const double *p, double *before,
      double *after)
{
  double delta;

  for (guint i = 0; i < n; i++)
    before[i] = link_rate (self, links[i], &delta);
  for (guint i = 0; i < n; i++)
    {
      const IfbamLink *link = ifbam_link (self, links[i]);
      const double *row = self->link[links[i]].row;

      for (guint e = 0; e < link->n_ends; e++)
        if (self->mobility[link->node[e]] > 0)
          {
            self->v[link->node[e]] -= row[e] * p[i] * self->mobility[link->node[e]];
            IFBAM_TELL (self, push, link->node[e], -row[e] * p[i]);
          }
        else
          {
            const double supply = row[e] * p[i] * self->v[link->node[e]];

            self->supplied += supply;
            self->turnover += fabs (supply);
          }
    }
  for (guint i = 0; i < n; i++)
    {
      after[i] = link_rate (self, links[i], &delta);
      self->link[links[i]].dissipated += 0.5 * p[i] * (before[i] + after[i]);
    }
}

/* The same with all that follows from it. */
static void
give (IfbamEventEngine *self, double time, const guint32 *links, guint n, const double *p,
      gboolean slow)
{
  IFBAM_LIST (double, before, n);
  IFBAM_LIST (double, after, n);

  push (self, links, n, p, before, after);
  self->pushed |= n > 0;
  for (guint i = 0; i < n; i++)
    {
      IfbamLinkState *state = &self->link[links[i]];
      const double lost = 0.5 * p[i] * (before[i] + after[i]);
      const double floor = ifbam_event_extent (self, links[i])->rate_floor;

      state->impulse += p[i];
      state->hits++;
      state->fired += !slow;
      /* What rests and passes an impulse on has no rate, but tells what went through it. */
      if (!slow || fabs (before[i]) > floor || fabs (p[i]) * row_weight (self, links[i]) > floor)
        {
          ifbam_event_note (self, time, links[i], "impact", p[i], before[i], after[i], -lost);
          state->noted = slow && self->base.events != NULL ? self->base.events->len : 0;
        }
    }
  for (guint i = 0; i < n; i++)
    for (guint e = 0; e < ifbam_link (self, links[i])->n_ends; e++)
      if (self->mobility[ifbam_link (self, links[i])->node[e]] > 0)
        consider_node (self, ifbam_link (self, links[i])->node[e], time);
}

/* Whether the bounces that remain are too small and too fast to be seen. */
static gboolean
is_zeno (IfbamEventEngine *self, guint32 number, double rate, double restitution, double time)
{
  const IfbamLink *link = ifbam_link (self, number);
  guint32 islands[IFBAM_MAX_ENDS];
  const guint n = ifbam_event_link_islands (self, number, islands);
  const IfbamExtent *extent = ifbam_event_extent (self, number);
  double closing = 0, rise;

  for (guint k = 0; k < n; k++)
    ifbam_event_accelerations (self, islands[k], self->x, self->v, ifbam_event_after (self, time),
                               TRUE);
  for (guint e = 0; e < link->n_ends; e++)
    closing += self->link[number].row[e] * self->acceleration[link->node[e]];
  if (link->geometry->bend != NULL)
    {
      double x[IFBAM_MAX_ENDS], v[IFBAM_MAX_ENDS];

      for (guint e = 0; e < link->n_ends; e++)
        {
          x[e] = self->x[link->node[e]];
          v[e] = self->v[link->node[e]];
        }
      closing += link->geometry->bend (link->shape, x, v);
    }
  /* What rests is pressed together by what its reaction keeps up. */
  if (self->link[number].mode == IFBAM_MODE_HELD)
    closing += self->link[number].reaction * row_weight (self, number);
  if (!(closing > 0))
    return FALSE;
  rise = rate * rate / (2 * closing);
  return rise < 4 * extent->position_floor
         || (rise < REST_RISE * extent->largest
             && 2 * restitution * rate
                    < REST_TIME * self->base.spec->step * closing * (1 - restitution));
}

/* Whether so many neighbours touch, or nearly so, that a hit among them never stops to bounce: more
 * than ln (4 / (1 - e)) / (1 - e) in a row bounce infinitely often in a finite time, and end with one
 * velocity (inelastic collapse: Bernu & Mazighi 1990; McNamara & Young 1992). */
static gboolean
is_collapse (IfbamEventEngine *self, guint32 number, double restitution, double time)
{
  const double loss = MAX (1 - restitution, DBL_EPSILON);
  const double most = log (4 / loss) / loss;
  g_autoptr (GArray) row = NULL;
  gboolean collapse = FALSE;

  if (most >= self->base.model->singles->len)
    return FALSE;
  row = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_array_append_val (row, number);
  self->link[number].walked = TRUE;
  for (guint i = 0; i < row->len && !collapse; i++)
    {
      const IfbamLink *link = ifbam_link (self, g_array_index (row, guint32, i));

      for (guint e = 0; e < link->n_ends; e++)
        for (guint32 p = self->node_link_start[link->node[e]];
             self->mobility[link->node[e]] > 0 && p < self->node_link_start[link->node[e] + 1]; p++)
          {
            const guint32 other = self->node_link[p] >> 2;
            const IfbamRelation relation = ifbam_link_relation (self, other);
            double delta;

            if (self->link[other].walked || relation.kind != IFBAM_RELATION_CONTACT)
              continue;
            estimate (self, other, time, &delta);
            if (relation.gap - delta > REST_RISE * ifbam_event_extent (self, other)->largest)
              continue;
            self->link[other].walked = TRUE;
            g_array_append_val (row, other);
          }
      collapse = row->len > most;
    }
  for (guint i = 0; i < row->len; i++)
    self->link[g_array_index (row, guint32, i)].walked = FALSE;
  return collapse;
}

typedef struct
{
  guint32 link;
  double rate, restitution;
  gboolean quick;
} Approach;

static void
plastic (IfbamEventEngine *self, double time, const guint32 *links, guint n)
{
  IFBAM_LIST (IfbamRow, rows, n);
  IFBAM_LIST (double, rhs, n);
  IFBAM_LIST (double, p, n);
  IFBAM_LIST (double, start, n);
  IFBAM_LIST (gboolean, bilateral, n);
  IFBAM_LIST (guint8, active, n);
  IFBAM_LIST (guint32, struck, n);
  double most = 0, delta, tolerance = INFINITY;
  guint m = 0;

  reserve_rows (self, n);
  for (guint i = 0; i < n; i++)
    {
      rhs[i] = link_rate (self, links[i], &delta);
      make_row (self, links[i], 1, &rows[i]);
      bilateral[i] = ifbam_link_relation (self, links[i]).kind == IFBAM_RELATION_RIGID;
      active[i] = rhs[i] > 0;
      most = MAX (most, fabs (rhs[i]));
    }
  for (guint i = 0; i < n; i++)
    {
      start[i] = MAX (0.25 * ifbam_event_extent (self, links[i])->rate_floor, 1e-15 * most);
      tolerance = MIN (tolerance, start[i]);
    }
  if (!complementarity (self, time, rows, n, rhs, bilateral, -tolerance, start, active, p))
    ifbam_event_fail (self, time, links, n, "no impulses are found for what touches at ", "");
  for (guint i = 0; i < n; i++)
    {
      if (fabs (p[i]) * row_weight (self, links[i]) > 1e7 * most && most > 0)
        ifbam_event_fail (self, time, &links[i], 1, "",
                          " is jammed between given motions (they have to leave room for what is "
                          "between them)");
      if (p[i] > 0 || (bilateral[i] && p[i] != 0))
        {
          p[m] = p[i];
          struck[m++] = links[i];
        }
    }
  give (self, time, struck, m, p, TRUE);
}

static void
hit_together (IfbamEventEngine *self, double time, const GArray *approaching, double rate,
              double restitution)
{
  IFBAM_LIST (guint32, links, approaching->len);
  IFBAM_LIST (double, p, approaching->len);
  guint n = 0;

  for (guint i = 0; i < approaching->len; i++)
    {
      const Approach *other = &g_array_index (approaching, Approach, i);

      if (!other->quick || other->restitution != restitution || other->rate < rate * (1 - TIE))
        continue;
      links[n] = other->link;
      p[n++] = (1 + restitution) * other->rate;
    }
  if (n == 1)
    p[0] /= row_weight (self, links[0]);
  else
    {
      IFBAM_LIST (IfbamRow, rows, n);

      for (guint i = 0; i < n; i++)
        make_row (self, links[i], 1, &rows[i]);
      ifbam_reactions_set (&self->system, rows, n, self->mobility, self->seat);
      ifbam_reactions_solve (&self->system, p, p);
    }
  give (self, time, links, n, p, FALSE);
}

static void
velocities (IfbamEventEngine *self, double time, const IfbamCandidate *fired, guint n_fired)
{
  GArray *approaching = emptied (&self->approaching, sizeof (Approach));
  GArray *slow = emptied (&self->slow, sizeof (guint32));
  double fastest = 0;
  gboolean grazed = FALSE;
  guint turns = 0;

  while (ifbam_event_goes_on (self, time, 4 * self->in_play->len))
    {
      const Approach *quickest = NULL;

      g_array_set_size (approaching, 0);
      for (guint i = 0; i < self->in_play->len; i++)
        {
          guint32 number = g_array_index (self->in_play, guint32, i);
          const IfbamRelation relation = ifbam_link_relation (self, number);
          double delta;
          Approach approach = { .link = number,
                                .rate = link_rate (self, number, &delta),
                                .restitution = relation.restitution };

          if (relation.kind == IFBAM_RELATION_RIGID)
            approach.rate = fabs (approach.rate);
          if (approach.rate > ifbam_event_extent (self, number)->rate_floor)
            g_array_append_val (approaching, approach);
        }
      /* A hit so light that its rate is rounding: it is ended plastically, once. */
      if (approaching->len == 0 && !grazed)
        for (guint i = 0; i < n_fired; i++)
          if (fired[i].link != IFBAM_NONE && self->link[fired[i].link].struck)
            {
              double delta;
              Approach approach = { .link = fired[i].link,
                                    .rate = link_rate (self, fired[i].link, &delta) };

              if (approach.rate > 0)
                g_array_append_val (approaching, approach);
              grazed = TRUE;
            }
      if (approaching->len == 0)
        return;
      for (guint i = 0; i < approaching->len; i++)
        fastest = MAX (fastest, g_array_index (approaching, Approach, i).rate);
      for (guint i = 0; i < approaching->len; i++)
        {
          Approach *approach = &g_array_index (approaching, Approach, i);
          const IfbamLinkState *state = &self->link[approach->link];
          const IfbamRelation relation = ifbam_link_relation (self, approach->link);
          const double most =
              64 + MIN (2.0 * self->in_play->len, 16 / MAX (1 - relation.restitution, DBL_EPSILON));
          gboolean is_slow = FALSE;

          for (guint k = 0; k < slow->len; k++)
            is_slow |= g_array_index (slow, guint32, k) == approach->link;
          approach->quick =
              relation.kind == IFBAM_RELATION_CONTACT && relation.restitution > 0 && !grazed
              && !state->held && !is_slow && state->hits <= most
              && state->fired <= IFBAM_MOST_EVENTS && approach->rate >= SLOW * fastest
              && !is_collapse (self, approach->link, relation.restitution, time)
              && !is_zeno (self, approach->link, approach->rate, relation.restitution, time);
          if (approach->quick && (quickest == NULL || approach->rate > quickest->rate))
            quickest = approach;
        }
      if (quickest != NULL)
        {
          g_array_set_size (slow, 0);
          hit_together (self, time, approaching, quickest->rate, quickest->restitution);
        }
      else
        {
          for (guint i = 0; i < self->in_play->len; i++)
            {
              guint32 number = g_array_index (self->in_play, guint32, i);
              const IfbamRelation relation = ifbam_link_relation (self, number);
              gboolean wanted = relation.kind != IFBAM_RELATION_CONTACT || relation.restitution == 0
                                || self->link[number].mode == IFBAM_MODE_HELD;

              for (guint k = 0; k < approaching->len; k++)
                wanted |= g_array_index (approaching, Approach, k).link == number;
              for (guint k = 0; k < slow->len; k++)
                wanted &= g_array_index (slow, guint32, k) != number;
              if (wanted)
                g_array_append_val (slow, number);
            }
          plastic (self, time, (const guint32 *) (gpointer) slow->data, slow->len);
        }
      if (grazed)
        return;
      if (++turns > self->limits.impulses)
        ifbam_event_fail (self, time, (const guint32 *) (gpointer) self->in_play->data,
                          self->in_play->len, "impulses go to and fro without end at ", "");
    }
}

typedef struct
{
  guint32 link;
  int old;
  gboolean contact; /* or one-way: holds where it pushes */
  gboolean row;     /* may hold */
  gboolean friction, left, restuck, forced;
  guint released; /* how many times it broke loose */
  int direction;  /* in which the last time */
  guint8 active;
  double reaction, rest;
  double parting; /* a contact that parts so slowly that it may be held [m/s]; 0: it does not */
} Holder;

typedef struct
{
  IfbamEventEngine *self;
  double time;
  const IfbamCandidate *fired;
  guint n_fired;
  GArray *holders; /* Holder */
} Holding;

static const IfbamCandidate *
fired_guard (const Holding *holding, guint32 number)
{
  for (guint i = 0; i < holding->n_fired; i++)
    if (holding->fired[i].link == number)
      return &holding->fired[i];
  return NULL;
}

static void
add_holder (Holding *holding, guint32 number)
{
  IfbamEventEngine *self = holding->self;
  IfbamLinkState *state = &self->link[number];
  const IfbamRelation relation = ifbam_link_relation (self, number);
  const IfbamCandidate *fired = fired_guard (holding, number);
  const IfbamExtent *extent = ifbam_event_extent (self, number);
  const double floor = 2 * extent->rate_floor;
  Holder holder = { .link = number, .old = state->mode };
  double delta, rate;

  if (state->listed || relation.kind == IFBAM_RELATION_NONE)
    return;
  if (relation.kind == IFBAM_RELATION_CONTACT || relation.kind == IFBAM_RELATION_ONE_WAY)
    {
      gboolean near = state->held || ifbam_relation_holds (&relation, state->mode)
                      || (fired != NULL && fired->guard.kind != IFBAM_GUARD_REACTION);

      if (!near)
        {
          rate = estimate (self, number, holding->time, &delta);
          near =
              fabs (rate) <= NEAR * extent->fastest + floor
              && (relation.kind == IFBAM_RELATION_ONE_WAY
                  || relation.gap - delta <= NEAR * extent->largest + 4 * extent->position_floor);
        }
      if (!near)
        return;
    }
  bring_ends (self, number, holding->time);
  rate = link_rate (self, number, &delta);
  switch (relation.kind)
    {
    case IFBAM_RELATION_CONTACT:
      holder.contact = TRUE;
      holder.parting = rate < -floor && rate >= -SLIGHT * extent->fastest ? -rate : 0;
      holder.row = (fabs (rate) <= floor || holder.parting > 0)
                   && (is_touching (self, number)
                       || (fired != NULL && fired->guard.kind == IFBAM_GUARD_POSITION));
      break;
    case IFBAM_RELATION_ONE_WAY:
      holder.contact = TRUE;
      holder.row = fabs (rate) <= floor
                   || (fired != NULL && fired->guard.kind == IFBAM_GUARD_RATE
                       && fabs (rate) <= SLOW * extent->fastest);
      break;
    case IFBAM_RELATION_FRICTION:
      holder.friction = TRUE;
      state->pinned = FALSE;
      if (fired != NULL && fired->guard.kind == IFBAM_GUARD_RATE
          && fabs (rate) <= MAX (floor, SLOW * extent->fastest))
        state->mode = IFBAM_MODE_STUCK;
      else if (fabs (rate) > floor)
        state->mode = rate > 0 ? IFBAM_MODE_FORWARD : IFBAM_MODE_BACKWARD;
      else if (state->mode == IFBAM_MODE_FORWARD || state->mode == IFBAM_MODE_BACKWARD)
        state->mode = IFBAM_MODE_STUCK;
      break;
    case IFBAM_RELATION_RIGID:
      holder.row = TRUE;
      break;
    case IFBAM_RELATION_NONE:
    default:
      break;
    }
  holder.left = fired != NULL && fired->guard.kind == IFBAM_GUARD_REACTION && holder.contact;
  holder.forced = fired != NULL && fired->guard.kind == IFBAM_GUARD_REACTION && holder.friction;
  holder.active = holder.row && holder.contact && state->mode == IFBAM_MODE_HELD && !holder.left;
  state->listed = TRUE;
  g_array_append_val (holding->holders, holder);
}

static void
list_island (Holding *holding, guint32 number)
{
  IfbamEventEngine *self = holding->self;
  IfbamIsland *island = ifbam_island (self, number);

  island->listed = TRUE;
  for (guint32 c = island->first; c != IFBAM_NONE; c = ifbam_component (self, c)->next)
    {
      const IfbamComponent *component = ifbam_component (self, c);

      for (gsize i = component->singles; i < component->singles + component->n_singles; i++)
        add_holder (holding, g_array_index (self->numbers, guint32, i));
    }
}

/* The link's acceleration with what is in acceleration[]. */
static double
link_acceleration (IfbamEventEngine *self, guint32 number)
{
  const IfbamLink *link = ifbam_link (self, number);
  double sum = 0;

  for (guint e = 0; e < link->n_ends; e++)
    sum += self->link[number].row[e] * self->acceleration[link->node[e]];
  if (link->geometry->bend != NULL)
    {
      double x[IFBAM_MAX_ENDS], v[IFBAM_MAX_ENDS];

      for (guint e = 0; e < link->n_ends; e++)
        {
          x[e] = self->x[link->node[e]];
          v[e] = self->v[link->node[e]];
        }
      sum += link->geometry->bend (link->shape, x, v);
    }
  return sum;
}

/* The sum of the sizes of what acts on a node, as an acceleration: its rounding is relative to it. */
static double
node_load (const IfbamEventEngine *self, guint32 node)
{
  const IfbamModel *model = self->base.model;
  double sum = fabs (self->acceleration[node]);

  for (guint32 p = model->port_start[node];
       p < model->port_start[node + 1] && self->mobility[node] > 0; p++)
    sum += fabs (self->answer[model->port[p] >> 1]) * self->mobility[node];
  for (guint32 p = self->node_link_start[node]; p < self->node_link_start[node + 1]; p++)
    {
      const IfbamLinkState *state = &self->link[self->node_link[p] >> 2];

      sum += (fabs (state->force) + fabs (state->reaction)) * self->mobility[node];
    }
  return sum;
}

static void
fail (const Holding *holding, const char *what)
{
  const guint n = holding->holders->len;
  IFBAM_LIST (guint32, links, n);

  for (guint i = 0; i < n; i++)
    links[i] = g_array_index (holding->holders, Holder, i).link;
  ifbam_event_fail (holding->self, holding->time, links, n, what, "");
}

/* One complementarity problem over who may hold, with frictions as they are now. Returns the scale of
 * accelerations below which they are rounding. */
static double
solve_holders (Holding *holding)
{
  IfbamEventEngine *self = holding->self;
  const guint all = holding->holders->len;
  IFBAM_LIST (guint, place, all);
  IFBAM_LIST (IfbamRow, rows, all);
  IFBAM_LIST (double, rhs, all);
  IFBAM_LIST (double, start, all);
  IFBAM_LIST (double, lambda, all);
  IFBAM_LIST (gboolean, bilateral, all);
  IFBAM_LIST (guint8, active, all);
  double scale = 1e-300, delta, tolerance;
  guint n = 0;

  for (guint i = 0; i < self->affected->len; i++)
    {
      guint32 number = g_array_index (self->affected, guint32, i);

      ifbam_event_accelerations (self, number, self->x, self->v,
                                 ifbam_event_after (self, holding->time), FALSE);
    }
  for (guint i = 0; i < all; i++)
    {
      Holder *holder = &g_array_index (holding->holders, Holder, i);
      const IfbamLink *link = ifbam_link (self, holder->link);
      const IfbamRelation relation = ifbam_link_relation (self, holder->link);

      link_rate (self, holder->link, &delta);
      for (guint e = 0; e < link->n_ends; e++)
        {
          scale = MAX (scale, node_load (self, link->node[e]));
          self->change[link->node[e]] = 0;
        }
      if (holder->friction)
        holder->row =
            self->link[holder->link].mode == IFBAM_MODE_STUCK && !self->link[holder->link].pinned;
      holder->rest = link_acceleration (self, holder->link);
      holder->reaction = 0;
      if (!holder->row)
        continue;
      make_row (self, holder->link,
                holder->friction && relation.breakaway > 0 ? relation.breakaway : 1, &rows[n]);
      rhs[n] = holder->rest;
      bilateral[n] = !holder->contact || self->link[holder->link].held;
      active[n] = holder->active;
      place[n++] = i;
    }
  tolerance = 1e-12 * scale;
  for (guint k = 0; k < n; k++)
    start[k] = (g_array_index (holding->holders, Holder, place[k]).left ? 1e3 : 2) * tolerance;
  reserve_rows (self, n + 1);
  if (!complementarity (self, holding->time, rows, n, rhs, bilateral, tolerance, start, active,
                        lambda))
    fail (holding, "no reactions are found for what touches at ");
  for (guint k = 0; k < n; k++)
    {
      Holder *holder = &g_array_index (holding->holders, Holder, place[k]);

      holder->active = holder->contact && (active[k] || bilateral[k]);
      holder->reaction = lambda[k];
    }
  /* What accelerations are left where nobody holds. */
  for (guint i = 0; i < all; i++)
    {
      Holder *holder = &g_array_index (holding->holders, Holder, i);
      const IfbamLink *link = ifbam_link (self, holder->link);

      for (guint e = 0; e < link->n_ends; e++)
        holder->rest -= self->link[holder->link].row[e] * self->change[link->node[e]];
    }
  return tolerance;
}

/* Whether contacts and rigid relations alone keep a friction's ends together: the nodes that hang
 * together by them are walked through from one end; all given nodes hang together. */
static gboolean
is_held_by_others (const Holding *holding, const Holder *friction)
{
  const IfbamEventEngine *self = holding->self;
  const IfbamLink *link = ifbam_link (self, friction->link);
  const guint32 n_free = (guint32) self->base.model->n_free;
  g_autoptr (GHashTable) reached = g_hash_table_new (NULL, NULL);
  gboolean grown = TRUE;

  g_hash_table_add (reached, GUINT_TO_POINTER (MIN (link->node[0], n_free)));
  while (grown)
    {
      grown = FALSE;
      for (guint i = 0; i < holding->holders->len; i++)
        {
          const Holder *other = &g_array_index (holding->holders, Holder, i);
          const IfbamLink *bridge = ifbam_link (self, other->link);
          gboolean meets = FALSE;

          if (other->friction || !(other->contact ? other->active : other->row))
            continue;
          for (guint e = 0; e < bridge->n_ends; e++)
            meets |=
                g_hash_table_contains (reached, GUINT_TO_POINTER (MIN (bridge->node[e], n_free)));
          for (guint e = 0; e < bridge->n_ends && meets; e++)
            grown |= g_hash_table_add (reached, GUINT_TO_POINTER (MIN (bridge->node[e], n_free)));
        }
    }
  return g_hash_table_contains (reached, GUINT_TO_POINTER (MIN (link->node[1], n_free)));
}

/* What broke loose the wrong way sticks again, and may then break the other way; a few times, so that
 * this ends. */
static gboolean
may_break (const Holder *holder, const IfbamRelation *relation)
{
  const int direction = holder->reaction > 0 ? 1 : -1;

  if (!holder->friction || !holder->row)
    return FALSE;
  return (holder->released < 4 && (!holder->restuck || direction != holder->direction))
         || fabs (holder->reaction) > 1e3 * relation->breakaway;
}

/* A contact that parts is held where it would come back so soon and from so low that it may as well rest:
 * else one that is hit among many at rest would wake them all. Without it the others' reactions leave its
 * ends an acceleration of reaction times weight toward each other, or less. FALSE where some part
 * visibly, so that all is to be asked again without these. */
static gboolean
settle_hops (Holding *holding)
{
  IfbamEventEngine *self = holding->self;
  const double step = self->base.spec->step;
  gboolean changed = FALSE;

  for (guint i = 0; i < holding->holders->len; i++)
    {
      Holder *holder = &g_array_index (holding->holders, Holder, i);
      const IfbamExtent *extent = ifbam_event_extent (self, holder->link);
      const double rate = holder->parting;
      double closing;

      if (!(rate > 0) || !holder->row || !holder->active || self->link[holder->link].held)
        continue;
      closing = holder->reaction * row_weight (self, holder->link);
      if (rate * rate <= 2 * extent->position_floor * closing
          || (rate * rate < 2 * REST_RISE * extent->largest * closing
              && 2 * rate < REST_TIME * step * closing))
        continue;
      holder->row = holder->active = FALSE;
      holder->reaction = 0;
      changed = TRUE;
    }
  return !changed;
}

/* What parts but is held is stopped, together with all that hold. */
static void
stop_hops (const Holding *holding)
{
  IfbamEventEngine *self = holding->self;
  const guint all = holding->holders->len;
  IFBAM_LIST (guint32, links, all);
  IFBAM_LIST (IfbamRow, rows, all);
  IFBAM_LIST (double, p, all);
  IFBAM_LIST (double, before, all);
  IFBAM_LIST (double, after, all);
  double delta;
  gboolean some = FALSE;
  guint n = 0;

  for (guint i = 0; i < all; i++)
    {
      const Holder *holder = &g_array_index (holding->holders, Holder, i);

      if (!holder->row || (holder->contact && !holder->active))
        continue;
      p[n] = link_rate (self, holder->link, &delta);
      make_row (self, holder->link, 1, &rows[n]);
      links[n++] = holder->link;
      some |= holder->parting > 0;
    }
  if (!some)
    return;
  ifbam_reactions_set (&self->system, rows, n, self->mobility, self->seat);
  ifbam_reactions_solve (&self->system, p, p);
  push (self, links, n, p, before, after);
}

/* FALSE where some friction has changed its mode, so that all is to be asked again. */
static gboolean
settle_frictions (Holding *holding, double tolerance)
{
  IfbamEventEngine *self = holding->self;
  double top = 0;
  gboolean forced = FALSE, changed = FALSE;

  for (guint i = 0; i < holding->holders->len; i++)
    {
      const Holder *holder = &g_array_index (holding->holders, Holder, i);
      const IfbamRelation relation = ifbam_link_relation (self, holder->link);

      if (may_break (holder, &relation))
        top = MAX (top, fabs (holder->reaction) / MAX (relation.breakaway, 1e-300));
      forced |= holder->forced && holder->row && holder->released == 0 && !holder->restuck;
    }
  if (top > 1 + TIE || forced)
    {
      const double least = top > 1 + TIE ? top * (1 - 1e-9) : 1 - 1e-9;

      for (guint i = 0; i < holding->holders->len; i++)
        {
          Holder *holder = &g_array_index (holding->holders, Holder, i);
          const IfbamRelation relation = ifbam_link_relation (self, holder->link);

          if (!may_break (holder, &relation))
            continue;
          if (fabs (holder->reaction) / MAX (relation.breakaway, 1e-300) < least
              && !(holder->forced && holder->released == 0 && !holder->restuck))
            continue;
          self->link[holder->link].mode =
              holder->reaction > 0 ? IFBAM_MODE_STARTING_FORWARD : IFBAM_MODE_STARTING_BACKWARD;
          holder->direction = holder->reaction > 0 ? 1 : -1;
          holder->released++;
          holder->restuck = FALSE;
          changed = TRUE;
        }
      if (changed)
        return FALSE;
    }
  for (guint i = 0; i < holding->holders->len; i++)
    {
      Holder *holder = &g_array_index (holding->holders, Holder, i);
      const IfbamRelation relation = ifbam_link_relation (self, holder->link);
      const int mode = self->link[holder->link].mode;
      const double forward = holder->rest * ifbam_friction_direction (mode);

      if (!holder->friction || (holder->restuck && holder->released >= 4)
          || (mode != IFBAM_MODE_STARTING_FORWARD && mode != IFBAM_MODE_STARTING_BACKWARD))
        continue;
      if (forward < -tolerance
          || (holder->released > 0 && relation.coulomb < relation.breakaway * (1 - 1e-9)
              && forward <= tolerance))
        {
          self->link[holder->link].mode = IFBAM_MODE_STUCK;
          /* Nothing moves without it: other relations hold what it stands beside, and carry all. */
          self->link[holder->link].pinned = holder->released > 0 && fabs (forward) <= tolerance
                                            && is_held_by_others (holding, holder);
          holder->restuck = TRUE;
          changed = TRUE;
        }
    }
  return !changed;
}

/* Islands that hang on a relation that holds have their own say. FALSE: there were such. */
static gboolean
reach_out (Holding *holding)
{
  IfbamEventEngine *self = holding->self;
  gboolean more = FALSE;

  for (guint i = 0; i < holding->holders->len; i++)
    {
      const Holder *holder = &g_array_index (holding->holders, Holder, i);
      guint32 islands[IFBAM_MAX_ENDS];
      guint n;

      if (!holder->active && !(holder->row && !holder->contact))
        continue;
      n = ifbam_event_link_islands (self, holder->link, islands);
      for (guint k = 0; k < n; k++)
        if (!ifbam_island (self, islands[k])->listed)
          {
            list_island (holding, islands[k]);
            more = TRUE;
          }
    }
  return !more;
}

static void
hold (IfbamEventEngine *self, double time, const IfbamCandidate *fired, guint n_fired)
{
  GArray *holders = emptied (&self->holders, sizeof (Holder));
  Holding holding = { self, time, fired, n_fired, holders };
  const guint n = self->affected->len;

  for (guint i = 0; i < n; i++)
    list_island (&holding, g_array_index (self->affected, guint32, i));
  for (guint turn = 0; ifbam_event_goes_on (self, time, 1); turn++)
    {
      double tolerance = solve_holders (&holding);

      if (settle_hops (&holding) && reach_out (&holding) && settle_frictions (&holding, tolerance))
        break;
      if (turn == self->limits.settling)
        fail (&holding, "it can't be settled who holds at ");
    }
  stop_hops (&holding);
  for (guint i = 0; i < holders->len; i++)
    {
      const Holder *holder = &g_array_index (holders, Holder, i);
      IfbamLinkState *state = &self->link[holder->link];

      if (holder->contact)
        state->mode = holder->active ? IFBAM_MODE_HELD : IFBAM_MODE_OPEN;
      state->reaction = holder->reaction;
      ifbam_event_note_change (self, time, holder->link, holder->old);
      state->listed = FALSE;
    }
}

/* Modes of laws: a guard that fired leads to the next. */
static void
change_laws (IfbamEventEngine *self, double time, const IfbamCandidate *fired, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      const guint32 number = fired[i].link;
      int old;

      if (number == IFBAM_NONE || ifbam_link_relation (self, number).kind != IFBAM_RELATION_NONE)
        continue;
      old = self->link[number].mode;
      self->link[number].mode = fired[i].guard.next;
      ifbam_event_note_change (self, time, number, old);
    }
}

/* The first link of an island whose law an impulse has taken beyond a guard, and its next mode. */
static gboolean
find_jump (IfbamEventEngine *self, guint32 island, double time, guint32 *number, int *next)
{
  for (guint32 c = ifbam_island (self, island)->first; c != IFBAM_NONE;
       c = ifbam_component (self, c)->next)
    {
      const IfbamComponent *component = ifbam_component (self, c);

      for (gsize i = component->singles; i < component->singles + component->n_singles; i++)
        {
          const guint32 link = g_array_index (self->numbers, guint32, i);
          IfbamGuard guards[IFBAM_MAX_GUARDS];
          guint n;

          if (ifbam_link_relation (self, link).kind != IFBAM_RELATION_NONE)
            continue;
          n = ifbam_event_guards (self, link, guards);
          for (guint g = 0; g < n; g++)
            if (ifbam_event_has_jumped (self, link, &guards[g], time))
              {
                *number = link;
                *next = guards[g].next;
                return TRUE;
              }
        }
    }
  return FALSE;
}

/* Impulses change rates at once: laws that watch them follow. */
static void
follow_jumps (IfbamEventEngine *self, double time)
{
  const guint most = self->limits.jumps * (1 + self->base.model->singles->len);
  guint32 number;
  int next;

  for (guint i = 0, jumps = 0; i < self->affected->len; i++)
    while (ifbam_event_goes_on (self, time, 1)
           && find_jump (self, g_array_index (self->affected, guint32, i), time, &number, &next))
      {
        const int old = self->link[number].mode;

        bring_ends (self, number, time);
        self->link[number].mode = next;
        if (ifbam_link_event (ifbam_link (self, number), old, next) != NULL)
          g_array_append_val (self->tripped, number);
        ifbam_event_note_change (self, time, number, old);
        if (++jumps > most)
          ifbam_event_fail (self, time, &number, 1, "", " changes its law to and fro without end");
      }
}

void
ifbam_event_instant (IfbamEventEngine *self, double time, const IfbamCandidate *fired, guint n,
                     const GArray *struck)
{
  g_array_set_size (self->in_play, 0);
  self->pushed = FALSE;
  for (guint i = 0; i < n; i++)
    if (fired[i].link != IFBAM_NONE)
      {
        bring_ends (self, fired[i].link, time);
        self->link[fired[i].link].fired++;
      }
  change_laws (self, time, fired, n);
  for (guint i = 0; i < n; i++)
    if (fired[i].link != IFBAM_NONE)
      consider (self, fired[i].link, time,
                fired[i].guard.kind == IFBAM_GUARD_POSITION
                    || fired[i].guard.kind == IFBAM_GUARD_RATE);
  for (guint i = 0; struck != NULL && i < struck->len; i++)
    consider_node (self, g_array_index (struck, guint32, i), time);
  if (self->in_play->len > 0)
    velocities (self, time, fired, n);
  if (self->pushed || (struck != NULL && struck->len > 0))
    follow_jumps (self, time);
  hold (self, time, fired, n);
  for (guint i = 0; i < self->in_play->len; i++)
    self->link[g_array_index (self->in_play, guint32, i)].struck = FALSE;
  for (guint i = 0; i < self->affected->len; i++)
    {
      IfbamIsland *island = ifbam_island (self, g_array_index (self->affected, guint32, i));

      island->affected = island->listed = FALSE;
    }
  ifbam_islands_sort (self);
  for (guint i = 0; i < self->affected->len; i++)
    {
      IfbamIsland *island = ifbam_island (self, g_array_index (self->affected, guint32, i));

      ifbam_event_fix (self, island, self->x, self->v, time);
    }
}
