/* modes-export.h: the matrices of a network's small motions, for solvers that run on many machines
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "linear/system-matrices.h"

/* Writes into a folder, which is made where it is not there: M.petsc, C.petsc and K.petsc of
 * M q'' + C q' + K q = 0 in PETSc's binary format, Z.petsc, by which the nodes move (x = Z q), and nodes.txt, a
 * name for each row of Z. All of them, or none. IFBAM_ERROR_WRITE; IFBAM_ERROR_NETWORK: nothing has inertia, or
 * there are more than 2^31 - 1 entries. */
gboolean ifbam_modes_export (const IfbamSmallMotions *motions, const char *folder, GError **error);
