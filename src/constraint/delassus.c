/* delassus.c: inverse masses of constraint rows, with bilateral constraints eliminated
 *
 *   W = J M^-1 J^T - J M^-1 B^T (B M^-1 B^T)^-1 B M^-1 J^T,   B: rows of the ties (constant rates)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "constraint/delassus.h"

void
ifbam_delassus_eliminate (IfbamConstraintSystem *system, const IfbamConstraintRow *rows, guint n,
                          const IfbamConstraintRow *ties, guint n_ties, const double *inverse_mass,
                          guint32 *node_scratch, double *w, double *share)
{
  if (n_ties > 0)
    ifbam_constraint_system_set (system, ties, n_ties, inverse_mass, node_scratch);
  for (guint j = 0; j < n; j++)
    {
      double *own = share + (gsize) j * n_ties;

      for (guint a = 0; a < n_ties; a++)
        own[a] = ifbam_row_product (&ties[a], &rows[j], inverse_mass);
      if (n_ties > 0)
        ifbam_constraint_system_solve (system, own, own);
      for (guint i = 0; i < n; i++)
        {
          double sum = ifbam_row_product (&rows[i], &rows[j], inverse_mass);

          for (guint a = 0; a < n_ties; a++)
            sum -= ifbam_row_product (&rows[i], &ties[a], inverse_mass) * own[a];
          w[(gsize) i * n + j] = sum;
        }
    }
}
