/* diagram-layout.c: positions of the elements of a network in its diagram
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "figure/diagram-layout.h"

#include <string.h>

/* Sizes in pixels. */
#define LEAST_BOX   60.0
#define MOST_BOX    160.0
#define LEAST_ROUND 54.0
#define MOST_ROUND  98.0
#define NAME_WIDTH  8.8 /* of a letter */
#define VALUE_WIDTH 7.0
#define SIDE_WIDTH  48.0

static void
vertex_clear (gpointer data)
{
  IfbamVertex *vertex = data;

  g_array_unref (vertex->links);
  g_array_unref (vertex->children);
  g_free (vertex->name);
  ifbam_words_clear (&vertex->words);
}

static void
chord_clear (gpointer data)
{
  g_array_unref (((IfbamChord *) data)->links);
}

/* The tree */

static IfbamVertex *
child_of (const IfbamSketch *sketch, const IfbamVertex *vertex, guint c)
{
  return ifbam_sketch_vertex (sketch, g_array_index (vertex->children, guint, c));
}

static guint
add_vertex (IfbamSketch *sketch, IfbamVertexKind kind, gsize number, guint parent)
{
  IfbamVertex vertex = { .kind = kind,
                         .number = number,
                         .parent = parent,
                         .before = IFBAM_NOBODY,
                         .links = g_array_new (FALSE, FALSE, sizeof (gsize)),
                         .children = g_array_new (FALSE, FALSE, sizeof (guint)) };
  const guint i = sketch->vertices->len;

  vertex.column = parent == IFBAM_NOBODY ? 1 : ifbam_sketch_vertex (sketch, parent)->column + 1;
  g_array_append_val (sketch->vertices, vertex);
  if (parent != IFBAM_NOBODY)
    g_array_append_val (ifbam_sketch_vertex (sketch, parent)->children, i);
  if (kind == IFBAM_VERTEX_FREE)
    {
      sketch->vertex_of[number] = i + 1;
      sketch->drawn++;
    }
  return i;
}

static GArray *
chord_between (IfbamSketch *sketch, guint a, guint b)
{
  IfbamChord chord;

  IFBAM_FOREACH (const IfbamChord, known, sketch->chords)
    if ((known->from == a && known->to == b) || (known->from == b && known->to == a))
      return known->links;
  chord = (IfbamChord){
    ifbam_sketch_vertex (sketch, a)->column <= ifbam_sketch_vertex (sketch, b)->column ? a : b,
    ifbam_sketch_vertex (sketch, a)->column <= ifbam_sketch_vertex (sketch, b)->column ? b : a,
    g_array_new (FALSE, FALSE, sizeof (gsize))
  };
  g_array_append_val (sketch->chords, chord);
  return chord.links;
}

/* Returns the node at the end of an omitted row from a neighbour on; *length: its nodes. */
static gsize
end_of_row (const IfbamSketch *sketch, gsize node, gsize neighbour, gsize *length)
{
  gsize before = node;

  for (*length = 0; !sketch->graph->kept[neighbour]; (*length)++)
    {
      const gsize next = ifbam_graph_next (sketch->graph, before, neighbour);

      before = neighbour;
      neighbour = next;
    }
  return neighbour;
}

/* Adds a vertex for an omitted row between two nodes; from its second end it exists already. */
static void
visit_row (IfbamSketch *sketch, GHashTable *rows, GQueue *queue, guint vertex, gsize node,
           gsize neighbour)
{
  gsize length, end = end_of_row (sketch, node, neighbour, &length);
  gsize last = neighbour, before = node;
  guint run;

  for (gsize i = 1; i < length; i++)
    {
      const gsize next = ifbam_graph_next (sketch->graph, before, last);

      before = last;
      last = next;
    }
  if (g_hash_table_contains (rows, GSIZE_TO_POINTER (neighbour + 1)))
    return;
  g_hash_table_add (rows, GSIZE_TO_POINTER (last + 1));
  g_hash_table_add (rows, GSIZE_TO_POINTER (neighbour + 1));
  run = add_vertex (sketch, IFBAM_VERTEX_RUN, length, vertex);
  if (end == node)
    return;
  if (sketch->vertex_of[end] != 0)
    chord_between (sketch, run, sketch->vertex_of[end] - 1);
  else if (sketch->drawn < sketch->graph->most)
    g_queue_push_tail (queue, GUINT_TO_POINTER (add_vertex (sketch, IFBAM_VERTEX_FREE, end, run)));
}

static void
grow_tree (IfbamSketch *sketch, guint root)
{
  g_autoptr (GHashTable) rows = g_hash_table_new (NULL, NULL);
  g_autoptr (GQueue) queue = g_queue_new ();

  g_queue_push_tail (queue, GUINT_TO_POINTER (root));
  while (!g_queue_is_empty (queue))
    {
      const guint vertex = GPOINTER_TO_UINT (g_queue_pop_head (queue));
      const gsize node = ifbam_sketch_vertex (sketch, vertex)->number;

      for (gsize j = sketch->graph->start[node]; j < sketch->graph->start[node + 1]; j++)
        {
          const gsize neighbour = sketch->graph->neighbour[j];

          if (!sketch->graph->kept[neighbour])
            visit_row (sketch, rows, queue, vertex, node, neighbour);
          else if (sketch->vertex_of[neighbour] == 0 && sketch->drawn < sketch->graph->most)
            g_queue_push_tail (queue, GUINT_TO_POINTER (add_vertex (sketch, IFBAM_VERTEX_FREE,
                                                                    neighbour, vertex)));
        }
    }
}

/* Possible root of a tree. */
typedef struct
{
  gboolean
      follows;  /* only right endpoint of links between free nodes: trains run from left to right */
  guint32 rank; /* at the first wall; else at the first end of a row; else anywhere */
  guint32 node;
} Beginning;

static int
compare_beginnings (gconstpointer a, gconstpointer b)
{
  const Beginning *one = a, *other = b;

  if (one->follows != other->follows)
    return one->follows ? 1 : -1;
  return one->rank < other->rank ? -1 : one->rank > other->rank;
}

static void
grow_trees (IfbamSketch *sketch)
{
  const IfbamModel *model = sketch->graph->model;
  const gsize n = model->n_free;
  g_autofree guint32 *wall = g_new (guint32, n + 1);
  g_autofree guint8 *leads = g_new0 (guint8, n + 1), *follows = g_new0 (guint8, n + 1);
  g_autoptr (GArray) beginnings = g_array_new (FALSE, FALSE, sizeof (Beginning));

  for (gsize i = 0; i < n; i++)
    wall[i] = ifbam_graph_degree (sketch->graph, i) == 1 ? G_MAXUINT32 - 1 : G_MAXUINT32;
  for (gsize i = 0; i < sketch->graph->n_edges; i++)
    {
      const guint32 l = sketch->graph->left[i], r = sketch->graph->right[i];

      if (ifbam_graph_joins_free (sketch->graph, i))
        leads[l] = follows[r] = TRUE;
      if (l < n && r >= n)
        wall[l] = MIN (wall[l], r);
      if (r < n && l >= n)
        wall[r] = MIN (wall[r], l);
    }
  for (gsize i = 0; i < n; i++)
    {
      const guint32 node = (guint32) ifbam_model_free_node (model, i);
      const Beginning beginning = { follows[node] && !leads[node], wall[node], node };

      if (sketch->graph->kept[node])
        g_array_append_val (beginnings, beginning);
    }
  g_array_sort (beginnings, compare_beginnings); /* stable */
  for (guint i = 0; i < beginnings->len && sketch->drawn < sketch->graph->most; i++)
    {
      const gsize node = g_array_index (beginnings, Beginning, i).node;
      guint root;

      if (sketch->vertex_of[node] != 0)
        continue;
      root = add_vertex (sketch, IFBAM_VERTEX_FREE, node, IFBAM_NOBODY);
      g_array_append_val (sketch->roots, root);
      grow_tree (sketch, root);
    }
}

/* Returns a given node's vertex beside another one: on the left of a root without one. */
static guint
given_beside (IfbamSketch *sketch, guint vertex, gsize given)
{
  const IfbamVertex *self = ifbam_sketch_vertex (sketch, vertex);
  guint beside = self->before;

  if (beside != IFBAM_NOBODY && ifbam_sketch_vertex (sketch, beside)->number == given)
    return beside;
  for (guint i = 0; i < self->children->len; i++)
    {
      const guint child = g_array_index (self->children, guint, i);

      if (ifbam_sketch_vertex (sketch, child)->kind == IFBAM_VERTEX_GIVEN
          && ifbam_sketch_vertex (sketch, child)->number == given)
        return child;
    }
  if (self->parent != IFBAM_NOBODY || self->before != IFBAM_NOBODY)
    return add_vertex (sketch, IFBAM_VERTEX_GIVEN, given, vertex);
  beside = add_vertex (sketch, IFBAM_VERTEX_GIVEN, given, IFBAM_NOBODY);
  ifbam_sketch_vertex (sketch, beside)->column = 0;
  ifbam_sketch_vertex (sketch, vertex)->before = beside;
  return beside;
}

/* Returns the list of links between two given nodes, which have a row of their own. */
static GArray *
given_pair (IfbamSketch *sketch, gsize left, gsize right)
{
  guint root, child = IFBAM_NOBODY;

  for (guint i = 0; i < sketch->roots->len; i++)
    {
      const guint known = g_array_index (sketch->roots, guint, i);

      if (ifbam_sketch_vertex (sketch, known)->kind == IFBAM_VERTEX_GIVEN
          && ifbam_sketch_vertex (sketch, known)->number == left)
        child = g_array_index (ifbam_sketch_vertex (sketch, known)->children, guint, 0);
      if (child != IFBAM_NOBODY && ifbam_sketch_vertex (sketch, child)->number == right)
        return ifbam_sketch_vertex (sketch, child)->links;
    }
  root = add_vertex (sketch, IFBAM_VERTEX_GIVEN, left, IFBAM_NOBODY);
  g_array_append_val (sketch->roots, root);
  child = add_vertex (sketch, IFBAM_VERTEX_GIVEN, right, root);
  ifbam_sketch_vertex (sketch, root)->column = 0;
  return ifbam_sketch_vertex (sketch, child)->links;
}

static void
join_vertices (IfbamSketch *sketch, gsize edge)
{
  const gsize n = sketch->graph->model->n_free;
  const gsize end[2] = { sketch->graph->left[edge], sketch->graph->right[edge] };
  guint vertex[2];
  GArray *links;

  if (end[0] == end[1])
    return;

  for (guint e = 0; e < 2; e++)
    vertex[e] = end[e] < n ? sketch->vertex_of[end[e]] : 0;
  if (vertex[0] != 0 && vertex[1] != 0)
    {
      const IfbamVertex *one = ifbam_sketch_vertex (sketch, --vertex[0]);
      const IfbamVertex *other = ifbam_sketch_vertex (sketch, --vertex[1]);

      links = one->parent == vertex[1]     ? one->links
              : other->parent == vertex[0] ? other->links
                                           : chord_between (sketch, vertex[0], vertex[1]);
    }
  else if (vertex[0] != 0 && end[1] >= n)
    links = ifbam_sketch_vertex (sketch, given_beside (sketch, vertex[0] - 1, end[1]))->links;
  else if (vertex[1] != 0 && end[0] >= n)
    links = ifbam_sketch_vertex (sketch, given_beside (sketch, vertex[1] - 1, end[0]))->links;
  else if (end[0] >= n && end[1] >= n)
    links = given_pair (sketch, end[0], end[1]);
  else
    return;
  g_array_append_val (links, edge);
}

/* Adds sources, and dots where only the drawing ends. */
static void
add_rest (IfbamSketch *sketch)
{
  const IfbamModel *model = sketch->graph->model;
  const guint n_vertices = sketch->vertices->len;

  for (guint i = 0; i < sketch->graph->attachments->len; i++)
    {
      const gsize node = g_array_index (sketch->graph->attachments, IfbamAttachment, i).node;

      if (node < model->n_free && sketch->vertex_of[node] != 0)
        add_vertex (sketch, IFBAM_VERTEX_SOURCE, i, sketch->vertex_of[node] - 1);
    }
  for (guint v = 0; v < n_vertices; v++)
    {
      const IfbamVertex *vertex = ifbam_sketch_vertex (sketch, v);
      const gsize node = vertex->number;
      gsize missing = 0;

      for (gsize j = vertex->kind == IFBAM_VERTEX_FREE ? sketch->graph->start[node] : 0;
           vertex->kind == IFBAM_VERTEX_FREE && j < sketch->graph->start[node + 1]; j++)
        missing += sketch->graph->kept[sketch->graph->neighbour[j]]
                   && sketch->vertex_of[sketch->graph->neighbour[j]] == 0;
      if (missing > 0)
        add_vertex (sketch, IFBAM_VERTEX_CUT, missing, v);
    }
}

/* The layout */

static guint
rank_of_kind (const IfbamVertex *vertex)
{
  return vertex->kind == IFBAM_VERTEX_SOURCE || vertex->kind == IFBAM_VERTEX_CUT ? 1 : 0;
}

/* Sorts children: the deepest continues the row; arrows and dots come last. */
static void
sort_children (IfbamSketch *sketch, IfbamVertex *vertex)
{
  guint *child = (guint *) (gpointer) vertex->children->data;

  for (guint i = 1; i < vertex->children->len; i++)
    for (guint j = i; j > 0; j--)
      {
        const IfbamVertex *one = ifbam_sketch_vertex (sketch, child[j - 1]),
                          *other = ifbam_sketch_vertex (sketch, child[j]);
        const guint swap = child[j];

        if (rank_of_kind (one) < rank_of_kind (other)
            || (rank_of_kind (one) == rank_of_kind (other) && one->depth >= other->depth))
          break;
        child[j] = child[j - 1];
        child[j - 1] = swap;
      }
}

/* Later vertices are deeper, so the last comes first. */
static void
find_depths (IfbamSketch *sketch)
{
  for (guint i = sketch->vertices->len; i-- > 0;)
    {
      const IfbamVertex *vertex = ifbam_sketch_vertex (sketch, i);

      if (vertex->parent != IFBAM_NOBODY)
        {
          IfbamVertex *parent = ifbam_sketch_vertex (sketch, vertex->parent);

          parent->depth = MAX (parent->depth, vertex->depth + 1);
        }
    }
  IFBAM_FOREACH (IfbamVertex, vertex, sketch->vertices)
    sort_children (sketch, vertex);
}

static void
find_rows (IfbamSketch *sketch)
{
  for (guint i = sketch->vertices->len; i-- > 0;)
    {
      IfbamVertex *vertex = ifbam_sketch_vertex (sketch, i);
      guint offset = 0;

      vertex->box_rows = MAX (vertex->links->len, 1);
      if (vertex->before != IFBAM_NOBODY)
        vertex->box_rows =
            MAX (vertex->box_rows, ifbam_sketch_vertex (sketch, vertex->before)->links->len);
      for (guint c = 0; c < vertex->children->len; c++)
        {
          const IfbamVertex *child = child_of (sketch, vertex, c);

          vertex->box_rows = MAX (vertex->box_rows, offset + MAX (child->links->len, 1));
          offset += child->rows;
        }
      vertex->rows = MAX (offset, vertex->box_rows) + vertex->extra;
    }
}

static void
place_rows (IfbamSketch *sketch)
{
  sketch->rows = 0;
  for (guint i = 0; i < sketch->roots->len; i++)
    {
      IfbamVertex *root = ifbam_sketch_vertex (sketch, g_array_index (sketch->roots, guint, i));

      root->row = sketch->rows;
      root->tree = i;
      sketch->rows += root->rows;
      if (root->before != IFBAM_NOBODY)
        {
          ifbam_sketch_vertex (sketch, root->before)->row = root->row;
          ifbam_sketch_vertex (sketch, root->before)->tree = i;
        }
    }
  IFBAM_FOREACH (const IfbamVertex, vertex, sketch->vertices)
    {
      guint row = vertex->row;

      for (guint c = 0; c < vertex->children->len; c++)
        {
          IfbamVertex *child = child_of (sketch, vertex, c);

          child->row = row;
          child->tree = vertex->tree;
          row += child->rows;
        }
    }
}

/* Adds space between boxes for links that go up or down. Returns TRUE if any was added. */
static gboolean
make_room (IfbamSketch *sketch)
{
  gboolean made = FALSE;

  IFBAM_FOREACH (const IfbamChord, chord, sketch->chords)
    {
      IfbamVertex *a = ifbam_sketch_vertex (sketch, chord->from),
                  *b = ifbam_sketch_vertex (sketch, chord->to);
      IfbamVertex *upper = a->row < b->row ? a : b;

      if (upper->extra > 0 || (upper == a ? b : a)->row > upper->row + upper->box_rows)
        continue;
      upper->extra = 1;
      made = TRUE;
    }
  return made;
}

IfbamWords
ifbam_sketch_node_words (const IfbamSketch *sketch, gsize node)
{
  gsize member;
  const IfbamSpan *span = ifbam_model_node_span (sketch->graph->model, node, &member);

  return span->lone ? ifbam_element_words (sketch->graph->model, span->element)
                    : ifbam_node_words (sketch->graph->model, node);
}

IfbamWords
ifbam_sketch_edge_words (const IfbamSketch *sketch, gsize edge)
{
  IfbamLinkIter at = ifbam_links (sketch->graph->model, 0);

  ifbam_link_iter_seek (&at, sketch->graph->link[edge]);
  return ifbam_link_words (&at);
}

static void
name_vertex (const IfbamSketch *sketch, IfbamVertex *vertex)
{
  if (vertex->kind == IFBAM_VERTEX_RUN || vertex->kind == IFBAM_VERTEX_CUT)
    {
      vertex->words.name = g_strdup ("\342\213\257");
      vertex->words.value = g_strdup_printf ("%" G_GSIZE_FORMAT " more", vertex->number);
    }
  else
    vertex->words =
        vertex->kind == IFBAM_VERTEX_SOURCE ? ifbam_element_words (
            sketch->graph->model,
            g_array_index (sketch->graph->attachments, IfbamAttachment, vertex->number).element)
                                            : ifbam_sketch_node_words (sketch, vertex->number);
  vertex->name = ifbam_short_text (vertex->words.name, IFBAM_SHORT_NAME);
}

static void
place_columns (IfbamSketch *sketch)
{
  GArray *left = sketch->column_width; /* first the widths, then the positions */
  double x = IFBAM_SKETCH_MARGIN;

  IFBAM_FOREACH (IfbamVertex, vertex, sketch->vertices)
    {
      const IfbamElementInfo *info = vertex->words.info;
      double letters = MAX (NAME_WIDTH * (double) g_utf8_strlen (vertex->name, -1),
                            VALUE_WIDTH * (double) g_utf8_strlen (vertex->words.value, -1));

      /* A class without a symbol is drawn as a box with its name. */
      if (info != NULL && info->symbol == NULL)
        letters = MAX (letters, VALUE_WIDTH * (double) strlen (info->name));

      vertex->width = vertex->kind == IFBAM_VERTEX_FREE ? CLAMP (letters + 16, LEAST_BOX, MOST_BOX)
                                                        : MAX (letters + 16, SIDE_WIDTH);
      vertex->height = vertex->box_rows * IFBAM_SKETCH_ROW - IFBAM_SKETCH_GAP;
      if (ifbam_vertex_is_round (vertex))
        vertex->width = CLAMP (vertex->height, LEAST_ROUND, MOST_ROUND);
      vertex->y = IFBAM_SKETCH_MARGIN + vertex->row * IFBAM_SKETCH_ROW
                  + vertex->tree * IFBAM_SKETCH_TREE_GAP + IFBAM_SKETCH_GAP / 2;
      if (vertex->column >= left->len)
        g_array_set_size (left, vertex->column + 1);
      g_array_index (left, double, vertex->column) =
          MAX (g_array_index (left, double, vertex->column), vertex->width);
    }
  for (guint c = 0; c < left->len; c++)
    {
      const double width = g_array_index (left, double, c);

      g_array_index (left, double, c) = x;
      x += width > 0 ? width + IFBAM_SKETCH_LENGTH : 0;
    }
  g_array_append_val (left, x);
  IFBAM_FOREACH (IfbamVertex, vertex, sketch->vertices)
    {
      vertex->x = g_array_index (left, double, vertex->column);
      /* A given node is at the end of its links. */
      if (vertex->column == 0)
        vertex->x = g_array_index (left, double, 1) - IFBAM_SKETCH_LENGTH;
    }
}

static void
lay_out (IfbamSketch *sketch)
{
  find_depths (sketch);
  find_rows (sketch);
  place_rows (sketch);
  if (make_room (sketch))
    {
      find_rows (sketch);
      place_rows (sketch);
    }
  IFBAM_FOREACH (IfbamVertex, vertex, sketch->vertices)
    name_vertex (sketch, vertex);
  place_columns (sketch);
}

IfbamSketch *
ifbam_sketch_new (const IfbamModel *model, const gsize *wanted, gsize n_wanted)
{
  IfbamSketch *sketch = g_new0 (IfbamSketch, 1);
  IfbamDiagramGraph *graph = ifbam_diagram_graph_new (model, wanted, n_wanted);

  *sketch = (IfbamSketch){ .graph = graph,
                           .vertices = g_array_new (FALSE, FALSE, sizeof (IfbamVertex)),
                           .chords = g_array_new (FALSE, FALSE, sizeof (IfbamChord)),
                           .roots = g_array_new (FALSE, FALSE, sizeof (guint)),
                           .column_width = g_array_new (FALSE, TRUE, sizeof (double)),
                           .vertex_of = g_new0 (guint, model->n_free + 1) };
  g_array_set_clear_func (sketch->vertices, vertex_clear);
  g_array_set_clear_func (sketch->chords, chord_clear);
  grow_trees (sketch);
  for (gsize i = 0; i < graph->n_edges; i++)
    join_vertices (sketch, i);
  add_rest (sketch);
  lay_out (sketch);
  for (gsize i = 0; i < model->n_free; i++)
    sketch->drawn += graph->alias[i] != i && sketch->vertex_of[graph->alias[i]] != 0;
  return sketch;
}

void
ifbam_sketch_free (IfbamSketch *sketch)
{
  if (sketch == NULL)
    return;
  ifbam_diagram_graph_free (sketch->graph);
  g_array_unref (sketch->vertices);
  g_array_unref (sketch->chords);
  g_array_unref (sketch->roots);
  g_array_unref (sketch->column_width);
  g_free (sketch->vertex_of);
  g_free (sketch);
}
