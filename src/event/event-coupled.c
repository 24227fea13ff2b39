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

#include "event/advance-islands.h"
#include "event/apply-impulses.h"
#include "event/contact-rows.h"
#include "event/event-context.h"
#include "event/constraint-reactions.h"
#include "event/event-log.h"

#define SQUARE 1e-13 /* rounding of inverse masses, relative to terms that cancel */

#define HALVINGS 50 /* bisections of the coefficient of restitution */

/* A contact has a reaction if friction leaves at least this part of its inverse mass. */
#define LEAST_HOLD 1e-9

/* Remaining approach, relative to the fastest one, that shows contradictory constraint rows. */
#define JAMMED 1e-6

void
ifbam_event_hit_by_phases (const IfbamHitMobility *mobility, double friction, double restitution,
                           double approach, double slip, double *p, double *q, double *kept)
{
  const double back = restitution * restitution;
  double work = 0, owed = 0;
  gboolean parts = FALSE;

  *p = *q = *kept = 0;
  if (approach < 0)
    return;
  /* Slip, stick, slip back: once each at most. The one in which the compression ends is split. */
  for (guint phase = 0; phase < 4; phase++)
    {
      const gboolean holds = slip == 0 && fabs (mobility->nt) <= friction * mobility->tt;
      const double direction = slip > 0 || (slip == 0 && mobility->nt < 0) ? 1 : -1;
      const double brake = !holds             ? direction * friction
                           : mobility->tt > 0 ? -mobility->nt / mobility->tt
                                              : 0;
      const double slowing = mobility->nn + brake * mobility->nt;
      const double stopping = holds ? 0 : mobility->nt + brake * mobility->tt;
      const double until_stop = slip * stopping > 0 ? slip / stopping : INFINITY;
      double length = slowing > 0 ? approach / slowing : INFINITY;

      /* While it sticks, no impulse changes the approach: the rows are dependent. */
      if ((holds && slowing <= SQUARE * mobility->nn) || (parts && owed == 0))
        break;
      if (parts)
        length = 2 * owed / (sqrt (approach * approach + 2 * slowing * owed) - approach);
      if (isinf (length) && isinf (until_stop))
        break; /* impossible with a positive definite mass matrix */
      if (until_stop < length)
        {
          const double next = approach - slowing * until_stop;

          *(parts ? &owed : &work) += until_stop * 0.5 * (approach + next);
          *p += until_stop;
          *q += brake * until_stop;
          approach = parts ? next : MAX (next, 0);
          slip = 0;
          continue;
        }
      *p += length;
      *q += brake * length;
      slip -= stopping * length;
      if (parts)
        {
          owed = 0;
          break;
        }
      work += 0.5 * approach * length;
      owed = back * work;
      approach = 0;
      parts = TRUE;
    }
  *kept = parts ? work - (back * work - owed) : work;
}

/* An impact: a contact and its friction. */
typedef struct
{
  guint normal, slip; /* row indices; slip: IFBAM_NONE: no friction */
  double friction;
  double kept, rubbed; /* energy dissipated by each [J]; NaN: from the mean rate */
} Hit;

/* Simultaneous impacts: rows of one contact problem, bilateral ones (ties) first. */
typedef struct
{
  IfbamEventEngine *self;
  Hit *hits;
  guint n, n_ties, n_rows;
  IfbamContactRow *rows; /* (n_rows); rhs[0]: rate before; lambda[0]: impulse; u[0]: rate after */
  guint32 *link;         /* link indices (n_rows) */
} Together;

static guint
add_row (Together *all, guint32 link, const double *x, const double *v)
{
  double delta;
  const double rate =
      ifbam_link_measure (ifbam_link (all->self, link), x, v, &delta, all->self->link[link].row);

  all->link[all->n_rows] = link;
  all->rows[all->n_rows] = ifbam_contact_row_new (all->self, link, rate);
  return all->n_rows++;
}

static gboolean
is_bilateral (const IfbamEventEngine *self, guint32 link)
{
  return ifbam_relation_is_bilateral (ifbam_link_relation (self, link).kind);
}

static void
free_together (Together *all)
{
  g_free (all->hits);
  g_free (all->rows);
  g_free (all->link);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Together, free_together)

/* Lists links (n) and the bilateral constraints that transmit their impulses; rates at x, v. */
static void
measure_together (Together *all, IfbamEventEngine *self, const double *x, const double *v,
                  const guint32 *links, guint n)
{
  GArray *ties = ifbam_event_begin_ties (self);
  g_autoptr (GHashTable) known = g_hash_table_new (NULL, NULL);

  *all = (Together){ .self = self };
  for (guint i = 0; i < n; i++)
    ifbam_event_add_ties (self, ifbam_link (self, links[i])->node,
                          ifbam_link (self, links[i])->n_ports);
  all->hits = g_new0 (Hit, n + 1);
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
      Hit *hit = &all->hits[all->n];

      if (is_bilateral (self, links[i]))
        continue;
      *hit = (Hit){
        .normal = add_row (all, links[i], x, v), .slip = IFBAM_NONE, .kept = NAN, .rubbed = NAN
      };
      IFBAM_FOR_BRAKES (carried, links[i])
      {
        hit->friction = ifbam_link_relation (self, carried).coulomb;
        hit->slip = add_row (all, carried, x, v);
      }
      all->n++;
    }
}

/* Returns the inverse masses of an impact with the ties eliminated. */
static IfbamHitMobility
mobility_of (const Together *all, const Hit *hit)
{
  IfbamEventEngine *self = all->self;
  const IfbamRow along[] = { all->rows[hit->normal].row, all->rows[hit->slip].row };
  IFBAM_LIST (IfbamRow, ties, all->n_ties + 1);
  IFBAM_LIST (double, share, 2 * all->n_ties + 1);
  double w[4];

  for (guint a = 0; a < all->n_ties; a++)
    ties[a] = all->rows[a].row;
  ifbam_delassus_eliminate (&self->play->system, along, 2, ties, all->n_ties, self->mobility,
                            self->seat, w, share);
  return (IfbamHitMobility){ w[0], w[1], w[3] };
}

/* Returns the inverse masses of one contact and its friction `brake` at x, v. */
static IfbamHitMobility
mobility_at (IfbamEventEngine *self, guint32 number, guint32 brake, const double *x,
             const double *v)
{
  g_auto (Together) all = { .n = 0 };
  IfbamRow normal, slip;
  double delta;

  if (ifbam_event_is_tied (self, number))
    {
      measure_together (&all, self, x, v, &number, 1);
      return mobility_of (&all, &all.hits[0]);
    }
  ifbam_link_measure (ifbam_link (self, number), x, v, &delta, self->link[number].row);
  ifbam_link_measure (ifbam_link (self, brake), x, v, &delta, self->link[brake].row);
  ifbam_link_row (self, number, 1, &normal);
  ifbam_link_row (self, brake, 1, &slip);
  return (IfbamHitMobility){ ifbam_row_product (&normal, &normal, self->mobility),
                             ifbam_row_product (&normal, &slip, self->mobility),
                             ifbam_row_product (&slip, &slip, self->mobility) };
}

/* Returns whether friction changes an approach rate: at a point of a body, not at a ball's rim. */
static gboolean
has_coupled (IfbamEventEngine *self, const guint32 *links, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      const guint32 brake = ifbam_first_brake (self, links[i]);
      IfbamHitMobility mobility;

      if (brake == IFBAM_NONE)
        continue;
      mobility = mobility_at (self, links[i], brake, self->x, self->v);
      if (fabs (mobility.nt) > SQUARE * sqrt (mobility.nn * mobility.tt))
        return TRUE;
    }
  return FALSE;
}

/* Returns the energy that the impulses of all impacts add [J]. */
static double
brought (const Together *all)
{
  double sum = 0;

  for (guint i = all->n_ties; i < all->n_rows; i++)
    sum -= 0.5 * all->rows[i].lambda[0] * (all->rows[i].rhs[0] + all->rows[i].u[0]);
  return sum;
}

/* Prescribes the impulse of a row [N s]. */
static void
give_impulse (IfbamContactRow *row, double p)
{
  row->kind = IFBAM_CONTACT_FRICTION;
  row->n_carriers = 0;
  row->is_given = TRUE;
  row->piece = IFBAM_CONTACT_FORWARD;
  row->limit = p;
}

/* Solves for a plastic impact: p >= 0 and |q| <= mu p end all approaches. FALSE: none is found. */
static gboolean
end_approaches (Together *all, double time)
{
  for (guint i = 0; i < all->n; i++)
    if (all->hits[i].slip != IFBAM_NONE)
      ifbam_contact_row_set_carrier (&all->rows[all->hits[i].slip], all->hits[i].normal,
                                     all->hits[i].friction);
  return ifbam_event_solve_contact (all->self, time, all->rows, all->n_rows, 0, NULL)
         == IFBAM_CONTACT_SOLVED;
}

/* Gives each contact (1 + restitution) times the impulse that ended its approach (`ended`), and
 * friction within its bound. Returns the energy that they add [J]; INFINITY: none is found. */
static double
restore (Together *all, double time, const double *ended, double restitution)
{
  for (guint i = 0; i < all->n; i++)
    {
      const Hit *hit = &all->hits[i];
      const double p = (1 + restitution) * ended[i];

      give_impulse (&all->rows[hit->normal], p);
      if (hit->slip == IFBAM_NONE)
        continue;
      all->rows[hit->slip].n_carriers = 0;
      all->rows[hit->slip].limit = hit->friction * p;
    }
  if (ifbam_event_solve_contact (all->self, time, all->rows, all->n_rows, IFBAM_CONTACT_FROM_GUESS,
                                 NULL)
      != IFBAM_CONTACT_SOLVED)
    return INFINITY;
  return brought (all);
}

/* Solves for all impulses with the largest possible restitution. FALSE: none are found. */
static gboolean
hit_at_once (Together *all, double time, double restitution)
{
  IFBAM_LIST (double, ended, all->n);
  double low = 0, high = restitution;

  if (!end_approaches (all, time))
    return FALSE;
  if (restitution == 0)
    return TRUE;
  for (guint i = 0; i < all->n; i++)
    ended[i] = all->rows[all->hits[i].normal].lambda[0];
  if (restore (all, time, ended, high) <= 0)
    return TRUE;
  for (guint i = 0; i < HALVINGS; i++)
    {
      const double middle = 0.5 * (low + high);

      *(restore (all, time, ended, middle) <= 0 ? &low : &high) = middle;
    }
  return restore (all, time, ended, low) < INFINITY;
}

/* Ends the run if an approach remains: rows contradict each other. */
static void
judge (const Together *all, double time)
{
  double most = 0;

  for (guint i = 0; i < all->n; i++)
    most = MAX (most, fabs (all->rows[all->hits[i].normal].rhs[0]));
  for (guint i = 0; i < all->n; i++)
    {
      const guint normal = all->hits[i].normal;

      if (all->rows[normal].u[0]
          > MAX (JAMMED * most, ifbam_event_extent (all->self, all->link[normal])->rate_floor))
        ifbam_event_fail_jammed (all->self, time, all->link[normal]);
    }
}

static void
give_all (const Together *all, double time, const char *word, gboolean slow)
{
  IFBAM_LIST (guint32, links, all->n_rows);
  IFBAM_LIST (double, p, all->n_rows);
  IFBAM_LIST (double, lost, all->n_rows);
  guint n = 0, m = 0;

  for (guint i = 0; i < all->n; i++)
    if (all->rows[all->hits[i].normal].lambda[0] > 0)
      {
        links[n] = all->link[all->hits[i].normal];
        lost[n] = all->hits[i].kept;
        p[n++] = all->rows[all->hits[i].normal].lambda[0];
      }
  for (guint i = 0; i < all->n; i++)
    if (all->rows[all->hits[i].normal].lambda[0] > 0 && all->hits[i].slip != IFBAM_NONE)
      {
        links[n + m] = all->link[all->hits[i].slip];
        lost[n + m] = all->hits[i].rubbed;
        p[n + m++] = all->rows[all->hits[i].slip].lambda[0];
      }
  for (guint a = 0; a < all->n_ties; a++)
    {
      links[n + m + a] = all->link[a];
      lost[n + m + a] = NAN;
      p[n + m + a] = all->rows[a].lambda[0];
    }
  ifbam_event_give_rubbing (all->self, time, links, n, m, all->n_ties, p, lost, word, slow);
}

/* Solves for one impact by the phases of its slip. FALSE: the ties can't transmit its impulse. */
static gboolean
hit_alone (Together *all, double time, double approach, double restitution)
{
  Hit *hit = &all->hits[0];
  const IfbamHitMobility mobility = mobility_of (all, hit);
  double p, q;

  ifbam_event_hit_by_phases (&mobility, hit->friction, restitution, approach,
                             all->rows[hit->slip].rhs[0], &p, &q, &hit->kept);
  give_impulse (&all->rows[hit->normal], p);
  give_impulse (&all->rows[hit->slip], q);
  if (ifbam_event_solve_contact (all->self, time, all->rows, all->n_rows, IFBAM_CONTACT_FROM_GUESS,
                                 NULL)
      != IFBAM_CONTACT_SOLVED)
    return FALSE;
  hit->rubbed = -brought (all) - hit->kept;
  return TRUE;
}

/* Ends the rates that other impulses have left in ties, so that each impulse's work is computed
 * with its own rates. */
static void
end_ties (Together *all)
{
  IfbamEventEngine *self = all->self;
  IFBAM_LIST (IfbamRow, ties, all->n_ties + 1);
  IFBAM_LIST (double, p, all->n_ties + 1);
  IFBAM_LIST (double, before, all->n_ties + 1);
  IFBAM_LIST (double, after, all->n_ties + 1);
  IFBAM_LIST (double, lost, all->n_ties + 1);
  gboolean some = FALSE;
  double delta;

  for (guint a = 0; a < all->n_ties; a++)
    {
      ties[a] = all->rows[a].row;
      p[a] = all->rows[a].rhs[0];
      lost[a] = NAN;
      some |= fabs (p[a]) > ifbam_event_extent (self, all->link[a])->rate_floor;
    }
  if (!some)
    return;
  ifbam_reactions_set (&self->play->system, ties, all->n_ties, self->mobility, self->seat);
  ifbam_reactions_solve (&self->play->system, p, p);
  ifbam_event_push (self, all->link, all->n_ties, p, before, after, lost);
  for (guint i = 0; i < all->n_rows; i++)
    all->rows[i].rhs[0] = ifbam_link_rate (self, all->link[i], &delta);
}

static void
hit_coupled (IfbamEventEngine *self, double time, const guint32 *links, guint n, double restitution,
             gboolean slow)
{
  g_auto (Together) all = { .n = 0 };

  measure_together (&all, self, self->x, self->v, links, n);
  end_ties (&all);
  if (!(all.n == 1 ? hit_alone (&all, time, all.rows[all.hits[0].normal].rhs[0], restitution)
                   : hit_at_once (&all, time, restitution)))
    {
      ifbam_event_fail (self, time, links, n, "no impulses are found for what hits by friction at ",
                        "");
      return;
    }
  if (slow)
    judge (&all, time);
  give_all (&all, time, "impact", slow);
}

gboolean
ifbam_event_hit_coupled (IfbamEventEngine *self, double time, const guint32 *links, guint n,
                         double restitution, gboolean slow)
{
  if (!has_coupled (self, links, n))
    return FALSE;
  hit_coupled (self, time, links, n, restitution, slow);
  return TRUE;
}

gboolean
ifbam_event_can_hold (IfbamEventEngine *self, guint32 link, const double *x, const double *v)
{
  const guint32 brake = ifbam_first_brake (self, link);
  const double slip = brake == IFBAM_NONE ? 0 : ifbam_link_slip (self, brake);
  IfbamHitMobility mobility;

  if (slip == 0)
    return TRUE;
  mobility = mobility_at (self, link, brake, x, v);
  return mobility.nn + slip * mobility.nt > LEAST_HOLD * mobility.nn;
}

gboolean
ifbam_event_jam (IfbamEventEngine *self, double time, guint32 link)
{
  g_auto (Together) all = { .n = 0 };

  measure_together (&all, self, self->x, self->v, &link, 1);
  if (all.hits[0].slip == IFBAM_NONE)
    return FALSE;
  end_ties (&all);
  if (!hit_alone (&all, time, MAX (all.rows[all.hits[0].normal].rhs[0], 0),
                  ifbam_link_relation (self, link).restitution)
      || !(all.rows[all.hits[0].normal].lambda[0] > 0))
    return FALSE;
  give_all (&all, time, "jam", FALSE);
  return TRUE;
}
