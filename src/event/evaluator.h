/* evaluator.h: evaluation of forces and motions for the event engine
 *
 * The event engine locates events and solves coupled equations. An evaluator computes forces and
 * motions: from the columns, by the model's batches (column-evaluator.c), or as objects, each from
 * its own state and its messages (dialogue/object-evaluator.c); objects store their results in the
 * engine's columns. A column holds one value per node for one time: the present, a trial, a stage.
 * Its address identifies it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/engine.h"

typedef struct _IfbamEventEngine IfbamEventEngine;
typedef struct _IfbamComponent IfbamComponent;
typedef struct _IfbamSystem IfbamSystem;
typedef struct _IfbamStage IfbamStage;

/* Evaluation of forces and motions; no callback is NULL. Components: `first` and its successors in
 * its island. Times `from` are after the step's start [s], others are absolute. */
typedef struct
{
  gboolean sets_fixed; /* given nodes that do not move have to be set like moving ones */
  /* Computes the forces of links and sources at a time [s], and sums them by node. mean: means over
   * a path that two further columns define. */
  void (*compute_forces) (IfbamEventEngine *self, const IfbamComponent *first,
                          double *const *column, gboolean mean, double time);
  /* A step of length h [s]: start from x, v and accelerations; one stage; end, stored in x, v. */
  void (*begin_step) (IfbamEventEngine *self, const IfbamComponent *first,
                      const IfbamScheme *scheme, const double *x, const double *v, double h);
  void (*run_stage) (IfbamEventEngine *self, const IfbamComponent *first, const IfbamScheme *scheme,
                     guint stage, const IfbamNodeBatch *nodes);
  void (*end_step) (IfbamEventEngine *self, const IfbamComponent *first, const IfbamScheme *scheme,
                    double *x, double *v);
  /* Sets the given nodes at the links of one component to a time [s]. */
  void (*set_given) (IfbamEventEngine *self, const IfbamComponent *component, double time,
                     double *position, double *rate);
  /* Flip-flop schemes: computes one component's forces of the next cycle; sums those in transit at
   * all nodes. */
  void (*compute_cycle_forces) (IfbamEventEngine *self, const IfbamComponent *component,
                                double *const *column, double time, double *output);
  void (*sum_cycle_forces) (IfbamEventEngine *self, const double *output);
  /* Returns the parameters of a batched link, for its force derivatives. room: IFBAM_MAX_LAW. */
  const double *(*get_parameters) (const IfbamEventEngine *self, const IfbamBatch *batch,
                                   gsize index, double *room);

  /* Follow changes that the engine has made in its columns. */
  /* The nodes of a component (NULL: all nodes, given ones too) were copied between columns. */
  void (*copied) (IfbamEventEngine *self, const IfbamComponent *component, const double *from,
                  double *to);
  /* The force that an unbatched link computed last is in transit. */
  void (*force_sent) (IfbamEventEngine *self, guint32 link);
  /* A node got an impulse [N s]; a reaction [N] was subtracted from the forces on a link's nodes;
   * values of n nodes, or at the active links of an island, were set in n_columns columns. */
  void (*impulse_applied) (IfbamEventEngine *self, guint32 node, double impulse);
  void (*reaction_subtracted) (IfbamEventEngine *self, const IfbamLink *link, const double *row,
                               double reaction);
  void (*values_set) (IfbamEventEngine *self, const guint32 *nodes, guint n, guint n_columns,
                      double *const *column);
  void (*rows_set) (IfbamEventEngine *self, const GArray *links, guint n_columns,
                    double *const *column);
  /* All columns were restored. */
  void (*state_restored) (IfbamEventEngine *self);
  /* Newton iteration `iteration` (from 0) of an implicit stage in a part of a step, which begins at
   * `from`: the linear system for a time [s] was assembled (newton-system.h); it was solved. */
  void (*system_assembled) (IfbamEventEngine *self, IfbamSystem *system, const IfbamStage *stage,
                            double from, double time, guint iteration);
  void (*system_solved) (IfbamEventEngine *self, IfbamSystem *system);
  /* An event was logged. n nodes, and their shares -row of its impulse (NULL: 1 each). */
  void (*event_logged) (IfbamEventEngine *self, const guint32 *node, const double *row, guint n);
} IfbamEvaluator;

/* Evaluates columns by the model's batches; ignores changes, which are in the columns already. */
extern const IfbamEvaluator ifbam_column_evaluator;
