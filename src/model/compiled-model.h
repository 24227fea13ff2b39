/* compiled-model.h: the network compiled to columns: nodes, links in batches, who hears whom
 *
 * Nodes are numbered: free ones in file order (or, in a large network, so that joined ones stand near
 * each other), then given ones in file order. Links have a number in file order (in which nodes sum
 * their forces) and a slot (in which their batch stores them). Sources have the slots after the links'.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <string.h>

#include "base/limits.h"
#include "element/element.h"
#include "model/subnetwork.h"
#include "model/partition-sums.h"

/* Elements with consecutive numbers: one element, or the members OWNER.LETTER1, OWNER.LETTER2, … of a composite. */
typedef struct
{
  gsize first, count; /* number = first + phase + stride * i */
  guint64 offset; /* of a family of which a subnetwork has pieces: which member is the first one */
  guint stride, phase;          /* interleaved spans share their first number */
  const IfbamElementInfo *info; /* of each */
  IfbamElement *element;        /* itself, or the owner (not owned) */
  const char *letter;           /* NULL: a single element */
  gboolean lone;                /* a member without a number: OWNER.LETTER */
  gboolean open;                /* where it starts is a guess */
  const char
      *tail; /* "x": one with a number and a coordinate: OWNER.LETTER1.x; NULL: it has none */
  const GArray
      *rows; /* of rows of which a subnetwork has some: which ones (IfbamRange), and all that
                       * it keeps of them is by their places there; NULL: members follow each other */
  /* An element has a law, and what its `course` key names, or NULL; a composite's members have series for
   * each number parameter (n_params), and (i << 5 | param) + 1 -> double*, or NULL. */
  union
  {
    double *law;
    const IfbamSeries *series;
  };
  union
  {
    const IfbamInterpolant *course;
    GHashTable *overrides;
  };
} IfbamSpan;

/* What acts on nodes: an element, or a member of a composite, OWNER.LETTER. */
typedef struct
{
  IfbamElement *element;        /* itself, or the owner (not owned) */
  const IfbamElementInfo *info; /* of its class */
  const char *name;             /* (not owned) */
  double *law;
  const IfbamInterpolant *course; /* what its `course` key names, or NULL */
  gsize first;                    /* its number on the first of its nodes */
} IfbamSource;

/* A free node owns the links to nodes with higher numbers (and to given nodes). A run is n links of
 * one batch whose ends have consecutive numbers: they are read at stride one, without an index. */
typedef struct
{
  gsize owner;       /* of the first link */
  gsize first, n;    /* in the batch */
  gsize left, right; /* nodes of the first link */
} IfbamLinkRun;

/* Runs of one batch with the same distance from left to right, by owner. */
typedef struct
{
  IfbamLinkRun *runs;
  gsize n_runs;
} IfbamRunGroup;

/* Doubles of a cache line. */
#define IFBAM_LINE 8

/* Processors wait where they read what seems to be what was just written, by its place in a page: columns that are gone
 * through together begin at places of their own, wherever memory was [bytes; doubles]. Which ones: 0 inertia, 1
 * parameters of links, 2 what changes in a run. */
#define IFBAM_PAGE              4096
#define IFBAM_PAGE_PLACE(which) ((which) *11 * IFBAM_LINE)

/* How far apart columns of n doubles stand, so that each has the next place; short ones are near each other. */
static inline gsize
ifbam_page_stride (gsize n)
{
  const gsize page = IFBAM_PAGE / sizeof (double), place = IFBAM_PAGE_PLACE (1);

  return 2 * n <= page ? n / IFBAM_LINE * IFBAM_LINE + 9 * IFBAM_LINE
                       : (n - place + page - 1) / page * page + place;
}

/* Links of one class whose mean takes the same number of points. In this order: the residue that is
 * in no run, the runs, the links to given nodes that move, and those between given nodes, which
 * nobody hears. Residue and driven links are sorted by owner. */
typedef struct
{
  const IfbamElementInfo *info;
  const IfbamLaw *law;
  const IfbamLinkKernels *kernels;
  guint points;
  gsize first_slot, count; /* slots; some between runs are of no link */
  gsize far_slot; /* the first of as many for what the right ends hear; first_slot: the same */
  /* Of a law with states: the first of as many for what their nodes hear, for each, and these nodes (count). */
  gsize state_slot[IFBAM_MAX_STATES];
  guint32 *state[IFBAM_MAX_STATES];
  guint8 *
      foreign; /* of a model that is a part: 1 where another part counts the link (count); NULL: all count */
  gsize n_residue, first_driven, first_idle;
  IfbamRunGroup *groups;
  guint n_groups;
  guint32 *left, *right; /* nodes (count) */
  double **parameters;   /* numbers of the law (n_numbers)(count) */
  gpointer *owned;       /* memory of these (n_numbers) */
  guint n_numbers;
} IfbamBatch;

/* Consecutive free nodes that hear consecutive slots with the same signs; degree 0: such that have to
 * look up their ports. Together they are all free nodes, by number. */
typedef struct
{
  gsize first, n;
  guint degree;
  gsize slot[IFBAM_MAX_RUN_PORTS]; /* of the first node */
  double sign[IFBAM_MAX_RUN_PORTS];
} IfbamNodeRun;

#define IFBAM_MAX_CARRIERS 2

/* What a link hears: the coordinates at its ports, then its internal states. */
#define IFBAM_MAX_ENDS (IFBAM_MAX_PORTS + IFBAM_MAX_STATES)

/* Another link that presses one, between two of its ports. */
typedef struct
{
  const IfbamElement *element; /* it (not owned) */
  const IfbamLaw *law;
  const void *numbers;
  guint port[2];
  guint32 single; /* which one of these it is; IFBAM_NO_NODE: of a law that has one mode */
} IfbamPress;

#define IFBAM_ANY_MODE (-1)

/* A link, or one of its further relations, which follow it: see link.h. */
typedef struct
{
  const IfbamLaw *law;
  const char *name;             /* "floor", "floor.friction" (not owned) */
  guint place;                  /* which of the link's relations it is: 0, 1, ... */
  gboolean carries;             /* some of those that follow */
  guint32 carrier;              /* which one carries it; IFBAM_NO_NODE: none */
  guint n_carriers;             /* that one and those behind it, at most IFBAM_MAX_CARRIERS */
  gboolean leads, follows;      /* the next one goes across it; it goes across the last one */
  IfbamElement *element;        /* itself, or the composite that it is a member of (not owned) */
  const IfbamElementInfo *info; /* of its class */
  const void *numbers;          /* of its law */
  const IfbamGeometry *geometry;
  gboolean in_plane; /* between two points of the plane: the geometry is of the law's ends */
  double shape[IFBAM_MAX_SHAPE];
  guint n_ports, n_states, first_state; /* which of the law's numbers is the first of these */
  guint32 node[IFBAM_MAX_ENDS];         /* at its ports, then those that keep its states */
  gsize state_slot;                     /* the first of as many for what these hear */
  const IfbamPress *press; /* what its law takes in the place of its state; NULL: nothing */
} IfbamLink;

/* Of a link that another one presses: what that says by its law, which has no states, of what two ports hear. */
double ifbam_press_force (const IfbamPress *press, int mode, const double *position,
                          const double *rate);

/* A law's numbers where its ports and states are so (n_ports + n_states); pressing: the mode of what presses it
 * (IFBAM_ANY_MODE: that in which it would begin there). room: (IFBAM_MAX_LAW). */
static inline const void *
ifbam_link_parameters (const IfbamLink *link, const double *position, const double *rate,
                       int pressing, double *room)
{
  if (link->n_states == 0)
    return link->numbers;
  memcpy (room, link->numbers, link->first_state * sizeof *room);
  memcpy (room + link->first_state, rate + link->n_ports, link->n_states * sizeof *room);
  if (link->press != NULL)
    room[link->first_state] = ifbam_press_force (link->press, pressing, position, rate);
  return room;
}

/* The same where nodes are there. */
static inline const void *
ifbam_link_parameters_at (const IfbamLink *link, const double *position, const double *rate,
                          int pressing, double *room)
{
  double x[IFBAM_MAX_ENDS], v[IFBAM_MAX_ENDS];

  if (link->n_states == 0)
    return link->numbers;
  for (guint e = 0; e < link->n_ports + link->n_states; e++)
    {
      x[e] = position[link->node[e]];
      v[e] = rate[link->node[e]];
    }
  return ifbam_link_parameters (link, x, v, pressing, room);
}

/* Whether a relation is carried by another one of its link. */
static inline gboolean
ifbam_link_is_carried (const IfbamLink *link)
{
  return link->carrier != IFBAM_NO_NODE;
}

/* Whether a link is one of the two directions of a friction in a plane. */
static inline gboolean
ifbam_link_is_in_plane (const IfbamLink *link)
{
  return link->leads || link->follows;
}

/* Whether its relation holds for ever. */
static inline gboolean
ifbam_link_is_fixed (const IfbamLink *link)
{
  return link->law->relation != NULL
         && link->law->relation (link->numbers, 0).kind == IFBAM_CONSTRAINT_FIXED;
}

/* How fast a link's geometry turns with its nodes [rad/s]. */
double ifbam_link_turning_rate (const IfbamLink *link, const double *position, const double *rate);

/* An element that strikes a node, or pushes two ends apart: at given instants, or when a link (a monitor) changes its
 * mode. */
typedef struct
{
  IfbamElement *element; /* not owned */
  double *law;
  const IfbamGeometry
      *geometry; /* along which it goes: where there are two ends it makes less of it */
  double shape[IFBAM_MAX_SHAPE];
  guint32 node[IFBAM_MAX_PORTS];
  guint n_nodes;
  gboolean apart;  /* it has two ends */
  guint32 trigger; /* link; IFBAM_NO_NODE: given instants only */
  double value;    /* for the trigger */
} IfbamImpulse;

/* A source that acts, or a link that is in its second mode, while a link (a monitor, or a controller by the part of its
 * instants' distance that it says) is in its second mode. */
typedef struct
{
  guint32 monitor;         /* link: a monitor or controller */
  IfbamTimeEventKind kind; /* an edge of a source, a given node's motion, or a link that toggles */
  guint32 number;          /* of the source, node or link */
  gboolean below;          /* instead while that is in its first */
} IfbamFollower;

/* A source that is as strong as a link (a controller) says. */
typedef struct
{
  guint32 controller; /* link */
  guint32 source;
} IfbamControl;

/* What an element is in a model. */
typedef struct
{
  guint32
      index; /* of its (first) node, its link by file order, its first source, its single link or its
                     impulse; IFBAM_NO_NODE: there is none */
  guint16 single; /* a link in no batch, by its law, modes or ends */
  guint16 domain; /* bit d: of domain d, where its links have a say */
} IfbamPlace;

/* Of elements it asks who they are, and nothing that can be changed: all numbers are its own. It holds them, so
 * that it outlives their network. */
typedef struct
{
  GPtrArray *elements; /* IfbamElement */
  gboolean refused;    /* the network is too large: there are no nodes and links */
  gsize n_nodes, n_free, n_links, n_sources;
  gsize n_junctions; /* of the free nodes those without inertia */
  gsize
      n_inner; /* of the free nodes those that keep internal states of links: in the file's order the last */
  gsize n_varying, n_fields; /* sources that depend on the time; that are the slope of an energy */
  gsize n_slots;             /* of links in batches, then of single links' states; sources follow */
  /* 1/kg, 1/(kg m2): by which nodes are moved (n_free); of junctions as if they had very little inertia beside others,
   * for who shares out impulses and reactions. */
  double *inverse_inertia;
  /* kg, kg m2: of which energies and weights are told (n_free); NULL: all have the same. */
  double *inertia, same_inertia;
  /* Where free nodes do not stand in file order (n_free); NULL where they do. */
  guint32 *number;    /* of the node that is number i in the file */
  guint32 *file_node; /* which of the file's nodes has number i */
  GArray *node_spans; /* IfbamSpan, by number */
  GArray *link_spans; /* IfbamSpan, by file order */
  /* Those of the spans that are a composite's members; in that of a subnetwork whole, by the file's numbers. */
  GArray *node_families;
  GArray *link_families;
  GArray *single_families; /* likewise, of links in no batch, by their number among these */
  const IfbamElement
      *damping; /* whose dampers have numbers of what they damp (not owned); NULL: nothing has */
  IfbamElement *rest;   /* the last given node, where links with one end need it; or NULL */
  GPtrArray *sources;   /* IfbamSource: once for each node that it acts on (n_sources) */
  guint32 *source_node; /* (n_sources) */
  GArray *batches;      /* IfbamBatch */
  guint32 *link_slot;   /* slot of a link by file order (n_links) */
  /* Where nodes of a mechanism start, and how fast (n_nodes); NULL: where their elements say. */
  double *start_position, *start_rate;
  GArray *singles;   /* IfbamLink, in file order, with their further relations */
  GArray *gauges;    /* IfbamLink, of which only geometry and ports count: x and y of points */
  GArray *impulses;  /* IfbamImpulse */
  GArray *followers; /* IfbamFollower */
  GArray *controls;  /* IfbamControl */
  GArray *guides;    /* IfbamGuide */
  GArray *instants;  /* IfbamTimeEvent, by time: those that come once */
  GArray *recurrent; /* IfbamTimeEvent: those that come again */

  /* Who a node hears, in the order of the file: slot << 1 | (1: the force counts negative). */
  guint32 *port_start; /* (n_nodes + 1) */
  guint32 *port;       /* (2 n_links + n_sources) */

  GArray *node_runs;  /* IfbamNodeRun */
  guint32 *varying;   /* sources that depend on the time, by the number of their node */
  guint32 *fields;    /* those that are the slope of an energy, likewise */
  gsize bandwidth;    /* largest distance between two free nodes under one link */
  GArray *kept;       /* IfbamKept: what goes with it */
  IfbamPlace *places; /* by ids of elements (n_places) */
  guint32 n_places;
  IfbamSubnetwork *subnetwork; /* what of the file it is; NULL: all */
  const IfbamModelShare
      *share; /* of a model that is a part of a network (not owned); NULL: it is the whole one */
} IfbamModel;

/* What of the file a model is; NULL: all. Pages have no subnetworks, and are sent nothing of them. */
static inline IfbamSubnetwork *
ifbam_model_subnetwork (const IfbamModel *model)
{
#ifdef __wasm__
  (void) model;
  return NULL;
#else
  return model->subnetwork;
#endif
}

/* A given node whose rate is multiplied by what a link (a controller) says; where it is goes on from where it was. */
typedef struct
{
  guint32 controller; /* link */
  guint32 node;
} IfbamGuide;

/* Memory, and what frees it. */
typedef struct
{
  gpointer data;
  GDestroyNotify free;
} IfbamKept;

/* Returns an unbatched link by its number. */
static inline const IfbamLink *
ifbam_unbatched_link (const IfbamModel *model, gsize number)
{
  return &g_array_index (model->singles, IfbamLink, number);
}

/* Moves *link to the next unbatched link in the order of the file, each constraint by itself; NULL:
 * to the first one. Returns FALSE after the last one. */
static inline gboolean
ifbam_unbatched_next (const IfbamModel *model, const IfbamLink **link)
{
  const IfbamLink *first = (const IfbamLink *) (gpointer) model->singles->data;

  *link = *link == NULL ? first : *link + 1;
  return *link - first < (gssize) model->singles->len;
}

static inline const IfbamSource *
ifbam_model_source_of (const IfbamModel *model, gsize source)
{
  return model->sources->pdata[source];
}

/* Of an element; one that came later is nowhere. */
static inline IfbamPlace
ifbam_model_place (const IfbamModel *model, const IfbamElement *element)
{
  return element->id < model->n_places ? model->places[element->id]
                                       : (IfbamPlace){ G_MAXUINT32, FALSE, 0 };
}

/* That of its links, or its own. */
static inline IfbamDomain
ifbam_model_element_domain (const IfbamModel *model, const IfbamElement *element)
{
  const guint32 of = ifbam_model_place (model, element).domain;

  return element->info->domain != IFBAM_DOMAIN_ANY ? element->info->domain
         : of == 0                                 ? IFBAM_DOMAIN_TRANSLATION
                                                   : (IfbamDomain) g_bit_nth_lsf (of, -1);
}

/* Returns whether a link can bring energy. */
gboolean ifbam_model_has_active_links (const IfbamModel *model);

/* Whether something in it happens at an instant, so that it takes the event engine. */
static inline gboolean
ifbam_model_has_events (const IfbamModel *model)
{
  return model->singles->len > 0 || model->impulses->len > 0 || model->instants->len > 0
         || model->recurrent->len > 0;
}

/* Whether it is a controller that something follows for a part of each of its periods. */
static inline gboolean
ifbam_model_is_pulsing (const IfbamModel *model, guint32 single)
{
  if (ifbam_unbatched_link (model, single)->law->sample == NULL)
    return FALSE;
  for (guint i = 0; i < model->followers->len; i++)
    if (g_array_index (model->followers, IfbamFollower, i).monitor == single)
      return TRUE;
  return FALSE;
}

/* Whether given nodes follow monitors or controllers. */
static inline gboolean
ifbam_model_is_steered (const IfbamModel *model)
{
  for (guint i = 0; i < model->followers->len; i++)
    if (g_array_index (model->followers, IfbamFollower, i).kind == IFBAM_TIME_EVENT_MOTION)
      return TRUE;
  return model->guides->len > 0;
}

/* A controller that steers something; IFBAM_NO_NODE: none does. */
static inline guint32
ifbam_model_controller (const IfbamModel *model)
{
  for (guint32 j = 0; j < model->singles->len; j++)
    if (ifbam_model_is_pulsing (model, j))
      return j;
  return model->controls->len > 0 ? g_array_index (model->controls, IfbamControl, 0).controller
         : model->guides->len > 0 ? g_array_index (model->guides, IfbamGuide, 0).controller
                                  : IFBAM_NO_NODE;
}

/* Given nodes that have a name. */
static inline gsize
ifbam_model_n_given (const IfbamModel *model)
{
  return model->n_nodes - model->n_free - (model->rest != NULL ? 1 : 0);
}

static inline gboolean
ifbam_model_is_rest (const IfbamModel *model, gsize node)
{
  return model->rest != NULL && node == model->n_nodes - 1;
}

/* Free nodes that have a name: in the file's order the first ones. */
static inline gsize
ifbam_model_n_outer (const IfbamModel *model)
{
  return model->n_free - model->n_inner;
}

/* Whether a node keeps an internal state of a link. */
static inline gboolean
ifbam_model_is_inner (const IfbamModel *model, gsize node)
{
  return model->n_inner > 0 && node < model->n_free
         && (model->file_node != NULL ? model->file_node[node] : node)
                >= ifbam_model_n_outer (model);
}

/* Nodes that have a name. */
static inline gsize
ifbam_model_n_named (const IfbamModel *model)
{
  return ifbam_model_n_outer (model) + ifbam_model_n_given (model);
}

/* Of a free node. */
static inline double
ifbam_model_inertia (const IfbamModel *model, gsize node)
{
  return model->inertia == NULL ? model->same_inertia : model->inertia[node];
}

/* Whether a node has no inertia. */
static inline gboolean
ifbam_model_is_junction (const IfbamModel *model, gsize node)
{
  return model->n_junctions > 0 && node < model->n_free && ifbam_model_inertia (model, node) == 0;
}

/* The number of the i-th free node, those that keep states come last. */
static inline gsize
ifbam_model_free_number (const IfbamModel *model, gsize i)
{
  return model->number != NULL ? model->number[i] : i;
}

/* The number of the i-th node that has a name, in the order of the file. */
static inline gsize
ifbam_model_number_of (const IfbamModel *model, gsize i)
{
  return i < ifbam_model_n_outer (model) ? ifbam_model_free_number (model, i) : i + model->n_inner;
}

/* The number of a node that the file's order calls so: given ones, and all where none has been renumbered, keep theirs. */
static inline guint32
ifbam_model_new_number (const IfbamModel *model, guint32 node)
{
  return model->number != NULL && node < model->n_free ? model->number[node] : node;
}

/* node-numbering.c: gives the free nodes numbers that keep the ends of links, and what keeps their states, near each other,
 * where they don't do well in the file's order: model->number, file_node, source_node. left, right: the links' ends
 * (n_links), which follow; inner: their first states (n_links), in the file's order, which stay. */
void ifbam_model_number_nodes (IfbamModel *model, guint32 *left, guint32 *right,
                               const guint32 *inner);

/* A slot between runs, of no link. */
static inline gboolean
ifbam_batch_is_gap (const IfbamBatch *batch, gsize index)
{
  return batch->left[index] == batch->right[index];
}

/* The slots of a batch after its links', of the same length: what its right ends hear, its states. */
static inline guint
ifbam_batch_slots (const IfbamBatch *batch, gsize *first)
{
  guint n = 0;

  if (batch->far_slot != batch->first_slot)
    first[n++] = batch->far_slot;
  for (guint k = 0; k < batch->law->n_states; k++)
    first[n++] = batch->state_slot[k];
  return n;
}

#define IFBAM_MAX_SLOTS (1 + IFBAM_MAX_STATES)

/* A slot of the batch, of its links, their right ends or states. */
static inline gsize
ifbam_batch_index (const IfbamBatch *batch, gsize slot)
{
  gsize first[IFBAM_MAX_SLOTS], from = batch->first_slot;
  const guint n = ifbam_batch_slots (batch, first);

  for (guint k = 0; k < n && slot >= first[k]; k++)
    from = first[k];
  return slot - from;
}

/* The part of laws with states, in a kernel's arguments: where they are from link `first` on, where their
 * rates go in columns by slot (lanes). */
void ifbam_batch_take_states (const IfbamBatch *batch, gsize first, IfbamLinkBatch *arguments);
void ifbam_batch_tell_states (const IfbamBatch *batch, gsize lanes, double *answers,
                              IfbamLinkBatch *arguments);

/* Where kernels write, in columns by slot (lanes). */
static inline void
ifbam_lane_answers (const IfbamBatch *batch, gsize lanes, double *answers,
                    IfbamLinkBatch *arguments)
{
  arguments->answer = answers + batch->first_slot * lanes;
  arguments->far = answers + batch->far_slot * lanes;
  if (batch->law->n_states > 0)
    ifbam_batch_tell_states (batch, lanes, answers, arguments);
}

static inline void
ifbam_batch_answers (const IfbamBatch *batch, double *answers, IfbamLinkBatch *arguments)
{
  ifbam_lane_answers (batch, 1, answers, arguments);
}

/* Where a run in lanes finds the states of the link that it begins with. */
static inline void
ifbam_lane_states (const IfbamBatch *batch, gsize index, gsize lanes, IfbamLinkBatch *arguments)
{
  for (guint k = 0; k < batch->law->n_states; k++)
    arguments->run_state[k] = batch->state[k][index] * lanes;
}

/* Links from number `first` on, at columns of nodes. */
static inline void
ifbam_batch_arguments (const IfbamBatch *batch, const double *const *parameters, gsize first,
                       const double *position, const double *rate, IfbamLinkBatch *arguments)
{
  arguments->parameters = parameters;
  arguments->left = batch->left + first;
  arguments->right = batch->right + first;
  arguments->position = arguments->earlier_position = position;
  arguments->rate = arguments->earlier_rate = rate;
  arguments->answer = arguments->far = NULL;
  /* The rest is nobody's without states. */
  if (batch->law->n_states > 0)
    ifbam_batch_take_states (batch, first, arguments);
}

/* The node that owns a link of a batch. */
static inline guint32
ifbam_batch_owner (const IfbamBatch *batch, gsize index)
{
  guint32 owner = MIN (batch->left[index], batch->right[index]);

  for (guint k = 0; k < batch->law->n_states; k++)
    owner = MIN (owner, batch->state[k][index]);
  return owner;
}

/* link-batches.c: sorts links into batches and runs, gives nodes their ports. left, right: nodes of the links
 * in file order (n_links), inner: the first nodes of those that have states, in the file's order (NULL: none has);
 * spans, sources and numbers of nodes are there. */
void ifbam_model_wire (IfbamModel *model, const guint32 *left, const guint32 *right,
                       const guint32 *inner);
void ifbam_batch_clear (IfbamBatch *batch);

/* What is wrong with a network, of which element and key (not owned; key may be NULL, and where it is the whole
 * network's, both). */
typedef struct
{
  IfbamElement *element;
  const char *key;
  char *text;
} IfbamIssue;

/* Returns an empty list of IfbamIssue, which are freed with it (transfer full). */
GArray *ifbam_issues_new (void);

/* element-check.c: adds what is wrong with an element's own values. */
void ifbam_element_check (IfbamElement *element, GArray *issues);

/* Who reads what elements have as texts: units and files are not the model's. */
typedef struct
{
  IfbamNumberReader number;
  /* What a `course` key names, in the unit of the parameter (transfer full); NULL with a reason (transfer
   * full). The file's own unit may tell which of the domains are possible. */
  IfbamInterpolant *(*course) (gconstpointer data, const IfbamParam *param, guint32 *domains,
                               const char *text, char **reason);
  gconstpointer data;
  double node_memory; /* that will be asked for beside the model, for each free node [bytes] */
  IfbamSubnetwork
      *subnetwork; /* only these nodes are wanted: the model takes it over; NULL: all are */
} IfbamReader;

/* Compiles elements (IfbamElement, file order). by_name: name -> element; unknown: names that were refused already and need
 * no second complaint (may be NULL). What is wrong is added to issues (IfbamIssue). If anything is, the model that is
 * returned can only be asked for names; links and sources that found no nodes have the number IFBAM_NO_NODE. */
IfbamModel *ifbam_model_new (const GPtrArray *elements, GHashTable *by_name, GHashTable *unknown,
                             const IfbamReader *reader, GArray *issues);
/* Without a node, a link or elements: lists to be filled. */
IfbamModel *ifbam_model_new_empty (void);
void ifbam_model_free (IfbamModel *model);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamModel, ifbam_model_free)

/* Names of nodes and links by number (transfer full). */
char *ifbam_model_node_name (const IfbamModel *model, gsize node);
char *ifbam_model_link_name (const IfbamModel *model, gsize link);
const IfbamSpan *ifbam_model_node_span (const IfbamModel *model, gsize node, gsize *member);
const IfbamSpan *ifbam_model_link_span (const IfbamModel *model, gsize link, gsize *member);
const IfbamBatch *ifbam_model_batch (const IfbamModel *model, gsize slot, gsize *index);

typedef enum
{
  IFBAM_FOUND_NOTHING,
  IFBAM_FOUND_NODE,
  IFBAM_FOUND_LINK,
  IFBAM_FOUND_SOURCE,
  IFBAM_FOUND_SINGLE,
} IfbamFound;

/* Whether a member's name is that of a signal: a coordinate of something in the plane. */
static inline gboolean
ifbam_span_is_coordinate (const IfbamSpan *span)
{
  return span->lone || span->tail != NULL;
}

/* Links in no batch, each counted once, whatever its relations. */
gsize ifbam_model_n_singles (const IfbamModel *model);

/* A member "c.m12" of one of the families (IfbamSpan): its number in the file, and its family (not owned); NULL where
 * there is none. */
const IfbamSpan *ifbam_member_find (const GArray *families, const char *name, guint64 *number);
/* What has this number in the file; IFBAM_NO_NODE: another subnetwork has it. */
guint32 ifbam_model_file_node (const IfbamModel *model, guint64 number);
guint32 ifbam_model_file_link (const IfbamModel *model, guint64 number);
/* What has this name, and its number among its kind. */
IfbamFound ifbam_model_find (const IfbamModel *model, GHashTable *by_name, const char *name,
                             gsize *number);

/* The node that keeps an internal state of a link, by the link's number among singles or others; while the model
 * is being compiled as well. */
gsize ifbam_model_state (const IfbamModel *model, gsize link, gboolean single, guint state);

/* Whether a node stands between two others, and is where their distance is: element/branch.h. */
gboolean ifbam_model_is_tied (const IfbamModel *model, gsize node);

/* Whether a link is what ties such a node. */
static inline gboolean
ifbam_link_is_tie (const IfbamLink *link)
{
  return link->element->info->tie != NULL;
}

/* What stands at its two ends, as the element that it is says in `between` (not owned); NULL: it has no such key. A link that a
 * composite has made is not the composite: what that keeps in its slots is something else. */
static inline char *const *
ifbam_link_end_names (const IfbamLink *link)
{
  return ifbam_element_kind (link->element) != IFBAM_KIND_COMPOSITE
                 && link->info->kind == IFBAM_KIND_LINK && !ifbam_element_is_one_ended (link->info)
             ? ifbam_element_slots (link->element)[IFBAM_SLOT_BETWEEN]
             : NULL;
}

/* The domain that a node has in this network. */
IfbamDomain ifbam_model_node_domain (const IfbamModel *model, gsize node);

/* topology-text.c: a line for each element, or members of a composite, and whom it joins; slots: also where links
 * have theirs (transfer full). */
char *ifbam_model_structure (const IfbamModel *model, gboolean slots);

/* "c.m12", "b.x" (transfer full) */
char *ifbam_span_name (const IfbamSpan *span, gsize member);

/* The law's numbers of a span's member, into law (law_size bytes). */
void ifbam_span_law (const IfbamSpan *span, gsize member, gpointer law);
/* The same in two parts, for who asks it of many: what members share, which tells by bits which numbers each has of
 * its own; and these. */
guint32 ifbam_span_common_law (const IfbamSpan *span, gpointer law);
void ifbam_span_own_law (const IfbamSpan *span, guint32 own, gsize member, gpointer law);
/* A link's, by its number in the file. */
void ifbam_model_link_law (const IfbamModel *model, gsize link, double *law);

/* Motion of n nodes where their elements say that they start, from first on, to position[0] and rate[0]
 * on (see also run-spec.h). */
void ifbam_model_initial_range (const IfbamModel *model, gsize first, gsize n, double *position,
                                double *rate);
/* Of a given node at any time. */
IfbamMotion ifbam_model_given (const IfbamModel *model, gsize node, double time);

static inline gboolean
ifbam_model_is_field (const IfbamModel *model, gsize source)
{
  return ifbam_model_source_of (model, source)->info->potential != NULL;
}

/* Of a node that moves freely: fields act on no others. */
static inline double
ifbam_model_source_inertia (const IfbamModel *model, gsize source)
{
  return ifbam_model_inertia (model, model->source_node[source]);
}

static inline double
ifbam_model_source (const IfbamModel *model, gsize source, double time)
{
  const IfbamSource *acts = ifbam_model_source_of (model, source);

  return acts->info->value (
      acts->law, acts->course, time,
      ifbam_model_is_field (model, source) ? ifbam_model_source_inertia (model, source) : 0.0);
}

/* A field's energy with its node at a position [J]. */
double ifbam_model_field_energy (const IfbamModel *model, gsize source, double position);
