/* sweep.h: a network over all combinations of varied parameters
 *
 * Other directories include this header, not those that it includes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "sweep/campbell.h"
#include "sweep/fit.h"
#include "sweep/optimise.h"
#include "sweep/sensitivity.h"
#include "sweep/sweep-join.h"
#include "sweep/sweep-run.h"
#include "sweep/sweep-stability.h"
#include "sweep/sweep-table.h"
