/* mode-comparison.c: compares mode shapes of two networks, or with measured ones
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "linear/mode-comparison.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "file/file.h"

double
ifbam_modal_assurance (gsize n, const double *a, const double *a_imaginary, const double *b,
                       const double *b_imaginary)
{
  double real = 0, imaginary = 0, one = 0, other = 0;

  for (gsize i = 0; i < n; i++)
    {
      const double y = a_imaginary != NULL ? a_imaginary[i] : 0;
      const double z = b_imaginary != NULL ? b_imaginary[i] : 0;

      real += a[i] * b[i] + y * z;
      imaginary += a[i] * z - y * b[i];
      one += a[i] * a[i] + y * y;
      other += b[i] * b[i] + z * z;
    }
  return one > 0 && other > 0 ? (real * real + imaginary * imaginary) / (one * other) : 0;
}

static IfbamShapeTable *
table_new (gsize n_modes, char **nodes)
{
  IfbamShapeTable *table = g_new0 (IfbamShapeTable, 1);

  table->n_modes = n_modes;
  table->nodes = nodes;
  table->n_nodes = g_strv_length (nodes);
  table->frequency = g_new0 (double, n_modes + 1);
  table->real = g_new0 (double, n_modes * table->n_nodes + 1);
  table->imaginary = g_new0 (double, n_modes * table->n_nodes + 1);
  return table;
}

IfbamShapeTable *
ifbam_shape_table_new (IfbamModes *modes)
{
  gsize n_modes, n;
  const IfbamMode *mode = ifbam_modes_get_modes (modes, &n_modes);
  IfbamShapeTable *table = table_new (n_modes, g_strdupv ((char **) ifbam_modes_get_nodes (modes)));

  for (gsize k = 0; k < n_modes; k++)
    {
      const double *imaginary = ifbam_modes_get_imaginary_shape (modes, k, &n);
      const gsize size = table->n_nodes * sizeof (double);

      table->frequency[k] = mode[k].frequency;
      memcpy (table->real + k * table->n_nodes, ifbam_modes_get_shape (modes, k, &n), size);
      if (imaginary != NULL)
        memcpy (table->imaginary + k * table->n_nodes, imaginary, size);
    }
  return table;
}

/* Returns the names of columns that are nodes (transfer full). */
static char **
nodes_of_columns (const IfbamCsvTable *csv)
{
  static const char *const others[] = { "mode", "frequency", "damping_ratio", NULL };
  GPtrArray *nodes = g_ptr_array_new ();

  for (guint c = 0; c < csv->names->len; c++)
    if (!g_strv_contains (others, csv->names->pdata[c]))
      g_ptr_array_add (nodes, g_strdup (csv->names->pdata[c]));
  g_ptr_array_add (nodes, NULL);
  return (char **) g_ptr_array_free (nodes, FALSE);
}

IfbamShapeTable *
ifbam_shape_table_new_from_csv (const char *path, GError **error)
{
  g_autoptr (IfbamCsvTable) csv = ifbam_csv_table_new_from_csv (path, error);
  g_autoptr (IfbamShapeTable) table = NULL;
  int frequency;

  if (csv == NULL)
    return NULL;
  frequency = ifbam_csv_table_column (csv, "frequency");
  table = table_new (csv->n_rows, nodes_of_columns (csv));
  if (frequency < 0 || table->n_nodes == 0 || table->n_modes == 0)
    return ifbam_fail_null (error, IFBAM_ERROR_COURSE,
                            "%s: no table of modes (want a column \"frequency\", one for each "
                            "node, and a row for each mode)",
                            path);
  for (gsize k = 0; k < table->n_modes; k++)
    {
      table->frequency[k] = ifbam_csv_table_value (csv, k, (guint) frequency);
      for (gsize i = 0; i < table->n_nodes; i++)
        {
          const double value =
              ifbam_csv_table_value (csv, k, (guint) ifbam_csv_table_column (csv, table->nodes[i]));

          if (isnan (value) || isnan (table->frequency[k]))
            return ifbam_fail_null (error, IFBAM_ERROR_COURSE,
                                    "%s: row %" G_GSIZE_FORMAT ": a field is empty", path, k + 1);
          table->real[k * table->n_nodes + i] = value;
        }
    }
  return g_steal_pointer (&table);
}

void
ifbam_shape_table_free (IfbamShapeTable *table)
{
  if (table == NULL)
    return;
  g_strfreev (table->nodes);
  g_free (table->frequency);
  g_free (table->real);
  g_free (table->imaginary);
  g_free (table);
}

/* Returns a table at some of its nodes only (transfer full). */
static IfbamShapeTable *
select_nodes (const IfbamShapeTable *table, const gsize *node, gsize n)
{
  IfbamShapeTable *part = table_new (table->n_modes, g_new0 (char *, 1));

  part->n_nodes = n;
  part->real = g_renew (double, part->real, n * table->n_modes + 1);
  part->imaginary = g_renew (double, part->imaginary, n * table->n_modes + 1);
  for (gsize k = 0; k < table->n_modes; k++)
    for (gsize i = 0; i < n; i++)
      {
        part->real[k * n + i] = table->real[k * table->n_nodes + node[i]];
        part->imaginary[k * n + i] = table->imaginary[k * table->n_nodes + node[i]];
      }
  return part;
}

double *
ifbam_shape_tables_compare (const IfbamShapeTable *a, const IfbamShapeTable *b, gsize *n_common)
{
  g_autoptr (GHashTable) place = g_hash_table_new (g_str_hash, g_str_equal);
  g_autofree gsize *mine = g_new (gsize, a->n_nodes + 1), *its = g_new (gsize, a->n_nodes + 1);
  g_autoptr (IfbamShapeTable) one = NULL;
  g_autoptr (IfbamShapeTable) other = NULL;
  double *criteria;
  gsize n = 0;

  for (gsize i = 0; i < b->n_nodes; i++)
    g_hash_table_insert (place, b->nodes[i], GSIZE_TO_POINTER (i + 1));
  for (gsize i = 0; i < a->n_nodes; i++)
    {
      const gsize found = GPOINTER_TO_SIZE (g_hash_table_lookup (place, a->nodes[i]));

      mine[n] = i;
      its[n] = found - 1;
      n += found > 0;
    }
  *n_common = n;
  if (n == 0)
    return NULL;
  one = select_nodes (a, mine, n);
  other = select_nodes (b, its, n);
  criteria = g_new (double, a->n_modes * b->n_modes + 1);
  for (gsize k = 0; k < a->n_modes; k++)
    for (gsize l = 0; l < b->n_modes; l++)
      criteria[k * b->n_modes + l] =
          ifbam_modal_assurance (n, one->real + k * n, one->imaginary + k * n, other->real + l * n,
                                 other->imaginary + l * n);
  return criteria;
}
