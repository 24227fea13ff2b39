/* compiled-model.c: queries of a model: names, indices of elements, given motions and sources
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "model/compiled-model.h"

#include <string.h>

/* Spans */

char *
ifbam_span_name (const IfbamSpan *span, gsize member)
{
  const guint64 place = span->offset + member;

  if (span->letter == NULL)
    return g_strdup (span->element->name);
  if (span->lone)
    return g_strdup_printf ("%s.%s", span->element->name, span->letter);
  if (span->tail != NULL)
    return g_strdup_printf ("%s.%s%" G_GSIZE_FORMAT ".%s", span->element->name, span->letter,
                            member + 1, span->tail);
  return g_strdup_printf ("%s.%s%" G_GUINT64_FORMAT, span->element->name, span->letter,
                          (span->rows == NULL ? place : ifbam_ranges_number (span->rows, place))
                              + 1);
}

guint32
ifbam_span_common_law (const IfbamSpan *span, gpointer law)
{
  guint32 own = 0;

  if (span->letter == NULL)
    {
      memcpy (law, span->law, span->info->law_size);
      return 0;
    }
  for (guint k = 0; k < span->info->n_params; k++)
    {
      const IfbamParam *param = &span->info->params[k];
      const IfbamSeries *series = &span->series[k];

      if (param->kind != IFBAM_PARAM_NUMBER)
        continue;
      *(double *) ((char *) law + param->offset) =
          series->length > 0 ? series->values[0] : param->standard;
      if (series->length > 1 || span->overrides != NULL)
        own |= 1u << k;
    }
  return own;
}

void
ifbam_span_own_law (const IfbamSpan *span, guint32 own, gsize member, gpointer law)
{
  const guint64 place = span->offset + member;

  for (; own != 0; own &= own - 1)
    {
      const guint k = (guint) __builtin_ctz (own);
      const IfbamParam *param = &span->info->params[k];
      const IfbamSeries *series = &span->series[k];
      const double *number = NULL;

      if (span->overrides != NULL)
        number =
            g_hash_table_lookup (span->overrides, GSIZE_TO_POINTER (((gsize) place << 5 | k) + 1));
      if (number == NULL && series->length > 0)
        number = &series->values[series->length == 1 ? 0 : place % series->length];
      *(double *) ((char *) law + param->offset) = number != NULL ? *number : param->standard;
    }
}

void
ifbam_span_law (const IfbamSpan *span, gsize member, gpointer law)
{
  ifbam_span_own_law (span, ifbam_span_common_law (span, law), member, law);
}

void
ifbam_model_link_law (const IfbamModel *model, gsize link, double *law)
{
  gsize index;
  const IfbamBatch *batch = ifbam_model_batch (model, model->link_slot[link], &index);

  for (guint k = 0; k < batch->n_numbers; k++)
    law[k] = batch->parameters[k][index];
}

/* Returns the span that contains an index; spans with the same `first` are interleaved. */
static const IfbamSpan *
find_span (const GArray *spans, gsize number, gsize *member)
{
  gsize low = 0, high = spans->len;
  const IfbamSpan *span;

  /* A span's index is at most its first; if all spans are single, they are equal. */
  if (number < high && g_array_index (spans, IfbamSpan, number).first == number)
    low = number, high = number + 1;
  while (high - low > 1)
    {
      gsize middle = (low + high) / 2;

      if (g_array_index (spans, IfbamSpan, middle).first <= number)
        low = middle;
      else
        high = middle;
    }
  /* Among interleaved spans `low` is the last. */
  span = &g_array_index (spans, IfbamSpan, low);
  *member = (number - span->first) / span->stride;
  return span - span->phase + (number - span->first) % span->stride;
}

const IfbamSpan *
ifbam_model_node_span (const IfbamModel *model, gsize node, gsize *member)
{
  if (model->file_node != NULL && node < model->n_free)
    node = model->file_node[node];
  return find_span (model->node_spans, node, member);
}

const IfbamSpan *
ifbam_model_link_span (const IfbamModel *model, gsize link, gsize *member)
{
  return find_span (model->link_spans, link, member);
}

char *
ifbam_model_node_name (const IfbamModel *model, gsize node)
{
  gsize member;
  const IfbamSpan *span = ifbam_model_node_span (model, node, &member);

  return ifbam_span_name (span, member);
}

char *
ifbam_model_link_name (const IfbamModel *model, gsize link)
{
  gsize member;
  const IfbamSpan *span = ifbam_model_link_span (model, link, &member);

  return ifbam_span_name (span, member);
}

const IfbamBatch *
ifbam_model_batch (const IfbamModel *model, gsize slot, gsize *index)
{
  for (guint b = 0; b < model->batches->len; b++)
    {
      const IfbamBatch *batch = &g_array_index (model->batches, IfbamBatch, b);

      gsize first[IFBAM_MAX_SLOTS];
      const guint n = ifbam_batch_slots (batch, first);

      if (slot < (n == 0 ? batch->first_slot : first[n - 1]) + batch->count)
        {
          *index = ifbam_batch_index (batch, slot);
          return batch;
        }
    }
  return NULL;
}

gsize
ifbam_model_state (const IfbamModel *model, gsize link, gboolean single, guint state)
{
  const GArray *spans = model->node_spans;
  gsize member;
  const IfbamElement *element = single ? ifbam_unbatched_link (model, link)->element
                                       : ifbam_model_link_span (model, link, &member)->element;
  guint low = 0, high = spans->len;

  /* Spans of states are in file order, after those of other free nodes. */
  while (low < high)
    {
      const guint middle = (low + high) / 2;
      const IfbamSpan *span = &g_array_index (spans, IfbamSpan, middle);

      if (span->first < ifbam_model_n_named_free (model)
          || (span->first < model->n_free && span->element->id < element->id))
        low = middle + 1;
      else
        high = middle;
    }
  return ifbam_model_free_node (model, g_array_index (spans, IfbamSpan, low + state).first);
}

void
ifbam_model_initial_range (const IfbamModel *model, gsize first, gsize n, double *position,
                           double *rate)
{
  double law[IFBAM_MAX_LAW];
  gsize member = 0;

  if (model->start_position != NULL)
    {
      memcpy (position, model->start_position + first, n * sizeof *position);
      memcpy (rate, model->start_rate + first, n * sizeof *rate);
      return;
    }
  for (gsize i = 0; i < n;)
    {
      const IfbamSpan *span = ifbam_model_node_span (model, first + i, &member);
      const gboolean is_given = span->info->kind == IFBAM_KIND_GIVEN_NODE;
      const guint32 own = is_given ? 0 : ifbam_span_common_law (span, law);

      /* Members are consecutive in file order only. */
      for (gsize most = model->file_node != NULL ? i + 1 : n; i < most && member < span->count;
           i++, member++)
        {
          IfbamMotion motion;

          if (is_given)
            motion = ifbam_model_given (model, first + i, 0.0);
          else
            {
              ifbam_span_own_law (span, own, member, law);
              motion = span->info->initial (law);
            }
          position[i] = motion.position;
          rate[i] = motion.rate;
        }
    }
}

IfbamMotion
ifbam_model_given (const IfbamModel *model, gsize node, double time)
{
  gsize member;
  const IfbamSpan *span = ifbam_model_node_span (model, node, &member);

  return span->info->motion (span->law, span->course, time);
}

double
ifbam_normal_force_evaluate (const IfbamNormalForce *normal_force, int mode, const double *position,
                             const double *rate)
{
  const double delta = position[normal_force->port[0]] - position[normal_force->port[1]];
  const double speed = rate[normal_force->port[0]] - rate[normal_force->port[1]];

  if (mode == IFBAM_ANY_MODE)
    mode = normal_force->law->mode (normal_force->numbers, delta, speed);
  return normal_force->law->force (normal_force->numbers, mode, delta, speed);
}

double
ifbam_link_turning_rate (const IfbamLink *link, const double *position, const double *rate)
{
  double x[IFBAM_MAX_PORTS], v[IFBAM_MAX_PORTS];

  for (guint e = 0; e < link->n_ports; e++)
    {
      x[e] = position[link->node[e]];
      v[e] = rate[link->node[e]];
    }
  return link->geometry->turning == NULL ? 0 : link->geometry->turning (link->shape, x, v);
}

double
ifbam_model_field_energy (const IfbamModel *model, gsize source, double position)
{
  const IfbamSource *acts = ifbam_model_source_of (model, source);

  return acts->info->potential (acts->law, ifbam_model_source_inertia (model, source), position);
}

gboolean
ifbam_model_is_tied (const IfbamModel *model, gsize node)
{
  gsize member;
  const IfbamSpan *span = ifbam_model_node_span (model, node, &member);

  return span->letter == NULL && ifbam_element_is_branch (span->element);
}

IfbamDomain
ifbam_model_node_domain (const IfbamModel *model, gsize node)
{
  gsize member;
  const IfbamSpan *span = ifbam_model_node_span (model, node, &member);

  if (span->info->domain != IFBAM_DOMAIN_ANY)
    return span->info->domain;
  if (span->element->info->kind == IFBAM_KIND_LINK) /* a state of it */
    return span->element->info->domain;
  return (IfbamDomain) g_bit_nth_lsf (ifbam_model_element_index (model, span->element).domain, -1);
}

const IfbamSpan *
ifbam_member_find (const GArray *families, const char *name, guint64 *number)
{
  const char *dot = strchr (name, '.');

  for (guint f = 0; f < families->len && dot != NULL; f++)
    {
      const IfbamSpan *span = &g_array_index (families, IfbamSpan, f);
      gsize owner = strlen (span->element->name), letter = strlen (span->letter);
      const char *digits = dot + 1 + letter;
      guint64 member;
      char *end;

      if ((gsize) (dot - name) != owner || strncmp (name, span->element->name, owner) != 0
          || strncmp (dot + 1, span->letter, letter) != 0)
        continue;
      if (span->lone && *digits == '\0')
        {
          *number = span->first;
          return span;
        }
      if (span->lone || *digits < '1' || *digits > '9')
        continue;
      member = g_ascii_strtoull (digits, &end, 10);
      if (span->tail != NULL)
        end = *end == '.' && g_str_equal (end + 1, span->tail) ? strchr (end, '\0') : end - 1;
      if (*end != '\0' || member - 1 - span->offset >= span->count)
        continue;
      *number = span->first + span->phase + (member - 1 - span->offset) * span->stride;
      return span;
    }
  return NULL;
}

guint32
ifbam_model_file_node (const IfbamModel *model, guint64 number)
{
  const IfbamSubnetwork *subnetwork = ifbam_model_subnetwork (model);
  gsize place;

  if (subnetwork == NULL)
    return (guint32) number;
  if (number >= subnetwork->n_free) /* all given nodes are in the subnetwork */
    return (guint32) (model->n_free + (number - subnetwork->n_free));
  return ifbam_ranges_find (subnetwork->nodes, number, &place) ? (guint32) place : IFBAM_NO_NODE;
}

guint32
ifbam_model_file_link (const IfbamModel *model, guint64 number)
{
  const IfbamSubnetwork *subnetwork = ifbam_model_subnetwork (model);
  gsize place;

  if (subnetwork == NULL)
    return (guint32) number;
  return ifbam_ranges_find (subnetwork->links, number, &place) ? (guint32) place : IFBAM_NO_NODE;
}

gsize
ifbam_model_n_unbatched (const IfbamModel *model)
{
  gsize n = 0;

  for (const IfbamLink *link = NULL; ifbam_unbatched_next (model, &link);)
    n += link->place == 0;
  return n;
}

/* Finds a further constraint of a link, "floor.friction". */
static gboolean
find_relation (const IfbamModel *model, GHashTable *by_name, const char *name, gsize *number)
{
  const char *dot = strrchr (name, '.');
  g_autofree char *owner = dot == NULL ? NULL : g_strndup (name, (gsize) (dot - name));
  const IfbamElement *element = owner == NULL ? NULL : g_hash_table_lookup (by_name, owner);
  const IfbamElementIndex place =
      element == NULL ? (IfbamElementIndex){ 0 } : ifbam_model_element_index (model, element);

  for (gsize i = place.index; place.single && i < model->unbatched_links->len
                              && (i == place.index || ifbam_unbatched_link (model, i)->place > 0);
       i++)
    if (ifbam_unbatched_link (model, i)->law->name != NULL
        && g_str_equal (ifbam_unbatched_link (model, i)->law->name, dot + 1))
      {
        *number = i;
        return TRUE;
      }
  return FALSE;
}

/* Finds a composite's source, "r.load": its index on the first of its nodes. */
static gboolean
find_member_source (const IfbamModel *model, GHashTable *by_name, const char *name, gsize *number)
{
  const char *dot = strchr (name, '.');
  g_autofree char *owner = dot == NULL ? NULL : g_strndup (name, (gsize) (dot - name));
  const IfbamElement *element = owner == NULL ? NULL : g_hash_table_lookup (by_name, owner);

  if (element == NULL || ifbam_element_kind (element) != IFBAM_KIND_COMPOSITE)
    return FALSE;
  for (gsize i = 0; i < model->n_sources; i++)
    if (ifbam_model_source_of (model, i)->element == element
        && g_str_equal (ifbam_model_source_of (model, i)->name, name))
      {
        *number = i;
        return TRUE;
      }
  return FALSE;
}

IfbamFound
ifbam_model_find (const IfbamModel *model, GHashTable *by_name, const char *name, gsize *number)
{
  const IfbamElement *element = g_hash_table_lookup (by_name, name);
  IfbamFound found;
  guint64 of_file;

  if (element == NULL && ifbam_member_find (model->node_families, name, &of_file) != NULL)
    {
      found = IFBAM_FOUND_NODE;
      *number = ifbam_model_file_node (model, of_file);
    }
  else if (element == NULL && ifbam_member_find (model->link_families, name, &of_file) != NULL)
    {
      found = IFBAM_FOUND_LINK;
      *number = ifbam_model_file_link (model, of_file);
    }
  else if (element == NULL && ifbam_member_find (model->unbatched_families, name, &of_file) != NULL)
    {
      found = IFBAM_FOUND_UNBATCHED;
      *number = (gsize) of_file;
    }
  else if (element == NULL)
    found = find_relation (model, by_name, name, number)        ? IFBAM_FOUND_UNBATCHED
            : find_member_source (model, by_name, name, number) ? IFBAM_FOUND_SOURCE
                                                                : IFBAM_FOUND_NOTHING;
  else
    {
      const IfbamElementIndex place = ifbam_model_element_index (model, element);

      *number = place.index;
      found = element->info->kind <= IFBAM_KIND_GIVEN_NODE      ? IFBAM_FOUND_NODE
              : place.single                                    ? IFBAM_FOUND_UNBATCHED
              : ifbam_element_kind (element) == IFBAM_KIND_LINK ? IFBAM_FOUND_LINK
              : element->info->kind == IFBAM_KIND_SOURCE        ? IFBAM_FOUND_SOURCE
                                                                : IFBAM_FOUND_NOTHING;
    }
  if (found == IFBAM_FOUND_NODE)
    *number = *number < model->n_free ? ifbam_model_free_node (model, *number) : *number;
  return found;
}

void
ifbam_batch_set_state_inputs (const IfbamBatch *batch, gsize first, IfbamLinkBatch *arguments)
{
  for (guint k = 0; k < batch->law->n_states; k++)
    {
      arguments->state[k] = batch->state[k] + first;
      arguments->state_rate[k] = NULL;
    }
}

void
ifbam_batch_set_state_outputs (const IfbamBatch *batch, gsize lanes, double *outputs,
                               IfbamLinkBatch *arguments)
{
  for (guint k = 0; k < batch->law->n_states; k++)
    arguments->state_rate[k] = outputs + batch->state_slot[k] * lanes;
}

void
ifbam_batch_clear (IfbamBatch *batch)
{
  for (guint g = 0; g < batch->n_groups; g++)
    g_free (batch->groups[g].runs);
  g_free (batch->groups);
  g_free (batch->left);
  g_free (batch->right);
  for (guint k = 0; k < IFBAM_MAX_STATES; k++)
    g_free (batch->state[k]);
  for (guint k = 0; k < batch->n_numbers && batch->owned != NULL; k++)
    g_free (batch->owned[k]);
  g_free (batch->owned);
  g_free (batch->parameters);
  g_free (batch->is_ghost);
}

IfbamModel *
ifbam_model_new_empty (void)
{
  IfbamModel *model = g_new0 (IfbamModel, 1);

  model->node_spans = g_array_new (FALSE, FALSE, sizeof (IfbamSpan));
  model->link_spans = g_array_new (FALSE, FALSE, sizeof (IfbamSpan));
  model->node_families = g_array_new (FALSE, FALSE, sizeof (IfbamSpan));
  model->link_families = g_array_new (FALSE, FALSE, sizeof (IfbamSpan));
  model->unbatched_families = g_array_new (FALSE, FALSE, sizeof (IfbamSpan));
  model->batches = g_array_new (FALSE, FALSE, sizeof (IfbamBatch));
  model->sources = g_ptr_array_new ();
  model->unbatched_links = g_array_new (FALSE, FALSE, sizeof (IfbamLink));
  model->point_coordinates = g_array_new (FALSE, FALSE, sizeof (IfbamLink));
  model->impulses = g_array_new (FALSE, FALSE, sizeof (IfbamImpulse));
  model->switched_elements = g_array_new (FALSE, FALSE, sizeof (IfbamSwitchedElement));
  model->scaled_sources = g_array_new (FALSE, FALSE, sizeof (IfbamScaledSource));
  model->scaled_motions = g_array_new (FALSE, FALSE, sizeof (IfbamScaledMotion));
  model->time_events = g_array_new (FALSE, TRUE, sizeof (IfbamTimeEvent));
  model->recurrent = g_array_new (FALSE, TRUE, sizeof (IfbamTimeEvent));
  model->kept = g_array_new (FALSE, FALSE, sizeof (IfbamOwnedMemory));
  model->node_runs = g_array_new (FALSE, FALSE, sizeof (IfbamNodeRun));
  return model;
}

void
ifbam_model_free (IfbamModel *model)
{
  if (model == NULL)
    return;
  ifbam_subnetwork_free (ifbam_model_subnetwork (model));
  for (guint b = 0; b < model->batches->len; b++)
    ifbam_batch_clear (&g_array_index (model->batches, IfbamBatch, b));
  g_array_unref (model->batches);
  g_array_unref (model->node_spans);
  g_array_unref (model->link_spans);
  g_array_unref (model->node_families);
  g_array_unref (model->link_families);
  g_array_unref (model->unbatched_families);
  g_ptr_array_unref (model->sources);
  g_array_unref (model->unbatched_links);
  g_array_unref (model->point_coordinates);
  g_array_unref (model->impulses);
  g_array_unref (model->switched_elements);
  g_array_unref (model->scaled_sources);
  g_array_unref (model->scaled_motions);
  g_array_unref (model->time_events);
  g_array_unref (model->recurrent);
  g_clear_object (&model->rest);
  g_ptr_array_unref (model->elements);
  g_aligned_free (model->inverse_inertia);
  g_free (model->inertia);
  g_free (model->start_position);
  g_free (model->start_rate);
  g_free (model->number);
  g_free (model->file_node);
  g_free (model->source_node);
  g_free (model->link_slot);
  g_free (model->port_start);
  g_free (model->port);
  g_free (model->varying);
  g_free (model->fields);
  g_array_unref (model->node_runs);
  for (guint i = 0; i < model->kept->len; i++)
    {
      const IfbamOwnedMemory *kept = &g_array_index (model->kept, IfbamOwnedMemory, i);

      kept->free (kept->data);
    }
  g_array_unref (model->kept);
  g_free (model->places);
  g_free (model);
}

/* Returns TRUE if a link of a batch can supply energy. */
static gboolean
batch_supplies (const IfbamBatch *batch)
{
  const IfbamLaw *law = batch->law;
  double numbers[IFBAM_MAX_LAW] = { 0 }, last[IFBAM_MAX_LAW] = { 0 };

  if (!law->active || law->supplies == NULL)
    return law->active;
  for (gsize i = 0; i < batch->count; i++)
    {
      if (ifbam_batch_is_gap (batch, i))
        continue;
      for (guint k = 0; k < batch->n_numbers; k++)
        numbers[k] = batch->parameters[k][i];
      /* Consecutive links often have one law. */
      if (memcmp (numbers, last, sizeof numbers) == 0)
        continue;
      if (law->supplies (numbers))
        return TRUE;
      memcpy (last, numbers, sizeof last);
    }
  return FALSE;
}

gboolean
ifbam_model_has_active_links (const IfbamModel *model)
{
  for (const IfbamLink *link = NULL; ifbam_unbatched_next (model, &link);)
    if (link->law->active && (link->law->supplies == NULL || link->law->supplies (link->numbers)))
      return TRUE;
  for (guint b = 0; b < model->batches->len; b++)
    if (batch_supplies (&g_array_index (model->batches, IfbamBatch, b)))
      return TRUE;
  return FALSE;
}
