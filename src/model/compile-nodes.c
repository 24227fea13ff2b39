/* compile-nodes.c: the nodes of a model, with their spans and laws
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "model/compile-nodes.h"

#include <string.h>

#include "element/element.h"
#include "model/compile-endpoints.h"
#include "model/compile-storage.h"

/* Adds the members of a composite, or those in the subnetwork. */
static void
add_members (IfbamCompiler *compiler, IfbamSpan span, guint64 count, const GArray *rows)
{
  IfbamModel *model = compiler->model;
  const IfbamSubnetwork *subnetwork = ifbam_model_subnetwork (model);
  const guint64 first = subnetwork == NULL ? 0 : subnetwork->node[span.element->id];
  guint r;

  span.first = subnetwork == NULL ? model->n_free : (gsize) first;
  span.count = (gsize) count;
  g_array_append_val (model->node_families, span);
  if (rows != NULL)
    {
      span.first = model->n_free;
      span.count = ifbam_ranges_count (rows);
      span.rows = rows;
    }
  if (subnetwork == NULL || rows != NULL)
    {
      if (span.count > 0)
        g_array_append_val (model->node_spans, span);
      model->n_free += span.count;
      return;
    }
  r = ifbam_ranges_bound (subnetwork->nodes, first);
  for (IfbamRange part;
       ifbam_ranges_next_within (subnetwork->nodes, first, first + count, &r, &part);)
    {
      span.first = model->n_free;
      span.count = (gsize) part.count;
      span.offset = part.first - first;
      g_array_append_val (model->node_spans, span);
      model->n_free += span.count;
    }
}

void
ifbam_compiler_add_free_nodes (IfbamCompiler *compiler, IfbamElement *owner,
                               const IfbamMember *member, guint64 count)
{
  IfbamModel *model = compiler->model;
  IfbamElementIndex *place = ifbam_compiler_element_index (compiler, owner);
  IfbamSpan span = { .first = model->n_free,
                     .count = (gsize) count,
                     .stride = 1,
                     .info = member->info,
                     .element = owner,
                     .letter = member->letter,
                     .lone = member->is_single,
                     .tail = member->tail,
                     .open = member->is_guess };

  compiler->in_plane |= member->tail != NULL;
  if (place->index == IFBAM_NO_NODE)
    place->index = (guint32) model->n_free;
  if (member->letter != NULL)
    {
      span.series = ifbam_compiler_own_series (compiler, member);
      span.overrides = ifbam_compiler_own_overrides (compiler, member->overrides);
      add_members (compiler, span, count, ifbam_compiler_own_rows (compiler, member->rows));
      return;
    }
  span.law = ifbam_element_law (owner); /* replaced in keep_node_laws */
  g_array_append_val (model->node_spans, span);
  if (member->info->domain == IFBAM_DOMAIN_ANY)
    place->domain = (guint16) owner->domains;
  model->n_free += span.count;
}

/* Adds the state nodes of a link; they start at the last parameters of its law. */
static void
add_state_nodes (IfbamCompiler *compiler, IfbamElement *element)
{
  IfbamModel *model = compiler->model;
  const IfbamLaw *law = element->info->link;
  for (guint k = 0; k < law->n_states; k++)
    {
      IfbamSeries start = { ifbam_element_law (element) + law->first_state + k, 1, NULL };
      const IfbamMember member = { .info = ifbam_state_node_info (), .series = &start };
      const IfbamSpan span = { .first = model->n_free,
                               .count = 1,
                               .stride = 1,
                               .info = member.info,
                               .element = element,
                               .letter = law->states[k].name,
                               .lone = TRUE,
                               .series = ifbam_compiler_own_series (compiler, &member) };

      g_array_append_val (model->node_spans, span);
      model->n_free++;
      model->n_state_nodes++;
    }
}

static void
add_given (IfbamCompiler *compiler, IfbamElement *element)
{
  IfbamSpan span = { .count = 1, .stride = 1, .info = element->info, .element = element };
  guint32 domains = element->domains;

  span.law = ifbam_element_law (element);
  span.course = ifbam_compiler_read_course (compiler, element, &domains);
  ifbam_compiler_element_index (compiler, element)->domain = (guint16) domains;
  g_array_append_val (compiler->given_spans, span);
}

/* Copies the laws of nodes that are elements, into one block as there may be many. */
static void
keep_node_laws (IfbamCompiler *compiler)
{
  const GArray *spans = compiler->model->node_spans;
  gsize size = 0;
  char *block;

  for (guint s = 0; s < spans->len; s++)
    if (g_array_index (spans, IfbamSpan, s).letter == NULL)
      size += g_array_index (spans, IfbamSpan, s).info->law_size;
  block = ifbam_compiler_own (compiler, g_malloc (size + 1), g_free);
  for (guint s = 0; s < spans->len; s++)
    {
      IfbamSpan *span = &g_array_index (spans, IfbamSpan, s);

      if (span->letter != NULL)
        continue;
      span->law = memcpy (block, span->law, span->info->law_size);
      block += span->info->law_size;
    }
}

/* Sets the inertia of the next node; called in the order of indices. */
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
  model->inverse_inertia[node] = inertia > 0 ? 1.0 / inertia : 0.0;
  model->n_junctions += inertia == 0;
}

void
ifbam_compiler_add_nodes (IfbamCompiler *compiler, const GPtrArray *elements)
{
  IfbamModel *model = compiler->model;

  for (guint i = 0; i < elements->len; i++)
    {
      IfbamElement *element = elements->pdata[i];

      compiler->in_plane |= ifbam_form_in_plane (element->info->form);
      if (element->info->kind == IFBAM_KIND_FREE_NODE)
        {
          IfbamMember member = { .info = element->info };

          ifbam_compiler_add_free_nodes (compiler, element, &member, 1);
        }
      else if (element->info->kind == IFBAM_KIND_GIVEN_NODE)
        add_given (compiler, element);
      else if (model->rest == NULL
               && (element->info->form == IFBAM_FORM_POINT
                       ? ifbam_compiler_count_followed (element) == 1
                       : element->info->damps
                             || (ifbam_element_is_one_ended (element->info)
                                 && ifbam_element_in_batches (element->info)
                                 && !ifbam_compiler_is_on_body (compiler, element))))
        {
          model->rest = ifbam_implied_ground_new ();
          model->rest->id = model->n_places - 1;
        }
      else if (ifbam_element_kind (element) == IFBAM_KIND_COMPOSITE)
        element->info->expand_nodes (element, &compiler->offers);
    }
  for (guint i = 0; i < elements->len; i++)
    {
      IfbamElement *element = elements->pdata[i];

      if (element->info->kind == IFBAM_KIND_LINK && element->info->link->n_states > 0)
        add_state_nodes (compiler, element);
    }
  if (model->rest != NULL)
    add_given (compiler, model->rest);
  for (guint i = 0; i < compiler->given_spans->len; i++)
    {
      IfbamSpan *span = &g_array_index (compiler->given_spans, IfbamSpan, i);

      span->first = model->n_free + i;
      ifbam_compiler_element_index (compiler, span->element)->index = (guint32) span->first;
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
          double inertia;

          ifbam_span_own_law (span, own, i, law);
          inertia = span->info->inertia (law);
          /* Only a junction's class allows 0; else a fault was reported already. */
          set_inertia (model, span->first + i,
                       inertia == 0 && span->info->domain != IFBAM_DOMAIN_ANY ? 1 : inertia);
        }
    }
}
