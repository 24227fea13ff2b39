/* model-exchange.h: network of a compiled core for an external integrator: rates of states, events
 *
 * States: coordinates of the free nodes that are no state nodes, then rates of all free nodes;
 * then, if a signal needs external work or losses, the external work. Indicators: the guards of all
 * unbatched links, IFBAM_MAX_GUARDS entries each. A guard (distance, rate or force) is positive
 * until its event; unused entries are 1.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "embed/core.h"

typedef struct _IfbamExchange IfbamExchange;

/* Returns an object at the start; NULL: ifbam_core_said() returns the error. */
IfbamExchange *ifbam_exchange_new (IfbamCore *core);
void ifbam_exchange_free (IfbamExchange *exchange);

size_t ifbam_exchange_n_states (const IfbamExchange *exchange);
size_t ifbam_exchange_n_indicators (const IfbamExchange *exchange);

void ifbam_exchange_set_time (IfbamExchange *exchange, double time);
void ifbam_exchange_set_states (IfbamExchange *exchange, const double *states);
void ifbam_exchange_get_states (const IfbamExchange *exchange, double *states);
void ifbam_exchange_get_rates (IfbamExchange *exchange, double *rates);
/* Writes the typical magnitudes of the states. */
void ifbam_exchange_get_nominals (const IfbamExchange *exchange, double *nominals);
void ifbam_exchange_get_indicators (IfbamExchange *exchange, double *indicators);
/* Writes the core's signals; NaN for the losses of single links. */
void ifbam_exchange_get_signals (IfbamExchange *exchange, double *values);

/* Processes the events of this time. Returns TRUE if there were any; -1: see ifbam_core_said(). */
int ifbam_exchange_process_event (IfbamExchange *exchange);
/* Returns the time of the next scheduled event [s]; infinite: none. */
double ifbam_exchange_next (const IfbamExchange *exchange);
/* After a step: TRUE if constraints have drifted: then call ifbam_exchange_process_event(). */
int ifbam_exchange_has_drifted (IfbamExchange *exchange);

size_t ifbam_exchange_n_events (const IfbamExchange *exchange);
IfbamCoreEvent ifbam_exchange_event (const IfbamExchange *exchange, size_t i);
