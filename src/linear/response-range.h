/* response-range.h: modes and frequencies of a response
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "linear/response-system.h"

/* Range of frequencies. */
typedef struct
{
  double from, to; /* [Hz]; NaN: around the eigenfrequencies */
  guint n_points;
  gboolean linear; /* constant differences; FALSE: constant ratios */
  gboolean exact;  /* without additional frequencies near the eigenfrequencies */
} IfbamResponseRange;

/* Reports the fraction that is done; FALSE interrupts. */
typedef gboolean (*IfbamResponseProgress) (gpointer data, double part);

/* Finds the modes in and next to a range, and sets limits that are NaN from them.
 * IFBAM_ERROR_USAGE: no mode oscillates; IFBAM_ERROR_INTERRUPTED. */
gboolean ifbam_response_find_modes (IfbamResponseSystem *system, IfbamResponseRange *range,
                                    IfbamResponseProgress progress, gpointer data, GError **error);

/* Returns the range's frequencies, and more that resolve peaks: increasing (transfer full, *n). */
double *ifbam_response_grid (const IfbamResponseSystem *system, const IfbamResponseRange *range,
                             gsize *n);

/* Returns eigenfrequencies of oscillating modes within [from, to] [Hz] (transfer full, *n). */
double *ifbam_response_eigenfrequencies (const IfbamResponseSystem *system, double from, double to,
                                         gsize *n);
gboolean ifbam_response_is_unstable (const IfbamResponseSystem *system);

/* Sets IFBAM_ERROR_INTERRUPTED; returns FALSE. */
gboolean ifbam_response_set_interrupted (GError **error);
