/* parameter-values.h: parameter values of all laws of a model, for one or more lanes
 *
 * A lane is a variant: the same nodes and links with other parameters. Arrays have one value per
 * node or link and lane, lanes contiguous; one lane uses the model's arrays. So kernels of
 * consecutive links and nodes compute all lanes in one call.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/run-spec.h"

/* More than one lane come in multiples of this. */
#define IFBAM_LANE_UNIT 8

/* A law that depends on time, in each lane. */
typedef struct
{
  IfbamElement *element;
  const IfbamInterpolant *course; /* of its `course` key; NULL: none */
  double *number[IFBAM_MAX_LAW];  /* (lanes) each */
  guint n_numbers;
  double *inertia; /* of a source's node (lanes); NULL for a given node */
  gboolean alike;  /* equal in all lanes */
} IfbamLaneLaw;

/* Times of a given motion that a cycle evaluates several times each. */
#define IFBAM_STORED_MOTIONS 4

/* Last motions of a given node. A fixed one has a single motion. */
typedef struct
{
  double time[IFBAM_STORED_MOTIONS]; /* NaN: not evaluated yet */
  guint oldest;
  gboolean fixed;
  const IfbamSpan *span; /* with its law, in one lane */
} IfbamGivenMemory;

typedef struct
{
  const IfbamModel *model; /* not owned */
  const IfbamRunSpec *spec;
  gsize lanes;
  const double *inverse_inertia;             /* (n_free)(lanes) */
  const double *inertia;                     /* (n_free)(lanes); NULL: the model's, in one lane */
  const double *start_position, *start_rate; /* of free nodes (n_free)(lanes); NULL: the model's */
  const double *const **parameters;          /* of batches (batches)[number](count)(lanes) */
  const IfbamLaneLaw *given, *sources;       /* NULL: the model's, in one lane */

  gsize *moving; /* given nodes that move (n_moving) */
  gsize n_moving;
  IfbamGivenMemory *memory; /* of given nodes (n_nodes - n_free) */
  /* Scaling of given motions by controllers: base + strength x (n_nodes - n_free); NULL: none. */
  struct _IfbamMotionScale
  {
    double base, strength;
  } * motion_scale;
  /* Motions that the caller adds to given ones: that of index 1 from a time on, of index 0 before
   * (n_nodes - n_free), one lane; or NULL. */
  struct _IfbamShift
  {
    double from[2], position[2], rate[2], acceleration[2];
  } * shift;
  /* position, rate, acceleration (n_nodes - n_free)(IFBAM_STORED_MOTIONS)(3)(lanes) */
  double *motion;
} IfbamParameterValues;

/* Returns the model's values, in one lane; the caller can replace arrays. */
IfbamParameterValues *ifbam_parameter_values_new (const IfbamModel *model, const IfbamRunSpec *spec,
                                                  gsize lanes);
void ifbam_parameter_values_free (IfbamParameterValues *numbers);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamParameterValues, ifbam_parameter_values_free)
/* Discards the last motions, after parameters of given nodes have changed. */
void ifbam_parameter_values_discard_motions (IfbamParameterValues *numbers);

/* From `time` on adds a motion to a given node's law, from its position then: order 0: along a line
 * to `value`, reached at `until`; 1: with this rate; 2: with this acceleration. Returns FALSE if
 * this is the present motion. */
gboolean ifbam_parameter_values_shift (IfbamParameterValues *numbers, gsize node, guint order,
                                       double value, double time, double until);

/* From `time` on multiplies a given node's rate by `strength`. */
void ifbam_parameter_values_set_scale (IfbamParameterValues *numbers, gsize node, double time,
                                       double strength);
/* Applies the scaling to a motion of the law. */
static inline void
ifbam_parameter_values_apply_scale (const IfbamParameterValues *numbers, gsize node,
                                    IfbamMotion *motion)
{
  const struct _IfbamMotionScale *motion_scale = numbers->motion_scale;

  if (motion_scale == NULL)
    return;
  motion_scale += node - numbers->model->n_free;
  motion->position = motion_scale->base + motion_scale->strength * motion->position;
  motion->rate *= motion_scale->strength;
  motion->acceleration *= motion_scale->strength;
}

/* Evaluates given node `given` at a new time. */
const double *ifbam_parameter_values_compute_motion (IfbamParameterValues *numbers, gsize given,
                                                     double time);

/* Returns position, rate and acceleration of a given node at a time (3)(lanes), evaluated once per
 * time; valid until IFBAM_STORED_MOTIONS other times were evaluated. */
static inline const double *
ifbam_parameter_values_motion (IfbamParameterValues *numbers, gsize node, double time)
{
  const gsize given = node - numbers->model->n_free, size = 3 * numbers->lanes;
  const IfbamGivenMemory *memory = &numbers->memory[given];
  const double at = memory->fixed ? 0 : time;

  /* Begins with the last time, which is the most frequent one. */
  for (guint n = 0, k = memory->oldest; n < IFBAM_STORED_MOTIONS; n++)
    {
      k = (k + IFBAM_STORED_MOTIONS - 1) % IFBAM_STORED_MOTIONS;
      if (memory->time[k] == at)
        return numbers->motion + (given * IFBAM_STORED_MOTIONS + k) * size;
    }
  return ifbam_parameter_values_compute_motion (numbers, given, at);
}

void ifbam_parameter_values_lanes_source (const IfbamParameterValues *numbers, gsize source,
                                          double time, double *value);

/* Returns the force of a source at a time (lanes). */
static inline void
ifbam_parameter_values_source (const IfbamParameterValues *numbers, gsize source, double time,
                               double *value)
{
  if (numbers->sources == NULL)
    *value = ifbam_model_source (numbers->model, source, time);
  else
    ifbam_parameter_values_lanes_source (numbers, source, time, value);
}

/* A field's energy with its node at these positions [J] (lanes). */
void ifbam_parameter_values_field_energy (const IfbamParameterValues *numbers, gsize source,
                                          const double *position, double *energy);
