/* plane-drawing.h: places of a scene's parts in a picture, still or moving
 *
 * Parts along an axis have no place across it and no size. A picture puts them beside each other, and gives them sizes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "figure/plane-places.h"

#define IFBAM_PLANE_POINTS 61 /* of a rope */

typedef struct
{
  const IfbamScene *scene;
  double link;    /* length of a link along an axis that nothing compresses [m] */
  double box;     /* length of a mass along its axis [m] */
  double lane[2]; /* from one link to the next beside it, along x and along y [m] */
} IfbamPlane;

/* A link between points of the plane, or along an axis. */
typedef struct
{
  const char *name;
  const IfbamElementInfo *info;
  const IfbamLaw *law;
  const IfbamGeometry *geometry; /* NULL: along an axis */
  const IfbamSceneLink *link;    /* or NULL */
  const IfbamSceneTie *tie;      /* or NULL */
} IfbamPlaneLine;

/* All links, those along an axis last (transfer full, GArray of IfbamPlaneLine). */
GArray *ifbam_plane_lines (const IfbamScene *scene);
/* Both ends [m] at a row of the course; FALSE: the course does not tell. */
gboolean ifbam_plane_ends (const IfbamPlane *plane, const IfbamPlaneLine *line, gsize row,
                           double (*ends)[2]);
/* The near face of a mass or a wall along an axis [m]; FALSE: the course does not tell. */
gboolean ifbam_plane_face (const IfbamPlane *plane, const IfbamSceneRider *rider, gsize row,
                           double *place);
