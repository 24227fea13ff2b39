/* resistor-law.h: ideal resistor; freestanding C
 *
 *   I = rate / R   [A]   rate = voltage_left - voltage_right [V]
 *
 * Ohm 1827; stores no energy. The current flows from left to right.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

typedef struct
{
  double resistance; /* R [ohm] */
} ResistorLaw;

static inline double
resistor_force (const ResistorLaw *p, int mode, double delta, double rate)
{
  (void) mode, (void) delta;
  return rate / p->resistance;
}

static inline double
resistor_energy (const ResistorLaw *p, int mode, double delta)
{
  (void) p, (void) mode, (void) delta;
  return 0.0;
}
