/* sweep-stability.c: stability and linearity at the corners of a sweep
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "sweep/sweep-stability.h"

#include <math.h>

#include "linear/linear.h"
#include "engine/engine.h"
#include "run/run.h"

/* Variations of which the ends are combined. */
#define MAX_COMBINED 6

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

/* Sets the network to a corner of the grid; bit k: variation k has its largest value. */
static gboolean
set_corner (const IfbamSweep *sweep, IfbamNetwork *network, guint corner, guint64 *variant)
{
  g_autofree gsize *index = g_new (gsize, sweep->variations->len);
  g_autofree char *reason = NULL;

  *variant = 0;
  for (guint k = 0; k < sweep->variations->len; k++)
    {
      const IfbamVariation *variation = sweep->variations->pdata[k];

      index[k] = least_or_most (variation, corner >> MIN (k, MAX_COMBINED - 1) & 1);
      *variant = *variant * variation->n + index[k];
    }
  *variant -= sweep->grid->first;
  return ifbam_sweep_set (sweep, network, index, &reason);
}

gboolean
ifbam_sweep_find_growth (const IfbamSweep *sweep, IfbamSweepGrowth *growth)
{
  g_autoptr (IfbamNetwork) network =
      ifbam_network_new_from_bytes (sweep->bytes, (const char *const *) sweep->settings, NULL);
  const guint n_corners = 1u << MIN (sweep->variations->len, MAX_COMBINED);
  const IfbamScheme *verlet = ifbam_scheme_by_name ("verlet");
  gboolean found = FALSE;

  /* For large networks only the corner of largest values is examined. */
  for (guint corner = sweep->large ? n_corners - 1 : 0; network != NULL && corner < n_corners;
       corner++)
    {
      IfbamSweepGrowth here = { 0 };
      g_auto (IfbamRunSpec) spec = { 0 };
      g_autoptr (IfbamModel) model = NULL;
      g_autoptr (IfbamStability) stability = NULL;
      IfbamStepAssessment other;

      if (!set_corner (sweep, network, corner, &here.variant))
        continue;
      model = ifbam_network_compile_or_error (network, TRUE, &spec, NULL, NULL);
      if (model == NULL || spec.tolerance > 0)
        continue;
      here.scheme = spec.scheme;
      here.step = spec.step;
      here.duration = (double) spec.last_step * spec.step;
      stability = ifbam_stability_new (model, &spec, TRUE, NULL);
      if (stability == NULL)
        continue;
      here.rate =
          ifbam_step_assess (stability, spec.scheme, spec.step, here.duration, FALSE).growth.rate;
      /* The growth is not known if every step has events. */
      if (isnan (here.rate)
          || (found && !(here.rate * here.duration > growth->rate * growth->duration)))
        continue;
      other = ifbam_step_assess (stability, verlet, spec.step, here.duration, FALSE);
      here.verlet_bears = other.growth.rate <= 0;
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
  g_auto (IfbamRunSpec) spec = { 0 };
  g_autoptr (IfbamModel) model = NULL;
  g_autoptr (IfbamLinearization) linearization = NULL;
  guint64 variant;

  if (network == NULL)
    return 0;
  /* Nonlinearity may depend on varied parameters: the largest values are examined. */
  set_corner (sweep, network, (1u << MAX_COMBINED) - 1, &variant);
  model = ifbam_network_compile_or_error (network, FALSE, &spec, NULL, NULL);
  if (model == NULL)
    return 0;
  linearization = ifbam_linearization_new (model, &spec, NULL, NULL);
  return linearization->n_nonlinear;
}
