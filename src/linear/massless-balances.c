/* massless-balances.c: balances of forces on massless nodes, as constraints of small motions
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "linear/massless-balances.h"

#include <math.h>

#include "base/fail.h"

/* Least sum of derivatives, relative to its terms. */
#define SLIGHT 1e-10

/* Derivatives of the force along z by positions and rates of nodes. */
typedef struct
{
  guint n;
  guint32 node[IFBAM_MAX_PORTS];
  double stiffness[IFBAM_MAX_PORTS], damping[IFBAM_MAX_PORTS];
} Balance;

/* Balances along all columns of the basis. */
typedef struct
{
  const IfbamNullSpace *null_space;
  gsize n_free;
  Balance *balance; /* (kernel->n) */
  gboolean fits;    /* no balance has more than IFBAM_MAX_PORTS nodes */
} Balances;

static void
add_to_balance (Balances *self, gsize z, guint32 node, double stiffness, double damping)
{
  Balance *balance = &self->balance[z];
  guint i = 0;

  while (i < balance->n && balance->node[i] != node)
    i++;
  if (i == IFBAM_MAX_PORTS)
    {
      self->fits = FALSE;
      return;
    }
  if (i == balance->n)
    {
      balance->node[balance->n++] = node;
      balance->stiffness[i] = balance->damping[i] = 0;
    }
  balance->stiffness[i] += stiffness;
  balance->damping[i] += damping;
}

/* Returns the number of columns that move a node. */
static gsize
count_columns (const Balances *self, gsize node)
{
  return node < self->n_free ? ifbam_null_space_count (self->null_space, node) : 0;
}

/* Returns the compression of a row per motion along z; 0: rounding. */
static double
compression_along (const Balances *self, const IfbamMotionRow *row, gsize z)
{
  const IfbamNullSpace *null_space = self->null_space;
  double sum = 0, gross = 0;

  for (guint e = 0; e < row->n; e++)
    if (count_columns (self, row->at[e]) > 0 && z >= null_space->first[row->at[e]]
        && z - null_space->first[row->at[e]] < count_columns (self, row->at[e]))
      {
        const gsize column = z - null_space->first[row->at[e]];
        const double part =
            row->entry[e] * null_space->factor[null_space->start[row->at[e]] + column];

        sum += part;
        gross += fabs (part);
      }
  return fabs (sum) > SLIGHT * gross ? sum : 0;
}

static void
add_row_to_balances (Balances *self, const IfbamSmallMotions *motions, const IfbamMotionRow *row)
{
  const double stiffness = motions->stiffness[row->number], damping = motions->damping[row->number];
  const guint32 *first = self->null_space->first;

  for (guint e = 0; e < row->n && (stiffness != 0 || damping != 0); e++)
    {
      gsize n = count_columns (self, row->at[e]);

      /* Two nodes have the same columns, or none in common. */
      for (guint before = 0; before < e && n > 0; before++)
        if (count_columns (self, row->at[before]) > 0
            && first[row->at[before]] == first[row->at[e]])
          n = 0;
      for (gsize k = 0; k < n; k++)
        {
          const gsize z = first[row->at[e]] + k;
          const double along = compression_along (self, row, z);

          for (guint o = 0; o < row->n && along != 0; o++)
            add_to_balance (self, z, (guint32) row->at[o], along * row->entry[o] * stiffness,
                            along * row->entry[o] * damping);
        }
    }
}

/* Makes a balance a constraint. node: one that moves along z. */
static gboolean
constrain_balance (IfbamSmallMotions *motions, guint32 node, const Balance *balance,
                   GArray *relations, GError **error)
{
  IfbamMotionRow row = { 0 };
  IfbamConstraintRow kept = { .share = 1 };
  double by_place = 0, by_rate = 0;
  g_autofree char *name = ifbam_model_node_name (motions->model, node);

  for (guint i = 0; i < balance->n; i++)
    {
      by_place = fmax (by_place, fabs (balance->stiffness[i]));
      by_rate = fmax (by_rate, fabs (balance->damping[i]));
    }
  if ((by_place > 0) == (by_rate > 0))
    return ifbam_fail (
        error, IFBAM_ERROR_NETWORK,
        by_place > 0
            ? "springs and dampers act on the junction \"%s\": its motion can't be eliminated "
              "(give it a little inertia)"
            : "nothing holds the junction \"%s\" at the start: its small motions are not known",
        name);
  for (guint i = 0; i < balance->n; i++)
    {
      const double entry = by_place > 0 ? balance->stiffness[i] : balance->damping[i];

      kept.node[kept.n_ports] = balance->node[i];
      kept.row[kept.n_ports] = kept.pull[kept.n_ports] = entry;
      kept.n_ports++;
      if (balance->node[i] >= motions->model->n_free)
        continue;
      row.at[row.n] = balance->node[i];
      row.entry[row.n++] = entry;
    }
  g_array_append_val (relations, row);
  g_array_append_val (motions->relations, kept);
  return TRUE;
}

/* FALSE with an error: a gyration or circulation acts on a junction. */
static gboolean
check_junctions (const IfbamSmallMotions *motions, const GArray *gyrations, GError **error)
{
  for (guint g = 0; g < gyrations->len; g++)
    {
      const IfbamGyration *own = &g_array_index (gyrations, IfbamGyration, g);

      for (guint e = 0; e < own->n; e++)
        if (ifbam_model_is_junction (motions->model, own->node[e]))
          {
            g_autofree char *name = ifbam_model_node_name (motions->model, own->node[e]);

            return ifbam_fail (
                error, IFBAM_ERROR_NETWORK,
                "a force on the junction \"%s\" follows other elements: its motion can't be "
                "eliminated (give it a little inertia)",
                name);
          }
    }
  return TRUE;
}

/* Returns motions of massless nodes alone that satisfy relations (IfbamMotionRow). */
static IfbamNullSpace *
find_massless_motions (const IfbamModel *model, const GArray *relations, GError **error)
{
  g_auto (IfbamDofGroups) groups = { 0 };
  g_autoptr (GArray) own = g_array_copy ((GArray *) relations);

  ifbam_dof_groups_init (&groups, model->n_free);
  for (gsize i = 0; i < model->n_free; i++)
    groups.still[i] = !ifbam_model_is_junction (model, i);
  return ifbam_null_space_new (model, &groups, own, IFBAM_MAX_HELD, error);
}

gboolean
ifbam_add_massless_balances (IfbamSmallMotions *motions, GArray *relations, GError **error)
{
  const IfbamModel *model = motions->model;
  g_autoptr (IfbamNullSpace) null_space = NULL;
  g_autofree Balance *balance = NULL;
  Balances balances = { .n_free = model->n_free, .fits = TRUE };
  gboolean is_held = TRUE;
  gsize next = 0;

  if (!check_junctions (motions, motions->gyrations, error)
      || !check_junctions (motions, motions->circulations, error))
    return FALSE;
  null_space = find_massless_motions (model, relations, error);
  if (null_space == NULL)
    return FALSE;
  balances.null_space = null_space;
  balances.balance = balance = g_new0 (Balance, null_space->n + 1);
  for (IfbamLinkIter at = ifbam_links (model, IFBAM_LINKS_STORED); ifbam_link_iter_next (&at);)
    {
      const IfbamMotionRow row = ifbam_motion_row_of (&at);

      add_row_to_balances (&balances, motions, &row);
    }
  for (guint i = 0; i < motions->extra->len; i++)
    add_row_to_balances (&balances, motions, &g_array_index (motions->extra, IfbamMotionRow, i));
  if (!balances.fits)
    return ifbam_fail (error, IFBAM_ERROR_NETWORK,
                       "a junction joins more than %d nodes: its motion can't be eliminated",
                       IFBAM_MAX_PORTS - 1);
  /* A column's lowest node comes first. */
  for (guint32 i = 0; i < model->n_free && is_held; i++)
    for (; is_held && next < null_space->first[i] + count_columns (&balances, i); next++)
      is_held = constrain_balance (motions, i, &balance[next], relations, error);
  return is_held;
}
