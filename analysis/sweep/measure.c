/* measure.c: measured quantities of a sweep's variants: of samples, spectra, modes, responses
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "sweep/measure.h"

#include <complex.h>
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "spectrum/ifbam-spectrum.h"
#include "linear/linear.h"

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
  const char *word;
  Accumulate accumulate[IFBAM_N_ISA];
  double start;
} Kind;

#define ACCUMULATE_ROW(name)                                                                       \
  {                                                                                                \
    name##_baseline, name##_avx2, name##_avx512                                                    \
  }

static const Kind kinds[] = {
  [IFBAM_MEASURE_MAX] = { "max", ACCUMULATE_ROW (largest), -INFINITY },
  [IFBAM_MEASURE_MIN] = { "min", ACCUMULATE_ROW (smallest), INFINITY },
  [IFBAM_MEASURE_RMS] = { "rms", ACCUMULATE_ROW (squares), 0 },
  [IFBAM_MEASURE_FINAL] = { "final", ACCUMULATE_ROW (last), NAN },
  [IFBAM_MEASURE_MAGNITUDE] = { "magnitude", ACCUMULATE_ROW (magnitude), 0 },
  [IFBAM_MEASURE_PEAK_TO_PEAK] = { .word = "peak-to-peak" },
  [IFBAM_MEASURE_PEAK_TIME] = { .word = "peak-time" },
  [IFBAM_MEASURE_SETTLING] = { .word = "settling" },
  [IFBAM_MEASURE_SPECTRUM] = { .word = "spectrum" },
  [IFBAM_MEASURE_EVENTS] = { .word = "events" },
  [IFBAM_MEASURE_IMPULSE] = { .word = "impulse" },
  [IFBAM_MEASURE_SPEED_BEFORE] = { .word = "speed-before" },
  [IFBAM_MEASURE_TIME_BETWEEN] = { .word = "time-between" },
  [IFBAM_MEASURE_RESPONSE] = { .word = "response" },
  [IFBAM_MEASURE_FREQUENCIES] = { .word = "frequencies" },
  [IFBAM_MEASURE_DAMPING] = { .word = "damping" },
};

#define WANTED                                                                                     \
  "frequencies, damping, response:INPUT:SIGNAL, or of a SIGNAL max:, min:, magnitude:, "           \
  "peak-to-peak:, peak-time:, settling:, rms:, final: or spectrum:, or of the events of an "       \
  "ELEMENT events:, impulse:, speed-before: or time-between:"

/* Settled: within this fraction of the largest deviation from the last value, ... */
#define SETTLED 0.02
/* ... for at least this last fraction of the run. */
#define LAST_PART 0.1

/* For the peak of a response. */
#define RESPONSE_POINTS 200
#define NARROWINGS      40
/* Peaks on the grid that are lower than this part of the highest are not refined. */
#define SECOND_PEAK 0.5

/* Modes of larger networks may be computed by ARPACK, which is not thread-safe. */
#define MAX_AT_ONCE 100
/* Additional modes that are computed for tracking. */
#define MORE_MODES 10
/* Relative difference of the same mode in another search, by rounding. */
#define SAME 1e-9

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

/* Reading */

typedef struct
{
  const IfbamNetwork *network;
  const IfbamModel *model;
  const IfbamRunSpec *spec;
  IfbamMeasures *measures;
  IfbamGrid *grid;
  GHashTable *signals; /* name -> index + 1 */
  GString *record;
  guint count;
} Reader;

static guint
signal_number (Reader *reader, const char *name)
{
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (reader->signals, name));

  if (number > 0)
    return number - 1;
  number = reader->measures->n_signals++;
  g_hash_table_insert (reader->signals, g_strdup (name), GUINT_TO_POINTER (number + 1));
  g_string_append_printf (reader->record, "%s%s", number > 0 ? "," : "", name);
  return number;
}

/* Adds a quantity with several values per variant: "NAME1", "NAME2", ... */
static void
add_several (Reader *reader, const char *name, const char *unit, const char *axis,
             const char *column, guint n)
{
  g_autoptr (GPtrArray) columns = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < n; i++)
    g_ptr_array_add (columns, g_strdup_printf ("%s%u", column, i + 1));
  ifbam_grid_add_array (reader->grid, name, unit, axis, TRUE, (const char *const *) columns->pdata,
                        n);
}

/* TRUE if a measure needs all rows at once. */
static gboolean
needs_rows (IfbamMeasureKind kind)
{
  return kind == IFBAM_MEASURE_SPECTRUM || kind == IFBAM_MEASURE_SETTLING;
}

static gboolean
is_of_modes (IfbamMeasureKind kind)
{
  return kind == IFBAM_MEASURE_FREQUENCIES || kind == IFBAM_MEASURE_DAMPING;
}

static gboolean
is_of_events (IfbamMeasureKind kind)
{
  return kind >= IFBAM_MEASURE_EVENTS && kind <= IFBAM_MEASURE_TIME_BETWEEN;
}

/* TRUE if a measure is of rows of a signal. */
static gboolean
is_of_rows (IfbamMeasureKind kind)
{
  return !is_of_modes (kind) && !is_of_events (kind) && kind != IFBAM_MEASURE_RESPONSE;
}

/* TRUE if a measure is a time, not in the signal's unit. */
static gboolean
is_time (IfbamMeasureKind kind)
{
  return kind == IFBAM_MEASURE_PEAK_TIME || kind == IFBAM_MEASURE_SETTLING;
}

static void
add_measure (Reader *reader, IfbamMeasureKind kind, const char *signal, const char *unit)
{
  IfbamMeasures *measures = reader->measures;
  g_autofree char *name = g_strdup_printf ("%s:%s", kinds[kind].word, signal);
  IfbamMeasure measure = { .kind = kind, .first = reader->grid->n_values };

  for (guint i = 0; i < measures->measures->len; i++)
    if (g_array_index (measures->measures, IfbamMeasure, i).kind == kind
        && g_array_index (measures->measures, IfbamMeasure, i).signal
               == signal_number (reader, signal))
      return; /* known already */
  measure.signal = signal_number (reader, signal);
  if (kind == IFBAM_MEASURE_SPECTRUM)
    {
      g_autofree char *frequency = g_strconcat (name, ":frequency", NULL),
                      *amplitude = g_strconcat (name, ":amplitude", NULL);

      add_several (reader, frequency, "Hz", "peak", frequency, reader->count);
      add_several (reader, amplitude, unit, "peak", amplitude, reader->count);
    }
  else
    ifbam_grid_add_array (reader->grid, name, is_time (kind) ? "s" : unit, NULL, FALSE,
                          (const char *const[]){ name }, 1);
  measure.n = reader->grid->n_values - measure.first;
  measures->every_row |= kind != IFBAM_MEASURE_FINAL;
  measures->n_courses += needs_rows (kind);
  g_array_append_val (measures->measures, measure);
}

static void
add_modes (Reader *reader, IfbamMeasureKind kind)
{
  IfbamMeasures *measures = reader->measures;
  IfbamMeasure measure = { .kind = kind, .signal = G_MAXUINT, .first = reader->grid->n_values };
  g_autofree char *column = g_strconcat (kinds[kind].word, ":", NULL);

  for (guint i = 0; i < measures->measures->len; i++)
    if (g_array_index (measures->measures, IfbamMeasure, i).kind == kind)
      return;
  measures->n_modes = (guint) MIN (reader->count, 2 * ifbam_model_n_named_free (reader->model));
  add_several (reader, kinds[kind].word, kind == IFBAM_MEASURE_FREQUENCIES ? "Hz" : "", "mode",
               column, measures->n_modes);
  measure.n = measures->n_modes;
  g_array_append_val (measures->measures, measure);
}

/* Reads "INPUT:SIGNAL" for a response's peak. Returns an error as a phrase, or NULL. */
static char *
add_response (Reader *reader, const char *words)
{
  IfbamMeasures *measures = reader->measures;
  g_auto (GStrv) parts = g_strsplit (words, ":", -1);
  const char *const outputs[] = { g_strv_length (parts) == 2 ? parts[1] : NULL, NULL };
  IfbamMeasure measure = { .kind = IFBAM_MEASURE_RESPONSE,
                           .signal = G_MAXUINT,
                           .first = reader->grid->n_values };
  g_autoptr (IfbamResponseSystem) system = NULL;
  g_autoptr (GError) error = NULL;

  if (outputs[0] == NULL)
    return g_strdup ("want response:INPUT:SIGNAL, such as response:force@m1:m2.position");
  system = ifbam_response_system_new (reader->model, reader->spec, reader->network->by_name,
                                      parts[0], outputs, &error);
  if (system == NULL)
    return g_strdup (error->message);
  if (system->signals->signals->len != 1)
    return g_strdup_printf ("\"%s\" is %u signals, not one", parts[1],
                            system->signals->signals->len);
  for (guint q = 0; q < 2; q++)
    {
      g_autofree char *name =
          g_strdup_printf ("response:%s:%s", words, q == 0 ? "frequency" : "amplitude");

      ifbam_grid_add_array (reader->grid, name, q == 0 ? "Hz" : system->units->pdata[0], NULL,
                            FALSE, (const char *const[]){ name }, 1);
    }
  measure.n = 2;
  measure.input = g_strdup (parts[0]);
  measure.output = g_strdup (parts[1]);
  measures->n_responses++;
  g_array_append_val (measures->measures, measure);
  return NULL;
}

/* Reads "ELEMENT" or "ELEMENT:KIND" for a measure of events. Returns an error as a phrase, or NULL. */
static char *
add_events (Reader *reader, IfbamMeasureKind kind, const char *words)
{
  const char *colon = strchr (words, ':');
  g_autofree char *element =
      colon == NULL ? g_strdup (words) : g_strndup (words, (gsize) (colon - words));
  g_autofree char *owner = g_strndup (element, strcspn (element, "."));
  g_autofree char *name = g_strdup_printf ("%s:%s", kinds[kind].word, words);
  const IfbamElement *found = g_hash_table_lookup (reader->network->by_name, owner);
  const IfbamDomainInfo *domain;
  IfbamMeasure measure = {
    .kind = kind, .signal = G_MAXUINT, .first = reader->grid->n_values, .n = 1
  };

  if (found == NULL)
    return g_strdup_printf ("there is no element \"%s\" (want %s:ELEMENT or %s:ELEMENT:KIND)",
                            owner, kinds[kind].word, kinds[kind].word);
  domain = ifbam_domain_info (found->info->domain == IFBAM_DOMAIN_ANY ? IFBAM_DOMAIN_TRANSLATION
                                                                      : found->info->domain);
  ifbam_grid_add_array (reader->grid, name,
                        kind == IFBAM_MEASURE_EVENTS         ? ""
                        : kind == IFBAM_MEASURE_IMPULSE      ? domain->impulse_unit
                        : kind == IFBAM_MEASURE_SPEED_BEFORE ? domain->rate_unit
                                                             : "s",
                        NULL, FALSE, (const char *const[]){ name }, 1);
  measure.input = g_steal_pointer (&element);
  measure.output = colon == NULL ? NULL : g_strdup (colon + 1);
  reader->measures->n_events++;
  /* A run has at least one signal. */
  signal_number (reader, "network.kinetic");
  g_array_append_val (reader->measures->measures, measure);
  return NULL;
}

/* Returns an error as a phrase, or NULL. */
static char *
read_text (Reader *reader, const char *text)
{
  const char *colon = strchr (text, ':'), *words[G_N_ELEMENTS (kinds)], *nearest;
  g_autofree char *word =
      colon == NULL ? g_strdup (text) : g_strndup (text, (gsize) (colon - text));
  g_autoptr (IfbamSignals) signals = NULL;
  char *reason = NULL;

  for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
    {
      words[k] = kinds[k].word;
      if (!g_str_equal (word, words[k]))
        continue;
      if (is_of_modes (k) && colon != NULL)
        return g_strdup_printf ("%s are of the network, not of a signal (want %s alone)", word,
                                word);
      if (is_of_modes (k))
        {
          add_modes (reader, k);
          return NULL;
        }
      if (k == IFBAM_MEASURE_RESPONSE)
        return add_response (reader, colon == NULL ? "" : colon + 1);
      if (is_of_events (k))
        return add_events (reader, (IfbamMeasureKind) k, colon == NULL ? "" : colon + 1);
      if (colon == NULL || colon[1] == '\0')
        return g_strdup_printf ("needs a signal (want %s:ELEMENT.QUANTITY, such as "
                                "%s:m1.position)",
                                word, word);
      signals = ifbam_signals_new (reader->model, reader->network->by_name, colon + 1, &reason);
      for (guint i = 0; signals != NULL && i < signals->signals->len; i++)
        add_measure (reader, (IfbamMeasureKind) k, signals->names->pdata[i],
                     signals->units->pdata[i]);
      return reason;
    }
  nearest = ifbam_nearest_word (word, words, G_N_ELEMENTS (words));
  if (nearest != NULL)
    return g_strdup_printf ("there is no measure \"%s\" (did you mean \"%s\"?)", word, nearest);
  return g_strdup_printf ("there is no measure \"%s\" (want %s)", word, WANTED);
}

static void
measure_clear (gpointer data)
{
  IfbamMeasure *measure = data;

  g_free (measure->input);
  g_free (measure->output);
}

IfbamMeasures *
ifbam_measures_new (const IfbamNetwork *network, const IfbamModel *model, const IfbamRunSpec *spec,
                    const char *const *texts, guint count, IfbamGrid *grid, char **reason)
{
  g_autoptr (IfbamMeasures) measures = g_new0 (IfbamMeasures, 1);
  g_autoptr (GHashTable) signals = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GString) faults = g_string_new (NULL);
  g_autoptr (GString) record = g_string_new (NULL);
  static const char *const standard[] = { "frequencies", NULL };
  Reader reader = { network, model, spec, measures, grid, signals, record, count };

  measures->from = 0;
  measures->to = INFINITY;
  measures->measures = g_array_new (FALSE, FALSE, sizeof (IfbamMeasure));
  g_array_set_clear_func (measures->measures, measure_clear);
  if (texts == NULL || texts[0] == NULL)
    texts = standard;
  for (guint i = 0; texts[i] != NULL; i++)
    {
      g_auto (GStrv) parts = g_strsplit (texts[i], ",", -1);

      for (guint p = 0; parts[p] != NULL; p++)
        {
          g_autofree char *fault = read_text (&reader, g_strstrip (parts[p]));

          if (fault != NULL)
            g_string_append_printf (faults, "%s--measure %s: %s", faults->len > 0 ? "\n" : "",
                                    parts[p], fault);
        }
    }
  if (faults->len > 0)
    {
      *reason = g_strdup (faults->str);
      return NULL;
    }
  if (measures->n_signals > 0)
    measures->record = g_strdup (record->str);
  return g_steal_pointer (&measures);
}

void
ifbam_measures_set_window (IfbamMeasures *measures, double from, double to)
{
  measures->from = from;
  measures->to = to;
  measures->every_row |= from > 0 || to < INFINITY;
}

void
ifbam_measures_free (IfbamMeasures *measures)
{
  if (measures == NULL)
    return;
  g_array_unref (measures->measures);
  g_free (measures->record);
  g_free (measures);
}

/* Modes */

static gboolean
may_continue (const IfbamMeasureWatch *watch)
{
  return watch->may_continue == NULL || watch->may_continue (watch->data);
}

static gboolean
watch_search (gpointer data, const char *what)
{
  (void) what;
  return may_continue (data);
}

static gboolean
watch_response (gpointer data, double part)
{
  (void) part;
  return may_continue (data);
}

/* Computes the response at a frequency. */
static gboolean
take_answer (IfbamResponseSystem *system, double frequency, const IfbamMeasureWatch *watch,
             double complex *answer, GError **error)
{
  if (may_continue (watch))
    return ifbam_response_at (system, frequency, answer, NULL, error);
  return ifbam_fail (error, IFBAM_ERROR_INTERRUPTED, "interrupted");
}

/* Refines a maximum between two frequencies: replaces best (frequency, amplitude) by a larger one. */
static gboolean
refine_peak (IfbamResponseSystem *system, double from, double to, const IfbamMeasureWatch *watch,
             double best[2], GError **error)
{
  for (guint i = 0; i < NARROWINGS; i++)
    {
      const double third[2] = { from + (to - from) / 3, to - (to - from) / 3 };
      double height[2];

      for (guint k = 0; k < 2; k++)
        {
          double complex answer;

          if (!take_answer (system, third[k], watch, &answer, error))
            return FALSE;
          height[k] = cabs (answer);
          if (height[k] > best[1])
            {
              best[0] = third[k];
              best[1] = height[k];
            }
        }
      if (height[0] < height[1])
        from = third[0];
      else
        to = third[1];
    }
  return TRUE;
}

/* Finds the maximum on a grid, which is closest near peaks. All peaks are refined that could be the
 * highest: between points of the grid one may be higher than another on it. */
static gboolean
find_peak (IfbamResponseSystem *system, const double *grid, gsize n, const IfbamMeasureWatch *watch,
           double best[2], GError **error)
{
  g_autofree double *height = g_new (double, n + 1);

  for (gsize i = 0; i < n; i++)
    {
      double complex answer;

      if (!take_answer (system, grid[i], watch, &answer, error))
        return FALSE;
      height[i] = cabs (answer);
      if (height[i] > best[1])
        {
          best[0] = grid[i];
          best[1] = height[i];
        }
    }
  for (gsize i = 0; i < n; i++)
    if (height[i] > SECOND_PEAK * best[1] && (i == 0 || height[i] >= height[i - 1])
        && (i + 1 == n || height[i] > height[i + 1])
        && !refine_peak (system, grid[i > 0 ? i - 1 : 0], grid[MIN (i + 1, n - 1)], watch, best,
                         error))
      return FALSE;
  return TRUE;
}

/* Computes the maximum of a response and its frequency; no values if it is infinite. */
static gboolean
take_response (const IfbamMeasure *measure, const IfbamModel *model, const IfbamRunSpec *spec,
               GHashTable *by_name, const IfbamMeasureWatch *watch, double *values, GError **error)
{
  const char *const outputs[] = { measure->output, NULL };
  IfbamResponseRange range = { NAN, NAN, RESPONSE_POINTS, FALSE, FALSE };
  g_autoptr (IfbamResponseSystem) system =
      ifbam_response_system_new (model, spec, by_name, measure->input, outputs, error);
  g_autofree double *grid = NULL, *own = NULL;
  double best[2] = { NAN, -1 };
  gsize n = 0;

  values[0] = values[1] = NAN;
  if (system == NULL
      || !ifbam_response_find_modes (system, &range, watch_response, (gpointer) watch, error))
    return FALSE;
  own = ifbam_response_eigenfrequencies (system, range.from, range.to, &n);
  for (gsize i = 0; i < n; i++)
    {
      double complex answer;

      if (!take_answer (system, own[i], watch, &answer, error))
        return FALSE;
      if (!isfinite (cabs (answer)))
        return TRUE;
    }
  grid = ifbam_response_grid (system, &range, &n);
  if (!find_peak (system, grid, n, watch, best, error))
    return FALSE;
  memcpy (values, best, sizeof best);
  return TRUE;
}

gboolean
ifbam_measures_has_modes (const IfbamMeasures *measures)
{
  return measures->n_modes > 0 || measures->n_responses > 0;
}

/* For searches that are not thread-safe. */
static GMutex one_at_a_time;

static gboolean
begin_search (const IfbamModel *model)
{
  if (model->n_free > MAX_AT_ONCE)
    g_mutex_lock (&one_at_a_time);
  return model->n_free > MAX_AT_ONCE;
}

gboolean
ifbam_measures_take_responses (const IfbamMeasures *measures, const IfbamModel *model,
                               const IfbamRunSpec *spec, GHashTable *by_name,
                               const IfbamMeasureWatch *watch, double *values, GError **error)
{
  const gboolean alone = begin_search (model);
  gboolean fine = TRUE;

  for (guint i = 0; i < measures->measures->len && fine; i++)
    {
      const IfbamMeasure *measure = &g_array_index (measures->measures, IfbamMeasure, i);

      if (measure->kind == IFBAM_MEASURE_RESPONSE)
        fine = take_response (measure, model, spec, by_name, watch, values + measure->first, error);
    }
  if (alone)
    g_mutex_unlock (&one_at_a_time);
  return fine;
}

IfbamModes *
ifbam_measures_find_modes (const IfbamMeasures *measures, const IfbamModel *model,
                           const IfbamRunSpec *spec, const IfbamMeasureWatch *watch, GError **error)
{
  /* In small networks all modes are computed: any may be in a column of another variant. */
  const guint more = measures->by_rank || model->n_free > MAX_AT_ONCE ? 0 : MORE_MODES;
  const IfbamModesRequest request = { .count = measures->n_modes + more,
                                      .progress = watch_search,
                                      .data = (gpointer) watch };
  const gboolean alone = begin_search (model);
  IfbamModes *modes = ifbam_modes_new_for_model (model, spec, &request, error);

  if (alone)
    g_mutex_unlock (&one_at_a_time);
  return modes;
}

void
ifbam_measures_put_mode (const IfbamMeasures *measures, guint column, const IfbamMode *mode,
                         double *values)
{
  for (guint i = 0; i < measures->measures->len; i++)
    {
      const IfbamMeasure *measure = &g_array_index (measures->measures, IfbamMeasure, i);

      if (is_of_modes (measure->kind) && column < measure->n)
        values[measure->first + column] = mode == NULL ? NAN
                                          : measure->kind == IFBAM_MEASURE_FREQUENCIES
                                              ? mode->frequency
                                              : mode->damping_ratio;
    }
}

/* Returns the nearest of a variant's values, if it is equal but for rounding. */
static double
known_number (const double *values, guint n, double number)
{
  double nearest = number, least = SAME * MAX (fabs (number), 1);

  for (guint i = 0; i < n; i++)
    if (fabs (values[i] - number) <= least)
      {
        least = fabs (values[i] - number);
        nearest = values[i];
      }
  return nearest;
}

void
ifbam_measures_restore_mode (const IfbamMeasures *measures, const double *values, IfbamMode *mode)
{
  for (guint i = 0; i < measures->measures->len; i++)
    {
      const IfbamMeasure *measure = &g_array_index (measures->measures, IfbamMeasure, i);
      double *number =
          measure->kind == IFBAM_MEASURE_FREQUENCIES ? &mode->frequency : &mode->damping_ratio;

      if (is_of_modes (measure->kind))
        *number = known_number (values + measure->first, measure->n, *number);
    }
}

/* Meter */

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
        (needs_rows (measure_at (measurement, i)->kind) ? MAX (measurement->n_rows, 1) : N_PLACES)
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
    for (gsize v = 0; v < measurement->width && !needs_rows (measure_at (measurement, i)->kind);
         v++)
      {
        const IfbamMeasureKind kind = measure_at (measurement, i)->kind;

        measurement->place[i][v] = kind == IFBAM_MEASURE_PEAK_TO_PEAK ? -INFINITY
                                   : kind == IFBAM_MEASURE_PEAK_TIME  ? -1
                                                                      : kinds[kind].start;
        measurement->place[i][measurement->width + v] =
            kind == IFBAM_MEASURE_PEAK_TO_PEAK ? INFINITY : 0;
        if (is_of_events (kind))
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

      if (!is_of_rows (measure->kind) || measure->signal != signal)
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
      else if (needs_rows (measure->kind))
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

      if (!is_of_events (measure->kind) || !g_str_equal (measure->input, event->element)
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

      if (is_of_events (measure->kind))
        *value = read_events (measure->kind, measurement->place[i]);
      if (!is_of_rows (measure->kind))
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
