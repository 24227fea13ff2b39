/* contact-workspace.c: working data of the contact solver
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "constraint/contact-workspace.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define ROUNDING 1e-14 /* rounding of a sum, relative to the magnitudes of its terms */

/* Called during long factorizations; returns 0 to interrupt. */
static int
poll (void *data)
{
  const IfbamContactProblem *problem = ((const IfbamContactWorkspace *) data)->problem;

  return problem->may_continue == NULL || problem->may_continue (problem->data);
}

IfbamContactWorkspace *
ifbam_contact_workspace_new (void)
{
  IfbamContactWorkspace *self = g_new0 (IfbamContactWorkspace, 1);

  self->system.rows.poll = self->interior.poll = (IfbamPoll){ poll, self };
  self->visited = g_array_new (FALSE, FALSE, sizeof (guint64));
  return self;
}

void
ifbam_contact_workspace_free (IfbamContactWorkspace *self)
{
  if (self == NULL)
    return;
  g_free (self->state);
  g_free (self->active);
  g_free (self->active_row);
  g_free (self->b);
  g_free (self->compliance);
  g_free (self->ray);
  g_free (self->nodes.change);
  g_free (self->nodes.magnitude);
  g_free (self->nodes.scratch);
  g_array_unref (self->visited);
  ifbam_least_norm_clear (&self->system);
  ifbam_constraint_system_clear (&self->interior);
  g_free (self);
}

void
ifbam_contact_workspace_reserve (IfbamContactWorkspace *self, guint n, gsize n_nodes)
{
  if (n_nodes > self->nodes.capacity)
    {
      self->nodes.change = g_renew (double, self->nodes.change, n_nodes);
      self->nodes.magnitude = g_renew (double, self->nodes.magnitude, n_nodes);
      self->nodes.scratch = g_renew (guint32, self->nodes.scratch, n_nodes);
      memset (self->nodes.scratch, 0xff, n_nodes * sizeof *self->nodes.scratch);
      self->nodes.capacity = n_nodes;
    }
  if (n < self->capacity)
    return;
  self->capacity = MAX (2 * self->capacity, n + 1);
  self->state = g_renew (IfbamContactState, self->state, self->capacity);
  self->active = g_renew (IfbamConstraintRow, self->active, self->capacity);
  self->active_row = g_renew (guint, self->active_row, self->capacity);
  self->b = g_renew (double, self->b, self->capacity);
  self->compliance = g_renew (double, self->compliance, self->capacity);
  self->ray = g_renew (double, self->ray, self->capacity);
}

void
ifbam_contact_clear_change (IfbamContactWorkspace *self)
{
  for (guint i = 0; i < self->n; i++)
    {
      const IfbamConstraintRow *row = &self->problem->row[i].row;

      ifbam_row_clear_change (row, self->nodes.change);
      ifbam_row_clear_change (row, self->nodes.magnitude);
    }
}

void
ifbam_contact_add_change (IfbamContactWorkspace *self, const IfbamConstraintRow *row, double lambda)
{
  for (guint e = 0; e < row->n_ports; e++)
    {
      const double term = row->pull[e] * lambda * self->problem->inverse_mass[row->node[e]];

      self->nodes.change[row->node[e]] += term;
      self->nodes.magnitude[row->node[e]] += fabs (term);
    }
}

double
ifbam_contact_get_rate (const IfbamContactWorkspace *self, const IfbamConstraintRow *row,
                        double rhs)
{
  return ifbam_row_get_rate (row, self->nodes.change, rhs);
}

double
ifbam_contact_get_rounding (const IfbamContactWorkspace *self, const IfbamConstraintRow *row)
{
  double sum = 0;

  for (guint e = 0; e < row->n_ports; e++)
    sum += fabs (row->row[e]) * self->nodes.magnitude[row->node[e]];
  return ROUNDING * sum + DBL_MIN;
}

void
ifbam_contact_add_force (IfbamConstraintRow *row, const IfbamConstraintRow *along, double times)
{
  row->askew |= times != 0;
  for (guint e = 0; e < along->n_ports && times != 0; e++)
    {
      guint at = 0;

      while (at < row->n_ports && row->node[at] != along->node[e])
        at++;
      g_assert (at < IFBAM_MAX_PORTS);
      if (at == row->n_ports)
        {
          row->node[at] = along->node[e];
          row->row[at] = row->pull[at] = 0;
          row->n_ports++;
        }
      row->pull[at] += times * along->row[e];
    }
}

int
ifbam_contact_slip (const IfbamContactWorkspace *self, guint i)
{
  return self->problem->row[i].kind != IFBAM_CONTACT_FRICTION ? 0
         : self->state[i].piece == IFBAM_CONTACT_FORWARD      ? 1
         : self->state[i].piece == IFBAM_CONTACT_BACKWARD     ? -1
                                                              : 0;
}

gboolean
ifbam_contact_is_stopped (const IfbamContactWorkspace *self)
{
  return self->is_interrupted || self->n_systems >= self->max_systems;
}

gboolean
ifbam_contact_may_continue (IfbamContactWorkspace *self)
{
  const IfbamContactProblem *problem = self->problem;

  if (ifbam_contact_is_stopped (self))
    return FALSE;
  self->is_interrupted = problem->may_continue != NULL && !problem->may_continue (problem->data);
  self->n_systems++;
  return !self->is_interrupted;
}

double
ifbam_contact_guess_rhs (const IfbamContactWorkspace *self, guint i)
{
  const double *q = self->problem->row[i].rhs;

  return self->first_level == self->last_level ? q[self->last_level] : q[0] + self->span * q[1];
}
