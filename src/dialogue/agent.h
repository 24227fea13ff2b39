/* agent.h: an element's part in a dialogue: what it has heard, and what it says to that
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "dialogue/parameter-snapshot.h"
#include "element/element.h"
#include "engine/engine.h"
#include "event/event.h"

typedef struct _IfbamAgent IfbamAgent;

/* What a node hears of a single link; who does not act says nothing. */
typedef struct
{
  gboolean is_active;
  double force;
} IfbamUnbatchedForce;

/* Columns of forces: as they are now; in flight, and in the coming cycle. */
#define IFBAM_N_OUTPUTS 3

/* An element's part in the dialogue: its own little columns, and what it has heard. */
struct _IfbamAgent
{
  IfbamDialogue *dialogue;      /* not owned */
  const IfbamElementInfo *info; /* of what it is */
  const IfbamElement
      *element; /* whose it is; NULL: a composite's member or a state, without an object */
  char *name;
  double *law;     /* its numbers: the model's, or own_law */
  double *own_law; /* NULL: they are the model's */
  guint64 rounds;  /* slave phases done */

  const IfbamInterpolant *course; /* what the `course` key names, or NULL */
  guint n_ports;                  /* of a node: whose forces it hears; of a link: which nodes */

  /* node */
  gsize node;
  double inertia, inverse_inertia;
  double own[IFBAM_MAX_COLUMNS];
  double *column[IFBAM_MAX_COLUMNS];     /* into own */
  double *received;                      /* forces, by port (n_ports) */
  IfbamUnbatchedForce *unbatched_forces; /* of single links (n_pulls) */
  guint n_unbatched_forces;
  double force;       /* what it feels */
  double *values;     /* of itself, by column of the event engine; NULL: there is none */
  double rate_before; /* its rate before the impulses that are told next */
  guint64 impact;     /* which of these */

  /* link, source */
  gsize slot;
  guint32 node_at[IFBAM_MAX_ENDS]; /* whom it hears, by port: left, right; last its own states */
  guint port[IFBAM_MAX_ENDS];      /* which of a node's ports, or pulls, this is */
  IfbamLinkInputs inputs;          /* what they said */
  const IfbamLinkKernels *kernels;
  const double **parameters;           /* the law's numbers, one column each */
  double output;                       /* the force; of a source all its forces together */
  double far;                          /* link: what its right end hears, if not that */
  double state_rate[IFBAM_MAX_STATES]; /* at what rates its states change */
  struct
  {
    double output, far, state_rate[IFBAM_MAX_STATES];
  } outputs[IFBAM_N_OUTPUTS]; /* the same by column of the event engine */

  /* link that stands single, or one of its further relations: these have voices of their own, hear what it hears,
   * and compute when it does */
  const IfbamLink *unbatched;
  IfbamAgent **further; /* its own (n_further), not owned */
  guint n_further;
  guint32 index;
  int mode;
  double next_output;                                     /* what it says in the coming cycle */
  double row[IFBAM_MAX_PORTS], next_row[IFBAM_MAX_PORTS]; /* how its ends count */

  /* source: the nodes that it acts on */
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

/* Whether it keeps a state of a link. */
static inline gboolean
ifbam_agent_is_state_node (const IfbamAgent *agent)
{
  return agent->info == ifbam_state_node_info ();
}

/* Ports of a link, its own states not counted. */
guint ifbam_agent_n_ends (const IfbamAgent *link);

/* Messages between a node and a link or source, whichever way. */
void ifbam_agent_send (const IfbamAgent *sender, IfbamAgent *receiver, guint end);

/* What a link says to its right end. */
double ifbam_agent_right_force (const IfbamAgent *link);

/* Whom an event concerned: what each got, with what rate it came, and leaves. */
typedef struct
{
  guint n;
  guint32 node[IFBAM_MAX_PORTS];
  double impulse[IFBAM_MAX_PORTS];
  double rate_before[IFBAM_MAX_PORTS], rate_after[IFBAM_MAX_PORTS];
} IfbamEventRecord;

/* An element's values, as those who talk have taken them. */
typedef struct
{
  IfbamElement *element; /* not owned */
  IfbamAgent *agent;     /* NULL: it does not talk itself: a composite, the settings */
  IfbamParameterSnapshot *snapshot;
} IfbamWatchedElement;

/* Who takes part. Any number of casts of one network may talk at once: an element knows of none. */
struct _IfbamDialogue
{
  const IfbamModel *model;                /* not owned; by hand its numbers follow the elements' */
  const IfbamRunSpec *spec;               /* not owned */
  IfbamParameterValues *parameter_values; /* what given nodes say */
  GPtrArray *nodes;                       /* IfbamAgent, by number */
  GPtrArray *links;                       /* by file order */
  GPtrArray *sources;
  GPtrArray *unbatched_links; /* by number, with their further relations */
  GPtrArray *impulses;
  IfbamAgent **slot_link;         /* by slot (not owned); NULL: between runs */
  IfbamAgent **source_of;         /* of the model's sources (not owned) */
  IfbamAgent **agent_of;          /* by ids of elements (model->n_places, not owned) */
  IfbamLink *own_unbatched_links; /* the model's */

  const IfbamElementContext
      *context;       /* of the elements whose changes act; NULL: it is no dialogue by hand */
  GArray *watched;    /* IfbamWatchedElement */
  guint changes_seen; /* changes that are taken */

  IfbamEventEngine *engine; /* who finds instants; NULL: nothing happens at one */
  gboolean owns_engine;
  GArray *event_records;      /* IfbamEventRecord, of each of its events; by hand */
  gboolean has_logged_impact; /* the impulses so far */
  guint64 n_impacts;
  guint64 rounds_eliminated; /* turns in which who holds has agreed */
  guint64 settled_steps;     /* cycles */
  /* IfbamElimination, of the cycle that was settled last; NULL: nobody wants to know. See elimination.h. */
  GPtrArray *eliminations;
  gboolean records_elimination; /* what is solved next is told there */
};

/* What it takes to say it, in one place for those who are asked one by one and those who are asked by the event engine. */
void ifbam_agent_compute_link (IfbamAgent *link, gboolean mean);
double ifbam_agent_compute_source (IfbamAgent *source, guint target, double time);
void ifbam_agent_compute_unbatched (IfbamAgent *link);
/* Under a flip-flop scheme it answers for the coming cycle, and says so when it takes flight. */
void ifbam_agent_compute_next_cycle (IfbamAgent *link, gboolean mean);
/* Under an implicit one for the path to the end of its step. */
void ifbam_agent_compute_step_mean (IfbamAgent *link);
void ifbam_agent_take_next_output (IfbamAgent *link);
/* Its law says what it weighs. */
void ifbam_agent_update_inertia (IfbamAgent *node);
/* The sum of what a node has heard. */
double ifbam_agent_sum_forces (const IfbamAgent *node);

/* Gives what is in a model voices. */
IfbamDialogue *ifbam_dialogue_new (const IfbamModel *model, const IfbamRunSpec *spec);
void ifbam_dialogue_free (IfbamDialogue *dialogue);
/* Of an element; NULL: it does not talk. */
IfbamAgent *ifbam_dialogue_agent (const IfbamDialogue *dialogue, const IfbamElement *element);
/* By hand: the model, which is the cast's alone, follows changes of elements (IfbamElement, and the settings) of a
 * network. */
void ifbam_dialogue_watch_elements (IfbamDialogue *dialogue, const IfbamElementContext *home,
                                    const GPtrArray *elements, IfbamElement *settings);
/* Elements go on with the numbers that they have been given; who can't has its old values again, and a critical
 * warning says so. Returns whether anybody could. */
gboolean ifbam_dialogue_apply_changes (IfbamDialogue *dialogue);
