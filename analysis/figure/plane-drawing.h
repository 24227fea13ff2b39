/* plane-drawing.h: positions of a scene's parts in a picture, still or moving
 *
 * Parts along an axis have no position across it, and no size. A picture adds both.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "figure/plane-places.h"

#define IFBAM_PLANE_POINTS 61 /* points of a rope's curve */

typedef struct
{
  const IfbamScene *scene;
  double link;    /* length of an uncompressed link along an axis [m] */
  double box;     /* length of a mass along its axis [m] */
  double lane[2]; /* distance of parallel links, along x and along y [m] */
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

/* Returns all links, those along an axis last (transfer full, GArray of IfbamPlaneLine). */
GArray *ifbam_plane_lines (const IfbamScene *scene);
/* Computes both endpoints [m] at a row of the course; FALSE: the course lacks a signal. */
gboolean ifbam_plane_ends (const IfbamPlane *plane, const IfbamPlaneLine *line, gsize row,
                           double (*ends)[2]);
/* Computes the near face of a mass or wall along an axis [m]; FALSE: as above. */
gboolean ifbam_plane_face (const IfbamPlane *plane, const IfbamSceneRider *rider, gsize row,
                           double *place);
