/* sweep.c: a network over all combinations of varied numbers: what is asked, and its table
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "sweep/sweep.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/ifbam-error.h"
#include "run/lanes.h"
#include "motion/linearization.h"
#include "scheme/growth.h"
#include "sweep/sweep-run.h"
#include "sweep/csv-table.h"
#include "motion/estimate.h"

/* Networks with more free nodes than this are run one after another, each by all threads. */
#define LARGE 30000
/* Finished variants that are run again before a sweep goes on. */
#define PROBES 8
/* By how much they may differ: another machine's eigenvalues have other roundings. */
#define TOLERANCE 1e-9

#define DIVERGED "diverged"

/* Numbers of a variant */

void
ifbam_sweep_indices (const IfbamSweep *sweep, guint64 variant, gsize *index)
{
  for (guint k = sweep->variations->len; k-- > 0;)
    {
      const IfbamVariation *variation = sweep->variations->pdata[k];

      index[k] = (gsize) (variant % variation->n);
      variant /= variation->n;
    }
}

char *
ifbam_sweep_describe (const IfbamSweep *sweep, guint64 variant)
{
  g_autofree gsize *index = g_new (gsize, sweep->variations->len);
  GString *text = g_string_new (NULL);

  ifbam_sweep_indices (sweep, variant, index);
  for (guint k = 0; k < sweep->variations->len; k++)
    {
      const IfbamVariation *variation = sweep->variations->pdata[k];

      g_string_append_printf (text, "%s%s = %.10g", k > 0 ? ", " : "", variation->name,
                              variation->values[index[k]]);
    }
  return g_string_free (text, FALSE);
}

guint64
ifbam_sweep_combination (const IfbamSweep *sweep, const gsize *index)
{
  guint64 combination = 0;

  for (guint k = 0; k < sweep->variations->len; k++)
    {
      const IfbamVariation *variation = sweep->variations->pdata[k];

      if (variation->settings)
        combination = combination * variation->n + index[k];
    }
  return combination;
}

guint64
ifbam_sweep_count (const IfbamSweep *sweep, gboolean diverged_only)
{
  guint64 n = 0;

  for (guint64 v = 0; v < sweep->n; v++)
    n += diverged_only ? sweep->state[v] == IFBAM_VARIANT_DIVERGED
                       : sweep->state[v] != IFBAM_VARIANT_OPEN;
  return n;
}

/* Asking */

static void
add_fault (GString *faults, const char *option, const char *text, const char *reason)
{
  g_string_append_printf (faults, "%s%s %s: %s", faults->len > 0 ? "\n" : "", option, text, reason);
}

/* The same number under two names. */
static const char *
other_name (const IfbamSweep *sweep, const IfbamVariation *variation)
{
  for (guint k = 0; k < sweep->variations->len; k++)
    {
      const IfbamVariation *other = sweep->variations->pdata[k];

      for (guint t = 0; t < other->n_targets; t++)
        for (guint u = 0; u < variation->n_targets; u++)
          if (memcmp (&other->targets[t], &variation->targets[u], sizeof (IfbamTarget)) == 0)
            return other->name;
    }
  return NULL;
}

static void
read_variations (IfbamSweep *sweep, const IfbamNetwork *network, const IfbamModel *model,
                 const char *const *varied, GString *faults)
{
  for (guint i = 0; varied != NULL && varied[i] != NULL; i++)
    {
      g_autofree char *reason = NULL;
      g_autoptr (IfbamVariation) variation =
          ifbam_variation_new (network, model, varied[i], &reason);

      if (variation != NULL && other_name (sweep, variation) != NULL)
        reason =
            g_strdup_printf ("--vary %s varies the same number", other_name (sweep, variation));
      if (reason != NULL)
        add_fault (faults, "--vary", varied[i], reason);
      else
        g_ptr_array_add (sweep->variations, g_steal_pointer (&variation));
    }
  if (sweep->variations->len == 0 && faults->len == 0)
    g_string_append (faults, "--vary: nothing is varied (want ELEMENT.KEY=FROM:TO:N, such as "
                             "k1.stiffness=5kN/m:20kN/m:31)");
}

static void
make_results (IfbamSweep *sweep, GString *faults)
{
  const double memory = (double) sysconf (_SC_PHYS_PAGES) * (double) sysconf (_SC_PAGESIZE);
  double n = 1, bytes;

  for (guint k = 0; k < sweep->variations->len; k++)
    n *= (double) ((IfbamVariation *) sweep->variations->pdata[k])->n;
  sweep->n_values = sweep->measures->columns->len;
  bytes = n * (double) (sizeof (double) * (sweep->n_values + 2) + 1);
  if (n > IFBAM_MOST_VARIANTS)
    g_string_append_printf (faults, "--vary: %.0f variants are more than %d", n,
                            IFBAM_MOST_VARIANTS);
  else if (memory > 0 && bytes > 0.5 * memory)
    g_string_append_printf (faults,
                            "--measure: the values of %.0f variants need %.3g GB of memory, this "
                            "machine has %.3g GB (want fewer, or a lower --count)",
                            n, 1e-9 * bytes, 1e-9 * memory);
  if (faults->len > 0)
    return;
  sweep->n = (guint64) n;
  sweep->state = g_new0 (guint8, sweep->n);
  sweep->instant = g_new0 (double, sweep->n);
  sweep->values = g_new (double, sweep->n * sweep->n_values);
  for (guint64 i = 0; i < sweep->n * sweep->n_values; i++)
    sweep->values[i] = NAN;
}

typedef struct
{
  GString *faults;
  char *name;
} SettingCheck;

static void
setting_fault (gpointer data, const char *key, char *text)
{
  SettingCheck *check = data;

  g_string_append_printf (check->faults, "%s--vary: with %s: [network] %s: %s",
                          check->faults->len > 0 ? "\n" : "", check->name, key, text);
  g_free (text);
}

/* Sees that all combinations of varied settings can be run, and how many steps each takes. */
static void
check_settings (IfbamSweep *sweep, IfbamNetwork *network, GString *faults)
{
  g_autofree gsize *index = g_new0 (gsize, sweep->variations->len);
  guint64 n = 1;

  for (guint k = 0; k < sweep->variations->len; k++)
    if (((IfbamVariation *) sweep->variations->pdata[k])->settings)
      n *= ((IfbamVariation *) sweep->variations->pdata[k])->n;
  sweep->steps = g_new0 (guint64, n);
  for (guint64 c = 0; c < n && faults->len < 2000; c++)
    {
      GString *name = g_string_new (NULL);
      SettingCheck check = { .faults = faults };
      IfbamRunSettings settings;
      guint64 rest = c;

      for (guint k = sweep->variations->len; k-- > 0;)
        {
          const IfbamVariation *variation = sweep->variations->pdata[k];

          if (!variation->settings)
            continue;
          index[k] = (gsize) (rest % variation->n);
          rest /= variation->n;
          g_string_append_printf (name, "%s%s = %.10g", name->len > 0 ? ", " : "", variation->name,
                                  variation->values[index[k]]);
          for (guint t = 0; t < variation->n_targets; t++)
            if (variation->targets[t].element == NULL)
              ifbam_target_set (&variation->targets[t], network->settings,
                                variation->values[index[k]], NULL);
        }
      check.name = g_string_free (name, FALSE);
      ifbam_settings_read (network->settings, sweep->measures->record != NULL, &settings,
                           setting_fault, &check);
      /* A step that is to be chosen: about as many steps as the network takes as it is. */
      if (isinf (settings.step) && faults->len == 0 && sweep->measures->record != NULL)
        {
          g_autoptr (GError) error = NULL;
          g_autoptr (IfbamModel) model =
              ifbam_network_compile_or_error (network, TRUE, &settings, NULL, &error);

          if (model == NULL)
            setting_fault (&check, "step", g_strdup (error->message));
        }
      sweep->steps[ifbam_sweep_combination (sweep, index)] = settings.last_step + 1;
      sweep->row_memory = MAX (sweep->row_memory, ifbam_meter_memory (sweep->measures, &settings));
      g_free (check.name);
    }
}

IfbamSweep *
ifbam_sweep_new (const IfbamNetworkBytes *bytes, const char *const *settings,
                 const char *const *varied, const char *const *measured, guint count,
                 GError **error)
{
  g_autoptr (IfbamSweep) sweep = g_new0 (IfbamSweep, 1);
  g_autoptr (IfbamNetwork) network = ifbam_network_new_from_bytes (bytes, settings, error);
  g_autoptr (IfbamModel) model = NULL;
  g_autoptr (GString) faults = g_string_new (NULL);
  g_autofree char *reason = NULL;
  IfbamRunSettings run_settings;

  sweep->bytes = bytes;
  sweep->settings = g_strdupv ((char **) settings);
  sweep->variations = g_ptr_array_new_with_free_func ((GDestroyNotify) ifbam_variation_free);
  if (network != NULL)
    model = ifbam_network_compile_or_error (network, FALSE, &run_settings, NULL, error);
  if (model == NULL)
    return NULL;
  sweep->large = model->n_free >= LARGE;
  sweep->width = ifbam_lanes_width (model);
  read_variations (sweep, network, model, varied, faults);
  sweep->measures = ifbam_measures_new (network, model, measured, count, &reason);
  if (sweep->measures == NULL)
    g_string_append_printf (faults, "%s%s", faults->len > 0 ? "\n" : "", reason);
  if (faults->len == 0)
    make_results (sweep, faults);
  if (faults->len == 0)
    check_settings (sweep, network, faults);
  if (faults->len > 0)
    {
      g_set_error_literal (error, IFBAM_ERROR, IFBAM_ERROR_USAGE, faults->str);
      return NULL;
    }
  return g_steal_pointer (&sweep);
}

void
ifbam_sweep_free (IfbamSweep *sweep)
{
  if (sweep == NULL)
    return;
  g_strfreev (sweep->settings);
  g_ptr_array_unref (sweep->variations);
  ifbam_measures_free (sweep->measures);
  g_free (sweep->state);
  g_free (sweep->instant);
  g_free (sweep->values);
  g_free (sweep->steps);
  g_free (sweep);
}

/* Growth */

/* Variations whose ends are combined. */
#define MOST_COMBINED 6

static gsize
least_or_most (const IfbamVariation *variation, gboolean most)
{
  gsize best = 0;

  for (gsize i = 1; i < variation->n; i++)
    if (most ? variation->values[i] > variation->values[best]
             : variation->values[i] < variation->values[best])
      best = i;
  return best;
}

/* Sets the network to a corner of the grid: bit k: the variation k has its largest value. */
static gboolean
set_corner (const IfbamSweep *sweep, IfbamNetwork *network, guint corner, guint64 *variant)
{
  *variant = 0;
  for (guint k = 0; k < sweep->variations->len; k++)
    {
      const IfbamVariation *variation = sweep->variations->pdata[k];
      const gsize i = least_or_most (variation, corner >> MIN (k, MOST_COMBINED - 1) & 1);
      g_autofree char *reason = NULL;

      *variant = *variant * variation->n + i;
      for (guint t = 0; t < variation->n_targets; t++)
        if (!ifbam_target_set (&variation->targets[t],
                               ifbam_target_element (&variation->targets[t], network),
                               variation->values[i], &reason))
          return FALSE;
    }
  return TRUE;
}

gboolean
ifbam_sweep_find_growth (const IfbamSweep *sweep, IfbamSweepGrowth *growth)
{
  g_autoptr (IfbamNetwork) network =
      ifbam_network_new_from_bytes (sweep->bytes, (const char *const *) sweep->settings, NULL);
  const guint n_corners = 1u << MIN (sweep->variations->len, MOST_COMBINED);
  gboolean found = FALSE;

  /* Large networks take long to look at: the largest numbers alone have to do. */
  for (guint corner = sweep->large ? n_corners - 1 : 0; network != NULL && corner < n_corners;
       corner++)
    {
      IfbamSweepGrowth here = { 0 };
      IfbamRunSettings settings;
      g_autoptr (IfbamModel) model = NULL;

      if (!set_corner (sweep, network, corner, &here.variant))
        continue;
      model = ifbam_network_compile_or_error (network, TRUE, &settings, NULL, NULL);
      if (model == NULL)
        continue;
      here.scheme = model->scheme;
      here.step = model->step;
      here.duration = (double) settings.last_step * model->step;
      here.frequency = ifbam_estimate (model).frequency;
      here.rate = ifbam_scheme_growth (model->scheme, here.frequency * model->step) / model->step;
      if (found && !(here.rate * here.duration > growth->rate * growth->duration))
        continue;
      *growth = here;
      found = TRUE;
    }
  return found;
}

gsize
ifbam_sweep_count_nonlinear (const IfbamSweep *sweep)
{
  g_autoptr (IfbamNetwork) network =
      ifbam_network_new_from_bytes (sweep->bytes, (const char *const *) sweep->settings, NULL);
  IfbamRunSettings settings;
  g_autoptr (IfbamModel) model = NULL;
  g_autoptr (IfbamLinearization) linearization = NULL;
  guint64 variant;

  if (network == NULL)
    return 0;
  /* What is varied may be what makes a law nonlinear: the largest numbers say most. */
  set_corner (sweep, network, (1u << MOST_COMBINED) - 1, &variant);
  model = ifbam_network_compile_or_error (network, FALSE, &settings, NULL, NULL);
  if (model == NULL)
    return 0;
  linearization = ifbam_linearization_new (model, NULL, NULL);
  return linearization->n_nonlinear;
}

/* The table */

/* Columns that nobody has a value for are left out where a measure may have fewer than there is room. */
static gboolean *
find_columns (const IfbamSweep *sweep)
{
  gboolean *used = g_new0 (gboolean, sweep->n_values + 1);
  const GArray *measures = sweep->measures->measures;

  for (guint64 v = 0; v < sweep->n; v++)
    for (guint c = 0; c < sweep->n_values && sweep->state[v] != IFBAM_VARIANT_OPEN; c++)
      used[c] |= !isnan (sweep->values[v * sweep->n_values + c]);
  for (guint i = 0; i < measures->len; i++)
    {
      const IfbamMeasure *measure = &g_array_index (measures, IfbamMeasure, i);

      if (measure->n == 1)
        used[measure->first] = TRUE;
    }
  return used;
}

GString *
ifbam_sweep_to_csv (const IfbamSweep *sweep)
{
  GString *text = g_string_new (NULL);
  g_autofree gboolean *used = find_columns (sweep);
  g_autofree gsize *index = g_new (gsize, sweep->variations->len);

  for (guint k = 0; k < sweep->variations->len; k++)
    ifbam_csv_table_append_name (text, ((IfbamVariation *) sweep->variations->pdata[k])->name);
  for (guint c = 0; c < sweep->n_values; c++)
    if (used[c])
      ifbam_csv_table_append_name (text, sweep->measures->columns->pdata[c]);
  if (sweep->measures->record != NULL)
    ifbam_csv_table_append_name (text, DIVERGED);
  ifbam_csv_table_end_row (text);
  for (guint64 v = 0; v < sweep->n; v++)
    {
      const gboolean done = sweep->state[v] == IFBAM_VARIANT_DONE;

      if (sweep->state[v] == IFBAM_VARIANT_OPEN)
        continue;
      ifbam_sweep_indices (sweep, v, index);
      for (guint k = 0; k < sweep->variations->len; k++)
        {
          const IfbamVariation *variation = sweep->variations->pdata[k];

          ifbam_csv_table_append_short (text, variation->values[index[k]]);
        }
      for (guint c = 0; c < sweep->n_values; c++)
        if (used[c])
          ifbam_csv_table_append_number (text, sweep->values[v * sweep->n_values + c]);
      if (sweep->measures->record != NULL)
        ifbam_csv_table_append_number (text, done ? NAN : sweep->instant[v]);
      ifbam_csv_table_end_row (text);
    }
  return text;
}

/* Going on */

typedef struct
{
  IfbamSweep *sweep;
  const IfbamCsvTable *table;
  const char *path;
  GHashTable **places; /* of each variation: value -> index + 1 */
  int *columns;        /* of the table: which value it has; -1: none (names) */
  int diverged;        /* its column, or -1 */
} Resumption;

static gboolean not_ours (const Resumption *r, GError **error, const char *format, ...)
    G_GNUC_PRINTF (3, 4);

static gboolean
not_ours (const Resumption *r, GError **error, const char *format, ...)
{
  g_autofree char *what = NULL;
  va_list arguments;

  va_start (arguments, format);
  what = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_set_error (
      error, IFBAM_ERROR, IFBAM_ERROR_COURSE,
      "%s is of another sweep: %s (name another file, or leave out --resume to begin anew)",
      r->path, what);
  return FALSE;
}

static gboolean
match_columns (Resumption *r, GError **error)
{
  const IfbamSweep *sweep = r->sweep;
  const guint n_varied = sweep->variations->len;
  const GArray *measures = sweep->measures->measures;

  for (guint k = 0; k < n_varied; k++)
    {
      const IfbamVariation *variation = sweep->variations->pdata[k];

      if (k >= r->table->names->len || !g_str_equal (r->table->names->pdata[k], variation->name))
        return not_ours (r, error, "its column %u is \"%s\", not \"%s\"", k + 1,
                         k < r->table->names->len ? (char *) r->table->names->pdata[k] : "",
                         variation->name);
    }
  r->diverged = -1;
  for (guint i = n_varied; i < r->table->names->len; i++)
    {
      const char *name = r->table->names->pdata[i];
      guint c;

      r->columns[i] = -1;
      for (c = 0; c < sweep->n_values; c++)
        if (g_str_equal (name, sweep->measures->columns->pdata[c]))
          break;
      if (c < sweep->n_values)
        r->columns[i] = (int) c;
      else if (sweep->measures->record != NULL && g_str_equal (name, DIVERGED))
        r->diverged = (int) i;
      else
        return not_ours (r, error, "it has a column \"%s\", which is not measured", name);
    }
  for (guint i = 0; i < measures->len; i++)
    {
      const IfbamMeasure *measure = &g_array_index (measures, IfbamMeasure, i);
      const char *name = sweep->measures->columns->pdata[measure->first];

      if (measure->n == 1 && ifbam_csv_table_column (r->table, name) < 0)
        return not_ours (r, error, "it has no column \"%s\"", name);
    }
  if (sweep->measures->record != NULL && r->diverged < 0)
    return not_ours (r, error, "it has no column \"" DIVERGED "\"");
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
        return not_ours (r, error, "%s = %.17g is not varied", variation->name, value);
      *variant = *variant * variation->n + (place - 1);
    }
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
      sweep->state[v] = isnan (instant) ? IFBAM_VARIANT_DONE : IFBAM_VARIANT_DIVERGED;
      sweep->instant[v] = instant;
      for (guint c = 0; c < sweep->n_values; c++)
        sweep->values[v * sweep->n_values + c] = NAN;
      for (guint i = sweep->variations->len; i < r->table->names->len; i++)
        if (r->columns[i] >= 0)
          sweep->values[v * sweep->n_values + (guint) r->columns[i]] =
              ifbam_csv_table_value (r->table, row, i);
    }
  return TRUE;
}

static gboolean
is_same (double a, double b)
{
  return (isnan (a) && isnan (b)) || fabs (a - b) <= TOLERANCE * MAX (fabs (a), fabs (b));
}

/* Runs some of the finished variants again. */
static gboolean
verify (const Resumption *r, const IfbamSweepRun *run, GError **error)
{
  IfbamSweep *sweep = r->sweep;
  const gsize width = sweep->n_values;
  const guint64 finished = ifbam_sweep_count (sweep, FALSE);
  const guint64 n = MIN (finished, sweep->large || run->one_by_one ? 1 : PROBES);
  g_autofree guint64 *list = g_new (guint64, n + 1);
  g_autofree double *values = g_new (double, n *width + 1), *instants = g_new (double, n + 1);
  g_autofree guint8 *states = g_new (guint8, n + 1);
  guint64 seen = 0, chosen = 0;

  for (guint64 v = 0; v < sweep->n && chosen < n; v++)
    {
      if (sweep->state[v] == IFBAM_VARIANT_OPEN || seen++ != chosen * finished / n)
        continue;
      memcpy (values + chosen * width, sweep->values + v * width, width * sizeof *values);
      states[chosen] = sweep->state[v];
      instants[chosen] = sweep->instant[v];
      list[chosen++] = v;
    }
  if (!ifbam_sweep_run_list (sweep, run, list, n, error))
    return FALSE;
  for (guint64 i = 0; i < n; i++)
    {
      g_autofree char *which = ifbam_sweep_describe (sweep, list[i]);
      const double *now = sweep->values + list[i] * width;

      if (states[i] != sweep->state[list[i]]
          || (states[i] == IFBAM_VARIANT_DIVERGED
              && !is_same (instants[i], sweep->instant[list[i]])))
        return not_ours (r, error, "with %s this one %s", which,
                         sweep->state[list[i]] == IFBAM_VARIANT_DIVERGED
                             ? "diverges, at another instant at least"
                             : "does not diverge");
      for (guint c = 0; c < width && states[i] == IFBAM_VARIANT_DONE; c++)
        if (!is_same (values[i * width + c], now[c]))
          return not_ours (r, error, "with %s its %s is %.10g, and %.10g here", which,
                           (char *) sweep->measures->columns->pdata[c], values[i * width + c],
                           now[c]);
    }
  return TRUE;
}

gboolean
ifbam_sweep_resume (IfbamSweep *sweep, const IfbamSweepRun *run, const char *path, GError **error)
{
  g_autoptr (IfbamCsvTable) table = ifbam_csv_table_new_from_csv (path, error);
  Resumption r = { .sweep = sweep, .table = table, .path = path };
  gboolean fine;

  if (table == NULL)
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
