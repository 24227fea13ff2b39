/* elementary.h: elementary functions of expressions, correctly rounded but for one value in 10^10
 *
 * The C library's functions depend on the processor, and WebAssembly has none. Arguments and
 * results are those of the C library's functions; angles in rad.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

/* Storage of the functions: generated C, which contains elementary.c, makes them static. */
#ifndef IFBAM_ELEMENTARY
#define IFBAM_ELEMENTARY
#endif

IFBAM_ELEMENTARY double ifbam_exact_sine (double x); /* NaN above 10^9 rad */
IFBAM_ELEMENTARY double ifbam_exact_cosine (double x);
IFBAM_ELEMENTARY double ifbam_exact_tangent (double x);
IFBAM_ELEMENTARY double ifbam_exact_arcsine (double x);
IFBAM_ELEMENTARY double ifbam_exact_arccosine (double x);
IFBAM_ELEMENTARY double ifbam_exact_arctangent (double x);
IFBAM_ELEMENTARY double ifbam_exact_exponential (double x);
IFBAM_ELEMENTARY double ifbam_exact_logarithm (double x);
IFBAM_ELEMENTARY double ifbam_exact_power (double x, double y);
