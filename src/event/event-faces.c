/* event-faces.c: who acts and who slips among many, guessed by the faces of their cones
 *
 * In a plane a cone of friction has two faces, and what a contact gives is a sum of two pushes along them, p, q >= 0:
 *   normal p + q, across mu (p - q)
 * If each contact also had to part at mu times the rate at which it slips, that would be the least of a convex function
 * (Anitescu 2006); to ask a face for so much less as the last answer slips, in turns, leads to Coulomb's law (Acary,
 * Cadoux, Lemarechal & Malick 2011, A formulation of the linear discrete Coulomb friction problem via convex
 * optimization). Each turn is an interior point's. Where more contacts carry a load than it takes, all give way as the
 * system of rows does that shares it out (constraint/constraint-system.h), so that this answer is its answer.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/event-faces.h"

#include "event/event-interior.h"
#include "event/event-context.h"
#include "event/event-log.h"

#include <string.h>

/* Of what a face would be asked less in the next turn so much is taken: all of it may go to and fro. */
#define RELAXED 0.5

/* Of a contact, with what slips along it to one side (1, -1), or all of it where nothing is free to choose (0): what slips
 * already turns how it pulls. */
typedef struct
{
  guint carrier, friction;
  int side;
} Face;

struct _IfbamFaces
{
  IfbamEventEngine *self;
  IfbamBound *bounds; /* those of which it is a guess */
  guint n;
  gboolean soon, braked;
  IfbamBound *asks; /* a face's */
  Face *face;
  IfbamSoft *soft;
  double *base, *less; /* what a face is asked, and how much less for what slips along a friction */
  guint n_faces;
};

static double
asked_of (const IfbamFaces *faces, guint i)
{
  return faces->soon ? faces->bounds[i].soon : faces->bounds[i].asked;
}

static gboolean
is_given (const IfbamFaces *faces, guint i)
{
  return faces->soon && faces->bounds[i].carrier != IFBAM_NONE && faces->bounds[i].asked != 0;
}

static void
add_face (IfbamFaces *faces, guint carrier, guint friction, int side)
{
  IfbamEventEngine *self = faces->self;
  const guint k = faces->n_faces++;
  const IfbamBound *bound = &faces->bounds[carrier];
  IfbamBound *own = &faces->asks[k];
  double give;

  faces->face[k] = (Face){ carrier, friction, side };
  *own = (IfbamBound){ .row = bound->row,
                       .carrier = IFBAM_NONE,
                       .bilateral = bound->bilateral && side == 0 };
  /* Without what slipped along it where it was looked for before. */
  own->row.askew = FALSE;
  memcpy (own->row.pull, own->row.row, sizeof own->row.pull);
  give = ifbam_reactions_give (&own->row, self->mobility);
  faces->base[k] = asked_of (faces, carrier);
  faces->soft[k] = (IfbamSoft){ .own = give, .twin = IFBAM_NONE };
  if (side != 0)
    {
      const IfbamBound *along = &faces->bounds[friction];
      const double give_along =
          along->friction * along->friction * ifbam_reactions_give (&along->row, self->mobility);

      for (guint e = 0; e < own->row.n_ports; e++)
        own->row.row[e] += side * along->friction * along->row.row[e];
      faces->base[k] += side * along->friction * asked_of (faces, friction);
      faces->soft[k] =
          (IfbamSoft){ give + give_along, give - give_along, side > 0 ? k + 1 : k - 1 };
    }
  memcpy (own->row.pull, own->row.row, sizeof own->row.pull);
  if (side == 0 && friction != IFBAM_NONE && faces->braked)
    {
      const IfbamBound *along = &faces->bounds[friction];

      for (guint e = 0; e < own->row.n_ports; e++)
        own->row.pull[e] += along->slips * along->friction * along->row.row[e];
      own->row.askew = TRUE;
    }
}

static void
list_faces (IfbamFaces *faces)
{
  g_autofree guint *carried = g_new (guint, faces->n + 1);

  for (guint i = 0; i < faces->n; i++)
    {
      carried[i] = IFBAM_NONE;
      if (faces->bounds[i].carrier != IFBAM_NONE && faces->bounds[i].friction > 0)
        carried[faces->bounds[i].carrier] = i;
    }
  for (guint i = 0; i < faces->n; i++)
    if (faces->bounds[i].carrier == IFBAM_NONE)
      {
        const gboolean is_free = carried[i] != IFBAM_NONE && !is_given (faces, carried[i]);

        for (int side = is_free ? 1 : 0; side >= (is_free ? -1 : 0); side -= 2)
          add_face (faces, i, carried[i], side);
      }
}

static void
add_push (const IfbamFaces *faces, const IfbamRow *row, double push)
{
  IfbamEventEngine *self = faces->self;

  for (guint e = 0; e < row->n_ports; e++)
    self->play->change[row->node[e]] += row->pull[e] * push * self->mobility[row->node[e]];
}

static double
left_of (const IfbamFaces *faces, const IfbamRow *row, double asked)
{
  for (guint e = 0; e < row->n_ports; e++)
    asked -= row->row[e] * faces->self->play->change[row->node[e]];
  return asked;
}

static void
ask_faces (IfbamFaces *faces)
{
  for (guint k = 0; k < faces->n_faces; k++)
    faces->asks[k].asked =
        faces->base[k] - (faces->face[k].side != 0 ? faces->less[faces->face[k].friction] : 0);
}

/* Returns by how large a part of the largest rate that slips a face is asked less than before. */
static double
take_answer (IfbamFaces *faces)
{
  double changed = 0, largest = 0;

  for (guint i = 0; i < faces->n; i++)
    for (guint e = 0; e < faces->bounds[i].row.n_ports; e++)
      faces->self->play->change[faces->bounds[i].row.node[e]] = 0;
  for (guint k = 0; k < faces->n_faces; k++)
    add_push (faces, &faces->asks[k].row, faces->asks[k].lambda);
  for (guint i = 0; i < faces->n; i++)
    {
      const IfbamBound *bound = &faces->bounds[i];
      const double rate = fabs (left_of (faces, &bound->row, asked_of (faces, i)));

      if (bound->carrier == IFBAM_NONE || is_given (faces, i))
        continue;
      largest = fmax (largest, rate);
      changed = fmax (changed, fabs (bound->friction * rate - faces->less[i]));
      faces->less[i] += RELAXED * (bound->friction * rate - faces->less[i]);
    }
  return largest > 0 ? changed / largest : 0;
}

static void
take_guess (IfbamFaces *faces)
{
  for (guint i = 0; i < faces->n; i++)
    if (faces->bounds[i].carrier == IFBAM_NONE)
      faces->bounds[i].active = FALSE;
    else if (!is_given (faces, i))
      faces->bounds[i].slips = 0;
  for (guint k = 0; k < faces->n_faces; k++)
    faces->bounds[faces->face[k].carrier].active |= faces->asks[k].active;
  for (guint k = 0; k < faces->n_faces; k++)
    {
      const Face *face = &faces->face[k];

      if (face->side != 0 && faces->asks[k].active && !faces->asks[faces->soft[k].twin].active)
        faces->bounds[face->friction].slips = face->side;
    }
}

IfbamFaces *
ifbam_event_faces_new (IfbamEventEngine *self, IfbamBound *bounds, guint n, gboolean soon,
                       gboolean braked)
{
  IfbamFaces *faces = g_new0 (IfbamFaces, 1);

  faces->self = self;
  faces->bounds = bounds;
  faces->n = n;
  faces->soon = soon;
  faces->braked = braked;
  faces->asks = g_new (IfbamBound, 2 * n + 1);
  faces->face = g_new (Face, 2 * n + 1);
  faces->soft = g_new (IfbamSoft, 2 * n + 1);
  faces->base = g_new (double, 2 * n + 1);
  faces->less = g_new0 (double, n + 1);
  list_faces (faces);
  return faces;
}

void
ifbam_event_faces_free (IfbamFaces *faces)
{
  g_free (faces->asks);
  g_free (faces->face);
  g_free (faces->soft);
  g_free (faces->base);
  g_free (faces->less);
  g_free (faces);
}

double
ifbam_event_faces_guess (IfbamFaces *faces, double time)
{
  double changed;

  ask_faces (faces);
  ifbam_event_interior (faces->self, time, faces->asks, faces->n_faces, faces->soft);
  changed = take_answer (faces);
  take_guess (faces);
  return changed;
}
