/* generated-engine.h: the compiled engine, carried by C that the machine's compiler has made for just this network
 *
 * What was compiled is kept in the user's cache, by what made it. Nothing is executed that another user may write.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/engine.h"

/* Why the engine below would run as any compiled one: the network can't be written as C, or there is no compiler (transfer
 * full). NULL: it would not, as far as can be told before. */
char *ifbam_machine_fault (const IfbamModel *model, const IfbamRunSpec *spec);

/* The same numbers as ifbam_compiled_engine_new(); NULL: the network goes by events, or there is a fault as above. Where the
 * compiler fails it goes by the plan's cycles, and says so once. */
IfbamEngine *ifbam_machine_engine_new (const IfbamModel *model, const IfbamRunSpec *spec,
                                       guint threads);
