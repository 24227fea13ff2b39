/* event-snapshot.c: columns that make up the event engine's state, and their restoration
 *
 * Islands with constraint rows, merged nodes and matrices follow from modes and positions, except
 * offsets and redundancy found at assembly. Given nodes and scheduled events follow from the time.
 * Under a flip-flop scheme the sample follows from the coming cycle.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/event-snapshot.h"

#include <string.h>

#include "event/slip-direction.h"
#include "event/forces.h"
#include "event/adaptive-steps.h"
#include "event/flip-flop-steps.h"
#include "event/islands.h"

static gboolean
has_rows (const IfbamIsland *island)
{
  return island->n_components > 0 && island->rows != NULL && island->rows->len > 0;
}

/* Copies redundancy (by component) and offsets (by node) out of the islands, or back into them. */
static void
copy_island_data (IfbamEventEngine *self, gboolean out)
{
  for (guint32 c = 0; c + 1 < self->components.list->len; c++)
    {
      IfbamIsland *island = ifbam_island (self, ifbam_component (self, c)->island);

      if (out)
        self->islands.redundant[c] = 0;
      if (!has_rows (island))
        continue;
      if (out)
        self->islands.redundant[c] = island->system.redundant;
      else if (self->islands.redundant[c] && !island->has_variable_rows)
        ifbam_constraint_system_share_loads (&island->system);
      for (guint i = 0; i < island->merged->len; i++)
        {
          IfbamMergedNode *merged = &g_array_index (island->merged, IfbamMergedNode, i);

          if (merged->node == merged->leader)
            continue;
          if (out)
            self->islands.offset[merged->node] = merged->offset;
          else
            merged->offset = self->islands.offset[merged->node];
        }
    }
}

static void
list_nodes (IfbamEventEngine *self, GArray *columns)
{
  const IfbamModel *model = self->base.model;

  double *row[IFBAM_MAX_COLUMNS] = { self->nodes.x, self->nodes.v };

  row[MAX (2, ifbam_scheme_carried_acceleration (self->scheme))] = self->nodes.a;
  ifbam_state_add_scheme (columns, model, self->scheme, self->latency ? self->history.next : row,
                          self->history.next_flight);
  if (self->latency)
    ifbam_state_add_doubles (columns, "node.position-earlier", self->history.column[2],
                             model->n_free);
}

/* Adds a column of `width` values per link. place: that of the first link, in
 * self->links.state[0]. */
static void
add_links (IfbamEventEngine *self, GArray *columns, const char *name, IfbamStateType type,
           gpointer place, gsize width)
{
  ifbam_state_add (columns, name, type, place, sizeof *self->links.state,
                   self->base.model->unbatched_links->len, width);
}

static void
list_links (IfbamEventEngine *self, GArray *columns)
{
  IfbamLinkState *link = self->links.state;

  add_links (self, columns, "link.mode", IFBAM_STATE_WORDS, &link->mode, 1);
  add_links (self, columns, "link.reaction", IFBAM_STATE_DOUBLES, &link->reaction, 1);
  add_links (self, columns, "link.strongest", IFBAM_STATE_DOUBLES, &link->force_scale, 1);
  add_links (self, columns, "link.slack", IFBAM_STATE_DOUBLES, &link->remaining_gap, 1);
  add_links (self, columns, "link.begins", IFBAM_STATE_WORDS, &link->starts_at_threshold, 1);
  add_links (self, columns, "link.pinned", IFBAM_STATE_WORDS, &link->is_prevented, 1);
  if (ifbam_model_controller (self->base.model) != IFBAM_NO_NODE)
    add_links (self, columns, "link.memory", IFBAM_STATE_DOUBLES, link->memory, IFBAM_MEMORY);
  if (memchr (self->links.is_pulsing, TRUE, self->base.model->unbatched_links->len) != NULL)
    add_links (self, columns, "link.lapse", IFBAM_STATE_DOUBLES, &link->pulse_end, 1);
  if (self->base.numbers->motion_scale != NULL)
    ifbam_state_add (columns, "given.steering", IFBAM_STATE_DOUBLES,
                     self->base.numbers->motion_scale, sizeof *self->base.numbers->motion_scale,
                     ifbam_model_n_given (self->base.model), 2);
  if (self->links.aimed != NULL)
    add_links (self, columns, "link.aim", IFBAM_STATE_DOUBLES, link->slip_direction, 2);
  if (self->latency)
    {
      add_links (self, columns, "link.flight", IFBAM_STATE_DOUBLES, &link->next_force, 1);
      add_links (self, columns, "link.flight-row", IFBAM_STATE_DOUBLES, link->next_row,
                 IFBAM_MAX_PORTS);
    }
}

static void
list_islands (IfbamEventEngine *self, GArray *columns)
{
  const guint n_components = self->components.list->len - 1;

  ifbam_state_add (columns, "component.redundant", IFBAM_STATE_WORDS, self->islands.redundant,
                   sizeof self->islands.redundant[0], n_components, 1);
  ifbam_state_add_doubles (columns, "node.offset", self->islands.offset, self->base.model->n_nodes);
}

/* Adds sums of work: those of links and slots only if they are booked. Under a flip-flop scheme
 * also the present powers, which the next trapezoid needs. */
static void
list_work (IfbamEventEngine *self, GArray *columns)
{
  const gboolean full = self->account.pending_loss != NULL;
  const gsize n_slots = self->base.model->n_slots;
  IfbamLinkState *link = self->links.state;

  ifbam_state_add_compensated_sums (columns, "run.supplied", &self->account.external.supplied, 1);
  ifbam_state_add_compensated_sums (columns, "run.turnover", &self->account.external.gross_work, 1);
  ifbam_state_add_compensated_sums (columns, "run.lost", &self->account.lost, 1);
  if (!self->account.is_kept)
    return;
  if (self->latency)
    ifbam_state_add_doubles (columns, "component.supply", self->account.last_supply,
                             self->components.list->len - 1);
  if (!full)
    return;
  ifbam_state_add_compensated_sums (columns, "slot.dissipated", self->account.dissipated, n_slots);
  if (self->account.has_active)
    ifbam_state_add_compensated_sums (columns, "run.brought", &self->account.link_supply, 1);
  add_links (self, columns, "link.dissipated", IFBAM_STATE_DOUBLES, &link->dissipated, 2);
  if (!self->latency)
    return;
  ifbam_state_add_doubles (columns, "slot.loss", self->account.last_loss, n_slots);
  add_links (self, columns, "link.loss", IFBAM_STATE_DOUBLES, &link->last_loss, 1);
}

GArray *
ifbam_event_list_state (IfbamEngine *base, gboolean write)
{
  IfbamEventEngine *self = (IfbamEventEngine *) base;
  GArray *columns;

  if (self->base.log->failure != NULL && !write)
    return NULL;
  if (self->islands.offset == NULL)
    {
      self->islands.offset = g_new0 (double, base->model->n_nodes + 1);
      self->islands.redundant = g_new0 (guint32, self->components.list->len);
    }
  memset (self->islands.offset, 0, base->model->n_nodes * sizeof *self->islands.offset);
  copy_island_data (self, TRUE);
  columns = g_array_new (FALSE, FALSE, sizeof (IfbamStateColumn));
  list_nodes (self, columns);
  list_links (self, columns);
  list_islands (self, columns);
  list_work (self, columns);
  if (self->adaptive != NULL)
    ifbam_adaptive_list_state (self, columns);
  /* Magnitude scales are used for guards only, which unbatched links have. */
  if (base->model->unbatched_links->len > 0)
    ifbam_state_add (columns, "domain.extent", IFBAM_STATE_DOUBLES,
                     &self->clusters.magnitudes[0].position, sizeof self->clusters.magnitudes[0],
                     (gsize) self->clusters.n * IFBAM_N_DOMAINS, 3);
  ifbam_state_add (columns, "run.held", IFBAM_STATE_WORDS, &self->base.log->suspended,
                   sizeof self->base.log->suspended, 1, 2);
  ifbam_state_add_doubles (columns, "run.first-held", &self->base.log->first_suspended_time, 1);
  return columns;
}

void
ifbam_event_rebuild (IfbamEventEngine *self)
{
  const IfbamModel *model = self->base.model;

  /* Nodes also sum stored forces of links that are not evaluated because they couple no islands. */
  for (guint j = 0; j < model->unbatched_links->len; j++)
    self->links.state[j].force = 0;
  ifbam_event_copy_slip_directions (self);
  ifbam_islands_rebuild (self);
  copy_island_data (self, FALSE);
  ifbam_event_set_given (self, IFBAM_NONE, ifbam_event_time (self), self->nodes.x, self->nodes.v);
  if (self->latency)
    {
      ifbam_event_set_given_columns (self, (gint64) self->step, self->history.column);
      ifbam_event_set_given_columns (self, (gint64) self->step + 1, self->history.next);
      for (guint c = 0; c < 2; c++)
        memcpy (self->history.column[c], self->history.next[c + 2],
                model->n_free * sizeof (double));
    }
  self->evaluator->state_restored (self);
  if (self->latency)
    ifbam_event_compute_sample (self);
}
