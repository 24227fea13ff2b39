/* element-table.c: two lists of an element as a table for its law
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "element/element-table.h"
#include "base/number-text.h"

#include <math.h>
#include <string.h>

#include "element/event-times.h"

/* Sets the areas so that the integral is 0 at x. Works outward from x, so that rounding in far
 * pieces does not reach near ones. */
static void
integrate_from (const IfbamTable *table, IfbamTablePiece *piece, double x)
{
  const gsize here = ifbam_table_piece (table, x);

  for (gsize k = 0; k + 1 < table->n; k++)
    piece[k].area = 0;
  piece[here].area -= ifbam_table_area_on_piece (table, here, x);
  for (gsize k = here; k > 0; k--)
    piece[k - 1].area += ifbam_table_area_on_piece (table, k, table->x[k])
                         - ifbam_table_area_on_piece (table, k - 1, table->x[k]);
  for (gsize k = here + 1; k + 1 < table->n; k++)
    piece[k].area += ifbam_table_area_on_piece (table, k - 1, table->x[k])
                     - ifbam_table_area_on_piece (table, k, table->x[k]);
}

/* Returns the position of the integral's minimum: a point, or the zero of a rising piece; 0 if the
 * integral falls beyond an end. */
static double
find_minimum (const IfbamTable *table)
{
  const gsize last = table->n - 2;
  double lowest = table->x[0], least = INFINITY;

  if (table->piece[0].rise < 0 || (table->piece[0].rise == 0 && table->piece[0].level > 0)
      || table->piece[last].rise < 0
      || (table->piece[last].rise == 0 && table->piece[last].level < 0))
    return 0.0;
  for (gsize k = 0; k <= last; k++)
    {
      const IfbamTablePiece *piece = &table->piece[k];
      const double zero = piece->rise > 0 ? piece->origin - piece->level / piece->rise : -INFINITY;
      const double position = fmin (k > 0 || piece->rise == 0 ? fmax (zero, table->x[k]) : zero,
                                    k < last ? table->x[k + 1] : INFINITY);
      const double low = ifbam_table_area_on_piece (table, k, position);

      if (low < least)
        {
          least = low;
          lowest = position;
        }
    }
  return lowest;
}

static void
set_piece (IfbamTablePiece *piece, const double *x, const double *y)
{
  const int near = fabs (y[0]) <= fabs (y[1]) ? 0 : 1;

  piece->origin = x[near];
  piece->level = y[near];
  piece->rise = (y[1] - y[0]) / (x[1] - x[0]);
  if ((y[0] < 0 && y[1] > 0) || (y[0] > 0 && y[1] < 0))
    {
      piece->origin = x[0] - y[0] / piece->rise;
      piece->level = 0.0;
    }
}

IfbamTable *
ifbam_element_table_new (const IfbamElement *element, guint x_slot, guint y_slot)
{
  static const double nothing[2] = { 0.0, 0.0 };
  gsize n_x, n_y, n;
  const double *x = ifbam_element_list (element, x_slot, &n_x),
               *y = ifbam_element_list (element, y_slot, &n_y);
  IfbamTable *table = g_new (IfbamTable, 1);
  IfbamTablePiece *piece;

  n = MIN (n_x, n_y);
  if (n < 2)
    {
      n = 2;
      x = y = nothing;
    }
  piece = g_new0 (IfbamTablePiece, n - 1);
  *table = (IfbamTable){ n, g_memdup2 (x, n * sizeof (double)), piece };
  for (gsize k = 0; k + 1 < n; k++)
    set_piece (&piece[k], x + k, y + k);
  integrate_from (table, piece, 0.0);
  integrate_from (table, piece, find_minimum (table));
  return table;
}

void
ifbam_element_table_free (gpointer data)
{
  IfbamTable *table = data;

  g_free ((gpointer) table->x);
  g_free ((gpointer) table->piece);
  g_free (table);
}

char *
ifbam_element_table_fault (IfbamElement *element, const char *x_key, const char *y_key,
                           const char **key)
{
  const IfbamParam *params = element->info->params;
  const guint x_slot = (guint) params[ifbam_element_param_index (element->info, x_key)].offset;
  const guint y_slot = (guint) params[ifbam_element_param_index (element->info, y_key)].offset;
  gsize n_x, n_y;
  const double *x = ifbam_element_list (element, x_slot, &n_x),
               *y = ifbam_element_list (element, y_slot, &n_y);

  if (x == NULL || y == NULL)
    return NULL;
  *key = x_key;
  if (n_x != n_y)
    {
      *key = y_key;
      return g_strdup_printf ("%" G_GSIZE_FORMAT " numbers, but %" G_GSIZE_FORMAT
                              " of %s (each point has one of both)",
                              n_y, n_x, x_key);
    }
  if (n_x < 2)
    return g_strdup ("one point gives no line (want two or more)");
  for (gsize i = 0; i + 1 < n_x; i++)
    {
      if (!(x[i + 1] > x[i]))
        return g_strdup_printf ("%s follows %s (want numbers that increase)",
                                IFBAM_NUMBER (x[i + 1]), IFBAM_NUMBER (x[i]));
      if (!isfinite ((y[i + 1] - y[i]) / (x[i + 1] - x[i])))
        return g_strdup_printf ("the step from %s to %s is too steep for a number",
                                IFBAM_NUMBER (x[i]), IFBAM_NUMBER (x[i + 1]));
    }
  return NULL;
}
