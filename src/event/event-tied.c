/* event-tied.c: what rows get of each other's impulses, where others pass these on
 *
 *   W = J M^-1 J^T - J M^-1 B^T (B M^-1 B^T)^-1 B M^-1 J^T,   B: rows of the ties, whose rates stay as they are
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/event-tied.h"

#include "event/event-context.h"

void
ifbam_event_tie (IfbamEventEngine *self, const IfbamRow *rows, guint n, const IfbamRow *ties,
                 guint n_ties, double *w, double *share)
{
  if (n_ties > 0)
    ifbam_reactions_set (&self->play->system, ties, n_ties, self->mobility, self->seat);
  for (guint j = 0; j < n; j++)
    {
      double *own = share + (gsize) j * n_ties;

      for (guint a = 0; a < n_ties; a++)
        own[a] = ifbam_row_product (&ties[a], &rows[j], self->mobility);
      if (n_ties > 0)
        ifbam_reactions_solve (&self->play->system, own, own);
      for (guint i = 0; i < n; i++)
        {
          double sum = ifbam_row_product (&rows[i], &rows[j], self->mobility);

          for (guint a = 0; a < n_ties; a++)
            sum -= ifbam_row_product (&rows[i], &ties[a], self->mobility) * own[a];
          w[(gsize) i * n + j] = sum;
        }
    }
}
