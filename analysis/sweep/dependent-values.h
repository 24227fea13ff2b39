/* dependent-values.h: values that depend on varied parameters, "damping = 2 * $zeta * sqrt($k *
 * $m)"
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "sweep/sweep-axis.h"

typedef struct IfbamDependentValues IfbamDependentValues;

/* Finds the values of a network that depend on varied parameters (IfbamVariation), and marks
 * variations that change the network's structure. Values that are varied themselves are excluded.
 * NULL with a reason (transfer full). */
IfbamDependentValues *ifbam_dependent_values_new (const IfbamNetwork *network,
                                                  const IfbamModel *model, GPtrArray *variations,
                                                  char **reason);
void ifbam_dependent_values_free (IfbamDependentValues *self);

/* Appends their elements in a network, each once. */
void ifbam_dependent_values_add_elements (const IfbamDependentValues *self,
                                          const IfbamNetwork *network, GPtrArray *elements);
/* Sets them for SI values of the variations; FALSE with a reason (transfer full). */
gboolean ifbam_dependent_values_set (const IfbamDependentValues *self, const IfbamNetwork *network,
                                     const double *values, char **reason);
