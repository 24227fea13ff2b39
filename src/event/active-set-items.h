/* active-set-items.h: the constraints that may be active after an event
 *
 * Private to the files active-set*.c.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-context.h"

/* A constraint that may be active after an event. Carriers precede their frictions. */
typedef struct
{
  guint32 link;
  int old_mode;
  gboolean is_contact;  /* unilateral: a contact or a one-way constraint */
  gboolean is_friction; /* if both are FALSE: bilateral */
  gboolean can_be_active;
  gboolean is_active;   /* of a contact: closed, with a pushing reaction */
  gboolean is_opening;  /* a contact that was located where its reaction vanishes */
  gboolean is_at_bound; /* a friction that was located where its reaction reaches its bound */
  gboolean is_driven;   /* a friction between given motions, which no reaction changes */
  gboolean is_jammed;   /* a contact with a reaction that would pull its ends together */
  guint n_carriers;     /* of a friction: reactions that bound it, see link.h */
  guint carrier[IFBAM_MAX_CARRIERS]; /* item indices (n_carriers) */
  guint n_starts;                    /* of a planar friction: starts at this event time */
  gboolean has_stopped;              /* it was found to stick again since its last start */
  double reaction;                   /* [N] */
  double acceleration;               /* with reactions [m/s^2] */
  double free_acceleration;          /* without reactions [m/s^2] */
  double separation_rate;  /* of a slowly separating contact that may rest [m/s]; else 0 */
  gboolean is_stopped_too; /* a contact that opens, but stops with slowly separating ones */
} IfbamActiveSetItem;

/* The search for the active set at one event time. */
typedef struct
{
  IfbamEventEngine *self;
  double time;                 /* after the step's start [s] */
  const IfbamCandidate *fired; /* located events (n_fired) */
  guint n_fired;
  GHashTable *fired_at; /* link -> its first event; NULL: there are few events */
  GArray *items;        /* IfbamActiveSetItem */
} IfbamActiveSetSearch;

typedef enum
{
  IFBAM_ACTIVE_SET_REACTIONS, /* found and stored in the items */
  IFBAM_ACTIVE_SET_IMPULSES,  /* applied instead: rates have changed */
  IFBAM_ACTIVE_SET_NO_ANSWER, /* none exist, or none were found */
} IfbamActiveSetAnswer;

static inline IfbamActiveSetItem *
ifbam_active_set_item (const IfbamActiveSetSearch *search, guint i)
{
  return &g_array_index (search->items, IfbamActiveSetItem, i);
}

/* Whether an item is one of the two directions of a planar friction. */
static inline gboolean
ifbam_active_set_is_in_plane (const IfbamActiveSetSearch *search, const IfbamActiveSetItem *item)
{
  return ifbam_link_is_in_plane (ifbam_link (search->self, item->link));
}

/* Whether an item has a reaction: bilateral, closed, or sticking. */
static inline gboolean
ifbam_active_set_item_has_reaction (const IfbamActiveSetItem *item)
{
  return item->can_be_active && (!item->is_contact || item->is_active);
}

/* Items */

/* Adds the constraints of an island that may be active, and sets their initial modes. */
void ifbam_active_set_add_island (IfbamActiveSetSearch *search, guint32 index);

/* Adds the islands at the endpoints of items in force. FALSE: no island was added. */
gboolean ifbam_active_set_add_neighbours (IfbamActiveSetSearch *search);

/* Whether all carriers of a friction have a reaction; TRUE without carriers. */
gboolean ifbam_active_set_is_carried (const IfbamActiveSetSearch *search,
                                      const IfbamActiveSetItem *item);

/* Copies the reactions of a friction's carriers (n_carriers) [N]. */
void ifbam_active_set_get_carrier_reactions (const IfbamActiveSetSearch *search,
                                             const IfbamActiveSetItem *item, double *reaction);

/* Contact problem */

/* Computes the accelerations without reactions, and measures the Jacobians of all items. */
void ifbam_active_set_compute_accelerations (const IfbamActiveSetSearch *search);

/* Finds reactions, and modes of frictions along a line; or applies impulses if no finite reactions
 * keep contacts apart (Stewart & Trinkle 1996). *tolerance: accelerations below it are rounding. */
IfbamActiveSetAnswer ifbam_active_set_find_reactions (IfbamActiveSetSearch *search,
                                                      double *tolerance);

/* Planar frictions */

/* Starts frictions beyond their bound, else stops those that would reverse. FALSE: none changed. */
gboolean ifbam_active_set_change_slips (IfbamActiveSetSearch *search, double tolerance);

/* Slowly separating contacts */

/* Opens contacts that separate too fast to rest. rise: height of a negligible hop, as a fraction of
 * the largest coordinate. FALSE: none was opened. */
gboolean ifbam_active_set_open_separating (IfbamActiveSetSearch *search, double rise);

/* Opens contacts if stopping them makes other touching ones approach. FALSE: none was opened. */
gboolean ifbam_active_set_open_pushing_contacts (IfbamActiveSetSearch *search);

/* Applies the impulses that stop the slowly separating contacts, if there are any. */
void ifbam_active_set_stop_separating (const IfbamActiveSetSearch *search);
