/* response.h: shared data of the frequency response
 *
 * M x'' + C x' + K x = b (see system-matrices.h) with an input exp (i omega t) gives (K + i omega C
 * - omega^2 M) x = b; outputs are rows times x.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "linear/ifbam-response.h"
#include "linear/response-range.h"
#include "linear/response-solution.h"

/* Computes the response at frequencies above 0 [Hz]. NULL: IFBAM_ERROR_INTERRUPTED. */
IfbamResponse *ifbam_response_new_for_system (const IfbamResponseSystem *system,
                                              const double *frequencies, gsize n,
                                              IfbamResponseProgress progress, gpointer data,
                                              GError **error);

/* response-check.c: runs with a sine input, for comparison with the linear response */

typedef struct
{
  const IfbamNetworkBytes *bytes;
  const char *const *settings; /* settings of the command line */
  gboolean own_scheme;         /* use the network's scheme and step; else rk4 and a short step */
  guint n_points;
  IfbamResponseRange range;
  IfbamResponseProgress progress;
  gpointer data;
} IfbamResponseCheck;

typedef struct
{
  double frequency; /* [Hz] */
  gsize output;
  double complex linear, driven;
  double difference; /* |driven - linear| relative to |linear| */
  gboolean agrees;
} IfbamResponseFinding;

/* Largest relative difference that is accepted. */
#define IFBAM_RESPONSE_TOLERANCE 1e-3

/* Runs the network with a sine input, and without it, at n_points frequencies away from
 * eigenfrequencies. The difference of both runs is fitted by the sine, free motions and a drift.
 * Returns IfbamResponseFinding by frequency, then output; *step: of the last run [s]. */
GArray *ifbam_response_check (const IfbamResponseSystem *system, const IfbamResponseCheck *check,
                              double *step, const char **scheme, GError **error);
