/* chamber-law.h: chamber between pipes, with gas or compressible liquid; freestanding C
 *
 *   gas      p = pressure (volume/V)^exponent - ambient   [Pa]   V = volume - delta
 *   liquid   p = pressure - ambient + delta/(compressibility volume)
 *
 * delta [m3] is the inflow by the right pipe minus the outflow by the left one, V_right - V_left in
 * the file's terms; `pressure` holds at delta = 0. The stored energy is the work against the
 * ambient pressure.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "elements/gas-law.h"

typedef struct
{
  double volume;          /* [m3] */
  double pressure;        /* absolute [Pa] */
  double ambient;         /* absolute [Pa] */
  double exponent;        /* of a gas */
  double compressibility; /* of a liquid [1/Pa]; 0: a gas */
} ChamberLaw;

IFBAM_ALWAYS_INLINE double
chamber_force (const ChamberLaw *p, int mode, double delta, double rate)
{
  (void) mode, (void) rate;
  if (p->compressibility > 0.0)
    return p->pressure - p->ambient + delta / (p->compressibility * p->volume);
  return p->pressure * gas_pressure (delta / p->volume, p->exponent) - p->ambient;
}

IFBAM_ALWAYS_INLINE double
chamber_energy (const ChamberLaw *p, int mode, double delta)
{
  (void) mode;
  if (p->compressibility > 0.0)
    return (p->pressure - p->ambient) * delta
           + 0.5 * (delta * delta) / (p->compressibility * p->volume);
  return p->pressure * p->volume * gas_work (delta / p->volume, p->exponent) - p->ambient * delta;
}

static inline int
chamber_slopes (const ChamberLaw *p, int mode, double delta, double rate, double *stiffness,
                double *damping)
{
  (void) mode, (void) rate;
  *stiffness = p->compressibility > 0.0
                   ? 1.0 / (p->compressibility * p->volume)
                   : p->pressure * gas_stiffness (delta / p->volume, p->exponent) / p->volume;
  *damping = 0.0;
  return !(p->compressibility > 0.0);
}
