/* api-modes.c: modes of a network, which is compiled for them
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "linear/linear.h"
#include "run/run.h"

/**
 * ifbam_modes_new:
 * @network: a network
 * @count: how many modes; 0: all of them
 * @near: those nearest to this frequency [Hz]; 0: the lowest
 * @error: return location for an error
 *
 * Linearises a network about its start, and finds modes, without running it. How near a mode with the
 * eigenvalue s is to f is |s - 2 pi i f|. Small networks, and larger ones of which most modes are
 * asked for, are solved as dense matrices by LAPACK, others by ARPACK with a sparse factorisation.
 *
 * Returns: (transfer full): the modes, by frequency; or %NULL with %IFBAM_ERROR_NETWORK where the
 *   network can't be compiled, or has nothing that could swing
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
