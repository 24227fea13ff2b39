/* dialogue-speech.h: messages and events of a dialogue, in words
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "dialogue/dialogue.h"

/* Each function appends a line, or a part of one, to a text. */

void ifbam_speech_of_link (GString *text, const IfbamAgent *link, const IfbamDialogue *dialogue);
void ifbam_speech_of_unbatched (GString *text, const IfbamAgent *link,
                                const IfbamDialogue *dialogue);
void ifbam_speech_of_source (GString *text, const IfbamAgent *source,
                             const IfbamDialogue *dialogue);
/* turn: of the dialogue; 0: the start. */
void ifbam_speech_of_node (GString *text, const IfbamAgent *node, const IfbamDialogue *dialogue,
                           guint64 turn);
/* Appends the reaction of a constraint, once the forces are summed; FALSE: it has none. */
gboolean ifbam_speech_of_reaction (GString *text, const IfbamAgent *link,
                                   const IfbamDialogue *dialogue);
/* Appends an event of a link or impulse: impact, change of mode, external impulse. */
void ifbam_speech_of_event (GString *text, const IfbamDialogue *dialogue, const IfbamAgent *agent,
                            const IfbamEvent *event);
/* Returns words and units of a node's domain. */
const IfbamDomainInfo *ifbam_speech_words (const IfbamDialogue *dialogue, guint32 node);
