/* network-settings.c: the [network] group: settings of a run
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "engine/network-settings.h"
#include "base/number-text.h"
#include "engine/scheme-table.h"

#define SETTING_TEXT(slot, key, meaning) IFBAM_PARAM_STRING (slot, key, meaning)

static const char *const automatic[] = { "auto", NULL };

/* Required settings are checked in ifbam_settings_read: a dialogue needs no duration. */
static const IfbamParam params[] = {
  IFBAM_PARAM (IfbamSettingsLaw, format, "format", "", 1, G_MAXDOUBLE, 2,
               "version of the file format; in 1 courses are cubic and held outside"),
  SETTING_TEXT (IFBAM_SETTING_TITLE, "title", "title of the network"),
  SETTING_TEXT (IFBAM_SETTING_SCHEME, "scheme", "see `ifbam schemes`; default: averaged"),
  IFBAM_PARAM_OR_WORD (IfbamSettingsLaw, step, "step", "s", G_MINDOUBLE, G_MAXDOUBLE, 0,
                       "time step; auto: by the network's modes; with a tolerance: first guess",
                       automatic),
  IFBAM_PARAM (IfbamSettingsLaw, tolerance, "tolerance", "", 1e-14, 0.1, 0,
               "error per step, relative to the largest coordinate and rate so far, for tr-bdf2, "
               "esdirk4, dopri5; default: fixed steps"),
  IFBAM_PARAM (IfbamSettingsLaw, duration, "duration", "s", G_MINDOUBLE, G_MAXDOUBLE, 0,
               "time of the last sample"),
  SETTING_TEXT (IFBAM_SETTING_START, "start",
                "warm (default); cold: the paper's, for original and averaged; equilibrium: from "
                "the position of rest or the operating point"),
  SETTING_TEXT (IFBAM_SETTING_RECORD, "record",
                "signals; default: position or angle of every "
                "free node, voltage of every capacitor"),
  IFBAM_PARAM (IfbamSettingsLaw, sample, "sample", "s", G_MINDOUBLE, G_MAXDOUBLE, 0,
               "interval between samples; default: every step"),
  IFBAM_PARAM (IfbamSettingsLaw, up_to, "up-to", "Hz", G_MINDOUBLE, G_MAXDOUBLE, 0,
               "highest frequency of interest; default: the fastest mode's"),
};

static const IfbamElementInfo settings_info = {
  .name = "network",
  .summary = "how the network is run",
  .law = "t = step number * step",
  .source = "Grabysz 1994, section 3",
  .example = "[network]\nstep     = 50 us\nduration = 4 s\nrecord   = m1.position\n",
  .kind = IFBAM_KIND_SETTINGS,
  .domain = IFBAM_DOMAIN_ANY,
  .params = params,
  .n_params = G_N_ELEMENTS (params),
  .law_size = sizeof (IfbamSettingsLaw),
  .n_slots = IFBAM_N_SETTING_TEXTS,
};

IFBAM_DEFINE_ELEMENT (Settings, settings)

const IfbamElementInfo *
ifbam_settings_info (void)
{
  return &settings_info;
}

gboolean
ifbam_settings_is_of_run (const IfbamParam *param)
{
  return !g_str_equal (param->key, "format") && !g_str_equal (param->key, "title");
}

static void
read_scheme (IfbamElement *settings, IfbamRunSpec *result, IfbamSettingFault fault, gpointer data)
{
  const char *scheme = ifbam_element_slots (settings)[IFBAM_SETTING_SCHEME];
  const char *start = ifbam_element_slots (settings)[IFBAM_SETTING_START];
  guint n;
  const IfbamScheme *const *schemes = ifbam_schemes (&n);
  const char *names[16];
  const char *nearest;

  result->scheme = scheme == NULL ? ifbam_scheme_default () : ifbam_scheme_by_name (scheme);
  if (result->scheme == NULL)
    {
      g_autofree char *list = NULL;

      for (guint i = 0; i < n; i++)
        names[i] = schemes[i]->name;
      names[n] = NULL;
      list = g_strjoinv (", ", (char **) names);
      nearest = ifbam_nearest_word (scheme, names, n);
      fault (data, "scheme",
             nearest != NULL
                 ? g_strdup_printf ("no scheme \"%s\" (did you mean \"%s\"?)", scheme, nearest)
                 : g_strdup_printf ("no scheme \"%s\" (there are %s)", scheme, list));
    }
  result->cold = start != NULL && g_str_equal (start, "cold");
  result->equilibrium = start != NULL && g_str_equal (start, "equilibrium");
  if (start != NULL && !result->cold && !result->equilibrium && !g_str_equal (start, "warm"))
    fault (data, "start", g_strdup_printf ("\"%s\" is neither warm, cold nor equilibrium", start));
  if (result->cold && result->scheme != NULL && result->scheme->begin_cold == NULL)
    fault (data, "start",
           g_strdup_printf ("cold is for the schemes original and averaged, not for %s (want warm)",
                            result->scheme->name));
}

/* Returns TRUE if a ratio equals its nearest integer up to rounding: 6.4e-3/1e-4 is 64. */
static gboolean
near_whole (double ratio, double *whole)
{
  double tolerance = MIN (0.01, MAX (1e-9, ratio * 2e-15));

  *whole = floor (ratio + 0.5);
  return ABS (ratio - *whole) <= tolerance;
}

/* Reads the settings that depend on the step. */
static void
read_rows (const IfbamSettingsLaw *law, gboolean with_duration, IfbamRunSpec *result,
           IfbamSettingFault fault, gpointer data)
{
  const double step = result->step;
  double stride = 1, rows;

  if (law->sample > 0 && (!near_whole (law->sample / step, &stride) || stride < 1))
    fault (data, "sample",
           g_strdup_printf ("%s s is no multiple of the step, %s s", IFBAM_NUMBER (law->sample),
                            IFBAM_NUMBER (step)));
  if (stride > 9007199254740992.0 || stride < 1)
    stride = 1;
  result->stride = (guint64) stride;
  if (!with_duration || !(law->duration > 0))
    return;
  if (law->duration / step > 9007199254740992.0)
    {
      fault (data, "duration",
             g_strdup_printf ("%s s is more than 2^53 steps of %s s", IFBAM_NUMBER (law->duration),
                              IFBAM_NUMBER (step)));
      return;
    }
  result->cut = !near_whole (law->duration / (step * stride), &rows);
  if (result->cut && rows > law->duration / (step * stride))
    rows -= 1;
  result->last_step = (guint64) rows * result->stride;
}

/* Adaptive steps: the file's step is the first trial step, and the engine advances by samples. */
#define GUESS 1e-3 /* of the duration */

static void
read_tolerance (const IfbamSettingsLaw *law, IfbamRunSpec *result, IfbamSettingFault fault,
                gpointer data)
{
  const IfbamTableau *table = result->scheme == NULL ? NULL : ifbam_scheme_tableau (result->scheme);
  const double given = law->step > 0 && isfinite (law->step) ? law->step : 0;
  IfbamSettingsLaw rows = *law;

  if (result->scheme != NULL && (table == NULL || table->estimated == 0))
    fault (data, "tolerance",
           g_strdup_printf (
               "is for schemes with error estimates, tr-bdf2, esdirk4 and dopri5, not for %s",
               result->scheme->name));
  if (!(law->duration > 0))
    {
      fault (data, "duration", g_strdup ("is missing (a time, such as \"4 s\")"));
      return;
    }
  result->tolerance = law->tolerance;
  rows.sample = rows.step = result->step = law->sample > 0 ? law->sample
                                           : given > 0     ? given
                                                           : GUESS * law->duration;
  result->first = given > 0 ? given : MIN (result->step, GUESS * law->duration);
  read_rows (&rows, TRUE, result, fault, data);
}

static void
read_times (const IfbamSettingsLaw *law, gboolean with_duration, IfbamRunSpec *result,
            IfbamSettingFault fault, gpointer data)
{
  /* (A manual dialogue has fixed steps.) */
  if (law->tolerance > 0 && with_duration)
    {
      read_tolerance (law, result, fault, data);
      return;
    }
  if (law->step == 0)
    fault (data, "step", g_strdup ("is missing (a time, such as \"50 us\")"));
  if (with_duration && !(law->duration > 0))
    fault (data, "duration", g_strdup ("is missing (a time, such as \"4 s\")"));
  if (law->step != 0 && isfinite (law->step))
    read_rows (law, with_duration, result, fault, data);
}

void
ifbam_settings_read (IfbamElement *settings, gboolean with_duration, IfbamRunSpec *result,
                     IfbamSettingFault fault, gpointer data)
{
  const IfbamSettingsLaw *law = (const IfbamSettingsLaw *) ifbam_element_law (settings);

  ifbam_run_spec_clear (result);
  *result = (IfbamRunSpec){ .stride = 1, .step = law->step, .isa = ifbam_isa_choose () };
  result->record = ifbam_element_slots (settings)[IFBAM_SETTING_RECORD];
  result->up_to = law->up_to > 0 ? 2 * G_PI * law->up_to : INFINITY;
  if (law->format != 1 && law->format != 2)
    fault (data, "format",
           g_strdup_printf ("%s is not known to this version (it reads formats 1 and 2)",
                            IFBAM_NUMBER (law->format)));
  read_scheme (settings, result, fault, data);
  read_times (law, with_duration, result, fault, data);
}

void
ifbam_settings_fit (const IfbamRunSpec *spec, const IfbamModel *model, IfbamSettingFault fault,
                    gpointer data)
{
  g_autofree char *name = NULL;

  if (spec->cold && ifbam_model_has_events (model))
    fault (data, "start",
           g_strdup ("cold is for networks without events: links with modes, impulses, sources "
                     "that start or end (want warm)"));
  if (spec->scheme == NULL || model->n_junctions == 0 || model->refused
      || ifbam_scheme_allows_junctions (spec->scheme))
    return;
  for (gsize i = 0; name == NULL; i++)
    if (ifbam_model_is_junction (model, i))
      name = ifbam_model_node_name (model, i);
  fault (data, "scheme",
         g_strdup_printf ("%s needs inertia at all free nodes, and the junction \"%s\" has none "
                          "(want esdirk4, tr-bdf2 or implicit-euler)",
                          spec->scheme->name, name));
}

/* Returns the next integer with only 2 and 5 as factors: decimals divided by it remain decimals. */
static double
round_up (double number)
{
  double best = INFINITY;

  for (double fives = 1; fives < 5 * number; fives *= 5)
    {
      double rounded = fives;

      while (rounded < number)
        rounded *= 2;
      best = fmin (best, rounded);
    }
  return best;
}

void
ifbam_settings_choose (IfbamElement *settings, double step, const char *why, gboolean with_duration,
                       IfbamRunSpec *result, IfbamSettingFault fault, gpointer data)
{
  const IfbamSettingsLaw *law = (const IfbamSettingsLaw *) ifbam_element_law (settings);
  const double interval = law->sample > 0 ? law->sample : law->duration;

  result->chosen = why;
  result->step = result->proposed = step;
  if (interval > 0 && interval / step < 9007199254740992.0)
    result->step = interval / round_up (fmax (1, interval / step * (1 - 1e-12)));
  read_rows (law, with_duration, result, fault, data);
}
