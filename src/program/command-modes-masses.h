/* command-modes-masses.h: tables of modal masses and of shares of energy
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "linear/linear.h"
#include "program/answer.h"

/* Adds modal masses, participation factors and effective masses. */
void ifbam_command_add_participation (IfbamAnswer *answer, const IfbamModalMasses *masses,
                                      IfbamModes *modes);
/* Adds the shares of energy of the elements in each mode. */
void ifbam_command_add_energy (IfbamAnswer *answer, const IfbamModalMasses *masses,
                               IfbamModes *modes);

/* Adds the criterion of each pair of modes of this network and of another one, or measured ones. */
void ifbam_command_add_assurance (IfbamAnswer *answer, const IfbamShapeTable *own,
                                  const IfbamShapeTable *other, const double *criteria);
