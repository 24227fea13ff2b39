/* plane-places.h: positions of a scene's parts at a sample of a course, and of events
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "figure/plane-scene.h"

/* Returns the signals of all parts, comma-separated (transfer full); "": an empty plane. */
char *ifbam_scene_signals (const IfbamScene *scene);
/* Sets the course, which must outlive the scene. */
void ifbam_scene_look (IfbamScene *scene, IfbamCourse *course);

/* Computes a point [m]; FALSE: the course lacks a signal. */
gboolean ifbam_scene_place (const IfbamScene *scene, const IfbamScenePoint *point, gsize row,
                            double *place);
/* Computes n points (x, y) of a hanging link (its geometry has a trace) between its endpoints. */
gboolean ifbam_scene_trace (const IfbamScene *scene, const IfbamSceneLink *link, gsize row, guint n,
                            double *places);
/* Returns the angle of a body [rad]. */
double ifbam_scene_angle (const IfbamScene *scene, const IfbamSceneBody *body, gsize row);

/* Computes the middle of a block's face. */
gboolean ifbam_scene_face (const IfbamScene *scene, const IfbamSceneBlock *block, gsize row,
                           double *place);

/* Computes a rider's near face, without space for the parts between. */
gboolean ifbam_scene_rider (const IfbamScene *scene, const IfbamSceneRider *rider, gsize row,
                            double *place);
/* Counts the ties and boxes by which a tie's endpoint is moved aside; signed along its axis. */
void ifbam_scene_tie_aside (const IfbamScene *scene, const IfbamSceneTie *tie, guint end,
                            double *ties, double *boxes);
/* Computes a tie's endpoint without that. */
gboolean ifbam_scene_tie_place (const IfbamScene *scene, const IfbamSceneTie *tie, guint end,
                                gsize row, double *place);

/* Computes the position of an event, and the radius of its ball; FALSE: it is not in the plane. */
gboolean ifbam_scene_event_place (const IfbamScene *scene, const IfbamEvent *event, double *place,
                                  double *radius);
