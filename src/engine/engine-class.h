/* engine-class.h: what executes a model: kernels over its columns, or the objects in dialogue
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/exact-sum.h"
#include "engine/ifbam-event.h"
#include "engine/parameter-values.h"
#include "engine/snapshot.h"

typedef struct _IfbamEngine IfbamEngine;

/* Is told, before the nodes hear, what they have said at a stage: position and rate of all nodes. */
typedef void (*IfbamStageListener) (gpointer data, guint stage, const double *position,
                                    const double *rate);

/* Nodes that are looked at in the middle of an advance: at every row (see below) whose step number is a
 * multiple of the stride. The rows follow each other in position and rate, n values each. */
typedef struct
{
  gsize n;
  const gsize *node; /* increasing (n) */
  guint64 stride;
  double *position, *rate; /* (rows * n) */
} IfbamProbes;

/* Steps that a tolerance has chosen, and how often equations were factored for them. */
typedef struct
{
  guint64 taken, rejected, factorings;
  guint64 rounded; /* of what is taken: more wrong than the tolerance, by rounding alone */
  gsize worst;     /* whose rate is so most, */
  double rounding; /* in parts of the fastest */
} IfbamStepCount;

/* Work since the start [J]: losses (negative ones, too), external work, the sum of its amounts, and the sum of all negative
 * losses without their sign: the energy that active links brought. */
typedef struct
{
  double dissipated, supplied, turnover, brought;
} IfbamWorkTotals;

typedef enum
{
  IFBAM_LINK_FORCE, /* of its law, or its reaction */
  IFBAM_LINK_COMPRESSION,
  IFBAM_LINK_RATE,
  IFBAM_LINK_MODE,
  IFBAM_LINK_OUTPUT, /* of a controller */
  IFBAM_LINK_DISSIPATED,
} IfbamLinkQuantity;

struct _IfbamEngine
{
  const IfbamModel *model; /* not owned */
  const IfbamModel
      *of; /* of whom states are, where that is not the model; NULL: of it (not owned) */
  const IfbamRunSpec *spec; /* not owned */
  IfbamNumbers *numbers;    /* the model's, and what given nodes said last; owned */
  guint64 steps;            /* done since the start */
  gboolean tells_probes;    /* else it has to stop at every row that is asked for */
  gboolean keeps_account;   /* what work was done is asked of it, not booked from its rows */

  /* Sets the state of the start. */
  void (*start) (IfbamEngine *engine);
  /* probes may be NULL; they are told if the engine tells_probes. */
  void (*advance) (IfbamEngine *engine, guint64 steps, const IfbamProbes *probes);
  /* Positions and rates of the row's time (see ifbam_engine_lookahead) of nodes first <= i < last, to
   * position[0] and rate[0] on. */
  void (*observe) (IfbamEngine *engine, gsize first, gsize last, double *position, double *rate);
  /* Energy of the row, to see whether a run diverges: without columns for all nodes. Not finite where a
   * node or link is not. NULL: not offered. */
  double (*look) (IfbamEngine *engine);
  /* Where the engine can (look_in_passing), the next advance looks at the row that it starts from while
   * it passes by, if look_next says so; then `looked` is that row's energy, and look_next is FALSE. */
  gboolean look_in_passing, look_next;
  double looked;
  /* Lists where all that the next steps depend on stands (IfbamStateColumn), valid until the engine is asked for anything
   * else. write: to get other values there, then it is told that it stands at a step with these. NULL: it can't go on. */
  GArray *(*list_state) (IfbamEngine *engine, gboolean write);
  void (*stand) (IfbamEngine *engine, guint64 steps);
  void (*free) (IfbamEngine *engine);

  /* Only of networks with events; else all of these are NULL. */

  /* Why it can't go on (not owned), and from which time on; NULL: it can. */
  const char *(*failure) (IfbamEngine *engine, double *time);
  /* If it keeps an account, or a part of one: it shall, from before the start on; full: what is dissipated, too. */
  void (*keep_account) (IfbamEngine *engine, gboolean full);
  IfbamWorkTotals (*account) (IfbamEngine *engine);
  /* Adds what its single links store now. */
  void (*add_stored) (IfbamEngine *engine, IfbamExactSum *sum);
  /* Of links and nodes at the row: reactions count. */
  double (*link) (IfbamEngine *engine, gsize link, IfbamLinkQuantity quantity);
  double (*link_dissipated) (IfbamEngine *engine, gsize slot);
  double (*acceleration) (IfbamEngine *engine, gsize node); /* of a free one */
  /* What a source is multiplied by; NULL: they all say what their laws do. */
  double (*strength) (IfbamEngine *engine, gsize source);
  /* What impulses have fed and taken since the start [J]; only of an engine that keeps no account. */
  double (*struck) (IfbamEngine *engine);
  /* How many times a link had too many events in a step, and was held closed to its end; the first one (not
   * owned) and when, if there was one. */
  guint (*held) (IfbamEngine *engine, const char **first, double *time);
  /* NULL: no tolerance chooses steps. */
  IfbamStepCount (*count) (IfbamEngine *engine);
  GArray *events; /* IfbamEvent: appended to, if the caller has set it; owned */
  /* Is told all coordinates (n_nodes) just before and just after an event; NULL: nobody asks. */
  void (*event_row) (gpointer data, double time, const double *position, const double *rate,
                     gboolean after);
  gpointer event_row_data;
  /* Asked now and then within steps that take long; FALSE: the engine fails, as interrupted. NULL: nobody
   * is to be asked. */
  gboolean (*goes_on) (gpointer data);
  gpointer goes_on_data;

  /* Of the compiled engine: does steps on its columns and answers in the place of its kernels, with the same numbers, and
   * tells the probes; FALSE: not these, and nothing has changed. NULL: nobody does. */
  gboolean (*carry) (IfbamEngine *engine, double *const *column, double *const *answer,
                     guint64 steps, const IfbamProbes *probes);
  gpointer carry_data;
  GDestroyNotify carry_free;

  IfbamStageListener listener; /* NULL: nobody listens */
  gpointer listener_data;
};

/* threads: 0 chooses by the size of the network. No result depends on it. */
IfbamEngine *ifbam_compiled_engine_new (const IfbamModel *model, const IfbamRunSpec *spec,
                                        guint threads);
IfbamEngine *ifbam_objects_engine_new (const IfbamModel *model, const IfbamRunSpec *spec);
/* For networks with events, and implicit schemes. unlocated: events take place at the ends of steps. */
IfbamEngine *ifbam_event_engine_new (const IfbamModel *model, const IfbamRunSpec *spec,
                                     gboolean unlocated);
/* The same by the dialogue of the objects. */
IfbamEngine *ifbam_objects_event_engine_new (const IfbamModel *model, const IfbamRunSpec *spec,
                                             gboolean unlocated);
/* The same numbers, by the compiled engine where nothing happens, if that gains anything; it keeps no account
 * of work then. */
IfbamEngine *ifbam_dual_engine_new (const IfbamModel *model, const IfbamRunSpec *spec,
                                    guint threads);

/* All that the next steps depend on: an engine of the same model and spec, compiled or of objects, that was
 * started and then got it goes on with the same bits. NULL: it can't go on. */
IfbamState *ifbam_engine_get_state (IfbamEngine *engine);
/* FALSE with IFBAM_ERROR_USAGE: the state doesn't fit, and nothing has changed. */
gboolean ifbam_engine_set_state (IfbamEngine *engine, const IfbamState *state, GError **error);
/* The same with more columns (IfbamStateColumn), of who runs the engine; NULL: none. */
IfbamState *ifbam_engine_get_state_with (IfbamEngine *engine, const GArray *more);
gboolean ifbam_engine_set_state_with (IfbamEngine *engine, const IfbamState *state,
                                      const GArray *more, GError **error);
/* A state that stays here: without words on the network. NULL makes one; else it is made anew. */
IfbamState *ifbam_engine_keep_state (IfbamEngine *engine, IfbamState *kept);
/* Goes back to such a state, and stands at `steps` then. */
void ifbam_engine_take_state (IfbamEngine *engine, const IfbamState *kept, guint64 steps);
void ifbam_engine_free (IfbamEngine *engine);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamEngine, ifbam_engine_free)

/* Whether a network is for the event engine: something happens in it, or its nodes have to agree where they go. */
static inline gboolean
ifbam_engine_by_events (const IfbamModel *model, const IfbamRunSpec *spec)
{
  return ifbam_model_has_events (model) || ifbam_scheme_tableau (spec->scheme) != NULL;
}

/* Flip-flop schemes can tell a row only when the cycle after it is done. */
static inline guint64
ifbam_engine_lookahead (const IfbamRunSpec *spec)
{
  return spec->scheme->latency ? 1 : 0;
}

/* Of the rows of an advance from `steps` on, the number of the one that is told when the engine has
 * done `now` steps; FALSE where that is no row of the probes. */
gboolean ifbam_probes_row (const IfbamRunSpec *spec, const IfbamProbes *probes, guint64 steps,
                           guint64 now, gsize *row);
