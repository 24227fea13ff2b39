/* generated-engine.h: compiled engine that runs machine code, generated for the network
 *
 * The machine's compiler translates C (c-source.h). Objects are kept in the user's cache, named by
 * a hash of their inputs. No file is executed that another user can write.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/engine.h"

/* Returns the reason why the engine would run without machine code, for example no compiler
 * (transfer full); NULL: none is known before compilation. */
char *ifbam_machine_fault (const IfbamModel *model, const IfbamRunSpec *spec);

/* Results equal those of ifbam_compiled_engine_new(). NULL: the network needs the event engine, or
 * ifbam_machine_fault() returns a reason. If the compiler fails, it warns and runs a plan. */
IfbamEngine *ifbam_machine_engine_new (const IfbamModel *model, const IfbamRunSpec *spec,
                                       guint threads);
