/* plane-places.h: places of a scene's parts at a sample of a course, and of events
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "figure/plane-scene.h"

/* The signals that give the places of all parts, with commas (transfer full); "": nothing is in the plane. */
char *ifbam_scene_signals (const IfbamScene *scene);
/* Takes the rows of a course, which outlives it. */
void ifbam_scene_look (IfbamScene *scene, IfbamCourse *course);

/* FALSE: its course does not tell. */
gboolean ifbam_scene_place (const IfbamScene *scene, const IfbamScenePoint *point, gsize row,
                            double *place);
/* Where a link that hangs (its geometry has a trace) runs between its ends: n places (x, y). */
gboolean ifbam_scene_trace (const IfbamScene *scene, const IfbamSceneLink *link, gsize row, guint n,
                            double *places);
/* The angle of a body [rad]. */
double ifbam_scene_angle (const IfbamScene *scene, const IfbamSceneBody *body, gsize row);

/* The middle of a block's face. */
gboolean ifbam_scene_face (const IfbamScene *scene, const IfbamSceneBlock *block, gsize row,
                           double *place);

/* The place of a rider's near face, without room for the parts between. */
gboolean ifbam_scene_rider (const IfbamScene *scene, const IfbamSceneRider *rider, gsize row,
                            double *place);
/* How many ties and boxes aside an end of a tie is seen; the sign says where along its axis. */
void ifbam_scene_tie_aside (const IfbamScene *scene, const IfbamSceneTie *tie, guint end,
                            double *ties, double *boxes);
/* Where an end of a tie would be without that. */
gboolean ifbam_scene_tie_place (const IfbamScene *scene, const IfbamSceneTie *tie, guint end,
                                gsize row, double *place);

/* The place of an event, and the radius of the ball that it happens to; FALSE: not in the plane. */
gboolean ifbam_scene_event_place (const IfbamScene *scene, const IfbamEvent *event, double *place,
                                  double *radius);
