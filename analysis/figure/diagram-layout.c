/* diagram-layout.c: positions of the elements of a network in its diagram
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "figure/diagram-layout.h"

#include <string.h>

/* Sizes in pixels. */
#define MIN_BOX     60.0
#define MAX_BOX     160.0
#define MIN_ROUND   54.0
#define MAX_ROUND   98.0
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
  ifbam_element_labels_clear (&vertex->words);
}

static void
chord_clear (gpointer data)
{
  g_array_unref (((IfbamChord *) data)->links);
}

/* The tree */

static IfbamVertex *
child_of (const IfbamDiagramLayout *layout, const IfbamVertex *vertex, guint c)
{
  return ifbam_diagram_layout_vertex (layout, g_array_index (vertex->children, guint, c));
}

static guint
add_vertex (IfbamDiagramLayout *layout, IfbamVertexKind kind, gsize number, guint parent)
{
  IfbamVertex vertex = { .kind = kind,
                         .number = number,
                         .parent = parent,
                         .before = IFBAM_NO_PARENT,
                         .links = g_array_new (FALSE, FALSE, sizeof (gsize)),
                         .children = g_array_new (FALSE, FALSE, sizeof (guint)) };
  const guint i = layout->vertices->len;

  vertex.column =
      parent == IFBAM_NO_PARENT ? 1 : ifbam_diagram_layout_vertex (layout, parent)->column + 1;
  g_array_append_val (layout->vertices, vertex);
  if (parent != IFBAM_NO_PARENT)
    g_array_append_val (ifbam_diagram_layout_vertex (layout, parent)->children, i);
  if (kind == IFBAM_VERTEX_FREE)
    {
      layout->vertex_of[number] = i + 1;
      layout->drawn++;
    }
  return i;
}

static GArray *
chord_between (IfbamDiagramLayout *layout, guint a, guint b)
{
  IfbamChord chord;

  IFBAM_FOREACH (const IfbamChord, known, layout->chords)
    if ((known->from == a && known->to == b) || (known->from == b && known->to == a))
      return known->links;
  chord = (IfbamChord){ ifbam_diagram_layout_vertex (layout, a)->column
                                <= ifbam_diagram_layout_vertex (layout, b)->column
                            ? a
                            : b,
                        ifbam_diagram_layout_vertex (layout, a)->column
                                <= ifbam_diagram_layout_vertex (layout, b)->column
                            ? b
                            : a,
                        g_array_new (FALSE, FALSE, sizeof (gsize)) };
  g_array_append_val (layout->chords, chord);
  return chord.links;
}

/* Returns the node at the end of an omitted row from a neighbour on; *length: its nodes. */
static gsize
end_of_row (const IfbamDiagramLayout *layout, gsize node, gsize neighbour, gsize *length)
{
  gsize before = node;

  for (*length = 0; !layout->graph->kept[neighbour]; (*length)++)
    {
      const gsize next = ifbam_graph_next (layout->graph, before, neighbour);

      before = neighbour;
      neighbour = next;
    }
  return neighbour;
}

/* Adds a vertex for an omitted row between two nodes; from its second end it exists already. */
static void
visit_row (IfbamDiagramLayout *layout, GHashTable *rows, GQueue *queue, guint vertex, gsize node,
           gsize neighbour)
{
  gsize length, end = end_of_row (layout, node, neighbour, &length);
  gsize last = neighbour, before = node;
  guint run;

  for (gsize i = 1; i < length; i++)
    {
      const gsize next = ifbam_graph_next (layout->graph, before, last);

      before = last;
      last = next;
    }
  if (g_hash_table_contains (rows, GSIZE_TO_POINTER (neighbour + 1)))
    return;
  g_hash_table_add (rows, GSIZE_TO_POINTER (last + 1));
  g_hash_table_add (rows, GSIZE_TO_POINTER (neighbour + 1));
  run = add_vertex (layout, IFBAM_VERTEX_RUN, length, vertex);
  if (end == node)
    return;
  if (layout->vertex_of[end] != 0)
    chord_between (layout, run, layout->vertex_of[end] - 1);
  else if (layout->drawn < layout->graph->most)
    g_queue_push_tail (queue, GUINT_TO_POINTER (add_vertex (layout, IFBAM_VERTEX_FREE, end, run)));
}

static void
grow_tree (IfbamDiagramLayout *layout, guint root)
{
  g_autoptr (GHashTable) rows = g_hash_table_new (NULL, NULL);
  g_autoptr (GQueue) queue = g_queue_new ();

  g_queue_push_tail (queue, GUINT_TO_POINTER (root));
  while (!g_queue_is_empty (queue))
    {
      const guint vertex = GPOINTER_TO_UINT (g_queue_pop_head (queue));
      const gsize node = ifbam_diagram_layout_vertex (layout, vertex)->number;

      for (gsize j = layout->graph->start[node]; j < layout->graph->start[node + 1]; j++)
        {
          const gsize neighbour = layout->graph->neighbour[j];

          if (!layout->graph->kept[neighbour])
            visit_row (layout, rows, queue, vertex, node, neighbour);
          else if (layout->vertex_of[neighbour] == 0 && layout->drawn < layout->graph->most)
            g_queue_push_tail (queue, GUINT_TO_POINTER (add_vertex (layout, IFBAM_VERTEX_FREE,
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
grow_trees (IfbamDiagramLayout *layout)
{
  const IfbamModel *model = layout->graph->model;
  const gsize n = model->n_free;
  g_autofree guint32 *wall = g_new (guint32, n + 1);
  g_autofree guint8 *leads = g_new0 (guint8, n + 1), *follows = g_new0 (guint8, n + 1);
  g_autoptr (GArray) beginnings = g_array_new (FALSE, FALSE, sizeof (Beginning));

  for (gsize i = 0; i < n; i++)
    wall[i] = ifbam_graph_degree (layout->graph, i) == 1 ? G_MAXUINT32 - 1 : G_MAXUINT32;
  for (gsize i = 0; i < layout->graph->n_edges; i++)
    {
      const guint32 l = layout->graph->left[i], r = layout->graph->right[i];

      if (ifbam_graph_joins_free (layout->graph, i))
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

      if (layout->graph->kept[node])
        g_array_append_val (beginnings, beginning);
    }
  g_array_sort (beginnings, compare_beginnings); /* stable */
  for (guint i = 0; i < beginnings->len && layout->drawn < layout->graph->most; i++)
    {
      const gsize node = g_array_index (beginnings, Beginning, i).node;
      guint root;

      if (layout->vertex_of[node] != 0)
        continue;
      root = add_vertex (layout, IFBAM_VERTEX_FREE, node, IFBAM_NO_PARENT);
      g_array_append_val (layout->roots, root);
      grow_tree (layout, root);
    }
}

/* Returns a given node's vertex beside another one: on the left of a root without one. */
static guint
given_beside (IfbamDiagramLayout *layout, guint vertex, gsize given)
{
  const IfbamVertex *self = ifbam_diagram_layout_vertex (layout, vertex);
  guint beside = self->before;

  if (beside != IFBAM_NO_PARENT && ifbam_diagram_layout_vertex (layout, beside)->number == given)
    return beside;
  for (guint i = 0; i < self->children->len; i++)
    {
      const guint child = g_array_index (self->children, guint, i);

      if (ifbam_diagram_layout_vertex (layout, child)->kind == IFBAM_VERTEX_GIVEN
          && ifbam_diagram_layout_vertex (layout, child)->number == given)
        return child;
    }
  if (self->parent != IFBAM_NO_PARENT || self->before != IFBAM_NO_PARENT)
    return add_vertex (layout, IFBAM_VERTEX_GIVEN, given, vertex);
  beside = add_vertex (layout, IFBAM_VERTEX_GIVEN, given, IFBAM_NO_PARENT);
  ifbam_diagram_layout_vertex (layout, beside)->column = 0;
  ifbam_diagram_layout_vertex (layout, vertex)->before = beside;
  return beside;
}

/* Returns the list of links between two given nodes, which have a row of their own. */
static GArray *
given_pair (IfbamDiagramLayout *layout, gsize left, gsize right)
{
  guint root, child = IFBAM_NO_PARENT;

  for (guint i = 0; i < layout->roots->len; i++)
    {
      const guint known = g_array_index (layout->roots, guint, i);

      if (ifbam_diagram_layout_vertex (layout, known)->kind == IFBAM_VERTEX_GIVEN
          && ifbam_diagram_layout_vertex (layout, known)->number == left)
        child = g_array_index (ifbam_diagram_layout_vertex (layout, known)->children, guint, 0);
      if (child != IFBAM_NO_PARENT && ifbam_diagram_layout_vertex (layout, child)->number == right)
        return ifbam_diagram_layout_vertex (layout, child)->links;
    }
  root = add_vertex (layout, IFBAM_VERTEX_GIVEN, left, IFBAM_NO_PARENT);
  g_array_append_val (layout->roots, root);
  child = add_vertex (layout, IFBAM_VERTEX_GIVEN, right, root);
  ifbam_diagram_layout_vertex (layout, root)->column = 0;
  return ifbam_diagram_layout_vertex (layout, child)->links;
}

static void
join_vertices (IfbamDiagramLayout *layout, gsize edge)
{
  const gsize n = layout->graph->model->n_free;
  const gsize end[2] = { layout->graph->left[edge], layout->graph->right[edge] };
  guint vertex[2];
  GArray *links;

  if (end[0] == end[1])
    return;

  for (guint e = 0; e < 2; e++)
    vertex[e] = end[e] < n ? layout->vertex_of[end[e]] : 0;
  if (vertex[0] != 0 && vertex[1] != 0)
    {
      const IfbamVertex *one = ifbam_diagram_layout_vertex (layout, --vertex[0]);
      const IfbamVertex *other = ifbam_diagram_layout_vertex (layout, --vertex[1]);

      links = one->parent == vertex[1]     ? one->links
              : other->parent == vertex[0] ? other->links
                                           : chord_between (layout, vertex[0], vertex[1]);
    }
  else if (vertex[0] != 0 && end[1] >= n)
    links =
        ifbam_diagram_layout_vertex (layout, given_beside (layout, vertex[0] - 1, end[1]))->links;
  else if (vertex[1] != 0 && end[0] >= n)
    links =
        ifbam_diagram_layout_vertex (layout, given_beside (layout, vertex[1] - 1, end[0]))->links;
  else if (end[0] >= n && end[1] >= n)
    links = given_pair (layout, end[0], end[1]);
  else
    return;
  g_array_append_val (links, edge);
}

/* Adds sources, and dots where only the drawing ends. */
static void
add_rest (IfbamDiagramLayout *layout)
{
  const IfbamModel *model = layout->graph->model;
  const guint n_vertices = layout->vertices->len;

  for (guint i = 0; i < layout->graph->attachments->len; i++)
    {
      const gsize node = g_array_index (layout->graph->attachments, IfbamAttachment, i).node;

      if (node < model->n_free && layout->vertex_of[node] != 0)
        add_vertex (layout, IFBAM_VERTEX_SOURCE, i, layout->vertex_of[node] - 1);
    }
  for (guint v = 0; v < n_vertices; v++)
    {
      const IfbamVertex *vertex = ifbam_diagram_layout_vertex (layout, v);
      const gsize node = vertex->number;
      gsize missing = 0;

      for (gsize j = vertex->kind == IFBAM_VERTEX_FREE ? layout->graph->start[node] : 0;
           vertex->kind == IFBAM_VERTEX_FREE && j < layout->graph->start[node + 1]; j++)
        missing += layout->graph->kept[layout->graph->neighbour[j]]
                   && layout->vertex_of[layout->graph->neighbour[j]] == 0;
      if (missing > 0)
        add_vertex (layout, IFBAM_VERTEX_CUT, missing, v);
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
sort_children (IfbamDiagramLayout *layout, IfbamVertex *vertex)
{
  guint *child = (guint *) (gpointer) vertex->children->data;

  for (guint i = 1; i < vertex->children->len; i++)
    for (guint j = i; j > 0; j--)
      {
        const IfbamVertex *one = ifbam_diagram_layout_vertex (layout, child[j - 1]),
                          *other = ifbam_diagram_layout_vertex (layout, child[j]);
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
find_depths (IfbamDiagramLayout *layout)
{
  for (guint i = layout->vertices->len; i-- > 0;)
    {
      const IfbamVertex *vertex = ifbam_diagram_layout_vertex (layout, i);

      if (vertex->parent != IFBAM_NO_PARENT)
        {
          IfbamVertex *parent = ifbam_diagram_layout_vertex (layout, vertex->parent);

          parent->depth = MAX (parent->depth, vertex->depth + 1);
        }
    }
  IFBAM_FOREACH (IfbamVertex, vertex, layout->vertices)
    sort_children (layout, vertex);
}

static void
find_rows (IfbamDiagramLayout *layout)
{
  for (guint i = layout->vertices->len; i-- > 0;)
    {
      IfbamVertex *vertex = ifbam_diagram_layout_vertex (layout, i);
      guint offset = 0;

      vertex->box_rows = MAX (vertex->links->len, 1);
      if (vertex->before != IFBAM_NO_PARENT)
        vertex->box_rows = MAX (vertex->box_rows,
                                ifbam_diagram_layout_vertex (layout, vertex->before)->links->len);
      for (guint c = 0; c < vertex->children->len; c++)
        {
          const IfbamVertex *child = child_of (layout, vertex, c);

          vertex->box_rows = MAX (vertex->box_rows, offset + MAX (child->links->len, 1));
          offset += child->rows;
        }
      vertex->rows = MAX (offset, vertex->box_rows) + vertex->extra;
    }
}

static void
place_rows (IfbamDiagramLayout *layout)
{
  layout->rows = 0;
  for (guint i = 0; i < layout->roots->len; i++)
    {
      IfbamVertex *root =
          ifbam_diagram_layout_vertex (layout, g_array_index (layout->roots, guint, i));

      root->row = layout->rows;
      root->tree = i;
      layout->rows += root->rows;
      if (root->before != IFBAM_NO_PARENT)
        {
          ifbam_diagram_layout_vertex (layout, root->before)->row = root->row;
          ifbam_diagram_layout_vertex (layout, root->before)->tree = i;
        }
    }
  IFBAM_FOREACH (const IfbamVertex, vertex, layout->vertices)
    {
      guint row = vertex->row;

      for (guint c = 0; c < vertex->children->len; c++)
        {
          IfbamVertex *child = child_of (layout, vertex, c);

          child->row = row;
          child->tree = vertex->tree;
          row += child->rows;
        }
    }
}

/* Adds space between boxes for links that go up or down. Returns TRUE if any was added. */
static gboolean
make_room (IfbamDiagramLayout *layout)
{
  gboolean made = FALSE;

  IFBAM_FOREACH (const IfbamChord, chord, layout->chords)
    {
      IfbamVertex *a = ifbam_diagram_layout_vertex (layout, chord->from),
                  *b = ifbam_diagram_layout_vertex (layout, chord->to);
      IfbamVertex *upper = a->row < b->row ? a : b;

      if (upper->extra > 0 || (upper == a ? b : a)->row > upper->row + upper->box_rows)
        continue;
      upper->extra = 1;
      made = TRUE;
    }
  return made;
}

IfbamElementLabels
ifbam_diagram_layout_node_labels (const IfbamDiagramLayout *layout, gsize node)
{
  gsize member;
  const IfbamSpan *span = ifbam_model_node_span (layout->graph->model, node, &member);

  return span->lone ? ifbam_element_labels (layout->graph->model, span->element)
                    : ifbam_node_labels (layout->graph->model, node);
}

IfbamElementLabels
ifbam_diagram_layout_edge_labels (const IfbamDiagramLayout *layout, gsize edge)
{
  IfbamLinkIter at = ifbam_links (layout->graph->model, 0);

  ifbam_link_iter_seek (&at, layout->graph->link[edge]);
  return ifbam_link_labels (&at);
}

static void
name_vertex (const IfbamDiagramLayout *layout, IfbamVertex *vertex)
{
  if (vertex->kind == IFBAM_VERTEX_RUN || vertex->kind == IFBAM_VERTEX_CUT)
    {
      vertex->words.name = g_strdup ("\342\213\257");
      vertex->words.value = g_strdup_printf ("%" G_GSIZE_FORMAT " more", vertex->number);
    }
  else
    vertex->words =
        vertex->kind == IFBAM_VERTEX_SOURCE
            ? ifbam_element_labels (
                layout->graph->model,
                g_array_index (layout->graph->attachments, IfbamAttachment, vertex->number).element)
            : ifbam_diagram_layout_node_labels (layout, vertex->number);
  vertex->name = ifbam_short_text (vertex->words.name, IFBAM_SHORT_NAME);
}

static void
place_columns (IfbamDiagramLayout *layout)
{
  GArray *left = layout->column_width; /* first the widths, then the positions */
  double x = IFBAM_LAYOUT_MARGIN;

  IFBAM_FOREACH (IfbamVertex, vertex, layout->vertices)
    {
      const IfbamElementInfo *info = vertex->words.info;
      double letters = MAX (NAME_WIDTH * (double) g_utf8_strlen (vertex->name, -1),
                            VALUE_WIDTH * (double) g_utf8_strlen (vertex->words.value, -1));

      /* A class without a symbol is drawn as a box with its name. */
      if (info != NULL && info->symbol == NULL)
        letters = MAX (letters, VALUE_WIDTH * (double) strlen (info->name));

      vertex->width = vertex->kind == IFBAM_VERTEX_FREE ? CLAMP (letters + 16, MIN_BOX, MAX_BOX)
                                                        : MAX (letters + 16, SIDE_WIDTH);
      vertex->height = vertex->box_rows * IFBAM_LAYOUT_ROW - IFBAM_LAYOUT_GAP;
      if (ifbam_vertex_is_round (vertex))
        vertex->width = CLAMP (vertex->height, MIN_ROUND, MAX_ROUND);
      vertex->y = IFBAM_LAYOUT_MARGIN + vertex->row * IFBAM_LAYOUT_ROW
                  + vertex->tree * IFBAM_LAYOUT_TREE_GAP + IFBAM_LAYOUT_GAP / 2;
      if (vertex->column >= left->len)
        g_array_set_size (left, vertex->column + 1);
      g_array_index (left, double, vertex->column) =
          MAX (g_array_index (left, double, vertex->column), vertex->width);
    }
  for (guint c = 0; c < left->len; c++)
    {
      const double width = g_array_index (left, double, c);

      g_array_index (left, double, c) = x;
      x += width > 0 ? width + IFBAM_LAYOUT_LENGTH : 0;
    }
  g_array_append_val (left, x);
  IFBAM_FOREACH (IfbamVertex, vertex, layout->vertices)
    {
      vertex->x = g_array_index (left, double, vertex->column);
      /* A given node is at the end of its links. */
      if (vertex->column == 0)
        vertex->x = g_array_index (left, double, 1) - IFBAM_LAYOUT_LENGTH;
    }
}

static void
lay_out (IfbamDiagramLayout *layout)
{
  find_depths (layout);
  find_rows (layout);
  place_rows (layout);
  if (make_room (layout))
    {
      find_rows (layout);
      place_rows (layout);
    }
  IFBAM_FOREACH (IfbamVertex, vertex, layout->vertices)
    name_vertex (layout, vertex);
  place_columns (layout);
}

IfbamDiagramLayout *
ifbam_diagram_layout_new (const IfbamModel *model, const gsize *wanted, gsize n_wanted)
{
  IfbamDiagramLayout *layout = g_new0 (IfbamDiagramLayout, 1);
  IfbamDiagramGraph *graph = ifbam_diagram_graph_new (model, wanted, n_wanted);

  *layout = (IfbamDiagramLayout){ .graph = graph,
                                  .vertices = g_array_new (FALSE, FALSE, sizeof (IfbamVertex)),
                                  .chords = g_array_new (FALSE, FALSE, sizeof (IfbamChord)),
                                  .roots = g_array_new (FALSE, FALSE, sizeof (guint)),
                                  .column_width = g_array_new (FALSE, TRUE, sizeof (double)),
                                  .vertex_of = g_new0 (guint, model->n_free + 1) };
  g_array_set_clear_func (layout->vertices, vertex_clear);
  g_array_set_clear_func (layout->chords, chord_clear);
  grow_trees (layout);
  for (gsize i = 0; i < graph->n_edges; i++)
    join_vertices (layout, i);
  add_rest (layout);
  lay_out (layout);
  for (gsize i = 0; i < model->n_free; i++)
    layout->drawn += graph->alias[i] != i && layout->vertex_of[graph->alias[i]] != 0;
  return layout;
}

void
ifbam_diagram_layout_free (IfbamDiagramLayout *layout)
{
  if (layout == NULL)
    return;
  ifbam_diagram_graph_free (layout->graph);
  g_array_unref (layout->vertices);
  g_array_unref (layout->chords);
  g_array_unref (layout->roots);
  g_array_unref (layout->column_width);
  g_free (layout->vertex_of);
  g_free (layout);
}
