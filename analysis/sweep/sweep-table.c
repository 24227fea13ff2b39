/* sweep-table.c: finished variants of a sweep as CSV, and resuming from them
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "sweep/sweep-table.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/number-text.h"
#include "file/file.h"

/* Finished variants that are repeated before a sweep is resumed. */
#define PROBES 8
/* Relative tolerance: rounding of eigenvalues differs between machines. */
#define TOLERANCE 1e-9

#define DIVERGED "diverged"
#define BEST     "best"

/* Finds the columns of a table: optional ones without values are omitted, except in a part, which
 * has the columns of the other parts. */
static gboolean *
find_columns (const IfbamGrid *grid)
{
  gboolean *used = g_new0 (gboolean, grid->n_values + 1);

  for (guint64 v = 0; v < grid->n; v++)
    for (guint c = 0; c < grid->n_values && grid->state[v] != IFBAM_VARIANT_OPEN; c++)
      used[c] |= !isnan (grid->values[v * grid->n_values + c]);
  for (guint i = 0; i < grid->arrays->len; i++)
    {
      const IfbamGridArray *array = &g_array_index (grid->arrays, IfbamGridArray, i);

      for (guint c = 0; c < array->n; c++)
        used[array->first + c] |= grid->is_part || !array->optional;
    }
  return used;
}

static GPtrArray *
list_names (const IfbamGrid *grid, const gboolean *used)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);

  for (guint k = 0; k < grid->axes->len; k++)
    g_ptr_array_add (names, g_strdup (g_array_index (grid->axes, IfbamGridAxis, k).title));
  for (guint c = 0; c < grid->n_values; c++)
    if (used[c])
      g_ptr_array_add (names, g_strdup (grid->columns->pdata[c]));
  if (grid->is_run)
    g_ptr_array_add (names, g_strdup (DIVERGED));
  if (grid->best >= 0)
    g_ptr_array_add (names, g_strdup (BEST));
  return names;
}

/* Writes one value per name. */
static void
fill_row (const IfbamGrid *grid, const gboolean *used, guint64 best, guint64 v, gsize *index,
          double *row)
{
  ifbam_grid_indices (grid, v, index);
  for (guint k = 0; k < grid->axes->len; k++)
    *row++ = g_array_index (grid->axes, IfbamGridAxis, k).values[index[k]];
  for (guint c = 0; c < grid->n_values; c++)
    if (used[c])
      *row++ = grid->values[v * grid->n_values + c];
  if (grid->is_run)
    *row++ = grid->state[v] == IFBAM_VARIANT_DONE ? NAN : grid->instant[v];
  if (grid->best >= 0)
    *row = best == v;
}

IfbamCsvTable *
ifbam_sweep_to_table (const IfbamGrid *grid)
{
  guint64 best = G_MAXUINT64;
  g_autofree gboolean *used = find_columns (grid);
  IfbamCsvTable *table = ifbam_csv_table_new (list_names (grid, used));
  g_autofree gsize *index = g_new (gsize, grid->axes->len);
  g_autofree double *row = NULL;

  ifbam_grid_find_best (grid, &best);
  row = g_new (double, table->names->len);
  for (guint64 v = 0; v < grid->n; v++)
    if (grid->state[v] != IFBAM_VARIANT_OPEN)
      {
        fill_row (grid, used, best, v, index, row);
        g_array_append_vals (table->values, row, table->names->len);
        table->n_rows++;
      }
  return table;
}

IfbamCsvTable *
ifbam_sweep_table_from_file (const char *path, GError **error)
{
  g_autoptr (IfbamGrid) grid = NULL;

  if (!ifbam_hdf5_is_file (path))
    return ifbam_csv_table_new_from_csv (path, error);
  grid = ifbam_grid_read (path, FALSE, NULL, error);
  return grid == NULL ? NULL : ifbam_sweep_to_table (grid);
}

GString *
ifbam_sweep_to_csv (const IfbamGrid *grid)
{
  g_autoptr (IfbamCsvTable) table = ifbam_sweep_to_table (grid);

  /* Parts are joined: the first has the header. */
  return ifbam_csv_table_text (table, grid->first == 0);
}

/* Resuming */

typedef struct
{
  IfbamSweep *sweep;
  const IfbamCsvTable *table;
  const char *path;
  GHashTable **places; /* of each variation: value -> index + 1 */
  int *columns;        /* index of a table's column among the values; -1: none (names) */
  int diverged;        /* its column, or -1 */
} Resumption;

static gboolean fail_other_sweep (const Resumption *r, GError **error, const char *format, ...)
    G_GNUC_PRINTF (3, 4);

static gboolean
fail_other_sweep (const Resumption *r, GError **error, const char *format, ...)
{
  g_autofree char *fault = NULL;
  va_list arguments;

  va_start (arguments, format);
  fault = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  return ifbam_fail (
      error, IFBAM_ERROR_COURSE,
      "%s is of another sweep: %s (name another file, or leave out --resume to begin anew)",
      r->path, fault);
}

static gboolean
match_columns (Resumption *r, GError **error)
{
  const IfbamSweep *sweep = r->sweep;
  const guint n_varied = sweep->variations->len;

  for (guint k = 0; k < n_varied; k++)
    {
      const IfbamVariation *variation = sweep->variations->pdata[k];

      if (k >= r->table->names->len
          || (!g_str_equal (r->table->names->pdata[k], variation->title)
              && !g_str_equal (r->table->names->pdata[k], variation->name)))
        return fail_other_sweep (r, error, "its column %u is \"%s\", not \"%s\"", k + 1,
                                 k < r->table->names->len ? (char *) r->table->names->pdata[k] : "",
                                 variation->name);
    }
  r->diverged = -1;
  for (guint i = n_varied; i < r->table->names->len; i++)
    {
      const char *name = r->table->names->pdata[i];
      guint c;

      r->columns[i] = -1;
      for (c = 0; c < sweep->grid->n_values; c++)
        if (g_str_equal (name, sweep->grid->columns->pdata[c]))
          break;
      if (c < sweep->grid->n_values)
        r->columns[i] = (int) c;
      else if (sweep->grid->is_run && g_str_equal (name, DIVERGED))
        r->diverged = (int) i;
      else if (!g_str_equal (name, BEST))
        return fail_other_sweep (r, error, "it has a column \"%s\", which is not measured", name);
    }
  for (guint i = 0; i < sweep->grid->arrays->len; i++)
    {
      const IfbamGridArray *array = &g_array_index (sweep->grid->arrays, IfbamGridArray, i);

      if (!array->optional && ifbam_csv_table_column (r->table, array->name) < 0)
        return fail_other_sweep (r, error, "it has no column \"%s\"", array->name);
    }
  if (sweep->grid->is_run && r->diverged < 0)
    return fail_other_sweep (r, error, "it has no column \"" DIVERGED "\"");
  return TRUE;
}

static gboolean
find_variant (const Resumption *r, gsize row, guint64 *variant, GError **error)
{
  *variant = 0;
  for (guint k = 0; k < r->sweep->variations->len; k++)
    {
      const IfbamVariation *variation = r->sweep->variations->pdata[k];
      const double value = ifbam_csv_table_value (r->table, row, k);
      const gsize place = GPOINTER_TO_SIZE (g_hash_table_lookup (r->places[k], &value));

      if (place == 0)
        return fail_other_sweep (r, error, "%s = %s is not varied", variation->name,
                                 IFBAM_NUMBER (value));
      *variant = *variant * variation->n + (place - 1);
    }
  *variant -= r->sweep->grid->first;
  if (*variant >= r->sweep->grid->n)
    return fail_other_sweep (r, error, "a variant of it is of another part");
  return TRUE;
}

static gboolean
take_rows (const Resumption *r, GError **error)
{
  IfbamSweep *sweep = r->sweep;

  for (gsize row = 0; row < r->table->n_rows; row++)
    {
      guint64 v;
      double instant;

      if (!find_variant (r, row, &v, error))
        return FALSE;
      instant = r->diverged < 0 ? NAN : ifbam_csv_table_value (r->table, row, (guint) r->diverged);
      sweep->grid->state[v] = isnan (instant) ? IFBAM_VARIANT_DONE : IFBAM_VARIANT_DIVERGED;
      sweep->grid->instant[v] = instant;
      for (guint c = 0; c < sweep->grid->n_values; c++)
        sweep->grid->values[v * sweep->grid->n_values + c] = NAN;
      for (guint i = sweep->variations->len; i < r->table->names->len; i++)
        if (r->columns[i] >= 0)
          sweep->grid->values[v * sweep->grid->n_values + (guint) r->columns[i]] =
              ifbam_csv_table_value (r->table, row, i);
    }
  return TRUE;
}

static gboolean
is_near (double a, double b, double scale)
{
  return (isnan (a) && isnan (b)) || fabs (a - b) <= TOLERANCE * scale;
}

static gboolean
is_same (double a, double b)
{
  return is_near (a, b, MAX (fabs (a), fabs (b)));
}

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  const double one = *(const double *) a, other = *(const double *) b;

  if (isnan (one) || isnan (other))
    return isnan (one) - isnan (other);
  return (one > other) - (one < other);
}

static gboolean
is_of_mode (const IfbamGrid *grid, guint column)
{
  for (guint i = 0; i < grid->arrays->len; i++)
    {
      const IfbamGridArray *array = &g_array_index (grid->arrays, IfbamGridArray, i);

      if (column >= array->first && column - array->first < array->n)
        return g_strcmp0 (array->axis, "mode") == 0;
    }
  return FALSE;
}

/* Returns values with sorted modes: columns would depend on neighbours (transfer full). */
static double *
copy_sorted (const IfbamGrid *grid, const double *values)
{
  double *copy = g_memdup2 (values, grid->n_values * sizeof *copy);

  for (guint i = 0; i < grid->arrays->len; i++)
    {
      const IfbamGridArray *array = &g_array_index (grid->arrays, IfbamGridArray, i);

      if (g_strcmp0 (array->axis, "mode") == 0)
        qsort (copy + array->first, array->n, sizeof (double), compare_numbers);
    }
  return copy;
}

/* Repeats some of the finished variants. */
static gboolean
verify (const Resumption *r, const IfbamSweepRun *run, GError **error)
{
  IfbamSweep *sweep = r->sweep;
  const gsize width = sweep->grid->n_values;
  const guint64 finished = ifbam_grid_count (sweep->grid, FALSE);
  const guint64 n = MIN (finished, sweep->large || run->one_by_one ? 1 : PROBES);
  g_autofree guint64 *list = g_new (guint64, n + 1);
  g_autofree double *values = g_new (double, n *width + 1), *instants = g_new (double, n + 1);
  g_autofree guint8 *states = g_new (guint8, n + 1);
  guint64 seen = 0, chosen = 0;

  for (guint64 v = 0; v < sweep->grid->n && chosen < n; v++)
    {
      if (sweep->grid->state[v] == IFBAM_VARIANT_OPEN || seen++ != chosen * finished / n)
        continue;
      memcpy (values + chosen * width, sweep->grid->values + v * width, width * sizeof *values);
      states[chosen] = sweep->grid->state[v];
      instants[chosen] = sweep->grid->instant[v];
      list[chosen++] = v;
    }
  if (!ifbam_sweep_run_list (sweep, run, list, n, error))
    return FALSE;
  for (guint64 i = 0; i < n; i++)
    {
      g_autofree char *which = ifbam_grid_describe (sweep->grid, list[i]);
      double *place = sweep->grid->values + list[i] * width;
      g_autofree double *now = copy_sorted (sweep->grid, place);
      g_autofree double *then = copy_sorted (sweep->grid, values + i * width);

      if (states[i] != sweep->grid->state[list[i]]
          || (states[i] == IFBAM_VARIANT_DIVERGED
              && !is_same (instants[i], sweep->grid->instant[list[i]])))
        return fail_other_sweep (r, error, "with %s this one %s", which,
                                 sweep->grid->state[list[i]] == IFBAM_VARIANT_DIVERGED
                                     ? "diverges, at another instant at least"
                                     : "does not diverge");
      for (guint c = 0; c < width && states[i] == IFBAM_VARIANT_DONE; c++)
        if (!is_same (then[c], now[c])
            && !(is_of_mode (sweep->grid, c) && is_near (then[c], now[c], 1)))
          return fail_other_sweep (r, error, "with %s its %s is %s, and %s here", which,
                                   (char *) sweep->grid->columns->pdata[c], IFBAM_NUMBER (then[c]),
                                   IFBAM_NUMBER (now[c]));
      memcpy (place, values + i * width, width * sizeof *values);
      if (sweep->tracks != NULL)
        g_clear_pointer (&sweep->tracks[list[i]], ifbam_mode_track_free);
    }
  return TRUE;
}

gboolean
ifbam_sweep_resume (IfbamSweep *sweep, const IfbamSweepRun *run, const char *path, GError **error)
{
  g_autofree gboolean *used = find_columns (sweep->grid);
  g_autoptr (IfbamCsvTable) table = sweep->grid->first == 0
                                        ? ifbam_csv_table_new_from_csv (path, error)
                                        : ifbam_csv_table_new (list_names (sweep->grid, used));
  Resumption r = { .sweep = sweep, .table = table, .path = path };
  gboolean fine;

  if (table == NULL || (sweep->grid->first > 0 && !ifbam_csv_table_read_rows (table, path, error)))
    return FALSE;
  r.columns = g_new0 (int, table->names->len + 1);
  r.places = g_new0 (GHashTable *, sweep->variations->len + 1);
  for (guint k = 0; k < sweep->variations->len; k++)
    {
      const IfbamVariation *variation = sweep->variations->pdata[k];

      r.places[k] = g_hash_table_new (g_double_hash, g_double_equal);
      for (gsize i = 0; i < variation->n; i++)
        g_hash_table_insert (r.places[k], &variation->values[i], GSIZE_TO_POINTER (i + 1));
    }
  fine = match_columns (&r, error) && take_rows (&r, error) && verify (&r, run, error);
  for (guint k = 0; k < sweep->variations->len; k++)
    g_hash_table_unref (r.places[k]);
  g_free (r.places);
  g_free (r.columns);
  return fine;
}
