/* fit-data.c: measured modes, responses or time series, and those that a network computes
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "sweep/fit-data.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/number-text.h"
#include "file/ifbam-course-file.h"
#include "run/run.h"

/* Relative deviation of measured times from an even interval. */
#define EVEN 1e-6

typedef enum
{
  MODES,
  RESPONSE,
  SAMPLES,
} Kind;

struct _IfbamFitData
{
  Kind kind;
  char *path, *input;
  IfbamCsvTable *table; /* of modes and responses */
  IfbamCourse *course;  /* of samples */
  double interval;      /* of samples [s] */
  GPtrArray *signals;   /* char*, NULL-terminated: of a response or of samples; nodes of shapes */
  GPtrArray *labels;    /* char*, NULL-terminated (n) */
  GArray *measured;     /* double (n) */
  GArray *places;       /* double (n): times, frequencies; of modes: numbers from 1 on */
  GArray *series;       /* IfbamFitSeries */
  double *scale;        /* of each signal of samples */
  gsize n_logarithmic;  /* of modes: frequencies and damping ratios, before the shapes */
};

static void
begin_series (IfbamFitData *data, const IfbamFitSeries *series)
{
  g_array_append_val (data->series, *series);
  g_array_index (data->series, IfbamFitSeries, data->series->len - 1).first = data->measured->len;
}

static void
add_value (IfbamFitData *data, char *label, double place, double measured)
{
  g_ptr_array_add (data->labels, label);
  g_array_append_val (data->places, place);
  g_array_append_val (data->measured, measured);
  g_array_index (data->series, IfbamFitSeries, data->series->len - 1).n++;
}

static void
add_value_of_modes (IfbamFitData *data, char *label, double measured)
{
  add_value (data, label, (double) data->measured->len + 1, measured);
}

/* Modes: rows of frequency, damping ratio, and a shape */

static gboolean
is_column_of_modes (const char *name)
{
  return g_str_equal (name, "mode") || g_str_equal (name, "frequency")
         || g_str_equal (name, "damping_ratio");
}

static double
shape_value (const IfbamFitData *data, gsize row, guint signal)
{
  const int column = ifbam_csv_table_column (data->table, data->signals->pdata[signal]);

  return ifbam_csv_table_value (data->table, row, (guint) column);
}

static gboolean
read_modes (IfbamFitData *data, GError **error)
{
  const IfbamCsvTable *table = data->table;
  const int frequency = ifbam_csv_table_column (table, "frequency");
  const int ratio = ifbam_csv_table_column (table, "damping_ratio");

  if (frequency < 0)
    return ifbam_fail (error, IFBAM_ERROR_COURSE,
                       "%s: no column \"frequency\" (want mode, frequency, damping_ratio, and "
                       "shapes by node; or a response; or a course with \"time\")",
                       data->path);
  begin_series (data, &(IfbamFitSeries){ "frequency", "Hz", NULL, NULL, 0, 0 });
  for (guint c = 0; c < table->names->len; c++)
    if (!is_column_of_modes (table->names->pdata[c]))
      g_ptr_array_add (data->signals, g_strdup (table->names->pdata[c]));
  for (gsize i = 0; i < table->n_rows; i++)
    {
      const double f = ifbam_csv_table_value (table, i, (guint) frequency);

      if (!(f > 0))
        return ifbam_fail (error, IFBAM_ERROR_COURSE, "%s: row %zu: the frequency is not above 0",
                           data->path, i + 1);
      add_value_of_modes (data, g_strdup_printf ("mode %zu", i + 1), f);
    }
  for (gsize i = 0; i < table->n_rows && ratio >= 0; i++)
    if (ifbam_csv_table_value (table, i, (guint) ratio) > 0)
      add_value_of_modes (data, g_strdup_printf ("damping %zu", i + 1),
                          ifbam_csv_table_value (table, i, (guint) ratio));
  data->n_logarithmic = data->measured->len;
  begin_series (data, &(IfbamFitSeries){ "shape", "", NULL, NULL, 0, 0 });
  for (gsize i = 0; i < table->n_rows; i++)
    {
      double largest = 0;

      for (guint s = 0; s < data->signals->len; s++)
        largest = fmax (largest, fabs (shape_value (data, i, s)));
      for (guint s = 0; s < data->signals->len; s++)
        add_value_of_modes (
            data, g_strdup_printf ("%s of mode %zu", (const char *) data->signals->pdata[s], i + 1),
            shape_value (data, i, s) / largest);
    }
  return TRUE;
}

/* Returns the modal assurance criterion of a measured row and a mode (Allemang & Brown 1982).
 * shape: NULL, or receives the mode's displacements, scaled to those of the row (signals). */
static double
criterion (const IfbamFitData *data, gsize row, IfbamModes *modes, gsize mode, double *shape)
{
  const char *const *nodes = ifbam_modes_get_nodes (modes);
  const guint n = data->signals->len - 1;
  g_autofree double *here = g_new0 (double, n + 1), *measured = g_new0 (double, n + 1);
  double product = 0, other = 0, largest = 0;
  gsize n_nodes;
  const double *x = ifbam_modes_get_shape (modes, mode, &n_nodes);

  for (guint s = 0; s < n; s++)
    {
      measured[s] = shape_value (data, row, s);
      for (gsize i = 0; nodes[i] != NULL; i++)
        if (g_str_equal (nodes[i], data->signals->pdata[s]))
          here[s] = x[i];
      product += measured[s] * here[s];
      other += here[s] * here[s];
      largest = fmax (largest, fabs (measured[s]));
    }
  for (guint s = 0; s < n && shape != NULL; s++)
    shape[s] = here[s] * (product / (other * largest));
  return ifbam_modal_assurance (n, measured, NULL, here, NULL);
}

/* Returns the index of the mode of a measured row: by shape, by its number, or by its rank; n: there
 * is none. */
static gsize
mode_of_row (const IfbamFitData *data, gsize row, IfbamModes *modes)
{
  const int number = ifbam_csv_table_column (data->table, "mode");
  gsize n, rank = number < 0 ? row + 1
                             : (gsize) ifbam_csv_table_value (data->table, row, (guint) number);
  const IfbamMode *list = ifbam_modes_get_modes (modes, &n);
  gsize best = n;
  double most = -1;

  for (gsize i = 0; i < n; i++)
    {
      if (list[i].frequency == 0)
        continue;
      if (data->signals->len <= 1 && --rank == 0)
        return i;
      if (data->signals->len > 1 && criterion (data, row, modes, i, NULL) > most)
        {
          most = criterion (data, row, modes, i, NULL);
          best = i;
        }
    }
  return best;
}

static gboolean
compute_modes (const IfbamFitData *data, const IfbamModel *model, const IfbamRunSpec *spec,
               double *computed, GError **error)
{
  IfbamModesRequest request = { 0 };
  g_autoptr (IfbamModes) modes = ifbam_modes_new_for_model (model, spec, &request, error);
  const int ratio = ifbam_csv_table_column (data->table, "damping_ratio");
  const gsize n_rows = data->table->n_rows, n_shape = data->signals->len - 1;
  gsize next = n_rows, n;
  const IfbamMode *list;

  if (modes == NULL)
    return FALSE;
  list = ifbam_modes_get_modes (modes, &n);
  for (gsize i = 0; i < n_rows; i++)
    {
      const gsize mode = mode_of_row (data, i, modes);

      if (mode == n)
        return ifbam_fail (error, IFBAM_ERROR_COURSE,
                           "%s: row %zu: the network has no such mode that oscillates", data->path,
                           i + 1);
      computed[i] = list[mode].frequency;
      if (ratio >= 0 && ifbam_csv_table_value (data->table, i, (guint) ratio) > 0)
        computed[next++] = list[mode].damping_ratio;
      if (n_shape > 0)
        criterion (data, i, modes, mode, computed + data->n_logarithmic + i * n_shape);
    }
  return TRUE;
}

/* Responses: amplitudes and phases [deg] of signals over the frequency */

static gboolean
read_response (IfbamFitData *data, GError **error)
{
  const IfbamCsvTable *table = data->table;

  if (data->input == NULL)
    return ifbam_fail (error, IFBAM_ERROR_USAGE,
                       "%s is a frequency response: want its --input, such as force@m1",
                       data->path);
  for (guint c = 1; c < table->names->len; c++)
    {
      const char *name = table->names->pdata[c], *tail = strrchr (name, '.');

      if (g_strcmp0 (tail, ".amplitude") != 0 && g_strcmp0 (tail, ".phase") != 0)
        return ifbam_fail (error, IFBAM_ERROR_COURSE,
                           "%s: column \"%s\" is neither SIGNAL.amplitude nor SIGNAL.phase",
                           data->path, name);
      if (g_str_equal (tail, ".amplitude"))
        g_ptr_array_add (data->signals, g_strndup (name, (gsize) (tail - name)));
    }
  for (guint c = 1; c < table->names->len; c++)
    {
      const char *name = table->names->pdata[c];
      const gboolean phase = g_str_has_suffix (name, ".phase");

      begin_series (data, &(IfbamFitSeries){ name, phase ? "deg" : "", "frequency", "Hz", 0, 0 });
      for (gsize i = 0; i < table->n_rows; i++)
        {
          const double f = ifbam_csv_table_value (table, i, 0);

          add_value (data, g_strdup_printf ("%s at %.6g Hz", name, f), f,
                     ifbam_csv_table_value (table, i, c));
        }
    }
  return TRUE;
}

static gboolean
compute_response (const IfbamFitData *data, IfbamNetwork *network, const IfbamModel *model,
                  const IfbamRunSpec *spec, double *computed, GError **error)
{
  const IfbamCsvTable *table = data->table;
  g_autoptr (IfbamResponseSystem) system =
      ifbam_response_system_new (model, spec, network->by_name, data->input,
                                 (const char *const *) data->signals->pdata, error);
  g_autofree double complex *outputs = NULL;

  if (system == NULL)
    return FALSE;
  outputs = g_new0 (double complex, system->rows->len + 1);
  for (gsize i = 0; i < table->n_rows; i++)
    {
      guint s = 0;

      if (!ifbam_response_at (system, ifbam_csv_table_value (table, i, 0), outputs, NULL, error))
        return FALSE;
      for (guint c = 1; c < table->names->len; c++)
        {
          const gboolean phase = g_str_has_suffix (table->names->pdata[c], ".phase");

          s += !phase && c > 1;
          computed[(c - 1) * table->n_rows + i] =
              phase ? ifbam_response_phase (outputs[s]) : cabs (outputs[s]);
        }
    }
  return TRUE;
}

/* Samples */

static gboolean
read_samples (IfbamFitData *data, GError **error)
{
  const char *const *signals = ifbam_course_get_signals (data->course);
  gsize n;
  const double *time = ifbam_course_get_times (data->course, &n);

  if (n < 2)
    return ifbam_fail (error, IFBAM_ERROR_COURSE, "%s: want two samples or more", data->path);
  data->interval = (time[n - 1] - time[0]) / (double) (n - 1);
  for (gsize i = 0; i < n; i++)
    if (fabs (time[i] - time[0] - (double) i * data->interval) > EVEN * data->interval * (double) n
        || fabs (time[i] / data->interval - rint (time[i] / data->interval)) > EVEN * (double) n)
      return ifbam_fail (error, IFBAM_ERROR_COURSE,
                         "%s: the times are no even samples from 0 s on (see ifbam spectrum "
                         "--resample)",
                         data->path);
  for (guint s = 0; signals[s] != NULL; s++)
    g_ptr_array_add (data->signals, g_strdup (signals[s]));
  data->scale = g_new0 (double, data->signals->len + 1);
  for (guint s = 0; s < data->signals->len; s++)
    {
      const double *values = ifbam_course_get_values (data->course, signals[s], &n, error);
      const char *unit = ifbam_course_get_unit (data->course, signals[s]);

      begin_series (data, &(IfbamFitSeries){ signals[s], unit, "time", "s", 0, 0 });
      for (gsize i = 0; values != NULL && i < n; i++)
        {
          data->scale[s] += values[i] * values[i] / (double) n;
          add_value (data, g_strdup_printf ("%s at %.6g s", signals[s], time[i]), time[i],
                     values[i]);
        }
      data->scale[s] = data->scale[s] > 0 ? sqrt (data->scale[s]) : 1;
    }
  return TRUE;
}

typedef struct
{
  const IfbamFitData *data;
  double *computed;
  gsize next; /* measured row */
} Samples;

/* Keeps the samples at measured times. */
static gboolean
take_row (gpointer user_data, double time, const double *values, GError **error)
{
  Samples *samples = user_data;
  const IfbamFitData *data = samples->data;
  gsize n;
  const double *measured = ifbam_course_get_times (data->course, &n);

  (void) error;
  if (samples->next == n || time < measured[samples->next] - 0.5 * data->interval)
    return TRUE;
  for (guint s = 0; s + 1 < data->signals->len; s++)
    samples->computed[s * n + samples->next] = values[s];
  samples->next++;
  return TRUE;
}

static gboolean
compute_samples (const IfbamFitData *data, const IfbamModel *model, const IfbamSignals *signals,
                 const IfbamRunSpec *spec, double *computed, GError **error)
{
  Samples samples = { data, computed, 0 };
  IfbamRunTask run = { .row = take_row, .data = &samples };

  for (guint i = 0; i < data->measured->len; i++)
    computed[i] = NAN;
  return ifbam_run (&run, model, signals, spec, error);
}

/* Returns the settings of a run with the measured times and signals (transfer full). */
static char **
run_settings (const IfbamFitData *data, const char *const *settings)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new ();
  gsize n;
  const double *time = ifbam_course_get_times (data->course, &n);
  g_autofree char *record = g_strjoinv (",", (char **) data->signals->pdata);

  for (guint i = 0; settings[i] != NULL; i++)
    g_ptr_array_add (all, g_strdup (settings[i]));
  g_ptr_array_add (all, g_strdup_printf ("network.sample=%s", IFBAM_NUMBER (data->interval)));
  g_ptr_array_add (all, g_strdup_printf ("network.duration=%s", IFBAM_NUMBER (time[n - 1])));
  g_ptr_array_add (all, g_strdup_printf ("network.record=%s", record));
  g_ptr_array_add (all, NULL);
  return (char **) g_ptr_array_free (g_steal_pointer (&all), FALSE);
}

/* All kinds */

/* Reads the file as the kind that its columns tell. */
static gboolean
read_file (IfbamFitData *data, GError **error)
{
  gboolean is_response;

  data->course = ifbam_course_new_from_header (data->path, NULL);
  if (data->course != NULL || ifbam_result_is_named (data->path))
    {
      g_clear_object (&data->course);
      data->kind = SAMPLES;
      data->course = ifbam_course_new_from_file (data->path, error);
      return data->course != NULL && read_samples (data, error);
    }
  data->table = ifbam_csv_table_new_from_csv (data->path, error);
  if (data->table == NULL)
    return FALSE;
  is_response = data->table->names->len > 1
                && g_str_equal (data->table->names->pdata[0], "frequency")
                && g_str_has_suffix (data->table->names->pdata[1], ".amplitude");
  data->kind = is_response ? RESPONSE : MODES;
  return is_response ? read_response (data, error) : read_modes (data, error);
}

IfbamFitData *
ifbam_fit_data_new (const char *path, const char *input, GError **error)
{
  g_autoptr (IfbamFitData) data = g_new0 (IfbamFitData, 1);

  data->path = g_strdup (path);
  data->input = g_strdup (input);
  data->signals = g_ptr_array_new_with_free_func (g_free);
  data->labels = g_ptr_array_new_with_free_func (g_free);
  data->measured = g_array_new (FALSE, FALSE, sizeof (double));
  data->places = g_array_new (FALSE, FALSE, sizeof (double));
  data->series = g_array_new (FALSE, FALSE, sizeof (IfbamFitSeries));
  if (!read_file (data, error))
    return NULL;
  if (data->measured->len == 0)
    return ifbam_fail_null (error, IFBAM_ERROR_COURSE, "%s: there are no measured values", path);
  for (guint i = 0; i < data->measured->len; i++)
    if (!isfinite (g_array_index (data->measured, double, i)))
      return ifbam_fail_null (error, IFBAM_ERROR_COURSE, "%s: %s has no value", path,
                              (const char *) data->labels->pdata[i]);
  g_ptr_array_add (data->signals, NULL);
  g_ptr_array_add (data->labels, NULL);
  return g_steal_pointer (&data);
}

void
ifbam_fit_data_free (IfbamFitData *data)
{
  if (data == NULL)
    return;
  g_free (data->path);
  g_free (data->input);
  ifbam_csv_table_free (data->table);
  g_clear_object (&data->course);
  g_ptr_array_unref (data->signals);
  g_ptr_array_unref (data->labels);
  g_array_unref (data->measured);
  g_array_unref (data->places);
  g_array_unref (data->series);
  g_free (data->scale);
  g_free (data);
}

gsize
ifbam_fit_data_count (const IfbamFitData *data)
{
  return data->measured->len;
}

const double *
ifbam_fit_data_measured (const IfbamFitData *data)
{
  return (const double *) (gpointer) data->measured->data;
}

const double *
ifbam_fit_data_places (const IfbamFitData *data)
{
  return (const double *) (gpointer) data->places->data;
}

const GArray *
ifbam_fit_data_series (const IfbamFitData *data)
{
  return data->series;
}

const char *const *
ifbam_fit_data_labels (const IfbamFitData *data)
{
  return (const char *const *) data->labels->pdata;
}

static double
residual_of (const IfbamFitData *data, gsize i, double computed)
{
  const double measured = g_array_index (data->measured, double, i);

  if (data->kind == SAMPLES)
    return (computed - measured)
           / data->scale[i / (data->measured->len / (data->signals->len - 1))];
  if (data->kind == RESPONSE
      && g_str_has_suffix (data->table->names->pdata[1 + i / data->table->n_rows], ".phase"))
    return remainder (computed - measured, 360) * (G_PI / 180);
  return data->kind == MODES && i >= data->n_logarithmic ? computed - measured
                                                         : log (computed / measured);
}

gboolean
ifbam_fit_data_compute (const IfbamFitData *data, const IfbamNetworkBytes *bytes,
                        const char *const *settings, double *computed, double *residual,
                        GError **error)
{
  g_auto (GStrv) own =
      data->kind == SAMPLES ? run_settings (data, settings) : g_strdupv ((char **) settings);
  g_autoptr (IfbamNetwork) network =
      ifbam_network_new_from_bytes (bytes, (const char *const *) own, error);
  g_auto (IfbamRunSpec) spec = { 0 };
  g_autoptr (IfbamModel) model = NULL;
  g_autoptr (IfbamSignals) signals = NULL;

  if (network == NULL)
    return FALSE;
  model = ifbam_network_compile_or_error (network, data->kind == SAMPLES, &spec,
                                          data->kind == SAMPLES ? &signals : NULL, error);
  if (model == NULL
      || !(data->kind == SAMPLES ? compute_samples (data, model, signals, &spec, computed, error)
           : data->kind == RESPONSE
               ? compute_response (data, network, model, &spec, computed, error)
               : compute_modes (data, model, &spec, computed, error)))
    return FALSE;
  for (gsize i = 0; i < data->measured->len; i++)
    {
      residual[i] = residual_of (data, i, computed[i]);
      if (!isfinite (residual[i]))
        return ifbam_fail (error, IFBAM_ERROR_COURSE, "%s: %s: the network has no value there",
                           data->path, (const char *) data->labels->pdata[i]);
    }
  return TRUE;
}
