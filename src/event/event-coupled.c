/* event-coupled.c: impacts with a friction impulse that changes the approach rate
 *
 * Friction at a point of a body rotates the body, and so changes the rate of approach of the point.
 * The normal impulse p is the independent variable (Routh 1860), with approach rate c, slip rate s
 * and friction impulse q:
 *   dc/dp = -(nn + nt dq/dp),  ds/dp = -(nt + tt dq/dp)
 *   slipping: dq/dp = mu sign s;  sticking: dq/dp = -nt/tt if within mu, else it slips on or back
 * c and s are linear in p between changes of the slip. Compression ends where c = 0; e^2 of its
 * work is restored (Stronge 1990, Rigid body collisions with friction). So no impact adds energy,
 * as Newton's e with Coulomb's mu can (Kane & Levinson 1985). Both laws agree if the slip keeps its
 * direction.
 *
 * Several impacts at once: a contact problem has the impulses that end all approaches, with p >= 0
 * and |q| <= mu p against the remaining slip. They never add energy. Then each contact gets (1 + e)
 * p, and friction up to mu (1 + e) p, with the largest e that adds no energy.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/event-coupled.h"
#include "event/event-context.h"

#include "event/advance-islands.h"
#include "event/apply-impulses.h"
#include "event/contact-rows.h"
#include "event/constraint-rows.h"
#include "event/event-log.h"

#define PRODUCT_ROUNDING 1e-13 /* rounding of inverse masses, relative to terms that cancel */

#define MAX_BISECTIONS 50 /* bisections of the coefficient of restitution */

/* A contact has a reaction if friction leaves at least this part of its inverse mass. */
#define MIN_MASS_FRACTION 1e-9

/* Remaining approach, relative to the fastest one, that shows contradictory constraint rows. */
#define MAX_REMAINING_APPROACH 1e-6

void
ifbam_event_impact_by_phases (const IfbamImpactInverseMass *inverse_mass, double friction,
                              double restitution, double approach, double slip, double *p,
                              double *q, double *normal_loss)
{
  const double back = restitution * restitution;
  double work = 0, work_to_restore = 0;
  gboolean is_restitution = FALSE;

  *p = *q = *normal_loss = 0;
  if (approach < 0)
    return;
  /* Slip, stick, slip back: once each at most. The one in which the compression ends is split. */
  for (guint phase = 0; phase < 4; phase++)
    {
      const gboolean holds = slip == 0 && fabs (inverse_mass->nt) <= friction * inverse_mass->tt;
      const double direction = slip > 0 || (slip == 0 && inverse_mass->nt < 0) ? 1 : -1;
      const double brake = !holds                 ? direction * friction
                           : inverse_mass->tt > 0 ? -inverse_mass->nt / inverse_mass->tt
                                                  : 0;
      const double slowing = inverse_mass->nn + brake * inverse_mass->nt;
      const double stopping = holds ? 0 : inverse_mass->nt + brake * inverse_mass->tt;
      const double until_stop = slip * stopping > 0 ? slip / stopping : INFINITY;
      double length = slowing > 0 ? approach / slowing : INFINITY;

      /* While it sticks, no impulse changes the approach: the rows are dependent. */
      if ((holds && slowing <= PRODUCT_ROUNDING * inverse_mass->nn)
          || (is_restitution && work_to_restore == 0))
        break;
      if (is_restitution)
        length = 2 * work_to_restore
                 / (sqrt (approach * approach + 2 * slowing * work_to_restore) - approach);
      if (isinf (length) && isinf (until_stop))
        break; /* impossible with a positive definite mass matrix */
      if (until_stop < length)
        {
          const double next = approach - slowing * until_stop;

          *(is_restitution ? &work_to_restore : &work) += until_stop * 0.5 * (approach + next);
          *p += until_stop;
          *q += brake * until_stop;
          approach = is_restitution ? next : MAX (next, 0);
          slip = 0;
          continue;
        }
      *p += length;
      *q += brake * length;
      slip -= stopping * length;
      if (is_restitution)
        {
          work_to_restore = 0;
          break;
        }
      work += 0.5 * approach * length;
      work_to_restore = back * work;
      approach = 0;
      is_restitution = TRUE;
    }
  *normal_loss = is_restitution ? work - (back * work - work_to_restore) : work;
}

/* An impact: a contact and its friction. */
typedef struct
{
  guint normal, slip; /* row indices; slip: IFBAM_NONE: no friction */
  double friction;
  double normal_loss, friction_loss; /* energy dissipated by each [J]; NaN: from the mean rate */
} Impact;

/* Simultaneous impacts: rows of one contact problem, bilateral ones (ties) first. */
typedef struct
{
  IfbamEventEngine *self;
  Impact *impacts;
  guint n, n_ties, n_rows;
  IfbamContactRow *rows; /* (n_rows); rhs[0]: rate before; lambda[0]: impulse; u[0]: rate after */
  guint32 *link;         /* link indices (n_rows) */
} ImpactProblem;

static guint
add_row (ImpactProblem *all, guint32 link, const double *x, const double *v)
{
  double delta;
  const double rate = ifbam_link_measure (ifbam_link (all->self, link), x, v, &delta,
                                          all->self->links.state[link].row);

  all->link[all->n_rows] = link;
  all->rows[all->n_rows] = ifbam_contact_row_new (all->self, link, rate);
  return all->n_rows++;
}

static gboolean
is_bilateral (const IfbamEventEngine *self, guint32 link)
{
  return ifbam_constraint_is_bilateral (ifbam_link_constraint (self, link).kind);
}

static void
impact_problem_clear (ImpactProblem *all)
{
  g_free (all->impacts);
  g_free (all->rows);
  g_free (all->link);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (ImpactProblem, impact_problem_clear)

/* Lists links (n) and the bilateral constraints that transmit their impulses; rates at x, v. */
static void
list_rows (ImpactProblem *all, IfbamEventEngine *self, const double *x, const double *v,
           const guint32 *links, guint n)
{
  GArray *ties = ifbam_event_list_bilateral (self);
  g_autoptr (GHashTable) known = g_hash_table_new (NULL, NULL);

  *all = (ImpactProblem){ .self = self };
  for (guint i = 0; i < n; i++)
    ifbam_event_add_bilateral (self, ifbam_link (self, links[i])->node,
                               ifbam_link (self, links[i])->n_ports);
  all->impacts = g_new0 (Impact, n + 1);
  all->rows = g_new (IfbamContactRow, ties->len + 2 * n + 1);
  all->link = g_new (guint32, ties->len + 2 * n + 1);
  for (guint a = 0; a < ties->len; a++)
    if (g_hash_table_add (known, GUINT_TO_POINTER (g_array_index (ties, guint32, a))))
      add_row (all, g_array_index (ties, guint32, a), x, v);
  for (guint i = 0; i < n; i++)
    if (is_bilateral (self, links[i]) && g_hash_table_add (known, GUINT_TO_POINTER (links[i])))
      add_row (all, links[i], x, v);
  all->n_ties = all->n_rows;
  for (guint i = 0; i < n; i++)
    {
      Impact *impact = &all->impacts[all->n];

      if (is_bilateral (self, links[i]))
        continue;
      *impact = (Impact){ .normal = add_row (all, links[i], x, v),
                          .slip = IFBAM_NONE,
                          .normal_loss = NAN,
                          .friction_loss = NAN };
      IFBAM_FOR_IMPACT_FRICTIONS (carried, links[i])
      {
        impact->friction = ifbam_link_constraint (self, carried).coulomb;
        impact->slip = add_row (all, carried, x, v);
      }
      all->n++;
    }
}

/* Returns the inverse masses of an impact with the ties eliminated. */
static IfbamImpactInverseMass
inverse_mass_of (const ImpactProblem *all, const Impact *impact)
{
  IfbamEventEngine *self = all->self;
  const IfbamConstraintRow along[] = { all->rows[impact->normal].row, all->rows[impact->slip].row };
  IFBAM_SHORT_LIST (IfbamConstraintRow, ties, all->n_ties + 1);
  IFBAM_SHORT_LIST (double, share, 2 * all->n_ties + 1);
  double w[4];

  for (guint a = 0; a < all->n_ties; a++)
    ties[a] = all->rows[a].row;
  ifbam_delassus_eliminate (&self->context->system, along, 2, ties, all->n_ties,
                            self->nodes.inverse_mass, self->nodes.scratch, w, share);
  return (IfbamImpactInverseMass){ w[0], w[1], w[3] };
}

/* Returns the inverse masses of one contact and its friction `brake` at x, v. */
static IfbamImpactInverseMass
inverse_mass_at (IfbamEventEngine *self, guint32 index, guint32 brake, const double *x,
                 const double *v)
{
  g_auto (ImpactProblem) all = { .n = 0 };
  IfbamConstraintRow normal, slip;
  double delta;

  if (ifbam_event_has_bilateral (self, index))
    {
      list_rows (&all, self, x, v, &index, 1);
      return inverse_mass_of (&all, &all.impacts[0]);
    }
  ifbam_link_measure (ifbam_link (self, index), x, v, &delta, self->links.state[index].row);
  ifbam_link_measure (ifbam_link (self, brake), x, v, &delta, self->links.state[brake].row);
  ifbam_link_row (self, index, 1, &normal);
  ifbam_link_row (self, brake, 1, &slip);
  return (IfbamImpactInverseMass){ ifbam_row_product (&normal, &normal, self->nodes.inverse_mass),
                                   ifbam_row_product (&normal, &slip, self->nodes.inverse_mass),
                                   ifbam_row_product (&slip, &slip, self->nodes.inverse_mass) };
}

/* Returns whether friction changes an approach rate: at a point of a body, not at a ball's rim. */
static gboolean
has_coupled (IfbamEventEngine *self, const guint32 *links, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      const guint32 brake = ifbam_first_impact_friction (self, links[i]);
      IfbamImpactInverseMass inverse_mass;

      if (brake == IFBAM_NONE)
        continue;
      inverse_mass = inverse_mass_at (self, links[i], brake, self->nodes.x, self->nodes.v);
      if (fabs (inverse_mass.nt) > PRODUCT_ROUNDING * sqrt (inverse_mass.nn * inverse_mass.tt))
        return TRUE;
    }
  return FALSE;
}

/* Returns the energy that the impulses of all impacts add [J]. */
static double
energy_change (const ImpactProblem *all)
{
  double sum = 0;

  for (guint i = all->n_ties; i < all->n_rows; i++)
    sum -= 0.5 * all->rows[i].lambda[0] * (all->rows[i].rhs[0] + all->rows[i].u[0]);
  return sum;
}

/* Prescribes the impulse of a row [N s]. */
static void
prescribe_impulse (IfbamContactRow *row, double p)
{
  row->kind = IFBAM_CONTACT_FRICTION;
  row->n_carriers = 0;
  row->is_given = TRUE;
  row->piece = IFBAM_CONTACT_FORWARD;
  row->limit = p;
}

/* Solves for a plastic impact: p >= 0 and |q| <= mu p end all approaches. FALSE: none is found. */
static gboolean
end_approaches (ImpactProblem *all, double time)
{
  for (guint i = 0; i < all->n; i++)
    if (all->impacts[i].slip != IFBAM_NONE)
      ifbam_contact_row_set_carrier (&all->rows[all->impacts[i].slip], all->impacts[i].normal,
                                     all->impacts[i].friction);
  return ifbam_event_solve_contact (all->self, time, all->rows, all->n_rows, 0, NULL)
         == IFBAM_CONTACT_SOLVED;
}

/* Gives each contact (1 + restitution) times the impulse that ended its approach (`ended`), and
 * friction within its bound. Returns the energy that they add [J]; INFINITY: none is found. */
static double
restore (ImpactProblem *all, double time, const double *ended, double restitution)
{
  for (guint i = 0; i < all->n; i++)
    {
      const Impact *impact = &all->impacts[i];
      const double p = (1 + restitution) * ended[i];

      prescribe_impulse (&all->rows[impact->normal], p);
      if (impact->slip == IFBAM_NONE)
        continue;
      all->rows[impact->slip].n_carriers = 0;
      all->rows[impact->slip].limit = impact->friction * p;
    }
  if (ifbam_event_solve_contact (all->self, time, all->rows, all->n_rows, IFBAM_CONTACT_FROM_GUESS,
                                 NULL)
      != IFBAM_CONTACT_SOLVED)
    return INFINITY;
  return energy_change (all);
}

/* Solves for all impulses with the largest possible restitution. FALSE: none are found. */
static gboolean
solve_impacts_at_once (ImpactProblem *all, double time, double restitution)
{
  IFBAM_SHORT_LIST (double, ended, all->n);
  double low = 0, high = restitution;

  if (!end_approaches (all, time))
    return FALSE;
  if (restitution == 0)
    return TRUE;
  for (guint i = 0; i < all->n; i++)
    ended[i] = all->rows[all->impacts[i].normal].lambda[0];
  if (restore (all, time, ended, high) <= 0)
    return TRUE;
  for (guint i = 0; i < MAX_BISECTIONS; i++)
    {
      const double middle = 0.5 * (low + high);

      *(restore (all, time, ended, middle) <= 0 ? &low : &high) = middle;
    }
  return restore (all, time, ended, low) < INFINITY;
}

/* Ends the run if an approach remains: rows contradict each other. */
static void
check_remaining_approach (const ImpactProblem *all, double time)
{
  double most = 0;

  for (guint i = 0; i < all->n; i++)
    most = MAX (most, fabs (all->rows[all->impacts[i].normal].rhs[0]));
  for (guint i = 0; i < all->n; i++)
    {
      const guint normal = all->impacts[i].normal;

      if (all->rows[normal].u[0]
          > MAX (MAX_REMAINING_APPROACH * most,
                 ifbam_event_magnitudes (all->self, all->link[normal])->rate_threshold))
        ifbam_event_fail_jammed (all->self, time, all->link[normal]);
    }
}

static IfbamLinkImpulse
impulse_of (const ImpactProblem *all, guint row)
{
  return ifbam_link_impulse (all->link[row], all->rows[row].lambda[0]);
}

static void
apply_impulses (const ImpactProblem *all, double time, const char *word, gboolean slow)
{
  IFBAM_SHORT_LIST (IfbamLinkImpulse, impulses, all->n_rows);
  guint n = 0, m = 0;

  for (guint i = 0; i < all->n; i++)
    if (all->rows[all->impacts[i].normal].lambda[0] > 0)
      {
        impulses[n] = impulse_of (all, all->impacts[i].normal);
        impulses[n++].lost = all->impacts[i].normal_loss;
      }
  for (guint i = 0; i < all->n; i++)
    if (all->rows[all->impacts[i].normal].lambda[0] > 0 && all->impacts[i].slip != IFBAM_NONE)
      {
        impulses[n + m] = impulse_of (all, all->impacts[i].slip);
        impulses[n + m++].lost = all->impacts[i].friction_loss;
      }
  for (guint a = 0; a < all->n_ties; a++)
    impulses[n + m + a] = impulse_of (all, a);
  ifbam_event_apply_impulses_with_friction (all->self, time, impulses, n, m, all->n_ties, word,
                                            slow);
}

/* Solves for one impact by the phases of its slip. FALSE: the ties can't transmit its impulse. */
static gboolean
solve_single_impact (ImpactProblem *all, double time, double approach, double restitution)
{
  Impact *impact = &all->impacts[0];
  const IfbamImpactInverseMass inverse_mass = inverse_mass_of (all, impact);
  double p, q;

  ifbam_event_impact_by_phases (&inverse_mass, impact->friction, restitution, approach,
                                all->rows[impact->slip].rhs[0], &p, &q, &impact->normal_loss);
  prescribe_impulse (&all->rows[impact->normal], p);
  prescribe_impulse (&all->rows[impact->slip], q);
  if (ifbam_event_solve_contact (all->self, time, all->rows, all->n_rows, IFBAM_CONTACT_FROM_GUESS,
                                 NULL)
      != IFBAM_CONTACT_SOLVED)
    return FALSE;
  impact->friction_loss = -energy_change (all) - impact->normal_loss;
  return TRUE;
}

/* Ends the rates that other impulses have left in ties, so that each impulse's work is computed
 * with its own rates. */
static void
stop_tied_rates (ImpactProblem *all)
{
  IfbamEventEngine *self = all->self;
  IFBAM_SHORT_LIST (IfbamConstraintRow, ties, all->n_ties + 1);
  IFBAM_SHORT_LIST (double, p, all->n_ties + 1);
  IFBAM_SHORT_LIST (IfbamLinkImpulse, impulses, all->n_ties + 1);
  gboolean some = FALSE;
  double delta;

  for (guint a = 0; a < all->n_ties; a++)
    {
      ties[a] = all->rows[a].row;
      p[a] = all->rows[a].rhs[0];
      some |= fabs (p[a]) > ifbam_event_magnitudes (self, all->link[a])->rate_threshold;
    }
  if (!some)
    return;
  ifbam_constraint_system_set (&self->context->system, ties, all->n_ties, self->nodes.inverse_mass,
                               self->nodes.scratch);
  ifbam_constraint_system_solve (&self->context->system, p, p);
  for (guint a = 0; a < all->n_ties; a++)
    impulses[a] = ifbam_link_impulse (all->link[a], p[a]);
  ifbam_event_apply_impulse_rows (self, impulses, all->n_ties);
  for (guint i = 0; i < all->n_rows; i++)
    all->rows[i].rhs[0] = ifbam_link_rate (self, all->link[i], &delta);
}

static void
solve_coupled_impacts (IfbamEventEngine *self, double time, const guint32 *links, guint n,
                       double restitution, gboolean slow)
{
  g_auto (ImpactProblem) all = { .n = 0 };

  list_rows (&all, self, self->nodes.x, self->nodes.v, links, n);
  stop_tied_rates (&all);
  if (!(all.n == 1
            ? solve_single_impact (&all, time, all.rows[all.impacts[0].normal].rhs[0], restitution)
            : solve_impacts_at_once (&all, time, restitution)))
    {
      ifbam_event_fail (self, time, links, n,
                        "no impulses are found for the impacts with friction at ", "");
      return;
    }
  if (slow)
    check_remaining_approach (&all, time);
  apply_impulses (&all, time, "impact", slow);
}

gboolean
ifbam_event_solve_coupled_impact (IfbamEventEngine *self, double time, const guint32 *links,
                                  guint n, double restitution, gboolean slow)
{
  if (!has_coupled (self, links, n))
    return FALSE;
  solve_coupled_impacts (self, time, links, n, restitution, slow);
  return TRUE;
}

gboolean
ifbam_event_has_reaction (IfbamEventEngine *self, guint32 link, const double *x, const double *v)
{
  const guint32 brake = ifbam_first_impact_friction (self, link);
  const double slip = brake == IFBAM_NONE ? 0 : ifbam_link_slip (self, brake);
  IfbamImpactInverseMass inverse_mass;

  if (slip == 0)
    return TRUE;
  inverse_mass = inverse_mass_at (self, link, brake, x, v);
  return inverse_mass.nn + slip * inverse_mass.nt > MIN_MASS_FRACTION * inverse_mass.nn;
}

gboolean
ifbam_event_impact_without_collision (IfbamEventEngine *self, double time, guint32 link)
{
  g_auto (ImpactProblem) all = { .n = 0 };

  list_rows (&all, self, self->nodes.x, self->nodes.v, &link, 1);
  if (all.impacts[0].slip == IFBAM_NONE)
    return FALSE;
  stop_tied_rates (&all);
  if (!solve_single_impact (&all, time, MAX (all.rows[all.impacts[0].normal].rhs[0], 0),
                            ifbam_link_constraint (self, link).restitution)
      || !(all.rows[all.impacts[0].normal].lambda[0] > 0))
    return FALSE;
  apply_impulses (&all, time, "jam", FALSE);
  return TRUE;
}
