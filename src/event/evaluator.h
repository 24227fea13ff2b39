/* evaluator.h: callbacks that evaluate forces and motions for the event engine
 *
 * The event engine locates events and solves coupled equations. Forces and motions are evaluated on
 * columns, by the model's batches (island-step.c), or by objects. An object computes them from its
 * state and its messages, and stores them in the engine's columns. A column holds one value per
 * node for one time: the present, a trial, a stage. Its address identifies it to the objects.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/engine.h"

typedef struct _IfbamEventEngine IfbamEventEngine;
typedef struct _IfbamComponent IfbamComponent;
typedef struct _IfbamSystem IfbamSystem;
typedef struct _IfbamStage IfbamStage;

/* Inputs of a link at its ports, then of its states: of this cycle and of the one before. */
typedef struct
{
  double position[IFBAM_MAX_ENDS], rate[IFBAM_MAX_ENDS];
  double earlier_position[IFBAM_MAX_ENDS], earlier_rate[IFBAM_MAX_ENDS];
  int pressing; /* mode of the link that presses it */
} IfbamLinkInputs;

/* Callbacks of the objects. Times `from` are after the step's start [s], others are absolute. */
typedef struct
{
  /* Computes the forces of a component's links and sources at a time [s]; sums them at its nodes.
   * mean: means over a path that two further columns define. */
  void (*compute_forces) (IfbamEventEngine *self, const IfbamComponent *component,
                          double *const *column, gboolean mean, double time);
  void (*sum_forces) (IfbamEventEngine *self, const IfbamComponent *component);
  /* A step of length h [s]: start from x, v and accelerations; one stage; end, stored in x, v. */
  void (*begin_step) (IfbamEventEngine *self, const IfbamComponent *component,
                      const IfbamScheme *scheme, const double *x, const double *v, double h);
  void (*run_stage) (IfbamEventEngine *self, const IfbamComponent *component,
                     const IfbamScheme *scheme, guint stage, double *const *column, double h);
  void (*end_step) (IfbamEventEngine *self, const IfbamComponent *component,
                    const IfbamScheme *scheme, double *x, double *v);
  /* Sets the given nodes at a component's links to a time [s]. */
  void (*set_given) (IfbamEventEngine *self, const IfbamComponent *component, double time,
                     double *position, double *rate);
  /* Copies a component's nodes (NULL: all nodes, given ones too) from one column to another. */
  void (*copy) (IfbamEventEngine *self, const IfbamComponent *component, const double *from,
                double *to);
  /* Flip-flop schemes: compute the forces of the next cycle; sum those in transit at all nodes. */
  void (*compute_cycle_forces) (IfbamEventEngine *self, const IfbamComponent *component,
                                double *const *column, double time, double *answer);
  void (*sum_cycle_forces) (IfbamEventEngine *self, const double *answer);
  /* Returns a batched link's parameters, for its force derivatives. slot: index of its force. */
  const double *(*get_parameters) (const IfbamEventEngine *self, gsize slot);
  /* Makes the force that an unbatched link computed last its force in transit. */
  void (*send_force) (IfbamEventEngine *self, guint32 link);

  /* Changes a node: applies an impulse [N s]; subtracts a reaction [N] from its force; copies its
   * value from a column. */
  void (*apply_impulse) (IfbamEventEngine *self, guint32 node, double impulse);
  void (*subtract_reaction) (IfbamEventEngine *self, guint32 node, double reaction);
  void (*impose) (IfbamEventEngine *self, guint32 node, const double *column);
  /* Rebuilds the objects' state from the columns, which have been restored. */
  void (*rebuild) (IfbamEventEngine *self);
  /* Newton iteration `turn` (from 0) of an implicit stage in a part of a step, which begins at
   * `from`: the linear system for a time [s] is assembled (newton-system.h); then it is solved. */
  void (*system_assembled) (IfbamEventEngine *self, IfbamSystem *system, const IfbamStage *stage,
                            double from, double time, guint turn);
  void (*system_solved) (IfbamEventEngine *self, IfbamSystem *system);
  /* Reports the event logged last: n nodes, and their shares -row of its impulse (NULL: 1 each). */
  void (*event_logged) (IfbamEventEngine *self, const guint32 *node, const double *row, guint n);
} IfbamEvaluator;
