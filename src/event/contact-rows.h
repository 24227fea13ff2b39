/* contact-rows.h: constraint rows of links for the contact solver
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "constraint/constraint.h"
#include "event/event-engine-internal.h"

/* Returns a link's row: bilateral, unilateral, or a friction without carriers. J is the one
 * measured last, and P = J. rhs: of level 0. Both tolerances are the rounding of a rate [m/s]. */
IfbamContactRow ifbam_contact_row_new (IfbamEventEngine *self, guint32 link, double rhs);

/* Makes a row a friction that is bounded by `friction` times the reaction of row `carrier`. */
void ifbam_contact_row_set_carrier (IfbamContactRow *row, guint carrier, double friction);

/* Returns a solved row's impulse on level 0 [N s]. A negative unilateral one is rounding: 0. */
static inline double
ifbam_contact_row_impulse (const IfbamContactRow *row)
{
  return row->kind == IFBAM_CONTACT_UNILATERAL ? MAX (row->lambda[0], 0) : row->lambda[0];
}

/* Options of a contact problem. */
typedef enum
{
  IFBAM_CONTACT_TWO_LEVELS = 1, /* rate and acceleration; else level 0 alone */
  IFBAM_CONTACT_FROM_GUESS = 2, /* the rows' pieces are an initial guess */
  IFBAM_CONTACT_KEEPS_IDLE = 4, /* a closed row without load stays closed */
  IFBAM_CONTACT_EVENLY = 8,     /* redundant rows share loads by equal compliances */
} IfbamContactOptions;

/* Solves the contact problem of n rows; counts its work, may be interrupted. result: or NULL. */
IfbamContactStatus ifbam_event_solve_contact (IfbamEventEngine *self, double time,
                                              IfbamContactRow *rows, guint n, guint options,
                                              IfbamContactResult *result);
