/* ifbam.h: the public interface of libifbam
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "system/ifbam-course.h"
#include "spectrum/ifbam-dispersion.h"
#include "element/ifbam-element.h"
#include "library/ifbam-catalogue.h"
#include "library/ifbam-drawing.h"
#include "library/ifbam-equilibrium.h"
#include "base/ifbam-error.h"
#include "store/ifbam-course-file.h"
#include "network/ifbam-network.h"
#include "library/ifbam-run.h"
#include "modes/ifbam-modes.h"
#include "spectrum/ifbam-refinement.h"
#include "spectrum/ifbam-resampling.h"
#include "modes/ifbam-response.h"
#include "spectrum/ifbam-spectrogram.h"
#include "spectrum/ifbam-spectrum.h"
#include "library/ifbam-stability.h"
#include "library/ifbam-sweep.h"
