/* sensitivity.h: derivatives of eigenvalues by the numbers of a network
 *
 * With a right vector x and a left vector y of s^2 M + s C + K = A under J x = 0, a number p changes
 * the eigenvalue s by
 *   ds/dp = -d (y^T A x)/dp / (y^T (2 s M + C) x)
 * (Fox & Kapoor 1968, AIAA J. 6; Plaut & Huseyin 1973, AIAA J. 11), where x and y follow J. The form
 * is differentiated by central differences of the matrices, so the eigenvalues are solved once. The
 * derivatives of equal eigenvalues are the eigenvalues of this form over their vectors (Ojalvo 1988,
 * AIAA J. 26).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "linear/linear.h"

typedef enum
{
  IFBAM_SENSITIVE_OTHER,
  IFBAM_SENSITIVE_STIFFNESS,
  IFBAM_SENSITIVE_INERTIA,
} IfbamSensitiveKind;

/* Change of each mode in percent per percent of one number. */
typedef struct
{
  char *name; /* "k1.stiffness" */
  IfbamSensitiveKind kind;
  double value;
  double *frequency;     /* (n_modes) */
  double *damping_ratio; /* NaN: the mode has none (n_modes) */
} IfbamSensitivity;

typedef struct
{
  guint n_modes;
  IfbamMode *modes; /* the slowest that oscillate (n_modes) */
  GArray *numbers;  /* IfbamSensitivity, the strongest first; numbers without effect are omitted */
  /* Of an undamped network: sums over stiffnesses, 1/2 if they alone restore the motion, and over
   * inertias, -1/2 (n_modes)(2); else NULL. */
  double *sums;
} IfbamSensitivities;

/* count: largest number of modes; 0: all. IFBAM_ERROR_NETWORK: also if the network is too large;
 * IFBAM_ERROR_INTERRUPTED. */
IfbamSensitivities *ifbam_sensitivities_new (const IfbamNetworkBytes *bytes,
                                             const char *const *settings, guint count,
                                             IfbamResponseProgress progress, gpointer data,
                                             GError **error);
void ifbam_sensitivities_free (IfbamSensitivities *sensitivities);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (IfbamSensitivities, ifbam_sensitivities_free)
