/* line-waves.h: waves of a spectrum's lines, by harmonic inversion
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "spectrum/ifbam-spectrum.h"
#include "spectrum/thinned-band.h"

#define IFBAM_UNSETTLED         0.1  /* a kept wave changes less: ln u times the rows */
#define IFBAM_SURE              1e-3 /* as above, finally, for waves fitted together */
#define IFBAM_AT_ONCE           6.0 /* of emerging peaks nearer than this, the strongest is first */
#define IFBAM_MAX_WAVES_AT_ONCE 12  /* waves of harminv's that are combined */
#define IFBAM_FADED             36.0 /* a wave that has decayed by e^36 is below the last bit */
#define IFBAM_MIN_REACH         8.0  /* half of the band around a peak [resolutions] */
#define IFBAM_MIN_TURNS         2.0  /* over the course; a slower wave is no oscillation */

/* a u^t and its conjugate, t in rows */
typedef struct
{
  IfbamPeak peak;   /* peak at which it was searched for */
  gboolean emerged; /* the peak emerged when others' lines were subtracted */
  gboolean found, lost;
  gboolean together; /* fitted together with its neighbours in the last round */
  double complex a, u;
  double moved; /* change of ln u in the last round, times the rows */
  int rounds;   /* number of searches for it */
} IfbamWave;

gboolean ifbam_wave_is_finite (const IfbamWave *wave);

/* Adds or, with sign -1, subtracts a wave and its conjugate. */
void ifbam_remainder_add_wave (IfbamRemainder *remainder, const IfbamWave *wave, double sign);

/* Returns the distance of the nearest other wave. */
double ifbam_wave_nearest_distance (const IfbamRemainder *remainder, const IfbamWave *wave,
                                    const IfbamWave *waves, gsize n_waves, gsize except);

/* TRUE for two large, nearly equal waves that almost cancel: they can explain anything. */
gboolean ifbam_wave_has_double (const IfbamRemainder *remainder, const IfbamWave *wave,
                                const IfbamWave *waves, gsize n_waves, gsize except);

/* Returns the rounds in which a wave must converge: more with neighbours, image or drifts. */
int ifbam_wave_trial (const IfbamWave *wave, double duration);

/* Finds wave k again in the remainder, and subtracts it. */
void ifbam_refine_one_wave (IfbamRemainder *remainder, double step, IfbamWave *waves, gsize n_waves,
                            gsize k);

/* Fits all groups of neighbouring waves. */
void ifbam_refine_neighbours (IfbamRemainder *remainder, IfbamWave *waves, gsize n);

/* Returns the unexplained fraction about a wave: the remainder's transform over the wave's. */
double ifbam_wave_misfit (const IfbamRemainder *remainder, const IfbamWave *wave);

/* Returns the amplitude of a wave with Hann's window, over the course's largest value. */
double ifbam_wave_amplitude (const IfbamWave *wave, gsize n);
