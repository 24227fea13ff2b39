/* dialogue-agreement.h: elimination in words: how those agree whom an implicit step joins
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "program/command.h"

/* What was agreed on in the cycle that was settled last, line by line; said() ends it by FALSE with an error. */
gboolean ifbam_dialogue_tell_agreements (const IfbamCast *cast, IfbamSaid said, gpointer data,
                                         GError **error);
