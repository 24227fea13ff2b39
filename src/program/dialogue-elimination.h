/* dialogue-elimination.h: elimination in words: agreement of the nodes that an implicit step
 * couples
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "program/command.h"

/* Receiver of a dialogue's lines; said() ends it by FALSE with an error. */
typedef struct
{
  const IfbamDialogue *dialogue;
  GString *line;
  IfbamLineFunc said;
  gpointer data;
} IfbamListener;

/* Passes on the line and clears it. */
static inline gboolean
ifbam_listener_hear (const IfbamListener *listener, const IfbamAgent *speaker, GError **error)
{
  const gboolean fine = listener->said (listener->data, speaker, listener->line->str, error);

  g_string_truncate (listener->line, 0);
  return fine;
}

/* Writes the agreements of the last cycle, line by line; said() ends it by FALSE with an error. */
gboolean ifbam_dialogue_write_eliminations (const IfbamDialogue *dialogue, IfbamLineFunc said,
                                            gpointer data, GError **error);
