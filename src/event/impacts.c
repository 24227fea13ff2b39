/* impacts.c: impulses of the impacts at an event time
 *
 * Rounds of impulses follow while touching links approach each other. If a link is not slow, the
 * fastest gets Newton's impulse. Equally fast links are solved together, so that neither symmetry
 * nor the order in the file matters. If all are slow, one complementarity problem over slow,
 * resting and bilateral links ends their approach: p >= 0, rate after <= 0, p rate = 0 (Moreau
 * 1988; Glocker 2001).
 * Slow: e = 0, a one-way or bilateral constraint, an approach below 1e-9 of the fastest one, too
 * many bounces at this time, a collapsing chain, or infinitely many unresolved bounces (Zeno).
 *
 * Termination: a link bounces at most 64 + min (2n, 16 / (1 - e)) times per event time, then it is
 * slow. Between two complementarity problems a link bounces or the slow set grows. If the event
 * times of a link in a step are too many, and accumulate (Zeno), it stays closed until the step's
 * end, which is reported. Else the run ends.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/impacts.h"

#include <string.h>

#include "base/power.h"
#include "event/contact-rows.h"
#include "event/event-coupled.h"
#include "event/apply-impulses.h"
#include "event/event-leap.h"
#include "event/event-context.h"
#include "event/constraint-reactions.h"
#include "event/constraint-rows.h"
#include "event/advance-islands.h"
#include "event/event-links.h"
#include "event/event-log.h"

/* Rounding of rates, relative to the fastest approach: rate_threshold is too low if all was at
 * rest. */
#define RATE_ROUNDING (8 * DBL_EPSILON)

#define MAX_SEPARATE_ROUNDS                                                                        \
  6 /* rounds of impulses before contacts and frictions are solved together */

/* Returns whether the remaining bounces are negligible in height and in total time (Zeno). */
static gboolean
is_zeno (IfbamEventEngine *self, guint32 index, double rate, double restitution, double time)
{
  guint32 islands[IFBAM_MAX_PORTS];
  const guint n = ifbam_event_link_islands (self, index, islands);
  const IfbamMagnitudes *scale = ifbam_event_magnitudes (self, index);
  double closing, rise;

  for (guint k = 0; k < n; k++)
    ifbam_event_accelerations (self, islands[k], self->nodes.x, self->nodes.v,
                               ifbam_event_time_at (self, time), TRUE);
  closing = ifbam_link_acceleration (self, index);
  /* Removes the effect of an active contact's own reaction. */
  if (self->links.state[index].mode == IFBAM_MODE_ACTIVE)
    closing += self->links.state[index].reaction * ifbam_link_inverse_mass (self, index);
  if (!(closing > 0))
    return FALSE;
  rise = rate * rate / (2 * closing);
  return rise < 4 * scale->position_threshold
         || (rise < IFBAM_REST_RISE * scale->position
             && 2 * restitution * rate
                    < IFBAM_REST_TIME * self->base.spec->step * closing * (1 - restitution));
}

/* Returns how many contacts form a chain with this one: touching, or nearly, at shared nodes. */
static guint
count_contact_chain (IfbamEventEngine *self, guint32 index, double time)
{
  GArray *all = self->context->chains;
  const guint first = all->len;
  IfbamEventLink *part = ifbam_event_context_get (self->context, index);

  if (part->chain_size > 0)
    return part->chain_size;
  part->chain_size = 1;
  g_array_append_val (all, index);
  for (guint i = first; i < all->len; i++)
    {
      const IfbamLink *link = ifbam_link (self, g_array_index (all, guint32, i));

      for (guint e = 0; e < link->n_ports; e++)
        for (guint32 p = self->links.node_start[link->node[e]];
             self->nodes.inverse_mass[link->node[e]] > 0
             && p < self->links.node_start[link->node[e] + 1];
             p++)
          {
            const guint32 other = ifbam_endpoint_link (self->links.node_ends[p]);
            const IfbamEventLink *known = ifbam_event_context_find (self->context, other);
            const IfbamConstraint constraint = ifbam_link_constraint (self, other);
            double delta;

            if ((known != NULL && known->chain_size > 0)
                || constraint.kind != IFBAM_CONSTRAINT_CONTACT)
              continue;
            ifbam_link_estimate (self, other, time, &delta);
            if (constraint.gap - delta
                > IFBAM_REST_RISE * ifbam_event_magnitudes (self, other)->position)
              continue;
            ifbam_event_context_get (self->context, other)->chain_size = 1;
            g_array_append_val (all, other);
          }
    }
  for (guint i = first; i < all->len; i++)
    {
      part = ifbam_event_context_find (self->context, g_array_index (all, guint32, i));
      part->chain_size = all->len - first;
      part->chain_start = first;
    }
  return all->len - first;
}

/* Returns the greatest number of contacts in a chain that bounces. With more than ln (4 / (1 - e))
 * / (1 - e) they bounce infinitely often in a finite time and end with one velocity (inelastic
 * collapse: Bernu & Mazighi 1990; McNamara & Young 1992). */
static double
max_bouncing_chain (double restitution)
{
  const double loss = MAX (1 - restitution, DBL_EPSILON);

  return ifbam_logarithm (4 / loss) / loss;
}

static gboolean
is_inelastic_collapse (IfbamEventEngine *self, guint32 index, double restitution, double time)
{
  double most;

  /* There are too few links for such a chain: the logarithm is above 1. */
  if (self->base.model->unbatched_links->len == 1
      || (1 - restitution) * self->base.model->unbatched_links->len <= 1)
    return FALSE;
  most = max_bouncing_chain (restitution);
  return most < self->base.model->unbatched_links->len
         && count_contact_chain (self, index, time) > most;
}

/* Adds the contacts of a collapsing chain to the event: one plastic impact replaces the infinitely
 * many impacts that would follow. Gaps too small to be resolved count as closed
 * (`counts_as_touching`). */
static void
add_contact_chain (IfbamEventEngine *self, guint32 index, double time)
{
  const IfbamEventLink company = *ifbam_event_context_find (self->context, index);

  for (guint i = company.chain_start; i < company.chain_start + company.chain_size; i++)
    {
      const guint32 other = g_array_index (self->context->chains, guint32, i);
      const IfbamConstraint constraint = ifbam_link_constraint (self, other);

      if (ifbam_event_context_find (self->context, other)->counts_as_touching
          || company.chain_size <= max_bouncing_chain (constraint.restitution))
        continue;
      ifbam_event_advance_ends (self, other, time);
      ifbam_event_context_find (self->context, other)->counts_as_touching = TRUE;
      ifbam_event_add_link (self, other, time, TRUE);
    }
}

typedef struct
{
  guint32 link;
  double rate, restitution;
  gboolean quick;
} Approach;

/* Ends the run: no impulses end the approach of links (n). ray (n or NULL): proof that none exist;
 * the error message names the link of its largest entry. */
static void
fail_to_end_approach (IfbamEventEngine *self, double time, const guint32 *links, guint n,
                      const double *ray)
{
  guint largest = 0;

  for (guint i = 0; i < n && ray != NULL; i++)
    if (fabs (ray[i]) > fabs (ray[largest]))
      largest = i;
  if (ray == NULL)
    ifbam_event_fail (self, time, links, n, "no impulses are found for the touching contacts at ",
                      "");
  else
    ifbam_event_fail_jammed (self, time, links[largest]);
}

/* Applies one plastic impact to slow links (n). Ends the run if no such impulses exist. */
static void
apply_plastic_impact (IfbamEventEngine *self, double time, const guint32 *links, guint n)
{
  IFBAM_SHORT_LIST (IfbamContactRow, rows, n);
  IFBAM_SHORT_LIST (IfbamLinkImpulse, impulses, n);
  IfbamContactResult result;
  guint options = IFBAM_CONTACT_FROM_GUESS | IFBAM_CONTACT_KEEPS_IDLE, m = 0;
  gboolean all_rigid = TRUE;
  double most = 0, delta;

  if (ifbam_event_solve_coupled_impact (self, time, links, n, 0, TRUE))
    return;
  for (guint i = 0; i < n; i++)
    {
      const double rate = ifbam_link_rate (self, links[i], &delta);
      const gboolean is_loaded = self->links.state[links[i]].mode == IFBAM_MODE_ACTIVE
                                 && self->links.state[links[i]].reaction > 0;

      rows[i] = ifbam_contact_row_new (self, links[i], rate);
      rows[i].piece = rate > 0 || is_loaded ? IFBAM_CONTACT_CLOSED : IFBAM_CONTACT_OPEN;
      most = MAX (most, fabs (rate));
      all_rigid = all_rigid && ifbam_link_is_rigid_on_line (self, links[i]);
    }
  options |= all_rigid ? IFBAM_CONTACT_EVENLY : 0;
  for (guint i = 0; i < n; i++)
    rows[i].tolerance[0] = MAX (rows[i].tolerance[0], 1e-15 * most);
  if (ifbam_event_solve_contact (self, time, rows, n, options, &result) != IFBAM_CONTACT_SOLVED)
    fail_to_end_approach (self, time, links, n, result.ray);
  for (guint i = 0; i < n; i++)
    if (ifbam_contact_row_impulse (&rows[i]) != 0)
      impulses[m++] = ifbam_link_impulse (links[i], ifbam_contact_row_impulse (&rows[i]));
  ifbam_event_apply_impulses (self, time, impulses, m, 0, TRUE);
}

/* Applies Newton's impulses to n links; `ties` transmit them, and the rates of ties become 0. */
static void
apply_newton_impulses (IfbamEventEngine *self, double time, const guint32 *hit, guint n,
                       const GArray *ties, double restitution)
{
  const guint m = n + ties->len;
  IFBAM_SHORT_LIST (guint32, links, m);
  IFBAM_SHORT_LIST (double, p, m);
  IFBAM_SHORT_LIST (IfbamLinkImpulse, impulses, m);
  double delta;

  for (guint i = 0; i < m; i++)
    {
      links[i] = i < n ? hit[i] : g_array_index (ties, guint32, i - n);
      p[i] = (i < n ? 1 + restitution : 1) * ifbam_link_rate (self, links[i], &delta);
    }
  if (m == 1)
    p[0] /= ifbam_link_inverse_mass (self, links[0]);
  else
    {
      IFBAM_SHORT_LIST (IfbamConstraintRow, rows, m);

      for (guint i = 0; i < m; i++)
        ifbam_link_row (self, links[i], 1, &rows[i]);
      ifbam_constraint_system_set (&self->context->system, rows, m, self->nodes.inverse_mass,
                                   self->nodes.scratch);
      ifbam_constraint_system_solve (&self->context->system, p, p);
    }
  for (guint i = 0; i < m; i++)
    impulses[i] = ifbam_link_impulse (links[i], p[i]);
  ifbam_event_apply_impulses (self, time, impulses, n, ties->len, FALSE);
}

static void
apply_fastest_impacts (IfbamEventEngine *self, double time, const GArray *approaching, double rate,
                       double restitution)
{
  IFBAM_SHORT_LIST (guint32, hit, approaching->len);
  const GArray *ties;
  guint n = 0;

  for (guint i = 0; i < approaching->len; i++)
    {
      const Approach *other = &g_array_index (approaching, Approach, i);

      if (!other->quick || other->restitution != restitution
          || other->rate < rate * (1 - IFBAM_EQUALITY_TOLERANCE))
        continue;
      hit[n++] = other->link;
    }
  if (ifbam_event_solve_coupled_impact (self, time, hit, n, restitution, FALSE))
    return;
  ties = ifbam_event_list_bilateral (self);
  for (guint i = 0; i < n; i++)
    ifbam_event_add_bilateral (self, ifbam_link (self, hit[i])->node,
                               ifbam_link (self, hit[i])->n_ports);
  apply_newton_impulses (self, time, hit, n, ties, restitution);
}

static gboolean
participates (const IfbamEventEngine *self, guint32 link)
{
  const IfbamEventLink *part =
      link == IFBAM_NONE ? NULL : ifbam_event_context_find (self->context, link);

  return part != NULL && part->participates;
}

/* Returns whether an end of a contact has no inertia: a rebound would only last until its forces
 * balance, which takes no time. */
static gboolean
is_massless (IfbamEventEngine *self, guint32 index)
{
  return ifbam_link_has_massless_node (self, index) && !ifbam_event_has_bilateral (self, index);
}

void
ifbam_event_solve_impacts (IfbamEventEngine *self, double time, const IfbamCandidate *fired,
                           guint n_fired)
{
  const GArray *in_play = self->context->participants;
  GArray *approaching = ifbam_array_reuse (&self->context->approaching, sizeof (Approach));
  GArray *slow = ifbam_array_reuse (&self->context->slow, sizeof (guint32));
  double fastest = 0;
  gboolean is_below_rounding = FALSE;
  guint turns = 0, idle = 0;

  while (ifbam_event_may_continue (self, time, 4 * in_play->len))
    {
      const Approach *quickest = NULL;

      ifbam_array_clear (approaching);
      for (guint i = 0; i < in_play->len; i++)
        {
          guint32 index = g_array_index (in_play, guint32, i);
          const IfbamConstraint constraint = ifbam_link_constraint (self, index);
          double delta;
          Approach approach = { .link = index,
                                .rate = ifbam_link_rate (self, index, &delta),
                                .restitution = constraint.restitution };

          if (ifbam_constraint_is_bilateral (constraint.kind))
            approach.rate = fabs (approach.rate);
          if (approach.rate
              > MAX (ifbam_event_magnitudes (self, index)->rate_threshold, RATE_ROUNDING * fastest))
            g_array_append_val (approaching, approach);
        }
      /* A located impact with a rate below rounding is made plastic, once. */
      if (approaching->len == 0 && !is_below_rounding)
        for (guint i = 0; i < n_fired; i++)
          if (participates (self, fired[i].link))
            {
              double delta;
              Approach approach = { .link = fired[i].link,
                                    .rate = ifbam_link_rate (self, fired[i].link, &delta) };

              if (approach.rate > 0)
                g_array_append_val (approaching, approach);
              is_below_rounding = TRUE;
            }
      if (approaching->len == 0)
        return;
      for (guint i = 0; i < approaching->len; i++)
        fastest = MAX (fastest, g_array_index (approaching, Approach, i).rate);
      for (guint i = 0; i < approaching->len; i++)
        {
          Approach *approach = &g_array_index (approaching, Approach, i);
          const IfbamLinkState *state = &self->links.state[approach->link];
          const IfbamConstraint constraint = ifbam_link_constraint (self, approach->link);
          const double most =
              64 + MIN (2.0 * in_play->len, 16 / MAX (1 - constraint.restitution, DBL_EPSILON));
          gboolean is_slow = FALSE, collapses;

          for (guint k = 0; k < slow->len; k++)
            is_slow |= g_array_index (slow, guint32, k) == approach->link;
          collapses = constraint.kind == IFBAM_CONSTRAINT_CONTACT && !is_below_rounding
                      && is_inelastic_collapse (self, approach->link, constraint.restitution, time);
          if (collapses)
            add_contact_chain (self, approach->link, time);
          approach->quick =
              constraint.kind == IFBAM_CONSTRAINT_CONTACT && constraint.restitution > 0
              && !is_below_rounding && !state->is_suspended && !is_slow
              && !is_massless (self, approach->link)
              && ifbam_event_context_find (self->context, approach->link)->n_impacts <= most
              && approach->rate >= IFBAM_SLOW_IMPACT_RATIO * fastest && !collapses
              && !is_zeno (self, approach->link, approach->rate, constraint.restitution, time);
          if (approach->quick && (quickest == NULL || approach->rate > quickest->rate))
            quickest = approach;
        }
      if (quickest != NULL)
        {
          idle = 0;
          ifbam_array_clear (slow);
          apply_fastest_impacts (self, time, approaching, quickest->rate, quickest->restitution);
        }
      else
        {
          const guint known = slow->len;

          for (guint i = 0; i < in_play->len; i++)
            {
              guint32 index = g_array_index (in_play, guint32, i);
              const IfbamConstraint constraint = ifbam_link_constraint (self, index);
              gboolean is_included =
                  constraint.kind != IFBAM_CONSTRAINT_CONTACT || constraint.restitution == 0
                  || self->links.state[index].mode == IFBAM_MODE_ACTIVE
                  || ifbam_event_context_find (self->context, index)->counts_as_touching;

              for (guint k = 0; k < approaching->len; k++)
                is_included |= g_array_index (approaching, Approach, k).link == index;
              for (guint k = 0; k < slow->len; k++)
                is_included &= g_array_index (slow, guint32, k) != index;
              if (is_included)
                g_array_append_val (slow, index);
            }
          /* Friction at one contact can make another one approach again. After some rounds,
           * contacts and frictions are solved together. */
          if (turns < MAX_SEPARATE_ROUNDS
              || !ifbam_event_time_step_contacts (
                  self, time, (const guint32 *) (gpointer) slow->data, slow->len, 0, "impact"))
            apply_plastic_impact (self, time, (const guint32 *) (gpointer) slow->data, slow->len);
          idle = slow->len > known ? 0 : idle + 1;
        }
      if (is_below_rounding)
        return;
      if (++turns > self->limits.impulses || idle > self->limits.rounds)
        ifbam_event_fail (self, time, (const guint32 *) (gpointer) in_play->data, in_play->len,
                          "the impact solver did not converge at ", "");
    }
}
