/* active-set-items.h: the constraints that may be active after an event
 *
 * Private to the files active-set*.c.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-context.h"

/* A constraint beside an event. A friction stands behind its carriers. */
typedef struct
{
  guint32 link;
  int old_mode;
  gboolean is_contact;  /* unilateral: active where its reaction pushes */
  gboolean is_friction; /* else it is bilateral */
  gboolean can_be_active;
  gboolean is_active;   /* of a contact */
  gboolean is_opening;  /* a contact that was located where its reaction vanishes */
  gboolean is_at_bound; /* a friction that was located where its reaction is at its bound */
  gboolean is_jammed;   /* a contact whose reaction would pull its ends together */
  guint n_carriers;     /* of a friction: how many reactions bound it, see link.h */
  guint carrier[IFBAM_MAX_CARRIERS]; /* indices of their items */
  guint n_starts;                    /* of a friction in a plane: how often it has started here */
  gboolean has_stopped;              /* and has been found to stick again since */
  double reaction;                   /* [N] */
  double acceleration;               /* of its rate, with reactions [m/s^2] */
  double free_acceleration;          /* without reactions */
  double parting_rate;               /* of a contact that parts slowly and may rest [m/s]; else 0 */
  gboolean is_stopped_too;           /* a contact that opens, but stops with slowly parting ones */
} IfbamActiveSetItem;

/* The search for the active set at one time. */
typedef struct
{
  IfbamEventEngine *self;
  double time;
  const IfbamCandidate *fired; /* events that were located (n_fired) */
  guint n_fired;
  GHashTable *fired_at; /* of many: link -> the first of them; NULL: they are few */
  GArray *items;        /* IfbamActiveSetItem */
} IfbamActiveSetSearch;

typedef enum
{
  IFBAM_ACTIVE_SET_REACTIONS, /* found and stored in the items */
  IFBAM_ACTIVE_SET_IMPULSES,  /* applied: rates have changed */
  IFBAM_ACTIVE_SET_NO_ANSWER, /* there is none, or none is found */
} IfbamActiveSetAnswer;

static inline IfbamActiveSetItem *
ifbam_active_set_item (const IfbamActiveSetSearch *search, guint i)
{
  return &g_array_index (search->items, IfbamActiveSetItem, i);
}

/* One of the two directions of a friction in a plane. */
static inline gboolean
ifbam_active_set_is_in_plane (const IfbamActiveSetSearch *search, const IfbamActiveSetItem *item)
{
  return ifbam_link_is_in_plane (ifbam_link (search->self, item->link));
}

/* Whether an item has a reaction: bilateral, closed, or sticking. */
static inline gboolean
ifbam_active_set_is_in_force (const IfbamActiveSetItem *item)
{
  return item->can_be_active && (!item->is_contact || item->is_active);
}

/* Items */

/* Adds the constraints of an island that may be active, with their modes as they start from. */
void ifbam_active_set_add_island (IfbamActiveSetSearch *search, guint32 number);

/* Adds the islands at the other ends of items in force. FALSE: there are none. */
gboolean ifbam_active_set_add_neighbours (IfbamActiveSetSearch *search);

/* Whether all carriers of a friction have a reaction; TRUE without any. */
gboolean ifbam_active_set_is_carried (const IfbamActiveSetSearch *search,
                                      const IfbamActiveSetItem *item);

/* Copies the reactions of a friction's carriers (n_carriers) [N]. */
void ifbam_active_set_get_carrier_reactions (const IfbamActiveSetSearch *search,
                                             const IfbamActiveSetItem *item, double *reaction);

/* Contact problem */

/* Computes the accelerations without reactions, and measures the Jacobians of all items. */
void ifbam_active_set_measure (const IfbamActiveSetSearch *search);

/* Finds reactions, and the modes of frictions along a line. Where no finite reactions keep contacts apart there are impulses
 * (Stewart & Trinkle 1996). *tolerance: accelerations below it are rounding. */
IfbamActiveSetAnswer ifbam_active_set_find_reactions (IfbamActiveSetSearch *search,
                                                      double *tolerance);

/* Frictions in a plane */

/* Starts those that exceed their bound, and stops those that would slip against their direction. FALSE: there are none. */
gboolean ifbam_active_set_change_slips (IfbamActiveSetSearch *search, double tolerance);

/* Slow partings */

/* Lets contacts open that part too fast to rest. rise: height of a hop that is not seen, in parts of the largest size. FALSE: there
 * are none. */
gboolean ifbam_active_set_open_partings (IfbamActiveSetSearch *search, double rise);

/* Lets contacts open if others that touch approach when these are stopped. FALSE: there are none. */
gboolean ifbam_active_set_open_pushing (IfbamActiveSetSearch *search);

/* Applies the impulses that stop the contacts that part slowly, if there are any. */
void ifbam_active_set_stop_partings (const IfbamActiveSetSearch *search);
