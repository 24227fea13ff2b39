/* initial-configuration.h: where a mechanism starts
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/compiled-model.h"

/* Where a network has relations that hold for ever: finds of the start what the elements leave open, so that
 * they hold, and what is open in their shapes. What contradicts itself is added to issues. */
void ifbam_model_assemble (IfbamModel *model, GArray *issues);

/* Brings free nodes to where relations that hold for ever are kept, from a place nearby (of all nodes) and while given ones stay. FALSE:
 * they can't be, and the nodes are where they are missed least. */
gboolean ifbam_model_reaches (const IfbamModel *model, double *position);
