/* dof-groups.c: groups of coordinates in proportion (union-find with factors)
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "model/dof-groups.h"

#include <math.h>

/* Relative size of coefficients that cancel. */
#define CANCELLED 1e-12

void
ifbam_dof_groups_init (IfbamDofGroups *groups, gsize n)
{
  groups->n = n;
  groups->parent = g_new (guint32, n + 1);
  groups->factor = g_new (double, n + 1);
  groups->still = g_new0 (guint8, n + 1);
  for (gsize i = 0; i < n; i++)
    {
      groups->parent[i] = (guint32) i;
      groups->factor[i] = 1.0;
    }
}

void
ifbam_dof_groups_clear (IfbamDofGroups *groups)
{
  g_free (groups->parent);
  g_free (groups->factor);
  g_free (groups->still);
}

guint32
ifbam_dof_groups_find (const IfbamDofGroups *groups, gsize i, double *factor)
{
  guint32 root = (guint32) i;
  double product = 1.0;

  for (; groups->parent[root] != root; root = groups->parent[root])
    product *= groups->factor[root];
  *factor = product;
  /* Path compression (Tarjan 1975). */
  for (guint32 node = (guint32) i; groups->parent[node] != root && node != root;)
    {
      const guint32 next = groups->parent[node];
      const double own = groups->factor[node];

      groups->parent[node] = root;
      groups->factor[node] = product;
      product /= own;
      node = next;
    }
  return root;
}

/* Stores a row's groups that can move, each once; returns their count. */
static guint
gather (const IfbamDofGroups *groups, const IfbamMotionRow *row, guint32 *root, double *entry)
{
  double size[IFBAM_MAX_PORTS];
  guint n = 0, kept = 0;

  for (guint e = 0; e < row->n; e++)
    {
      double factor;
      const guint32 found = ifbam_dof_groups_find (groups, row->at[e], &factor);
      guint i = 0;

      if (groups->still[found])
        continue;
      while (i < n && root[i] != found)
        i++;
      if (i == n)
        {
          root[n] = found;
          entry[n] = size[n] = 0.0;
          n++;
        }
      entry[i] += row->entry[e] * factor;
      size[i] += fabs (row->entry[e] * factor);
    }
  for (guint i = 0; i < n; i++)
    if (fabs (entry[i]) > CANCELLED * size[i])
      {
        root[kept] = root[i];
        entry[kept++] = entry[i];
      }
  return kept;
}

gboolean
ifbam_dof_groups_merge (IfbamDofGroups *groups, const IfbamMotionRow *row)
{
  guint32 root[IFBAM_MAX_PORTS];
  double entry[IFBAM_MAX_PORTS];
  const guint n = gather (groups, row, root, entry);

  if (n > 2)
    return FALSE;
  if (n == 1)
    groups->still[root[0]] = TRUE;
  if (n == 2)
    {
      const guint low = root[0] < root[1] ? 0 : 1;

      groups->parent[root[1 - low]] = root[low];
      groups->factor[root[1 - low]] = -entry[low] / entry[1 - low];
    }
  return TRUE;
}

void
ifbam_dof_groups_fix (IfbamDofGroups *groups, const IfbamMotionRow *row)
{
  guint32 root[IFBAM_MAX_PORTS];
  double entry[IFBAM_MAX_PORTS];
  const guint n = gather (groups, row, root, entry);

  for (guint i = 0; i < n; i++)
    groups->still[root[i]] = TRUE;
}
