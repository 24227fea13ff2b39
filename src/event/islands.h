/* islands.h: partition of the network into components, and of these into islands
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-types.h"

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

void ifbam_islands_init (IfbamEventEngine *self);

/* Updates the component of the whole network after components became active or inactive. */
void ifbam_islands_update_whole (IfbamEventEngine *self);

void ifbam_islands_clear (IfbamEventEngine *self);

/* Makes the islands anew at a sample, from the modes of the links. */
void ifbam_islands_rebuild (IfbamEventEngine *self);

/* Regroups the components of the affected islands, all of the same time, by links that couple at
 * present; then `affected` lists the new islands. */
void ifbam_islands_regroup (IfbamEventEngine *self);
