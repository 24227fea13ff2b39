/* sweep-join.c: the parts of a sweep, which several machines have run, as the table of the whole
 *
 * Numbers are texts here, and stay what they are: so the whole has the bytes that one machine would have written. Columns
 * of modes or peaks that nobody has a value for are left out, and the best is chosen anew.
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
  IfbamCsvTable *table; /* of all parts, for looking at */
  GPtrArray *lines;     /* char *: their rows' texts (not owned) */
  GPtrArray *texts;     /* char *: of the files */
  guint n_varied;
  gboolean *used; /* by column */
  int best;       /* its column of values, or -1 */
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

/* Modes and peaks of a spectrum: a variant may have fewer than there is room. */
static gboolean
is_optional (const char *name)
{
  return g_str_has_prefix (name, "frequencies:") || g_str_has_prefix (name, "damping:")
         || g_str_has_prefix (name, "spectrum:");
}

static gboolean
add_lines (Join *join, const char *path, gboolean first, GError **error)
{
  char *text = NULL;

  if (!g_file_get_contents (path, &text, NULL, error))
    return FALSE;
  g_ptr_array_add (join->texts, text);
  for (char *line = text, *next; line != NULL && *line != '\0'; line = next)
    {
      char *end = strchr (line, '\n');

      next = end == NULL ? NULL : end + 1;
      if (end != NULL)
        *end = '\0';
      g_strchomp (line);
      if (*line != '\0' && !first)
        g_ptr_array_add (join->lines, line);
      first = FALSE;
    }
  return TRUE;
}

static gboolean
read_parts (Join *join, const char *const *paths, GError **error)
{
  for (guint i = 0; paths[i] != NULL; i++)
    {
      g_autoptr (IfbamCsvTable) part =
          i == 0 ? ifbam_csv_table_new_from_csv (paths[i], error)
                 : ifbam_csv_table_new_from_rows (paths[i], join->table->names, error);

      if (part == NULL || !add_lines (join, paths[i], i == 0, error))
        return FALSE;
      if (i == 0)
        {
          join->table = g_steal_pointer (&part);
          continue;
        }
      g_array_append_vals (join->table->values, part->values->data, part->values->len);
      join->table->n_rows += part->n_rows;
    }
  return TRUE;
}

/* Every combination of what is varied stands there once, in the order of the grid. */
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
                               "variant that comes there: a part is missing, stands there twice, "
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
                      g_strdup ("--join: each part has a best variant of its own: say --best once "
                                "more, for that of all"));
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

static GString *
write_whole (const Join *join)
{
  const IfbamCsvTable *table = join->table;
  GString *text = g_string_new (NULL);

  for (guint c = 0; c < table->names->len; c++)
    if (join->used[c])
      ifbam_csv_table_append_name (text, table->names->pdata[c]);
  if (join->best >= 0)
    ifbam_csv_table_append_name (text, BEST);
  ifbam_csv_table_end_row (text);
  for (gsize row = 0; row < join->lines->len; row++)
    {
      const char *field = join->lines->pdata[row];

      for (guint c = 0; c < table->names->len; c++)
        {
          const gsize length = strcspn (field, ",");

          if (join->used[c])
            {
              g_string_append_len (text, field, (gssize) length);
              g_string_append_c (text, ',');
            }
          field += length + (field[length] == ',');
        }
      if (join->best >= 0)
        ifbam_csv_table_append_number (text, row == join->best_row);
      ifbam_csv_table_end_row (text);
    }
  return text;
}

GString *
ifbam_sweep_join (const char *const *paths, const char *best, GError **error)
{
  Join join = { .lines = g_ptr_array_new (), .texts = g_ptr_array_new_with_free_func (g_free) };
  GString *text = NULL;

  if (read_parts (&join, paths, error))
    {
      const IfbamCsvTable *table = join.table;

      join.used = g_new0 (gboolean, table->names->len + 1);
      /* What was measured has a colon in its name. */
      while (join.n_varied < table->names->len
             && strchr (table->names->pdata[join.n_varied], ':') == NULL)
        join.n_varied++;
      for (guint c = 0; c < table->names->len; c++)
        {
          const char *name = table->names->pdata[c];

          join.used[c] = !is_optional (name) && !g_str_equal (name, BEST);
          for (gsize row = 0; row < table->n_rows && is_optional (name) && !join.used[c]; row++)
            join.used[c] =
                ifbam_csv_table_value (table, row, c) == ifbam_csv_table_value (table, row, c);
        }
      if (check_order (&join, error) && find_best (&join, best, error))
        text = write_whole (&join);
    }
  g_free (join.used);
  ifbam_csv_table_free (join.table);
  g_ptr_array_unref (join.lines);
  g_ptr_array_unref (join.texts);
  return text;
}
