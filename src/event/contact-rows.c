/* contact-rows.c: constraint rows of links for the contact solver
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/contact-rows.h"
#include "event/event-context.h"

#include "event/constraint-rows.h"
#include "event/event-log.h"

IfbamContactRow
ifbam_contact_row_new (IfbamEventEngine *self, guint32 link, double rhs)
{
  const double tolerance = 0.25 * ifbam_event_magnitudes (self, link)->rate_threshold;
  const IfbamConstraintKind kind = ifbam_link_constraint (self, link).kind;
  IfbamContactRow row = {
    .kind = ifbam_constraint_is_bilateral (kind) ? IFBAM_CONTACT_BILATERAL
            : kind == IFBAM_CONSTRAINT_FRICTION  ? IFBAM_CONTACT_FRICTION
                                                 : IFBAM_CONTACT_UNILATERAL,
    .rhs = { rhs, 0 },
    .tolerance = { tolerance, tolerance },
  };

  ifbam_link_row (self, link, 1, &row.row);
  return row;
}

void
ifbam_contact_row_set_carrier (IfbamContactRow *row, guint carrier, double friction)
{
  row->n_carriers = 1;
  row->carrier[0] = carrier;
  row->friction = friction;
}

typedef struct
{
  IfbamEventEngine *self;
  double time;
  guint work;
} InterruptCheck;

static int
may_continue (void *data)
{
  const InterruptCheck *watch = data;

  return ifbam_event_may_continue (watch->self, watch->time, watch->work);
}

IfbamContactStatus
ifbam_event_solve_contact (IfbamEventEngine *self, double time, IfbamContactRow *rows, guint n,
                           guint options, IfbamContactResult *result)
{
  IfbamContactResult own;
  InterruptCheck watch = { self, time, MIN (n, IFBAM_WORK_BETWEEN_CHECKS) };
  const IfbamContactProblem problem = { .row = rows,
                                        .n = n,
                                        .inverse_mass = self->nodes.inverse_mass,
                                        .n_nodes = self->base.model->n_nodes,
                                        .n_levels = options & IFBAM_CONTACT_TWO_LEVELS ? 2 : 1,
                                        .has_guess = (options & IFBAM_CONTACT_FROM_GUESS) != 0,
                                        .keeps_idle = (options & IFBAM_CONTACT_KEEPS_IDLE) != 0,
                                        .shares_evenly = (options & IFBAM_CONTACT_EVENLY) != 0,
                                        .max_systems = self->limits.pivots,
                                        .may_continue = may_continue,
                                        .data = &watch };

  return ifbam_contact_solve (&problem, self->context->contact, result != NULL ? result : &own);
}
