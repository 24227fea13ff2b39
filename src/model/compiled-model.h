/* compiled-model.h: the network compiled to arrays: nodes, links in batches, and their connections
 *
 * Node indices: free nodes in file order (or, in a large network, joined nodes near each other),
 * then given nodes in file order. Links have an index in file order (the order in which nodes sum
 * forces) and a slot (their index in the arrays of forces). Sources have the slots after the
 * links'.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <string.h>

#include "base/formula.h"
#include "base/limits.h"
#include "element/element.h"
#include "model/subnetwork.h"
#include "model/partition-sums.h"

/* Elements with consecutive indices: one element, or members OWNER.LETTER1, OWNER.LETTER2, … */
typedef struct
{
  gsize first, count; /* index = first + phase + stride * i */
  /* of a family with pieces in a subnetwork: index of the first member here */
  guint64 offset;
  guint stride, phase;          /* interleaved spans have the same `first` */
  const IfbamElementInfo *info; /* of each */
  IfbamElement *element;        /* the element, or the owner (not owned) */
  const char *letter;           /* NULL: a single element */
  gboolean lone;                /* a member without an index: OWNER.LETTER */
  gboolean open;                /* its start position is a guess */
  /* "x": a coordinate of a member with an index, OWNER.LETTER1.x; NULL: none */
  const char *tail;
  /* rows in the subnetwork (IfbamRange), by which its series are indexed; NULL: consecutive */
  const GArray *rows;
  /* An element has a law, and the course of its `course` key, or NULL. Members have a series per
   * parameter (n_params), and overrides (i << 5 | param) + 1 -> double*, or NULL. */
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

/* A source: an element, or a member of a composite, OWNER.LETTER. */
typedef struct
{
  IfbamElement *element;        /* the element, or the owner (not owned) */
  const IfbamElementInfo *info; /* of its class */
  const char *name;             /* (not owned) */
  double *law;
  const IfbamInterpolant *course; /* of its `course` key, or NULL */
  gsize first;                    /* index of the source on the first of its nodes */
} IfbamSource;

/* A free node owns the links to nodes with higher indices (and to given nodes). A run is n links of
 * one batch with consecutive end nodes: kernels read these at stride one, without indices. */
typedef struct
{
  gsize owner;       /* of the first link */
  gsize first, n;    /* in the batch */
  gsize left, right; /* nodes of the first link */
} IfbamLinkRun;

/* Runs of one batch with the same difference of node indices, by owner. */
typedef struct
{
  IfbamLinkRun *runs;
  gsize n_runs;
} IfbamRunGroup;

/* Doubles of a cache line. */
#define IFBAM_LINE 8

/* Processors stall on reads at the page offset of a recent write. So arrays that are read together
 * begin at different offsets in a page [bytes; doubles]: 0 inertia, 1 parameters of links, 2 data
 * that change in a run. */
#define IFBAM_PAGE              4096
#define IFBAM_PAGE_PLACE(which) ((which) *11 * IFBAM_LINE)

/* Returns the distance of columns of n doubles that gives each the next offset; short for few. */
static inline gsize
ifbam_page_stride (gsize n)
{
  const gsize page = IFBAM_PAGE / sizeof (double), place = IFBAM_PAGE_PLACE (1);

  return 2 * n <= page ? n / IFBAM_LINE * IFBAM_LINE + 9 * IFBAM_LINE
                       : (n - place + page - 1) / page * page + place;
}

/* Links of one class with the same count of points for the mean. Order: residue (in no run), runs,
 * driven links (to moving given nodes), idle links (between given nodes, without effect). Residue
 * and driven links are sorted by owner. */
typedef struct
{
  const IfbamElementInfo *info;
  const IfbamLaw *law;
  const IfbamLinkKernels *kernels;
  guint points;
  gsize first_slot, count; /* slots; gaps between runs are unused */
  gsize far_slot; /* first slot of the forces on right ends (count); first_slot: equal forces */
  /* Laws with states: first slot of the states' rates, per state; state nodes (count). */
  gsize state_slot[IFBAM_MAX_STATES];
  guint32 *state[IFBAM_MAX_STATES];
  /* in a model that is a part: 1 for a link that another part counts (count); NULL: none */
  guint8 *is_ghost;
  gsize n_residue, first_driven, first_idle;
  IfbamRunGroup *groups;
  guint n_groups;
  guint32 *left, *right; /* nodes (count) */
  double **parameters;   /* parameters of the law (n_numbers)(count) */
  gpointer *owned;       /* memory of the parameters (n_numbers) */
  guint n_numbers;
} IfbamBatch;

/* Consecutive free nodes with consecutive slots of equal signs as ports; degree 0: nodes with
 * looked-up ports. In order, together all free nodes. */
typedef struct
{
  gsize first, n;
  guint degree;
  gsize slot[IFBAM_MAX_RUN_PORTS]; /* of the first node */
  double sign[IFBAM_MAX_RUN_PORTS];
} IfbamNodeRun;

#define IFBAM_MAX_CARRIERS 2

/* Inputs of a link: the coordinates at its ports, then its internal states. */
#define IFBAM_MAX_ENDS (IFBAM_MAX_PORTS + IFBAM_MAX_STATES)

/* A link that presses another one, between two ports of that one. */
typedef struct
{
  const IfbamElement *element; /* the pressing link's (not owned) */
  const IfbamLaw *law;
  const void *numbers;
  guint port[2];
  guint32 single; /* its index among unbatched links; IFBAM_NO_NODE: its law has one mode */
} IfbamNormalForce;

#define IFBAM_ANY_MODE (-1)

/* A link or a further constraint of the link before it (link.h). */
typedef struct
{
  const IfbamLaw *law;
  const char *name; /* "floor", "floor.friction" (not owned) */
  guint place;      /* index of the constraint in its link: 0, 1, ... */
  gboolean carries; /* it is the carrier of constraints that follow */
  guint32 carrier;  /* index of its (first) carrier; IFBAM_NO_NODE: none */
  guint n_carriers; /* consecutive carriers, at most IFBAM_MAX_CARRIERS */
  /* friction in a plane: the next one is across; it is across the last one */
  gboolean leads, follows;
  IfbamElement *element;        /* the element, or the owner composite (not owned) */
  const IfbamElementInfo *info; /* of its class */
  const void *numbers;          /* parameters of its law */
  const IfbamGeometry *geometry;
  gboolean in_plane; /* between two points of the plane, with the law's geometry for ends */
  double shape[IFBAM_MAX_SHAPE];
  /* index of the first state in the law's numbers */
  guint n_ports, n_states, first_state;
  guint32 node[IFBAM_MAX_ENDS];         /* at its ports, then its state nodes */
  gsize state_slot;                     /* first of the slots of its states' rates */
  const IfbamNormalForce *normal_force; /* replaces the state of its law by a force; NULL: none */
} IfbamLink;

/* Returns the force of a pressing link, by its law without states, from values at two ports. */
double ifbam_normal_force_evaluate (const IfbamNormalForce *normal_force, int mode,
                                    const double *position, const double *rate);

/* Returns a law's numbers for values at ports and states (n_ports + n_states). pressing: mode of
 * the pressing link; IFBAM_ANY_MODE: its start mode there. room: IFBAM_MAX_LAW. */
static inline const void *
ifbam_link_parameters (const IfbamLink *link, const double *position, const double *rate,
                       int pressing, double *room)
{
  if (link->n_states == 0)
    return link->numbers;
  memcpy (room, link->numbers, link->first_state * sizeof *room);
  memcpy (room + link->first_state, rate + link->n_ports, link->n_states * sizeof *room);
  if (link->normal_force != NULL)
    room[link->first_state] =
        ifbam_normal_force_evaluate (link->normal_force, pressing, position, rate);
  return room;
}

/* As ifbam_link_parameters, from columns of nodes. */
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

/* Returns TRUE if a constraint has a carrier. */
static inline gboolean
ifbam_link_is_carried (const IfbamLink *link)
{
  return link->carrier != IFBAM_NO_NODE;
}

/* Returns TRUE for one of the two directions of a friction in a plane. */
static inline gboolean
ifbam_link_is_in_plane (const IfbamLink *link)
{
  return link->leads || link->follows;
}

/* Returns TRUE for a constraint that is always active. */
static inline gboolean
ifbam_link_is_fixed (const IfbamLink *link)
{
  return link->law->constraint != NULL
         && link->law->constraint (link->numbers, 0).kind == IFBAM_CONSTRAINT_FIXED;
}

/* Returns the angular rate of a link's geometry [rad/s]. */
double ifbam_link_turning_rate (const IfbamLink *link, const double *position, const double *rate);

/* Impulses on a node or between ends: at scheduled times, or at mode changes of a monitor. */
typedef struct
{
  IfbamElement *element; /* not owned */
  double *law;
  /* direction of the impulse; between two ends the impulse reduces this compression */
  const IfbamGeometry *geometry;
  double shape[IFBAM_MAX_SHAPE];
  guint32 node[IFBAM_MAX_PORTS];
  guint n_nodes;
  gboolean apart;  /* between two ends */
  guint32 trigger; /* link; IFBAM_NO_NODE: scheduled times only */
  double value;    /* for the trigger */
} IfbamImpulse;

/* A source or given node that acts, or a link in its second mode, while a link is in its second
 * mode: a monitor, or a controller for the fraction of its sampling period that it outputs. */
typedef struct
{
  guint32 monitor;         /* link: a monitor or controller */
  IfbamTimeEventKind kind; /* corner of a source, a given node's motion, or toggle of a link */
  guint32 number;          /* index of the source, node or link */
  gboolean below;          /* acts while that link is in its first mode */
} IfbamSwitchedElement;

/* A source scaled by the output of a link (a controller). */
typedef struct
{
  guint32 controller; /* link */
  guint32 source;
} IfbamScaledSource;

/* Indices of an element in a model. */
typedef struct
{
  /* (first) node, link in file order, first source, unbatched link, impulse; or
   * IFBAM_NO_NODE */
  guint32 index;
  guint16 single; /* TRUE: an unbatched link, by its law, modes or ends */
  guint16 domain; /* bit d: domain d, if links determine it */
} IfbamElementIndex;

/* A model uses the elements' identities only, and has copies of all parameters. It owns references
 * to the elements, so that it can outlive their network. */
typedef struct
{
  GPtrArray *elements; /* IfbamElement */
  gboolean refused;    /* the network is too large: the model has no nodes and links */
  gsize n_nodes, n_free, n_links, n_sources;
  gsize n_junctions; /* massless free nodes */
  /* state nodes of links, in file order the last free nodes */
  gsize n_state_nodes;
  gsize n_varying, n_fields; /* time-dependent sources; sources with a potential energy */
  gsize n_slots;             /* batched links, then states of unbatched ones; sources follow */
  /* 1/kg, 1/(kg m2) (n_free); small inertias for junctions distribute impulses and reactions. */
  double *inverse_inertia;
  /* kg, kg m2, for energies and weights (n_free); NULL: same_inertia for all. */
  double *inertia, same_inertia;
  /* If free nodes are not in file order (n_free); else NULL. */
  guint32 *number;    /* index of node i of the file */
  guint32 *file_node; /* index in the file of node i */
  GArray *node_spans; /* IfbamSpan, by index in file order */
  GArray *link_spans; /* IfbamSpan, by file order */
  /* The spans of composites' members; in a subnetwork whole, with the file's indices. */
  GArray *node_families;
  GArray *link_families;
  GArray *unbatched_families; /* of unbatched links, by their index */
  /* the element with dampers in proportion to other parameters (not owned); NULL: none */
  const IfbamElement *damping;
  IfbamElement *rest;   /* implied ground, the last given node; NULL: not needed */
  GPtrArray *sources;   /* IfbamSource: once per node that it acts on (n_sources) */
  guint32 *source_node; /* (n_sources) */
  GArray *batches;      /* IfbamBatch */
  guint32 *link_slot;   /* slot of a link by file order (n_links) */
  /* Start of a mechanism's nodes (n_nodes); NULL: from the elements. */
  double *start_position, *start_rate;
  GArray *unbatched_links; /* IfbamLink, in file order, with further constraints: unbatched links */
  GArray *point_coordinates; /* IfbamLink, with geometry and ports only: x and y of points */
  GArray *impulses;          /* IfbamImpulse */
  GArray *switched_elements; /* IfbamSwitchedElement */
  GArray *scaled_sources;    /* IfbamScaledSource */
  GArray *scaled_motions;    /* IfbamScaledMotion */
  GArray *time_events;       /* IfbamTimeEvent that occur once, by time */
  GArray *recurrent;         /* IfbamTimeEvent that recur */

  /* Ports of a node, in file order: slot << 1 | (1: the force counts negative). */
  guint32 *port_start; /* (n_nodes + 1) */
  guint32 *port;       /* (2 n_links + n_sources) */

  GArray *node_runs;         /* IfbamNodeRun */
  guint32 *varying;          /* time-dependent sources, by node */
  guint32 *fields;           /* sources with a potential energy, by node */
  gsize bandwidth;           /* largest difference of two free nodes' indices under one link */
  GArray *kept;              /* IfbamOwnedMemory: memory that it owns */
  IfbamElementIndex *places; /* by element id (n_places) */
  guint32 n_places;
  IfbamSubnetwork *subnetwork; /* the part of the file that is here; NULL: all */
  /* if the model is a part of a network (not owned); NULL: it is the whole one */
  const IfbamPartitionSums *share;
} IfbamModel;

/* Returns the part of the file in a model; NULL: all. The WebAssembly build has no subnetworks. */
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

/* A given node with a rate multiplied by a controller's output; its position is continuous. */
typedef struct
{
  guint32 controller; /* link */
  guint32 node;
} IfbamScaledMotion;

/* Memory, and its destructor. */
typedef struct
{
  gpointer data;
  GDestroyNotify free;
} IfbamOwnedMemory;

/* Returns an unbatched link by its number. */
static inline const IfbamLink *
ifbam_unbatched_link (const IfbamModel *model, gsize number)
{
  return &g_array_index (model->unbatched_links, IfbamLink, number);
}

/* Moves *link to the next unbatched link in the order of the file, each constraint by itself; NULL:
 * to the first one. Returns FALSE after the last one. */
static inline gboolean
ifbam_unbatched_next (const IfbamModel *model, const IfbamLink **link)
{
  const IfbamLink *first = (const IfbamLink *) (gpointer) model->unbatched_links->data;

  *link = *link == NULL ? first : *link + 1;
  return *link - first < (gssize) model->unbatched_links->len;
}

static inline const IfbamSource *
ifbam_model_source_of (const IfbamModel *model, gsize source)
{
  return model->sources->pdata[source];
}

/* Returns the index record of an element; an element added later has no index. */
static inline IfbamElementIndex
ifbam_model_element_index (const IfbamModel *model, const IfbamElement *element)
{
  return element->id < model->n_places ? model->places[element->id]
                                       : (IfbamElementIndex){ G_MAXUINT32, FALSE, 0 };
}

/* Returns an element's domain: its class's, or that of its links. */
static inline IfbamDomain
ifbam_model_element_domain (const IfbamModel *model, const IfbamElement *element)
{
  const guint32 of = ifbam_model_element_index (model, element).domain;

  return element->info->domain != IFBAM_DOMAIN_ANY ? element->info->domain
         : of == 0                                 ? IFBAM_DOMAIN_TRANSLATION
                                                   : (IfbamDomain) g_bit_nth_lsf (of, -1);
}

/* Returns TRUE if a link can supply energy. */
gboolean ifbam_model_has_active_links (const IfbamModel *model);

/* Returns TRUE if the network has modes, impulses or scheduled events, for the event engine. */
static inline gboolean
ifbam_model_has_events (const IfbamModel *model)
{
  return model->unbatched_links->len > 0 || model->impulses->len > 0 || model->time_events->len > 0
         || model->recurrent->len > 0;
}

/* Returns TRUE for a controller with pulse-width followers. */
static inline gboolean
ifbam_model_is_pulsing (const IfbamModel *model, guint32 single)
{
  if (ifbam_unbatched_link (model, single)->law->sample == NULL)
    return FALSE;
  for (guint i = 0; i < model->switched_elements->len; i++)
    if (g_array_index (model->switched_elements, IfbamSwitchedElement, i).monitor == single)
      return TRUE;
  return FALSE;
}

/* Returns TRUE if given nodes follow monitors or controllers. */
static inline gboolean
ifbam_model_is_scaled (const IfbamModel *model)
{
  for (guint i = 0; i < model->switched_elements->len; i++)
    if (g_array_index (model->switched_elements, IfbamSwitchedElement, i).kind
        == IFBAM_TIME_EVENT_MOTION)
      return TRUE;
  return model->scaled_motions->len > 0;
}

/* Returns a controller with followers; IFBAM_NO_NODE: none. */
static inline guint32
ifbam_model_controller (const IfbamModel *model)
{
  for (guint32 j = 0; j < model->unbatched_links->len; j++)
    if (ifbam_model_is_pulsing (model, j))
      return j;
  return model->scaled_sources->len > 0
             ? g_array_index (model->scaled_sources, IfbamScaledSource, 0).controller
         : model->scaled_motions->len > 0
             ? g_array_index (model->scaled_motions, IfbamScaledMotion, 0).controller
             : IFBAM_NO_NODE;
}

/* Returns the count of given nodes with a name. */
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

/* Returns the count of free nodes with a name: in file order the first ones. */
static inline gsize
ifbam_model_n_named_free (const IfbamModel *model)
{
  return model->n_free - model->n_state_nodes;
}

/* Returns TRUE for a state node. */
static inline gboolean
ifbam_model_is_state_node (const IfbamModel *model, gsize node)
{
  return model->n_state_nodes > 0 && node < model->n_free
         && (model->file_node != NULL ? model->file_node[node] : node)
                >= ifbam_model_n_named_free (model);
}

/* Returns the count of nodes with a name. */
static inline gsize
ifbam_model_n_named (const IfbamModel *model)
{
  return ifbam_model_n_named_free (model) + ifbam_model_n_given (model);
}

/* Returns a free node's inertia. */
static inline double
ifbam_model_inertia (const IfbamModel *model, gsize node)
{
  return model->inertia == NULL ? model->same_inertia : model->inertia[node];
}

/* Returns TRUE for a massless node. */
static inline gboolean
ifbam_model_is_junction (const IfbamModel *model, gsize node)
{
  return model->n_junctions > 0 && node < model->n_free && ifbam_model_inertia (model, node) == 0;
}

/* Returns the index of the i-th free node in file order; state nodes come last. */
static inline gsize
ifbam_model_free_node (const IfbamModel *model, gsize i)
{
  return model->number != NULL ? model->number[i] : i;
}

/* Returns the index of the i-th node with a name, in file order. */
static inline gsize
ifbam_model_named_node (const IfbamModel *model, gsize i)
{
  return i < ifbam_model_n_named_free (model) ? ifbam_model_free_node (model, i)
                                              : i + model->n_state_nodes;
}

/* Returns the index of a node by its index in file order; renumbering changes free nodes only. */
static inline guint32
ifbam_model_node_of_file (const IfbamModel *model, guint32 node)
{
  return model->number != NULL && node < model->n_free ? model->number[node] : node;
}

/* node-numbering.c: renumbers the free nodes, if useful, so that ends and states of links are near
 * each other: sets model->number, file_node, and updates source_node, left, right (ends of links,
 * n_links). inner: first state nodes of links (n_links) in file order, unchanged. */
void ifbam_model_number_nodes (IfbamModel *model, guint32 *left, guint32 *right,
                               const guint32 *inner);

/* Returns TRUE for an unused slot between runs. */
static inline gboolean
ifbam_batch_is_gap (const IfbamBatch *batch, gsize index)
{
  return batch->left[index] == batch->right[index];
}

/* Stores the first slots of a batch's further arrays, forces on right ends and rates of states,
 * each of length count. Returns their count. */
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

/* Returns the index in the batch of a slot of a link, a right end or a state. */
static inline gsize
ifbam_batch_index (const IfbamBatch *batch, gsize slot)
{
  gsize first[IFBAM_MAX_SLOTS], from = batch->first_slot;
  const guint n = ifbam_batch_slots (batch, first);

  for (guint k = 0; k < n && slot >= first[k]; k++)
    from = first[k];
  return slot - from;
}

/* Set, in a kernel's arguments, the state nodes of links from `first` on; the arrays for the
 * states' rates, by slot (lanes). */
void ifbam_batch_set_state_inputs (const IfbamBatch *batch, gsize first, IfbamLinkBatch *arguments);
void ifbam_batch_set_state_outputs (const IfbamBatch *batch, gsize lanes, double *outputs,
                                    IfbamLinkBatch *arguments);

/* Set the results of kernels to arrays by slot (lanes). */
static inline void
ifbam_lane_set_outputs (const IfbamBatch *batch, gsize lanes, double *outputs,
                        IfbamLinkBatch *arguments)
{
  arguments->output = outputs + batch->first_slot * lanes;
  arguments->far = outputs + batch->far_slot * lanes;
  if (batch->law->n_states > 0)
    ifbam_batch_set_state_outputs (batch, lanes, outputs, arguments);
}

static inline void
ifbam_batch_set_outputs (const IfbamBatch *batch, double *outputs, IfbamLinkBatch *arguments)
{
  ifbam_lane_set_outputs (batch, 1, outputs, arguments);
}

/* Sets the state nodes of the first link of a run in lanes. */
static inline void
ifbam_lane_set_state_inputs (const IfbamBatch *batch, gsize index, gsize lanes,
                             IfbamLinkBatch *arguments)
{
  for (guint k = 0; k < batch->law->n_states; k++)
    arguments->run_state[k] = batch->state[k][index] * lanes;
}

/* Sets a kernel's arguments to links from `first` on, and columns of nodes. */
static inline void
ifbam_batch_arguments (const IfbamBatch *batch, const double *const *parameters, gsize first,
                       const double *position, const double *rate, IfbamLinkBatch *arguments)
{
  arguments->parameters = parameters;
  arguments->left = batch->left + first;
  arguments->right = batch->right + first;
  arguments->position = arguments->earlier_position = position;
  arguments->rate = arguments->earlier_rate = rate;
  arguments->output = arguments->far = NULL;
  /* Unused without states. */
  if (batch->law->n_states > 0)
    ifbam_batch_set_state_inputs (batch, first, arguments);
}

/* Returns the node that owns a link of a batch. */
static inline guint32
ifbam_batch_owner (const IfbamBatch *batch, gsize index)
{
  guint32 owner = MIN (batch->left[index], batch->right[index]);

  for (guint k = 0; k < batch->law->n_states; k++)
    owner = MIN (owner, batch->state[k][index]);
  return owner;
}

/* link-batches.c: sorts links into batches and runs, sets ports. left, right: nodes of links in
 * file order (n_links); inner: first state nodes, in file order (n_links; NULL: none). Needs spans
 * and sources. */
void ifbam_model_connect (IfbamModel *model, const guint32 *left, const guint32 *right,
                          const guint32 *inner);
void ifbam_batch_clear (IfbamBatch *batch);

/* A fault, with its element and key (not owned; NULL: the whole element, the whole network). */
typedef struct
{
  IfbamElement *element;
  const char *key;
  char *text;
} IfbamIssue;

/* Returns an empty list of IfbamIssue, which are freed with it (transfer full). */
GArray *ifbam_issues_new (void);

/* element-check.c: adds faults of an element's own values. */
void ifbam_element_check (IfbamElement *element, GArray *issues);

/* Reader of values that elements have as texts: units and files are outside the model's layer. */
typedef struct
{
  IfbamNumberReader number;
  /* Returns the course of a `course` key, in the unit of the parameter (transfer full); NULL with a
   * reason (transfer full). The file's unit can restrict the domains. */
  IfbamInterpolant *(*course) (gconstpointer data, const IfbamParam *param, guint32 *domains,
                               const char *text, char **reason);
  /* Returns a law by formula (transfer full: ifbam_program_free); NULL with a reason (transfer full).
   */
  IfbamProgram *(*formula) (const IfbamElementInfo *info, const char *text, char **reason);
  gconstpointer data;
  double node_memory; /* memory needed beside the model, per free node [bytes] */
  /* compile these nodes only (taken over); NULL: all */
  IfbamSubnetwork *subnetwork;
} IfbamReader;

/* Compiles elements (IfbamElement, file order). by_name: name -> element; unknown: names with an
 * issue already (may be NULL). Adds faults to issues (IfbamIssue). With any fault the returned
 * model serves for names only; links and sources without nodes have the index IFBAM_NO_NODE. */
IfbamModel *ifbam_model_new (const GPtrArray *elements, GHashTable *by_name, GHashTable *unknown,
                             const IfbamReader *reader, GArray *issues);
/* Returns a model with empty lists. */
IfbamModel *ifbam_model_new_empty (void);
void ifbam_model_free (IfbamModel *model);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamModel, ifbam_model_free)

/* Return names of nodes and links by index (transfer full). */
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
  IFBAM_FOUND_UNBATCHED,
} IfbamFound;

/* Returns TRUE if a member's name is that of a signal: a coordinate of an element in the plane. */
static inline gboolean
ifbam_span_is_coordinate (const IfbamSpan *span)
{
  return span->lone || span->tail != NULL;
}

/* Returns the count of unbatched links, without their further constraints. */
gsize ifbam_model_n_unbatched (const IfbamModel *model);

/* Returns the family (IfbamSpan, not owned) of "c.m12", and its index in the file; NULL: none. */
const IfbamSpan *ifbam_member_find (const GArray *families, const char *name, guint64 *number);
/* Return the index of a node or link of the file; IFBAM_NO_NODE: in another subnetwork. */
guint32 ifbam_model_file_node (const IfbamModel *model, guint64 number);
guint32 ifbam_model_file_link (const IfbamModel *model, guint64 number);
/* Returns the kind of element with a name, and its index. */
IfbamFound ifbam_model_find (const IfbamModel *model, GHashTable *by_name, const char *name,
                             gsize *number);

/* Returns the state node of a link, by its index among unbatched (single) or batched links. */
gsize ifbam_model_state (const IfbamModel *model, gsize link, gboolean single, guint state);

/* Returns TRUE for a branch: element/branch.h. */
gboolean ifbam_model_is_tied (const IfbamModel *model, gsize node);

/* Returns TRUE for the constraint of a branch. */
static inline gboolean
ifbam_link_is_tie (const IfbamLink *link)
{
  return link->element->info->branch_link != NULL;
}

/* Returns a link's end names, the key `between` (not owned); NULL: none, or a composite's link
 * (with slots of other meanings). */
static inline char *const *
ifbam_link_end_names (const IfbamLink *link)
{
  return ifbam_element_kind (link->element) != IFBAM_KIND_COMPOSITE
                 && link->info->kind == IFBAM_KIND_LINK && !ifbam_element_is_one_ended (link->info)
             ? ifbam_element_slots (link->element)[IFBAM_SLOT_BETWEEN]
             : NULL;
}

/* Returns the domain of a node in this network. */
IfbamDomain ifbam_model_node_domain (const IfbamModel *model, gsize node);

/* topology-text.c: returns a line per element or members of a composite, with the nodes that it
 * joins; slots: also those of links (transfer full). */
char *ifbam_model_structure (const IfbamModel *model, gboolean slots);

/* "c.m12", "b.x" (transfer full) */
char *ifbam_span_name (const IfbamSpan *span, gsize member);

/* Stores the parameters of a span's member in law (law_size bytes). */
void ifbam_span_law (const IfbamSpan *span, gsize member, gpointer law);
/* In two parts, for many members: the first stores the parameters that all members share, and
 * returns bits of the others; the second stores these. */
guint32 ifbam_span_common_law (const IfbamSpan *span, gpointer law);
void ifbam_span_own_law (const IfbamSpan *span, guint32 own, gsize member, gpointer law);
/* Stores the parameters of a link, by its index in the file. */
void ifbam_model_link_law (const IfbamModel *model, gsize link, double *law);

/* Stores the start motion that elements define, of n nodes from `first` on, from position[0] and
 * rate[0] on (see also run-spec.h). */
void ifbam_model_initial_range (const IfbamModel *model, gsize first, gsize n, double *position,
                                double *rate);
/* Returns the motion of a given node at a time [s]. */
IfbamMotion ifbam_model_given (const IfbamModel *model, gsize node, double time);

static inline gboolean
ifbam_model_is_field (const IfbamModel *model, gsize source)
{
  return ifbam_model_source_of (model, source)->info->potential != NULL;
}

/* Returns the inertia of a field's node: fields act on free nodes only. */
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

/* Returns a field's energy with its node at a position [J]. */
double ifbam_model_field_energy (const IfbamModel *model, gsize source, double position);
