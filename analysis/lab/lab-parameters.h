/* lab-parameters.h: parameters of a network's file, and the values that depend on them
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "file/file.h"

#include "file/file.h"

/* Adds the parameters of the file, and the values that depend on them. */
void ifbam_lab_add_parameters (IfbamJsonWriter *json, const IfbamNetwork *network,
                               const IfbamModel *model);
