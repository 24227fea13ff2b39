/* initial-configuration.h: start positions of a mechanism
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/compiled-model.h"

/* With constraints that are always active: computes the start values and shapes that elements leave
 * open, so that the constraints are satisfied. Adds contradictions to issues. */
void ifbam_model_assemble (IfbamModel *model, GArray *issues);

/* Projects free nodes onto the constraints that are always active, from nearby positions (n_nodes),
 * with given nodes fixed. FALSE: impossible; the positions are those with the least residual. */
gboolean ifbam_model_reaches (const IfbamModel *model, double *position);
