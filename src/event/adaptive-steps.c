/* adaptive-steps.c: state of islands within adaptive steps, and dense output
 *
 * Samples and guards are evaluated on the quintic through positions, rates and accelerations at
 * both ends of a step (errors of sixth order in positions, of fifth order in rates). Between sample
 * intervals x and v hold the sample; `begun` and `ended` hold the ends of unfinished steps.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/adaptive-steps.h"

#include <string.h>

#include "event/forces.h"
#include "event/implicit-step.h"
#include "event/island-step.h"
#include "event/clusters.h"
#include "event/step-work.h"

/* Returns whether a link's force depends on the position of its node e. It does not if the law stores
 * no energy along a line. A linear constraint is no stiffness of a massless node. */
static gboolean
depends_on_position (const IfbamModel *model, const IfbamLink *link, guint e)
{
  if (link->law->constraint != NULL && link->geometry->velocity_term == NULL
      && ifbam_model_is_junction (model, link->node[e]))
    return FALSE;
  return !link->law->storeless || !link->geometry->straight;
}

/* Finds nodes with forces that depend on their positions. Lists each massless one with the nodes at the
 * other ends of its links of two. */
static void
find_dependent_nodes (IfbamAdaptiveSteps *self, const IfbamModel *model)
{
  self->depends_on_position = g_new0 (guint8, model->n_nodes + 1);
  self->first_partner = g_new (guint32, model->n_free + 1);
  for (gsize i = 0; i < model->n_free; i++)
    self->first_partner[i] = IFBAM_NONE;
  self->partners = g_array_new (FALSE, FALSE, sizeof (IfbamPartner));
  for (IfbamLinkIter at = ifbam_links (model, IFBAM_LINKS_STORED | IFBAM_LINKS_UNBATCHED);
       ifbam_link_iter_next (&at);)
    for (guint e = 0; e < at.link->n_ports; e++)
      {
        const guint32 node = at.link->node[e];

        if (!depends_on_position (model, at.link, e))
          continue;
        self->depends_on_position[node] = TRUE;
        if (at.link->n_ports == 2 && ifbam_model_is_junction (model, node))
          {
            const IfbamPartner partner = { at.link->node[1 - e], self->first_partner[node] };

            self->first_partner[node] = self->partners->len;
            g_array_append_val (self->partners, partner);
          }
      }
  self->nearest = g_new (double, self->partners->len + 1);
  self->farthest = g_new (double, self->partners->len + 1);
}

IfbamAdaptiveSteps *
ifbam_adaptive_new (IfbamEventEngine *engine)
{
  IfbamAdaptiveSteps *self = g_new0 (IfbamAdaptiveSteps, 1);
  const IfbamModel *model = engine->base.model;
  const gsize n_nodes = model->n_nodes, n = engine->components.list->len;
  double **of_nodes[] = { &self->largest, &self->fastest };
  double **of_islands[] = { &self->time,
                            &self->until,
                            &self->next_step,
                            &self->step_after,
                            &self->error[0],
                            &self->error[1],
                            &self->after_jump,
                            &self->booked.external_work[0],
                            &self->booked.external_work[1] };

  find_dependent_nodes (self, model);
  self->booked.loss = g_new0 (double, model->n_slots + 1);
  self->booked.single = g_new0 (double, model->unbatched_links->len + 1);
  for (guint k = 0; k < 3; k++)
    {
      self->begun[k] = g_new0 (double, n_nodes + 1);
      self->ended[k] = g_new0 (double, n_nodes + 1);
    }
  for (guint k = 0; k < G_N_ELEMENTS (of_nodes); k++)
    *of_nodes[k] = g_new0 (double, n_nodes + 1);
  for (guint k = 0; k < G_N_ELEMENTS (of_islands); k++)
    *of_islands[k] = g_new0 (double, n + 1);
  return self;
}

void
ifbam_adaptive_free (IfbamAdaptiveSteps *self)
{
  if (self == NULL)
    return;
  for (guint k = 0; k < 3; k++)
    {
      g_free (self->begun[k]);
      g_free (self->ended[k]);
    }
  g_free (self->largest);
  g_free (self->fastest);
  g_free (self->time);
  g_free (self->until);
  g_free (self->next_step);
  g_free (self->step_after);
  g_free (self->error[0]);
  g_free (self->error[1]);
  g_free (self->after_jump);
  g_free (self->booked.external_work[0]);
  g_free (self->booked.external_work[1]);
  g_free (self->booked.loss);
  g_free (self->depends_on_position);
  g_free (self->first_partner);
  g_array_unref (self->partners);
  g_free (self->nearest);
  g_free (self->farthest);
  g_free (self->booked.single);
  g_free (self);
}

gboolean
ifbam_adaptive_has_island (const IfbamEventEngine *self, guint32 island)
{
  return ifbam_island (self, island)->n_components > 0;
}

/* Loop over a massless node's partners k. */
#define IFBAM_FOR_PARTNERS(k, adaptive, node)                                                      \
  for (guint32 k = (adaptive)->first_partner[node]; k != IFBAM_NONE;                               \
       k = g_array_index ((adaptive)->partners, IfbamPartner, k).next)

/* Returns x of a massless node less x of its partner k; end: see ifbam_adaptive_include(). */
static double
find_distance (const IfbamEventEngine *self, gsize node, guint32 k, double end, const double *x)
{
  const guint32 partner = g_array_index (self->adaptive->partners, IfbamPartner, k).node;

  return x[node]
         - (partner < self->base.model->n_free
                ? x[partner]
                : ifbam_event_motion_now (self, partner, ifbam_event_time_at (self, end)).position);
}

double
ifbam_adaptive_find_stroke (const IfbamEventEngine *self, gsize node, double end, const double *x)
{
  const IfbamAdaptiveSteps *adaptive = self->adaptive;
  double stroke = 0;

  IFBAM_FOR_PARTNERS (k, adaptive, node)
  {
    const double distance = find_distance (self, node, k, end, x);

    stroke =
        MAX (stroke, MAX (distance, adaptive->farthest[k]) - MIN (distance, adaptive->nearest[k]));
  }
  return stroke;
}

void
ifbam_adaptive_include (IfbamEventEngine *self, guint32 index, double end, const double *x,
                        const double *v)
{
  IfbamAdaptiveSteps *adaptive = self->adaptive;

  IFBAM_FOR_ISLAND_NODES (i, index)
  {
    adaptive->largest[i] = MAX (adaptive->largest[i], fabs (x[i]));
    adaptive->fastest[i] = MAX (adaptive->fastest[i], fabs (v[i]));
    IFBAM_FOR_PARTNERS (k, adaptive, i)
    {
      const double distance = find_distance (self, i, k, end, x);

      adaptive->nearest[k] = MIN (adaptive->nearest[k], distance);
      adaptive->farthest[k] = MAX (adaptive->farthest[k], distance);
    }
  }
}

void
ifbam_adaptive_start (IfbamEventEngine *self)
{
  IfbamAdaptiveSteps *adaptive = self->adaptive;

  memset (adaptive->largest, 0, self->base.model->n_nodes * sizeof (double));
  memset (adaptive->fastest, 0, self->base.model->n_nodes * sizeof (double));
  for (gsize k = 0; k < adaptive->partners->len; k++)
    {
      adaptive->nearest[k] = G_MAXDOUBLE;
      adaptive->farthest[k] = -G_MAXDOUBLE;
    }
  adaptive->count = (IfbamStepCount){ 0 };
  for (guint32 i = 0; i < self->islands.list->len; i++)
    {
      ifbam_island (self, i)->next_step = self->base.spec->first;
      ifbam_island (self, i)->error = IFBAM_FIRST_ERROR;
    }
}

/* Work */

void
ifbam_adaptive_book (IfbamEventEngine *self, guint32 index)
{
  ifbam_event_book_remaining (self, index, &self->adaptive->booked, FALSE);
}

/* Books the work of an island's step up to `until` by a repeated step. keeps: it is unfinished. */
static void
book_work (IfbamEventEngine *self, guint32 index, double until, gboolean keeps)
{
  const IfbamIsland *island = ifbam_island (self, index);

  if (!self->account.is_kept)
    return;
  ifbam_event_step (self, index, self->scheme, island->time, until - island->time, self->nodes.x,
                    self->nodes.v, self->nodes.xt, self->nodes.vt, TRUE);
  ifbam_event_book_remaining (self, index, &self->adaptive->booked, keeps);
}

/* Ends of steps */

static void
settle (IfbamEventEngine *self, guint32 index)
{
  IfbamIsland *island = ifbam_island (self, index);

  book_work (self, index, island->until, FALSE);
  island->time = island->until;
  island->next_step = island->step_after;
  island->error = island->error_after;
  self->adaptive->count.taken++;
  ifbam_adaptive_include (self, index, island->time, self->nodes.x1, self->nodes.v1);
  IFBAM_FOR_ISLAND_NODES (i, index)
  ifbam_magnitudes_include (self, ifbam_event_node_magnitudes (self, i), fabs (self->nodes.x1[i]),
                            fabs (self->nodes.v1[i]));
}

void
ifbam_adaptive_end_step (IfbamEventEngine *self, guint32 index)
{
  settle (self, index);
  ifbam_event_copy_nodes (self, index, self->nodes.x1, self->nodes.x);
  ifbam_event_copy_nodes (self, index, self->nodes.v1, self->nodes.v);
  ifbam_event_copy_nodes (self, index, self->nodes.a1, self->nodes.a);
}

/* Samples */

void
ifbam_adaptive_reach_sample (IfbamEventEngine *self)
{
  IfbamAdaptiveSteps *adaptive = self->adaptive;
  const double step = self->base.spec->step;

  for (guint32 k = 0; k < self->islands.list->len; k++)
    {
      IfbamIsland *island = ifbam_island (self, k);

      if (!ifbam_adaptive_has_island (self, k))
        continue;
      if (island->until <= step)
        {
          settle (self, k);
          continue;
        }
      if (step > island->time)
        book_work (self, k, step, TRUE);
      IFBAM_FOR_ISLAND_NODES (i, k)
      {
        const double *begun[] = { self->nodes.x, self->nodes.v, self->nodes.a };
        const double *ended[] = { self->nodes.x1, self->nodes.v1, self->nodes.a1 };
        double x, v;

        for (guint c = 0; c < 3; c++)
          {
            adaptive->begun[c][i] = begun[c][i];
            adaptive->ended[c][i] = ended[c][i];
          }
        ifbam_island_node (self, island, (guint32) i, step, &x, &v);
        self->nodes.x1[i] = x;
        self->nodes.v1[i] = v;
        ifbam_event_set_evaluator_node (self, (guint32) i, self->nodes.x1, self->nodes.v1);
      }
    }
  ifbam_event_set_given (self, IFBAM_NONE, ifbam_event_time_at (self, step), self->nodes.x1,
                         self->nodes.v1);
}

/* State */

/* Copies the islands' step data into arrays by component (out), or back. */
static void
copy_island_steps (IfbamEventEngine *self, gboolean out)
{
  IfbamAdaptiveSteps *adaptive = self->adaptive;

  for (guint32 c = 0; c + 1 < self->components.list->len; c++)
    {
      IfbamIsland *island = ifbam_island (self, ifbam_component (self, c)->island);
      double *kept[] = { &adaptive->time[c],       &adaptive->until[c],    &adaptive->next_step[c],
                         &adaptive->step_after[c], &adaptive->error[0][c], &adaptive->error[1][c],
                         &adaptive->after_jump[c] };
      double *own[] = { &island->time,       &island->until, &island->next_step,
                        &island->step_after, &island->error, &island->error_after,
                        &island->after_jump };

      for (guint k = 0; k < G_N_ELEMENTS (own); k++)
        *(out ? kept : own)[k] = *(out ? own : kept)[k];
    }
}

void
ifbam_adaptive_list_state (IfbamEventEngine *self, GArray *columns)
{
  static const char *const names[][2] = { { "begun.position", "ended.position" },
                                          { "begun.rate", "ended.rate" },
                                          { "begun.acceleration", "ended.acceleration" } };
  IfbamAdaptiveSteps *adaptive = self->adaptive;
  const gsize n_free = self->base.model->n_free, n = self->components.list->len - 1;

  copy_island_steps (self, TRUE);
  for (guint k = 0; k < 3; k++)
    {
      ifbam_state_add_doubles (columns, names[k][0], adaptive->begun[k], n_free);
      ifbam_state_add_doubles (columns, names[k][1], adaptive->ended[k], n_free);
    }
  ifbam_state_add_doubles (columns, "node.largest", adaptive->largest, n_free);
  ifbam_state_add_doubles (columns, "node.fastest", adaptive->fastest, n_free);
  if (adaptive->partners->len > 0)
    {
      ifbam_state_add_doubles (columns, "partner.nearest", adaptive->nearest,
                               adaptive->partners->len);
      ifbam_state_add_doubles (columns, "partner.farthest", adaptive->farthest,
                               adaptive->partners->len);
    }
  if (self->account.is_kept)
    {
      ifbam_state_add_doubles (columns, "island.supplied", adaptive->booked.external_work[0], n);
      ifbam_state_add_doubles (columns, "island.turnover", adaptive->booked.external_work[1], n);
      ifbam_state_add_doubles (columns, "slot.booked", adaptive->booked.loss,
                               self->base.model->n_slots);
      ifbam_state_add_doubles (columns, "link.booked", adaptive->booked.single,
                               self->base.model->unbatched_links->len);
    }
  ifbam_state_add_doubles (columns, "island.time", adaptive->time, n);
  ifbam_state_add_doubles (columns, "island.until", adaptive->until, n);
  ifbam_state_add_doubles (columns, "island.next", adaptive->next_step, n);
  ifbam_state_add_doubles (columns, "island.after", adaptive->step_after, n);
  ifbam_state_add_doubles (columns, "island.error", adaptive->error[0], n);
  ifbam_state_add_doubles (columns, "island.error-after", adaptive->error[1], n);
  ifbam_state_add_doubles (columns, "island.thrown", adaptive->after_jump, n);
}

void
ifbam_adaptive_rebuild (IfbamEventEngine *self)
{
  copy_island_steps (self, FALSE);
}

IfbamStepCount
ifbam_adaptive_get_count (const IfbamEventEngine *self)
{
  IfbamStepCount count = self->adaptive == NULL ? (IfbamStepCount){ 0 } : self->adaptive->count;

  ifbam_implicit_add_count (self->implicit, &count);
  return count;
}
