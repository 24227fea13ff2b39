/* motion-inputs.c: inputs of small motions: forces, and motions of given nodes
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "linear/motion-inputs.h"

#include <math.h>
#include <string.h>

void
ifbam_small_motions_force_input (const IfbamSmallMotions *motions, gsize node, double *force)
{
  const IfbamNullSpace *null_space = motions->null_space;

  memset (force, 0, motions->n * sizeof *force);
  if (null_space == NULL)
    force[node] = 1.0;
  else
    for (gsize k = 0; k < ifbam_null_space_count (null_space, node); k++)
      force[null_space->first[node] + k] = null_space->factor[null_space->start[node] + k];
}

/* Adds a row's forces on the coordinates; own: its compression per motion of a given node. */
static void
add_motion (const IfbamSmallMotions *motions, gsize index, double own,
            const IfbamCoordinateRow *row, double *stiffness, double *damping)
{
  for (gsize i = 0; i < row->n; i++)
    {
      stiffness[row->at[i]] -= row->entry[i] * own * motions->stiffness[index];
      damping[row->at[i]] -= row->entry[i] * own * motions->damping[index];
    }
}

/* M^-1 J^T (J M^-1 J^T)^-1 times the constraints' compressions by the given node: orthogonal to all
 * independent motions, so that it adds no inertia to them. */
double *
ifbam_small_motions_carried (const IfbamSmallMotions *motions, gsize node)
{
  const IfbamModel *model = motions->model;
  const guint n = motions->relations->len;
  const IfbamConstraintRow *rows = (const IfbamConstraintRow *) (gpointer) motions->relations->data;
  g_autofree double *inverse_mass = g_new0 (double, model->n_nodes + 1);
  g_autofree double *lambda = g_new0 (double, n + 1);
  g_autofree guint32 *node_scratch = g_new (guint32, model->n_nodes + 1);
  double *carried;
  IfbamConstraintSystem system = { .even = TRUE };
  gboolean joins = FALSE;

  for (guint i = 0; i < n; i++)
    for (guint e = 0; e < rows[i].n_ports; e++)
      if (rows[i].node[e] == node)
        {
          lambda[i] += rows[i].row[e];
          joins |= rows[i].row[e] != 0;
        }
  if (!joins)
    return NULL;
  memset (node_scratch, 0xff, model->n_nodes * sizeof *node_scratch);
  for (gsize i = 0; i < ifbam_model_n_named_free (model); i++)
    {
      const gsize free_node = ifbam_model_named_node (model, i);

      inverse_mass[free_node] = model->inverse_inertia[free_node];
    }
  ifbam_constraint_system_set (&system, rows, n, inverse_mass, node_scratch);
  ifbam_constraint_system_solve (&system, lambda, lambda);
  ifbam_constraint_system_clear (&system);
  carried = g_new0 (double, model->n_free + 1);
  for (guint i = 0; i < n; i++)
    for (guint e = 0; e < rows[i].n_ports; e++)
      if (rows[i].node[e] < model->n_free)
        carried[rows[i].node[e]] -= inverse_mass[rows[i].node[e]] * rows[i].row[e] * lambda[i];
  return carried;
}

/* Adds forces of gyrations or circulations by a given node and the nodes carried with it. */
static void
add_gyration_forces (const IfbamSmallMotions *motions, const GArray *gyrations, gsize node,
                     const double *carried, double *sum)
{
  g_auto (IfbamMotionIter) iter = { 0 };

  ifbam_motion_iter_init (&iter, motions);
  for (guint g = 0; g < gyrations->len; g++)
    {
      const IfbamGyration *gyration = &g_array_index (gyrations, IfbamGyration, g);

      for (guint f = 0; f < gyration->n; f++)
        {
          const gsize moved = gyration->node[f];
          const double way = carried == NULL                  ? (moved == node ? 1 : 0)
                             : moved < motions->model->n_free ? carried[moved]
                                                              : 0;

          iter.row.n = 0;
          for (guint e = 0; e < gyration->n && way != 0; e++)
            ifbam_coordinate_row_add (motions, &iter.row, gyration->node[e],
                                      gyration->matrix[e + f * gyration->n] * way);
          for (gsize i = 0; i < iter.row.n; i++)
            sum[iter.row.at[i]] -= iter.row.entry[i];
        }
    }
}

/* Adds the forces by nodes that move with the given node. */
static void
add_carried (const IfbamSmallMotions *motions, const double *carried, double *stiffness,
             double *damping)
{
  g_auto (IfbamMotionIter) nodes = { 0 }, iter = { 0 };
  IfbamSmallMotions unheld = *motions;
  const IfbamCoordinateRow *row;

  unheld.null_space = NULL;
  ifbam_motion_iter_init (&nodes, &unheld);
  ifbam_motion_iter_init (&iter, motions);
  while ((row = ifbam_motion_iter_next (&nodes)) != NULL)
    {
      double own = 0;

      for (gsize i = 0; i < row->n; i++)
        own += row->entry[i] * carried[row->at[i]];
      iter.row.n = 0;
      for (gsize i = 0; i < row->n && own != 0; i++)
        ifbam_coordinate_row_add (motions, &iter.row, row->at[i], row->entry[i]);
      add_motion (motions, row->number, own, &iter.row, stiffness, damping);
    }
  add_gyration_forces (motions, motions->gyrations, G_MAXSIZE, carried, damping);
  add_gyration_forces (motions, motions->circulations, G_MAXSIZE, carried, stiffness);
}

/* Adds the forces of a link's row on the coordinates, per motion of a given node. */
static void
add_row_of_given (const IfbamSmallMotions *motions, const IfbamMotionRow *nodes, gsize given,
                  IfbamCoordinateRow *row, double *stiffness, double *damping)
{
  double own = 0;

  row->n = 0;
  for (guint e = 0; e < nodes->n; e++)
    if (nodes->at[e] == given)
      own += nodes->entry[e];
    else
      ifbam_coordinate_row_add (motions, row, nodes->at[e], nodes->entry[e]);
  if (own != 0)
    add_motion (motions, nodes->number, own, row, stiffness, damping);
}

void
ifbam_small_motions_motion_input (const IfbamSmallMotions *motions, gsize node, double *stiffness,
                                  double *damping)
{
  const IfbamModel *model = motions->model;
  g_autofree double *carried = ifbam_small_motions_carried (motions, node);
  IfbamLinkIter at = ifbam_links (model, IFBAM_LINKS_BATCHED);
  g_auto (IfbamMotionIter) iter = { 0 };

  memset (stiffness, 0, motions->n * sizeof *stiffness);
  memset (damping, 0, motions->n * sizeof *damping);
  ifbam_motion_iter_init (&iter, motions);
  for (guint32 p = model->port_start[node]; p < model->port_start[node + 1]; p++)
    if (ifbam_link_iter_seek_slot (&at, model->port[p] >> 1)) /* else a source */
      {
        const IfbamMotionRow row = ifbam_motion_row_of (&at);

        add_row_of_given (motions, &row, node, &iter.row, stiffness, damping);
      }
  for (guint i = 0; i < motions->extra->len; i++)
    add_row_of_given (motions, &g_array_index (motions->extra, IfbamMotionRow, i), node, &iter.row,
                      stiffness, damping);
  add_gyration_forces (motions, motions->gyrations, node, NULL, damping);
  add_gyration_forces (motions, motions->circulations, node, NULL, stiffness);
  if (carried != NULL)
    add_carried (motions, carried, stiffness, damping);
}
