/* elimination.c: how those whom an implicit step joins agree on where they go: elimination as messages
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "dialogue/elimination.h"

#include <math.h>
#include <string.h>

#include "event/event.h"

/* What holds a node has to be more than such a part of what it is summed up of: else it is rounding. */
#define MIN_SUPPORT 1e-9

/* The equations, by displacements: (M/a + C + a K)/a, and who is joined to whom. */
typedef struct
{
  IfbamDialogue *dialogue;
  IfbamElimination *elimination;
  guint n;
  const guint32 *node;
  guint32 *index; /* of a node among them (n_nodes) */
  double *k;      /* (n^2) */
  guint8 *joined; /* (n^2) */
  const double *right;
  double *f, *size; /* right side, with what leaves tell; of what diagonals are summed up (n) */
  guint8 *done, *together;
  GArray *shares;   /* IfbamContribution, without slopes: who joins whom */
  GArray *supports; /* double: of each of them, by its nodes' numbers (IFBAM_MAX_ENDS) */
} Equations;

static void
elimination_free (gpointer data)
{
  IfbamElimination *elimination = data;

  for (guint i = 0; i < elimination->elimination_nodes->len; i++)
    g_array_unref (
        g_array_index (elimination->elimination_nodes, IfbamEliminationNode, i).supports);
  g_array_unref (elimination->elimination_nodes);
  g_ptr_array_unref (elimination->held);
  g_free (elimination);
}

void
ifbam_dialogue_record_eliminations (IfbamDialogue *dialogue)
{
  if (dialogue->eliminations == NULL)
    dialogue->eliminations = g_ptr_array_new_with_free_func (elimination_free);
}

static const IfbamAgent *
agent_of (const IfbamDialogue *dialogue, const IfbamContribution *share)
{
  return share->slot != G_MAXSIZE ? dialogue->slot_link[share->slot]
                                  : dialogue->unbatched_links->pdata[share->number];
}

static void
add_contribution (gpointer data, const IfbamContribution *share)
{
  Equations *all = data;
  IfbamContribution kept = *share;
  double supports[IFBAM_MAX_ENDS] = { 0 };

  kept.slope = NULL;
  for (guint e = 0; e < share->n; e++)
    {
      const guint row = all->index[share->node[e]];

      if (share->slope == NULL)
        all->together[row] = TRUE;
      for (guint o = 0; o < share->n; o++)
        {
          const guint place = row * all->n + all->index[share->node[o]];

          all->joined[place] = TRUE;
          if (share->slope != NULL)
            all->k[place] += share->slope[e * share->n + o] / all->elimination->a;
        }
      if (share->slope != NULL)
        supports[e] = share->slope[e * share->n + e] / all->elimination->a;
      all->size[row] += fabs (supports[e]);
    }
  if (share->slope == NULL)
    g_ptr_array_add (all->elimination->held, (gpointer) agent_of (all->dialogue, share));
  g_array_append_val (all->shares, kept);
  g_array_append_vals (all->supports, supports, IFBAM_MAX_ENDS);
}

/* With whom it has still to agree; returns their number, and one of them. */
static guint
neighbours (const Equations *all, guint i, guint *one)
{
  guint n = 0;

  for (guint j = 0; j < all->n; j++)
    if (j != i && !all->done[j] && all->joined[i * all->n + j])
      {
        *one = j;
        n++;
      }
  return n;
}

/* With what the links of a share hold a node of it; 0: it is not one of them. */
static double
stiffness_of (const Equations *all, guint share, guint32 node)
{
  const IfbamContribution *own = &g_array_index (all->shares, IfbamContribution, share);

  for (guint e = 0; e < own->n; e++)
    if (own->node[e] == node)
      return g_array_index (all->supports, double, share *IFBAM_MAX_ENDS + e);
  return 0;
}

/* With what the links between two hold the other one. */
static double
stiffness_between (const Equations *all, guint one, guint other)
{
  double sum = 0;

  for (guint s = 0; s < all->shares->len; s++)
    if (stiffness_of (all, s, all->node[one]) != 0)
      sum += stiffness_of (all, s, all->node[other]);
  return sum;
}

/* The links that hold a node and lead to none of its leaves. */
static void
list_supports (const Equations *all, guint i, const guint8 *leaf, GArray *supports)
{
  for (guint s = 0; s < all->shares->len; s++)
    {
      const IfbamContribution *share = &g_array_index (all->shares, IfbamContribution, s);
      const IfbamSupportStiffness hold = { agent_of (all->dialogue, share),
                                           stiffness_of (all, s, all->node[i]) };
      gboolean behind = hold.stiffness == 0;

      for (guint e = 0; e < share->n; e++)
        behind |= leaf[all->index[share->node[e]]];
      if (!behind)
        g_array_append_val (supports, hold);
    }
}

/* What it says, when those behind it have spoken. to: whom it tells (n: nobody). */
static void
speak (Equations *all, guint i, guint to)
{
  const GArray *elimination_nodes = all->elimination->elimination_nodes;
  const guint n = all->n;
  g_autofree guint8 *leaf = g_new0 (guint8, n + 1);
  IfbamEliminationNode elimination_node = { .node = all->node[i],
                                            .to = to < n ? all->node[to] : IFBAM_NO_RECEIVER,
                                            .together = all->together[i],
                                            .unbalanced_force = all->right[i],
                                            .stiffness = all->k[i * n + i],
                                            .supports = g_array_new (
                                                FALSE, FALSE, sizeof (IfbamSupportStiffness)) };

  elimination_node.inertia =
      ifbam_event_inertia_by (all->dialogue->engine, all->node[i], all->elimination->a)
      / all->elimination->a;
  for (guint s = 0; s < elimination_nodes->len; s++)
    {
      const IfbamEliminationNode *other =
          &g_array_index (elimination_nodes, IfbamEliminationNode, s);

      if (other->to != all->node[i])
        continue;
      leaf[all->index[other->node]] = TRUE;
      elimination_node.leaf_force += other->outer_force;
      elimination_node.leaf_stiffness += other->outer_stiffness;
    }
  list_supports (all, i, leaf, elimination_node.supports);
  elimination_node.alone = all->f[i] / elimination_node.stiffness;
  all->done[i] = TRUE;
  if (to < n)
    {
      elimination_node.follows = 0 - all->k[i * n + to] / elimination_node.stiffness;
      elimination_node.outer_force = 0 - all->k[to * n + i] * elimination_node.alone;
      elimination_node.outer_stiffness = all->k[to * n + i] * elimination_node.follows;
      all->f[to] += elimination_node.outer_force;
      all->k[to * n + to] += elimination_node.outer_stiffness;
      elimination_node.outer_stiffness += stiffness_between (all, i, to);
    }
  g_array_append_val (all->elimination->elimination_nodes, elimination_node);
}

/* Leaves speak, the last ones of the file first; then who has no leaf behind them that is not done. */
static void
eliminate (Equations *all)
{
  gboolean found;
  guint to = 0;

  do
    {
      found = FALSE;
      for (guint i = all->n; i-- > 0 && !found;)
        {
          guint n;

          if (all->done[i] || all->together[i])
            continue;
          n = neighbours (all, i, &to);
          /* What holds on to nothing says nothing by itself. */
          if (!(fabs (all->k[i * all->n + i]) > MIN_SUPPORT * all->size[i]))
            all->together[i] = TRUE;
          else if (n <= 1)
            speak (all, i, n == 1 ? to : all->n);
          found = all->done[i] || all->together[i];
        }
    }
  while (found);
  for (guint i = 0; i < all->n; i++)
    {
      all->together[i] |= !all->done[i];
      if (!all->done[i])
        speak (all, i, all->n);
    }
}

/* A step that is done again takes the place of what was said in it. */
static void
discard_later (IfbamDialogue *dialogue, const guint32 *node, guint n, double from, guint stage)
{
  for (guint i = dialogue->eliminations->len; i-- > 0;)
    {
      const IfbamElimination *other = dialogue->eliminations->pdata[i];
      gboolean same = FALSE;

      for (guint s = 0; s < other->elimination_nodes->len; s++)
        for (guint k = 0; k < n; k++)
          same |= g_array_index (other->elimination_nodes, IfbamEliminationNode, s).node == node[k];
      if (same && (other->from > from || (other->from == from && other->stage >= stage)))
        g_ptr_array_remove_index (dialogue->eliminations, i);
    }
}

static void
begin (IfbamDialogue *dialogue, IfbamSystem *system, const IfbamStage *stage, double from,
       double time)
{
  const guint n = ifbam_system_n_nodes (system);
  const guint32 *node = ifbam_system_nodes (system);
  const double *right = ifbam_system_rhs (system);
  IfbamElimination *elimination = g_new0 (IfbamElimination, 1);
  g_autofree guint32 *index = g_new0 (guint32, dialogue->nodes->len + 1);
  g_autofree double *k = g_new0 (double, (gsize) n *n + 1), *size = g_new0 (double, n + 1);
  g_autofree double *f = g_memdup2 (right, n * sizeof *right);
  g_autofree guint8 *joined = g_new0 (guint8, (gsize) n * n + 1), *done = g_new0 (guint8, n + 1),
                    *together = g_new0 (guint8, n + 1);
  g_autoptr (GArray) shares = g_array_new (FALSE, FALSE, sizeof (IfbamContribution));
  g_autoptr (GArray) supports = g_array_new (FALSE, FALSE, sizeof (double));
  Equations all = { .dialogue = dialogue,
                    .elimination = elimination,
                    .n = n,
                    .node = node,
                    .index = index,
                    .k = k,
                    .joined = joined,
                    .right = right,
                    .f = f,
                    .size = size,
                    .done = done,
                    .together = together,
                    .shares = shares,
                    .supports = supports };

  elimination->from = from;
  elimination->time = time;
  elimination->stage = stage->number;
  elimination->a = stage->a;
  elimination->elimination_nodes = g_array_new (FALSE, FALSE, sizeof (IfbamEliminationNode));
  elimination->held = g_ptr_array_new ();
  for (guint i = 0; i < n; i++)
    {
      index[node[i]] = i;
      size[i] = k[i * n + i] =
          ifbam_event_inertia_by (dialogue->engine, node[i], stage->a) / stage->a;
    }
  ifbam_system_list_contributions (system, dialogue->engine, stage, add_contribution, &all);
  /* Who is joined to nobody needs no agreement. */
  dialogue->agreeing = shares->len > 0;
  if (!dialogue->agreeing)
    {
      elimination_free (elimination);
      return;
    }
  eliminate (&all);
  g_ptr_array_add (dialogue->eliminations, elimination);
}

void
ifbam_dialogue_begin_elimination (IfbamDialogue *dialogue, IfbamSystem *system,
                                  const IfbamStage *stage, double from, double time, guint turn)
{
  dialogue->agreeing = dialogue->eliminations != NULL && !stage->clamped;
  if (!dialogue->agreeing)
    return;
  if (turn == 0)
    {
      discard_later (dialogue, ifbam_system_nodes (system), ifbam_system_n_nodes (system), from,
                     stage->number);
      begin (dialogue, system, stage, from, time);
    }
  if (dialogue->agreeing)
    ((IfbamElimination *) dialogue->eliminations->pdata[dialogue->eliminations->len - 1])->turns =
        turn + 1;
}

/* Where the speakers of an agreement go in its first turn: who found it together by what solves the equations, the others by
 * what they are told, the last ones first. */
static void
substitute_back (IfbamElimination *elimination, const double *by_rate)
{
  for (guint s = elimination->elimination_nodes->len; s-- > 0;)
    {
      IfbamEliminationNode *elimination_node =
          &g_array_index (elimination->elimination_nodes, IfbamEliminationNode, s);

      elimination_node->by = elimination_node->together
                                 ? elimination->a * by_rate[elimination_node->node]
                                 : elimination_node->alone;
      for (guint o = s + 1;
           o < elimination->elimination_nodes->len && elimination_node->to != IFBAM_NO_RECEIVER;
           o++)
        {
          const IfbamEliminationNode *other =
              &g_array_index (elimination->elimination_nodes, IfbamEliminationNode, o);

          if (other->node == elimination_node->to)
            elimination_node->by += elimination_node->follows * other->by;
        }
    }
}

void
ifbam_dialogue_end_elimination (IfbamDialogue *dialogue, IfbamSystem *system)
{
  const IfbamEventEngine *engine = dialogue->engine;
  const guint32 *node = ifbam_system_nodes (system);
  const double *right = ifbam_system_rhs (system);
  g_autofree double *by_rate = NULL;
  IfbamElimination *elimination;

  if (!dialogue->agreeing)
    return;
  elimination = dialogue->eliminations->pdata[dialogue->eliminations->len - 1];
  by_rate = g_new0 (double, dialogue->nodes->len + 1);
  for (guint32 i = 0; i < ifbam_system_n_nodes (system); i++)
    by_rate[node[i]] = right[i];
  if (elimination->turns == 1)
    substitute_back (elimination, by_rate);
  elimination->last = 0;
  for (guint s = 0; s < elimination->elimination_nodes->len; s++)
    {
      IfbamEliminationNode *elimination_node =
          &g_array_index (elimination->elimination_nodes, IfbamEliminationNode, s);
      const double by = by_rate[elimination_node->node];

      elimination->last = MAX (elimination->last, fabs (elimination->a * by));
      elimination_node->rate =
          engine->nodes.work[engine->scheme->message_rate][elimination_node->node] + by;
      elimination_node->position =
          engine->nodes.work[engine->scheme->message_position][elimination_node->node]
          + elimination->a * by;
    }
}
