/* signal-values.h: what signals are at a row
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/energy-balance.h"
#include "model/model.h"

/* A signal at the view's time, in each of its lanes. sums: of each lane, for signals that are sums. */
void ifbam_signal_value (const IfbamSignal *signal, const IfbamView *view, const IfbamSums *sums,
                         double *values);
/* The values of a row (one for each signal, in one lane) at the view's time. sums: NULL unless signals->sums. */
void ifbam_signals_row (const IfbamSignals *signals, const IfbamView *view, const IfbamSums *sums,
                        double *values);

/* Adds the nodes that a row asks for, unless signals->sums. */
void ifbam_signals_add_nodes (const IfbamSignals *signals, const IfbamModel *model, GArray *nodes);

/* Whether a signal asks the engine of a network with events for more than positions and rates; any of a row. */
gboolean ifbam_signal_asks_engine (const IfbamSignal *signal);
gboolean ifbam_signals_ask_engine (const IfbamSignals *signals);
