/* core-event.h: an event of an engine's log, as the core interface returns it
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "embed/core.h"
#include "engine/engine.h"

static inline IfbamCoreEvent
ifbam_core_event_of (const IfbamEngine *engine, size_t i)
{
  const IfbamEvent *event = &g_array_index (engine->log->events, IfbamEvent, i);

  return (IfbamCoreEvent){ .time = event->time,
                           .element = event->element,
                           .word = event->word,
                           .impulse = event->impulse,
                           .rate_before = event->rate_before,
                           .rate_after = event->rate_after,
                           .energy_change = event->energy_change };
}
