/* compile-context.h: data of a network that is being compiled
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "element/endpoint.h"
#include "model/compiled-model.h"

typedef struct
{
  IfbamBuilder offers;
  IfbamModel *model;
  const IfbamReader *reader;
  GHashTable *by_name; /* name -> element */
  GHashTable *unknown;
  GArray *left, *right; /* guint32, by file order of links */
  GArray *inner;        /* guint32: first state node of a link, up to the last link with states */
  guint32 next_state_node; /* first state node of the next such link */
  GArray *source_nodes;    /* guint32, by source */
  GArray *given_spans;     /* IfbamSpan, appended to the node spans after the free ones */
  guint32 *domains;        /* possible domains of each node (n_nodes) */
  GArray *issues;
  GHashTable *programs;  /* class and formula -> IfbamProgram, owned by the model */
  gboolean in_plane;     /* an element is in the plane */
  GPtrArray *node_names; /* char*, sorted, for suggestions; NULL until needed */
  guint n_suggestions;
} IfbamCompiler;

/* A node of another subnetwork. */
#define IFBAM_ELSEWHERE (IFBAM_NO_NODE - 1)

/* An end of a link: its nodes and the numbers of its form. */
typedef struct
{
  const IfbamElement *element;
  guint form, n_nodes;
  guint32 node[4];
  /* of a point of the plane (endpoint.h); then the element's shape */
  double place[IFBAM_END_SIZE + IFBAM_MAX_SHAPE];
  guint coordinate; /* 1, 2: x, y of a point; 0: no coordinate */
} IfbamLinkEnd;

static const guint follow_slots[] = { IFBAM_SLOT_FOLLOW_X, IFBAM_SLOT_FOLLOW_Y };

void ifbam_compiler_add_issue (IfbamCompiler *compiler, IfbamElement *element, const char *key,
                               char *text);
IfbamElementIndex *ifbam_compiler_element_index (const IfbamCompiler *compiler,
                                                 const IfbamElement *element);
gpointer ifbam_compiler_own (IfbamCompiler *compiler, gpointer data, GDestroyNotify free);
