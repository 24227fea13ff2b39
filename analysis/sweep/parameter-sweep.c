/* parameter-sweep.c: a network over combinations of parameter values: the request
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "sweep/parameter-sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/number-text.h"
#include "base/memory.h"
#include "file/file.h"
#include "run/run.h"
#include "engine/engine.h"

/* Networks with more free nodes are run one after another, each by all threads. */
#define LARGE 30000
/* Largest number of variants: integers that doubles represent. */
#define MAX_NUMBERED 0x1p53

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

gboolean
ifbam_sweep_set (const IfbamSweep *sweep, const IfbamNetwork *network, const gsize *index,
                 char **reason)
{
  g_autofree double *values = g_new (double, sweep->variations->len);

  for (guint k = 0; k < sweep->variations->len; k++)
    {
      const IfbamVariation *variation = sweep->variations->pdata[k];

      values[k] = variation->values[index[k]];
      for (guint t = 0; t < variation->n_targets; t++)
        if (!ifbam_target_set (&variation->targets[t],
                               ifbam_target_element (&variation->targets[t], network), values[k],
                               reason))
          return FALSE;
    }
  return ifbam_dependent_values_set (sweep->followers, network, values, reason);
}

/* Request */

static void
add_fault (GString *faults, const char *option, const char *text, const char *reason)
{
  g_string_append_printf (faults, "%s%s %s: %s", faults->len > 0 ? "\n" : "", option, text, reason);
}

/* Returns the name of another variation of the same parameter, or NULL. */
static const char *
other_name (const IfbamSweep *sweep, const IfbamVariation *variation)
{
  for (guint t = 0; t < variation->n_targets; t++)
    {
      const IfbamVariation *other =
          ifbam_variations_find (sweep->variations, &variation->targets[t]);

      if (other != NULL)
        return other->name;
    }
  return NULL;
}

/* Returns a formula such as "c=0.05*k" with "$" before each parameter, as a setting (transfer
 * full); NULL: it is a variation. "2 m" is two metres even with a parameter m, as in "2 m * $k". */
static char *
formula_of (const IfbamNetwork *network, const char *text)
{
  const char *p = strchr (text, '=');
  g_autoptr (GString) setting = g_string_new (NULL);
  gboolean found = FALSE, plain;
  IfbamDimension dimension;

  if (p == NULL || strpbrk (p, ":,") != NULL || ifbam_units_dimension (p + 1, &dimension))
    return NULL;
  g_string_append_len (setting, text, ++p - text);
  plain = strchr (p, '$') == NULL;
  while (*p != '\0')
    {
      const gboolean named = *p == '$';
      gsize n = 0;
      g_autofree char *word = NULL;

      while (g_ascii_isalnum (p[named + n]) || p[named + n] == '_')
        n++;
      word = g_strndup (p + named, n);
      if (n > 0 && !g_ascii_isdigit (*word)
          && (named || (plain && g_hash_table_contains (network->parameters, word))))
        {
          g_string_append_c (setting, '$');
          found = TRUE;
        }
      else if (named)
        g_string_append_c (setting, '$');
      g_string_append_len (setting, p + named, (gssize) MAX (n, named ? 0 : 1));
      p += named + MAX (n, named ? 0 : 1);
    }
  return found ? g_strdup (setting->str) : NULL;
}

/* Removes formulas from the varied texts and adds them as settings. FALSE with an error. */
static gboolean
take_formulas (IfbamSweep *sweep, IfbamNetwork **network, const char *const *varied,
               GPtrArray *variations, GError **error)
{
  g_autoptr (GPtrArray) settings = g_ptr_array_new_with_free_func (g_free);
  gboolean found = FALSE;

  for (guint i = 0; sweep->settings != NULL && sweep->settings[i] != NULL; i++)
    g_ptr_array_add (settings, g_strdup (sweep->settings[i]));
  for (guint i = 0; varied != NULL && varied[i] != NULL; i++)
    {
      char *formula = formula_of (*network, varied[i]);

      g_ptr_array_add (formula != NULL ? settings : variations,
                       formula != NULL ? formula : g_strdup (varied[i]));
      found |= formula != NULL;
    }
  g_ptr_array_add (settings, NULL);
  g_ptr_array_add (variations, NULL);
  if (!found)
    return TRUE;
  g_strfreev (sweep->settings);
  sweep->settings = (char **) g_ptr_array_free (g_steal_pointer (&settings), FALSE);
  g_clear_object (network);
  *network =
      ifbam_network_new_from_bytes (sweep->bytes, (const char *const *) sweep->settings, error);
  return *network != NULL;
}

/* Returns a text with the file's parameters (transfer full). NULL with a reason: it depends on
 * others that are varied. */
static char *
with_parameters (const IfbamNetwork *network, const char *const *varied, guint i, char **reason)
{
  g_autoptr (GPtrArray) others = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *text = NULL;

  for (guint k = 0; varied[k] != NULL; k++)
    if (k != i && strchr (varied[k], '=') != NULL)
      g_ptr_array_add (others, g_strstrip (g_strndup (varied[k], strcspn (varied[k], "="))));
  g_ptr_array_add (others, NULL);
  text = ifbam_parameters_substitute (network->parameters, varied[i], TRUE,
                                      (const char *const *) others->pdata, reason);
  if (text == NULL && *reason == NULL)
    *reason = g_strdup ("a parameter is empty");
  if (text == NULL || strchr (text, '$') == NULL)
    return g_steal_pointer (&text);
  return ifbam_reject_null (
      reason, "lists and grids follow no parameter that is varied, too (a formula does: "
              "ELEMENT.KEY=2*$NAME)");
}

static void
read_variations (IfbamSweep *sweep, const IfbamNetwork *network, const IfbamModel *model,
                 const char *const *varied, GString *faults)
{
  for (guint i = 0; varied != NULL && varied[i] != NULL; i++)
    {
      g_autofree char *reason = NULL;
      g_autofree char *text = with_parameters (network, varied, i, &reason);
      g_autoptr (IfbamVariation) variation =
          text != NULL ? ifbam_variation_new (network, model, text, &reason) : NULL;

      if (variation != NULL && other_name (sweep, variation) != NULL)
        reason =
            g_strdup_printf ("--vary %s varies the same number", other_name (sweep, variation));
      if (reason != NULL)
        add_fault (faults, "--vary", varied[i], reason);
      else
        g_ptr_array_add (sweep->variations, g_steal_pointer (&variation));
    }
}

static void
make_results (IfbamSweep *sweep, guint64 part, guint64 n_parts, GString *faults)
{
  IfbamGrid *grid = sweep->grid;
  g_autofree char *lack = NULL;
  gsize track = 0;
  double n = 1;

  for (guint k = 0; k < sweep->variations->len; k++)
    {
      const IfbamVariation *variation = sweep->variations->pdata[k];

      ifbam_grid_add_axis (grid, variation->name, variation->unit, variation->title,
                           variation->values, variation->n);
      n *= (double) variation->n;
    }
  grid->is_run = sweep->measures->record != NULL;
  if (n >= MAX_NUMBERED)
    {
      g_string_append_printf (faults, "--vary: %.3g variants can't be numbered", n);
      return;
    }
  if ((double) n_parts > n)
    {
      g_string_append_printf (faults,
                              "--part %" G_GUINT64_FORMAT "/%" G_GUINT64_FORMAT
                              ": there are %.0f variants only",
                              part + 1, n_parts, n);
      return;
    }
  if (n_parts > 0)
    n = ceil (n / (double) n_parts);
  if (sweep->measures->n_modes > 0)
    track = sizeof (IfbamModeTrack) + sizeof (gpointer)
            + sweep->measures->n_modes * (sizeof (IfbamMode) + 2 * sizeof (guint));
  lack = ifbam_memory_lack (n * (double) (sizeof (double) * (2 * grid->n_values + 5) + 1 + track));
  /* Array lengths of its table are guint. */
  if (n > (double) G_MAXUINT / (double) (grid->n_values + grid->axes->len + 2))
    g_string_append_printf (faults, "--vary: the table of %.0f variants has more than 2^32 numbers",
                            n);
  else if (lack != NULL)
    g_string_append_printf (
        faults, "--vary: the values of %.0f variants need %s (want fewer, or a lower --count)", n,
        lack);
  else
    ifbam_grid_make_room (grid, part, n_parts);
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

/* Checks that all combinations of varied settings can be run, and computes their steps. */
static void
check_settings (IfbamSweep *sweep, IfbamNetwork *network, GString *faults)
{
  g_autofree gsize *index = g_new0 (gsize, sweep->variations->len);
  g_autofree double *values = g_new (double, sweep->variations->len);
  guint64 n = 1;

  for (guint k = 0; k < sweep->variations->len; k++)
    if (((IfbamVariation *) sweep->variations->pdata[k])->settings)
      n *= ((IfbamVariation *) sweep->variations->pdata[k])->n;
  sweep->steps = g_new0 (guint64, n);
  for (guint64 c = 0; c < n && faults->len < 2000; c++)
    {
      GString *name = g_string_new (NULL);
      SettingCheck check = { .faults = faults };
      g_auto (IfbamRunSpec) spec = { 0 };
      guint64 rest = c;
      char *reason = NULL;

      for (guint k = sweep->variations->len; k-- > 0;)
        {
          const IfbamVariation *variation = sweep->variations->pdata[k];

          values[k] = variation->values[0];
          if (!variation->settings)
            continue;
          index[k] = (gsize) (rest % variation->n);
          rest /= variation->n;
          g_string_append_printf (name, "%s%s = %s", name->len > 0 ? ", " : "", variation->name,
                                  IFBAM_NUMBER (variation->values[index[k]]));
          values[k] = variation->values[index[k]];
          for (guint t = 0; t < variation->n_targets; t++)
            if (variation->targets[t].element == NULL)
              ifbam_target_set (&variation->targets[t], network->settings,
                                variation->values[index[k]], NULL);
        }
      check.name = g_string_free (name, FALSE);
      if (!ifbam_dependent_values_set (sweep->followers, network, values, &reason))
        setting_fault (&check, "step, duration or sample", reason);
      ifbam_settings_read (network->settings, sweep->measures->record != NULL, &spec, setting_fault,
                           &check);
      /* For a chosen step, estimates the number of steps from the network itself. */
      if (isinf (spec.step) && faults->len == 0 && sweep->measures->record != NULL)
        {
          g_autoptr (GError) error = NULL;
          g_autoptr (IfbamModel) model =
              ifbam_network_compile_or_error (network, TRUE, &spec, NULL, &error);

          if (model == NULL)
            setting_fault (&check, "step", g_strdup (error->message));
        }
      sweep->steps[ifbam_sweep_combination (sweep, index)] = spec.last_step + 1;
      sweep->row_memory =
          MAX (sweep->row_memory, ifbam_measurement_memory (sweep->measures, &spec));
      g_free (check.name);
    }
}

IfbamSweep *
ifbam_sweep_new (const IfbamNetworkBytes *bytes, const char *const *settings,
                 const char *const *varied, const char *const *measured, guint count,
                 GError **error)
{
  return ifbam_sweep_new_part (bytes, settings, varied, measured, count, 0, 0, error);
}

IfbamSweep *
ifbam_sweep_new_part (const IfbamNetworkBytes *bytes, const char *const *settings,
                      const char *const *varied, const char *const *measured, guint count,
                      guint64 part, guint64 n_parts, GError **error)
{
  g_autoptr (IfbamSweep) sweep = g_new0 (IfbamSweep, 1);
  g_autoptr (IfbamNetwork) network = ifbam_network_new_from_bytes (bytes, settings, error);
  g_autoptr (IfbamModel) model = NULL;
  g_autoptr (GString) faults = g_string_new (NULL);
  g_autoptr (GPtrArray) variations = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *reason = NULL;
  g_auto (IfbamRunSpec) spec = { 0 };

  sweep->bytes = bytes;
  sweep->grid = ifbam_grid_new ();
  sweep->settings = g_strdupv ((char **) settings);
  sweep->variations = g_ptr_array_new_with_free_func ((GDestroyNotify) ifbam_variation_free);
  if (network != NULL && bytes->origin != NULL)
    ifbam_network_take_uses (network, bytes->origin);
  if (network != NULL && take_formulas (sweep, &network, varied, variations, error))
    model = ifbam_network_compile_or_error (network, FALSE, &spec, NULL, error);
  if (model == NULL)
    return NULL;
  sweep->large = model->n_free >= LARGE;
  sweep->width = ifbam_lanes_width (model, &spec);
  read_variations (sweep, network, model, (const char *const *) variations->pdata, faults);
  if ((varied == NULL || varied[0] != NULL) && sweep->variations->len == 0 && faults->len == 0)
    g_string_append (faults, "--vary: nothing is varied (want ELEMENT.KEY=FROM:TO:N, such as "
                             "k1.stiffness=5kN/m:20kN/m:31)");
  sweep->followers = ifbam_dependent_values_new (network, model, sweep->variations, &reason);
  if (sweep->followers == NULL)
    g_string_append_printf (faults, "%s--vary: %s", faults->len > 0 ? "\n" : "", reason);
  g_clear_pointer (&reason, g_free);
  sweep->measures =
      ifbam_measures_new (network, model, &spec, measured, count, sweep->grid, &reason);
  if (sweep->measures == NULL)
    g_string_append_printf (faults, "%s%s", faults->len > 0 ? "\n" : "", reason);
  if (faults->len == 0)
    make_results (sweep, part, n_parts, faults);
  if (faults->len == 0)
    check_settings (sweep, network, faults);
  if (faults->len > 0)
    return ifbam_fail_null (error, IFBAM_ERROR_USAGE, "%s", faults->str);
  return g_steal_pointer (&sweep);
}

/* Modes */

/* Returns the track of a variant to which others refer (indices of the whole grid). */
static IfbamModeTrack *
track_of (const IfbamSweep *sweep, guint64 reference)
{
  if (reference == G_MAXUINT64 || (reference < sweep->grid->first && sweep->ancestors == NULL))
    return NULL;
  return reference < sweep->grid->first ? g_hash_table_lookup (sweep->ancestors, &reference)
                                        : sweep->tracks[reference - sweep->grid->first];
}

static int
compare_variants (gconstpointer a, gconstpointer b)
{
  const guint64 one = **(const guint64 *const *) a, other = **(const guint64 *const *) b;

  return one < other ? -1 : one > other;
}

/* Assigns columns to variants before a part, the first ones first. */
static void
place_ancestors (const IfbamSweep *sweep)
{
  g_autofree const guint64 **all =
      (const guint64 **) g_hash_table_get_keys_as_array (sweep->ancestors, NULL);
  const guint n = g_hash_table_size (sweep->ancestors);

  qsort (all, n, sizeof *all, compare_variants);
  for (guint i = 0; i < n; i++)
    {
      IfbamModeTrack *track = g_hash_table_lookup (sweep->ancestors, all[i]);

      ifbam_mode_track_place (track, track_of (sweep, track->reference));
    }
}

void
ifbam_sweep_place_modes (IfbamSweep *sweep)
{
  IfbamGrid *grid = sweep->grid;

  if (sweep->ancestors != NULL)
    place_ancestors (sweep);
  for (guint64 v = 0; sweep->tracks != NULL && v < grid->n; v++)
    {
      IfbamModeTrack *track = sweep->tracks[v];
      double *values = grid->values + v * grid->n_values;

      if (track == NULL)
        continue;
      ifbam_mode_track_place (track, track_of (sweep, track->reference));
      for (guint c = 0; c < sweep->measures->n_modes; c++)
        ifbam_measures_put_mode (sweep->measures, c, NULL, values);
      for (guint m = 0; m < track->n; m++)
        ifbam_measures_put_mode (sweep->measures, track->slot[m], &track->modes[m], values);
    }
}

void
ifbam_sweep_free (IfbamSweep *sweep)
{
  if (sweep == NULL)
    return;
  g_strfreev (sweep->settings);
  g_ptr_array_unref (sweep->variations);
  ifbam_dependent_values_free (sweep->followers);
  ifbam_measures_free (sweep->measures);
  for (guint64 v = 0; sweep->tracks != NULL && v < sweep->grid->n; v++)
    ifbam_mode_track_free (sweep->tracks[v]);
  g_free (sweep->tracks);
  g_clear_pointer (&sweep->ancestors, g_hash_table_unref);
  ifbam_grid_free (sweep->grid);
  g_free (sweep->steps);
  g_free (sweep);
}
