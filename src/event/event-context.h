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
  guint n_impacts;       /* impacts so far */
  double impulse;        /* sum of its impulses [N s] */
  guint log_entry;       /* 1 + index of the log entry of its last slow impulse; 0: none */
  gboolean participates; /* participates in the impact problem */
  guint active_item;     /* 1 + index in active_items; 0: none */
  guint chain_size,
      chain_start; /* chain of touching contacts: size (0: not listed), start in chains */
  gboolean counts_as_touching; /* counts as touching, in a chain after inelastic collapse */
} IfbamEventLink;

struct _IfbamEventContext
{
  GArray *links;         /* IfbamEventLink: states of links */
  guint32 *link_index;   /* index of a link's state in links; IFBAM_NONE: none (n_links) */
  GArray *impulse_nodes; /* guint32: nodes that got an external impulse */
  GArray *participants;  /* guint32: links of the impact problem */
  GArray *chains;        /* guint32: contacts, one chain after the other */
  GArray *jumped;        /* guint32: links switched by a jump: impulses that they trigger are due */
  gboolean has_impulse;  /* a link has applied an impulse */
  gboolean has_given;    /* the motion of a given node has changed: its rate may have jumped */
  gboolean
      is_time_stepped; /* the contacts got the impulses of a time step: none of them is active */

  /* Scratch. */
  GArray *approaching, *slow, *active_items, *transmitting;
  guint64 n_transmitting_lists; /* lists of ties begun so far */
  GArray *bilateral;            /* guint32: such constraints at the run's start; NULL: not listed */
  IfbamConstraintSystem system;
  IfbamContactWorkspace *contact;
  double *change; /* of node velocities, accelerations or forces; 0 between uses (n_nodes) */
};

/* Returns empty data (transfer full) for a model of so many links and nodes. */
IfbamEventContext *ifbam_event_context_new (gsize n_links, gsize n_nodes);

void ifbam_event_context_free (IfbamEventContext *context);

/* Clears the data after the event. */
void ifbam_event_context_clear (IfbamEventContext *context);

/* Returns a link's state, a new one if it has none; valid until another link gets one. */
IfbamEventLink *ifbam_event_context_get (IfbamEventContext *context, guint32 link);

/* Returns a link's state; NULL: it has none. */
static inline IfbamEventLink *
ifbam_event_context_find (const IfbamEventContext *context, guint32 link)
{
  const guint32 index = context->link_index[link];

  return index == IFBAM_NONE ? NULL : &g_array_index (context->links, IfbamEventLink, index);
}

/* Returns an empty list, which is created at its first use. size: of an item [bytes]. */
static inline GArray *
ifbam_array_reuse (GArray **list, guint size)
{
  if (*list == NULL)
    *list = g_array_new (FALSE, FALSE, size);
  ifbam_array_clear (*list);
  return *list;
}
