/* elimination.h: how those whom an implicit step joins agree on where they go: elimination as messages
 *
 * Links have answered with force and slope. A node that hears from one neighbour only, a leaf, needs no other to say
 * where it would go: it tells this neighbour what all behind it adds, "a force, and so much for each metre", and the
 * neighbour is a leaf then. So it goes on to the last, who knows, and answers go back (Gauss's elimination
 * on a tree). Who stand in a circle, or are held by reactions, have no leaf among them: they find it together.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "dialogue/agent.h"

/* Who holds a node: a link, for each metre that it goes on. */
typedef struct
{
  const IfbamAgent *link;
  double stiffness; /* [N/m] */
} IfbamSupportStiffness;

#define IFBAM_NO_RECEIVER G_MAXUINT32

/* A node, in the order in which they speak. */
typedef struct
{
  guint32 node, receiver;            /* whom it tells; IFBAM_NO_RECEIVER: it is the last */
  gboolean is_joint;                 /* it finds with others where it goes */
  double unbalanced_force;           /* what on it is not balanced yet [N] */
  double leaf_force;                 /* what its leaves have told it [N], */
  double leaf_stiffness;             /* and with what that holds it [N/m] */
  double inertia;                    /* holds it for each metre [N/m] */
  double stiffness;                  /* all that holds it [N/m] */
  double sent_force, sent_stiffness; /* what all behind it is to the other [N], [N/m] */
  double own_displacement,
      displacement_ratio; /* where it goes on if the other stays [m]; by each metre of that one */
  double displacement;    /* where it goes on [m] in the first turn */
  double position, rate;  /* where that and all further turns lead */
  GArray *supports;       /* IfbamSupportStiffness: links that lead to no leaf of it */
} IfbamEliminationNode;

/* A stage of a step. */
typedef struct
{
  double from;                  /* begin of its part, after the step's start [s] */
  double time;                  /* whose forces are balanced [s] */
  double a;                     /* how long a rate lasts [s] */
  guint stage;                  /* number in the scheme's table */
  guint iterations;             /* of Newton's method */
  double last_displacement;     /* by how much anybody goes on in the last, at most [m] */
  GArray *nodes;                /* IfbamEliminationNode */
  GPtrArray *constraint_agents; /* IfbamAgent: those who hold others by reactions (not owned) */
} IfbamElimination;

/* From now on a cast keeps what was agreed on in each cycle (in cast->agreements). */
void ifbam_dialogue_record_eliminations (IfbamDialogue *dialogue);

/* What the event engine tells of it (see IfbamEvaluator). */
void ifbam_dialogue_begin_elimination (IfbamDialogue *dialogue, IfbamSystem *system,
                                       const IfbamStage *stage, double from, double time,
                                       guint iteration);
void ifbam_dialogue_end_elimination (IfbamDialogue *dialogue, IfbamSystem *system);
