/* trajectory.c: columns of positions, velocities, accelerations and forces
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/trajectory.h"

#include <string.h>

void
ifbam_trajectory_init (IfbamTrajectory *self, const IfbamModel *model)
{
  const gsize n = model->n_nodes;
  double **columns[] = { &self->x,           &self->v,  &self->x1,    &self->v1,
                         &self->a,           &self->a1, &self->xt,    &self->vt,
                         &self->x2,          &self->v2, &self->force, &self->acceleration,
                         &self->inverse_mass };

  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    *columns[i] = g_new0 (double, n + 1);
  for (guint c = 0; c < IFBAM_MAX_COLUMNS; c++)
    self->work[c] = g_new0 (double, n + 1);
  for (gsize i = 0; i < model->n_free; i++)
    self->inverse_mass[i] = model->inverse_inertia[i];
  self->link_forces = g_new0 (double, model->n_slots + model->n_sources + 1);
  self->scratch = g_new (guint32, n + 1);
  memset (self->scratch, 0xff, (n + 1) * sizeof (guint32));
  self->mark = g_new0 (guint8, n + 1);
  self->port = g_new (IfbamPort, n + 1);
  for (gsize i = 0; i < n; i++)
    self->port[i] = (IfbamPort){ i, 1 };
}

void
ifbam_trajectory_clear (IfbamTrajectory *self)
{
  gpointer columns[] = { self->x,
                         self->v,
                         self->x1,
                         self->v1,
                         self->a,
                         self->a1,
                         self->xt,
                         self->vt,
                         self->x2,
                         self->v2,
                         self->force,
                         self->acceleration,
                         self->inverse_mass,
                         self->link_forces,
                         self->scratch,
                         self->mark,
                         self->port };

  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    g_free (columns[i]);
  for (guint c = 0; c < IFBAM_MAX_COLUMNS; c++)
    g_free (self->work[c]);
}
