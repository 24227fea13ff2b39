/* plane-scene.h: the parts of a network that stand in the plane
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "element/endpoint.h"
#include "figure/foreach.h"
#include "model/model.h"
#include "run/ifbam-events.h"
#include "file/ifbam-course.h"

/* A point of the plane: an end (endpoint.h), and which nodes are its coordinates. */
typedef struct
{
  double numbers[IFBAM_END_NUMBERS];
  guint32 node[IFBAM_END_NUMBERS];
} IfbamScenePoint;

/* A ball or a body. */
typedef struct
{
  const char *name;
  IfbamScenePoint middle; /* of a ball that has an angle that of a body */
  gboolean round;         /* it is a ball */
  double radius;          /* of a ball; 0: it is a point [m] */
  double speed;           /* at which a ball without an angle turns [rad/s] */
  GArray *outline;        /* double [2]: convex hull of the body's points, about its middle [m] */
} IfbamSceneBody;

/* A named point; its place is of a body, or fixed. */
typedef struct
{
  const char *name; /* not owned */
  IfbamScenePoint point;
  gboolean joined; /* links end there */
} IfbamSceneMark;

typedef struct
{
  const IfbamLink *link; /* of its model */
  IfbamScenePoint end[2];
} IfbamSceneLink;

/* A node along an axis that is hit by a point of the plane: a face across the axis. */
typedef struct
{
  const char *name;
  guint32 node;
  guint axis;            /* 0: x, 1: y */
  double gap;            /* from the node's coordinate to the face [m] */
  double side;           /* 1: it lies where the axis goes, -1: the other way */
  IfbamScenePoint point; /* that hits it */
  double across;         /* where it is seen on the other axis: where the point comes nearest [m] */
} IfbamSceneBlock;

/* A node along an axis beside a point of the plane, without a place across the axis: a wheel below a car's end, the wall of
 * a spring. It is drawn at its coordinate, and further aside by the sizes of the parts between. */
typedef struct
{
  const char *name;
  guint32 node;
  guint axis;            /* 0: x, 1: y */
  double side;           /* 1: further aside is where the axis goes, -1: the other way */
  double gap;            /* of a block; and the largest shortening of the parts between [m] */
  guint ties, boxes;     /* that stand between it and the point */
  gboolean given;        /* a wall, or driven */
  int block;             /* of the scene: the rider is its face, or behind it; -1: none */
  int behind;            /* which rider; -1: the point, or a block's face */
  IfbamScenePoint point; /* beside which it is seen (a block: where the scene has it) */
} IfbamSceneRider;

#define IFBAM_SCENE_POINT -1 /* a tie ends at a point, not at a rider */

/* A link along an axis that is not between two points of the plane. */
typedef struct
{
  const char *name;
  const IfbamElementInfo *info;
  const IfbamLaw *law;
  guint axis;
  int rider[2];
  IfbamScenePoint point[2]; /* where these are IFBAM_SCENE_POINT */
  guint lane, n_lanes;      /* of those beside each other */
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
  const double **column; /* of a course, by node (n_nodes); NULL: not there */
  double *still;         /* column of nodes that are at rest for ever (n_rows) */
  const double *times;
  gsize n_rows; /* up to the first that is not finite */
} IfbamScene;

/* The model outlives it. */
IfbamScene *ifbam_scene_new (const IfbamModel *model);
void ifbam_scene_free (IfbamScene *scene);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamScene, ifbam_scene_free)

/* Whether members are coordinates in the plane of this letter: "b.x", "c.m1.x". */
gboolean ifbam_scene_is_coordinate (const IfbamSpan *span, const char *letter);
/* Reads an end (endpoint.h) over nodes. Returns how many of them it has. */
int ifbam_scene_take_point (IfbamScenePoint *point, const double *numbers, const guint32 *node);

static inline const IfbamSceneRider *
ifbam_scene_rider_of (const IfbamScene *scene, int index)
{
  return &g_array_index (scene->riders, IfbamSceneRider, index);
}
