/* sweep-join.c: joins the tables of a sweep's parts
 *
 * Numbers are written as shortest texts that read back exactly, as in the parts; so the table is
 * bitwise that of a single machine. Columns of modes or peaks without values are omitted, and the
 * best variant is found again.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "sweep/sweep-join.h"

#include <math.h>
#include <string.h>

#include "base/ifbam-error.h"
#include "file/file.h"

#define BEST "best"

typedef struct
{
  const IfbamCsvTable *table; /* of all parts */
  guint n_varied;             /* number of columns of varied parameters, which are first */
  int best;                   /* column that determines the best variant, or -1 */
  gboolean highest;
  gsize best_row; /* G_MAXSIZE: none */
} Join;

static gboolean
refuse (GError **error, int code, char *text)
{
  g_set_error_literal (error, IFBAM_ERROR, code, text);
  g_free (text);
  return FALSE;
}

/* TRUE for modes and peaks of a spectrum: a variant may have fewer than columns. */
static gboolean
is_optional (const char *name)
{
  return g_str_has_prefix (name, "frequencies:") || g_str_has_prefix (name, "damping:")
         || g_str_has_prefix (name, "spectrum:");
}

static IfbamCsvTable *
read_parts (const char *const *paths, GError **error)
{
  g_autoptr (IfbamCsvTable) table = ifbam_csv_table_new_from_csv (paths[0], error);
  gboolean fine = table != NULL;

  for (guint i = 1; fine && paths[i] != NULL; i++)
    fine = ifbam_csv_table_read_rows (table, paths[i], error);
  return fine ? g_steal_pointer (&table) : NULL;
}

/* Checks that each combination of varied values has one row, in the order of the grid. */
static gboolean
check_order (const Join *join, GError **error)
{
  const IfbamCsvTable *table = join->table;
  gsize stride = 1;

  for (guint k = join->n_varied; k-- > 0;)
    {
      g_autoptr (GHashTable) places = g_hash_table_new (g_double_hash, g_double_equal);
      g_autofree gsize *place = g_new (gsize, table->n_rows + 1);
      gsize n = 0;

      for (gsize row = 0; row < table->n_rows; row++)
        {
          const double *value = &g_array_index (table->values, double, row * table->names->len + k);
          const gsize known = GPOINTER_TO_SIZE (g_hash_table_lookup (places, value));

          if (known == 0)
            g_hash_table_insert (places, (gpointer) value, GSIZE_TO_POINTER (++n));
          place[row] = known == 0 ? n - 1 : known - 1;
        }
      for (gsize row = 0; row < table->n_rows; row++)
        if (place[row] != row / stride % n)
          return refuse (
              error, IFBAM_ERROR_COURSE,
              g_strdup_printf ("--join: row %" G_GSIZE_FORMAT " has another %s than the "
                               "variant that comes there: a part is missing, is given twice, "
                               "or in another order (want all of them, from 1/N to N/N)",
                               row + 1, (char *) table->names->pdata[k]));
      stride *= n;
    }
  return stride == table->n_rows
         || refuse (error, IFBAM_ERROR_COURSE,
                    g_strdup_printf ("--join: %" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT
                                     " variants are there: a part is missing, or not finished",
                                     table->n_rows, stride));
}

static gboolean
find_best (Join *join, const char *best, GError **error)
{
  const IfbamCsvTable *table = join->table;
  const gboolean marked = ifbam_csv_table_column (table, BEST) >= 0;
  double most = NAN;

  join->best = -1;
  join->best_row = G_MAXSIZE;
  if (best == NULL)
    return !marked
           || refuse (error, IFBAM_ERROR_USAGE,
                      g_strdup ("--join: each part has its own best variant (give --best again, "
                                "for the best of all)"));
  join->highest = g_str_has_prefix (best, "max:");
  if (join->highest || g_str_has_prefix (best, "min:"))
    join->best = ifbam_csv_table_column (table, best + 4);
  if (join->best < 0)
    return refuse (error, IFBAM_ERROR_USAGE,
                   g_strdup_printf ("--best %s: want min:COLUMN or max:COLUMN of the parts", best));
  for (gsize row = 0; row < table->n_rows; row++)
    {
      const double value = ifbam_csv_table_value (table, row, (guint) join->best);

      if (value != value || (most == most && (join->highest ? value <= most : value >= most)))
        continue;
      most = value;
      join->best_row = row;
    }
  return TRUE;
}

/* TRUE if the joined table has a column: an optional one needs a value in some row. */
static gboolean
is_used (const IfbamCsvTable *table, guint column)
{
  const char *name = table->names->pdata[column];
  gboolean used = !is_optional (name) && !g_str_equal (name, BEST);

  for (gsize row = 0; row < table->n_rows && is_optional (name) && !used; row++)
    used = !isnan (ifbam_csv_table_value (table, row, column));
  return used;
}

/* Writes the used columns, and the mark of the best row. */
static GString *
write_whole (const Join *join)
{
  const IfbamCsvTable *table = join->table;
  g_autoptr (IfbamCsvTable) whole = ifbam_csv_table_new (g_ptr_array_new_with_free_func (g_free));
  g_autoptr (GArray) used = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint c = 0; c < table->names->len; c++)
    if (is_used (table, c))
      {
        g_array_append_val (used, c);
        g_ptr_array_add (whole->names, g_strdup (table->names->pdata[c]));
      }
  if (join->best >= 0)
    g_ptr_array_add (whole->names, g_strdup (BEST));
  for (whole->n_rows = 0; whole->n_rows < table->n_rows; whole->n_rows++)
    {
      const double mark = whole->n_rows == join->best_row;

      for (guint i = 0; i < used->len; i++)
        {
          const double value =
              ifbam_csv_table_value (table, whole->n_rows, g_array_index (used, guint, i));

          g_array_append_val (whole->values, value);
        }
      if (join->best >= 0)
        g_array_append_val (whole->values, mark);
    }
  return ifbam_csv_table_text (whole, TRUE);
}

GString *
ifbam_sweep_join (const char *const *paths, const char *best, GError **error)
{
  g_autoptr (IfbamCsvTable) table = read_parts (paths, error);
  Join join = { .table = table };

  if (table == NULL)
    return NULL;
  /* Names of measured quantities have a colon. */
  while (join.n_varied < table->names->len
         && strchr (table->names->pdata[join.n_varied], ':') == NULL)
    join.n_varied++;
  return check_order (&join, error) && find_best (&join, best, error) ? write_whole (&join) : NULL;
}
