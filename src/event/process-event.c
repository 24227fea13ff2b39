/* process-event.c: processing of one event: modes, impulses, active set, massless nodes
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/process-event.h"

#include "event/event-adhere.h"
#include "event/guards.h"
#include "event/active-set.h"
#include "event/implicit-step.h"
#include "event/impacts.h"
#include "event/islands.h"
#include "event/event-context.h"
#include "event/constraint-reactions.h"
#include "event/event-log.h"
#include "event/step-work.h"

/* Switches links without constraints to the modes to which their fired guards lead. */
static void
change_laws (IfbamEventEngine *self, double time, const IfbamCandidate *fired, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      const guint32 number = fired[i].link;
      int old;

      if (number == IFBAM_NONE || ifbam_link_relation (self, number).kind != IFBAM_RELATION_NONE)
        continue;
      old = self->link[number].mode;
      self->link[number].mode = fired[i].guard.next;
      ifbam_event_note_change (self, time, number, old);
    }
}

/* Finds the first link of an island beyond a guard after an impulse, and its next mode. */
static gboolean
find_jump (IfbamEventEngine *self, guint32 island, double time, guint32 *number, int *next)
{
  for (guint32 c = ifbam_island (self, island)->first; c != IFBAM_NONE;
       c = ifbam_component (self, c)->next)
    {
      const IfbamComponent *component = ifbam_component (self, c);

      for (gsize i = component->singles; i < component->singles + component->n_singles; i++)
        {
          const guint32 link = g_array_index (self->numbers, guint32, i);
          IfbamGuard guards[IFBAM_MAX_GUARDS];
          guint n;

          if (ifbam_link_relation (self, link).kind != IFBAM_RELATION_NONE)
            continue;
          n = ifbam_event_guards (self, link, guards);
          for (guint g = 0; g < n; g++)
            if (ifbam_event_has_jumped (self, link, &guards[g], time))
              {
                *number = link;
                *next = guards[g].next;
                return TRUE;
              }
        }
    }
  return FALSE;
}

/* Switches links without constraints if an impulse has taken their rate or force beyond a guard. */
static void
follow_jumps (IfbamEventEngine *self, double time)
{
  const guint most = self->limits.jumps * (1 + self->base.model->singles->len);
  guint32 number;
  int next;

  for (guint i = 0, jumps = 0; i < self->affected->len; i++)
    while (ifbam_event_goes_on (self, time, 1)
           && find_jump (self, g_array_index (self->affected, guint32, i), time, &number, &next))
      {
        const int old = self->link[number].mode;

        ifbam_event_bring_ends (self, number, time);
        self->link[number].mode = next;
        if (ifbam_link_event (ifbam_link (self, number), old, next) != NULL)
          g_array_append_val (self->play->tripped, number);
        ifbam_event_note_change (self, time, number, old);
        if (++jumps > most)
          ifbam_event_fail (self, time, &number, 1, "", " changes its law to and fro without end");
      }
}

/* Finds an island's first link beyond a guard after a jump of massless nodes, and its next mode. */
static gboolean
find_beyond (IfbamEventEngine *self, guint32 island, double time, guint32 *number, int *next)
{
  IFBAM_FOR_COMPONENTS (component, island)
  IFBAM_FOR_LIST (link, component, singles)
  {
    IfbamGuard guards[IFBAM_MAX_GUARDS];
    guint n;

    if (ifbam_link_relation (self, *link).kind != IFBAM_RELATION_NONE || self->outside[*link])
      continue;
    n = ifbam_event_guards (self, *link, guards);
    for (guint g = 0; g < n; g++)
      if (ifbam_event_guard_value (self, *link, &guards[g], self->x, self->v, time)
          < -ifbam_event_guard_floor (self, *link, &guards[g]))
        {
          *number = *link;
          *next = guards[g].next;
          return TRUE;
        }
  }
  return FALSE;
}

/* Returns whether a link has a massless node. */
static gboolean
stands_light (const IfbamEventEngine *self, guint32 number)
{
  const IfbamLink *link = ifbam_link (self, number);

  for (guint e = 0; e < link->n_ports; e++)
    if (link->node[e] < self->base.model->n_free
        && ifbam_model_is_junction (self->base.model, link->node[e]))
      return TRUE;
  return FALSE;
}

static gboolean
has_let_go (guint32 number, const IfbamCandidate *fired, guint n)
{
  for (guint i = 0; i < n; i++)
    if (fired[i].link == number && fired[i].guard.kind == IFBAM_GUARD_REACTION)
      return TRUE;
  return FALSE;
}

/* Finds the fastest approaching one of an island's open rate constraints at massless nodes.
 * Impulses do not stop massless nodes, which follow their forces at once. Where nothing is loaded
 * yet, as when an inductor's current starts, present reactions do not give the active set. A
 * constraint that opened in this event is skipped. fastest: rate of the fastest so far, updated. */
static gboolean
find_pressed (IfbamEventEngine *self, guint32 island, const IfbamCandidate *fired, guint n,
              double *fastest, guint32 *number)
{
  gboolean found = FALSE;

  IFBAM_FOR_COMPONENTS (component, island)
  IFBAM_FOR_LIST (link, component, singles)
  {
    const IfbamExtent *extent;
    double delta, rate;

    if (ifbam_link_relation (self, *link).kind != IFBAM_RELATION_ONE_WAY
        || self->link[*link].mode != IFBAM_MODE_OPEN || !stands_light (self, *link)
        || has_let_go (*link, fired, n))
      continue;
    extent = ifbam_event_extent (self, *link);
    rate = ifbam_link_rate (self, *link, &delta);
    if (rate > *fastest && rate > IFBAM_NEAR * extent->fastest + 2 * extent->rate_floor)
      {
        *fastest = rate;
        *number = *link;
        found = TRUE;
      }
  }
  return found;
}

/* Sets a constraint's rate to 0 by its massless nodes alone: other nodes keep their velocities. */
static void
follow_pressed (IfbamEventEngine *self, guint32 number, double time)
{
  const IfbamLink *link = ifbam_link (self, number);
  double delta, size = 0;
  const double rate = ifbam_link_rate (self, number, &delta), *row = self->link[number].row;
  guint32 light[IFBAM_MAX_PORTS];
  double share[IFBAM_MAX_PORTS];
  guint n = 0;

  for (guint e = 0; e < link->n_ports; e++)
    if (link->node[e] < self->base.model->n_free
        && ifbam_model_is_junction (self->base.model, link->node[e]))
      {
        light[n] = link->node[e];
        share[n++] = row[e];
        size += row[e] * row[e];
      }
  for (guint k = 0; k < n; k++)
    {
      self->v[light[k]] -= share[k] * rate / size;
      IFBAM_TELL (self, impose, light[k], self->v);
    }
  ifbam_event_fix (self, ifbam_island (self, ifbam_island_of (self, light[0])), self->x, self->v,
                   time, FALSE);
}

static void
set_affected (IfbamEventEngine *self, gboolean affected)
{
  for (guint i = 0; i < self->affected->len; i++)
    ifbam_island (self, g_array_index (self->affected, guint32, i))->affected = affected;
}

/* Books the energy that links gain in a jump of massless nodes. Nodes pass balanced states, as if
 * loads changed evenly: these supply it. Energy released by a link's event (lets_go) is lost. */
static void
book_jump (IfbamEventEngine *self, double gained, gboolean lets_go)
{
  if (gained < 0 && lets_go)
    ifbam_tally_add (&self->lost, -gained);
  else if (gained != 0)
    ifbam_feed_add (&self->fed, gained);
}

static gboolean
any_link (const IfbamCandidate *fired, guint n)
{
  for (guint i = 0; i < n; i++)
    if (fired[i].link != IFBAM_NONE)
      return TRUE;
  return FALSE;
}

/* Balances massless nodes; switches laws that depend on them, one after the other. */
static void
balance (IfbamEventEngine *self, double time, const IfbamCandidate *fired, guint n)
{
  const guint most = self->limits.jumps * (1 + self->base.model->singles->len);
  double gained = 0;

  for (guint jumps = 0; ifbam_event_goes_on (self, time, 1); jumps++)
    {
      gboolean found = FALSE, pressed = FALSE;
      guint32 number;
      double fastest = 0;
      int next, old;

      for (guint i = 0; i < self->affected->len; i++)
        gained += ifbam_event_balance (self, g_array_index (self->affected, guint32, i), time);
      for (guint i = 0; i < self->affected->len && !found && self->failure == NULL; i++)
        found =
            find_beyond (self, g_array_index (self->affected, guint32, i), time, &number, &next);
      for (guint i = 0; i < self->affected->len && !found && self->failure == NULL; i++)
        pressed |= find_pressed (self, g_array_index (self->affected, guint32, i), fired, n,
                                 &fastest, &number);
      if (pressed)
        next = IFBAM_MODE_HELD;
      found |= pressed;
      if (!found)
        break;
      old = self->link[number].mode;
      set_affected (self, TRUE);
      ifbam_event_bring_ends (self, number, time);
      set_affected (self, FALSE);
      gained -= ifbam_event_link_stored (self, number);
      self->link[number].mode = next;
      gained += ifbam_event_link_stored (self, number);
      if (ifbam_link_event (ifbam_link (self, number), old, next) != NULL)
        g_array_append_val (self->play->tripped, number);
      ifbam_event_note_change (self, time, number, old);
      ifbam_islands_sort (self);
      if (pressed)
        follow_pressed (self, number, time);
      if (jumps == most)
        ifbam_event_fail (self, time, &number, 1, "", " changes its law to and fro without end");
    }
  book_jump (self, gained, any_link (fired, n));
}

void
ifbam_event_instant (IfbamEventEngine *self, double time, const IfbamCandidate *fired, guint n)
{
  IfbamPlay *play = self->play;

  ifbam_empty (play->in_play);
  play->pushed = play->leapt = FALSE;
  for (guint i = 0; i < n; i++)
    if (fired[i].link != IFBAM_NONE)
      {
        ifbam_event_bring_ends (self, fired[i].link, time);
        ifbam_event_count (self, time, fired[i].link);
      }
  change_laws (self, time, fired, n);
  ifbam_event_adhere (self, time, fired, n);
  for (guint i = 0; i < n; i++)
    if (fired[i].link != IFBAM_NONE)
      ifbam_event_consider (self, fired[i].link, time,
                            fired[i].guard.kind == IFBAM_GUARD_POSITION
                                || fired[i].guard.kind == IFBAM_GUARD_RATE);
  for (guint i = 0; i < play->struck->len; i++)
    ifbam_event_consider_node (self, g_array_index (play->struck, guint32, i), time);
  for (guint jams = 0;; jams++)
    {
      if (play->in_play->len > 0)
        ifbam_event_exchange (self, time, fired, n);
      if (play->pushed || play->struck->len > 0)
        follow_jumps (self, time);
      if (ifbam_event_update_active_set (self, time, fired, n))
        break;
      if (jams == self->limits.settling)
        ifbam_event_fail (self, time, (const guint32 *) (gpointer) play->in_play->data,
                          play->in_play->len, "it jams again and again at ", "");
    }
  for (guint i = 0; i < play->in_play->len; i++)
    {
      IfbamPart *part = ifbam_play_find (play, g_array_index (play->in_play, guint32, i));
      double delta;

      /* A separation rate below rounding is no rebound. */
      self->link[part->link].bounced = part->impulse != 0
                                       && ifbam_link_rate (self, part->link, &delta)
                                              < -ifbam_event_extent (self, part->link)->rate_floor;
      part->in_play = FALSE;
    }
  for (guint i = 0; i < self->affected->len; i++)
    {
      IfbamIsland *island = ifbam_island (self, g_array_index (self->affected, guint32, i));

      island->affected = island->listed = FALSE;
    }
  ifbam_islands_sort (self);
  for (guint i = 0; i < self->affected->len; i++)
    {
      IfbamIsland *island = ifbam_island (self, g_array_index (self->affected, guint32, i));

      ifbam_event_fix (self, island, self->x, self->v, time, FALSE);
    }
  if (self->base.model->n_junctions > 0)
    balance (self, time, fired, n);
}
