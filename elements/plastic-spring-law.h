/* plastic-spring-law.h: rate-independent elastic-plastic spring, with hardening; freestanding C
 *
 *   F = r k delta + (1 - r) k z, kinematic hardening; F = k z, isotropic                        [N]
 *   elastic    z' = rate, |z| <= y + w
 *   yielding   z' = 0, kinematic; z' = r rate and w' = r |rate|, isotropic: the stiffness is r k
 *   V = r k delta^2 / 2 + (1 - r) k z^2 / 2, or k z^2 / 2                                       [J]
 *
 * z and w are internal states: the elastic part of the compression, and the growth of its limit.
 * With r = 0 both are ideal plasticity. Yielding dissipates (1 - r) k z rate, or k z (1 - r) rate.
 *
 * Prandtl 1928, "Ein Gedankenmodell zur kinetischen Theorie der festen Koerper", ZAMM 8, 85-106;
 * Prager 1949; isotropic: Odqvist 1933.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <math.h>

#include "element/guard.h"

typedef struct
{
  double stiffness; /* k [N/m] */
  double yield;     /* [N]; y = yield / k */
  double ratio;     /* r: stiffness while yielding per stiffness before */
  double hardening;
  double elastic; /* z, a state [m] */
  double growth;  /* w, a state [m] */
} PlasticSpringLaw;

enum
{
  PLASTIC_KINEMATIC,
  PLASTIC_ISOTROPIC,
};

enum
{
  PLASTIC_ELASTIC,
  PLASTIC_FORWARD,
  PLASTIC_BACKWARD,
};

/* Returns the part of the stiffness in proportion to delta. */
static inline double
plastic_spring_beside (const PlasticSpringLaw *p)
{
  return (int) p->hardening == PLASTIC_KINEMATIC ? p->ratio * p->stiffness : 0.0;
}

/* The guards' quantity is k z. */
static inline double
plastic_spring_force (const PlasticSpringLaw *p, int mode, double delta, double rate)
{
  const double beside = plastic_spring_beside (p);

  (void) rate;
  if (IFBAM_IS_LAW_QUANTITY (mode))
    return p->stiffness * p->elastic;
  return beside * delta + (p->stiffness - beside) * p->elastic;
}

static inline double
plastic_spring_energy (const PlasticSpringLaw *p, int mode, double delta)
{
  const double beside = plastic_spring_beside (p);

  (void) mode;
  return 0.5 * beside * delta * delta + 0.5 * (p->stiffness - beside) * p->elastic * p->elastic;
}

static inline void
plastic_spring_rates (const PlasticSpringLaw *p, int mode, double delta, double rate, double *rates)
{
  const double hardens = (int) p->hardening == PLASTIC_ISOTROPIC ? p->ratio * rate : 0.0;

  (void) delta;
  rates[0] = mode == PLASTIC_ELASTIC ? rate : hardens;
  rates[1] = mode == PLASTIC_FORWARD ? hardens : mode == PLASTIC_BACKWARD ? -hardens : 0.0;
}

static inline double
plastic_spring_loss (const PlasticSpringLaw *p, int mode, double delta, double rate)
{
  double rates[2];

  plastic_spring_rates (p, mode, delta, rate, rates);
  return (p->stiffness - plastic_spring_beside (p)) * p->elastic * (rate - rates[0]);
}

static inline int
plastic_spring_slopes (const PlasticSpringLaw *p, int mode, double delta, double rate,
                       double *stiffness, double *damping)
{
  (void) delta, (void) rate;
  *stiffness = mode == PLASTIC_ELASTIC ? p->stiffness : p->ratio * p->stiffness;
  *damping = 0.0;
  return 0;
}

static inline int
plastic_spring_mode (const PlasticSpringLaw *p, double delta, double rate)
{
  const double limit = p->yield + p->stiffness * p->growth, force = p->stiffness * p->elastic;

  (void) delta;
  return force >= limit && rate > 0    ? PLASTIC_FORWARD
         : force <= -limit && rate < 0 ? PLASTIC_BACKWARD
                                       : PLASTIC_ELASTIC;
}

/* The limit is constant while the spring is elastic. */
static inline int
plastic_spring_guards (const PlasticSpringLaw *p, int mode, IfbamGuard *guards)
{
  const double limit = p->yield + p->stiffness * p->growth;
  const IfbamGuard rise = { IFBAM_GUARD_LAW, -1, limit, PLASTIC_FORWARD };
  const IfbamGuard fall = { IFBAM_GUARD_LAW, 1, limit, PLASTIC_BACKWARD };
  const IfbamGuard turn = { IFBAM_GUARD_RATE, mode == PLASTIC_FORWARD ? 1 : -1, 0,
                            PLASTIC_ELASTIC };

  if (mode != PLASTIC_ELASTIC)
    {
      guards[0] = turn;
      return 1;
    }
  guards[0] = rise;
  guards[1] = fall;
  return 2;
}
