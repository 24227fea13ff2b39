/* grid.c: measured values of all variants on a grid of parameter values
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "file/grid.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/number-text.h"

static void
axis_clear (gpointer data)
{
  IfbamGridAxis *axis = data;

  g_free (axis->name);
  g_free (axis->unit);
  g_free (axis->title);
  g_free (axis->values);
}

static void
array_clear (gpointer data)
{
  IfbamGridArray *array = data;

  g_free (array->name);
  g_free (array->unit);
}

IfbamGrid *
ifbam_grid_new (void)
{
  IfbamGrid *grid = g_new0 (IfbamGrid, 1);

  grid->axes = g_array_new (FALSE, FALSE, sizeof (IfbamGridAxis));
  g_array_set_clear_func (grid->axes, axis_clear);
  grid->arrays = g_array_new (FALSE, FALSE, sizeof (IfbamGridArray));
  g_array_set_clear_func (grid->arrays, array_clear);
  grid->columns = g_ptr_array_new_with_free_func (g_free);
  grid->best = -1;
  return grid;
}

void
ifbam_grid_free (IfbamGrid *grid)
{
  if (grid == NULL)
    return;
  g_array_unref (grid->axes);
  g_array_unref (grid->arrays);
  g_ptr_array_unref (grid->columns);
  g_free (grid->state);
  g_free (grid->instant);
  g_free (grid->values);
  g_free (grid);
}

void
ifbam_grid_add_axis (IfbamGrid *grid, const char *name, const char *unit, const char *title,
                     const double *values, gsize n)
{
  const IfbamGridAxis axis = { g_strdup (name), g_strdup (unit), g_strdup (title),
                               g_memdup2 (values, n * sizeof *values), n };

  g_array_append_val (grid->axes, axis);
}

void
ifbam_grid_add_array (IfbamGrid *grid, const char *name, const char *unit, const char *axis,
                      gboolean optional, const char *const *columns, guint n)
{
  const IfbamGridArray array = {
    g_strdup (name), g_strdup (unit), axis, grid->n_values, n, optional
  };

  g_array_append_val (grid->arrays, array);
  for (guint i = 0; i < n; i++)
    g_ptr_array_add (grid->columns, g_strdup (columns[i]));
  grid->n_values += n;
}

/* Returns the number of variants before a part; sizes of parts differ by at most one. */
static guint64
share_of (guint64 n, guint64 part, guint64 n_parts)
{
  return n / n_parts * part + MIN (part, n % n_parts);
}

void
ifbam_grid_make_room (IfbamGrid *grid, guint64 part, guint64 n_parts)
{
  grid->n = 1;
  for (guint k = 0; k < grid->axes->len; k++)
    grid->n *= g_array_index (grid->axes, IfbamGridAxis, k).n;
  grid->is_part = n_parts > 0;
  if (grid->is_part)
    {
      const guint64 all = grid->n;

      grid->first = share_of (all, part, n_parts);
      grid->n = share_of (all, part + 1, n_parts) - grid->first;
    }
  grid->state = g_new0 (guint8, grid->n);
  grid->instant = g_new0 (double, grid->n);
  grid->values = g_new (double, grid->n * grid->n_values + 1);
  for (guint64 i = 0; i < grid->n * grid->n_values; i++)
    grid->values[i] = NAN;
}

void
ifbam_grid_indices (const IfbamGrid *grid, guint64 variant, gsize *index)
{
  variant += grid->first;
  for (guint k = grid->axes->len; k-- > 0;)
    {
      const gsize n = g_array_index (grid->axes, IfbamGridAxis, k).n;

      index[k] = (gsize) (variant % n);
      variant /= n;
    }
}

gboolean
ifbam_grid_is_like (const IfbamGrid *grid, const IfbamGrid *other)
{
  gboolean like = grid->axes->len == other->axes->len && grid->n_values == other->n_values
                  && grid->is_run == other->is_run;

  for (guint k = 0; k < grid->axes->len && like; k++)
    {
      const IfbamGridAxis *one = &g_array_index (grid->axes, IfbamGridAxis, k),
                          *two = &g_array_index (other->axes, IfbamGridAxis, k);

      like = g_str_equal (one->name, two->name) && one->n == two->n
             && memcmp (one->values, two->values, one->n * sizeof *one->values) == 0;
    }
  for (guint c = 0; c < grid->n_values && like; c++)
    like = g_str_equal (grid->columns->pdata[c], other->columns->pdata[c]);
  return like;
}

char *
ifbam_grid_describe (const IfbamGrid *grid, guint64 variant)
{
  g_autofree gsize *index = g_new (gsize, grid->axes->len);
  GString *text = g_string_new (NULL);

  ifbam_grid_indices (grid, variant, index);
  for (guint k = 0; k < grid->axes->len; k++)
    {
      const IfbamGridAxis *axis = &g_array_index (grid->axes, IfbamGridAxis, k);

      g_string_append_printf (text, "%s%s = %s%s%s", k > 0 ? ", " : "", axis->name,
                              IFBAM_NUMBER (axis->values[index[k]]), *axis->unit == '\0' ? "" : " ",
                              axis->unit);
    }
  return g_string_free (text, FALSE);
}

guint64
ifbam_grid_count (const IfbamGrid *grid, gboolean diverged_only)
{
  guint64 n = 0;

  for (guint64 v = 0; v < grid->n; v++)
    n += diverged_only ? grid->state[v] == IFBAM_VARIANT_DIVERGED
                       : grid->state[v] != IFBAM_VARIANT_OPEN;
  return n;
}

gboolean
ifbam_grid_set_best (IfbamGrid *grid, const char *text, GError **error)
{
  const gboolean highest = g_str_has_prefix (text, "max:");
  const char *first = grid->columns->pdata[0];

  if (!highest && !g_str_has_prefix (text, "min:"))
    return ifbam_fail (error, IFBAM_ERROR_USAGE,
                       "--best %s: want min:COLUMN or max:COLUMN, such as min:%s", text, first);
  for (guint c = 0; c < grid->columns->len; c++)
    if (g_str_equal (grid->columns->pdata[c], text + 4))
      {
        grid->best = (int) c;
        grid->highest = highest;
        return TRUE;
      }
  return ifbam_fail (error, IFBAM_ERROR_USAGE,
                     "--best %s: \"%s\" is not measured (want a column such as %s)", text, text + 4,
                     first);
}

gboolean
ifbam_grid_find_best (const IfbamGrid *grid, guint64 *variant)
{
  double best = NAN;

  for (guint64 v = 0; v < grid->n && grid->best >= 0; v++)
    {
      const double value = grid->values[v * grid->n_values + (guint) grid->best];

      if (grid->state[v] != IFBAM_VARIANT_DONE || isnan (value)
          || (!isnan (best) && (grid->highest ? value <= best : value >= best)))
        continue;
      best = value;
      *variant = v;
    }
  return !isnan (best);
}
