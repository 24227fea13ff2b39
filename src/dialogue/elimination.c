/* elimination.c: how those whom an implicit step joins agree on where they go: elimination as messages
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "dialogue/elimination.h"

#include <math.h>
#include <string.h>

#include "event/event.h"

/* What holds a node has to be more than such a part of what it is summed up of: else it is rounding. */
#define LEAST_HOLD 1e-9

/* The equations, by displacements: (M/a + C + a K)/a, and who is joined to whom. */
typedef struct
{
  IfbamCast *cast;
  IfbamAgreement *agreement;
  guint n;
  const guint32 *node;
  guint32 *index; /* of a node among them (n_nodes) */
  double *k;      /* (n^2) */
  guint8 *joined; /* (n^2) */
  const double *right;
  double *f, *size; /* right side, with what leaves tell; of what diagonals are summed up (n) */
  guint8 *done, *together;
  GArray *shares; /* IfbamContribution, without slopes: who joins whom */
  GArray *holds;  /* double: of each of them, by its nodes' numbers (IFBAM_MAX_ENDS) */
} Equations;

static void
agreement_free (gpointer data)
{
  IfbamAgreement *agreement = data;

  for (guint i = 0; i < agreement->speakers->len; i++)
    g_array_unref (g_array_index (agreement->speakers, IfbamSpeaker, i).holds);
  g_array_unref (agreement->speakers);
  g_ptr_array_unref (agreement->held);
  g_free (agreement);
}

void
ifbam_cast_listen (IfbamCast *cast)
{
  if (cast->agreements == NULL)
    cast->agreements = g_ptr_array_new_with_free_func (agreement_free);
}

static const IfbamVoice *
voice_of (const IfbamCast *cast, const IfbamContribution *share)
{
  return share->slot != G_MAXSIZE ? cast->slot_link[share->slot]
                                  : cast->unbatched_links->pdata[share->number];
}

static void
take_share (gpointer data, const IfbamContribution *share)
{
  Equations *all = data;
  IfbamContribution kept = *share;
  double holds[IFBAM_MAX_ENDS] = { 0 };

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
            all->k[place] += share->slope[e * share->n + o] / all->agreement->a;
        }
      if (share->slope != NULL)
        holds[e] = share->slope[e * share->n + e] / all->agreement->a;
      all->size[row] += fabs (holds[e]);
    }
  if (share->slope == NULL)
    g_ptr_array_add (all->agreement->held, (gpointer) voice_of (all->cast, share));
  g_array_append_val (all->shares, kept);
  g_array_append_vals (all->holds, holds, IFBAM_MAX_ENDS);
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
hold_of (const Equations *all, guint share, guint32 node)
{
  const IfbamContribution *own = &g_array_index (all->shares, IfbamContribution, share);

  for (guint e = 0; e < own->n; e++)
    if (own->node[e] == node)
      return g_array_index (all->holds, double, share *IFBAM_MAX_ENDS + e);
  return 0;
}

/* With what the links between two hold the other one. */
static double
between (const Equations *all, guint one, guint other)
{
  double sum = 0;

  for (guint s = 0; s < all->shares->len; s++)
    if (hold_of (all, s, all->node[one]) != 0)
      sum += hold_of (all, s, all->node[other]);
  return sum;
}

/* The links that hold a node and lead to none of its leaves. */
static void
list_holds (const Equations *all, guint i, const guint8 *leaf, GArray *holds)
{
  for (guint s = 0; s < all->shares->len; s++)
    {
      const IfbamContribution *share = &g_array_index (all->shares, IfbamContribution, s);
      const IfbamHold hold = { voice_of (all->cast, share), hold_of (all, s, all->node[i]) };
      gboolean behind = hold.stiffness == 0;

      for (guint e = 0; e < share->n; e++)
        behind |= leaf[all->index[share->node[e]]];
      if (!behind)
        g_array_append_val (holds, hold);
    }
}

/* What it says, when those behind it have spoken. to: whom it tells (n: nobody). */
static void
speak (Equations *all, guint i, guint to)
{
  const GArray *speakers = all->agreement->speakers;
  const guint n = all->n;
  g_autofree guint8 *leaf = g_new0 (guint8, n + 1);
  IfbamSpeaker speaker = { .node = all->node[i],
                           .to = to < n ? all->node[to] : IFBAM_TELLS_NOBODY,
                           .together = all->together[i],
                           .left_over = all->right[i],
                           .stiffness = all->k[i * n + i],
                           .holds = g_array_new (FALSE, FALSE, sizeof (IfbamHold)) };

  speaker.inertia = ifbam_event_inertia_by (all->cast->engine, all->node[i], all->agreement->a)
                    / all->agreement->a;
  for (guint s = 0; s < speakers->len; s++)
    {
      const IfbamSpeaker *other = &g_array_index (speakers, IfbamSpeaker, s);

      if (other->to != all->node[i])
        continue;
      leaf[all->index[other->node]] = TRUE;
      speaker.behind_force += other->seen_force;
      speaker.behind_stiffness += other->seen_stiffness;
    }
  list_holds (all, i, leaf, speaker.holds);
  speaker.alone = all->f[i] / speaker.stiffness;
  all->done[i] = TRUE;
  if (to < n)
    {
      speaker.follows = 0 - all->k[i * n + to] / speaker.stiffness;
      speaker.seen_force = 0 - all->k[to * n + i] * speaker.alone;
      speaker.seen_stiffness = all->k[to * n + i] * speaker.follows;
      all->f[to] += speaker.seen_force;
      all->k[to * n + to] += speaker.seen_stiffness;
      speaker.seen_stiffness += between (all, i, to);
    }
  g_array_append_val (all->agreement->speakers, speaker);
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
          if (!(fabs (all->k[i * all->n + i]) > LEAST_HOLD * all->size[i]))
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
forget_later (IfbamCast *cast, const guint32 *node, guint n, double from, guint stage)
{
  for (guint i = cast->agreements->len; i-- > 0;)
    {
      const IfbamAgreement *other = cast->agreements->pdata[i];
      gboolean same = FALSE;

      for (guint s = 0; s < other->speakers->len; s++)
        for (guint k = 0; k < n; k++)
          same |= g_array_index (other->speakers, IfbamSpeaker, s).node == node[k];
      if (same && (other->from > from || (other->from == from && other->stage >= stage)))
        g_ptr_array_remove_index (cast->agreements, i);
    }
}

static void
begin (IfbamCast *cast, IfbamSystem *system, const IfbamStage *stage, double from, double time)
{
  const guint n = ifbam_system_n_nodes (system);
  const guint32 *node = ifbam_system_nodes (system);
  const double *right = ifbam_system_rhs (system);
  IfbamAgreement *agreement = g_new0 (IfbamAgreement, 1);
  g_autofree guint32 *index = g_new0 (guint32, cast->nodes->len + 1);
  g_autofree double *k = g_new0 (double, (gsize) n *n + 1), *size = g_new0 (double, n + 1);
  g_autofree double *f = g_memdup2 (right, n * sizeof *right);
  g_autofree guint8 *joined = g_new0 (guint8, (gsize) n * n + 1), *done = g_new0 (guint8, n + 1),
                    *together = g_new0 (guint8, n + 1);
  g_autoptr (GArray) shares = g_array_new (FALSE, FALSE, sizeof (IfbamContribution));
  g_autoptr (GArray) holds = g_array_new (FALSE, FALSE, sizeof (double));
  Equations all = { .cast = cast,
                    .agreement = agreement,
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
                    .holds = holds };

  agreement->from = from;
  agreement->time = time;
  agreement->stage = stage->number;
  agreement->a = stage->a;
  agreement->speakers = g_array_new (FALSE, FALSE, sizeof (IfbamSpeaker));
  agreement->held = g_ptr_array_new ();
  for (guint i = 0; i < n; i++)
    {
      index[node[i]] = i;
      size[i] = k[i * n + i] = ifbam_event_inertia_by (cast->engine, node[i], stage->a) / stage->a;
    }
  ifbam_system_list_contributions (system, cast->engine, stage, take_share, &all);
  /* Who is joined to nobody needs no agreement. */
  cast->agreeing = shares->len > 0;
  if (!cast->agreeing)
    {
      agreement_free (agreement);
      return;
    }
  eliminate (&all);
  g_ptr_array_add (cast->agreements, agreement);
}

void
ifbam_cast_agree (IfbamCast *cast, IfbamSystem *system, const IfbamStage *stage, double from,
                  double time, guint turn)
{
  cast->agreeing = cast->agreements != NULL && !stage->clamped;
  if (!cast->agreeing)
    return;
  if (turn == 0)
    {
      forget_later (cast, ifbam_system_nodes (system), ifbam_system_n_nodes (system), from,
                    stage->number);
      begin (cast, system, stage, from, time);
    }
  if (cast->agreeing)
    ((IfbamAgreement *) cast->agreements->pdata[cast->agreements->len - 1])->turns = turn + 1;
}

/* Where the speakers of an agreement go in its first turn: who found it together by what solves the equations, the others by
 * what they are told, the last ones first. */
static void
answer_back (IfbamAgreement *agreement, const double *by_rate)
{
  for (guint s = agreement->speakers->len; s-- > 0;)
    {
      IfbamSpeaker *speaker = &g_array_index (agreement->speakers, IfbamSpeaker, s);

      speaker->by = speaker->together ? agreement->a * by_rate[speaker->node] : speaker->alone;
      for (guint o = s + 1; o < agreement->speakers->len && speaker->to != IFBAM_TELLS_NOBODY; o++)
        {
          const IfbamSpeaker *other = &g_array_index (agreement->speakers, IfbamSpeaker, o);

          if (other->node == speaker->to)
            speaker->by += speaker->follows * other->by;
        }
    }
}

void
ifbam_cast_agreed (IfbamCast *cast, IfbamSystem *system)
{
  const IfbamEventEngine *engine = cast->engine;
  const guint32 *node = ifbam_system_nodes (system);
  const double *right = ifbam_system_rhs (system);
  g_autofree double *by_rate = NULL;
  IfbamAgreement *agreement;

  if (!cast->agreeing)
    return;
  agreement = cast->agreements->pdata[cast->agreements->len - 1];
  by_rate = g_new0 (double, cast->nodes->len + 1);
  for (guint32 i = 0; i < ifbam_system_n_nodes (system); i++)
    by_rate[node[i]] = right[i];
  if (agreement->turns == 1)
    answer_back (agreement, by_rate);
  agreement->last = 0;
  for (guint s = 0; s < agreement->speakers->len; s++)
    {
      IfbamSpeaker *speaker = &g_array_index (agreement->speakers, IfbamSpeaker, s);
      const double by = by_rate[speaker->node];

      agreement->last = MAX (agreement->last, fabs (agreement->a * by));
      speaker->rate = engine->nodes.work[engine->scheme->message_rate][speaker->node] + by;
      speaker->position =
          engine->nodes.work[engine->scheme->message_position][speaker->node] + agreement->a * by;
    }
}
