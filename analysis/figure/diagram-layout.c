/* diagram-layout.c: where the elements of a network stand in its diagram
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "figure/diagram-layout.h"

#include <string.h>

#include "base/compare.h"

#define FEW           16 /* free nodes: all are drawn */
#define MOST          40 /* drawn of more */
#define MOST_OF_A_NET 24 /* drawn of a network that is no chain */
#define LEAST_GAP     3  /* nodes of a row that are cut out, at least */
#define MOST_WANTED   12

/* Sizes in pixels. */
#define LEAST_BOX   60.0
#define MOST_BOX    160.0
#define LEAST_ROUND 54.0
#define MOST_ROUND  98.0
#define NAME_WIDTH  8.8 /* of a letter */
#define VALUE_WIDTH 7.0
#define SIDE_WIDTH  48.0
#define MOST_NAME   16 /* letters of a name that are drawn */

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

/* The middle of a long name tells the least: its number is at the end. */
char *
ifbam_short_text (const char *text)
{
  const glong length = g_utf8_strlen (text, -1);
  g_autofree char *head = NULL, *tail = NULL;

  if (length <= MOST_NAME)
    return g_strdup (text);
  head = g_utf8_substring (text, 0, MOST_NAME / 2);
  tail = g_utf8_substring (text, length - (MOST_NAME / 2 - 1), length);
  return g_strconcat (head, "\342\200\246", tail, NULL);
}

/* Who is joined to whom */

/* Stores the node that is drawn for each node: a body with several coordinates is drawn once. */
static void
read_aliases (IfbamSketch *sketch)
{
  const IfbamModel *model = sketch->model;
  g_autoptr (GHashTable) first = g_hash_table_new (NULL, NULL);

  sketch->alias = g_new (guint32, model->n_nodes + 1);
  for (gsize i = 0; i < model->n_nodes; i++)
    sketch->alias[i] = (guint32) i;
  /* So is a link with its states; they are where it moves something. */
  for (IfbamLinkIter at = ifbam_links (model, IFBAM_LINKS_STORED); ifbam_link_iter_next (&at);)
    for (guint k = 0; k < at.link->n_states; k++)
      sketch->alias[at.link->node[2 + k]] = MIN (at.link->node[0], at.link->node[1]);
  IFBAM_FOREACH (const IfbamSpan, span, model->node_spans)
    {
      const gsize node = ifbam_model_number_of (model, span->first + span->phase);

      if (!span->lone || span->first >= ifbam_model_n_outer (model))
        continue;
      if (g_hash_table_contains (first, span->element))
        sketch->alias[node] = GPOINTER_TO_UINT (g_hash_table_lookup (first, span->element));
      else
        g_hash_table_insert (first, span->element, GUINT_TO_POINTER ((guint) node));
    }
  /* Branches are drawn as links, and a link with states is drawn once. */
  for (const IfbamLink *link = NULL; ifbam_unbatched_next (model, &link);)
    {
      const guint32 drawn = sketch->alias[MIN (link->node[0], link->node[1])];

      if (ifbam_link_is_tie (link))
        sketch->alias[link->node[2]] = drawn;
      for (guint k = 0; k < link->n_states && link->place == 0; k++)
        sketch->alias[link->node[link->n_ports + k]] = drawn;
    }
}

static void
attach (IfbamSketch *sketch, const IfbamElement *element, gsize node)
{
  const IfbamAttachment attachment = { element, sketch->alias[node] };

  g_array_append_val (sketch->attachments, attachment);
}

/* Finds the nodes that a link joins, each once; returns how many these are. Nodes that a link only reads (those of the
 * contact that presses a friction) follow its ends and are left out. */
static guint
things_of (const IfbamSketch *sketch, const IfbamLink *link, guint32 *things)
{
  char *const *names = ifbam_link_end_names (link);
  const guint most =
      names == NULL || link->press == NULL ? IFBAM_MAX_PORTS : g_strv_length ((char **) names);
  guint n = 0;

  for (guint e = 0; e < link->n_ports && n < most; e++)
    {
      const guint32 thing = sketch->alias[link->node[e]];
      gboolean known = ifbam_model_is_rest (sketch->model, link->node[e]);

      for (guint i = 0; i < n; i++)
        known |= things[i] == thing;
      if (!known)
        things[n++] = thing;
    }
  return n;
}

static void
add_edge (IfbamSketch *sketch, const IfbamLinkIter *at, guint32 left, guint32 right)
{
  const gsize edge = sketch->n_edges++;

  sketch->link[edge] = at->number + (at->slot < G_MAXSIZE ? 0 : sketch->model->n_links);
  sketch->left[edge] = left;
  sketch->right[edge] = right;
}

/* Adds a link's edges: from its first node to all others. */
static void
read_link (IfbamSketch *sketch, const IfbamLinkIter *at)
{
  const gboolean batched = at->slot < G_MAXSIZE;
  guint32 things[IFBAM_MAX_PORTS] = { 0 };
  const guint n = things_of (sketch, at->link, things);

  for (guint i = 1; i < n; i++)
    add_edge (sketch, at, things[0], things[i]);
  if (n > 1)
    return;
  if (n == 1 && (!batched || ifbam_model_is_rest (sketch->model, at->link->node[1])))
    attach (sketch, at->link->element, things[0]);
  add_edge (sketch, at, things[0], things[0]);
}

static void
read_edges (IfbamSketch *sketch)
{
  const IfbamModel *model = sketch->model;
  gsize most = model->n_links;

  for (const IfbamLink *link = NULL; ifbam_unbatched_next (model, &link);)
    most += MAX (link->n_ports, 1);
  sketch->left = g_new (guint32, most + 1);
  sketch->right = g_new (guint32, most + 1);
  sketch->link = g_new (gsize, most + 1);
  for (IfbamLinkIter at = ifbam_links (model, IFBAM_LINKS_BATCHED | IFBAM_LINKS_UNBATCHED);
       ifbam_link_iter_next (&at);)
    if (at.link->place == 0 || ifbam_link_is_tie (at.link))
      read_link (sketch, &at);
  for (gsize i = 0; i < model->n_sources; i++)
    attach (sketch, ifbam_model_source_of (model, i)->element, model->source_node[i]);
  IFBAM_FOREACH (const IfbamImpulse, impulse, model->impulses)
    {
      for (guint e = 0; e < impulse->n_nodes; e++)
        if (e == 0 || sketch->alias[impulse->node[e]] != sketch->alias[impulse->node[e - 1]])
          attach (sketch, impulse->element, impulse->node[e]);
    }
}

static gboolean
is_between_free (const IfbamSketch *sketch, gsize edge)
{
  const gsize n = sketch->model->n_free;

  return sketch->left[edge] < n && sketch->right[edge] < n
         && sketch->left[edge] != sketch->right[edge];
}

static void
find_neighbours (IfbamSketch *sketch)
{
  const gsize n = sketch->model->n_free;
  g_autofree gsize *place = NULL;
  gsize kept = 0;

  sketch->start = g_new0 (gsize, n + 2);
  for (gsize i = 0; i < sketch->n_edges; i++)
    if (is_between_free (sketch, i))
      {
        sketch->start[sketch->left[i] + 1]++;
        sketch->start[sketch->right[i] + 1]++;
      }
  for (gsize i = 0; i < n; i++)
    sketch->start[i + 1] += sketch->start[i];
  sketch->neighbour = g_new (guint32, sketch->start[n] + 1);
  place = g_memdup2 (sketch->start, (n + 1) * sizeof *place);
  for (gsize i = 0; i < sketch->n_edges; i++)
    if (is_between_free (sketch, i))
      {
        sketch->neighbour[place[sketch->left[i]]++] = sketch->right[i];
        sketch->neighbour[place[sketch->right[i]]++] = sketch->left[i];
      }
  for (gsize i = 0, from = 0; i < n; i++)
    {
      const gsize to = sketch->start[i + 1], first = kept;

      qsort (sketch->neighbour + from, to - from, sizeof (guint32), ifbam_compare_uint32);
      for (gsize j = from; j < to; j++)
        if (kept == first || sketch->neighbour[kept - 1] != sketch->neighbour[j])
          sketch->neighbour[kept++] = sketch->neighbour[j];
      from = to;
      sketch->start[i + 1] = kept;
    }
}

static gsize
degree (const IfbamSketch *sketch, gsize node)
{
  return sketch->start[node + 1] - sketch->start[node];
}

/* The node after `node` on a row of nodes with two neighbours, coming from `before`. */
static gsize
next_on_row (const IfbamSketch *sketch, gsize before, gsize node)
{
  const guint32 *two = sketch->neighbour + sketch->start[node];

  return two[0] == before ? two[1] : two[0];
}

/* Rows of nodes that nothing tells apart are cut short; one or two are not worth it. */
static void
choose_nodes (IfbamSketch *sketch)
{
  const IfbamModel *model = sketch->model;
  const gsize n = model->n_free;
  g_autofree guint8 *special = g_new0 (guint8, n + 1);
  g_autofree guint8 *seen = g_new0 (guint8, n + 1);
  gsize n_kept = 0;

  sketch->kept = g_new0 (guint8, n + 1);
  for (gsize i = 0; i < n; i++)
    special[i] = degree (sketch, i) != 2 || n <= FEW;
  for (gsize i = 0; i < sketch->n_edges; i++)
    {
      if (sketch->left[i] < n && sketch->right[i] >= n)
        special[sketch->left[i]] = TRUE;
      if (sketch->right[i] < n && sketch->left[i] >= n)
        special[sketch->right[i]] = TRUE;
    }
  /* A load that is everywhere tells nothing apart. */
  for (guint i = 0; i < sketch->attachments->len && sketch->attachments->len < n / 2 + FEW; i++)
    if (g_array_index (sketch->attachments, IfbamAttachment, i).node < n)
      special[g_array_index (sketch->attachments, IfbamAttachment, i).node] = TRUE;
  for (gsize i = 0; i < sketch->n_wanted && sketch->n_wanted <= MOST_WANTED; i++)
    if (sketch->wanted[i] < n)
      special[sketch->alias[sketch->wanted[i]]] = TRUE;
  for (gsize i = 0; i < n; i++)
    if (sketch->alias[i] != i)
      {
        special[i] = FALSE;
        seen[i] = TRUE;
      }
  for (gsize i = 0; i < n; i++)
    for (gsize j = sketch->start[i]; special[i] && j < sketch->start[i + 1]; j++)
      sketch->kept[sketch->neighbour[j]] = TRUE;
  for (gsize i = 0; i < n; i++)
    sketch->kept[i] |= special[i];
  /* From every node that is kept along the rows that begin beside it. */
  for (gsize i = 0; i < n; i++)
    for (gsize j = sketch->start[i]; sketch->kept[i] && j < sketch->start[i + 1]; j++)
      {
        gsize before = i, node = sketch->neighbour[j], length = 0;

        for (; !sketch->kept[node] && !seen[node]; length++)
          {
            const gsize next = next_on_row (sketch, before, node);

            seen[node] = TRUE;
            before = node;
            node = next;
          }
        for (before = i, node = sketch->neighbour[j]; length > 0 && length < LEAST_GAP; length--)
          {
            const gsize next = next_on_row (sketch, before, node);

            sketch->kept[node] = TRUE;
            before = node;
            node = next;
          }
      }
  /* A ring in which all nodes are alike. */
  for (gsize i = 0; i < n; i++)
    if (!sketch->kept[i] && !seen[i])
      {
        gsize before = i, node = sketch->neighbour[sketch->start[i]];

        sketch->kept[i] = TRUE;
        for (guint j = 0; j < 2; j++)
          sketch->kept[sketch->neighbour[sketch->start[i] + j]] = TRUE;
        for (; node != i;)
          {
            const gsize next = next_on_row (sketch, before, node);

            seen[node] = TRUE;
            before = node;
            node = next;
          }
      }
  for (gsize i = 0; i < n; i++)
    n_kept += sketch->kept[i];
  sketch->most = n_kept > MOST ? MOST_OF_A_NET : MOST;
}

/* The tree */

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

/* What is beyond a node's neighbour that is not drawn: the end of a row of `*length` nodes. */
static gsize
end_of_row (const IfbamSketch *sketch, gsize node, gsize neighbour, gsize *length)
{
  gsize before = node;

  for (*length = 0; !sketch->kept[neighbour]; (*length)++)
    {
      const gsize next = next_on_row (sketch, before, neighbour);

      before = neighbour;
      neighbour = next;
    }
  return neighbour;
}

/* A row that is cut short stands between two nodes; from its second end it is known. */
static void
visit_row (IfbamSketch *sketch, GHashTable *rows, GQueue *queue, guint vertex, gsize node,
           gsize neighbour)
{
  gsize length, end = end_of_row (sketch, node, neighbour, &length);
  gsize last = neighbour, before = node;
  guint run;

  for (gsize i = 1; i < length; i++)
    {
      const gsize next = next_on_row (sketch, before, last);

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
  else if (sketch->drawn < sketch->most)
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

      for (gsize j = sketch->start[node]; j < sketch->start[node + 1]; j++)
        {
          const gsize neighbour = sketch->neighbour[j];

          if (!sketch->kept[neighbour])
            visit_row (sketch, rows, queue, vertex, node, neighbour);
          else if (sketch->vertex_of[neighbour] == 0 && sketch->drawn < sketch->most)
            g_queue_push_tail (queue, GUINT_TO_POINTER (add_vertex (sketch, IFBAM_VERTEX_FREE,
                                                                    neighbour, vertex)));
        }
    }
}

/* Where a tree may begin. */
typedef struct
{
  gboolean
      follows; /* only right ends of links between free nodes are here: trains read from left to right */
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
  const IfbamModel *model = sketch->model;
  const gsize n = model->n_free;
  g_autofree guint32 *wall = g_new (guint32, n + 1);
  g_autofree guint8 *leads = g_new0 (guint8, n + 1), *follows = g_new0 (guint8, n + 1);
  g_autoptr (GArray) beginnings = g_array_new (FALSE, FALSE, sizeof (Beginning));

  for (gsize i = 0; i < n; i++)
    wall[i] = degree (sketch, i) == 1 ? G_MAXUINT32 - 1 : G_MAXUINT32;
  for (gsize i = 0; i < sketch->n_edges; i++)
    {
      const guint32 l = sketch->left[i], r = sketch->right[i];

      if (is_between_free (sketch, i))
        leads[l] = follows[r] = TRUE;
      if (l < n && r >= n)
        wall[l] = MIN (wall[l], r);
      if (r < n && l >= n)
        wall[r] = MIN (wall[r], l);
    }
  for (gsize i = 0; i < n; i++)
    {
      const guint32 node = (guint32) ifbam_model_free_number (model, i);
      const Beginning beginning = { follows[node] && !leads[node], wall[node], node };

      if (sketch->kept[node])
        g_array_append_val (beginnings, beginning);
    }
  g_array_sort (beginnings, compare_beginnings); /* keeps the order of equals */
  for (guint i = 0; i < beginnings->len && sketch->drawn < sketch->most; i++)
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

/* The given node beside a vertex, which it stands left of if that is a root, and the first. */
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

/* The links between two given nodes, which stand in a row of their own. */
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
  const gsize n = sketch->model->n_free;
  const gsize end[2] = { sketch->left[edge], sketch->right[edge] };
  guint vertex[2];
  GArray *links;

  if (end[0] == end[1])
    return;

  for (guint e = 0; e < 2; e++)
    vertex[e] = end[e] < n ? sketch->vertex_of[end[e]] : 0;
  if (vertex[0] != 0 && vertex[1] != 0)
    {
      vertex[0]--;
      vertex[1]--;
      if (ifbam_sketch_vertex (sketch, vertex[0])->parent == vertex[1])
        links = ifbam_sketch_vertex (sketch, vertex[0])->links;
      else if (ifbam_sketch_vertex (sketch, vertex[1])->parent == vertex[0])
        links = ifbam_sketch_vertex (sketch, vertex[1])->links;
      else
        links = chord_between (sketch, vertex[0], vertex[1]);
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

/* Sources, and dots where the drawing ends but the network does not. */
static void
add_rest (IfbamSketch *sketch)
{
  const IfbamModel *model = sketch->model;
  const guint n_vertices = sketch->vertices->len;

  for (guint i = 0; i < sketch->attachments->len; i++)
    {
      const gsize node = g_array_index (sketch->attachments, IfbamAttachment, i).node;

      if (node < model->n_free && sketch->vertex_of[node] != 0)
        add_vertex (sketch, IFBAM_VERTEX_SOURCE, i, sketch->vertex_of[node] - 1);
    }
  for (guint v = 0; v < n_vertices; v++)
    {
      const IfbamVertex *vertex = ifbam_sketch_vertex (sketch, v);
      const gsize node = vertex->number;
      gsize missing = 0;

      for (gsize j = vertex->kind == IFBAM_VERTEX_FREE ? sketch->start[node] : 0;
           vertex->kind == IFBAM_VERTEX_FREE && j < sketch->start[node + 1]; j++)
        missing +=
            sketch->kept[sketch->neighbour[j]] && sketch->vertex_of[sketch->neighbour[j]] == 0;
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

/* What is deepest goes straight on; arrows and dots come last. */
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

/* Later vertices are deeper, so the last is done first. */
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
  for (guint i = 0; i < sketch->vertices->len; i++)
    sort_children (sketch, ifbam_sketch_vertex (sketch, i));
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
          const IfbamVertex *child =
              ifbam_sketch_vertex (sketch, g_array_index (vertex->children, guint, c));

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
  for (guint i = 0; i < sketch->vertices->len; i++)
    {
      const IfbamVertex *vertex = ifbam_sketch_vertex (sketch, i);
      guint row = vertex->row;

      for (guint c = 0; c < vertex->children->len; c++)
        {
          IfbamVertex *child =
              ifbam_sketch_vertex (sketch, g_array_index (vertex->children, guint, c));

          child->row = row;
          child->tree = vertex->tree;
          row += child->rows;
        }
    }
}

/* A link that goes up or down needs room between its boxes. */
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
  const IfbamSpan *span = ifbam_model_node_span (sketch->model, node, &member);

  return span->lone ? ifbam_element_words (sketch->model, span->element)
                    : ifbam_node_words (sketch->model, node);
}

IfbamWords
ifbam_sketch_edge_words (const IfbamSketch *sketch, gsize edge)
{
  IfbamLinkIter at = ifbam_links (sketch->model, 0);

  ifbam_link_iter_seek (&at, sketch->link[edge]);
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
            sketch->model,
            g_array_index (sketch->attachments, IfbamAttachment, vertex->number).element)
                                            : ifbam_sketch_node_words (sketch, vertex->number);
  vertex->name = ifbam_short_text (vertex->words.name);
}

static void
place_columns (IfbamSketch *sketch)
{
  GArray *left = sketch->column_width; /* first the widths, then where they begin */
  double x = IFBAM_SKETCH_MARGIN;

  for (guint i = 0; i < sketch->vertices->len; i++)
    {
      IfbamVertex *vertex = ifbam_sketch_vertex (sketch, i);
      const IfbamElementInfo *info = vertex->words.info;
      double letters = MAX (NAME_WIDTH * (double) g_utf8_strlen (vertex->name, -1),
                            VALUE_WIDTH * (double) g_utf8_strlen (vertex->words.value, -1));

      /* A class without a symbol is a box with its name. */
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
  for (guint i = 0; i < sketch->vertices->len; i++)
    {
      IfbamVertex *vertex = ifbam_sketch_vertex (sketch, i);

      vertex->x = g_array_index (left, double, vertex->column);
      /* A given node's place is where its links end. */
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
  for (guint i = 0; i < sketch->vertices->len; i++)
    name_vertex (sketch, ifbam_sketch_vertex (sketch, i));
  place_columns (sketch);
}

IfbamSketch *
ifbam_sketch_new (const IfbamModel *model, const gsize *wanted, gsize n_wanted)
{
  IfbamSketch *sketch = g_new0 (IfbamSketch, 1);

  *sketch = (IfbamSketch){ .model = model,
                           .wanted = wanted,
                           .n_wanted = n_wanted,
                           .vertices = g_array_new (FALSE, FALSE, sizeof (IfbamVertex)),
                           .chords = g_array_new (FALSE, FALSE, sizeof (IfbamChord)),
                           .attachments = g_array_new (FALSE, FALSE, sizeof (IfbamAttachment)),
                           .roots = g_array_new (FALSE, FALSE, sizeof (guint)),
                           .column_width = g_array_new (FALSE, TRUE, sizeof (double)),
                           .vertex_of = g_new0 (guint, model->n_free + 1) };
  g_array_set_clear_func (sketch->vertices, vertex_clear);
  g_array_set_clear_func (sketch->chords, chord_clear);
  read_aliases (sketch);
  read_edges (sketch);
  find_neighbours (sketch);
  choose_nodes (sketch);
  grow_trees (sketch);
  for (gsize i = 0; i < sketch->n_edges; i++)
    join_vertices (sketch, i);
  add_rest (sketch);
  lay_out (sketch);
  for (gsize i = 0; i < model->n_free; i++)
    sketch->drawn += sketch->alias[i] != i && sketch->vertex_of[sketch->alias[i]] != 0;
  return sketch;
}

void
ifbam_sketch_free (IfbamSketch *sketch)
{
  if (sketch == NULL)
    return;
  g_array_unref (sketch->vertices);
  g_array_unref (sketch->chords);
  g_array_unref (sketch->attachments);
  g_array_unref (sketch->roots);
  g_array_unref (sketch->column_width);
  g_free (sketch->alias);
  g_free (sketch->left);
  g_free (sketch->right);
  g_free (sketch->link);
  g_free (sketch->start);
  g_free (sketch->neighbour);
  g_free (sketch->kept);
  g_free (sketch->vertex_of);
  g_free (sketch);
}
