/* event-block.c: the event engine's state at a row, as one block
 *
 * Islands are kept as the numbers that their components have; their rows, groups and matrices follow from
 * modes and positions, but for what they have kept since they were put together.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/event-block.h"

#include <stddef.h>

#include "base/ifbam-error.h"
#include "event/event-islands.h"
#include "event/event-relations.h"

/* What islands keep, by node and by component. */
typedef struct
{
  double *offset;     /* of a node in its group that is held (n_nodes) */
  guint32 *redundant; /* whether the component's island has had to share its reactions out (n) */
} Kept;

static void
kept_clear (Kept *kept)
{
  g_free (kept->offset);
  g_free (kept->redundant);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Kept, kept_clear)

static gboolean
has_rows (const IfbamIsland *island)
{
  return island->n_components > 0 && island->rows != NULL && island->rows->len > 0;
}

/* Out of the islands, or back. */
static void
take_kept (IfbamEventEngine *self, Kept *kept, gboolean out)
{
  for (guint32 c = 0; c + 1 < self->components->len; c++)
    {
      IfbamIsland *island = ifbam_island (self, ifbam_component (self, c)->island);

      if (!has_rows (island))
        continue;
      if (out)
        kept->redundant[c] = island->system.redundant;
      else if (kept->redundant[c] && !island->curved)
        ifbam_reactions_share_out (&island->system);
      for (guint i = 0; i < island->held->len; i++)
        {
          IfbamHeld *held = &g_array_index (island->held, IfbamHeld, i);

          if (held->node == held->leader)
            continue;
          if (out)
            kept->offset[held->node] = held->offset;
          else
            held->offset = kept->offset[held->node];
        }
    }
}

static void
list_nodes (IfbamEventEngine *self, GArray *columns)
{
  static const char *const now[] = { "cycle.column-0", "cycle.column-1", "cycle.column-2",
                                     "cycle.column-3", "cycle.column-4", "cycle.column-5" };
  static const char *const next[] = { "next.column-0", "next.column-1", "next.column-2",
                                      "next.column-3", "next.column-4", "next.column-5" };
  const IfbamModel *model = self->base.model;

  ifbam_state_add_doubles (columns, "node.position", self->x, model->n_nodes);
  ifbam_state_add_doubles (columns, "node.rate", self->v, model->n_nodes);
  ifbam_state_add_doubles (columns, "node.acceleration", self->a, model->n_nodes);
  if (!self->latency)
    return;
  for (guint c = 0; c < self->scheme->n_columns; c++)
    {
      ifbam_state_add_doubles (columns, now[c], self->column[c], model->n_nodes);
      ifbam_state_add_doubles (columns, next[c], self->next[c], model->n_nodes);
    }
  ifbam_state_add_doubles (columns, "slot.flight", self->next_flight, model->n_slots);
  ifbam_state_add_doubles (columns, "source.flight", self->next_flight + model->n_slots,
                           model->n_sources);
}

static void
list_links (IfbamEventEngine *self, GArray *columns)
{
  const struct
  {
    const char *name;
    IfbamStateType type;
    gsize place, width;
  } fields[] = {
#define WORD(name, field) { name, IFBAM_STATE_WORDS, offsetof (IfbamLinkState, field), 1 }
#define DOUBLE(name, field)                                                                        \
  {                                                                                                \
    name, IFBAM_STATE_DOUBLES, offsetof (IfbamLinkState, field), 1                                 \
  }
#define ROW(name, field)                                                                           \
  {                                                                                                \
    name, IFBAM_STATE_DOUBLES, offsetof (IfbamLinkState, field), IFBAM_MAX_PORTS                   \
  }
    WORD ("link.mode", mode),
    DOUBLE ("link.force", force),
    DOUBLE ("link.flight", answer),
    ROW ("link.flight-row", answer_row),
    DOUBLE ("link.reaction", reaction),
    DOUBLE ("link.strongest", strongest),
    DOUBLE ("link.slack", slack),
    WORD ("link.bounced", bounced),
    ROW ("link.row", row),
    DOUBLE ("link.dissipated", dissipated),
    DOUBLE ("link.loss", last_loss),
    WORD ("link.fired", fired),
    DOUBLE ("link.last-fired", last_fired),
    WORD ("link.repeated", repeated),
    DOUBLE ("link.since", since),
    WORD ("link.begins", begins),
    WORD ("link.held", held),
    WORD ("link.pinned", pinned),
#undef WORD
#undef DOUBLE
#undef ROW
  };

  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    ifbam_state_add (columns, fields[i].name, fields[i].type, (char *) self->link + fields[i].place,
                     sizeof *self->link, self->base.model->singles->len, fields[i].width);
}

static void
list_work (IfbamEventEngine *self, GArray *columns)
{
  const gsize n_slots = self->base.model->n_slots;

  ifbam_state_add_doubles (columns, "run.supplied", &self->supplied, 1);
  ifbam_state_add_doubles (columns, "run.turnover", &self->turnover, 1);
  if (!self->accounts)
    return;
  ifbam_state_add_doubles (columns, "component.supply", self->last_supply, self->components->len);
  if (self->pending_loss == NULL)
    return;
  ifbam_state_add_doubles (columns, "slot.dissipated", self->dissipated, n_slots);
  ifbam_state_add_doubles (columns, "slot.loss", self->last_loss, n_slots);
}

static GArray *
list_columns (IfbamEventEngine *self, Kept *kept)
{
  const IfbamModel *model = self->base.model;
  const guint n_components = self->components->len - 1;
  GArray *columns = g_array_new (FALSE, FALSE, sizeof (IfbamStateColumn));

  kept->offset = g_new0 (double, model->n_nodes + 1);
  kept->redundant = g_new0 (guint32, n_components + 1);
  list_nodes (self, columns);
  list_links (self, columns);
  list_work (self, columns);
  ifbam_state_add_doubles (columns, "source.from", self->piece_from, model->n_sources);
  ifbam_state_add_doubles (columns, "source.until", self->piece_until, model->n_sources);
  ifbam_state_add (columns, "domain.extent", IFBAM_STATE_DOUBLES, self->extent,
                   sizeof self->extent[0], IFBAM_N_DOMAINS,
                   sizeof self->extent[0] / sizeof (double));
  ifbam_state_add (columns, "component.island", IFBAM_STATE_WORDS,
                   &ifbam_component (self, 0)->island, sizeof (IfbamComponent), n_components, 1);
  ifbam_state_add (columns, "component.redundant", IFBAM_STATE_WORDS, kept->redundant,
                   sizeof kept->redundant[0], n_components, 1);
  ifbam_state_add_doubles (columns, "node.offset", kept->offset, model->n_nodes);
  ifbam_state_add_list (columns, "island.free", self->free_islands);
  ifbam_state_add_list (columns, "island.holding", self->holding);
  ifbam_state_add_doubles (columns, "run.early", &self->early, 1);
  ifbam_state_add (columns, "run.next-instant", IFBAM_STATE_WORDS, &self->next_instant,
                   sizeof self->next_instant, 1, 1);
  ifbam_state_add (columns, "run.still", IFBAM_STATE_WORDS, &self->still, sizeof self->still, 1, 1);
  ifbam_state_add (columns, "run.held", IFBAM_STATE_WORDS, &self->n_held, sizeof self->n_held, 1,
                   1);
  return columns;
}

/* Whether a list numbers islands. */
static gboolean
refuse_islands (const IfbamEventEngine *self, const IfbamState *state, const char *name,
                GError **error)
{
  gsize n = 0;
  const guint32 *number = ifbam_state_find (state, name, IFBAM_STATE_WORDS, &n);

  for (gsize i = 0; i < n; i++)
    if (number[i] >= self->islands->len)
      {
        g_set_error (error, IFBAM_ERROR, IFBAM_ERROR_USAGE,
                     "the state's column '%s' has an island %u, of %u", name, number[i],
                     self->islands->len);
        return TRUE;
      }
  return FALSE;
}

IfbamState *
ifbam_event_get_state (IfbamEngine *base)
{
  IfbamEventEngine *self = (IfbamEventEngine *) base;
  g_auto (Kept) kept = { 0 };
  g_autoptr (GArray) columns = NULL;

  if (self->failure != NULL)
    return NULL;
  columns = list_columns (self, &kept);
  take_kept (self, &kept, TRUE);
  return ifbam_state_new (base->model, base->spec, base->steps, columns);
}

gboolean
ifbam_event_set_state (IfbamEngine *base, const IfbamState *state, GError **error)
{
  IfbamEventEngine *self = (IfbamEventEngine *) base;
  const guint64 lookahead = ifbam_engine_lookahead (base->spec);
  g_auto (Kept) kept = { 0 };
  g_autoptr (GArray) columns = list_columns (self, &kept);

  if (refuse_islands (self, state, "component.island", error)
      || refuse_islands (self, state, "island.free", error)
      || refuse_islands (self, state, "island.holding", error)
      || !ifbam_state_restore (state, base->model, base->spec, columns, error))
    return FALSE;
  base->steps = ifbam_state_steps (state);
  self->step = base->steps - MIN (base->steps, lookahead);
  g_clear_pointer (&self->failure, g_free);
  self->failed = ifbam_event_time (self);
  g_array_set_size (self->sunk, 0);
  for (guint j = 0; j < base->model->singles->len; j++)
    self->link[j].pending = 0;
  ifbam_islands_put_together (self);
  take_kept (self, &kept, FALSE);
  return TRUE;
}
