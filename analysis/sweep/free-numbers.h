/* free-numbers.h: numbers of a network that a fit or an optimisation changes, with bounds
 *
 * The unknown x of a number p: p = start exp (x) without bounds; else ln p = middle + half sin (x),
 * or, if a bound is not above 0, p = middle + half sin (x).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "file/file.h"

typedef struct
{
  char *name;          /* "k1.stiffness", or a parameter */
  double start;        /* in SI */
  double lower, upper; /* NaN: none */
} IfbamFreeNumber;

/* Reads "k1.stiffness", "d1.damping=1N*s/m:1kN*s/m", comma-separated, for a network (IfbamFreeNumber,
 * transfer full). NULL with IFBAM_ERROR_USAGE, a line for each fault, or an error of the network. */
GArray *ifbam_free_numbers_read (const IfbamNetworkBytes *bytes, const char *const *settings,
                                 const char *text, GError **error);
/* Return a number's value for an unknown, and the unknown of the start. */
double ifbam_free_number_at (const IfbamFreeNumber *number, double x);
double ifbam_free_number_origin (const IfbamFreeNumber *number);
/* Returns settings and those of the unknowns x (numbers->len) (transfer full). */
char **ifbam_free_numbers_settings (const GArray *numbers, const char *const *settings,
                                    const double *x);
