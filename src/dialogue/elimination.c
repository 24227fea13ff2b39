/* elimination.c: Gaussian elimination of an implicit stage, as messages between nodes
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "dialogue/elimination.h"

#include <math.h>
#include <string.h>

#include "event/event.h"

/* Least stiffness of a node, relative to the magnitudes in its sum; a smaller one is rounding. */
#define MIN_SUPPORT 1e-9

/* The equations for the n nodes' displacements. */
typedef struct
{
  IfbamDialogue *dialogue;
  IfbamElimination *elimination;
  guint n;
  const guint32 *node;
  guint32 *index;  /* of a node in `node` (n_nodes) */
  double *k;       /* (M/a + C + a K)/a (n^2) */
  guint8 *coupled; /* TRUE: a link joins two nodes (n^2) */
  const double *rhs;
  double *f;    /* right side with the leaves' forces (n) */
  double *size; /* sum of magnitudes in the diagonal of k (n) */
  guint8 *done, *joint;
  GArray *contributions; /* IfbamContribution, per link, without `slope` */
  GArray *supports;      /* double: diagonal stiffness by contribution and port (IFBAM_MAX_ENDS) */
} Equations;

static void
elimination_free (gpointer data)
{
  IfbamElimination *elimination = data;

  for (guint i = 0; i < elimination->nodes->len; i++)
    g_array_unref (g_array_index (elimination->nodes, IfbamEliminationNode, i).supports);
  g_array_unref (elimination->nodes);
  g_ptr_array_unref (elimination->constraint_agents);
  g_free (elimination);
}

void
ifbam_dialogue_record_eliminations (IfbamDialogue *dialogue)
{
  if (dialogue->eliminations == NULL)
    dialogue->eliminations = g_ptr_array_new_with_free_func (elimination_free);
}

static const IfbamAgent *
link_agent (const IfbamDialogue *dialogue, const IfbamContribution *contribution)
{
  return contribution->slot != G_MAXSIZE ? dialogue->slot_link[contribution->slot]
                                         : dialogue->unbatched_links->pdata[contribution->number];
}

static void
add_contribution (gpointer data, const IfbamContribution *contribution)
{
  Equations *eq = data;
  IfbamContribution copy = *contribution;
  double supports[IFBAM_MAX_ENDS] = { 0 };

  copy.slope = NULL;
  for (guint e = 0; e < contribution->n; e++)
    {
      const guint row = eq->index[contribution->node[e]];

      if (contribution->slope == NULL)
        eq->joint[row] = TRUE;
      for (guint o = 0; o < contribution->n; o++)
        {
          const guint entry = row * eq->n + eq->index[contribution->node[o]];

          eq->coupled[entry] = TRUE;
          if (contribution->slope != NULL)
            eq->k[entry] += contribution->slope[e * contribution->n + o] / eq->elimination->a;
        }
      if (contribution->slope != NULL)
        supports[e] = contribution->slope[e * contribution->n + e] / eq->elimination->a;
      eq->size[row] += fabs (supports[e]);
    }
  if (contribution->slope == NULL)
    g_ptr_array_add (eq->elimination->constraint_agents,
                     (gpointer) link_agent (eq->dialogue, contribution));
  g_array_append_val (eq->contributions, copy);
  g_array_append_vals (eq->supports, supports, IFBAM_MAX_ENDS);
}

/* Returns the count of a node's neighbours that are not eliminated; *first: one of them. */
static guint
neighbours (const Equations *eq, guint i, guint *first)
{
  guint n = 0;

  for (guint j = 0; j < eq->n; j++)
    if (j != i && !eq->done[j] && eq->coupled[i * eq->n + j])
      {
        *first = j;
        n++;
      }
  return n;
}

/* Returns the stiffness of contribution `index` at a node; 0: not its node. */
static double
support_stiffness (const Equations *eq, guint index, guint32 node)
{
  const IfbamContribution *own = &g_array_index (eq->contributions, IfbamContribution, index);

  for (guint e = 0; e < own->n; e++)
    if (own->node[e] == node)
      return g_array_index (eq->supports, double, index *IFBAM_MAX_ENDS + e);
  return 0;
}

/* Returns the stiffness at `other` of the links between two nodes. */
static double
support_between (const Equations *eq, guint first, guint other)
{
  double sum = 0;

  for (guint s = 0; s < eq->contributions->len; s++)
    if (support_stiffness (eq, s, eq->node[first]) != 0)
      sum += support_stiffness (eq, s, eq->node[other]);
  return sum;
}

/* Appends the links that support a node and join none of its leaves. leaf: by index. */
static void
list_supports (const Equations *eq, guint i, const guint8 *leaf, GArray *supports)
{
  for (guint s = 0; s < eq->contributions->len; s++)
    {
      const IfbamContribution *contribution =
          &g_array_index (eq->contributions, IfbamContribution, s);
      const IfbamSupportStiffness support = { link_agent (eq->dialogue, contribution),
                                              support_stiffness (eq, s, eq->node[i]) };
      gboolean is_behind = support.stiffness == 0;

      for (guint e = 0; e < contribution->n; e++)
        is_behind |= leaf[eq->index[contribution->node[e]]];
      if (!is_behind)
        g_array_append_val (supports, support);
    }
}

/* Eliminates node i into the receiver (n: none) after its leaves. */
static void
eliminate_node (Equations *eq, guint i, guint receiver)
{
  const GArray *nodes = eq->elimination->nodes;
  const guint n = eq->n;
  g_autofree guint8 *leaf = g_new0 (guint8, n + 1);
  IfbamEliminationNode own = { .node = eq->node[i],
                               .receiver = receiver < n ? eq->node[receiver] : IFBAM_NO_RECEIVER,
                               .is_joint = eq->joint[i],
                               .unbalanced_force = eq->rhs[i],
                               .stiffness = eq->k[i * n + i],
                               .supports =
                                   g_array_new (FALSE, FALSE, sizeof (IfbamSupportStiffness)) };

  own.inertia = ifbam_event_inertia_by (eq->dialogue->engine, eq->node[i], eq->elimination->a)
                / eq->elimination->a;
  for (guint s = 0; s < nodes->len; s++)
    {
      const IfbamEliminationNode *other = &g_array_index (nodes, IfbamEliminationNode, s);

      if (other->receiver != eq->node[i])
        continue;
      leaf[eq->index[other->node]] = TRUE;
      own.leaf_force += other->sent_force;
      own.leaf_stiffness += other->sent_stiffness;
    }
  list_supports (eq, i, leaf, own.supports);
  own.own_displacement = eq->f[i] / own.stiffness;
  eq->done[i] = TRUE;
  if (receiver < n)
    {
      own.displacement_ratio = 0 - eq->k[i * n + receiver] / own.stiffness;
      own.sent_force = 0 - eq->k[receiver * n + i] * own.own_displacement;
      own.sent_stiffness = eq->k[receiver * n + i] * own.displacement_ratio;
      eq->f[receiver] += own.sent_force;
      eq->k[receiver * n + receiver] += own.sent_stiffness;
      own.sent_stiffness += support_between (eq, i, receiver);
    }
  g_array_append_val (eq->elimination->nodes, own);
}

/* Eliminates leaves, the last ones of the file first, until none is left. */
static void
eliminate (Equations *eq)
{
  gboolean found;
  guint receiver = 0;

  do
    {
      found = FALSE;
      for (guint i = eq->n; i-- > 0 && !found;)
        {
          guint n;

          if (eq->done[i] || eq->joint[i])
            continue;
          n = neighbours (eq, i, &receiver);
          /* A node without stiffness can't be eliminated. */
          if (!(fabs (eq->k[i * eq->n + i]) > MIN_SUPPORT * eq->size[i]))
            eq->joint[i] = TRUE;
          else if (n <= 1)
            eliminate_node (eq, i, n == 1 ? receiver : eq->n);
          found = eq->done[i] || eq->joint[i];
        }
    }
  while (found);
  for (guint i = 0; i < eq->n; i++)
    {
      eq->joint[i] |= !eq->done[i];
      if (!eq->done[i])
        eliminate_node (eq, i, eq->n);
    }
}

/* Removes later eliminations of the nodes in this step: it is repeated. */
static void
discard_later (IfbamDialogue *dialogue, const guint32 *node, guint n, double from, guint stage)
{
  for (guint i = dialogue->eliminations->len; i-- > 0;)
    {
      const IfbamElimination *other = dialogue->eliminations->pdata[i];
      gboolean same = FALSE;

      for (guint s = 0; s < other->nodes->len; s++)
        for (guint k = 0; k < n; k++)
          same |= g_array_index (other->nodes, IfbamEliminationNode, s).node == node[k];
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
  const double *rhs = ifbam_system_rhs (system);
  IfbamElimination *elimination = g_new0 (IfbamElimination, 1);
  g_autofree guint32 *index = g_new0 (guint32, dialogue->nodes->len + 1);
  g_autofree double *k = g_new0 (double, (gsize) n *n + 1), *size = g_new0 (double, n + 1);
  g_autofree double *f = g_memdup2 (rhs, n * sizeof *rhs);
  g_autofree guint8 *coupled = g_new0 (guint8, (gsize) n * n + 1), *done = g_new0 (guint8, n + 1),
                    *joint = g_new0 (guint8, n + 1);
  g_autoptr (GArray) contributions = g_array_new (FALSE, FALSE, sizeof (IfbamContribution));
  g_autoptr (GArray) supports = g_array_new (FALSE, FALSE, sizeof (double));
  Equations eq = { .dialogue = dialogue,
                   .elimination = elimination,
                   .n = n,
                   .node = node,
                   .index = index,
                   .k = k,
                   .coupled = coupled,
                   .rhs = rhs,
                   .f = f,
                   .size = size,
                   .done = done,
                   .joint = joint,
                   .contributions = contributions,
                   .supports = supports };

  elimination->from = from;
  elimination->time = time;
  elimination->stage = stage->number;
  elimination->a = stage->a;
  elimination->nodes = g_array_new (FALSE, FALSE, sizeof (IfbamEliminationNode));
  elimination->constraint_agents = g_ptr_array_new ();
  for (guint i = 0; i < n; i++)
    {
      index[node[i]] = i;
      size[i] = k[i * n + i] =
          ifbam_event_inertia_by (dialogue->engine, node[i], stage->a) / stage->a;
    }
  ifbam_system_list_contributions (system, dialogue->engine, stage, add_contribution, &eq);
  /* Without links there is nothing to eliminate. */
  dialogue->records_elimination = contributions->len > 0;
  if (!dialogue->records_elimination)
    {
      elimination_free (elimination);
      return;
    }
  eliminate (&eq);
  g_ptr_array_add (dialogue->eliminations, elimination);
}

void
ifbam_dialogue_begin_elimination (IfbamDialogue *dialogue, IfbamSystem *system,
                                  const IfbamStage *stage, double from, double time,
                                  guint iteration)
{
  dialogue->records_elimination = dialogue->eliminations != NULL && !stage->clamped;
  if (!dialogue->records_elimination)
    return;
  if (iteration == 0)
    {
      discard_later (dialogue, ifbam_system_nodes (system), ifbam_system_n_nodes (system), from,
                     stage->number);
      begin (dialogue, system, stage, from, time);
    }
  if (dialogue->records_elimination)
    ((IfbamElimination *) dialogue->eliminations->pdata[dialogue->eliminations->len - 1])
        ->iterations = iteration + 1;
}

/* Computes the displacements of the first iteration: joint nodes by the solution (rate_change), the
 * others by their receivers, in reverse order. */
static void
substitute_back (IfbamElimination *elimination, const double *rate_change)
{
  for (guint s = elimination->nodes->len; s-- > 0;)
    {
      IfbamEliminationNode *own = &g_array_index (elimination->nodes, IfbamEliminationNode, s);

      own->displacement =
          own->is_joint ? elimination->a * rate_change[own->node] : own->own_displacement;
      for (guint o = s + 1; o < elimination->nodes->len && own->receiver != IFBAM_NO_RECEIVER; o++)
        {
          const IfbamEliminationNode *other =
              &g_array_index (elimination->nodes, IfbamEliminationNode, o);

          if (other->node == own->receiver)
            own->displacement += own->displacement_ratio * other->displacement;
        }
    }
}

void
ifbam_dialogue_end_elimination (IfbamDialogue *dialogue, IfbamSystem *system)
{
  const IfbamEventEngine *engine = dialogue->engine;
  const guint32 *node = ifbam_system_nodes (system);
  const double *rhs = ifbam_system_rhs (system);
  g_autofree double *rate_change = NULL;
  IfbamElimination *elimination;

  if (!dialogue->records_elimination)
    return;
  elimination = dialogue->eliminations->pdata[dialogue->eliminations->len - 1];
  rate_change = g_new0 (double, dialogue->nodes->len + 1);
  for (guint32 i = 0; i < ifbam_system_n_nodes (system); i++)
    rate_change[node[i]] = rhs[i];
  if (elimination->iterations == 1)
    substitute_back (elimination, rate_change);
  elimination->last_displacement = 0;
  for (guint s = 0; s < elimination->nodes->len; s++)
    {
      IfbamEliminationNode *own = &g_array_index (elimination->nodes, IfbamEliminationNode, s);
      const double change = rate_change[own->node];

      elimination->last_displacement =
          MAX (elimination->last_displacement, fabs (elimination->a * change));
      own->rate = engine->nodes.work[engine->scheme->message_rate][own->node] + change;
      own->position =
          engine->nodes.work[engine->scheme->message_position][own->node] + elimination->a * change;
    }
}
