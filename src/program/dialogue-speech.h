/* dialogue-speech.h: messages and events of a dialogue, in words
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "dialogue/dialogue.h"

/* Each function appends a line, or a part of one, to a text. */

void ifbam_speech_of_link (GString *text, const IfbamVoice *link, const IfbamCast *cast);
void ifbam_speech_of_unbatched (GString *text, const IfbamVoice *link, const IfbamCast *cast);
void ifbam_speech_of_source (GString *text, const IfbamVoice *source, const IfbamCast *cast);
/* turn: of the dialogue; 0: the start. */
void ifbam_speech_of_node (GString *text, const IfbamVoice *node, const IfbamCast *cast,
                           guint64 turn);
/* Appends the reaction of a constraint, once the forces are summed; FALSE: it has none. */
gboolean ifbam_speech_of_reaction (GString *text, const IfbamVoice *link, const IfbamCast *cast);
/* Appends an event of a link or impulse: impact, change of mode, external impulse. */
void ifbam_speech_of_event (GString *text, const IfbamCast *cast, const IfbamVoice *voice,
                            const IfbamEvent *event);
/* Returns words and units of a node's domain. */
const IfbamDomainInfo *ifbam_speech_words (const IfbamCast *cast, guint32 node);
