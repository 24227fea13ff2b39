/* dialogue.h: the objects' own way: each element hears, and computes what it says next
 *
 * A turn is one master phase (all messages are exchanged) and one slave phase (all elements compute).
 * Under a flip-flop scheme a turn is a step. Under the others links answer in one turn and nodes move
 * in the next, so a step is two turns per stage; who is not on computes nothing.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/answers.h"

/* What a node hears of a single link; who does not act says nothing. */
typedef struct
{
  gboolean acts;
  double force;
} IfbamPull;

/* Columns of forces: as they are now; in flight, and in the coming cycle. */
#define IFBAM_N_ANSWERS 3

/* An element's part in the dialogue: its own little columns, and what it has heard. */
struct _IfbamVoice
{
  const IfbamModel *model; /* not owned */
  guint64 turn;            /* slave phases done */

  /* node */
  gsize node;
  double inverse_inertia;
  double own[IFBAM_MAX_COLUMNS];
  double *column[IFBAM_MAX_COLUMNS]; /* into own */
  double *heard;                     /* forces, by port (n_ports) */
  guint n_ports;
  IfbamPull *pulls; /* of single links (n_pulls) */
  guint n_pulls;
  double force; /* what it feels */
  double *said; /* of itself, by column of the event engine; NULL: there is none */

  /* link, source */
  gsize slot;
  guint n_ends;
  guint32 end[IFBAM_MAX_ENDS]; /* nodes: left, right */
  guint port[IFBAM_MAX_ENDS];  /* which of a node's ports, or pulls, this is */
  IfbamHeard ends;             /* what they said */
  const IfbamLinkKernels *kernels;
  const double **parameters; /* the law's numbers, one column each */
  double says;               /* the force; of a source all its forces together */
  double far;                /* link: what its right end hears, if not that */
  double answers[IFBAM_N_ANSWERS], fars[IFBAM_N_ANSWERS]; /* by column of the event engine */

  /* link that stands single */
  const IfbamLink *single;
  guint32 number;
  int mode;
  double next;                                          /* what it says in the coming cycle */
  double row[IFBAM_MAX_ENDS], next_row[IFBAM_MAX_ENDS]; /* how its ends count */

  /* source: the nodes that it acts on */
  struct
  {
    guint32 node;
    guint port;
    double inverse_inertia; /* of the node */
    double says, answers[IFBAM_N_ANSWERS];
  } * targets;
  guint n_targets;
};

void ifbam_voice_free (IfbamVoice *voice);

/* Messages between a node and a link or source, whichever way. */
void ifbam_voice_speak (const IfbamElement *sender, IfbamElement *receiver, guint end);

/* What a link says to its right end. */
double ifbam_voice_far (const IfbamElement *link);

/* Gives the elements of the model their voices and lets them hear each other's first words. */
typedef struct
{
  GPtrArray *nodes;         /* IfbamElement, by number */
  GPtrArray *links;         /* by file order */
  GPtrArray *sources;       /* not owned */
  GPtrArray *singles;       /* by number */
  IfbamElement **slot_link; /* by slot; NULL: between runs */
  IfbamElement **source_of; /* of the model's sources */
  IfbamEventEngine *engine; /* who finds instants (not owned); NULL: nothing happens at one */
} IfbamCast;

/* What it takes to say it, in one place for those who are asked one by one and those who are asked by the
 * event engine. */
void ifbam_link_answers (IfbamElement *link, gboolean mean);
double ifbam_source_answers (IfbamElement *source, guint target, double time);
void ifbam_single_answers (IfbamElement *link);
/* Under a flip-flop scheme it answers for the coming cycle, and says so when it takes flight. */
void ifbam_single_answers_ahead (IfbamElement *link, gboolean mean);
void ifbam_single_takes_flight (IfbamElement *link);
/* The sum of what a node has heard. */
double ifbam_node_feels (const IfbamVoice *node);

IfbamCast *ifbam_cast_new (const IfbamModel *model);
void ifbam_cast_free (IfbamCast *cast);
void ifbam_cast_start (IfbamCast *cast);
void ifbam_cast_master (IfbamCast *cast);
void ifbam_cast_slave (IfbamCast *cast);
/* An engine for networks with events, whose questions the objects answer. */
IfbamEngine *ifbam_cast_event_engine (IfbamCast *cast, const IfbamModel *model, gboolean unlocated);
/* Turns in a step. */
guint ifbam_cast_turns (const IfbamModel *model);
