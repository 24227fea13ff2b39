/* parameter-values.c: parameter values of all laws of a model, for one or more lanes
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "engine/parameter-values.h"

#include <float.h>
#include <math.h>

IfbamParameterValues *
ifbam_parameter_values_new (const IfbamModel *model, const IfbamRunSpec *spec, gsize lanes)
{
  IfbamParameterValues *numbers = g_new0 (IfbamParameterValues, 1);
  const gsize n_given = model->n_nodes - model->n_free;

  numbers->model = model;
  numbers->spec = spec;
  numbers->lanes = lanes;
  numbers->inverse_inertia = model->inverse_inertia;
  numbers->parameters = g_new0 (const double *const *, model->batches->len + 1);
  for (guint b = 0; b < model->batches->len; b++)
    numbers->parameters[b] =
        (const double *const *) g_array_index (model->batches, IfbamBatch, b).parameters;
  numbers->moving = g_new (gsize, n_given + 1);
  numbers->memory = g_new0 (IfbamGivenMemory, n_given + 1);
  for (gsize i = model->n_free; i < model->n_nodes; i++)
    {
      IfbamGivenMemory *memory = &numbers->memory[i - model->n_free];
      gsize member;

      memory->span = ifbam_model_node_span (model, i, &member);
      memory->fixed = memory->span->info->fixed;
      if (!memory->fixed)
        numbers->moving[numbers->n_moving++] = i;
    }
  numbers->motion = g_new (double, n_given *IFBAM_STORED_MOTIONS * 3 * lanes + 1);
  ifbam_parameter_values_discard_motions (numbers);
  return numbers;
}

void
ifbam_parameter_values_free (IfbamParameterValues *numbers)
{
  if (numbers == NULL)
    return;
  g_free (numbers->parameters);
  g_free (numbers->moving);
  g_free (numbers->memory);
  g_free (numbers->motion);
  g_free (numbers->motion_scale);
  g_free (numbers->shift);
  g_free (numbers);
}

void
ifbam_parameter_values_discard_motions (IfbamParameterValues *numbers)
{
  for (gsize g = 0; g < numbers->model->n_nodes - numbers->model->n_free; g++)
    for (guint k = 0; k < IFBAM_STORED_MOTIONS; k++)
      numbers->memory[g].time[k] = NAN;
}

void
ifbam_parameter_values_set_scale (IfbamParameterValues *numbers, gsize node, double time,
                                  double strength)
{
  const gsize given = node - numbers->model->n_free;
  struct _IfbamMotionScale *motion_scale = &numbers->motion_scale[given];
  const IfbamSpan *span = numbers->memory[given].span;

  motion_scale->base += (motion_scale->strength - strength)
                        * span->info->motion (span->law, span->course, time).position;
  motion_scale->strength = strength;
  for (guint k = 0; k < IFBAM_STORED_MOTIONS; k++)
    numbers->memory[given].time[k] = NAN;
}

/* Returns the motion added by the caller at a time. */
static IfbamMotion
shift_at (const struct _IfbamShift *shift, double time)
{
  const guint k = time >= shift->from[1] ? 1 : 0;
  const double after = time - shift->from[k];

  return (IfbamMotion){ shift->position[k]
                            + (shift->rate[k] + 0.5 * shift->acceleration[k] * after) * after,
                        shift->rate[k] + shift->acceleration[k] * after, shift->acceleration[k] };
}

gboolean
ifbam_parameter_values_shift (IfbamParameterValues *numbers, gsize node, guint order, double value,
                              double time, double until)
{
  const gsize given = node - numbers->model->n_free;
  struct _IfbamShift *shift = &numbers->shift[given];
  IfbamMotion now = shift_at (shift, time);

  if (order == 0)
    {
      const double way = value - now.position;
      const gboolean there =
          fabs (way) <= 4 * DBL_EPSILON * (fabs (value) + fabs (shift->position[1]));

      now = (IfbamMotion){ there ? value : now.position, there ? 0 : way / (until - time), 0 };
    }
  else
    {
      now.rate = order == 1 ? value : now.rate;
      now.acceleration = order == 2 ? value : 0;
    }
  if (now.rate == shift->rate[1] && now.acceleration == shift->acceleration[1])
    return FALSE;
  shift->from[0] = shift->from[1];
  shift->position[0] = shift->position[1];
  shift->rate[0] = shift->rate[1];
  shift->acceleration[0] = shift->acceleration[1];
  shift->from[1] = time;
  shift->position[1] = now.position;
  shift->rate[1] = now.rate;
  shift->acceleration[1] = now.acceleration;
  for (guint k = 0; k < IFBAM_STORED_MOTIONS; k++)
    numbers->memory[given].time[k] = NAN;
  return TRUE;
}

static void
fill (double *values, gsize n, double value)
{
  for (gsize i = 0; i < n; i++)
    values[i] = value;
}

/* Copies the first lane's law. */
static void
first_law (const IfbamLaneLaw *law, double *numbers)
{
  for (guint k = 0; k < law->n_numbers; k++)
    numbers[k] = law->number[k][0];
}

static void
compute_motion (const IfbamParameterValues *numbers, gsize given, double time, double *motion)
{
  const gsize lanes = numbers->lanes;
  const IfbamLaneLaw *law;
  double first[IFBAM_MAX_LAW];
  IfbamMotion one;

  if (numbers->given == NULL)
    {
      const IfbamSpan *span = numbers->memory[given].span;

      one = span->info->motion (span->law, span->course, numbers->spec->steady ? 0 : time);
      if (numbers->spec->steady)
        one = (IfbamMotion){ numbers->spec->start_position[numbers->model->n_free + given]
                                 + time * one.rate,
                             one.rate, 0 };
      ifbam_parameter_values_apply_scale (numbers, given + numbers->model->n_free, &one);
      if (numbers->shift != NULL)
        {
          const IfbamMotion beside = shift_at (&numbers->shift[given], time);

          one.position += beside.position;
          one.rate += beside.rate;
          one.acceleration += beside.acceleration;
        }
      motion[0] = one.position;
      motion[1] = one.rate;
      motion[2] = one.acceleration;
      return;
    }
  else
    {
      law = &numbers->given[given];
      if (!law->alike)
        {
          law->element->info->motions[numbers->spec->isa]((const double *const *) law->number,
                                                          law->course, time, motion, motion + lanes,
                                                          motion + 2 * lanes, lanes);
          return;
        }
      first_law (law, first);
      one = law->element->info->motion (first, law->course, time);
    }
  fill (motion, lanes, one.position);
  fill (motion + lanes, lanes, one.rate);
  fill (motion + 2 * lanes, lanes, one.acceleration);
}

const double *
ifbam_parameter_values_compute_motion (IfbamParameterValues *numbers, gsize given, double time)
{
  const gsize size = 3 * numbers->lanes;
  IfbamGivenMemory *memory = &numbers->memory[given];
  const guint k = memory->oldest;
  double *motion = numbers->motion + (given * IFBAM_STORED_MOTIONS + k) * size;

  memory->oldest = (k + 1) % IFBAM_STORED_MOTIONS;
  memory->time[k] = time;
  compute_motion (numbers, given, time, motion);
  return motion;
}

void
ifbam_parameter_values_lanes_source (const IfbamParameterValues *numbers, gsize source, double time,
                                     double *value)
{
  const IfbamLaneLaw *law = &numbers->sources[source];
  const IfbamElementInfo *info = law->element->info;
  double first[IFBAM_MAX_LAW];

  if (!law->alike)
    {
      info->values[numbers->spec->isa]((const double *const *) law->number, law->course, time,
                                       law->inertia, value, numbers->lanes);
      return;
    }
  first_law (law, first);
  fill (value, numbers->lanes, info->value (first, law->course, time, law->inertia[0]));
}

void
ifbam_parameter_values_field_energy (const IfbamParameterValues *numbers, gsize source,
                                     const double *position, double *energy)
{
  const IfbamLaneLaw *law;
  double one[IFBAM_MAX_LAW];

  if (numbers->sources == NULL)
    {
      *energy = ifbam_model_field_energy (numbers->model, source, *position);
      return;
    }
  law = &numbers->sources[source];
  for (gsize l = 0; l < numbers->lanes; l++)
    {
      for (guint k = 0; k < law->n_numbers; k++)
        one[k] = law->number[k][l];
      energy[l] = law->element->info->potential (one, law->inertia[l], position[l]);
    }
}
