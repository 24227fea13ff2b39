/* engine-class.h: interface of the engines that execute a compiled network
 *
 * Engines: compiled (kernels over columns), objects (messages), event (with located events, by
 * columns or objects), dual (compiled where no event is near), distributed (one part per process).
 * An engine has eight functions; account, log and interrupt are data.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <math.h>

#include "base/exact-sum.h"
#include "engine/ifbam-event.h"
#include "engine/parameter-values.h"
#include "engine/snapshot.h"

typedef struct _IfbamEngine IfbamEngine;

/* Called in each stage before forces are computed, with positions and rates of all nodes. */
typedef void (*IfbamStageListener) (gpointer data, guint stage, const double *position,
                                    const double *rate);

/* Nodes to record within an advance, at the samples (see ifbam_engine_lookahead) with a step that
 * is a multiple of the stride. Samples are stored one after the other, n values each. */
typedef struct
{
  gsize n;
  const gsize *node; /* increasing (n) */
  guint64 stride;
  double *position, *rate; /* (samples * n) */
} IfbamProbes;

/* Adaptive steps, and equations of implicit schemes. */
typedef struct
{
  guint64 taken, rejected;
  guint64 factorings;        /* of matrices */
  guint64 damped, continued; /* stages solved by shortened corrections, by loads that grow from 0 */
  guint64 rounded; /* taken steps with an error above the tolerance that is due to rounding */
  gsize worst;     /* node with the largest such error in its rate, */
  double rounding; /* relative to the largest rate */
} IfbamStepCount;

/* Work since the start [J]. */
typedef struct
{
  double dissipated;  /* losses; negative ones, too */
  double supplied;    /* external work */
  double gross_work;  /* sum of the amounts of external work */
  double link_supply; /* sum of the amounts of negative losses: energy that active links supplied */
} IfbamWorkTotals;

/* Work that an account is to contain. */
typedef enum
{
  IFBAM_ACCOUNT_NONE,
  IFBAM_ACCOUNT_SUPPLY, /* external work only, for the divergence check */
  IFBAM_ACCOUNT_FULL,
} IfbamAccountLevel;

/* Work that an engine books itself; the energy balance integrates other work over samples. */
typedef enum
{
  IFBAM_BOOKS_NONE,
  IFBAM_BOOKS_EVENTS, /* external work of events: IFBAM_WORK_GROSS */
  IFBAM_BOOKS_ALL,
} IfbamBookedWork;

/* Quantities of a sample; index: of an unbatched link, slot, node or source; of work: 0. */
typedef enum
{
  IFBAM_LINK_FORCE, /* of its law, or its reaction */
  IFBAM_LINK_COMPRESSION,
  IFBAM_LINK_RATE,
  IFBAM_LINK_MODE,
  IFBAM_LINK_OUTPUT, /* of a controller */
  IFBAM_LINK_DISSIPATED,
  IFBAM_LINK_STORED,       /* [J]; 0 if another engine computes it */
  IFBAM_SLOT_DISSIPATED,   /* of a batched link, by its slot [J] */
  IFBAM_NODE_ACCELERATION, /* of a free node, reactions included */
  IFBAM_SOURCE_STRENGTH,   /* factor of a source's force */
  IFBAM_WORK_DISSIPATED,   /* IfbamWorkTotals; only work that the engine books */
  IFBAM_WORK_SUPPLIED,
  IFBAM_WORK_GROSS,
  IFBAM_WORK_LINK_SUPPLY,
} IfbamQuantity;

/* Energy check at a sample that an advance passes by. */
typedef struct
{
  gboolean is_offered; /* by the engine */
  gboolean is_wanted;  /* set by the caller; the advance computes the energy of its first sample, */
  double energy;       /* stores it here [J], and clears is_wanted */
} IfbamPassingCheck;

/* Called with all coordinates (n_nodes) just before and just after an event. */
typedef void (*IfbamEventListener) (gpointer data, double time, const double *position,
                                    const double *rate, gboolean after);

/* Events of a run, and the failure that ended it. The caller sets `events` and the listener. */
typedef struct
{
  GArray *events;      /* IfbamEvent, by time; NULL: not wanted (owned) */
  char *failure;       /* error message; NULL: no failure (owned) */
  double failure_time; /* [s] */
  /* Suspended links and lumped events: count, and first one (link: unbatched) with its time [s]. */
  struct
  {
    guint n;
    guint32 link;
  } suspended;
  double first_suspended_time;
  const char *first_suspended; /* name (not owned); NULL: none */
  IfbamEventListener listener; /* NULL: none */
  gpointer listener_data;
  double sample_time; /* of the sample that the listener gets [s]; NaN: none is evaluated */
} IfbamEventLog;

/* Check whether a run is to end, called now and then within steps that take long. */
typedef struct
{
  gboolean (*may_continue) (
      gpointer data); /* FALSE: the engine fails as interrupted; NULL: no check */
  gpointer data;
  guint work;       /* since the last check */
  double work_time; /* of the last work, after the step's start [s] */
} IfbamInterrupt;

typedef struct
{
  /* Sets the initial state. */
  void (*start) (IfbamEngine *engine);
  /* probes: NULL: none; only if the engine records_probes. Returns FALSE if log->failure is set. */
  gboolean (*advance) (IfbamEngine *engine, guint64 steps, const IfbamProbes *probes);
  /* Stores the sample's positions and rates (ifbam_engine_lookahead), nodes first <= i < last. */
  void (*get_nodes) (IfbamEngine *engine, gsize first, gsize last, double *position, double *rate);
  /* NaN: to be evaluated from a state view. NULL: always NaN. */
  double (*get) (IfbamEngine *engine, IfbamQuantity quantity, gsize index);
  /* Returns the energy of the sample [J], for the divergence check; not finite if a coordinate is
   * not. NULL: to be computed from a state view. */
  double (*check_energy) (IfbamEngine *engine);
  /* Lists the columns that determine all further steps (IfbamStateColumn), valid until the next
   * call. write: to write other values there, then call rebuild. NULL: can't be saved. */
  GArray *(*list_state) (IfbamEngine *engine, gboolean write);
  /* Computes derived data after columns were written, at a number of steps. */
  void (*rebuild) (IfbamEngine *engine, guint64 steps);
  void (*free) (IfbamEngine *engine);
} IfbamEngineClass;

struct _IfbamEngine
{
  const IfbamEngineClass *class;
  const IfbamModel *model;       /* not owned */
  const IfbamModel *state_model; /* model that saved states describe; NULL: `model` (not owned) */
  const IfbamRunSpec *spec;      /* not owned */
  IfbamParameterValues *numbers; /* parameter values, and last values of given nodes; owned */
  guint64 steps;                 /* done since the start */
  gboolean records_probes;       /* FALSE: the caller has to advance to each sample */
  IfbamBookedWork books;
  IfbamAccountLevel account_level; /* of an engine that books work; set before the start */
  IfbamPassingCheck passing;

  IfbamEventLog *log; /* never NULL; owned, unless it is that of another engine */
  IfbamStepCount count;
  IfbamInterrupt interrupt;    /* set before the start */
  IfbamStageListener listener; /* NULL: none */
  gpointer listener_data;
};

/* threads: 0 chooses by the size of the network. No result depends on it. */
IfbamEngine *ifbam_compiled_engine_new (const IfbamModel *model, const IfbamRunSpec *spec,
                                        guint threads);
IfbamEngine *ifbam_objects_engine_new (const IfbamModel *model, const IfbamRunSpec *spec);
/* For networks with events, and implicit schemes. unlocated: events take place at steps' ends. */
IfbamEngine *ifbam_event_engine_new (const IfbamModel *model, const IfbamRunSpec *spec,
                                     gboolean unlocated);
/* The event engine with the dialogue of objects as evaluator. */
IfbamEngine *ifbam_objects_event_engine_new (const IfbamModel *model, const IfbamRunSpec *spec,
                                             gboolean unlocated);
/* The event engine, with the compiled engine for event-free clusters if that is faster; then
 * without booked work. Results have equal bits. */
IfbamEngine *ifbam_dual_engine_new (const IfbamModel *model, const IfbamRunSpec *spec,
                                    guint threads);

IfbamEventLog *ifbam_event_log_new (void);
void ifbam_event_log_free (IfbamEventLog *log);
/* Records events from the start on. */
void ifbam_engine_record_events (IfbamEngine *engine);

/* Adds the energies of unbatched links [J], of an engine that books work. */
void ifbam_engine_add_stored (IfbamEngine *engine, IfbamExactSum *sum);
/* Returns the work that an engine books. */
IfbamWorkTotals ifbam_engine_work (IfbamEngine *engine);

/* Returns all data that determine the next steps. A started engine of the same model and spec,
 * compiled or of objects, continues from them with equal bits. NULL: it can't be saved. */
IfbamState *ifbam_engine_get_state (IfbamEngine *engine);
/* FALSE with IFBAM_ERROR_USAGE: the state doesn't fit, and nothing has changed. */
gboolean ifbam_engine_set_state (IfbamEngine *engine, const IfbamState *state, GError **error);
/* With more columns (IfbamStateColumn), of the caller; NULL: none. */
IfbamState *ifbam_engine_get_state_with (IfbamEngine *engine, const GArray *more);
gboolean ifbam_engine_set_state_with (IfbamEngine *engine, const IfbamState *state,
                                      const GArray *more, GError **error);
/* Saves the state for use in this process, without a description of the network. kept: state to
 * overwrite; NULL: makes one. */
IfbamState *ifbam_engine_save_state (IfbamEngine *engine, IfbamState *kept);
/* Restores such a state, at step `steps`. */
void ifbam_engine_restore_state (IfbamEngine *engine, const IfbamState *kept, guint64 steps);

/* Calls of the class's functions. */
static inline void
ifbam_engine_start (IfbamEngine *engine)
{
  engine->class->start (engine);
}

static inline gboolean
ifbam_engine_advance (IfbamEngine *engine, guint64 steps, const IfbamProbes *probes)
{
  return engine->class->advance (engine, steps, probes);
}

static inline void
ifbam_engine_get_nodes (IfbamEngine *engine, gsize first, gsize last, double *position,
                        double *rate)
{
  engine->class->get_nodes (engine, first, last, position, rate);
}

static inline double
ifbam_engine_get (IfbamEngine *engine, IfbamQuantity quantity, gsize index)
{
  return engine->class->get == NULL ? NAN : engine->class->get (engine, quantity, index);
}

static inline double
ifbam_engine_check_energy (IfbamEngine *engine)
{
  return engine->class->check_energy (engine);
}

static inline GArray *
ifbam_engine_list_state (IfbamEngine *engine, gboolean write)
{
  return engine->class->list_state (engine, write);
}

static inline void
ifbam_engine_rebuild (IfbamEngine *engine, guint64 steps)
{
  engine->class->rebuild (engine, steps);
}

void ifbam_engine_free (IfbamEngine *engine);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamEngine, ifbam_engine_free)

/* Returns TRUE if the event engine is needed: for events, or for a table of stages. */
static inline gboolean
ifbam_engine_by_events (const IfbamModel *model, const IfbamRunSpec *spec)
{
  return ifbam_model_has_events (model) || ifbam_scheme_tableau (spec->scheme) != NULL;
}

/* Returns the event engine if it is needed, else the compiled engine (transfer full). */
static inline IfbamEngine *
ifbam_engine_new_as_needed (const IfbamModel *model, const IfbamRunSpec *spec, guint threads)
{
  return ifbam_engine_by_events (model, spec) ? ifbam_event_engine_new (model, spec, FALSE)
                                              : ifbam_compiled_engine_new (model, spec, threads);
}

/* Returns the steps by which an engine has to be ahead of a sample: 1 for flip-flop schemes. */
static inline guint64
ifbam_engine_lookahead (const IfbamRunSpec *spec)
{
  return spec->scheme->latency ? 1 : 0;
}

/* Returns the index of the sample, among those of an advance that began at `steps`, which is
 * complete after `now` steps; FALSE: none of the probes' samples. */
gboolean ifbam_probes_row (const IfbamRunSpec *spec, const IfbamProbes *probes, guint64 steps,
                           guint64 now, gsize *row);
