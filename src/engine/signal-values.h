/* signal-values.h: values of signals at a sample
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/energy-balance.h"
#include "model/model.h"

/* Computes a signal at the view's time, per lane. sums: of each lane, for signals that are sums. */
void ifbam_signal_value (const IfbamSignal *signal, const IfbamView *view, const IfbamSums *sums,
                         double *values);
/* Computes a sample (signals, one lane) at the view's time. sums: NULL unless signals->sums. */
void ifbam_signals_row (const IfbamSignals *signals, const IfbamView *view, const IfbamSums *sums,
                        double *values);

/* Adds the nodes that a sample needs, unless signals->sums. */
void ifbam_signals_add_nodes (const IfbamSignals *signals, const IfbamModel *model, GArray *nodes);

/* Return TRUE if a signal, any of a sample, needs more of an event engine than nodes' motions. */
gboolean ifbam_signal_needs_engine (const IfbamSignal *signal);
gboolean ifbam_signals_need_engine (const IfbamSignals *signals);
