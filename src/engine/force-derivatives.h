/* force-derivatives.h: how the force of a link changes with its compression and its rate
 *
 * Laws that have derivatives of their own return them; those of others are differences of the force.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/model.h"

/* A link's force at a state, and its derivatives. */
typedef struct
{
  double force;     /* F [N] */
  double stiffness; /* dF/ddelta [N/m]; not finite: there is none */
  double damping;   /* dF/drate [N s/m]; not finite: there is none */
  guint8 nonlinear; /* bits of IfbamNonlinear */
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

/* Where a law is asked in a step: at points of the path whose mean counts, one or more. A rate that is larger by 1
 * moves the compression and the rate there by so much. */
typedef struct
{
  guint n;
  double weight[IFBAM_MAX_POINTS], by_delta[IFBAM_MAX_POINTS], by_rate[IFBAM_MAX_POINTS];
  double delta[IFBAM_MAX_POINTS], rate[IFBAM_MAX_POINTS];
  double state[IFBAM_MAX_POINTS][IFBAM_MAX_STATES];
} IfbamPathPoints;

/* How what a law says (its force, then at what rates its states change) changes with the rate of compression and
 * with its states. */
typedef struct
{
  double by[1 + IFBAM_MAX_STATES][1 + IFBAM_MAX_STATES]; /* [said][with what] */
} IfbamPathSlopes;

/* By differences of what the law says: good for Newton's method, which goes by what it says. */
void ifbam_path_slopes (const IfbamLaw *law, const void *numbers, int mode,
                        const IfbamPathPoints *path, IfbamPathSlopes *slopes);

/* By how much a number is moved for such a difference: a small part of its size. */
double ifbam_path_reach (double size);
