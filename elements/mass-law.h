/* mass-law.h: inertia with one coordinate; freestanding C
 *
 *   m dv/dt = F   (Newton 1687, second law; for an inertia: J dw/dt = T)
 *
 * The law has only m and the start; the scheme integrates the motion.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

typedef struct
{
  double mass;     /* [kg], or moment of inertia [kg m2] */
  double position; /* at the start [m], or angle [rad] */
  double velocity; /* at the start [m/s], or speed [rad/s] */
} MassLaw;

static inline double
mass_inertia (const MassLaw *p)
{
  return p->mass;
}
