/* slopes.h: how the force of a link changes with its compression and its rate
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
