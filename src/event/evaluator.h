/* evaluator.h: who answers what the event engine asks: columns, or objects
 *
 * The engine finds instants and solves for what has to agree; forces and motions come from others. A column
 * of nodes is what nodes have said of themselves as of some time: where they are now, where a trial took
 * them, the messages of a stage. Which one is asked for is told by its pointer. Columns answer with the
 * model's batches (island-step.c). Objects compute each from its own state and what it has heard, and tell
 * the columns what they say.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/engine.h"

typedef struct _IfbamEventEngine IfbamEventEngine;
typedef struct _IfbamComponent IfbamComponent;
typedef struct _IfbamSystem IfbamSystem;
typedef struct _IfbamStage IfbamStage;

/* What a link has heard at its ports and of its own states, now and a cycle before. */
typedef struct
{
  double position[IFBAM_MAX_ENDS], rate[IFBAM_MAX_ENDS];
  double earlier_position[IFBAM_MAX_ENDS], earlier_rate[IFBAM_MAX_ENDS];
  int pressing; /* the mode of what presses it */
} IfbamHeard;

typedef struct
{
  /* Links and sources of a component answer to positions and rates at a time [s]; mean: over a path that two more
   * columns tell. Who hears them sums. */
  void (*answer) (IfbamEventEngine *self, const IfbamComponent *component, double *const *column,
                  gboolean mean, double time);
  void (*gather) (IfbamEventEngine *self, const IfbamComponent *component);
  /* A step of length h: its begin at x, v and the accelerations there, a stage, its end. */
  void (*begin) (IfbamEventEngine *self, const IfbamComponent *component, const IfbamScheme *scheme,
                 const double *x, const double *v, double h);
  void (*move) (IfbamEventEngine *self, const IfbamComponent *component, const IfbamScheme *scheme,
                guint stage, double *const *column, double h);
  void (*observe) (IfbamEventEngine *self, const IfbamComponent *component,
                   const IfbamScheme *scheme, double *x, double *v);
  /* The given nodes that a component hears, at a time [s]. */
  void (*place) (IfbamEventEngine *self, const IfbamComponent *component, double time,
                 double *position, double *rate);
  /* What a component's nodes (NULL: all, given ones too) said as of one time holds for another. */
  void (*keep) (IfbamEventEngine *self, const IfbamComponent *component, const double *from,
                double *to);
  /* Flip-flop schemes: the forces of the coming cycle; those in flight arrive (everywhere). */
  void (*cycle_answer) (IfbamEventEngine *self, const IfbamComponent *component,
                        double *const *column, double time, double *answer);
  void (*cycle_gather) (IfbamEventEngine *self, const double *answer);
  /* The numbers of a link in a batch, by its slot: how what it says changes follows from its law (see force-derivatives.h). */
  const double *(*law) (const IfbamEventEngine *self, gsize slot);
  /* What a single link said last is on its way. */
  void (*take_flight) (IfbamEventEngine *self, guint32 link);

  /* A node gets an impulse [N s]; is held back by a reaction [N] in what it feels; is told where to be, as the
   * column has it. */
  void (*push) (IfbamEventEngine *self, guint32 node, double impulse);
  void (*hold) (IfbamEventEngine *self, guint32 node, double reaction);
  void (*impose) (IfbamEventEngine *self, guint32 node, const double *column);
  /* All columns have got other values: that is what who answers has said. */
  void (*stand) (IfbamEventEngine *self);
  /* A turn (from 0 on) of Newton's method in a stage of a part that begins at a time after the step's start: the equations
   * for what is proposed at a time [s] stand (newton-system.h), and then what solves them. */
  void (*agree) (IfbamEventEngine *self, IfbamSystem *system, const IfbamStage *stage, double from,
                 double time, guint turn);
  void (*agreed) (IfbamEventEngine *self, IfbamSystem *system);
  /* Of an event that has just been noted: who was concerned; row: how an impulse's share of n nodes counts. */
  void (*told) (IfbamEventEngine *self, const guint32 *node, const double *row, guint n);
} IfbamAnswers;
