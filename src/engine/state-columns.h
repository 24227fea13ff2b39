/* state-columns.h: a model's state in columns, in one lane or more: the start, and what a cycle is put together of
 *
 * A cycle is: given nodes move; links hear and answer; nodes hear and update. Whoever carries a network on
 * (tiles, threads, lanes of variants, objects) does it by the functions here and by the kernels of laws and
 * schemes, over ranges of its own.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/parameter-values.h"

/* What is heard where nobody speaks: it changes nothing that it is added to. */
#define IFBAM_SILENCE (-0.0)

/* What was said, with the sign of a port: no branch, since signs follow no pattern. */
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
void ifbam_sum_ports (const IfbamModel *model, gsize lanes, const double *answer, gsize first,
                      gsize last, double *force);

/* Given nodes; columns point at the one node (lanes). */

/* What it says at a stage of a step. */
void ifbam_given_said (IfbamNumbers *numbers, gsize node, guint stage, gint64 step,
                       double *position, double *rate);
void ifbam_given_begin (IfbamNumbers *numbers, gsize node, gboolean before, double *const *column);
/* After stage `stage` of step number `step`: what is said next, before the columns change places. */
void ifbam_given_update (IfbamNumbers *numbers, gsize node, guint stage, guint64 step,
                         double *const *column);

/* The step's part of the time at which a stage's messages are of, and sources act. */
static inline double
ifbam_engine_source_time (const IfbamRunSpec *spec, guint stage, gint64 step)
{
  return ((double) step + spec->scheme->stage_time[stage] + spec->scheme->source_lead) * spec->step;
}

/* The message columns at the start, before any scheme has spoken: plain position and rate. */
typedef void (*IfbamBegin) (gboolean before, gsize n, double *const *column, const double *position,
                            const double *rate, const double *acceleration, double step);

static inline IfbamBegin
ifbam_spec_begin (const IfbamRunSpec *spec)
{
  return spec->cold ? spec->scheme->begin_cold : spec->scheme->begin;
}

/* The columns of the flip-flop change places. */
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

/* Number i of the model (a node, a slot) has its lanes at i * lanes to (i + 1) * lanes - 1. */
typedef struct
{
  IfbamNumbers *numbers; /* not owned */
  double *block;         /* all that changes in a run: columns, then answers */
  /* as they stand before the coming cycle */
  double *column[IFBAM_MAX_COLUMNS]; /* (n_nodes)(lanes) */
  double *answer
      [2]; /* what links and sources say (n_slots + n_sources + 1)(lanes): the last is silence;
                      * [1]: next, with latency */
  gboolean turned; /* columns and answers have changed places since the start */
} IfbamColumns;

void ifbam_columns_make (IfbamColumns *columns, IfbamNumbers *numbers);
void ifbam_columns_clear (IfbamColumns *columns);
void ifbam_columns_start (IfbamColumns *columns);
/* With latency, after an odd number of cycles. */
void ifbam_columns_turn (IfbamColumns *columns);

/* Columns and answers as they stand before a cycle, by number from now on. */
static inline double *
ifbam_columns_at (const IfbamColumns *columns, guint cycle, guint c)
{
  return columns
      ->column[columns->numbers->spec->scheme->latency && cycle % 2 == 1 && c < 4 ? (c + 2) % 4
                                                                                  : c];
}

static inline double *
ifbam_columns_heard (const IfbamColumns *columns, guint cycle)
{
  return columns->answer[columns->numbers->spec->scheme->latency ? cycle % 2 : 0];
}

static inline double *
ifbam_columns_answered (const IfbamColumns *columns, guint cycle)
{
  return columns->answer[columns->numbers->spec->scheme->latency ? 1 - cycle % 2 : 0];
}

static inline gsize
ifbam_model_n_answers (const IfbamModel *model)
{
  return model->n_slots + model->n_sources;
}

/* Messages and answers of a batch in a cycle. */
IfbamLinkBatch ifbam_columns_arguments (const IfbamColumns *columns, guint batch, guint cycle);
/* Sources that depend on the time, on nodes lo <= i < hi, answer to it. (The others have answered at the
 * start, for good.) */
void ifbam_sources_answer (const IfbamNumbers *numbers, double time, gsize lo, gsize hi,
                           double *answer);
