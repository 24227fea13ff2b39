/* model-exchange.h: a compiled core's network for who integrates it by other means: rates of its states, and what happens
 *
 * States are the coordinates of the free nodes (but those that keep states of laws), then the rates of all free nodes; then,
 * where signals ask for what is supplied or dissipated, the work that is done on the network.
 * Indicators are the guards of all links, IFBAM_MAX_GUARDS places for each: distances (or rates, forces) that are above 0 until
 * something happens, and 1 where there is none.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "embed/core.h"

typedef struct _IfbamExchange IfbamExchange;

/* At the start. NULL: ifbam_core_said() tells why not. */
IfbamExchange *ifbam_exchange_new (IfbamCore *core);
void ifbam_exchange_free (IfbamExchange *exchange);

size_t ifbam_exchange_n_states (const IfbamExchange *exchange);
size_t ifbam_exchange_n_indicators (const IfbamExchange *exchange);

void ifbam_exchange_set_time (IfbamExchange *exchange, double time);
void ifbam_exchange_set_states (IfbamExchange *exchange, const double *states);
void ifbam_exchange_get_states (const IfbamExchange *exchange, double *states);
void ifbam_exchange_get_rates (IfbamExchange *exchange, double *rates);
/* How large they are. */
void ifbam_exchange_get_nominals (const IfbamExchange *exchange, double *nominals);
void ifbam_exchange_get_indicators (IfbamExchange *exchange, double *indicators);
/* The core's signals; what a single link dissipates is not a number. */
void ifbam_exchange_get_signals (IfbamExchange *exchange, double *values);

/* What is to happen now happens: returns whether something did, -1: it can't go on, see ifbam_core_said(). */
int ifbam_exchange_happen (IfbamExchange *exchange);
/* When something is given to happen next; infinite: never. */
double ifbam_exchange_next (const IfbamExchange *exchange);
/* After a step: whether what is kept for ever, or held, has drifted so far that it wants to be put back
 * (ifbam_exchange_happen()). */
int ifbam_exchange_has_drifted (IfbamExchange *exchange);

size_t ifbam_exchange_n_events (const IfbamExchange *exchange);
IfbamCoreEvent ifbam_exchange_event (const IfbamExchange *exchange, size_t i);
