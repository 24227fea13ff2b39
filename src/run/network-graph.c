/* network-graph.c: a network by the file's numbers, before anything is made of it, and models of some of its nodes
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "run/network-graph.h"

#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "element/element.h"
#include "file/file.h"
#include "run/communicator.h"
#include "run/compiled-part.h"
#include "run/prepare-network.h"
#include "engine/engine.h"

typedef struct
{
  IfbamBuilder offers;
  IfbamSurvey *survey;
  GArray *families; /* IfbamSpan */
  GArray *issues;
  IfbamElement *refused; /* the last one that can't be cut */
} Surveyor;

static void
add_issue (GArray *issues, IfbamElement *element, char *text)
{
  const IfbamIssue issue = { element, NULL, text };

  g_array_append_val (issues, issue);
}

static void
refuse (Surveyor *surveyor, IfbamElement *element, const char *why)
{
  if (surveyor->refused == element)
    return;
  surveyor->refused = element;
  add_issue (surveyor->issues, element,
             g_strdup_printf ("%s: such a network runs as a whole (on one machine, without "
                              "mpirun or with -n 1)",
                              why));
}

/* Composites tell what they are made of */

static guint64
greatest_common_divisor (guint64 a, guint64 b)
{
  return b == 0 ? a : greatest_common_divisor (b, a % b);
}

/* How parameters of members repeat, and the nodes beside those that don't. */
static void
note_parameters (IfbamSurvey *survey, const IfbamMember *member, guint64 first)
{
  GHashTableIter iter;
  gpointer key;

  for (guint p = 0; p < member->info->n_params; p++)
    {
      const guint64 length = member->series[p].length;

      if (length > 0 && survey->period <= IFBAM_SURVEY_WINDOW)
        survey->period = survey->period / greatest_common_divisor (survey->period, length) * length;
    }
  if (member->overrides == NULL)
    return;
  g_hash_table_iter_init (&iter, member->overrides);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    {
      const guint64 node = first + ((GPOINTER_TO_SIZE (key) - 1) >> 5);

      g_array_append_val (survey->marks, node);
    }
}

static void
take_nodes (IfbamBuilder *builder, IfbamElement *owner, const IfbamMember *member, guint64 count)
{
  Surveyor *surveyor = (Surveyor *) builder;
  IfbamSpan span = { .first = (gsize) surveyor->survey->n_free,
                     .count = (gsize) count,
                     .stride = 1,
                     .info = member->info,
                     .element = owner,
                     .letter = member->letter,
                     .lone = member->lone };

  if (member->tail != NULL || member->lone)
    refuse (surveyor, owner, "it moves in the plane");
  g_array_append_val (surveyor->families, span);
  note_parameters (surveyor->survey, member, surveyor->survey->n_free);
  if (owner->info->has_columns)
    ifbam_survey_rows_add (surveyor->survey->rows, owner, surveyor->survey->n_free);
  surveyor->survey->n_free += count;
}

static guint64
tell_first (IfbamBuilder *builder, const IfbamElement *owner)
{
  return ((Surveyor *) builder)->survey->node[owner->id];
}

static void
take_path (IfbamBuilder *builder, IfbamElement *owner, const IfbamMember *kinds, guint n_kinds,
           const IfbamPath *path)
{
  IfbamSurvey *survey = ((Surveyor *) builder)->survey;
  const IfbamGraphPath own = { path->head, path->first, path->count, path->tail, n_kinds };

  (void) owner;
  for (guint k = 0; k < n_kinds; k++)
    note_parameters (survey, &kinds[k], path->first);
  g_array_append_val (survey->paths, own);
  survey->n_links +=
      (path->count - 1 + (path->head != IFBAM_NO_NUMBER) + (path->tail != IFBAM_NO_NUMBER))
      * n_kinds;
}

static void
take_rows (IfbamBuilder *builder, IfbamElement *owner, const IfbamMember *kinds,
           const IfbamRows *rows)
{
  Surveyor *surveyor = (Surveyor *) builder;
  IfbamSurvey *survey = surveyor->survey;
  guint64 n = 0;

  (void) kinds;
  if (!ifbam_survey_rows_read (survey->rows, owner, rows, &n))
    refuse (surveyor, owner, "its file is read as a whole");
  survey->n_links += n;
}

static void
take_plane_path (IfbamBuilder *builder, IfbamElement *owner, const IfbamMember *kind,
                 const char *from, const char *to, gsize count)
{
  (void) kind, (void) from, (void) to, (void) count;
  refuse ((Surveyor *) builder, owner, "it moves in the plane");
}

static void
take_dampers (IfbamBuilder *builder, IfbamElement *owner, const IfbamMember *kind,
              gboolean beside_links, double part)
{
  (void) kind, (void) beside_links, (void) part;
  refuse ((Surveyor *) builder, owner, "it damps all that there is");
}

static void
take_source (IfbamBuilder *builder, IfbamElement *owner, const IfbamMember *member, gsize first,
             gsize count)
{
  (void) member, (void) first, (void) count;
  refuse ((Surveyor *) builder, owner, "it moves in the plane");
}

static gboolean
tell_start (IfbamBuilder *builder, const char *name, double place[2])
{
  (void) builder, (void) name;
  place[0] = place[1] = 0;
  return TRUE;
}

static const IfbamElement *
tell_field (IfbamBuilder *builder, const IfbamElement *owner)
{
  (void) builder, (void) owner;
  return NULL;
}

/* What there is not is told by who compiles it. */
static guint64
find_number (const Surveyor *surveyor, const char *name)
{
  const IfbamSurvey *survey = surveyor->survey;
  const IfbamElement *element =
      name == NULL ? NULL : g_hash_table_lookup (survey->network->by_name, name);
  guint64 number;

  if (element != NULL && element->info->kind <= IFBAM_KIND_GIVEN_NODE)
    return survey->node[element->id];
  return name != NULL && element == NULL
                 && ifbam_member_find (surveyor->families, name, &number) != NULL
             ? number
             : IFBAM_NO_NUMBER;
}

static guint64
tell_node (IfbamBuilder *builder, IfbamElement *owner, const char *key, const char *name)
{
  (void) owner, (void) key;
  return find_number ((const Surveyor *) builder, name);
}

static void
drop_issue (IfbamBuilder *builder, IfbamElement *element, const char *key, char *text)
{
  (void) builder, (void) element, (void) key;
  g_free (text);
}

/* Whether something happens in it at instants. */
static gboolean
has_instants (const IfbamElement *element)
{
  g_autoptr (GArray) instants = g_array_new (FALSE, TRUE, sizeof (IfbamTimeEvent));

  if (element->info->instants != NULL)
    element->info->instants (element, instants);
  return instants->len > 0;
}

/* NULL: it can be cut. */
static const char *
fault_of (const IfbamElement *element)
{
  const IfbamElementInfo *info = element->info;
  const IfbamLaw *law = info->link;
  const guint slots[] = { info->follow_slot, info->control_slot };

  if (info->kind == IFBAM_KIND_SETTINGS)
    return NULL;
  if (ifbam_form_in_plane (info->form) || info->n_coordinates > 0 || info->form == IFBAM_FORM_PLACE)
    return "it moves in the plane";
  if (info->damps)
    return "it damps all that there is";
  if (ifbam_element_is_tied (element))
    return "it stands between two nodes, and ties them";
  if (info->kind == IFBAM_KIND_IMPULSE || has_instants (element))
    return "something happens at instants";
  for (guint i = 0; i < G_N_ELEMENTS (slots); i++)
    if (slots[i] != 0 && ifbam_element_slots (element)[slots[i]] != NULL)
      return "it follows what it hears at instants";
  if (law != NULL
      && (law->points == NULL
          || (law->has_modes != NULL && law->has_modes (ifbam_element_law (element)))))
    return "something happens at instants";
  if (law != NULL && law->n_states > 0)
    return "it has internal states";
  return NULL;
}

static void
number_nodes (Surveyor *surveyor)
{
  IfbamSurvey *survey = surveyor->survey;
  const GPtrArray *elements = survey->network->elements;

  for (guint i = 0; i < elements->len; i++)
    {
      IfbamElement *element = elements->pdata[i];
      const char *why = fault_of (element);

      if (why != NULL)
        {
          refuse (surveyor, element, why);
          continue;
        }
      if (element->info->kind == IFBAM_KIND_FREE_NODE)
        survey->node[element->id] = survey->n_free++;
      else if (element->info->kind == IFBAM_KIND_GIVEN_NODE)
        survey->node[element->id] = survey->n_given++;
      else if (ifbam_element_kind (element) == IFBAM_KIND_COMPOSITE)
        {
          survey->node[element->id] = survey->n_free;
          element->info->expand_nodes (element, &surveyor->offers);
        }
    }
  for (guint i = 0; i < elements->len; i++)
    {
      const IfbamElement *element = elements->pdata[i];

      if (element->info->kind == IFBAM_KIND_GIVEN_NODE)
        survey->node[element->id] += survey->n_free;
    }
}

static void
add_join (IfbamSurvey *survey, guint64 node, guint64 other)
{
  const IfbamGraphJoin joins[] = { { node, other }, { other, node } };

  if (node < survey->n_free && other < survey->n_free)
    g_array_append_vals (survey->joins, joins, G_N_ELEMENTS (joins));
}

static void
number_links (Surveyor *surveyor)
{
  IfbamSurvey *survey = surveyor->survey;
  const GPtrArray *elements = survey->network->elements;

  for (guint i = 0; i < elements->len; i++)
    {
      IfbamElement *element = elements->pdata[i];
      const gboolean one_ended = ifbam_element_is_one_ended (element->info);

      survey->link[element->id] = survey->n_links;
      if (ifbam_element_kind (element) == IFBAM_KIND_COMPOSITE)
        element->info->expand_links (element, &surveyor->offers);
      else if (element->info->kind == IFBAM_KIND_LINK)
        {
          char *const *names =
              ifbam_element_slots (element)[one_ended ? IFBAM_SLOT_ON : IFBAM_SLOT_BETWEEN];
          const guint n = names == NULL ? 0 : g_strv_length ((char **) names);
          const IfbamGraphEnds ends = { n > 0 ? find_number (surveyor, names[0]) : IFBAM_NO_NUMBER,
                                        one_ended ? survey->n_free
                                        : n > 1   ? find_number (surveyor, names[1])
                                                  : IFBAM_NO_NUMBER };

          g_array_append_val (survey->links, ends);
          add_join (survey, ends.left, ends.right);
          survey->n_links++;
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

/* What is to be known of files of columns before nodes have numbers. FALSE: a file can't be read, or some rank can't. */
static gboolean
begin_columns (Surveyor *surveyor)
{
  IfbamSurvey *survey = surveyor->survey;
  const GPtrArray *elements = survey->network->elements;
  IfbamElement *columns = NULL;

  for (guint i = 0; i < elements->len && columns == NULL; i++)
    if (((IfbamElement *) elements->pdata[i])->info->has_columns)
      columns = elements->pdata[i];
  if (columns == NULL)
    return TRUE;
  survey->rows = ifbam_survey_rows_new ();
  if (ifbam_ranks_all (ifbam_columns_begin (survey->network->folder, elements)))
    return TRUE;
  refuse (surveyor, columns, "its file is read as a whole");
  return FALSE;
}

static gboolean
settle_columns (Surveyor *surveyor)
{
  const IfbamSurvey *survey = surveyor->survey;

  return survey->rows == NULL || ifbam_survey_rows_settle (survey->rows);
}

static IfbamSurvey *
survey_new (void)
{
  IfbamSurvey *survey = g_new0 (IfbamSurvey, 1);

  survey->paths = g_array_new (FALSE, FALSE, sizeof (IfbamGraphPath));
  survey->links = g_array_new (FALSE, FALSE, sizeof (IfbamGraphEnds));
  survey->joins = g_array_new (FALSE, FALSE, sizeof (IfbamGraphJoin));
  survey->marks = g_array_new (FALSE, FALSE, sizeof (guint64));
  survey->period = 1;
  return survey;
}

IfbamSurvey *
ifbam_survey_new (IfbamNetwork *network, GArray *issues)
{
  g_autoptr (IfbamSurvey) survey = survey_new ();
  g_autoptr (GArray) families = g_array_new (FALSE, FALSE, sizeof (IfbamSpan));
  const guint faults = issues->len;
  Surveyor surveyor = { .offers = { take_nodes, tell_first, take_path, take_rows, take_plane_path,
                                    take_dampers, take_source, tell_start, tell_field, tell_node,
                                    drop_issue },
                        .survey = survey,
                        .families = families,
                        .issues = issues };

  survey->network = g_object_ref (network);
  survey->n_ids = network->home.n_ids;
  survey->node = g_new0 (guint64, survey->n_ids + 1);
  survey->link = g_new0 (guint64, survey->n_ids + 1);
  if (!begin_columns (&surveyor))
    return NULL;
  number_nodes (&surveyor);
  survey->n_outer = survey->n_free;
  if (survey->rows != NULL)
    ifbam_survey_rows_share (survey->rows, survey->n_free);
  if (issues->len == faults)
    number_links (&surveyor);
  if (issues->len > faults || !settle_columns (&surveyor))
    return NULL;
  for (guint p = 0; p < survey->paths->len; p++)
    {
      const IfbamGraphPath *path = &g_array_index (survey->paths, IfbamGraphPath, p);

      for (guint64 k = 0; k < path->n_kinds; k++)
        {
          add_join (survey, path->head, path->first);
          add_join (survey, path->first + path->count - 1, path->tail);
        }
    }
  g_array_sort (survey->paths, compare_paths);
  g_array_sort (survey->joins, compare_joins);
  return g_steal_pointer (&survey);
}

IfbamSurvey *
ifbam_survey_new_from_model (IfbamModel *model)
{
  IfbamSurvey *survey = survey_new ();

  survey->model = model;
  survey->n_outer = ifbam_model_n_outer (model);
  survey->n_free = model->n_free;
  survey->n_given = model->n_nodes - model->n_free;
  survey->n_links = model->n_links;
  return survey;
}

void
ifbam_survey_free (IfbamSurvey *survey)
{
  if (survey == NULL)
    return;
  g_clear_object (&survey->network);
  g_free (survey->node);
  g_free (survey->link);
  g_array_unref (survey->paths);
  g_array_unref (survey->links);
  g_array_unref (survey->joins);
  g_array_unref (survey->marks);
  ifbam_survey_rows_free (survey->rows);
  g_free (survey);
}

/* Models */

/* Whether an excerpt has a node; given nodes are everywhere. */
static gboolean
is_here (const IfbamSurvey *survey, const IfbamExcerpt *excerpt, guint64 node)
{
  gsize place;

  return node >= survey->n_free || ifbam_ranges_find (excerpt->nodes, node, &place);
}

/* The elements that an excerpt has; composites choose by themselves. (transfer full) */
static GPtrArray *
list_elements (const IfbamSurvey *survey, const IfbamExcerpt *excerpt)
{
  const GPtrArray *elements = survey->network->elements;
  GPtrArray *own = g_ptr_array_new ();
  guint link = 0;

  for (guint i = 0; i < elements->len; i++)
    {
      IfbamElement *element = elements->pdata[i];
      gboolean here = TRUE;

      if (element->info->kind == IFBAM_KIND_FREE_NODE)
        here = is_here (survey, excerpt, survey->node[element->id]);
      else if (element->info->kind == IFBAM_KIND_LINK
               && ifbam_element_kind (element) != IFBAM_KIND_COMPOSITE)
        {
          const IfbamGraphEnds *ends = &g_array_index (survey->links, IfbamGraphEnds, link++);

          here = is_here (survey, excerpt, ends->left) && is_here (survey, excerpt, ends->right);
        }
      if (here)
        g_ptr_array_add (own, element);
    }
  return own;
}

IfbamModel *
ifbam_survey_compile (const IfbamSurvey *survey, IfbamExcerpt *excerpt, IfbamRunSpec *spec,
                      IfbamSignals **signals, GArray *issues)
{
  g_autoptr (GPtrArray) elements = NULL;

  if (survey->model != NULL)
    {
      IfbamModel *model = ifbam_model_new_part (survey->model, excerpt);

      ifbam_signals_move_to_part (*signals, model, survey->model);
      return model;
    }
  elements = list_elements (survey, excerpt);
  if (survey->rows != NULL)
    ifbam_survey_rows_give (survey->rows, excerpt->columns);
  return ifbam_network_compile_excerpt (survey->network, elements, excerpt, spec, signals, issues);
}
