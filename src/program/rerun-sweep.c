/* rerun-sweep.c: repeats a sweep from its result, and compares them bitwise
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "program/rerun-sweep.h"

#include <string.h>

#include "base/ifbam-error.h"
#include "program/rerun.h"
#include "program/sweep-request.h"

/* Returns the finished variants of the file. */
static guint64 *
list_finished (const IfbamGrid *grid, guint64 *n)
{
  guint64 *list = g_new (guint64, grid->n + 1);

  *n = 0;
  for (guint64 v = 0; v < grid->n; v++)
    if (grid->state[v] != IFBAM_VARIANT_OPEN)
      list[(*n)++] = v;
  return list;
}

/* All NaN are equal. */
static gboolean
is_same (double one, double other)
{
  return memcmp (&one, &other, sizeof one) == 0 || (one != one && other != other);
}

static gboolean
is_same_variant (const IfbamGrid *grid, const IfbamGrid *now, guint64 v)
{
  gboolean same =
      grid->state[v] == now->state[v]
      && (grid->state[v] == IFBAM_VARIANT_DONE || is_same (grid->instant[v], now->instant[v]));

  for (guint c = 0; c < grid->n_values && same; c++)
    same = is_same (grid->values[v * grid->n_values + c], now->values[v * grid->n_values + c]);
  return same;
}

static int
compare (const char *path, const IfbamManifest *manifest, const IfbamGrid *grid,
         const IfbamGrid *now, const guint64 *list, guint64 n)
{
  g_autofree char *text = NULL;
  guint64 i = 0;

  while (i < n && is_same_variant (grid, now, list[i]))
    i++;
  if (i < n)
    {
      g_autofree char *which = ifbam_grid_describe (now, list[i]);

      text = g_strdup_printf ("not the same: the variant with %s differs", which);
    }
  else
    text = g_strdup_printf ("the same to the last bit, %" G_GUINT64_FORMAT " variants%s", n,
                            n == grid->n ? "" : ", where it ends early");
  return ifbam_rerun_note (path, manifest, text) && i == n ? IFBAM_EXIT_DONE : IFBAM_EXIT_FAILED;
}

int
ifbam_command_rerun_sweep (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamManifest) manifest = NULL;
  g_autoptr (IfbamGrid) grid = ifbam_grid_read (path, FALSE, &manifest, &error);
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_auto (IfbamSweepRequest) request = { 0 };
  g_autoptr (IfbamSweep) sweep = NULL;
  g_autofree guint64 *list = NULL;
  g_autofree char *name = NULL;
  IfbamNetworkBytes bytes;
  IfbamSweepRun run;
  IfbamProgress progress;
  gboolean fine;
  guint64 n;

  ifbam_sweep_request_add (&request, context);
  if (grid == NULL || !ifbam_rerun_parse (manifest, context, &error))
    return ifbam_command_fail (error);
  name = ifbam_rerun_name (path, manifest);
  bytes = (IfbamNetworkBytes){ .path = name,
                               .folder = manifest->folder,
                               .text = manifest->network,
                               .length = strlen (manifest->network) };
  sweep = ifbam_sweep_request_sweep (&request, &bytes, &error);
  if (sweep != NULL && !ifbam_grid_is_like (grid, sweep->grid))
    g_set_error (&error, IFBAM_ERROR, IFBAM_ERROR_COURSE,
                 "%s: its axes and columns are not those of its options", path);
  if (error != NULL)
    return ifbam_command_fail (error);
  list = list_finished (grid, &n);
  run = ifbam_sweep_request_run (&request);
  run.progress = ifbam_progress_update;
  run.data = &progress;
  ifbam_progress_begin (&progress);
  fine = ifbam_sweep_run_list (sweep, &run, list, n, &error);
  ifbam_progress_end (&progress);
  return fine ? compare (path, manifest, grid, sweep->grid, list, n) : ifbam_command_fail (error);
}
