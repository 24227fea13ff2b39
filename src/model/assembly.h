/* assembly.h: where a mechanism starts
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/model.h"

/* Where a network has relations that hold for ever: finds of the start what the elements leave open, so that
 * they hold, and what is open in their shapes. What contradicts itself is added to issues. */
void ifbam_model_assemble (IfbamModel *model, GArray *issues);

/* How a mechanism may move at its start. */
typedef struct
{
  guint coordinates; /* of all free nodes */
  guint relations;   /* 0: it is no mechanism */
  guint redundant;   /* of these: they follow from the others */
} IfbamFreedom;

IfbamFreedom ifbam_model_freedom (const IfbamModel *model);
