/* gauss-seidel.h: pieces of contacts and frictions, guessed by nonsmooth Gauss-Seidel
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "constraint/contact-workspace.h"

/* Sets the pieces of the states that are not given, after n_sweeps sweeps from reactions of 0. */
void ifbam_gauss_seidel_guess (IfbamContactWorkspace *self, guint n_sweeps);
