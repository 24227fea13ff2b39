/* builder.h: interface by which composites build nodes and links (IfbamElementInfo.expand_nodes)
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "element/element-info.h"

#define IFBAM_NO_NODE G_MAXUINT32

/* Composites identify nodes by their index in the file; a model may contain a subnetwork only. */
#define IFBAM_NO_INDEX G_MAXUINT64

/* Parallel links between two neighbours of a path. */
#define IFBAM_MAX_KINDS 2

/* Values of a parameter for many elements, repeated if they are fewer. */
typedef struct
{
  const double *values;
  gsize length;
  GVariant *list; /* owner of values (not owned); NULL: the compiler copies values */
} IfbamSeries;

/* A path of nodes: head (or none), `count` nodes from `first` on, tail (or none). */
typedef struct
{
  guint64 head; /* IFBAM_NO_INDEX: none */
  guint64 first, count;
  guint64 tail;
} IfbamPath;

/* The rows of a file that a subnetwork contains (IfbamRange, model/subnetwork.h). */
typedef struct
{
  guint64 n_nodes, n_links; /* rows in the subnetwork */
  GArray *nodes, *links;
  /* bits: kinds in the file; each row has a link index for each of them, used or not */
  guint8 kinds;
} IfbamRowsPart;

/* Links by rows: each row has a link of the first kind (bit 0), of the second (bit 1), or both. */
typedef struct
{
  guint64 n;
  const guint32 *left, *right; /* (n) */
  const guint8 *kinds;         /* (n) */
  guint64 n_all;               /* rows in the file */
  const IfbamRowsPart *part;   /* the file's rows that are here; NULL: all */
  /* Node i of left, right: node first + i of the file if i < n_nodes, else outer[i - n_nodes]
   * (n_named_free). */
  guint64 first, n_nodes;
  const guint64 *outer;
  guint n_named_free;
} IfbamRows;

typedef struct
{
  const IfbamElementInfo *info;
  const char *letter;  /* static */
  gboolean is_single;  /* named OWNER.LETTER, without an index */
  const char *tail;    /* static; "x": OWNER.LETTER1.x is a coordinate; NULL: none */
  gboolean is_guess;   /* its start position is a guess */
  IfbamSeries *series; /* (n_params), not copied */
  GArray *rows;        /* IfbamRange: rows to which values of series belong; NULL: values repeat */
  GHashTable *overrides;
} IfbamMember;

/* Implemented by the compiler of a network. */
struct _IfbamBuilder
{
  /* Adds `count` free nodes OWNER.LETTER1, … The first added ones define the owner's position. */
  void (*add_nodes) (IfbamBuilder *builder, IfbamElement *owner, const IfbamMember *member,
                     guint64 count);
  /* Returns the first node that the owner added. */
  guint64 (*first_node) (IfbamBuilder *builder, const IfbamElement *owner);
  /* Joins the nodes of a path by parallel links, one per kind (n_kinds), between neighbours. */
  void (*add_path) (IfbamBuilder *builder, IfbamElement *owner, const IfbamMember *kinds,
                    guint n_kinds, const IfbamPath *path);
  /* Joins nodes by links of two kinds, OWNER.LETTER1, …; series have one value per row. */
  void (*add_rows) (IfbamBuilder *builder, IfbamElement *owner, const IfbamMember *kinds,
                    const IfbamRows *rows);
  /* Joins points of the plane by links of a kind. The points' x are `count` nodes from the first
   * added one on, their y the `count` nodes after these. from, to: a point or ball before the first
   * point and after the last; NULL: none. */
  void (*add_plane_path) (IfbamBuilder *builder, IfbamElement *owner, const IfbamMember *kind,
                          const char *from, const char *to, gsize count);
  /* Adds dampers of a class to elements of its domain: beside each link along a line that stores
   * energy, or from each free node to ground. A damper's first parameter is `part` times the link's
   * stiffness or the node's inertia. */
  void (*add_dampers) (IfbamBuilder *builder, IfbamElement *owner, const IfbamMember *kind,
                       gboolean beside_links, double part);
  /* Adds a source OWNER.LETTER of a class, which acts on `count` nodes from `first` on. */
  void (*add_source) (IfbamBuilder *builder, IfbamElement *owner, const IfbamMember *member,
                      gsize first, gsize count);
  /* Stores the start position [m] of a named element: its middle, or one of its points; 0 where the
   * element does not define it. Returns TRUE if the element could move. */
  gboolean (*find_start) (IfbamBuilder *builder, const char *name, double position[2]);
  /* Returns the field that acts on the owner and its nodes; NULL: none. */
  const IfbamElement *(*find_field) (IfbamBuilder *builder, const IfbamElement *owner);
  /* Returns the node of a name in owner's key; IFBAM_NO_INDEX after an issue. */
  guint64 (*find_node) (IfbamBuilder *builder, IfbamElement *owner, const char *key,
                        const char *name);
  /* Reports an error (text: transfer full) in an element's key. */
  void (*issue) (IfbamBuilder *builder, IfbamElement *element, const char *key, char *text);
};
