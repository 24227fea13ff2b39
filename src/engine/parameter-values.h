/* parameter-values.h: all numbers of a model's laws, in one lane or of variants side by side
 *
 * A lane is a variant: the same nodes and links, other numbers. What a model keeps once for each node or
 * link stands here once for each of them and each lane, lanes side by side; with one lane it is the
 * model's own. So kernels of consecutive links and nodes do all lanes of a link or node in one go.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/run-spec.h"

/* Lanes are one, or come in multiples of this. */
#define IFBAM_LANE_UNIT 8

/* A law by the clock in each lane. */
typedef struct
{
  IfbamElement *element;
  const IfbamInterpolant *course; /* what its `course` key names, or NULL */
  double *number[IFBAM_MAX_LAW];  /* (lanes) each */
  guint n_numbers;
  double *inertia; /* of a source's node (lanes); NULL: of a given node */
  gboolean alike;  /* in all lanes */
} IfbamLaneLaw;

/* A cycle asks for a given motion at so many times, several times each. */
#define IFBAM_REMEMBERED 4

/* What a given node said last. A fixed one says one thing, for ever. */
typedef struct
{
  double time[IFBAM_REMEMBERED]; /* NaN: not asked yet */
  guint oldest;
  gboolean fixed;
  const IfbamSpan *span; /* whose law it follows, in one lane */
} IfbamGivenMemory;

typedef struct
{
  const IfbamModel *model; /* not owned */
  const IfbamRunSpec *spec;
  gsize lanes;
  const double *inverse_inertia;             /* (n_free)(lanes) */
  const double *inertia;                     /* the same; NULL: the model's, in one lane */
  const double *start_position, *start_rate; /* of free nodes (n_free)(lanes); NULL: the model's */
  const double *const **parameters;          /* of batches (batches)[number](count)(lanes) */
  const IfbamLaneLaw *given, *sources;       /* NULL: the model's, in one lane */

  gsize *moving; /* given nodes that move (n_moving) */
  gsize n_moving;
  IfbamGivenMemory *memory; /* of given nodes (n_nodes - n_free) */
  /* What a controller makes of given motions x: base + strength x (n_nodes - n_free), in one lane; NULL: none does. */
  struct _IfbamSteering
  {
    double base, strength;
  } * steering;
  /* What is said from outside beside given motions: that of index 1 from a time on, that of 0 before it (n_nodes -
   * n_free), in one lane; NULL: nothing is. */
  struct _IfbamShift
  {
    double from[2], position[2], rate[2], acceleration[2];
  } * shift;
  double *
      motion; /* position, rate, acceleration at these times (n_nodes - n_free)(remembered)(3)(lanes) */
} IfbamNumbers;

/* The model's own, in one lane; others put theirs in the place of these. */
IfbamNumbers *ifbam_numbers_new (const IfbamModel *model, const IfbamRunSpec *spec, gsize lanes);
void ifbam_numbers_free (IfbamNumbers *numbers);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamNumbers, ifbam_numbers_free)
/* After numbers of given nodes have changed. */
void ifbam_numbers_forget (IfbamNumbers *numbers);

/* From a time on a given node goes beside its law as is said from outside, from where it was: order 0: on a line to
 * `value`, which it reaches at `until`; 1: at this rate; 2: at this acceleration. FALSE: so it does. */
gboolean ifbam_numbers_shift (IfbamNumbers *numbers, gsize node, guint order, double value,
                              double time, double until);

/* From a time on a given node's rate is so many times its law's. */
void ifbam_numbers_steer (IfbamNumbers *numbers, gsize node, double time, double strength);
/* Of a motion by its law: as it is steered. */
static inline void
ifbam_numbers_follow (const IfbamNumbers *numbers, gsize node, IfbamMotion *motion)
{
  const struct _IfbamSteering *steering = numbers->steering;

  if (steering == NULL)
    return;
  steering += node - numbers->model->n_free;
  motion->position = steering->base + steering->strength * motion->position;
  motion->rate *= steering->strength;
  motion->acceleration *= steering->strength;
}

/* Of given node number `given`, at a time at which it has not been asked. */
const double *ifbam_numbers_ask_motion (IfbamNumbers *numbers, gsize given, double time);

/* Position, rate and acceleration of a given node at a time (3)(lanes), computed once for each time: they
 * stay until IFBAM_REMEMBERED other times were asked for. */
static inline const double *
ifbam_numbers_motion (IfbamNumbers *numbers, gsize node, double time)
{
  const gsize given = node - numbers->model->n_free, size = 3 * numbers->lanes;
  const IfbamGivenMemory *memory = &numbers->memory[given];
  const double at = memory->fixed ? 0 : time;

  /* What was asked last is asked again first. */
  for (guint n = 0, k = memory->oldest; n < IFBAM_REMEMBERED; n++)
    {
      k = (k + IFBAM_REMEMBERED - 1) % IFBAM_REMEMBERED;
      if (memory->time[k] == at)
        return numbers->motion + (given * IFBAM_REMEMBERED + k) * size;
    }
  return ifbam_numbers_ask_motion (numbers, given, at);
}

void ifbam_numbers_lanes_source (const IfbamNumbers *numbers, gsize source, double time,
                                 double *value);

/* What a source says at a time (lanes). */
static inline void
ifbam_numbers_source (const IfbamNumbers *numbers, gsize source, double time, double *value)
{
  if (numbers->sources == NULL)
    *value = ifbam_model_source (numbers->model, source, time);
  else
    ifbam_numbers_lanes_source (numbers, source, time, value);
}

/* A field's energy with its node at these positions [J] (lanes). */
void ifbam_numbers_field_energy (const IfbamNumbers *numbers, gsize source, const double *position,
                                 double *energy);
