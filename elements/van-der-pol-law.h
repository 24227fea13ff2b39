/* van-der-pol-law.h: damper that drives small oscillations and brakes large ones; freestanding C
 *
 *   F = c ((delta/a)^2 - 1) rate   [N]   stores no energy: energy supplied is a negative loss
 *
 * van der Pol 1926, "On relaxation-oscillations", Philosophical Magazine 2, 978-992.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

typedef struct
{
  double damping;   /* c [N s/m] */
  double amplitude; /* a [m] */
} VanDerPolLaw;

static inline double
van_der_pol_force (const VanDerPolLaw *p, int mode, double delta, double rate)
{
  const double part = delta / p->amplitude;

  (void) mode;
  return p->damping * (part * part - 1.0) * rate;
}

static inline double
van_der_pol_energy (const VanDerPolLaw *p, int mode, double delta)
{
  (void) p, (void) mode, (void) delta;
  return 0.0;
}

static inline int
van_der_pol_slopes (const VanDerPolLaw *p, int mode, double delta, double rate, double *stiffness,
                    double *damping)
{
  const double part = delta / p->amplitude;

  (void) mode;
  *stiffness = 2.0 * p->damping * part * rate / p->amplitude;
  *damping = p->damping * (part * part - 1.0);
  return p->damping != 0.0;
}
