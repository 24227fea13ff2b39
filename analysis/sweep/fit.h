/* fit.h: numbers of a network from measured modes, frequency responses or time series
 *
 * Nonlinear least squares by Levenberg and Marquardt (GSL, Moré 1978), on logarithms of the numbers.
 *
 * | first column of the file | data | residual |
 * | --- | --- | --- |
 * | "mode" or "frequency" | modes: frequency, damping_ratio, shapes (a column per node) | ln (computed / measured) |
 * | "frequency", and SIGNAL.amplitude, SIGNAL.phase | frequency response | ln of the amplitudes' ratio, difference of phases |
 * | "time" | samples of a run | difference / root mean square of the signal |
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "sweep/fit-data.h"
#include "sweep/free-numbers.h"

typedef struct
{
  const IfbamNetworkBytes *bytes; /* not owned */
  const char *const *settings;    /* ELEMENT.KEY=VALUE, NULL-terminated */
  const char *varied;             /* see free-numbers.h */
  const char *path;               /* measured data */
  const char *input;              /* of a response: "force@m1"; else NULL */
  IfbamResponseProgress progress;
  gpointer data;
} IfbamFitRequest;

typedef struct
{
  GArray *numbers;   /* IfbamFreeNumber */
  double *value;     /* fitted (numbers) */
  double *deviation; /* standard deviation relative to the value; NaN: undetermined (numbers) */
  double *
      covariance; /* of the numbers relative to their values; NaN: undetermined (numbers)(numbers) */
  GPtrArray *undetermined; /* char*: sentences about combinations that the data do not determine */
  guint iterations;
  double residual;           /* root mean square */
  IfbamFitData *data;        /* measured */
  gsize n;                   /* number of residuals */
  const char *const *labels; /* of the data: "mode 1", "m1.position at 0.1 s" (n) */
  const double *measured;    /* of the data (n) */
  double *fitted, *first;    /* computed values; first: at the start (n) */
  char **settings;           /* of the request, and the fitted values; NULL-terminated */
} IfbamFit;

/* NULL with IFBAM_ERROR_USAGE: faults of names; IFBAM_ERROR_COURSE: of the file; an error of the
 * network; IFBAM_ERROR_INTERRUPTED. */
IfbamFit *ifbam_fit_new (const IfbamFitRequest *request, GError **error);
void ifbam_fit_free (IfbamFit *fit);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamFit, ifbam_fit_free)
