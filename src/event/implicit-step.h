/* implicit-step.h: one step of an island under a diagonally implicit scheme, by Newton's method
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-engine-internal.h"

IfbamImplicit *ifbam_implicit_new (gsize n_nodes);
/* Frees the solver; NULL is allowed. */
void ifbam_implicit_free (IfbamImplicit *self);
/* Discards all factors after a change of link parameters; NULL is allowed. */
void ifbam_implicit_discard (IfbamImplicit *self);

#define IFBAM_UNBALANCED (G_MAXUINT32 - 1) /* instead of a junction: no balance is found */

/* Moves the massless nodes of an island to their equilibrium positions, and sets the velocities at
 * which these change. time: after the step's start [s]. Returns the increase of the links' stored
 * energy [J], 0 at the run's start and in circuits. Failure: self->base.log->failure. unsolved:
 * (out) the junction at which an inductor's current is cut off, IFBAM_UNBALANCED, or IFBAM_NONE.
 * If it is not IFBAM_NONE, junctions only get very large velocities, which show the diodes that close. */
double ifbam_event_balance_junctions (IfbamEventEngine *self, guint32 island, double time,
                                      guint32 *unsolved);

/* Restores the junctions' velocities. junction: unsolved of ifbam_event_balance_junctions (): the run fails;
 * IFBAM_NONE: a law changes, such as that of a diode that takes over an inductor's current. */
void ifbam_event_end_unsolved (IfbamEventEngine *self, guint32 island, guint32 junction,
                               double time);

/* As ifbam_event_step (), for one island or, one after the other, all (IFBAM_NONE). */
void ifbam_event_step_implicit (IfbamEventEngine *self, guint32 island, const IfbamScheme *scheme,
                                double from, double h, const double *x, const double *v, double *x1,
                                double *v1, gboolean account);

/* Advances an island by one step from x, v to x1, v1, and stores the accelerations at the start in
 * a. x, v: (out) the step's errors by the embedded weights (n_nodes; owned by the engine, valid
 * until the next step). FALSE: Newton's method does not converge, or the run has failed. */
gboolean ifbam_event_try_step (IfbamEventEngine *self, guint32 island, double from, double h,
                               const double **x, const double **v);

/* Returns the largest error of a step's weights for the given motions at an island, integrated from
 * their rates and accelerations [of the largest position and rate at the stages]. */
double ifbam_event_estimate_given (IfbamEventEngine *self, guint32 island, double from, double h);

/* Computes accelerations at a step's start, and at the end to which they lead, with unchanged
 * velocities (n_nodes each; owned by the engine, valid until the next step). FALSE: failed. */
gboolean ifbam_event_estimate_jerk (IfbamEventEngine *self, guint32 island, double from, double h,
                                    const double **before, const double **after);

/* Accepts the step of ifbam_event_try_step (): projects its end onto the constraints. */
void ifbam_event_accept_step (IfbamEventEngine *self, guint32 island, double time);

/* Adds the equations so far to a count. self: NULL: none. */
void ifbam_implicit_add_count (const IfbamImplicit *self, IfbamStepCount *count);
