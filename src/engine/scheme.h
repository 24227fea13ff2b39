/* scheme.h: the rule that advances time: kernels over ranges of nodes
 *
 * A scheme works on columns (one array of doubles per quantity, one entry per node). Columns 0 and 1
 * are position and rate at the end of the last step; the others are the scheme's own. Which columns
 * the nodes say to their links is the scheme's choice. Its kernels do n free nodes whose columns
 * start at the pointers they get: the object path passes n = 1.
 *
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

/* A port that is looked up: its slot and its force's sign, 1 or -1. */
typedef struct
{
  gsize slot;
  double sign;
} IfbamPort;

/* n free nodes: all pointers stand at the first one. */
typedef struct
{
  double *column[IFBAM_MAX_COLUMNS];
  const double *inverse_inertia;
  const double *port[IFBAM_MAX_RUN_PORTS]; /* forces; with degree 0 [0] is their sum */
  double sign[IFBAM_MAX_RUN_PORTS];        /* 1 or -1 */
  double step;                             /* [s] */
  /* for `update_few`: ports that are looked up among `heard`, the same number for each node */
  const double *heard;
  const IfbamPort *ports; /* (n * degree) */
} IfbamNodeBatch;

/* How a scheme without latency meets what is fixed, whose reactions take no latency. */
typedef enum
{
  IFBAM_MEETS_AFTER, /* a step's end goes back to it along the rows there, then the rates do */
  /* Reactions at the start bring it to it, along the rows there (Andersen 1983, RATTLE), and the rates go back: */
  IFBAM_MEETS_BY_MESSAGES, /* what nodes say of the end before they have heard of it */
  IFBAM_MEETS_BY_MOVES,    /* where nodes have moved by one whole kick */
} IfbamMeets;

/* A diagonally implicit step: stages u = X + a w, M (w - V) / a = F (u, w), where X and V are the step's start and
 * what the stages before have added, and a is the step times the diagonal entry. Where that is 0 a stage is no
 * equation: u = X, w = V, and the forces there make its acceleration. */
#define IFBAM_MAX_ROWS (IFBAM_MAX_STAGES + 1)
typedef struct
{
  guint n_rows; /* the first one, where its diagonal is 0, is the step's start */
  double row[IFBAM_MAX_ROWS]
            [IFBAM_MAX_ROWS];    /* Butcher's table; those that end with the last one end there */
  double weight[IFBAM_MAX_ROWS]; /* what each adds to the step */
  double
      embedded[IFBAM_MAX_ROWS]; /* the same with another order, to tell the error (all 0: none) */
  int estimated;                /* the power of the step that the difference goes with */
} IfbamTableau;

/* What its functions are called in a header of freestanding C, for who writes a network as C. Empty: there is none. */
typedef struct
{
  IfbamPrinted header;
  IfbamPrinted stage[IFBAM_MAX_STAGES];
  IfbamPrinted begin, begin_cold, observe;
} IfbamSchemeCode;

/* Does n nodes from number `from` of the batch on. */
typedef void (*IfbamNodeKernel) (const IfbamNodeBatch *batch, gsize from, gsize n);

struct _IfbamScheme
{
  const char *name;
  IfbamPrinted summary;
  IfbamPrinted stability;
  IfbamPrinted source;
  int order;

  /* Flip-flop: nodes move by the forces that their links computed in the cycle before; columns 2 and
   * 3 hold position and rate one cycle earlier, and change places with 0 and 1 in every cycle. */
  gboolean latency;
  gboolean mean;       /* links answer with the mean over the coming step */
  double source_lead;  /* sources act with their value so much later [steps] */
  double velocity_lag; /* the rate in column 1 stands so much before the position [steps] */

  guint n_columns;
  guint said_position, said_rate;      /* columns that nodes say */
  guint derivative[IFBAM_MAX_COLUMNS]; /* of a column: 0 a position, 1 a rate, 2 an acceleration */

  /* Without latency: stages of one step, when their messages are of [steps from its start], and with
   * what weights powers at these messages integrate over the step (all 0: trapezoids of rows). */
  guint n_stages;
  IfbamMeets meets;
  const IfbamTableau *
      implicit; /* the stages are equations, which all solve together; NULL: nodes move by themselves */
  /* Where forces have just leapt, what is too fast for the step has not gone yet where they take it: powers there are of no
   * course. An account of a step that begins there is taken by this table, of the same order, which does not ask for them. */
  const IfbamTableau *thrown;
  /* Or they follow from each other, by a table that has more of them than columns: it is gone through as an implicit one. */
  const IfbamTableau *staged;
  double stage_time[IFBAM_MAX_STAGES];
  double stage_weight[IFBAM_MAX_STAGES];

  /* Sets the columns from position, rate [n] and acceleration [n] at the start. With latency it is
   * called twice: for the cycle before the start, then for the start. A scheme with a table has none. */
  void (*begin) (gboolean before, gsize n, double *const *column, const double *position,
                 const double *rate, const double *acceleration, double step);
  /* The paper's start (may be NULL: refused). */
  void (*begin_cold) (gboolean before, gsize n, double *const *column, const double *position,
                      const double *rate, const double *acceleration, double step);
  /* Hears the forces of a stage and sets what is said next; by degree (ports that are summed). */
  IfbamNodeKernel update[IFBAM_MAX_STAGES][IFBAM_N_ISA][IFBAM_MAX_RUN_PORTS + 1];
  /* The same for a few nodes with looked up ports, one by one; by degree - 1. */
  IfbamNodeKernel update_few[IFBAM_MAX_STAGES][IFBAM_MAX_RUN_PORTS];
  guint row_position; /* the column that holds the row's positions */
  /* Position and rate of nodes first <= i < last at the row's time, to position[0] and rate[0] on. With
   * latency the row is that of the cycle before. */
  void (*observe) (gsize first, gsize last, double *const *column, double *position, double *rate);
  void (*observe_one) (gsize node, double *const *column, double *position, double *rate);

  IfbamSchemeCode code;

  /* An undamped mode multiplies by a root z of sum_j z^j sum_k characteristic[j][k] h^(2k) in each
   * step, h = angular frequency times step. */
  double characteristic[IFBAM_MAX_DEGREE + 1][IFBAM_MAX_POWERS];
  /* With a damper, d = damping / inertia * step, the sum gets d sum_j z^(j-1) damped[j] more. */
  double damped[IFBAM_MAX_DEGREE + 1];
  /* Or, for a Runge-Kutta scheme, whatever behaves like exp (s t) multiplies by R(s step) in each
   * step, R(q) = sum_k stability_function[k] q^k, damped or not (all 0: it is none). */
  double stability_function[IFBAM_MAX_STAGES + 1];
  /* Of an implicit one it is divided by sum_k stability_divisor[k] q^k (all 0: by 1). */
  double stability_divisor[IFBAM_MAX_STAGES + 1];
};

/* Whether a step ends with a stage, so that what its equations hold is held there, and what is far too fast for it is gone:
 * nodes need no inertia then. */
static inline gboolean
ifbam_scheme_takes_junctions (const IfbamScheme *scheme)
{
  return scheme->implicit != NULL && !scheme->mean;
}

/* The table by which the event engine goes, stage by stage; NULL: nodes update their columns. */
static inline const IfbamTableau *
ifbam_scheme_tableau (const IfbamScheme *scheme)
{
  return scheme->implicit != NULL ? scheme->implicit : scheme->staged;
}

/* The column of accelerations that a scheme hands from step to step; 0: none. */
static inline guint
ifbam_scheme_carried (const IfbamScheme *scheme)
{
  if (!(scheme->stage_time[0] > 0))
    return 0;
  for (guint c = 0; c < scheme->n_columns; c++)
    if (scheme->derivative[c] == 2)
      return c;
  return 0;
}

/* How many columns, the first ones, say at a row all that the next step begins with. */
static inline guint
ifbam_scheme_n_kept (const IfbamScheme *scheme)
{
  return scheme->latency ? scheme->n_columns : MAX (2, ifbam_scheme_carried (scheme) + 1);
}

/* The others follow from these. */
static inline void
ifbam_scheme_stand (const IfbamScheme *scheme, gsize n, double *const *column, double step)
{
  if (!scheme->latency)
    scheme->begin (FALSE, n, column, column[0], column[1], column[ifbam_scheme_carried (scheme)],
                   step);
}
