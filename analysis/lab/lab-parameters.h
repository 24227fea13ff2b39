/* lab-parameters.h: the parameters of a network's file, and the numbers that follow from them
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "file/file.h"

#include "file/file.h"

/* Parameters of the file, and which numbers follow from them. */
void ifbam_lab_add_parameters (IfbamJsonWriter *json, const IfbamNetwork *network,
                               const IfbamModel *model);
