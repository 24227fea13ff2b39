/* plane-scene.h: parts of a network in the plane
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "element/endpoint.h"
#include "figure/foreach.h"
#include "model/model.h"
#include "run/ifbam-events.h"
#include "file/ifbam-course.h"

/* A point of the plane: an endpoint (endpoint.h), with the nodes of its coordinates. */
typedef struct
{
  double numbers[IFBAM_END_SIZE];
  guint32 node[IFBAM_END_SIZE];
} IfbamScenePoint;

/* A ball or a body. */
typedef struct
{
  const char *name;
  IfbamScenePoint middle; /* if a ball has an angle, a point of a body */
  gboolean round;         /* a ball */
  double radius;          /* of a ball; 0: a point [m] */
  double speed;           /* angular velocity of a ball without angle [rad/s] */
  GArray *outline; /* double [2]: convex hull of the body's points, relative to its middle [m] */
} IfbamSceneBody;

/* A named point, of a body or fixed. */
typedef struct
{
  const char *name; /* not owned */
  IfbamScenePoint point;
  gboolean joined; /* endpoint of links */
} IfbamSceneMark;

typedef struct
{
  const IfbamLink *link; /* owned by its model */
  IfbamScenePoint end[2];
} IfbamSceneLink;

/* A node along an axis that a point of the plane can hit: a face across the axis. */
typedef struct
{
  const char *name;
  guint32 node;
  guint axis;            /* 0: x, 1: y */
  double gap;            /* from the node's coordinate to the face [m] */
  double side;           /* 1: the face is on the positive side, -1: the negative */
  IfbamScenePoint point; /* the point that can hit it */
  double across;         /* position on the other axis: where the point comes nearest [m] */
} IfbamSceneBlock;

/* A node along an axis beside a point of the plane, without position across the axis: a wheel below
 * a car's end, the wall of a spring. It is drawn at its coordinate, moved aside by the parts
 * between. */
typedef struct
{
  const char *name;
  guint32 node;
  guint axis;            /* 0: x, 1: y */
  double side;           /* 1: moved along the axis, -1: the other way */
  double gap;            /* of a block; plus the largest shortening of the parts between [m] */
  guint ties, boxes;     /* between it and the point */
  gboolean given;        /* a wall, or driven */
  int block;             /* block with this face, or behind which it is; -1: none */
  int behind;            /* index of the rider between; -1: the point, or a block's face */
  IfbamScenePoint point; /* beside which it is drawn (of a block: from the scene) */
} IfbamSceneRider;

#define IFBAM_SCENE_POINT -1 /* a tie ends at a point, not at a rider */

/* A link along an axis, not between two points of the plane. */
typedef struct
{
  const char *name;
  const IfbamElementInfo *info;
  const IfbamLaw *law;
  guint axis;
  int rider[2];
  IfbamScenePoint point[2]; /* if rider is IFBAM_SCENE_POINT */
  guint lane, n_lanes;      /* position among parallel ties */
} IfbamSceneTie;

/* y = height + amplitude sin (2 pi x / wavelength) */
typedef struct
{
  const char *name; /* not owned */
  double height, amplitude, wavelength;
} IfbamSceneGround;

static inline double
ifbam_scene_ground_height (const IfbamSceneGround *ground, double x)
{
  double sine = 0, cosine;

  if (ground->amplitude != 0)
    ifbam_sine_cosine (x / ground->wavelength, &sine, &cosine);
  return ground->height + ground->amplitude * sine;
}

typedef struct
{
  const IfbamModel *model; /* not owned */
  GStringChunk *names;
  GArray *bodies;        /* IfbamSceneBody */
  GArray *marks;         /* IfbamSceneMark */
  GArray *links;         /* IfbamSceneLink */
  GArray *grounds;       /* IfbamSceneGround */
  GArray *blocks;        /* IfbamSceneBlock */
  GArray *riders;        /* IfbamSceneRider */
  GArray *ties;          /* IfbamSceneTie */
  const double **column; /* columns of the course by node (n_nodes); NULL: missing */
  double *still;         /* column of nodes at rest (n_rows) */
  const double *times;
  gsize n_rows; /* up to the first value that is not finite */
} IfbamScene;

/* The model must outlive the scene. */
IfbamScene *ifbam_scene_new (const IfbamModel *model);
void ifbam_scene_free (IfbamScene *scene);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamScene, ifbam_scene_free)

/* TRUE if members are coordinates in the plane with this letter: "b.x", "c.m1.x". */
gboolean ifbam_scene_is_coordinate (const IfbamSpan *span, const char *letter);
/* Reads an endpoint (endpoint.h) over nodes. Returns the number of its nodes. */
int ifbam_scene_take_point (IfbamScenePoint *point, const double *numbers, const guint32 *node);

static inline const IfbamSceneRider *
ifbam_scene_rider_of (const IfbamScene *scene, int index)
{
  return &g_array_index (scene->riders, IfbamSceneRider, index);
}
