/* dual-probes.c: samples of the compiled engine, and possible crossings in them
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/dual-probes.h"

#include <string.h>

#include "event/event-candidates.h"
#include "event/forces.h"
#include "event/monitors.h"
#include "event/state-transfer.h"

void
ifbam_dual_merge_probes (IfbamDualEngine *self, const IfbamProbes *requested)
{
  const gsize n_requested = requested == NULL ? 0 : requested->n;
  gsize *node = (gsize *) self->probes.node, i = 0, k = 0, n = 0;

  if (n_requested > self->requested_capacity)
    {
      const gsize room = n_requested + self->n_read_nodes;

      self->requested_capacity = n_requested;
      self->requested_at = g_renew (gsize, self->requested_at, n_requested);
      self->probes.node = node = g_renew (gsize, node, room);
      self->probes.position =
          g_renew (double, self->probes.position, room *IFBAM_DUAL_MAX_INTERVAL);
      self->probes.rate = g_renew (double, self->probes.rate, room *IFBAM_DUAL_MAX_INTERVAL);
    }
  while (i < self->n_read_nodes || k < n_requested)
    {
      const gsize own = i < self->n_read_nodes ? self->read_nodes[i] : G_MAXSIZE;
      const gsize other = k < n_requested ? requested->node[k] : G_MAXSIZE;

      node[n] = MIN (own, other);
      if (own <= other)
        self->read_at[i++] = n;
      if (other <= own)
        self->requested_at[k++] = n;
      n++;
    }
  self->probes.n = n;
  self->probes.stride = 1;
}

gboolean
ifbam_dual_has_corners (const IfbamDualEngine *self, gsize node)
{
  return node >= self->base.model->n_free && self->event->schedule.edges->len > 0;
}

void
ifbam_dual_copy_probes (IfbamDualEngine *self, const IfbamProbes *requested, guint64 began,
                        guint64 steps, gssize from)
{
  gsize row;

  if (requested == NULL || !ifbam_probes_row (self->base.spec, requested, began, steps, &row))
    return;
  for (gsize i = 0; i < requested->n; i++)
    {
      const gsize node = requested->node[i];
      double *position = &requested->position[row * requested->n + i];
      double *rate = &requested->rate[row * requested->n + i];

      if (from < 0)
        ifbam_engine_get_nodes (&self->base, node, node + 1, position, rate);
      else if (ifbam_dual_has_corners (self, node))
        ifbam_event_given_at_row (self->event, node,
                                  steps - ifbam_engine_lookahead (self->base.spec), position, rate);
      else if (ifbam_dual_node_is_active (self, node))
        {
          *position = self->event->nodes.x[node];
          *rate = self->event->nodes.v[node];
        }
      else
        {
          *position = self->probes.position[(gsize) from * self->probes.n + self->requested_at[i]];
          *rate = self->probes.rate[(gsize) from * self->probes.n + self->requested_at[i]];
        }
    }
}

double
ifbam_dual_read_value (const IfbamDualEngine *self, gboolean rate, guint row, gsize i)
{
  const double *values = rate ? self->probes.rate : self->probes.position;

  return row == 0 ? self->now[rate][i] : values[(row - 1) * self->probes.n + self->read_at[i]];
}

/* Sets a given node at both ends of the event engine's step. Free nodes are unchanged. */
static void
set_given_node (IfbamEventEngine *event, guint32 node)
{
  const double step = event->base.spec->step;
  IfbamMotion from, to;

  if (node < event->base.model->n_free)
    return;
  from = ifbam_event_motion (event, node, (double) event->step * step);
  to = ifbam_event_motion (event, node, (double) (event->step + 1) * step);
  event->nodes.x[node] = from.position;
  event->nodes.v[node] = from.rate;
  event->nodes.x1[node] = to.position;
  event->nodes.v1[node] = to.rate;
}

gboolean
ifbam_dual_find_crossing (IfbamDualEngine *self, guint row)
{
  IfbamEventEngine *event = self->event;
  gboolean doubtful = FALSE;

  event->step = ifbam_dual_row (self) + row;
  for (gsize i = 0; i < self->n_read_nodes; i++)
    {
      const gsize node = self->read_nodes[i];
      double x, x1;

      if (ifbam_dual_cluster (self, self->read_node_cluster[i])->is_active)
        continue;
      x = ifbam_dual_read_value (self, FALSE, row, i);
      x1 = ifbam_dual_read_value (self, FALSE, row + 1, i);
      event->nodes.x[node] = x;
      event->nodes.v[node] = ifbam_dual_read_value (self, TRUE, row, i);
      event->nodes.x1[node] = x1;
      event->nodes.v1[node] =
          event->latency ? ifbam_event_backward_difference (
              event, x1, x,
              row == 0 ? self->before[0][i] : ifbam_dual_read_value (self, FALSE, row - 1, i))
                         : ifbam_dual_read_value (self, TRUE, row + 1, i);
    }
  for (guint i = 0; i < event->links.nodes->len; i++)
    set_given_node (event, g_array_index (event->links.nodes, guint32, i));
  if (event->step % IFBAM_MAGNITUDE_SAMPLES != 0)
    ifbam_event_update_thresholds (event);
  event->quiet = TRUE;
  for (guint i = 0; i < self->clusters->len; i++)
    {
      IfbamDualCluster *cluster = ifbam_dual_cluster (self, i);

      for (guint k = 0; k < cluster->links->len && !cluster->is_active && !cluster->may_cross; k++)
        {
          ifbam_array_clear (event->candidates.found);
          ifbam_event_find_candidates (event, ifbam_dual_indices (cluster->links)[k]);
          cluster->may_cross =
              event->candidates.found->len > 0 || event->candidates.penetrating->len > 0;
          ifbam_array_clear (event->candidates.penetrating);
        }
      doubtful |= cluster->may_cross;
    }
  ifbam_array_clear (event->candidates.found);
  return doubtful;
}

void
ifbam_dual_record_monitors (const IfbamDualEngine *self)
{
  for (guint i = 0; i < self->clusters->len; i++)
    {
      const IfbamDualCluster *cluster = ifbam_dual_cluster (self, i);

      for (guint k = 0; k < cluster->monitors->len && !cluster->is_active; k++)
        ifbam_monitor_check_step (self->event, ifbam_dual_indices (cluster->monitors)[k]);
    }
}
