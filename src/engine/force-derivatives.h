/* force-derivatives.h: derivatives of a link's force by compression and rate
 *
 * By the law's own function; else by differences of the force.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/model.h"

/* A link's force at a state, and its derivatives. */
typedef struct
{
  double force;     /* F [N] */
  double stiffness; /* dF/ddelta [N/m]; not finite: there is none */
  double damping;   /* dF/ddelta [N/m]; not finite: it does not exist */
  guint8 nonlinear; /* dF/drate [N s/m]; not finite: it does not exist */
} IfbamForceDerivatives;

typedef enum
{
  IFBAM_NONLINEAR = 1 << 0, /* the derivatives depend on the state */
  IFBAM_KINKED = 1 << 1,    /* they differ on both sides of the state: their mean is returned */
} IfbamNonlinear;

/* Returns a link's force and its derivatives in a mode; zeros: its law has no force. parameters: of
 * the law, with its internal states. */
IfbamForceDerivatives ifbam_link_differentiate (const IfbamLink *link, const void *parameters,
                                                int mode, double delta, double rate);

/* Quadrature points of a path, with changes of compression and rate if the rate grows by 1. */
typedef struct
{
  guint n;
  double weight[IFBAM_MAX_POINTS], by_delta[IFBAM_MAX_POINTS], by_rate[IFBAM_MAX_POINTS];
  double delta[IFBAM_MAX_POINTS], rate[IFBAM_MAX_POINTS];
  double state[IFBAM_MAX_POINTS][IFBAM_MAX_STATES];
} IfbamPathPoints;

/* Derivatives of a law's outputs (mean force, then rates of states) by rate and states. */
typedef struct
{
  double by[1 + IFBAM_MAX_STATES][1 + IFBAM_MAX_STATES]; /* [output][input] */
} IfbamPathSlopes;

/* Computes slopes by differences of the outputs, for Newton's method on these outputs. */
void ifbam_path_slopes (const IfbamLaw *law, const void *numbers, int mode,
                        const IfbamPathPoints *path, IfbamPathSlopes *slopes);

/* Returns the increment for such a difference: a small fraction of the number's size. */
double ifbam_path_reach (double size);
