/* modes-export.h: writes the matrices of a network's small motions, for distributed solvers
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "linear/system-matrices.h"

/* Writes into a directory, created if needed: M.petsc, C.petsc and K.petsc of M q'' + C q' + K q =
 * 0 in PETSc's binary format, Z.petsc for the nodes (x = Z q), and nodes.txt, a name for each row
 * of Z. Writes all files or none. IFBAM_ERROR_WRITE; IFBAM_ERROR_NETWORK: over 2^31 - 1 entries. */
gboolean ifbam_modes_export (const IfbamSmallMotions *motions, const char *folder, GError **error);
