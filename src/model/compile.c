/* compile.c: compiles a network: numbers nodes and links, finds names, checks domains
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "model/model.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "element/end.h"
#include "element/geometry-ends.h"
#include "element/inner.h"
#include "element/rest.h"
#include "model/assembly.h"
#include "model/signals.h"

/* Numbers of nodes and slots are guint32, of which ports take a bit. */
#define MOST_NUMBERS (G_GUINT64_CONSTANT (1) << 30)
/* Of a compiled network that runs [bytes]. */
#define NODE_MEMORY   60
#define LINK_MEMORY   50
#define SOURCE_MEMORY 40
/* Faults that come with a suggestion: each takes a search. */
#define MOST_SUGGESTIONS 100

static int
compare_strings (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

typedef struct
{
  IfbamBuilder offers;
  IfbamModel *model;
  const IfbamReader *reader;
  GHashTable *by_name; /* name -> element */
  GHashTable *unknown;
  GArray *left, *right; /* guint32, by file order of links */
  GArray *inner; /* guint32: the first node of a link's states, as far as there are such links */
  guint32 next_inner;   /* of the next such link */
  GArray *source_nodes; /* guint32, by sources */
  GArray *given_spans;  /* IfbamSpan, appended to the node spans after the free ones */
  guint32 *domains;     /* possible domains of each node (n_nodes) */
  GArray *issues;
  gboolean in_plane;     /* something is */
  GPtrArray *node_names; /* char*, sorted: what is suggested; NULL before the first time */
  guint n_suggestions;
} Compiler;

void
ifbam_issue_clear (IfbamIssue *issue)
{
  g_clear_pointer (&issue->text, g_free);
}

static void
add_issue (Compiler *compiler, IfbamElement *element, const char *key, char *text)
{
  IfbamIssue issue = { element, key, text };

  g_array_append_val (compiler->issues, issue);
}

static IfbamPlace *
place_of (const Compiler *compiler, const IfbamElement *element)
{
  return &compiler->model->places[element->id];
}

/* Room for all elements, and for the rest, which comes last. */
static void
make_places (IfbamModel *model, const GPtrArray *elements)
{
  for (guint i = 0; i < elements->len; i++)
    model->n_places = MAX (model->n_places, ((const IfbamElement *) elements->pdata[i])->id + 1);
  model->n_places++;
  model->places = g_new (IfbamPlace, model->n_places);
  for (guint32 i = 0; i < model->n_places; i++)
    model->places[i] = (IfbamPlace){ IFBAM_NO_NODE, FALSE, 0 };
}

/* What the model keeps */

static gpointer
keep (Compiler *compiler, gpointer data, GDestroyNotify free)
{
  const IfbamKept kept = { data, free };

  g_array_append_val (compiler->model->kept, kept);
  return data;
}

/* A copy of an element's law, with the numbers that no parameter is. */
static void *
keep_law (Compiler *compiler, const IfbamElement *element)
{
  const IfbamElementInfo *info = element->info;
  void *law = keep (compiler, g_malloc (info->law_size + 1), g_free);
  gpointer prepared;

  memcpy (law, ifbam_element_law (element), info->law_size);
  prepared = info->prepare == NULL ? NULL : info->prepare (element, law);
  if (prepared != NULL)
    keep (compiler, prepared, info->free_prepared);
  return law;
}

static void
free_course (gpointer data)
{
  IfbamInterpolant *course = data;

  g_free ((gpointer) course->time);
  g_free ((gpointer) course->value);
  g_free ((gpointer) course->integral);
  g_free (course);
}

/* What an element's `course` key names, which may tell the element's domains; NULL: nothing, or there is an
 * issue. */
static const IfbamInterpolant *
read_course (Compiler *compiler, IfbamElement *element, guint32 *domains)
{
  const int param = ifbam_element_param_index (element->info, "course");
  const char *text = param < 0 ? NULL : ifbam_element_slots (element)[IFBAM_SLOT_COURSE];
  IfbamInterpolant *course;
  char *reason = NULL;

  if (text == NULL)
    return NULL;
  course = compiler->reader->course (compiler->reader->data, &element->info->params[param], domains,
                                     text, &reason);
  if (course == NULL)
    add_issue (compiler, element, "course", reason);
  else
    keep (compiler, course, free_course);
  return course;
}

/* A list goes with the model, however long it is; else it is a number. */
static const IfbamSeries *
keep_series (Compiler *compiler, const IfbamMember *member)
{
  IfbamSeries *series =
      keep (compiler, g_memdup2 (member->series, member->info->n_params * sizeof *series), g_free);

  for (guint k = 0; k < member->info->n_params; k++)
    if (series[k].list != NULL)
      keep (compiler, g_variant_ref (series[k].list), (GDestroyNotify) g_variant_unref);
    else if (series[k].length > 0)
      series[k].values =
          keep (compiler, g_memdup2 (series[k].values, series[k].length * sizeof (double)), g_free);
  return series;
}

static GHashTable *
keep_overrides (Compiler *compiler, GHashTable *overrides)
{
  GHashTable *own;
  GHashTableIter iter;
  gpointer place, number;

  if (overrides == NULL)
    return NULL;
  own = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  g_hash_table_iter_init (&iter, overrides);
  while (g_hash_table_iter_next (&iter, &place, &number))
    g_hash_table_insert (own, place, g_memdup2 (number, sizeof (double)));
  return keep (compiler, own, (GDestroyNotify) g_hash_table_unref);
}

/* Size */

typedef struct
{
  guint64 nodes, links, sources;
  double node_memory; /* of what is asked for beside the model [bytes] */
} Size;

static double
memory_of (const Size *size)
{
  return (NODE_MEMORY + size->node_memory) * (double) size->nodes
         + LINK_MEMORY * (double) size->links + SOURCE_MEMORY * (double) size->sources;
}

/* "4 nodes and 3 links" (transfer full); forces are told where they are what is many. */
static char *
size_text (const Size *size)
{
  if (size->sources > size->nodes)
    return g_strdup_printf ("%" G_GUINT64_FORMAT " nodes, %" G_GUINT64_FORMAT
                            " links and %" G_GUINT64_FORMAT " forces on nodes",
                            size->nodes, size->links, size->sources);
  return g_strdup_printf ("%" G_GUINT64_FORMAT " nodes and %" G_GUINT64_FORMAT " links",
                          size->nodes, size->links);
}

static gboolean
is_beyond (const Size *size, double memory)
{
  return MAX (MAX (size->nodes, size->links), size->sources) > MOST_NUMBERS
         || memory_of (size) > memory;
}

/* Nodes that a field acts on: those of a composite are many. */
static guint64
count_targets (const Compiler *compiler, const IfbamElement *source)
{
  char *const *on = ifbam_element_slots (source)[IFBAM_SLOT_ON];
  guint64 n = 0;

  for (guint i = 0; on != NULL && on[i] != NULL; i++)
    {
      const IfbamElement *target = g_hash_table_lookup (compiler->by_name, on[i]);
      guint64 nodes = 1, links = 0;

      if (source->info->potential != NULL && target != NULL && target->info->add_size != NULL)
        target->info->add_size (target, &nodes, &links);
      n += nodes;
    }
  return n;
}

/* The size of all, and the element with which it is too large (NULL: it isn't): of many elements that one,
 * a composite or a source, that makes much. */
static IfbamElement *
find_beyond (const Compiler *compiler, const GPtrArray *elements, double memory, Size *size)
{
  IfbamElement *large = NULL, *beyond = NULL;

  *size = (Size){ .node_memory = compiler->reader->node_memory };
  for (guint i = 0; i < elements->len; i++)
    {
      IfbamElement *element = elements->pdata[i];

      size->nodes += element->info->kind <= IFBAM_KIND_GIVEN_NODE;
      size->links += ifbam_element_in_batches (element->info);
      size->nodes += element->info->link == NULL ? 0 : element->info->link->n_states;
      size->nodes += ifbam_element_n_coordinates (element);
      if (element->info->add_size != NULL && ifbam_element_kind (element) == IFBAM_KIND_COMPOSITE)
        {
          element->info->add_size (element, &size->nodes, &size->links);
          large = element;
        }
      if (element->info->kind == IFBAM_KIND_SOURCE)
        size->sources += count_targets (compiler, element);
      if (beyond == NULL && is_beyond (size, memory))
        beyond = large != NULL && element->info->kind != IFBAM_KIND_SOURCE ? large : element;
    }
  return beyond;
}

/* Whether the network can be held; else there is an issue. */
static gboolean
check_size (Compiler *compiler, const GPtrArray *elements)
{
  Size size;
  IfbamElement *element = find_beyond (compiler, elements, INFINITY, &size);
  g_autofree char *what = size_text (&size);
  g_autofree char *lack = NULL;
  const char *limit;
  char *text;

  if (element != NULL)
    text = g_strdup_printf ("the network has %s; %" G_GUINT64_FORMAT " of each are the most", what,
                            MOST_NUMBERS);
  else
    {
      lack = ifbam_memory_lack (memory_of (&size));
      element = lack == NULL
                    ? NULL
                    : find_beyond (compiler, elements, ifbam_memory_available (&limit), &size);
      if (element == NULL)
        return TRUE;
      text = g_strdup_printf ("the network's %s%s need %s", what,
                              size.node_memory > 0 ? " and the names of their signals" : "", lack);
    }
  add_issue (compiler, element,
             element->info->kind == IFBAM_KIND_SOURCE                  ? "on"
             : ifbam_element_param_index (element->info, "count") >= 0 ? "count"
             : element->info->add_size != NULL                         ? "links"
                                                                       : NULL,
             text);
  return FALSE;
}

/* Nodes */

static gsize
add_free_nodes (Compiler *compiler, IfbamElement *owner, const IfbamMember *member, gsize count)
{
  IfbamModel *model = compiler->model;
  IfbamSpan span = { .first = model->n_free,
                     .count = count,
                     .stride = 1,
                     .info = member->info,
                     .element = owner,
                     .letter = member->letter,
                     .lone = member->lone,
                     .tail = member->tail,
                     .open = member->open };

  compiler->in_plane |= member->tail != NULL;

  if (member->letter == NULL)
    span.law = ifbam_element_law (owner); /* see keep_node_laws */
  else
    {
      span.series = keep_series (compiler, member);
      span.overrides = keep_overrides (compiler, member->overrides);
    }
  g_array_append_val (model->node_spans, span);
  if (member->letter != NULL)
    g_array_append_val (model->node_families, span);
  if (place_of (compiler, owner)->index == IFBAM_NO_NODE)
    place_of (compiler, owner)->index = (guint32) span.first;
  model->n_free += count;
  return span.first;
}

/* Nodes that keep a link's internal states; they start at the last of its numbers. */
static void
add_inner_nodes (Compiler *compiler, IfbamElement *element)
{
  IfbamModel *model = compiler->model;
  const IfbamLaw *law = element->info->link;
  for (guint k = 0; k < law->n_states; k++)
    {
      IfbamSeries start = { ifbam_element_law (element) + law->first_state + k, 1, NULL };
      const IfbamMember member = { .info = ifbam_inner_info (), .series = &start };
      const IfbamSpan span = { .first = model->n_free,
                               .count = 1,
                               .stride = 1,
                               .info = member.info,
                               .element = element,
                               .letter = law->states[k].name,
                               .lone = TRUE,
                               .series = keep_series (compiler, &member) };

      g_array_append_val (model->node_spans, span);
      model->n_free++;
      model->n_inner++;
    }
}

static void
add_given (Compiler *compiler, IfbamElement *element)
{
  IfbamSpan span = { .count = 1, .stride = 1, .info = element->info, .element = element };
  guint32 domains = element->domains;

  span.law = ifbam_element_law (element);
  span.course = read_course (compiler, element, &domains);
  place_of (compiler, element)->domain = (guint16) domains;
  g_array_append_val (compiler->given_spans, span);
}

/* The x and y of a composite's member in the plane, "c.m12"; FALSE: it is none. */
static gboolean
find_plane_member (const Compiler *compiler, const char *name, guint32 node[2])
{
  static const char *const tails[] = { "x", "y" };

  for (guint c = 0; c < G_N_ELEMENTS (tails); c++)
    {
      g_autofree char *coordinate =
          name == NULL || !compiler->in_plane || strchr (name, '.') == NULL
              ? NULL
              : g_strdup_printf ("%s.%s", name, tails[c]);
      gsize number;

      if (coordinate == NULL
          || !ifbam_member_find (compiler->model->node_families, coordinate, &number))
        return FALSE;
      node[c] = (guint32) number;
    }
  return TRUE;
}

/* Whether one of a link's ends is a ball or the like: then it stands single. */
static gboolean
stands_on_body (const Compiler *compiler, const IfbamElement *element)
{
  const guint slot =
      ifbam_element_is_one_ended (element->info) ? IFBAM_SLOT_ON : IFBAM_SLOT_BETWEEN;
  char *const *names = ifbam_element_slots (element)[slot];
  gboolean body = FALSE;

  if ((element->info->forms & (IFBAM_ON_BALL | IFBAM_BETWEEN_BALLS)) == 0 || names == NULL)
    return FALSE;
  for (guint i = 0; names[i] != NULL; i++)
    {
      const IfbamElement *end = g_hash_table_lookup (compiler->by_name, names[i]);

      guint32 node[2];

      body |= end != NULL ? end->info->form != IFBAM_FORM_POINT
                          : find_plane_member (compiler, names[i], node);
    }
  return body;
}

/* The point of "tip.x", a coordinate of one: 1 (x) or 2 (y); NULL: it is none. */
static const IfbamElement *
find_coordinate (const Compiler *compiler, const char *name, guint *coordinate)
{
  const char *dot = compiler->in_plane ? strrchr (name, '.') : NULL;
  g_autofree char *owner = dot == NULL ? NULL : g_strndup (name, (gsize) (dot - name));
  const IfbamElement *point = owner == NULL ? NULL : g_hash_table_lookup (compiler->by_name, owner);

  *coordinate = dot == NULL ? 0 : g_str_equal (dot, ".x") ? 1 : g_str_equal (dot, ".y") ? 2 : 0;
  return *coordinate > 0 && point != NULL && point->info->form == IFBAM_FORM_PLACE ? point : NULL;
}

/* Whether an end of a link between two is a point of the plane, or a coordinate of one. */
static gboolean
stands_in_plane (const Compiler *compiler, const IfbamElement *element)
{
  char *const *names = ifbam_element_slots (element)[IFBAM_SLOT_BETWEEN];
  gboolean stands = FALSE;

  if (!compiler->in_plane || ifbam_element_is_one_ended (element->info)
      || element->info->signal_slot != 0)
    return FALSE;
  for (guint i = 0; names != NULL && names[i] != NULL; i++)
    {
      const IfbamElement *end = g_hash_table_lookup (compiler->by_name, names[i]);
      guint coordinate;

      guint32 node[2];

      stands |= end != NULL ? (element->info->forms & IFBAM_BETWEEN_ENDS) != 0
                                  && ifbam_form_in_plane (end->info->form)
                            : find_coordinate (compiler, names[i], &coordinate) != NULL
                                  || ((element->info->forms & IFBAM_BETWEEN_ENDS) != 0
                                      && find_plane_member (compiler, names[i], node));
    }
  return stands;
}

/* Whether a link is in no batch, by its law, modes or ends. */
static gboolean
is_single (const Compiler *compiler, const IfbamElement *element)
{
  const IfbamLaw *law = element->info->link;

  return law->points == NULL || stands_on_body (compiler, element)
         || stands_in_plane (compiler, element)
         || (law->has_modes != NULL && law->has_modes (ifbam_element_law (element)));
}

/* Copies the laws of nodes that are elements, all into one block: there may be many. */
static void
keep_node_laws (Compiler *compiler)
{
  const GArray *spans = compiler->model->node_spans;
  gsize size = 0;
  char *block;

  for (guint s = 0; s < spans->len; s++)
    if (g_array_index (spans, IfbamSpan, s).letter == NULL)
      size += g_array_index (spans, IfbamSpan, s).info->law_size;
  block = keep (compiler, g_malloc (size + 1), g_free);
  for (guint s = 0; s < spans->len; s++)
    {
      IfbamSpan *span = &g_array_index (spans, IfbamSpan, s);

      if (span->letter != NULL)
        continue;
      span->law = memcpy (block, span->law, span->info->law_size);
      block += span->info->law_size;
    }
}

/* In the order of their numbers. */
static void
set_inertia (IfbamModel *model, gsize node, double inertia)
{
  if (node == 0)
    model->same_inertia = inertia;
  if (model->inertia == NULL && inertia != model->same_inertia)
    {
      model->inertia = g_new (double, model->n_free);
      for (gsize i = 0; i < node; i++)
        model->inertia[i] = model->same_inertia;
    }
  if (model->inertia != NULL)
    model->inertia[node] = inertia;
  model->inverse_inertia[node] = 1.0 / inertia;
}

/* How many nodes a point follows. */
static guint
count_followed (const IfbamElement *point)
{
  const gpointer *slots = ifbam_element_slots (point);

  return (slots[IFBAM_SLOT_FOLLOW_X] != NULL) + (slots[IFBAM_SLOT_FOLLOW_Y] != NULL);
}

static void
add_nodes (Compiler *compiler, const GPtrArray *elements)
{
  IfbamModel *model = compiler->model;

  for (guint i = 0; i < elements->len; i++)
    {
      IfbamElement *element = elements->pdata[i];

      compiler->in_plane |= ifbam_form_in_plane (element->info->form);
      if (element->info->kind == IFBAM_KIND_FREE_NODE)
        {
          IfbamMember member = { .info = element->info };

          add_free_nodes (compiler, element, &member, 1);
        }
      else if (element->info->kind == IFBAM_KIND_GIVEN_NODE)
        add_given (compiler, element);
      else if (model->rest == NULL
               && (element->info->form == IFBAM_FORM_PLACE
                       ? count_followed (element) == 1
                       : ifbam_element_is_one_ended (element->info)
                             && ifbam_element_in_batches (element->info)
                             && !stands_on_body (compiler, element)))
        {
          model->rest = ifbam_rest_new ();
          model->rest->id = model->n_places - 1;
        }
      else if (ifbam_element_kind (element) == IFBAM_KIND_COMPOSITE)
        element->info->expand_nodes (element, &compiler->offers);
    }
  for (guint i = 0; i < elements->len; i++)
    {
      IfbamElement *element = elements->pdata[i];

      if (element->info->kind == IFBAM_KIND_LINK && element->info->link->n_states > 0)
        add_inner_nodes (compiler, element);
    }
  if (model->rest != NULL)
    add_given (compiler, model->rest);
  for (guint i = 0; i < compiler->given_spans->len; i++)
    {
      IfbamSpan *span = &g_array_index (compiler->given_spans, IfbamSpan, i);

      span->first = model->n_free + i;
      place_of (compiler, span->element)->index = (guint32) span->first;
    }
  g_array_append_vals (model->node_spans, compiler->given_spans->data, compiler->given_spans->len);
  model->n_nodes = model->n_free + compiler->given_spans->len;
  keep_node_laws (compiler);
  model->inverse_inertia = g_aligned_alloc (model->n_free + 1, sizeof (double), IFBAM_PAGE);
  for (guint s = 0; s < model->node_spans->len; s++)
    {
      const IfbamSpan *span = &g_array_index (model->node_spans, IfbamSpan, s);
      double law[IFBAM_MAX_LAW];
      const guint32 own = span->first < model->n_free ? ifbam_span_common_law (span, law) : 0;

      for (gsize i = 0; i < span->count && span->first < model->n_free; i++)
        {
          ifbam_span_own_law (span, own, i, law);
          set_inertia (model, span->first + i, span->info->inertia (law));
        }
    }
}

/* Names */

/* Names of nodes, sorted. (A hash table has an order that tells nobody anything.) */
static const GPtrArray *
node_names (Compiler *compiler)
{
  GHashTableIter iter;
  gpointer key, value;

  if (compiler->node_names != NULL)
    return compiler->node_names;
  compiler->node_names = g_ptr_array_new ();
  g_hash_table_iter_init (&iter, compiler->by_name);
  while (g_hash_table_iter_next (&iter, &key, &value))
    if (((IfbamElement *) value)->info->kind <= IFBAM_KIND_GIVEN_NODE)
      g_ptr_array_add (compiler->node_names, key);
  g_ptr_array_sort (compiler->node_names, compare_strings);
  return compiler->node_names;
}

/* "a.m13" of a composite that has twelve: which it has (transfer full); NULL: there is no such composite. */
static char *
no_such_member (const Compiler *compiler, const char *name)
{
  const GArray *families = compiler->model->node_families;

  for (guint f = 0; f < families->len; f++)
    {
      const IfbamSpan *span = &g_array_index (families, IfbamSpan, f);
      const gsize owner = strlen (span->element->name);

      if (strncmp (name, span->element->name, owner) != 0 || name[owner] != '.' || span->lone)
        continue;
      return g_strdup_printf ("no node \"%s\" in this network (\"%s\" has %s1 to %s%" G_GSIZE_FORMAT
                              ")",
                              name, span->element->name, span->letter, span->letter, span->count);
    }
  return NULL;
}

static char *
no_such_node (Compiler *compiler, const IfbamElement *owner, const char *name)
{
  const IfbamDomainInfo *words = ifbam_domain_info (owner->info->domain);
  g_autofree char *member = NULL, *given = NULL;
  const char *nearest = NULL;
  guint coordinate;

  if (g_hash_table_lookup (compiler->by_name, name) != NULL)
    {
      IfbamElement *other = g_hash_table_lookup (compiler->by_name, name);
      const gboolean turns = ifbam_form_turns (ifbam_element_form (other));

      if (other->info->n_coordinates > 0)
        return g_strdup_printf ("\"%s\" is %s %s, not a node (its nodes are %s.x%s %s.y%s%s%s)",
                                name, ifbam_element_article (other->info), other->info->name, name,
                                turns ? "," : " and", name, turns ? " and " : "", turns ? name : "",
                                turns ? ".angle" : "");
      return g_strdup_printf ("\"%s\" is %s %s, not a node", name,
                              ifbam_element_article (other->info), other->info->name);
    }
  if (find_coordinate (compiler, name, &coordinate) != NULL)
    return g_strdup_printf (
        "\"%s\" is where a point is, not a node (links take it, %s %s does not)", name,
        ifbam_element_article (owner->info), owner->info->name);
  if (strchr (name, '.') != NULL)
    {
      member = no_such_member (compiler, name);
      return member != NULL ? g_steal_pointer (&member)
                            : g_strdup_printf ("no node \"%s\" in this network", name);
    }
  /* A suggestion is worth a search through a network that a person can oversee. */
  if (g_hash_table_size (compiler->by_name) < 10000 && compiler->n_suggestions++ < MOST_SUGGESTIONS)
    {
      const GPtrArray *names = node_names (compiler);

      nearest = ifbam_nearest_word (name, (const char *const *) names->pdata, names->len);
    }
  given = owner->info->kind != IFBAM_KIND_SOURCE
              ? g_strdup_printf (" or [%s %s]", words->given, name)
              : g_strdup ("");
  return g_strdup_printf ("no node \"%s\" in this network (%s%s%sa group [%s %s]%s would make it)",
                          name, nearest != NULL ? "did you mean \"" : "",
                          nearest != NULL ? nearest : "", nearest != NULL ? "\"? Else " : "",
                          words->node, name, given);
}

static guint32
find_node (Compiler *compiler, IfbamElement *owner, const char *key, const char *name)
{
  IfbamElement *element = name == NULL ? NULL : g_hash_table_lookup (compiler->by_name, name);
  gsize node;

  if (name == NULL)
    return IFBAM_NO_NODE; /* an issue already */
  if (element != NULL && element->info->kind <= IFBAM_KIND_GIVEN_NODE
      && element->info->form == IFBAM_FORM_POINT)
    return place_of (compiler, element)->index;
  if (element == NULL && ifbam_member_find (compiler->model->node_families, name, &node))
    return (guint32) node;
  if (compiler->unknown == NULL || !g_hash_table_contains (compiler->unknown, name))
    add_issue (compiler, owner, key, no_such_node (compiler, owner, name));
  return IFBAM_NO_NODE;
}

/* A node under a link or source of a domain, of which its class is there. */
static void
claim_end (Compiler *compiler, IfbamElement *owner, const char *key, guint32 node,
           const IfbamElementInfo *info, IfbamDomain domain)
{
  gsize member;
  const IfbamSpan *span = ifbam_model_node_span (compiler->model, node, &member);
  const IfbamDomainInfo *words = ifbam_domain_info (domain);
  g_autofree char *name = NULL;

  if (compiler->domains[node] >> domain & 1)
    {
      compiler->domains[node] = 1u << domain;
      if (span->info->domain == IFBAM_DOMAIN_ANY)
        place_of (compiler, span->element)->domain = (guint16) (1u << domain);
      return;
    }
  name = ifbam_span_name (span, member);
  if (span->info->domain != IFBAM_DOMAIN_ANY)
    add_issue (compiler, owner, key,
               g_strdup_printf ("\"%s\" is of %s (%s), %s %s is for %s", name,
                                ifbam_domain_info (span->info->domain)->name, span->info->name,
                                ifbam_element_article (info), info->name, words->name));
  else
    add_issue (compiler, owner, key,
               g_strdup_printf (
                   "\"%s\" is of %s already, by its units or another link; %s %s is for %s "
                   "(use a second %s)",
                   name, ifbam_domain_info (ifbam_model_node_domain (compiler->model, node))->name,
                   ifbam_element_article (info), info->name, words->name, span->info->name));
}

static void
claim_domain (Compiler *compiler, IfbamElement *owner, const char *key, guint32 node,
              const IfbamElementInfo *info)
{
  claim_end (compiler, owner, key, node, info, info->domain);
}

/* Links and sources */

/* A node that can move, for what acts `on` it; IFBAM_NO_NODE after an issue. */
static guint32
find_free_node (Compiler *compiler, IfbamElement *element, const char *name)
{
  const guint32 node = find_node (compiler, element, "on", name);
  const IfbamElementInfo *info;
  gsize member;

  if (node == IFBAM_NO_NODE || node < compiler->model->n_free)
    return node;
  info = ifbam_model_node_span (compiler->model, node, &member)->info;
  add_issue (
      compiler, element, "on",
      g_strdup_printf ("\"%s\" is %s %s, whose motion is given: %s %s acts on what moves freely",
                       name, ifbam_element_article (info), info->name,
                       ifbam_element_article (element->info), element->info->name));
  return IFBAM_NO_NODE;
}

/* Finds a link's nodes: left, right. FALSE after an issue. */
static gboolean
find_ends (Compiler *compiler, IfbamElement *element, guint32 end[2])
{
  const gboolean one_ended = ifbam_element_is_one_ended (element->info);
  char *const *names =
      ifbam_element_slots (element)[one_ended ? IFBAM_SLOT_ON : IFBAM_SLOT_BETWEEN];

  if (names == NULL || g_strv_length ((char **) names) != (one_ended ? 1 : 2))
    return FALSE; /* an issue already */
  if (one_ended)
    {
      end[0] = find_free_node (compiler, element, names[0]);
      end[1] = place_of (compiler, compiler->model->rest)->index;
      if (end[0] != IFBAM_NO_NODE)
        claim_domain (compiler, element, "on", end[0], element->info);
      return end[0] != IFBAM_NO_NODE;
    }
  for (guint e = 0; e < 2; e++)
    end[e] = find_node (compiler, element, "between", names[element->info->backward ? 1 - e : e]);
  if (end[0] == IFBAM_NO_NODE || end[1] == IFBAM_NO_NODE)
    return FALSE;
  if (end[0] == end[1])
    {
      add_issue (compiler, element, "between",
                 g_strdup_printf ("both ends are on \"%s\" (a link joins two nodes)", names[0]));
      return FALSE;
    }
  for (guint e = 0; e < 2; e++)
    claim_domain (compiler, element, "between", end[e], element->info);
  return TRUE;
}

/* A length is that of a distance in the plane; on a line only laws that have one of their own have it. */
static void
check_length (Compiler *compiler, IfbamElement *element, const IfbamLink *link)
{
  const int length = ifbam_element_param_index (element->info, "length");
  const gboolean own = element->info->link->own_length;

  if (element->info->link->ends != NULL && length >= 0
      && ifbam_element_is_set (element, (guint) length) != own
      && (link == NULL || (link->geometry != NULL && link->geometry != element->info->link->ends)))
    add_issue (
        compiler, element, "length",
        g_strdup (own ? "is missing (its ends are on a line, where the start does not tell it)"
                      : "its ends are on a line, where what is compressed is told by their "
                        "positions (leave it out)"));
}

static void
add_link (Compiler *compiler, IfbamElement *element)
{
  guint32 end[2];
  IfbamSpan span = {
    .first = compiler->left->len, .count = 1, .stride = 1, .info = element->info, .element = element
  };

  /* Batches copy it. */
  span.law =
      element->info->prepare != NULL ? keep_law (compiler, element) : ifbam_element_law (element);
  if (!find_ends (compiler, element, end))
    return;
  check_length (compiler, element, NULL);
  place_of (compiler, element)->index = (guint32) span.first;
  g_array_append_val (compiler->left, end[0]);
  g_array_append_val (compiler->right, end[1]);
  if (element->info->link->n_states > 0)
    {
      g_array_set_size (compiler->inner, compiler->left->len);
      g_array_index (compiler->inner, guint32, span.first) = compiler->next_inner;
    }
  g_array_append_val (compiler->model->link_spans, span);
}

static void
add_path (Compiler *compiler, IfbamElement *owner, const IfbamMember *kinds, guint n_kinds,
          const IfbamPath *path)
{
  gsize n = path->count + (path->head != IFBAM_NO_NODE) + (path->tail != IFBAM_NO_NODE);
  gsize first = compiler->left->len;
  guint32 previous = path->head != IFBAM_NO_NODE ? path->head : (guint32) path->first;

  if (n < 2)
    return;
  for (guint k = 0; k < n_kinds; k++)
    {
      IfbamSpan span = { .first = first,
                         .count = n - 1,
                         .stride = n_kinds,
                         .phase = k,
                         .info = kinds[k].info,
                         .element = owner,
                         .letter = kinds[k].letter };

      span.series = keep_series (compiler, &kinds[k]);
      span.overrides = keep_overrides (compiler, kinds[k].overrides);

      g_array_append_val (compiler->model->link_spans, span);
      g_array_append_val (compiler->model->link_families, span);
      if (path->head != IFBAM_NO_NODE)
        claim_domain (compiler, owner, "from", path->head, kinds[k].info);
      if (path->tail != IFBAM_NO_NODE)
        claim_domain (compiler, owner, "to", path->tail, kinds[k].info);
    }
  g_array_set_size (compiler->left, (guint) (first + (n - 1) * n_kinds));
  g_array_set_size (compiler->right, compiler->left->len);
  for (gsize i = path->head != IFBAM_NO_NODE ? 0 : 1, link = first;
       i < path->count + (path->tail != IFBAM_NO_NODE); i++)
    {
      guint32 next = i < path->count ? (guint32) (path->first + i) : path->tail;

      for (guint k = 0; k < n_kinds; k++, link++)
        {
          g_array_index (compiler->left, guint32, link) = previous;
          g_array_index (compiler->right, guint32, link) = next;
        }
      previous = next;
    }
}

static void
add_instants (Compiler *compiler, IfbamElement *element, IfbamInstantKind kind, guint32 number)
{
  GArray *all = compiler->model->instants;
  const guint first = all->len;

  if (element->info->instants == NULL)
    return;
  element->info->instants (element, all);
  for (guint i = first; i < all->len; i++)
    {
      g_array_index (all, IfbamInstant, i).kind = kind;
      g_array_index (all, IfbamInstant, i).number = number;
    }
}

static void
add_source_on (Compiler *compiler, IfbamSource *source, guint32 node)
{
  g_ptr_array_add (compiler->model->sources, source);
  g_array_append_val (compiler->source_nodes, node);
}

/* Of what is in the plane its second coordinate. */
#define HEIGHT 1

/* What of a composite stands for height: its masses, or the y of what is in the plane. */
static void
add_source_on_composite (Compiler *compiler, IfbamSource *source, const IfbamElement *composite)
{
  const GArray *spans = compiler->model->node_spans;

  if (ifbam_element_form (composite) == IFBAM_FORM_TABLE)
    {
      add_issue (compiler, (IfbamElement *) source->element, "on",
                 g_strdup_printf ("\"%s\" lies on a table and is seen from above: its weight "
                                  "presses it on, which roll knows (where the table slopes, name "
                                  "%s.x or %s.y)",
                                  composite->name, composite->name, composite->name));
      return;
    }
  if (composite->info->n_coordinates > 0)
    {
      add_source_on (compiler, source, place_of (compiler, composite)->index + HEIGHT);
      return;
    }
  for (guint s = 0; s < spans->len; s++)
    {
      const IfbamSpan *span = &g_array_index (spans, IfbamSpan, s);

      if (span->element != composite || (span->tail != NULL && g_str_equal (span->tail, "x")))
        continue;
      for (gsize i = 0; i < span->count; i++)
        add_source_on (compiler, source, (guint32) (span->first + i));
    }
}

/* Nodes that are named twice, and such that it can't act on. */
static void
check_source (Compiler *compiler, IfbamElement *element)
{
  const IfbamModel *model = compiler->model;
  g_autofree guint8 *seen = NULL;

  for (guint i = place_of (compiler, element)->index; i < model->sources->len; i++)
    {
      const guint32 node = g_array_index (compiler->source_nodes, guint32, i);
      const guint faults = compiler->issues->len;

      if (i > place_of (compiler, element)->index && seen == NULL)
        {
          seen = g_new0 (guint8, model->n_nodes);
          seen[g_array_index (compiler->source_nodes, guint32,
                              place_of (compiler, element)->index)] = 1;
        }
      claim_domain (compiler, element, "on", node, element->info);
      if (seen != NULL && seen[node] && i > place_of (compiler, element)->index)
        {
          g_autofree char *name = ifbam_model_node_name (model, node);

          add_issue (compiler, element, "on", g_strdup_printf ("names \"%s\" twice", name));
        }
      if (compiler->issues->len > faults)
        return; /* one is enough: a composite has many */
      if (seen != NULL)
        seen[node] = 1;
    }
}

static void
add_source (Compiler *compiler, IfbamElement *element)
{
  char *const *on = ifbam_element_slots (element)[IFBAM_SLOT_ON];
  const gboolean field = element->info->potential != NULL;
  const guint first = compiler->model->sources->len;
  guint32 domains = element->domains;
  IfbamSource *source = keep (compiler, g_new0 (IfbamSource, 1), g_free);

  *source = (IfbamSource){ element,
                           element->info,
                           element->name,
                           keep_law (compiler, element),
                           read_course (compiler, element, &domains),
                           first };
  for (guint i = 0; on != NULL && on[i] != NULL; i++)
    {
      const IfbamElement *composite = g_hash_table_lookup (compiler->by_name, on[i]);
      guint32 node;

      if (field && composite != NULL && ifbam_element_kind (composite) == IFBAM_KIND_COMPOSITE)
        {
          add_source_on_composite (compiler, source, composite);
          continue;
        }
      node = field ? find_free_node (compiler, element, on[i])
                   : find_node (compiler, element, "on", on[i]);
      if (node == IFBAM_NO_NODE)
        return;
      add_source_on (compiler, source, node);
    }
  if (compiler->model->sources->len == first)
    return;
  place_of (compiler, element)->index = first;
  check_source (compiler, element);
  if (g_array_index (compiler->source_nodes, guint32, first) < compiler->model->n_free)
    add_instants (compiler, element, IFBAM_INSTANT_EDGE, place_of (compiler, element)->index);
}

/* Of a composite. */
static void
add_member_source (Compiler *compiler, IfbamElement *owner, const IfbamMember *member, gsize first,
                   gsize count)
{
  const IfbamSpan span = { .count = 1,
                           .info = member->info,
                           .element = owner,
                           .letter = member->letter,
                           .lone = TRUE,
                           .series = member->series };
  IfbamSource *source = keep (compiler, g_new0 (IfbamSource, 1), g_free);

  *source = (IfbamSource){ owner,
                           member->info,
                           keep (compiler, ifbam_span_name (&span, 0), g_free),
                           keep (compiler, g_malloc0 (member->info->law_size + 1), g_free),
                           NULL,
                           compiler->model->sources->len };
  ifbam_span_law (&span, 0, source->law);
  for (gsize i = 0; i < count; i++)
    add_source_on (compiler, source, (guint32) (first + i));
}

/* Links */

/* An end of a link: its nodes and its form's numbers; FALSE after an issue. */
typedef struct
{
  const IfbamElement *element;
  guint form, n_nodes;
  guint32 node[4];
  double place[IFBAM_END_NUMBERS
               + IFBAM_MAX_SHAPE]; /* of a point of the plane: end.h; then the element's shape */
  guint coordinate;                /* 1, 2: it is x, y of a point; 0: it is not */
} LinkEnd;

static const guint follow_slots[] = { IFBAM_SLOT_FOLLOW_X, IFBAM_SLOT_FOLLOW_Y };

/* Which node a point follows along a coordinate; what it does not is at rest. FALSE: there is no such node. */
static gboolean
find_followed (const Compiler *compiler, const IfbamElement *point, guint coordinate, guint32 *node)
{
  char *const *names = ifbam_element_slots (point)[follow_slots[coordinate]];
  const IfbamElement *element;
  gsize number;

  if (names == NULL || names[0] == NULL)
    {
      *node = place_of (compiler, compiler->model->rest)->index;
      return TRUE;
    }
  element = g_hash_table_lookup (compiler->by_name, names[0]);
  if (element != NULL)
    *node = element->info->kind <= IFBAM_KIND_GIVEN_NODE && element->info->form == IFBAM_FORM_POINT
                ? place_of (compiler, element)->index
                : IFBAM_NO_NODE;
  else
    *node = ifbam_member_find (compiler->model->node_families, names[0], &number) ? (guint32) number
                                                                                  : IFBAM_NO_NODE;
  return *node != IFBAM_NO_NODE;
}

/* A point of the plane: of the body that it is on, with what it follows, or fixed. FALSE after an issue. */
static gboolean
find_place (Compiler *compiler, const IfbamElement *point, LinkEnd *end)
{
  char *const *on = ifbam_element_slots (point)[IFBAM_SLOT_ON];
  const IfbamElement *body = NULL;

  if (on != NULL && on[0] != NULL)
    {
      body = g_hash_table_lookup (compiler->by_name, on[0]);
      if (body == NULL || !ifbam_form_turns (ifbam_element_form (body)))
        return FALSE; /* an issue already: check_points */
      end->n_nodes = ifbam_element_n_coordinates (body);
      for (guint i = 0; i < end->n_nodes; i++)
        end->node[i] = place_of (compiler, body)->index + i;
    }
  else if (count_followed (point) > 0)
    {
      end->n_nodes = G_N_ELEMENTS (follow_slots);
      for (guint c = 0; c < G_N_ELEMENTS (follow_slots); c++)
        if (!find_followed (compiler, point, c, &end->node[c]))
          return FALSE; /* an issue already: check_points */
    }
  end->place[0] = end->n_nodes;
  point->info->shape (point, end->place + 1);
  return TRUE;
}

/* What a point's coordinates are: its offset from the plane's origin. */
static void
add_gauges (Compiler *compiler, IfbamElement *point)
{
  static const double origin[IFBAM_END_NUMBERS];
  const IfbamGeometry *const geometries[] = { &ifbam_offset_x, &ifbam_offset_y };
  LinkEnd end = { .element = point };

  if (!find_place (compiler, point, &end))
    return;
  place_of (compiler, point)->index = compiler->model->gauges->len;
  for (guint c = 0; c < G_N_ELEMENTS (geometries); c++)
    {
      IfbamLink gauge = { .geometry = geometries[c], .n_ports = end.n_nodes };

      memcpy (gauge.node, end.node, end.n_nodes * sizeof *gauge.node);
      geometries[c]->shape (NULL, end.place, origin, gauge.shape);
      g_array_append_val (compiler->model->gauges, gauge);
    }
}

/* Points are on bodies, or on nothing. */
static void
check_point (Compiler *compiler, IfbamElement *point)
{
  char *const *on = ifbam_element_slots (point)[IFBAM_SLOT_ON];
  const IfbamElement *body =
      on == NULL || on[0] == NULL ? NULL : g_hash_table_lookup (compiler->by_name, on[0]);

  for (guint c = 0; c < G_N_ELEMENTS (follow_slots); c++)
    {
      const char *key = ifbam_element_slot_key (point->info, follow_slots[c]);
      char *const *names = ifbam_element_slots (point)[follow_slots[c]];
      const guint32 node =
          names == NULL ? IFBAM_NO_NODE : find_node (compiler, point, key, names[0]);

      if (node != IFBAM_NO_NODE)
        claim_domain (compiler, point, key, node, point->info);
    }
  add_gauges (compiler, point);
  if (on == NULL || on[0] == NULL || (body != NULL && ifbam_form_turns (ifbam_element_form (body))))
    return;
  if (body == NULL && compiler->unknown != NULL && g_hash_table_contains (compiler->unknown, on[0]))
    return;
  add_issue (compiler, point, "on",
             body == NULL
                 ? g_strdup_printf ("no body \"%s\" in this network", on[0])
                 : g_strdup_printf (
                     "\"%s\" is %s %s%s (a point is on what turns, a body or a ball with inertia, "
                     "or fixed in "
                     "the plane where nothing is said)",
                     on[0], ifbam_element_article (body->info), body->info->name,
                     ifbam_element_form (body) == IFBAM_FORM_BALL ? " without inertia" : ""));
}

static gboolean
find_end (Compiler *compiler, IfbamElement *owner, const char *key, const char *name, LinkEnd *end)
{
  const IfbamElement *element = name == NULL ? NULL : g_hash_table_lookup (compiler->by_name, name);
  const IfbamElement *point;

  memset (end, 0, sizeof *end);
  end->element = element;
  if (element == NULL && name != NULL
      && (point = find_coordinate (compiler, name, &end->coordinate)) != NULL)
    {
      if (owner->info->domain == IFBAM_DOMAIN_TRANSLATION
          || owner->info->domain == IFBAM_DOMAIN_ANY)
        return find_place (compiler, point, end);
      add_issue (compiler, owner, key,
                 g_strdup_printf ("\"%s\" is a coordinate of translation, %s %s is for %s", name,
                                  ifbam_element_article (owner->info), owner->info->name,
                                  ifbam_domain_info (owner->info->domain % IFBAM_N_DOMAINS)->name));
      return FALSE;
    }
  end->coordinate = 0;
  if (element == NULL && find_plane_member (compiler, name, end->node))
    {
      end->form = IFBAM_FORM_BALL;
      end->n_nodes = 2;
      end->place[0] = end->n_nodes;
      return TRUE;
    }
  if (element != NULL && element->info->form == IFBAM_FORM_PLACE)
    {
      end->form = IFBAM_FORM_PLACE;
      return find_place (compiler, element, end);
    }
  if (element != NULL && element->info->form != IFBAM_FORM_POINT)
    {
      end->form = ifbam_element_form (element);
      /* What turns about axes in the plane is an end as what does not turn. */
      end->n_nodes = end->form == IFBAM_FORM_TABLE && !ifbam_element_is_one_ended (owner->info)
                         ? 2
                         : MAX (ifbam_element_n_coordinates (element), 1);
      for (guint i = 0; i < end->n_nodes; i++)
        end->node[i] = place_of (compiler, element)->index + i;
      end->place[0] = MIN (end->n_nodes, 3);
      if (element->info->shape != NULL)
        element->info->shape (element, end->place + IFBAM_END_NUMBERS);
    }
  else
    {
      end->n_nodes = 1;
      end->node[0] = find_node (compiler, owner, key, name);
    }
  return end->node[0] != IFBAM_NO_NODE;
}

/* "an inertia": what stands there; of a composite's member no more is told (transfer full). */
static char *
end_text (const LinkEnd *end)
{
  if (end->element == NULL)
    return g_strdup (end->form == IFBAM_FORM_BALL ? "a ball" : "a node");
  return g_strdup_printf ("%s %s", ifbam_element_article (end->element->info),
                          end->element->info->name);
}

static gboolean
is_fixed_link (const IfbamModel *model, const IfbamLink *link)
{
  for (guint e = 0; e < link->n_ports; e++)
    if (link->node[e] < model->n_free)
      return FALSE;
  return TRUE;
}

static gboolean
is_place (const IfbamSignal *signal)
{
  return signal->kind == IFBAM_SIGNAL_PLACE || signal->kind == IFBAM_SIGNAL_PLACE_RATE;
}

/* The ends of a link that hears a signal; FALSE after an issue. */
static gboolean
find_signal (Compiler *compiler, IfbamElement *element, const char *text, IfbamLink *link,
             void *law)
{
  const char *key = ifbam_element_slot_key (element->info, element->info->signal_slot);
  const char *unit;
  IfbamSignal signal;
  char *reason = NULL;

  if (!ifbam_signal_find (compiler->model, compiler->by_name, text, &signal, &unit, &reason))
    {
      const char *dot = strrchr (text, '.');
      g_autofree char *name = dot == NULL ? NULL : g_strndup (text, (gsize) (dot - text));
      const IfbamElement *other =
          name == NULL ? NULL : g_hash_table_lookup (compiler->by_name, name);

      if (reason == NULL && other != NULL && other->info->signal_slot != 0)
        reason = g_strdup_printf ("\"%s\" is of %s %s itself (want what a node or a link does)",
                                  text, other == element ? "the" : "another", other->info->name);
      if (reason != NULL)
        add_issue (compiler, element, key, reason);
      return FALSE;
    }
  switch (signal.kind)
    {
    case IFBAM_SIGNAL_POSITION:
    case IFBAM_SIGNAL_RATE:
      link->geometry = ifbam_link_geometry (1, IFBAM_FORM_POINT, 0, IFBAM_ON_POINT, NULL, NULL);
      link->n_ports = 1;
      link->node[0] = (guint32) signal.number;
      break;
    case IFBAM_SIGNAL_COMPRESSION:
    case IFBAM_SIGNAL_LINK_RATE:
    case IFBAM_SIGNAL_PLACE:
    case IFBAM_SIGNAL_PLACE_RATE:
      if (signal.single || is_place (&signal))
        {
          const IfbamLink *other = &g_array_index (is_place (&signal) ? compiler->model->gauges
                                                                      : compiler->model->singles,
                                                   IfbamLink, signal.number);

          link->geometry = other->geometry;
          link->n_ports = other->n_ports;
          memcpy (link->shape, other->shape, sizeof link->shape);
          memcpy (link->node, other->node, sizeof link->node);
          break;
        }
      link->geometry = &ifbam_difference;
      link->n_ports = 2;
      link->node[0] = g_array_index (compiler->left, guint32, signal.number);
      link->node[1] = g_array_index (compiler->right, guint32, signal.number);
      break;
    default:
      add_issue (compiler, element, key,
                 g_strdup_printf ("\"%s\" can't be watched (want where a node is or how "
                                  "fast it is, or a link's compression or rate)",
                                  text));
      return FALSE;
    }
  key = NULL;
  reason = element->info->hears (element, law,
                                 signal.kind == IFBAM_SIGNAL_RATE
                                     || signal.kind == IFBAM_SIGNAL_LINK_RATE
                                     || signal.kind == IFBAM_SIGNAL_PLACE_RATE,
                                 unit, compiler->reader->number, &key);
  if (reason != NULL)
    add_issue (compiler, element, key, reason);
  return reason == NULL;
}

/* A link that changes nothing: it hears a signal. */
static void
add_listener (Compiler *compiler, IfbamElement *element)
{
  const char *text = ifbam_element_slots (element)[element->info->signal_slot];
  void *law = keep_law (compiler, element);
  IfbamLink link = { .law = element->info->link,
                     .name = element->name,
                     .element = element,
                     .info = element->info,
                     .numbers = law,
                     .carrier = IFBAM_NO_NODE };

  if (text == NULL || !find_signal (compiler, element, text, &link, law))
    return;
  if (is_fixed_link (compiler->model, &link))
    {
      add_issue (compiler, element,
                 ifbam_element_slot_key (element->info, element->info->signal_slot),
                 g_strdup_printf ("\"%s\" is prescribed (want what moves freely)", text));
      return;
    }
  place_of (compiler, element)->index = compiler->model->singles->len;
  g_array_append_val (compiler->model->singles, link);
}

/* A relation's ports and shape, by its geometry. */
static void
join_ends (IfbamLink *link, const LinkEnd *end, guint n)
{
  const IfbamGeometry *geometry = link->geometry;
  const double *law = link->numbers;

  link->in_plane = geometry == link->law->ends;
  link->n_ports = 0;
  memset (link->shape, 0, sizeof link->shape);
  for (guint k = 0; k < n; k++)
    for (guint i = geometry->turns ? 2 : 0;
         i < end[k].n_nodes && (n == 2 || geometry->n_ports == 0 || i < geometry->n_ports); i++)
      link->node[link->n_ports++] = end[k].node[i];
  if (geometry == &ifbam_coordinates)
    {
      double numbers[2][IFBAM_COORDINATE_NUMBERS];

      for (guint k = 0; k < 2; k++)
        {
          numbers[k][0] = end[k].coordinate;
          memcpy (&numbers[k][1], end[k].place, IFBAM_END_NUMBERS * sizeof *end[k].place);
        }
      geometry->shape (law, numbers[0], numbers[1], link->shape);
    }
  else if (geometry->shape != NULL)
    geometry->shape (law + (link->in_plane ? link->law->first_of_ends : 0), end[0].place,
                     n == 2 ? end[1].place : NULL, link->shape);
}

/* "floor.friction"; events that have it live on. */
static const char *
relation_name (const IfbamLink *link, const IfbamLaw *law)
{
  g_autofree char *name = g_strdup_printf ("%s.%s", link->name, law->name);

  return g_intern_string (name);
}

/* Whether it has something to hold: balls do not turn. */
static gboolean
has_hold (const IfbamGeometry *geometry, const LinkEnd *end)
{
  return !geometry->turns || (end[0].n_nodes != 2 && end[1].n_nodes != 2);
}

static void
add_standstill (Compiler *compiler, IfbamElement *element, const char *key, const IfbamLaw *law)
{
  add_issue (compiler, element, key,
             g_strdup_printf ("nothing turns there: there is no %s (balls go around without "
                              "turning, what is fixed does not turn)",
                              law->name));
}

/* The further relations of the last link: over its ends, or along those that carry them. */
static void
add_relations (Compiler *compiler, const char *key, const LinkEnd *end)
{
  GArray *singles = compiler->model->singles;
  const guint32 first = singles->len - 1;
  const IfbamLink link = g_array_index (singles, IfbamLink, first);
  guint place = 1;

  for (const IfbamLaw *law = link.law->next; law != NULL; law = law->next, place++)
    {
      IfbamLink relation = link;

      if (law->acts != NULL && !law->acts (link.numbers))
        continue;
      if (law->across)
        {
          relation.law = law;
          relation.name = relation_name (&link, law);
          relation.place = place;
          relation.geometry = link.geometry->along;
          relation.follows = TRUE;
          g_array_index (singles, IfbamLink, first).leads = TRUE;
          g_array_append_val (singles, relation);
          continue;
        }
      if (law->ends != NULL)
        {
          relation.law = law;
          relation.name = relation_name (&link, law);
          relation.place = place;
          relation.geometry = law->ends;
          join_ends (&relation, end, 2);
          if (relation.n_ports > 0 && has_hold (law->ends, end))
            g_array_append_val (singles, relation);
          else if (law->acts != NULL)
            {
              add_standstill (compiler, link.element, key, law);
              return;
            }
          continue;
        }
      relation.carrier = first;
      while (relation.carrier < singles->len
             && g_array_index (singles, IfbamLink, relation.carrier).place < law->carrier)
        relation.carrier++;
      /* Who would carry it is not there. */
      if (relation.carrier == singles->len
          || g_array_index (singles, IfbamLink, relation.carrier).place != law->carrier)
        continue;
      relation.law = law;
      relation.name = relation_name (&link, law);
      relation.place = place;
      relation.n_carriers = MAX (law->n_carriers, 1);
      relation.in_plane = FALSE;
      relation.geometry = g_array_index (singles, IfbamLink, relation.carrier).geometry->along;
      if (relation.geometry != NULL && relation.geometry->turns
          && (!has_hold (relation.geometry, end) || end[0].n_nodes + end[1].n_nodes == 0))
        {
          add_standstill (compiler, link.element, key, law);
          return;
        }
      if (relation.geometry == NULL)
        {
          add_issue (compiler, link.element, key,
                     g_strdup_printf ("its ends don't slide along each other: there is no %s here",
                                      law->name));
          return;
        }
      if (end[0].form == IFBAM_FORM_TABLE || end[1].form == IFBAM_FORM_TABLE)
        {
          add_issue (
              compiler, link.element, law->name,
              g_strdup ("would turn a ball that is seen from above about an axis about which "
                        "it does not turn (leave it out)"));
          return;
        }
      for (guint k = 0; k < relation.n_carriers; k++)
        g_array_index (singles, IfbamLink, relation.carrier + k).carries = TRUE;
      g_array_append_val (singles, relation);
    }
}

/* What a link gets longer with has a port behind those of its ends. FALSE after an issue. */
static gboolean
drive_length (Compiler *compiler, IfbamElement *element, IfbamLink *link)
{
  const guint slot = element->info->length_slot;
  char *const *names = slot == 0 ? NULL : ifbam_element_slots (element)[slot];
  const char *key = slot == 0 ? NULL : ifbam_element_slot_key (element->info, slot);
  guint32 node;

  if (names == NULL || names[0] == NULL)
    return TRUE;
  node = find_node (compiler, element, key, names[0]);
  if (node == IFBAM_NO_NODE)
    return FALSE;
  for (guint e = 0; e < link->n_ports; e++)
    if (link->node[e] == node)
      {
        add_issue (compiler, element, key,
                   g_strdup_printf ("\"%s\" is of one of its ends (want another node)", names[0]));
        return FALSE;
      }
  claim_domain (compiler, element, key, node, element->info);
  link->geometry = link->geometry->driven;
  link->node[link->n_ports++] = node;
  return TRUE;
}

/* Of a link: a planetary gear's. */
#define MOST_ENDS 3

static void
add_single (Compiler *compiler, IfbamElement *element)
{
  const IfbamElementInfo *info = element->info;
  char *const *names = ifbam_element_slots (element)[IFBAM_SLOT_BETWEEN];
  const guint n = names == NULL ? 0 : g_strv_length ((char **) names);
  const char *key = n > 1 ? "between" : "on";
  IfbamLink link = { .law = info->link,
                     .name = element->name,
                     .element = element,
                     .info = info,
                     .carrier = IFBAM_NO_NODE };
  LinkEnd end[MOST_ENDS];
  gboolean found = TRUE;
  gsize member;
  char *fault;
  void *law;

  if (n == 0 || n > MOST_ENDS)
    return; /* an issue already */
  law = keep_law (compiler, element);
  link.numbers = law;
  for (guint k = 0; k < n; k++)
    found &= find_end (compiler, element, key, names[k], &end[k]);
  if (!found)
    return;
  if (n == MOST_ENDS)
    link.geometry =
        (end[0].form | end[1].form | end[2].form) == IFBAM_FORM_POINT ? info->link->geometry : NULL;
  else
    link.geometry = ifbam_link_geometry (n, end[0].form, n == 2 ? end[1].form : 0, info->forms,
                                         info->link->geometry, info->link->ends);
  if (n == 2 && (end[0].coordinate | end[1].coordinate) > 0)
    link.geometry = end[0].form == IFBAM_FORM_POINT && end[1].form == IFBAM_FORM_POINT
                            && (link.geometry == &ifbam_difference)
                        ? &ifbam_coordinates
                        : NULL;
  check_length (compiler, element, &link);
  if (link.geometry == NULL)
    {
      g_autofree char *left = end_text (&end[0]), *right = n == 2 ? end_text (&end[1]) : NULL;
      const char *article = ifbam_element_article (info);

      add_issue (
          compiler, element, key,
          n == 2   ? g_strdup_printf ("%s %s can't stand between %s and %s (it stands between %s)",
                                      article, info->name, left, right,
                                      ifbam_link_forms_text (info->forms))
          : n == 1 ? g_strdup_printf (
                "%s %s can't act on %s%s", article, info->name, left,
                (info->forms & IFBAM_ON_TABLE) != 0 ? " (want a ball with table = yes)" : "")
                   : g_strdup_printf ("%s %s stands between nodes on lines", article, info->name));
      return;
    }
  for (guint k = 0; k < n && n == MOST_ENDS; k++)
    if (end[k].node[0] == end[(k + 1) % n].node[0])
      {
        add_issue (compiler, element, key,
                   g_strdup_printf ("\"%s\" is named twice (it joins three nodes)", names[k]));
        return;
      }
  if (n == 2 && MIN (end[0].n_nodes, end[1].n_nodes) > 0 && end[0].node[0] == end[1].node[0]
      && (MIN (end[0].n_nodes, end[1].n_nodes) == 1 || end[0].node[1] == end[1].node[1]))
    {
      add_issue (
          compiler, element, key,
          g_str_equal (names[0], names[1])
              ? g_strdup_printf ("both ends are on \"%s\" (a link joins two nodes)", names[0])
              : g_strdup_printf (
                  "both ends are on one %s: \"%s\" goes with \"%s\" (a link joins two)",
                  ifbam_model_node_span (compiler->model, end[0].node[0], &member)
                      ->element->info->name,
                  names[0], names[1]));
      return;
    }
  /* A surface stands at the right. */
  if (n == 2 && end[0].form == IFBAM_FORM_SURFACE)
    {
      LinkEnd swap = end[0];

      end[0] = end[1];
      end[1] = swap;
    }
  for (guint k = 0; k < n; k++)
    for (guint i = 0; i < end[k].n_nodes && end[k].coordinate == 0
                      && !ifbam_form_in_plane (end[k].form) && info->domain < IFBAM_N_DOMAINS;
         i++)
      claim_end (compiler, element, key, end[k].node[i], info, ifbam_element_end_domain (info, k));
  join_ends (&link, end, n);
  if (!drive_length (compiler, element, &link))
    return;
  link.n_states = info->link->n_states;
  link.first_state = info->link->first_state;
  for (guint k = 0; k < link.n_states; k++)
    link.node[link.n_ports + k] = compiler->next_inner + k;
  fault = link.geometry->fault == NULL ? NULL : link.geometry->fault (link.shape);
  if (fault != NULL)
    {
      add_issue (compiler, element, key, fault);
      return;
    }
  if (info->link_law != NULL)
    {
      const double radius = link.geometry->radius == NULL ? 0 : link.geometry->radius (link.shape);
      const double mass = link.geometry->mass == NULL ? 0 : link.geometry->mass (link.shape);

      fault = info->link_law (element, law, radius, mass, &key);
    }
  if (fault != NULL)
    {
      add_issue (compiler, element, key, fault);
      return;
    }
  if (is_fixed_link (compiler->model, &link) && !info->link->stands)
    {
      add_issue (
          compiler, element, key,
          g_strdup (
              link.n_ports == 0
                  ? "both ends are points fixed in the plane, and have no inertia: nothing could "
                    "move (a pin where rods meet is a ball with a small mass)"
              : n >= 2 ? "both ends have prescribed motions: nothing could "
                         "move (join it to a mass, an inertia or a capacitor)"
                       : "its motion is prescribed"));
      return;
    }
  place_of (compiler, element)->index = compiler->model->singles->len;
  g_array_append_val (compiler->model->singles, link);
  add_instants (compiler, element, IFBAM_INSTANT_TOGGLE, place_of (compiler, element)->index);
  add_relations (compiler, key, end);
}

/* Links of a class between points of the plane, one after the other. */
static void
add_plane_path (Compiler *compiler, IfbamElement *owner, const IfbamMember *kind, const char *from,
                const char *to, gsize count)
{
  const gsize n = count - 1 + (from != NULL) + (to != NULL);
  const guint32 x = place_of (compiler, owner)->index;
  char *const names[] = { (char *) from, (char *) to };
  const gboolean between = ifbam_element_param_index (owner->info, "between") >= 0;
  const char *const keys[] = { between ? "between" : "from", between ? "between" : "to" };
  IfbamSpan span = { .first = compiler->model->singles->len,
                     .count = n,
                     .stride = 1,
                     .info = kind->info,
                     .element = owner,
                     .letter = kind->letter };
  LinkEnd outer[2], end[2];
  double *numbers;

  for (guint k = 0; k < 2; k++)
    {
      if (names[k] == NULL)
        continue;
      if (!find_end (compiler, owner, keys[k], names[k], &outer[k]))
        return;
      if (!ifbam_form_in_plane (outer[k].form))
        {
          g_autofree char *text = end_text (&outer[k]);

          add_issue (compiler, owner, keys[k],
                     g_strdup_printf ("\"%s\" is %s (%s %s begins and ends at points of the plane)",
                                      names[k], text, ifbam_element_article (owner->info),
                                      between ? owner->info->name : "chain of rods"));
          return;
        }
    }
  span.series = keep_series (compiler, kind);
  span.overrides = keep_overrides (compiler, kind->overrides);
  g_array_append_val (compiler->model->single_families, span);
  numbers = keep (compiler, g_malloc0 (n * kind->info->law_size + 1), g_free);
  for (gsize i = 0; i < n; i++, numbers += kind->info->law_size / sizeof *numbers)
    {
      const gsize left = i + (from == NULL); /* of members, counted from 1 */
      g_autofree char *name = ifbam_span_name (&span, i);
      IfbamLink link = { .law = kind->info->link,
                         .name = g_intern_string (name),
                         .element = owner,
                         .info = kind->info,
                         .numbers = numbers,
                         .geometry = kind->info->link->ends,
                         .carrier = IFBAM_NO_NODE };

      ifbam_span_law (&span, i, numbers);
      for (guint k = 0; k < 2; k++)
        {
          const gsize member = left + k;

          end[k] = member == 0 ? outer[0]
                   : member == count + 1
                       ? outer[1]
                       : (LinkEnd){ .form = IFBAM_FORM_BALL,
                                    .n_nodes = 2,
                                    .node = { x + (guint32) member - 1,
                                              x + (guint32) (count + member) - 1 },
                                    .place = { 2 } };
        }
      join_ends (&link, end, 2);
      g_array_append_val (compiler->model->singles, link);
    }
}

/* What keeps things apart has to find them apart. */
static void
check_apart (Compiler *compiler)
{
  const IfbamModel *model = compiler->model;
  g_autofree double *position = g_new (double, model->n_nodes + 1);
  g_autofree double *rate = g_new (double, model->n_nodes + 1);

  ifbam_model_initial_range (model, 0, model->n_nodes, position, rate);
  for (guint j = 0; j < model->singles->len; j++)
    {
      const IfbamLink *link = &g_array_index (model->singles, IfbamLink, j);
      double x[IFBAM_MAX_PORTS], v[IFBAM_MAX_PORTS], row[IFBAM_MAX_PORTS], delta, scale = 0;
      IfbamRelation relation;

      for (guint e = 0; e < link->n_ports; e++)
        {
          x[e] = position[link->node[e]];
          v[e] = rate[link->node[e]];
          scale = MAX (scale, fabs (x[e]));
        }
      link->geometry->measure (link->shape, x, v, &delta, row);
      relation = link->law->relation (link->numbers, link->law->mode (link->numbers, delta, 0));
      if (relation.kind == IFBAM_RELATION_CONTACT
          && delta - relation.gap > 64 * DBL_EPSILON * MAX (scale, fabs (relation.gap)))
        add_issue (compiler, link->element, "between",
                   link->geometry->turns
                       ? g_strdup_printf ("its bodies have turned by %g rad more than the stop "
                                          "lets them at the start (turn them back)",
                                          delta - relation.gap)
                       : g_strdup_printf ("its ends overlap by %g at the start (move them apart%s)",
                                          delta - relation.gap,
                                          ifbam_element_param_index (link->element->info, "gap") < 0
                                              ? ""
                                              : ", or give it a larger gap"));
    }
}

/* Where an impulse acts: on a node, between two, or between two points of the plane. FALSE after an issue. */
static gboolean
join_impulse (Compiler *compiler, IfbamImpulse *impulse, const char *key, char *const *names)
{
  static const IfbamLaw apart = { .ends = &ifbam_approach };
  IfbamElement *element = impulse->element;
  IfbamLink link = { .law = &apart, .numbers = impulse->law };
  const guint n = g_strv_length ((char **) names);
  IfbamDomain domain = IFBAM_DOMAIN_ANY;
  LinkEnd end[2];

  if (n < 1 || n > G_N_ELEMENTS (end))
    return FALSE; /* an issue already */
  for (guint k = 0; k < n; k++)
    {
      if (impulse->apart
              ? !find_end (compiler, element, key, names[k], &end[k])
              : (end[k] = (LinkEnd){ .n_nodes = 1,
                                     .node = { find_node (compiler, element, key, names[k]) } })
                        .node[0]
                    == IFBAM_NO_NODE)
        return FALSE;
    }
  link.geometry = ifbam_link_geometry (n, end[0].form, n == 2 ? end[1].form : 0,
                                       IFBAM_ON_POINT | IFBAM_BETWEEN_POINTS | IFBAM_BETWEEN_ENDS,
                                       NULL, apart.ends);
  if (impulse->apart && (end[0].coordinate | end[1].coordinate) > 0
      && link.geometry == &ifbam_difference)
    link.geometry = &ifbam_coordinates;
  if (link.geometry == NULL)
    {
      g_autofree char *left = end_text (&end[0]), *right = end_text (&end[1]);

      add_issue (compiler, element, key,
                 g_strdup_printf ("an impulse can't push %s and %s apart (it stands between two "
                                  "nodes, or two points of the plane)",
                                  left, right));
      return FALSE;
    }
  if (n == 2 && MIN (end[0].n_nodes, end[1].n_nodes) > 0 && end[0].node[0] == end[1].node[0]
      && (MIN (end[0].n_nodes, end[1].n_nodes) == 1 || end[0].node[1] == end[1].node[1]))
    {
      add_issue (compiler, element, key,
                 g_strdup_printf ("both ends are on \"%s\" (it pushes two apart)", names[0]));
      return FALSE;
    }
  join_ends (&link, end, n);
  impulse->geometry = link.geometry;
  memcpy (impulse->shape, link.shape, sizeof link.shape);
  memcpy (impulse->node, link.node, link.n_ports * sizeof *link.node);
  impulse->n_nodes = link.n_ports;
  if (is_fixed_link (compiler->model, &link))
    {
      add_issue (compiler, element, key,
                 impulse->apart
                     ? g_strdup ("both ends have prescribed motions: an impulse can't change them")
                     : g_strdup_printf ("the motion of \"%s\" is prescribed: an impulse can't "
                                        "change it",
                                        names[0]));
      return FALSE;
    }
  /* What is given takes the kind of the other. */
  for (guint k = 0; k < n; k++)
    if (end[k].coordinate > 0 || ifbam_form_in_plane (end[k].form))
      domain = IFBAM_DOMAIN_TRANSLATION;
    else if (end[k].node[0] < compiler->model->n_free)
      domain = ifbam_model_node_domain (compiler->model, end[k].node[0]);
  if ((element->domains >> domain & 1) == 0)
    {
      g_autofree char *unit = ifbam_domain_unit (domain, "%f s");

      add_issue (compiler, element, key,
                 g_strdup_printf ("\"%s\" is of %s, where impulses are in %s", names[0],
                                  ifbam_domain_info (domain)->name, unit));
      return FALSE;
    }
  for (guint k = 0; k < n && impulse->apart; k++)
    if (end[k].coordinate == 0 && end[k].form == IFBAM_FORM_POINT)
      claim_end (compiler, element, key, end[k].node[0], element->info, domain);
  return TRUE;
}

static void
add_impulse (Compiler *compiler, IfbamElement *element)
{
  char *const *on = ifbam_element_slots (element)[IFBAM_SLOT_ON];
  char *const *ends = ifbam_element_slots (element)[IFBAM_SLOT_ENDS];
  char *const *when = ifbam_element_slots (element)[IFBAM_SLOT_WHEN];
  IfbamImpulse impulse = { .element = element, .apart = ends != NULL, .trigger = IFBAM_NO_NODE };
  const IfbamElement *monitor;

  impulse.law = keep_law (compiler, element);
  if (on == NULL && ends == NULL)
    {
      add_issue (compiler, element, "on",
                 g_strdup ("is missing (the node that it strikes; or between = LEFT, RIGHT)"));
      return;
    }
  if (!join_impulse (compiler, &impulse, ends != NULL ? "between" : "on", ends != NULL ? ends : on))
    return;
  if (when != NULL && when[0] != NULL)
    {
      monitor = g_hash_table_lookup (compiler->by_name, when[0]);
      if (monitor == NULL || monitor->info->hears == NULL)
        {
          add_issue (compiler, element, "when",
                     g_strdup_printf (monitor == NULL ? "no monitor \"%s\" in this network"
                                                      : "\"%s\" is no monitor",
                                      when[0]));
          return;
        }
      if (place_of (compiler, monitor)->index == IFBAM_NO_NODE)
        return; /* an issue already */
      impulse.trigger = place_of (compiler, monitor)->index;
      impulse.value = ((const double *) impulse.law)[0];
    }
  place_of (compiler, element)->index = compiler->model->impulses->len;
  g_array_append_val (compiler->model->impulses, impulse);
  add_instants (compiler, element, IFBAM_INSTANT_IMPULSE, place_of (compiler, element)->index);
}

static int
compare_instants (gconstpointer a, gconstpointer b)
{
  const IfbamInstant *one = a, *other = b;

  if (one->time != other->time)
    return one->time < other->time ? -1 : 1;
  if (one->kind != other->kind)
    return (int) one->kind - (int) other->kind;
  return one->number < other->number ? -1 : one->number > other->number;
}

static void
add_links (Compiler *compiler, const GPtrArray *elements)
{
  compiler->next_inner = (guint32) ifbam_model_n_outer (compiler->model);
  for (guint i = 0; i < elements->len; i++)
    {
      IfbamElement *element = elements->pdata[i];
      const gboolean composite = ifbam_element_kind (element) == IFBAM_KIND_COMPOSITE;
      const gboolean link = element->info->kind == IFBAM_KIND_LINK && !composite;
      const gboolean single = link && is_single (compiler, element);

      place_of (compiler, element)->single = (guint16) single;
      if (link && !single)
        add_link (compiler, element);
      else if (element->info->kind == IFBAM_KIND_SOURCE)
        add_source (compiler, element);
      else if (single && element->info->signal_slot == 0)
        add_single (compiler, element);
      else if (element->info->form == IFBAM_FORM_PLACE)
        check_point (compiler, element);
      else if (composite)
        element->info->expand_links (element, &compiler->offers);
      if (link)
        compiler->next_inner += element->info->link->n_states;
    }
  /* What they hear may stand behind them, and be one of them, which has no number yet. */
  for (guint i = 0; i < elements->len; i++)
    if (((IfbamElement *) elements->pdata[i])->info->signal_slot != 0)
      add_listener (compiler, elements->pdata[i]);
  /* Monitors may stand behind what waits for them. */
  for (guint i = 0; i < elements->len; i++)
    if (((IfbamElement *) elements->pdata[i])->info->kind == IFBAM_KIND_IMPULSE)
      add_impulse (compiler, elements->pdata[i]);
  g_array_sort (compiler->model->instants, compare_instants);
  compiler->model->n_links = compiler->left->len;
  compiler->model->n_sources = compiler->model->sources->len;
  compiler->model->source_node =
      g_memdup2 (compiler->source_nodes->data, compiler->model->n_sources * sizeof (guint32));
}

/* What keeps a link's states is to stand near it, too: as if links joined it to the nodes at the ends. */
static guint32 *
find_numbers (const Compiler *compiler)
{
  const IfbamModel *model = compiler->model;
  g_autoptr (GArray) left = NULL, right = NULL;

  if (model->n_inner == 0)
    return ifbam_model_renumber (model->n_free, (const guint32 *) compiler->left->data,
                                 (const guint32 *) compiler->right->data, model->n_links);
  left = g_array_new (FALSE, FALSE, sizeof (guint32));
  right = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_array_append_vals (left, compiler->left->data, compiler->left->len);
  g_array_append_vals (right, compiler->right->data, compiler->right->len);
  for (guint s = 0; s < model->link_spans->len; s++)
    {
      const IfbamSpan *span = &g_array_index (model->link_spans, IfbamSpan, s);

      for (guint k = 0; k < span->info->link->n_states; k++)
        {
          const guint32 state = g_array_index (compiler->inner, guint32, span->first) + k;

          g_array_append_val (left, g_array_index (compiler->left, guint32, span->first));
          g_array_append_val (right, state);
          g_array_append_val (left, g_array_index (compiler->right, guint32, span->first));
          g_array_append_val (right, state);
        }
    }
  return ifbam_model_renumber (model->n_free, (const guint32 *) left->data,
                               (const guint32 *) right->data, left->len);
}

static guint32
new_number (const IfbamModel *model, guint32 node)
{
  return node < model->n_free ? model->number[node] : node;
}

/* Gives the free nodes better numbers, if there are such. */
static void
renumber (Compiler *compiler)
{
  IfbamModel *model = compiler->model;
  guint32 *left = (guint32 *) (gpointer) compiler->left->data;
  guint32 *right = (guint32 *) (gpointer) compiler->right->data;
  guint32 *number = find_numbers (compiler);
  double *inverse_inertia, *inertia = NULL;

  if (number == NULL)
    return;
  model->number = number;
  model->file_node = g_new (guint32, model->n_free);
  inverse_inertia = g_aligned_alloc (model->n_free + 1, sizeof (double), IFBAM_PAGE);
  if (model->inertia != NULL)
    inertia = g_new (double, model->n_free);
  for (gsize i = 0; i < model->n_free; i++)
    {
      model->file_node[number[i]] = (guint32) i;
      inverse_inertia[number[i]] = model->inverse_inertia[i];
      if (inertia != NULL)
        inertia[number[i]] = model->inertia[i];
    }
  g_aligned_free (model->inverse_inertia);
  g_free (model->inertia);
  model->inverse_inertia = inverse_inertia;
  model->inertia = inertia;
  for (gsize i = 0; i < model->n_links; i++)
    {
      left[i] = new_number (model, left[i]);
      right[i] = new_number (model, right[i]);
    }
  for (gsize i = 0; i < model->n_sources; i++)
    model->source_node[i] = new_number (model, model->source_node[i]);
}

/* What composites are offered. */

static gsize
offer_nodes (IfbamBuilder *builder, IfbamElement *owner, const IfbamMember *member, gsize count)
{
  return add_free_nodes ((Compiler *) builder, owner, member, count);
}

static gsize
offer_first_node (IfbamBuilder *builder, const IfbamElement *owner)
{
  return place_of ((Compiler *) builder, owner)->index;
}

static void
offer_path (IfbamBuilder *builder, IfbamElement *owner, const IfbamMember *kinds, guint n_kinds,
            const IfbamPath *path)
{
  add_path ((Compiler *) builder, owner, kinds, n_kinds, path);
}

static void
offer_plane_path (IfbamBuilder *builder, IfbamElement *owner, const IfbamMember *kind,
                  const char *from, const char *to, gsize count)
{
  add_plane_path ((Compiler *) builder, owner, kind, from, to, count);
}

static void
offer_source (IfbamBuilder *builder, IfbamElement *owner, const IfbamMember *member, gsize first,
              gsize count)
{
  add_member_source ((Compiler *) builder, owner, member, first, count);
}

/* Where a composite's member starts. */
static void
find_member_start (const Compiler *compiler, const char *name, double place[2])
{
  guint32 node[2];

  for (guint c = 0; c < 2 && find_plane_member (compiler, name, node); c++)
    {
      double law[IFBAM_MAX_LAW];
      gsize member;
      const IfbamSpan *span = ifbam_model_node_span (compiler->model, node[c], &member);

      ifbam_span_law (span, member, law);
      place[c] = span->info->initial (law).position;
    }
}

/* What a point follows, where that is an element, and no course. */
static void
add_followed_start (const Compiler *compiler, const IfbamElement *point, double place[2])
{
  for (guint c = 0; c < G_N_ELEMENTS (follow_slots); c++)
    {
      char *const *names = ifbam_element_slots (point)[follow_slots[c]];
      const IfbamElement *followed = names == NULL || names[0] == NULL
                                         ? NULL
                                         : g_hash_table_lookup (compiler->by_name, names[0]);

      if (followed == NULL)
        continue;
      if (followed->info->kind == IFBAM_KIND_FREE_NODE)
        place[c] += followed->info->initial (ifbam_element_law (followed)).position;
      else if (followed->info->kind == IFBAM_KIND_GIVEN_NODE)
        place[c] += followed->info->motion (ifbam_element_law (followed), NULL, 0.0).position;
    }
}

static gboolean
offer_start (IfbamBuilder *builder, const char *name, double place[2])
{
  const Compiler *compiler = (Compiler *) builder;
  const IfbamElement *element = g_hash_table_lookup (compiler->by_name, name);
  const IfbamElement *body = NULL;
  double sine, cosine;

  place[0] = place[1] = 0;
  if (element == NULL)
    find_member_start (compiler, name, place);
  if (element == NULL || !ifbam_form_in_plane (element->info->form))
    return TRUE;
  place[0] = ifbam_element_number_of (element, "x");
  place[1] = ifbam_element_number_of (element, "y");
  if (element->info->form == IFBAM_FORM_PLACE)
    {
      char *const *on = ifbam_element_slots (element)[IFBAM_SLOT_ON];

      add_followed_start (compiler, element, place);
      body = on == NULL || on[0] == NULL ? NULL : g_hash_table_lookup (compiler->by_name, on[0]);
    }
  if (body == NULL)
    return element->info->form != IFBAM_FORM_PLACE || count_followed (element) > 0;
  ifbam_sine_cosine (ifbam_element_number_of (body, "angle") / IFBAM_TWO_PI, &sine, &cosine);
  {
    const double u = place[0], w = place[1];

    place[0] = ifbam_element_number_of (body, "x") + u * cosine - w * sine;
    place[1] = ifbam_element_number_of (body, "y") + u * sine + w * cosine;
  }
  return TRUE;
}

static const IfbamElement *
offer_field (IfbamBuilder *builder, const IfbamElement *owner)
{
  const GPtrArray *elements = ((Compiler *) builder)->model->elements;

  for (guint i = 0; i < elements->len; i++)
    {
      const IfbamElement *field = elements->pdata[i];
      char *const *on =
          field->info->potential == NULL ? NULL : ifbam_element_slots (field)[IFBAM_SLOT_ON];

      for (guint k = 0; on != NULL && on[k] != NULL; k++)
        if (g_str_equal (on[k], owner->name))
          return field;
    }
  return NULL;
}

static guint32
offer_find (IfbamBuilder *builder, IfbamElement *owner, const char *key, const char *name)
{
  return find_node ((Compiler *) builder, owner, key, name);
}

static void
offer_issue (IfbamBuilder *builder, IfbamElement *element, const char *key, char *text)
{
  add_issue ((Compiler *) builder, element, key, text);
}

/* Geometries that do the same for the ends that links have are theirs from now on. */
static void
specialise (IfbamModel *model)
{
  for (guint i = 0; i < model->singles->len; i++)
    {
      IfbamLink *link = &g_array_index (model->singles, IfbamLink, i);
      const IfbamGeometry *special =
          link->geometry->special == NULL ? NULL : link->geometry->special (link->shape);

      if (special != NULL)
        link->geometry = special;
    }
}

IfbamModel *
ifbam_model_new (const GPtrArray *elements, GHashTable *by_name, GHashTable *unknown,
                 const IfbamReader *reader, GArray *issues)
{
  IfbamModel *model = g_new0 (IfbamModel, 1);
  guint faults = issues->len;
  g_autoptr (GPtrArray) none = g_ptr_array_new ();
  Compiler compiler = {
    .offers = { offer_nodes, offer_first_node, offer_path, offer_plane_path, offer_source,
                offer_start, offer_field, offer_find, offer_issue },
    .model = model,
    .reader = reader,
    .by_name = by_name,
    .unknown = unknown,
    .left = g_array_new (FALSE, FALSE, sizeof (guint32)),
    .inner = g_array_new (FALSE, FALSE, sizeof (guint32)),
    .right = g_array_new (FALSE, FALSE, sizeof (guint32)),
    .source_nodes = g_array_new (FALSE, FALSE, sizeof (guint32)),
    .given_spans = g_array_new (FALSE, FALSE, sizeof (IfbamSpan)),
    .issues = issues,
  };

  model->node_spans = g_array_new (FALSE, FALSE, sizeof (IfbamSpan));
  model->link_spans = g_array_new (FALSE, FALSE, sizeof (IfbamSpan));
  model->node_families = g_array_new (FALSE, FALSE, sizeof (IfbamSpan));
  model->link_families = g_array_new (FALSE, FALSE, sizeof (IfbamSpan));
  model->single_families = g_array_new (FALSE, FALSE, sizeof (IfbamSpan));
  model->batches = g_array_new (FALSE, FALSE, sizeof (IfbamBatch));
  model->sources = g_ptr_array_new ();
  model->singles = g_array_new (FALSE, FALSE, sizeof (IfbamLink));
  model->gauges = g_array_new (FALSE, FALSE, sizeof (IfbamLink));
  model->impulses = g_array_new (FALSE, FALSE, sizeof (IfbamImpulse));
  model->instants = g_array_new (FALSE, TRUE, sizeof (IfbamInstant));
  model->kept = g_array_new (FALSE, FALSE, sizeof (IfbamKept));
  model->elements = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; i < elements->len; i++)
    g_ptr_array_add (model->elements, g_object_ref (elements->pdata[i]));
  model->node_runs = g_array_new (FALSE, FALSE, sizeof (IfbamNodeRun));
  make_places (model, elements);
  if (!check_size (&compiler, elements))
    {
      model->refused = TRUE;
      elements = none;
    }
  add_nodes (&compiler, elements);
  compiler.domains = g_new (guint32, model->n_nodes);
  for (guint s = 0; s < model->node_spans->len; s++)
    {
      const IfbamSpan *span = &g_array_index (model->node_spans, IfbamSpan, s);

      for (gsize i = 0; i < span->count; i++)
        compiler.domains[span->first + i] = span->letter != NULL ? 1u << span->info->domain
                                            : span->first < model->n_free
                                                ? span->element->domains
                                                : place_of (&compiler, span->element)->domain;
    }
  add_links (&compiler, elements);
  if (issues->len == faults)
    {
      ifbam_model_assemble (model, issues);
      check_apart (&compiler);
      specialise (model);
      if (!ifbam_model_has_events (model))
        renumber (&compiler);
    }
  if (issues->len == faults)
    {
      ifbam_model_wire (model, (const guint32 *) compiler.left->data,
                        (const guint32 *) compiler.right->data,
                        (const guint32 *) compiler.inner->data);
    }
  for (guint s = 0; s < model->link_spans->len; s++)
    if (g_array_index (model->link_spans, IfbamSpan, s).letter == NULL)
      g_array_index (model->link_spans, IfbamSpan, s).law = NULL;
  g_array_unref (compiler.left);
  g_array_unref (compiler.inner);
  g_array_unref (compiler.right);
  g_array_unref (compiler.source_nodes);
  g_array_unref (compiler.given_spans);
  g_clear_pointer (&compiler.node_names, g_ptr_array_unref);
  g_free (compiler.domains);
  return model;
}
