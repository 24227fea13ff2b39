/* agent.h: agents, the participants of a dialogue: received messages and computed outputs
 *
 * A node sends its position and rate, a link or source a force. In a manual dialogue the caller
 * starts each phase (ifbam_element_slave()), and can change elements in between.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "dialogue/parameter-snapshot.h"
#include "element/element.h"
#include "engine/engine.h"
#include "event/event.h"

typedef struct _IfbamAgent IfbamAgent;

/* Force on a node by an unbatched link; not summed if inactive. */
typedef struct
{
  gboolean is_active;
  double force;
} IfbamSummand;

/* Columns of outputs: present, in transit, of the next cycle. */
#define IFBAM_N_OUTPUTS 3

/* An agent: a node, a batched link, an unbatched link or its further constraint, a source or an
 * impulse. It reads other agents' data by messages only. */
struct _IfbamAgent
{
  IfbamDialogue *dialogue;      /* not owned */
  const IfbamElementInfo *info; /* of its class */
  const IfbamElement *element;  /* NULL: a composite's member or a state node */
  char *name;
  double *law;     /* parameters: of the model, or own_law */
  double *own_law; /* owned; NULL: of the model */
  guint64 rounds;  /* count of its slave phases */

  const IfbamInterpolant *course; /* of the key `course`, or NULL */
  guint n_ports;                  /* batched forces on a node; nodes that a link reads */

  /* node */
  gsize node;
  double inertia, inverse_inertia;
  double own[IFBAM_MAX_COLUMNS];
  double *column[IFBAM_MAX_COLUMNS]; /* in own */
  double *received;                  /* forces [N] (n_ports) */
  IfbamSummand *summands;            /* (n_summands) */
  guint n_summands;
  double force;       /* sum of the received forces [N] */
  double *values;     /* by column of the event engine; NULL: no such engine */
  double rate_before; /* rate before the impulses of the next event */
  guint64 impact;     /* index of the event of rate_before */

  /* link, source */
  gsize slot;
  guint32 node_at[IFBAM_MAX_ENDS]; /* nodes by port: left, right; then state nodes */
  guint port[IFBAM_MAX_ENDS];      /* index in the node's received or summands */
  IfbamLinkInputs inputs;          /* received from the nodes */
  const IfbamLinkKernels *kernels;
  const double **parameters;      /* columns of length 1 in law */
  double output;                  /* force [N]; source: sum of its forces */
  double far;                     /* link with a ratio: force on the right end [N] */
  double rates[IFBAM_MAX_STATES]; /* of its internal states */
  struct
  {
    double output, far, rates[IFBAM_MAX_STATES];
  } outputs[IFBAM_N_OUTPUTS]; /* by column of the event engine */

  /* Unbatched link, or one of its further constraints. Each constraint has an agent, which gets the
   * messages of the link's agent and computes after it. */
  const IfbamLink *unbatched;
  IfbamAgent **further; /* agents of further constraints (n_further), not owned */
  guint n_further;
  guint32 index;
  int mode;
  double next_output;                                     /* force in the next cycle [N] */
  double row[IFBAM_MAX_PORTS], next_row[IFBAM_MAX_PORTS]; /* force directions */

  /* source: its nodes */
  struct
  {
    guint32 node;
    guint port;
    double output, outputs[IFBAM_N_OUTPUTS];
  } * targets;
  guint n_targets;
};

static inline gboolean
ifbam_agent_is_node (const IfbamAgent *agent)
{
  return agent->info->kind <= IFBAM_KIND_GIVEN_NODE;
}

/* Returns TRUE for a state node. */
static inline gboolean
ifbam_agent_is_state_node (const IfbamAgent *agent)
{
  return agent->info == ifbam_state_node_info ();
}

/* Returns the count of a link's ports without its state nodes. */
guint ifbam_agent_n_ends (const IfbamAgent *link);

/* Sends a message between a node and a link or source. end: port of the link. */
void ifbam_agent_send (const IfbamAgent *sender, IfbamAgent *receiver, guint end);

/* Returns a batched link's force on its right end [N]. */
double ifbam_agent_right_force (const IfbamAgent *link);

/* The nodes of an event: impulses [N s], rates before and after [m/s]. */
typedef struct
{
  guint n;
  guint32 node[IFBAM_MAX_PORTS];
  double impulse[IFBAM_MAX_PORTS];
  double before[IFBAM_MAX_PORTS], after[IFBAM_MAX_PORTS];
} IfbamEventRecord;

/* An element of a manual dialogue, and its values that are in effect. */
typedef struct
{
  IfbamElement *element; /* not owned */
  IfbamAgent *agent;     /* NULL: a composite, the settings */
  IfbamParameterSnapshot *snapshot;
} IfbamWatchedElement;

/* A dialogue: all agents. One network can have several dialogues. */
struct _IfbamDialogue
{
  const IfbamModel *model;                /* not owned */
  const IfbamRunSpec *spec;               /* not owned */
  IfbamParameterValues *parameter_values; /* for the motions of given nodes */
  GPtrArray *nodes;                       /* IfbamAgent, by index in the model */
  GPtrArray *links;                       /* batched, in the order of the file */
  GPtrArray *sources;
  GPtrArray *unbatched_links; /* by index; also further constraints */
  GPtrArray *impulses;
  IfbamAgent **slot_link;         /* by slot (not owned); NULL: gap in a batch */
  IfbamAgent **source_of;         /* by index in the model's sources (not owned) */
  IfbamAgent **agent_of;          /* by id of elements (model->n_places, not owned) */
  IfbamLink *own_unbatched_links; /* copies of the model's unbatched links */

  const IfbamElementContext *context; /* manual dialogue: of the elements; else NULL */
  GArray *watched;                    /* IfbamWatchedElement */
  guint changes_seen;                 /* changes in effect */

  IfbamEventEngine *engine; /* NULL: a network without events */
  gboolean owns_engine;
  GArray *records;            /* manual dialogue: IfbamEventRecord per logged event */
  gboolean has_logged_impact; /* the impulses so far are logged: the next one begins an event */
  guint64 n_impacts;
  guint64 rounds_eliminated; /* rounds with solved constraints */
  guint64 settled_steps;
  /* IfbamElimination, of the last step; NULL: not recorded. */
  GPtrArray *eliminations;
  gboolean records_elimination; /* of the system that is solved next */
};

/* Compute and store an agent's output [N] by its inputs. mean: mean over the coming step. */
void ifbam_agent_compute_link (IfbamAgent *link, gboolean mean);
double ifbam_agent_compute_source (IfbamAgent *source, guint target, double time);
void ifbam_agent_compute_unbatched (IfbamAgent *link);
/* Flip-flop schemes: compute the next cycle's output; make it the present output. */
void ifbam_agent_compute_next_cycle (IfbamAgent *link, gboolean mean);
void ifbam_agent_take_next_output (IfbamAgent *link);
/* Implicit schemes: computes the mean over the path to the step's end, as the next output. */
void ifbam_agent_compute_step_mean (IfbamAgent *link);

/* Sets a node's inertia by its law. */
void ifbam_agent_update_inertia (IfbamAgent *node);
/* Returns the sum of the forces that a node received [N]. */
double ifbam_agent_sum_forces (const IfbamAgent *node);

/* Creates the agents of a model (not owned, must outlive the dialogue). */
IfbamDialogue *ifbam_dialogue_new (const IfbamModel *model, const IfbamRunSpec *spec);
void ifbam_dialogue_free (IfbamDialogue *dialogue);
/* Returns an element's agent; NULL: none. */
IfbamAgent *ifbam_dialogue_agent (const IfbamDialogue *dialogue, const IfbamElement *element);
/* Manual dialogue: watches a network's elements (IfbamElement) and settings for changes of values.
 * The model belongs to this dialogue alone. */
void ifbam_dialogue_watch_elements (IfbamDialogue *dialogue, const IfbamElementContext *context,
                                    const GPtrArray *elements, IfbamElement *settings);
/* Applies changed parameters. Changes that can't be applied are undone, with a critical warning.
 * Returns TRUE if any was applied. */
gboolean ifbam_dialogue_apply_changes (IfbamDialogue *dialogue);
