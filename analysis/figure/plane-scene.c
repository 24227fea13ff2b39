/* plane-scene.c: what of a network stands in the plane, and where it is at a row of a course
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "figure/plane-scene.h"

#include <math.h>
#include <string.h>

#include "element/element.h"

static void
block_clear (gpointer data)
{
  g_free (((IfbamSceneBlock *) data)->name);
}

static void
body_clear (gpointer data)
{
  IfbamSceneBody *body = data;

  g_free (body->name);
  g_array_unref (body->outline);
}

static void
rider_clear (gpointer data)
{
  g_free (((IfbamSceneRider *) data)->name);
}

static void
tie_clear (gpointer data)
{
  g_free (((IfbamSceneTie *) data)->name);
}

/* What stands in the plane */

/* Whether members are coordinates in the plane of this letter: "b.x", "c.m1.x". */
static gboolean
is_coordinate (const IfbamSpan *span, const char *letter)
{
  g_autofree char *name = span->letter == NULL ? NULL : ifbam_span_name (span, 0);
  g_autofree char *tail = g_strconcat (".", letter, NULL);

  return name != NULL && g_str_has_suffix (name, tail);
}

/* "b.x" -> node, of all coordinates in the plane (transfer full). */
static GHashTable *
list_coordinates (const IfbamModel *model)
{
  GHashTable *coordinates = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint s = 0; s < model->node_spans->len; s++)
    {
      const IfbamSpan *span = &g_array_index (model->node_spans, IfbamSpan, s);
      const gboolean is =
          is_coordinate (span, "x") || is_coordinate (span, "y") || is_coordinate (span, "angle");

      for (gsize i = 0; is && i < span->count; i++)
        g_hash_table_insert (coordinates, ifbam_span_name (span, i),
                             GSIZE_TO_POINTER (ifbam_model_number_of (
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

  body.name = g_strndup (coordinate, strlen (coordinate) - strlen (".x"));
  if (!find_coordinate (coordinates, body.name, "x", &node[0])
      || !find_coordinate (coordinates, body.name, "y", &node[1]))
    {
      g_free (body.name);
      return;
    }
  body.middle.numbers[0] = find_coordinate (coordinates, body.name, "angle", &node[2]) ? 3 : 2;
  body.round = span->element->info->form != IFBAM_FORM_BODY;
  body.outline = g_array_new (FALSE, FALSE, 2 * sizeof (double));
  if (span->element->info->form == IFBAM_FORM_BALL)
    {
      body.radius = ifbam_element_number_of (span->element, "radius");
      body.speed =
          body.middle.numbers[0] == 3 ? 0 : ifbam_element_number_of (span->element, "speed");
    }
  g_array_append_val (scene->bodies, body);
}

static void
add_bodies (IfbamScene *scene)
{
  g_autoptr (GHashTable) coordinates = list_coordinates (scene->model);

  for (guint s = 0; s < scene->model->node_spans->len; s++)
    {
      const IfbamSpan *span = &g_array_index (scene->model->node_spans, IfbamSpan, s);

      for (gsize i = 0; is_coordinate (span, "x") && i < span->count; i++)
        add_body (scene, coordinates, span, i);
    }
}

/* Returns how many ports it has. */
static int
take_point (IfbamScenePoint *point, const double *numbers, const guint32 *node)
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
      n = take_point (&drawn.end[0], link->shape, link->node);
      take_point (&drawn.end[1], link->shape + IFBAM_END_NUMBERS, link->node + n);
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
  for (guint i = 0; i < scene->links->len; i++)
    for (guint e = 0; e < 2; e++)
      if (is_same_point (&g_array_index (scene->links, IfbamSceneLink, i).end[e], point))
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
      const guint32 gauge = ifbam_model_place (model, element).index;
      IfbamSceneMark mark = { .name = element->name };
      const IfbamLink *along_x;

      if (element->info->form != IFBAM_FORM_PLACE || gauge >= model->gauges->len)
        continue;
      along_x = &g_array_index (model->gauges, IfbamLink, gauge);
      take_point (&mark.point, along_x->shape, along_x->node);
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

/* Whether a node is the x or y of a ball or body. */
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

/* Who hits a node on a line: the coordinate of a point, at the left or right end; FALSE: it is no such link. */
static gboolean
find_hit (const IfbamScene *scene, const IfbamLink *link, IfbamSceneBlock *block)
{
  IfbamSceneBlock other;
  const double *left = link->shape, *right = link->shape + IFBAM_COORDINATE_NUMBERS;
  gboolean at_left;

  if (link->geometry == &ifbam_coordinates)
    {
      const double *numbers = left[0] != 0 ? left : right;

      at_left = left[0] != 0;
      if ((left[0] == 0) == (right[0] == 0))
        return FALSE;
      block->axis = numbers[0] == 1 ? 0 : 1;
      take_point (&block->point, numbers + 1, link->node + (at_left ? 0 : 1));
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

/* Adds the faces that contacts have at coordinates of points. */
static void
add_blocks (IfbamScene *scene)
{
  for (const IfbamLink *link = NULL; ifbam_unbatched_next (scene->model, &link);)
    {
      IfbamSceneBlock block = { 0 };
      IfbamConstraint relation;

      if (link->law->relation == NULL || !find_hit (scene, link, &block))
        continue;
      relation = link->law->relation (link->numbers, IFBAM_MODE_OPEN);
      if (relation.kind != IFBAM_CONSTRAINT_CONTACT)
        continue;
      block.gap = block.side * relation.gap;
      block.name = ifbam_model_node_name (scene->model, block.node);
      g_array_append_val (scene->blocks, block);
    }
}

/* Links along an axis */

#define MOST_TIES 200 /* of a network that is mostly of the plane; of larger ones none is seen */

/* An end of a link along an axis: a coordinate of a point, or a node. */
typedef struct
{
  gboolean in_plane;
  guint axis;
  IfbamScenePoint point;
  guint32 node;
} TieEnd;

typedef struct
{
  IfbamSceneTie tie; /* its words */
  TieEnd end[2];
  gboolean done;
} Candidate;

/* A node, which may be the x or y of a ball or body; FALSE: it does not go along a line. */
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

  for (guint e = 0; e < 2; e++, numbers += IFBAM_COORDINATE_NUMBERS)
    if (numbers[0] == 0)
      {
        if (!take_node (scene, link->node[port++], &end[e]))
          return FALSE;
      }
    else
      {
        end[e].in_plane = TRUE;
        end[e].axis = numbers[0] == 1 ? 0 : 1;
        port += (guint) take_point (&end[e].point, numbers + 1, link->node + port);
      }
  return TRUE;
}

/* Appends links along a line that have a symbol and no face of their own; which: bits of links. */
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
      if (link->law->relation != NULL
          && link->law->relation (link->numbers, IFBAM_MODE_OPEN).kind == IFBAM_CONSTRAINT_CONTACT)
        continue;
      if (link->geometry == &ifbam_coordinates)
        fits = take_coordinates (scene, link, new.end);
      else
        fits = link->geometry->straight && link->n_ports == 2
               && take_node (scene, link->node[0], &new.end[0])
               && take_node (scene, link->node[1], &new.end[1]);
      if (!fits)
        continue;
      new.tie.name = ifbam_link_iter_name (&at);
      g_array_append_val (list, new);
    }
}

static int
find_rider (const IfbamScene *scene, guint32 node, guint axis)
{
  for (guint i = 0; i < scene->riders->len; i++)
    {
      const IfbamSceneRider *rider = &g_array_index (scene->riders, IfbamSceneRider, i);

      /* What stands still has room for each of its links. */
      if (rider->node == node && rider->axis == axis && !rider->given)
        return (int) i;
    }
  return -1;
}

static const IfbamSceneRider *
rider_of (const IfbamScene *scene, int number)
{
  return &g_array_index (scene->riders, IfbamSceneRider, number);
}

/* Behind a point (NULL: behind another rider). */
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
      const IfbamSceneRider *known = rider_of (scene, (int) i);

      /* Springs side by side end at one wall. */
      if (known->node == node && known->axis == axis
          && (behind >= 0 ? known->ties == rider_of (scene, behind)->ties + 1
                                && is_same_point (&known->point, &rider_of (scene, behind)->point)
                          : is_same_point (&known->point, point)))
        return (int) i;
    }
  if (behind >= 0)
    {
      const IfbamSceneRider *before = rider_of (scene, behind);

      rider.side = before->side;
      rider.ties = before->ties + 1;
      rider.boxes = before->boxes + (before->given ? 0 : 1);
      rider.point = before->point;
      rider.block = before->block;
    }
  else
    rider.point = *point;
  rider.name = ifbam_model_node_name (scene->model, node);
  g_array_append_val (scene->riders, rider);
  return (int) scene->riders->len - 1;
}

/* Whether two links have the same ends. */
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

/* Takes a link whose one end is known in the plane; FALSE: neither is, yet. */
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
      const guint e = end[0].in_plane ? 1 : 0; /* which is not */

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
  for (guint i = 0; i < scene->ties->len; i++)
    tie.lane += runs_beside (&tie, &g_array_index (scene->ties, IfbamSceneTie, i));
  tie.name = g_steal_pointer (&candidate->tie.name);
  candidate->done = TRUE;
  g_array_append_val (scene->ties, tie);
  return TRUE;
}

/* From points and blocks on, along all that is joined to them. */
static void
add_ties (IfbamScene *scene)
{
  g_autoptr (GArray) candidates = g_array_new (FALSE, FALSE, sizeof (Candidate));
  gboolean more;

  add_candidates (scene, IFBAM_LINKS_UNBATCHED, candidates);
  add_candidates (scene, IFBAM_LINKS_BATCHED, candidates);
  more = candidates->len <= MOST_TIES;
  for (guint b = 0; b < scene->blocks->len; b++)
    {
      const IfbamSceneBlock *block = &g_array_index (scene->blocks, IfbamSceneBlock, b);
      const IfbamSceneRider rider = { .name = g_strdup (block->name),
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
      for (guint i = 0; i < candidates->len; i++)
        {
          Candidate *candidate = &g_array_index (candidates, Candidate, i);
          const gboolean seeds = candidate->end[0].in_plane || candidate->end[1].in_plane;

          /* What is beside a point first, so that nothing is counted from elsewhere. */
          if (!candidate->done && seeds == first)
            more |= join (scene, candidate);
        }
    }
  for (guint i = 0; i < scene->ties->len; i++)
    {
      IfbamSceneTie *tie = &g_array_index (scene->ties, IfbamSceneTie, i);

      for (guint j = 0; j < scene->ties->len; j++)
        tie->n_lanes += runs_beside (tie, &g_array_index (scene->ties, IfbamSceneTie, j));
    }
  for (guint i = 0; i < candidates->len; i++)
    g_free (g_array_index (candidates, Candidate, i).tie.name);
}

/* Outlines */

static int
compare_points (gconstpointer a, gconstpointer b)
{
  const double *one = a, *other = b;

  return one[0] != other[0] ? (one[0] > other[0]) - (one[0] < other[0])
                            : (one[1] > other[1]) - (one[1] < other[1]);
}

static double
turn_of (const double *a, const double *b, const double *c)
{
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/* The convex hull by monotone chains (Andrew 1979), for as few points as a body has. */
static void
make_convex (GArray *points)
{
  g_autofree double *sorted = g_memdup2 (points->data, points->len * 2 * sizeof (double));
  guint n = 0;

  qsort (sorted, points->len, 2 * sizeof *sorted, compare_points);
  for (guint i = 0; i < points->len; i++)
    if (n == 0 || compare_points (sorted + 2 * i, sorted + 2 * (n - 1)) != 0)
      memmove (sorted + 2 * n++, sorted + 2 * i, 2 * sizeof *sorted);
  g_array_set_size (points, 0);
  if (n == 1)
    g_array_append_vals (points, sorted, 1);
  if (n < 2)
    return;
  for (guint side = 0; side < 2; side++)
    {
      const guint first = points->len;

      for (guint i = 0; i < n; i++)
        {
          const double *point = sorted + 2 * (side == 0 ? i : n - 1 - i);
          const double *hull = (const double *) (gpointer) points->data;

          while (points->len >= first + 2
                 && turn_of (hull + 2 * points->len - 4, hull + 2 * points->len - 2, point) <= 0)
            g_array_set_size (points, points->len - 1);
          g_array_append_vals (points, point, 1);
        }
      g_array_set_size (points, points->len - 1); /* the other side begins with it */
    }
}

static void
add_outlines (IfbamScene *scene)
{
  for (guint i = 0; i < scene->bodies->len; i++)
    {
      IfbamSceneBody *body = &g_array_index (scene->bodies, IfbamSceneBody, i);

      for (guint m = 0; m < scene->marks->len && !body->round; m++)
        {
          const IfbamScenePoint *point = &g_array_index (scene->marks, IfbamSceneMark, m).point;

          if (point->numbers[0] == 3 && point->node[0] == body->middle.node[0])
            g_array_append_vals (body->outline, &point->numbers[1], 1);
        }
      if (body->outline->len < 2 || is_joined (scene, &body->middle))
        g_array_append_vals (body->outline, (double[2]){ 0, 0 }, 1);
      make_convex (body->outline);
    }
}

IfbamScene *
ifbam_scene_new (const IfbamModel *model)
{
  IfbamScene *scene = g_new0 (IfbamScene, 1);

  scene->model = model;
  scene->bodies = g_array_new (FALSE, FALSE, sizeof (IfbamSceneBody));
  g_array_set_clear_func (scene->bodies, body_clear);
  scene->marks = g_array_new (FALSE, FALSE, sizeof (IfbamSceneMark));
  scene->links = g_array_new (FALSE, FALSE, sizeof (IfbamSceneLink));
  scene->grounds = g_array_new (FALSE, FALSE, sizeof (IfbamSceneGround));
  scene->blocks = g_array_new (FALSE, FALSE, sizeof (IfbamSceneBlock));
  g_array_set_clear_func (scene->blocks, block_clear);
  scene->riders = g_array_new (FALSE, FALSE, sizeof (IfbamSceneRider));
  g_array_set_clear_func (scene->riders, rider_clear);
  scene->ties = g_array_new (FALSE, FALSE, sizeof (IfbamSceneTie));
  g_array_set_clear_func (scene->ties, tie_clear);
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

/* Where it is */

/* The signal of a node's coordinate (transfer full). */
static char *
signal_of (const IfbamModel *model, guint32 node)
{
  gsize member;
  const IfbamSpan *span = ifbam_model_node_span (model, node, &member);
  g_autofree char *name = ifbam_model_node_name (model, node);

  if (is_coordinate (span, "x") || is_coordinate (span, "y") || is_coordinate (span, "angle"))
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

/* Nodes that it has to know (n_nodes; transfer full). */
static gboolean *
wanted_nodes (const IfbamScene *scene)
{
  gboolean *wanted = g_new0 (gboolean, scene->model->n_nodes + 1);

  for (guint i = 0; i < scene->bodies->len; i++)
    add_nodes (&g_array_index (scene->bodies, IfbamSceneBody, i).middle, wanted);
  for (guint i = 0; i < scene->marks->len; i++)
    add_nodes (&g_array_index (scene->marks, IfbamSceneMark, i).point, wanted);
  for (guint i = 0; i < scene->links->len; i++)
    for (guint e = 0; e < 2; e++)
      add_nodes (&g_array_index (scene->links, IfbamSceneLink, i).end[e], wanted);
  for (guint i = 0; i < scene->blocks->len; i++)
    wanted[g_array_index (scene->blocks, IfbamSceneBlock, i).node] = TRUE;
  for (guint i = 0; i < scene->riders->len; i++)
    wanted[g_array_index (scene->riders, IfbamSceneRider, i).node] = TRUE;
  for (guint i = 0; i < scene->ties->len; i++)
    for (guint e = 0; e < 2; e++)
      add_nodes (&g_array_index (scene->ties, IfbamSceneTie, i).point[e], wanted);
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

/* Where the point comes nearest to it. */
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

/* So far aside that what stands between has room where it is shortest. */
static void
find_room (IfbamScene *scene, IfbamSceneRider *rider)
{
  double most = 0, before[2], place[2];

  if (rider->ties == 0)
    return;
  rider->gap = 0;
  for (gsize row = 0; row < scene->n_rows; row++)
    if (ifbam_scene_rider (scene, rider, row, place)
        && (rider->behind >= 0
                ? ifbam_scene_rider (scene, rider_of (scene, rider->behind), row, before)
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
  for (guint i = 0; i < scene->blocks->len; i++)
    place_block (scene, &g_array_index (scene->blocks, IfbamSceneBlock, i));
  for (guint i = 0; i < scene->riders->len; i++) /* behind others are later ones */
    find_room (scene, &g_array_index (scene->riders, IfbamSceneRider, i));
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
  double position[IFBAM_END_NUMBERS];
  IfbamEnd end;

  for (guint c = 0; c < (guint) point->numbers[0]; c++)
    {
      if (scene->column[point->node[c]] == NULL || row >= scene->n_rows)
        return FALSE;
      position[c] = scene->column[point->node[c]][row];
    }
  end = ifbam_end_at (point->numbers, position);
  memcpy (place, end.place, sizeof end.place);
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
  rider = rider_of (scene, tie->rider[end]);
  other = tie->rider[1 - end] < 0 ? NULL : rider_of (scene, tie->rider[1 - end]);
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
             : ifbam_scene_rider (scene, rider_of (scene, tie->rider[end]), row, place);
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

/* Where something happens */

gsize
ifbam_scene_row (const IfbamScene *scene, double time)
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

/* Between two rows. */
static gboolean
place_at (const IfbamScene *scene, const IfbamScenePoint *point, double time, double *place)
{
  const gsize row = ifbam_scene_row (scene, time), next = MIN (row + 1, scene->n_rows - 1);
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
  for (guint i = 0; i < scene->bodies->len; i++)
    {
      const IfbamSceneBody *body = &g_array_index (scene->bodies, IfbamSceneBody, i);

      for (guint e = 0; e < n && body != but; e++)
        for (guint c = 0; c < (guint) body->middle.numbers[0]; c++)
          if (body->middle.node[c] == node[e])
            return body;
    }
  return NULL;
}

/* At the body that has the nodes; two balls touch between them. */
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
      n = take_point (&point[0], link->shape, link->node);
      take_point (&point[1], link->shape + IFBAM_END_NUMBERS, link->node + n);
      return place_at (scene, &point[n == 0 ? 1 : 0], time, place);
    }
  if (link->geometry == &ifbam_coordinates)
    for (guint e = 0, port = 0; e < 2; e++)
      {
        const double *numbers = link->shape + e * IFBAM_COORDINATE_NUMBERS;

        if (numbers[0] != 0 && numbers[1] > 0)
          {
            take_point (&point[e], numbers + 1, link->node + port);
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
  for (const IfbamLink *link = NULL; ifbam_unbatched_next (model, &link);)
    if (g_str_equal (link->name, event->element))
      return place_of_link (scene, link, event->time, place, radius);
  for (guint i = 0; i < model->impulses->len; i++)
    {
      const IfbamImpulse *impulse = &g_array_index (model->impulses, IfbamImpulse, i);

      if (g_str_equal (impulse->element->name, event->element))
        return place_among (scene, impulse->node, impulse->n_nodes, event->time, place, radius);
    }
  return FALSE;
}
