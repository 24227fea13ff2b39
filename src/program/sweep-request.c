/* sweep-request.c: options that determine a sweep's results
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "program/sweep-request.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"

void
ifbam_sweep_request_clear (IfbamSweepRequest *request)
{
  g_strfreev (request->varied);
  g_strfreev (request->measured);
  g_free (request->best);
  g_free (request->optimise);
  g_free (request->part);
  g_free (request->from);
  g_free (request->to);
  ifbam_network_options_clear (&request->network);
}

void
ifbam_sweep_request_add (IfbamSweepRequest *request, GOptionContext *context)
{
  const GOptionEntry entries[] = {
    { "vary", 0, 0, G_OPTION_ARG_STRING_ARRAY, &request->varied,
      "a grid FROM:TO:N or FROM:TO:N:log, or a list A,B,C; may be repeated", "ELEMENT.KEY=VALUES" },
    { "measure", 0, 0, G_OPTION_ARG_STRING_ARRAY, &request->measured,
      "frequencies (default), damping, response:INPUT:SIGNAL, or of a signal max, min, magnitude, "
      "peak-to-peak, peak-time, settling, rms, final, spectrum, or of an element events, impulse, "
      "speed-before, time-between; may be repeated",
      "WHAT[:SIGNAL]" },
    { "from", 0, 0, G_OPTION_ARG_STRING, &request->from,
      "measure rows and events from this time on", "T" },
    { "to", 0, 0, G_OPTION_ARG_STRING, &request->to, "measure them up to this time", "T" },
    { "best", 0, 0, G_OPTION_ARG_STRING, &request->best,
      "name the best variant, and mark its row in a column \"best\"", "min|max:COLUMN" },
    { "optimise", 0, 0, G_OPTION_ARG_STRING, &request->optimise,
      "find the values within --vary NAME=FROM:TO with the least or largest measure",
      "min|max:COLUMN" },
    { "count", 0, 0, G_OPTION_ARG_INT, &request->count,
      "number of modes, or lines of a spectrum (default 10)", "N" },
    { "part", 0, 0, G_OPTION_ARG_STRING, &request->part,
      "part I of N of the variants, for N machines (see --join)", "I/N" },
    { "by-rank", 0, 0, G_OPTION_ARG_NONE, &request->by_rank,
      "modes by frequency in each variant, not tracked by shape", NULL },
    G_OPTION_ENTRY_NULL,
  };

  request->count = IFBAM_MEASURE_COUNT;
  g_option_context_add_main_entries (context, entries, NULL);
  ifbam_network_options_add (&request->network, context, NULL);
}

IfbamSweep *
ifbam_sweep_request_sweep (const IfbamSweepRequest *request, const IfbamNetworkBytes *bytes,
                           GError **error)
{
  g_auto (GStrv) settings = ifbam_network_options_settings (&request->network, error);
  g_autoptr (IfbamSweep) sweep = NULL;
  guint64 part, n_parts;
  double from, to;

  if (settings == NULL)
    return NULL;
  if (!ifbam_command_read_part (request->part, &part, &n_parts))
    return ifbam_fail_null (error, IFBAM_ERROR_USAGE,
                            "--part %s: want I/N, part I of N, such as 1/4 (the first of four)",
                            request->part);
  if (!ifbam_command_read_window (request->from, request->to, &from, &to, error))
    return NULL;
  ifbam_command_note_engine (&request->network);
  sweep = ifbam_sweep_new_part (
      bytes, (const char *const *) settings, (const char *const *) request->varied,
      (const char *const *) request->measured, (guint) request->count, part, n_parts, error);
  if (sweep == NULL
      || (request->best != NULL && !ifbam_grid_set_best (sweep->grid, request->best, error)))
    return NULL;
  sweep->measures->by_rank = request->by_rank;
  ifbam_measures_set_window (sweep->measures, from, to);
  return g_steal_pointer (&sweep);
}

/* Returns the measure of a goal's column: "frequencies" for "min:frequencies:1" (transfer full). */
static char *
measure_of_column (const char *goal)
{
  const char *colon = strchr (goal, ':');
  char *measure = g_strdup (colon == NULL ? goal : colon + 1);
  const gboolean numbered =
      g_str_has_prefix (measure, "frequencies:") || g_str_has_prefix (measure, "damping:");

  if (numbered || g_str_has_prefix (measure, "response:"))
    *strrchr (measure, ':') = '\0';
  return measure;
}

gboolean
ifbam_sweep_request_optimise (IfbamSweepRequest *request, const IfbamNetworkBytes *bytes,
                              IfbamProgress *progress, GError **error)
{
  g_auto (GStrv) settings = ifbam_network_options_settings (&request->network, error);
  IfbamSweepRun run = ifbam_sweep_request_run (request);
  char **best;

  if (settings == NULL)
    return FALSE;
  if (request->optimise == NULL)
    return TRUE;
  if (request->best != NULL || request->part != NULL || request->from != NULL
      || request->to != NULL)
    return ifbam_fail (error, IFBAM_ERROR_USAGE,
                       "--optimise has one variant, of the whole time: --best, --part, --from and "
                       "--to are for grids");
  if (request->varied == NULL)
    return ifbam_fail (error, IFBAM_ERROR_USAGE,
                       "--optimise needs --vary (want ELEMENT.KEY=FROM:TO, such as "
                       "k1.stiffness=5kN/m:20kN/m)");
  if (request->measured == NULL)
    {
      request->measured = g_new0 (char *, 2);
      request->measured[0] = measure_of_column (request->optimise);
    }
  run.progress = ifbam_progress_update;
  run.data = progress;
  best = ifbam_sweep_optimise (
      bytes, (const char *const *) settings, (const char *const *) request->varied,
      (const char *const *) request->measured, request->optimise, &run, error);
  if (best == NULL)
    return FALSE;
  g_strfreev (request->varied);
  request->varied = best;
  return TRUE;
}

IfbamSweepRun
ifbam_sweep_request_run (const IfbamSweepRequest *request)
{
  return (IfbamSweepRun){ .threads = (guint) request->network.threads,
                          .allow_divergence = request->network.allow_divergence,
                          .objects = g_strcmp0 (request->network.engine, "objects") == 0 };
}

static void
add_words (GPtrArray *words, const char *option, char *const *values)
{
  for (guint i = 0; values != NULL && values[i] != NULL; i++)
    {
      g_ptr_array_add (words, g_strdup (option));
      g_ptr_array_add (words, g_strdup (values[i]));
    }
}

IfbamManifest *
ifbam_sweep_request_manifest (const IfbamSweepRequest *request, const IfbamNetworkBytes *bytes)
{
  g_autoptr (GPtrArray) words = ifbam_network_options_words (&request->network);
  g_autofree char *sha256 =
      g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *) bytes->text, bytes->length);
  char *const best[] = { request->best, NULL }, *const from[] = { request->from, NULL },
              *const to[] = { request->to, NULL };

  add_words (words, "--vary", request->varied);
  add_words (words, "--measure", request->measured);
  add_words (words, "--best", best);
  add_words (words, "--from", from);
  add_words (words, "--to", to);
  g_ptr_array_add (words, g_strdup ("--count"));
  g_ptr_array_add (words, g_strdup_printf ("%d", request->count));
  if (request->by_rank)
    g_ptr_array_add (words, g_strdup ("--by-rank"));
  g_ptr_array_add (words, NULL);
  return ifbam_manifest_new (bytes->path, bytes->folder, bytes->text, sha256,
                             (const char *const *) words->pdata);
}

/* Returns the measures of the only variant as a table (transfer full). */
static GString *
measures_text (const IfbamGrid *grid)
{
  GString *text = g_string_new (NULL);
  int width = 0;

  for (guint c = 0; c < grid->n_values; c++)
    width = MAX (width, (int) strlen (grid->columns->pdata[c]));
  for (guint a = 0; a < grid->arrays->len; a++)
    {
      const IfbamGridArray *array = &g_array_index (grid->arrays, IfbamGridArray, a);

      for (guint c = array->first; c < array->first + array->n; c++)
        if (!isnan (grid->values[c]))
          g_string_append_printf (text, "%-*s  %14.8g %s\n", width,
                                  (const char *) grid->columns->pdata[c], grid->values[c],
                                  array->unit);
        else if (!array->optional)
          g_string_append_printf (text, "%-*s  %14s\n", width,
                                  (const char *) grid->columns->pdata[c], "-");
    }
  return text;
}

int
ifbam_sweep_request_measure_once (const IfbamSweepRequest *request, const char *file,
                                  const char *output)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamNetworkBytes) bytes = ifbam_network_bytes_new (file, &error);
  char *none[] = { NULL };
  IfbamSweepRequest once = *request;
  g_autoptr (IfbamSweep) sweep = NULL;
  const IfbamSweepRun run = ifbam_sweep_request_run (request);
  GString *text;
  gboolean fine;

  once.varied = none;
  sweep = bytes == NULL ? NULL : ifbam_sweep_request_sweep (&once, bytes, &error);
  if (sweep == NULL || !ifbam_sweep_run (sweep, &run, &error))
    return ifbam_command_fail (error);
  if (sweep->grid->state[0] == IFBAM_VARIANT_DIVERGED)
    ifbam_fail (&error, IFBAM_ERROR_DIVERGED, "%s: the run diverged at t = %.6g s", file,
                sweep->grid->instant[0]);
  else
    ifbam_sweep_place_modes (sweep);
  if (error != NULL)
    return ifbam_command_fail (error);
  text = output == NULL ? measures_text (sweep->grid) : ifbam_sweep_to_csv (sweep->grid);
  fine = ifbam_output_put (output, text->str, text->len, &error);
  g_string_free (text, TRUE);
  return fine ? IFBAM_EXIT_DONE : ifbam_command_fail (error);
}
