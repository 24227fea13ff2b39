/* plane-places.c: positions of a scene's parts at a sample of a course, and of events
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "figure/plane-places.h"

#include <math.h>
#include <string.h>

#include "element/element.h"

/* Returns the signal of a node's coordinate (transfer full). */
static char *
signal_of (const IfbamModel *model, guint32 node)
{
  gsize member;
  const IfbamSpan *span = ifbam_model_node_span (model, node, &member);
  g_autofree char *name = ifbam_model_node_name (model, node);

  if (ifbam_scene_is_coordinate (span, "x") || ifbam_scene_is_coordinate (span, "y")
      || ifbam_scene_is_coordinate (span, "angle"))
    return g_steal_pointer (&name);
  return g_strconcat (
      name, ifbam_model_node_domain (model, node) == IFBAM_DOMAIN_ROTATION ? ".angle" : ".position",
      NULL);
}

static void
add_nodes (const IfbamScenePoint *point, gboolean *wanted)
{
  for (guint c = 0; c < (guint) point->numbers[0]; c++)
    wanted[point->node[c]] = TRUE;
}

/* Returns the nodes with signals that the scene needs (n_nodes; transfer full). */
static gboolean *
wanted_nodes (const IfbamScene *scene)
{
  gboolean *wanted = g_new0 (gboolean, scene->model->n_nodes + 1);

  IFBAM_FOREACH (const IfbamSceneBody, body, scene->bodies)
    add_nodes (&body->middle, wanted);
  IFBAM_FOREACH (const IfbamSceneMark, mark, scene->marks)
    add_nodes (&mark->point, wanted);
  IFBAM_FOREACH (const IfbamSceneLink, link, scene->links)
    {
      add_nodes (&link->end[0], wanted);
      add_nodes (&link->end[1], wanted);
    }
  IFBAM_FOREACH (const IfbamSceneBlock, block, scene->blocks)
    wanted[block->node] = TRUE;
  IFBAM_FOREACH (const IfbamSceneRider, rider, scene->riders)
    wanted[rider->node] = TRUE;
  IFBAM_FOREACH (const IfbamSceneTie, tie, scene->ties)
    {
      add_nodes (&tie->point[0], wanted);
      add_nodes (&tie->point[1], wanted);
    }
  return wanted;
}

char *
ifbam_scene_signals (const IfbamScene *scene)
{
  g_autofree gboolean *wanted = wanted_nodes (scene);
  GString *list = g_string_new (NULL);

  for (guint32 i = 0; i < scene->model->n_nodes; i++)
    if (wanted[i] && !ifbam_model_is_rest (scene->model, i))
      {
        g_autofree char *signal = signal_of (scene->model, i);

        g_string_append_printf (list, "%s%s", list->len > 0 ? "," : "", signal);
      }
  return g_string_free (list, FALSE);
}

/* Places a block where its point comes nearest to it. */
static void
place_block (IfbamScene *scene, IfbamSceneBlock *block)
{
  double nearest = -INFINITY, face[2], place[2];

  for (gsize row = 0; row < scene->n_rows; row++)
    if (ifbam_scene_face (scene, block, row, face)
        && ifbam_scene_place (scene, &block->point, row, place)
        && block->side * (place[block->axis] - face[block->axis]) > nearest)
      {
        nearest = block->side * (place[block->axis] - face[block->axis]);
        block->across = place[1 - block->axis];
      }
}

/* Moves a rider aside by the largest shortening of the links between. */
static void
move_aside (IfbamScene *scene, IfbamSceneRider *rider)
{
  double most = 0, before[2], place[2];

  if (rider->ties == 0)
    return;
  rider->gap = 0;
  for (gsize row = 0; row < scene->n_rows; row++)
    if (ifbam_scene_rider (scene, rider, row, place)
        && (rider->behind >= 0 ? ifbam_scene_rider (
                scene, ifbam_scene_rider_of (scene, rider->behind), row, before)
                               : ifbam_scene_place (scene, &rider->point, row, before)))
      most = fmax (most, rider->side * (before[rider->axis] - place[rider->axis]));
  rider->gap = rider->side * most;
}

void
ifbam_scene_look (IfbamScene *scene, IfbamCourse *course)
{
  g_autofree gboolean *wanted = wanted_nodes (scene);
  const char *const *signals = ifbam_course_get_signals (course);

  scene->times = ifbam_course_get_times (course, &scene->n_rows);
  g_free (scene->still);
  scene->still = g_new0 (double, scene->n_rows);
  for (guint32 i = 0; i < scene->model->n_nodes; i++)
    {
      g_autofree char *signal = wanted[i] ? signal_of (scene->model, i) : NULL;
      gsize n;

      scene->column[i] = ifbam_model_is_rest (scene->model, i) ? scene->still
                         : signal == NULL || !g_strv_contains (signals, signal)
                             ? NULL
                             : ifbam_course_get_values (course, signal, &n, NULL);
      for (gsize row = 0; scene->column[i] != NULL && row < scene->n_rows; row++)
        if (!isfinite (scene->column[i][row]))
          scene->n_rows = row;
    }
  IFBAM_FOREACH (IfbamSceneBlock, block, scene->blocks)
    place_block (scene, block);
  IFBAM_FOREACH (IfbamSceneRider, rider, scene->riders) /* riders behind others are later ones */
    move_aside (scene, rider);
}

gboolean
ifbam_scene_face (const IfbamScene *scene, const IfbamSceneBlock *block, gsize row, double *place)
{
  if (scene->column[block->node] == NULL || row >= scene->n_rows)
    return FALSE;
  place[block->axis] = scene->column[block->node][row] + block->gap;
  place[1 - block->axis] = block->across;
  return TRUE;
}

gboolean
ifbam_scene_place (const IfbamScene *scene, const IfbamScenePoint *point, gsize row, double *place)
{
  double position[IFBAM_END_SIZE];
  IfbamEnd end;

  for (guint c = 0; c < (guint) point->numbers[0]; c++)
    {
      if (scene->column[point->node[c]] == NULL || row >= scene->n_rows)
        return FALSE;
      position[c] = scene->column[point->node[c]][row];
    }
  end = ifbam_end_at (point->numbers, position);
  memcpy (place, end.point, sizeof end.point);
  return TRUE;
}

gboolean
ifbam_scene_rider (const IfbamScene *scene, const IfbamSceneRider *rider, gsize row, double *place)
{
  if (scene->column[rider->node] == NULL || row >= scene->n_rows)
    return FALSE;
  if (rider->block >= 0)
    place[1 - rider->axis] = g_array_index (scene->blocks, IfbamSceneBlock, rider->block).across;
  else if (!ifbam_scene_place (scene, &rider->point, row, place))
    return FALSE;
  place[rider->axis] = scene->column[rider->node][row] + rider->gap;
  return TRUE;
}

void
ifbam_scene_tie_aside (const IfbamScene *scene, const IfbamSceneTie *tie, guint end, double *ties,
                       double *boxes)
{
  const IfbamSceneRider *rider, *other;
  gboolean far;

  *ties = *boxes = 0;
  if (tie->rider[end] < 0)
    return;
  rider = ifbam_scene_rider_of (scene, tie->rider[end]);
  other = tie->rider[1 - end] < 0 ? NULL : ifbam_scene_rider_of (scene, tie->rider[1 - end]);
  far = !rider->given && other != NULL && other->ties > rider->ties;
  *ties = rider->side * rider->ties;
  *boxes = rider->side * (rider->boxes + (far ? 1 : 0));
}

gboolean
ifbam_scene_tie_place (const IfbamScene *scene, const IfbamSceneTie *tie, guint end, gsize row,
                       double *place)
{
  return tie->rider[end] < 0
             ? ifbam_scene_place (scene, &tie->point[end], row, place)
             : ifbam_scene_rider (scene, ifbam_scene_rider_of (scene, tie->rider[end]), row, place);
}

gboolean
ifbam_scene_trace (const IfbamScene *scene, const IfbamSceneLink *link, gsize row, guint n,
                   double *places)
{
  double position[IFBAM_MAX_PORTS], last[2];

  if (!ifbam_scene_place (scene, &link->end[0], row, places)
      || !ifbam_scene_place (scene, &link->end[1], row, last))
    return FALSE;
  for (guint e = 0; e < link->link->n_ports; e++)
    position[e] = scene->column[link->link->node[e]][row];
  link->link->geometry->trace (link->link->shape, position, n, places);
  return TRUE;
}

double
ifbam_scene_angle (const IfbamScene *scene, const IfbamSceneBody *body, gsize row)
{
  if (body->middle.numbers[0] < 3)
    return body->speed * scene->times[row];
  return scene->column[body->middle.node[2]] == NULL ? 0 : scene->column[body->middle.node[2]][row];
}

/* Events */

/* Returns the last sample that is not after a time. */
static gsize
find_row (const IfbamScene *scene, double time)
{
  gsize first = 0, last = scene->n_rows;

  while (first + 1 < last)
    {
      const gsize middle = first + (last - first) / 2;

      if (scene->times[middle] <= time)
        first = middle;
      else
        last = middle;
    }
  return first;
}

/* Computes a point at a time, between two rows. */
static gboolean
place_at (const IfbamScene *scene, const IfbamScenePoint *point, double time, double *place)
{
  const gsize row = find_row (scene, time), next = MIN (row + 1, scene->n_rows - 1);
  double later[2], part;

  if (!ifbam_scene_place (scene, point, row, place)
      || !ifbam_scene_place (scene, point, next, later))
    return FALSE;
  part = next == row
             ? 0
             : CLAMP ((time - scene->times[row]) / (scene->times[next] - scene->times[row]), 0, 1);
  for (guint c = 0; c < 2; c++)
    place[c] += part * (later[c] - place[c]);
  return TRUE;
}

static const IfbamSceneBody *
body_with (const IfbamScene *scene, const guint32 *node, guint n, const IfbamSceneBody *but)
{
  IFBAM_FOREACH (const IfbamSceneBody, body, scene->bodies)
    {
      for (guint e = 0; e < n && body != but; e++)
        for (guint c = 0; c < (guint) body->middle.numbers[0]; c++)
          if (body->middle.node[c] == node[e])
            return body;
    }
  return NULL;
}

/* Computes the position of the body that has the nodes; of two balls, between them. */
static gboolean
place_among (const IfbamScene *scene, const guint32 *node, guint n, double time, double *place,
             double *radius)
{
  const IfbamSceneBody *one = body_with (scene, node, n, NULL);
  const IfbamSceneBody *other = one == NULL ? NULL : body_with (scene, node, n, one);
  double there[2];

  if (one == NULL || !place_at (scene, &one->middle, time, place))
    return FALSE;
  *radius = one->radius;
  if (other == NULL || !place_at (scene, &other->middle, time, there))
    return TRUE;
  for (guint c = 0; c < 2; c++)
    place[c] +=
        (there[c] - place[c])
        * (one->radius + other->radius > 0 ? one->radius / (one->radius + other->radius) : 0.5);
  *radius = 0;
  return TRUE;
}

static gboolean
place_of_link (const IfbamScene *scene, const IfbamLink *link, double time, double *place,
               double *radius)
{
  IfbamScenePoint point[2] = { 0 };
  int n;

  *radius = 0;
  if (link->in_plane)
    {
      n = ifbam_scene_take_point (&point[0], link->shape, link->node);
      ifbam_scene_take_point (&point[1], link->shape + IFBAM_END_SIZE, link->node + n);
      return place_at (scene, &point[n == 0 ? 1 : 0], time, place);
    }
  if (link->geometry == &ifbam_coordinates)
    for (guint e = 0, port = 0; e < 2; e++)
      {
        const double *numbers = link->shape + e * IFBAM_COORDINATE_SIZE;

        if (numbers[0] != 0 && numbers[1] > 0)
          {
            ifbam_scene_take_point (&point[e], numbers + 1, link->node + port);
            return place_at (scene, &point[e], time, place);
          }
        port += numbers[0] == 0 ? 1 : (guint) numbers[1];
      }
  return place_among (scene, link->node, link->n_ports, time, place, radius);
}

gboolean
ifbam_scene_event_place (const IfbamScene *scene, const IfbamEvent *event, double *place,
                         double *radius)
{
  const IfbamModel *model = scene->model;

  if (scene->n_rows == 0)
    return FALSE;
  IFBAM_FOREACH (const IfbamLink, link, model->unbatched_links)
    if (g_str_equal (link->name, event->element))
      return place_of_link (scene, link, event->time, place, radius);
  IFBAM_FOREACH (const IfbamImpulse, impulse, model->impulses)
    if (g_str_equal (impulse->element->name, event->element))
      return place_among (scene, impulse->node, impulse->n_nodes, event->time, place, radius);
  return FALSE;
}
