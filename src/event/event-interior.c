/* event-interior.c: an interior point says which rows act, where blocks of them go to and fro
 *
 * As in heaps, in which loads can go by many ways (Mehrotra 1992, On the implementation of a primal-dual interior point
 * method): some twenty systems of one pattern, however many rows there are.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/event-interior.h"

#include "event/event-context.h"
#include "event/event-log.h"

/* It is near enough when the product of push and rest has fallen to this part; where rows give way, to this one: what they
 * give is then far above what is left. */
#define END        1e-16
#define SOFT_END   1e-22
#define MOST_TURNS 60

/* Of the way to the border it goes so much. */
#define STRIDE 0.99

void
ifbam_event_multiply (IfbamEventEngine *self, const IfbamBound *bounds, guint n, const double *p,
                      double *product)
{
  double *change = self->play->change;

  for (guint i = 0; i < n; i++)
    for (guint e = 0; e < bounds[i].row.n_ports; e++)
      change[bounds[i].row.node[e]] = 0;
  for (guint i = 0; i < n; i++)
    for (guint e = 0; e < bounds[i].row.n_ports; e++)
      change[bounds[i].row.node[e]] +=
          bounds[i].row.pull[e] * p[i] * self->mobility[bounds[i].row.node[e]];
  for (guint i = 0; i < n; i++)
    {
      product[i] = 0;
      for (guint e = 0; e < bounds[i].row.n_ports; e++)
        product[i] += bounds[i].row.row[e] * change[bounds[i].row.node[e]];
    }
}

/* What a row gets by its own pull. */
static double
weight_of (const IfbamEventEngine *self, const IfbamRow *row)
{
  double sum = 0;

  for (guint e = 0; e < row->n_ports; e++)
    sum += row->row[e] * row->pull[e] * self->mobility[row->node[e]];
  return sum;
}

/* How far one may go until a push or rest vanishes. */
static double
longest (const IfbamBound *bounds, guint n, const double *push, const double *push_step,
         const double *rest, const double *rest_step)
{
  double length = 1 / STRIDE;

  for (guint i = 0; i < n; i++)
    if (!bounds[i].bilateral)
      {
        if (push_step[i] < 0)
          length = MIN (length, -push[i] / push_step[i]);
        if (rest_step[i] < 0)
          length = MIN (length, -rest[i] / rest_step[i]);
      }
  return length;
}

static void
add_soft (IfbamReactions *all, const IfbamSoft *soft, guint n)
{
  double *value = ifbam_solver_values (all->solver);

  for (guint i = 0; i < n; i++)
    for (guint32 k = all->start[i]; k < all->start[i + 1]; k++)
      if (all->column[k] == i)
        value[k] += soft[i].own;
      else if (all->column[k] == soft[i].twin)
        value[k] += soft[i].other;
}

/* How far a row gives way. */
static double
given (const IfbamSoft *soft, const double *push, guint i)
{
  return soft[i].own * push[i]
         + (soft[i].twin != IFBAM_NONE ? soft[i].other * push[soft[i].twin] : 0);
}

void
ifbam_event_interior (IfbamEventEngine *self, double time, IfbamBound *bounds, guint n,
                      const IfbamSoft *soft)
{
  g_autofree IfbamRow *rows = g_new (IfbamRow, n);
  g_autofree double *columns = g_new0 (double, 9 * (gsize) n);
  double *push = columns, *rest = push + n, *weight = rest + n, *off = weight + n;
  double *push_step = off + n, *rest_step = push_step + n, *asked = rest_step + n;
  double *shift = asked + n, *target = shift + n;
  IfbamReactions *all = &self->play->all;
  const double end = soft != NULL ? SOFT_END : END;
  double most = 0, product = 0, first;
  guint bounded = 0;

  for (guint i = 0; i < n; i++)
    {
      rows[i] = bounds[i].row;
      weight[i] = weight_of (self, &rows[i]);
      bounded += !bounds[i].bilateral;
      if (weight[i] > 0)
        most = MAX (most, fabs (bounds[i].asked) / sqrt (weight[i]));
    }
  if (!(most > 0) || bounded == 0)
    return;
  ifbam_reactions_set (all, rows, n, self->mobility, self->seat);
  if (soft != NULL)
    add_soft (all, soft, n);
  for (guint i = 0; i < n; i++)
    {
      push[i] = bounds[i].bilateral || !(weight[i] > 0) ? 0 : most / sqrt (weight[i]);
      rest[i] = bounds[i].bilateral ? 0 : most * sqrt (weight[i]);
      product += push[i] * rest[i];
    }
  first = product;
  for (guint turn = 0;
       turn < MOST_TURNS && product > end * first && ifbam_event_goes_on (self, time, n); turn++)
    {
      ifbam_event_multiply (self, bounds, n, push, off);
      for (guint i = 0; i < n; i++)
        {
          if (soft != NULL)
            off[i] += given (soft, push, i);
          off[i] -= bounds[i].asked + rest[i];
          shift[i] =
              bounds[i].bilateral || !(push[i] > 0) ? 1e-12 : rest[i] / (push[i] * weight[i]);
          target[i] = 0;
        }
      ifbam_reactions_shift (all, shift);
      for (guint corrected = 0; corrected < 2; corrected++)
        {
          double length, ahead = 0;

          for (guint i = 0; i < n; i++)
            asked[i] =
                -off[i]
                + (bounds[i].bilateral || !(push[i] > 0) ? 0 : target[i] / push[i] - rest[i]);
          ifbam_solver_solve (all->solver, asked, push_step, 0);
          for (guint i = 0; i < n; i++)
            rest_step[i] = bounds[i].bilateral || !(push[i] > 0)
                               ? 0
                               : (target[i] - rest[i] * push_step[i]) / push[i] - rest[i];
          length = MIN (1, STRIDE * longest (bounds, n, push, push_step, rest, rest_step));
          if (corrected)
            {
              product = 0;
              for (guint i = 0; i < n; i++)
                {
                  push[i] += length * push_step[i];
                  rest[i] += length * rest_step[i];
                  product += bounds[i].bilateral ? 0 : push[i] * rest[i];
                }
              continue;
            }
          for (guint i = 0; i < n; i++)
            if (!bounds[i].bilateral)
              ahead += (push[i] + length * push_step[i]) * (rest[i] + length * rest_step[i]);
          ahead *= (ahead / product) * (ahead / product) / bounded;
          for (guint i = 0; i < n; i++)
            target[i] = ahead - push_step[i] * rest_step[i];
        }
    }
  for (guint i = 0; i < n; i++)
    {
      bounds[i].active = push[i] * (soft != NULL ? soft[i].own : weight[i]) > rest[i];
      bounds[i].lambda = push[i];
      bounds[i].rest = -rest[i];
    }
}
