/* elimination.h: Gaussian elimination of an implicit stage, as messages between nodes
 *
 * A leaf, a node with one remaining neighbour, is eliminated: it sends the neighbour a force and a
 * stiffness that represent it and its own leaves. The neighbour can then be a leaf. The last node
 * computes its displacement; displacements are sent back. Nodes in loops, or with reactions, are
 * solved jointly.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "dialogue/agent.h"

/* The stiffness with which a link supports a node. */
typedef struct
{
  const IfbamAgent *link;
  double stiffness; /* [N/m] */
} IfbamSupportStiffness;

#define IFBAM_NO_RECEIVER G_MAXUINT32

/* A node, in the order of elimination. */
typedef struct
{
  guint32 node, receiver;            /* receiver: the neighbour, or IFBAM_NO_RECEIVER */
  gboolean is_joint;                 /* solved jointly with others */
  double unbalanced_force;           /* residual before the iteration [N] */
  double leaf_force;                 /* received from its leaves [N] */
  double leaf_stiffness;             /* received from its leaves [N/m] */
  double inertia;                    /* of its inertia [N/m] */
  double stiffness;                  /* sum of all [N/m] */
  double sent_force, sent_stiffness; /* sent to the receiver [N], [N/m] */
  double own_displacement;           /* with the receiver at rest [m] */
  double displacement_ratio;         /* per displacement of the receiver */
  double displacement;               /* in the first iteration [m] */
  double position, rate;             /* after all iterations [m], [m/s] */
  GArray *supports;                  /* IfbamSupportStiffness: of links without leaves */
} IfbamEliminationNode;

/* An elimination in a stage of a step. */
typedef struct
{
  double from;                  /* start of the step's part, after the step's start [s] */
  double time;                  /* of the balance of forces [s] */
  double a;                     /* displacement per change of rate [s] */
  guint stage;                  /* index in the scheme's table */
  guint iterations;             /* of Newton's method */
  double last_displacement;     /* largest displacement in the last iteration [m] */
  GArray *nodes;                /* IfbamEliminationNode */
  GPtrArray *constraint_agents; /* IfbamAgent: links with reactions (not owned) */
} IfbamElimination;

/* Starts the recording of eliminations in dialogue->eliminations. */
void ifbam_dialogue_record_eliminations (IfbamDialogue *dialogue);

/* As system_assembled and system_solved of IfbamEvaluator. */
void ifbam_dialogue_begin_elimination (IfbamDialogue *dialogue, IfbamSystem *system,
                                       const IfbamStage *stage, double from, double time,
                                       guint iteration);
void ifbam_dialogue_end_elimination (IfbamDialogue *dialogue, IfbamSystem *system);
