/* signal-values.c: values of signals at a sample
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "engine/signal-values.h"

/* Signals of a link are in the order of IfbamQuantity. */
G_STATIC_ASSERT (IFBAM_SIGNAL_LINK_DISSIPATED - IFBAM_SIGNAL_FORCE == IFBAM_LINK_DISSIPATED);

static void
fill (double *values, gsize n, double value)
{
  for (gsize i = 0; i < n; i++)
    values[i] = value;
}

static void
link_value (const IfbamSignal *signal, const IfbamView *view, const IfbamSums *sums, double *values)
{
  const gsize lanes = view->numbers->lanes;
  double *unwanted = g_newa (double, lanes);
  gsize slot;

  if (signal->single)
    {
      *values = ifbam_engine_get (view->engine, (IfbamQuantity) (signal->kind - IFBAM_SIGNAL_FORCE),
                                  signal->number);
      return;
    }
  slot = view->numbers->model->link_slot[signal->number];
  switch ((guint) signal->kind)
    {
    case IFBAM_SIGNAL_FORCE:
      ifbam_view_link (view, slot, IFBAM_OUTPUT_FORCE, values);
      break;
    case IFBAM_SIGNAL_LINK_DISSIPATED:
      *values = sums->link_dissipated != NULL
                    ? ifbam_compensated_sum_value (&sums->link_dissipated[slot])
                    : ifbam_engine_get (view->engine, IFBAM_SLOT_DISSIPATED, slot);
      break;
    case IFBAM_SIGNAL_MODE:
      fill (values, lanes, 0.0); /* the only mode */
      break;
    case IFBAM_SIGNAL_COMPRESSION:
      ifbam_view_delta (view, slot, values, unwanted);
      break;
    default:
      ifbam_view_delta (view, slot, unwanted, values);
      break;
    }
}

/* A coordinate of a point of the plane, or its rate. */
static void
coordinate_value (const IfbamSignal *signal, const IfbamView *view, double *value)
{
  const IfbamLink *gauge =
      &g_array_index (view->numbers->model->point_coordinates, IfbamLink, signal->number);
  double x[IFBAM_MAX_PORTS], v[IFBAM_MAX_PORTS], row[IFBAM_MAX_PORTS], delta, rate = 0;

  for (guint e = 0; e < gauge->n_ports; e++)
    ifbam_view_node (view, gauge->node[e], &x[e], &v[e]);
  gauge->geometry->measure (gauge->shape, x, v, &delta, row);
  for (guint e = 0; e < gauge->n_ports; e++)
    rate += row[e] * v[e];
  *value = signal->kind == IFBAM_SIGNAL_PLACE ? delta : rate;
}

static double
sums_value (IfbamSignalKind kind, const IfbamSums *sums)
{
  switch ((guint) kind)
    {
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
    default:
      return sums->momentum;
    }
}

void
ifbam_signal_value (const IfbamSignal *signal, const IfbamView *view, const IfbamSums *sums,
                    double *values)
{
  const gsize lanes = view->numbers->lanes;
  double *unwanted = g_newa (double, lanes);

  switch (signal->kind)
    {
    case IFBAM_SIGNAL_POSITION:
      ifbam_view_node (view, signal->number, values, unwanted);
      break;
    case IFBAM_SIGNAL_RATE:
      ifbam_view_node (view, signal->number, unwanted, values);
      break;
    case IFBAM_SIGNAL_ACCELERATION:
      ifbam_view_acceleration (view, signal->number, values);
      break;
    case IFBAM_SIGNAL_NODE_FORCE:
      ifbam_view_node_force (view, signal->number, values);
      break;
    case IFBAM_SIGNAL_PLACE:
    case IFBAM_SIGNAL_PLACE_RATE:
      coordinate_value (signal, view, values);
      break;
    case IFBAM_SIGNAL_FORCE:
    case IFBAM_SIGNAL_COMPRESSION:
    case IFBAM_SIGNAL_LINK_RATE:
    case IFBAM_SIGNAL_MODE:
    case IFBAM_SIGNAL_OUTPUT:
    case IFBAM_SIGNAL_LINK_DISSIPATED:
      link_value (signal, view, sums, values);
      break;
    case IFBAM_SIGNAL_SOURCE_FORCE:
      ifbam_view_source (view, signal->number, values);
      break;
    default:
      for (gsize l = 0; l < lanes; l++)
        values[l] = sums_value (signal->kind, &sums[l]);
      break;
    }
}

void
ifbam_signals_row (const IfbamSignals *signals, const IfbamView *view, const IfbamSums *sums,
                   double *values)
{
  for (guint i = 0; i < signals->signals->len; i++)
    ifbam_signal_value (&g_array_index (signals->signals, IfbamSignal, i), view, sums, &values[i]);
}

void
ifbam_signals_add_nodes (const IfbamSignals *signals, const IfbamModel *model, GArray *nodes)
{
  for (guint i = 0; i < signals->signals->len; i++)
    {
      const IfbamSignal *signal = &g_array_index (signals->signals, IfbamSignal, i);
      IfbamLinkIter at = ifbam_links (model, IFBAM_LINKS_BATCHED);

      switch (signal->kind)
        {
        case IFBAM_SIGNAL_PLACE:
        case IFBAM_SIGNAL_PLACE_RATE:
          ifbam_link_add_nodes (
              &g_array_index (model->point_coordinates, IfbamLink, signal->number), G_MAXSIZE,
              nodes);
          break;
        case IFBAM_SIGNAL_POSITION:
        case IFBAM_SIGNAL_RATE:
          g_array_append_val (nodes, signal->number);
          break;
        case IFBAM_SIGNAL_ACCELERATION:
        case IFBAM_SIGNAL_NODE_FORCE:
          g_array_append_val (nodes, signal->number);
          ifbam_model_add_neighbours (model, signal->number, nodes);
          break;
        case IFBAM_SIGNAL_FORCE:
        case IFBAM_SIGNAL_COMPRESSION:
        case IFBAM_SIGNAL_LINK_RATE:
          if (signal->single)
            break;
          ifbam_link_iter_seek (&at, signal->number);
          ifbam_link_add_nodes (at.link, G_MAXSIZE, nodes);
          break;
        default:
          break;
        }
    }
}

gboolean
ifbam_signal_needs_engine (const IfbamSignal *signal)
{
  return signal->single || signal->kind == IFBAM_SIGNAL_ACCELERATION
         || signal->kind == IFBAM_SIGNAL_NODE_FORCE || signal->kind == IFBAM_SIGNAL_LINK_DISSIPATED;
}

gboolean
ifbam_signals_need_engine (const IfbamSignals *signals)
{
  for (guint i = 0; i < signals->signals->len; i++)
    if (ifbam_signal_needs_engine (&g_array_index (signals->signals, IfbamSignal, i)))
      return TRUE;
  return FALSE;
}
