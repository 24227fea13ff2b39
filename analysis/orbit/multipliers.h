/* multipliers.h: Floquet multipliers of a periodic motion, and test functions of special points
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <complex.h>

#include "orbit/shooting.h"

typedef enum
{
  IFBAM_ORBIT_REGULAR,
  IFBAM_ORBIT_FOLD,      /* the branch turns back */
  IFBAM_ORBIT_FLIP,      /* a multiplier is -1: the period doubles */
  IFBAM_ORBIT_TORUS,     /* a pair of multipliers has the magnitude 1: Neimark-Sacker */
  IFBAM_ORBIT_BRANCHING, /* a multiplier is 1, without a fold: another branch crosses */
  IFBAM_ORBIT_EVENTS,    /* beyond, the number of events in a period is another one */
} IfbamOrbitKind;

/* Returns "fold", "flip", ...; "" of a regular point. */
const char *ifbam_orbit_kind_name (IfbamOrbitKind kind);

/* Computes the multipliers of a solution by falling magnitude (n), those of a free motion without the
 * one that is next to 1; returns their number. */
guint ifbam_multipliers_find (const IfbamShooting *shooting, const IfbamSolution *solution,
                              double complex *multiplier);
/* Returns the test function of a kind: a special point is where it changes its sign. */
double ifbam_multipliers_test (const IfbamShooting *shooting, const IfbamSolution *solution,
                               IfbamOrbitKind kind);
/* Returns TRUE if a zero of the test is a point of its kind: two real multipliers with the product 1
 * are none. */
gboolean ifbam_multipliers_are_of (const IfbamShooting *shooting, const IfbamSolution *solution,
                                   IfbamOrbitKind kind);
