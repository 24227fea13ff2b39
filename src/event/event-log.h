/* event-log.h: log of events, limits of their number, failure messages and interruption
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/sparse-solver.h"
#include "event/event-engine-internal.h"

/* Work between two checks for an interrupt [constraint rows, nodes or similar]. */
#define IFBAM_WORK_BETWEEN_CHECKS 4096

/* Prepares the log. restart: clears the failure and the counts; keeps events that are logged. */
void ifbam_event_log_init (IfbamEventLog *self);
void ifbam_event_log_clear (IfbamEventLog *self);
void ifbam_event_log_restart (IfbamEventLog *self);
/* Clears the failure; one without an event time is at `time` [s]. */
void ifbam_event_log_begin (IfbamEventLog *self, double time);
/* Removes and returns the failure (owned by the caller), or NULL; sets it again. */
char *ifbam_event_log_take_failure (IfbamEventLog *self);
void ifbam_event_log_set_failure (IfbamEventLog *self, char *failure);
void ifbam_event_log_clear_suspended (IfbamEventLog *self);
/* deferred: the caller sorts the logged events. */
void ifbam_event_log_defer (IfbamEventLog *self, gboolean deferred);
/* Sets the time of the sample that is evaluated [s]; NaN: the step's start. */
void ifbam_event_log_set_sample_time (IfbamEventLog *self, double time);

/* Stores the cluster of the last event; sorts all since the last sort by time, then by cluster. */
void ifbam_event_log_add_cluster (IfbamEventEngine *self, guint32 cluster);
void ifbam_event_log_sort (IfbamEventEngine *self);

/* Records a link's change from an old mode, if any, and its loss; may end the run (law->breaks). */
void ifbam_event_log_add_change (IfbamEventEngine *self, double time, guint32 link, int old);

/* Logs an event (none if word is NULL) with an impulse, rates and loss (impulse). */
void ifbam_event_log_add (IfbamEventEngine *self, double time, const IfbamLinkImpulse *impulse,
                          const char *word);

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

/* Counts work. Returns FALSE after a failure, and if the interrupt check is due. */
static inline gboolean
ifbam_event_log_count_work (IfbamEventLog *self, double time, guint work)
{
  self->work += work;
  self->work_time = time;
  return self->failure == NULL && self->work < IFBAM_WORK_BETWEEN_CHECKS;
}

/* Calls the caller's interrupt check. Returns FALSE and sets self->log.failure if it interrupts. */
__attribute__ ((cold)) gboolean ifbam_event_check_interrupt (IfbamEventEngine *self, double time);

/* Install the interrupt check for the time in which a system is factored. */
void ifbam_event_let_interrupt_system (IfbamEventEngine *self, IfbamConstraintSystem *reactions);
void ifbam_event_let_interrupt_solver (IfbamEventEngine *self, IfbamSolver *solver);

/* Counts work; at times calls the interrupt check. Returns FALSE after a failure or interrupt. */
static inline gboolean
ifbam_event_may_continue (IfbamEventEngine *self, double time, guint work)
{
  return ifbam_event_log_count_work (&self->log, time, work)
         || (self->log.failure == NULL && ifbam_event_check_interrupt (self, time));
}
