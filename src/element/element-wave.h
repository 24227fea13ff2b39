/* element-wave.h: parameters, faults and corners of waveforms of sources and drives
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/waveform.h"
#include "element/element-info.h"

extern const char *const ifbam_wave_words[];

/* Parameters of a law with an IfbamWaveform `wave`, besides its constant part. unit: of the
 * quantity that the wave sets */
#define IFBAM_PARAMS_WAVE(Law, unit)                                                               \
  IFBAM_PARAM (Law, wave.amplitude, "amplitude", unit, -G_MAXDOUBLE, G_MAXDOUBLE, 0,               \
               "amplitude or height; of noise the root mean square"),                              \
      IFBAM_PARAM (Law, wave.frequency, "frequency", "Hz", 0, G_MAXDOUBLE, 0,                      \
                   "frequency of the sine"),                                                       \
      IFBAM_PARAM (Law, wave.phase, "phase", "rad", -G_MAXDOUBLE, G_MAXDOUBLE, 0,                  \
                   "phase of the sine at t = 0"),                                                  \
      IFBAM_PARAM_WORD (Law, wave.shape, "wave", ifbam_wave_words, IFBAM_WAVE_SINE,                \
                        "function of time"),                                                       \
      IFBAM_PARAM (Law, wave.from, "from", "Hz", 0, G_MAXDOUBLE, 0,                                \
                   "of a chirp or noise: the first frequency"),                                    \
      IFBAM_PARAM (Law, wave.to, "to", "Hz", 0, G_MAXDOUBLE, 0,                                    \
                   "of a chirp or noise: the last frequency"),                                     \
      IFBAM_PARAM (Law, wave.over, "over", "s", 0, G_MAXDOUBLE, 0,                                 \
                   "duration of a chirp, ramp, pulse or half-sine"),                               \
      IFBAM_PARAM (Law, wave.at, "at", "s", -G_MAXDOUBLE, G_MAXDOUBLE, 0,                          \
                   "start of a chirp, step, ramp, pulse, pwm or half-sine"),                       \
      IFBAM_PARAM (Law, wave.period, "period", "s", 0, G_MAXDOUBLE, 0,                             \
                   "of pwm: period of the pulses"),                                                \
      IFBAM_PARAM (Law, wave.duty, "duty", "", 0, 1, 0.5,                                          \
                   "of pwm: part of the period that is high"),                                     \
      IFBAM_PARAM (Law, wave.rise, "rise", "s", 0, G_MAXDOUBLE, 0,                                 \
                   "of a pulse or pwm: time of the rise and of the fall"),                         \
      IFBAM_PARAM (Law, wave.seed, "seed", "", 0, 9007199254740992.0, 0,                           \
                   "of noise: a whole number; each gives another course")

/* The keys of a waveform; excluded by a course. */
#define IFBAM_WAVE_KEYS                                                                            \
  "amplitude, frequency, phase, wave, from, to, over, at, period, duty, rise, seed"

/* Formula of a waveform, for `ifbam elements`; steady: "value". */
#define IFBAM_WAVE_FORMULA(quantity, steady)                                                       \
  quantity " = " steady " + amplitude * w, w = sin(2 pi frequency * t + phase) or another wave, "
#define IFBAM_WAVE_SOURCES                                                                         \
  "harmonic excitation; noise is filtered shot noise, flat in its band: Rice 1944; a course is "   \
  "interpolated, by cubics de Boor 1978, chapter IV"

/* For `fault`: returns why the parameters of a wave are inconsistent; NULL: they are consistent. */
char *ifbam_element_wave_fault (const IfbamElement *element, const IfbamWaveform *wave,
                                const char **key);

/* For `time_events`: appends the waveform's corners from `start` on, before `end` [s]. */
void ifbam_element_wave_time_events (const IfbamWaveform *wave, double start, double end,
                                     GArray *time_events);
