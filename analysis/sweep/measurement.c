/* measurement.c: measures of samples and events, of variants side by side
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "sweep/measure.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "spectrum/ifbam-spectrum.h"

/* Updates a sum or an extreme by a row's values. */
typedef void (*Accumulate) (double *total, const double *value, gsize n);

#define VARIANT(name, level, target)                                                               \
  target static void name##_##level (double *total, const double *value, gsize n)                  \
  {                                                                                                \
    name##_body (total, value, n);                                                                 \
  }

#define ACCUMULATE(name, expression)                                                               \
  IFBAM_INLINE void name##_body (double *restrict total, const double *restrict value, gsize n)    \
  {                                                                                                \
    IFBAM_VECTOR_LOOP                                                                              \
    for (gsize i = 0; i < n; i++)                                                                  \
      total[i] = expression;                                                                       \
  }                                                                                                \
  VARIANT (name, baseline, )                                                                       \
  VARIANT (name, avx2, IFBAM_TARGET_AVX2)                                                          \
  VARIANT (name, avx512, IFBAM_TARGET_AVX512)

ACCUMULATE (largest, value[i] > total[i] ? value[i] : total[i])
ACCUMULATE (smallest, value[i] < total[i] ? value[i] : total[i])
ACCUMULATE (squares, total[i] + value[i] * value[i])
ACCUMULATE (last, value[i])
ACCUMULATE (magnitude, fabs (value[i]) > total[i] ? fabs (value[i]) : total[i])

typedef struct
{
  Accumulate accumulate[IFBAM_N_ISA];
  double start;
} Kind;

#define ACCUMULATE_ROW(name)                                                                       \
  {                                                                                                \
    name##_baseline, name##_avx2, name##_avx512                                                    \
  }

static const Kind kinds[IFBAM_MEASURE_DAMPING + 1] = {
  [IFBAM_MEASURE_MAX] = { ACCUMULATE_ROW (largest), -INFINITY },
  [IFBAM_MEASURE_MIN] = { ACCUMULATE_ROW (smallest), INFINITY },
  [IFBAM_MEASURE_RMS] = { ACCUMULATE_ROW (squares), 0 },
  [IFBAM_MEASURE_FINAL] = { ACCUMULATE_ROW (last), NAN },
  [IFBAM_MEASURE_MAGNITUDE] = { ACCUMULATE_ROW (magnitude), 0 },
};

/* Settled: within this fraction of the largest deviation from the last value, ... */
#define SETTLED 0.02
/* ... for at least this last fraction of the run. */
#define LAST_PART 0.1

/* Numbers per variant of a measure that needs no rows at once; of events: number, impulse or largest
 * rate, first and last time. */
#define N_PLACES 4
/* Rounding of a row's time, in rows. */
#define ROUNDING 1e-6

struct _IfbamMeasurement
{
  const IfbamMeasures *measures;
  gsize width;
  IfbamRunSpec spec;
  guint64 first, n_rows, row; /* first row that counts, their number, present row from there on */
  IfbamIsa isa;
  double **place; /* of each measure: (N_PLACES)(width), or all rows (n_rows)(width) */
};

static const IfbamMeasure *
measure_at (const IfbamMeasurement *measurement, guint i)
{
  return &g_array_index (measurement->measures->measures, IfbamMeasure, i);
}

static guint64
count_rows (const IfbamRunSpec *spec)
{
  return spec->last_step / spec->stride + 1;
}

double
ifbam_measurement_memory (const IfbamMeasures *measures, const IfbamRunSpec *spec)
{
  return (double) sizeof (double)
         * (N_PLACES * measures->measures->len
            + (double) measures->n_courses * (double) count_rows (spec));
}

/* Sets the rows within the part of the time that counts, within a rounding of a row's time. */
static void
find_window (IfbamMeasurement *measurement)
{
  const IfbamMeasures *measures = measurement->measures;
  const double interval = (double) measurement->spec.stride * measurement->spec.step;
  const double last = fmin (floor (measures->to / interval + ROUNDING),
                            (double) count_rows (&measurement->spec) - 1);

  measurement->first = (guint64) fmax (ceil (measures->from / interval - ROUNDING), 0);
  measurement->n_rows =
      last < (double) measurement->first ? 0 : (guint64) last + 1 - measurement->first;
}

IfbamMeasurement *
ifbam_measurement_new (const IfbamMeasures *measures, gsize width, const IfbamRunSpec *spec)
{
  IfbamMeasurement *measurement = g_new0 (IfbamMeasurement, 1);

  measurement->measures = measures;
  measurement->width = width;
  measurement->spec = *spec;
  measurement->n_rows = 1;
  if (measures->every_row)
    find_window (measurement);
  measurement->isa = ifbam_isa_choose ();
  measurement->place = g_new0 (double *, measures->measures->len + 1);
  for (guint i = 0; i < measures->measures->len; i++)
    measurement->place[i] = g_aligned_alloc (
        (ifbam_measure_needs_rows (measure_at (measurement, i)->kind) ? MAX (measurement->n_rows, 1)
                                                                      : N_PLACES)
            * width,
        sizeof (double), 64);
  ifbam_measurement_begin (measurement);
  return measurement;
}

void
ifbam_measurement_free (IfbamMeasurement *measurement)
{
  if (measurement == NULL)
    return;
  for (guint i = 0; i < measurement->measures->measures->len; i++)
    g_aligned_free (measurement->place[i]);
  g_free (measurement->place);
  g_free (measurement);
}

void
ifbam_measurement_begin (IfbamMeasurement *measurement)
{
  measurement->row = 0;
  for (guint i = 0; i < measurement->measures->measures->len; i++)
    for (gsize v = 0;
         v < measurement->width && !ifbam_measure_needs_rows (measure_at (measurement, i)->kind);
         v++)
      {
        const IfbamMeasureKind kind = measure_at (measurement, i)->kind;

        measurement->place[i][v] = kind == IFBAM_MEASURE_PEAK_TO_PEAK ? -INFINITY
                                   : kind == IFBAM_MEASURE_PEAK_TIME  ? -1
                                                                      : kinds[kind].start;
        measurement->place[i][measurement->width + v] =
            kind == IFBAM_MEASURE_PEAK_TO_PEAK ? INFINITY : 0;
        if (ifbam_measure_is_of_events (kind))
          measurement->place[i][v] = 0;
      }
}

/* Updates the largest magnitude so far, and its time. */
static void
keep_time (double *largest, double *time, double now, const double *values, gsize n)
{
  for (gsize i = 0; i < n; i++)
    if (fabs (values[i]) > largest[i])
      {
        largest[i] = fabs (values[i]);
        time[i] = now;
      }
}

static double
row_time (const IfbamMeasurement *measurement, guint64 row)
{
  return (double) ((measurement->first + row) * measurement->spec.stride) * measurement->spec.step;
}

void
ifbam_measurement_add (IfbamMeasurement *measurement, guint signal, const double *values)
{
  const guint64 row = measurement->row - measurement->first;

  /* Rows before the first wrap around. */
  for (guint i = 0; i < measurement->measures->measures->len && row < measurement->n_rows; i++)
    {
      const IfbamMeasure *measure = measure_at (measurement, i);
      double *place = measurement->place[i];

      if (!ifbam_measure_is_of_rows (measure->kind) || measure->signal != signal)
        continue;
      if (measure->kind == IFBAM_MEASURE_PEAK_TIME)
        keep_time (place, place + measurement->width, row_time (measurement, row), values,
                   measurement->width);
      else if (measure->kind == IFBAM_MEASURE_PEAK_TO_PEAK)
        {
          kinds[IFBAM_MEASURE_MAX].accumulate[measurement->isa](place, values, measurement->width);
          kinds[IFBAM_MEASURE_MIN].accumulate[measurement->isa](place + measurement->width, values,
                                                                measurement->width);
        }
      else if (ifbam_measure_needs_rows (measure->kind))
        memcpy (measurement->place[i] + row * measurement->width, values,
                measurement->width * sizeof *values);
      else if (measure->kind != IFBAM_MEASURE_FINAL || row + 1 == measurement->n_rows)
        kinds[measure->kind].accumulate[measurement->isa](measurement->place[i], values,
                                                          measurement->width);
    }
}

void
ifbam_measurement_event (IfbamMeasurement *measurement, const IfbamEvent *event)
{
  const IfbamMeasures *measures = measurement->measures;

  for (guint i = 0; i < measures->measures->len; i++)
    {
      const IfbamMeasure *measure = measure_at (measurement, i);
      double *place = measurement->place[i];

      if (!ifbam_measure_is_of_events (measure->kind)
          || !g_str_equal (measure->input, event->element)
          || (measure->output != NULL && !g_str_equal (measure->output, event->word))
          || event->time < measures->from || event->time > measures->to)
        continue;
      place[2] = place[0] == 0 ? event->time : place[2];
      place[3] = event->time;
      place[0]++;
      place[1] = measure->kind == IFBAM_MEASURE_IMPULSE
                     ? place[1] + event->impulse
                     : fmax (place[1], fabs (event->rate_before));
    }
}

/* Returns a measure of events; NaN: too few. */
static double
read_events (IfbamMeasureKind kind, const double *place)
{
  return kind == IFBAM_MEASURE_EVENTS         ? place[0]
         : kind == IFBAM_MEASURE_IMPULSE      ? place[1]
         : kind == IFBAM_MEASURE_SPEED_BEFORE ? (place[0] > 0 ? place[1] : NAN)
         : place[0] > 1                       ? (place[3] - place[2]) / (place[0] - 1)
                                              : NAN;
}

void
ifbam_measurement_next (IfbamMeasurement *measurement)
{
  measurement->row++;
}

static int
compare_amplitudes (gconstpointer a, gconstpointer b)
{
  const IfbamPeak *one = a, *other = b;

  return (one->amplitude < other->amplitude) - (one->amplitude > other->amplitude);
}

static int
compare_frequencies (gconstpointer a, gconstpointer b)
{
  const IfbamPeak *one = a, *other = b;

  return (one->frequency > other->frequency) - (one->frequency < other->frequency);
}

/* Returns the time after which a course stays near its last value; NaN: never, or too late. */
static double
read_settling (const IfbamMeasurement *measurement, const double *rows, gsize variant)
{
  const gsize n = (gsize) measurement->n_rows;
  const double last = rows[(n - 1) * measurement->width + variant];
  double largest = 0;
  gsize from = n;

  for (gsize i = 0; i < n; i++)
    largest = fmax (largest, fabs (rows[i * measurement->width + variant] - last));
  while (from > 0
         && fabs (rows[(from - 1) * measurement->width + variant] - last) <= SETTLED * largest)
    from--;
  return (double) from > (1 - LAST_PART) * (double) (n - 1) ? NAN : row_time (measurement, from);
}

/* Finds the strongest peaks, by frequency. */
static gboolean
read_spectrum (const IfbamMeasurement *measurement, const IfbamMeasure *measure, const double *rows,
               gsize variant, double *values, GError **error)
{
  const gsize n = (gsize) measurement->n_rows;
  g_autofree double *times = g_new (double, n), *course = g_new (double, n);
  g_autoptr (IfbamSpectrum) spectrum = NULL;
  g_autofree IfbamPeak *peaks = NULL;
  const gsize count = measure->n / 2;
  gsize n_peaks;

  for (gsize i = 0; i < n; i++)
    {
      times[i] = row_time (measurement, i);
      course[i] = rows[i * measurement->width + variant];
    }
  spectrum = ifbam_spectrum_new (times, course, n, IFBAM_WINDOW_HANN, error);
  if (spectrum == NULL)
    return FALSE;
  peaks = ifbam_spectrum_find_peaks (spectrum, IFBAM_SPECTRUM_THRESHOLD, TRUE, &n_peaks);
  if (n_peaks > count)
    {
      qsort (peaks, n_peaks, sizeof *peaks, compare_amplitudes);
      qsort (peaks, count, sizeof *peaks, compare_frequencies);
    }
  for (gsize i = 0; i < MIN (n_peaks, count); i++)
    {
      values[i] = peaks[i].frequency;
      values[count + i] = peaks[i].amplitude;
    }
  return TRUE;
}

gboolean
ifbam_measurement_read (const IfbamMeasurement *measurement, gsize variant, double *values,
                        GError **error)
{
  for (guint i = 0; i < measurement->measures->measures->len; i++)
    {
      const IfbamMeasure *measure = measure_at (measurement, i);
      double *value = values + measure->first;

      if (ifbam_measure_is_of_events (measure->kind))
        *value = read_events (measure->kind, measurement->place[i]);
      if (!ifbam_measure_is_of_rows (measure->kind))
        continue;
      if (measurement->n_rows == 0)
        return ifbam_fail (error, IFBAM_ERROR_COURSE, "no row lies between --from and --to");
      if (measure->kind == IFBAM_MEASURE_SPECTRUM)
        {
          for (guint v = 0; v < measure->n; v++)
            value[v] = NAN;
          if (!read_spectrum (measurement, measure, measurement->place[i], variant, value, error))
            return FALSE;
          continue;
        }
      *value = measurement->place[i][variant];
      if (measure->kind == IFBAM_MEASURE_PEAK_TO_PEAK)
        *value -= measurement->place[i][measurement->width + variant];
      if (measure->kind == IFBAM_MEASURE_PEAK_TIME)
        *value = measurement->place[i][measurement->width + variant];
      if (measure->kind == IFBAM_MEASURE_SETTLING)
        *value = read_settling (measurement, measurement->place[i], variant);
      if (measure->kind == IFBAM_MEASURE_RMS)
        *value = sqrt (*value / (double) measurement->n_rows);
    }
  return TRUE;
}
