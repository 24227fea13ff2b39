/* command-spectrum-modes.c: assigns modes of the network to spectral lines
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "program/command-spectrum-modes.h"

#include <math.h>

#include "linear/linear.h"

#define SMALL    500  /* free nodes; in larger networks only modes near lines are computed */
#define MOST     100  /* number of lines for which modes are computed */
#define AT_LEAST 2    /* modes per line, as two may have one frequency */
#define SAME     1e-9 /* relative difference of equal eigenvalues */
#define FAR      0.1  /* largest distance of a line from its mode, relative to the frequency */
#define VISIBLE  0.95 /* fraction of the Nyquist frequency that is visible */

static double
frequency_of (const IfbamSpectrumLine *line)
{
  return isnan (line->corrected_frequency) ? line->frequency : line->corrected_frequency;
}

static IfbamModes *
find_modes (const IfbamModel *model, const IfbamRunSpec *spec, guint count, double near,
            GError **error)
{
  const IfbamModesRequest request = { .count = count, .some = count > 0, .near = near };

  return ifbam_modes_new_for_model (model, spec, &request, error);
}

static int
compare_modes (gconstpointer a, gconstpointer b)
{
  const IfbamMode *p = a, *q = b;

  if (p->frequency != q->frequency)
    return p->frequency < q->frequency ? -1 : 1;
  return p->decay_rate < q->decay_rate ? -1 : p->decay_rate > q->decay_rate;
}

/* Adds modes that the list does not contain. */
static void
merge (GArray *all, IfbamModes *modes)
{
  gsize n;
  const IfbamMode *found = ifbam_modes_get_modes (modes, &n);

  for (gsize i = 0; i < n; i++)
    {
      gboolean known = FALSE;

      for (guint j = 0; j < all->len && !known; j++)
        {
          const IfbamMode *other = &g_array_index (all, IfbamMode, j);

          known = hypot (2.0 * G_PI * (found[i].frequency - other->frequency),
                         found[i].decay_rate - other->decay_rate)
                  < SAME * 2.0 * G_PI * other->frequency;
        }
      if (!known)
        g_array_append_val (all, found[i]);
    }
}

/* Returns the frequencies of all lines, each once. */
static GArray *
list_targets (const GArray *signals)
{
  GArray *targets = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint i = 0; i < signals->len; i++)
    {
      const IfbamSpectrumSignal *signal = &g_array_index (signals, IfbamSpectrumSignal, i);

      for (gsize k = 0; k < signal->n && targets->len < MOST; k++)
        {
          double frequency = frequency_of (&signal->lines[k]);
          gboolean known = FALSE;

          for (guint j = 0; j < targets->len && !known; j++)
            known =
                fabs (g_array_index (targets, double, j) - frequency) < 1e-3 * signal->resolution;
          if (!known)
            g_array_append_val (targets, frequency);
        }
    }
  return targets;
}

static gboolean
find_all (IfbamSpectrumResult *result, const IfbamModel *model, const IfbamRunSpec *spec,
          GError **error)
{
  g_autoptr (GArray) targets = NULL;
  g_autoptr (IfbamModes) modes = NULL;

  result->all_modes = model->n_free <= SMALL;
  if (result->all_modes)
    {
      modes = find_modes (model, spec, 0, 0, error);
      if (modes == NULL)
        return FALSE;
      merge (result->modes, modes);
      ifbam_command_note_nonlinear (ifbam_modes_list_nonlinear (modes), "the modes are those");
      return TRUE;
    }
  targets = list_targets (result->signals);
  for (guint i = 0; i < targets->len; i++)
    {
      g_clear_object (&modes);
      modes = find_modes (model, spec, AT_LEAST, g_array_index (targets, double, i), error);
      if (modes == NULL)
        return FALSE;
      if (i == 0)
        ifbam_command_note_nonlinear (ifbam_modes_list_nonlinear (modes), "the modes are those");
      merge (result->modes, modes);
    }
  g_array_sort (result->modes, compare_modes);
  return TRUE;
}

/* Returns the number of the nearest mode, from 1 on; 0: none. */
static gsize
nearest_mode (const GArray *modes, double frequency)
{
  gsize nearest = 0;
  double least = INFINITY;

  for (guint i = 0; i < modes->len; i++)
    {
      double other = g_array_index (modes, IfbamMode, i).frequency;

      if (other > 0.0 && fabs (other - frequency) < least)
        {
          nearest = i + 1;
          least = fabs (other - frequency);
        }
    }
  return nearest;
}

static gsize
nearest_line (const IfbamSpectrumSignal *signal, double frequency)
{
  gsize nearest = 0;

  for (gsize k = 1; k < signal->n; k++)
    if (fabs (frequency_of (&signal->lines[k]) - frequency)
        < fabs (frequency_of (&signal->lines[nearest]) - frequency))
      nearest = k;
  return nearest;
}

/* A line and a mode are assigned if each is the nearest to the other, and near enough. */
static void
match (IfbamSpectrumSignal *signal, const GArray *modes)
{
  for (gsize k = 0; k < signal->n; k++)
    {
      double frequency = frequency_of (&signal->lines[k]), other;
      gsize mode = nearest_mode (modes, frequency);

      if (mode == 0)
        continue;
      other = g_array_index (modes, IfbamMode, mode - 1).frequency;
      if (fabs (frequency - other) <= fmax (FAR * other, 2.0 * signal->resolution)
          && nearest_line (signal, other) == k)
        signal->lines[k].mode = mode;
    }
}

gboolean
ifbam_spectrum_compare (IfbamSpectrumResult *result, const IfbamModel *model,
                        const IfbamRunSpec *spec, GError **error)
{
  result->modes = g_array_new (FALSE, FALSE, sizeof (IfbamMode));
  if (!find_all (result, model, spec, error))
    return FALSE;
  for (guint i = 0; i < result->signals->len; i++)
    match (&g_array_index (result->signals, IfbamSpectrumSignal, i), result->modes);
  return TRUE;
}

gboolean
ifbam_spectrum_lacks (const IfbamSpectrumResult *result, const IfbamSpectrumSignal *signal,
                      gsize mode)
{
  double frequency = g_array_index (result->modes, IfbamMode, mode - 1).frequency;

  if (!(frequency > 0.0 && frequency < VISIBLE * signal->nyquist))
    return FALSE;
  for (gsize k = 0; k < signal->n; k++)
    if (signal->lines[k].mode == mode)
      return FALSE;
  return TRUE;
}
