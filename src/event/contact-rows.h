/* contact-rows.h: constraint rows of links for the contact solver
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "constraint/constraint.h"
#include "event/event-engine-internal.h"

/* Returns the row of a link's constraint: its Jacobian as it was measured last, forces along it; bilateral or unilateral, or a
 * friction without carriers. rhs: its rate [m/s] on level 0; tolerance: the rounding of both levels; the rest is 0. */
IfbamContactRow ifbam_contact_row_new (const IfbamEventEngine *self, guint32 link, double rhs,
                                       double tolerance);

/* Makes a row a friction on the contact that is row `carrier`. */
void ifbam_contact_row_set_carrier (IfbamContactRow *row, guint carrier, double friction);

/* What a problem of rows asks for. */
typedef enum
{
  IFBAM_CONTACT_TWO_LEVELS = 1, /* rate and acceleration; else level 0 alone */
  IFBAM_CONTACT_FROM_GUESS = 2, /* the pieces of the rows are a guess */
  IFBAM_CONTACT_KEEPS_IDLE = 4, /* a row that is closed without a load stays closed */
  IFBAM_CONTACT_EVENLY = 8,     /* rows share loads by equal compliances */
  IFBAM_CONTACT_BRIEFLY =
      16, /* a problem that another one replaces if no answer is found within 64 systems */
} IfbamContactOptions;

/* Solves for the rows (n) in the workspace of the event; counts its work, and may be interrupted. result: NULL if unwanted. */
IfbamContactStatus ifbam_event_solve_contact (IfbamEventEngine *self, double time,
                                              IfbamContactRow *rows, guint n, guint options,
                                              IfbamContactResult *result);
