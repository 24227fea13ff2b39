/* threads.h: threads that share the pieces of a network
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/compiled-engine-internal.h"

/* Starts threads for blocks of cycles and energy checks; TRUE if there are several. */
gboolean ifbam_threads_run (IfbamCompiledEngine *self);
void ifbam_threads_work (IfbamCompiledEngine *self, gboolean look);
void ifbam_threads_end (IfbamCompiledEngine *self);
