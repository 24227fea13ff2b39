/* prediction.h: prediction of islands to the end of a step
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-types.h"

/* Predicts the whole network by a step of the scheme. */
void ifbam_event_predict_all (IfbamEventEngine *self);
/* Predicts an island from its time to the end of the step or, if adaptive, of its own step. */
void ifbam_event_predict (IfbamEventEngine *self, guint32 index);
/* Predicts the islands of the present event, and finds their candidates. */
void ifbam_event_predict_affected (IfbamEventEngine *self);

/* Finds the candidate events of the links of an island (IFBAM_NONE: of all islands). */
void ifbam_event_find_island_candidates (IfbamEventEngine *self, guint32 island);

/* Predicts the islands of a link by the restart scheme, which locates events; a prediction by the
 * engine's own scheme is only a first guess. Returns FALSE if no island is predicted anew. */
gboolean ifbam_event_restart_islands (IfbamEventEngine *self, guint32 link);
/* Flip-flop schemes: predicts islands with sliding planar frictions by the restart scheme, since
 * their own forces would be one step late. */
void ifbam_event_restart_sliding (IfbamEventEngine *self);
