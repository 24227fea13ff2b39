/* contact.h: reactions of constraints with unilateral contact and Coulomb friction
 *
 * The solver is a pure function: the answer depends on the problem alone, the workspace only keeps memory.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "constraint/contact-problem.h"

/* Solves the problem; writes piece, lambda and u of its rows where the status is SOLVED, else leaves them as they are. */
IfbamContactStatus ifbam_contact_solve (const IfbamContactProblem *problem,
                                        IfbamContactWorkspace *workspace,
                                        IfbamContactResult *result);
