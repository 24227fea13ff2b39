/* distributed-engine-internal.h: data of the distributed engine; its events and its saved states
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "event/event.h"
#include "run/subdomain.h"

/* An event, with its sort keys over all ranks. */
typedef struct
{
  guint64 step;
  guint32 cluster;
  IfbamEvent event;
} NewEvent;

typedef struct
{
  IfbamEngine base;
  IfbamEngine *inner;
  const IfbamSubdomain *part; /* not owned */
  IfbamBuffer *send, *take;   /* (ranks) */
  gsize n_probes;             /* of the last advance: */
  gsize *order;               /* the probes in file order */
  guint8 *told;               /* TRUE: this rank stores the probe (n_probes) */
  double advancing, telling;  /* processor time [s] */
  double *state;              /* of the whole network: columns, then answers; NULL: not needed */
  /* Networks with scheduled events: advances the steps that these cut; else NULL. */
  IfbamEventEngine *event;
  IfbamState *kept; /* scratch: a state of the inner engine */
  gboolean begins;  /* the event engine has the state */
  /* Networks with whole components (part->keeper): the event engine advances this rank's ones. */
  gboolean has_own;
  double *x, *v;         /* scratch (n_nodes) */
  GArray *new_events;    /* NewEvent: of the present steps */
  gboolean wants_events; /* a rank lists events */
  char *first_held;      /* scratch */
} IfbamRanksEngine;

/* Returns the step of the engine's sample. */
static inline guint64
ifbam_ranks_row (const IfbamRanksEngine *self)
{
  return self->inner->steps - ifbam_engine_lookahead (self->base.spec);
}

/* Returns the count of samples up to a step, including the start. */
static inline gsize
ifbam_ranks_rows_until (const IfbamRunSpec *spec, const IfbamProbes *probes, guint64 steps)
{
  const guint64 lookahead = ifbam_engine_lookahead (spec);

  return steps < lookahead ? 0 : (gsize) ((steps - lookahead) / probes->stride + 1);
}

/* distributed-events.c: starts the event engine; combines failures, suspended links of ranks. */
void ifbam_ranks_start_events (IfbamRanksEngine *self);
void ifbam_ranks_share_start (IfbamRanksEngine *self);
/* Returns the count of steps before the next one that a scheduled event cuts. */
guint64 ifbam_ranks_count_free_steps (const IfbamRanksEngine *self);
/* Advances one step by the event engine; row: index of the next sample in probes (NULL: none). */
void ifbam_ranks_step_by_events (IfbamRanksEngine *self, const IfbamProbes *probes, gsize row);
/* Advances this rank's whole components by the steps that its other nodes have done. */
void ifbam_ranks_step_own (IfbamRanksEngine *self, guint64 steps, const IfbamProbes *probes,
                           gsize row);
/* Copies nodes of whole components, events, failures to all ranks. */
void ifbam_ranks_share_whole_components (IfbamRanksEngine *self);
/* Returns the energy of unbatched links, over all ranks [J]. */
double ifbam_ranks_stored_energy (const IfbamRanksEngine *self);
double ifbam_ranks_get_by_events (IfbamEngine *base, IfbamQuantity quantity, gsize index);

/* distributed-states.c: saved states of the whole network, see IfbamEngineClass. */
GArray *ifbam_ranks_list_state (IfbamEngine *base, gboolean write);
void ifbam_ranks_rebuild (IfbamEngine *base, guint64 steps);
