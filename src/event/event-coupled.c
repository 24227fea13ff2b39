/* event-coupled.c: hits along which friction works, and changes how hard they are
 *
 * Where a point of a body hits, what brakes its slip turns the body, and with it the rate at which the point
 * approaches: how long it slips, and whither, decides how hard it hits. The normal impulse p is the clock (Routh
 * 1860): with approach c, slip s and friction q,
 *   dc/dp = -(nn + nt dq/dp),  ds/dp = -(nt + tt dq/dp)
 *   slipping: dq/dp = mu sign s;  sticking: dq/dp = -nt/tt, if that is within mu, or else it slips on, or back
 * so that both are straight from one change of slip to the next. The approach ends where c = 0; until then the hit
 * has taken the work of p, and gives back e^2 of it (Stronge 1990, Rigid body collisions with friction). So no hit brings any
 * energy, which Newton's e with Coulomb's mu would (Kane & Levinson 1985). Where slip does not change its direction both
 * say the same.
 *
 * Several at once: the impulses that end all approaches, with p >= 0 and |q| <= mu p against the slip that
 * is left, never bring energy. Of these p is given (1 + e)-fold, with what friction then brakes at most, for as large an e
 * as brings none.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/event-coupled.h"

#include "event/event-bounds.h"
#include "event/advance-islands.h"
#include "event/apply-impulses.h"
#include "event/event-context.h"
#include "event/constraint-reactions.h"
#include "event/event-log.h"
#include "event/event-tied.h"

/* What is left of products of rows that cancel. */
#define SQUARE 1e-13

/* Turns of relaxation, until impulses change by less than this part of the largest. What friction brakes is near enough
 * after however many: each turn lessens what is left of the energy. */
#define MOST_TURNS 10000
#define ENOUGH     1e-14
#define NEAR       1e-9 /* and so near they may be left */

/* Halvings of the range of a restitution. */
#define HALVINGS 50

/* What keeps less of its own weight with what slips than this does not hold. */
#define LEAST_HOLD 1e-9

/* Where so much of the fastest approach is left by what should end it, rows contradict each other. */
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
  /* It slips, sticks or slips back: each comes once at most, and one of them twice, before and after the turn. */
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

      /* What can't slip without coming nearer is locked while it sticks. */
      if ((holds && slowing <= SQUARE * mobility->nn) || (parts && owed == 0))
        break;
      if (parts)
        length = 2 * owed / (sqrt (approach * approach + 2 * slowing * owed) - approach);
      if (isinf (length) && isinf (until_stop))
        break; /* (no mobility of a body says so) */
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

/* A contact, and its friction. */
typedef struct
{
  guint32 link, brake; /* IFBAM_NONE: it has none */
  guint normal, slip;  /* which rows */
  double friction;
  double p, q;
  double kept,
      rubbed; /* what each has taken for good [J]; NaN: the means of rates before and after tell */
} Hit;

/* All that hits at once. */
typedef struct
{
  IfbamEventEngine *self;
  const double *x, *v; /* where it is measured */
  Hit *hits;
  guint n, n_rows, n_ties;
  IfbamRow *rows, *ties;
  guint32 *row_link, *tie_link;
  GHashTable *known; /* ties */
  double *rate;      /* of rows, before, where ties have none */
  double *w;         /* (n_rows x n_rows) */
  double *share;     /* (n_rows x n_ties) */
  double *own;       /* what ties take for their own rates (n_ties) */
} Together;

static double
measure (const Together *all, guint32 link)
{
  double delta;

  return ifbam_link_measure (ifbam_link (all->self, link), all->x, all->v, &delta,
                             all->self->link[link].row);
}

static void
add_row (Together *all, guint32 link)
{
  all->rate[all->n_rows] = measure (all, link);
  all->row_link[all->n_rows] = link;
  ifbam_link_row (all->self, link, 1, &all->rows[all->n_rows++]);
}

static void
add_tie (Together *all, guint32 link)
{
  if (!g_hash_table_add (all->known, GUINT_TO_POINTER (link)))
    return;
  all->own[all->n_ties] = measure (all, link);
  all->tie_link[all->n_ties] = link;
  ifbam_link_row (all->self, link, 1, &all->ties[all->n_ties++]);
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
  g_free (all->ties);
  g_free (all->row_link);
  g_free (all->tie_link);
  g_free (all->rate);
  g_free (all->w);
  g_free (all->share);
  g_free (all->own);
  g_clear_pointer (&all->known, g_hash_table_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Together, free_together)

static void
measure_together (Together *all, IfbamEventEngine *self, const double *x, const double *v,
                  const guint32 *links, guint n)
{
  GArray *ties = ifbam_event_begin_ties (self);
  guint most;

  *all = (Together){ .self = self, .x = x, .v = v };
  for (guint i = 0; i < n; i++)
    ifbam_event_add_ties (self, ifbam_link (self, links[i])->node,
                          ifbam_link (self, links[i])->n_ports);
  most = ties->len + n;
  all->known = g_hash_table_new (NULL, NULL);
  all->hits = g_new0 (Hit, n + 1);
  all->rows = g_new (IfbamRow, 2 * n + 1);
  all->row_link = g_new (guint32, 2 * n + 1);
  all->rate = g_new (double, 2 * n + 1);
  all->ties = g_new (IfbamRow, most + 1);
  all->tie_link = g_new (guint32, most + 1);
  all->own = g_new0 (double, most + 1);
  for (guint a = 0; a < ties->len; a++)
    add_tie (all, g_array_index (ties, guint32, a));
  for (guint i = 0; i < n; i++)
    {
      Hit *hit = &all->hits[all->n];

      if (is_bilateral (self, links[i]))
        {
          add_tie (all, links[i]);
          continue;
        }
      *hit = (Hit){
        .link = links[i], .brake = IFBAM_NONE, .normal = all->n_rows, .kept = NAN, .rubbed = NAN
      };
      add_row (all, links[i]);
      IFBAM_FOR_BRAKES (carried, links[i])
      {
        hit->brake = carried;
        hit->friction = ifbam_link_relation (self, carried).coulomb;
        hit->slip = all->n_rows;
        add_row (all, carried);
      }
      all->n++;
    }
  all->w = g_new (double, (gsize) all->n_rows * all->n_rows + 1);
  all->share = g_new (double, (gsize) all->n_rows * all->n_ties + 1);
  ifbam_event_tie (self, all->rows, all->n_rows, all->ties, all->n_ties, all->w, all->share);
  if (all->n_ties > 0)
    ifbam_reactions_solve (&self->play->system, all->own, all->own);
  for (guint i = 0; i < all->n_rows; i++)
    for (guint a = 0; a < all->n_ties; a++)
      all->rate[i] -=
          ifbam_row_product (&all->rows[i], &all->ties[a], self->mobility) * all->own[a];
}

static double
between (const Together *all, guint row, guint other)
{
  return all->w[(gsize) row * all->n_rows + other];
}

static IfbamHitMobility
mobility_of (const Together *all, const Hit *hit)
{
  return (IfbamHitMobility){ between (all, hit->normal, hit->normal),
                             between (all, hit->normal, hit->slip),
                             between (all, hit->slip, hit->slip) };
}

/* The same for a contact alone, whose friction is `brake`. */
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

/* Whether what brakes along some contact makes its ends approach or part: of a body's point it does, of a ball's rim it
 * does not. */
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

/* The rate that a row is left, by all that has been given. */
static double
left_of (const Together *all, guint row)
{
  double rate = all->rate[row];

  for (guint i = 0; i < all->n; i++)
    {
      const Hit *hit = &all->hits[i];

      rate -= between (all, row, hit->normal) * hit->p;
      if (hit->brake != IFBAM_NONE)
        rate -= between (all, row, hit->slip) * hit->q;
    }
  return rate;
}

/* One hit that ends its approach beside the others: it sticks, or slips on, or not at all. */
static gboolean
settle (const Together *all, Hit *hit)
{
  const IfbamHitMobility mobility =
      hit->brake == IFBAM_NONE ? (IfbamHitMobility){ between (all, hit->normal, hit->normal), 0, 1 }
                               : mobility_of (all, hit);
  double approach, slip, determinant;

  hit->p = hit->q = 0;
  approach = left_of (all, hit->normal);
  slip = hit->brake == IFBAM_NONE ? 0 : left_of (all, hit->slip);
  if (!(approach > 0) || !(mobility.nn > 0))
    return TRUE;
  determinant = mobility.nn * mobility.tt - mobility.nt * mobility.nt;
  if (determinant > SQUARE * mobility.nn * mobility.tt)
    {
      const double p = (approach * mobility.tt - slip * mobility.nt) / determinant;
      const double q = (slip * mobility.nn - approach * mobility.nt) / determinant;

      if (p >= 0 && fabs (q) <= hit->friction * p)
        {
          hit->p = p;
          hit->q = q;
          return TRUE;
        }
    }
  for (int direction = -1; direction <= 1; direction += 2)
    {
      const double slowing = mobility.nn + direction * hit->friction * mobility.nt;
      const double p = approach / slowing;

      if (!(slowing > 0)
          || direction * (slip - (mobility.nt + direction * hit->friction * mobility.tt) * p)
                 < -SQUARE * fabs (slip))
        continue;
      hit->p = p;
      hit->q = direction * hit->friction * p;
      return TRUE;
    }
  hit->p = approach / mobility.nn;
  return TRUE;
}

/* What friction brakes at most where its carrier gives p. */
static gboolean
brake (const Together *all, Hit *hit)
{
  const double most = hit->friction * hit->p;

  if (hit->brake == IFBAM_NONE || !(between (all, hit->slip, hit->slip) > 0))
    return FALSE;
  hit->q =
      CLAMP (hit->q + left_of (all, hit->slip) / between (all, hit->slip, hit->slip), -most, most);
  return TRUE;
}

/* One hit after the other, until none changes; answer: FALSE where nothing is to be done. Returns whether that came
 * to an end. */
static gboolean
sweep (Together *all, gboolean (*answer) (const Together *all, Hit *hit), guint most)
{
  double changed = INFINITY, largest = 0;

  for (guint turn = 0; turn < most && changed > ENOUGH * largest; turn++)
    {
      changed = largest = 0;
      for (guint i = 0; i < all->n; i++)
        {
          Hit *hit = &all->hits[i];
          const Hit before = *hit;

          if (!answer (all, hit))
            continue;
          changed = fmax (changed, fmax (fabs (hit->p - before.p), fabs (hit->q - before.q)));
          largest = fmax (largest, hit->p);
        }
    }
  return changed <= NEAR * largest;
}

/* What all that is given brings [J]. */
static double
brought (const Together *all)
{
  double sum = 0;

  for (guint i = 0; i < all->n; i++)
    {
      const Hit *hit = &all->hits[i];

      sum -= 0.5 * hit->p * (all->rate[hit->normal] + left_of (all, hit->normal));
      if (hit->brake != IFBAM_NONE)
        sum -= 0.5 * hit->q * (all->rate[hit->slip] + left_of (all, hit->slip));
    }
  return sum;
}

/* Each gives (1 + restitution)-fold what has ended its approach, and is braked accordingly; returns what that brings. */
static double
restore (Together *all, const double *ended, double restitution)
{
  for (guint i = 0; i < all->n; i++)
    all->hits[i].p = (1 + restitution) * ended[i];
  sweep (all, brake, MOST_TURNS);
  return brought (all);
}

/* The same as one problem, of which there is an answer always (Stewart & Trinkle 1996): who acts, and who slips. FALSE: none is
 * found. */
static gboolean
settle_at_once (Together *all)
{
  IfbamEventEngine *self = all->self;
  const guint n = all->n_ties + all->n_rows;
  IFBAM_LIST (IfbamBound, bounds, n);

  for (guint a = 0; a < all->n_ties; a++)
    bounds[a] = (IfbamBound){ .row = all->ties[a],
                              .asked = measure (all, all->tie_link[a]),
                              .bilateral = TRUE,
                              .carrier = IFBAM_NONE };
  for (guint i = 0; i < all->n_rows; i++)
    bounds[all->n_ties + i] = (IfbamBound){ .row = all->rows[i],
                                            .asked = measure (all, all->row_link[i]),
                                            .carrier = IFBAM_NONE };
  for (guint i = 0; i < all->n; i++)
    if (all->hits[i].brake != IFBAM_NONE)
      {
        IfbamBound *slip = &bounds[all->n_ties + all->hits[i].slip];

        slip->bilateral = TRUE;
        slip->carrier = all->n_ties + all->hits[i].normal;
        slip->friction = all->hits[i].friction;
      }
  if (!ifbam_event_pivot (self, bounds, n, 0))
    return FALSE;
  ifbam_event_push_of (self, bounds, n);
  for (guint i = 0; i < all->n; i++)
    {
      Hit *hit = &all->hits[i];

      hit->p = MAX (bounds[all->n_ties + hit->normal].lambda, 0);
      hit->q = hit->brake == IFBAM_NONE ? 0 : bounds[all->n_ties + hit->slip].lambda;
    }
  return TRUE;
}

/* FALSE: no impulses are found. */
static gboolean
hit_at_once (Together *all, double restitution)
{
  IFBAM_LIST (double, ended, all->n);
  double low = 0, high = restitution;

  /* All approaches end: p >= 0, |q| <= friction * p, against the slip that is left. */
  if (!sweep (all, settle, all->self->limits.sweeps) && !settle_at_once (all))
    return FALSE;
  if (restitution == 0)
    return TRUE;
  for (guint i = 0; i < all->n; i++)
    ended[i] = all->hits[i].p;
  if (restore (all, ended, high) <= 0)
    return TRUE;
  for (guint i = 0; i < HALVINGS; i++)
    {
      const double middle = 0.5 * (low + high);

      *(restore (all, ended, middle) <= 0 ? &low : &high) = middle;
    }
  restore (all, ended, low);
  return TRUE;
}

/* Rows that contradict each other leave an approach. */
static void
judge (const Together *all, double time)
{
  double most = 0;

  for (guint i = 0; i < all->n; i++)
    most = MAX (most, fabs (all->rate[all->hits[i].normal]));
  for (guint i = 0; i < all->n; i++)
    if (left_of (all, all->hits[i].normal)
        > MAX (JAMMED * most, ifbam_event_extent (all->self, all->hits[i].link)->rate_floor))
      ifbam_event_fail (all->self, time, &all->hits[i].link, 1, "",
                        " is jammed between given motions, or masses of 1e11 times its own (they "
                        "have to leave room for what is between them)");
}

static void
give_all (const Together *all, double time, const char *word, gboolean slow)
{
  const guint most = all->n_rows + all->n_ties;
  IFBAM_LIST (guint32, links, most);
  IFBAM_LIST (double, p, most);
  IFBAM_LIST (double, lost, most);
  guint n = 0, m = 0;

  for (guint i = 0; i < all->n; i++)
    if (all->hits[i].p > 0)
      {
        links[n] = all->hits[i].link;
        lost[n] = all->hits[i].kept;
        p[n++] = all->hits[i].p;
      }
  for (guint i = 0; i < all->n; i++)
    if (all->hits[i].p > 0 && all->hits[i].brake != IFBAM_NONE)
      {
        links[n + m] = all->hits[i].brake;
        lost[n + m] = all->hits[i].rubbed;
        p[n + m++] = all->hits[i].q;
      }
  for (guint a = 0; a < all->n_ties; a++)
    {
      double sum = all->own[a];

      for (guint i = 0; i < all->n; i++)
        {
          const Hit *hit = &all->hits[i];

          sum -= all->share[(gsize) hit->normal * all->n_ties + a] * hit->p;
          if (hit->brake != IFBAM_NONE)
            sum -= all->share[(gsize) hit->slip * all->n_ties + a] * hit->q;
        }
      links[n + m + a] = all->tie_link[a];
      lost[n + m + a] = NAN;
      p[n + m + a] = sum;
    }
  ifbam_event_give_rubbing (all->self, time, links, n, m, all->n_ties, p, lost, word, slow);
}

/* One hit alone, by the phases of its slip. */
static void
hit_alone (Together *all, double approach, double restitution)
{
  Hit *hit = &all->hits[0];
  const IfbamHitMobility mobility = mobility_of (all, hit);

  ifbam_event_hit_by_phases (&mobility, hit->friction, restitution, approach, all->rate[hit->slip],
                             &hit->p, &hit->q, &hit->kept);
  hit->rubbed = -brought (all) - hit->kept;
}

/* What an impulse of others has left of ties is ended first, so that each impulse is booked with the rates that it meets. */
static void
end_ties (Together *all)
{
  IfbamEventEngine *self = all->self;
  IFBAM_LIST (double, before, all->n_ties + 1);
  IFBAM_LIST (double, after, all->n_ties + 1);
  IFBAM_LIST (double, lost, all->n_ties + 1);
  gboolean some = FALSE;
  double delta;

  for (guint a = 0; a < all->n_ties; a++)
    {
      lost[a] = NAN;
      some |= fabs (ifbam_link_rate (self, all->tie_link[a], &delta))
              > ifbam_event_extent (self, all->tie_link[a])->rate_floor;
    }
  if (!some)
    return;
  ifbam_event_push (self, all->tie_link, all->n_ties, all->own, before, after, lost);
  memset (all->own, 0, all->n_ties * sizeof *all->own);
}

/* FALSE: no impulses are found. */
static gboolean
hit_coupled (IfbamEventEngine *self, double time, const guint32 *links, guint n, double restitution,
             gboolean slow)
{
  g_auto (Together) all = { .n = 0 };

  measure_together (&all, self, self->x, self->v, links, n);
  end_ties (&all);
  if (all.n == 1)
    hit_alone (&all, all.rate[all.hits[0].normal], restitution);
  else if (!hit_at_once (&all, restitution))
    {
      ifbam_event_fail (self, time, links, n, "no impulses are found for what hits by friction at ",
                        "");
      return TRUE;
    }
  if (slow)
    judge (&all, time);
  give_all (&all, time, "impact", slow);
  return TRUE;
}

gboolean
ifbam_event_hit_coupled (IfbamEventEngine *self, double time, const guint32 *links, guint n,
                         double restitution, gboolean slow)
{
  return has_coupled (self, links, n) && hit_coupled (self, time, links, n, restitution, slow);
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
  if (all.hits[0].brake == IFBAM_NONE)
    return FALSE;
  end_ties (&all);
  hit_alone (&all, MAX (all.rate[all.hits[0].normal], 0),
             ifbam_link_relation (self, link).restitution);
  if (!(all.hits[0].p > 0))
    return FALSE;
  give_all (&all, time, "jam", FALSE);
  return TRUE;
}
