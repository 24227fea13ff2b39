/* signals.c: what signals are at a row
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "run/signals.h"

IfbamCourse *
ifbam_signals_course (const IfbamSignals *signals)
{
  return ifbam_course_new_with_units ((const char *const *) signals->names->pdata,
                                      (const char *const *) signals->units->pdata);
}

/* Signals of a link are in the order of IfbamLinkQuantity. */
G_STATIC_ASSERT (IFBAM_SIGNAL_LINK_DISSIPATED - IFBAM_SIGNAL_FORCE == IFBAM_LINK_DISSIPATED);

static double
link_value (const IfbamSignal *signal, const IfbamView *view, const IfbamSums *sums)
{
  const IfbamModel *model = view->model;
  const IfbamBatch *batch;
  double position[2], rate[2];
  gsize slot, index;

  if (signal->single)
    return view->engine->link (view->engine, signal->number,
                               (IfbamLinkQuantity) (signal->kind - IFBAM_SIGNAL_FORCE));
  slot = model->link_slot[signal->number];
  batch = ifbam_model_batch (model, slot, &index);
  switch ((guint) signal->kind)
    {
    case IFBAM_SIGNAL_FORCE:
      return ifbam_view_link (view, slot, batch->kernels->force);
    case IFBAM_SIGNAL_LINK_DISSIPATED:
      return sums->link_dissipated != NULL ? sums->link_dissipated[slot]
                                           : view->engine->link_dissipated (view->engine, slot);
    case IFBAM_SIGNAL_MODE:
      return 0.0; /* the only one */
    default:
      ifbam_view_node (view, batch->left[index], &position[0], &rate[0]);
      ifbam_view_node (view, batch->right[index], &position[1], &rate[1]);
      return signal->kind == IFBAM_SIGNAL_COMPRESSION
                 ? ifbam_batch_delta (batch, index, position[0], position[1])
                 : ifbam_batch_delta (batch, index, rate[0], rate[1]);
    }
}

static double
acceleration (const IfbamView *view, gsize node)
{
  if (node >= view->model->n_free)
    return ifbam_model_given (view->model, node, view->time).acceleration;
  if (view->engine != NULL && view->engine->acceleration != NULL)
    return view->engine->acceleration (view->engine, node);
  return ifbam_view_force (view, node) * view->model->inverse_inertia[node];
}

static double
signal_value (const IfbamSignal *signal, const IfbamView *view, const IfbamSums *sums)
{
  double position, rate;

  switch (signal->kind)
    {
    case IFBAM_SIGNAL_POSITION:
      ifbam_view_node (view, signal->number, &position, &rate);
      return position;
    case IFBAM_SIGNAL_RATE:
      ifbam_view_node (view, signal->number, &position, &rate);
      return rate;
    case IFBAM_SIGNAL_ACCELERATION:
      return acceleration (view, signal->number);
    case IFBAM_SIGNAL_FORCE:
    case IFBAM_SIGNAL_COMPRESSION:
    case IFBAM_SIGNAL_LINK_RATE:
    case IFBAM_SIGNAL_MODE:
    case IFBAM_SIGNAL_LINK_DISSIPATED:
      return link_value (signal, view, sums);
    case IFBAM_SIGNAL_SOURCE_FORCE:
      return ifbam_model_source_total (view->model, signal->number, view->time);
    case IFBAM_SIGNAL_KINETIC:
      return sums->kinetic;
    case IFBAM_SIGNAL_POTENTIAL:
      return sums->potential;
    case IFBAM_SIGNAL_ENERGY:
      return sums->kinetic + sums->potential;
    case IFBAM_SIGNAL_DISSIPATED:
      return sums->dissipated;
    case IFBAM_SIGNAL_SUPPLIED:
      return sums->supplied;
    case IFBAM_SIGNAL_MOMENTUM:
    default:
      return sums->momentum;
    }
}

void
ifbam_signals_row (const IfbamSignals *signals, const IfbamView *view, const IfbamSums *sums,
                   double *values)
{
  for (guint i = 0; i < signals->signals->len; i++)
    values[i] = signal_value (&g_array_index (signals->signals, IfbamSignal, i), view, sums);
}

void
ifbam_signals_add_nodes (const IfbamSignals *signals, const IfbamModel *model, GArray *nodes)
{
  for (guint i = 0; i < signals->signals->len; i++)
    {
      const IfbamSignal *signal = &g_array_index (signals->signals, IfbamSignal, i);
      const IfbamBatch *batch;
      gsize ends[2], index;

      switch (signal->kind)
        {
        case IFBAM_SIGNAL_POSITION:
        case IFBAM_SIGNAL_RATE:
          g_array_append_val (nodes, signal->number);
          break;
        case IFBAM_SIGNAL_ACCELERATION:
          g_array_append_val (nodes, signal->number);
          ifbam_model_add_neighbours (model, signal->number, nodes);
          break;
        case IFBAM_SIGNAL_FORCE:
        case IFBAM_SIGNAL_COMPRESSION:
        case IFBAM_SIGNAL_LINK_RATE:
          if (signal->single)
            break;
          batch = ifbam_model_batch (model, model->link_slot[signal->number], &index);
          ends[0] = batch->left[index];
          ends[1] = batch->right[index];
          g_array_append_vals (nodes, ends, 2);
          break;
        default:
          break;
        }
    }
}

gboolean
ifbam_signals_ask_engine (const IfbamSignals *signals)
{
  for (guint i = 0; i < signals->signals->len; i++)
    {
      const IfbamSignal *signal = &g_array_index (signals->signals, IfbamSignal, i);

      if (signal->single || signal->kind == IFBAM_SIGNAL_ACCELERATION
          || signal->kind == IFBAM_SIGNAL_LINK_DISSIPATED)
        return TRUE;
    }
  return FALSE;
}
