/* force-derivatives.h: how the force of a link changes with its compression and its rate
 *
 * A law that gives its slopes is asked for them; those of others come from differences of its own force,
 * so the physics stands once.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/model.h"

/* Slopes of a few links, and what they say about the laws. */
#define IFBAM_SLOPES_BLOCK 256
typedef struct
{
  double force[IFBAM_SLOPES_BLOCK];     /* F at the state [N] */
  double stiffness[IFBAM_SLOPES_BLOCK]; /* dF/ddelta [N/m]; not finite where the law has none */
  double damping[IFBAM_SLOPES_BLOCK];   /* dF/drate [N s/m] */
  guint8 nonlinear[IFBAM_SLOPES_BLOCK]; /* bits of IfbamNonlinear */
} IfbamSlopes;

typedef enum
{
  IFBAM_NONLINEAR = 1 << 0, /* the slopes at another state are others */
  IFBAM_KINKED = 1 << 1,    /* they are others on either side of the state: the mean is taken */
} IfbamNonlinear;

/* Of links first to first + n - 1 of a batch (n up to IFBAM_SLOPES_BLOCK), about positions and rates
 * of all nodes. */
void ifbam_link_slopes (const IfbamBatch *batch, gsize first, gsize n, const double *position,
                        const double *rate, IfbamSlopes *slopes);

/* Of a link's law in a mode, as number 0; numbers: the law's, with its states. */
void ifbam_single_slopes (const IfbamLink *link, const void *numbers, int mode, double delta,
                          double rate, IfbamSlopes *slopes);

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
