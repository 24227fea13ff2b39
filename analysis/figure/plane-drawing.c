/* plane-drawing.c: positions of a scene's parts in a picture, still or moving
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "figure/plane-drawing.h"

GArray *
ifbam_plane_lines (const IfbamScene *scene)
{
  GArray *lines = g_array_new (FALSE, FALSE, sizeof (IfbamPlaneLine));

  IFBAM_FOREACH (const IfbamSceneLink, own, scene->links)
    {
      const IfbamLink *link = own->link;
      const IfbamPlaneLine line = { link->name, link->element->info, link->law, link->geometry, own,
                                    NULL };

      g_array_append_val (lines, line);
    }
  IFBAM_FOREACH (const IfbamSceneTie, tie, scene->ties)
    {
      const IfbamPlaneLine line = { tie->name, tie->info, tie->law, NULL, NULL, tie };

      g_array_append_val (lines, line);
    }
  return lines;
}

gboolean
ifbam_plane_ends (const IfbamPlane *plane, const IfbamPlaneLine *line, gsize row, double (*ends)[2])
{
  const IfbamSceneTie *tie = line->tie;

  if (tie == NULL)
    return ifbam_scene_place (plane->scene, &line->link->end[0], row, ends[0])
           && ifbam_scene_place (plane->scene, &line->link->end[1], row, ends[1]);
  for (guint e = 0; e < 2; e++)
    {
      double links, boxes;

      if (!ifbam_scene_tie_place (plane->scene, tie, e, row, ends[e]))
        return FALSE;
      ifbam_scene_tie_aside (plane->scene, tie, e, &links, &boxes);
      ends[e][tie->axis] += plane->link * links + plane->box * boxes;
      ends[e][1 - tie->axis] += plane->lane[tie->axis] * (tie->lane - 0.5 * (tie->n_lanes - 1.0));
    }
  return TRUE;
}

gboolean
ifbam_plane_face (const IfbamPlane *plane, const IfbamSceneRider *rider, gsize row, double *place)
{
  if (!ifbam_scene_rider (plane->scene, rider, row, place))
    return FALSE;
  place[rider->axis] += rider->side * (plane->link * rider->ties + plane->box * rider->boxes);
  return TRUE;
}
