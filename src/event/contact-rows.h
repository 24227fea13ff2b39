/* contact-rows.h: constraint rows of links for the contact solver
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "constraint/constraint.h"
#include "event/event-engine-internal.h"

/* Returns the row of a link's constraint: the Jacobian that was measured last, with forces along it; bilateral, unilateral, or a
 * friction without carriers. rhs: right side of level 0; the tolerances of both levels are the rounding of a rate [m/s]. */
IfbamContactRow ifbam_contact_row_new (IfbamEventEngine *self, guint32 link, double rhs);

/* Makes a row a friction on the contact that is row `carrier`. */
void ifbam_contact_row_set_carrier (IfbamContactRow *row, guint carrier, double friction);

/* The impulse of a solved row on level 0 [N s]: a unilateral one that rounding makes negative is 0. */
static inline double
ifbam_contact_row_impulse (const IfbamContactRow *row)
{
  return row->kind == IFBAM_CONTACT_UNILATERAL ? MAX (row->lambda[0], 0) : row->lambda[0];
}

/* Options of a problem. */
typedef enum
{
  IFBAM_CONTACT_TWO_LEVELS = 1, /* rate and acceleration; else level 0 alone */
  IFBAM_CONTACT_FROM_GUESS = 2, /* the pieces of the rows are a guess */
  IFBAM_CONTACT_KEEPS_IDLE = 4, /* a row that is closed without a load stays closed */
  IFBAM_CONTACT_EVENLY = 8,     /* rows share loads by equal compliances */
} IfbamContactOptions;

/* Solves for the rows (n) in the workspace of the event; counts its work, and may be interrupted. result: NULL if unwanted. */
IfbamContactStatus ifbam_event_solve_contact (IfbamEventEngine *self, double time,
                                              IfbamContactRow *rows, guint n, guint options,
                                              IfbamContactResult *result);
