/* constraint-projection.c: nodes merged by straight constraints; projection onto constraints
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/constraint-projection.h"

#include <math.h>
#include <string.h>

#include "event/constraint-rows.h"
#include "event/event-links.h"
#include "event/forces.h"
#include "event/load-sharing.h"

/* Returns the index of a free node in the file; the model's numbering may differ. */
static guint32
file_index (const IfbamModel *model, guint32 node)
{
  return model->file_node != NULL ? model->file_node[node] : node;
}

static guint32
leader_of (const IfbamEventEngine *self, const guint32 *members, guint n)
{
  guint32 leader = members[0];

  for (guint i = 0; i < n; i++)
    {
      guint32 node = members[i];

      if (self->nodes.inverse_mass[node] == 0)
        return node;
      if (self->nodes.inverse_mass[node] < self->nodes.inverse_mass[leader]
          || (self->nodes.inverse_mass[node] == self->nodes.inverse_mass[leader]
              && file_index (self->base.model, node) < file_index (self->base.model, leader)))
        leader = node;
    }
  return leader;
}

typedef struct
{
  guint32 row, other;
  int sign; /* sign of the listing node in the row */
} Neighbour;

/* Whether an open contact of a node is so close that a correction of the node could close it. */
static gboolean
touches (const IfbamEventEngine *self, guint32 node, double time)
{
  for (guint32 p = self->links.node_start[node]; p < self->links.node_start[node + 1]; p++)
    {
      const guint32 index = ifbam_endpoint_link (self->links.node_ends[p]);
      const IfbamLink *link = ifbam_link (self, index);
      const IfbamConstraint constraint = ifbam_link_constraint (self, index);
      double x[IFBAM_MAX_PORTS], v[IFBAM_MAX_PORTS], row[IFBAM_MAX_PORTS], delta;

      if (constraint.kind != IFBAM_CONSTRAINT_CONTACT || ifbam_link_is_active (self, index))
        continue;
      for (guint e = 0; e < link->n_ports; e++)
        ifbam_event_node_at (self, link->node[e], time, &x[e], &v[e]);
      ifbam_link_measure_at (link, x, v, &delta, row);
      if (constraint.gap - delta <= 4 * ifbam_event_magnitudes (self, index)->position_threshold)
        return TRUE;
    }
  return FALSE;
}

/* Appends a node's group: nodes joined by straight constraints, the leader first. Contacts are
 * closed exactly, unless repeated corrections could push a member into an open contact. */
static void
add_group (IfbamEventEngine *self, IfbamIsland *island, GHashTable *at, guint32 node)
{
  g_autoptr (GArray) members = g_array_new (FALSE, FALSE, sizeof (guint32));
  IfbamMergedNode head;
  guint first = island->merged->len;
  gboolean position = FALSE, pushes = FALSE;

  g_array_append_val (members, node);
  self->nodes.mark[node] = 1;
  for (guint i = 0; i < members->len; i++)
    {
      const GArray *list =
          g_hash_table_lookup (at, GUINT_TO_POINTER (g_array_index (members, guint32, i)));

      for (guint k = 0; list != NULL && k < list->len; k++)
        {
          const Neighbour *neighbour = &g_array_index (list, Neighbour, k);
          const IfbamConstraint constraint = ifbam_link_constraint (self, neighbour->row);

          position |= constraint.kind != IFBAM_CONSTRAINT_RIGID
                      && constraint.kind != IFBAM_CONSTRAINT_ONE_WAY;
          if (self->nodes.mark[neighbour->other] != 0)
            continue;
          self->nodes.mark[neighbour->other] = 1;
          g_array_append_val (members, neighbour->other);
        }
    }
  for (guint i = 0; i < members->len && !pushes; i++)
    pushes = g_array_index (members, guint32, i) < self->base.model->n_free
             && touches (self, g_array_index (members, guint32, i), island->time);
  head = (IfbamMergedNode){ .node = leader_of (self, (guint32 *) (gpointer) members->data,
                                               members->len) };
  head.leader = head.node;
  head.position = position;
  g_array_append_val (island->merged, head);
  self->nodes.mark[head.node] = 2;
  for (guint i = first; i < island->merged->len; i++)
    {
      const IfbamMergedNode from = g_array_index (island->merged, IfbamMergedNode, i);
      const GArray *list = g_hash_table_lookup (at, GUINT_TO_POINTER (from.node));

      for (guint k = 0; list != NULL && k < list->len; k++)
        {
          const Neighbour *neighbour = &g_array_index (list, Neighbour, k);
          const IfbamConstraint constraint = ifbam_link_constraint (self, neighbour->row);
          IfbamMergedNode merged = { neighbour->other, head.node, from.offset, position };

          if (self->nodes.mark[neighbour->other] == 2)
            continue;
          self->nodes.mark[neighbour->other] = 2;
          if (constraint.kind == IFBAM_CONSTRAINT_CONTACT && !pushes)
            merged.offset -= neighbour->sign
                             * (constraint.gap - self->links.state[neighbour->row].remaining_gap);
          else
            merged.offset += self->nodes.x[neighbour->other] - self->nodes.x[from.node];
          g_array_append_val (island->merged, merged);
        }
    }
}

/* Lists a neighbour of a node. Given nodes have lists, too, so that each leads one whole group. */
static void
list_neighbour (GHashTable *at, guint32 node, guint32 row, guint32 other, int sign)
{
  GArray *list = g_hash_table_lookup (at, GUINT_TO_POINTER (node));
  Neighbour neighbour = { row, other, sign };

  if (list == NULL)
    {
      list = g_array_new (FALSE, FALSE, sizeof (Neighbour));
      g_hash_table_insert (at, GUINT_TO_POINTER (node), list);
    }
  g_array_append_val (list, neighbour);
}

void
ifbam_event_merge_nodes (IfbamEventEngine *self, IfbamIsland *island)
{
  g_autoptr (GHashTable) at = NULL;

  island->has_variable_rows = island->has_fixed = island->has_limited = FALSE;
  island->rows_changed = TRUE;
  if (island->merged != NULL)
    ifbam_array_clear (island->merged);
  if (island->rows == NULL || island->rows->len == 0)
    return;
  if (island->merged == NULL)
    island->merged = g_array_new (FALSE, FALSE, sizeof (IfbamMergedNode));
  island->lambda = g_renew (double, island->lambda, island->rows->len);
  at = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_array_unref);
  for (guint i = 0; i < island->rows->len; i++)
    {
      guint32 index = g_array_index (island->rows, guint32, i);
      const IfbamLink *link = ifbam_link (self, index);
      const IfbamConstraintKind kind = ifbam_link_constraint (self, index).kind;

      island->has_fixed |= kind == IFBAM_CONSTRAINT_FIXED;
      island->has_limited |= !ifbam_constraint_is_bilateral (kind);
      if (!link->geometry->straight)
        {
          island->has_variable_rows = TRUE;
          continue;
        }
      list_neighbour (at, link->node[0], index, link->node[1], 1);
      list_neighbour (at, link->node[1], index, link->node[0], -1);
    }
  for (guint i = 0; i < island->rows->len; i++)
    {
      const IfbamLink *link = ifbam_link (self, g_array_index (island->rows, guint32, i));

      for (guint e = 0; e < 2 && link->geometry->straight; e++)
        if (link->node[e] < self->base.model->n_free && self->nodes.mark[link->node[e]] == 0)
          add_group (self, island, at, link->node[e]);
    }
  for (guint i = 0; i < island->merged->len; i++)
    self->nodes.mark[g_array_index (island->merged, IfbamMergedNode, i).node] = 0;
  if (island->has_variable_rows)
    return;
  for (guint i = 0; i < island->rows->len; i++)
    ifbam_link_measure_rows (self, g_array_index (island->rows, guint32, i), self->nodes.x,
                             self->nodes.v);
  ifbam_event_factor_rows (self, island, TRUE);
}

/* Moves each group as one body: with its momentum and mass centre, or with a given leader. */
static void
project_groups (IfbamEventEngine *self, const IfbamIsland *island, double *x, double *v,
                double time)
{
  const IfbamModel *model = self->base.model;
  const IfbamMergedNode *merged = (const IfbamMergedNode *) (gpointer) island->merged->data;

  for (guint first = 0, last; first < island->merged->len; first = last)
    {
      const guint32 leader = merged[first].leader;
      double position = 0, rate = 0, mass = 0;

      for (last = first; last < island->merged->len && merged[last].leader == leader
                         && (last == first || merged[last].node != leader);
           last++)
        if (leader < model->n_free)
          {
            guint32 node = merged[last].node;
            double m = 1 / self->nodes.inverse_mass[node];

            mass += m;
            rate += m * v[node];
            position += m * (x[node] - merged[last].offset);
          }
      if (leader < model->n_free)
        {
          rate /= mass;
          position /= mass;
        }
      else
        {
          IfbamMotion motion =
              ifbam_event_motion_now (self, leader, ifbam_event_time_at (self, time));

          rate = motion.rate;
          position = motion.position;
        }
      for (guint i = first; i < last; i++)
        if (merged[i].node < model->n_free)
          {
            v[merged[i].node] = rate;
            if (merged[i].position)
              x[merged[i].node] = position + merged[i].offset;
            ifbam_event_set_evaluator_node (self, merged[i].node, x, v);
          }
    }
}

double
ifbam_event_constraint_residual (const IfbamEventEngine *self, guint32 index,
                                 const double *position, const double *rate)
{
  const IfbamConstraint constraint = ifbam_link_constraint (self, index);
  double row[IFBAM_MAX_PORTS], delta;

  if (constraint.kind != IFBAM_CONSTRAINT_CONTACT && constraint.kind != IFBAM_CONSTRAINT_FIXED)
    return 0;
  ifbam_link_measure (ifbam_link (self, index), position, rate, &delta, row);
  return delta - constraint.gap + self->links.state[index].remaining_gap;
}

static void
subtract_correction (IfbamEventEngine *self, const IfbamIsland *island, double *column)
{
  for (guint i = 0; i < island->rows->len; i++)
    {
      const guint32 index = g_array_index (island->rows, guint32, i);
      const IfbamLink *link = ifbam_link (self, index);
      const double *row = self->links.state[index].row, *inverse_mass = self->nodes.inverse_mass;
      const double reaction = island->lambda[i];

      for (guint e = 0; e < link->n_ports; e++)
        {
          IFBAM_SCALAR_LOOP;
          column[link->node[e]] -= row[e] * reaction * inverse_mass[link->node[e]];
        }
    }
}

#define MIN_ITERATIONS 3 /* Newton iterations without a test of convergence */

/* Projects positions by Newton's method along M^-1 J^T, then rates by one linear solution. */
static void
project_curved (IfbamEventEngine *self, IfbamIsland *island, double *x, double *v)
{
  IFBAM_SHORT_LIST (double, rate, island->rows->len);
  gboolean rates = FALSE;

  for (guint iteration = 0; !rates; iteration++)
    {
      gboolean reached = iteration >= MIN_ITERATIONS;

      for (guint i = 0; i < island->rows->len; i++)
        {
          guint32 index = g_array_index (island->rows, guint32, i);
          double delta;

          rate[i] = ifbam_link_measure (ifbam_link (self, index), x, v, &delta,
                                        self->links.state[index].row);
          island->lambda[i] = ifbam_event_constraint_residual (self, index, x, v);
          reached &=
              fabs (island->lambda[i]) <= ifbam_event_magnitudes (self, index)->position_threshold;
        }
      rates = reached || iteration >= self->limits.iterations;
      if (rates)
        memcpy (island->lambda, rate, island->rows->len * sizeof *rate);
      ifbam_event_factor_rows (self, island, FALSE);
      ifbam_constraint_system_solve (&island->system, island->lambda, island->lambda);
      subtract_correction (self, island, rates ? v : x);
    }
  IFBAM_EVALUATE (self, rows_set, island->rows, 2, (double *[]){ x, v });
}

#define CHORD_RATIO 0.1 /* of the residual: rows are refactored if an iteration leaves more */

/* Stores the residuals of positions, or rates, in lambda. Returns the largest one, in units of its
 * rounding threshold. measured: the stored rows are those at x. */
static double
largest_residual (IfbamEventEngine *self, IfbamIsland *island, const double *x, const double *v,
                  gboolean rates, gboolean measured)
{
  double most = 0;

  for (guint i = 0; i < island->rows->len; i++)
    {
      const guint32 index = g_array_index (island->rows, guint32, i);
      const IfbamLink *link = ifbam_link (self, index);
      const IfbamMagnitudes *scale = ifbam_event_magnitudes (self, index);
      IfbamLinkState *state = &self->links.state[index];
      double delta = 0, rate = 0;

      if (!measured)
        rate = ifbam_link_measure (link, x, v, &delta, state->row);
      for (guint e = 0; e < link->n_ports && measured; e++)
        {
          IFBAM_SCALAR_LOOP;
          rate += state->row[e] * v[link->node[e]];
        }
      if (rates)
        island->lambda[i] = rate;
      else
        {
          const IfbamConstraint constraint = ifbam_link_constraint (self, index);

          island->lambda[i] = constraint.kind == IFBAM_CONSTRAINT_FIXED ? delta
                              : constraint.kind == IFBAM_CONSTRAINT_CONTACT
                                  ? delta - constraint.gap + state->remaining_gap
                                  : 0;
        }
      most = MAX (most,
                  fabs (island->lambda[i])
                      / MAX (rates ? scale->rate_threshold : scale->position_threshold, DBL_MIN));
    }
  return most;
}

/* For mechanisms and many rows: as project_curved (), but with the factors of the first iteration while
 * these converge. A step leaves small residuals: one iteration mostly suffices. */
static void
project_by_chords (IfbamEventEngine *self, IfbamIsland *island, double *x, double *v,
                   gboolean arrived)
{
  double *const column[] = { x, v };
  const guint first = arrived ? 1 : 0;

  for (guint rates = first; rates < 2; rates++)
    {
      double left = INFINITY;

      for (guint iteration = 0;; iteration++)
        {
          const double most = largest_residual (self, island, x, v, rates > 0,
                                                rates > first || (rates > 0 && iteration > 0));

          if (iteration == 0 ? rates == first : most > CHORD_RATIO * left)
            ifbam_event_factor_rows (self, island, FALSE);
          if ((iteration > 0 && most <= 1) || iteration >= self->limits.iterations)
            break;
          left = most;
          ifbam_constraint_system_solve (&island->system, island->lambda, island->lambda);
          subtract_correction (self, island, column[rates]);
        }
    }
  IFBAM_EVALUATE (self, rows_set, island->rows, 2 - first, column + first);
}

void
ifbam_event_project (IfbamEventEngine *self, IfbamIsland *island, double *x, double *v, double time,
                     gboolean arrived)
{
  if (island->rows == NULL || island->rows->len == 0)
    return;
  if (island->has_variable_rows && (island->has_fixed || island->rows->len >= IFBAM_MIN_CHORD_ROWS))
    project_by_chords (self, island, x, v, arrived && island->has_fixed);
  else if (island->has_variable_rows)
    project_curved (self, island, x, v);
  else
    project_groups (self, island, x, v, time);
}
