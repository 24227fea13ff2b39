/* api-response.c: frequency response of a network
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>

#include "base/fail.h"
#include "linear/linear.h"
#include "run/run.h"
#include "base/number-text.h"

static gboolean
check_frequencies (const double *frequencies, gsize n, GError **error)
{
  for (gsize i = 0; i < n; i++)
    if (!(frequencies[i] > 0 && isfinite (frequencies[i])))
      return ifbam_fail (error, IFBAM_ERROR_USAGE,
                         "a frequency of %s Hz has no response (want one above 0)",
                         IFBAM_NUMBER (frequencies[i]));
  return TRUE;
}

/**
 * ifbam_response_new:
 * @network: a network
 * @input: the excitation, as QUANTITY\@NODE: "force\@m1" (in rotation also "torque\@", in
 *   electricity "current\@") on a free node; "position\@floor", "velocity\@floor", ... of a given
 *   node
 * @outputs: (array zero-terminated=1) (nullable): signals, such as "m3.position", "k1.force";
 *   %NULL: the first quantity of every free node
 * @frequencies: (array length=n_frequencies): above 0 [Hz]
 * @n_frequencies: how many
 * @error: return location for an error
 *
 * Linearises a network about its start and computes the steady response of the outputs to a sine of
 * the input. Other sources are ignored, other given nodes at rest. See Ewins 2000, "Modal Testing",
 * chapter 2.
 *
 * Returns: (transfer full): the response; or %NULL with %IFBAM_ERROR_USAGE if @input, @outputs or
 *   @frequencies are wrong, %IFBAM_ERROR_NETWORK if the network can't be compiled, has no free node
 *   with inertia, or has a law without derivatives
 */
IfbamResponse *
ifbam_response_new (IfbamNetwork *network, const char *input, const char *const *outputs,
                    const double *frequencies, gsize n_frequencies, GError **error)
{
  IfbamResponseRange range = { .from = INFINITY, .to = 0 };
  g_auto (IfbamRunSpec) spec = { 0 };
  g_autoptr (IfbamModel) model = NULL;
  g_autoptr (IfbamResponseSystem) system = NULL;

  g_return_val_if_fail (IFBAM_IS_NETWORK (network) && input != NULL, NULL);
  g_return_val_if_fail (frequencies != NULL || n_frequencies == 0, NULL);
  if (!check_frequencies (frequencies, n_frequencies, error))
    return NULL;
  model = ifbam_network_compile_or_error (network, FALSE, &spec, NULL, error);
  if (model == NULL)
    return NULL;
  system = ifbam_response_system_new (model, &spec, network->by_name, input, outputs, error);
  if (system == NULL)
    return NULL;
  for (gsize i = 0; i < n_frequencies; i++)
    {
      range.from = fmin (range.from, frequencies[i]);
      range.to = fmax (range.to, frequencies[i]);
    }
  if (n_frequencies > 0 && !ifbam_response_find_modes (system, &range, NULL, NULL, error))
    return NULL;
  return ifbam_response_new_for_system (system, frequencies, n_frequencies, NULL, NULL, error);
}
