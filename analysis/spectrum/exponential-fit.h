/* exponential-fit.h: simultaneous fit of waves to rows
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <complex.h>

#include <glib.h>

G_BEGIN_DECLS

/* b e^(s j) for row j */
typedef struct
{
  double complex b, s;
} IfbamTone;

/* Writes n rows minus the waves to rest (n); returns its sum of squares. */
double ifbam_take_off_tones (const double complex *rows, gsize n, const IfbamTone *tones,
                             gsize n_tones, double complex *rest);
/* Improves approximate waves to the best fit, by least squares; FALSE: no better fit. */
gboolean ifbam_fit_tones (const double complex *rows, gsize n_rows, IfbamTone *tones,
                          gsize n_tones);

G_END_DECLS
