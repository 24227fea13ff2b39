/* state-columns.c: a model's state in columns, for one or more lanes: start, and parts of a cycle
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "engine/state-columns.h"

#include <stdlib.h>
#include <string.h>

/* Doubles of a column that are set in one go. */
#define RANGE 512

/* Sums of forces */

IFBAM_INLINE void
sum_ports (const IfbamModel *model, gsize lanes, gsize unit, const double *output, gsize first,
           gsize last, double *force)
{
  for (gsize i = first; i < last; i++)
    for (gsize l = 0; l < lanes; l += unit, force += unit)
      {
        double sum[IFBAM_LANE_UNIT];

        for (gsize k = 0; k < unit; k++)
          sum[k] = IFBAM_NO_FORCE;
        for (guint32 p = model->port_start[i]; p < model->port_start[i + 1]; p++)
          {
            const double *said = output + (model->port[p] >> 1) * lanes + l;

            for (gsize k = 0; k < unit; k++)
              sum[k] += ifbam_with_sign (said[k], model->port[p]);
          }
        for (gsize k = 0; k < unit; k++)
          force[k] = sum[k];
      }
}

void
ifbam_sum_ports (const IfbamModel *model, gsize lanes, const double *output, gsize first,
                 gsize last, double *force)
{
  if (lanes == 1)
    sum_ports (model, 1, 1, output, first, last, force);
  else
    sum_ports (model, lanes, IFBAM_LANE_UNIT, output, first, last, force);
}

/* Given nodes */

static void
copy (double *to, const double *from, gsize n)
{
  if (n == 1)
    *to = *from;
  else
    memcpy (to, from, n * sizeof *to);
}

void
ifbam_given_message (IfbamParameterValues *numbers, gsize node, guint stage, gint64 step,
                     double *position, double *rate)
{
  const IfbamRunSpec *spec = numbers->spec;
  const gsize lanes = numbers->lanes;
  const double time = (double) step + spec->scheme->stage_time[stage];
  const double *said = ifbam_parameter_values_motion (
      numbers, node, spec->cold && step <= 0 ? 0.0 : time * spec->step);

  copy (position, said, lanes);
  if (spec->scheme->velocity_lag > 0 && !(spec->cold && step <= 0))
    said = ifbam_parameter_values_motion (numbers, node,
                                          (time - spec->scheme->velocity_lag) * spec->step);
  copy (rate, said + lanes, lanes);
}

void
ifbam_given_begin (IfbamParameterValues *numbers, gsize node, gboolean before,
                   double *const *column)
{
  const IfbamRunSpec *spec = numbers->spec;
  const IfbamScheme *scheme = spec->scheme;
  const gsize lanes = numbers->lanes;
  const double *start = ifbam_parameter_values_motion (numbers, node, 0.0);

  if (spec->cold)
    scheme->begin_cold (before, lanes, column, start, start + lanes, start + 2 * lanes, spec->step);
  else if (scheme->latency)
    for (int c = 0; c < 2; c++)
      ifbam_given_message (numbers, node, 0, -(before ? 1 : 0) - c, column[2 * c],
                           column[2 * c + 1]);
  else
    {
      copy (column[0], start, lanes);
      copy (column[1], start + lanes, lanes);
      ifbam_given_message (numbers, node, 0, 0, column[scheme->message_position],
                           column[scheme->message_rate]);
    }
}

void
ifbam_given_update (IfbamParameterValues *numbers, gsize node, guint stage, guint64 step,
                    double *const *column)
{
  const IfbamScheme *scheme = numbers->spec->scheme;
  const gsize lanes = numbers->lanes;
  const gboolean last = stage + 1 == scheme->n_stages;

  if (last && !scheme->latency)
    {
      const double *end =
          ifbam_parameter_values_motion (numbers, node, (double) (step + 1) * numbers->spec->step);

      copy (column[0], end, lanes);
      copy (column[1], end + lanes, lanes);
    }
  ifbam_given_message (numbers, node, last ? 0 : stage + 1, (gint64) step + (last ? 1 : 0),
                       column[scheme->latency ? 2 : scheme->message_position],
                       column[scheme->latency ? 3 : scheme->message_rate]);
}

/* Sources */

void
ifbam_sources_compute (const IfbamParameterValues *numbers, double time, gsize lo, gsize hi,
                       double *output)
{
  const IfbamModel *model = numbers->model;
  gsize low = 0, high = lo == 0 ? 0 : model->n_varying;

  while (low < high)
    {
      gsize middle = (low + high) / 2;

      if (model->source_node[model->varying[middle]] < lo)
        low = middle + 1;
      else
        high = middle;
    }
  for (; low < model->n_varying && model->source_node[model->varying[low]] < hi; low++)
    ifbam_parameter_values_source (numbers, model->varying[low], time,
                                   output
                                       + (model->n_slots + model->varying[low]) * numbers->lanes);
}

/* Columns */

void
ifbam_columns_make (IfbamColumns *columns, IfbamParameterValues *numbers)
{
  const IfbamModel *model = numbers->model;
  const guint n_columns = numbers->spec->scheme->n_columns;
  const guint buffers = numbers->spec->scheme->latency ? 2 : 1;
  const gsize n_outputs = ifbam_model_n_forces (model) * numbers->lanes;
  const gsize stride = ifbam_page_stride (model->n_nodes * numbers->lanes + IFBAM_LINE);
  const gsize outputs = ifbam_page_stride (n_outputs + numbers->lanes + IFBAM_LINE);
  const gsize first = IFBAM_PAGE_PLACE (2);
  const gsize size = (first + n_columns * stride + buffers * outputs) * sizeof (double);
  double *place;

  *columns = (IfbamColumns){ .numbers = numbers };
  if (posix_memalign ((void **) &columns->block, IFBAM_PAGE, size) != 0)
    g_error ("%" G_GSIZE_FORMAT " bytes can't be had", size);
  memset (columns->block, 0, size);
  place = columns->block + first;
  for (guint c = 0; c < n_columns; c++, place += stride)
    columns->column[c] = place;
  for (guint b = 0; b < buffers; b++, place += outputs)
    {
      columns->output[b] = place;
      for (gsize l = 0; l < numbers->lanes; l++)
        place[n_outputs + l] = IFBAM_NO_FORCE; /* for nodes without ports */
    }
}

void
ifbam_columns_clear (IfbamColumns *columns)
{
  g_clear_pointer (&columns->block, free);
}

void
ifbam_columns_exchange (IfbamColumns *columns)
{
  double *output = columns->output[0];

  columns->output[0] = columns->output[1];
  columns->output[1] = output;
  ifbam_columns_flip (columns->column);
  columns->exchanged = !columns->exchanged;
}

IfbamLinkBatch
ifbam_columns_arguments (const IfbamColumns *columns, guint batch, guint cycle)
{
  const IfbamParameterValues *numbers = columns->numbers;
  const IfbamScheme *scheme = numbers->spec->scheme;
  const IfbamBatch *of = &g_array_index (numbers->model->batches, IfbamBatch, batch);
  double *outputs = ifbam_columns_output_forces (columns, cycle);
  IfbamLinkBatch arguments;

  ifbam_batch_arguments (of, numbers->parameters[batch], 0,
                         ifbam_columns_at (columns, cycle, scheme->message_position),
                         ifbam_columns_at (columns, cycle, scheme->message_rate), &arguments);
  arguments.earlier_position =
      ifbam_columns_at (columns, cycle, scheme->mean ? 2 : scheme->message_position);
  arguments.earlier_rate =
      ifbam_columns_at (columns, cycle, scheme->mean ? 3 : scheme->message_rate);
  ifbam_lane_set_outputs (of, numbers->lanes, outputs, &arguments);
  return arguments;
}

/* Start */

/* Computes links and sources from columns 0, 1, for means also 2, 3, with moving given nodes. */
static void
compute_first_forces (const IfbamColumns *columns, gboolean mean, double time, double *output)
{
  const IfbamParameterValues *numbers = columns->numbers;
  const IfbamModel *model = numbers->model;
  const gsize lanes = numbers->lanes;

  for (guint b = 0; b < model->batches->len; b++)
    {
      const IfbamBatch *batch = &g_array_index (model->batches, IfbamBatch, b);
      const IfbamLinkKernels *kernels = batch->kernels;
      const IfbamRunKernel run =
          (mean ? kernels->run_mean : kernels->run_force)[numbers->spec->isa];
      IfbamLinkBatch arguments;

      ifbam_batch_arguments (batch, numbers->parameters[b], 0, columns->column[0],
                             columns->column[1], &arguments);
      arguments.earlier_position = columns->column[mean ? 2 : 0];
      arguments.earlier_rate = columns->column[mean ? 3 : 1];
      ifbam_lane_set_outputs (batch, lanes, output, &arguments);
      if (lanes == 1)
        (mean ? kernels->mean : kernels->force) (&arguments, 0, batch->count);
      for (gsize i = 0; lanes > 1 && i < batch->count; i++)
        if (!ifbam_batch_is_gap (batch, i))
          {
            ifbam_lane_set_state_inputs (batch, i, lanes, &arguments);
            run (&arguments, i * lanes, batch->left[i] * lanes, batch->right[i] * lanes, lanes);
          }
    }
  for (gsize i = 0; i < model->n_sources; i++)
    ifbam_parameter_values_source (numbers, i, time, output + (model->n_slots + i) * lanes);
}

/* Stores the start of free nodes first <= i < first + n. */
static void
free_start (const IfbamParameterValues *numbers, gsize first, gsize n, double *position,
            double *rate)
{
  if (numbers->start_position == NULL)
    {
      ifbam_start_range (numbers->model, numbers->spec, first, n, position, rate);
      return;
    }
  copy (position, numbers->start_position + first * numbers->lanes, n * numbers->lanes);
  copy (rate, numbers->start_rate + first * numbers->lanes, n * numbers->lanes);
}

/* Sets the columns, range by range: looks up positions and rates again, and sums accelerations from
 * the first forces, so that they need no column. */
static void
begin (IfbamColumns *columns, gboolean before, const double *output)
{
  IfbamParameterValues *numbers = columns->numbers;
  const IfbamModel *model = numbers->model;
  const gsize lanes = numbers->lanes, most = MAX (1, RANGE / lanes);
  double *column[IFBAM_MAX_COLUMNS] = { NULL };
  g_autofree double *motion = g_new (double, 3 * most * lanes);
  double *position = motion, *rate = motion + most * lanes, *acceleration = rate + most * lanes;

  for (gsize first = 0, n; first < model->n_nodes; first += n)
    {
      n = first < model->n_free ? MIN (most, model->n_free - first) : 1;
      for (guint c = 0; c < numbers->spec->scheme->n_columns; c++)
        column[c] = columns->column[c] + first * lanes;
      if (first >= model->n_free)
        {
          ifbam_given_begin (numbers, first, before, column);
          continue;
        }
      free_start (numbers, first, n, position, rate);
      ifbam_sum_ports (model, lanes, output, first, first + n, acceleration);
      for (gsize i = 0; i < n * lanes; i++)
        acceleration[i] *= numbers->inverse_inertia[first * lanes + i];
      ifbam_spec_begin (numbers->spec) (before, n * lanes, column, position, rate, acceleration,
                                        numbers->spec->step);
    }
}

void
ifbam_columns_start (IfbamColumns *columns)
{
  IfbamParameterValues *numbers = columns->numbers;
  const IfbamModel *model = numbers->model;
  const IfbamScheme *scheme = numbers->spec->scheme;
  const gsize lanes = numbers->lanes;
  /* The first evaluation of forces is for accelerations only. */
  double *first = columns->output[0];

  if (columns->exchanged)
    ifbam_columns_exchange (columns);
  first = columns->output[scheme->latency ? 1 : 0];
  free_start (numbers, 0, model->n_free, columns->column[0], columns->column[1]);
  for (gsize i = model->n_free; i < model->n_nodes; i++)
    {
      const double *motion = ifbam_parameter_values_motion (numbers, i, 0.0);

      copy (columns->column[0] + i * lanes, motion, lanes);
      copy (columns->column[1] + i * lanes, motion + lanes, lanes);
    }
  compute_first_forces (columns, FALSE, 0.0, first);
  if (scheme->latency)
    {
      begin (columns, TRUE, first);
      compute_first_forces (columns, scheme->mean, ifbam_engine_source_time (numbers->spec, 0, -1),
                            columns->output[0]);
    }
  begin (columns, FALSE, first);
}
