/* mutual-law.h: two coupled coils as two springs; freestanding C
 *
 *   u1 = L1 di1/dt + M di2/dt,  u2 = M di1/dt + L2 di2/dt,  M = k sqrt (L1 L2)
 * The field's energy, half of flux L^-1 flux, is a sum of two squares: of i1 in the leakage seen from
 * the first coil, and of i2 + r i1 in the second coil's inductance:
 *
 *   i1        = (flux1 - r flux2) / (L1 (1 - k^2)),  r = k sqrt (L1/L2)
 *   i2 + r i1 = flux2 / L2
 *
 * Neumann 1845; Boyajian 1924, Theory of D-C Excited Iron-Core Reactors (leakage on one side)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <math.h>

typedef struct
{
  double first, second;                 /* L1, L2 [H] */
  double coupling;                      /* k */
  double first_current, second_current; /* at the start [A] */
} MutualLaw;

/* r */
static inline double
mutual_ratio (const MutualLaw *p)
{
  return p->coupling * sqrt (p->first / p->second);
}

static inline double
mutual_leakage (const MutualLaw *p)
{
  return p->first * ((1.0 - p->coupling) * (1.0 + p->coupling));
}

static inline double
mutual_force (const MutualLaw *p, int mode, double delta, double rate)
{
  (void) mode, (void) rate;
  return p->first_current + delta / mutual_leakage (p);
}

static inline double
mutual_energy (const MutualLaw *p, int mode, double delta)
{
  const double current = mutual_force (p, mode, delta, 0.0);

  return 0.5 * mutual_leakage (p) * (current * current);
}

/* dF/ddelta, dF/drate; returns TRUE if they depend on the state. */
static inline int
mutual_slopes (const MutualLaw *p, int mode, double delta, double rate, double *stiffness,
               double *damping)
{
  (void) mode, (void) delta, (void) rate;
  *stiffness = 1.0 / mutual_leakage (p);
  *damping = 0.0;
  return 0;
}

static inline double
mutual_second_force (const MutualLaw *p, int mode, double delta, double rate)
{
  (void) mode, (void) rate;
  return p->second_current + mutual_ratio (p) * p->first_current + delta / p->second;
}

static inline double
mutual_second_energy (const MutualLaw *p, int mode, double delta)
{
  const double current = mutual_second_force (p, mode, delta, 0.0);

  return 0.5 * p->second * (current * current);
}

static inline int
mutual_second_slopes (const MutualLaw *p, int mode, double delta, double rate, double *stiffness,
                      double *damping)
{
  (void) mode, (void) delta, (void) rate;
  *stiffness = 1.0 / p->second;
  *damping = 0.0;
  return 0;
}
