/* step-work.h: the work that is done in an island's steps
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-engine-internal.h"

/* Books the pending work of an island or all. */
void ifbam_event_book (IfbamEventEngine *self, guint32 island);

/* What was booked already of a step that is still under way: by slots, single links, and components (supplied, turnover). */
typedef struct
{
  double *loss, *single, *fed[2];
} IfbamBooked;

/* Books an island's pending work but for what was booked of it; keeps: that goes on being under way. */
void ifbam_event_book_rest (IfbamEventEngine *self, guint32 island, const IfbamBooked *booked,
                            gboolean keeps);

/* Books trapezoids between the last row and this one, but for islands that went by the companion;
 * begin: only remembers this one's powers. */
void ifbam_event_cycle_work (IfbamEventEngine *self, gboolean begin);

/* Powers at messages that have just been answered, times a weight, are pending. */
void ifbam_event_add_powers (IfbamEventEngine *self, guint32 island, const double *position,
                             const double *rate, double weight, gboolean first);

/* What a link, or all links of an island, store where their ends are [J]. */
double ifbam_event_link_stored (const IfbamEventEngine *self, guint32 link);
double ifbam_event_island_stored (const IfbamEventEngine *self, guint32 island);

/* Links between given nodes: they are found, looked at at a row, and what they took and lost since the last one is booked. */
void ifbam_event_find_between_given (IfbamEventEngine *self);
void ifbam_event_look_between_given (IfbamEventEngine *self);
void ifbam_event_book_between_given (IfbamEventEngine *self);
