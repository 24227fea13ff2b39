/* api-stability.c: stability of a network under each scheme
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "embed/api-stability.h"

#include <math.h>

#include "base/fail.h"
#include "run/run.h"
#include "engine/engine.h"

IfbamStabilityVerdict
ifbam_stability_judge (const IfbamStability *stability, const IfbamScheme *scheme, double step,
                       double duration, double complex mode)
{
  /* At the step first: the object keeps the factors of the last step. */
  const double seen =
      cimag (mode) != 0 ? cimag (ifbam_stability_seen (stability, scheme, step, mode)) : NAN;
  const IfbamStepAssessment found = ifbam_step_assess (stability, scheme, step, duration, TRUE);

  return (IfbamStabilityVerdict){
    .scheme = scheme->name,
    .step = step,
    .growth_rate = found.growth.rate,
    .certainty = found.growth.certainty,
    .critical_step = found.critical_step,
    .longest_step = found.longest_step,
    .frequency_error = seen / cimag (mode) - 1,
  };
}

gboolean
ifbam_stability_applies (const IfbamModel *model, GError **error)
{
  if (model->n_free > 0)
    return TRUE;
  return ifbam_fail (error, IFBAM_ERROR_NETWORK,
                     "the network has nothing with inertia that could grow (want a mass, an "
                     "inertia or a capacitor)");
}

/**
 * ifbam_network_find_stability:
 * @network: a network with a step and a duration
 * @n_verdicts: (out): how many schemes there are
 * @error: return location for an error of the domain IFBAM_ERROR
 *
 * Computes the growth rates of @network under each scheme at its step, as `ifbam stability` does:
 * for linear undamped networks from the scheme's characteristic polynomial, for others from the
 * eigenvalues of the map of one step. Laws are linearised at the start; links with modes are active
 * one at a time.
 *
 * Returns: (transfer full) (array length=n_verdicts): an assessment of each scheme, or %NULL with
 *   %IFBAM_ERROR_NETWORK if the network is wrong, has no inertia, or a law without derivatives
 */
IfbamStabilityVerdict *
ifbam_network_find_stability (IfbamNetwork *network, gsize *n_verdicts, GError **error)
{
  g_autoptr (IfbamSignals) signals = NULL;
  g_autoptr (IfbamModel) model = NULL;
  g_autoptr (IfbamStability) stability = NULL;
  IfbamStabilityVerdict *verdicts;
  g_auto (IfbamRunSpec) spec = { 0 };
  guint n;
  const IfbamScheme *const *schemes = ifbam_schemes (&n);
  double complex mode;

  g_return_val_if_fail (IFBAM_IS_NETWORK (network) && n_verdicts != NULL, NULL);
  *n_verdicts = 0;
  model = ifbam_network_compile_or_error (network, TRUE, &spec, &signals, error);
  if (model == NULL || !ifbam_stability_applies (model, error))
    return NULL;
  stability = ifbam_stability_new (model, &spec, FALSE, error);
  if (stability == NULL)
    return NULL;
  mode = ifbam_stability_mode (stability, spec.up_to);
  verdicts = g_new (IfbamStabilityVerdict, n);
  for (guint i = 0; i < n; i++)
    verdicts[i] =
        ifbam_stability_judge (stability, schemes[i], ifbam_run_spec_at_first (&spec).step,
                               (double) spec.last_step * spec.step, mode);
  *n_verdicts = n;
  return verdicts;
}
