/* event-bounds.c: which rows act, each only as far as it pushes
 *
 * Linear complementarity problems are solved by block pivoting with Murty's rule as the net (Judice &
 * Pires 1994; Murty 1974). Where many rows act and blocks go to and fro, as in heaps, in which loads can go
 * by many ways, an interior point says first which rows act (Mehrotra 1992, On the implementation of a
 * primal-dual interior point method): some twenty systems of one pattern, however many rows there are.
 * With frictions that choose for themselves it is Lemke's method, for rates a moment later. Of these there is an
 * answer always (Stewart & Trinkle 1996); the moment is infinitely short, so that it is of no length that somebody chose.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/event-bounds.h"

#include "base/lemke.h"
#include "event/event-cones.h"
#include "event/event-interior.h"
#include "event/event-context.h"
#include "event/event-log.h"

/* So often blocks may fail to get better. */
#define PATIENCE 5

/* A row that has come and gone so often all but follows from others: so many times the tolerance is near
 * enough. */
#define TO_AND_FRO  6
#define NEAR_ENOUGH 1000

/* What a row gets by its own pull. */
static double
weight_of (const IfbamEventEngine *self, const IfbamRow *row)
{
  double sum = 0;

  for (guint e = 0; e < row->n_ports; e++)
    sum += row->row[e] * row->pull[e] * self->mobility[row->node[e]];
  return sum;
}

/* The same if it pulled as it says: above 0 even where what slips along it turns its pull (Painleve). */
static double
own_weight_of (const IfbamEventEngine *self, const IfbamRow *row)
{
  double sum = 0;

  for (guint e = 0; e < row->n_ports; e++)
    sum += row->row[e] * row->row[e] * self->mobility[row->node[e]];
  return sum;
}

static void
turn_over (IfbamBound *bound)
{
  bound->active = !bound->active;
  bound->come += bound->active;
}

/* A further relation acts while what carries it does. */
static gboolean
acts (const IfbamBound *bounds, guint i)
{
  return (bounds[i].active || bounds[i].bilateral)
         && (bounds[i].carrier == IFBAM_NONE || acts (bounds, bounds[i].carrier));
}

gboolean
ifbam_event_complementarity (IfbamEventEngine *self, double time, IfbamBound *bounds, guint n,
                             double stop)
{
  IFBAM_LIST (IfbamRow, acting, n);
  IFBAM_LIST (guint, place, n);
  IFBAM_LIST (double, b, n);
  double *change = self->play->change;
  guint best = G_MAXUINT, patience = PATIENCE;
  gboolean guessed = n < IFBAM_MANY;

  for (guint i = 0; i < n; i++)
    bounds[i].come = 0;
  for (guint turn = 0; turn < self->limits.pivots && ifbam_event_goes_on (self, time, n); turn++)
    {
      guint m = 0, bad = 0, first = n;

      for (guint i = 0; i < n; i++)
        {
          bounds[i].lambda = 0;
          for (guint e = 0; e < bounds[i].row.n_ports; e++)
            change[bounds[i].row.node[e]] = 0;
          if (!acts (bounds, i))
            continue;
          acting[m] = bounds[i].row;
          b[m] = bounds[i].asked;
          place[m++] = i;
        }
      ifbam_reactions_set (&self->play->system, acting, m, self->mobility, self->seat);
      ifbam_reactions_solve (&self->play->system, b, b);
      for (guint k = 0; k < m; k++)
        {
          bounds[place[k]].lambda = b[k];
          for (guint e = 0; e < acting[k].n_ports; e++)
            change[acting[k].node[e]] +=
                acting[k].pull[e] * b[k] * self->mobility[acting[k].node[e]];
        }
      for (guint i = 0; i < n; i++)
        {
          IfbamBound *bound = &bounds[i];
          const double start = (bound->come > TO_AND_FRO ? NEAR_ENOUGH : 1) * bound->start;

          bound->rest = bound->asked;
          for (guint e = 0; e < bound->row.n_ports; e++)
            bound->rest -= bound->row.row[e] * change[bound->row.node[e]];
          bound->bad = !bound->bilateral
                       && (bound->active ? bound->lambda * weight_of (self, &bound->row) < stop
                                         : bound->rest > start);
          bad += bound->bad;
          if (bound->bad && first == n)
            first = i;
        }
      if (bad == 0)
        return TRUE;
      if (bad < best)
        {
          best = bad;
          patience = PATIENCE;
        }
      else if (patience > 0)
        patience--;
      else if (!guessed)
        {
          ifbam_event_interior (self, time, bounds, n, NULL);
          guessed = TRUE;
          best = G_MAXUINT;
          patience = PATIENCE;
          continue;
        }
      else
        {
          turn_over (&bounds[first]);
          continue;
        }
      for (guint i = 0; i < n; i++)
        if (bounds[i].bad)
          turn_over (&bounds[i]);
    }
  return FALSE;
}

/* Impulses may leave such a part of the largest rate. */
#define CLOSE 1e-9

/* Multiples of it lie apart, so that ties are rare. */
#define GOLDEN 0.6180339887498949

/* Each second way has ties so much narrower: who slips by hardly anything is told from who does not, even where somebody else
 * slips fast. */
#define FINER 1e-2

/* A friction stands for three unknowns: how it is held forward and backward, and how fast it then slips. */
enum
{
  FORWARD,
  BACKWARD,
  SLIP,
  N_WAYS,
};

/* Where bounds stand in a table: first those that are of either sign, then others, each friction three times. */
static guint
place_bounds (const IfbamBound *bounds, guint n, guint *place, guint *n_free)
{
  guint size = 0;

  for (guint i = 0; i < n; i++)
    if (bounds[i].bilateral && bounds[i].carrier == IFBAM_NONE)
      place[i] = size++;
  *n_free = size;
  for (guint i = 0; i < n; i++)
    if (!bounds[i].bilateral || bounds[i].carrier != IFBAM_NONE)
      {
        place[i] = size;
        size += bounds[i].carrier != IFBAM_NONE ? N_WAYS : 1;
      }
  return size;
}

static int
goes_on (void *data)
{
  IfbamEventEngine *self = data;

  return ifbam_event_goes_on (self, self->failed, IFBAM_UNASKED / 4);
}

/* Of these attempts the first is by cones, and the second by what convex problems guess of them, where many act; else by a
 * table. */
enum
{
  BY_CONES,
  BY_FACES,
};

static gboolean
by_cones (IfbamEventEngine *self, IfbamBound *bounds, guint n, guint attempt)
{
  gboolean soon = FALSE;

  if (n < IFBAM_MANY || attempt > BY_FACES)
    return FALSE;
  for (guint i = 0; i < n; i++)
    soon |= bounds[i].soon != 0;
  return ifbam_event_cones (self, self->failed, bounds, n, soon,
                            attempt == BY_FACES || n >= IFBAM_FACES);
}

/* Lemke's way: each other attempt has other multiples, and ties that are narrower. */
static gboolean
by_table (IfbamEventEngine *self, IfbamBound *bounds, guint n, guint attempt)
{
  g_autofree guint *place = g_new (guint, n + 1);
  g_autofree double *scale = g_new (double, n + 1);
  guint n_free;
  const guint size = place_bounds (bounds, n, place, &n_free), width = size + IFBAM_LEVELS;
  g_autofree double *table = g_new0 (double, (gsize) size *width + 1);
  g_autofree double *columns = g_new (double, (1 + IFBAM_LEVELS) * (gsize) size + 1);
  double *cover = columns, *z = columns + size;
  g_autofree guint8 *acts = g_new0 (guint8, size + 1);

  for (guint i = 0; i < n; i++)
    {
      const double weight = own_weight_of (self, &bounds[i].row);

      scale[i] = weight > 0 ? 1 / sqrt (weight) : 0;
    }
  for (guint i = 0; i < size; i++)
    cover[i] = 1 + fmod ((i + 1) * (attempt + 1) * GOLDEN, 1);
  for (guint i = 0; i < n; i++)
    {
      double *row = table + (gsize) place[i] * width;

      for (guint j = 0; j < n; j++)
        {
          const double value = scale[i] * scale[j]
                               * ifbam_row_product (&bounds[i].row, &bounds[j].row, self->mobility);

          row[place[j]] = value;
          if (bounds[j].carrier != IFBAM_NONE)
            row[place[j] + BACKWARD] = -value;
        }
      row[size] = -scale[i] * bounds[i].asked;
      row[size + 1] = -scale[i] * bounds[i].soon;
      if (bounds[i].carrier == IFBAM_NONE)
        continue;
      for (guint k = 0; k < width; k++)
        row[width + k] = -row[k];
      row[place[i] + SLIP] = row[width + place[i] + SLIP] = 1;
      row += SLIP * width;
      row[place[bounds[i].carrier]] = bounds[i].friction * scale[bounds[i].carrier] / scale[i];
      row[place[i] + FORWARD] = row[place[i] + BACKWARD] = -1;
    }
  if (!ifbam_lemke (table, size, n_free, IFBAM_LEVELS, cover, attempt % 2 == 0 ? 1 : FINER, acts, z,
                    goes_on, self))
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      const guint at = place[i];

      bounds[i].active = acts[at];
      bounds[i].slips = 0;
      bounds[i].lambda = scale[i] * z[at * IFBAM_LEVELS];
      if (bounds[i].carrier == IFBAM_NONE)
        continue;
      bounds[i].lambda -= scale[i] * z[(at + BACKWARD) * IFBAM_LEVELS];
      bounds[i].active |= acts[at + BACKWARD];
      /* Where both hold it, it does not slip. */
      if (acts[at + SLIP])
        bounds[i].slips = acts[at + FORWARD] - acts[at + BACKWARD];
      bounds[i].active &= bounds[i].slips == 0;
    }
  return TRUE;
}

gboolean
ifbam_event_pivot (IfbamEventEngine *self, IfbamBound *bounds, guint n, guint attempt)
{
  return by_cones (self, bounds, n, attempt) || by_table (self, bounds, n, attempt);
}

gboolean
ifbam_event_pivot_many (IfbamEventEngine *self, IfbamBound *bounds, guint n)
{
  return n < IFBAM_FACES ? ifbam_event_pivot (self, bounds, n, BY_CONES)
                         : by_cones (self, bounds, n, BY_CONES);
}

/* Whether impulses keep their laws, to so many parts of the largest rate that is asked: what pushes leaves no rate, what sticks
 * is within its cone, what slips goes on, and all together they bring no energy. */
static gboolean
keep_laws (IfbamEventEngine *self, const IfbamBound *bounds, guint n)
{
  IFBAM_LIST (double, p, n + 1);
  IFBAM_LIST (double, got, n + 1);
  double most = 0, taken = 0, moved = 0;
  gboolean kept = TRUE;

  if (n == 0)
    return TRUE;
  for (guint i = 0; i < n; i++)
    {
      most = MAX (most, fabs (bounds[i].asked));
      p[i] = bounds[i].slips == 0 ? bounds[i].lambda : 0;
    }
  /* Carriers pull for what slips along them. */
  ifbam_event_multiply (self, bounds, n, p, got);
  for (guint i = 0; i < n && kept; i++)
    {
      const IfbamBound *bound = &bounds[i];
      const double weight = own_weight_of (self, &bound->row);
      const double room = CLOSE * most, left = bound->asked - got[i];
      const double push = bound->lambda * weight;

      if (bound->carrier == IFBAM_NONE)
        kept = bound->bilateral ? fabs (left) <= room
                                : push >= -room && left <= room && (push <= room || left >= -room);
      else
        kept = bound->slips == 0
                   ? fabs (bound->lambda)
                             <= bound->friction * bounds[bound->carrier].lambda * (1 + CLOSE)
                                    + (weight > 0 ? room / weight : 0)
                         && (!bound->active || fabs (left) <= room)
                   : bound->slips * left >= -room;
      taken += 0.5 * bound->lambda * (bound->asked + left);
      moved += 0.5 * fabs (bound->lambda) * (fabs (bound->asked) + fabs (left));
    }
  return kept && taken >= -CLOSE * moved;
}

gboolean
ifbam_event_push_of (IfbamEventEngine *self, IfbamBound *bounds, guint n)
{
  IFBAM_LIST (IfbamRow, rows, n);
  IFBAM_LIST (guint, at, n);
  IFBAM_LIST (double, p, n);
  IFBAM_LIST (double, found, n);
  guint m = 0;

  for (guint i = 0; i < n; i++)
    {
      IfbamRow *carrier = bounds[i].carrier == IFBAM_NONE ? NULL : &bounds[bounds[i].carrier].row;

      found[i] = bounds[i].lambda;
      for (guint e = 0; carrier != NULL && bounds[i].slips != 0 && e < carrier->n_ports; e++)
        carrier->pull[e] += bounds[i].slips * bounds[i].friction * bounds[i].row.row[e];
      if (carrier != NULL)
        carrier->askew |= bounds[i].slips != 0;
    }
  for (guint i = 0; i < n; i++)
    {
      const gboolean carried = bounds[i].carrier != IFBAM_NONE;

      bounds[i].lambda = 0;
      if (!bounds[i].active && (carried || !bounds[i].bilateral))
        continue;
      rows[m] = bounds[i].row;
      p[m] = bounds[i].asked;
      at[m++] = i;
    }
  if (m == 0)
    return keep_laws (self, bounds, n);
  ifbam_reactions_set (&self->play->system, rows, m, self->mobility, self->seat);
  ifbam_reactions_solve (&self->play->system, p, p);
  for (guint k = 0; k < m; k++)
    bounds[at[k]].lambda = p[k];
  for (guint i = 0; i < n; i++)
    if (bounds[i].carrier != IFBAM_NONE && bounds[i].slips != 0)
      bounds[i].lambda = bounds[i].slips * bounds[i].friction * bounds[bounds[i].carrier].lambda;
  if (keep_laws (self, bounds, n))
    return TRUE;
  /* Rows that all but follow from others were told apart by more digits than are here. */
  for (guint i = 0; i < n; i++)
    bounds[i].lambda = found[i];
  return keep_laws (self, bounds, n);
}
