/* spectrogram-figure.h: spectrograms as maps of amplitude over time and frequency
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "spectrum/ifbam-spectrogram.h"
#include "figure/chart.h"

/* One map. Nothing is owned. */
typedef struct
{
  const char *label; /* over it */
  const char *unit;  /* of the amplitudes, or "" */
  IfbamSpectrogram *spectrogram;
} IfbamSpectrogramPanel;

typedef struct
{
  const char *title;                 /* or NULL */
  IfbamPlotRange times, frequencies; /* frequencies without an end: up to where amplitudes vanish */
  gboolean log;                      /* of the amplitudes: four decades */
  const IfbamSpectrogramPanel *panels;
  gsize n_panels;
} IfbamSpectrogramFigure;

/* Into a picture, or, where the path is NULL, as text on standard output. Errors: see
 * ifbam_plot_draw(). */
gboolean ifbam_spectrogram_figure_draw (const IfbamSpectrogramFigure *figure, const char *path,
                                        GError **error);
