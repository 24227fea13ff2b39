/* contact.c: reactions of constraints with unilateral contact and Coulomb friction
 *
 * Newton's method starts from pieces of the caller, of Gauss-Seidel, then of convex problems. At
 * last all pieces of a few rows are tried. Every solution is checked; infeasibility may be proven.
 * With two levels, finite reactions are searched first if no rate approaches.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "constraint/contact.h"

#include "constraint/cone-relaxation.h"
#include "constraint/contact-certificate.h"
#include "constraint/friction-newton.h"
#include "constraint/gauss-seidel.h"

#include <math.h>

/* Sweeps of Gauss-Seidel before the convex problems: enough unless contacts form a heap. */
#define FEW_SWEEPS 64
/* Limits after the convex problems have failed: sweeps, and visits of rows (about a second). */
#define MAX_SWEEPS 16384
#define MAX_VISITS 10000000u
/* Limit of rows for single changes with friction: more rows use ten systems each, and cycle. */
#define MAX_SINGLE_ROWS 40
#define MAX_GUESSES     6    /* convex problems: later ones rarely differ */
#define SAME_GUESS      1e-4 /* relative change below which the next guess has the same pieces */
/* Time span of guesses with two levels, in parts of q[0] / q[1]: impulses hardly depend on it. */
#define SPAN 1e-4
/* Largest violation of a solution, in tolerances of its row: nearly dependent rows may violate 1e3
 * (friction-newton.c), and the residual of a linear system may be 100 times as large. */
#define MAX_VIOLATION 1e5

/* Search */

static gboolean
has_free_friction (const IfbamContactWorkspace *self)
{
  for (guint i = 0; i < self->n; i++)
    if (self->problem->row[i].n_carriers > 0 && !self->state[i].is_given)
      return TRUE;
  return FALSE;
}

static gboolean
has_given_friction (const IfbamContactWorkspace *self)
{
  for (guint i = 0; i < self->n; i++)
    if (self->state[i].is_given && ifbam_contact_slip (self, i) != 0)
      return TRUE;
  return FALSE;
}

/* Frictions with a given slip first change their carriers' forces; then they have no force. */
static gboolean
search_by_relaxation (IfbamContactWorkspace *self)
{
  const guint last = has_given_friction (self) ? IFBAM_CONES_WITHOUT_SLIP : IFBAM_CONES_WITH_SLIP;

  for (guint cones = IFBAM_CONES_WITH_SLIP; cones <= last; cones++)
    {
      g_autoptr (IfbamConeRelaxation) relaxation =
          ifbam_cone_relaxation_new (self, (IfbamCones) cones);

      for (guint k = 0; k < MAX_GUESSES && !ifbam_contact_is_stopped (self); k++)
        {
          const double change = ifbam_cone_relaxation_guess (relaxation);

          if (ifbam_friction_newton (self))
            return TRUE;
          if (change <= SAME_GUESS)
            break;
        }
    }
  return FALSE;
}

/* Runs Newton's method from the present pieces; tests contradictory reactions as a proof (ray). */
static gboolean
try_pieces (IfbamContactWorkspace *self)
{
  if (ifbam_friction_newton (self))
    return TRUE;
  if (!self->contradicts || self->is_interrupted)
    return FALSE;
  for (guint i = 0; i < self->n; i++)
    self->state[i].guess = self->state[i].lambda[self->first_level];
  ifbam_contact_find_ray (self);
  return FALSE;
}

static gboolean
search (IfbamContactWorkspace *self, gboolean *exhausted)
{
  const gboolean is_free = has_free_friction (self);

  ifbam_friction_start_cosines (self);
  if ((self->problem->has_guess || !is_free) && try_pieces (self))
    return TRUE;
  if (is_free && !self->has_ray && !ifbam_contact_is_stopped (self))
    {
      ifbam_gauss_seidel_guess (self, FEW_SWEEPS);
      if (try_pieces (self))
        return TRUE;
    }
  if (self->has_ray)
    return FALSE;
  if (search_by_relaxation (self))
    return TRUE;
  for (guint n_sweeps = 4 * FEW_SWEEPS; is_free && !ifbam_contact_is_stopped (self)
                                        && n_sweeps <= MIN (MAX_SWEEPS, MAX_VISITS / self->n);
       n_sweeps *= 4)
    {
      ifbam_gauss_seidel_guess (self, n_sweeps);
      if (ifbam_friction_newton (self))
        return TRUE;
    }
  return ((!is_free || self->n <= MAX_SINGLE_ROWS) && ifbam_friction_change_singly (self))
         || ifbam_friction_enumerate (self, exhausted);
}

/* Levels */

static void
start (IfbamContactWorkspace *self)
{
  double q[IFBAM_CONTACT_LEVELS] = { 0 };

  for (guint i = 0; i < self->n; i++)
    {
      const IfbamContactRow *row = &self->problem->row[i];

      self->state[i].is_given = row->is_given;
      self->state[i].piece = (guint8) (row->kind == IFBAM_CONTACT_BILATERAL
                                               || (row->kind == IFBAM_CONTACT_FRICTION
                                                   && row->piece == IFBAM_CONTACT_OPEN)
                                           ? IFBAM_CONTACT_CLOSED
                                           : row->piece);
      for (guint level = 0; level < IFBAM_CONTACT_LEVELS; level++)
        q[level] = fmax (q[level], fabs (row->rhs[level]));
    }
  self->span = q[0] > 0 && q[1] > 0 ? SPAN * q[0] / q[1] : 1;
}

/* Returns whether a contact approaches or a bilateral row has a rate, which needs impulses. */
static gboolean
has_approach (const IfbamContactWorkspace *self)
{
  for (guint i = 0; i < self->n; i++)
    {
      const IfbamContactRow *row = &self->problem->row[i];
      const double rate = row->kind == IFBAM_CONTACT_UNILATERAL  ? row->rhs[0]
                          : row->kind == IFBAM_CONTACT_BILATERAL ? fabs (row->rhs[0])
                                                                 : 0;

      if (rate > row->tolerance[0])
        return TRUE;
    }
  return FALSE;
}

/* Prescribes pieces for finite reactions: a separating row is open, a slip keeps its direction. */
static void
give_pieces_of_rates (IfbamContactWorkspace *self)
{
  for (guint i = 0; i < self->n; i++)
    {
      const IfbamContactRow *row = &self->problem->row[i];

      if (row->kind == IFBAM_CONTACT_BILATERAL || fabs (row->rhs[0]) <= row->tolerance[0])
        continue;
      self->state[i].is_given = TRUE;
      self->state[i].piece = row->kind == IFBAM_CONTACT_UNILATERAL ? IFBAM_CONTACT_OPEN
                             : row->rhs[0] > 0                     ? IFBAM_CONTACT_FORWARD
                                                                   : IFBAM_CONTACT_BACKWARD;
    }
}

/* Returns whether impulses change a rate beyond rounding. */
static gboolean
has_impulses (const IfbamContactWorkspace *self)
{
  for (guint i = 0; i < self->n; i++)
    if (fabs (self->state[i].lambda[0]) * self->state[i].inverse_mass
        > self->problem->row[i].tolerance[0])
      return TRUE;
  return FALSE;
}

/* Searches for finite reactions if possible, else for impulses followed by finite reactions. */
static gboolean
search_levels (IfbamContactWorkspace *self, IfbamContactResult *result, gboolean *exhausted)
{
  const guint n_levels = self->problem->n_levels;
  gboolean approaches = TRUE;

  self->first_level = self->last_level = n_levels - 1;
  if (n_levels == 1 || !(approaches = has_approach (self)))
    {
      start (self);
      if (n_levels > 1)
        give_pieces_of_rates (self);
      if (search (self, exhausted))
        return TRUE;
      /* Rows that are infeasible at level 1 are infeasible with any impulses. */
      if (n_levels == 1 || self->has_ray)
        return FALSE;
    }
  self->first_level = 0;
  start (self);
  if (!search (self, exhausted))
    return FALSE;
  /* A search at both levels may also find finite reactions that the first one missed. */
  result->is_impulsive = !approaches && has_impulses (self);
  return TRUE;
}

static void
return_answer (const IfbamContactWorkspace *self)
{
  for (guint i = 0; i < self->n; i++)
    {
      IfbamContactRow *row = &self->problem->row[i];

      row->piece = (IfbamContactPiece) self->state[i].piece;
      for (guint level = 0; level < self->problem->n_levels; level++)
        {
          const gboolean is_solved = level >= self->first_level;

          row->lambda[level] = is_solved ? self->state[i].lambda[level] : 0;
          row->u[level] = is_solved ? self->state[i].u[level] : row->rhs[level];
        }
    }
}

static void
begin (IfbamContactWorkspace *self, const IfbamContactProblem *problem)
{
  ifbam_contact_workspace_reserve (self, problem->n, problem->n_nodes);
  self->problem = problem;
  self->n = problem->n;
  self->n_systems = 0;
  self->max_systems = problem->max_systems;
  self->is_interrupted = self->is_redundant = self->has_ray = FALSE;
  self->system.rows.even = problem->shares_evenly;
  for (guint i = 0; i < self->n; i++)
    {
      IfbamContactState *state = &self->state[i];
      const IfbamConstraintRow row = ifbam_row_with_own_force (&problem->row[i].row);

      state->inverse_mass = ifbam_row_product (&row, &row, problem->inverse_mass);
      state->compliance = (problem->shares_evenly ? 1 : state->inverse_mass) / row.share;
    }
}

IfbamContactStatus
ifbam_contact_solve (const IfbamContactProblem *problem, IfbamContactWorkspace *workspace,
                     IfbamContactResult *result)
{
  IfbamContactWorkspace *self = workspace;
  gboolean exhausted = FALSE, is_solved;

  begin (self, problem);
  *result = (IfbamContactResult){ .ray = NULL };
  is_solved = search_levels (self, result, &exhausted);
  result->n_systems = self->n_systems;
  result->is_redundant = self->is_redundant;
  if (is_solved)
    {
      result->violation = ifbam_contact_find_violation (self);
      is_solved = result->violation <= MAX_VIOLATION;
    }
  if (is_solved)
    {
      return_answer (self);
      return IFBAM_CONTACT_SOLVED;
    }
  if (self->has_ray || (!self->is_interrupted && ifbam_contact_prove_infeasible (self)))
    result->ray = self->ray;
  return result->ray != NULL || (exhausted && !self->is_interrupted) ? IFBAM_CONTACT_NO_SOLUTION
                                                                     : IFBAM_CONTACT_LIMIT;
}
