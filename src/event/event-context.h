/* event-context.h: working data of one event
 *
 * The data are valid during one event only. The run's state keeps the links' modes and the nodes'
 * coordinates and velocities after it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-engine-internal.h"

/* State of a link in the event. */
typedef struct
{
  guint32 link;
  guint hits;           /* impacts so far */
  double impulse;       /* sum of its impulses [N s] */
  guint noted;          /* 1 + index of the log entry of its last slow impulse; 0: none */
  gboolean in_play;     /* participates in the impact problem */
  guint active_item;    /* 1 + index in active_items; 0: none */
  guint company, first; /* chain of touching contacts: size (0: not listed), start in companions */
  gboolean near;        /* counts as touching, in a chain after inelastic collapse */
} IfbamPart;

struct _IfbamPlay
{
  GArray *parts;      /* IfbamPart: states of links */
  guint32 *part_of;   /* index of a link's state in parts; IFBAM_NONE: none (n_links) */
  GArray *struck;     /* guint32: nodes that got an external impulse */
  GArray *in_play;    /* guint32: links of the impact problem */
  GArray *companions; /* guint32: contacts, one chain after the other */
  GArray *tripped;    /* guint32: links switched by a jump: impulses that they trigger are due */
  gboolean pushed;    /* a link has applied an impulse */
  gboolean leapt;     /* the contacts got the impulses of a time step: none of them is active */

  /* Scratch. */
  GArray *approaching, *slow, *active_items, *ties;
  guint64 tie_lists; /* lists of ties begun so far */
  GArray *bilateral; /* guint32: such constraints at the run's start; NULL: not listed */
  IfbamReactions system;
  IfbamContactWorkspace *contact;
  double *change; /* of node velocities, accelerations or forces; 0 between uses (n_nodes) */
};

/* Returns empty data (transfer full) for a model of so many links and nodes. */
IfbamPlay *ifbam_play_new (gsize n_links, gsize n_nodes);

void ifbam_play_free (IfbamPlay *play);

/* Clears the data after the event. */
void ifbam_play_end (IfbamPlay *play);

/* Returns a link's state, a new one if it has none; valid until another link gets one. */
IfbamPart *ifbam_play_part (IfbamPlay *play, guint32 link);

/* Returns a link's state; NULL: it has none. */
static inline IfbamPart *
ifbam_play_find (const IfbamPlay *play, guint32 link)
{
  const guint32 number = play->part_of[link];

  return number == IFBAM_NONE ? NULL : &g_array_index (play->parts, IfbamPart, number);
}

/* Returns an empty list, which is created at its first use. size: of an item [bytes]. */
static inline GArray *
ifbam_emptied (GArray **list, guint size)
{
  if (*list == NULL)
    *list = g_array_new (FALSE, FALSE, size);
  ifbam_empty (*list);
  return *list;
}
