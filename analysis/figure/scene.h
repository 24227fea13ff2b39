/* scene.h: what of a network stands in the plane, and where it is at a row of a course
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "element/end.h"
#include "model/model.h"
#include "run/ifbam-events.h"
#include "system/ifbam-course.h"

/* A point of the plane: an end (end.h), and which nodes are its coordinates. */
typedef struct
{
  double numbers[IFBAM_END_NUMBERS];
  guint32 node[IFBAM_END_NUMBERS];
} IfbamScenePoint;

/* A ball or a body. */
typedef struct
{
  char *name;
  IfbamScenePoint middle; /* of a ball that has an angle that of a body */
  gboolean round;         /* it is a ball */
  double radius;          /* of a ball; 0: it is a point [m] */
  double speed;           /* at which a ball without an angle turns [rad/s] */
  GArray *outline; /* double [2]: what stands on a body, as a convex polygon about its middle [m] */
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

/* What goes along an axis, and is hit by a point of the plane: a face across the axis. */
typedef struct
{
  char *name;
  guint32 node;
  guint axis;            /* 0: x, 1: y */
  double gap;            /* from the node's coordinate to the face [m] */
  double side;           /* 1: it lies where the axis goes, -1: the other way */
  IfbamScenePoint point; /* that hits it */
  double across;         /* where it is seen on the other axis: where the point comes nearest [m] */
} IfbamSceneBlock;

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
  GArray *bodies;          /* IfbamSceneBody */
  GArray *marks;           /* IfbamSceneMark */
  GArray *links;           /* IfbamSceneLink */
  GArray *grounds;         /* IfbamSceneGround */
  GArray *blocks;          /* IfbamSceneBlock */
  const double **column;   /* of a course, by node (n_nodes); NULL: not there */
  double *still;           /* that of what is at rest for ever (n_rows) */
  const double *times;
  gsize n_rows; /* up to the first that is not finite */
} IfbamScene;

/* The model outlives it. */
IfbamScene *ifbam_scene_new (const IfbamModel *model);
void ifbam_scene_free (IfbamScene *scene);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamScene, ifbam_scene_free)

/* The signals that tell where all of it is, with commas (transfer full); "" where nothing is in the plane. */
char *ifbam_scene_signals (const IfbamScene *scene);
/* Takes the rows of a course, which outlives it. */
void ifbam_scene_look (IfbamScene *scene, IfbamCourse *course);

/* FALSE: its course does not tell. */
gboolean ifbam_scene_place (const IfbamScene *scene, const IfbamScenePoint *point, gsize row,
                            double *place);
/* Where a link runs between its ends: n places (x, y). */
gboolean ifbam_scene_trace (const IfbamScene *scene, const IfbamSceneLink *link, gsize row, guint n,
                            double *places);
/* What a body has turned by [rad]. */
double ifbam_scene_angle (const IfbamScene *scene, const IfbamSceneBody *body, gsize row);

/* The middle of a block's face. */
gboolean ifbam_scene_face (const IfbamScene *scene, const IfbamSceneBlock *block, gsize row,
                           double *place);

/* Where something happens, and how large what it happens to is; FALSE: nowhere in the plane. */
gboolean ifbam_scene_event_place (const IfbamScene *scene, const IfbamEvent *event, double *place,
                                  double *radius);
/* The last row that is not after a time. */
gsize ifbam_scene_row (const IfbamScene *scene, double time);
