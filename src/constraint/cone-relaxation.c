/* cone-relaxation.c: pieces of contacts and frictions, guessed by convex problems
 *
 * In the plane a friction cone has two generators, along which the contact has reactions p, q >= 0:
 * lambda = p + q, friction mu (p - q). With u + mu |u_t| <= 0 the problem is convex (Anitescu
 * 2006). A sequence of problems, with the last mu |u_t| subtracted from the right sides, leads to
 * Coulomb's law (Acary, Cadoux, Lemarechal & Malick 2011). An interior-point method (Mehrotra 1992)
 * solves each, with compliances by which redundant rows share loads. Without friction one suffices.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "constraint/cone-relaxation.h"

#include <math.h>
#include <string.h>

#define DAMPING        0.5 /* applied fraction of a right side's change: all of it can oscillate */
#define COMPLIANCE     1e-10 /* relative to a row's compliance; above the rounding of a system */
#define DUALITY_GAP    1e-22 /* relative to the first gap: below, lambda and slack are rounding */
#define MAX_ITERATIONS 60    /* about 20 are needed */
#define STEP_FRACTION  0.99  /* of the step to the boundary (Mehrotra 1992) */
#define BILATERAL_SHIFT                                                                            \
  1e-12                  /* relative to the diagonal: redundant bilateral rows can be factored */
#define MIN_INERTIA 1e-3 /* least inverse mass of a generator, relative to its row */

/* A convex problem's row: a contact problem's row or a generator of its cone (side: 1, -1). */
typedef struct
{
  guint row, friction;
  int side;
  guint twin;         /* index of the other generator, or its own */
  double own, other;  /* compliance by its own lambda, and by its twin's */
  double inertia;     /* inverse mass, scales lambda and slack */
  gboolean is_signed; /* lambda >= 0 */
  gboolean is_closed; /* active in the solution */
  double rhs, lambda, slack, lambda_step, slack_step;
  double residual, target;
} Generator;

struct _IfbamConeRelaxation
{
  IfbamContactWorkspace *work;
  IfbamCones cones;
  Generator *generator;     /* (n) */
  IfbamConstraintRow *rows; /* (n) */
  double *b, *shift;        /* (n) */
  double *lessening;        /* mu |u_t| of frictions (work->n) */
  guint n;
};

/* Returns whether a friction's piece is unknown, and its one carrier may open. */
static gboolean
is_free (const IfbamContactWorkspace *work, guint i)
{
  const IfbamContactRow *row = &work->problem->row[i];

  return row->kind == IFBAM_CONTACT_FRICTION && !work->state[i].is_given && row->n_carriers == 1
         && row->friction > 0
         && work->problem->row[row->carrier[0]].kind == IFBAM_CONTACT_UNILATERAL
         && !work->state[row->carrier[0]].is_given;
}

/* Returns q of a generator, before mu |u_t| of the last solution is subtracted. */
static double
rhs_of (const IfbamContactWorkspace *work, const Generator *own)
{
  const double normal = ifbam_contact_guess_rhs (work, own->row);

  return own->side == 0 ? normal
                        : normal
                              + own->side * work->problem->row[own->friction].friction
                                    * ifbam_contact_guess_rhs (work, own->friction);
}

static void
add_generator (IfbamConeRelaxation *self, guint i, guint friction, int side)
{
  IfbamContactWorkspace *work = self->work;
  const guint k = self->n++;
  Generator *own = &self->generator[k];
  IfbamConstraintRow *row = &self->rows[k];
  const double normal = COMPLIANCE * work->state[i].compliance;

  *own = (Generator){ .row = i, .friction = friction, .side = side, .twin = k, .own = normal };
  own->is_signed = side != 0 || work->problem->row[i].kind == IFBAM_CONTACT_UNILATERAL;
  own->rhs = rhs_of (work, own);
  *row = work->problem->row[i].row;
  if (side == 0)
    return;
  *row = ifbam_row_with_own_force (row);

  const IfbamContactRow *along = &work->problem->row[friction];
  const double tangential =
      COMPLIANCE * along->friction * along->friction * work->state[friction].compliance;

  own->own = normal + tangential;
  own->other = normal - tangential;
  own->twin = side > 0 ? k + 1 : k - 1;
  ifbam_contact_add_force (row, &along->row, side * along->friction);
  memcpy (row->row, row->pull, sizeof row->row);
  row->askew = FALSE;
}

/* Adds forces of frictions with given slip to their carriers; first[]: generator or G_MAXUINT. */
static void
turn_forces (IfbamConeRelaxation *self, const guint *first)
{
  const IfbamContactWorkspace *work = self->work;

  for (guint i = 0; i < work->n; i++)
    {
      const IfbamContactRow *row = &work->problem->row[i];
      const int slip = ifbam_contact_slip (work, i);

      for (guint k = 0; k < row->n_carriers && slip != 0 && !is_free (work, i); k++)
        if (first[row->carrier[k]] != G_MAXUINT
            && self->generator[first[row->carrier[k]]].side == 0)
          ifbam_contact_add_force (&self->rows[first[row->carrier[k]]], &row->row,
                                   slip * row->friction * work->state[i].cosine[k]);
    }
}

static void
list_generators (IfbamConeRelaxation *self)
{
  const IfbamContactWorkspace *work = self->work;
  g_autofree guint *friction = g_new (guint, work->n + 1);
  g_autofree guint *first = g_new (guint, work->n + 1);

  for (guint i = 0; i < work->n; i++)
    {
      friction[i] = first[i] = G_MAXUINT;
      if (is_free (work, i) && self->cones != IFBAM_CONES_FRICTIONLESS)
        friction[work->problem->row[i].carrier[0]] = i;
    }
  for (guint i = 0; i < work->n; i++)
    {
      const IfbamContactState *state = &work->state[i];
      const gboolean is_friction = work->problem->row[i].kind == IFBAM_CONTACT_FRICTION;

      if (state->inverse_mass == 0 || is_free (work, i)
          || (is_friction
              && (self->cones == IFBAM_CONES_FRICTIONLESS || state->piece != IFBAM_CONTACT_CLOSED))
          || (state->is_given && state->piece == IFBAM_CONTACT_OPEN))
        continue;
      first[i] = self->n;
      if (friction[i] == G_MAXUINT)
        add_generator (self, i, G_MAXUINT, 0);
      else
        for (int side = 1; side >= -1; side -= 2)
          add_generator (self, i, friction[i], side);
    }
  if (self->cones == IFBAM_CONES_WITH_SLIP)
    turn_forces (self, first);
}

IfbamConeRelaxation *
ifbam_cone_relaxation_new (IfbamContactWorkspace *work, IfbamCones cones)
{
  IfbamConeRelaxation *self = g_new0 (IfbamConeRelaxation, 1);
  const gsize most = 2 * (gsize) work->n + 1;

  self->work = work;
  self->cones = cones;
  self->generator = g_new (Generator, most);
  self->rows = g_new (IfbamConstraintRow, most);
  self->b = g_new (double, most);
  self->shift = g_new (double, most);
  self->lessening = g_new0 (double, work->n + 1);
  list_generators (self);
  return self;
}

void
ifbam_cone_relaxation_free (IfbamConeRelaxation *self)
{
  if (self == NULL)
    return;
  g_free (self->generator);
  g_free (self->rows);
  g_free (self->b);
  g_free (self->shift);
  g_free (self->lessening);
  g_free (self);
}

/* Adds the generators' compliances to the matrix. */
static void
add_compliance (IfbamConeRelaxation *self)
{
  IfbamConstraintSystem *system = &self->work->interior;
  double *value = ifbam_solver_values (system->solver);

  for (guint k = 0; k < self->n; k++)
    for (guint32 e = system->start[k]; e < system->start[k + 1]; e++)
      if (system->column[e] == k)
        value[e] += self->generator[k].own;
      else if (system->column[e] == self->generator[k].twin)
        value[e] += self->generator[k].other;
}

/* Sets residual = (J M^-1 P^T + compliance) lambda - rhs - slack. */
static void
find_residuals (IfbamConeRelaxation *self)
{
  ifbam_contact_clear_change (self->work);
  for (guint k = 0; k < self->n; k++)
    ifbam_contact_add_change (self->work, &self->rows[k], self->generator[k].lambda);
  for (guint k = 0; k < self->n; k++)
    {
      Generator *own = &self->generator[k];

      own->residual = own->own * own->lambda - own->slack
                      - ifbam_contact_get_rate (self->work, &self->rows[k], own->rhs);
      if (own->twin != k)
        own->residual += own->other * self->generator[own->twin].lambda;
    }
}

/* Computes a Newton step toward lambda slack = target. */
static void
find_step (IfbamConeRelaxation *self)
{
  const guint n = self->n;

  for (guint k = 0; k < n; k++)
    {
      const Generator *own = &self->generator[k];

      self->b[k] = -own->residual + (own->is_signed ? own->target / own->lambda - own->slack : 0);
    }
  if (n == 1)
    self->b[0] /= self->work->interior.single * (1 + self->shift[0]);
  else
    ifbam_solver_solve (self->work->interior.solver, self->b, self->b, 0);
  for (guint k = 0; k < n; k++)
    {
      Generator *own = &self->generator[k];

      own->lambda_step = self->b[k];
      own->slack_step =
          own->is_signed ? (own->target - own->slack * own->lambda_step) / own->lambda - own->slack
                         : 0;
    }
}

/* Returns the longest fraction of the step, at most 1, that keeps lambda and slack positive. */
static double
find_length (const IfbamConeRelaxation *self)
{
  double length = 1 / STEP_FRACTION;

  for (guint k = 0; k < self->n; k++)
    {
      const Generator *own = &self->generator[k];

      if (own->is_signed && own->lambda_step < 0)
        length = fmin (length, -own->lambda / own->lambda_step);
      if (own->is_signed && own->slack_step < 0)
        length = fmin (length, -own->slack / own->slack_step);
    }
  return fmin (1, STEP_FRACTION * length);
}

/* Returns the sum of lambda slack after a fraction of the step. */
static double
find_gap (const IfbamConeRelaxation *self, double length)
{
  double gap = 0;

  for (guint k = 0; k < self->n; k++)
    {
      const Generator *own = &self->generator[k];

      if (own->is_signed)
        gap += (own->lambda + length * own->lambda_step) * (own->slack + length * own->slack_step);
    }
  return gap;
}

/* Runs one iteration, predictor and corrector; returns the duality gap. */
static double
iterate (IfbamConeRelaxation *self, double gap, guint n_signed)
{
  double length, ahead;

  find_residuals (self);
  for (guint k = 0; k < self->n; k++)
    {
      Generator *own = &self->generator[k];

      self->shift[k] = own->is_signed ? own->slack / (own->lambda * own->inertia) : BILATERAL_SHIFT;
      own->target = 0;
    }
  if (self->n > 1)
    ifbam_constraint_system_shift (&self->work->interior, self->shift);
  find_step (self);
  ahead = find_gap (self, find_length (self));
  ahead *= (ahead / gap) * (ahead / gap) / n_signed;
  for (guint k = 0; k < self->n; k++)
    self->generator[k].target =
        ahead - self->generator[k].lambda_step * self->generator[k].slack_step;
  find_step (self);
  length = find_length (self);
  for (guint k = 0; k < self->n; k++)
    {
      self->generator[k].lambda += length * self->generator[k].lambda_step;
      self->generator[k].slack += length * self->generator[k].slack_step;
    }
  return find_gap (self, 0);
}

/* Sets initial lambda and slack; returns how many generators are signed, 0 if all rhs are 0. */
static guint
start (IfbamConeRelaxation *self)
{
  double most = 0;
  guint n_signed = 0;

  for (guint k = 0; k < self->n; k++)
    {
      Generator *own = &self->generator[k];
      const double inertia =
          ifbam_row_product (&self->rows[k], &self->rows[k], self->work->problem->inverse_mass);

      own->inertia = fmax (inertia, MIN_INERTIA * self->work->state[own->row].inverse_mass);
      most = fmax (most, fabs (own->rhs) / sqrt (own->inertia));
      n_signed += own->is_signed ? 1 : 0;
    }
  for (guint k = 0; k < self->n; k++)
    {
      Generator *own = &self->generator[k];

      own->lambda = own->is_signed ? most / sqrt (own->inertia) : 0;
      own->slack = own->is_signed ? most * sqrt (own->inertia) : 0;
    }
  return most > 0 ? n_signed : 0;
}

static void
solve_convex (IfbamConeRelaxation *self)
{
  const guint n_signed = start (self);
  const double first = find_gap (self, 0);
  double gap = first;

  if (n_signed > 0)
    {
      ifbam_constraint_system_set (&self->work->interior, self->rows, self->n,
                                   self->work->problem->inverse_mass, self->work->nodes.scratch);
      if (self->n > 1)
        add_compliance (self);
    }
  for (guint k = 0; k < MAX_ITERATIONS && n_signed > 0 && gap > DUALITY_GAP * first
                    && ifbam_contact_may_continue (self->work);
       k++)
    {
      gap = iterate (self, gap, n_signed);
      if (!isfinite (gap))
        break;
    }
  for (guint k = 0; k < self->n; k++)
    {
      Generator *own = &self->generator[k];

      if (!isfinite (own->lambda))
        own->lambda = 0;
      own->is_closed = !own->is_signed || own->lambda * own->own > own->slack;
    }
}

/* Sets right sides less mu |u_t|; returns their change, relative to the largest slip. */
static double
update_right_sides (IfbamConeRelaxation *self)
{
  const IfbamContactWorkspace *work = self->work;
  double change = 0, largest = 0;

  ifbam_contact_clear_change (self->work);
  for (guint k = 0; k < self->n; k++)
    ifbam_contact_add_change (self->work, &self->rows[k], self->generator[k].lambda);
  for (guint i = 0; i < work->n; i++)
    if (is_free (work, i))
      {
        const IfbamContactRow *row = &work->problem->row[i];
        const double slip =
            fabs (ifbam_contact_get_rate (work, &row->row, ifbam_contact_guess_rhs (work, i)));
        const double difference = row->friction * slip - self->lessening[i];

        largest = fmax (largest, slip);
        change = fmax (change, fabs (difference));
        self->lessening[i] += DAMPING * difference;
      }
  for (guint k = 0; k < self->n; k++)
    if (self->generator[k].side != 0)
      self->generator[k].rhs =
          rhs_of (work, &self->generator[k]) - self->lessening[self->generator[k].friction];
  return largest > 0 ? change / largest : 0;
}

static void
set_pieces (const IfbamConeRelaxation *self)
{
  IfbamContactWorkspace *work = self->work;

  for (guint k = 0; k < self->n; k++)
    {
      const Generator *own = &self->generator[k], *twin = &self->generator[own->twin];

      if (work->problem->row[own->row].kind == IFBAM_CONTACT_UNILATERAL
          && !work->state[own->row].is_given)
        work->state[own->row].piece =
            own->is_closed || twin->is_closed ? IFBAM_CONTACT_CLOSED : IFBAM_CONTACT_OPEN;
      if (own->side > 0)
        work->state[own->friction].piece = own->is_closed == twin->is_closed ? IFBAM_CONTACT_CLOSED
                                           : own->is_closed                  ? IFBAM_CONTACT_FORWARD
                                                            : IFBAM_CONTACT_BACKWARD;
    }
}

double
ifbam_cone_relaxation_guess (IfbamConeRelaxation *self)
{
  double change;

  solve_convex (self);
  change = update_right_sides (self);
  set_pieces (self);
  return change;
}

void
ifbam_cone_relaxation_get_ray (const IfbamConeRelaxation *self)
{
  IfbamContactWorkspace *work = self->work;

  for (guint i = 0; i < work->n; i++)
    work->state[i].guess = 0;
  for (guint k = 0; k < self->n; k++)
    work->state[self->generator[k].row].guess += self->generator[k].lambda;
}
