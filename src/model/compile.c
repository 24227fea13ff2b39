/* compile.c: compiles a network of elements into a model
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "model/compile-context.h"

#include "model/initial-configuration.h"
#include "model/compile-endpoints.h"
#include "model/compile-junctions.h"
#include "model/compile-storage.h"
#include "model/compile-links.h"
#include "model/compile-names.h"
#include "model/compile-nodes.h"
#include "model/compile-unbatched.h"
#include "model/compile-memory.h"
#include "model/compile-sources.h"

/* Adds dampers to all that was compiled without an issue. */
static void
add_damping (IfbamCompiler *compiler, IfbamElement *element)
{
  if (compiler->model->damping != NULL)
    ifbam_compiler_add_issue (
        compiler, element, NULL,
        g_strdup_printf ("\"%s\" already damps all elements", compiler->model->damping->name));
  compiler->model->damping = element;
  if (compiler->issues->len == 0)
    element->info->expand_links (element, &compiler->offers);
}

static void
add_links (IfbamCompiler *compiler, const GPtrArray *elements)
{
  compiler->next_state_node = (guint32) ifbam_model_n_named_free (compiler->model);
  /* They must not become further constraints of other links. */
  for (guint i = 0; i < elements->len; i++)
    if (ifbam_element_is_branch (elements->pdata[i]))
      ifbam_compiler_add_branch_constraint (compiler, elements->pdata[i]);
  for (guint i = 0; i < elements->len; i++)
    {
      IfbamElement *element = elements->pdata[i];
      const gboolean composite = ifbam_element_kind (element) == IFBAM_KIND_COMPOSITE;
      const gboolean link = element->info->kind == IFBAM_KIND_LINK && !composite;
      const gboolean single = link && ifbam_compiler_is_unbatched (compiler, element);

      ifbam_compiler_element_index (compiler, element)->single = (guint16) single;
      if (link && !single)
        ifbam_compiler_add_link (compiler, element);
      else if (element->info->kind == IFBAM_KIND_SOURCE)
        ifbam_compiler_add_source (compiler, element);
      else if (single && element->info->signal_slot == 0)
        ifbam_compiler_add_unbatched (compiler, element);
      else if (element->info->form == IFBAM_FORM_POINT)
        ifbam_compiler_check_point (compiler, element);
      else if (composite && !element->info->damps)
        element->info->expand_links (element, &compiler->offers);
      if (link)
        compiler->next_state_node += element->info->link->n_states;
    }
  for (guint i = 0; i < elements->len; i++)
    if (((IfbamElement *) elements->pdata[i])->info->damps)
      add_damping (compiler, elements->pdata[i]);
  /* Their signal may be of an element further on, or of one of them without an index yet. */
  for (guint i = 0; i < elements->len; i++)
    if (((IfbamElement *) elements->pdata[i])->info->signal_slot != 0)
      ifbam_compiler_add_monitor_link (compiler, elements->pdata[i]);
  ifbam_compiler_find_normal_forces (compiler);
  /* Monitors may be behind the elements that use them. */
  for (guint i = 0; i < elements->len; i++)
    if (((IfbamElement *) elements->pdata[i])->info->kind == IFBAM_KIND_IMPULSE)
      ifbam_compiler_add_impulse (compiler, elements->pdata[i]);
  for (guint i = 0; i < elements->len; i++)
    {
      ifbam_compiler_add_switched_element (compiler, elements->pdata[i]);
      ifbam_compiler_add_scaled_source (compiler, elements->pdata[i]);
    }
  for (guint i = 0; i < elements->len; i++)
    if (((IfbamElement *) elements->pdata[i])->info->motion != NULL)
      ifbam_compiler_add_time_events (
          compiler, elements->pdata[i], IFBAM_TIME_EVENT_MOTION,
          ifbam_compiler_element_index (compiler, elements->pdata[i])->index
              - (guint32) compiler->model->n_free);
  g_array_sort (compiler->model->time_events, ifbam_time_event_compare);
  compiler->model->n_links = compiler->left->len;
  compiler->model->n_sources = compiler->model->sources->len;
  compiler->model->source_node =
      g_memdup2 (compiler->source_nodes->data, compiler->model->n_sources * sizeof (guint32));
}

/* Renumbers the free nodes, if useful. */
static void
renumber (IfbamCompiler *compiler)
{
  IfbamModel *model = compiler->model;
  double *inverse_inertia, *inertia = NULL;

  ifbam_model_number_nodes (model, (guint32 *) (gpointer) compiler->left->data,
                            (guint32 *) (gpointer) compiler->right->data,
                            (const guint32 *) compiler->inner->data);
  if (model->number == NULL)
    return;
  inverse_inertia = g_aligned_alloc (model->n_free + 1, sizeof (double), IFBAM_PAGE);
  if (model->inertia != NULL)
    inertia = g_new (double, model->n_free);
  for (gsize i = 0; i < model->n_free; i++)
    {
      inverse_inertia[model->number[i]] = model->inverse_inertia[i];
      if (inertia != NULL)
        inertia[model->number[i]] = model->inertia[i];
    }
  g_aligned_free (model->inverse_inertia);
  g_free (model->inertia);
  model->inverse_inertia = inverse_inertia;
  model->inertia = inertia;
}

static void
offer_nodes (IfbamBuilder *builder, IfbamElement *owner, const IfbamMember *member, guint64 count)
{
  ifbam_compiler_add_free_nodes ((IfbamCompiler *) builder, owner, member, count);
}

static guint64
offer_first_node (IfbamBuilder *builder, const IfbamElement *owner)
{
  const IfbamSubnetwork *subnetwork = ifbam_model_subnetwork (((IfbamCompiler *) builder)->model);

  return subnetwork != NULL
             ? subnetwork->node[owner->id]
             : ifbam_compiler_element_index ((IfbamCompiler *) builder, owner)->index;
}

static void
offer_path (IfbamBuilder *builder, IfbamElement *owner, const IfbamMember *kinds, guint n_kinds,
            const IfbamPath *path)
{
  ifbam_compiler_add_path ((IfbamCompiler *) builder, owner, kinds, n_kinds, path);
}

static void
offer_rows (IfbamBuilder *builder, IfbamElement *owner, const IfbamMember *kinds,
            const IfbamRows *rows)
{
  ifbam_compiler_add_rows ((IfbamCompiler *) builder, owner, kinds, rows);
}

static void
offer_plane_path (IfbamBuilder *builder, IfbamElement *owner, const IfbamMember *kind,
                  const char *from, const char *to, gsize count)
{
  ifbam_compiler_add_plane_path ((IfbamCompiler *) builder, owner, kind, from, to, count);
}

static void
offer_dampers (IfbamBuilder *builder, IfbamElement *owner, const IfbamMember *kind,
               gboolean beside_links, double part)
{
  ifbam_compiler_add_dampers ((IfbamCompiler *) builder, owner, kind, beside_links, part);
}

static void
offer_source (IfbamBuilder *builder, IfbamElement *owner, const IfbamMember *member, gsize first,
              gsize count)
{
  ifbam_compiler_add_member_source ((IfbamCompiler *) builder, owner, member, first, count);
}

/* Finds the start of a composite's member. */
static void
find_member_start (const IfbamCompiler *compiler, const char *name, double place[2])
{
  guint32 node[2];

  for (guint c = 0; c < 2 && ifbam_compiler_find_plane_member (compiler, name, node); c++)
    {
      double law[IFBAM_MAX_LAW];
      gsize member;
      const IfbamSpan *span = ifbam_model_node_span (compiler->model, node[c], &member);

      ifbam_span_law (span, member, law);
      place[c] = span->info->initial (law).position;
    }
}

/* Adds the start of the elements that a point follows, without courses. */
static void
add_followed_start (const IfbamCompiler *compiler, const IfbamElement *point, double place[2])
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
  const IfbamCompiler *compiler = (IfbamCompiler *) builder;
  const IfbamElement *element = g_hash_table_lookup (compiler->by_name, name);
  const IfbamElement *body = NULL;
  double sine, cosine;

  place[0] = place[1] = 0;
  if (element == NULL)
    find_member_start (compiler, name, place);
  if (element == NULL || !ifbam_form_in_plane (element->info->form))
    return TRUE;
  place[0] = ifbam_element_value_of (element, "x");
  place[1] = ifbam_element_value_of (element, "y");
  if (element->info->form == IFBAM_FORM_POINT)
    {
      char *const *on = ifbam_element_slots (element)[IFBAM_SLOT_ON];

      add_followed_start (compiler, element, place);
      body = on == NULL || on[0] == NULL ? NULL : g_hash_table_lookup (compiler->by_name, on[0]);
    }
  if (body == NULL)
    return element->info->form != IFBAM_FORM_POINT || ifbam_compiler_count_followed (element) > 0;
  ifbam_sine_cosine (ifbam_element_value_of (body, "angle") / IFBAM_TWO_PI, &sine, &cosine);
  {
    const double u = place[0], w = place[1];

    place[0] = ifbam_element_value_of (body, "x") + u * cosine - w * sine;
    place[1] = ifbam_element_value_of (body, "y") + u * sine + w * cosine;
  }
  return TRUE;
}

static const IfbamElement *
offer_field (IfbamBuilder *builder, const IfbamElement *owner)
{
  const GPtrArray *elements = ((IfbamCompiler *) builder)->model->elements;

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

static guint64
offer_find (IfbamBuilder *builder, IfbamElement *owner, const char *key, const char *name)
{
  const IfbamCompiler *compiler = (IfbamCompiler *) builder;
  const IfbamSubnetwork *subnetwork = ifbam_model_subnetwork (compiler->model);
  const guint32 node = ifbam_compiler_find_node ((IfbamCompiler *) builder, owner, key, name);
  const IfbamElement *element;
  guint64 number;

  if (node == IFBAM_NO_NODE)
    return IFBAM_NO_INDEX;
  if (subnetwork == NULL)
    return node;
  element = g_hash_table_lookup (compiler->by_name, name);
  if (element != NULL)
    return subnetwork->node[element->id];
  return ifbam_member_find (compiler->model->node_families, name, &number) != NULL ? number
                                                                                   : IFBAM_NO_INDEX;
}

static void
offer_issue (IfbamBuilder *builder, IfbamElement *element, const char *key, char *text)
{
  ifbam_compiler_add_issue ((IfbamCompiler *) builder, element, key, text);
}

/* Replaces geometries by equivalent ones that are specialised for a link's ends. */
static void
specialise (IfbamModel *model)
{
  for (guint i = 0; i < model->unbatched_links->len; i++)
    {
      IfbamLink *link = &g_array_index (model->unbatched_links, IfbamLink, i);
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
  IfbamModel *model = ifbam_model_new_empty ();
  guint faults = issues->len;
  g_autoptr (GPtrArray) none = g_ptr_array_new ();
  IfbamCompiler compiler = {
    .offers = { offer_nodes, offer_first_node, offer_path, offer_rows, offer_plane_path,
                offer_dampers, offer_source, offer_start, offer_field, offer_find, offer_issue },
    .model = model,
    .reader = reader,
    .by_name = by_name,
    .unknown = unknown,
    .left = g_array_new (FALSE, FALSE, sizeof (guint32)),
    .inner = g_array_new (FALSE, FALSE, sizeof (guint32)),
    .right = g_array_new (FALSE, FALSE, sizeof (guint32)),
    .source_nodes = g_array_new (FALSE, FALSE, sizeof (guint32)),
    .given_spans = g_array_new (FALSE, FALSE, sizeof (IfbamSpan)),
    .programs = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
    .issues = issues,
  };

  model->subnetwork = reader->subnetwork;
  model->elements = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; i < elements->len; i++)
    g_ptr_array_add (model->elements, g_object_ref (elements->pdata[i]));
  ifbam_compiler_make_element_indices (model, elements);
  if (!ifbam_compiler_check_size (&compiler, elements))
    {
      model->refused = TRUE;
      elements = none;
    }
  ifbam_compiler_add_nodes (&compiler, elements);
  compiler.domains = g_new (guint32, model->n_nodes);
  for (guint s = 0; s < model->node_spans->len; s++)
    {
      const IfbamSpan *span = &g_array_index (model->node_spans, IfbamSpan, s);

      for (gsize i = 0; i < span->count; i++)
        compiler.domains[span->first + i] =
            span->letter != NULL ? 1u << span->info->domain
            : span->first < model->n_free
                ? span->element->domains
                : ifbam_compiler_element_index (&compiler, span->element)->domain;
    }
  add_links (&compiler, elements);
  if (issues->len == faults)
    ifbam_compiler_check_junctions (&compiler);
  if (issues->len == faults)
    {
      ifbam_model_assemble (model, issues);
      ifbam_compiler_check_apart (&compiler);
      specialise (model);
      if (!ifbam_model_has_events (model))
        renumber (&compiler);
    }
  if (issues->len == faults)
    {
      ifbam_model_connect (model, (const guint32 *) compiler.left->data,
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
  g_hash_table_unref (compiler.programs);
  g_clear_pointer (&compiler.node_names, g_ptr_array_unref);
  g_free (compiler.domains);
  return model;
}
