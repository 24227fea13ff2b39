/* friction-newton.c: semismooth Newton method for contact and friction
 *
 * On each choice of pieces (open, closed, slip forward, slip backward) the laws are linear. An
 * iteration solves one sparse system for all levels. Then every row that violates its law changes
 * its piece (Alart & Curnier 1991; Qi & Sun 1993; primal-dual active set: Hintermueller, Ito &
 * Kunisch 2002). A slipping friction is no row of the system, but changes the force direction of
 * its carriers: P = J_n + s mu c J_t with the slip's sign s and the carrier's cosine c.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "constraint/friction-newton.h"

#include <float.h>
#include <math.h>

#define MAX_STALLED    7  /* rounds without fewer violating rows: a cycle (Judice & Pires 1994) */
#define MAX_ITERATIONS 24 /* of cosines */
/* Single changes; with P-matrices about 2 n are enough as a rule (Murty 1974). */
#define MAX_SINGLE_CHANGES(n) (50 + 10 * (n))
#define MAX_CHOICES           729 /* enumerated choices of pieces: each is one system */
/* Nearly dependent rows make pieces cycle. Then the pieces of least violation are accepted, up to
 * this multiple of rounding; also a row with many changes of its piece. */
#define MAX_CYCLE_VIOLATION 1000.0
#define MANY_CHANGES        6
/* Rounding of a bound, and of cosines. */
#define BOUND_ROUNDING  1e-11
#define COSINE_ROUNDING 1e-14

static const IfbamContactRow *
row_of (const IfbamContactWorkspace *self, guint i)
{
  return &self->problem->row[i];
}

/* Constant parts of bounds are forces, negligible beside impulses: they act on the last level. */
static double
limit_on (const IfbamContactWorkspace *self, guint level, double limit)
{
  return level + 1 == self->problem->n_levels ? limit : 0;
}

double
ifbam_friction_bound (const IfbamContactWorkspace *self, guint i, guint level, double load)
{
  return limit_on (self, level, row_of (self, i)->limit) + row_of (self, i)->friction * load;
}

double
ifbam_friction_rest_bound (const IfbamContactWorkspace *self, guint i, guint level, double load)
{
  return fmax (ifbam_friction_bound (self, i, level, load),
               limit_on (self, level, row_of (self, i)->rest_limit)
                   + row_of (self, i)->rest_friction * load);
}

gboolean
ifbam_friction_is_loaded (const IfbamContactWorkspace *self, guint i)
{
  const IfbamContactRow *row = row_of (self, i);
  gboolean is_loaded = row->n_carriers == 0 || row->limit != 0 || row->rest_limit != 0;

  for (guint k = 0; k < row->n_carriers; k++)
    is_loaded |= self->state[row->carrier[k]].piece == IFBAM_CONTACT_CLOSED;
  return is_loaded;
}

/* Returns whether a row's reaction is an unknown of the system. */
static gboolean
is_active (const IfbamContactWorkspace *self, guint i)
{
  return self->state[i].piece == IFBAM_CONTACT_CLOSED && self->state[i].inverse_mass > 0
         && (row_of (self, i)->kind != IFBAM_CONTACT_FRICTION
             || ifbam_friction_is_loaded (self, i));
}

/* Cosines of two carriers */

static gboolean
has_fixed_cosines (const IfbamContactWorkspace *self, guint i)
{
  const IfbamContactRow *row = row_of (self, i);

  return row->n_carriers == 0
         || (row->n_carriers == 1
             && row_of (self, row->carrier[0])->kind != IFBAM_CONTACT_BILATERAL);
}

void
ifbam_friction_start_cosines (IfbamContactWorkspace *self)
{
  for (guint i = 0; i < self->n; i++)
    for (guint k = 0; k < IFBAM_CONTACT_MAX_CARRIERS; k++)
      self->state[i].cosine[k] = has_fixed_cosines (self, i);
}

/* Sets cosines by the carriers' reactions, at the first level that has any. TRUE: they changed. */
static gboolean
update_cosines (IfbamContactWorkspace *self)
{
  double change = 0;

  for (guint i = 0; i < self->n; i++)
    {
      const IfbamContactRow *row = row_of (self, i);
      gboolean done = has_fixed_cosines (self, i);

      for (guint level = self->first_level; level <= self->last_level && !done; level++)
        {
          double size = 0;

          for (guint k = 0; k < row->n_carriers; k++)
            {
              const double lambda = self->state[row->carrier[k]].lambda[level];

              size += lambda * lambda;
            }
          size = sqrt (size);
          done = size * self->state[row->carrier[0]].inverse_mass
                 > self->state[row->carrier[0]].rounding[level];
          for (guint k = 0; k < row->n_carriers && done; k++)
            {
              double *cosine = &self->state[i].cosine[k];
              const double next = self->state[row->carrier[k]].lambda[level] / size;

              change = fmax (change, fabs (next - *cosine));
              *cosine = next;
            }
        }
    }
  return change > COSINE_ROUNDING;
}

/* Reactions of the trial pieces */

/* Sets the rows' force directions, and lists the active rows; returns how many. */
static guint
list_active (IfbamContactWorkspace *self)
{
  guint n_active = 0;

  for (guint i = 0; i < self->n; i++)
    self->state[i].row = row_of (self, i)->row;
  for (guint i = 0; i < self->n; i++)
    {
      const IfbamContactRow *row = row_of (self, i);
      const int slip = ifbam_contact_slip (self, i);

      for (guint k = 0; k < row->n_carriers && slip != 0; k++)
        ifbam_contact_add_force (&self->state[row->carrier[k]].row, &row->row,
                                 slip * row->friction * self->state[i].cosine[k]);
    }
  for (guint i = 0; i < self->n; i++)
    if (is_active (self, i))
      {
        self->active[n_active] = self->state[i].row;
        self->compliance[n_active] = self->state[i].compliance;
        self->active_row[n_active++] = i;
      }
  return n_active;
}

static double
rhs_of (const IfbamContactWorkspace *self, guint i, guint level)
{
  if (level < IFBAM_CONTACT_SHARING)
    return row_of (self, i)->rhs[level];
  return is_active (self, i) ? -self->state[i].compliance * self->state[i].lambda[self->load_level]
                             : 0;
}

/* Sets the change by the constant forces of slipping frictions. */
static void
set_limit_forces (IfbamContactWorkspace *self, guint level)
{
  ifbam_contact_clear_change (self);
  for (guint i = 0; i < self->n; i++)
    {
      const double limit = limit_on (self, level, row_of (self, i)->limit);

      if (ifbam_contact_slip (self, i) != 0 && limit != 0)
        ifbam_contact_add_change (self, &self->state[i].row, ifbam_contact_slip (self, i) * limit);
    }
}

/* Sets lambda, u and bounds of one level. FALSE: redundant rows contradict each other. */
static gboolean
solve_level (IfbamContactWorkspace *self, guint level, guint n_active)
{
  gboolean is_consistent = TRUE;

  set_limit_forces (self, level);
  for (guint a = 0; a < n_active; a++)
    {
      const guint i = self->active_row[a];

      self->b[a] = ifbam_contact_get_rate (self, &self->state[i].row, rhs_of (self, i, level));
    }
  if (n_active > 0)
    is_consistent = ifbam_least_norm_solve (&self->system, self->b, self->b);
  /* The refinement has overwritten the change. */
  if (n_active > 0 && self->system.n_dependent > 0)
    set_limit_forces (self, level);
  for (guint a = 0; a < n_active; a++)
    ifbam_contact_add_change (self, &self->active[a], self->b[a]);
  for (guint i = 0; i < self->n; i++)
    {
      IfbamContactState *state = &self->state[i];

      state->u[level] = ifbam_contact_get_rate (self, &state->row, rhs_of (self, i, level));
      state->rounding[level] = ifbam_contact_get_rounding (self, &state->row);
      if (level < IFBAM_CONTACT_SHARING)
        state->rounding[level] = fmax (state->rounding[level], row_of (self, i)->tolerance[level]);
    }
  for (guint i = 0; i < self->n; i++)
    self->state[i].lambda[level] = 0;
  for (guint a = 0; a < n_active; a++)
    self->state[self->active_row[a]].lambda[level] = self->b[a];
  for (guint i = 0; i < self->n; i++)
    {
      const IfbamContactRow *row = row_of (self, i);
      double load = 0;

      for (guint k = 0; k < row->n_carriers; k++)
        load += self->state[i].cosine[k] * self->state[row->carrier[k]].lambda[level];
      self->state[i].bound[level] = ifbam_friction_bound (self, i, level, load);
      self->state[i].rest_bound[level] = ifbam_friction_rest_bound (self, i, level, load);
      if (ifbam_contact_slip (self, i) != 0)
        self->state[i].lambda[level] = ifbam_contact_slip (self, i) * self->state[i].bound[level];
    }
  return is_consistent;
}

static gboolean
solve_levels (IfbamContactWorkspace *self, guint n_active, gboolean exact)
{
  gboolean is_consistent = TRUE;

  if (n_active > 0)
    ifbam_least_norm_factor (&self->system, self->active, n_active, exact, self->compliance,
                             self->problem->inverse_mass, self->nodes.scratch, self->nodes.change);
  for (guint level = self->first_level; level <= self->last_level; level++)
    is_consistent &= solve_level (self, level, n_active);
  return is_consistent;
}

static gboolean
is_rounding (const IfbamContactWorkspace *self, guint i, guint level, double value)
{
  return fabs (value) <= self->state[i].rounding[level];
}

/* Returns whether a row is closed without load or open without a gap, so that SHARING decides. */
static gboolean
is_degenerate (const IfbamContactWorkspace *self)
{
  for (guint i = 0; i < self->n; i++)
    {
      const IfbamContactState *state = &self->state[i];
      gboolean is_zero = row_of (self, i)->kind == IFBAM_CONTACT_UNILATERAL && !state->is_given;

      for (guint level = self->first_level; level <= self->last_level && is_zero; level++)
        is_zero = is_rounding (self, i, level,
                               state->piece == IFBAM_CONTACT_OPEN
                                   ? state->u[level]
                                   : state->lambda[level] * state->inverse_mass);
      if (is_zero)
        return TRUE;
    }
  return FALSE;
}

/* Returns the first level that has a load. */
static guint
find_load_level (const IfbamContactWorkspace *self)
{
  const guint level = self->first_level;

  for (guint i = 0; i < self->n; i++)
    if (!is_rounding (self, i, level, self->state[i].lambda[level] * self->state[i].inverse_mass))
      return level;
  return self->last_level;
}

/* Solves for the trial pieces. FALSE: a limit is reached. */
static gboolean
solve_pieces (IfbamContactWorkspace *self)
{
  guint n_active;

  if (!ifbam_contact_may_continue (self))
    return FALSE;
  n_active = list_active (self);
  for (guint i = 0; i < self->n; i++)
    self->state[i].lambda[IFBAM_CONTACT_SHARING] = self->state[i].u[IFBAM_CONTACT_SHARING] = 0;
  /* Contradictory redundant rows get compliances: signs of large reactions show which rows open. */
  self->contradicts = !solve_levels (self, n_active, TRUE);
  if (self->contradicts)
    solve_levels (self, n_active, FALSE);
  else if (n_active > 0 && is_degenerate (self))
    {
      self->load_level = find_load_level (self);
      solve_level (self, IFBAM_CONTACT_SHARING, n_active);
    }
  self->is_redundant = n_active > 0 && self->system.is_redundant;
  return TRUE;
}

/* Laws */

/* Returns the sign of `value` at the first level where it is not rounding; 0: all are. *size: its
 * size there, in parts of rounding. */
static int
find_sign (const IfbamContactWorkspace *self, guint i, const double *value, double factor,
           double *size)
{
  for (guint level = self->first_level; level <= self->last_level; level++)
    {
      *size = fabs (value[level] * factor) / self->state[i].rounding[level];
      if (*size > (self->state[i].n_changes > MANY_CHANGES ? MAX_CYCLE_VIOLATION : 1))
        return value[level] > 0 ? 1 : -1;
    }
  return 0;
}

/* Returns the sign of u, at level SHARING too where loads are shared; see find_sign (). */
static int
find_sign_of_rate (const IfbamContactWorkspace *self, guint i, double *size)
{
  const double share = self->state[i].u[IFBAM_CONTACT_SHARING];
  const int sign = find_sign (self, i, self->state[i].u, 1, size);

  if (sign != 0 || !self->shares_load
      || fabs (share) <= fmax (MAX_CYCLE_VIOLATION * self->state[i].rounding[IFBAM_CONTACT_SHARING],
                               self->state[i].rounding[self->load_level]))
    return sign;
  *size = INFINITY;
  return share > 0 ? 1 : -1;
}

/* Returns the side, 1 or -1, on which a sticking friction exceeds its bound; else 0. */
static int
find_excess (const IfbamContactWorkspace *self, guint i, double *size)
{
  const IfbamContactState *state = &self->state[i];
  const int side = find_sign (self, i, state->lambda, state->inverse_mass, size);

  for (guint level = self->first_level; level <= self->last_level && side != 0; level++)
    {
      const double bound = state->rest_bound[level];
      const double excess = side * state->lambda[level] - bound;

      *size = (fabs (excess) - BOUND_ROUNDING * fabs (bound)) * state->inverse_mass
              / state->rounding[level];
      if (*size > 1)
        return excess > 0 ? side : 0;
    }
  return 0;
}

/* Returns the piece that a row's law requires. *size: its violation, in parts of rounding. */
static guint8
find_next_piece (const IfbamContactWorkspace *self, guint i, double *size)
{
  const IfbamContactState *state = &self->state[i];
  const IfbamContactKind kind = row_of (self, i)->kind;
  int sign;

  if (state->is_given || kind == IFBAM_CONTACT_BILATERAL)
    return state->piece;
  if (kind == IFBAM_CONTACT_UNILATERAL)
    {
      if (state->piece == IFBAM_CONTACT_OPEN)
        return find_sign_of_rate (self, i, size) > 0 ? IFBAM_CONTACT_CLOSED : IFBAM_CONTACT_OPEN;
      sign = find_sign (self, i, state->lambda, state->inverse_mass, size);
      if (sign == 0)
        *size = INFINITY; /* no rounding: an idle row has to open */
      return sign < 0 || (sign == 0 && !self->problem->keeps_idle) ? IFBAM_CONTACT_OPEN
                                                                   : IFBAM_CONTACT_CLOSED;
    }
  if (!ifbam_friction_is_loaded (self, i))
    return state->piece;
  if (state->piece == IFBAM_CONTACT_CLOSED)
    {
      sign = find_excess (self, i, size);
      return sign > 0   ? IFBAM_CONTACT_FORWARD
             : sign < 0 ? IFBAM_CONTACT_BACKWARD
                        : IFBAM_CONTACT_CLOSED;
    }
  sign = find_sign (self, i, state->u, 1, size);
  return sign * ifbam_contact_slip (self, i) < 0 ? IFBAM_CONTACT_CLOSED : state->piece;
}

/* Sets all next pieces; returns the largest violation, in parts of rounding. 0: all laws hold;
 * infinite: reactions do not stop the active rows. */
static double
find_violations (IfbamContactWorkspace *self)
{
  double largest = 0;

  for (guint i = 0; i < self->n; i++)
    {
      double size = 0;

      self->state[i].next_piece = find_next_piece (self, i, &size);
      if (self->state[i].next_piece != self->state[i].piece)
        largest = fmax (largest, fmax (size, DBL_MIN));
      if (!is_active (self, i))
        continue;
      for (guint level = self->first_level; level <= self->last_level; level++)
        if (fabs (self->state[i].u[level]) > MAX_CYCLE_VIOLATION * self->state[i].rounding[level])
          largest = INFINITY;
    }
  return largest;
}

/* Newton's method */

/* Returns whether these pieces are new since the list was emptied; adds their hash to it. */
static gboolean
is_new (IfbamContactWorkspace *self)
{
  guint64 hash = 0xcbf29ce484222325u; /* FNV-1a */

  for (guint i = 0; i < self->n; i++)
    hash = (hash ^ self->state[i].piece) * 0x100000001b3u;
  for (guint k = 0; k < self->visited->len; k++)
    if (g_array_index (self->visited, guint64, k) == hash)
      return FALSE;
  g_array_append_val (self->visited, hash);
  return TRUE;
}

typedef enum
{
  FINISHED, /* all laws hold */
  CHANGED,
  STOPPED, /* a limit is reached */
} Iteration;

/* Solves for the pieces and finds the next ones. Updates *least and best_piece by the violation. */
static Iteration
iterate_once (IfbamContactWorkspace *self, double *least, gboolean *has_turned)
{
  double largest;

  if (!solve_pieces (self))
    return STOPPED;
  *has_turned = update_cosines (self);
  largest = find_violations (self);
  if (largest == 0 && !*has_turned)
    return FINISHED;
  if (largest < *least && !*has_turned)
    {
      *least = largest;
      for (guint i = 0; i < self->n; i++)
        self->state[i].best_piece = self->state[i].piece;
    }
  return CHANGED;
}

static gboolean
accept_best (IfbamContactWorkspace *self, double least)
{
  if (least > MAX_CYCLE_VIOLATION)
    return FALSE;
  for (guint i = 0; i < self->n; i++)
    self->state[i].piece = self->state[i].best_piece;
  return solve_pieces (self);
}

/* Changes pieces until all laws hold. FALSE: pieces repeat, with violations above rounding. */
static gboolean
iterate (IfbamContactWorkspace *self)
{
  gboolean has_turned = FALSE;
  double least = INFINITY;
  guint fewest = G_MAXUINT, patience = MAX_STALLED;

  for (guint i = 0; i < self->n; i++)
    self->state[i].n_changes = 0;
  g_array_set_size (self->visited, 0);
  while (patience > 0 && (is_new (self) || has_turned))
    {
      const Iteration done = iterate_once (self, &least, &has_turned);
      guint n_changed = 0;

      if (done != CHANGED)
        return done == FINISHED;
      for (guint i = 0; i < self->n; i++)
        if (self->state[i].piece != self->state[i].next_piece)
          {
            self->state[i].n_changes++;
            self->state[i].piece = self->state[i].next_piece;
            n_changed++;
          }
      patience = n_changed < fewest ? MAX_STALLED : patience - 1;
      fewest = MIN (fewest, n_changed);
    }
  return accept_best (self, least);
}

/* As iterate (), but only the first row that violates its law changes. */
static gboolean
iterate_singly (IfbamContactWorkspace *self)
{
  gboolean has_turned = FALSE;
  double least = INFINITY;

  for (guint i = 0; i < self->n; i++)
    self->state[i].n_changes = 0;
  for (guint k = 0; k < MAX_SINGLE_CHANGES (self->n); k++)
    {
      const Iteration done = iterate_once (self, &least, &has_turned);
      guint i = 0;

      if (done != CHANGED)
        return done == FINISHED;
      while (i < self->n && self->state[i].next_piece == self->state[i].piece)
        i++;
      if (i == self->n)
        continue;
      self->state[i].piece = self->state[i].next_piece;
      self->state[i].n_changes++;
    }
  return accept_best (self, least);
}

static gboolean
has_carried_friction (const IfbamContactWorkspace *self)
{
  for (guint i = 0; i < self->n; i++)
    if (row_of (self, i)->n_carriers > 0)
      return TRUE;
  return FALSE;
}

/* Continues from valid pieces to those on which redundant rows share loads; else keeps the former.
 * Not with friction: its solution is not unique, and a closed row would load frictions. */
static gboolean
share_load (IfbamContactWorkspace *self)
{
  gboolean is_shared;

  if (has_carried_friction (self))
    return TRUE;
  for (guint i = 0; i < self->n; i++)
    self->state[i].kept_piece = self->state[i].piece;
  self->shares_load = TRUE;
  is_shared = find_violations (self) == 0 || iterate (self) || iterate_singly (self);
  self->shares_load = FALSE;
  if (is_shared || self->is_interrupted)
    return is_shared;
  for (guint i = 0; i < self->n; i++)
    self->state[i].piece = self->state[i].kept_piece;
  self->max_systems++;
  return solve_pieces (self);
}

gboolean
ifbam_friction_newton (IfbamContactWorkspace *self)
{
  self->shares_load = FALSE;
  return iterate (self) && share_load (self);
}

gboolean
ifbam_friction_change_singly (IfbamContactWorkspace *self)
{
  self->shares_load = FALSE;
  return iterate_singly (self) && share_load (self);
}

/* Enumeration */

static guint
count_choices (const IfbamContactWorkspace *self, guint i)
{
  const IfbamContactKind kind = row_of (self, i)->kind;

  return self->state[i].is_given || kind == IFBAM_CONTACT_BILATERAL ? 1
         : kind == IFBAM_CONTACT_UNILATERAL                         ? 2
                                                                    : 3;
}

static void
choose_pieces (IfbamContactWorkspace *self, guint choice)
{
  for (guint i = 0; i < self->n; i++)
    {
      const guint count = count_choices (self, i), own = choice % count;

      choice /= count;
      if (count == 2)
        self->state[i].piece = own == 0 ? IFBAM_CONTACT_OPEN : IFBAM_CONTACT_CLOSED;
      if (count == 3)
        self->state[i].piece = (guint8) (IFBAM_CONTACT_CLOSED + own);
    }
}

gboolean
ifbam_friction_enumerate (IfbamContactWorkspace *self, gboolean *exhausted)
{
  double n_choices = 1;

  *exhausted = FALSE;
  for (guint i = 0; i < self->n; i++)
    n_choices *= count_choices (self, i);
  if (n_choices > MAX_CHOICES)
    return FALSE;
  for (guint choice = 0; choice < n_choices; choice++)
    {
      guint k = 0;

      choose_pieces (self, choice);
      do
        if (!solve_pieces (self))
          return FALSE;
      while (update_cosines (self) && ++k < MAX_ITERATIONS);
      if (find_violations (self) == 0)
        return share_load (self);
    }
  *exhausted = TRUE;
  return FALSE;
}
