/* dialogue-elimination.c: elimination in words: agreement of the nodes that an implicit step
 * couples
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "program/dialogue-elimination.h"

#include <math.h>
#include <string.h>

#include "dialogue/dialogue.h"

static const IfbamVoice *
voice_at (const IfbamListener *listener, guint32 node)
{
  return listener->cast->nodes->pdata[node];
}

static const char *
name_of (const IfbamListener *listener, guint32 node)
{
  return voice_at (listener, node)->name;
}

static const IfbamDomainInfo *
words_of (const IfbamListener *listener, guint32 node)
{
  return ifbam_domain_info (ifbam_model_node_domain (listener->cast->model, node));
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
leaves_of (const IfbamListener *listener, const IfbamAgreement *agreement, guint32 node)
{
  GPtrArray *names = g_ptr_array_new ();

  for (guint s = 0; s < agreement->speakers->len; s++)
    {
      const IfbamSpeaker *other = &g_array_index (agreement->speakers, IfbamSpeaker, s);

      if (other->to == node)
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
add_state (GString *text, const IfbamListener *listener, const IfbamAgreement *agreement,
           const IfbamSpeaker *speaker)
{
  const IfbamDomainInfo *words = words_of (listener, speaker->node);
  g_autoptr (GPtrArray) leaves = leaves_of (listener, agreement, speaker->node);
  const guint n = (speaker->inertia != 0) + speaker->holds->len + (leaves->len > 0);
  guint told = 0;

  g_string_append_printf (text, "The %s F = %.9g %s is left over on me", words->effort,
                          speaker->left_over + 0.0, words->effort_unit);
  if (leaves->len > 0)
    g_string_append_printf (text, ", and all behind adds %.9g %s", speaker->behind_force + 0.0,
                            words->effort_unit);
  g_string_append (text, n > 0 ? ". I am held by" : ". Nobody holds me");
  if (speaker->inertia != 0)
    {
      g_string_append (text, " my inertia with ");
      add_stiffness (text, words, speaker->inertia);
      told++;
    }
  for (guint h = 0; h < speaker->holds->len; h++, told++)
    {
      const IfbamHold *hold = &g_array_index (speaker->holds, IfbamHold, h);

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
      add_stiffness (text, words, speaker->behind_stiffness);
    }
  if (!speaker->together)
    {
      g_string_append_printf (text, ": I would give way by %.9g %s", 1 / speaker->stiffness,
                              words->coordinate_unit);
      add_divisor (text, words->effort_unit);
    }
  g_string_append_c (text, '.');
}

static gboolean
tell_speaker (const IfbamListener *listener, const IfbamAgreement *agreement,
              const IfbamSpeaker *speaker, GError **error)
{
  const IfbamDomainInfo *words = words_of (listener, speaker->node);

  if (ifbam_voice_is_inner (voice_at (listener, speaker->node)))
    return TRUE;
  g_string_append_printf (listener->line, "  %s", name_of (listener, speaker->node));
  if (speaker->to != IFBAM_TELLS_NOBODY)
    g_string_append_printf (listener->line, " to %s", name_of (listener, speaker->to));
  g_string_append (listener->line, ": \"");
  add_state (listener->line, listener, agreement, speaker);
  if (speaker->to != IFBAM_TELLS_NOBODY)
    {
      const IfbamDomainInfo *theirs = words_of (listener, speaker->to);

      g_string_append_printf (listener->line,
                              " Seen from you, all behind me is a %s of %.9g %s, and holds you "
                              "with ",
                              theirs->effort, speaker->seen_force + 0.0, theirs->effort_unit);
      add_stiffness (listener->line, theirs, speaker->seen_stiffness);
      g_string_append_printf (listener->line,
                              ". I go on by %.9g %s if you stay, and by %.9g %s more for each %s "
                              "that you go on.",
                              speaker->alone + 0.0, words->coordinate_unit, speaker->follows + 0.0,
                              words->coordinate_unit, theirs->coordinate_unit);
    }
  else if (!speaker->together)
    g_string_append (listener->line, " I am the last, so I know where I go.");
  g_string_append (listener->line, "\"\n");
  return ifbam_listener_hear (listener, voice_at (listener, speaker->node), error);
}

/* Writes the group of nodes without a leaf, which is solved together. */
static gboolean
tell_circle (const IfbamListener *listener, const IfbamAgreement *agreement, GError **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new (), held = g_ptr_array_new ();

  for (guint s = 0; s < agreement->speakers->len; s++)
    {
      const IfbamSpeaker *speaker = &g_array_index (agreement->speakers, IfbamSpeaker, s);

      if (speaker->together)
        add_name (names, name_of (listener, speaker->node));
    }
  if (names->len == 0)
    return TRUE;
  for (guint i = 0; i < agreement->held->len; i++)
    add_name (held, ((const IfbamVoice *) agreement->held->pdata[i])->name);
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
tell_answer (const IfbamListener *listener, const IfbamAgreement *agreement,
             const IfbamSpeaker *speaker, GError **error)
{
  const IfbamDomainInfo *words = words_of (listener, speaker->node);
  g_autoptr (GPtrArray) leaves = leaves_of (listener, agreement, speaker->node);

  if (ifbam_voice_is_inner (voice_at (listener, speaker->node)))
    return TRUE;
  g_string_append_printf (listener->line, "  %s", name_of (listener, speaker->node));
  if (leaves->len > 0)
    g_string_append (listener->line, " to ");
  add_list (listener->line, leaves);
  g_string_append_printf (listener->line, ": \"%s I go on by %.9g %s",
                          speaker->to == IFBAM_TELLS_NOBODY ? "So" : "Then", speaker->by + 0.0,
                          words->coordinate_unit);
  if (agreement->turns == 1)
    g_string_append_printf (listener->line, ", to the %s %.9g %s, at the %s %.9g %s",
                            words->coordinate, speaker->position + 0.0, words->coordinate_unit,
                            words->rate, speaker->rate + 0.0, words->rate_unit);
  g_string_append (listener->line, ".\"\n");
  return ifbam_listener_hear (listener, voice_at (listener, speaker->node), error);
}

/* Writes the further iterations that nonlinear links need. */
static gboolean
tell_further_turns (const IfbamListener *listener, const IfbamAgreement *agreement, GError **error)
{
  gboolean fine;

  if (agreement->turns == 1)
    return TRUE;
  g_string_append_printf (
      listener->line,
      "  There the links answer otherwise than their slopes have said: so all tell each other the "
      "like %u time%s more, and in the last one nobody goes on by more than %.3g.\n",
      agreement->turns - 1, agreement->turns == 2 ? "" : "s", agreement->last);
  fine = ifbam_listener_hear (listener, NULL, error);
  for (guint s = agreement->speakers->len; s-- > 0 && fine;)
    {
      const IfbamSpeaker *speaker = &g_array_index (agreement->speakers, IfbamSpeaker, s);
      const IfbamDomainInfo *words = words_of (listener, speaker->node);

      if (ifbam_voice_is_inner (voice_at (listener, speaker->node)))
        continue;
      g_string_append_printf (
          listener->line, "  %s: \"In the end I go to the %s %.9g %s, at the %s %.9g %s.\"\n",
          name_of (listener, speaker->node), words->coordinate, speaker->position + 0.0,
          words->coordinate_unit, words->rate, speaker->rate + 0.0, words->rate_unit);
      fine = ifbam_listener_hear (listener, voice_at (listener, speaker->node), error);
    }
  return fine;
}

static gboolean
tell_agreement (const IfbamListener *listener, const IfbamAgreement *agreement, GError **error)
{
  const GArray *speakers = agreement->speakers;
  gboolean fine;

  g_string_append_printf (
      listener->line,
      " agreement on where the %ss at t = %.9g s take all, by rates that last %.9g s\n",
      words_of (listener, g_array_index (speakers, IfbamSpeaker, 0).node)->effort, agreement->time,
      agreement->a);
  fine = ifbam_listener_hear (listener, NULL, error);
  for (guint s = 0; s < speakers->len && fine; s++)
    fine = tell_speaker (listener, agreement, &g_array_index (speakers, IfbamSpeaker, s), error);
  fine = fine && tell_circle (listener, agreement, error);
  for (guint s = speakers->len; s-- > 0 && fine;)
    fine = tell_answer (listener, agreement, &g_array_index (speakers, IfbamSpeaker, s), error);
  return fine && tell_further_turns (listener, agreement, error);
}

gboolean
ifbam_dialogue_tell_agreements (const IfbamCast *cast, IfbamSaid said, gpointer data,
                                GError **error)
{
  g_autoptr (GString) line = g_string_new (NULL);
  const IfbamListener listener = { cast, line, said, data };
  gboolean fine = TRUE;

  for (guint i = 0; cast->agreements != NULL && i < cast->agreements->len && fine; i++)
    fine = tell_agreement (&listener, cast->agreements->pdata[i], error);
  return fine;
}
