/* active-set.c: finds the active constraints after an event: closed contacts and sticking frictions
 *
 * Unknown: the contacts whose reaction pushes, and the frictions that stick below their bound. One contact problem has the answer, in
 * which frictions along a line are free to stick or start. Those in a plane are given, as their bound is a circle: the one that exceeds
 * its bound most starts in the direction of its reaction, and the problem is solved again. Without an answer contacts advance by the
 * impulses of a part of the step (event-leap.c).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/active-set.h"

#include "event/slip-direction.h"
#include "event/contact-rows.h"
#include "event/event-coupled.h"
#include "event/apply-impulses.h"
#include "event/event-leap.h"
#include "event/event-context.h"
#include "event/constraint-reactions.h"
#include "event/event-log.h"

#include <string.h>

/* Instants are located to so much of a step, and a little more. */
#define LAST_DIGITS (8 * DBL_EPSILON)

/* A friction that others leave less to move by than this part of its own is held by them. */
#define HELD 1e-9

/* Contacts without an answer advance by the impulses of such a part of a step. Within a step it is four times as long each time, up
 * to the whole step. With fewer frictions the run ends. */
#define SHORTEST      0x1p-14
#define LENGTHENINGS  7
#define LEAST_LEAPING 4

/* Contacts advance in this way, too, if a reaction is so many times as large as the accelerations without reactions explain, or
 * after events at so many instants of a step. */
#define WEDGED        500
#define MOST_INSTANTS 64

#define SLIGHT 1e-4 /* of the largest rate: partings that may be held */

typedef struct
{
  guint32 link;
  int old;
  gboolean contact; /* or one-way: holds where it pushes */
  gboolean row;     /* may hold */
  gboolean friction, left, forced;
  gboolean jams; /* a contact whose reaction would pull its ends together */
  guint carrier; /* of a friction that is carried: which holder that is; IFBAM_NONE: none */
  guint bearing
      [IFBAM_MAX_CARRIERS]; /* of one that several carry, which always hold; n_bearing: so many, or 0 */
  guint n_bearing;
  guint released; /* of a friction in a plane: how many times it broke loose */
  gboolean restuck;
  guint8 active;
  double reaction, rest;
  double asked;    /* acceleration without reactions */
  double parting;  /* a contact that parts so slowly that it may be held [m/s]; 0: it does not */
  gboolean beside; /* a contact that opens, but is stopped together with slowly parting ones */
} Holder;

typedef struct
{
  IfbamEventEngine *self;
  double time;
  const IfbamCandidate *fired;
  guint n_fired;
  GHashTable *fired_at; /* of many: link -> the first of them */
  GArray *holders;      /* Holder */
} Holding;

static Holder *
holder_at (const Holding *holding, guint i)
{
  return &g_array_index (holding->holders, Holder, i);
}

/* Whether the carrier may be active; TRUE without one. */
static gboolean
is_borne (const Holding *holding, const Holder *holder)
{
  return holder->carrier == IFBAM_NONE || holder_at (holding, holder->carrier)->row;
}

static void
bearing_reactions (const Holding *holding, const Holder *holder, double *reaction)
{
  for (guint k = 0; k < holder->n_bearing; k++)
    reaction[k] = holder_at (holding, holder->bearing[k])->reaction;
}

/* The most that sticks, as the others hold now. */
static double
breakaway_of (const Holding *holding, const Holder *holder)
{
  const double breakaway = ifbam_link_relation (holding->self, holder->link).breakaway;
  double reaction[IFBAM_MAX_CARRIERS];

  if (holder->n_bearing > 0)
    {
      bearing_reactions (holding, holder, reaction);
      return ifbam_link_bound (holding->self, holder->link, reaction);
    }
  return holder->carrier == IFBAM_NONE
             ? breakaway
             : breakaway * MAX (holder_at (holding, holder->carrier)->reaction, 0);
}

static const IfbamCandidate *
fired_guard (const Holding *holding, guint32 number)
{
  if (holding->fired_at != NULL)
    return g_hash_table_lookup (holding->fired_at, GUINT_TO_POINTER (number));
  for (guint i = 0; i < holding->n_fired; i++)
    if (holding->fired[i].link == number)
      return &holding->fired[i];
  return NULL;
}

/* NULL: they are few. */
static GHashTable *
index_fired (const IfbamCandidate *fired, guint n)
{
  GHashTable *at = n <= IFBAM_SHORT ? NULL : g_hash_table_new (NULL, NULL);

  for (guint i = n; i-- > 0 && at != NULL;)
    g_hash_table_insert (at, GUINT_TO_POINTER (fired[i].link), (gpointer) &fired[i]);
  return at;
}

/* Whether a rate that was located where it crosses 0 is as near to it as instants can be told apart. */
static gboolean
is_all_but_zero (const Holding *holding, guint32 number, double rate)
{
  IfbamEventEngine *self = holding->self;
  guint32 islands[IFBAM_MAX_PORTS];
  guint n;

  if (fabs (rate) <= IFBAM_SLOW * ifbam_event_extent (self, number)->fastest)
    return TRUE;
  n = ifbam_event_link_islands (self, number, islands);
  for (guint k = 0; k < n; k++)
    ifbam_event_accelerations (self, islands[k], self->x, self->v,
                               ifbam_event_after (self, holding->time), TRUE);
  return fabs (rate)
         <= LAST_DIGITS * self->base.spec->step * fabs (ifbam_link_acceleration (self, number));
}

/* A slip in a plane sticks, in both directions, if nothing of it is left. Otherwise the active set is found with the direction in
 * which the next step brakes: with another direction the step could contradict it, again and again at one instant. */
static void
add_leader (const Holding *holding, guint32 number, double floor, gboolean crossed)
{
  IfbamEventEngine *self = holding->self;
  IfbamLinkState *state = &self->link[number];
  double delta;
  const double along = ifbam_link_rate (self, number, &delta);
  const double across = ifbam_link_rate (self, number + 1, &delta);
  const double slip = sqrt (along * along + across * across);

  if (slip > floor && !(crossed && is_all_but_zero (holding, number, slip)))
    {
      state->mode = IFBAM_MODE_FORWARD;
      ifbam_event_stick (self, number, FALSE);
      ifbam_event_aim_slip (self, number);
    }
  else if (crossed || state->mode != IFBAM_MODE_STARTING_FORWARD)
    ifbam_event_stick (self, number, TRUE);
}

/* How fast a link's ports are, or anything has been at a step's start. */
static double
fastest_port (const IfbamEventEngine *self, guint32 number)
{
  const IfbamLink *link = ifbam_link (self, number);
  double fastest = ifbam_event_extent (self, number)->fastest;

  for (guint e = 0; e < link->n_ports; e++)
    fastest = MAX (fastest, fabs (self->v[link->node[e]]));
  return fastest;
}

static void
add_holder (Holding *holding, guint32 number)
{
  IfbamEventEngine *self = holding->self;
  IfbamLinkState *state = &self->link[number];
  const IfbamPart *part = ifbam_play_find (self->play, number);
  const IfbamRelation relation = ifbam_link_relation (self, number);
  const IfbamCandidate *fired = fired_guard (holding, number);
  const IfbamExtent *extent = ifbam_event_extent (self, number);
  const double floor = 2 * extent->rate_floor;
  Holder holder = { .link = number, .old = state->mode, .carrier = IFBAM_NONE };
  double delta, rate;

  if ((part != NULL && part->holder > 0) || relation.kind == IFBAM_RELATION_NONE)
    return;
  if (ifbam_link_is_carried (ifbam_link (self, number)))
    {
      const guint several = ifbam_link (self, number)->n_carriers;

      for (guint k = 0; k < several; k++)
        {
          const IfbamPart *carrier =
              ifbam_play_find (self->play, ifbam_link (self, number)->carrier + k);

          /* A carrier that is far from contact is no holder. */
          if (carrier == NULL || carrier->holder == 0)
            return;
          holder.bearing[k] = carrier->holder - 1;
        }
      if (several == 1)
        holder.carrier = holder.bearing[0];
      else
        holder.n_bearing = several;
    }
  if (relation.kind == IFBAM_RELATION_CONTACT || relation.kind == IFBAM_RELATION_ONE_WAY)
    {
      gboolean near = state->held || ifbam_relation_holds (&relation, state->mode)
                      || (fired != NULL && fired->guard.kind != IFBAM_GUARD_REACTION);

      if (!near)
        {
          rate = ifbam_link_estimate (self, number, holding->time, &delta);
          near = fabs (rate) <= IFBAM_NEAR * extent->fastest + floor
                 && (relation.kind == IFBAM_RELATION_ONE_WAY
                     || relation.gap - delta
                            <= IFBAM_NEAR * extent->largest + 4 * extent->position_floor);
        }
      if (!near)
        return;
    }
  ifbam_event_bring_ends (self, number, holding->time);
  rate = ifbam_link_rate (self, number, &delta);
  switch (relation.kind)
    {
    case IFBAM_RELATION_CONTACT:
      holder.contact = TRUE;
      holder.parting =
          rate < -floor
                  && ((part != NULL && part->near) || rate >= -SLIGHT * fastest_port (self, number))
              ? -rate
              : 0;
      holder.row = (fabs (rate) <= floor || holder.parting > 0)
                   && (ifbam_link_touches (self, number)
                       || (fired != NULL && fired->guard.kind == IFBAM_GUARD_POSITION));
      break;
    case IFBAM_RELATION_ONE_WAY:
      holder.contact = TRUE;
      holder.row = fabs (rate) <= floor
                   || (fired != NULL && fired->guard.kind == IFBAM_GUARD_RATE
                       && is_all_but_zero (holding, number, rate));
      break;
    case IFBAM_RELATION_FRICTION:
      holder.friction = TRUE;
      state->pinned = FALSE;
      if (ifbam_link (self, number)->follows)
        break; /* it has been said by the one before it */
      if (ifbam_link (self, number)->leads)
        add_leader (holding, number, floor, fired != NULL && fired->guard.kind == IFBAM_GUARD_RATE);
      else if (!is_borne (holding, &holder))
        state->mode = IFBAM_MODE_LOOSE;
      else if (fired != NULL && fired->guard.kind == IFBAM_GUARD_RATE
               && (fabs (rate) <= floor || is_all_but_zero (holding, number, rate)))
        state->mode = IFBAM_MODE_STUCK;
      else if (fabs (rate) > floor)
        state->mode = rate > 0 ? IFBAM_MODE_FORWARD : IFBAM_MODE_BACKWARD;
      else if (state->mode == IFBAM_MODE_FORWARD || state->mode == IFBAM_MODE_BACKWARD
               || state->mode == IFBAM_MODE_LOOSE)
        state->mode = IFBAM_MODE_STUCK;
      break;
    case IFBAM_RELATION_RIGID:
    case IFBAM_RELATION_FIXED:
      holder.row = TRUE;
      break;
    case IFBAM_RELATION_NONE:
    default:
      break;
    }
  holder.left = fired != NULL && fired->guard.kind == IFBAM_GUARD_REACTION && holder.contact;
  holder.forced =
      fired != NULL && holder.friction
      && (fired->guard.kind == IFBAM_GUARD_REACTION || fired->guard.kind == IFBAM_GUARD_CARRIED
          || fired->guard.kind == IFBAM_GUARD_BOTH);
  holder.active = holder.row && holder.contact && state->mode == IFBAM_MODE_HELD && !holder.left;
  g_array_append_val (holding->holders, holder);
  ifbam_play_part (self->play, number)->holder = holding->holders->len;
}

static void
list_island (Holding *holding, guint32 number)
{
  IfbamEventEngine *self = holding->self;
  IfbamIsland *island = ifbam_island (self, number);

  island->listed = TRUE;
  for (guint32 c = island->first; c != IFBAM_NONE; c = ifbam_component (self, c)->next)
    {
      const IfbamComponent *component = ifbam_component (self, c);

      for (gsize i = component->singles; i < component->singles + component->n_singles; i++)
        add_holder (holding, g_array_index (self->numbers, guint32, i));
    }
}

/* The sum of the sizes of what acts on a node, as an acceleration: its rounding is relative to it. */
static double
node_load (const IfbamEventEngine *self, guint32 node)
{
  const IfbamModel *model = self->base.model;
  double sum = fabs (self->acceleration[node]);

  /* A ground hears as much as there is. */
  if (self->mobility[node] == 0)
    return sum;
  for (guint32 p = model->port_start[node]; p < model->port_start[node + 1]; p++)
    sum += fabs (self->answer[model->port[p] >> 1]) * self->mobility[node];
  for (guint32 p = self->node_link_start[node]; p < self->node_link_start[node + 1]; p++)
    {
      const IfbamLinkState *state = &self->link[ifbam_end_link (self->node_link[p])];

      sum += (fabs (state->force) + fabs (state->reaction)) * self->mobility[node];
    }
  return sum;
}

static void
fail (const Holding *holding, const char *what, const char *advice)
{
  IFBAM_LIST (guint32, links, holding->holders->len);
  guint n = 0;

  for (guint i = 0; i < holding->holders->len; i++)
    if (holder_at (holding, i)->carrier == IFBAM_NONE)
      links[n++] = holder_at (holding, i)->link;
  ifbam_event_fail (holding->self, holding->time, links, n, what, advice);
}

/* Starts a holder from its acceleration without reactions; returns the largest load on its nodes [m/s^2]. */
static double
start_holder (const Holding *holding, Holder *holder)
{
  const IfbamLink *link = ifbam_link (holding->self, holder->link);
  double load = 0;

  holder->rest = holder->asked = ifbam_link_acceleration (holding->self, holder->link);
  holder->reaction = 0;
  for (guint e = 0; e < link->n_ports; e++)
    load = MAX (load, node_load (holding->self, link->node[e]));
  return load;
}

/* Returns the row of a holder's constraint: a contact may open, all others are bilateral. */
static IfbamContactRow
row_of_holder (const Holding *holding, const Holder *holder)
{
  IfbamEventEngine *self = holding->self;
  IfbamContactRow row = ifbam_contact_row_new (self, holder->link, 0);
  const double breakaway = ifbam_link_relation (self, holder->link).breakaway;

  if (!holder->contact || self->link[holder->link].held)
    row.kind = IFBAM_CONTACT_BILATERAL;
  if (holder->active)
    row.piece = IFBAM_CONTACT_CLOSED;
  row.rhs[1] = holder->rest;
  if (holder->friction && breakaway > 0)
    row.row.share = breakaway;
  return row;
}

/* Accelerations of a row below this are rounding. A contact that was located where it opens does not close again by rounding. */
static double
acceleration_tolerance (const Holder *holder, double rounding)
{
  return (holder->left ? 1e3 : 2) * rounding;
}

/* Computes the accelerations without reactions, and measures the Jacobians of all holders. */
static void
let_go (const Holding *holding)
{
  IfbamEventEngine *self = holding->self;

  for (guint i = 0; i < self->affected->len; i++)
    ifbam_event_accelerations (self, g_array_index (self->affected, guint32, i), self->x, self->v,
                               ifbam_event_after (self, holding->time), FALSE);
  for (guint i = 0; i < holding->holders->len; i++)
    ifbam_link_measure_rows (self, holder_at (holding, i)->link, self->x, self->v);
}

/* Returns IFBAM_CONTACT_EVENLY if redundant rows share their load evenly, as in a step. */
static guint
get_sharing (const Holding *holding)
{
  gboolean even = FALSE;

  for (guint i = 0; i < holding->holders->len; i++)
    even |= ifbam_link_relation (holding->self, holder_at (holding, i)->link).kind
            == IFBAM_RELATION_FIXED;
  return even ? IFBAM_CONTACT_EVENLY : 0;
}

static gboolean
slides (const Holding *holding)
{
  for (guint i = 0; i < holding->holders->len; i++)
    if (ifbam_link_slip (holding->self, holder_at (holding, i)->link) != 0)
      return TRUE;
  return FALSE;
}

/* Stores the reactions of rows, and the accelerations that they leave; the holders' `rest` is without reactions before. */
static void
take_reactions (Holding *holding, const IfbamContactRow *rows, const guint *place, guint n)
{
  IfbamEventEngine *self = holding->self;

  for (guint k = 0; k < n; k++)
    {
      Holder *holder = holder_at (holding, place[k]);

      holder->active = holder->contact && rows[k].piece == IFBAM_CONTACT_CLOSED;
      holder->reaction = rows[k].lambda[1];
      if (holder->friction)
        holder->row =
            rows[k].piece == IFBAM_CONTACT_CLOSED
            && (holder->carrier == IFBAM_NONE || holder_at (holding, holder->carrier)->active);
      ifbam_row_add_change (&rows[k].row, rows[k].lambda[1], self->mobility, self->play->change);
    }
  for (guint i = 0; i < holding->holders->len; i++)
    {
      Holder *holder = holder_at (holding, i);
      const IfbamLink *link = ifbam_link (self, holder->link);

      for (guint e = 0; e < link->n_ports; e++)
        holder->rest -= self->link[holder->link].row[e] * self->play->change[link->node[e]];
    }
  /* Steps begin with a change of 0. */
  for (guint k = 0; k < n; k++)
    ifbam_row_clear_change (&rows[k].row, self->play->change);
}

/* Stores the directions of the reactions that bound frictions in bearings. */
static void
store_directions (const Holding *holding)
{
  for (guint i = 0; i < holding->holders->len; i++)
    {
      const Holder *holder = holder_at (holding, i);
      double reaction[IFBAM_MAX_CARRIERS];

      if (holder->n_bearing == 0 || ifbam_link_slip (holding->self, holder->link) == 0)
        continue;
      bearing_reactions (holding, holder, reaction);
      ifbam_event_lean (holding->self, holder->link, reaction);
    }
}

static gboolean
is_in_plane (const Holding *holding, const Holder *holder)
{
  const IfbamLink *link = ifbam_link (holding->self, holder->link);

  return link->leads || link->follows;
}

/* A friction along one direction, which no reaction bounds. */
static gboolean
is_alone (const Holding *holding, const Holder *holder)
{
  return holder->friction && holder->carrier == IFBAM_NONE && holder->n_bearing == 0
         && !is_in_plane (holding, holder);
}

/* Lets frictions that have started stand, so that they may choose anew. */
static void
stop_starting (const Holding *holding)
{
  for (guint i = 0; i < holding->holders->len; i++)
    {
      IfbamLinkState *state = &holding->self->link[holder_at (holding, i)->link];

      if (!is_alone (holding, holder_at (holding, i)))
        continue;
      if (state->mode == IFBAM_MODE_STARTING_FORWARD || state->mode == IFBAM_MODE_STARTING_BACKWARD)
        state->mode = IFBAM_MODE_STUCK;
      state->pinned = FALSE;
    }
}

/* If several answers are valid, frictions stick rather than start, except one that was located at its bound. */
static IfbamContactPiece
preferred_piece (const Holding *holding, const Holder *holder)
{
  if (!holder->forced || is_in_plane (holding, holder))
    return IFBAM_CONTACT_CLOSED;
  return holding->self->link[holder->link].reaction > 0 ? IFBAM_CONTACT_FORWARD
                                                        : IFBAM_CONTACT_BACKWARD;
}

/* Sets the bound of a row's friction, and its slip rate if it slides. A friction in a plane sticks as long as its carrier is active:
 * its bound is no box. */
static void
set_bound (const Holding *holding, const Holder *holder, IfbamContactRow *row)
{
  IfbamEventEngine *self = holding->self;
  const IfbamRelation relation = ifbam_link_relation (self, holder->link);
  const int mode = self->link[holder->link].mode;
  double delta;

  row->kind = IFBAM_CONTACT_FRICTION;
  row->is_given = is_in_plane (holding, holder);
  row->piece = preferred_piece (holding, holder);
  if (row->n_carriers == 0)
    {
      row->limit = relation.coulomb;
      row->rest_limit = relation.breakaway;
      return;
    }
  row->friction = relation.coulomb;
  row->rest_friction = relation.breakaway;
  /* While a friction slips, its law's force includes the preload. */
  row->limit = mode == IFBAM_MODE_FORWARD || mode == IFBAM_MODE_BACKWARD ? 0 : relation.preload;
  row->rest_limit = relation.preload;
  if (mode == IFBAM_MODE_FORWARD || mode == IFBAM_MODE_BACKWARD)
    row->rhs[0] = ifbam_link_rate (self, holder->link, &delta);
}

/* Whether a friction has a row: all its carriers have, and it can stick. */
static gboolean
can_rub (const Holding *holding, const Holder *holder, const guint *row_of, IfbamContactRow *row)
{
  row->n_carriers = holder->carrier != IFBAM_NONE ? 1 : holder->n_bearing;
  for (guint k = 0; k < row->n_carriers; k++)
    {
      row->carrier[k] = row_of[row->n_carriers == 1 ? holder->carrier : holder->bearing[k]];
      if (row->carrier[k] == IFBAM_NONE)
        return FALSE;
    }
  return (row->n_carriers > 0 && !is_in_plane (holding, holder))
         || holding->self->link[holder->link].mode == IFBAM_MODE_STUCK;
}

/* Sets the rows of all contacts and frictions at two levels: rates of the frictions that slide, and accelerations without reactions;
 * place[]: their holders. *rounding: accelerations below it. Returns how many rows there are. */
static guint
set_rows (const Holding *holding, IfbamContactRow *rows, guint *place, double *rounding)
{
  IfbamEventEngine *self = holding->self;
  const guint all = holding->holders->len;
  IFBAM_LIST (guint, row_of, all);
  double fastest = 1e-300, scale = 1e-300;
  guint n = 0;

  for (guint i = 0; i < all; i++)
    {
      Holder *holder = holder_at (holding, i);
      IfbamContactRow *row = &rows[n];

      row_of[i] = IFBAM_NONE;
      scale = MAX (scale, start_holder (holding, holder));
      *row = row_of_holder (holding, holder);
      if (holder->friction)
        holder->row = can_rub (holding, holder, row_of, row);
      if (!holder->row)
        continue;
      if (holder->friction)
        set_bound (holding, holder, row);
      if (ifbam_link (self, holder->link)->carries)
        ifbam_link_pull_in_plane (self, holder->link, &row->row);
      holder->jams = row->row.askew && holder->contact
                     && !ifbam_event_can_hold (self, holder->link, self->x, self->v);
      if (holder->jams)
        {
          holder->active = FALSE;
          continue;
        }
      fastest = MAX (fastest, fabs (row->rhs[0]));
      place[n] = i;
      row_of[i] = n++;
    }
  *rounding = 1e-12 * scale;
  for (guint k = 0; k < n; k++)
    {
      rows[k].tolerance[0] = 1e-12 * fastest;
      rows[k].tolerance[1] = acceleration_tolerance (holder_at (holding, place[k]), *rounding);
    }
  return n;
}

/* Adds a pull to what acts on nodes, so many times. */
static void
add_pull (IfbamEventEngine *self, const IfbamRow *row, double times)
{
  for (guint e = 0; e < row->n_ports; e++)
    self->play->change[row->node[e]] += times * row->pull[e];
}

/* Whether other constraints alone keep a friction from slipping: its row is a sum of their force directions, or they leave nothing
 * of the acceleration that would move it. The force direction of a contact includes the friction that slides on it. */
static gboolean
is_held_by_others (const Holding *holding, const Holder *friction)
{
  IfbamEventEngine *self = holding->self;
  IFBAM_LIST (IfbamRow, rows, holding->holders->len + 1);
  IFBAM_LIST (double, met, holding->holders->len);
  double *change = self->play->change;
  double own, left, square = 0;
  guint n = 0;

  for (guint i = 0; i < holding->holders->len; i++)
    {
      const Holder *other = &g_array_index (holding->holders, Holder, i);

      if (other == friction || !(other->contact ? other->active : other->row)
          || (other->carrier != IFBAM_NONE
              && !(holder_at (holding, other->carrier)->active
                   && self->link[other->link].mode == IFBAM_MODE_STUCK)))
        continue;
      ifbam_link_row (self, other->link, 1, &rows[n]);
      if (ifbam_link (self, other->link)->carries)
        ifbam_link_pull (self, other->link, &rows[n]);
      n++;
    }
  ifbam_link_row (self, friction->link, 1, &rows[n]);
  own = left = ifbam_row_product (&rows[n], &rows[n], self->mobility);
  for (guint i = 0; i < n; i++)
    met[i] = ifbam_row_product (&rows[i], &rows[n], self->mobility);
  ifbam_reactions_set (&self->play->system, rows, n, self->mobility, self->seat);
  ifbam_reactions_solve (&self->play->system, met, met);
  for (guint i = 0; i <= n; i++)
    for (guint e = 0; e < rows[i].n_ports; e++)
      change[rows[i].node[e]] = 0;
  add_pull (self, &rows[n], 1);
  for (guint i = 0; i < n; i++)
    {
      left -= ifbam_row_product (&rows[n], &rows[i], self->mobility) * met[i];
      add_pull (self, &rows[i], -met[i]);
    }
  for (guint i = 0; i <= n; i++)
    for (guint e = 0; e < rows[i].n_ports; e++)
      {
        const guint32 node = rows[i].node[e];

        square += change[node] * change[node] * self->mobility[node];
        change[node] = 0;
      }
  /* The remaining forces count by their squares: where rows are nearly dependent, these are rounding. */
  return fabs (left) <= HELD * own || square <= HELD * own;
}

/* Sets the modes of frictions that stand by the pieces of their rows. */
static void
take_modes (Holding *holding, const IfbamContactRow *rows, const guint *place, guint n)
{
  for (guint k = 0; k < n; k++)
    {
      const Holder *holder = holder_at (holding, place[k]);

      if (rows[k].kind == IFBAM_CONTACT_FRICTION && !rows[k].is_given && rows[k].rhs[0] == 0)
        holding->self->link[holder->link].mode =
            rows[k].piece == IFBAM_CONTACT_FORWARD    ? IFBAM_MODE_STARTING_FORWARD
            : rows[k].piece == IFBAM_CONTACT_BACKWARD ? IFBAM_MODE_STARTING_BACKWARD
                                                      : IFBAM_MODE_STUCK;
    }
}

/* Frictions at their bound that do not slip as other constraints hold them share no loads: only within bounds could they. */
static void
pin (const Holding *holding, const IfbamContactRow *rows, const guint *place, guint n)
{
  for (guint k = 0; k < n; k++)
    {
      const Holder *holder = holder_at (holding, place[k]);
      IfbamLinkState *state = &holding->self->link[holder->link];

      if (rows[k].kind != IFBAM_CONTACT_FRICTION || rows[k].n_carriers > 0
          || rows[k].piece == IFBAM_CONTACT_CLOSED || fabs (rows[k].u[1]) > rows[k].tolerance[1]
          || !is_held_by_others (holding, holder))
        continue;
      state->mode = IFBAM_MODE_STUCK;
      state->pinned = TRUE;
    }
}

/* Applies the impulses that end a slip which no finite reactions allow. */
static void
stop_at_once (const Holding *holding, const IfbamContactRow *rows, const guint *place, guint n)
{
  IfbamEventEngine *self = holding->self;
  IFBAM_LIST (guint32, links, n);
  IFBAM_LIST (double, p, n);
  IFBAM_LIST (double, before, n);
  IFBAM_LIST (double, after, n);
  IFBAM_LIST (double, lost, n);

  for (guint k = 0; k < n; k++)
    {
      links[k] = holder_at (holding, place[k])->link;
      p[k] = rows[k].lambda[0];
      lost[k] = NAN;
    }
  ifbam_event_push (self, links, n, p, before, after, lost);
  for (guint k = 0; k < n; k++)
    if (fabs (p[k]) * ifbam_link_weight (self, links[k])
        > ifbam_event_extent (self, links[k])->rate_floor)
      ifbam_event_note (self, holding->time, links[k], "jam", p[k], before[k], after[k], -lost[k]);
}

typedef enum
{
  REACTIONS, /* found and stored */
  IMPULSES,  /* applied: rates have changed */
  NO_ANSWER, /* there is none, or none is found */
} Answer;

/* Solves for the active constraints. Where no finite reactions keep contacts apart there are impulses (Stewart & Trinkle 1996).
 * *tolerance: accelerations below it are rounding. */
static Answer
find_active (Holding *holding, double *tolerance)
{
  const guint all = holding->holders->len;
  IFBAM_LIST (IfbamContactRow, rows, all + 1);
  IFBAM_LIST (guint, place, all);
  IfbamContactResult result = { .is_impulsive = FALSE };
  guint n;

  stop_starting (holding);
  let_go (holding);
  n = set_rows (holding, rows, place, tolerance);
  if (n > 0
      && ifbam_event_solve_contact (
             holding->self, holding->time, rows, n,
             IFBAM_CONTACT_TWO_LEVELS | IFBAM_CONTACT_FROM_GUESS | get_sharing (holding), &result)
             != IFBAM_CONTACT_SOLVED)
    return NO_ANSWER;
  if (result.is_impulsive)
    {
      stop_at_once (holding, rows, place, n);
      return IMPULSES;
    }
  take_modes (holding, rows, place, n);
  take_reactions (holding, rows, place, n);
  if (result.is_redundant)
    pin (holding, rows, place, n);
  store_directions (holding);
  return REACTIONS;
}

/* The size of a reaction, with that across it. */
static double
size_of (const Holding *holding, const Holder *holder)
{
  const double across =
      ifbam_link (holding->self, holder->link)->leads ? (holder + 1)->reaction : 0;

  return across == 0 ? fabs (holder->reaction)
                     : sqrt (holder->reaction * holder->reaction + across * across);
}

/* A friction in a plane starts to slip in the direction of its reaction. */
static void
break_loose (const Holding *holding, const Holder *holder)
{
  IfbamEventEngine *self = holding->self;
  const double size = size_of (holding, holder);
  const double direction[] = { size > 0 ? holder->reaction / size : 1,
                               size > 0 ? (holder + 1)->reaction / size : 0 };

  self->link[holder->link].mode = IFBAM_MODE_STARTING_FORWARD;
  ifbam_event_stick (self, holder->link, FALSE);
  ifbam_event_aim_at (self, holder->link, direction);
}

/* Whether a friction in a plane may start to slip: a few times, so that this ends, or if it is far beyond its bound. */
static gboolean
may_break (const Holding *holding, const Holder *holder)
{
  return holder->friction && holder->row && ifbam_link (holding->self, holder->link)->leads
         && (holder->released < 4
             || size_of (holding, holder) > 1e3 * breakaway_of (holding, holder));
}

/* A contact that parts is held where it would come back so soon and from so low that it may as well rest:
 * else one that is hit among many at rest would wake them all. Without it the others' reactions leave its
 * ends an acceleration of reaction times weight toward each other, or less. FALSE where some part
 * visibly, so that all is to be asked again without these. */
static gboolean
settle_hops (Holding *holding, double rise)
{
  IfbamEventEngine *self = holding->self;
  const double step = self->base.spec->step;
  gboolean changed = FALSE;

  for (guint i = 0; i < holding->holders->len; i++)
    {
      Holder *holder = &g_array_index (holding->holders, Holder, i);
      const IfbamExtent *extent = ifbam_event_extent (self, holder->link);
      const double rate = holder->parting;
      double closing;

      if (!(rate > 0) || !holder->row || !holder->active || self->link[holder->link].held)
        continue;
      closing = holder->reaction * ifbam_link_weight (self, holder->link);
      if (rate * rate <= 2 * extent->position_floor * closing
          || (rate * rate < 2 * rise * extent->largest * closing
              && 2 * rate < IFBAM_REST_TIME * step * closing))
        continue;
      holder->row = holder->active = FALSE;
      holder->reaction = 0;
      changed = TRUE;
    }
  return !changed;
}

static gboolean
holds (const Holder *holder)
{
  return holder->row && (!holder->contact || holder->active);
}

static gboolean
hops (const Holding *holding)
{
  gboolean some = FALSE;

  for (guint i = 0; i < holding->holders->len; i++)
    some |= holds (holder_at (holding, i)) && holder_at (holding, i)->parting > 0;
  return some;
}

static gboolean
is_stopped (const Holder *holder)
{
  return holds (holder) || holder->beside;
}

/* Finds the impulses that stop contacts which part but are held, with all active constraints; returns how many. */
static guint
find_stops (const Holding *holding, guint32 *links, IfbamRow *rows, double *p)
{
  IfbamEventEngine *self = holding->self;
  double delta;
  guint n = 0;

  for (guint i = 0; i < holding->holders->len; i++)
    {
      const Holder *holder = holder_at (holding, i);

      if (!is_stopped (holder))
        continue;
      p[n] = ifbam_link_rate (self, holder->link, &delta);
      ifbam_link_row (self, holder->link, 1, &rows[n]);
      links[n++] = holder->link;
    }
  ifbam_reactions_set (&self->play->system, rows, n, self->mobility, self->seat);
  ifbam_reactions_solve (&self->play->system, p, p);
  return n;
}

/* The first holder that touches, is to open, and would approach by such impulses; IFBAM_NONE: none does. */
static guint
find_pushed (const Holding *holding, const IfbamRow *rows, const double *p, guint n)
{
  IfbamEventEngine *self = holding->self;
  double *change = self->play->change;
  guint found = IFBAM_NONE;

  for (guint i = 0; i < n; i++)
    for (guint e = 0; e < rows[i].n_ports; e++)
      change[rows[i].node[e]] -= p[i] * rows[i].row[e] * self->mobility[rows[i].node[e]];
  for (guint i = 0; i < holding->holders->len && found == IFBAM_NONE; i++)
    {
      const Holder *holder = holder_at (holding, i);
      IfbamRow row;
      double rate, delta;

      if (!holder->contact || !holder->row || is_stopped (holder))
        continue;
      rate = ifbam_link_rate (self, holder->link, &delta);
      ifbam_link_row (self, holder->link, 1, &row);
      for (guint e = 0; e < row.n_ports; e++)
        rate += row.row[e] * change[row.node[e]];
      if (rate > 2 * ifbam_event_extent (self, holder->link)->rate_floor)
        found = i;
    }
  for (guint i = 0; i < n; i++)
    for (guint e = 0; e < rows[i].n_ports; e++)
      change[rows[i].node[e]] = 0;
  return found;
}

/* Stopping contacts that part may push others together that have just been hit and part again: a table that rocks on two feet side
 * by side. FALSE: these contacts are left to part, and the active set has to be found again. If the parting is too small to see,
 * the others are stopped, too. */
static gboolean
settle_stops (Holding *holding)
{
  const guint all = holding->holders->len;
  IFBAM_LIST (guint32, links, all);
  IFBAM_LIST (IfbamRow, rows, all);
  IFBAM_LIST (double, p, all);

  for (guint i = 0; i < all; i++)
    holder_at (holding, i)->beside = FALSE;
  while (hops (holding))
    {
      const guint n = find_stops (holding, links, rows, p);
      const guint pushed = find_pushed (holding, rows, p, n);

      if (pushed == IFBAM_NONE)
        break;
      if (!settle_hops (holding, 0))
        return FALSE;
      holder_at (holding, pushed)->beside = TRUE;
    }
  return TRUE;
}

static void
stop_hops (const Holding *holding)
{
  const guint all = holding->holders->len;
  IFBAM_LIST (guint32, links, all);
  IFBAM_LIST (IfbamRow, rows, all);
  IFBAM_LIST (double, p, all);
  IFBAM_LIST (double, before, all);
  IFBAM_LIST (double, after, all);
  IFBAM_LIST (double, lost, all);
  const guint n = find_stops (holding, links, rows, p);

  for (guint i = 0; i < n; i++)
    lost[i] = NAN;
  ifbam_event_push (holding->self, links, n, p, before, after, lost);
}

/* Lets frictions in a plane start that exceed their bound: the one that exceeds it most, equal ones together. FALSE: none does. */
static gboolean
start_slips (Holding *holding)
{
  double top = 0, least;
  gboolean forced = FALSE;

  for (guint i = 0; i < holding->holders->len; i++)
    {
      const Holder *holder = holder_at (holding, i);

      if (!may_break (holding, holder))
        continue;
      top = MAX (top, size_of (holding, holder) / MAX (breakaway_of (holding, holder), 1e-300));
      forced |= holder->forced && holder->released == 0;
    }
  if (top <= 1 + IFBAM_TIE && !forced)
    return FALSE;
  least = top > 1 + IFBAM_TIE ? top * (1 - 1e-9) : 1 - 1e-9;
  for (guint i = 0; i < holding->holders->len; i++)
    {
      Holder *holder = holder_at (holding, i);

      if (!may_break (holding, holder)
          || (size_of (holding, holder) / MAX (breakaway_of (holding, holder), 1e-300) < least
              && !(holder->forced && holder->released == 0)))
        continue;
      break_loose (holding, holder);
      holder->released++;
      holder->restuck = FALSE;
    }
  return TRUE;
}

/* Lets frictions in a plane stick again that would slip against their direction. FALSE: none does. */
static gboolean
stop_slips (Holding *holding, double tolerance)
{
  IfbamEventEngine *self = holding->self;
  gboolean changed = FALSE;

  for (guint i = 0; i < holding->holders->len; i++)
    {
      Holder *holder = holder_at (holding, i);
      const IfbamRelation relation = ifbam_link_relation (self, holder->link);
      const int mode = self->link[holder->link].mode;
      const double forward = holder->rest * ifbam_friction_direction (mode);

      if (!ifbam_link (self, holder->link)->leads || (holder->restuck && holder->released >= 4)
          || (holder->carrier != IFBAM_NONE && !holder_at (holding, holder->carrier)->active)
          || (mode != IFBAM_MODE_STARTING_FORWARD && mode != IFBAM_MODE_STARTING_BACKWARD)
          || (forward >= -tolerance
              && !(holder->released > 0 && relation.coulomb < relation.breakaway * (1 - 1e-9)
                   && forward <= tolerance)))
        continue;
      self->link[holder->link].mode = IFBAM_MODE_STUCK;
      ifbam_event_stick (self, holder->link, TRUE);
      holder->restuck = TRUE;
      changed = TRUE;
    }
  return changed;
}

/* Islands that hang on a relation that holds have their own say. FALSE: there were such. */
static gboolean
reach_out (Holding *holding)
{
  IfbamEventEngine *self = holding->self;
  gboolean more = FALSE;

  for (guint i = 0; i < holding->holders->len; i++)
    {
      const Holder *holder = &g_array_index (holding->holders, Holder, i);
      guint32 islands[IFBAM_MAX_PORTS];
      guint n;

      if (!holder->active && !(holder->row && !holder->contact))
        continue;
      n = ifbam_event_link_islands (self, holder->link, islands);
      for (guint k = 0; k < n; k++)
        if (!ifbam_island (self, islands[k])->listed)
          {
            list_island (holding, islands[k]);
            more = TRUE;
          }
    }
  return !more;
}

/* Returns the gap that is left of a closed contact [m]. */
static double
slack (const Holding *holding, const Holder *holder)
{
  IfbamEventEngine *self = holding->self;
  const IfbamPart *part = ifbam_play_find (self->play, holder->link);
  const IfbamRelation relation = ifbam_link_relation (self, holder->link);
  double delta;

  if (!holder->active)
    return 0;
  if (holder->old == IFBAM_MODE_HELD || !part->near)
    return self->link[holder->link].slack;
  ifbam_link_rate (self, holder->link, &delta);
  return relation.gap - delta > 4 * ifbam_event_extent (self, holder->link)->position_floor
             ? relation.gap - delta
             : 0;
}

/* Restores all modes: rates have changed, so that the active set has to be found anew. */
static void
take_back (const Holding *holding)
{
  IfbamEventEngine *self = holding->self;

  for (guint i = 0; i < holding->holders->len; i++)
    {
      const Holder *holder = holder_at (holding, i);

      self->link[holder->link].mode = holder->old;
      ifbam_play_find (self->play, holder->link)->holder = 0;
    }
}

/* Applies an impact without collision to a contact that jams and is pressed together. FALSE: there is none. */
static gboolean
jam (const Holding *holding, double tolerance)
{
  IfbamEventEngine *self = holding->self;
  const Holder *jammed = NULL;

  for (guint i = 0; i < holding->holders->len && jammed == NULL; i++)
    if (holder_at (holding, i)->jams && holder_at (holding, i)->rest > tolerance)
      jammed = holder_at (holding, i);
  if (jammed == NULL)
    return FALSE;
  if (!ifbam_event_jam (self, holding->time, jammed->link))
    ifbam_event_fail (self, holding->time, &jammed->link, 1, "",
                      " jams: what slides along it would be pulled on instead of being kept "
                      "away (the friction is too strong for these masses)");
  take_back (holding);
  return TRUE;
}

/* The reaction that bounds a friction. */
static double
carrying (const Holding *holding, const Holder *holder)
{
  double sum = 0;

  if (holder->n_bearing == 0)
    return holder_at (holding, holder->carrier)->reaction;
  for (guint k = 0; k < holder->n_bearing; k++)
    {
      const double reaction = holder_at (holding, holder->bearing[k])->reaction;

      sum += reaction * reaction;
    }
  return sqrt (sum);
}

/* How many frictions may stick or slip; 0 where some of them has no carrier, or several. */
static guint
count_carried (const Holding *holding)
{
  guint carried = 0;

  for (guint i = 0; i < holding->holders->len; i++)
    {
      const Holder *holder = holder_at (holding, i);

      if (holder->friction && holder->carrier == IFBAM_NONE)
        return 0;
      carried += holder->friction && is_borne (holding, holder);
    }
  return carried;
}

/* Whether there are enough contacts with friction, and nothing else that holds. */
static gboolean
may_leap (const Holding *holding)
{
  for (guint i = 0; i < holding->holders->len; i++)
    {
      const Holder *holder = holder_at (holding, i);

      if (!holder->friction
          && ifbam_link_relation (holding->self, holder->link).kind != IFBAM_RELATION_CONTACT)
        return FALSE;
    }
  return count_carried (holding) >= LEAST_LEAPING;
}

/* Advances the closed contacts by the impulses of a part of the step. FALSE: there are none, or other constraints are active. */
static gboolean
leap (Holding *holding)
{
  IfbamEventEngine *self = holding->self;
  const double step = self->base.spec->step;
  const guint all = holding->holders->len;
  IFBAM_LIST (guint32, contacts, all);
  guint n = 0, *leaps;

  if (!may_leap (holding))
    return FALSE;
  for (guint i = 0; i < all; i++)
    if (holder_at (holding, i)->contact && ifbam_link_touches (self, holder_at (holding, i)->link))
      contacts[n++] = holder_at (holding, i)->link;
  if (n == 0)
    return FALSE;
  leaps = &self->clusters[self->link_cluster[contacts[0]]].leaps;
  let_go (holding);
  while (!ifbam_event_leap (self, holding->time, contacts, n,
                            ldexp (SHORTEST * step, 2 * (int) MIN (*leaps, LENGTHENINGS)), "jam"))
    if ((*leaps)++ >= LENGTHENINGS)
      return FALSE;
  ++*leaps;
  self->play->leapt = TRUE;
  ifbam_event_count_lumped (self, holding->time, contacts[0]);
  take_back (holding);
  return TRUE;
}

/* Whether some carried friction, or its carrier, has had too many events in this step. */
static gboolean
chatters (const Holding *holding)
{
  for (guint i = 0; i < holding->holders->len; i++)
    {
      const Holder *holder = holder_at (holding, i);

      if (holder->carrier != IFBAM_NONE
          && MAX (holding->self->link[holder->link].fired,
                  holding->self->link[holder_at (holding, holder->carrier)->link].fired)
                 > MOST_INSTANTS)
        return TRUE;
    }
  return FALSE;
}

/* Whether reactions of contacts with friction are far larger than accelerations explain: they are wedged, and the last digits
 * decide which of them are active. */
static gboolean
is_wedged (const Holding *holding)
{
  double most = 0, pressed = 0;

  for (guint i = 0; i < holding->holders->len; i++)
    {
      const Holder *holder = holder_at (holding, i);

      most = MAX (most, fabs (holder->asked));
      if (holder->carrier == IFBAM_NONE)
        continue;
      holder = holder_at (holding, holder->carrier);
      if (holder->active)
        pressed = MAX (pressed, holder->reaction * ifbam_link_weight (holding->self, holder->link));
    }
  return pressed > WEDGED * most;
}

static void
fail_to_settle (const Holding *holding, Answer answer)
{
  if (answer == REACTIONS)
    fail (holding, "no consistent set of closed contacts and sticking frictions is found at ",
          " (try a shorter step or less friction)");
  else if (slides (holding))
    fail (holding, "no reactions keep apart what slides with so much friction at ",
          " (less friction may do)");
  else
    fail (holding, "no reactions are found for what touches at ", "");
}

/* Whether all holders are contacts that part, as after most impacts: then there are no reactions. */
static gboolean
nobody_may_hold (const Holding *holding)
{
  for (guint i = 0; i < holding->holders->len; i++)
    if (!holder_at (holding, i)->contact || holder_at (holding, i)->row)
      return FALSE;
  return TRUE;
}

gboolean
ifbam_event_hold (IfbamEventEngine *self, double time, const IfbamCandidate *fired, guint n_fired)
{
  GArray *holders = ifbam_emptied (&self->play->holders, sizeof (Holder));
  g_autoptr (GHashTable) fired_at = index_fired (fired, n_fired);
  Holding holding = { self, time, fired, n_fired, fired_at, holders };
  const guint n = self->affected->len;
  double tolerance = 0;

  for (guint i = 0; i < n; i++)
    list_island (&holding, g_array_index (self->affected, guint32, i));
  for (guint i = 0; i < holders->len && self->play->leapt; i++)
    {
      holder_at (&holding, i)->row = holder_at (&holding, i)->active = FALSE;
      self->link[holder_at (&holding, i)->link].held = FALSE; /* it flies, and is watched again */
    }
  if (!self->play->leapt && chatters (&holding) && leap (&holding))
    return FALSE;
  for (guint turn = 0; !nobody_may_hold (&holding) && ifbam_event_goes_on (self, time, 1); turn++)
    {
      const Answer answer = find_active (&holding, &tolerance);

      if (answer == IMPULSES)
        {
          take_back (&holding);
          return FALSE;
        }
      if (answer == REACTIONS && settle_hops (&holding, IFBAM_REST_RISE) && reach_out (&holding)
          && !start_slips (&holding) && !stop_slips (&holding, tolerance)
          && settle_stops (&holding))
        break;
      if (answer == REACTIONS && turn < self->limits.settling)
        continue;
      if (leap (&holding))
        return FALSE;
      fail_to_settle (&holding, answer);
    }
  if (jam (&holding, tolerance))
    return FALSE;
  if (!self->play->leapt && is_wedged (&holding) && leap (&holding))
    return FALSE;
  if (hops (&holding))
    stop_hops (&holding);
  for (guint i = 0; i < holders->len; i++)
    {
      const Holder *holder = &g_array_index (holders, Holder, i);
      IfbamLinkState *state = &self->link[holder->link];

      if (holder->contact)
        {
          state->mode = holder->active ? IFBAM_MODE_HELD : IFBAM_MODE_OPEN;
          state->slack = slack (&holding, holder);
        }
      state->reaction = holder->reaction;
      if (holder->carrier != IFBAM_NONE && !holder_at (&holding, holder->carrier)->active)
        state->mode = IFBAM_MODE_LOOSE;
      if (ifbam_link_slip (self, holder->link) != 0)
        state->reaction = ifbam_link_slip (self, holder->link) * carrying (&holding, holder);
      ifbam_event_note_change (self, time, holder->link, holder->old);
      ifbam_play_find (self->play, holder->link)->holder = 0;
    }
  return TRUE;
}
