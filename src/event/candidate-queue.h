/* candidate-queue.h: candidate events in order of time
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event-engine-internal.h"

void ifbam_candidates_init (IfbamCandidates *self);
void ifbam_candidates_clear (IfbamCandidates *self);

/* Heap of IfbamCandidate by lo. Pop returns and removes the first one; the heap is not empty. */
void ifbam_heap_push (GArray *heap, const IfbamCandidate *candidate);
IfbamCandidate ifbam_heap_pop (GArray *heap);

/* Empties the queues for a step. */
void ifbam_candidates_begin_step (IfbamEventEngine *self);

/* Returns whether the prediction in which a candidate was found has been replaced. */
gboolean ifbam_candidate_is_stale (const IfbamEventEngine *self, const IfbamCandidate *candidate);
guint32 ifbam_candidate_cluster (const IfbamEventEngine *self, const IfbamCandidate *candidate);

/* Moves new candidates, except stale ones, to the queues of their clusters. */
void ifbam_candidates_distribute (IfbamEventEngine *self);
/* Lists a cluster by the first candidate of its queue. */
void ifbam_candidates_push_cluster (IfbamEventEngine *self, guint32 cluster);
/* Finds the cluster with the first candidate of all. FALSE: there is none. */
gboolean ifbam_candidates_find_first (IfbamEventEngine *self, guint32 *cluster);
