/* gauss-seidel.c: pieces of contacts and frictions, guessed by nonsmooth Gauss-Seidel
 *
 * Each row gets the reaction that satisfies its law for the present reactions of the others
 * (Jourdan, Alart & Jean 1998). Sweeps alternate in direction. If many rows load each other the
 * reactions are far from the solution, but only a few pieces are wrong.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "constraint/gauss-seidel.h"

#include "constraint/friction-newton.h"

#include <math.h>

/* Sets a row's piece; returns its reaction by its law. stopping_reaction: for a rate of 0. */
static double
project (IfbamContactWorkspace *self, guint i, double stopping_reaction)
{
  const IfbamContactRow *row = &self->problem->row[i];
  IfbamContactState *state = &self->state[i];
  double load = 0, bound;

  if (row->kind == IFBAM_CONTACT_BILATERAL)
    return stopping_reaction;
  if (row->kind == IFBAM_CONTACT_UNILATERAL)
    {
      if (!state->is_given)
        state->piece = stopping_reaction > 0 ? IFBAM_CONTACT_CLOSED : IFBAM_CONTACT_OPEN;
      return state->piece == IFBAM_CONTACT_OPEN ? 0 : fmax (stopping_reaction, 0);
    }
  for (guint k = 0; k < row->n_carriers; k++)
    load += self->state[row->carrier[k]].guess * self->state[row->carrier[k]].guess;
  bound = ifbam_friction_bound (self, i, self->first_level, sqrt (load));
  if (state->is_given)
    return ifbam_contact_slip (self, i) != 0 ? ifbam_contact_slip (self, i) * bound
           : load > 0                        ? stopping_reaction
                                             : 0;
  if (fabs (row->rhs[0]) <= row->tolerance[0] || self->problem->n_levels == 1)
    bound = ifbam_friction_rest_bound (self, i, self->first_level, sqrt (load));
  state->piece = fabs (stopping_reaction) <= bound ? IFBAM_CONTACT_CLOSED
                 : stopping_reaction > 0           ? IFBAM_CONTACT_FORWARD
                                                   : IFBAM_CONTACT_BACKWARD;
  return CLAMP (stopping_reaction, -bound, bound);
}

static void
visit_row (IfbamContactWorkspace *self, guint i)
{
  const IfbamConstraintRow *row = &self->problem->row[i].row;
  IfbamContactState *state = &self->state[i];
  double rate, next;

  if (!(state->inverse_mass > 0))
    return;
  rate = ifbam_contact_get_rate (self, row, ifbam_contact_guess_rhs (self, i));
  next = project (self, i, state->guess + rate / state->inverse_mass);
  ifbam_contact_add_change (self, row, next - state->guess);
  state->guess = next;
}

void
ifbam_gauss_seidel_guess (IfbamContactWorkspace *self, guint n_sweeps)
{
  const IfbamContactProblem *problem = self->problem;

  ifbam_contact_clear_change (self);
  for (guint i = 0; i < self->n; i++)
    self->state[i].guess = 0;
  for (guint sweep = 0; sweep < n_sweeps && !self->is_interrupted; sweep++)
    {
      for (guint k = 0; k < self->n; k++)
        visit_row (self, sweep % 2 == 0 ? k : self->n - 1 - k);
      self->is_interrupted =
          problem->may_continue != NULL && !problem->may_continue (problem->data);
    }
}
