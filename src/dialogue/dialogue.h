/* dialogue.h: the objects' own way: each element hears, and computes what it says next
 *
 * A turn is one master phase (all messages are exchanged) and one slave phase (all elements compute).
 * Under a flip-flop scheme a turn is a step. Under the others links answer in one turn and nodes move
 * in the next, so a step is two turns per stage; who is not on computes nothing.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/engine.h"

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

  /* link, source */
  gsize slot;
  guint32 end[2];                                        /* nodes: left, right */
  guint port[2];                                         /* which of a node's ports this is */
  double position[IFBAM_MAX_ENDS], rate[IFBAM_MAX_ENDS]; /* heard */
  double earlier_position[2], earlier_rate[2];
  const IfbamLinkKernels *kernels;
  const double **parameters; /* the law's numbers, one column each */
  double says;               /* the force; of a source all its forces together */
  double far;                /* link: what its right end hears, if not that */

  /* source: the nodes that it acts on */
  struct
  {
    guint32 node;
    guint port;
    double says;
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
  GPtrArray *nodes;        /* IfbamElement, by number */
  GPtrArray *links;        /* by file order */
  GPtrArray *sources;      /* not owned */
  GPtrArray *singles;      /* by number */
  IfbamVoice **slot_voice; /* of links, by slot; NULL before somebody asks */
} IfbamCast;

/* The voice of the link in a slot; NULL where there is none. */
IfbamVoice *ifbam_cast_link_voice (IfbamCast *cast, gsize slot);

IfbamCast *ifbam_cast_new (const IfbamModel *model);
void ifbam_cast_free (IfbamCast *cast);
void ifbam_cast_start (IfbamCast *cast);
void ifbam_cast_master (IfbamCast *cast);
void ifbam_cast_slave (IfbamCast *cast);
/* Turns in a step. */
guint ifbam_cast_turns (const IfbamModel *model);
