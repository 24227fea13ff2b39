/* ifbam.h: the public interface of libifbam
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "file/ifbam-course.h"
#include "spectrum/ifbam-dispersion.h"
#include "element/ifbam-element.h"
#include "embed/ifbam-catalogue.h"
#include "embed/ifbam-drawing.h"
#include "embed/ifbam-equilibrium.h"
#include "base/ifbam-error.h"
#include "file/ifbam-course-file.h"
#include "file/ifbam-network.h"
#include "embed/ifbam-run.h"
#include "linear/ifbam-modes.h"
#include "spectrum/ifbam-refinement.h"
#include "spectrum/ifbam-resampling.h"
#include "linear/ifbam-response.h"
#include "spectrum/ifbam-spectrogram.h"
#include "spectrum/ifbam-spectrum.h"
#include "embed/ifbam-stability.h"
#include "embed/ifbam-sweep.h"
