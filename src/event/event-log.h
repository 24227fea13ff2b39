/* event-log.h: events, as users are told of them
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/sparse-solver.h"
#include "event/event-engine-internal.h"

/* What a link's change of mode is called; NULL: nobody is told. */
const char *ifbam_link_event (const IfbamLink *link, int from, int to);

/* Notes a link's change from an old mode, if there is one. */
void ifbam_event_note_change (IfbamEventEngine *self, double time, guint32 link, int old);

/* Notes an event. */
void ifbam_event_note (IfbamEventEngine *self, double time, guint32 link, const char *word,
                       double impulse, double before, double after, double energy_change);

/* Counts an instant at which a link has events. With too many of them in a step it is held closed to the step's end, if
 * they accumulate (Zeno) no later than in another step; else the run ends. */
void ifbam_event_count (IfbamEventEngine *self, double time, guint32 link);

/* Events of a link, or of what it is part of, that can't be told apart are taken as one: how often, and where first, is told. */
void ifbam_event_count_lumped (IfbamEventEngine *self, double time, guint32 number);

/* From now on a link is held closed to the step's end, and that is told. */
void ifbam_event_close (IfbamEventEngine *self, double time, guint32 link);

/* It can't go on from a time after the step's start, for what happens at n links: what is said before
 * and after their names. */
__attribute__ ((cold)) void ifbam_event_fail (IfbamEventEngine *self, double time,
                                              const guint32 *links, guint n, const char *before,
                                              const char *after);

/* The same for a link whose approach no impulse ends, as nothing beside it gives way. */
__attribute__ ((cold)) void ifbam_event_fail_jammed (IfbamEventEngine *self, double time,
                                                     guint32 link);

/* The same for a candidate that is hidden. */
__attribute__ ((cold)) void ifbam_event_lose (IfbamEventEngine *self,
                                              const IfbamCandidate *candidate);

/* Asks whoever may interrupt; FALSE, with failure: somebody does. */
__attribute__ ((cold)) gboolean ifbam_event_ask (IfbamEventEngine *self, double time);

/* Lets who may interrupt be asked while these are factored. */
void ifbam_event_watch_reactions (IfbamEventEngine *self, IfbamReactions *reactions);
void ifbam_event_watch_solver (IfbamEventEngine *self, IfbamSolver *solver);

/* Whether to go on after so much more work; FALSE: it has failed, or somebody has interrupted it. */
static inline gboolean
ifbam_event_goes_on (IfbamEventEngine *self, double time, guint work)
{
  self->unasked += work;
  self->asked_at = time;
  return self->failure == NULL && (self->unasked < IFBAM_UNASKED || ifbam_event_ask (self, time));
}
