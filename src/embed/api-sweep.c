/* api-sweep.c: sweep of a network over combinations of parameter values
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "embed/ifbam-sweep.h"

#include "base/fail.h"
#include "file/file.h"
#include "sweep/sweep.h"

/**
 * IfbamSweepTable:
 *
 * Results of a sweep: a row for each variant; the last varied parameter varies fastest. Columns are
 * the varied parameters, then the measured quantities. Missing values are NaN. The column
 * "diverged" is the time at which a variant diverged [s].
 */
struct _IfbamSweepTable
{
  GObject parent_instance;
  char **columns;
  GBytes **values; /* double, of each column */
  gsize n_rows;
};

G_DEFINE_FINAL_TYPE (IfbamSweepTable, ifbam_sweep_table, G_TYPE_OBJECT)

static void
ifbam_sweep_table_finalize (GObject *object)
{
  IfbamSweepTable *self = IFBAM_SWEEP_TABLE (object);

  for (guint i = 0; self->columns[i] != NULL; i++)
    g_bytes_unref (self->values[i]);
  g_free (self->values);
  g_strfreev (self->columns);
  G_OBJECT_CLASS (ifbam_sweep_table_parent_class)->finalize (object);
}

static void
ifbam_sweep_table_class_init (IfbamSweepTableClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ifbam_sweep_table_finalize;
}

static void
ifbam_sweep_table_init (IfbamSweepTable *self)
{
  self->columns = g_new0 (char *, 1);
}

static IfbamSweepTable *
table_new (const IfbamCsvTable *table)
{
  const guint n = table->names->len;
  IfbamSweepTable *self = g_object_new (IFBAM_TYPE_SWEEP_TABLE, NULL);

  self->columns = g_renew (char *, self->columns, n + 1);
  self->columns[n] = NULL;
  self->values = g_new (GBytes *, n);
  self->n_rows = table->n_rows;
  for (guint c = 0; c < n; c++)
    {
      double *column = g_new (double, table->n_rows);

      for (gsize i = 0; i < table->n_rows; i++)
        column[i] = ifbam_csv_table_value (table, i, c);
      self->columns[c] = g_strdup (table->names->pdata[c]);
      self->values[c] = g_bytes_new_take (column, table->n_rows * sizeof (double));
    }
  return self;
}

typedef struct
{
  GCancellable *cancellable;
  IfbamProgressFunc progress;
  gpointer data;
} Watch;

static gboolean
watch (gpointer data, double part)
{
  const Watch *self = data;

  if (self->progress != NULL)
    self->progress (part, self->data);
  return !g_cancellable_is_cancelled (self->cancellable);
}

static IfbamSweepTable *
sweep_bytes (const IfbamNetworkBytes *bytes, const char *const *settings, const char *const *varied,
             const char *const *measured, guint count, guint threads, Watch *self, GError **error)
{
  g_autoptr (IfbamSweep) sweep =
      ifbam_sweep_new (bytes, settings, varied, measured,
                       count == 0 ? IFBAM_MEASURE_COUNT : MIN (count, 1000), error);
  const IfbamSweepRun run = { .threads = threads, .progress = watch, .data = self };
  g_autoptr (IfbamCsvTable) table = NULL;

  if (sweep == NULL || !ifbam_sweep_run (sweep, &run, error))
    return NULL;
  table = ifbam_sweep_to_table (sweep->grid);
  return table_new (table);
}

/**
 * ifbam_network_sweep:
 * @network: a network
 * @varied: (array zero-terminated=1): varied parameters: "k1.stiffness=5kN/m:20kN/m:31", a grid,
 *   also with ":log" after it, or a list "m1.mass=1kg,2kg"; "network.step=..." for the run spec;
 *   "k=..." for a parameter of its file
 * @measured: (array zero-terminated=1) (nullable): measured quantities: "frequencies" or "damping"
 *   of the modes, or "max:m1.position", "min:", "rms:", "final:", "spectrum:" of a signal in a run;
 *   %NULL: the frequencies
 * @count: how many modes, or peaks of a spectrum; 0: 10
 * @threads: 0: as many as there are processors; no number depends on it
 * @cancellable: (nullable): ends it from elsewhere, or %NULL
 * @progress: (scope call) (nullable) (closure user_data): told how far it is
 * @user_data: for @progress
 * @error: return location for an error of the domain IFBAM_ERROR
 *
 * Runs @network over all combinations of parameter values, as `ifbam sweep` does, in vector lanes
 * and threads. Results equal those of single runs to the last bit. @network is not changed. For its
 * file's parameters see ifbam_network_new_from_file(); values set since are kept.
 *
 * Returns: (transfer full): the table, or %NULL with %IFBAM_ERROR_USAGE, a line for each fault of
 *   @varied and @measured, %IFBAM_ERROR_NETWORK, or %IFBAM_ERROR_INTERRUPTED by @cancellable
 */
IfbamSweepTable *
ifbam_network_sweep (IfbamNetwork *network, const char *const *varied, const char *const *measured,
                     guint count, guint threads, GCancellable *cancellable,
                     IfbamProgressFunc progress, gpointer user_data, GError **error)
{
  Watch self = { cancellable, progress, user_data };
  g_autofree char *text = NULL;
  IfbamNetworkBytes bytes = { .path = (char *) "network", .origin = network };

  g_return_val_if_fail (IFBAM_IS_NETWORK (network) && varied != NULL, NULL);
  text = ifbam_network_to_data (network, &bytes.length, error);
  if (text == NULL)
    return NULL;
  bytes.text = text;
  bytes.folder = network->folder;
  return sweep_bytes (&bytes, NULL, varied, measured, count, threads, &self, error);
}

/**
 * ifbam_sweep_file:
 * @path: (type filename): a network file; "-" is standard input
 * @settings: (array zero-terminated=1) (nullable): as for ifbam_network_new_from_file()
 * @varied: (array zero-terminated=1): as for ifbam_network_sweep()
 * @measured: (array zero-terminated=1) (nullable): as there
 * @count: how many modes, or peaks of a spectrum; 0: 10
 * @threads: 0: as many as there are processors; no number depends on it
 * @cancellable: (nullable): ends it from elsewhere, or %NULL
 * @progress: (scope call) (nullable) (closure user_data): told how far it is
 * @user_data: for @progress
 * @error: return location for an error of the domain IFBAM_ERROR
 *
 * Sweeps a network file, as ifbam_network_sweep() sweeps a network.
 *
 * Returns: (transfer full): the table, or %NULL with an error as of ifbam_network_sweep()
 */
IfbamSweepTable *
ifbam_sweep_file (const char *path, const char *const *settings, const char *const *varied,
                  const char *const *measured, guint count, guint threads,
                  GCancellable *cancellable, IfbamProgressFunc progress, gpointer user_data,
                  GError **error)
{
  Watch self = { cancellable, progress, user_data };
  g_autoptr (IfbamNetworkBytes) bytes = NULL;

  g_return_val_if_fail (path != NULL && varied != NULL, NULL);
  bytes = ifbam_network_bytes_new (path, error);
  return bytes == NULL
             ? NULL
             : sweep_bytes (bytes, settings, varied, measured, count, threads, &self, error);
}

/**
 * ifbam_sweep_table_get_columns:
 * @table: a table
 *
 * Returns the names of the columns: varied parameters, then measured quantities.
 *
 * Returns: (transfer none) (array zero-terminated=1): the names
 */
const char *const *
ifbam_sweep_table_get_columns (IfbamSweepTable *self)
{
  g_return_val_if_fail (IFBAM_IS_SWEEP_TABLE (self), NULL);
  return (const char *const *) self->columns;
}

/**
 * ifbam_sweep_table_get_n_rows:
 * @table: a table
 *
 * Counts the variants.
 *
 * Returns: how many there are
 */
gsize
ifbam_sweep_table_get_n_rows (IfbamSweepTable *self)
{
  g_return_val_if_fail (IFBAM_IS_SWEEP_TABLE (self), 0);
  return self->n_rows;
}

/**
 * ifbam_sweep_table_get_bytes:
 * @table: a table
 * @column: the name of a column
 * @error: return location for an error of the domain IFBAM_ERROR
 *
 * Returns a column in SI units, as an array of doubles, without a copy.
 *
 * Returns: (transfer full): the values, or %NULL with %IFBAM_ERROR_USAGE if there is none
 */
GBytes *
ifbam_sweep_table_get_bytes (IfbamSweepTable *self, const char *column, GError **error)
{
  g_autofree char *list = NULL;

  g_return_val_if_fail (IFBAM_IS_SWEEP_TABLE (self) && column != NULL, NULL);
  for (guint i = 0; self->columns[i] != NULL; i++)
    if (g_str_equal (self->columns[i], column))
      return g_bytes_ref (self->values[i]);
  list = g_strjoinv (", ", self->columns);
  return ifbam_fail_null (error, IFBAM_ERROR_USAGE, "there is no column \"%s\" (there are %s)",
                          column, list);
}

/**
 * ifbam_sweep_table_get_values:
 * @table: a table
 * @column: the name of a column
 * @n_rows: (out) (optional): how many there are
 * @error: return location for an error of the domain IFBAM_ERROR
 *
 * Returns a column in SI units.
 *
 * Returns: (transfer none) (array length=n_rows): the values, as long as @table lives, or %NULL
 *   with %IFBAM_ERROR_USAGE if there is none
 */
const double *
ifbam_sweep_table_get_values (IfbamSweepTable *self, const char *column, gsize *n_rows,
                              GError **error)
{
  g_autoptr (GBytes) bytes = ifbam_sweep_table_get_bytes (self, column, error);

  if (n_rows != NULL)
    *n_rows = bytes == NULL ? 0 : self->n_rows;
  return bytes == NULL ? NULL : g_bytes_get_data (bytes, NULL);
}
