/* linear.h: linearization, modes, response, equilibrium and stability
 *
 * Other directories include this header, not those that it includes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "linear/auto-step.h"
#include "linear/eigenvalues.h"
#include "linear/equilibrium.h"
#include "linear/linearization.h"
#include "linear/modal-masses.h"
#include "linear/mode-comparison.h"
#include "linear/modes-export.h"
#include "linear/modes.h"
#include "linear/random-response.h"
#include "linear/response.h"
#include "linear/scheme-growth.h"
#include "linear/single-thread-blas.h"
#include "linear/stability.h"
#include "linear/state-space.h"
#include "linear/step-assessment.h"
