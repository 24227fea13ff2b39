/* voice.h: an element's part in a dialogue: what it has heard, and what it says to that
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "dialogue/known.h"
#include "engine/columns.h"
#include "event/answers.h"

typedef struct _IfbamCast IfbamCast;

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
  IfbamCast *cast;         /* not owned */
  IfbamKnown *known;       /* its values, as it has taken them */
  guint64 turn;            /* slave phases done */

  const IfbamInterpolant *course; /* what the `course` key names, or NULL */
  guint n_ports;                  /* of a node: whose forces it hears; of a link: which nodes */

  /* node */
  gsize node;
  double inverse_inertia;
  double own[IFBAM_MAX_COLUMNS];
  double *column[IFBAM_MAX_COLUMNS]; /* into own */
  double *heard;                     /* forces, by port (n_ports) */
  IfbamPull *pulls;                  /* of single links (n_pulls) */
  guint n_pulls;
  double force; /* what it feels */
  double *said; /* of itself, by column of the event engine; NULL: there is none */
  double came;  /* its rate before the impulses that are told next */
  guint64 hit;  /* which of these */

  /* link, source */
  gsize slot;
  guint32 node_at[IFBAM_MAX_PORTS]; /* whom it hears, by port: left, right */
  guint port[IFBAM_MAX_PORTS];      /* which of a node's ports, or pulls, this is */
  IfbamHeard hears;                 /* what they said */
  const IfbamLinkKernels *kernels;
  const double **parameters;     /* the law's numbers, one column each */
  double says;                   /* the force; of a source all its forces together */
  double far;                    /* link: what its right end hears, if not that */
  double flow[IFBAM_MAX_STATES]; /* at what rates its states change */
  struct
  {
    double says, far, flow[IFBAM_MAX_STATES];
  } answers[IFBAM_N_ANSWERS]; /* the same by column of the event engine */

  /* link that stands single */
  const IfbamLink *single;
  void *law; /* its numbers, where they are not all the element's own; else NULL (owned) */
  guint32 number;
  int mode;
  double next;                                            /* what it says in the coming cycle */
  double row[IFBAM_MAX_PORTS], next_row[IFBAM_MAX_PORTS]; /* how its ends count */

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

gboolean ifbam_element_is_node (const IfbamElement *element);

/* Messages between a node and a link or source, whichever way. */
void ifbam_voice_speak (const IfbamElement *sender, IfbamElement *receiver, guint end);

/* What a link says to its right end. */
double ifbam_voice_far (const IfbamElement *link);

/* Whom an event concerned: what each got, with what rate it came, and leaves. */
typedef struct
{
  guint n;
  guint32 node[IFBAM_MAX_PORTS];
  double impulse[IFBAM_MAX_PORTS];
  double came[IFBAM_MAX_PORTS], leaves[IFBAM_MAX_PORTS];
} IfbamMeeting;

/* Who takes part. */
struct _IfbamCast
{
  const IfbamModel *model;  /* not owned */
  const IfbamRunSpec *spec; /* not owned */
  IfbamNumbers *numbers;    /* what given nodes say */
  GPtrArray *nodes;         /* IfbamElement, by number */
  GPtrArray *links;         /* by file order */
  GPtrArray *sources;       /* not owned */
  GPtrArray *singles;       /* by number */
  GPtrArray *impulses;
  IfbamElement **slot_link; /* by slot; NULL: between runs */
  IfbamElement **source_of; /* of the model's sources */

  IfbamLink *own_singles; /* the model's, with the elements' own numbers */
  GHashTable *watched;    /* who has values but no voice: composites, the settings -> IfbamKnown */
  guint changes, seen;    /* of elements: counted, and taken */

  IfbamEventEngine *engine; /* who finds instants; NULL: nothing happens at one */
  gboolean owns_engine;
  GArray *meetings; /* IfbamMeeting, of each of its events; by hand */
  gboolean told;    /* the impulses so far */
  guint64 hits;
  guint64 agreed;  /* turns in which who holds has agreed */
  guint64 settled; /* cycles */
};

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

/* Gives the elements of a model their voices. */
IfbamCast *ifbam_cast_new (const IfbamModel *model, const IfbamRunSpec *spec);
void ifbam_cast_free (IfbamCast *cast);
/* Listens to changes of an element that does not talk. */
void ifbam_cast_watch (IfbamCast *cast, IfbamElement *element);
/* Elements go on with the numbers that they have been given; who can't has its old values again, and a critical
 * warning says so. Returns whether anybody could. */
gboolean ifbam_cast_take_changes (IfbamCast *cast);
