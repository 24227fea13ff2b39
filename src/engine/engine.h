/* engine.h: time schemes, engines without events, parameter values, signals and saved states
 *
 * Other directories include this header, not the headers that it includes.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/compiled-engine-internal.h"
#include "engine/engine-class.h"
#include "engine/force-derivatives.h"
#include "engine/kernel-calls.h"
#include "engine/network-settings.h"
#include "engine/parameter-values.h"
#include "engine/run-spec.h"
#include "engine/scheme-energy.h"
#include "engine/scheme-table.h"
#include "engine/scheme.h"
#include "engine/signal-values.h"
#include "engine/snapshot.h"
#include "engine/state-columns.h"
#include "engine/state-view.h"
