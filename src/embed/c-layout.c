/* c-layout.c: layout of a network's parameters and state in the generated C
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "embed/c-layout.h"

#include <string.h>

/* Origin of a value: entry `phase` of a list of `length` that begins at the parameter `from`. */
typedef struct
{
  gsize from, length, phase;
} Source;

#define NO_SOURCE ((Source){ G_MAXSIZE, 0, 0 })

static gsize
add_numbers (IfbamCLayout *layout, const double *numbers, gsize n)
{
  const gsize first = layout->numbers->len;

  g_array_append_vals (layout->numbers, numbers, (guint) n);
  return first;
}

/* Takes ownership of name. */
static void
add_name (IfbamCLayout *layout, char *name, const IfbamParam *param, gsize number)
{
  const IfbamCName entry = { name, number, param->minimum, param->maximum };

  g_array_append_val (layout->names, entry);
}

/* Returns TRUE if the law's parameters are those of the class, so that they can be set by name. */
static gboolean
can_be_set (const IfbamCLayout *layout, const IfbamElementInfo *info)
{
  return !ifbam_element_completes_law (info) && layout->model->damping == NULL
         && layout->spec->start_position == NULL;
}

/* Adds the parameters of a law once per key; returns the first index. element: NULL: no names. */
static gsize
law_block (IfbamCLayout *layout, gconstpointer key, const IfbamElement *element,
           const IfbamElementInfo *info, const double *law, guint n_used)
{
  const gsize known = GPOINTER_TO_SIZE (g_hash_table_lookup (layout->blocks, key));
  gsize first;

  if (known > 0)
    return known - 1;
  first = add_numbers (layout, law, n_used);
  g_hash_table_insert (layout->blocks, (gpointer) key, GSIZE_TO_POINTER (first + 1));
  for (guint p = 0; element != NULL && p < info->n_params && can_be_set (layout, info); p++)
    {
      const IfbamParam *param = &info->params[p];

      if (param->kind == IFBAM_PARAM_NUMBER && (gsize) param->offset / sizeof (double) < n_used)
        add_name (layout, g_strdup_printf ("%s.%s", element->name, param->key), param,
                  first + (gsize) param->offset / sizeof (double));
    }
  return first;
}

/* Adds a composite's list once for all families that use it; returns its first index. */
static gsize
list_block (IfbamCLayout *layout, const IfbamElement *owner, const IfbamElementInfo *info,
            const IfbamSeries *series)
{
  gconstpointer key = series->list != NULL ? (gconstpointer) series->list : series->values;
  const gsize known = GPOINTER_TO_SIZE (g_hash_table_lookup (layout->blocks, key));
  gsize first;

  if (known > 0)
    return known - 1;
  first = add_numbers (layout, series->values, series->length);
  g_hash_table_insert (layout->blocks, (gpointer) key, GSIZE_TO_POINTER (first + 1));
  for (guint p = 0; p < owner->info->n_params && can_be_set (layout, info); p++)
    {
      const IfbamParam *param = &owner->info->params[p];

      if (param->kind != IFBAM_PARAM_NUMBERS || series->list == NULL
          || ifbam_element_slots (owner)[param->offset] != series->list)
        continue;
      for (gsize i = 0; i < series->length; i++)
        add_name (layout,
                  series->length == 1 ? g_strdup_printf ("%s.%s", owner->name, param->key)
                                      : g_strdup_printf ("%s.%s[%" G_GSIZE_FORMAT "]", owner->name,
                                                         param->key, i + 1),
                  param, first + i);
    }
  return first;
}

/* Adds a member's own value, which overrides that of the list; returns its index. */
static gsize
override_block (IfbamCLayout *layout, const IfbamSpan *span, gsize member, const IfbamParam *param,
                const double *number)
{
  const gsize known = GPOINTER_TO_SIZE (g_hash_table_lookup (layout->blocks, number));
  gsize first;

  if (known > 0)
    return known - 1;
  first = add_numbers (layout, number, 1);
  g_hash_table_insert (layout->blocks, (gpointer) number, GSIZE_TO_POINTER (first + 1));
  if (can_be_set (layout, span->info))
    {
      g_autofree char *name = ifbam_span_name (span, member);

      add_name (layout, g_strdup_printf ("%s.%s", name, param->key), param, first);
    }
  return first;
}

/* Returns the origin of parameter k of a span's member. law: used if it is an element by itself. */
static Source
find_number (IfbamCLayout *layout, const IfbamSpan *span, gsize member, guint k, const double *law,
             guint n_used)
{
  const IfbamElementInfo *info = span->info;
  static const double nothing;

  if (span->letter == NULL)
    return (Source){ law_block (layout, span->element, span->element, info, law, n_used) + k, 1,
                     0 };
  for (guint p = 0; p < info->n_params; p++)
    {
      const IfbamParam *param = &info->params[p];
      const IfbamSeries *series = &span->series[p];
      const double *own = NULL;

      if (param->kind != IFBAM_PARAM_NUMBER || (gsize) param->offset != k * sizeof (double))
        continue;
      if (span->overrides != NULL)
        own = g_hash_table_lookup (span->overrides, GSIZE_TO_POINTER ((member << 5 | p) + 1));
      if (own != NULL)
        return (Source){ override_block (layout, span, member, param, own), 1, 0 };
      if (series->length > 0)
        return (Source){ list_block (layout, span->element, info, series), series->length,
                         member % series->length };
      return (Source){
        list_block (layout, span->element, info, &(IfbamSeries){ &param->standard, 1, NULL }), 1, 0
      };
    }
  return (Source){ list_block (layout, span->element, info, &(IfbamSeries){ &nothing, 1, NULL }), 1,
                   0 };
}

/* Adds an entry of an array; extends the last range of entries if it continues it. */
static void
add_entry (IfbamCLayout *layout, guint array, gsize to, Source source)
{
  IfbamCPlace *last = layout->places->len == 0
                          ? NULL
                          : &g_array_index (layout->places, IfbamCPlace, layout->places->len - 1);
  const IfbamCPlace place = { array, to, 1, source.from, 1, source.length, source.phase };

  if (last != NULL && last->array == array && last->to + last->count == to
      && last->length == source.length)
    {
      /* next value of the same list */
      if (last->length > 1 && last->from == source.from
          && (last->phase + last->count) % last->length == source.phase)
        {
          last->count++;
          return;
        }
      /* next element, at a constant stride */
      if (last->length == 1 && last->count == 1 && source.from >= last->from)
        last->stride = source.from - last->from;
      if (last->length == 1 && source.from == last->from + last->count * last->stride)
        {
          last->count++;
          return;
        }
    }
  g_array_append_val (layout->places, place);
}

static void
lay_out_nodes (IfbamCLayout *layout)
{
  const IfbamModel *model = layout->model;

  for (guint k = 0; k < 3; k++)
    for (gsize i = 0; i < model->n_free; i++)
      {
        gsize member;
        const IfbamSpan *span = ifbam_model_node_span (model, i, &member);
        double law[IFBAM_MAX_LAW], number;
        IfbamMotion start = { 0 };

        if (layout->spec->start_position != NULL && k > 0)
          {
            start = ifbam_start (model, layout->spec, i);
            number = k == 1 ? start.position : start.rate;
            add_entry (layout, k, i, (Source){ add_numbers (layout, &number, 1), 1, 0 });
            continue;
          }
        if (span->info->code.n_parameters > 0)
          {
            add_entry (
                layout, k, i,
                find_number (layout, span, member, k, span->law, span->info->code.n_parameters));
            continue;
          }
        ifbam_span_law (span, member, law);
        start = span->info->initial (law);
        number = k == 0 ? span->info->inertia (law) : k == 1 ? start.position : start.rate;
        add_entry (layout, k, i, (Source){ add_numbers (layout, &number, 1), 1, 0 });
      }
}

/* Replaces the program among a law's doubles by its index. */
static void
number_program (IfbamCLayout *layout, double *place)
{
  const IfbamProgram *program;
  guint index;

  memcpy (&program, place, sizeof program);
  if (!g_ptr_array_find (layout->programs, program, &index))
    {
      index = layout->programs->len;
      g_ptr_array_add (layout->programs, (gpointer) program);
    }
  *place = index;
}

static void
place_links (IfbamCLayout *layout)
{
  const IfbamModel *model = layout->model;
  gsize n_slots = 0, *link;

  for (guint b = 0; b < model->batches->len; b++)
    n_slots = MAX (n_slots, g_array_index (model->batches, IfbamBatch, b).first_slot
                                + g_array_index (model->batches, IfbamBatch, b).count);
  link = g_new (gsize, n_slots + 1);
  for (gsize s = 0; s < n_slots; s++)
    link[s] = G_MAXSIZE;
  for (gsize l = 0; l < model->n_links; l++)
    link[model->link_slot[l]] = l;
  for (guint b = 0; b < model->batches->len; b++)
    {
      const IfbamBatch *batch = &g_array_index (model->batches, IfbamBatch, b);
      const guint n = batch->law->code.n_parameters;

      layout->batch[b] = layout->n_laws;
      layout->apart[b] = (batch->count + 2 * IFBAM_LINE - 1) / IFBAM_LINE * IFBAM_LINE;
      layout->n_laws += n * layout->apart[b];
      for (guint k = 0; k < n; k++)
        for (gsize i = 0; i < batch->count; i++)
          if (link[batch->first_slot + i] != G_MAXSIZE)
            {
              gsize member;
              const IfbamSpan *span =
                  ifbam_model_link_span (model, link[batch->first_slot + i], &member);
              double law[IFBAM_MAX_LAW];

              for (guint l = 0; l < n; l++)
                law[l] = batch->parameters[l][i];
              if (span->info->program_parameter != 0)
                number_program (layout, &law[span->info->program_parameter - 1]);
              add_entry (layout, IFBAM_C_LAWS, layout->batch[b] + k * layout->apart[b] + i,
                         find_number (layout, span, member, k, law, n));
            }
    }
  g_free (link);
}

static void
lay_out_others (IfbamCLayout *layout)
{
  const IfbamModel *model = layout->model;

  for (gsize i = model->n_free; i < model->n_nodes; i++)
    {
      gsize member;
      const IfbamSpan *span = ifbam_model_node_span (model, i, &member);

      layout->given[i - model->n_free] =
          span->info->code.n_parameters == 0
              ? 0
              : law_block (layout, span->law, span->letter == NULL ? span->element : NULL,
                           span->info, span->law, span->info->code.n_parameters);
    }
  for (gsize s = 0; s < model->n_sources; s++)
    {
      const IfbamSource *source = ifbam_model_source_of (model, s);

      layout->source[s] =
          law_block (layout, source->law,
                     g_str_equal (source->name, source->element->name) ? source->element : NULL,
                     source->info, source->law, source->info->code.n_parameters);
    }
}

/* Returns the padding that aligns the longest run of nodes to a cache line. */
static gsize
choose_shift (const IfbamModel *model)
{
  const IfbamNodeRun *longest = NULL;

  for (guint r = 0; r < model->node_runs->len; r++)
    {
      const IfbamNodeRun *run = &g_array_index (model->node_runs, IfbamNodeRun, r);

      if (run->degree > 0 && (longest == NULL || run->n > longest->n))
        longest = run;
    }
  return longest == NULL ? 0 : (IFBAM_LINE - longest->first % IFBAM_LINE) % IFBAM_LINE;
}

IfbamCLayout *
ifbam_c_layout_new (const IfbamModel *model, const IfbamRunSpec *spec)
{
  IfbamCLayout *layout = g_new0 (IfbamCLayout, 1);

  layout->model = model;
  layout->spec = spec;
  layout->numbers = g_array_new (FALSE, FALSE, sizeof (double));
  layout->names = g_array_new (FALSE, FALSE, sizeof (IfbamCName));
  layout->programs = g_ptr_array_new ();
  layout->places = g_array_new (FALSE, FALSE, sizeof (IfbamCPlace));
  layout->blocks = g_hash_table_new (NULL, NULL);
  layout->batch = g_new0 (gsize, model->batches->len + 1);
  layout->apart = g_new0 (gsize, model->batches->len + 1);
  layout->source = g_new0 (gsize, model->n_sources + 1);
  layout->given = g_new0 (gsize, model->n_nodes - model->n_free + 1);
  add_numbers (layout, &spec->step, 1);
  lay_out_nodes (layout);
  place_links (layout);
  lay_out_others (layout);
  layout->first_source = (model->n_slots + 2 * IFBAM_LINE - 1) / IFBAM_LINE * IFBAM_LINE;
  layout->n_forces =
      layout->first_source + (model->n_sources + IFBAM_LINE) / IFBAM_LINE * IFBAM_LINE;
  layout->shift = choose_shift (model);
  layout->n_nodes = (layout->shift + model->n_nodes + 2 * IFBAM_LINE) / IFBAM_LINE * IFBAM_LINE;
  return layout;
}

void
ifbam_c_layout_free (IfbamCLayout *layout)
{
  if (layout == NULL)
    return;
  for (guint i = 0; i < layout->names->len; i++)
    g_free (g_array_index (layout->names, IfbamCName, i).name);
  g_array_unref (layout->numbers);
  g_array_unref (layout->names);
  g_array_unref (layout->places);
  g_ptr_array_unref (layout->programs);
  g_hash_table_unref (layout->blocks);
  g_free (layout->batch);
  g_free (layout->apart);
  g_free (layout->source);
  g_free (layout->given);
  g_free (layout);
}

gsize
ifbam_c_run_length (const IfbamCLayout *layout, const IfbamBatch *batch, const IfbamLinkRun *run)
{
  const gsize whole = (run->n + IFBAM_LINE - 1) / IFBAM_LINE * IFBAM_LINE;

  if (batch->far_slot != batch->first_slot || batch->law->n_states > 0
      || MAX (run->left, run->right) + whole > layout->n_nodes - layout->shift)
    return run->n;
  for (gsize i = run->first + run->n; i < run->first + whole && i < batch->count; i++)
    if (!ifbam_batch_is_gap (batch, i))
      return run->n;
  return whole;
}
