/* apply-impulses.h: impulses, and what follows from them
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/advance-islands.h"

/* Moves n links' ends by impulses and books what they cost; rates before and after (n). lost: what is known of that; NaN:
 * their mean rates tell, and it is filled in. */
void ifbam_event_push (IfbamEventEngine *self, const guint32 *links, guint n, const double *p,
                       double *before, double *after, double *lost);

/* The same for links in play: what they carry brakes, the events are told, and whoever hears of it takes part;
 * slow: no bounces. The links after the first n are `ties` that pass on what these give. */
void ifbam_event_give (IfbamEventEngine *self, double time, const guint32 *links, guint n,
                       guint ties, const double *p, gboolean slow);

/* The same where it is known what brakes: after the first n links come `brakes` that they carry, then the ties. word: what
 * the event is called. */
void ifbam_event_give_rubbing (IfbamEventEngine *self, double time, const guint32 *links, guint n,
                               guint brakes, guint ties, const double *p, double *lost,
                               const char *word, gboolean slow);
