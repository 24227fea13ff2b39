/* implicit-step.h: one step of an island under an implicit scheme: Newton's method
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-engine-internal.h"

IfbamImplicit *ifbam_implicit_new (gsize n_nodes);
/* NULL: nothing. */
void ifbam_implicit_free (IfbamImplicit *self);
/* Numbers of links have changed. NULL: nothing. */
void ifbam_implicit_forget (IfbamImplicit *self);

/* Takes the nodes without inertia of an island to where the forces on them are balanced, as they have been and will be, at a time
 * after the step's start. (What only springs join is where they say; how fast it goes is the slope of that.) Returns what links
 * store more there [J], after the start and outside of circuits. */
double ifbam_event_balance (IfbamEventEngine *self, guint32 island, double time);

/* As ifbam_event_step(), of an island or all, one by one. */
void ifbam_event_step_implicit (IfbamEventEngine *self, guint32 island, const IfbamScheme *scheme,
                                double from, double h, const double *x, const double *v, double *x1,
                                double *v1, gboolean account);

/* The same of one island from its columns x, v to x1, v1, and the step's errors (n_nodes; valid until the next step), by
 * the scheme's embedded weights. Its accelerations at the start are in the column a. FALSE: its equations have no
 * answer in reach. */
gboolean ifbam_event_estimate (IfbamEventEngine *self, guint32 island, double from, double h,
                               const double **x, const double **v);

/* Accelerations of an island's nodes at the start of a step, and what they would be at its end if the nodes went there by
 * these, as what hears places alone says it (n_nodes each; valid until the next step). FALSE: somebody interrupts. */
gboolean ifbam_event_foretell (IfbamEventEngine *self, guint32 island, double from, double h,
                               const double **before, const double **after);

/* That step is made: its end is where relations want it. */
void ifbam_event_accept (IfbamEventEngine *self, guint32 island, double time);

/* How often equations were factored. */
guint64 ifbam_implicit_n_factorings (const IfbamImplicit *self);
