/* state-columns.h: a model's state in columns, for one or more lanes: start, and parts of a cycle
 *
 * A cycle: given nodes move, links compute forces, nodes update. All engines that work on columns
 * (tiles, threads, lanes of variants, objects) use the functions here and the kernels of laws and
 * schemes, over ranges of their own.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/parameter-values.h"

/* Force of a port without a link: added to a sum, it changes no bit. */
#define IFBAM_NO_FORCE (-0.0)

/* Returns a force with the sign of a port; without a branch, since signs follow no pattern. */
static inline double
ifbam_with_sign (double said, guint32 port)
{
  union
  {
    double number;
    guint64 bits;
  } value = { said };

  value.bits ^= (guint64) port << 63;
  return value.number;
}

/* Sums of the forces on nodes first <= i < last (lanes), in the order of the file. */
void ifbam_sum_ports (const IfbamModel *model, gsize lanes, const double *output, gsize first,
                      gsize last, double *force);

/* Given nodes; columns begin at the one node (lanes). */

/* Stores the message at a stage of a step. */
void ifbam_given_message (IfbamParameterValues *numbers, gsize node, guint stage, gint64 step,
                          double *position, double *rate);
void ifbam_given_begin (IfbamParameterValues *numbers, gsize node, gboolean before,
                        double *const *column);
/* Stores the next message after a stage, before the columns are exchanged. */
void ifbam_given_update (IfbamParameterValues *numbers, gsize node, guint stage, guint64 step,
                         double *const *column);

/* Returns the time of the sources at a stage [s]. */
static inline double
ifbam_engine_source_time (const IfbamRunSpec *spec, guint stage, gint64 step)
{
  return ((double) step + spec->scheme->stage_time[stage] + spec->scheme->source_lead) * spec->step;
}

/* Message columns at the start: plain position and rate. */
typedef void (*IfbamBegin) (gboolean before, gsize n, double *const *column, const double *position,
                            const double *rate, const double *acceleration, double step);

static inline IfbamBegin
ifbam_spec_begin (const IfbamRunSpec *spec)
{
  return spec->cold ? spec->scheme->begin_cold : spec->scheme->begin;
}

/* Exchanges the columns of the flip-flop. */
static inline void
ifbam_columns_flip (double **column)
{
  for (guint c = 0; c < 2; c++)
    {
      double *swap = column[c];

      column[c] = column[c + 2];
      column[c + 2] = swap;
    }
}

/* Index i of the model (a node, a slot) has its lanes at i * lanes to (i + 1) * lanes - 1. */
typedef struct
{
  IfbamParameterValues *numbers; /* not owned */
  double *block;                 /* all data that change in a run: columns, then answers */
  /* before the coming cycle: */
  double *column[IFBAM_MAX_COLUMNS]; /* (n_nodes)(lanes) */
  /* of links, sources, IFBAM_NO_FORCE (n_slots + n_sources + 1)(lanes); [1]: next, with
   * latency */
  double *output[2];
  gboolean exchanged; /* columns and answers have been exchanged an odd number of times */
} IfbamColumns;

void ifbam_columns_make (IfbamColumns *columns, IfbamParameterValues *numbers);
void ifbam_columns_clear (IfbamColumns *columns);
void ifbam_columns_start (IfbamColumns *columns);
/* Exchanges them, with latency after an odd number of cycles. */
void ifbam_columns_exchange (IfbamColumns *columns);

/* Return columns and answers before a cycle, counted from now. */
static inline double *
ifbam_columns_at (const IfbamColumns *columns, guint cycle, guint c)
{
  return columns
      ->column[columns->numbers->spec->scheme->latency && cycle % 2 == 1 && c < 4 ? (c + 2) % 4
                                                                                  : c];
}

static inline double *
ifbam_columns_input_forces (const IfbamColumns *columns, guint cycle)
{
  return columns->output[columns->numbers->spec->scheme->latency ? cycle % 2 : 0];
}

static inline double *
ifbam_columns_output_forces (const IfbamColumns *columns, guint cycle)
{
  return columns->output[columns->numbers->spec->scheme->latency ? 1 - cycle % 2 : 0];
}

static inline gsize
ifbam_model_n_forces (const IfbamModel *model)
{
  return model->n_slots + model->n_sources;
}

/* Returns messages and answers of a batch in a cycle, as kernel arguments. */
IfbamLinkBatch ifbam_columns_arguments (const IfbamColumns *columns, guint batch, guint cycle);
/* Computes time-dependent sources on nodes lo <= i < hi. (Others are computed at the start.) */
void ifbam_sources_compute (const IfbamParameterValues *numbers, double time, gsize lo, gsize hi,
                            double *output);
