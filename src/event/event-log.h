/* event-log.h: log of events, limits of their number, failure messages and interruption
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/sparse-solver.h"
#include "event/event-engine-internal.h"

/* Work between two checks for an interrupt [constraint rows, nodes or similar]. */
#define IFBAM_WORK_BETWEEN_CHECKS 4096

/* Create and free the log, and the list of clusters of unsorted events. */
void ifbam_event_log_init (IfbamEventEngine *self);
void ifbam_event_log_clear (IfbamEventEngine *self);
/* Clears the failure and the counts; events that are logged are kept. */
void ifbam_event_log_restart (IfbamEventEngine *self);
/* Clears the failure; one without an event time is at `time` [s]. */
void ifbam_event_log_begin (IfbamEventEngine *self, double time);
void ifbam_event_log_clear_suspended (IfbamEventLog *log);
/* Finds the name of the first suspended link after a state was restored. */
void ifbam_event_log_rebuild (IfbamEventEngine *self);
/* deferred: the caller sorts the logged events. */
void ifbam_event_log_defer (IfbamEventEngine *self, gboolean deferred);

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
void ifbam_event_count_suspended (IfbamEventEngine *self, double time, guint32 index);

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

/* Calls the caller's interrupt check. Returns FALSE and sets self->base.log->failure if it interrupts. */
__attribute__ ((cold)) gboolean ifbam_event_check_interrupt (IfbamEventEngine *self, double time);

/* Install the interrupt check for the time in which a system is factored. */
void ifbam_event_set_system_interrupt (IfbamEventEngine *self, IfbamConstraintSystem *reactions);
void ifbam_event_set_solver_interrupt (IfbamEventEngine *self, IfbamSolver *solver);

/* Counts work; at times calls the interrupt check. Returns FALSE after a failure or interrupt. */
static inline gboolean
ifbam_event_may_continue (IfbamEventEngine *self, double time, guint work)
{
  IfbamInterrupt *interrupt = &self->base.interrupt;

  interrupt->work += work;
  interrupt->work_time = time;
  return self->base.log->failure == NULL
         && (interrupt->work < IFBAM_WORK_BETWEEN_CHECKS
             || ifbam_event_check_interrupt (self, time));
}
