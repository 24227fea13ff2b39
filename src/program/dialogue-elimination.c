/* dialogue-elimination.c: elimination in words: agreement of the nodes that an implicit step
 * couples
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "program/dialogue-elimination.h"

#include <math.h>
#include <string.h>

#include "dialogue/dialogue.h"

static const IfbamAgent *
agent_at (const IfbamListener *listener, guint32 node)
{
  return listener->dialogue->nodes->pdata[node];
}

static const char *
name_of (const IfbamListener *listener, guint32 node)
{
  return agent_at (listener, node)->name;
}

static const IfbamDomainInfo *
names_of (const IfbamListener *listener, guint32 node)
{
  return ifbam_domain_info (ifbam_model_node_domain (listener->dialogue->model, node));
}

/* Appends names, each once: "a, b and c" (not owned). */
static void
add_list (GString *text, const GPtrArray *names)
{
  for (guint i = 0; i < names->len; i++)
    g_string_append_printf (text, "%s%s",
                            i == 0               ? ""
                            : i + 1 < names->len ? ", "
                                                 : " and ",
                            (const char *) names->pdata[i]);
}

static void
add_name (GPtrArray *names, const char *name)
{
  for (guint i = 0; i < names->len; i++)
    if (g_str_equal (names->pdata[i], name))
      return;
  g_ptr_array_add (names, (gpointer) name);
}

/* Returns the nodes that have reported to a node. */
static GPtrArray *
leaves_of (const IfbamListener *listener, const IfbamElimination *elimination, guint32 node)
{
  GPtrArray *names = g_ptr_array_new ();

  for (guint s = 0; s < elimination->nodes->len; s++)
    {
      const IfbamEliminationNode *other =
          &g_array_index (elimination->nodes, IfbamEliminationNode, s);

      if (other->receiver == node)
        add_name (names, name_of (listener, other->node));
    }
  return names;
}

/* Appends "5000 N/m". */
static void
add_stiffness (GString *text, const IfbamDomainInfo *words, double stiffness)
{
  g_string_append_printf (text, "%.9g %s/%s", stiffness + 0.0, words->effort_unit,
                          words->coordinate_unit);
}

/* Appends a unit as a divisor. */
static void
add_divisor (GString *text, const char *unit)
{
  const gboolean simple = strpbrk (unit, " /") == NULL;

  g_string_append_printf (text, "/%s%s%s", simple ? "" : "(", unit, simple ? "" : ")");
}

/* Appends the supports of a node, and its residual force. */
static void
add_state (GString *text, const IfbamListener *listener, const IfbamElimination *elimination,
           const IfbamEliminationNode *own)
{
  const IfbamDomainInfo *words = names_of (listener, own->node);
  g_autoptr (GPtrArray) leaves = leaves_of (listener, elimination, own->node);
  const guint n = (own->inertia != 0) + own->supports->len + (leaves->len > 0);
  guint told = 0;

  g_string_append_printf (text, "The %s F = %.9g %s is left over on me", words->effort,
                          own->unbalanced_force + 0.0, words->effort_unit);
  if (leaves->len > 0)
    g_string_append_printf (text, ", and all behind adds %.9g %s", own->leaf_force + 0.0,
                            words->effort_unit);
  g_string_append (text, n > 0 ? ". I am held by" : ". Nobody holds me");
  if (own->inertia != 0)
    {
      g_string_append (text, " my inertia with ");
      add_stiffness (text, words, own->inertia);
      told++;
    }
  for (guint h = 0; h < own->supports->len; h++, told++)
    {
      const IfbamSupportStiffness *hold = &g_array_index (own->supports, IfbamSupportStiffness, h);

      g_string_append_printf (text, "%s %s with ",
                              told == 0       ? ""
                              : told + 1 == n ? " and"
                                              : ",",
                              hold->link->name);
      add_stiffness (text, words, hold->stiffness);
    }
  if (leaves->len > 0)
    {
      g_string_append (text, told == 0 ? " all behind " : " and all behind ");
      add_list (text, leaves);
      g_string_append (text, " with ");
      add_stiffness (text, words, own->leaf_stiffness);
    }
  if (!own->is_joint)
    {
      g_string_append_printf (text, ": I would give way by %.9g %s", 1 / own->stiffness,
                              words->coordinate_unit);
      add_divisor (text, words->effort_unit);
    }
  g_string_append_c (text, '.');
}

static gboolean
write_elimination_node (const IfbamListener *listener, const IfbamElimination *elimination,
                        const IfbamEliminationNode *own, GError **error)
{
  const IfbamDomainInfo *words = names_of (listener, own->node);

  if (ifbam_agent_is_state_node (agent_at (listener, own->node)))
    return TRUE;
  g_string_append_printf (listener->line, "  %s", name_of (listener, own->node));
  if (own->receiver != IFBAM_NO_RECEIVER)
    g_string_append_printf (listener->line, " to %s", name_of (listener, own->receiver));
  g_string_append (listener->line, ": \"");
  add_state (listener->line, listener, elimination, own);
  if (own->receiver != IFBAM_NO_RECEIVER)
    {
      const IfbamDomainInfo *theirs = names_of (listener, own->receiver);

      g_string_append_printf (listener->line,
                              " Seen from you, all behind me is a %s of %.9g %s, and holds you "
                              "with ",
                              theirs->effort, own->sent_force + 0.0, theirs->effort_unit);
      add_stiffness (listener->line, theirs, own->sent_stiffness);
      g_string_append_printf (listener->line,
                              ". I go on by %.9g %s if you stay, and by %.9g %s more for each %s "
                              "that you go on.",
                              own->own_displacement + 0.0, words->coordinate_unit,
                              own->displacement_ratio + 0.0, words->coordinate_unit,
                              theirs->coordinate_unit);
    }
  else if (!own->is_joint)
    g_string_append (listener->line, " I am the last, so I know where I go.");
  g_string_append (listener->line, "\"\n");
  return ifbam_listener_hear (listener, agent_at (listener, own->node), error);
}

/* Writes the group of nodes without a leaf, which is solved together. */
static gboolean
write_circle (const IfbamListener *listener, const IfbamElimination *elimination, GError **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new (), held = g_ptr_array_new ();

  for (guint s = 0; s < elimination->nodes->len; s++)
    {
      const IfbamEliminationNode *own =
          &g_array_index (elimination->nodes, IfbamEliminationNode, s);

      if (own->is_joint)
        add_name (names, name_of (listener, own->node));
    }
  if (names->len == 0)
    return TRUE;
  for (guint i = 0; i < elimination->constraint_agents->len; i++)
    add_name (held, ((const IfbamAgent *) elimination->constraint_agents->pdata[i])->name);
  g_string_append (listener->line, "  ");
  add_list (listener->line, names);
  if (held->len > 0)
    {
      g_string_append (listener->line, names->len == 1 ? " is held by " : " are held by ");
      add_list (listener->line, held);
      g_string_append (listener->line,
                       ": where they go, and what that takes, all of them find together.\n");
    }
  else if (names->len > 1)
    g_string_append (listener->line, " stand in a circle: nobody of them hears from one neighbour "
                                     "only, so they find together where they go.\n");
  else
    g_string_append (listener->line, " is held by nothing for now.\n");
  return ifbam_listener_hear (listener, NULL, error);
}

static gboolean
write_answer (const IfbamListener *listener, const IfbamElimination *elimination,
              const IfbamEliminationNode *own, GError **error)
{
  const IfbamDomainInfo *words = names_of (listener, own->node);
  g_autoptr (GPtrArray) leaves = leaves_of (listener, elimination, own->node);

  if (ifbam_agent_is_state_node (agent_at (listener, own->node)))
    return TRUE;
  g_string_append_printf (listener->line, "  %s", name_of (listener, own->node));
  if (leaves->len > 0)
    g_string_append (listener->line, " to ");
  add_list (listener->line, leaves);
  g_string_append_printf (listener->line, ": \"%s I go on by %.9g %s",
                          own->receiver == IFBAM_NO_RECEIVER ? "So" : "Then",
                          own->displacement + 0.0, words->coordinate_unit);
  if (elimination->iterations == 1)
    g_string_append_printf (listener->line, ", to the %s %.9g %s, at the %s %.9g %s",
                            words->coordinate, own->position + 0.0, words->coordinate_unit,
                            words->rate, own->rate + 0.0, words->rate_unit);
  g_string_append (listener->line, ".\"\n");
  return ifbam_listener_hear (listener, agent_at (listener, own->node), error);
}

/* Writes the further iterations that nonlinear links need. */
static gboolean
write_further_turns (const IfbamListener *listener, const IfbamElimination *elimination,
                     GError **error)
{
  gboolean fine;

  if (elimination->iterations == 1)
    return TRUE;
  g_string_append_printf (
      listener->line,
      "  There the links answer otherwise than their slopes have said: so all tell each other the "
      "like %u time%s more, and in the last one nobody goes on by more than %.3g.\n",
      elimination->iterations - 1, elimination->iterations == 2 ? "" : "s",
      elimination->last_displacement);
  fine = ifbam_listener_hear (listener, NULL, error);
  for (guint s = elimination->nodes->len; s-- > 0 && fine;)
    {
      const IfbamEliminationNode *own =
          &g_array_index (elimination->nodes, IfbamEliminationNode, s);
      const IfbamDomainInfo *words = names_of (listener, own->node);

      if (ifbam_agent_is_state_node (agent_at (listener, own->node)))
        continue;
      g_string_append_printf (
          listener->line, "  %s: \"In the end I go to the %s %.9g %s, at the %s %.9g %s.\"\n",
          name_of (listener, own->node), words->coordinate, own->position + 0.0,
          words->coordinate_unit, words->rate, own->rate + 0.0, words->rate_unit);
      fine = ifbam_listener_hear (listener, agent_at (listener, own->node), error);
    }
  return fine;
}

static gboolean
write_elimination (const IfbamListener *listener, const IfbamElimination *elimination,
                   GError **error)
{
  const GArray *nodes = elimination->nodes;
  gboolean fine;

  g_string_append_printf (
      listener->line,
      " agreement on where the %ss at t = %.9g s take all, by rates that last %.9g s\n",
      names_of (listener, g_array_index (nodes, IfbamEliminationNode, 0).node)->effort,
      elimination->time, elimination->a);
  fine = ifbam_listener_hear (listener, NULL, error);
  for (guint s = 0; s < nodes->len && fine; s++)
    fine = write_elimination_node (listener, elimination,
                                   &g_array_index (nodes, IfbamEliminationNode, s), error);
  fine = fine && write_circle (listener, elimination, error);
  for (guint s = nodes->len; s-- > 0 && fine;)
    fine = write_answer (listener, elimination, &g_array_index (nodes, IfbamEliminationNode, s),
                         error);
  return fine && write_further_turns (listener, elimination, error);
}

gboolean
ifbam_dialogue_write_eliminations (const IfbamDialogue *dialogue, IfbamLineFunc said, gpointer data,
                                   GError **error)
{
  g_autoptr (GString) line = g_string_new (NULL);
  const IfbamListener listener = { dialogue, line, said, data };
  gboolean fine = TRUE;

  for (guint i = 0; dialogue->eliminations != NULL && i < dialogue->eliminations->len && fine; i++)
    fine = write_elimination (&listener, dialogue->eliminations->pdata[i], error);
  return fine;
}
