/* event-parts.h: parts of the event engine: links, components, islands, clusters, work, log
 *
 * Each part is created, and most of its fields are set, by the file that README.md names for it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-types.h"

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
  guint32 *node_start, *node_ends; /* ends by node (ifbam_endpoint_code ()) */
  guint32 *node_force_start, *node_force_ends; /* those of links with a force law */
  GArray *nodes;                               /* guint32: nodes at ends, increasing */
  guint8 *is_pulsing; /* TRUE: a controller with a duty cycle as its output (n_links) */
} IfbamEventLinks;

/* The force of a batched link on a moving given node. */
typedef struct
{
  gsize slot; /* index of the force in nodes.link_forces[] */
  guint32 node;
  double sign; /* of the force on the node: 1 or -1 */
} IfbamGivenPort;

/* Nodes joined by links without modes. Each pair holds the first index and the count of consecutive
 * entries of a list of IfbamComponents. The last component contains all active components. */
struct _IfbamComponent
{
  gsize nodes, n_nodes;         /* in ranges: ranges of its free nodes */
  gsize links, n_links;         /* in ranges: ranges of its batched links */
  gsize sources, n_sources;     /* in indices: its sources */
  gsize givens, n_givens;       /* in indices: given nodes at its links */
  gsize ports, n_ports;         /* in ports: forces of its batched links on moving given nodes */
  gsize unbatched, n_unbatched; /* in indices: unbatched links with a port in it */
  gsize own,
      n_own; /* in indices: unbatched links with their lowest free node in it; it computes these */
  gsize forces, n_forces;                         /* in indices: own links with a force law */
  gsize dissipative, n_dissipative;               /* in indices: own links that may dissipate */
  gsize dissipative_ranges, n_dissipative_ranges; /* in indices: indices in ranges */
  gsize varying, n_varying;                       /* in indices: sources that depend on time */
  gsize moving, n_moving;                         /* in indices: given nodes that move */
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
  double after_jump;     /* adaptive steps: 1 if the present one begins after a jump of forces */
  gboolean uses_restart; /* the restart scheme advances it until the step's end */
  GArray *rows;          /* guint32: links with active constraints, by index; NULL: none yet */
  GArray *merged;        /* IfbamMergedNode: nodes merged by constant rows */
  gboolean has_variable_rows;   /* some constraint row depends on the coordinates */
  gboolean has_fixed;           /* some constraint is permanent (IFBAM_CONSTRAINT_FIXED) */
  gboolean rows_changed;        /* its rows have changed since the last factorization */
  gboolean has_limited;         /* some constraint is not bilateral: its reaction has a limit */
  gboolean is_violated;         /* flip-flop schemes: the next cycle violates its constraints */
  gboolean affected, listed;    /* in the present event; in the active set search */
  guint64 bilateral_list;       /* number of the last list that has its bilateral constraints */
  double trial_time;            /* end of its last trial step [s] */
  guint64 trial_batch;          /* number of the trial batch of that step */
  IfbamConstraintSystem system; /* of all rows */
  IfbamConstraintSystem independent; /* without the redundant rows */
  GArray *redundant;                 /* guint32: indices in rows, as found last; NULL: none yet */
  gboolean shares_load;              /* lambda is from `independent`; redundant rows share it */
  double *lambda;                    /* reactions [N] (rows->len) */
  IfbamExternalWork pending;         /* external work of the present step, not booked yet [J] */
} IfbamIsland;

typedef struct
{
  GArray *list;                      /* IfbamComponent; the last one: all active ones */
  GArray *ranges, *indices;          /* IfbamIndexRange; guint32: indices of all kinds */
  GArray *ports;                     /* IfbamGivenPort */
  guint n_own_ranges, n_own_indices; /* lengths without the last component */
  guint32 *of_node;                  /* given node: IFBAM_NONE (n_nodes) */
  guint32 *of_link;                  /* IFBAM_NONE: none or several (n_links) */
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
  GArray *nodes;       /* guint32: nodes at its unbatched links; if `is_small`: all nodes */
  gsize n_nodes;       /* free nodes */
  gboolean has_events; /* some link of it does more than record crossings */
  gboolean is_small;   /* has_events, and at most IFBAM_SMALL_CLUSTER_NODES free nodes */
  GArray *heap;        /* IfbamCandidate: candidate events of this step */
  double max_lead;     /* largest lead of an event over its prediction in this step [s] */
  guint n_fallbacks;   /* time-stepping fallbacks in this step, failed lengths included */
} IfbamCluster;

typedef struct
{
  guint n;
  IfbamCluster *list;            /* (n) */
  IfbamMagnitudes *magnitudes;   /* by cluster and domain (n * IFBAM_N_DOMAINS) */
  guint32 *of;                   /* cluster of components, then links, then impulses */
  guint32 *root;                 /* union-find roots of these */
  guint32 *of_link, *of_impulse; /* parts of `of` */
  guint32 *given_component;      /* a component at a given node, or IFBAM_NONE (n_given) */
  double *lever;                 /* largest lever arm of an angle in a link [m] (n_nodes) */
  guint8 *node_domain;           /* (n_nodes) */
  guint8 *link_domain;           /* of a link's compression (n_links) */
} IfbamClusters;

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

/* A monitor that only records crossings. */
typedef struct
{
  guint32 link;
  IfbamCandidate next; /* in the present prediction; lo infinite: none */
} IfbamPassiveMonitor;

typedef struct
{
  GArray *list;          /* IfbamPassiveMonitor */
  guint8 *is_passive;    /* TRUE: a link is one of these (n_links) */
  gboolean are_outdated; /* predictions have changed since the monitors' last search */
} IfbamMonitors;

/* A batched link between two given nodes, which is in no component: values at the last sample. */
typedef struct
{
  gsize slot;          /* index of its force */
  double energy, loss; /* stored energy [J], dissipated power [W] */
} IfbamBetweenGiven;

/* Work and losses of the energy balance [J]. */
typedef struct
{
  gboolean is_kept;                 /* FALSE: nothing is booked */
  gboolean has_active;              /* some link can supply energy; FALSE: `link_supply` is 0 */
  IfbamCompensatedSum *dissipated;  /* by batched links (n_slots); NULL: no full balance */
  double *pending_loss, *last_loss; /* as in IfbamLinkState (n_slots) */
  double *loss;                     /* scratch: dissipated powers [W] (n_slots + n_sources) */
  double *last_supply;              /* external power at the last sample [W] (n_components) */
  GArray *between_given;            /* IfbamBetweenGiven */
  IfbamExternalWork external;
  IfbamCompensatedSum
      lost; /* energy lost outside of links: restitutions of external impulses, jumps */
  IfbamCompensatedSum link_supply; /* energy supplied by links with negative losses */
} IfbamEnergyAccount;

/* Work that is booked already of a step under way [J]. */
typedef struct
{
  double *loss, *single,
      *external_work[2]; /* by slot, unbatched link, component (supplied, turnover) */
} IfbamBooked;

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

/* Events of the log that are not sorted yet. */
typedef struct
{
  GArray *clusters;     /* guint32: their clusters */
  gboolean is_deferred; /* the caller sorts them */
} IfbamUnsortedEvents;
