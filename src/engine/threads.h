/* threads.h: pieces of a network, shared among threads
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/compiled-engine-internal.h"

/* Whether there are several: they do a block of cycles, or a look. */
gboolean ifbam_threads_run (IfbamCompiledEngine *self);
void ifbam_threads_work (IfbamCompiledEngine *self, gboolean look);
void ifbam_threads_end (IfbamCompiledEngine *self);
