/* builder.h: what composites build their nodes and links with: see IfbamElementInfo.expand_nodes
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "element/element-info.h"

#define IFBAM_NO_NODE G_MAXUINT32

/* Composites know nodes by their numbers in the file, of which a model may have a subnetwork only. */
#define IFBAM_NO_NUMBER G_MAXUINT64

/* Links side by side between two neighbours of a path. */
#define IFBAM_MAX_KINDS 2

/* A parameter of many elements: values repeat. */
typedef struct
{
  const double *values;
  gsize length;
  GVariant *list; /* that they are of (not owned); NULL: who compiles copies them */
} IfbamSeries;

/* A path of nodes: head (or none), count nodes from first on, tail (or none). */
typedef struct
{
  guint64 head; /* IFBAM_NO_NUMBER: there is none */
  guint64 first, count;
  guint64 tail;
} IfbamPath;

/* What a subnetwork has of the rows of a file: which ones (IfbamRange, model/subnetwork.h). */
typedef struct
{
  guint64 n_nodes, n_links; /* rows that are here */
  GArray *nodes, *links;
  guint8
      kinds; /* that rows of the file may be of: each has a number in the network's file for each, if it uses it or not */
} IfbamRowsPart;

/* Links by rows: each is of the first kind (bit 0), the second (bit 1) or both. */
typedef struct
{
  guint64 n;
  const guint32 *left, *right; /* (n) */
  const guint8 *kinds;         /* (n) */
  guint64 n_all;               /* rows of the file */
  const IfbamRowsPart *part;   /* which of them these are; NULL: all */
  /* What these numbers mean: nodes from first on, and from number n_nodes on outer ones, by theirs (n_outer). */
  guint64 first, n_nodes;
  const guint64 *outer;
  guint n_outer;
} IfbamRows;

typedef struct
{
  const IfbamElementInfo *info;
  const char *letter;  /* static */
  gboolean lone;       /* OWNER.LETTER, without a number */
  const char *tail;    /* static; "x": OWNER.LETTER1.x, a coordinate; NULL: none */
  gboolean open;       /* where it starts is a guess */
  IfbamSeries *series; /* (n_params) (not copied) */
  GArray *rows;        /* IfbamRange: those that the series are of; NULL: they repeat over all */
  GHashTable *overrides;
} IfbamMember;

/* Offered by who compiles a network. */
struct _IfbamBuilder
{
  /* Adds count free nodes OWNER.LETTER1, …. The first ones that it adds are where the owner is. */
  void (*add_nodes) (IfbamBuilder *builder, IfbamElement *owner, const IfbamMember *member,
                     guint64 count);
  /* The first node that it added. */
  guint64 (*first_node) (IfbamBuilder *builder, const IfbamElement *owner);
  /* Joins the nodes of a path by links: kinds (n_kinds) side by side between each two neighbours. */
  void (*add_path) (IfbamBuilder *builder, IfbamElement *owner, const IfbamMember *kinds,
                    guint n_kinds, const IfbamPath *path);
  /* Joins nodes by links of two kinds, OWNER.LETTER1, … by rows; series have a value for each row. */
  void (*add_rows) (IfbamBuilder *builder, IfbamElement *owner, const IfbamMember *kinds,
                    const IfbamRows *rows);
  /* Joins points of the plane, the members whose x are count nodes from first on, and whose y are as many behind
   * these, by such links: from a point or ball (NULL: from the first one on), and to one (NULL: to the last one). */
  void (*add_plane_path) (IfbamBuilder *builder, IfbamElement *owner, const IfbamMember *kind,
                          const char *from, const char *to, gsize count);
  /* Adds dampers in a class's domain, with so much of what they damp as the first number of their law: beside each link
   * along a line that stores energy [1/its stiffness], or from each free node to rest [1/its inertia]. */
  void (*add_dampers) (IfbamBuilder *builder, IfbamElement *owner, const IfbamMember *kind,
                       gboolean beside_links, double part);
  /* Adds the force OWNER.LETTER, a source of a class, on count nodes from first on. */
  void (*add_source) (IfbamBuilder *builder, IfbamElement *owner, const IfbamMember *member,
                      gsize first, gsize count);
  /* Where what has a name is in the plane at the start, as far as its element says it: its middle, or a point of it;
   * else 0. Whether it could move. */
  gboolean (*find_start) (IfbamBuilder *builder, const char *name, double place[2]);
  /* The field that acts on the owner, with all that it consists of; NULL: none does. */
  const IfbamElement *(*find_field) (IfbamBuilder *builder, const IfbamElement *owner);
  /* The node of a name, for owner's key; IFBAM_NO_NUMBER after an issue. */
  guint64 (*find_node) (IfbamBuilder *builder, IfbamElement *owner, const char *key,
                        const char *name);
  /* What is wrong (transfer full), of which element and key. */
  void (*issue) (IfbamBuilder *builder, IfbamElement *element, const char *key, char *text);
};
