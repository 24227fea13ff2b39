/* exponential-fit.h: waves fitted to rows at once
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

/* The n rows less the waves, to rest [n]; returns its sum of squares. */
double ifbam_take_off_tones (const double complex *rows, gsize n, const IfbamTone *tones,
                             gsize n_tones, double complex *rest);
/* Moves the waves, which are nearly right, to where they fit the rows best, by least squares; FALSE, and the waves as they
 * were, where there is nothing better nearby. */
gboolean ifbam_fit_tones (const double complex *rows, gsize n_rows, IfbamTone *tones,
                          gsize n_tones);

G_END_DECLS
