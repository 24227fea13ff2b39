/* candidate-queue.c: candidate events in order of time: a heap per cluster, a heap of clusters
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/candidate-queue.h"

#include "event/event-engine-internal.h"
#include "event/clusters.h"

/* Error of a prediction that is assumed at the begin of a step [steps]. */
#define INITIAL_PREDICTION_ERROR 1e-3

void
ifbam_candidates_init (IfbamCandidates *self)
{
  GArray **lists[] = { &self->found,  &self->clusters, &self->fired,   &self->near,
                       &self->others, &self->changing, &self->at_given };

  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    *lists[i] = g_array_new (FALSE, FALSE, sizeof (IfbamCandidate));
  self->old_modes = g_array_new (FALSE, FALSE, sizeof (int));
  self->penetrating = g_array_new (FALSE, FALSE, sizeof (guint32));
}

void
ifbam_candidates_clear (IfbamCandidates *self)
{
  GArray *lists[] = { self->found,    self->clusters,  self->fired,
                      self->near,     self->others,    self->changing,
                      self->at_given, self->old_modes, self->penetrating };

  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    g_array_unref (lists[i]);
}

static gboolean
is_before (const IfbamCandidate *a, const IfbamCandidate *b)
{
  if (a->lo != b->lo)
    return a->lo < b->lo;
  /* Scheduled events have the largest index, IFBAM_NONE, and come last. */
  return a->link != b->link ? a->link < b->link : a->stamp < b->stamp;
}

void
ifbam_heap_push (GArray *heap, const IfbamCandidate *candidate)
{
  IfbamCandidate *all;
  guint i = heap->len;

  g_array_append_val (heap, *candidate);
  all = (IfbamCandidate *) (gpointer) heap->data;
  while (i > 0 && is_before (candidate, &all[(i - 1) / 2]))
    {
      all[i] = all[(i - 1) / 2];
      i = (i - 1) / 2;
    }
  all[i] = *candidate;
}

IfbamCandidate
ifbam_heap_pop (GArray *heap)
{
  IfbamCandidate *all = (IfbamCandidate *) (gpointer) heap->data;
  const IfbamCandidate top = all[0], last = all[heap->len - 1];
  const guint n = heap->len - 1;
  guint i = 0;

  for (;;)
    {
      guint child = 2 * i + 1;

      if (child >= n)
        break;
      if (child + 1 < n && is_before (&all[child + 1], &all[child]))
        child++;
      if (!is_before (&all[child], &last))
        break;
      all[i] = all[child];
      i = child;
    }
  if (n > 0)
    all[i] = last;
  g_array_set_size (heap, n);
  return top;
}

void
ifbam_candidates_begin_step (IfbamEventEngine *self)
{
  ifbam_array_clear (self->candidates.found);
  ifbam_array_clear (self->candidates.clusters);
  for (guint k = 0; k < self->clusters.n; k++)
    {
      self->clusters.list[k].max_lead = INITIAL_PREDICTION_ERROR * self->base.spec->step;
      ifbam_array_clear (self->clusters.list[k].heap);
    }
}

gboolean
ifbam_candidate_is_stale (const IfbamEventEngine *self, const IfbamCandidate *candidate)
{
  if (candidate->link == IFBAM_STEP_END)
    return ifbam_island (self, candidate->stamp)->n_components == 0
           || ifbam_island (self, candidate->stamp)->until != candidate->hi;
  return candidate->link != IFBAM_NONE
         && (candidate->stamp != self->links.state[candidate->link].stamp
             || self->links.state[candidate->link].is_suspended);
}

guint32
ifbam_candidate_cluster (const IfbamEventEngine *self, const IfbamCandidate *candidate)
{
  return candidate->link == IFBAM_STEP_END
             ? self->clusters.of[ifbam_island (self, candidate->stamp)->first]
         : candidate->link == IFBAM_NONE ? ifbam_time_event_cluster (
               self, ifbam_schedule_get (&self->schedule, candidate->stamp))
                                         : self->clusters.of_link[candidate->link];
}

void
ifbam_candidates_push_cluster (IfbamEventEngine *self, guint32 cluster)
{
  const GArray *heap = self->clusters.list[cluster].heap;

  if (heap->len > 0)
    ifbam_heap_push (
        self->candidates.clusters,
        &(IfbamCandidate){ .lo = g_array_index (heap, IfbamCandidate, 0).lo, .link = cluster });
}

void
ifbam_candidates_distribute (IfbamEventEngine *self)
{
  for (guint i = 0; i < self->candidates.found->len; i++)
    {
      const IfbamCandidate *candidate = &g_array_index (self->candidates.found, IfbamCandidate, i);
      guint32 cluster;

      if (ifbam_candidate_is_stale (self, candidate))
        continue;
      cluster = ifbam_candidate_cluster (self, candidate);
      ifbam_heap_push (self->clusters.list[cluster].heap, candidate);
      if (g_array_index (self->clusters.list[cluster].heap, IfbamCandidate, 0).lo == candidate->lo)
        ifbam_candidates_push_cluster (self, cluster);
    }
  ifbam_array_clear (self->candidates.found);
}

gboolean
ifbam_candidates_find_first (IfbamEventEngine *self, guint32 *cluster)
{
  ifbam_candidates_distribute (self);
  while (self->candidates.clusters->len > 0)
    {
      const IfbamCandidate first = ifbam_heap_pop (self->candidates.clusters);
      const GArray *heap = self->clusters.list[first.link].heap;

      *cluster = first.link;
      if (heap->len > 0 && g_array_index (heap, IfbamCandidate, 0).lo == first.lo)
        return TRUE;
    }
  return FALSE;
}
