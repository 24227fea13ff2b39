/* event-cones.c: who acts and who slips among many, each friction within its cone
 *
 * Each pair of a contact and its friction is open, sticks, slips forward or slips backward. These are the pieces on which the
 * laws are linear, so that changing all that break their law at once is Newton's method for them (Alart & Curnier 1991; Qi &
 * Sun 1993). It takes some ten sparse systems, however many pairs there are, where a table is as large as their square. It
 * may go in circles, as in large heaps: then it begins again from an answer of convex problems (event/event-faces.h).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/event-cones.h"

#include "event/event-faces.h"
#include "event/event-context.h"
#include "event/event-log.h"

#include <string.h>

/* Where nobody acts yet so many sweeps guess who does. */
#define SWEEPS 64

/* So often all may change at once: where that ends it does after some five turns. */
#define MOST_TURNS 20

/* So many guesses by faces; they are no better where they change by less than this part. */
#define MOST_GUESSES 12
#define SAME_GUESS   1e-4

/* What is rounding of the largest that is asked, where who acts lets go, and where who does not has to act. */
#define LITTLE 1e-12
#define MUCH   1e-10

/* A friction bears so much more than its cone says. */
#define BEYOND 1e-11

typedef struct
{
  IfbamEventEngine *self;
  IfbamBound *bounds;
  guint n;
  gboolean soon;
  double *asked, *weight, *push;
  IfbamRow *rows;
  guint *place;
  double *b;
} Cones;

static gboolean
acts (const Cones *cones, guint i)
{
  const IfbamBound *bound = &cones->bounds[i];

  if (bound->carrier != IFBAM_NONE)
    return bound->slips == 0 && acts (cones, bound->carrier);
  return bound->bilateral || bound->active;
}

/* What slips already goes on. */
static gboolean
is_given (const Cones *cones, guint i)
{
  return cones->soon && cones->bounds[i].asked != 0;
}

/* What each pushes, as they act now, and what is left of what they are asked. */
static void
solve (Cones *cones)
{
  IfbamEventEngine *self = cones->self;
  double *change = self->play->change;
  guint m = 0;

  for (guint i = 0; i < cones->n; i++)
    {
      IfbamRow *row = &cones->bounds[i].row;

      memcpy (row->pull, row->row, sizeof row->pull);
      row->askew = FALSE;
    }
  for (guint i = 0; i < cones->n; i++)
    {
      const IfbamBound *bound = &cones->bounds[i];
      IfbamRow *carrier = bound->carrier == IFBAM_NONE ? NULL : &cones->bounds[bound->carrier].row;

      for (guint e = 0; carrier != NULL && bound->slips != 0 && e < carrier->n_ports; e++)
        carrier->pull[e] += bound->slips * bound->friction * bound->row.row[e];
      if (carrier != NULL)
        carrier->askew |= bound->slips != 0;
    }
  for (guint i = 0; i < cones->n; i++)
    {
      IfbamBound *bound = &cones->bounds[i];

      bound->lambda = 0;
      for (guint e = 0; e < bound->row.n_ports; e++)
        change[bound->row.node[e]] = 0;
      if (!acts (cones, i))
        continue;
      cones->rows[m] = bound->row;
      cones->b[m] = cones->asked[i];
      cones->place[m++] = i;
    }
  ifbam_reactions_set (&self->play->system, cones->rows, m, self->mobility, self->seat);
  ifbam_reactions_solve (&self->play->system, cones->b, cones->b);
  for (guint k = 0; k < m; k++)
    {
      const IfbamRow *row = &cones->rows[k];

      cones->bounds[cones->place[k]].lambda = cones->b[k];
      for (guint e = 0; e < row->n_ports; e++)
        change[row->node[e]] += row->pull[e] * cones->b[k] * self->mobility[row->node[e]];
    }
  for (guint i = 0; i < cones->n; i++)
    {
      IfbamBound *bound = &cones->bounds[i];

      bound->rest = cones->asked[i];
      for (guint e = 0; e < bound->row.n_ports; e++)
        bound->rest -= bound->row.row[e] * change[bound->row.node[e]];
      if (bound->carrier != IFBAM_NONE && bound->slips != 0)
        bound->lambda = bound->slips * bound->friction * cones->bounds[bound->carrier].lambda;
    }
}

/* Whether a bound keeps its law. */
static gboolean
is_kept (const Cones *cones, guint i, double most)
{
  const IfbamBound *bound = &cones->bounds[i];
  const double weight = cones->weight[i];

  if (bound->carrier == IFBAM_NONE)
    return bound->bilateral
           || (bound->active ? bound->lambda * weight >= LITTLE * most
                             : bound->rest <= MUCH * most);
  if (is_given (cones, i) || !acts (cones, bound->carrier))
    return TRUE;
  if (bound->slips != 0)
    return bound->slips * bound->rest >= -LITTLE * most;
  return (fabs (bound->lambda)
          - bound->friction * cones->bounds[bound->carrier].lambda * (1 + BEYOND))
             * weight
         <= MUCH * most;
}

static void
turn_over (const Cones *cones, guint i)
{
  IfbamBound *bound = &cones->bounds[i];

  if (bound->carrier == IFBAM_NONE)
    bound->active = !bound->active;
  else
    bound->slips = bound->slips != 0 ? 0 : bound->lambda > 0 ? 1 : -1;
}

/* One after the other, forward and back, each gives what its law says beside what the others do (Jourdan, Alart & Jean 1998): such
 * impulses are far from the answer where many stand on each other, but tell who acts and slips, except for a few. */
static void
sweep (Cones *cones)
{
  IfbamEventEngine *self = cones->self;
  double *change = self->play->change, *push = cones->push;
  const guint n = cones->n;

  for (guint i = 0; i < n; i++)
    for (guint e = 0; e < cones->bounds[i].row.n_ports; e++)
      change[cones->bounds[i].row.node[e]] = 0;
  for (guint k = 0; k < SWEEPS * n; k++)
    {
      const guint i = k / n % 2 == 0 ? k % n : n - 1 - k % n;
      IfbamBound *bound = &cones->bounds[i];
      const double before = push[i];
      double rest = cones->asked[i];

      for (guint e = 0; e < bound->row.n_ports; e++)
        rest -= bound->row.row[e] * change[bound->row.node[e]];
      push[i] += cones->weight[i] > 0 ? rest / cones->weight[i] : 0;
      if (bound->carrier == IFBAM_NONE)
        {
          push[i] = bound->bilateral ? push[i] : fmax (push[i], 0);
          bound->active = push[i] > 0;
        }
      else
        {
          const double most = bound->friction * fmax (push[bound->carrier], 0);

          push[i] = is_given (cones, i) ? bound->slips * most : CLAMP (push[i], -most, most);
          if (!is_given (cones, i))
            bound->slips = fabs (push[i]) < most ? 0 : push[i] > 0 ? 1 : -1;
        }
      for (guint e = 0; e < bound->row.n_ports; e++)
        change[bound->row.node[e]] +=
            bound->row.row[e] * (push[i] - before) * self->mobility[bound->row.node[e]];
    }
}

/* From the guess that there is. */
static gboolean
settle (Cones *cones, double time, double most)
{
  for (guint turn = 0; turn < MOST_TURNS && ifbam_event_goes_on (cones->self, time, 4 * cones->n);
       turn++)
    {
      guint bad = 0;

      solve (cones);
      for (guint i = 0; i < cones->n; i++)
        {
          cones->bounds[i].bad = !is_kept (cones, i, most);
          bad += cones->bounds[i].bad;
        }
      if (bad == 0)
        return TRUE;
      for (guint i = 0; i < cones->n; i++)
        if (cones->bounds[i].bad)
          turn_over (cones, i);
    }
  return FALSE;
}

/* From what the faces of cones tell: first as if nothing braked what slips already, which is all but always near enough. */
static gboolean
settle_by_faces (Cones *cones, double time, double most)
{
  for (guint braked = 0; braked < 2; braked++)
    {
      g_autoptr (IfbamFaces) faces =
          ifbam_event_faces_new (cones->self, cones->bounds, cones->n, cones->soon, braked == 1);

      for (guint guess = 0;
           guess < MOST_GUESSES && ifbam_event_goes_on (cones->self, time, 4 * cones->n); guess++)
        {
          const double changed = ifbam_event_faces_guess (faces, time);

          if (settle (cones, time, most))
            return TRUE;
          if (changed <= SAME_GUESS)
            break;
        }
    }
  return FALSE;
}

static gboolean
find (Cones *cones, double time, gboolean faces)
{
  gboolean guessed = FALSE;
  double most = 0;

  for (guint i = 0; i < cones->n; i++)
    {
      most = fmax (most, fabs (cones->asked[i]));
      guessed |= cones->bounds[i].active;
    }
  if (!guessed)
    sweep (cones);
  return settle (cones, time, most) || (faces && settle_by_faces (cones, time, most));
}

gboolean
ifbam_event_cones (IfbamEventEngine *self, double time, IfbamBound *bounds, guint n, gboolean soon,
                   gboolean faces)
{
  g_autofree double *columns = g_new0 (double, 4 * (gsize) n + 1);
  g_autofree IfbamRow *rows = g_new (IfbamRow, n + 1);
  g_autofree guint *place = g_new (guint, n + 1);
  Cones cones = { self,        bounds,          n,    soon,  columns,
                  columns + n, columns + 3 * n, rows, place, columns + 2 * n };
  gboolean found;

  for (guint i = 0; i < n; i++)
    {
      cones.asked[i] = soon ? bounds[i].soon : bounds[i].asked;
      cones.weight[i] = ifbam_row_product (&bounds[i].row, &bounds[i].row, self->mobility);
      if (is_given (&cones, i))
        bounds[i].slips = bounds[i].asked > 0 ? 1 : -1;
      if (bounds[i].carrier == IFBAM_NONE)
        bounds[i].slips = 0;
    }
  found = find (&cones, time, faces);
  for (guint i = 0; i < n; i++)
    {
      memcpy (bounds[i].row.pull, bounds[i].row.row, sizeof bounds[i].row.pull);
      bounds[i].row.askew = FALSE;
      if (bounds[i].carrier != IFBAM_NONE)
        {
          /* What nobody presses slips in no direction, whichever it was tried with. */
          if (!acts (&cones, bounds[i].carrier) && !is_given (&cones, i))
            bounds[i].slips = 0;
          bounds[i].active = acts (&cones, i);
        }
    }
  return found;
}
