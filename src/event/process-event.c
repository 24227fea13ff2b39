/* process-event.c: processing of one event: modes, impulses, active set, massless nodes
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/process-event.h"

#include <string.h>

#include "event/event-adhere.h"
#include "event/guards.h"
#include "event/active-set.h"
#include "event/implicit-step.h"
#include "event/impacts.h"
#include "event/event-context.h"
#include "event/constraint-projection.h"
#include "event/advance-islands.h"
#include "event/event-links.h"
#include "event/event-log.h"
#include "event/islands.h"
#include "event/step-work.h"

/* Switches links without constraints to the modes to which their fired guards lead. */
static void
change_laws (IfbamEventEngine *self, double time, const IfbamCandidate *fired, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      const guint32 index = fired[i].link;
      double delta;
      int old;

      if (index == IFBAM_NONE || ifbam_link_constraint (self, index).kind != IFBAM_CONSTRAINT_NONE)
        continue;
      if (fired[i].guard.kind == IFBAM_GUARD_RATE && fired[i].is_located)
        self->links.state[index].located_rate = fabs (ifbam_link_rate (self, index, &delta));
      old = self->links.state[index].mode;
      self->links.state[index].mode = fired[i].guard.next;
      ifbam_event_log_add_change (self, time, index, old);
    }
}

/* Finds the first link of an island beyond a guard after a jump of rates, and its next mode. */
static gboolean
find_jump (IfbamEventEngine *self, guint32 island, double time, guint32 *index, int *next)
{
  for (guint32 c = ifbam_island (self, island)->first; c != IFBAM_NONE;
       c = ifbam_component (self, c)->next)
    {
      const IfbamComponent *component = ifbam_component (self, c);

      IFBAM_FOR_LIST (link, component, unbatched)
      {
        IfbamGuard guards[IFBAM_MAX_GUARDS];
        guint n;

        if (ifbam_link_constraint (self, *link).kind != IFBAM_CONSTRAINT_NONE)
          continue;
        n = ifbam_event_guards (self, *link, guards);
        for (guint g = 0; g < n; g++)
          if (ifbam_event_is_beyond_guard (self, *link, &guards[g], time))
            {
              *index = *link;
              *next = guards[g].next;
              return TRUE;
            }
      }
    }
  return FALSE;
}

/* Switches a link to a mode after a jump. */
static void
switch_link (IfbamEventEngine *self, double time, guint32 index, int next)
{
  const int old = self->links.state[index].mode;

  self->links.state[index].mode = next;
  if (ifbam_link_event (ifbam_link (self, index), old, next) != NULL)
    g_array_append_val (self->context->jumped, index);
  ifbam_event_log_add_change (self, time, index, old);
}

/* Switches links without constraints if a jump has taken their rate or force beyond a guard. */
static void
switch_after_jump (IfbamEventEngine *self, double time)
{
  const guint most = self->limits.jumps * (1 + self->base.model->unbatched_links->len);
  guint32 index;
  int next;

  for (guint i = 0, jumps = 0; i < self->islands.affected->len; i++)
    while (ifbam_event_may_continue (self, time, 1)
           && find_jump (self, g_array_index (self->islands.affected, guint32, i), time, &index,
                         &next))
      {
        ifbam_event_advance_ends (self, index, time);
        switch_link (self, time, index, next);
        if (++jumps > most)
          ifbam_event_fail (self, time, &index, 1, "", " changes its law to and fro without end");
      }
}

/* Rates of massless nodes below this fraction of the largest so far are rounding. */
#define BALANCE_ROUNDING 1e-12
/* In an unbalanced state the largest present rate tends to infinity: rates below this fraction of it are
 * rounding or finite. */
#define UNBALANCED_ROUNDING 1e-6

/* Returns the largest present rate [m/s] of an island's nodes in the domain of a link. */
static double
find_largest_rate (const IfbamEventEngine *self, guint32 island, guint32 index)
{
  const guint8 domain = ifbam_event_domain (self, index);
  double largest = 0;

  IFBAM_FOR_COMPONENTS (component, island)
  IFBAM_FOR_NODES (range, component)
  for (gsize node = range->first; node < range->last; node++)
    if (self->clusters.node_domain[node] == domain)
      largest = MAX (largest, fabs (self->nodes.v[node]));
  return largest;
}

/* Returns the rounding [m/s] of a link's rate after a jump of massless nodes. A link that has just fired
 * keeps its mode while its rate is within the error of the located time. */
static double
find_rate_rounding (const IfbamEventEngine *self, guint32 island, guint32 link,
                    gboolean is_unbalanced)
{
  return is_unbalanced ? UNBALANCED_ROUNDING * find_largest_rate (self, island, link)
                       : MAX (BALANCE_ROUNDING * ifbam_event_magnitudes (self, link)->rate,
                              2 * self->links.state[link].located_rate);
}

/* Finds an island's first link beyond a guard after a jump of massless nodes, and its next mode.
 * is_unbalanced: only infinite rates count. */
static gboolean
find_link_beyond_guard (IfbamEventEngine *self, guint32 island, gboolean is_unbalanced, double time,
                        guint32 *index, int *next)
{
  IFBAM_FOR_COMPONENTS (component, island)
  IFBAM_FOR_LIST (link, component, unbatched)
  {
    IfbamGuard guards[IFBAM_MAX_GUARDS];
    guint n;

    if (ifbam_link_constraint (self, *link).kind != IFBAM_CONSTRAINT_NONE
        || self->monitors.is_passive[*link])
      continue;
    n = ifbam_event_guards (self, *link, guards);
    for (guint g = 0; g < n; g++)
      if (ifbam_event_guard_value (self, *link, &guards[g], self->nodes.x, self->nodes.v, time)
          < -MAX (ifbam_event_guard_threshold (self, *link, &guards[g]),
                  guards[g].kind == IFBAM_GUARD_RATE
                      ? find_rate_rounding (self, island, *link, is_unbalanced)
                      : 0))
        {
          *index = *link;
          *next = guards[g].next;
          return TRUE;
        }
  }
  return FALSE;
}

static gboolean
is_released (guint32 index, const IfbamCandidate *fired, guint n)
{
  for (guint i = 0; i < n; i++)
    if (fired[i].link == index && fired[i].guard.kind == IFBAM_GUARD_REACTION)
      return TRUE;
  return FALSE;
}

/* Finds the fastest approaching one of an island's open rate constraints at massless nodes.
 * Impulses do not stop massless nodes, which follow their forces at once. Where nothing is loaded
 * yet, as when an inductor's current starts, present reactions do not give the active set. A
 * constraint that opened in this event is skipped. fastest: rate of the fastest so far, updated. */
static gboolean
find_approaching_constraint (IfbamEventEngine *self, guint32 island, const IfbamCandidate *fired,
                             guint n, double *fastest, guint32 *index)
{
  gboolean found = FALSE;

  IFBAM_FOR_COMPONENTS (component, island)
  IFBAM_FOR_LIST (link, component, unbatched)
  {
    const IfbamMagnitudes *scale;
    double delta, rate;

    if (ifbam_link_constraint (self, *link).kind != IFBAM_CONSTRAINT_ONE_WAY
        || self->links.state[*link].mode != IFBAM_MODE_OPEN
        || !ifbam_link_has_massless_node (self, *link) || is_released (*link, fired, n))
      continue;
    scale = ifbam_event_magnitudes (self, *link);
    rate = ifbam_link_rate (self, *link, &delta);
    if (rate > *fastest && rate > IFBAM_NEAR_RATIO * scale->rate + 2 * scale->rate_threshold)
      {
        *fastest = rate;
        *index = *link;
        found = TRUE;
      }
  }
  return found;
}

/* Finds a friction of an island at massless nodes that slips against its direction after a jump. */
static gboolean
find_reversed_friction (IfbamEventEngine *self, guint32 island, guint32 *index)
{
  IFBAM_FOR_COMPONENTS (component, island)
  IFBAM_FOR_LIST (link, component, unbatched)
  {
    const double threshold = ifbam_event_magnitudes (self, *link)->rate_threshold;
    double delta;

    if (ifbam_link_constraint (self, *link).kind != IFBAM_CONSTRAINT_FRICTION
        || !ifbam_link_has_massless_node (self, *link)
        || !(ifbam_friction_direction (self->links.state[*link].mode)
                 * ifbam_link_rate (self, *link, &delta)
             < -threshold))
      continue;
    *index = *link;
    return TRUE;
  }
  return FALSE;
}

/* Sets a constraint's rate to 0 by its massless nodes alone: other nodes keep their velocities. */
static void
stop_at_massless_nodes (IfbamEventEngine *self, guint32 index, double time)
{
  const IfbamLink *link = ifbam_link (self, index);
  double delta, size = 0;
  const double rate = ifbam_link_rate (self, index, &delta), *row = self->links.state[index].row;
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
    self->nodes.v[light[k]] -= share[k] * rate / size;
  IFBAM_EVALUATE (self, values_set, light, n, 1, &self->nodes.v);
  ifbam_event_project (self, ifbam_island (self, ifbam_island_of (self, light[0])), self->nodes.x,
                       self->nodes.v, time, FALSE);
}

static void
set_affected (IfbamEventEngine *self, gboolean affected)
{
  for (guint i = 0; i < self->islands.affected->len; i++)
    ifbam_island (self, g_array_index (self->islands.affected, guint32, i))->affected = affected;
}

/* Books the energy that links gain in a jump of massless nodes. Nodes pass balanced states, as if
 * loads changed evenly: these supply it. Energy released by a link's event (is_release) is lost. */
static void
book_jump (IfbamEventEngine *self, double gained, gboolean is_release)
{
  if (gained < 0 && is_release)
    ifbam_compensated_sum_add (&self->account.lost, -gained);
  else if (gained != 0)
    ifbam_external_work_add (&self->account.external, gained);
}

static gboolean
any_link (const IfbamCandidate *fired, guint n)
{
  for (guint i = 0; i < n; i++)
    if (fired[i].link != IFBAM_NONE)
      return TRUE;
  return FALSE;
}

/* A mode that a link takes after a jump of massless nodes. */
typedef struct
{
  guint32 link;
  int next;
  gboolean stops; /* its rate becomes 0 */
} ModeChange;

/* Finds the next change of mode in the affected islands; fired: as find_approaching_constraint (). */
static gboolean
find_mode_change (IfbamEventEngine *self, double time, const IfbamCandidate *fired, guint n,
                  gboolean is_unbalanced, ModeChange *change)
{
  const GArray *affected = self->islands.affected;
  double fastest = 0;

  change->stops = FALSE;
  for (guint i = 0; i < affected->len && self->base.log->failure == NULL; i++)
    if (find_link_beyond_guard (self, g_array_index (affected, guint32, i), is_unbalanced, time,
                                &change->link, &change->next))
      return TRUE;
  for (guint i = 0; i < affected->len && self->base.log->failure == NULL; i++)
    change->stops |= find_approaching_constraint (self, g_array_index (affected, guint32, i), fired,
                                                  n, &fastest, &change->link);
  change->next = IFBAM_MODE_ACTIVE;
  for (guint i = 0; i < affected->len && !change->stops && self->base.log->failure == NULL; i++)
    if (find_reversed_friction (self, g_array_index (affected, guint32, i), &change->link))
      {
        change->next = IFBAM_MODE_STUCK;
        change->stops = TRUE;
      }
  return change->stops;
}

/* Changes a link's mode. gained: the increase of its stored energy [J] is added. */
static void
change_mode (IfbamEventEngine *self, double time, const ModeChange *change, double *gained)
{
  set_affected (self, TRUE);
  ifbam_event_advance_ends (self, change->link, time);
  set_affected (self, FALSE);
  *gained -= ifbam_event_link_stored (self, change->link);
  switch_link (self, time, change->link, change->next);
  *gained += ifbam_event_link_stored (self, change->link);
  ifbam_islands_regroup (self);
  if (change->stops)
    stop_at_massless_nodes (self, change->link, time);
}

/* Balances massless nodes; switches laws that depend on them, one after the other. */
static void
balance_massless_nodes (IfbamEventEngine *self, double time, const IfbamCandidate *fired, guint n)
{
  const guint most = self->limits.jumps * (1 + self->base.model->unbatched_links->len);
  const gsize size = self->clusters.n * IFBAM_N_DOMAINS * sizeof (IfbamMagnitudes);
  g_autofree IfbamMagnitudes *begun =
      self->starting ? g_memdup2 (self->clusters.magnitudes, size) : NULL;
  double gained = 0;
  guint jumps;

  for (jumps = 0; ifbam_event_may_continue (self, time, 1); jumps++)
    {
      guint32 cut = 0, unsolved = IFBAM_NONE;
      ModeChange change;
      gboolean found;

      for (guint i = 0; i < self->islands.affected->len && unsolved == IFBAM_NONE; i++)
        {
          cut = g_array_index (self->islands.affected, guint32, i);
          gained += ifbam_event_balance_junctions (self, cut, time, &unsolved);
        }
      found = find_mode_change (self, time, fired, n, unsolved != IFBAM_NONE, &change);
      if (unsolved != IFBAM_NONE)
        ifbam_event_end_unsolved (self, cut, found ? IFBAM_NONE : unsolved, time);
      if (!found)
        break;
      change_mode (self, time, &change, &gained);
      if (jumps == most)
        ifbam_event_fail (self, time, &change.link, 1, "",
                          " changes its law to and fro without end");
    }
  /* At the start, states that were left at once are no scale for rounding. */
  if (begun != NULL && jumps > 0 && self->base.log->failure == NULL)
    {
      memcpy (self->clusters.magnitudes, begun, size);
      for (guint i = 0; i < self->islands.affected->len; i++)
        gained += ifbam_event_balance_junctions (
            self, g_array_index (self->islands.affected, guint32, i), time, &(guint32){ 0 });
    }
  book_jump (self, gained, any_link (fired, n));
}

/* Without impacts, the links of the event are named. */
static void
fail_jamming (IfbamEventEngine *self, double time, const IfbamCandidate *fired, guint n)
{
  GArray *links = self->context->participants;

  for (guint i = 0; i < n && links->len < n && !self->context->has_impulse; i++)
    if (fired[i].link != IFBAM_NONE)
      g_array_append_val (links, fired[i].link);
  ifbam_event_fail (self, time, (const guint32 *) (gpointer) links->data, links->len,
                    links->len > 0 ? "it jams again and again at " : "it jams again and again", "");
}

void
ifbam_event_process (IfbamEventEngine *self, double time, const IfbamCandidate *fired, guint n)
{
  IfbamEventContext *context = self->context;

  ifbam_array_clear (context->participants);
  context->has_impulse = context->is_time_stepped = FALSE;
  for (guint i = 0; i < n; i++)
    if (fired[i].link != IFBAM_NONE)
      {
        ifbam_event_advance_ends (self, fired[i].link, time);
        ifbam_event_count_event (self, time, fired[i].link);
      }
  change_laws (self, time, fired, n);
  ifbam_event_arrest_slip (self, time, fired, n);
  for (guint i = 0; i < n; i++)
    if (fired[i].link != IFBAM_NONE)
      ifbam_event_add_link (self, fired[i].link, time,
                            fired[i].guard.kind == IFBAM_GUARD_POSITION
                                || fired[i].guard.kind == IFBAM_GUARD_RATE);
  for (guint i = 0; i < context->impulse_nodes->len; i++)
    ifbam_event_add_node_links (self, g_array_index (context->impulse_nodes, guint32, i), time);
  for (guint jams = 0;; jams++)
    {
      if (context->participants->len > 0)
        ifbam_event_solve_impacts (self, time, fired, n);
      if (context->has_impulse || context->has_given || context->impulse_nodes->len > 0)
        switch_after_jump (self, time);
      context->has_given = FALSE;
      if (ifbam_event_update_active_set (self, time, fired, n))
        break;
      if (jams == self->limits.rounds)
        fail_jamming (self, time, fired, n);
    }
  for (guint i = 0; i < context->participants->len; i++)
    {
      IfbamEventLink *part =
          ifbam_event_context_find (context, g_array_index (context->participants, guint32, i));
      double delta;

      /* A separation rate below rounding is no rebound. */
      self->links.state[part->link].bounced =
          part->impulse != 0
          && ifbam_link_rate (self, part->link, &delta)
                 < -ifbam_event_magnitudes (self, part->link)->rate_threshold;
      part->participates = FALSE;
    }
  for (guint i = 0; i < self->islands.affected->len; i++)
    {
      IfbamIsland *island = ifbam_island (self, g_array_index (self->islands.affected, guint32, i));

      island->affected = island->listed = FALSE;
    }
  ifbam_islands_regroup (self);
  for (guint i = 0; i < self->islands.affected->len; i++)
    {
      IfbamIsland *island = ifbam_island (self, g_array_index (self->islands.affected, guint32, i));

      ifbam_event_project (self, island, self->nodes.x, self->nodes.v, time, FALSE);
    }
  if (self->base.model->n_junctions > 0)
    balance_massless_nodes (self, time, fired, n);
  for (guint i = 0; i < n; i++)
    if (fired[i].link != IFBAM_NONE)
      self->links.state[fired[i].link].located_rate = 0;
}
