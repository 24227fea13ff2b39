/* network-graph.h: a network by the file's numbers, before anything is made of it: how large it is, who is next to whom, and
 * models of some of its nodes
 *
 * Nothing is made for each of a composite's nodes and links: of a [chain] of 10^12 masses the survey is a few numbers, and
 * the model of some of them is as large as these. Of files of columns each rank has some rows: a survey of such a network is
 * made and asked by all ranks at once.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/model.h"
#include "file/file.h"
#include "run/distributed-rows.h"

/* Of a composite: nodes first to first + count - 1, joined one to the next by n_kinds links each. */
typedef struct
{
  guint64 head, first, count, tail; /* IFBAM_NO_NUMBER: none */
  guint64 n_kinds;
} IfbamGraphPath;

/* Nodes at a link's ends; IFBAM_NO_NUMBER: there is no such node. */
typedef struct
{
  guint64 left, right;
} IfbamGraphEnds;

/* A node and one of its neighbours. */
typedef struct
{
  guint64 node, other;
} IfbamGraphJoin;

typedef struct
{
  IfbamNetwork *network; /* held; NULL: the graph is of a model */
  IfbamModel *model;     /* the whole network, compiled (not owned); NULL: the graph is of a file */
  guint64 n_outer;       /* free nodes without states of links: the first in the file's order */
  guint64 n_free, n_links; /* numbers of the file; given nodes have those from n_free on, and a row
                            * of columns one for each kind of link that rows of its file may be */
  guint64 n_given;
  guint64 *node, *link; /* first nodes and links of elements, by ids */
  guint32 n_ids;
  GArray *paths;         /* IfbamGraphPath: of composites, by their first node */
  GArray *links;         /* IfbamGraphEnds: of elements, in the order of the file */
  GArray *joins;         /* IfbamGraphJoin: neighbours elsewhere than along a path, by node */
  IfbamSurveyRows *rows; /* of columns; NULL: there are none */
  guint64
      period; /* after so many members all composites repeat their parameters; above IFBAM_SURVEY_WINDOW: at least */
  GArray
      *marks; /* nodes beside which a member of a composite has a parameter of its own (guint64) */
} IfbamSurvey;

/* Nodes of a composite that represent all of its nodes. */
#define IFBAM_SURVEY_WINDOW 10000

/* NULL with issues: what can't be cut, as something happens in it at instants, or as it has to be known as a whole. Who
 * reads a file does it where that is compiled: ifbam_network_new_compiled_by(). */
IfbamSurvey *ifbam_survey_new (IfbamNetwork *network, GArray *issues);
/* Returns the graph of a compiled network, which has to outlive the graph (transfer full). */
IfbamSurvey *ifbam_survey_new_from_model (IfbamModel *model);
void ifbam_survey_free (IfbamSurvey *survey);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamSurvey, ifbam_survey_free)

/* The free nodes of these ranges (IfbamRange, ascending, apart from each other; their places are not asked for) with so
 * many layers of neighbours around them, and all links among them (transfer full). */
IfbamExcerpt *ifbam_survey_cut (const IfbamSurvey *survey, const GArray *own, guint layers);

/* A part of the network that represents the whole (transfer full): elements of the file, the ends of composites, a window of
 * their repeated members, all members with parameters, sources, records or links of their own, and one layer around these. So
 * it has every kind of node that the whole has, with all of its links. NULL: there is none that is much smaller. */
IfbamExcerpt *ifbam_survey_sample (const IfbamSurvey *survey);

/* These nodes with so many layers of neighbours (IfbamRange; transfer full). */
GArray *ifbam_survey_add_layers (const IfbamSurvey *survey, const GArray *own, guint layers);

/* How many layers there are around these nodes before they have more than so many nodes, `most` at most; as many where more layers have
 * no nodes. */
guint ifbam_survey_count_layers (const IfbamSurvey *survey, const GArray *own, guint most,
                                 guint64 room);

/* Who is next to whom: neighbours of the free nodes first, first + 1, … (count) are neighbour[start[i]] to
 * neighbour[start[i + 1] - 1], free nodes all, each as often as links join them (guint64; transfer full). Where there are
 * columns each rank asks of nodes of its block of the file (ifbam_ranks_range), by itself. */
void ifbam_survey_list_neighbours (const IfbamSurvey *survey, guint64 first, guint64 count,
                                   GArray **start, GArray **neighbour);

/* The model of an excerpt, which it takes over (model->excerpt), with the network's settings; as
 * ifbam_network_compile(). Its nodes and links have the file's order. Signals that are elsewhere are left out. Of a
 * compiled network spec stays, and signals get the indices of the part. */
IfbamModel *ifbam_survey_compile (const IfbamSurvey *survey, IfbamExcerpt *excerpt,
                                  IfbamRunSpec *spec, IfbamSignals **signals, GArray *issues);
