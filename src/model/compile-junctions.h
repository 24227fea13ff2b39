/* compile-junctions.h: nodes without inertia: whether something says where they are
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/compile-context.h"

/* Refuses junctions that hang on nothing; gives those that do what little inertia impulses find at them. */
void ifbam_compiler_check_junctions (IfbamCompiler *compiler);
