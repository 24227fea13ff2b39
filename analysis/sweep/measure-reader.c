/* measure-reader.c: reads measures of a sweep: "max:m1.position", "frequencies"
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "sweep/measure.h"

#include <math.h>
#include <string.h>

static const char *const measure_words[] = {
  [IFBAM_MEASURE_MAX] = "max",
  [IFBAM_MEASURE_MIN] = "min",
  [IFBAM_MEASURE_RMS] = "rms",
  [IFBAM_MEASURE_FINAL] = "final",
  [IFBAM_MEASURE_MAGNITUDE] = "magnitude",
  [IFBAM_MEASURE_PEAK_TO_PEAK] = "peak-to-peak",
  [IFBAM_MEASURE_PEAK_TIME] = "peak-time",
  [IFBAM_MEASURE_SETTLING] = "settling",
  [IFBAM_MEASURE_SPECTRUM] = "spectrum",
  [IFBAM_MEASURE_EVENTS] = "events",
  [IFBAM_MEASURE_IMPULSE] = "impulse",
  [IFBAM_MEASURE_SPEED_BEFORE] = "speed-before",
  [IFBAM_MEASURE_TIME_BETWEEN] = "time-between",
  [IFBAM_MEASURE_RESPONSE] = "response",
  [IFBAM_MEASURE_FREQUENCIES] = "frequencies",
  [IFBAM_MEASURE_DAMPING] = "damping",
};

#define WANTED                                                                                     \
  "frequencies, damping, response:INPUT:SIGNAL, or of a SIGNAL max:, min:, magnitude:, "           \
  "peak-to-peak:, peak-time:, settling:, rms:, final: or spectrum:, or of the events of an "       \
  "ELEMENT events:, impulse:, speed-before: or time-between:"

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
  g_autofree char *name = g_strdup_printf ("%s:%s", measure_words[kind], signal);
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
  measures->n_courses += ifbam_measure_needs_rows (kind);
  g_array_append_val (measures->measures, measure);
}

static void
add_modes (Reader *reader, IfbamMeasureKind kind)
{
  IfbamMeasures *measures = reader->measures;
  IfbamMeasure measure = { .kind = kind, .signal = G_MAXUINT, .first = reader->grid->n_values };
  g_autofree char *column = g_strconcat (measure_words[kind], ":", NULL);

  for (guint i = 0; i < measures->measures->len; i++)
    if (g_array_index (measures->measures, IfbamMeasure, i).kind == kind)
      return;
  measures->n_modes = (guint) MIN (reader->count, 2 * ifbam_model_n_named_free (reader->model));
  add_several (reader, measure_words[kind], kind == IFBAM_MEASURE_FREQUENCIES ? "Hz" : "", "mode",
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
  g_autofree char *name = g_strdup_printf ("%s:%s", measure_words[kind], words);
  const IfbamElement *found = g_hash_table_lookup (reader->network->by_name, owner);
  const IfbamDomainInfo *domain;
  IfbamMeasure measure = {
    .kind = kind, .signal = G_MAXUINT, .first = reader->grid->n_values, .n = 1
  };

  if (found == NULL)
    return g_strdup_printf ("there is no element \"%s\" (want %s:ELEMENT or %s:ELEMENT:KIND)",
                            owner, measure_words[kind], measure_words[kind]);
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

int
ifbam_measure_find (const char *word)
{
  for (guint k = 0; k < G_N_ELEMENTS (measure_words); k++)
    if (g_str_equal (word, measure_words[k]))
      return (int) k;
  return -1;
}

/* Returns an error as a phrase, or NULL. */
static char *
read_text (Reader *reader, const char *text)
{
  const char *colon = strchr (text, ':');
  g_autofree char *word =
      colon == NULL ? g_strdup (text) : g_strndup (text, (gsize) (colon - text));
  const int kind = ifbam_measure_find (word);
  const char *nearest = ifbam_nearest_word (word, measure_words, G_N_ELEMENTS (measure_words));
  g_autoptr (IfbamSignals) signals = NULL;
  char *reason = NULL;

  if (kind < 0 && nearest != NULL)
    return g_strdup_printf ("there is no measure \"%s\" (did you mean \"%s\"?)", word, nearest);
  if (kind < 0)
    return g_strdup_printf ("there is no measure \"%s\" (want %s)", word, WANTED);
  if (ifbam_measure_is_of_modes (kind) && colon != NULL)
    return g_strdup_printf ("%s are of the network, not of a signal (want %s alone)", word, word);
  if (ifbam_measure_is_of_modes (kind))
    {
      add_modes (reader, kind);
      return NULL;
    }
  if (kind == IFBAM_MEASURE_RESPONSE)
    return add_response (reader, colon == NULL ? "" : colon + 1);
  if (ifbam_measure_is_of_events (kind))
    return add_events (reader, kind, colon == NULL ? "" : colon + 1);
  if (colon == NULL || colon[1] == '\0')
    return g_strdup_printf ("needs a signal (want %s:ELEMENT.QUANTITY, such as "
                            "%s:m1.position)",
                            word, word);
  signals = ifbam_signals_new (reader->model, reader->network->by_name, colon + 1, &reason);
  for (guint i = 0; signals != NULL && i < signals->signals->len; i++)
    add_measure (reader, kind, signals->names->pdata[i], signals->units->pdata[i]);
  return reason;
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
