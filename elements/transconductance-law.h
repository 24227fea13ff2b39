/* transconductance-law.h: force on a link's ends by the motion of other nodes; freestanding C
 *
 *   F = slope u, or limit tanh (slope u/limit) with a limit
 *
 * u: the rate (transconductance, cross-damper) or compression (cross-spring) of the input nodes.
 * The tanh is that of a pair of transistors with a common current (Gray & Meyer 1977, Analysis and
 * Design of Analog Integrated Circuits, 3.4). The link stores no energy: energy taken from its ends
 * is lost, energy supplied is a negative loss.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <math.h>

#include "elements/exponential.h"

typedef struct
{
  double slope; /* [S], [N s/m], [N/m] */
  double limit; /* [A], [N]; 0: none */
} TransferLaw;

/* tanh u by e^(-2 |u|), without cancellation */
IFBAM_ALWAYS_INLINE double
transfer_bend (double u)
{
  const double growth = exponential_growth (-2.0 * fabs (u));
  const double size = -growth / (2.0 + growth);

  return u < 0.0 ? -size : size;
}

static inline double
transfer_force (const TransferLaw *p, double u)
{
  return p->limit > 0 ? p->limit * transfer_bend (p->slope * u / p->limit) : p->slope * u;
}

/* dF/du; returns TRUE if it depends on u. */
static inline int
transfer_slope (const TransferLaw *p, double u, double *slope)
{
  const double bend = p->limit > 0 ? transfer_bend (p->slope * u / p->limit) : 0.0;

  *slope = p->slope * (1.0 - bend * bend);
  return p->limit > 0 && p->slope != 0;
}

/* By the rate */

static inline double
rate_transfer_force (const TransferLaw *p, int mode, double delta, double rate)
{
  (void) mode, (void) delta;
  return transfer_force (p, rate);
}

static inline double
rate_transfer_energy (const TransferLaw *p, int mode, double delta)
{
  (void) p, (void) mode, (void) delta;
  return 0.0;
}

/* The loss if the ends were the input nodes. */
static inline double
rate_transfer_loss (const TransferLaw *p, int mode, double delta, double rate)
{
  (void) mode, (void) delta;
  return transfer_force (p, rate) * rate;
}

static inline int
rate_transfer_mode (const TransferLaw *p, double delta, double rate)
{
  (void) p, (void) delta, (void) rate;
  return 0;
}

static inline int
rate_transfer_slopes (const TransferLaw *p, int mode, double delta, double rate, double *stiffness,
                      double *damping)
{
  (void) mode, (void) delta;
  *stiffness = 0.0;
  return transfer_slope (p, rate, damping);
}

/* By the compression */

static inline double
cross_spring_force (const TransferLaw *p, int mode, double delta, double rate)
{
  (void) mode, (void) rate;
  return transfer_force (p, delta);
}

static inline double
cross_spring_energy (const TransferLaw *p, int mode, double delta)
{
  return rate_transfer_energy (p, mode, delta);
}

static inline double
cross_spring_loss (const TransferLaw *p, int mode, double delta, double rate)
{
  (void) mode;
  return transfer_force (p, delta) * rate;
}

static inline int
cross_spring_mode (const TransferLaw *p, double delta, double rate)
{
  return rate_transfer_mode (p, delta, rate);
}

static inline int
cross_spring_slopes (const TransferLaw *p, int mode, double delta, double rate, double *stiffness,
                     double *damping)
{
  (void) mode, (void) rate;
  *damping = 0.0;
  return transfer_slope (p, delta, stiffness);
}
