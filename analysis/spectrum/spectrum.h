/* spectrum.h: time series: spectra, spectrograms, resampling, refinement, dispersion
 *
 * Other directories include this header, not those that it includes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "spectrum/course-checks.h"
#include "spectrum/ifbam-dispersion.h"
#include "spectrum/ifbam-refinement.h"
#include "spectrum/ifbam-resampling.h"
#include "spectrum/ifbam-spectrogram.h"
#include "spectrum/ifbam-spectrum.h"
#include "spectrum/order-tracking.h"
#include "spectrum/ring-down.h"
