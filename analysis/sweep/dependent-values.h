/* dependent-values.h: values that follow from varied parameters, "damping = 2 * $zeta * sqrt($k * $m)"
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "sweep/sweep-axis.h"

typedef struct IfbamFollowers IfbamFollowers;

/* Finds the values of a network that are computed from parameters which are varied (IfbamVariation), and marks
 * those variations that change what the network looks like. One that is varied itself follows nothing. The model is the
 * network's. NULL with a reason (transfer full). */
IfbamFollowers *ifbam_followers_new (const IfbamNetwork *network, const IfbamModel *model,
                                     GPtrArray *variations, char **reason);
void ifbam_followers_free (IfbamFollowers *self);

/* Their elements in a network, behind those that are there, each once. */
void ifbam_followers_add_elements (const IfbamFollowers *self, const IfbamNetwork *network,
                                   GPtrArray *elements);
/* Sets them for values of the variations, in SI; FALSE with a reason (transfer full). */
gboolean ifbam_followers_set (const IfbamFollowers *self, const IfbamNetwork *network,
                              const double *values, char **reason);
