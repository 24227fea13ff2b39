/* implicit-stage.c: equations of an implicit stage
 *
 *   M (w - V) / a = F (u, w) - J^T lambda,  J (w - V) + a Jdot w = 0
 * w, u: velocities and positions; lambda: reactions; J: rows of the active constraints.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/implicit-stage.h"

#include "event/clusters.h"
#include "event/constraint-reactions.h"
#include "event/constraint-rows.h"
#include "event/event-links.h"
#include "event/event-log.h"
#include "event/forces.h"

void
ifbam_substep_publish (IfbamEventEngine *self, const IfbamSubstep *part, double *column)
{
  IFBAM_EVALUATE (self, values_set, ifbam_system_nodes (part->system),
                  ifbam_system_n_nodes (part->system), 1, &column);
}

/* Completes the message columns of an iterate. Links that take the mean over a path get the
 * positions and velocities of two cycles (extrapolation.h). */
void
ifbam_substep_complete_columns (IfbamEventEngine *self, const IfbamSubstep *part)
{
  const IfbamImplicit *own = self->implicit;
  const IfbamScheme *scheme = part->scheme;
  double *const *column = self->nodes.work;
  double *u = column[scheme->message_position], *w = column[scheme->message_rate];

  ifbam_substep_publish (self, part, u);
  ifbam_substep_publish (self, part, w);
  if (!scheme->mean)
    return;
  IFBAM_FOR_SUBSTEP_NODES (i, part)
  {
    const double start = own->position[*i], rate = own->rate[*i], end = 2 * w[*i] - rate;

    column[0][*i] = start;
    column[1][*i] = 0.5 * (3 * rate - end);
    column[2][*i] = start - part->h * w[*i];
    column[3][*i] = 0.5 * (5 * rate - 3 * end);
  }
  for (guint c = 0; c < 4; c++)
    ifbam_substep_publish (self, part, column[c]);
}

/* Computes the forces of links and sources at the present iterate. */
void
ifbam_substep_evaluate_forces (IfbamEventEngine *self, const IfbamSubstep *part, double time)
{
  const IfbamScheme *scheme = part->scheme;

  if (scheme->mean)
    ifbam_event_mean_forces (self, part->number, self->nodes.work, time);
  else
    ifbam_event_forces (self, part->number, self->nodes.work[scheme->message_position],
                        self->nodes.work[scheme->message_rate], time);
}

/* Constraint rows */

guint
ifbam_substep_n_rows (const IfbamSubstep *part)
{
  return part->island->rows == NULL ? 0 : part->island->rows->len;
}

/* Returns J (w - V) + a Jdot w of a constraint [m/s]. Side effect: stores its Jacobian row. */
static double
acceleration_left (IfbamEventEngine *self, const IfbamSubstep *part, guint32 index, double time)
{
  const double *u = self->nodes.work[part->scheme->message_position],
               *w = self->nodes.work[part->scheme->message_rate];
  const gsize n_free = self->base.model->n_free;
  const IfbamLink *link = ifbam_link (self, index);
  const double share = 1 - part->missing;
  double *row = self->links.state[index].row;
  double sum = part->a * ifbam_link_measure_acceleration (link, u, w, row);

  for (guint e = 0; e < link->n_ports; e++)
    {
      const guint32 node = link->node[e];

      sum += row[e]
             * (node < n_free
                    ? w[node] - share * self->implicit->from_rate[node]
                    : share * part->a
                          * ifbam_parameter_values_motion (self->base.numbers, node, time)[2]);
    }
  return sum;
}

/* Returns J w of a constraint [m/s]. */
static double
rate_left (const IfbamEventEngine *self, const IfbamSubstep *part, guint32 index)
{
  const double *w = self->nodes.work[part->scheme->message_rate];
  const IfbamLink *link = ifbam_link (self, index);
  double sum = 0;

  for (guint e = 0; e < link->n_ports; e++)
    sum += self->links.state[index].row[e] * w[link->node[e]];
  return sum;
}

/* Returns TRUE if a constraint with a constant row joins a massless node. It is imposed on the
 * velocities: the velocity of a massless node may jump at a stage's start. */
static gboolean
is_imposed_on_rate (const IfbamEventEngine *self, const IfbamSubstep *part, guint32 index)
{
  return ifbam_system_has_junctions (part->system)
         && ifbam_link (self, index)->geometry->velocity_term == NULL
         && ifbam_link_has_massless_node (self, index);
}

/* Sets the right side of the constraint rows, and applies the present reactions to the forces. Near
 * a singular position the condition is J w = 0, with J of the first iteration. Accelerations would
 * be large there for small forbidden velocities, and reactions hardly exert forces. */
void
ifbam_substep_set_constraint_residuals (IfbamEventEngine *self, const IfbamSubstep *part,
                                        double time, guint iteration)
{
  const double *u = self->nodes.work[part->scheme->message_position],
               *w = self->nodes.work[part->scheme->message_rate];
  double *right = ifbam_system_rhs (part->system) + ifbam_system_n_nodes (part->system);

  for (guint k = 0; k < ifbam_substep_n_rows (part); k++)
    {
      const guint32 index = g_array_index (part->island->rows, guint32, k);

      if (!part->is_singular || iteration == 0)
        ifbam_link_measure_rows (self, index, u, w);
      right[k] = part->is_singular || is_imposed_on_rate (self, part, index)
                     ? -rate_left (self, part, index)
                     : -acceleration_left (self, part, index, time);
    }
  if (ifbam_substep_n_rows (part) > 0)
    ifbam_event_apply_reactions (self, part->island);
}

/* Returns the work of an iteration, as counted by the interrupt check (see
 * IFBAM_WORK_BETWEEN_CHECKS). */
guint
ifbam_substep_work (const IfbamSubstep *part)
{
  return (guint) MIN (ifbam_system_n_nodes (part->system), IFBAM_WORK_BETWEEN_CHECKS);
}
