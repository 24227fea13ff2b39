/* event-bounds.c: which rows act, each only as far as it pushes
 *
 * Linear complementarity problems are solved by block pivoting with Murty's rule as the net (Judice &
 * Pires 1994; Murty 1974). Where many rows act and blocks go to and fro, as in heaps, in which loads can go
 * by many ways, an interior point says first which rows act (Mehrotra 1992, On the implementation of a
 * primal-dual interior point method): some twenty systems of one pattern, however many rows there are.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/event-bounds.h"

#include "event/event-play.h"
#include "event/event-tell.h"

/* So often blocks may fail to get better. */
#define PATIENCE 5

/* A row that has come and gone so often all but follows from others: so many times the tolerance is near
 * enough. */
#define TO_AND_FRO  6
#define NEAR_ENOUGH 1000

/* So many rows, or more, are left to an interior point where blocks do not settle. */
#define MANY 24

/* An interior point is near enough when the product of push and rest has fallen to this part. */
#define INTERIOR_END   1e-16
#define INTERIOR_TURNS 60

/* Of the way to the border it goes so much. */
#define INTERIOR_STRIDE 0.99

static void
reserve_rows (IfbamPlay *self, guint n)
{
  if (n <= self->rows_reserved)
    return;
  self->rows_reserved = MAX (n, 2 * self->rows_reserved);
  self->rest = g_renew (double, self->rest, self->rows_reserved);
  self->bad = g_renew (guint8, self->bad, self->rows_reserved);
  self->come = g_renew (guint8, self->come, self->rows_reserved);
}

/* J M^-1 P^T p. */
static void
multiply (IfbamEventEngine *self, const IfbamRow *rows, guint n, const double *p, double *product)
{
  double *change = self->play->change;

  for (guint i = 0; i < n; i++)
    for (guint e = 0; e < rows[i].n_ports; e++)
      change[rows[i].node[e]] = 0;
  for (guint i = 0; i < n; i++)
    for (guint e = 0; e < rows[i].n_ports; e++)
      change[rows[i].node[e]] += rows[i].pull[e] * p[i] * self->mobility[rows[i].node[e]];
  for (guint i = 0; i < n; i++)
    {
      product[i] = 0;
      for (guint e = 0; e < rows[i].n_ports; e++)
        product[i] += rows[i].row[e] * change[rows[i].node[e]];
    }
}

/* How far one may go until a push or rest vanishes. */
static double
longest (const gboolean *bilateral, guint n, const double *push, const double *push_step,
         const double *rest, const double *rest_step)
{
  double length = 1 / INTERIOR_STRIDE;

  for (guint i = 0; i < n; i++)
    if (!bilateral[i])
      {
        if (push_step[i] < 0)
          length = MIN (length, -push[i] / push_step[i]);
        if (rest_step[i] < 0)
          length = MIN (length, -rest[i] / rest_step[i]);
      }
  return length;
}

/* push >= 0, rest = J M^-1 J^T push - rhs >= 0, their products equal and falling toward 0: who pushes more,
 * in units of its own inertia, than it rests, acts. */
static void
guess_by_interior (IfbamEventEngine *self, double time, const IfbamRow *rows, guint n,
                   const double *rhs, const gboolean *bilateral, guint8 *active)
{
  g_autofree double *columns = g_new0 (double, 9 * (gsize) n);
  double *push = columns, *rest = push + n, *weight = rest + n, *off = weight + n;
  double *push_step = off + n, *rest_step = push_step + n, *asked = rest_step + n;
  double *shift = asked + n, *target = shift + n;
  IfbamReactions *all = &self->play->all;
  double most = 0, product = 0, first;
  guint bounded = 0;

  for (guint i = 0; i < n; i++)
    {
      for (guint e = 0; e < rows[i].n_ports; e++)
        weight[i] += rows[i].row[e] * rows[i].pull[e] * self->mobility[rows[i].node[e]];
      bounded += !bilateral[i];
      if (weight[i] > 0)
        most = MAX (most, fabs (rhs[i]) / sqrt (weight[i]));
    }
  if (!(most > 0) || bounded == 0)
    return;
  ifbam_reactions_set (all, rows, n, self->mobility, self->seat);
  for (guint i = 0; i < n; i++)
    {
      push[i] = bilateral[i] || !(weight[i] > 0) ? 0 : most / sqrt (weight[i]);
      rest[i] = bilateral[i] ? 0 : most * sqrt (weight[i]);
      product += push[i] * rest[i];
    }
  first = product;
  for (guint turn = 0; turn < INTERIOR_TURNS && product > INTERIOR_END * first
                       && ifbam_event_goes_on (self, time, n);
       turn++)
    {
      multiply (self, rows, n, push, off);
      for (guint i = 0; i < n; i++)
        {
          off[i] -= rhs[i] + rest[i];
          shift[i] = bilateral[i] || !(push[i] > 0) ? 1e-12 : rest[i] / (push[i] * weight[i]);
          target[i] = 0;
        }
      ifbam_reactions_shift (all, shift);
      for (guint corrected = 0; corrected < 2; corrected++)
        {
          double length, ahead = 0;

          for (guint i = 0; i < n; i++)
            asked[i] =
                -off[i] + (bilateral[i] || !(push[i] > 0) ? 0 : target[i] / push[i] - rest[i]);
          ifbam_solver_solve (all->solver, asked, push_step, 0);
          for (guint i = 0; i < n; i++)
            rest_step[i] = bilateral[i] || !(push[i] > 0)
                               ? 0
                               : (target[i] - rest[i] * push_step[i]) / push[i] - rest[i];
          length =
              MIN (1, INTERIOR_STRIDE * longest (bilateral, n, push, push_step, rest, rest_step));
          if (corrected)
            {
              product = 0;
              for (guint i = 0; i < n; i++)
                {
                  push[i] += length * push_step[i];
                  rest[i] += length * rest_step[i];
                  product += bilateral[i] ? 0 : push[i] * rest[i];
                }
              continue;
            }
          for (guint i = 0; i < n; i++)
            if (!bilateral[i])
              ahead += (push[i] + length * push_step[i]) * (rest[i] + length * rest_step[i]);
          ahead *= (ahead / product) * (ahead / product) / bounded;
          for (guint i = 0; i < n; i++)
            target[i] = ahead - push_step[i] * rest_step[i];
        }
    }
  for (guint i = 0; i < n; i++)
    active[i] = push[i] * weight[i] > rest[i];
}

static void
turn_over (IfbamPlay *play, guint i, guint8 *active)
{
  active[i] = !active[i];
  play->come[i] += active[i] && play->come[i] < UINT8_MAX;
}

static gboolean
acts (guint i, const gboolean *bilateral, const guint *carrier, const guint8 *active)
{
  return (active[i] || bilateral[i])
         && (carrier == NULL || carrier[i] == IFBAM_NONE || active[carrier[i]]
             || bilateral[carrier[i]]);
}

gboolean
ifbam_event_complementarity (IfbamEventEngine *self, double time, const IfbamRow *rows, guint n,
                             const double *rhs, const gboolean *bilateral, const guint *carrier,
                             double stop, const double *start, guint8 *active, double *lambda)
{
  IFBAM_LIST (IfbamRow, acting, n);
  IFBAM_LIST (guint, place, n);
  IFBAM_LIST (double, b, n);
  IfbamPlay *play = self->play;
  double *change = play->change;
  guint best = G_MAXUINT, patience = PATIENCE;
  gboolean guessed = n < MANY;

  reserve_rows (play, n);
  for (guint i = 0; i < n; i++)
    play->come[i] = 0;
  for (guint turn = 0; turn < self->limits.pivots && ifbam_event_goes_on (self, time, n); turn++)
    {
      guint m = 0, bad = 0, first = n;

      for (guint i = 0; i < n; i++)
        {
          lambda[i] = 0;
          for (guint e = 0; e < rows[i].n_ports; e++)
            change[rows[i].node[e]] = 0;
          if (!acts (i, bilateral, carrier, active))
            continue;
          acting[m] = rows[i];
          b[m] = rhs[i];
          place[m++] = i;
        }
      ifbam_reactions_set (&play->system, acting, m, self->mobility, self->seat);
      ifbam_reactions_solve (&play->system, b, b);
      for (guint k = 0; k < m; k++)
        {
          lambda[place[k]] = b[k];
          for (guint e = 0; e < acting[k].n_ports; e++)
            change[acting[k].node[e]] +=
                acting[k].pull[e] * b[k] * self->mobility[acting[k].node[e]];
        }
      for (guint i = 0; i < n; i++)
        {
          double weight = 0, rest = rhs[i];

          for (guint e = 0; e < rows[i].n_ports; e++)
            {
              weight += rows[i].row[e] * rows[i].pull[e] * self->mobility[rows[i].node[e]];
              rest -= rows[i].row[e] * change[rows[i].node[e]];
            }
          play->rest[i] = rest;
          play->bad[i] =
              !bilateral[i]
              && (active[i] ? lambda[i] * weight < stop
                            : rest > (play->come[i] > TO_AND_FRO ? NEAR_ENOUGH : 1) * start[i]);
          bad += play->bad[i];
          if (play->bad[i] && first == n)
            first = i;
        }
      if (bad == 0)
        return TRUE;
      if (bad < best)
        {
          best = bad;
          patience = PATIENCE;
        }
      else if (patience > 0)
        patience--;
      else if (!guessed)
        {
          guess_by_interior (self, time, rows, n, rhs, bilateral, active);
          guessed = TRUE;
          best = G_MAXUINT;
          patience = PATIENCE;
          continue;
        }
      else
        {
          turn_over (play, first, active);
          continue;
        }
      for (guint i = 0; i < n; i++)
        if (play->bad[i])
          turn_over (play, i, active);
    }
  return FALSE;
}
