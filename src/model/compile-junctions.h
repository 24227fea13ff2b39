/* compile-junctions.h: massless nodes: check that forces determine their motion
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/compile-context.h"

/* Rejects junctions without such forces, and gives the others a small inertia for impulses. */
void ifbam_compiler_check_junctions (IfbamCompiler *compiler);
