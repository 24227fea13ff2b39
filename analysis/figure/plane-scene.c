/* plane-scene.c: parts of a network in the plane
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "figure/plane-scene.h"

#include <math.h>
#include <string.h>

#include "element/element.h"
#include "figure/convex-hull.h"

static void
body_clear (gpointer data)
{
  g_array_unref (((IfbamSceneBody *) data)->outline);
}

/* Keeps a name (transfer full) as long as the scene. */
static const char *
keep (const IfbamScene *scene, char *name)
{
  const char *kept = g_string_chunk_insert (scene->names, name);

  g_free (name);
  return kept;
}

/* Parts in the plane */

gboolean
ifbam_scene_is_coordinate (const IfbamSpan *span, const char *letter)
{
  g_autofree char *name = span->letter == NULL ? NULL : ifbam_span_name (span, 0);
  g_autofree char *tail = g_strconcat (".", letter, NULL);

  return name != NULL && g_str_has_suffix (name, tail);
}

/* Returns a table "b.x" -> node of all coordinates in the plane (transfer full). */
static GHashTable *
list_coordinates (const IfbamModel *model)
{
  GHashTable *coordinates = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  IFBAM_FOREACH (const IfbamSpan, span, model->node_spans)
    {
      const gboolean is = ifbam_scene_is_coordinate (span, "x")
                          || ifbam_scene_is_coordinate (span, "y")
                          || ifbam_scene_is_coordinate (span, "angle");

      for (gsize i = 0; is && i < span->count; i++)
        g_hash_table_insert (coordinates, ifbam_span_name (span, i),
                             GSIZE_TO_POINTER (ifbam_model_named_node (
                                 model, span->first + span->phase + span->stride * i)));
    }
  return coordinates;
}

/* FALSE: there is none. */
static gboolean
find_coordinate (GHashTable *coordinates, const char *body, const char *letter, guint32 *node)
{
  g_autofree char *name = g_strconcat (body, ".", letter, NULL);
  gpointer value;

  if (!g_hash_table_lookup_extended (coordinates, name, NULL, &value))
    return FALSE;
  *node = (guint32) GPOINTER_TO_SIZE (value);
  return TRUE;
}

static void
add_body (IfbamScene *scene, GHashTable *coordinates, const IfbamSpan *span, gsize member)
{
  g_autofree char *coordinate = ifbam_span_name (span, member);
  IfbamSceneBody body = { .outline = NULL };
  guint32 *node = body.middle.node;

  body.name = keep (scene, g_strndup (coordinate, strlen (coordinate) - strlen (".x")));
  if (!find_coordinate (coordinates, body.name, "x", &node[0])
      || !find_coordinate (coordinates, body.name, "y", &node[1]))
    return;
  body.middle.numbers[0] = find_coordinate (coordinates, body.name, "angle", &node[2]) ? 3 : 2;
  body.round = span->element->info->form != IFBAM_FORM_BODY;
  body.outline = g_array_new (FALSE, FALSE, 2 * sizeof (double));
  if (span->element->info->form == IFBAM_FORM_BALL)
    {
      body.radius = ifbam_element_value_of (span->element, "radius");
      body.speed =
          body.middle.numbers[0] == 3 ? 0 : ifbam_element_value_of (span->element, "speed");
    }
  g_array_append_val (scene->bodies, body);
}

static void
add_bodies (IfbamScene *scene)
{
  g_autoptr (GHashTable) coordinates = list_coordinates (scene->model);

  IFBAM_FOREACH (const IfbamSpan, span, scene->model->node_spans)
    {
      for (gsize i = 0; ifbam_scene_is_coordinate (span, "x") && i < span->count; i++)
        add_body (scene, coordinates, span, i);
    }
}

int
ifbam_scene_take_point (IfbamScenePoint *point, const double *numbers, const guint32 *node)
{
  const int n = (int) numbers[0];

  memset (point, 0, sizeof *point);
  memcpy (point->numbers, numbers, sizeof point->numbers);
  memcpy (point->node, node, (guint) n * sizeof *node);
  return n;
}

static void
add_links (IfbamScene *scene)
{
  for (const IfbamLink *link = NULL; ifbam_unbatched_next (scene->model, &link);)
    {
      IfbamSceneLink drawn = { .link = link };
      int n;

      if (link->place > 0 || !link->in_plane)
        continue;
      n = ifbam_scene_take_point (&drawn.end[0], link->shape, link->node);
      ifbam_scene_take_point (&drawn.end[1], link->shape + IFBAM_END_SIZE, link->node + n);
      g_array_append_val (scene->links, drawn);
    }
}

static gboolean
is_same_point (const IfbamScenePoint *one, const IfbamScenePoint *other)
{
  return memcmp (one, other, sizeof *one) == 0;
}

static gboolean
is_joined (const IfbamScene *scene, const IfbamScenePoint *point)
{
  IFBAM_FOREACH (const IfbamSceneLink, link, scene->links)
    if (is_same_point (&link->end[0], point) || is_same_point (&link->end[1], point))
      return TRUE;
  return FALSE;
}

static void
add_marks (IfbamScene *scene)
{
  const IfbamModel *model = scene->model;

  for (guint i = 0; i < model->elements->len; i++)
    {
      const IfbamElement *element = model->elements->pdata[i];
      const guint32 gauge = ifbam_model_element_index (model, element).index;
      IfbamSceneMark mark = { .name = element->name };
      const IfbamLink *along_x;

      if (element->info->form != IFBAM_FORM_POINT || gauge >= model->point_coordinates->len)
        continue;
      along_x = &g_array_index (model->point_coordinates, IfbamLink, gauge);
      ifbam_scene_take_point (&mark.point, along_x->shape, along_x->node);
      mark.joined = is_joined (scene, &mark.point);
      g_array_append_val (scene->marks, mark);
    }
}

static void
add_grounds (IfbamScene *scene)
{
  const IfbamModel *model = scene->model;

  for (gsize i = model->n_free; i < model->n_nodes; i++)
    {
      gsize member;
      const IfbamSpan *span = ifbam_model_node_span (model, i, &member);
      double shape[IFBAM_MAX_SHAPE] = { 0 };
      IfbamSceneGround ground = { .name = span->element->name };

      if (span->info->form != IFBAM_FORM_SURFACE)
        continue;
      span->element->info->shape (span->element, shape);
      ground.height = ifbam_model_given (model, i, 0).position;
      ground.amplitude = shape[0];
      ground.wavelength = shape[1];
      g_array_append_val (scene->grounds, ground);
    }
}

/* TRUE if a node is the x or y of a ball or body; sets axis and point. */
static gboolean
find_axis (const IfbamScene *scene, guint32 node, IfbamSceneBlock *block)
{
  for (guint i = 0; i < scene->bodies->len; i++)
    {
      const IfbamScenePoint *middle = &g_array_index (scene->bodies, IfbamSceneBody, i).middle;

      for (guint c = 0; c < 2; c++)
        if (middle->node[c] == node)
          {
            block->axis = c;
            block->point = *middle;
            return TRUE;
          }
    }
  return FALSE;
}

/* Finds the point that hits a node on a line, at either endpoint; FALSE: another kind of link. */
static gboolean
find_hit (const IfbamScene *scene, const IfbamLink *link, IfbamSceneBlock *block)
{
  IfbamSceneBlock other;
  const double *left = link->shape, *right = link->shape + IFBAM_COORDINATE_SIZE;
  gboolean at_left;

  if (link->geometry == &ifbam_coordinates)
    {
      const double *numbers = left[0] != 0 ? left : right;

      at_left = left[0] != 0;
      if ((left[0] == 0) == (right[0] == 0))
        return FALSE;
      block->axis = numbers[0] == 1 ? 0 : 1;
      ifbam_scene_take_point (&block->point, numbers + 1, link->node + (at_left ? 0 : 1));
      block->node = link->node[at_left ? (guint) numbers[1] : 0];
    }
  else
    {
      if (link->geometry == NULL || !link->geometry->straight || link->n_ports != 2)
        return FALSE;
      at_left = find_axis (scene, link->node[0], block);
      if (at_left == find_axis (scene, link->node[1], at_left ? &other : block))
        return FALSE;
      block->node = link->node[at_left ? 1 : 0];
    }
  block->side = at_left ? 1 : -1;
  return TRUE;
}

/* Adds the faces of contacts at coordinates of points. */
static void
add_blocks (IfbamScene *scene)
{
  for (const IfbamLink *link = NULL; ifbam_unbatched_next (scene->model, &link);)
    {
      IfbamSceneBlock block = { 0 };
      IfbamConstraint relation;

      if (link->law->constraint == NULL || !find_hit (scene, link, &block))
        continue;
      relation = link->law->constraint (link->numbers, IFBAM_MODE_OPEN);
      if (relation.kind != IFBAM_CONSTRAINT_CONTACT)
        continue;
      block.gap = block.side * relation.gap;
      block.name = keep (scene, ifbam_model_node_name (scene->model, block.node));
      g_array_append_val (scene->blocks, block);
    }
}

/* Links along an axis */

#define MAX_TIES 200 /* in a network that is mostly in the plane; with more none is drawn */

/* Endpoint of a link along an axis: a coordinate of a point, or a node. */
typedef struct
{
  gboolean in_plane;
  guint axis;
  IfbamScenePoint point;
  guint32 node;
} TieEnd;

typedef struct
{
  IfbamSceneTie tie; /* its labels */
  TieEnd end[2];
  gboolean done;
} Candidate;

/* Takes a node, which may be the x or y of a ball or body; FALSE: it is not on a line. */
static gboolean
take_node (const IfbamScene *scene, guint32 node, TieEnd *end)
{
  IfbamSceneBlock block;

  end->node = node;
  if (ifbam_model_node_domain (scene->model, node) != IFBAM_DOMAIN_TRANSLATION
      || ifbam_model_is_rest (scene->model, node))
    return FALSE;
  end->in_plane = find_axis (scene, node, &block);
  if (end->in_plane)
    {
      end->axis = block.axis;
      end->point = block.point;
    }
  return TRUE;
}

static gboolean
take_coordinates (const IfbamScene *scene, const IfbamLink *link, TieEnd *end)
{
  const double *numbers = link->shape;
  guint port = 0;

  for (guint e = 0; e < 2; e++, numbers += IFBAM_COORDINATE_SIZE)
    if (numbers[0] == 0)
      {
        if (!take_node (scene, link->node[port++], &end[e]))
          return FALSE;
      }
    else
      {
        end[e].in_plane = TRUE;
        end[e].axis = numbers[0] == 1 ? 0 : 1;
        port += (guint) ifbam_scene_take_point (&end[e].point, numbers + 1, link->node + port);
      }
  return TRUE;
}

/* Appends links along a line with a symbol but no face; which: bits of links. */
static void
add_candidates (const IfbamScene *scene, guint which, GArray *list)
{
  for (IfbamLinkIter at = ifbam_links (scene->model, which); ifbam_link_iter_next (&at);)
    {
      const IfbamLink *link = at.link;
      Candidate new = { .tie = { .info = link->info, .law = link->law } };
      gboolean fits;

      if (link->place > 0 || link->in_plane || link->geometry == NULL || link->info->symbol == NULL)
        continue;
      if (link->law->constraint != NULL
          && link->law->constraint (link->numbers, 0).kind == IFBAM_CONSTRAINT_CONTACT)
        continue;
      if (link->geometry == &ifbam_coordinates)
        fits = take_coordinates (scene, link, new.end);
      else
        fits = link->geometry->straight && link->n_ports == 2
               && take_node (scene, link->node[0], &new.end[0])
               && take_node (scene, link->node[1], &new.end[1]);
      if (!fits)
        continue;
      new.tie.name = keep (scene, ifbam_link_iter_name (&at));
      g_array_append_val (list, new);
    }
}

static int
find_rider (const IfbamScene *scene, guint32 node, guint axis)
{
  for (guint i = 0; i < scene->riders->len; i++)
    {
      const IfbamSceneRider *rider = &g_array_index (scene->riders, IfbamSceneRider, i);

      /* A wall is drawn once per link. */
      if (rider->node == node && rider->axis == axis && !rider->given)
        return (int) i;
    }
  return -1;
}

/* Adds a rider beside a point (NULL: behind another rider); returns its index. */
static int
add_rider (IfbamScene *scene, guint32 node, guint axis, const IfbamScenePoint *point, int behind)
{
  IfbamSceneRider rider = { .node = node,
                            .axis = axis,
                            .side = axis == 0 ? 1 : -1,
                            .ties = 1,
                            .given = node >= scene->model->n_free,
                            .block = -1,
                            .behind = behind };

  for (guint i = 0; i < scene->riders->len && rider.given; i++)
    {
      const IfbamSceneRider *known = ifbam_scene_rider_of (scene, (int) i);

      /* Parallel springs end at one wall. */
      if (known->node == node && known->axis == axis
          && (behind >= 0 ? known->ties == ifbam_scene_rider_of (scene, behind)->ties + 1
                                && is_same_point (&known->point,
                                                  &ifbam_scene_rider_of (scene, behind)->point)
                          : is_same_point (&known->point, point)))
        return (int) i;
    }
  if (behind >= 0)
    {
      const IfbamSceneRider *before = ifbam_scene_rider_of (scene, behind);

      rider.side = before->side;
      rider.ties = before->ties + 1;
      rider.boxes = before->boxes + (before->given ? 0 : 1);
      rider.point = before->point;
      rider.block = before->block;
    }
  else
    rider.point = *point;
  rider.name = keep (scene, ifbam_model_node_name (scene->model, node));
  g_array_append_val (scene->riders, rider);
  return (int) scene->riders->len - 1;
}

/* TRUE if two links have the same endpoints. */
static gboolean
runs_beside (const IfbamSceneTie *tie, const IfbamSceneTie *other)
{
  const gboolean straight = tie->rider[0] == other->rider[0] && tie->rider[1] == other->rider[1];
  const gboolean crossed = tie->rider[0] == other->rider[1] && tie->rider[1] == other->rider[0];

  if (tie->axis != other->axis || !(straight || crossed))
    return FALSE;
  for (guint e = 0; e < 2; e++)
    if (tie->rider[e] == IFBAM_SCENE_POINT
        && !is_same_point (&tie->point[e], &other->point[straight ? e : 1 - e]))
      return FALSE;
  return TRUE;
}

/* Adds a link with an endpoint at a known position; FALSE: there is none yet. */
static gboolean
join (IfbamScene *scene, Candidate *candidate)
{
  IfbamSceneTie tie = candidate->tie;
  const TieEnd *end = candidate->end;

  for (guint e = 0; e < 2; e++)
    {
      tie.rider[e] = IFBAM_SCENE_POINT;
      tie.point[e] = end[e].point;
    }
  if (end[0].in_plane && end[1].in_plane)
    tie.axis = end[0].axis;
  else if (end[0].in_plane || end[1].in_plane)
    {
      const guint e = end[0].in_plane ? 1 : 0; /* the endpoint that is no point */

      tie.axis = end[1 - e].axis;
      tie.rider[e] = find_rider (scene, end[e].node, tie.axis);
      if (tie.rider[e] < 0)
        tie.rider[e] = add_rider (scene, end[e].node, tie.axis, &end[1 - e].point, -1);
    }
  else
    {
      gboolean known = FALSE;

      for (tie.axis = 0; tie.axis < 2 && !known; tie.axis += known ? 0 : 1)
        {
          for (guint e = 0; e < 2; e++)
            tie.rider[e] = find_rider (scene, end[e].node, tie.axis);
          known = tie.rider[0] >= 0 || tie.rider[1] >= 0;
        }
      if (!known)
        return FALSE;
      for (guint e = 0; e < 2; e++)
        if (tie.rider[e] < 0)
          tie.rider[e] = add_rider (scene, end[e].node, tie.axis, NULL, tie.rider[1 - e]);
    }
  IFBAM_FOREACH (const IfbamSceneTie, other, scene->ties)
    tie.lane += runs_beside (&tie, other);
  candidate->done = TRUE;
  g_array_append_val (scene->ties, tie);
  return TRUE;
}

/* Adds links along an axis, from points and blocks outwards. */
static void
add_ties (IfbamScene *scene)
{
  g_autoptr (GArray) candidates = g_array_new (FALSE, FALSE, sizeof (Candidate));
  gboolean more;

  add_candidates (scene, IFBAM_LINKS_UNBATCHED, candidates);
  add_candidates (scene, IFBAM_LINKS_BATCHED, candidates);
  more = candidates->len <= MAX_TIES;
  for (guint b = 0; b < scene->blocks->len; b++)
    {
      const IfbamSceneBlock *block = &g_array_index (scene->blocks, IfbamSceneBlock, b);
      const IfbamSceneRider rider = { .name = block->name,
                                      .node = block->node,
                                      .axis = block->axis,
                                      .side = block->side,
                                      .gap = block->gap,
                                      .block = (int) b,
                                      .behind = -1 };

      g_array_append_val (scene->riders, rider);
    }
  for (gboolean first = TRUE; more; first = FALSE)
    {
      more = first;
      IFBAM_FOREACH (Candidate, candidate, candidates)
        {
          const gboolean seeds = candidate->end[0].in_plane || candidate->end[1].in_plane;

          /* Links at a point come first, so that counts begin there. */
          if (!candidate->done && seeds == first)
            more |= join (scene, candidate);
        }
    }
  IFBAM_FOREACH (IfbamSceneTie, tie, scene->ties)
    {
      IFBAM_FOREACH (const IfbamSceneTie, other, scene->ties)
        tie->n_lanes += runs_beside (tie, other);
    }
}

/* Outlines */

static void
add_outlines (IfbamScene *scene)
{
  IFBAM_FOREACH (IfbamSceneBody, body, scene->bodies)
    {
      IFBAM_FOREACH (const IfbamSceneMark, mark, scene->marks)
        if (!body->round && mark->point.numbers[0] == 3
            && mark->point.node[0] == body->middle.node[0])
          g_array_append_vals (body->outline, &mark->point.numbers[1], 1);
      if (body->outline->len < 2 || is_joined (scene, &body->middle))
        g_array_append_vals (body->outline, (double[2]){ 0, 0 }, 1);
      ifbam_make_convex (body->outline);
    }
}

IfbamScene *
ifbam_scene_new (const IfbamModel *model)
{
  IfbamScene *scene = g_new0 (IfbamScene, 1);

  scene->model = model;
  scene->bodies = g_array_new (FALSE, FALSE, sizeof (IfbamSceneBody));
  g_array_set_clear_func (scene->bodies, body_clear);
  scene->names = g_string_chunk_new (256);
  scene->marks = g_array_new (FALSE, FALSE, sizeof (IfbamSceneMark));
  scene->links = g_array_new (FALSE, FALSE, sizeof (IfbamSceneLink));
  scene->grounds = g_array_new (FALSE, FALSE, sizeof (IfbamSceneGround));
  scene->blocks = g_array_new (FALSE, FALSE, sizeof (IfbamSceneBlock));
  scene->riders = g_array_new (FALSE, FALSE, sizeof (IfbamSceneRider));
  scene->ties = g_array_new (FALSE, FALSE, sizeof (IfbamSceneTie));
  scene->column = g_new0 (const double *, model->n_nodes + 1);
  add_bodies (scene);
  add_links (scene);
  add_marks (scene);
  add_grounds (scene);
  add_blocks (scene);
  add_ties (scene);
  add_outlines (scene);
  return scene;
}

void
ifbam_scene_free (IfbamScene *scene)
{
  g_string_chunk_free (scene->names);
  g_array_unref (scene->bodies);
  g_array_unref (scene->marks);
  g_array_unref (scene->links);
  g_array_unref (scene->grounds);
  g_array_unref (scene->blocks);
  g_array_unref (scene->riders);
  g_array_unref (scene->ties);
  g_free (scene->column);
  g_free (scene->still);
  g_free (scene);
}
