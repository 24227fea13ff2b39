/* contact.h: reactions of constraints with unilateral contact and Coulomb friction
 *
 * The solver is a pure function of the problem; the workspace only keeps allocated memory.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "constraint/contact-problem.h"

/* Solves the problem. Writes piece, lambda and u of its rows only if the status is SOLVED. */
IfbamContactStatus ifbam_contact_solve (const IfbamContactProblem *problem,
                                        IfbamContactWorkspace *workspace,
                                        IfbamContactResult *result);
