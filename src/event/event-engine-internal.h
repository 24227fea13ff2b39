/* event-engine-internal.h: state of the event engine, and access to its nodes, links and islands
 *
 * A component consists of nodes joined by links without modes; an island, of components joined by
 * links that are active now. The scheme advances each island. If a guard is crossed, scheme steps
 * of its islands locate the crossing. Only the islands that take part in an event end their step
 * there. (Terms: Lygeros et al. 2003; tasks of such engines: Mosterman 1999.)
 *
 *   event-engine.c            the engine: steps, order of candidate events, scheduled events
 *   schedule.c                sorted list of scheduled events, single and periodic
 *   process-event.c           one event: mode changes of laws, impulses, then the active set
 *   event-context.c           working data of one event
 *   advance-islands.c         advances islands to the event time, and adds links to the event
 *   islands.c                 components and islands
 *   clusters.c                groups of components that may ever become coupled
 *   forces.c                  forces of links and sources, motions of given nodes
 *   island-step.c             one scheme step of an island
 *   implicit-step.c           one step of an implicit scheme, by Newton's method
 *   newton-system.c           linear systems of Newton's method
 *   flip-flop-steps.c         flip-flop schemes: forces in transit, histories after an event
 *   adaptive-steps.c          adaptive steps with dense output
 *   step-size-control.c       step size control by a tolerance
 *   manual-step.c             a step in stages that the objects execute
 *   step-work.c               work, dissipation and stored energy
 *   guards.c                  values and rounding thresholds of guards
 *   event-candidates.c        guards that may be crossed in a step
 *   event-location.c          location of a crossing
 *   event-log.c               log of events, failures
 *   event-samples.c           samples just before and just after an event
 *   monitors.c                monitors that only record crossings
 *   controllers.c             controllers, and the sources and motions that they scale
 *   contact-rows.c            constraint rows of links for the contact solver
 *   impacts.c                 impacts
 *   event-coupled.c           impacts in which friction changes the approach
 *   apply-impulses.c          applies impulses, with the friction impulses that they cause
 *   external-impulses.c       external impulses
 *   event-adhere.c            slip arrest
 *   event-leap.c              time-stepping fallback
 *   active-set*.c             active constraints after an event
 *   slip-direction.c          direction of a planar slip in a step
 *   constraint-reactions.c    reactions of the active constraints, projection onto them
 *   constraint-check.c        checks that constraints are satisfied at a step's end
 *   penetration-correction.c  removes penetrations that rounding causes
 *   event-snapshot.c          the engine's state at a sample, as one block
 *   state-transfer.c          exchange of the state with a compiled engine
 *   dual-engine.c             runs inactive clusters on the compiled engine
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
/* IfbamCandidate.link of the end of an island's adaptive step; the stamp is the island's index. */
#define IFBAM_STEP_END (G_MAXUINT32 - 1)

/* Empties a list. Most lists are empty already: the test saves the call. */
static inline void
ifbam_array_clear (GArray *list)
{
  if (list->len > 0)
    g_array_set_size (list, 0);
}

/* If a network has more than IFBAM_FEW_NODES nodes, magnitude scales include all nodes only at
 * every IFBAM_MAGNITUDE_SAMPLES-th step. They include the nodes at unbatched links at each step. */
#define IFBAM_MAGNITUDE_SAMPLES 64
#define IFBAM_FEW_NODES         64

/* A guard value above this is certain without a scheme step [of the largest coordinate or rate]. */
#define IFBAM_INTERPOLATION_ERROR 1e-4

/* Limits beyond which an event or a step fails. */
typedef struct
{
  guint impulses;       /* rounds of impacts at one event */
  guint pivots;         /* linear systems of one contact problem */
  guint rounds;         /* rounds of an active set search, or of impacts without progress */
  guint jumps;          /* mode changes of laws at one event: this times (n_links + 1) */
  guint monitor_rounds; /* rounds of monitors and triggered impulses at one event */
  guint corrections;    /* penetration corrections after a step: this times n_links */
  guint events;         /* event times of one link in a step */
  guint iterations;     /* Newton iterations of a projection onto constraints with variable rows */
  guint pieces;   /* intervals of a step in which crossings of a distance guard are searched */
  guint halvings; /* bisections of each of them */
} IfbamEventLimits;

/* Work between two checks for an interrupt [constraint rows, nodes or similar]. */
#define IFBAM_WORK_BETWEEN_CHECKS 4096

/* Number of active rows from which on projections reuse a factorization (chord method). */
#define IFBAM_MANY_ROWS 24

/* IFBAM_SHORT_LIST declares an array of n for the enclosing block: on the stack up to this
 * length. */
#define IFBAM_SHORT_LENGTH 8

static inline void
ifbam_free_long_list (gpointer list)
{
  if (G_UNLIKELY (*(gpointer *) list != NULL))
    g_free (*(gpointer *) list);
}

#define IFBAM_SHORT_LIST(Type, name, n)                                                            \
  Type name##_few[IFBAM_SHORT_LENGTH];                                                             \
  __attribute__ ((cleanup (ifbam_free_long_list))) Type *name##_many =                             \
      G_UNLIKELY ((gsize) (n) > IFBAM_SHORT_LENGTH) ? g_new (Type, n) : NULL;                      \
  Type *name = G_UNLIKELY (name##_many != NULL) ? name##_many : name##_few

/* Index range [first, last) of nodes, or of the links of a batch. */
typedef struct
{
  guint32 batch;
  gsize first, last;
} IfbamIndexRange;

/* The force of a batched link on a moving given node. */
typedef struct
{
  gsize slot; /* index of the force in answer[] */
  guint32 node;
  double sign; /* of the force on the node: 1 or -1 */
} IfbamGivenPort;

/* Nodes joined by links without modes. Each pair holds the first index and the count of consecutive
 * entries of an engine's list. The last component contains all active components. */
struct _IfbamComponent
{
  gsize nodes, n_nodes;         /* in ranges: ranges of its free nodes */
  gsize links, n_links;         /* in ranges: ranges of its batched links */
  gsize sources, n_sources;     /* in numbers: its sources */
  gsize givens, n_givens;       /* in numbers: given nodes at its links */
  gsize ports, n_ports;         /* in ports: forces of its batched links on moving given nodes */
  gsize unbatched, n_unbatched; /* in numbers: unbatched links with a port in it */
  gsize own, n_own; /* in numbers: singles with their lowest free node in it; it computes these */
  gsize forces, n_forces;           /* in numbers: own links with a force law */
  gsize dissipative, n_dissipative; /* in numbers: own links that may dissipate */
  gsize dissipative_ranges,
      n_dissipative_ranges;   /* in numbers: dissipative ranges (indices in ranges) */
  gsize varying, n_varying;   /* in numbers: sources that depend on time */
  gsize moving, n_moving;     /* in numbers: given nodes that move */
  gboolean has_external_work; /* sources or moving given nodes may do work on it */
  gboolean is_inactive;       /* inactive: the compiled engine advances it */
  gboolean is_replaced; /* its prediction was replaced within a step since the flag was cleared */
  guint32 island;       /* index of its island */
  guint32 next;         /* next component of the island; IFBAM_NONE: the last one */
};

/* A merged node: it moves with the leader of the nodes that constraints with constant rows join. */
typedef struct
{
  guint32 node, leader; /* of a leader: its own index */
  double offset;        /* position minus the leader's position [m] */
  gboolean position;    /* positions are merged; FALSE: only velocities */
} IfbamMergedNode;

/* Components joined by active links. Index: its lowest component. Times: after the step's start. */
typedef struct
{
  guint32 first; /* component; IFBAM_NONE: not in use */
  guint n_components;
  double time;  /* of its state x, v [s] */
  double until; /* end of its prediction x1, v1 [s] */
  /* Adaptive steps: lengths of the next trial step and of the step after it [s]; errors of the last
   * step and of the present one, relative to the tolerance. */
  double next_step, step_after, error, error_after;
  double
      after_jump; /* adaptive steps: 1 if the present step begins after a jump of forces, else 0 */
  gboolean uses_restart; /* the restart scheme advances it until the step's end */
  GArray *rows;   /* guint32: links with active constraints, in file order; NULL: none so far */
  GArray *merged; /* IfbamMergedNode: nodes merged by constraints with constant rows */
  gboolean has_variable_rows; /* some constraint row depends on the coordinates */
  gboolean has_fixed;         /* some constraint is permanent (IFBAM_CONSTRAINT_FIXED) */
  gboolean rows_changed;      /* its rows have changed since the last factorization */
  gboolean has_limited;       /* some constraint is not bilateral: its reaction has a limit */
  gboolean is_violated; /* flip-flop schemes: the next cycle does not satisfy its constraints */
  gboolean affected, listed; /* in the present event; in the active set search */
  guint64
      bilateral_list; /* IfbamEventContext.n_transmitting_lists when its bilateral constraints were listed last */
  double trial_time;   /* end of its last trial step [s] */
  guint64 trial_batch; /* trial batch of that step (IfbamEventEngine.candidates.n_trials) */
  IfbamConstraintSystem system;      /* of all rows */
  IfbamConstraintSystem independent; /* without the redundant rows */
  GArray
      *redundant; /* guint32: redundant rows, as found last (indices in rows); NULL: none so far */
  gboolean shares_load; /* lambda was solved with `others`, and redundant rows share the load */
  double *lambda;       /* reactions [N] (rows->len) */
  IfbamExternalWork pending; /* external work of the present step, not booked yet [J] */
} IfbamIsland;

/* State of an unbatched link, or of a further constraint of it. Times: after the step's start. */
typedef struct
{
  int mode;
  double force; /* of its law, as last computed [N] */
  double flight,
      next_force; /* flip-flop schemes: force in transit, and that of the next cycle [N] */
  double flight_row[IFBAM_MAX_PORTS], next_row[IFBAM_MAX_PORTS];
  double reaction;    /* of its constraint, as last computed [N] */
  double force_scale; /* largest force or reaction in its guards so far [N]: scale of thresholds */
  double row[IFBAM_MAX_PORTS]; /* Jacobian row or force direction, as last computed (n_ports) */
  double carrier_direction
      [IFBAM_MAX_CARRIERS]; /* friction: direction cosines of its carriers' reactions */
  double slip_direction[2]; /* planar friction: slip direction of the step; NaN: that of the slip */
  double remaining_gap;     /* gap that an active contact leaves [m] */
  IfbamTally dissipated;    /* energy dissipated so far [J] */
  double pending, last_loss;   /* of this step, not booked yet [J]; power at the last sample [W] */
  double memory[IFBAM_MEMORY]; /* of a controller; [0]: its output */
  double
      pulse_end;  /* absolute time at which a controller's pulse ends in this period [s]; 0: none */
  guint stamp;    /* counts predictions of its islands: candidates with another stamp are stale */
  guint n_events; /* event times in this step */
  double first_event, middle_event, last_event; /* first, middle and last of these [s] */
  double last_fired;                            /* time of the last located event [s] */
  guint n_repeated;                             /* consecutive located events without a delay */
  double recorded_until; /* recording monitor: crossings up to this time are recorded [s] */
  gboolean
      starts_at_threshold; /* monitor: its quantity has been at the threshold since the run's start */
  gboolean is_suspended;   /* suspended: closed until the step's end, after too many events */
  gboolean
      is_prevented; /* friction that other constraints keep from slipping: it has no reaction */
  gboolean bounced; /* it separates after the impulses of its last event */
} IfbamLinkState;

/* A candidate event: a crossing between lo and hi after the step's start [s]. */
typedef struct
{
  double lo, hi;
  guint32 link;  /* IFBAM_NONE: a scheduled event; IFBAM_STEP_END: the end of a step */
  guint32 stamp; /* stamp of the link; index of the scheduled event or island */
  IfbamGuard guard;
  gboolean is_located;    /* lo is the event time */
  gboolean is_unresolved; /* the search for crossings was given up at lo */
} IfbamCandidate;

/* A monitor that only records crossings. */
typedef struct
{
  guint32 link;
  IfbamCandidate next; /* in the present prediction; lo infinite: none */
} IfbamPassiveMonitor;

/* Magnitude scales of a cluster in a domain, and the rounding thresholds that follow. */
typedef struct
{
  double position, rate; /* largest coordinate or gap, and rate, so far */
  double arc; /* largest arc of a lever's end so far [m], which rounds the end's position */
  double position_threshold, rate_threshold;
} IfbamMagnitudes;

/* Components that may ever become coupled: clusters.h. */
typedef struct
{
  GArray *components;  /* guint32 */
  GArray *nodes;       /* guint32: nodes at its unbatched links; if `few`: all nodes */
  gsize n_nodes;       /* free nodes */
  gboolean has_events; /* some link of it does more than record crossings */
  gboolean is_small;   /* says, and at most IFBAM_FEW_NODES free nodes */
  GArray *heap;        /* IfbamCandidate: candidate events of this step */
  double max_lead;     /* largest lead of an event over its prediction in this step [s] */
  guint n_fallbacks;   /* time-stepping fallbacks in this step, failed lengths included */
} IfbamCluster;

typedef struct _IfbamEventContext IfbamEventContext; /* working data of an event: event-context.h */
typedef struct _IfbamImplicit IfbamImplicit;         /* Newton's method: implicit-step.h */
typedef struct _IfbamAdaptiveSteps IfbamAdaptiveSteps; /* adaptive steps: adaptive-steps.h */

/* A batched link between two given nodes, which is in no component: values at the last sample. */
typedef struct
{
  gsize slot;          /* index of its force */
  double energy, loss; /* stored energy [J], dissipated power [W] */
} IfbamBetweenGiven;

/* Columns of nodes (n_nodes): positions x [m], velocities v [m/s], accelerations a [m/s^2]. */
typedef struct
{
  double *x, *v;   /* at the island's time */
  double *x1, *v1; /* predicted for its `until` */
  /* Accelerations with which a step from x, v (a1: x1, v1) begins, if the scheme carries them from
   * step to step (ifbam_scheme_carried ()) or steps are adaptive; NaN: computed. */
  double *a, *a1;
  double *xt, *vt;                 /* of a trial step */
  double *x2, *v2;                 /* of another one */
  double *inverse_mass;            /* [1/kg]; 0: given node */
  double *force, *acceleration;    /* [N]; [m/s^2] */
  double *work[IFBAM_MAX_COLUMNS]; /* columns of a scheme in a step */
  guint32 *scratch;                /* of factorizations: G_MAXUINT32 between uses */
  guint8 *mark;                    /* scratch */
  IfbamPort *port;                 /* port that reads the node's summed force */
  double *link_forces;             /* forces of links and sources [N] (n_slots + n_sources) */
} IfbamTrajectory;

/* Flip-flop schemes: columns and forces in transit of the present cycle, and of the next one. */
typedef struct
{
  double *column[IFBAM_MAX_COLUMNS], *next[IFBAM_MAX_COLUMNS]; /* (n_nodes) */
  double *flight, *next_flight; /* [N] (n_slots + n_sources); NULL: another scheme */
} IfbamStepHistory;

/* Unbatched links. */
typedef struct
{
  IfbamLinkState *state;           /* (n_links) */
  const IfbamLink *unbatched;      /* of the model, the objects or `own` (n_links; not owned) */
  IfbamLink *own;                  /* a copy with variable slip directions; NULL: none */
  IfbamLink *aimed;                /* `own` or the objects' copy; NULL likewise (not owned) */
  guint32 *node_start, *node_ends; /* ends by node (ifbam_end_new ()) */
  guint32 *node_force_start, *node_force_ends; /* those of links with a force law */
  GArray *nodes;                               /* guint32: nodes at ends, increasing */
  guint8 *is_pulsing; /* TRUE: a controller with a duty cycle as its output (n_links) */
} IfbamEventLinks;

typedef struct
{
  GArray *list;                      /* IfbamComponent; the last one: all active ones */
  GArray *ranges, *indices;          /* IfbamIndexRange; guint32: indices of all kinds */
  GArray *ports;                     /* IfbamGivenPort */
  guint n_own_ranges, n_own_indices; /* lengths without the last component */
  guint32 *of_node;                  /* given node: IFBAM_NONE (n_nodes) */
  guint32 *of_link;                  /* IFBAM_NONE: none or several (n_links) */
  guint32 *of_given;                 /* a component at a given node, or IFBAM_NONE (n_given) */
} IfbamComponents;

typedef struct
{
  GPtrArray *list;     /* IfbamIsland, by lowest component */
  GArray *constrained; /* guint32: islands with active constraints */
  GArray *affected;    /* guint32: islands of the present event */
  GArray *scattered;   /* guint32: scratch, components that are regrouped */
  /* Data for a saved state; NULL: no state has been saved. */
  double *offset;     /* IfbamMergedNode.offset (n_nodes) */
  guint32 *redundant; /* TRUE: the island of a component has redundant rows (n_components) */
} IfbamIslands;

typedef struct
{
  guint n;
  IfbamCluster *list;            /* (n) */
  IfbamMagnitudes *magnitudes;   /* by cluster and domain (n * IFBAM_N_DOMAINS) */
  guint32 *of;                   /* cluster of components, then links, then impulses */
  guint32 *root;                 /* union-find roots of these */
  guint32 *of_link, *of_impulse; /* parts of `of` */
  double *lever;                 /* largest lever arm of an angle in a link [m] (n_nodes) */
  guint8 *node_domain;           /* (n_nodes) */
  guint8 *link_domain;           /* of a link's compression (n_links) */
} IfbamClusters;

/* Scheduled events, and the sources and given nodes that they change. */
typedef struct
{
  IfbamEventCalendar *calendar;
  guint next;           /* index of the next scheduled event */
  guint n_candidates;   /* scheduled events among the candidates, all at one time */
  GArray *simultaneous; /* guint32: scheduled events that are processed together */
  double time;          /* of the present scheduled event, as in the file [s]; NaN: none */
  /* Sources, then given nodes, are evaluated within this interval [s] (n_sources + n_given). */
  double *piece_from, *piece_until;
  guint8 *is_on;    /* FALSE: switched off by a monitor or controller (n_sources) */
  double *strength; /* factor of a source while it is on (n_sources) */
  double *constant; /* values of sources without time dependence, else NaN (n_sources) */
} IfbamSchedule;

/* Candidate events of a step: lists of IfbamCandidate. */
typedef struct
{
  GArray *found;         /* heap of new ones, before clusters get them */
  GArray *clusters;      /* heap of clusters (link) by their first event (lo) */
  GArray *fired;         /* scratch */
  GArray *near, *others; /* scratch */
  GArray *changing;      /* links that fire or are switched in an event */
  GArray *old_modes;     /* int: modes of the switched ones before the event */
  GArray *at_given;      /* active constraints at given nodes that change */
  GArray *penetrating;   /* guint32: contacts that penetrated as the step began */
  guint64 n_trials;      /* number of trial batches: trials of one start from the same state */
} IfbamCandidates;

typedef struct
{
  GArray *list;          /* IfbamPassiveMonitor */
  guint8 *is_passive;    /* TRUE: a link is one of these (n_links) */
  gboolean are_outdated; /* predictions have changed since the monitors' last search */
} IfbamMonitors;

/* Work and losses of the energy balance [J]. */
typedef struct
{
  gboolean is_kept;                 /* FALSE: nothing is booked */
  gboolean has_active;              /* some link can supply energy; FALSE: `brought` is 0 */
  IfbamTally *dissipated;           /* by batched links (n_slots); NULL: no full balance */
  double *pending_loss, *last_loss; /* as in IfbamLinkState (n_slots) */
  double *loss;                     /* scratch: dissipated powers [W] (n_slots + n_sources) */
  double *last_supply;              /* external power at the last sample [W] (n_components) */
  GArray *between_given;            /* IfbamBetweenGiven */
  IfbamExternalWork external;
  IfbamTally lost;    /* energy lost outside of links: restitutions of external impulses, jumps */
  IfbamTally brought; /* energy supplied by links with negative losses */
} IfbamEnergyAccount;

/* The log beside IfbamEngine.events, the failure, and the interrupt check. */
typedef struct
{
  GArray *clusters;     /* guint32: clusters of the logged events that are not sorted yet */
  gboolean is_deferred; /* the caller sorts the logged events */
  double sample_time;   /* of the sample that is evaluated [s]; NaN: the step's start */
  char *failure;        /* error message; NULL: no failure (owned) */
  double failure_time;  /* [s] */
  guint work;           /* since the last interrupt check */
  double work_time;     /* time of the last work, after the step's start [s] */
  /* Suspended links and lumped events: their count, the first link, and its time [s]. */
  struct
  {
    guint n;
    guint32 first;
  } suspended;
  double first_suspended_time;
} IfbamEventLog;

struct _IfbamEventEngine
{
  IfbamEngine base;
  const IfbamEvaluator *objects; /* callbacks of the objects; NULL: evaluation on columns */
  gpointer asked;                /* data of the callbacks (owned) */
  GDestroyNotify free_asked;
  const IfbamScheme *scheme;         /* of steps without an event */
  const IfbamScheme *restart_scheme; /* of islands with an event */
  guint64 step;                      /* index of the sample at which the present step starts */
  gboolean unlocated;                /* events take place at the ends of steps */
  gboolean latency;                  /* the scheme is a flip-flop scheme */
  gboolean is_manual;                /* the objects execute the stages of steps (manual-step.c) */
  gboolean autonomous;               /* nothing depends on time except at scheduled events */
  gboolean quiet;                    /* no event in this step so far (fixed steps only) */
  gboolean at_rest;  /* nothing moved in the last step: the next one can be skipped */
  gboolean starting; /* the initial modes are determined: no events are logged */
  IfbamEventLimits limits;
  IfbamTrajectory nodes;
  IfbamStepHistory history;
  IfbamEventLinks links;
  IfbamComponents components;
  IfbamIslands islands;
  IfbamClusters clusters;
  IfbamSchedule schedule;
  IfbamCandidates candidates;
  IfbamMonitors monitors;
  IfbamEnergyAccount account;
  IfbamEventLog log;
  IfbamEventContext *context;   /* of the present event */
  IfbamImplicit *implicit;      /* NULL: the scheme has no tableau */
  IfbamAdaptiveSteps *adaptive; /* NULL: fixed steps, from sample to sample */
};

/* Calls a callback of the objects, if there are any. */
#define IFBAM_TELL(self, what, ...)                                                                \
  do                                                                                               \
    if (G_UNLIKELY ((self)->objects != NULL))                                                      \
      (self)->objects->what ((self), __VA_ARGS__);                                                 \
  while (0)

/* End of a link: index of the link, and of its port. */
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
  return self->islands.list->pdata[number];
}

static inline IfbamComponent *
ifbam_component (const IfbamEventEngine *self, guint32 number)
{
  return &g_array_index (self->components.list, IfbamComponent, number);
}

static inline const IfbamLink *
ifbam_link (const IfbamEventEngine *self, guint32 number)
{
  return &self->links.unbatched[number];
}

static inline IfbamMotion
ifbam_event_motion (const IfbamEventEngine *self, gsize node, double time)
{
  const double *motion = ifbam_numbers_motion (self->base.numbers, node, time);

  return (IfbamMotion){ motion[0], motion[1], motion[2] };
}

/* Returns a time [s] clamped to the interval in which a given node's motion is evaluated. */
static inline double
ifbam_event_motion_time (const IfbamEventEngine *self, gsize node, double time)
{
  const gsize piece = self->base.model->n_sources + node - self->base.model->n_free;

  return CLAMP (time, self->schedule.piece_from[piece], self->schedule.piece_until[piece]);
}

static inline IfbamMotion
ifbam_event_motion_now (const IfbamEventEngine *self, gsize node, double time)
{
  return ifbam_event_motion (self, node, ifbam_event_motion_time (self, node, time));
}

/* Returns m / a [kg/s]: inertia of a node in an implicit stage of length a [s]; massless: 0. */
static inline double
ifbam_event_inertia_by (const IfbamEventEngine *self, guint32 node, double a)
{
  return ifbam_model_is_junction (self->base.model, node)
             ? 0
             : 1 / (a * self->nodes.inverse_mass[node]);
}

/* Returns the index of a node's island; IFBAM_NONE: a given node. */
static inline guint32
ifbam_island_of (const IfbamEventEngine *self, guint32 node)
{
  guint32 component = self->components.of_node[node];

  return component == IFBAM_NONE ? IFBAM_NONE : ifbam_component (self, component)->island;
}

static inline double
ifbam_event_time (const IfbamEventEngine *self)
{
  return (double) self->step * self->base.spec->step;
}

/* Returns the absolute time [s]. The step's end is exactly the time of the next sample, so that a
 * given node has its recorded position there. */
static inline double
ifbam_event_absolute_time (const IfbamEventEngine *self, double time)
{
  const double step = self->base.spec->step;

  return fabs (time - step) <= 2 * DBL_EPSILON * step ? (double) (self->step + 1) * step
                                                      : ifbam_event_time (self) + time;
}

/* Returns the time to log [s]: that of a scheduled event, as in the file, or the absolute time. */
static inline double
ifbam_event_logged_time (const IfbamEventEngine *self, double time)
{
  return isnan (self->schedule.time) ? ifbam_event_absolute_time (self, time) : self->schedule.time;
}

/* Returns the domain of a link's compression. */
static inline IfbamDomain
ifbam_event_domain (const IfbamEventEngine *self, guint32 number)
{
  return self->clusters.link_domain[number];
}

static inline IfbamMagnitudes *
ifbam_event_extent (const IfbamEventEngine *self, guint32 link)
{
  return &self->clusters.magnitudes[self->clusters.of_link[link] * IFBAM_N_DOMAINS
                                    + ifbam_event_domain (self, link)];
}

/* Returns the magnitude scales for a free node. */
static inline IfbamMagnitudes *
ifbam_event_node_extent (const IfbamEventEngine *self, gsize node)
{
  return &self->clusters
              .magnitudes[self->clusters.of[self->components.of_node[node]] * IFBAM_N_DOMAINS
                          + self->clusters.node_domain[node]];
}

/* Returns the mode of the link that presses a friction; 0 if there is none or it has one mode. */
static inline int
ifbam_link_pressing (const IfbamEventEngine *self, const IfbamLink *link)
{
  return link->press == NULL || link->press->single == IFBAM_NO_NODE
             ? 0
             : self->links.state[link->press->single].mode;
}

/* Returns a law's parameters at x, v. room: scratch (IFBAM_MAX_LAW). */
static inline const void *
ifbam_link_parameters_now (const IfbamEventEngine *self, guint32 number, double *room)
{
  const IfbamLink *link = ifbam_link (self, number);

  return ifbam_link_parameters_at (link, self->nodes.x, self->nodes.v,
                                   ifbam_link_pressing (self, link), room);
}

/* Returns a link's constraint at given coordinates, which matter if another link presses it. */
static inline IfbamConstraint
ifbam_link_constraint_at (const IfbamEventEngine *self, guint32 number, const double *x,
                          const double *v)
{
  const IfbamLink *link = ifbam_link (self, number);
  double room[IFBAM_MAX_LAW];

  return link->law->relation (
      ifbam_link_parameters_at (link, x, v, ifbam_link_pressing (self, link), room),
      self->links.state[number].mode);
}

/* Returns a link's constraint at x, v. */
static inline IfbamConstraint
ifbam_link_constraint (const IfbamEventEngine *self, guint32 number)
{
  return ifbam_link_constraint_at (self, number, self->nodes.x, self->nodes.v);
}

/* Loops over the frictions that a constraint carries: its reaction bounds them. */
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

/* Returns a friction's signed force per reaction of its carrier; 0: no slip, or no carrier. */
static inline double
ifbam_link_slip (const IfbamEventEngine *self, guint32 number)
{
  const int direction = ifbam_link_is_carried (ifbam_link (self, number))
                            ? ifbam_friction_direction (self->links.state[number].mode)
                            : 0;

  return direction == 0 ? 0 : direction * ifbam_link_constraint (self, number).coulomb;
}

/* Returns the first friction that this constraint carries alone, or IFBAM_NONE. Only such a
 * friction acts in impacts: one with several carriers is bounded by forces only. */
static inline guint32
ifbam_first_impact_friction (const IfbamEventEngine *self, guint32 number)
{
  const guint32 carried = ifbam_first_carried (self, number);

  return carried != IFBAM_NONE && ifbam_link (self, carried)->n_carriers == 1 ? carried
                                                                              : IFBAM_NONE;
}

#define IFBAM_FOR_IMPACT_FRICTIONS(brake, number)                                                  \
  for (guint32 brake = ifbam_first_impact_friction (self, number); brake != IFBAM_NONE;            \
       brake = ifbam_next_carried (self, number, brake))

/* Returns the ratio of a slipping friction's force to the reaction of one of its carriers. */
static inline double
ifbam_link_slip_on (const IfbamEventEngine *self, guint32 carried, guint32 number)
{
  const IfbamLink *link = ifbam_link (self, carried);
  const double slip = ifbam_link_slip (self, carried);

  return link->n_carriers == 1
             ? slip
             : slip * self->links.state[carried].carrier_direction[number - link->carrier];
}

/* Returns the size of a reaction [N]; of a planar friction, that of both directions. */
static inline double
ifbam_event_reaction (const IfbamEventEngine *self, guint32 number)
{
  const double own = self->links.state[number].reaction;
  const double across =
      self->links.unbatched[number].leads ? self->links.state[number + 1].reaction : 0;

  return across == 0 ? fabs (own) : sqrt (own * own + across * across);
}

/* Flip-flop schemes: returns the velocity at a step's end, from the positions there, at its start
 * and one step before it, by the second-order backward difference. */
static inline double
ifbam_event_backward_difference (const IfbamEventEngine *self, double next, double now,
                                 double before)
{
  return (3 * next - 4 * now + before) / (2 * self->base.spec->step);
}

static inline const IfbamIndexRange *
ifbam_index_range (const IfbamEventEngine *self, gsize i)
{
  return &g_array_index (self->components.ranges, IfbamIndexRange, i);
}

static inline guint32
ifbam_number (const IfbamEventEngine *self, gsize i)
{
  return g_array_index (self->components.indices, guint32, i);
}

/* Returns the first component of an island; IFBAM_NONE: one with all active components. */
static inline const IfbamComponent *
ifbam_first_component (const IfbamEventEngine *self, guint32 island)
{
  return ifbam_component (self, island == IFBAM_NONE ? self->components.list->len - 1
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

/* Loops over the ranges of a component's nodes. */
#define IFBAM_FOR_NODES(range, component)                                                          \
  for (const IfbamIndexRange *range = ifbam_index_range (self, (component)->nodes),                \
                             *range##_end = range + (component)->n_nodes;                          \
       range < range##_end; range++)

/* Loops over one of a component's lists in `numbers`. */
#define IFBAM_FOR_LIST(number, component, list)                                                    \
  for (const guint32 *                                                                             \
           number = &g_array_index (self->components.indices, guint32, (component)->list),         \
          *number##_end = number + (component)->n_##list;                                          \
       number < number##_end; number++)

static inline void
ifbam_swap_columns (double **a, double **b)
{
  double *swap = *a;

  *a = *b;
  *b = swap;
}

/* Copies a node's position and velocity from two columns to the objects, if there are any. */
static inline void
ifbam_event_impose (IfbamEventEngine *self, guint32 node, const double *position,
                    const double *rate)
{
  IFBAM_TELL (self, impose, node, position);
  IFBAM_TELL (self, impose, node, rate);
}

/* Computes the compression *delta from the coordinates at a link's ports (n_ports). Returns the
 * rate. row: Jacobian row, or the force direction if the geometry has another one
 * (IfbamGeometry.pull). */
static inline double
ifbam_link_measure_at (const IfbamLink *link, const double *position, const double *rate,
                       double *delta, double *row)
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
  /* No vector loads: they would stall on doubles that have just been stored one by one. */
  for (guint e = 0; e < link->n_ports; e++)
    {
      IFBAM_SCALAR_LOOP;
      sum += row[e] * rate[e];
    }
  if (G_UNLIKELY (link->geometry->pull != NULL))
    link->geometry->pull (link->shape, row);
  return sum;
}

/* As ifbam_link_measure_at (), from columns of all nodes. */
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
  return ifbam_link_measure_at (link, x, v, delta, row);
}

/* Computes a Jacobian row from columns of all nodes. Returns (d row / dt) v [m/s^2]. */
static inline double
ifbam_link_measure_acceleration (const IfbamLink *link, const double *position, const double *rate,
                                 double *row)
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

/* Returns the force of a link's law [N]. x, v: coordinates at its ports, then its states; pressing:
 * mode of the link that presses it; flow: rates of its states (n_states), set if it has any. */
static inline double
ifbam_link_force (const IfbamLink *link, int mode, int pressing, double delta, double rate,
                  const double *x, const double *v, double *flow)
{
  const IfbamLaw *law = link->law;
  double room[IFBAM_MAX_LAW];
  const void *numbers = ifbam_link_parameters (link, x, v, pressing, room);

  if (law->n_states > 0)
    law->state_rates (numbers, mode, delta, rate, flow);
  return law->force (numbers, mode, delta, rate);
}

/* Sets *x, *v of a free node within an adaptive step: quintic Hermite interpolation. */
void ifbam_adaptive_node (const IfbamEventEngine *self, const IfbamIsland *island, guint32 node,
                          double time, double *x, double *v);

/* Sets *x, *v of a free node at a time after the step's start: cubic Hermite interpolation between
 * its island's time and prediction, the nearer end outside. */
static inline void
ifbam_island_node (const IfbamEventEngine *self, const IfbamIsland *island, guint32 node,
                   double time, double *x, double *v)
{
  double h, u, x0, x1, v0, v1;

  if (time <= island->time)
    {
      *x = self->nodes.x[node];
      *v = self->nodes.v[node];
      return;
    }
  if (time >= island->until)
    {
      *x = self->nodes.x1[node];
      *v = self->nodes.v1[node];
      return;
    }
  if (G_UNLIKELY (self->adaptive != NULL))
    {
      ifbam_adaptive_node (self, island, node, time, x, v);
      return;
    }
  h = island->until - island->time;
  u = (time - island->time) / h;
  x0 = self->nodes.x[node];
  x1 = self->nodes.x1[node];
  v0 = self->nodes.v[node];
  v1 = self->nodes.v1[node];
  *x = x0
       + u
             * (h * v0
                + u * ((3 * (x1 - x0) - h * (2 * v0 + v1)) + u * (h * (v0 + v1) - 2 * (x1 - x0))));
  *v = v0 + u * (2 * (3 * (x1 - x0) / h - 2 * v0 - v1) + 3 * u * (v0 + v1 - 2 * (x1 - x0) / h));
}

/* Returns whether a free node moves in its step; a state node: whether its state changes. */
static inline gboolean
ifbam_event_node_moves (const IfbamEventEngine *self, gsize node)
{
  return ifbam_model_is_inner (self->base.model, node)
             ? self->nodes.v1[node] != self->nodes.v[node]
             : self->nodes.v[node] != 0 || self->nodes.v1[node] != 0
                   || self->nodes.x1[node] != self->nodes.x[node];
}

/* Returns whether a link's mode couples the nodes at its ends: one island contains them then. */
gboolean ifbam_link_couples (const IfbamEventEngine *self, guint32 number);
/* Returns whether a constraint is active in a mode. */
gboolean ifbam_constraint_is_active (const IfbamConstraint *relation, int mode);
/* Returns whether a link has an active constraint row. A pinned friction has none. */
gboolean ifbam_link_is_active (const IfbamEventEngine *self, guint32 number);

/* As ifbam_island_node (), for all nodes. A given node has its prescribed motion. */
void ifbam_event_node_at (const IfbamEventEngine *self, guint32 node, double time, double *x,
                          double *v);

/* Returns a link's rate from nodes interpolated at a time after the step's start; *delta [m]. */
double ifbam_link_estimate (const IfbamEventEngine *self, guint32 link, double time, double *delta);
/* Returns a law's parameters at such a time. room: scratch (IFBAM_MAX_LAW). */
const void *ifbam_link_parameters_estimate (const IfbamEventEngine *self, guint32 number,
                                            double time, double *room);

/* Stores indices of the islands at a link's ports (IFBAM_MAX_PORTS). Returns their count. */
guint ifbam_event_link_islands (const IfbamEventEngine *self, guint32 link, guint32 *islands);

/* Raises magnitude scales to a coordinate and a rate (>= 0), and updates the thresholds. */
void ifbam_magnitudes_include (const IfbamEventEngine *self, IfbamMagnitudes *scale,
                               double position, double rate);
/* Raises the scale of lever arcs to a length [m], and updates the thresholds. */
void ifbam_magnitudes_include_angle (const IfbamEventEngine *self, IfbamMagnitudes *scale,
                                     double way);
/* Raises all scales to x, v at the start of a step. */
void ifbam_event_update_thresholds (IfbamEventEngine *self);
/* Raises the scales of a free node's cluster to its x, v. */
void ifbam_magnitudes_include_node (IfbamEventEngine *self, guint32 node);
/* The same for a given node, in the cluster of one of the components at it. */
void ifbam_magnitudes_include_given (IfbamEventEngine *self, guint32 component, guint32 node);
