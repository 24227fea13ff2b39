/* c-signals.c: computation of a sample in the generated C
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "embed/c-writer.h"

static void
put_node_values (IfbamCWriter *writer, GHashTable *known, gsize node)
{
  if (!g_hash_table_add (known, GSIZE_TO_POINTER (node + 1)))
    return;
  if (node >= writer->model->n_free)
    PUT ("  double x_" SIZE ", v_" SIZE ", a_" SIZE ";\n\n  given_" SIZE
         " (self->number, step * self->number[0], &x_" SIZE ", &v_" SIZE ", &a_" SIZE
         ");\n  (void) x_" SIZE ", (void) v_" SIZE ", (void) a_" SIZE ";\n",
         node, node, node, node, node, node, node, node, node, node);
  else
    PUT ("  double x_" SIZE ", v_" SIZE ";\n\n  %s (" SIZE ", column, &x_" SIZE ", &v_" SIZE
         ");\n  (void) x_" SIZE ", (void) v_" SIZE ";\n",
         node, node, writer->scheme->code.observe, node, node, node, node, node);
}

static void
need_link (IfbamCWriter *writer, GHashTable *known, gsize slot)
{
  IfbamLinkIter at = ifbam_links (writer->model, IFBAM_LINKS_BATCHED);

  ifbam_link_iter_seek_slot (&at, slot);
  for (guint e = 0; e < 2 + at.link->n_states; e++)
    put_node_values (writer, known, at.link->node[e]);
}

static void
need_neighbours (IfbamCWriter *writer, GHashTable *known, gsize node)
{
  const IfbamModel *model = writer->model;

  for (guint32 p = model->port_start[node]; p < model->port_start[node + 1]; p++)
    if (model->port[p] >> 1 < model->n_slots)
      need_link (writer, known, model->port[p] >> 1);
}

/* Writes statements that set `value` to a link's output at a slot. */
static void
put_output (IfbamCWriter *writer, gsize slot)
{
  gsize i, first[IFBAM_MAX_SLOTS];
  const IfbamBatch *batch = ifbam_model_batch (writer->model, slot, &i);
  const guint b = (guint) (batch - ifbam_c_batch (writer, 0));
  const guint n_states = batch->law->n_states, n = ifbam_batch_slots (batch, first);
  guint which = 0;

  while (which < n && slot >= first[which])
    which++;
  if (n_states > 0)
    {
      PUT ("    double flow[%u];\n    const double state[%u] = {", n_states, n_states);
      for (guint k = 0; k < n_states; k++)
        PUT (" v_%u,", batch->state[k][i]);
      PUT (" };\n");
    }
  PUT ("    value = output_%u (self->laws, " SIZE ", x_%u, x_%u, v_%u, v_%u%s);\n", b, i,
       batch->left[i], batch->right[i], batch->left[i], batch->right[i],
       n_states > 0 ? ", state, flow" : "");
  /* Outputs at state nodes are not reported as the force of a link. */
  g_assert (which == 0 || (which == 1 && batch->far_slot != batch->first_slot));
  if (which > 0)
    PUT ("    value = self->laws[" SIZE "] * value;\n", writer->layout->batch[b] + i);
}

/* Writes the sum of the present forces on a node. */
static void
put_force_now (IfbamCWriter *writer, GHashTable *courses, gsize node)
{
  const IfbamModel *model = writer->model;

  PUT ("    force = -0.0;\n");
  for (guint32 p = model->port_start[node]; p < model->port_start[node + 1]; p++)
    {
      const gsize slot = model->port[p] >> 1;

      PUT ("    {\n    double value;\n\n");
      if (slot < model->n_slots)
        put_output (writer, slot);
      else
        {
          const gsize s = slot - model->n_slots;
          const IfbamSource *source = ifbam_model_source_of (model, s);

          PUT ("    %s law;\n\n    memcpy (&law, self->number + " SIZE
               ", sizeof law);\n    value = ",
               source->info->code.type, writer->layout->source[s]);
          ifbam_c_put_source_call (writer, courses, s, "step * self->number[0]");
          PUT (";\n");
        }
      PUT ("    force %s value;\n    }\n", model->port[p] & 1 ? "-=" : "+=");
    }
}

static void
put_delta_of (IfbamCWriter *writer, gsize slot, const char *quantity)
{
  gsize i;
  const IfbamBatch *batch = ifbam_model_batch (writer->model, slot, &i);
  const guint b = (guint) (batch - ifbam_c_batch (writer, 0));

  PUT ("%s_%u - ", quantity, batch->left[i]);
  if (batch->law->geometry->scaled)
    PUT ("self->laws[" SIZE "] * ", writer->layout->batch[b] + i);
  PUT ("%s_%u;\n", quantity, batch->right[i]);
}

static void
put_signal (IfbamCWriter *writer, GHashTable *courses, const IfbamSignal *signal, gsize place)
{
  const IfbamModel *model = writer->model;
  const gsize node = signal->number;

  switch (signal->kind)
    {
    case IFBAM_SIGNAL_POSITION:
      PUT ("  row[" SIZE "] = x_" SIZE ";\n", place, node);
      break;
    case IFBAM_SIGNAL_RATE:
      PUT ("  row[" SIZE "] = v_" SIZE ";\n", place, node);
      break;
    case IFBAM_SIGNAL_ACCELERATION:
    case IFBAM_SIGNAL_NODE_FORCE:
      if (signal->kind == IFBAM_SIGNAL_ACCELERATION && node >= model->n_free)
        {
          PUT ("  row[" SIZE "] = a_" SIZE ";\n", place, node);
          break;
        }
      PUT ("  {\n    double force;\n\n");
      put_force_now (writer, courses, node);
      if (signal->kind == IFBAM_SIGNAL_ACCELERATION)
        PUT ("    row[" SIZE "] = force * self->inverse[" SIZE "];\n  }\n", place, node);
      else
        PUT ("    row[" SIZE "] = 0 - force;\n  }\n", place);
      break;
    case IFBAM_SIGNAL_FORCE:
      PUT ("  {\n    double value;\n\n");
      put_output (writer, model->link_slot[signal->number]);
      PUT ("    row[" SIZE "] = value;\n  }\n", place);
      break;
    case IFBAM_SIGNAL_COMPRESSION:
    case IFBAM_SIGNAL_LINK_RATE:
      PUT ("  row[" SIZE "] = ", place);
      put_delta_of (writer, model->link_slot[signal->number],
                    signal->kind == IFBAM_SIGNAL_COMPRESSION ? "x" : "v");
      break;
    case IFBAM_SIGNAL_SOURCE_FORCE:
      PUT ("  row[" SIZE "] = 0.0;\n", place);
      for (gsize s = node;
           s < model->n_sources && model->sources->pdata[s] == model->sources->pdata[node]; s++)
        {
          PUT ("  {\n    %s law;\n\n    memcpy (&law, self->number + " SIZE
               ", sizeof law);\n    row[" SIZE "] %s ",
               ifbam_model_source_of (model, s)->info->code.type, writer->layout->source[s], place,
               s == node ? "=" : "+=");
          ifbam_c_put_source_call (writer, courses, s, "step * self->number[0]");
          PUT (";\n  }\n");
        }
      break;
    default:
      PUT ("  row[" SIZE "] = 0.0;\n", place); /* batched links have one mode only */
      break;
    }
}

void
ifbam_c_put_record (IfbamCWriter *writer, GHashTable *courses, const GArray *signals)
{
  const IfbamModel *model = writer->model;
  g_autoptr (GHashTable) known = g_hash_table_new (NULL, NULL);

  PUT ("\n/* Writes the signals at the columns, after `step` steps, to row. */\n"
       "IFBAM_INLINE void\nwrite_row (const IfbamNetwork *self, double *c0, double *c1, double *c2, "
       "double *c3, "
       "double step, double *restrict row)\n{\n"
       "  double *const column[4] = { c0, c1, c2, c3 };\n\n"
       "  (void) self, (void) step, (void) column, (void) row;\n");
  for (guint i = 0; i < signals->len; i++)
    {
      const IfbamSignal *signal = &g_array_index (signals, IfbamSignal, i);

      if (signal->kind <= IFBAM_SIGNAL_NODE_FORCE)
        put_node_values (writer, known, signal->number);
      if (signal->kind == IFBAM_SIGNAL_ACCELERATION || signal->kind == IFBAM_SIGNAL_NODE_FORCE)
        need_neighbours (writer, known, signal->number);
      if (signal->kind >= IFBAM_SIGNAL_FORCE && signal->kind <= IFBAM_SIGNAL_LINK_RATE)
        need_link (writer, known, model->link_slot[signal->number]);
    }
  for (guint i = 0; i < signals->len; i++)
    put_signal (writer, courses, &g_array_index (signals, IfbamSignal, i), i);
  PUT ("}\n");
}
