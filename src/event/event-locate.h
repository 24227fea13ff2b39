/* event-locate.h: where a guard is crossed: the unknown is the length of one scheme step
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-state.h"

/* Locates a candidate by steps; FALSE where there is no crossing. *at: the last time on its side. */
gboolean ifbam_event_locate (IfbamEventEngine *self, const IfbamCandidate *candidate, double *at);

/* The same on the course that is predicted, not by steps. */
gboolean ifbam_event_locate_on_course (const IfbamEventEngine *self,
                                       const IfbamCandidate *candidate, double *at);

/* Steps the islands of a link to a time, from their own; into xt, vt. */
void ifbam_event_trial (IfbamEventEngine *self, guint32 link, double time);
