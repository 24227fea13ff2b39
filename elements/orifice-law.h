/* orifice-law.h: orifice with turbulent flow; freestanding C
 *
 *   p = density/2 (|flow| flow)/(discharge area)^2   [Pa]
 *
 * Bernoulli 1738; discharge: Merritt 1967, Hydraulic control systems, 3.4. Stores no energy.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <math.h>

typedef struct
{
  double area;      /* [m2] */
  double discharge; /* fraction of the area, in the narrowest jet */
  double density;   /* [kg/m3] */
} OrificeLaw;

static inline double
orifice_force (const OrificeLaw *p, int mode, double delta, double rate)
{
  const double jet = p->discharge * p->area;

  (void) mode, (void) delta;
  return 0.5 * p->density * (fabs (rate) * rate) / (jet * jet);
}

static inline double
orifice_energy (const OrificeLaw *p, int mode, double delta)
{
  (void) p, (void) mode, (void) delta;
  return 0.0;
}
