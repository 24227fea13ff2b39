/* partition.c: which rank has which nodes and links of a network
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "run/partition.h"

#include <stdlib.h>

#include "base/compare.h"
#include "engine/engine.h"

/* How far apart the nodes under a link are in file order. */
static gsize
reach (const IfbamModel *model)
{
  gsize most = 0;

  for (gsize l = 0; l < model->n_links; l++)
    {
      guint32 ends[IFBAM_MAX_ENDS];
      const guint n = ifbam_model_free_ends (model, l, ends);

      if (n > 1 && ends[0] < ifbam_model_n_outer (model) && ends[1] < ifbam_model_n_outer (model))
        most = MAX (most, (gsize) labs ((long) ends[0] - (long) ends[1]));
    }
  return most;
}

/* Whom a node is joined to, each once, by numbers in the file. */
static void
add_neighbours (const IfbamModel *model, gsize node, GArray *into)
{
  g_autoptr (GArray) near = g_array_new (FALSE, FALSE, sizeof (gsize));
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (guint64));

  ifbam_model_add_neighbours (model, ifbam_model_free_number (model, node), near);
  for (guint i = 0; i < near->len; i++)
    {
      const gsize other = g_array_index (near, gsize, i);
      const guint64 number =
          other < model->n_free ? ifbam_model_file_number (model, other) : G_MAXUINT64;

      if (number < ifbam_model_n_outer (model))
        g_array_append_val (found, number);
    }
  g_array_sort (found, ifbam_compare_uint64);
  for (guint i = 0; i < found->len; i++)
    if (i == 0 || g_array_index (found, guint64, i) != g_array_index (found, guint64, i - 1))
      g_array_append_val (into, g_array_index (found, guint64, i));
}

static gboolean
cut_graph (const IfbamModel *model, const IfbamRanks *ranks, gint32 *owner)
{
  const gsize n = ifbam_model_n_outer (model);
  g_autoptr (GArray) neighbours = g_array_new (FALSE, FALSE, sizeof (guint64));
  g_autoptr (GArray) starts = g_array_new (FALSE, FALSE, sizeof (guint64));
  guint64 first, last, start = 0;

  ifbam_ranks_range (n, ranks->n, ranks->rank, &first, &last);
  g_array_append_val (starts, start);
  for (guint64 i = first; i < last; i++)
    {
      add_neighbours (model, i, neighbours);
      start = neighbours->len;
      g_array_append_val (starts, start);
    }
  return ifbam_ranks_partition (n, (const guint64 *) (gpointer) starts->data,
                                (const guint64 *) (gpointer) neighbours->data, owner);
}

/* What keeps a link's states goes with the link. */
static void
give_states (const IfbamModel *model, gint32 *owner)
{
  for (gsize l = 0; l < model->n_links && model->n_inner > 0; l++)
    {
      guint32 ends[IFBAM_MAX_ENDS];
      const guint n = ifbam_model_free_ends (model, l, ends);
      gint32 of = 0;

      if (n > 0 && ends[0] < ifbam_model_n_outer (model))
        of = owner[ends[0]];
      for (guint e = 0; e < n; e++)
        if (ends[e] >= ifbam_model_n_outer (model))
          owner[ends[e]] = of;
    }
}

gint32 *
ifbam_ranks_owners (const IfbamModel *model, const IfbamRanks *ranks)
{
  const gsize n = ifbam_model_n_outer (model);
  g_autofree gint32 *owner = g_new (gint32, model->n_free + 1);

  if (n < (gsize) ranks->n || reach (model) <= ifbam_ranks_reach (n, ranks->n))
    for (gsize i = 0; i < n; i++)
      owner[i] = ifbam_ranks_of (n, ranks->n, i);
  else if (!cut_graph (model, ranks, owner))
    return NULL;
  give_states (model, owner);
  return g_steal_pointer (&owner);
}
