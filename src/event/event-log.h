/* event-log.h: log of events, limits of their number, failure messages and interruption
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/sparse-solver.h"
#include "event/event-engine-internal.h"

/* Returns the event word of a mode change (not owned); NULL: such a change is not recorded. */
const char *ifbam_link_event (const IfbamLink *link, int from, int to);

/* Records a link's change from an old mode, if any, and its loss; may end the run (law->breaks). */
void ifbam_event_log_add_change (IfbamEventEngine *self, double time, guint32 link, int old);

/* Logs an event (none if word is NULL). before, after: the link's rates; energy_change [J]. */
void ifbam_event_log_add (IfbamEventEngine *self, double time, guint32 link, const char *word,
                          double impulse, double before, double after, double energy_change);

/* Counts an event time of a link. If there are too many in a step, suspends the link if they
 * accumulate (Zeno) within one more step; else fails. */
void ifbam_event_count_event (IfbamEventEngine *self, double time, guint32 link);

/* Counts events of a link that are merged because they can't be resolved; stores the first one. */
void ifbam_event_count_lumped (IfbamEventEngine *self, double time, guint32 number);

/* Suspends a link until the step's end: guards are ignored, a contact stays closed. Counts this. */
void ifbam_event_suspend_link (IfbamEventEngine *self, double time, guint32 link);

/* Ends the run at a time after the step's start. Message: before, the names of n links, after. Has
 * no effect after another failure. */
__attribute__ ((cold)) void ifbam_event_fail (IfbamEventEngine *self, double time,
                                              const guint32 *links, guint n, const char *before,
                                              const char *after);

/* Ends the run because of a link with an approach that no impulse can end: nothing can move. */
__attribute__ ((cold)) void ifbam_event_fail_jammed (IfbamEventEngine *self, double time,
                                                     guint32 link);

/* Ends the run because of a candidate that can't be located. */
__attribute__ ((cold)) void ifbam_event_fail_unlocated (IfbamEventEngine *self,
                                                        const IfbamCandidate *candidate);

/* Calls the caller's interrupt check. Returns FALSE and sets self->log.failure if it interrupts. */
__attribute__ ((cold)) gboolean ifbam_event_check_interrupt (IfbamEventEngine *self, double time);

/* Install the interrupt check for the time in which a system is factored. */
void ifbam_event_let_interrupt_system (IfbamEventEngine *self, IfbamConstraintSystem *reactions);
void ifbam_event_let_interrupt_solver (IfbamEventEngine *self, IfbamSolver *solver);

/* Counts work; at times calls the interrupt check. Returns FALSE after a failure or interrupt. */
static inline gboolean
ifbam_event_may_continue (IfbamEventEngine *self, double time, guint work)
{
  self->log.work += work;
  self->log.work_time = time;
  return self->log.failure == NULL
         && (self->log.work < IFBAM_WORK_BETWEEN_CHECKS
             || ifbam_event_check_interrupt (self, time));
}
