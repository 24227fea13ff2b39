/* lab-parameters.h: the parameters of a network's file, and the numbers that follow from them
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <json-glib/json-glib.h>

#include "file/file.h"

/* Parameters of the file, and which numbers follow from them. */
void ifbam_lab_add_parameters (JsonBuilder *json, const IfbamNetwork *network,
                               const IfbamModel *model);
