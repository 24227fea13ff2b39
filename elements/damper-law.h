/* damper-law.h: linear viscous damper; freestanding C
 *
 *   F = d rate   [N]   rate = v_left - v_right [m/s], approach is positive
 *
 * Rayleigh 1873 (dissipation function); stores no energy.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

typedef struct
{
  double damping; /* d [N s/m] */
} DamperLaw;

static inline double
damper_force (const DamperLaw *p, int mode, double delta, double rate)
{
  (void) mode, (void) delta;
  return p->damping * rate;
}

static inline double
damper_energy (const DamperLaw *p, int mode, double delta)
{
  (void) p, (void) mode, (void) delta;
  return 0.0;
}
