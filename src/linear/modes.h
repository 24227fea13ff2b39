/* modes.h: modes of a compiled network
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "linear/eigenproblem.h"

IfbamModes *ifbam_modes_new_for_model (const IfbamModel *model, const IfbamRunSpec *spec,
                                       const IfbamModesRequest *request, GError **error);
