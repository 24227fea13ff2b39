/* ifbam.h: the public interface of libifbam
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "ifbam-course.h"
#include "ifbam-dispersion.h"
#include "ifbam-element.h"
#include "ifbam-error.h"
#include "ifbam-network.h"
#include "ifbam-modes.h"
#include "ifbam-refinement.h"
#include "ifbam-resampling.h"
#include "ifbam-response.h"
#include "ifbam-spectrogram.h"
#include "ifbam-spectrum.h"
