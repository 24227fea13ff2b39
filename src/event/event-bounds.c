/* event-bounds.c: which rows act, each only as far as it pushes
 *
 * Linear complementarity problems are solved by block pivoting with Murty's rule as the net (Judice &
 * Pires 1994; Murty 1974).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/event-bounds.h"

#include "event/event-play.h"
#include "event/event-tell.h"

static void
reserve_rows (IfbamPlay *self, guint n)
{
  if (n <= self->rows_reserved)
    return;
  self->rows_reserved = MAX (n, 2 * self->rows_reserved);
  self->rest = g_renew (double, self->rest, self->rows_reserved);
  self->bad = g_renew (guint8, self->bad, self->rows_reserved);
}

gboolean
ifbam_event_complementarity (IfbamEventEngine *self, double time, const IfbamRow *rows, guint n,
                             const double *rhs, const gboolean *bilateral, double stop,
                             const double *start, guint8 *active, double *lambda)
{
  IFBAM_LIST (IfbamRow, acting, n);
  IFBAM_LIST (guint, place, n);
  IFBAM_LIST (double, b, n);
  IfbamPlay *play = self->play;
  double *change = play->change;
  guint best = G_MAXUINT, patience = 5;

  reserve_rows (play, n);
  for (guint turn = 0; turn < self->limits.pivots && ifbam_event_goes_on (self, time, n); turn++)
    {
      guint m = 0, bad = 0, first = n;

      for (guint i = 0; i < n; i++)
        {
          lambda[i] = 0;
          for (guint e = 0; e < rows[i].n_ports; e++)
            change[rows[i].node[e]] = 0;
          if (!active[i] && !bilateral[i])
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
                acting[k].row[e] * b[k] * self->mobility[acting[k].node[e]];
        }
      for (guint i = 0; i < n; i++)
        {
          double weight = 0, rest = rhs[i];

          for (guint e = 0; e < rows[i].n_ports; e++)
            {
              weight += rows[i].row[e] * rows[i].row[e] * self->mobility[rows[i].node[e]];
              rest -= rows[i].row[e] * change[rows[i].node[e]];
            }
          play->rest[i] = rest;
          play->bad[i] = !bilateral[i] && (active[i] ? lambda[i] * weight < stop : rest > start[i]);
          bad += play->bad[i];
          if (play->bad[i] && first == n)
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
        if (play->bad[i])
          active[i] = !active[i];
    }
  return FALSE;
}
