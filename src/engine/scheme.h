/* scheme.h: a time scheme: kernels over ranges of nodes
 *
 * A scheme works on columns (one array of doubles per quantity, one entry per node). Columns 0 and
 * 1 are position and rate at the end of the last step; the scheme defines the others, and the
 * columns that are messages to links. Kernels compute n free nodes, from the start of the given
 * columns; the objects call them with n = 1.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib.h>

#include "base/isa.h"
#include "base/limits.h"
#include "base/printed.h"

#define IFBAM_MAX_COLUMNS 6
#define IFBAM_MAX_STAGES  6
#define IFBAM_MAX_DEGREE  3
#define IFBAM_MAX_POWERS  5

typedef struct _IfbamScheme IfbamScheme;

/* A port looked up by index: slot, and sign of the force, 1 or -1. */
typedef struct
{
  gsize slot;
  double sign;
} IfbamPort;

/* n free nodes: all pointers begin at the first one. */
typedef struct
{
  double *column[IFBAM_MAX_COLUMNS];
  const double *inverse_inertia;
  const double *port[IFBAM_MAX_RUN_PORTS]; /* forces; with degree 0 port[0] is their sum */
  double sign[IFBAM_MAX_RUN_PORTS];        /* 1 or -1 */
  double step;                             /* [s] */
  /* For `update_few`: forces, and the ports looked up in them, equally many for each node. */
  const double *inputs;
  const IfbamPort *ports; /* (n * degree) */
} IfbamNodeBatch;

/* Projection onto bilateral constraints, for schemes without latency; reactions have no latency. */
typedef enum
{
  /* projection of the step's end along the rows there, then of the rates */
  IFBAM_CONSTRAINTS_AFTER,
  /* Reactions at the start, along the rows there, project positions (Andersen 1983, RATTLE), then
   * rates are projected. Positions projected: */
  IFBAM_CONSTRAINTS_BY_MESSAGES, /* the messages for the end of the step */
  IFBAM_CONSTRAINTS_BY_MOVES,    /* positions after one whole kick */
} IfbamConstraintTiming;

/* Diagonally implicit step: stages u = X + a w, M (w - V) / a = F (u, w); X and V: the step's start
 * plus the contributions of earlier stages; a: the step times the diagonal entry. With a = 0 a
 * stage is explicit: u = X, w = V, and its acceleration follows from the forces there. */
#define IFBAM_MAX_ROWS (IFBAM_MAX_STAGES + 1)
typedef struct
{
  guint n_rows; /* the first row is the step's start if its diagonal is 0 */
  double row[IFBAM_MAX_ROWS]
            [IFBAM_MAX_ROWS];    /* Butcher's table; its last row may equal the weights */
  double weight[IFBAM_MAX_ROWS]; /* weight of each stage in the step */
  /* weights of another order, for error estimates (all 0: none) */
  double embedded[IFBAM_MAX_ROWS];
  int estimated; /* power of the step of that difference */
} IfbamTableau;

/* Names of its functions in a header of freestanding C, for generated C. Empty: none. */
typedef struct
{
  IfbamPrinted header;
  IfbamPrinted stage[IFBAM_MAX_STAGES];
  IfbamPrinted begin, begin_cold, observe;
} IfbamSchemeCode;

/* Computes n nodes from node `from` of the batch on. */
typedef void (*IfbamNodeKernel) (const IfbamNodeBatch *batch, gsize from, gsize n);

struct _IfbamScheme
{
  const char *name;
  IfbamPrinted summary;
  IfbamPrinted stability;
  IfbamPrinted source;
  int order;

  /* Flip-flop: nodes move by the forces computed in the cycle before; columns 2 and 3 are position
   * and rate one cycle earlier, and are exchanged with 0 and 1 in each cycle. */
  gboolean latency;
  gboolean mean;       /* link forces are means over the coming step */
  double source_lead;  /* time by which the values of sources are ahead [steps] */
  double velocity_lag; /* time of the position minus time of the rate, in columns 0 and 1 [steps] */

  guint n_columns;
  guint message_position, message_rate; /* columns of messages */
  guint derivative[IFBAM_MAX_COLUMNS];  /* of a column: 0 a position, 1 a rate, 2 an acceleration */

  /* Without latency: stages per step, times of their messages [steps from its start], and weights
   * that integrate powers at these messages over a step (all 0: trapezoids). */
  guint n_stages;
  IfbamConstraintTiming constraint_timing;
  /* the stages are coupled equations; NULL: nodes move by themselves */
  const IfbamTableau *implicit;
  /* Table for the work of a step just after a jump of forces, with the same order but without a
   * stage at the start, where fast components have not yet decayed and powers are not smooth. */
  const IfbamTableau *after_jump;
  /* Or an explicit table with more stages than columns, evaluated like an implicit one. */
  const IfbamTableau *staged;
  double stage_time[IFBAM_MAX_STAGES];
  double stage_weight[IFBAM_MAX_STAGES];

  /* Sets the columns from position, rate [n] and acceleration [n] at the start. With latency called
   * twice: for the cycle before the start, then for the start. NULL for a scheme with a table. */
  void (*begin) (gboolean before, gsize n, double *const *column, const double *position,
                 const double *rate, const double *acceleration, double step);
  /* The paper's start; NULL: not available. */
  void (*begin_cold) (gboolean before, gsize n, double *const *column, const double *position,
                      const double *rate, const double *acceleration, double step);
  /* Reads the forces of a stage and sets the next messages; by degree (ports to sum). */
  IfbamNodeKernel update[IFBAM_MAX_STAGES][IFBAM_N_ISA][IFBAM_MAX_RUN_PORTS + 1];
  /* For a few nodes with looked-up ports; by degree - 1. */
  IfbamNodeKernel update_few[IFBAM_MAX_STAGES][IFBAM_MAX_RUN_PORTS];
  guint row_position; /* column with the positions of samples */
  /* Stores position and rate of nodes first <= i < last at the sample, from position[0] and rate[0]
   * on. With latency the sample is that of the cycle before. */
  void (*observe) (gsize first, gsize last, double *const *column, double *position, double *rate);
  void (*observe_one) (gsize node, double *const *column, double *position, double *rate);

  IfbamSchemeCode code;

  /* In each step an undamped mode is multiplied by a root z of sum_j z^j sum_k characteristic[j][k]
   * h^(2k), h = angular frequency times step. */
  double characteristic[IFBAM_MAX_DEGREE + 1][IFBAM_MAX_POWERS];
  /* A damper, d = damping / inertia * step, adds d sum_j z^(j-1) damped[j]. */
  double damped[IFBAM_MAX_DEGREE + 1];
  /* Or, for a Runge-Kutta scheme, a component exp (s t), damped or not, is multiplied by R(s step)
   * in each step, R(q) = sum_k stability_function[k] q^k (all 0: no such function). */
  double stability_function[IFBAM_MAX_STAGES + 1];
  /* Divisor of R for an implicit scheme: sum_k stability_divisor[k] q^k (all 0: 1). */
  double stability_divisor[IFBAM_MAX_STAGES + 1];
};

/* Returns TRUE if nodes can be massless: a step ends with a stage, whose equations hold there, and
 * components too fast for the step decay. */
static inline gboolean
ifbam_scheme_allows_junctions (const IfbamScheme *scheme)
{
  return scheme->implicit != NULL && !scheme->mean;
}

/* Returns the table of stages for the event engine; NULL: nodes update their columns. */
static inline const IfbamTableau *
ifbam_scheme_tableau (const IfbamScheme *scheme)
{
  return scheme->implicit != NULL ? scheme->implicit : scheme->staged;
}

/* Returns the column of accelerations carried from step to step; 0: none. */
static inline guint
ifbam_scheme_carried_acceleration (const IfbamScheme *scheme)
{
  if (!(scheme->stage_time[0] > 0))
    return 0;
  for (guint c = 0; c < scheme->n_columns; c++)
    if (scheme->derivative[c] == 2)
      return c;
  return 0;
}

/* Returns the count of columns, the first ones, that determine the next step at a sample. */
static inline guint
ifbam_scheme_n_state_columns (const IfbamScheme *scheme)
{
  return scheme->latency ? scheme->n_columns
                         : MAX (2, ifbam_scheme_carried_acceleration (scheme) + 1);
}

/* Computes the other columns from these. */
static inline void
ifbam_scheme_rebuild (const IfbamScheme *scheme, gsize n, double *const *column, double step)
{
  if (!scheme->latency)
    scheme->begin (FALSE, n, column, column[0], column[1],
                   column[ifbam_scheme_carried_acceleration (scheme)], step);
}
