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
#include "run/prepare-network.h"
#include "engine/engine.h"

/* Of a composite: nodes first to first + count - 1, joined one to the next by n_kinds links each. */
typedef struct
{
  guint64 head, first, count, tail; /* IFBAM_NO_NUMBER: none */
  guint64 n_kinds;
} Path;

typedef struct
{
  guint64 left, right; /* IFBAM_NO_NUMBER: there is no such node */
} Ends;

typedef struct
{
  guint64 node, other;
} Join;

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
  const Path own = { path->head, path->first, path->count, path->tail, n_kinds };

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
  const Join joins[] = { { node, other }, { other, node } };

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
          const Ends ends = { n > 0 ? find_number (surveyor, names[0]) : IFBAM_NO_NUMBER,
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
  const Path *one = a, *other = b;

  return one->first < other->first ? -1 : one->first > other->first;
}

static int
compare_joins (gconstpointer a, gconstpointer b)
{
  const Join *one = a, *other = b;

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

IfbamSurvey *
ifbam_survey_new (IfbamNetwork *network, GArray *issues)
{
  g_autoptr (IfbamSurvey) survey = g_new0 (IfbamSurvey, 1);
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
  survey->paths = g_array_new (FALSE, FALSE, sizeof (Path));
  survey->links = g_array_new (FALSE, FALSE, sizeof (Ends));
  survey->joins = g_array_new (FALSE, FALSE, sizeof (Join));
  survey->marks = g_array_new (FALSE, FALSE, sizeof (guint64));
  survey->period = 1;
  if (!begin_columns (&surveyor))
    return NULL;
  number_nodes (&surveyor);
  if (survey->rows != NULL)
    ifbam_survey_rows_share (survey->rows, survey->n_free);
  if (issues->len == faults)
    number_links (&surveyor);
  if (issues->len > faults || !settle_columns (&surveyor))
    return NULL;
  for (guint p = 0; p < survey->paths->len; p++)
    {
      const Path *path = &g_array_index (survey->paths, Path, p);

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

void
ifbam_survey_free (IfbamSurvey *survey)
{
  if (survey == NULL)
    return;
  g_object_unref (survey->network);
  g_free (survey->node);
  g_free (survey->link);
  g_array_unref (survey->paths);
  g_array_unref (survey->links);
  g_array_unref (survey->joins);
  g_array_unref (survey->marks);
  ifbam_survey_rows_free (survey->rows);
  g_free (survey);
}

/* Which nodes there are in a cut */

/* Is told of a stretch of a path's nodes, from low on, to below high. */
typedef void (*Stretch) (gpointer data, const Path *path, guint64 low, guint64 high);

/* The stretches of paths that some nodes are. */
static void
find_stretches (const IfbamSurvey *survey, const GArray *ranges, Stretch stretch, gpointer data)
{
  guint r = 0;

  for (guint p = 0; p < survey->paths->len; p++)
    {
      const Path *path = &g_array_index (survey->paths, Path, p);
      const guint64 end = path->first + path->count;

      for (r = ifbam_ranges_bound (ranges, path->first); r < ranges->len; r++)
        {
          const IfbamRange *range = &g_array_index (ranges, IfbamRange, r);
          const guint64 low = MAX (range->first, path->first);
          const guint64 high = MIN (range->first + range->count, end);

          if (low >= high)
            break;
          stretch (data, path, low, high);
        }
    }
}

/* The next one of the joins, from *i on, that begins at one of these nodes; NULL: there are no more. */
static const Join *
next_join (const IfbamSurvey *survey, const GArray *ranges, guint *r, guint *i)
{
  for (; *i < survey->joins->len && *r < ranges->len;)
    {
      const Join *join = &g_array_index (survey->joins, Join, *i);
      const IfbamRange *range = &g_array_index (ranges, IfbamRange, *r);

      if (join->node >= range->first + range->count)
        ++*r;
      else if (++*i, join->node >= range->first)
        return join;
    }
  return NULL;
}

static void
add_neighbours (gpointer data, const Path *path, guint64 low, guint64 high)
{
  const guint64 before = low - 1, after = high;

  if (low > path->first)
    g_array_append_val ((GArray *) data, before);
  if (high < path->first + path->count)
    g_array_append_val ((GArray *) data, after);
}

/* The numbers of ranges (transfer full). */
static GArray *
list_numbers (const GArray *ranges)
{
  GArray *numbers = g_array_new (FALSE, FALSE, sizeof (guint64));

  for (guint r = 0; r < ranges->len; r++)
    {
      const IfbamRange *range = &g_array_index (ranges, IfbamRange, r);

      for (guint64 i = range->first; i < range->first + range->count; i++)
        g_array_append_val (numbers, i);
    }
  return numbers;
}

/* Of numbers that ascend those that are in no range, each once (transfer full). */
static GArray *
list_fresh (const GArray *ranges, const GArray *numbers)
{
  GArray *fresh = g_array_new (FALSE, FALSE, sizeof (guint64));
  gsize place;

  for (guint i = 0; i < numbers->len; i++)
    {
      const guint64 number = g_array_index (numbers, guint64, i);

      if ((i == 0 || g_array_index (numbers, guint64, i - 1) != number)
          && !ifbam_ranges_find (ranges, number, &place))
        g_array_append_val (fresh, number);
    }
  return fresh;
}

/* fresh: where there are columns, those of which it was not asked before who is next to them by rows, and then the new layer. */
static GArray *
add_layer (const IfbamSurvey *survey, const GArray *ranges, GArray **fresh)
{
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (guint64));
  guint r = 0, i = 0;
  gsize place;

  if (survey->rows != NULL)
    ifbam_survey_rows_walk (survey->rows, *fresh, ranges, numbers);
  find_stretches (survey, ranges, add_neighbours, numbers);
  for (const Join *join; (join = next_join (survey, ranges, &r, &i)) != NULL;)
    if (!ifbam_ranges_find (ranges, join->other, &place))
      g_array_append_val (numbers, join->other);
  g_array_sort (numbers, ifbam_compare_uint64);
  if (survey->rows != NULL)
    {
      g_array_unref (*fresh);
      *fresh = list_fresh (ranges, numbers);
    }
  return ifbam_ranges_unite (ranges, numbers);
}

/* Which nodes represent all */

/* The node of a word "ELEMENT", "COMPOSITE.m7" or "COMPOSITE.k7" of a list of words, and its neighbours: a link begins or ends
 * at its number. */
static void
mark_word (const IfbamSurvey *survey, const char *word, GArray *nodes)
{
  g_autofree char *name = g_strndup (word, strcspn (word, "."));
  const IfbamElement *element = g_hash_table_lookup (survey->network->by_name, name);
  guint64 n_nodes = 0, n_links = 0, number;

  if (element == NULL || element->info->add_size == NULL || strlen (word) < strlen (name) + 2)
    return;
  element->info->add_size (element, &n_nodes, &n_links);
  number = g_ascii_strtoull (word + strlen (name) + 2, NULL, 10);
  for (guint64 i = MAX (number, 2) - 2; i <= number && i < n_nodes && number > 0; i++)
    {
      const guint64 node = survey->node[element->id] + i;

      g_array_append_val (nodes, node);
    }
}

static void
mark_words (const IfbamSurvey *survey, const char *text, GArray *nodes)
{
  g_auto (GStrv) words = g_strsplit_set (text, ", \t", -1);

  for (guint i = 0; words[i] != NULL; i++)
    mark_word (survey, words[i], nodes);
}

/* A composite's first members and its last one; an element of the file. */
static void
mark_element (const IfbamSurvey *survey, const IfbamElement *element, GArray *nodes)
{
  guint64 n = element->info->kind == IFBAM_KIND_FREE_NODE, links = 0;
  char *const *on = element->info->kind == IFBAM_KIND_SOURCE
                        ? ifbam_element_slots (element)[IFBAM_SLOT_ON]
                        : NULL;

  for (guint i = 0; on != NULL && on[i] != NULL; i++)
    mark_words (survey, on[i], nodes);
  if (element->info->add_size != NULL && ifbam_element_kind (element) == IFBAM_KIND_COMPOSITE)
    element->info->add_size (element, &n, &links);
  for (guint64 i = 0; i < MIN (n, IFBAM_SURVEY_WINDOW); i++)
    {
      const guint64 node = survey->node[element->id] + (i == 0 ? n - 1 : i - 1);

      g_array_append_val (nodes, node);
    }
}

IfbamExcerpt *
ifbam_survey_sample (const IfbamSurvey *survey)
{
  const GPtrArray *elements = survey->network->elements;
  const char *record = ifbam_element_slots (survey->network->settings)[IFBAM_SETTING_RECORD];
  g_autoptr (GArray) nodes = g_array_new (FALSE, FALSE, sizeof (guint64));
  g_autoptr (GArray) none = g_array_new (FALSE, FALSE, sizeof (IfbamRange)), own = NULL;
  IfbamExcerpt *sample;

  if (survey->rows != NULL || survey->period > IFBAM_SURVEY_WINDOW
      || (record != NULL && strpbrk (record, "*?[") != NULL))
    return NULL;
  g_array_append_vals (nodes, survey->marks->data, survey->marks->len);
  for (guint i = 0; i < elements->len; i++)
    mark_element (survey, elements->pdata[i], nodes);
  for (guint i = 0; i < survey->joins->len; i++)
    g_array_append_val (nodes, g_array_index (survey->joins, Join, i).node);
  for (guint i = 0; i < survey->links->len; i++)
    {
      const Ends *ends = &g_array_index (survey->links, Ends, i);

      if (ends->left < survey->n_free)
        g_array_append_val (nodes, ends->left);
      if (ends->right < survey->n_free)
        g_array_append_val (nodes, ends->right);
    }
  if (record != NULL)
    mark_words (survey, record, nodes);
  if (nodes->len > survey->n_free / 2)
    return NULL;
  g_array_sort (nodes, ifbam_compare_uint64);
  own = ifbam_ranges_unite (none, nodes);
  sample = ifbam_survey_cut (survey, own, 1);
  sample->is_sample = TRUE;
  return sample;
}

/* Which links there are in a cut */

typedef struct
{
  const IfbamSurvey *survey;
  IfbamExcerpt *excerpt;
  GArray *lacking; /* guint64: places of nodes */
} Cut;

static void
add_lacking (Cut *cut, guint64 node)
{
  gsize place;

  if (ifbam_ranges_find (cut->excerpt->nodes, node, &place))
    {
      const guint64 number = place;

      g_array_append_val (cut->lacking, number);
    }
}

/* Given nodes are everywhere. */
static gboolean
is_here (const Cut *cut, guint64 node)
{
  gsize place;

  return node >= cut->survey->n_free || ifbam_ranges_find (cut->excerpt->nodes, node, &place);
}

/* n links between two nodes; IFBAM_NO_NUMBER: there is none. Whether they are here. */
static gboolean
count_links (Cut *cut, guint64 left, guint64 right, guint64 n)
{
  const gboolean here[] = { is_here (cut, left), is_here (cut, right) };

  if (left == IFBAM_NO_NUMBER || right == IFBAM_NO_NUMBER)
    return FALSE;
  if (here[0] && here[1])
    cut->excerpt->n_own_links += n;
  else if (here[0] || here[1])
    add_lacking (cut, here[0] ? left : right);
  return here[0] && here[1];
}

static gboolean
count_row (gpointer data, guint64 left, guint64 right, guint n)
{
  return count_links (data, left, right, n);
}

static void
count_stretch (gpointer data, const Path *path, guint64 low, guint64 high)
{
  Cut *cut = data;

  cut->excerpt->n_own_links += (high - low - 1) * path->n_kinds;
  if (low > path->first)
    add_lacking (cut, low);
  if (high < path->first + path->count)
    add_lacking (cut, high - 1);
}

static void
count_all_links (Cut *cut)
{
  const IfbamSurvey *survey = cut->survey;

  find_stretches (survey, cut->excerpt->nodes, count_stretch, cut);
  for (guint p = 0; p < survey->paths->len; p++)
    {
      const Path *path = &g_array_index (survey->paths, Path, p);

      count_links (cut, path->head, path->first, path->n_kinds);
      count_links (cut, path->first + path->count - 1, path->tail, path->n_kinds);
    }
  for (guint i = 0; i < survey->links->len; i++)
    {
      const Ends *ends = &g_array_index (survey->links, Ends, i);

      count_links (cut, ends->left, ends->right, 1);
    }
  if (survey->rows != NULL)
    cut->excerpt->columns =
        ifbam_survey_rows_take (survey->rows, cut->excerpt->nodes, count_row, cut);
  g_array_sort (cut->lacking, ifbam_compare_uint64);
  for (guint i = 0; i < cut->lacking->len; i++)
    {
      const guint32 place = (guint32) g_array_index (cut->lacking, guint64, i);

      if (i == 0 || g_array_index (cut->lacking, guint64, i - 1) != place)
        g_array_append_val (cut->excerpt->lacking, place);
    }
}

/* told: what others say of rows at the nodes is asked for and kept, those at the last layer, too. */
static GArray *
add_layers (const IfbamSurvey *survey, const GArray *own, guint layers, gboolean told)
{
  g_autoptr (GArray) none = g_array_new (FALSE, FALSE, sizeof (guint64));
  g_autoptr (GArray) fresh = survey->rows != NULL ? list_numbers (own) : NULL;
  GArray *nodes = ifbam_ranges_unite (own, none);

  if (survey->rows != NULL)
    ifbam_survey_rows_begin (survey->rows);
  for (guint d = 0; d < layers; d++)
    {
      GArray *more = add_layer (survey, nodes, &fresh);

      if (survey->rows != NULL && !told)
        ifbam_survey_rows_begin (survey->rows);
      g_array_unref (nodes);
      nodes = more;
    }
  if (survey->rows != NULL && told)
    ifbam_survey_rows_walk (survey->rows, fresh, nodes, none);
  return nodes;
}

GArray *
ifbam_survey_add_layers (const IfbamSurvey *survey, const GArray *own, guint layers)
{
  return add_layers (survey, own, layers, FALSE);
}

IfbamExcerpt *
ifbam_survey_cut (const IfbamSurvey *survey, const GArray *own, guint layers)
{
  IfbamExcerpt *excerpt = ifbam_excerpt_new (survey->n_ids);
  g_autoptr (GArray) lacking = g_array_new (FALSE, FALSE, sizeof (guint64));
  Cut cut = { survey, excerpt, lacking };

  excerpt->n_free = survey->n_free;
  excerpt->n_links = survey->n_links;
  memcpy (excerpt->node, survey->node, survey->n_ids * sizeof *survey->node);
  memcpy (excerpt->link, survey->link, survey->n_ids * sizeof *survey->link);
  g_array_unref (excerpt->nodes);
  excerpt->nodes = add_layers (survey, own, layers, TRUE);
  count_all_links (&cut);
  return excerpt;
}

guint
ifbam_survey_count_layers (const IfbamSurvey *survey, const GArray *own, guint most, guint64 room)
{
  g_autoptr (GArray) none = g_array_new (FALSE, FALSE, sizeof (guint64));
  g_autoptr (GArray) nodes = ifbam_ranges_unite (own, none), fresh = list_numbers (own);
  const guint64 n_own = ifbam_ranges_count (own);
  gboolean open = TRUE;
  guint layers = 0;

  /* Who has enough of them answers others. */
  for (guint d = 0; d < most && ifbam_ranks_any (open); d++)
    {
      const gsize before = ifbam_ranges_count (nodes);
      GArray *more = open ? add_layer (survey, nodes, &fresh) : NULL;

      if (!open && survey->rows != NULL)
        ifbam_survey_rows_walk (survey->rows, none, nodes, none);
      if (survey->rows != NULL)
        ifbam_survey_rows_begin (survey->rows);
      if (more == NULL)
        continue;
      g_array_unref (nodes);
      nodes = more;
      open = ifbam_ranges_count (nodes) - n_own <= room;
      if (open)
        layers = d + 1;
      if (ifbam_ranges_count (nodes) == before)
        {
          open = FALSE;
          layers = most;
        }
    }
  return layers;
}

/* Neighbours */

typedef struct
{
  guint64 first, count;
  GArray *start, *neighbour;
  gboolean counts; /* first they are counted, then put in their places */
} Neighbours;

static void
put_neighbour (Neighbours *list, guint64 node, guint64 other)
{
  const guint64 i = node - list->first;

  if (node < list->first || i >= list->count)
    return;
  if (list->counts)
    g_array_index (list->start, guint64, i + 2)++;
  else
    g_array_index (list->neighbour, guint64, g_array_index (list->start, guint64, i + 1)++) = other;
}

static void
put_stretch (gpointer data, const Path *path, guint64 low, guint64 high)
{
  for (guint64 i = low; i < high; i++)
    for (guint64 k = 0; k < path->n_kinds; k++)
      {
        if (i > path->first)
          put_neighbour (data, i, i - 1);
        if (i + 1 < path->first + path->count)
          put_neighbour (data, i, i + 1);
      }
}

static void
put_rows (const IfbamSurvey *survey, Neighbours *list)
{
  g_autoptr (GArray) others = g_array_new (FALSE, FALSE, sizeof (guint64));

  for (guint64 i = list->first; survey->rows != NULL && i < list->first + list->count; i++)
    {
      g_array_set_size (others, 0);
      ifbam_survey_rows_list (survey->rows, i, others);
      for (guint k = 0; k < others->len; k++)
        put_neighbour (list, i, g_array_index (others, guint64, k));
    }
}

void
ifbam_survey_list_neighbours (const IfbamSurvey *survey, guint64 first, guint64 count,
                              GArray **start, GArray **neighbour)
{
  g_autoptr (GArray) range = g_array_new (FALSE, FALSE, sizeof (IfbamRange));
  Neighbours list = { first, count, g_array_new (FALSE, TRUE, sizeof (guint64)),
                      g_array_new (FALSE, TRUE, sizeof (guint64)), TRUE };

  ifbam_ranges_append (range, first, count);
  g_array_set_size (list.start, (guint) count + 2);
  for (guint pass = 0; pass < 2; pass++)
    {
      guint r = 0, i = 0;

      list.counts = pass == 0;
      find_stretches (survey, range, put_stretch, &list);
      for (const Join *join; (join = next_join (survey, range, &r, &i)) != NULL;)
        put_neighbour (&list, join->node, join->other);
      put_rows (survey, &list);
      for (guint64 k = 1; k < count + 2 && list.counts; k++)
        g_array_index (list.start, guint64, k) += g_array_index (list.start, guint64, k - 1);
      if (list.counts)
        g_array_set_size (list.neighbour, (guint) g_array_index (list.start, guint64, count + 1));
    }
  g_array_set_size (list.start, (guint) count + 1);
  *start = list.start;
  *neighbour = list.neighbour;
}

/* Models */

/* The elements that an excerpt has; composites choose by themselves. (transfer full) */
static GPtrArray *
list_elements (const IfbamSurvey *survey, const IfbamExcerpt *excerpt)
{
  const GPtrArray *elements = survey->network->elements;
  GPtrArray *own = g_ptr_array_new ();
  const Cut cut = { survey, (IfbamExcerpt *) excerpt, NULL };
  guint link = 0;

  for (guint i = 0; i < elements->len; i++)
    {
      IfbamElement *element = elements->pdata[i];
      gboolean here = TRUE;

      if (element->info->kind == IFBAM_KIND_FREE_NODE)
        here = is_here (&cut, survey->node[element->id]);
      else if (element->info->kind == IFBAM_KIND_LINK
               && ifbam_element_kind (element) != IFBAM_KIND_COMPOSITE)
        {
          const Ends *ends = &g_array_index (survey->links, Ends, link++);

          here = is_here (&cut, ends->left) && is_here (&cut, ends->right);
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
  g_autoptr (GPtrArray) elements = list_elements (survey, excerpt);

  if (survey->rows != NULL)
    ifbam_survey_rows_give (survey->rows, excerpt->columns);
  return ifbam_network_compile_excerpt (survey->network, elements, excerpt, spec, signals, issues);
}
