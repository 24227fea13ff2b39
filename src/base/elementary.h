/* elementary.h: elementary functions of expressions, correctly rounded but for one value in 10^10
 *
 * The C library's functions depend on the processor, and WebAssembly has none. Arguments and
 * results are those of the C library's functions; angles in rad.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

double ifbam_exact_sine (double x); /* NaN above 10^9 rad */
double ifbam_exact_cosine (double x);
double ifbam_exact_tangent (double x);
double ifbam_exact_arcsine (double x);
double ifbam_exact_arccosine (double x);
double ifbam_exact_arctangent (double x);
double ifbam_exact_exponential (double x);
double ifbam_exact_logarithm (double x);
double ifbam_exact_power (double x, double y);
