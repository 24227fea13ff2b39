/* signal-names.h: signals of a model by name: ELEMENT.QUANTITY, with wildcards and ranges
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/signal-types.h"

/* Returns the signals of a text; NULL with a reason (transfer full). record: comma-separated, with
 * wildcards ("*.position"), ranges ("c.m[1:9:2].velocity"); NULL: the first quantity of all free
 * nodes. */
IfbamSignals *ifbam_signals_new (const IfbamModel *model, GHashTable *by_name, const char *record,
                                 char **reason);
/* Finds one signal, and its unit (static); FALSE with a reason (transfer full; NULL: an issue
 * exists already). Also during compilation. */
gboolean ifbam_signal_find (const IfbamModel *model, GHashTable *by_name, const char *text,
                            IfbamSignal *signal, const char **unit, char **reason);

void ifbam_signals_free (IfbamSignals *signals);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamSignals, ifbam_signals_free)
