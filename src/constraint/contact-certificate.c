/* contact-certificate.c: check of a solution, or proof that there is none
 *
 * No result of the iteration is trusted: u is recomputed from the reactions and the problem's rows.
 * A row that separates, pushes or slips on one level has a known piece on the next one.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "constraint/contact-certificate.h"

#include "constraint/cone-relaxation.h"
#include "constraint/friction-newton.h"

#include <math.h>

/* Ray entries below this fraction of the largest may be rounding errors; MOST is tried first. */
#define MAX_ROUNDING 1e-2
#define MIN_ROUNDING 1e-9
#define CANCELLATION 1e-9  /* rounding of a sum of forces at a node, relative to its terms */
#define MIN_GAIN     100.0 /* least q y of a ray, in tolerances of the rows */

/* The state of a row's law after the levels tested so far. */
typedef struct
{
  gboolean is_open, is_closed; /* contact: separates on a level; has a reaction */
  gboolean is_within;          /* friction: is below its bound */
  int slip;                    /* friction: direction, 1 or -1; 0: none so far */
} Decision;

static double
find_unilateral_violation (const IfbamContactState *state, guint level, const Decision *decided)
{
  const double push = state->lambda[level] * state->inverse_mass, u = state->u[level];

  if (state->inverse_mass == 0)
    return decided->is_open ? 0 : fmax (u, 0);
  return decided->is_closed ? fabs (u)
         : decided->is_open ? fabs (push)
                            : fabs (push - fmax (push + u, 0));
}

static double
find_friction_violation (const IfbamContactWorkspace *self, guint i, guint level,
                         const Decision *decided)
{
  const IfbamContactState *state = &self->state[i];
  const double push = state->lambda[level] * state->inverse_mass, u = state->u[level];
  const double bound = state->bound[level] * state->inverse_mass;
  const int slip = ifbam_contact_slip (self, i);

  if (!ifbam_friction_is_loaded (self, i))
    return fabs (push);
  if (decided->is_within)
    return fabs (u);
  if (decided->slip != 0)
    return fabs (push - decided->slip * bound);
  if (slip != 0)
    return fmax (fabs (push - slip * bound), -slip * u);
  return fmax (fabs (push) - fmax (state->rest_bound[level] * state->inverse_mass, 0), fabs (u));
}

static void
decide (const IfbamContactState *state, guint level, Decision *decided)
{
  const double tolerance = state->rounding[level];
  const double push = state->lambda[level] * state->inverse_mass, u = state->u[level];

  decided->is_open |= u < -tolerance;
  decided->is_closed |= push > tolerance;
  if (decided->slip == 0 && !decided->is_within && fabs (u) > tolerance)
    decided->slip = u > 0 ? 1 : -1;
  decided->is_within |=
      decided->slip == 0 && state->bound[level] * state->inverse_mass - fabs (push) > tolerance;
}

static double
find_row_violation (const IfbamContactWorkspace *self, guint i)
{
  const IfbamContactRow *row = &self->problem->row[i];
  const IfbamContactState *state = &self->state[i];
  Decision decided = { .slip = 0 };
  double most = 0;

  if (state->is_given && row->kind != IFBAM_CONTACT_BILATERAL)
    return 0;
  for (guint level = self->first_level; level <= self->last_level; level++)
    {
      const double violation = row->kind == IFBAM_CONTACT_BILATERAL ? fabs (state->u[level])
                               : row->kind == IFBAM_CONTACT_UNILATERAL
                                   ? find_unilateral_violation (state, level, &decided)
                                   : find_friction_violation (self, i, level, &decided);

      most = fmax (most, violation / state->rounding[level]);
      decide (state, level, &decided);
    }
  return most;
}

double
ifbam_contact_find_violation (IfbamContactWorkspace *self)
{
  const IfbamContactRow *row = self->problem->row;
  double most = 0;

  for (guint level = self->first_level; level <= self->last_level; level++)
    {
      ifbam_contact_clear_change (self);
      for (guint i = 0; i < self->n; i++)
        ifbam_contact_add_change (self, &row[i].row, self->state[i].lambda[level]);
      for (guint i = 0; i < self->n; i++)
        {
          self->state[i].u[level] = ifbam_contact_get_rate (self, &row[i].row, row[i].rhs[level]);
          self->state[i].rounding[level] =
              fmax (row[i].tolerance[level], ifbam_contact_get_rounding (self, &row[i].row));
        }
    }
  for (guint i = 0; i < self->n; i++)
    most = fmax (most, find_row_violation (self, i));
  return most;
}

/* Projects y onto the null space of J^T in rows with y != 0. TRUE: J^T y is 0 at free nodes. */
static gboolean
project_ray (IfbamContactWorkspace *self, double *y)
{
  const double *inverse_mass = self->problem->inverse_mass;
  guint n = 0;
  gboolean cancels = TRUE;

  for (guint i = 0; i < self->n; i++)
    if (y[i] != 0)
      {
        self->active[n] = self->state[i].row;
        self->compliance[n] = self->state[i].compliance;
        self->active_row[n++] = i;
      }
  ifbam_contact_clear_change (self);
  for (guint a = 0; a < n; a++)
    ifbam_contact_add_change (self, &self->active[a], y[self->active_row[a]]);
  for (guint a = 0; a < n; a++)
    self->b[a] = -ifbam_contact_get_rate (self, &self->active[a], 0);
  ifbam_least_norm_factor (&self->system, self->active, n, TRUE, self->compliance, inverse_mass,
                           self->nodes.scratch, self->nodes.change);
  ifbam_least_norm_solve (&self->system, self->b, self->b);
  for (guint a = 0; a < n; a++)
    y[self->active_row[a]] -= self->b[a];
  for (guint a = 0; a < n && cancels; a++)
    for (guint e = 0; e < self->active[a].n_ports; e++)
      {
        const guint32 node = self->active[a].node[e];
        double sum = 0, terms = 0;

        for (guint k = 0; k < n && inverse_mass[node] > 0; k++)
          for (guint f = 0; f < self->active[k].n_ports; f++)
            if (self->active[k].node[f] == node)
              {
                sum += self->active[k].row[f] * y[self->active_row[k]];
                terms += fabs (self->active[k].row[f] * y[self->active_row[k]]);
              }
        cancels &= fabs (sum) <= CANCELLATION * terms;
      }
  return cancels;
}

/* Returns whether the guessed reactions are a ray; those below `least` count as 0. */
static gboolean
is_ray (IfbamContactWorkspace *self, double least)
{
  double *y = self->ray, gain = 0, rounding = 0;

  for (guint i = 0; i < self->n; i++)
    y[i] = fabs (self->state[i].guess) < least ? 0 : self->state[i].guess;
  if (!project_ray (self, y))
    return FALSE;
  for (guint i = 0; i < self->n; i++)
    {
      if (self->problem->row[i].kind == IFBAM_CONTACT_UNILATERAL && y[i] < 0)
        return FALSE;
      gain += y[i] * self->problem->row[i].rhs[self->first_level];
      rounding += fabs (y[i]) * self->problem->row[i].tolerance[self->first_level];
    }
  return gain > MIN_GAIN * rounding;
}

gboolean
ifbam_contact_find_ray (IfbamContactWorkspace *self)
{
  double most = 0;

  for (guint i = 0; i < self->n; i++)
    {
      IfbamContactState *state = &self->state[i];

      /* A friction's rate may have either sign; a row that separates on level 0 is open. */
      if (self->problem->row[i].kind == IFBAM_CONTACT_FRICTION
          || (state->is_given && state->piece == IFBAM_CONTACT_OPEN))
        state->guess = 0;
      most = fmax (most, fabs (state->guess));
      state->row = ifbam_row_with_own_force (&self->problem->row[i].row);
    }
  self->has_ray = FALSE;
  for (double least = MAX_ROUNDING;
       least >= MIN_ROUNDING && most > 0 && isfinite (most) && !self->has_ray;
       least *= MAX_ROUNDING)
    self->has_ray = is_ray (self, least * most);
  return self->has_ray;
}

gboolean
ifbam_contact_prove_infeasible (IfbamContactWorkspace *self)
{
  g_autoptr (IfbamConeRelaxation) relaxation =
      ifbam_cone_relaxation_new (self, IFBAM_CONES_FRICTIONLESS);

  ifbam_cone_relaxation_guess (relaxation);
  ifbam_cone_relaxation_get_ray (relaxation);
  return ifbam_contact_find_ray (self);
}
