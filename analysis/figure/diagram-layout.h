/* diagram-layout.h: positions of the elements of a network in its diagram
 *
 * Nodes are in columns by their distance from the first wall (breadth first, Moore 1959): a chain
 * is a straight row, a branch a row below; a node is as high as the rows of its links. Links that
 * close loops are drawn across.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "figure/diagram-graph.h"
#include "figure/element-labels.h"
#include "figure/foreach.h"

/* Sizes in pixels. */
#define IFBAM_LAYOUT_ROW         56.0
#define IFBAM_LAYOUT_GAP         14.0  /* between two boxes */
#define IFBAM_LAYOUT_LENGTH      120.0 /* of a link between two columns */
#define IFBAM_LAYOUT_SYMBOL      20.0  /* half the length of a link's symbol */
#define IFBAM_LAYOUT_MARGIN      16.0
#define IFBAM_LAYOUT_TREE_GAP    22.0 /* between separate trees */
#define IFBAM_LAYOUT_SOURCE_LEAD 12.0 /* between a node and an element on it */

typedef enum
{
  IFBAM_VERTEX_FREE,   /* number: index of the node */
  IFBAM_VERTEX_GIVEN,  /* as above; one for each node to which it is linked */
  IFBAM_VERTEX_SOURCE, /* number: index of the attachment */
  IFBAM_VERTEX_RUN,    /* number: count of the nodes that it represents */
  IFBAM_VERTEX_CUT,    /* as above, a lower bound */
} IfbamVertexKind;

#define IFBAM_NO_PARENT G_MAXUINT

typedef struct
{
  IfbamVertexKind kind;
  gsize number;
  guint parent;     /* vertex, or IFBAM_NO_PARENT */
  GArray *links;    /* gsize: edges to the parent */
  GArray *children; /* guint: vertices */
  guint before;     /* given vertex on its left, or IFBAM_NO_PARENT */
  guint column;     /* 0: left of all roots */
  guint depth;      /* columns of its subtree */
  guint rows;       /* of its subtree, including itself */
  guint box_rows;
  guint extra; /* empty rows below it */
  guint row, tree;
  double x, y, width, height; /* of the box */
  IfbamElementLabels words;
  char *name; /* as drawn, possibly shortened */
} IfbamVertex;

/* Links that are no branch of the tree. */
typedef struct
{
  guint from, to; /* vertices */
  GArray *links;
} IfbamChord;

typedef struct
{
  IfbamDiagramGraph *graph;
  guint *vertex_of; /* 1 + vertex; 0: none (n_free) */
  GArray *vertices; /* IfbamVertex */
  GArray *chords;
  GArray *roots; /* guint */
  GArray *column_width;
  gsize drawn; /* number of free nodes that are drawn */
  guint rows;
} IfbamDiagramLayout;

static inline IfbamVertex *
ifbam_diagram_layout_vertex (const IfbamDiagramLayout *layout, guint i)
{
  return &g_array_index (layout->vertices, IfbamVertex, i);
}

/* TRUE for a ball, which is drawn as a circle. */
static inline gboolean
ifbam_vertex_is_round (const IfbamVertex *vertex)
{
  return vertex->kind == IFBAM_VERTEX_FREE && vertex->words.info->form == IFBAM_FORM_BALL;
}

/* Computes the layout of a network. The model and the wanted nodes must outlive it. */
IfbamDiagramLayout *ifbam_diagram_layout_new (const IfbamModel *model, const gsize *wanted,
                                              gsize n_wanted);
void ifbam_diagram_layout_free (IfbamDiagramLayout *layout);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamDiagramLayout, ifbam_diagram_layout_free)

/* Labels of a node's element, or of the node if the element has several nodes. */
IfbamElementLabels ifbam_diagram_layout_node_labels (const IfbamDiagramLayout *layout, gsize node);
/* Labels of a link. */
IfbamElementLabels ifbam_diagram_layout_edge_labels (const IfbamDiagramLayout *layout, gsize edge);
