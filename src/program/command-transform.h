/* command-transform.h: spectra of courses in commands
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <math.h>

#include "program/command.h"
#include "spectrum/ifbam-spectrogram.h"

typedef struct
{
  char *window_name, *segment_text, *overlap_text;
  gboolean welch, resample;

  /* Set by ifbam_transform_options_read (): */
  IfbamWindow window;
  double segment; /* [s]; 0: default */
  double overlap; /* NaN: default */
} IfbamTransformOptions;

#define IFBAM_TRANSFORM_OPTIONS                                                                    \
  {                                                                                                \
    .overlap = NAN                                                                                 \
  }

void ifbam_transform_options_add (IfbamTransformOptions *options, GOptionContext *context,
                                  const char *shown);
void ifbam_transform_options_clear (IfbamTransformOptions *options);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (IfbamTransformOptions, ifbam_transform_options_clear)

/* Reads the texts of the options; FALSE with IFBAM_ERROR_USAGE. */
gboolean ifbam_transform_options_read (IfbamTransformOptions *options, GError **error);

/* TRUE if spectra of segments are averaged. */
gboolean ifbam_transform_is_averaged (const IfbamTransformOptions *options);

/* Returns the course with equidistant samples (takes ownership of course). sample: interval of
 * --sample, or NULL. Prints a note if it interpolates. */
IfbamCourse *ifbam_transform_course (const IfbamTransformOptions *options, IfbamCourse *course,
                                     const char *sample, GError **error);

IfbamSpectrum *ifbam_transform (const IfbamTransformOptions *options, const double *times,
                                const double *values, gsize n_rows, GError **error);
IfbamSpectrogram *ifbam_transform_over_time (const IfbamTransformOptions *options,
                                             const double *times, const double *values,
                                             gsize n_rows, GError **error);
