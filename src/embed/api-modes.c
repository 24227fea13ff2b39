/* api-modes.c: modes of a network
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "linear/linear.h"
#include "run/run.h"

/**
 * ifbam_modes_new:
 * @network: a network
 * @count: how many modes; 0: all of them
 * @near: the modes nearest to this frequency are computed [Hz]; 0: the lowest
 * @error: return location for an error
 *
 * Linearises a network about its start and computes modes. The distance of the eigenvalue s from f
 * is |s - 2 pi i f|. Small networks, and requests for most modes of a larger one, are solved as
 * dense matrices by LAPACK, others by ARPACK with a sparse factorisation.
 *
 * Returns: (transfer full): the modes, by frequency; or %NULL with %IFBAM_ERROR_NETWORK if the
 *   network can't be compiled, or has no free node with inertia
 */
IfbamModes *
ifbam_modes_new (IfbamNetwork *network, guint count, double near, GError **error)
{
  const IfbamModesRequest request = { .count = count, .near = near };
  g_auto (IfbamRunSpec) spec = { 0 };
  g_autoptr (IfbamModel) model = NULL;

  g_return_val_if_fail (IFBAM_IS_NETWORK (network), NULL);
  model = ifbam_network_compile_or_error (network, FALSE, &spec, NULL, error);
  return model == NULL ? NULL : ifbam_modes_new_for_model (model, &spec, &request, error);
}
