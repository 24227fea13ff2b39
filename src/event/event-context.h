/* event-context.h: an instant: what takes part in it
 *
 * Everything here is of one instant, and of nobody when it is over: of what has happened the run's state
 * knows only what the links' modes and nodes' rates tell.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-engine-internal.h"

/* A link's part in it. */
typedef struct
{
  guint32 link;
  guint hits;        /* restitutions */
  double impulse;    /* given so far */
  guint noted;       /* 1 + number of the event that told its last slow impulse; 0: none */
  gboolean in_play;  /* takes part in the impulses */
  guint active_item; /* 1 + its index among those that may be active; 0: none */
  guint company,
      first; /* contacts that touch or nearly do, from one to the next, this among them: so many of
                           play->companions, from there on; 0: they are not counted yet */
  gboolean near; /* touches as far as can be seen */
} IfbamPart;

struct _IfbamPlay
{
  GArray *parts;      /* IfbamPart */
  guint32 *part_of;   /* number of a link's; IFBAM_NONE: it has none (n_links) */
  GArray *struck;     /* guint32: nodes that got an impulse from outside */
  GArray *in_play;    /* guint32: links that take part in the impulses */
  GArray *companions; /* guint32: contacts, company after company */
  GArray *tripped;    /* guint32: monitors that impulses have taken across, to be answered */
  gboolean pushed;    /* somebody got an impulse from a link */
  gboolean leapt;     /* what touches got what it pushes in a while: nobody of it holds */

  /* scratch */
  GArray *approaching, *slow, *active_items, *ties;
  guint64 tie_lists; /* so many have begun */
  GArray
      *bilateral; /* guint32: links that hold rigidly as the run starts; NULL: nobody has asked */
  IfbamReactions system;
  IfbamContactWorkspace *contact;
  double *change; /* of its nodes' rates, or accelerations; 0 between uses (n_nodes) */
};

IfbamPlay *ifbam_play_new (gsize n_links, gsize n_nodes);

void ifbam_play_free (IfbamPlay *play);

/* The instant is over: nobody has a part in it. */
void ifbam_play_end (IfbamPlay *play);

/* A link's part, and if it has none yet, a new one; until another gets one. */
IfbamPart *ifbam_play_part (IfbamPlay *play, guint32 link);

/* NULL: it has none. */
static inline IfbamPart *
ifbam_play_find (const IfbamPlay *play, guint32 link)
{
  const guint32 number = play->part_of[link];

  return number == IFBAM_NONE ? NULL : &g_array_index (play->parts, IfbamPart, number);
}

/* A list that is used again at each instant. */
static inline GArray *
ifbam_emptied (GArray **list, guint size)
{
  if (*list == NULL)
    *list = g_array_new (FALSE, FALSE, size);
  ifbam_empty (*list);
  return *list;
}
