/* event-location.h: where a guard is crossed: the unknown is the length of one scheme step
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-engine-internal.h"

/* Locates a candidate by steps; FALSE where there is no crossing. *at: the last time on its side. */
gboolean ifbam_event_locate (IfbamEventEngine *self, const IfbamCandidate *candidate, double *at);

/* The same on the course that is predicted, not by steps. */
gboolean ifbam_event_locate_on_course (const IfbamEventEngine *self,
                                       const IfbamCandidate *candidate, double *at);

/* Whether many rows hold in a link's islands, and another one looks at one of these, too. */
gboolean ifbam_event_is_shared (const IfbamEventEngine *self, guint32 link, guint32 other);

/* What of others (n) is near a time is located there; else it is known to be later (from lo on), or earlier (before hi, which
 * is before the time). Guards of positions and rates only: the islands that they look at are stepped thrice, however many
 * they are. Returns by how much one came earlier than was predicted, at most. */
double ifbam_event_compare (IfbamEventEngine *self, double time, double apart,
                            IfbamCandidate *others, guint n);

/* Steps the islands of a link to a time, from their own; into xt, vt. */
void ifbam_event_trial (IfbamEventEngine *self, guint32 link, double time);

/* The same within a look, in which nothing happens: whose last trial was to this time is there already. */
void ifbam_event_begin_look (IfbamEventEngine *self);
void ifbam_event_try (IfbamEventEngine *self, guint32 link, double time);
