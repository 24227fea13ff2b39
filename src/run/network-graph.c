/* network-graph.c: graph of a network by indices in the file, and models of some of its nodes
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "run/network-graph.h"

#include "element/element.h"
#include "file/file.h"
#include "run/communicator.h"
#include "run/compiled-part.h"
#include "run/prepare-network.h"
#include "engine/engine.h"

typedef struct
{
  IfbamBuilder offers;
  IfbamNetworkGraph *graph;
  GArray *families; /* IfbamSpan */
  GArray *issues;
  IfbamElement *refused; /* the last one that prevents a cut */
} GraphReader;

static void
add_issue (GArray *issues, IfbamElement *element, char *text)
{
  const IfbamIssue issue = { element, NULL, text };

  g_array_append_val (issues, issue);
}

static void
refuse (GraphReader *reader, IfbamElement *element, const char *why)
{
  if (reader->refused == element)
    return;
  reader->refused = element;
  add_issue (reader->issues, element,
             g_strdup_printf ("%s: such a network runs as a whole (on one machine, without "
                              "mpirun or with -n 1)",
                              why));
}

/* Reading composites */

static guint64
greatest_common_divisor (guint64 a, guint64 b)
{
  return b == 0 ? a : greatest_common_divisor (b, a % b);
}

/* Finds the period of members' parameters, and nodes next to members with individual parameters. */
static void
find_parameter_period (IfbamNetworkGraph *graph, const IfbamMember *member, guint64 first)
{
  GHashTableIter iter;
  gpointer key;

  for (guint p = 0; p < member->info->n_params; p++)
    {
      const guint64 length = member->series[p].length;

      if (length > 0 && graph->period <= IFBAM_GRAPH_WINDOW)
        graph->period = graph->period / greatest_common_divisor (graph->period, length) * length;
    }
  if (member->overrides == NULL)
    return;
  g_hash_table_iter_init (&iter, member->overrides);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    {
      const guint64 node = first + ((GPOINTER_TO_SIZE (key) - 1) >> 5);

      g_array_append_val (graph->marks, node);
    }
}

static void
take_nodes (IfbamBuilder *builder, IfbamElement *owner, const IfbamMember *member, guint64 count)
{
  GraphReader *reader = (GraphReader *) builder;
  IfbamSpan span = { .first = (gsize) reader->graph->n_free,
                     .count = (gsize) count,
                     .stride = 1,
                     .info = member->info,
                     .element = owner,
                     .letter = member->letter,
                     .lone = member->is_single };

  if (member->tail != NULL || member->is_single)
    refuse (reader, owner, "it moves in the plane");
  g_array_append_val (reader->families, span);
  find_parameter_period (reader->graph, member, reader->graph->n_free);
  if (owner->info->has_columns)
    ifbam_graph_rows_add (reader->graph->rows, owner, reader->graph->n_free);
  reader->graph->n_free += count;
}

static guint64
first_position (IfbamBuilder *builder, const IfbamElement *owner)
{
  return ((GraphReader *) builder)->graph->node[owner->id];
}

static void
take_path (IfbamBuilder *builder, IfbamElement *owner, const IfbamMember *kinds, guint n_kinds,
           const IfbamPath *path)
{
  IfbamNetworkGraph *graph = ((GraphReader *) builder)->graph;
  const IfbamGraphPath own = { path->head, path->first, path->count, path->tail, n_kinds };

  (void) owner;
  for (guint k = 0; k < n_kinds; k++)
    find_parameter_period (graph, &kinds[k], path->first);
  g_array_append_val (graph->paths, own);
  graph->n_links +=
      (path->count - 1 + (path->head != IFBAM_NO_INDEX) + (path->tail != IFBAM_NO_INDEX)) * n_kinds;
}

static void
take_rows (IfbamBuilder *builder, IfbamElement *owner, const IfbamMember *kinds,
           const IfbamRows *rows)
{
  GraphReader *reader = (GraphReader *) builder;
  IfbamNetworkGraph *graph = reader->graph;
  guint64 n = 0;

  (void) kinds;
  if (!ifbam_graph_rows_read (graph->rows, owner, rows, &n))
    refuse (reader, owner, "its file is read as a whole");
  graph->n_links += n;
}

static void
take_plane_path (IfbamBuilder *builder, IfbamElement *owner, const IfbamMember *kind,
                 const char *from, const char *to, gsize count)
{
  (void) kind, (void) from, (void) to, (void) count;
  refuse ((GraphReader *) builder, owner, "it moves in the plane");
}

static void
take_dampers (IfbamBuilder *builder, IfbamElement *owner, const IfbamMember *kind,
              gboolean beside_links, double part)
{
  (void) kind, (void) beside_links, (void) part;
  refuse ((GraphReader *) builder, owner, "it damps the whole network");
}

static void
take_source (IfbamBuilder *builder, IfbamElement *owner, const IfbamMember *member, gsize first,
             gsize count)
{
  (void) member, (void) first, (void) count;
  refuse ((GraphReader *) builder, owner, "it moves in the plane");
}

static gboolean
start_position (IfbamBuilder *builder, const char *name, double place[2])
{
  (void) builder, (void) name;
  place[0] = place[1] = 0;
  return TRUE;
}

static const IfbamElement *
field_strength (IfbamBuilder *builder, const IfbamElement *owner)
{
  (void) builder, (void) owner;
  return NULL;
}

/* Returns a node by name; compilation reports missing ones. */
static guint64
find_number (const GraphReader *reader, const char *name)
{
  const IfbamNetworkGraph *graph = reader->graph;
  const IfbamElement *element =
      name == NULL ? NULL : g_hash_table_lookup (graph->network->by_name, name);
  guint64 number;

  if (element != NULL && element->info->kind <= IFBAM_KIND_GIVEN_NODE)
    return graph->node[element->id];
  return name != NULL && element == NULL
                 && ifbam_member_find (reader->families, name, &number) != NULL
             ? number
             : IFBAM_NO_INDEX;
}

static guint64
node_of_name (IfbamBuilder *builder, IfbamElement *owner, const char *key, const char *name)
{
  (void) owner, (void) key;
  return find_number ((const GraphReader *) builder, name);
}

static void
ignore_issue (IfbamBuilder *builder, IfbamElement *element, const char *key, char *text)
{
  (void) builder, (void) element, (void) key;
  g_free (text);
}

/* Returns TRUE for an element with scheduled events. */
static gboolean
has_time_events (const IfbamElement *element)
{
  g_autoptr (GArray) time_events = g_array_new (FALSE, TRUE, sizeof (IfbamTimeEvent));

  if (element->info->time_events != NULL)
    element->info->time_events (element, time_events);
  return time_events->len > 0;
}

/* Returns why an element prevents a cut; NULL: it does not. */
static const char *
fault_of (const IfbamElement *element)
{
  const IfbamElementInfo *info = element->info;
  const IfbamLaw *law = info->link;
  const guint slots[] = { info->when_slot, info->scale_slot };

  if (info->kind == IFBAM_KIND_SETTINGS)
    return NULL;
  if (ifbam_form_in_plane (info->form) || info->n_coordinates > 0 || info->form == IFBAM_FORM_POINT)
    return "it moves in the plane";
  if (info->damps)
    return "it damps the whole network";
  if (ifbam_element_is_branch (element))
    return "it is a branch between two nodes";
  if (info->kind == IFBAM_KIND_IMPULSE || has_time_events (element))
    return "it has events";
  for (guint i = 0; i < G_N_ELEMENTS (slots); i++)
    if (slots[i] != 0 && ifbam_element_slots (element)[slots[i]] != NULL)
      return "a monitor or controller switches or scales it";
  if (law != NULL
      && (law->points == NULL
          || (info->input_slot != 0 && ifbam_element_slots (element)[info->input_slot] != NULL)
          || (law->has_modes != NULL && law->has_modes (ifbam_element_law (element)))))
    return "it has events";
  if (law != NULL && law->n_states > 0)
    return "it has internal states";
  return NULL;
}

static void
number_nodes (GraphReader *reader)
{
  IfbamNetworkGraph *graph = reader->graph;
  const GPtrArray *elements = graph->network->elements;

  for (guint i = 0; i < elements->len; i++)
    {
      IfbamElement *element = elements->pdata[i];
      const char *why = fault_of (element);

      if (why != NULL)
        {
          refuse (reader, element, why);
          continue;
        }
      if (element->info->kind == IFBAM_KIND_FREE_NODE)
        graph->node[element->id] = graph->n_free++;
      else if (element->info->kind == IFBAM_KIND_GIVEN_NODE)
        graph->node[element->id] = graph->n_given++;
      else if (ifbam_element_kind (element) == IFBAM_KIND_COMPOSITE)
        {
          graph->node[element->id] = graph->n_free;
          element->info->expand_nodes (element, &reader->offers);
        }
    }
  for (guint i = 0; i < elements->len; i++)
    {
      const IfbamElement *element = elements->pdata[i];

      if (element->info->kind == IFBAM_KIND_GIVEN_NODE)
        graph->node[element->id] += graph->n_free;
    }
}

static void
add_join (IfbamNetworkGraph *graph, guint64 node, guint64 other)
{
  const IfbamGraphJoin joins[] = { { node, other }, { other, node } };

  if (node < graph->n_free && other < graph->n_free)
    g_array_append_vals (graph->joins, joins, G_N_ELEMENTS (joins));
}

static void
number_links (GraphReader *reader)
{
  IfbamNetworkGraph *graph = reader->graph;
  const GPtrArray *elements = graph->network->elements;

  for (guint i = 0; i < elements->len; i++)
    {
      IfbamElement *element = elements->pdata[i];
      const gboolean one_ended = ifbam_element_is_one_ended (element->info);

      graph->link[element->id] = graph->n_links;
      if (ifbam_element_kind (element) == IFBAM_KIND_COMPOSITE)
        element->info->expand_links (element, &reader->offers);
      else if (element->info->kind == IFBAM_KIND_LINK)
        {
          char *const *names =
              ifbam_element_slots (element)[one_ended ? IFBAM_SLOT_ON : IFBAM_SLOT_BETWEEN];
          const guint n = names == NULL ? 0 : g_strv_length ((char **) names);
          const IfbamGraphEnds ends = { n > 0 ? find_number (reader, names[0]) : IFBAM_NO_INDEX,
                                        one_ended ? graph->n_free
                                        : n > 1   ? find_number (reader, names[1])
                                                  : IFBAM_NO_INDEX };

          g_array_append_val (graph->links, ends);
          add_join (graph, ends.left, ends.right);
          graph->n_links++;
        }
    }
}

static int
compare_paths (gconstpointer a, gconstpointer b)
{
  const IfbamGraphPath *one = a, *other = b;

  return one->first < other->first ? -1 : one->first > other->first;
}

static int
compare_joins (gconstpointer a, gconstpointer b)
{
  const IfbamGraphJoin *one = a, *other = b;

  if (one->node != other->node)
    return one->node < other->node ? -1 : 1;
  return one->other < other->other ? -1 : one->other > other->other;
}

/* Reads the sizes of files of columns, before nodes are numbered. FALSE: a rank can't read one. */
static gboolean
begin_columns (GraphReader *reader)
{
  IfbamNetworkGraph *graph = reader->graph;
  const GPtrArray *elements = graph->network->elements;
  IfbamElement *columns = NULL;

  for (guint i = 0; i < elements->len && columns == NULL; i++)
    if (((IfbamElement *) elements->pdata[i])->info->has_columns)
      columns = elements->pdata[i];
  if (columns == NULL)
    return TRUE;
  graph->rows = ifbam_graph_rows_new ();
  if (ifbam_ranks_all (ifbam_columns_begin (graph->network->folder, elements)))
    return TRUE;
  refuse (reader, columns, "its file is read as a whole");
  return FALSE;
}

static gboolean
complete_columns (GraphReader *reader)
{
  const IfbamNetworkGraph *graph = reader->graph;

  return graph->rows == NULL || ifbam_graph_rows_read_node_columns (graph->rows);
}

static IfbamNetworkGraph *
graph_new (void)
{
  IfbamNetworkGraph *graph = g_new0 (IfbamNetworkGraph, 1);

  graph->paths = g_array_new (FALSE, FALSE, sizeof (IfbamGraphPath));
  graph->links = g_array_new (FALSE, FALSE, sizeof (IfbamGraphEnds));
  graph->joins = g_array_new (FALSE, FALSE, sizeof (IfbamGraphJoin));
  graph->marks = g_array_new (FALSE, FALSE, sizeof (guint64));
  graph->period = 1;
  return graph;
}

IfbamNetworkGraph *
ifbam_network_graph_new (IfbamNetwork *network, GArray *issues)
{
  g_autoptr (IfbamNetworkGraph) graph = graph_new ();
  g_autoptr (GArray) families = g_array_new (FALSE, FALSE, sizeof (IfbamSpan));
  const guint faults = issues->len;
  GraphReader reader = { .offers = { take_nodes, first_position, take_path, take_rows,
                                     take_plane_path, take_dampers, take_source, start_position,
                                     field_strength, node_of_name, ignore_issue },
                         .graph = graph,
                         .families = families,
                         .issues = issues };

  graph->network = g_object_ref (network);
  graph->n_ids = network->home.n_ids;
  graph->node = g_new0 (guint64, graph->n_ids + 1);
  graph->link = g_new0 (guint64, graph->n_ids + 1);
  if (!begin_columns (&reader))
    return NULL;
  number_nodes (&reader);
  graph->n_named_free = graph->n_free;
  if (graph->rows != NULL)
    ifbam_graph_rows_share (graph->rows, graph->n_free);
  if (issues->len == faults)
    number_links (&reader);
  if (issues->len > faults || !complete_columns (&reader))
    return NULL;
  for (guint p = 0; p < graph->paths->len; p++)
    {
      const IfbamGraphPath *path = &g_array_index (graph->paths, IfbamGraphPath, p);

      for (guint64 k = 0; k < path->n_kinds; k++)
        {
          add_join (graph, path->head, path->first);
          add_join (graph, path->first + path->count - 1, path->tail);
        }
    }
  g_array_sort (graph->paths, compare_paths);
  g_array_sort (graph->joins, compare_joins);
  return g_steal_pointer (&graph);
}

IfbamNetworkGraph *
ifbam_network_graph_new_from_model (IfbamModel *model)
{
  IfbamNetworkGraph *graph = graph_new ();

  graph->model = model;
  graph->n_named_free = ifbam_model_n_named_free (model);
  graph->n_free = model->n_free;
  graph->n_given = model->n_nodes - model->n_free;
  graph->n_links = model->n_links;
  return graph;
}

void
ifbam_network_graph_free (IfbamNetworkGraph *graph)
{
  if (graph == NULL)
    return;
  g_clear_object (&graph->network);
  g_free (graph->node);
  g_free (graph->link);
  g_array_unref (graph->paths);
  g_array_unref (graph->links);
  g_array_unref (graph->joins);
  g_array_unref (graph->marks);
  ifbam_graph_rows_free (graph->rows);
  g_free (graph);
}

/* Models */

/* Returns the elements of a subnetwork; composites select their members. (transfer full) */
static GPtrArray *
list_elements (const IfbamNetworkGraph *graph, const IfbamSubnetwork *subnetwork)
{
  const GPtrArray *elements = graph->network->elements;
  GPtrArray *own = g_ptr_array_new ();
  guint link = 0;

  for (guint i = 0; i < elements->len; i++)
    {
      IfbamElement *element = elements->pdata[i];
      gboolean here = TRUE;

      if (element->info->kind == IFBAM_KIND_FREE_NODE)
        here = ifbam_network_graph_is_in_subnetwork (graph, subnetwork, graph->node[element->id]);
      else if (element->info->kind == IFBAM_KIND_LINK
               && ifbam_element_kind (element) != IFBAM_KIND_COMPOSITE)
        {
          const IfbamGraphEnds *ends = &g_array_index (graph->links, IfbamGraphEnds, link++);

          here = ifbam_network_graph_is_in_subnetwork (graph, subnetwork, ends->left)
                 && ifbam_network_graph_is_in_subnetwork (graph, subnetwork, ends->right);
        }
      if (here)
        g_ptr_array_add (own, element);
    }
  return own;
}

IfbamModel *
ifbam_network_graph_compile (const IfbamNetworkGraph *graph, IfbamSubnetwork *subnetwork,
                             IfbamRunSpec *spec, IfbamSignals **signals, GArray *issues)
{
  g_autoptr (GPtrArray) elements = NULL;

  if (graph->model != NULL)
    {
      IfbamModel *model = ifbam_model_new_part (graph->model, subnetwork);

      ifbam_signals_move_to_part (*signals, model, graph->model);
      return model;
    }
  elements = list_elements (graph, subnetwork);
  if (graph->rows != NULL)
    ifbam_graph_rows_set_columns (graph->rows, subnetwork->columns);
  return ifbam_network_compile_subnetwork (graph->network, elements, subnetwork, spec, signals,
                                           issues);
}
