/* event-engine-internal.h: what the parts of the event engine share: its state, nodes on their course, who holds
 *
 * The network falls into components (nodes joined by law links), and at any time into islands:
 * components that are joined by links which act at that time. In a step each island is advanced by
 * the scheme; where a guard is crossed, the crossing is located by scheme steps of the island, and
 * only the islands that take part in the event have their step cut. (Lygeros et al. 2003 for the
 * words; Mosterman 1999 for what such engines have to do.)
 *
 *   forces.c     what links, sources and given nodes say
 *   constraint-reactions.c  relations that hold: their reactions
 *   step-work.c       the work of a step
 *   slip-direction.c        where relations go that slip in a direction
 *   island-step.c       one scheme step of an island
 *   implicit-step.c   the same of an implicit scheme: Newton's method
 *   newton-system.c     its systems of equations
 *   adaptive-steps.c       steps that a tolerance chooses
 *   penetration-correction.c    takes back overlaps that rounding makes where nothing approaches
 *   flip-flop-steps.c  what the flip-flop schemes need beyond one step
 *   islands.c    components and islands
 *   clusters.c   which of them may ever have to do with each other
 *   guards.c     the guards of links
 *   event-location.c     where one is crossed
 *   event-candidates.c      which may be crossed in a step
 *   event-log.c       what users are told
 *   event-samples.c       rows about an event
 *   monitors.c   what only watches, from outside
 *   event-context.c       an instant: what takes part in it
 *   advance-islands.c      who is brought to it
 *   contact-rows.c     constraint rows of links for the contact solver
 *   impacts.c   who gives impulses
 *   event-adhere.c     what slips slowly is stopped at once
 *   apply-impulses.c       impulses, and what follows from them
 *   active-set.c       who holds
 *   external-impulses.c     impulses from outside
 *   process-event.c    what happens at an instant: laws, impulses, then who holds
 *   event-snapshot.c      its state at a row, as one block
 *   controllers.c    controllers, and sources that follow them
 *   schedule.c     given instants, those that come again too
 *   state-transfer.c      a row's state for a compiled engine, and back
 *   event-engine.c     the engine: steps, the list of what comes next, given instants
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <float.h>
#include <math.h>

#include "engine/engine.h"
#include "event/evaluator.h"
#include "event/schedule.h"
#include "constraint/constraint.h"

#define IFBAM_NONE G_MAXUINT32
/* In the place of a candidate's link: an island's step ends (its stamp is the island's number). */
#define IFBAM_PACE (G_MAXUINT32 - 1)

/* Lists are most often empty already: nobody is called then. */
static inline void
ifbam_empty (GArray *list)
{
  if (list->len > 0)
    g_array_set_size (list, 0);
}

/* Of a large network (over IFBAM_FEW_EXTENTS nodes) what is large is asked at one row of so many; of what
 * links hear at each. */
#define IFBAM_EXTENT_ROWS 64
#define IFBAM_FEW_EXTENTS 64

/* So near to its guard a cubic does not say on which side of it [of the largest coordinate]. */
#define IFBAM_GUESS 1e-4

/* Where what does not end is given up. */
typedef struct
{
  guint impulses; /* rounds of impulses */
  guint pivots;   /* linear systems of a contact problem */
  guint settling; /* rounds of who holds and who breaks loose */
  guint jumps;    /* of laws, for each link, and once more for the network */
  guint answers;  /* of monitors to each other's impulses */
  guint lifts;    /* of what rounding has made overlap, for each link */
  guint events;   /* of a link within a step, at one instant after the other */
  guint turns;    /* to reach relations whose rows turn */
  guint
      pieces; /* of a step, where a distance whose direction turns is looked for what crosses it */
  guint halvings; /* of each of them */
} IfbamEventLimits;

/* So much work [rows that were looked at, or so] is done before anybody is asked whether to go on. */
#define IFBAM_UNASKED 4096

/* So many rows that act together, or more, are many: other ways lead to who acts, and how. */
#define IFBAM_MANY 24

/* A list of n for the time of a block: a short one, as at most events, needs no memory of its own. */
#define IFBAM_SHORT 8

static inline void
ifbam_give_back (gpointer list)
{
  if (G_UNLIKELY (*(gpointer *) list != NULL))
    g_free (*(gpointer *) list);
}

#define IFBAM_LIST(Type, name, n)                                                                  \
  Type name##_few[IFBAM_SHORT];                                                                    \
  __attribute__ ((cleanup (ifbam_give_back))) Type *name##_many =                                  \
      G_UNLIKELY ((gsize) (n) > IFBAM_SHORT) ? g_new (Type, n) : NULL;                             \
  Type *name = G_UNLIKELY (name##_many != NULL) ? name##_many : name##_few

/* A stretch [first, last) of nodes, or of a batch's links. */
typedef struct
{
  guint32 batch;
  gsize first, last;
} IfbamStretch;

/* A force that a given node hears. */
typedef struct
{
  gsize slot;
  guint32 node;
  double sign;
} IfbamGivenPort;

/* Nodes that are joined by law links: parts of the event engine's columns. The last component stands
 * for the whole network. */
struct _IfbamComponent
{
  gsize nodes, n_nodes;     /* stretches of nodes */
  gsize links, n_links;     /* stretches of links */
  gsize sources, n_sources; /* numbers of sources */
  gsize givens, n_givens;   /* given nodes that it hears */
  gsize ports, n_ports;     /* what moving given nodes hear of it */
  gsize singles, n_singles; /* links that it takes part in */
  gsize own, n_own;         /* those that it computes: they have their lowest free node in it */
  gsize voices, n_voices;   /* those of them that say a force */
  gsize losers, n_losers;   /* those of them that lose energy */
  gsize lossy, n_lossy;     /* stretches of links that do */
  gsize varying, n_varying; /* sources that depend on the time */
  gsize moving, n_moving;   /* given nodes that it hears and that move */
  gboolean fed;             /* energy may come in or go out by other ways than its losses */
  gboolean asleep;          /* somebody else advances it */
  gboolean disturbed;       /* an event has cut a step of it, since the flag was cleared */
  guint32 island;
  guint32 next; /* component of the island */
};

/* A straight relation's node moves with its group's leader. */
typedef struct
{
  guint32 node, leader; /* of a leader: its own number */
  double offset;
  gboolean position; /* the offset is kept, not only the rate */
} IfbamHeld;

typedef struct
{
  guint32 first; /* component; IFBAM_NONE: not in use */
  guint n_components;
  double time;  /* its state is of so long after the step's start [s] */
  double until; /* its prediction reaches so far [s] */
  /* Where a tolerance chooses steps: the next one to try, and the one after it; the errors of the last one and of the
   * one that is under way, in parts of the tolerance. */
  double next, after, error, error_after;
  double thrown;      /* 1: that one has begun where forces may just have leapt; 0: it has not */
  gboolean companion; /* under a flip-flop scheme: it steps by the companion until the step's end */
  GArray *rows;       /* guint32: links that hold (NULL: none) */
  GArray *held;       /* IfbamHeld, groups of the straight ones */
  gboolean curved;    /* some row is not straight */
  gboolean fixed;     /* some relation holds for ever */
  gboolean anew;      /* its rows were listed, and not factored since */
  gboolean lets_go;   /* some reaction has a bound, beyond which its relation does not hold */
  gboolean astray;    /* the coming cycle does not reach their relations */
  gboolean affected, listed; /* by the present instant; its links were asked who holds */
  guint64 tied;              /* the last list of ties that has its own */
  double tried;              /* the time of its last trial */
  guint64 looked;            /* the look in which that was */
  IfbamReactions system;
  IfbamReactions others; /* without the spare rows, which follow from them */
  GArray *spare;         /* guint32: places of rows, as they were found last; NULL: none was yet */
  gboolean shares;       /* they have answered without the spare ones, and shared their load */
  double *lambda;
  IfbamFeed pending;
} IfbamIsland;

typedef struct
{
  int mode;
  double force;          /* of its law, as last computed */
  double flight, answer; /* under a flip-flop scheme: in flight, and the next cycle's */
  double flight_row[IFBAM_MAX_PORTS], answer_row[IFBAM_MAX_PORTS];
  double reaction;  /* as last computed */
  double strongest; /* force or reaction that a guard has seen so far: what is rounding beside it */
  double row[IFBAM_MAX_PORTS];
  double share
      [IFBAM_MAX_CARRIERS]; /* of a friction with several carriers: the direction of their reaction */
  double aim[2];            /* of what can be aimed; NaN: it is not */
  double slack;             /* a contact that holds leaves so much of its gap */
  IfbamTally dissipated;
  double pending, last_loss;
  double memory[IFBAM_MEMORY]; /* a controller's; first: what it says */
  double lapse; /* when the part of its period is over that it said [s]; 0: when the next begins */
  guint stamp;  /* counts predictions of its islands */
  guint fired;  /* instants within this step at which it has had events */
  double first_event, middle_event, last_event; /* of these, after the step's start [s] */
  double last_fired;                            /* when, after the step's start [s] */
  guint repeated;                               /* how often at once */
  double since;     /* of what only watches: it is watched from so long after the step's start on */
  gboolean begins;  /* what a monitor hears has been at its level since the start */
  gboolean held;    /* has had too many events: held closed until the step's end */
  gboolean pinned;  /* a friction that sticks because others hold it: it carries nothing */
  gboolean bounced; /* the last instant in whose impulses it took part left it one */
} IfbamLinkState;

/* A crossing that is to come: between lo and hi after the step's start. */
typedef struct
{
  double lo, hi;
  guint32 link;  /* IFBAM_NONE: a given instant */
  guint32 stamp; /* number of the given instant, or the link's stamp */
  IfbamGuard guard;
  gboolean located;
  gboolean hidden; /* whether there is one can not be seen from here on */
} IfbamCandidate;

/* What only watches. */
typedef struct
{
  guint32 link;
  IfbamCandidate next; /* on the course as it is known; infinitely late: none */
} IfbamMonitor;

/* What is large in a domain of a cluster, and what is rounding beside it. */
typedef struct
{
  double largest, fastest; /* coordinate or gap, rate, so far */
  double turned; /* how far the end of a lever has gone around: ends are rounded like that, too */
  double position_floor, rate_floor;
} IfbamExtent;

/* Components that may ever have to do with each other: clusters.h. */
typedef struct
{
  GArray *components; /* guint32 */
  GArray *nodes;      /* guint32: those that its links hear, given ones, too; of few all */
  gsize n_nodes;      /* free ones */
  gboolean says;      /* some link of it does more than watch */
  gboolean few;       /* and it has at most IFBAM_FEW_EXTENTS nodes */
  GArray *heap;       /* IfbamCandidate: what is to come in this step */
  double early; /* by how much events of this step have come earlier than predicted, at most [s] */
  guint leaps;  /* in this step: see event-leap.h */
} IfbamCluster;

/* What takes part in an instant: event-context.h. */
typedef struct _IfbamPlay IfbamPlay;

/* What solves the equations of implicit steps: implicit-step.h. */
typedef struct _IfbamImplicit IfbamImplicit;

/* Steps that a tolerance chooses: adaptive-steps.h. */
typedef struct _IfbamPace IfbamPace;

/* A link of a batch whose ends both have prescribed motions, which is in no component: what it stored and lost at the last row. */
typedef struct
{
  gsize slot;
  double energy, loss; /* [J], [W] */
} IfbamBetweenGiven;

struct _IfbamEventEngine
{
  IfbamEngine base;
  const IfbamAnswers *objects; /* NULL: columns answer */
  gpointer asked;              /* theirs (owned) */
  GDestroyNotify free_asked;
  const IfbamScheme *scheme;    /* of steps without an event */
  const IfbamScheme *companion; /* of islands with one */
  guint64 step;                 /* number of the row from which the present step starts */
  gboolean unlocated;           /* events take place at the ends of steps */
  const IfbamLink *singles;     /* the model's, or the objects' own, or own_singles (not owned) */
  IfbamLink *own_singles;       /* NULL: nothing of them can be aimed */
  IfbamLink *aimed;             /* they, or the objects'; NULL likewise (not owned) */
  gboolean latency;
  gboolean by_hand;      /* objects go through their steps by themselves */
  gboolean autonomous;   /* nothing depends on the time but what happens at given instants */
  GArray *soon, *others; /* IfbamCandidate: scratch */
  gboolean quiet;        /* no event in this step */
  gboolean still;        /* nothing moved in the last step, nor will in the next */

  /* columns (n_nodes) */
  double *x, *v;   /* at the island's time */
  double *x1, *v1; /* predicted for its `until` */
  /* What a step from x, v begins with, where its scheme leans on what the step before has said of its end (see
   * ifbam_scheme_leans); NaN: what the forces at x, v give. And the same of x1, v1. */
  double *a, *a1;
  double *xt, *vt; /* of a trial */
  double *x2, *v2; /* of another */
  double *mobility;
  double *force, *acceleration;
  double *work[IFBAM_MAX_COLUMNS]; /* of a step */
  IfbamImplicit *implicit;         /* of one that goes by a table; NULL: there is none */
  IfbamPace *pace;                 /* NULL: each step is one from row to row */
  guint32 *seat;
  double *answer;                   /* forces of links and sources (n_slots + n_sources) */
  double *loss;                     /* scratch of the same length */
  IfbamTally *dissipated;           /* by links (n_slots); NULL: no full account */
  double *pending_loss, *last_loss; /* the same */
  double *last_supply;              /* by component: powers at the last row [W] */
  GArray *between_given;            /* IfbamBetweenGiven */
  double *constant; /* sources that do not depend on the time; else NaN (n_sources) */
  /* Of sources, then of given nodes: they are asked within this time only (n_sources + n_given). */
  double *piece_from, *piece_until;
  guint8 *acts;     /* of a source: nothing that it follows holds it back (n_sources) */
  double *strength; /* of a source: what it is multiplied by, while it acts (n_sources) */
  guint8 *
      pulsing; /* of a link: a controller that something follows for a part of each period (n_links) */

  /* flip-flop: the cycle's columns and forces in flight, and those after the coming cycle */
  double *column[IFBAM_MAX_COLUMNS], *next[IFBAM_MAX_COLUMNS];
  double *flight, *next_flight; /* (n_slots + n_sources) */

  IfbamLinkState *link;                   /* (n_links) */
  guint32 *node_link_start, *node_link;   /* ends of links at a node: see ifbam_end_new () */
  guint32 *node_voice_start, *node_voice; /* those of them that say a force */
  GArray *heard;                          /* guint32: nodes that links hear, increasing */
  IfbamPort *port_of;                     /* of a node: the sum of its forces (n_nodes) */
  guint32 *component_of;                  /* of a node; given ones: IFBAM_NONE */
  guint32 *home;                          /* of a link: that of its free nodes, if they have one */
  GArray *components;                     /* IfbamComponent; the last: all */
  guint own_stretches, own_numbers;       /* of components but the last */
  GArray *stretches, *numbers;            /* IfbamStretch; guint32: sources, givens, links */
  GArray *ports;                          /* IfbamGivenPort */
  GPtrArray *islands;                     /* IfbamIsland, by their lowest components */
  GArray *holding;                        /* guint32: islands with rows */
  GArray *scattered; /* guint32: components of the islands that are put together anew */
  guint8 *node_mark; /* scratch (n_nodes) */

  GArray *heap;      /* IfbamCandidate: those that are found; clusters get theirs */
  GArray *order;     /* IfbamCandidate: when what is first in a cluster (link) comes */
  GArray *monitors;  /* IfbamMonitor: what only watches */
  guint8 *outside;   /* of a link: it is one of these (n_links) */
  gboolean unseen;   /* courses have changed since they looked */
  guint64 looks;     /* at trials, in each of which nothing changes */
  GArray *affected;  /* guint32: islands of the present event */
  GArray *changing;  /* IfbamCandidate: what fires at an instant, and who follows */
  GArray *old_modes; /* int: of those who follow */
  GArray *also;      /* IfbamCandidate: whose instants they ask for */
  GArray *sunk;      /* guint32: contacts that were too deep when the step began */
  GArray *fired;     /* IfbamCandidate */
  IfbamPlay *play;   /* the present instant */
  guint next_instant;
  guint n_given; /* instants among the candidates, all of them for one time */
  IfbamAgenda *agenda;
  GArray *given;     /* guint32: instants that are done together */
  double given_time; /* of the instant that is passed, as the file says it [s]; NaN: of none */
  double row_time;   /* of the row around an event that is told [s]; NaN: of none */
  guint n_clusters;
  IfbamCluster *clusters; /* (n_clusters) */
  IfbamExtent *extent;    /* of clusters, by domain (n_clusters * IFBAM_N_DOMAINS) */
  guint32 *cluster_of;    /* of a component, a link or an impulse, one after the other */
  guint32 *cluster_root;  /* likewise: the lowest of those that it is joined to so */
  guint32 *link_cluster, *impulse_cluster; /* where these begin among them */
  guint32 *hearer; /* a component that hears a given node; IFBAM_NONE: there is none (n_given) */
  GArray *told;    /* guint32: clusters of the events of this step, the last that were told */
  gboolean tells_late; /* somebody else puts them in order */
  double *lever;       /* the longest that an angle has in a relation; 0: it has none (n_nodes) */
  guint8 *domain, *link_domain; /* of a node (n_nodes); of a link's compression (n_links) */
  gboolean accounts;            /* work is booked */
  gboolean starting;            /* modes that are found at the start are no events */
  char *failure;                /* why it can't go on */
  double failed;                /* since when [s] */
  IfbamEventLimits limits;
  guint unasked;   /* work since somebody was asked whether to go on, */
  double asked_at; /* at which time [s] */
  /* Links that were held closed to a step's end: how many times, the first one, and when. */
  struct
  {
    guint n;
    guint32 first;
  } closed;
  double first_closed; /* [s] */

  /* for its state: what islands keep; NULL: nobody has asked */
  double *offset;     /* of a node in its group that is held (n_nodes) */
  guint32 *redundant; /* whether the component's island has had to share its reactions out */

  IfbamFeed fed;
  IfbamTally lost;     /* by impulses from outside */
  gboolean has_active; /* links that may bring energy; else brought stays 0 and is no state */
  IfbamTally brought;  /* by links with negative losses, of those that are booked */
};

/* What only objects are told. */
#define IFBAM_TELL(self, what, ...)                                                                \
  do                                                                                               \
    if (G_UNLIKELY ((self)->objects != NULL))                                                      \
      (self)->objects->what ((self), __VA_ARGS__);                                                 \
  while (0)

/* A link's end: its number and which of its ports. */
#define IFBAM_PORT_BITS 3
_Static_assert(IFBAM_MAX_PORTS <= 1 << IFBAM_PORT_BITS, "ends have room for all ports");

static inline guint32
ifbam_end_new (guint32 link, guint port)
{
  return link << IFBAM_PORT_BITS | port;
}

static inline guint32
ifbam_end_link (guint32 end)
{
  return end >> IFBAM_PORT_BITS;
}

static inline guint
ifbam_end_port (guint32 end)
{
  return end & ((1 << IFBAM_PORT_BITS) - 1);
}

static inline IfbamIsland *
ifbam_island (const IfbamEventEngine *self, guint32 number)
{
  return self->islands->pdata[number];
}

static inline IfbamComponent *
ifbam_component (const IfbamEventEngine *self, guint32 number)
{
  return &g_array_index (self->components, IfbamComponent, number);
}

static inline const IfbamLink *
ifbam_link (const IfbamEventEngine *self, guint32 number)
{
  return &self->singles[number];
}

static inline IfbamMotion
ifbam_event_given (const IfbamEventEngine *self, gsize node, double time)
{
  const double *motion = ifbam_numbers_motion (self->base.numbers, node, time);

  return (IfbamMotion){ motion[0], motion[1], motion[2] };
}

/* The time within the piece of its law that is present, and the motion there. */
static inline double
ifbam_event_given_time (const IfbamEventEngine *self, gsize node, double time)
{
  const gsize piece = self->base.model->n_sources + node - self->base.model->n_free;

  return CLAMP (time, self->piece_from[piece], self->piece_until[piece]);
}

static inline IfbamMotion
ifbam_event_given_now (const IfbamEventEngine *self, gsize node, double time)
{
  return ifbam_event_given (self, node, ifbam_event_given_time (self, node, time));
}

/* What hinders a stage to change a node's rate [kg/s]. */
static inline double
ifbam_event_inertia_by (const IfbamEventEngine *self, guint32 node, double a)
{
  return ifbam_model_is_junction (self->base.model, node) ? 0 : 1 / (a * self->mobility[node]);
}

/* The island of a node; IFBAM_NONE for given ones. */
static inline guint32
ifbam_island_of (const IfbamEventEngine *self, guint32 node)
{
  guint32 component = self->component_of[node];

  return component == IFBAM_NONE ? IFBAM_NONE : ifbam_component (self, component)->island;
}

static inline double
ifbam_event_time (const IfbamEventEngine *self)
{
  return (double) self->step * self->base.spec->step;
}

/* A time after the step's start. The step's end is the next row's time to the last digit, so that what
 * a given node holds there is where the row tells it. */
static inline double
ifbam_event_after (const IfbamEventEngine *self, double time)
{
  const double step = self->base.spec->step;

  return fabs (time - step) <= 2 * DBL_EPSILON * step ? (double) (self->step + 1) * step
                                                      : ifbam_event_time (self) + time;
}

/* What users are told of a time after the step's start. */
static inline double
ifbam_event_told_time (const IfbamEventEngine *self, double time)
{
  return isnan (self->given_time) ? ifbam_event_after (self, time) : self->given_time;
}

/* That of its compression. */
static inline IfbamDomain
ifbam_event_domain (const IfbamEventEngine *self, guint32 number)
{
  return self->link_domain[number];
}

static inline IfbamExtent *
ifbam_event_extent (const IfbamEventEngine *self, guint32 link)
{
  return &self->extent[self->link_cluster[link] * IFBAM_N_DOMAINS
                       + ifbam_event_domain (self, link)];
}

/* Of a free node. */
static inline IfbamExtent *
ifbam_event_node_extent (const IfbamEventEngine *self, gsize node)
{
  return &self->extent[self->cluster_of[self->component_of[node]] * IFBAM_N_DOMAINS
                       + self->domain[node]];
}

/* The mode of what presses a link. */
static inline int
ifbam_link_pressing (const IfbamEventEngine *self, const IfbamLink *link)
{
  return link->press == NULL || link->press->single == IFBAM_NO_NODE
             ? 0
             : self->link[link->press->single].mode;
}

/* A law's numbers now. */
static inline const void *
ifbam_link_numbers_now (const IfbamEventEngine *self, guint32 number, double *room)
{
  const IfbamLink *link = ifbam_link (self, number);

  return ifbam_link_numbers_at (link, self->x, self->v, ifbam_link_pressing (self, link), room);
}

/* Its relation at coordinates, on which it depends where something presses. */
static inline IfbamRelation
ifbam_link_relation_at (const IfbamEventEngine *self, guint32 number, const double *x,
                        const double *v)
{
  const IfbamLink *link = ifbam_link (self, number);
  double room[IFBAM_MAX_LAW];

  return link->law->relation (
      ifbam_link_numbers_at (link, x, v, ifbam_link_pressing (self, link), room),
      self->link[number].mode);
}

/* The same now. */
static inline IfbamRelation
ifbam_link_relation (const IfbamEventEngine *self, guint32 number)
{
  return ifbam_link_relation_at (self, number, self->x, self->v);
}

/* The further relations of a link that one of it carries. */
#define IFBAM_FOR_CARRIED(carried, number)                                                         \
  for (guint32 carried = ifbam_first_carried (self, number); carried != IFBAM_NONE;                \
       carried = ifbam_next_carried (self, number, carried))

static inline guint32
ifbam_next_carried (const IfbamEventEngine *self, guint32 number, guint32 carried)
{
  for (carried++; carried < self->base.model->singles->len && ifbam_link (self, carried)->place > 0;
       carried++)
    if (ifbam_link_is_carried (ifbam_link (self, carried))
        && number - ifbam_link (self, carried)->carrier < ifbam_link (self, carried)->n_carriers)
      return carried;
  return IFBAM_NONE;
}

static inline guint32
ifbam_first_carried (const IfbamEventEngine *self, guint32 number)
{
  return ifbam_link (self, number)->carries ? ifbam_next_carried (self, number, number)
                                            : IFBAM_NONE;
}

/* What a friction that is carried, and slips, makes of its carrier's reaction, forward; else 0. */
static inline double
ifbam_link_slip (const IfbamEventEngine *self, guint32 number)
{
  const int direction = ifbam_link_is_carried (ifbam_link (self, number))
                            ? ifbam_friction_direction (self->link[number].mode)
                            : 0;

  return direction == 0 ? 0 : direction * ifbam_link_relation (self, number).coulomb;
}

/* The one whose reaction alone bounds it, so that it brakes in hits, too; of several it is bounded by forces only. */
static inline guint32
ifbam_first_brake (const IfbamEventEngine *self, guint32 number)
{
  const guint32 carried = ifbam_first_carried (self, number);

  return carried != IFBAM_NONE && ifbam_link (self, carried)->n_carriers == 1 ? carried
                                                                              : IFBAM_NONE;
}

#define IFBAM_FOR_BRAKES(brake, number)                                                            \
  for (guint32 brake = ifbam_first_brake (self, number); brake != IFBAM_NONE;                      \
       brake = ifbam_next_carried (self, number, brake))

/* What a friction makes of the reaction of one of its carriers, as it pulls along with that. */
static inline double
ifbam_link_slip_on (const IfbamEventEngine *self, guint32 carried, guint32 number)
{
  const IfbamLink *link = ifbam_link (self, carried);
  const double slip = ifbam_link_slip (self, carried);

  return link->n_carriers == 1 ? slip : slip * self->link[carried].share[number - link->carrier];
}

/* The size of what holds a relation, together with what holds it across. */
static inline double
ifbam_event_reaction (const IfbamEventEngine *self, guint32 number)
{
  const double own = self->link[number].reaction;
  const double across = self->singles[number].leads ? self->link[number + 1].reaction : 0;

  return across == 0 ? fabs (own) : sqrt (own * own + across * across);
}

/* Under a flip-flop scheme: the rate that is foreseen for the end of a step, from the positions there, at
 * its start and one row before it. */
static inline double
ifbam_event_foreseen_rate (const IfbamEventEngine *self, double next, double now, double before)
{
  return (3 * next - 4 * now + before) / (2 * self->base.spec->step);
}

static inline const IfbamStretch *
ifbam_index_range (const IfbamEventEngine *self, gsize i)
{
  return &g_array_index (self->stretches, IfbamStretch, i);
}

static inline guint32
ifbam_number (const IfbamEventEngine *self, gsize i)
{
  return g_array_index (self->numbers, guint32, i);
}

/* Walks through the components of an island, or meets the one that stands for all. */
static inline const IfbamComponent *
ifbam_first_component (const IfbamEventEngine *self, guint32 island)
{
  return ifbam_component (self, island == IFBAM_NONE ? self->components->len - 1
                                                     : ifbam_island (self, island)->first);
}

static inline const IfbamComponent *
ifbam_next_component (const IfbamEventEngine *self, const IfbamComponent *component)
{
  return component->next == IFBAM_NONE ? NULL : ifbam_component (self, component->next);
}

#define IFBAM_FOR_COMPONENTS_FROM(component, from)                                                 \
  for (const IfbamComponent *component = from; component != NULL;                                  \
       component = ifbam_next_component (self, component))

#define IFBAM_FOR_COMPONENTS(component, island)                                                    \
  IFBAM_FOR_COMPONENTS_FROM (component, ifbam_first_component (self, island))

/* A component's stretches of nodes. */
#define IFBAM_FOR_NODES(stretch, component)                                                        \
  for (const IfbamStretch *stretch = ifbam_index_range (self, (component)->nodes),                 \
                          *stretch##_end = stretch + (component)->n_nodes;                         \
       stretch < stretch##_end; stretch++)

/* One of the lists of numbers of a component. */
#define IFBAM_FOR_LIST(number, component, list)                                                    \
  for (const guint32 *number = &g_array_index (self->numbers, guint32, (component)->list),         \
                     *number##_end = number + (component)->n_##list;                               \
       number < number##_end; number++)

static inline void
ifbam_swap_columns (double **a, double **b)
{
  double *swap = *a;

  *a = *b;
  *b = swap;
}

/* A node is told where to be, and how fast. */
static inline void
ifbam_event_impose (IfbamEventEngine *self, guint32 node, const double *position,
                    const double *rate)
{
  IFBAM_TELL (self, impose, node, position);
  IFBAM_TELL (self, impose, node, rate);
}

/* Measures a link at its ports' coordinates; returns its rate. The row is that along which it pulls. */
static inline double
ifbam_link_hear (const IfbamLink *link, const double *position, const double *rate, double *delta,
                 double *row)
{
  double sum = 0;

  if (link->geometry->straight && link->n_ports == 2)
    {
      row[0] = 1;
      row[1] = -1;
      *delta = position[0] - position[1];
      return rate[0] - rate[1];
    }
  link->geometry->measure (link->shape, position, rate, delta, row);
  /* One by one: what was stored as doubles can't be loaded at once as pairs without waiting. */
  for (guint e = 0; e < link->n_ports; e++)
    {
      IFBAM_SCALAR_LOOP;
      sum += row[e] * rate[e];
    }
  if (G_UNLIKELY (link->geometry->pull != NULL))
    link->geometry->pull (link->shape, row);
  return sum;
}

/* The same at the nodes' columns. */
static inline double
ifbam_link_measure (const IfbamLink *link, const double *position, const double *rate,
                    double *delta, double *row)
{
  double x[IFBAM_MAX_PORTS], v[IFBAM_MAX_PORTS];

  for (guint e = 0; e < link->n_ports; e++)
    {
      IFBAM_SCALAR_LOOP;
      x[e] = position[link->node[e]];
      v[e] = rate[link->node[e]];
    }
  return ifbam_link_hear (link, x, v, delta, row);
}

/* A link at the nodes' columns; returns what its row's change adds to its acceleration. */
static inline double
ifbam_link_bend (const IfbamLink *link, const double *position, const double *rate, double *row)
{
  const IfbamGeometry *geometry = link->geometry;
  double x[IFBAM_MAX_PORTS], v[IFBAM_MAX_PORTS], delta;

  for (guint e = 0; e < link->n_ports; e++)
    {
      IFBAM_SCALAR_LOOP;
      x[e] = position[link->node[e]];
      v[e] = rate[link->node[e]];
    }
  if (geometry->measure_and_bend != NULL)
    return geometry->measure_and_bend (link->shape, x, v, &delta, row);
  geometry->measure (link->shape, x, v, &delta, row);
  return geometry->bend == NULL ? 0 : geometry->bend (link->shape, x, v);
}

/* What a link's law says, and at what rates its states change (flow, as many), if it has such, where its ports and states
 * are so; pressing: the mode of what presses it. */
static inline double
ifbam_link_force (const IfbamLink *link, int mode, int pressing, double delta, double rate,
                  const double *x, const double *v, double *flow)
{
  const IfbamLaw *law = link->law;
  double room[IFBAM_MAX_LAW];
  const void *numbers = ifbam_link_numbers (link, x, v, pressing, room);

  if (law->n_states > 0)
    law->state_rates (numbers, mode, delta, rate, flow);
  return law->force (numbers, mode, delta, rate);
}

/* A free node of an island within a step that a tolerance has chosen. */
void ifbam_pace_node (const IfbamEventEngine *self, const IfbamIsland *island, guint32 node,
                      double time, double *x, double *v);

/* A free node of an island at a time after the step's start, between the island's time and prediction. */
static inline void
ifbam_island_node (const IfbamEventEngine *self, const IfbamIsland *island, guint32 node,
                   double time, double *x, double *v)
{
  double h, u, x0, x1, v0, v1;

  if (time <= island->time)
    {
      *x = self->x[node];
      *v = self->v[node];
      return;
    }
  if (time >= island->until)
    {
      *x = self->x1[node];
      *v = self->v1[node];
      return;
    }
  if (G_UNLIKELY (self->pace != NULL))
    {
      ifbam_pace_node (self, island, node, time, x, v);
      return;
    }
  h = island->until - island->time;
  u = (time - island->time) / h;
  x0 = self->x[node];
  x1 = self->x1[node];
  v0 = self->v[node];
  v1 = self->v1[node];
  *x = x0
       + u
             * (h * v0
                + u * ((3 * (x1 - x0) - h * (2 * v0 + v1)) + u * (h * (v0 + v1) - 2 * (x1 - x0))));
  *v = v0 + u * (2 * (3 * (x1 - x0) / h - 2 * v0 - v1) + 3 * u * (v0 + v1 - 2 * (x1 - x0) / h));
}

/* Whether a free node is not at rest throughout its step; a state, whether it changes. */
static inline gboolean
ifbam_event_node_moves (const IfbamEventEngine *self, gsize node)
{
  return ifbam_model_is_inner (self->base.model, node)
             ? self->v1[node] != self->v[node]
             : self->v[node] != 0 || self->v1[node] != 0 || self->x1[node] != self->x[node];
}

/* Whether a link's mode joins the nodes at its ends. */
gboolean ifbam_link_couples (const IfbamEventEngine *self, guint32 number);

gboolean ifbam_relation_holds (const IfbamRelation *relation, int mode);

/* Whether a link's reaction keeps its relation now. */
gboolean ifbam_link_holds (const IfbamEventEngine *self, guint32 number);

/* The same of any node; a given one is where it is told to be. */
void ifbam_event_node (const IfbamEventEngine *self, guint32 node, double time, double *x,
                       double *v);

/* The compression of a link, and its rate, at a time after the step's start, with the nodes on their course. */
double ifbam_link_estimate (const IfbamEventEngine *self, guint32 link, double time, double *delta);

/* Its law's numbers at that time; room: (IFBAM_MAX_LAW). */
const void *ifbam_link_numbers_estimate (const IfbamEventEngine *self, guint32 number, double time,
                                         double *room);

guint ifbam_event_link_islands (const IfbamEventEngine *self, guint32 link, guint32 *islands);

/* A cluster's coordinates or rates in a domain may be so large. */
void ifbam_event_extend (const IfbamEventEngine *self, IfbamExtent *extent, double position,
                         double rate);

/* Its levers may have gone around so far. */
void ifbam_event_turn (const IfbamEventEngine *self, IfbamExtent *extent, double way);

/* What is rounding, by what is large at the start of a step; with a free node that has got faster since. */
void ifbam_event_floors (IfbamEventEngine *self);

void ifbam_event_widen (IfbamEventEngine *self, guint32 node);
/* With a given node, which many may hear: for those that a component hears. */
void ifbam_event_widen_given (IfbamEventEngine *self, guint32 component, guint32 node);
