/* diagram-layout.h: where the elements of a network stand in its diagram
 *
 * Nodes stand in columns by their distance from the first wall (breadth first, Moore 1959), so that a
 * chain is a straight row and a branch is a row below; a node is as high as the rows that it has
 * links in. Links that close loops are drawn across. Of a large network long rows of like nodes are cut
 * short, and of one that has none a part is drawn.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "figure/diagram-graph.h"
#include "figure/element-labels.h"
#include "figure/foreach.h"

/* Sizes in pixels. */
#define IFBAM_SKETCH_ROW         56.0
#define IFBAM_SKETCH_GAP         14.0  /* between two boxes */
#define IFBAM_SKETCH_LENGTH      120.0 /* of a link between two columns */
#define IFBAM_SKETCH_SYMBOL      20.0  /* half the length of a link's symbol */
#define IFBAM_SKETCH_MARGIN      16.0
#define IFBAM_SKETCH_TREE_GAP    22.0 /* between separate trees */
#define IFBAM_SKETCH_SOURCE_LEAD 12.0 /* between a node and an element that acts on it */

typedef enum
{
  IFBAM_VERTEX_FREE,   /* number: of the node */
  IFBAM_VERTEX_GIVEN,  /* the same; there is one for each node that it is joined to */
  IFBAM_VERTEX_SOURCE, /* number: of the attachment */
  IFBAM_VERTEX_RUN,    /* number: of the nodes that it stands for */
  IFBAM_VERTEX_CUT,    /* the same, at least */
} IfbamVertexKind;

#define IFBAM_NOBODY G_MAXUINT

typedef struct
{
  IfbamVertexKind kind;
  gsize number;
  guint parent;     /* vertex, or IFBAM_NOBODY */
  GArray *links;    /* gsize: edges to the parent */
  GArray *children; /* guint: vertices */
  guint before;     /* a given vertex on the left, or IFBAM_NOBODY */
  guint column;     /* 0: left of all roots */
  guint depth;      /* columns of its subtree */
  guint rows;       /* of its subtree, itself included */
  guint box_rows;
  guint extra; /* rows below it, left free */
  guint row, tree;
  double x, y, width, height; /* of the box */
  IfbamWords words;
  char *name; /* as it is drawn */
} IfbamVertex;

/* A link that is no branch of the tree. */
typedef struct
{
  guint from, to; /* vertices */
  GArray *links;
} IfbamChord;

typedef struct
{
  IfbamDiagramGraph *graph;
  guint *vertex_of; /* (n_free): 1 + vertex; 0 */
  GArray *vertices; /* IfbamVertex */
  GArray *chords;
  GArray *roots; /* guint */
  GArray *column_width;
  gsize drawn; /* free nodes */
  guint rows;
} IfbamSketch;

static inline IfbamVertex *
ifbam_sketch_vertex (const IfbamSketch *sketch, guint i)
{
  return &g_array_index (sketch->vertices, IfbamVertex, i);
}

/* A ball is as wide as high, whatever its box. */
static inline gboolean
ifbam_vertex_is_round (const IfbamVertex *vertex)
{
  return vertex->kind == IFBAM_VERTEX_FREE && vertex->words.info->form == IFBAM_FORM_BALL;
}

/* Reads a network and lays it out. The model and the wanted nodes outlive the sketch. */
IfbamSketch *ifbam_sketch_new (const IfbamModel *model, const gsize *wanted, gsize n_wanted);
void ifbam_sketch_free (IfbamSketch *sketch);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamSketch, ifbam_sketch_free)

/* Words of a node's element, or of the node if the element has several nodes. */
IfbamWords ifbam_sketch_node_words (const IfbamSketch *sketch, gsize node);
/* a link. */
IfbamWords ifbam_sketch_edge_words (const IfbamSketch *sketch, gsize edge);
