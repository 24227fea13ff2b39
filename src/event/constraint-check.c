/* constraint-check.c: tests whether active constraints are satisfied at the end of a step
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/constraint-check.h"

#include <float.h>
#include <math.h>

#include "event/advance-islands.h"
#include "event/constraint-projection.h"
#include "event/event-log.h"
#include "model/model.h"

/* Rates of redundant rows up to this fraction of the sum of abs (J_e v_e) are consistent with 0. */
#define CONSISTENCY_TOLERANCE 1e-9

/* Whether a redundant bilateral constraint is violated: other constraints move its ends apart. */
static gboolean
is_contradicted (const IfbamEventEngine *self, const IfbamIsland *island, guint32 index)
{
  const IfbamLink *link = ifbam_link (self, index);
  double row[IFBAM_MAX_PORTS], delta, rate, size = 0;

  if (!island->system.redundant
      || !ifbam_constraint_is_bilateral (ifbam_link_constraint (self, index).kind))
    return FALSE;
  rate = ifbam_link_measure (link, self->nodes.x1, self->nodes.v1, &delta, row);
  for (guint e = 0; e < link->n_ports; e++)
    size += fabs (row[e] * self->nodes.v1[link->node[e]]);
  return fabs (rate)
         > CONSISTENCY_TOLERANCE * size + 4 * ifbam_event_magnitudes (self, index)->rate_threshold;
}

/* Whether the free nodes cannot follow the given nodes to any position near the present one. */
static gboolean
is_at_dead_point (const IfbamEventEngine *self)
{
  const IfbamModel *model = self->base.model;
  /* With latency (two-step schemes) the positions are computed one step ahead. */
  const double end = (self->latency ? 2 : 1) * self->base.spec->step;
  g_autofree double *place = g_memdup2 (self->nodes.x, model->n_nodes * sizeof (double));

  for (gsize i = model->n_free; i < model->n_nodes; i++)
    place[i] = ifbam_event_motion (self, (guint32) i, ifbam_event_time_at (self, end)).position;
  return !ifbam_model_reaches (model, place);
}

/* Fails the run with the reason for which a constraint is violated. */
static void
fail_violated (IfbamEventEngine *self, const IfbamIsland *island, guint32 index, double end,
               double h)
{
  double fastest = 0;
  guint32 turning = index;

  for (guint k = 0; k < island->rows->len; k++)
    {
      const guint32 other = g_array_index (island->rows, guint32, k);
      const double rate =
          ifbam_link_turning_rate (ifbam_link (self, other), self->nodes.x, self->nodes.v);

      if (!(rate > fastest))
        continue;
      fastest = rate;
      turning = other;
    }
  if (fastest * h > IFBAM_MAX_STEP_ROTATION)
    {
      g_autofree char *text = ifbam_turning_text (ifbam_link (self, turning)->name, fastest * h, h);

      ifbam_event_fail (self, end, NULL, 0, text, "");
    }
  else if (is_contradicted (self, island, index) || (island->has_fixed && is_at_dead_point (self)))
    ifbam_event_fail (self, end, &index, 1, "",
                      ": the mechanism is at a dead point; no finite force moves it (give it "
                      "speed, or a flywheel)");
  else
    ifbam_event_fail (self, end, &index, 1, "",
                      " can't be kept closed: its ends turn too far in a step (choose a "
                      "shorter step)");
}

/* TRUE, with failure: a driven length is <= 0, or so short that it rotates too far in a step. */
static gboolean
is_wound_around (IfbamEventEngine *self, guint32 index, double end, double h)
{
  const IfbamLink *link = ifbam_link (self, index);
  double position[IFBAM_MAX_PORTS], length, turned;

  if (link->geometry->driven_length == NULL)
    return FALSE;
  for (guint e = 0; e < link->n_ports; e++)
    position[e] = self->nodes.x1[link->node[e]];
  length = link->geometry->driven_length (link->shape, position);
  turned = ifbam_link_turning_rate (link, self->nodes.x1, self->nodes.v1) * h;
  if (length > 0 && turned <= IFBAM_MAX_STEP_ROTATION)
    return FALSE;
  if (length > 0)
    {
      g_autofree char *text = ifbam_turning_text (link->name, turned, h);
      g_autofree char *why = g_strdup_printf (" (it is drawn in to %.2g m)", length);

      ifbam_event_fail (self, end, NULL, 0, text, why);
    }
  else
    ifbam_event_fail (self, end, &index, 1, "",
                      " gets the length 0 (the drive of its length has to keep it positive)");
  return TRUE;
}

/* Returns the rounding of a link's displacement at the end of a step [m]: of its ends' coordinates,
 * and of the displacement by its reaction. The largest coordinates so far say nothing about a first
 * step from rest at 0, where the reaction may also be 0 at the end. */
static double
displacement_rounding (const IfbamEventEngine *self, guint32 index, double h)
{
  const IfbamLink *link = ifbam_link (self, index);
  const IfbamLinkState *state = &self->links.state[index];
  double size = h * h * fabs (state->reaction) * ifbam_link_inverse_mass (self, index);

  for (guint e = 0; e < link->n_ports; e++)
    size += fabs (state->row[e] * self->nodes.x1[link->node[e]]);
  return DBL_EPSILON * size;
}

void
ifbam_event_check_island (IfbamEventEngine *self, guint32 index, double end, double h)
{
  IfbamIsland *island = ifbam_island (self, index);
  const gboolean astray = self->latency && !island->uses_restart && island->is_violated;

  for (guint k = 0; island->has_variable_rows && island->rows != NULL && k < island->rows->len; k++)
    {
      const guint32 link = g_array_index (island->rows, guint32, k);

      if (is_wound_around (self, link, end, h))
        return;
      if (astray
          || fabs (ifbam_event_constraint_residual (self, link, self->nodes.x1, self->nodes.v1))
                 > 4
                       * (ifbam_event_magnitudes (self, link)->position_threshold
                          + displacement_rounding (self, link, h))
          || is_contradicted (self, island, link))
        {
          fail_violated (self, island, link, end, h);
          return;
        }
    }
}

void
ifbam_event_check_constraints (IfbamEventEngine *self)
{
  const double step = self->base.spec->step;

  for (guint i = 0; i < self->islands.constrained->len && self->base.log->failure == NULL; i++)
    ifbam_event_check_island (self, g_array_index (self->islands.constrained, guint32, i), step,
                              step);
}
