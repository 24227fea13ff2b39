/* fit-data.h: measured modes, responses or time series, and those that a network computes
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "linear/linear.h"

typedef struct _IfbamFitData IfbamFitData;

/* Values of one quantity: samples of a signal over time; an amplitude or a phase over frequency; of
 * modes frequencies and damping ratios, then their shapes. */
typedef struct
{
  const char *name, *unit;      /* "m1.position", "m"; unit NULL: not in the file */
  const char *over, *over_unit; /* "time", "s"; "frequency", "Hz"; modes: NULL */
  gsize first, n;               /* of the values */
} IfbamFitSeries;

/* Reads a file; input: of a response, else NULL. NULL with IFBAM_ERROR_COURSE or
 * IFBAM_ERROR_USAGE. */
IfbamFitData *ifbam_fit_data_new (const char *path, const char *input, GError **error);
void ifbam_fit_data_free (IfbamFitData *data);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamFitData, ifbam_fit_data_free)

/* Return the number of residuals; the measured values, their times, frequencies or numbers (count);
 * their labels; and their series (IfbamFitSeries). Nothing is owned by the caller. */
gsize ifbam_fit_data_count (const IfbamFitData *data);
const double *ifbam_fit_data_measured (const IfbamFitData *data);
const double *ifbam_fit_data_places (const IfbamFitData *data);
const char *const *ifbam_fit_data_labels (const IfbamFitData *data);
const GArray *ifbam_fit_data_series (const IfbamFitData *data);

/* Computes the network's values and the residuals (count each). */
gboolean ifbam_fit_data_compute (const IfbamFitData *data, const IfbamNetworkBytes *bytes,
                                 const char *const *settings, double *computed, double *residual,
                                 GError **error);
