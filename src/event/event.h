/* event.h: event engine, for networks with events and for implicit schemes
 *
 * Other directories include this header, not those that it includes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/candidate-queue.h"
#include "event/clusters.h"
#include "event/constraint-projection.h"
#include "event/constraint-reactions.h"
#include "event/evaluator.h"
#include "event/event-engine-internal.h"
#include "event/event-engine.h"
#include "event/event-links.h"
#include "event/event-log.h"
#include "event/forces.h"
#include "event/guards.h"
#include "event/islands.h"
#include "event/manual-step.h"
#include "event/newton-system.h"
#include "event/schedule.h"
#include "event/state-transfer.h"
