/* random-response.h: response to a random input, given by its power spectral density
 *
 * An output's density is |H|^2 times the input's, H: frequency response; its mean square is the
 * integral over the frequency (Newland 1993, "An introduction to random vibrations, spectral and
 * wavelet analysis", 7). Densities are one-sided: the integral from 0 on is the mean square.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "linear/response-range.h"
#include "linear/response-solution.h"

/* A table of densities; between its rows a straight line in logarithms of both, as usual in
 * specifications of vibration tests; 0 outside. */
typedef struct
{
  char *path;
  char *unit; /* in the header; NULL: none */
  gsize n;
  double *frequency, *density; /* increasing [Hz]; not negative (n) */
} IfbamDensity;

/* Reads a CSV with two columns, "frequency [Hz]" and a density such as "psd [g2/Hz]".
 * IFBAM_ERROR_COURSE. */
IfbamDensity *ifbam_density_new (const char *path, GError **error);
void ifbam_density_free (IfbamDensity *density);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamDensity, ifbam_density_free)

/* Converts the densities to the input's unit squared per Hz. IFBAM_ERROR_COURSE. */
gboolean ifbam_density_convert (IfbamDensity *density, const IfbamResponseInput *input,
                                GError **error);
double ifbam_density_at (const IfbamDensity *density, double frequency);

/* Returns a unit's square per hertz: "m2/Hz", "(m/s)2/Hz" (transfer full). */
char *ifbam_density_unit (const char *unit);

typedef struct
{
  gsize n, n_outputs;
  double *frequency;        /* (n) [Hz] */
  double *density;          /* (n_outputs)(n) */
  double *root_mean_square; /* (n_outputs); infinite: an undamped mode is driven */
  double
      *apparent_frequency; /* mean number of upward zero crossings (Rice 1944) (n_outputs) [Hz] */
  double input;            /* root mean square of the input */
} IfbamRandomResponse;

/* Computes densities at increasing frequencies (n), and integrals from the first to the last of
 * them, to seven digits. NULL: IFBAM_ERROR_INTERRUPTED, or an error of the solution. */
IfbamRandomResponse *ifbam_random_response_new (const IfbamResponseSystem *system,
                                                const IfbamDensity *density,
                                                const double *frequencies, gsize n,
                                                IfbamResponseProgress progress, gpointer data,
                                                GError **error);
void ifbam_random_response_free (IfbamRandomResponse *response);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamRandomResponse, ifbam_random_response_free)
