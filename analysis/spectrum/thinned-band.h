/* thinned-band.h: a course shifted down in frequency, weighted and thinned
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <complex.h>

#include <glib.h>

#include "base/sine.h"

#define IFBAM_BAND_WINDOWS 4  /* cached windows */
#define IFBAM_POWER_RANGE  96 /* products between two powers that are computed directly */
#define IFBAM_POWER_RANGES 4  /* ranges of that many powers that are computed side by side */
#define IFBAM_POWER_TILE   (IFBAM_POWER_RANGES * IFBAM_POWER_RANGE)

/* Windows of the last lengths: most bands have one of a few. */
typedef struct
{
  gsize length[IFBAM_BAND_WINDOWS]; /* 0: none */
  double *values[IFBAM_BAND_WINDOWS];
  guint oldest;
} IfbamBandWindows;

/* The course minus the found waves. */
typedef struct
{
  gsize n;
  double *rows; /* relative to the largest value (n) */
  IfbamBandWindows *windows;
} IfbamRemainder;

/* A course shifted down in frequency, weighted and thinned. */
typedef struct
{
  double turns;         /* shift per row */
  gsize stride;         /* rows per thinned row */
  gsize length;         /* of the sliding window [rows] */
  const double *window; /* owned by the remainder (length) */
  gsize n;
  double complex *rows; /* [n] */
} IfbamBand;

/* Returns exp (2 pi i turns). */
static inline double complex
ifbam_rotation (double turns)
{
  double s, c;

  ifbam_sine_cosine (turns, &s, &c);
  return c + s * I;
}

static inline double
ifbam_turned_cosine (double turns)
{
  return creal (ifbam_rotation (turns));
}

/* Writes IFBAM_POWER_TILE powers: first[c] factor^k at c IFBAM_POWER_RANGE + k. Powers are
 * recursive, so that ranges are computed side by side; this overwrites FIRST. */
void ifbam_fill_powers (double complex *first, double complex factor, double complex *powers);

/* reach: half of the relevant band [resolutions] */
void ifbam_band_init (IfbamBand *band, const IfbamRemainder *remainder, double turns, double reach);

void ifbam_band_clear (IfbamBand *band);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (IfbamBand, ifbam_band_clear)

/* Returns the factor of u's amplitude by shift and window. */
double complex ifbam_band_gain (const IfbamBand *band, double complex u);

/* Subtracts a wave, without its conjugate, from the thinned rows. */
void ifbam_band_subtract (IfbamBand *band, double complex a, double complex u);

/* Compute the transform, with Hann's window, at a distance [resolutions] from the middle of the
 * band: of the thinned rows, and of a wave a u^j. */
double complex ifbam_band_transform (const IfbamBand *band, double distance);
double complex ifbam_band_transform_wave (const IfbamBand *band, double complex a,
                                          double complex u);

/* Subtracts the straight line that fits the rows best: constant and drift. */
void ifbam_remainder_remove_trend (IfbamRemainder *remainder);
