/* modes-export.c: writes the matrices of a network's small motions, for distributed solvers
 *
 * PETSc's binary format of a sparse matrix (PETSc users manual, section "Viewers: looking at PETSc
 * objects", MatLoad): big-endian, 32-bit integers: 1211216, rows, columns, entries, entries of each
 * row, columns of all entries by rows, then their values as doubles.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "linear/modes-export.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

#include "base/fail.h"
#include "file/file.h"

#define PETSC_MATRIX 1211216 /* MAT_FILE_CLASSID */

/* A matrix by rows. */
typedef struct
{
  gsize n_rows, n_columns;
  gint32 *start;  /* start of each row (n_rows + 1) */
  gint32 *column; /* increasing in each row (start[n_rows]) */
  double *value;  /* (start[n_rows]) */
} Rows;

static void
rows_init (Rows *rows, gsize n_rows, gsize n_columns, gsize n_entries)
{
  rows->n_rows = n_rows;
  rows->n_columns = n_columns;
  rows->start = g_new0 (gint32, n_rows + 2);
  rows->column = g_new (gint32, n_entries + 1);
  rows->value = g_new (double, n_entries + 1);
}

static void
rows_clear (Rows *rows)
{
  g_free (rows->start);
  g_free (rows->column);
  g_free (rows->value);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Rows, rows_clear)

/* Columns are read in order, so the column indices of each row increase. */
static void
rows_from_columns (Rows *rows, const IfbamSparse *matrix)
{
  rows_init (rows, matrix->n, matrix->n, (gsize) matrix->start[matrix->n]);
  /* start[i + 2]: count of row i; then start[i + 1]: next position in row i */
  for (gint32 k = 0; k < matrix->start[matrix->n]; k++)
    rows->start[matrix->row[k] + 2]++;
  for (gsize i = 2; i <= matrix->n + 1; i++)
    rows->start[i] += rows->start[i - 1];
  for (gsize j = 0; j < matrix->n; j++)
    for (gint32 k = matrix->start[j]; k < matrix->start[j + 1]; k++)
      {
        const gint32 at = rows->start[matrix->row[k] + 1]++;

        rows->column[at] = (gint32) j;
        rows->value[at] = matrix->value[k];
      }
}

static void
rows_from_inertia (Rows *rows, const IfbamSmallMotions *motions)
{
  rows_init (rows, motions->n, motions->n, motions->n);
  for (gsize i = 0; i < motions->n; i++)
    {
      rows->start[i + 1] = (gint32) (i + 1);
      rows->column[i] = (gint32) i;
      rows->value[i] = motions->inertia[i];
    }
}

/* Rows of Z, for nodes in the order of the file. */
static gboolean
rows_from_nodes (Rows *rows, const IfbamSmallMotions *motions, GError **error)
{
  const IfbamModel *model = motions->model;
  const IfbamNullSpace *null_space = motions->null_space;
  const gsize n = ifbam_model_n_named_free (model);
  gsize n_entries = null_space == NULL ? n : 0;
  gint32 at = 0;

  for (gsize i = 0; i < n && null_space != NULL; i++)
    n_entries += ifbam_null_space_count (null_space, ifbam_model_named_node (model, i));
  if (n_entries > G_MAXINT32)
    return ifbam_fail (
        error, IFBAM_ERROR_NETWORK,
        "the nodes move with %zu coordinates in all: more than 2^31 - 1 are not written",
        n_entries);
  rows_init (rows, n, motions->n, n_entries);
  for (gsize i = 0; i < n; i++)
    {
      const gsize node = ifbam_model_named_node (model, i);
      const gsize count = null_space == NULL ? 1 : ifbam_null_space_count (null_space, node);

      for (gsize k = 0; k < count; k++, at++)
        {
          rows->column[at] = (gint32) (null_space == NULL ? node : null_space->first[node] + k);
          rows->value[at] =
              null_space == NULL ? 1.0 : null_space->factor[null_space->start[node] + k];
        }
      rows->start[i + 1] = at;
    }
  return TRUE;
}

static gboolean
write_bytes (IfbamOutput *output, gconstpointer bytes, gsize n, GError **error)
{
  g_string_append_len (ifbam_output_text (output), bytes, (gssize) n);
  return ifbam_output_flush (output, IFBAM_OUTPUT_BYTES, error);
}

/* The format is big-endian. */
static gboolean
write_integer (IfbamOutput *output, gint32 number, GError **error)
{
  const guint32 big = GUINT32_TO_BE ((guint32) number);

  return write_bytes (output, &big, sizeof big, error);
}

static gboolean
write_double (IfbamOutput *output, double number, GError **error)
{
  guint64 bits;

  memcpy (&bits, &number, sizeof bits);
  bits = GUINT64_TO_BE (bits);
  return write_bytes (output, &bits, sizeof bits, error);
}

static gboolean
write_rows (IfbamOutput *output, const Rows *rows, GError **error)
{
  const gint32 n_entries = rows->start[rows->n_rows];
  const gint32 head[] = { PETSC_MATRIX, (gint32) rows->n_rows, (gint32) rows->n_columns,
                          n_entries };

  for (guint i = 0; i < G_N_ELEMENTS (head); i++)
    if (!write_integer (output, head[i], error))
      return FALSE;
  for (gsize i = 0; i < rows->n_rows; i++)
    if (!write_integer (output, rows->start[i + 1] - rows->start[i], error))
      return FALSE;
  for (gint32 k = 0; k < n_entries; k++)
    if (!write_integer (output, rows->column[k], error))
      return FALSE;
  for (gint32 k = 0; k < n_entries; k++)
    if (!write_double (output, rows->value[k], error))
      return FALSE;
  return TRUE;
}

static gboolean
write_names (IfbamOutput *output, const IfbamModel *model, GError **error)
{
  for (gsize i = 0; i < ifbam_model_n_named_free (model); i++)
    {
      g_autofree char *name = ifbam_model_node_name (model, ifbam_model_named_node (model, i));

      g_string_append_printf (ifbam_output_text (output), "%s\n", name);
      if (!ifbam_output_flush (output, IFBAM_OUTPUT_BYTES, error))
        return FALSE;
    }
  return TRUE;
}

typedef enum
{
  INERTIA,
  DAMPING,
  STIFFNESS,
  NODES,
  NAMES,
  N_FILES
} Part;

static gboolean
write_part (IfbamOutput *output, const IfbamSmallMotions *motions, Part part, GError **error)
{
  g_auto (Rows) rows = { 0 };

  if (part == NAMES)
    return write_names (output, motions->model, error);
  if (part == INERTIA)
    rows_from_inertia (&rows, motions);
  else if (part == NODES)
    {
      if (!rows_from_nodes (&rows, motions, error))
        return FALSE;
    }
  else
    {
      g_autoptr (IfbamSparse) matrix = ifbam_small_motions_matrix (
          motions, part == DAMPING ? motions->damping : motions->stiffness, error);

      if (matrix == NULL)
        return FALSE;
      rows_from_columns (&rows, matrix);
    }
  return write_rows (output, &rows, error);
}

gboolean
ifbam_modes_export (const IfbamSmallMotions *motions, const char *folder, GError **error)
{
  static const char *const names[N_FILES] = { "M.petsc", "C.petsc", "K.petsc", "Z.petsc",
                                              "nodes.txt" };
  g_autoptr (GPtrArray) outputs =
      g_ptr_array_new_with_free_func ((GDestroyNotify) ifbam_output_free);
  const gboolean made = g_mkdir (folder, 0777) == 0;
  gboolean done = TRUE;

  if (!made && errno != EEXIST)
    {
      const int reason = errno;

      return ifbam_fail (error, IFBAM_ERROR_WRITE, "%s: can't be made: %s", folder,
                         g_strerror (reason));
    }
  for (guint i = 0; i < N_FILES && done; i++)
    {
      g_autofree char *path = g_build_filename (folder, names[i], NULL);
      IfbamOutput *output = ifbam_output_new (path, error);

      done = output != NULL;
      if (done)
        g_ptr_array_add (outputs, output);
      done = done && write_part (output, motions, (Part) i, error)
             && ifbam_output_close (output, error);
    }
  for (guint i = 0; i < outputs->len && done; i++)
    done = ifbam_output_finish (outputs->pdata[i], error);
  if (!done && made)
    {
      g_ptr_array_set_size (outputs, 0);
      g_rmdir (folder);
    }
  return done;
}
