/* command-spectrum-modes.h: spectral lines and the modes of the network that cause them
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "program/command-transform.h"
#include "linear/ifbam-modes.h"

/* A peak and its line; NaN: not known. */
typedef struct
{
  double frequency, amplitude, decay_rate, damping_ratio;
  double density; /* power density, of an averaged spectrum [square of the unit / Hz] */
  double corrected_frequency, corrected_decay_rate;
  gsize mode; /* mode of the network, from 1 on; 0: none matches */
} IfbamSpectrumLine;

typedef struct
{
  const char *name, *unit;
  double resolution, nyquist; /* [Hz] */
  gsize n_segments;
  IfbamSpectrumLine *lines; /* [n] by frequency */
  gsize n;
  IfbamSpectrogram *spectrogram; /* in place of lines */
} IfbamSpectrumSignal;

typedef struct
{
  GArray *signals; /* IfbamSpectrumSignal */
  GArray *modes;   /* IfbamMode, by frequency; NULL: not compared */
  gboolean all_modes;
  const IfbamScheme *scheme; /* NULL: not known */
  double step;               /* [s] */
  gboolean averaged, unrefined, spectrogram;
} IfbamSpectrumResult;

/* Finds the modes of a model, and the mode that makes each line. */
gboolean ifbam_spectrum_compare (IfbamSpectrumResult *result, const IfbamModel *model,
                                 const IfbamRunSpec *spec, GError **error);
/* TRUE if a signal could show a mode, but does not. */
gboolean ifbam_spectrum_lacks (const IfbamSpectrumResult *result, const IfbamSpectrumSignal *signal,
                               gsize mode);
