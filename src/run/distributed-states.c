/* distributed-states.c: saved states of a network on several ranks
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "run/distributed-engine-internal.h"

/* Values of a rank's own nodes or forces, and their indices in the whole network. */
typedef struct
{
  guint32 *place;
  double *value;
  gsize n;
} StoredValues;

static void
store_value (StoredValues *stored, guint32 place, double value)
{
  stored->place[stored->n] = place;
  stored->value[stored->n++] = value;
}

static StoredValues
store_column (const IfbamRanksEngine *self, const double *column)
{
  const IfbamModel *model = self->base.model;
  StoredValues stored = { g_new (guint32, model->n_free + 1), g_new (double, model->n_free + 1),
                          0 };

  for (gsize i = 0; i < model->n_free; i++)
    if (!self->part->share.is_ghost[i])
      store_value (&stored, self->part->whole_node[i], column[i]);
  return stored;
}

static StoredValues
store_forces (const IfbamRanksEngine *self, const double *output)
{
  const IfbamModel *model = self->base.model;
  const gsize most = ifbam_model_n_forces (model);
  StoredValues stored = { g_new (guint32, most + 1), g_new (double, most + 1), 0 };

  for (guint b = 0; b < model->batches->len; b++)
    {
      const IfbamBatch *batch = &g_array_index (model->batches, IfbamBatch, b);
      gsize first[IFBAM_MAX_SLOTS + 1] = { batch->first_slot };
      const guint n = 1 + ifbam_batch_slots (batch, first + 1);

      for (guint k = 0; k < n; k++)
        for (gsize i = 0; i < batch->count; i++)
          if (!batch->is_ghost[i] && self->part->whole_force[first[k] + i] != IFBAM_NO_NODE)
            store_value (&stored, self->part->whole_force[first[k] + i], output[first[k] + i]);
    }
  for (gsize s = 0; s < model->n_sources; s++)
    if (!self->part->share.is_ghost[model->source_node[s]])
      store_value (&stored, self->part->whole_force[model->n_slots + s],
                   output[model->n_slots + s]);
  return stored;
}

/* Returns on rank 0 the bytes of one rank, on others nothing (transfer full). */
static gpointer
receive_from (const IfbamRanksEngine *self, int from, gconstpointer bytes, gsize n, gsize *size)
{
  const int ranks = self->part->ranks->n;
  g_autofree IfbamBuffer *send = g_new0 (IfbamBuffer, ranks);
  g_autofree gsize *sizes = g_new (gsize, ranks);
  gpointer all;

  if (self->part->ranks->rank == from)
    send[0] = (IfbamBuffer){ (gpointer) bytes, n };
  all = ifbam_ranks_exchange_unsized (send, sizes);
  *size = sizes[from];
  return all;
}

/* Sends the values to rank 0, rank after rank: its memory does not suffice for all at once. */
static void
gather (const IfbamRanksEngine *self, StoredValues stored, double *into)
{
  for (int r = 0; r < self->part->ranks->n; r++)
    {
      gsize size;
      g_autofree guint32 *place =
          receive_from (self, r, stored.place, stored.n * sizeof *stored.place, &size);
      g_autofree double *value =
          receive_from (self, r, stored.value, stored.n * sizeof *stored.value, &size);

      for (gsize i = 0; i < size / sizeof *value && into != NULL; i++)
        into[place[i]] = value[i];
    }
  g_free (stored.place);
  g_free (stored.value);
}

/* Lists the columns of the whole network's state; only rank 0 gets them during a run. */
GArray *
ifbam_ranks_list_state (IfbamEngine *base, gboolean write)
{
  IfbamRanksEngine *self = (IfbamRanksEngine *) base;
  const IfbamColumns *own = &((const IfbamCompiledEngine *) self->inner)->columns;
  const IfbamScheme *scheme = base->spec->scheme;
  const IfbamModel *whole = self->part->whole;
  const guint n = ifbam_scheme_n_state_columns (scheme);
  double *column[IFBAM_MAX_COLUMNS] = { NULL }, *output = NULL;
  GArray *columns = NULL;

  if (self->part->whole_node == NULL)
    return NULL;
  if (whole != NULL)
    {
      columns = g_array_new (FALSE, FALSE, sizeof (IfbamStateColumn));
      if (self->state == NULL)
        self->state = g_new0 (double, n * whole->n_free + ifbam_model_n_forces (whole) + 1);
      for (guint c = 0; c < n; c++)
        column[c] = self->state + c * whole->n_free;
      output = self->state + n * whole->n_free;
      ifbam_state_add_scheme (columns, whole, scheme, column, output);
    }
  if (write)
    return columns;
  for (guint c = 0; c < n; c++)
    gather (self, store_column (self, own->column[c]),
            self->part->ranks->rank == 0 ? column[c] : NULL);
  if (scheme->latency)
    gather (self, store_forces (self, own->output[0]),
            self->part->ranks->rank == 0 ? output : NULL);
  if (self->part->ranks->rank == 0)
    return columns;
  if (columns != NULL)
    g_array_unref (columns);
  return NULL;
}

/* Copies a state from the list to own nodes and the halo. */
void
ifbam_ranks_rebuild (IfbamEngine *base, guint64 steps)
{
  IfbamRanksEngine *self = (IfbamRanksEngine *) base;
  const IfbamColumns *own = &((const IfbamCompiledEngine *) self->inner)->columns;
  const IfbamModel *model = base->model, *whole = self->part->whole;
  const guint n = ifbam_scheme_n_state_columns (base->spec->scheme);
  const double *output = self->state + n * whole->n_free;

  for (guint c = 0; c < n; c++)
    for (gsize i = 0; i < model->n_free; i++)
      own->column[c][i] = self->state[c * whole->n_free + self->part->whole_node[i]];
  for (gsize s = 0; s < ifbam_model_n_forces (model) && base->spec->scheme->latency; s++)
    if (self->part->whole_force[s] != IFBAM_NO_NODE)
      own->output[0][s] = output[self->part->whole_force[s]];
  ifbam_engine_rebuild (self->inner, steps);
  base->steps = steps;
}
