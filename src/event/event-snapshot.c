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
#include "event/flip-flop-steps.h"
#include "event/forces.h"
#include "event/islands.h"
#include "event/adaptive-steps.h"
#include "event/constraint-reactions.h"

static gboolean
has_rows (const IfbamIsland *island)
{
  return island->n_components > 0 && island->rows != NULL && island->rows->len > 0;
}

/* Copies redundancy (by component) and offsets (by node) out of the islands, or back into them. */
static void
take_kept (IfbamEventEngine *self, gboolean out)
{
  for (guint32 c = 0; c + 1 < self->components->len; c++)
    {
      IfbamIsland *island = ifbam_island (self, ifbam_component (self, c)->island);

      if (out)
        self->redundant[c] = 0;
      if (!has_rows (island))
        continue;
      if (out)
        self->redundant[c] = island->system.redundant;
      else if (self->redundant[c] && !island->curved)
        ifbam_reactions_share_out (&island->system);
      for (guint i = 0; i < island->held->len; i++)
        {
          IfbamHeld *held = &g_array_index (island->held, IfbamHeld, i);

          if (held->node == held->leader)
            continue;
          if (out)
            self->offset[held->node] = held->offset;
          else
            held->offset = self->offset[held->node];
        }
    }
}

static void
list_nodes (IfbamEventEngine *self, GArray *columns)
{
  const IfbamModel *model = self->base.model;

  double *row[IFBAM_MAX_COLUMNS] = { self->x, self->v };

  row[MAX (2, ifbam_scheme_leans (self->scheme))] = self->a;
  ifbam_state_add_scheme (columns, model, self->scheme, self->latency ? self->next : row,
                          self->next_flight);
  if (self->latency)
    ifbam_state_add_doubles (columns, "node.position-earlier", self->column[2], model->n_free);
}

/* Adds a column of `width` values per link. place: that of the first link, in self->link[0]. */
static void
add_links (IfbamEventEngine *self, GArray *columns, const char *name, IfbamStateType type,
           gpointer place, gsize width)
{
  ifbam_state_add (columns, name, type, place, sizeof *self->link, self->base.model->singles->len,
                   width);
}

static void
list_links (IfbamEventEngine *self, GArray *columns)
{
  IfbamLinkState *link = self->link;

  add_links (self, columns, "link.mode", IFBAM_STATE_WORDS, &link->mode, 1);
  add_links (self, columns, "link.reaction", IFBAM_STATE_DOUBLES, &link->reaction, 1);
  add_links (self, columns, "link.strongest", IFBAM_STATE_DOUBLES, &link->strongest, 1);
  add_links (self, columns, "link.slack", IFBAM_STATE_DOUBLES, &link->slack, 1);
  add_links (self, columns, "link.begins", IFBAM_STATE_WORDS, &link->begins, 1);
  add_links (self, columns, "link.pinned", IFBAM_STATE_WORDS, &link->pinned, 1);
  if (ifbam_model_controller (self->base.model) != IFBAM_NO_NODE)
    add_links (self, columns, "link.memory", IFBAM_STATE_DOUBLES, link->memory, IFBAM_MEMORY);
  if (memchr (self->pulsing, TRUE, self->base.model->singles->len) != NULL)
    add_links (self, columns, "link.lapse", IFBAM_STATE_DOUBLES, &link->lapse, 1);
  if (self->base.numbers->steering != NULL)
    ifbam_state_add (columns, "given.steering", IFBAM_STATE_DOUBLES, self->base.numbers->steering,
                     sizeof *self->base.numbers->steering, ifbam_model_n_given (self->base.model),
                     2);
  if (self->aimed != NULL)
    add_links (self, columns, "link.aim", IFBAM_STATE_DOUBLES, link->aim, 2);
  if (self->latency)
    {
      add_links (self, columns, "link.flight", IFBAM_STATE_DOUBLES, &link->answer, 1);
      add_links (self, columns, "link.flight-row", IFBAM_STATE_DOUBLES, link->answer_row,
                 IFBAM_MAX_PORTS);
    }
}

static void
list_islands (IfbamEventEngine *self, GArray *columns)
{
  const guint n_components = self->components->len - 1;

  ifbam_state_add (columns, "component.redundant", IFBAM_STATE_WORDS, self->redundant,
                   sizeof self->redundant[0], n_components, 1);
  ifbam_state_add_doubles (columns, "node.offset", self->offset, self->base.model->n_nodes);
}

/* Adds sums of work: those of links and slots only if they are booked. Under a flip-flop scheme
 * also the present powers, which the next trapezoid needs. */
static void
list_work (IfbamEventEngine *self, GArray *columns)
{
  const gboolean full = self->pending_loss != NULL;
  const gsize n_slots = self->base.model->n_slots;
  IfbamLinkState *link = self->link;

  ifbam_state_add_tallies (columns, "run.supplied", &self->fed.supplied, 1);
  ifbam_state_add_tallies (columns, "run.turnover", &self->fed.turnover, 1);
  ifbam_state_add_tallies (columns, "run.lost", &self->lost, 1);
  if (!self->accounts)
    return;
  if (self->latency)
    ifbam_state_add_doubles (columns, "component.supply", self->last_supply,
                             self->components->len - 1);
  if (!full)
    return;
  ifbam_state_add_tallies (columns, "slot.dissipated", self->dissipated, n_slots);
  if (self->has_active)
    ifbam_state_add_tallies (columns, "run.brought", &self->brought, 1);
  add_links (self, columns, "link.dissipated", IFBAM_STATE_DOUBLES, &link->dissipated, 2);
  if (!self->latency)
    return;
  ifbam_state_add_doubles (columns, "slot.loss", self->last_loss, n_slots);
  add_links (self, columns, "link.loss", IFBAM_STATE_DOUBLES, &link->last_loss, 1);
}

GArray *
ifbam_event_list_state (IfbamEngine *base, gboolean write)
{
  IfbamEventEngine *self = (IfbamEventEngine *) base;
  GArray *columns;

  if (self->failure != NULL && !write)
    return NULL;
  if (self->offset == NULL)
    {
      self->offset = g_new0 (double, base->model->n_nodes + 1);
      self->redundant = g_new0 (guint32, self->components->len);
    }
  memset (self->offset, 0, base->model->n_nodes * sizeof *self->offset);
  take_kept (self, TRUE);
  columns = g_array_new (FALSE, FALSE, sizeof (IfbamStateColumn));
  list_nodes (self, columns);
  list_links (self, columns);
  list_islands (self, columns);
  list_work (self, columns);
  if (self->pace != NULL)
    ifbam_pace_list_state (self, columns);
  /* Magnitude scales are used for guards only, which unbatched links have. */
  if (base->model->singles->len > 0)
    ifbam_state_add (columns, "domain.extent", IFBAM_STATE_DOUBLES, &self->extent[0].largest,
                     sizeof self->extent[0], (gsize) self->n_clusters * IFBAM_N_DOMAINS, 3);
  ifbam_state_add (columns, "run.held", IFBAM_STATE_WORDS, &self->closed, sizeof self->closed, 1,
                   2);
  ifbam_state_add_doubles (columns, "run.first-held", &self->first_closed, 1);
  return columns;
}

void
ifbam_event_stand_up (IfbamEventEngine *self)
{
  const IfbamModel *model = self->base.model;

  /* Nodes also sum stored forces of links that are not evaluated because they couple no islands. */
  for (guint j = 0; j < model->singles->len; j++)
    self->link[j].force = 0;
  ifbam_event_take_aim (self);
  ifbam_islands_put_together (self);
  take_kept (self, FALSE);
  ifbam_event_place (self, IFBAM_NONE, ifbam_event_time (self), self->x, self->v);
  if (self->latency)
    {
      ifbam_event_place_columns (self, (gint64) self->step, self->column);
      ifbam_event_place_columns (self, (gint64) self->step + 1, self->next);
      for (guint c = 0; c < 2; c++)
        memcpy (self->column[c], self->next[c + 2], model->n_free * sizeof (double));
    }
  if (self->objects != NULL)
    self->objects->stand (self);
  if (self->latency)
    ifbam_event_show_row (self);
}
