/* dialogue-elimination.h: elimination in words: how those agree whom an implicit step joins
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "program/command.h"

/* Who hears what is said in a cycle, line by line; said() ends it by FALSE with an error. */
typedef struct
{
  const IfbamCast *cast;
  GString *line;
  IfbamSaid said;
  gpointer data;
} IfbamListener;

/* Hands over the line, which is empty then. */
static inline gboolean
ifbam_listener_hear (const IfbamListener *listener, const IfbamVoice *speaker, GError **error)
{
  const gboolean fine = listener->said (listener->data, speaker, listener->line->str, error);

  g_string_truncate (listener->line, 0);
  return fine;
}

/* What was agreed on in the cycle that was settled last, line by line; said() ends it by FALSE with an error. */
gboolean ifbam_dialogue_tell_agreements (const IfbamCast *cast, IfbamSaid said, gpointer data,
                                         GError **error);
